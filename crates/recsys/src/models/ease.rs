//! A linear model of items on items with a closed form.
//!
//! Steck, "Embarrassingly shallow autoencoders for sparse data", WWW 2019: with X the users by items of ones,
//!
//! ```text
//! minimise  |X - X B|² + λ |B|²   with a diagonal of zeros in B
//! P = (XᵀX + λ I)⁻¹,   B_ij = -P_ij / P_jj
//! ```
//!
//! and the scores of a user are her row of X times B. Nothing of a user is stored: a history is all it takes.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt;
use faer::{Mat, Par};
use rayon::prelude::*;

use crate::codec::Reader;
use crate::data::Dataset;
use crate::error::{Error, ErrorKind, Result};
use crate::kernels::{add_scaled, vectorised};
use crate::matrix::{Matrix, Sparse};
use crate::model::{
    Capabilities, Family, ModelSpec, ModelWriter, Parameter, Query, Recommender, Resolved, Training,
    check_lengths,
};
use crate::models::history::weighted_items;
use crate::models::prior::Prior;
use crate::scan::{Eligible, Scored, top_k_of};

pub(crate) static SPEC: ModelSpec = ModelSpec {
    id: "ease",
    name: "EASE",
    family: Family::Neighbours,
    choose_when: "for the best accuracy from interactions alone, up to some ten thousand items that matter",
    paper: "Steck, WWW 2019",
    parameters: &[
        Parameter::float(
            "regularization",
            200.0,
            (1e-3, 1e9),
            "λ: larger for fewer interactions; the one setting that matters",
        ),
        Parameter::int(
            "max_items",
            8_000,
            (1, 40_000),
            "so many of the most popular items take part; memory grows with the square (24 bytes per pair while training, 4 after)",
        ),
        Parameter::float(
            "history_half_life",
            0.0,
            (0.0, 1e6),
            "so many items back in a history an item counts half; 0 weighs all alike",
        ),
        Parameter::float(
            "popularity",
            0.0,
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
struct Ease {
    half_life: f32,
    popularity: f32,
    prior: Prior,
    /// The place of each item in `weights`, or [`OUTSIDE`].
    places: Vec<u32>,
    /// The items that take part, ascending.
    members: Vec<u32>,
    /// Row j, column i: what an interaction with j says for i.
    weights: Matrix,
}

const OUTSIDE: u32 = u32::MAX;

fn fit(settings: &Resolved, dataset: &Dataset, training: &Training<'_>) -> Result<Box<dyn Recommender>> {
    let counts = dataset.item_counts();
    let mut members: Vec<u32> = (0..counts.len() as u32)
        .filter(|item| counts[*item as usize] > 0)
        .collect();
    members.sort_by_key(|item| (std::cmp::Reverse(counts[*item as usize]), *item));
    members.truncate(settings.int("max_items"));
    members.sort_unstable();
    let places = places(&members, counts.len());
    let chosen = |preferences: &Sparse, user: usize| {
        preferences
            .row(user)
            .0
            .iter()
            .map(|item| places[*item as usize])
            .filter(|place| *place != OUTSIDE)
            .map(|place| (place, 1.0))
            .collect::<Vec<_>>()
    };
    let preferences = dataset.preferences();
    let by_user = Sparse::from_rows(
        members.len(),
        (0..preferences.rows()).map(|user| chosen(&preferences, user)),
    );
    let weights = weights(&by_user, settings.float("regularization"), training)?;
    Ok(Box::new(Ease {
        half_life: settings.float("history_half_life") as f32,
        popularity: settings.float("popularity") as f32,
        prior: Prior::new(dataset),
        places,
        members,
        weights,
    }))
}

fn places(members: &[u32], items: usize) -> Vec<u32> {
    let mut places = vec![OUTSIDE; items];
    for (place, item) in members.iter().enumerate() {
        places[*item as usize] = place as u32;
    }
    places
}

/// The matrix B.
fn weights(by_user: &Sparse, penalty: f64, training: &Training<'_>) -> Result<Matrix> {
    let size = by_user.columns();
    if size == 0 {
        return Ok(Matrix::zeros(0, 0));
    }
    let by_item = by_user.transposed();
    let mut system = Mat::<f64>::zeros(size, size);
    // A column of XᵀX: how often each item comes with this one.
    system
        .par_col_iter_mut()
        .enumerate()
        .for_each(|(item, mut column)| {
            for &user in by_item.row(item).0 {
                for &other in by_user.row(user as usize).0 {
                    column[other as usize] += 1.0;
                }
            }
            column[item] += penalty;
        });
    training.check()?;
    let par = Par::rayon(0);
    let need = llt::factor::cholesky_in_place_scratch::<f64>(size, par, Default::default())
        .or(llt::inverse::inverse_scratch::<f64>(size, par));
    let mut memory = MemBuffer::new(need);
    let stack = MemStack::new(&mut memory);
    llt::factor::cholesky_in_place(
        system.as_mut(),
        Default::default(),
        par,
        stack,
        Default::default(),
    )
    .map_err(|_| {
        Error::new(
            ErrorKind::Numeric,
            "ease: the system has no inverse: more regularization is needed",
        )
    })?;
    training.check()?;
    let mut inverse = Mat::<f64>::zeros(size, size);
    llt::inverse::inverse(inverse.as_mut(), system.as_ref(), par, stack);
    drop(system);
    let diagonal: Vec<f64> = (0..size).map(|item| inverse[(item, item)]).collect();
    let mut weights = Matrix::zeros(size, size);
    weights
        .values_mut()
        .par_chunks_mut(size)
        .enumerate()
        .for_each(|(row, values)| {
            for (column, value) in values.iter_mut().enumerate() {
                if row != column {
                    // Only the lower triangle is written.
                    let entry = inverse[(row.max(column), row.min(column))];
                    *value = (-entry / diagonal[column]) as f32;
                }
            }
        });
    Ok(weights)
}

impl Ease {
    /// What the history says for each member, by place.
    fn sums(&self, history: &[(u32, f32)]) -> Vec<f32> {
        let mut sums = vec![0.0; self.members.len()];
        vectorised(
            #[inline(always)]
            || {
                for &(item, weight) in history {
                    if let Some(row) = self.row(item) {
                        add_scaled(&mut sums, weight, row);
                    }
                }
            },
        );
        sums
    }

    fn row(&self, item: u32) -> Option<&[f32]> {
        let place = *self.places.get(item as usize)?;
        (place != OUTSIDE).then(|| self.weights.row(place as usize))
    }
}

impl Recommender for Ease {
    fn spec(&self) -> &'static ModelSpec {
        &SPEC
    }

    fn items(&self) -> usize {
        self.places.len()
    }

    /// An item that does not take part has its popularity alone; so has every item for an empty history.
    fn score(&self, query: &Query<'_>, candidates: &[u32], out: &mut [f32]) -> Result<()> {
        check_lengths(candidates, out)?;
        let mut history = weighted_items(query.history, self.items(), self.half_life);
        history.retain(|(item, _)| self.row(*item).is_some());
        if history.is_empty() {
            for (score, candidate) in out.iter_mut().zip(candidates) {
                *score = self.prior.get(*candidate);
            }
            return Ok(());
        }
        let sums = (candidates.len().saturating_mul(16) >= self.members.len()).then(|| self.sums(&history));
        for (score, &candidate) in out.iter_mut().zip(candidates) {
            let Some(&place) = self.places.get(candidate as usize) else {
                *score = f32::NAN;
                continue;
            };
            let learnt = match (&sums, place) {
                (_, OUTSIDE) => 0.0,
                (Some(sums), place) => sums[place as usize],
                (None, place) => history
                    .iter()
                    .filter_map(|(item, weight)| Some(self.row(*item)?[place as usize] * weight))
                    .sum(),
            };
            *score = learnt + self.popularity * self.prior.get(candidate);
        }
        Ok(())
    }

    /// What an interaction with the item says for the others: substitutes and complements alike.
    fn similar_items(
        &self,
        _query: &Query<'_>,
        item: u32,
        limit: usize,
        eligible: Eligible<'_>,
    ) -> Option<Vec<Scored>> {
        let row = self.row(item)?;
        let others = self
            .members
            .iter()
            .zip(row)
            .filter(|(other, _)| **other != item && eligible.allows(**other))
            .map(|(other, score)| Scored {
                id: *other,
                score: *score,
            });
        Some(top_k_of(others, limit))
    }

    fn write(&self, writer: &mut ModelWriter) {
        let writer = &mut writer.0;
        writer.f32(self.half_life);
        writer.f32(self.popularity);
        self.prior.write(writer);
        writer.u32s(&self.members);
        self.weights.write(writer);
    }
}

fn read(reader: &mut Reader<'_>) -> Result<Box<dyn Recommender>> {
    let (half_life, popularity) = (reader.f32()?, reader.f32()?);
    let prior = Prior::read(reader)?;
    let members = reader.u32s()?;
    let weights = Matrix::read(reader)?;
    let sound = weights.rows() == members.len()
        && weights.columns() == members.len()
        && members.is_sorted_by(|a, b| a < b)
        && members.last().is_none_or(|last| (*last as usize) < prior.len());
    if !sound {
        return Err(Error::artefact("a saved ease model is damaged"));
    }
    Ok(Box::new(Ease {
        half_life,
        popularity,
        places: places(&members, prior.len()),
        prior,
        members,
        weights,
    }))
}
