//! Items that the same people like.
//!
//! The cosine of two items is the number of users who like both over the geometric mean of the numbers who like
//! each; with shrinkage that mean grows by a constant, so that two items with one user each are not the same item
//! (Sarwar et al., WWW 2001; Deshpande, Karypis, TOIS 2004). An item keeps its nearest neighbours, and the score of a
//! candidate is the sum over the history of the similarities to it.

use rayon::prelude::*;

use crate::codec::Reader;
use crate::data::Dataset;
use crate::error::{Error, Result};
use crate::matrix::Sparse;
use crate::model::{
    Capabilities, Family, ModelSpec, ModelWriter, Parameter, Query, Recommender, Resolved, Training,
    check_lengths,
};
use crate::models::history::weighted_items;
use crate::models::prior::Prior;
use crate::models::weights::Weights;
use crate::scan::{Eligible, Scored, top_k_of};

pub(crate) static SPEC: ModelSpec = ModelSpec {
    id: "item_knn",
    name: "Item neighbours",
    family: Family::Neighbours,
    choose_when: "for similar items by behaviour, and for answers that can be explained, at any size",
    paper: "Deshpande, Karypis, TOIS 2004",
    parameters: &[
        Parameter::int(
            "neighbours",
            200,
            (1, 10_000),
            "so many neighbours are kept per item",
        ),
        Parameter::float(
            "shrinkage",
            10.0,
            (0.0, 1e6),
            "added to the denominator of the cosine: larger trusts rare items less",
        ),
        Parameter::float(
            "history_half_life",
            0.0,
            (0.0, 1e6),
            "so many items back in a history an item counts half; 0 weighs all alike",
        ),
        Parameter::float(
            "popularity",
            0.001,
            (0.0, 1e3),
            "how much popularity is added to the score",
        ),
    ],
    can: Capabilities {
        collaborative: true,
        personal: true,
        similar_items: true,
        ..Capabilities::NONE
    },
    version: 1,
    fit,
    read,
};

#[derive(Debug)]
struct ItemKnn {
    half_life: f32,
    popularity: f32,
    prior: Prior,
    /// Row j: the items that have j among their nearest neighbours, with the similarity.
    neighbours: Sparse,
    /// Row i: the nearest neighbours of i.
    nearest: Sparse,
}

fn fit(settings: &Resolved, dataset: &Dataset, training: &Training<'_>) -> Result<Box<dyn Recommender>> {
    let by_user = dataset.preferences();
    let by_item = by_user.transposed();
    let limit = settings.int("neighbours");
    let shrinkage = settings.float("shrinkage");
    let items = by_item.rows();
    training.check()?;
    let rows: Vec<Vec<(u32, f32)>> = (0..items)
        .into_par_iter()
        .map_init(
            || (vec![0u32; items], Vec::new()),
            |(together, touched), item| {
                for &user in by_item.row(item).0 {
                    for &other in by_user.row(user as usize).0 {
                        if together[other as usize] == 0 {
                            touched.push(other);
                        }
                        together[other as usize] += 1;
                    }
                }
                let mine = by_item.row_len(item) as f64;
                let similar = touched.drain(..).filter_map(|other| {
                    let both = std::mem::take(&mut together[other as usize]);
                    let mean = (mine * by_item.row_len(other as usize) as f64).sqrt();
                    (other as usize != item).then(|| Scored {
                        id: other,
                        score: (f64::from(both) / (mean + shrinkage)) as f32,
                    })
                });
                let mut row: Vec<(u32, f32)> = top_k_of(similar, limit)
                    .into_iter()
                    .map(|scored| (scored.id, scored.score))
                    .collect();
                row.sort_unstable_by_key(|pair| pair.0);
                row
            },
        )
        .collect();
    training.check()?;
    let nearest = Sparse::from_rows(items, rows);
    Ok(Box::new(ItemKnn {
        half_life: settings.float("history_half_life") as f32,
        popularity: settings.float("popularity") as f32,
        prior: Prior::new(dataset),
        neighbours: nearest.transposed(),
        nearest,
    }))
}

impl Recommender for ItemKnn {
    fn spec(&self) -> &'static ModelSpec {
        &SPEC
    }

    fn items(&self) -> usize {
        self.prior.len()
    }

    fn score(&self, query: &Query<'_>, candidates: &[u32], out: &mut [f32]) -> Result<()> {
        check_lengths(candidates, out)?;
        let history = weighted_items(query.history, self.items(), self.half_life);
        let popularity = if history.is_empty() { 1.0 } else { self.popularity };
        let mut sums = Weights::new(self.items(), candidates.len());
        for &(item, weight) in &history {
            for (other, similarity) in self.neighbours.row_pairs(item as usize) {
                sums.add(other, weight * similarity);
            }
        }
        for (score, &candidate) in out.iter_mut().zip(candidates) {
            *score = sums.get(candidate) + popularity * self.prior.get(candidate);
        }
        Ok(())
    }

    fn similar_items(
        &self,
        _query: &Query<'_>,
        item: u32,
        limit: usize,
        eligible: Eligible<'_>,
    ) -> Option<Vec<Scored>> {
        if item as usize >= self.items() {
            return None;
        }
        let others = self
            .nearest
            .row_pairs(item as usize)
            .filter(|(other, _)| eligible.allows(*other))
            .map(|(id, score)| Scored { id, score });
        Some(top_k_of(others, limit))
    }

    fn write(&self, writer: &mut ModelWriter) {
        let writer = &mut writer.0;
        writer.f32(self.half_life);
        writer.f32(self.popularity);
        self.prior.write(writer);
        self.nearest.write(writer);
    }
}

fn read(reader: &mut Reader<'_>) -> Result<Box<dyn Recommender>> {
    let (half_life, popularity) = (reader.f32()?, reader.f32()?);
    let prior = Prior::read(reader)?;
    let nearest = Sparse::read(reader)?;
    if nearest.rows() != prior.len() || nearest.columns() != prior.len() {
        return Err(Error::artefact("a saved item_knn model is damaged"));
    }
    Ok(Box::new(ItemKnn {
        half_life,
        popularity,
        prior,
        neighbours: nearest.transposed(),
        nearest,
    }))
}
