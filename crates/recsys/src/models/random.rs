//! Scores by chance: the lower bound, and a way to learn about items that nobody is shown.

use crate::data::Dataset;
use crate::error::Result;
use crate::model::{
    Capabilities, Family, ModelSpec, ModelWriter, Query, Recommender, Resolved, Training, check_lengths,
};
use crate::random::{bits, unit};

pub(crate) static SPEC: ModelSpec = ModelSpec {
    id: "random",
    name: "Random",
    family: Family::Rule,
    choose_when: "as the lower bound of every metric, and to collect feedback that no model has bent",
    paper: "none",
    parameters: &[],
    can: Capabilities {
        personal: true,
        ..Capabilities::NONE
    },
    version: 1,
    fit,
    read: |reader| {
        Ok(Box::new(Random {
            items: reader.usize()?,
            seed: reader.u64()?,
        }))
    },
};

#[derive(Debug)]
struct Random {
    items: usize,
    seed: u64,
}

impl Recommender for Random {
    fn spec(&self) -> &'static ModelSpec {
        &SPEC
    }

    fn items(&self) -> usize {
        self.items
    }

    /// Uniform in 0..1, fixed by the seed, the user, the second of the query and the item: a new order each second.
    fn score(&self, query: &Query<'_>, candidates: &[u32], out: &mut [f32]) -> Result<()> {
        check_lengths(candidates, out)?;
        let user = query.user.map_or(u64::MAX, u64::from);
        let stream = bits(self.seed, user, query.now as u64);
        for (score, candidate) in out.iter_mut().zip(candidates) {
            *score = unit(self.seed, stream, u64::from(*candidate)) as f32;
        }
        Ok(())
    }

    fn write(&self, writer: &mut ModelWriter) {
        writer.0.u64(self.items as u64);
        writer.0.u64(self.seed);
    }
}

fn fit(_settings: &Resolved, dataset: &Dataset, training: &Training<'_>) -> Result<Box<dyn Recommender>> {
    Ok(Box::new(Random {
        items: dataset.items().len(),
        seed: training.seed,
    }))
}
