//! Sums of weights per item for one query.

use std::collections::HashMap;

/// Sums per item: a table of all items where much of it is read, a map where little of it is.
#[derive(Debug)]
pub(crate) enum Weights {
    All(Vec<f32>),
    Few(HashMap<u32, f32>),
}

impl Weights {
    /// Zeros, for a query that asks for `wanted` of `items`.
    pub(crate) fn new(items: usize, wanted: usize) -> Self {
        if wanted.saturating_mul(64) >= items {
            Self::All(vec![0.0; items])
        } else {
            Self::Few(HashMap::new())
        }
    }

    #[inline]
    pub(crate) fn add(&mut self, item: u32, weight: f32) {
        match self {
            Self::All(sums) => {
                if let Some(sum) = sums.get_mut(item as usize) {
                    *sum += weight;
                }
            }
            Self::Few(sums) => *sums.entry(item).or_default() += weight,
        }
    }

    /// The sum of a known item.
    #[inline]
    pub(crate) fn get(&self, item: u32) -> f32 {
        match self {
            Self::All(sums) => sums.get(item as usize).copied().unwrap_or(0.0),
            Self::Few(sums) => sums.get(&item).copied().unwrap_or(0.0),
        }
    }
}
