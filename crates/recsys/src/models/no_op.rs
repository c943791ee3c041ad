//! No model: candidates keep the order in which they came.

use crate::data::Dataset;
use crate::error::Result;
use crate::model::{
    Capabilities, Family, ModelSpec, ModelWriter, Query, Recommender, Resolved, Training, check_lengths,
};
use crate::scan::{Eligible, Scored};

pub(crate) static SPEC: ModelSpec = ModelSpec {
    id: "no_op",
    name: "No-op",
    family: Family::Rule,
    choose_when: "when the order of the candidates is already right, as a control, or to try a pipeline without data",
    paper: "none",
    parameters: &[],
    can: Capabilities::NONE,
    version: 1,
    fit,
    read: |reader| {
        Ok(Box::new(NoOp {
            items: reader.usize()?,
        }))
    },
};

#[derive(Debug)]
struct NoOp {
    items: usize,
}

impl Recommender for NoOp {
    fn spec(&self) -> &'static ModelSpec {
        &SPEC
    }

    fn items(&self) -> usize {
        self.items
    }

    /// From 1 downwards in equal steps, so that sorting by score changes nothing.
    fn score(&self, _query: &Query<'_>, candidates: &[u32], out: &mut [f32]) -> Result<()> {
        check_lengths(candidates, out)?;
        let count = candidates.len();
        for (place, score) in out.iter_mut().enumerate() {
            *score = (count - place) as f32 / count as f32;
        }
        Ok(())
    }

    /// The items in the order of their numbers.
    fn retrieve(&self, _query: &Query<'_>, limit: usize, eligible: Eligible<'_>) -> Result<Vec<Scored>> {
        let found: Vec<u32> = (0..self.items as u32)
            .filter(|item| eligible.allows(*item))
            .take(limit)
            .collect();
        let count = found.len() as f32;
        let scored = |(place, id)| Scored {
            id,
            score: (count - place as f32) / count,
        };
        Ok(found.into_iter().enumerate().map(scored).collect())
    }

    fn write(&self, writer: &mut ModelWriter) {
        writer.0.u64(self.items as u64);
    }
}

fn fit(_settings: &Resolved, dataset: &Dataset, _training: &Training<'_>) -> Result<Box<dyn Recommender>> {
    Ok(Box::new(NoOp {
        items: dataset.items().len(),
    }))
}
