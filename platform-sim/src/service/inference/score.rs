//! What the candidates are worth to somebody.

use std::cell::OnceCell;
use std::collections::HashMap;

use recsys::scan::score_rows;
use recsys::{Eligible, Query, Recommender, Scored};

use super::model::{InferenceModel, policies};
use crate::service::failure::{Failure, Result};

/// Ranks count like `1 / (FUSION_RANK + rank)` when lists are fused (Cormack, Clarke, Buettcher, SIGIR 2009). They
/// take 60, to level many lists of a thousand; here the first places of two lists shall tell.
const FUSION_RANK: f32 = 10.0;

/// How many items of the catalogue tell how the scores of two policies compare.
const SAMPLE: usize = 256;

/// What is known of whoever asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Acquaintance {
    /// Interactions, or a part in the training.
    Known,
    /// Columns alone.
    Described,
    Stranger,
}

/// What somebody thinks of items.
pub(crate) struct Taste<'a> {
    model: &'a dyn InferenceModel,
    query: Query<'a>,
    acquaintance: Acquaintance,
    /// The vector of whoever asks, by [`policies::FACTORS`]: solving for it takes longer than scoring with it.
    vector: OnceCell<Option<Vec<f32>>>,
}

/// Policies for what is liked now, the best first.
pub(crate) const TRENDING: [&str; 3] = [policies::RECENTLY_POPULAR, policies::RISING, policies::POPULAR];

/// Policies that score items which nobody took yet, the best first.
const STAND_INS: [&str; 2] = [policies::USER_ITEM_CONTENT, policies::ITEM_CONTENT];

impl<'a> Taste<'a> {
    pub(crate) fn new(
        model: &'a dyn InferenceModel,
        query: Query<'a>,
        acquaintance: Acquaintance,
    ) -> Taste<'a> {
        Taste {
            model,
            query,
            acquaintance,
            vector: OnceCell::new(),
        }
    }

    /// Who asks.
    pub(crate) fn query(&self) -> &Query<'a> {
        &self.query
    }

    /// Whether nothing is known of whoever asks.
    pub(crate) fn is_of_stranger(&self) -> bool {
        self.acquaintance == Acquaintance::Stranger
    }

    /// The policies that know whoever asks, the best first.
    pub(crate) fn personal(&self) -> &'static [&'static str] {
        match self.acquaintance {
            Acquaintance::Known => &[
                policies::FACTORS,
                policies::NEIGHBOURS,
                policies::USER_ITEM_CONTENT,
            ],
            Acquaintance::Described => &[policies::USER_CONTENT, policies::USER_ITEM_CONTENT],
            Acquaintance::Stranger => &[],
        }
    }

    /// Scores of candidates by the best policy for whoever asks, NaN where no policy has an opinion.
    ///
    /// Somebody who is known is scored by the factors, else by the neighbours. Items without interactions are no
    /// business of these: they are scored by their columns, and get the score that stands at the same place of the
    /// order of others. Strangers get what is popular now.
    pub(crate) fn score(&self, candidates: &[u32]) -> Result<Vec<f32>> {
        let model = self.model;
        let first = self
            .personal()
            .iter()
            .chain(&TRENDING)
            .find_map(|name| model.policy(name));
        let mut scores = self.by(first, candidates)?;
        if self.is_of_stranger() {
            return Ok(scores);
        }
        if candidates.iter().any(|item| self.is_cold(*item))
            && let Some(content) = any_policy(model, &STAND_INS)
        {
            let cold: Vec<u32> = candidates
                .iter()
                .copied()
                .filter(|item| self.is_cold(*item))
                .collect();
            let warm = sample(model.interaction_counts());
            let scale = Scale::new(&self.by(first, &warm)?, &self.by(Some(content), &warm)?);
            let mut stand_ins = self.by(Some(content), &cold)?.into_iter();
            for (item, score) in candidates.iter().zip(&mut scores) {
                if self.is_cold(*item)
                    && let Some(value) = stand_ins.next().filter(|value| value.is_finite())
                {
                    *score = scale.translate(value);
                }
            }
        }
        Ok(scores)
    }

    /// Whether nobody took this item yet.
    pub(crate) fn is_cold(&self, item: u32) -> bool {
        let counts = self.model.interaction_counts();
        counts.get(item as usize).copied().unwrap_or(0) == 0
    }

    /// Whether items that nobody took are scored by their columns.
    pub(crate) fn has_stand_ins(&self) -> bool {
        !self.is_of_stranger() && any_policy(self.model, &STAND_INS).is_some()
    }

    /// Scores of a policy, NaN without one.
    pub(crate) fn by(&self, policy: Option<&dyn Recommender>, items: &[u32]) -> Result<Vec<f32>> {
        let mut scores = vec![f32::NAN; items.len()];
        let Some(policy) = policy else {
            return Ok(scores);
        };
        // The vector first: content models have vectors too, and make them when they are asked.
        let scored = match self
            .vector(policy)
            .and_then(|vector| Some((vector, policy.item_vectors()?)))
        {
            Some((vector, vectors)) => score_rows(vectors, vector, items, &mut scores),
            None => policy.score(&self.query, items, &mut scores),
        };
        scored.map_err(internal)?;
        Ok(scores)
    }

    /// The best items by a policy.
    pub(crate) fn retrieve(
        &self,
        policy: &dyn Recommender,
        limit: usize,
        eligible: Eligible<'_>,
    ) -> Result<Vec<Scored>> {
        let quicker = self
            .vector(policy)
            .and_then(|vector| policy.nearest_items(vector, limit, eligible));
        quicker
            .unwrap_or_else(|| policy.retrieve(&self.query, limit, eligible))
            .map_err(internal)
    }

    fn vector(&self, policy: &dyn Recommender) -> Option<&[f32]> {
        if policy.spec().id != policies::FACTORS {
            return None;
        }
        let vector = self.vector.get_or_init(|| policy.user_vector(&self.query));
        vector.as_deref()
    }
}

/// Some items that somebody has taken, spread over the catalogue.
fn sample(counts: &[u32]) -> Vec<u32> {
    let step = counts.len().div_ceil(SAMPLE).max(1);
    (0..counts.len())
        .step_by(step)
        .filter(|item| counts[*item] > 0)
        .map(|item| item as u32)
        .collect()
}

/// Two policies' scores of the same items, each ascending: how one policy says what the other means.
struct Scale {
    to: Vec<f32>,
    from: Vec<f32>,
}

impl Scale {
    fn new(to: &[f32], from: &[f32]) -> Scale {
        let both = || {
            to.iter()
                .zip(from)
                .filter(|(to, from)| to.is_finite() && from.is_finite())
        };
        let mut scale = Scale {
            to: both().map(|(to, _)| *to).collect(),
            from: both().map(|(_, from)| *from).collect(),
        };
        scale.to.sort_by(f32::total_cmp);
        scale.from.sort_by(f32::total_cmp);
        scale
    }

    /// The score at the same place of the order; the value itself where there is nothing to compare with.
    fn translate(&self, value: f32) -> f32 {
        let Some(most) = self.to.len().checked_sub(1) else {
            return value;
        };
        let below = self.from.partition_point(|other| *other < value);
        self.to[below.min(most)]
    }
}

/// One score for several orders of the same items, each with its weight: the sum of `weight / (FUSION_RANK + rank)` over the
/// orders that have the item.
pub(crate) fn fuse(orders: &[(f32, Vec<u32>)]) -> HashMap<u32, f32> {
    let mut fused = HashMap::new();
    for (weight, order) in orders {
        for (rank, item) in (1..).zip(order) {
            *fused.entry(*item).or_default() += weight / (FUSION_RANK + rank as f32);
        }
    }
    fused
}

/// A failure of a model: of ours, because what goes into it was checked.
pub(crate) fn internal(error: recsys::Error) -> Failure {
    Failure::Internal(anyhow::Error::new(error))
}

/// The best policy of several.
pub(crate) fn any_policy<'a>(model: &'a dyn InferenceModel, names: &[&str]) -> Option<&'a dyn Recommender> {
    names.iter().find_map(|name| model.policy(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_becomes_the_score_at_its_place_among_the_others() {
        let scale = Scale::new(&[0.9, f32::NAN, 0.5, 0.1], &[0.3, 0.1, 0.2, 0.1]);
        for (value, score) in [(0.0, 0.1), (0.1, 0.1), (0.15, 0.5), (0.25, 0.9), (7.0, 0.9)] {
            assert_eq!(scale.translate(value), score, "{value}");
        }
        assert_eq!(Scale::new(&[], &[]).translate(0.4), 0.4);
    }

    #[test]
    fn samples_are_spread_and_leave_out_what_nobody_took() {
        assert_eq!(sample(&[1, 0, 2]), [0, 2]);
        let large = sample(&vec![1; 10_000]);
        assert!(
            large.len() <= SAMPLE && large.len() > SAMPLE / 2,
            "{}",
            large.len()
        );
        assert!(sample(&[]).is_empty());
    }

    #[test]
    fn fused_orders_weigh_by_rank() {
        let fused = fuse(&[(2.0, vec![1, 2]), (1.0, vec![2, 3])]);
        assert!((fused[&2] - (2.0 / 12.0 + 1.0 / 11.0)).abs() < 1e-7);
        assert!(fused[&2] > fused[&1] && fused[&1] > fused[&3]);
    }
}
