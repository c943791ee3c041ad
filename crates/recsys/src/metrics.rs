//! How good a list is: the offline metrics of the documentation's metrics section.
//!
//! The rules are those of the documentation. A value belongs to one user, and a report takes the mean over the users
//! who have a relevant item; the others have no value, which is `None` here and never 0. A list counts each item once,
//! at its first rank. A cut-off beyond the list finds nothing more, and divisors stay as they are. Ties are the
//! caller's: [`Scored::order`](crate::Scored::order) breaks them by item.

use std::collections::{HashMap, HashSet};

use crate::matrix::{Matrix, cosine};
use crate::random::below;

/// The relevant items of one user with their grades; grades of zero or less are not relevant.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Relevant {
    grades: HashMap<u32, f64>,
}

impl Relevant {
    /// Items and grades. Of an item named twice the higher grade counts.
    pub fn graded(items: impl IntoIterator<Item = (u32, f64)>) -> Self {
        let mut grades: HashMap<u32, f64> = HashMap::new();
        for (item, grade) in items {
            if grade > 0.0 && grade.is_finite() {
                let known = grades.entry(item).or_insert(grade);
                *known = known.max(grade);
            }
        }
        Self { grades }
    }

    /// Items of the grade 1.
    pub fn new(items: impl IntoIterator<Item = u32>) -> Self {
        Self::graded(items.into_iter().map(|item| (item, 1.0)))
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.grades.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.grades.is_empty()
    }

    /// Whether an item is relevant.
    pub fn contains(&self, item: u32) -> bool {
        self.grades.contains_key(&item)
    }

    /// The relevant items, in no order.
    pub fn items(&self) -> impl Iterator<Item = u32> + '_ {
        self.grades.keys().copied()
    }
}

/// What a grade is worth in [`ndcg`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gain {
    /// `2^grade - 1`, as in the documentation.
    Exponential,
    /// The grade itself.
    Linear,
    /// 1 for every relevant item.
    Binary,
}

/// The first `k` distinct items.
pub fn first_distinct(ranked: &[u32], k: usize) -> Vec<u32> {
    let mut seen = HashSet::new();
    ranked
        .iter()
        .copied()
        .filter(|item| seen.insert(*item))
        .take(k)
        .collect()
}

/// The ranks, from 1, of the relevant items among the first `k`.
fn hits(ranked: &[u32], relevant: &Relevant, k: usize) -> Vec<usize> {
    first_distinct(ranked, k)
        .into_iter()
        .zip(1..)
        .filter(|(item, _)| relevant.contains(*item))
        .map(|(_, rank)| rank)
        .collect()
}

/// The share of the first `k` slots with a relevant item; an empty slot counts as wrong.
pub fn precision(ranked: &[u32], relevant: &Relevant, k: usize) -> Option<f64> {
    (!relevant.is_empty() && k > 0).then(|| hits(ranked, relevant, k).len() as f64 / k as f64)
}

/// The share of the relevant items among the first `k`.
pub fn recall(ranked: &[u32], relevant: &Relevant, k: usize) -> Option<f64> {
    (!relevant.is_empty()).then(|| hits(ranked, relevant, k).len() as f64 / relevant.len() as f64)
}

/// 1 if a relevant item is among the first `k`, else 0.
pub fn hit_rate(ranked: &[u32], relevant: &Relevant, k: usize) -> Option<f64> {
    (!relevant.is_empty()).then(|| f64::from(u8::from(!hits(ranked, relevant, k).is_empty())))
}

/// One over the rank of the first relevant item; 0 if there is none among the first `k`.
pub fn reciprocal_rank(ranked: &[u32], relevant: &Relevant, k: usize) -> Option<f64> {
    (!relevant.is_empty()).then(|| {
        hits(ranked, relevant, k)
            .first()
            .map_or(0.0, |rank| 1.0 / *rank as f64)
    })
}

/// The mean precision at the ranks of the relevant items, with the divisor `min(k, relevant)`.
pub fn average_precision(ranked: &[u32], relevant: &Relevant, k: usize) -> Option<f64> {
    if relevant.is_empty() || k == 0 {
        return None;
    }
    let sum: f64 = hits(ranked, relevant, k)
        .into_iter()
        .zip(1..)
        .map(|(rank, found)| f64::from(found) / rank as f64)
        .sum();
    Some(sum / k.min(relevant.len()) as f64)
}

/// The normalised discounted cumulative gain. The ideal list holds the best `k` grades of all relevant items, those
/// that were not returned too.
pub fn ndcg(ranked: &[u32], relevant: &Relevant, k: usize, gain: Gain) -> Option<f64> {
    if relevant.is_empty() || k == 0 {
        return None;
    }
    let worth = |grade: f64| match gain {
        Gain::Exponential => grade.exp2() - 1.0,
        Gain::Linear => grade,
        Gain::Binary => 1.0,
    };
    let discount = |place: usize| (place as f64 + 2.0).log2();
    let found: f64 = first_distinct(ranked, k)
        .iter()
        .enumerate()
        .filter_map(|(place, item)| Some(worth(*relevant.grades.get(item)?) / discount(place)))
        .sum();
    let mut grades: Vec<f64> = relevant.grades.values().copied().collect();
    grades.sort_by(|a, b| b.total_cmp(a));
    let ideal: f64 = grades
        .iter()
        .take(k)
        .enumerate()
        .map(|(place, grade)| worth(*grade) / discount(place))
        .sum();
    Some(found / ideal)
}

/// The share of pairs of a relevant and an irrelevant item that the scores put right, ties counting half. Scores that
/// are NaN take no part.
pub fn auc(scored: &[(u32, f32)], relevant: &Relevant) -> Option<f64> {
    let mut seen = HashSet::new();
    let mut scores: Vec<(f32, bool)> = scored
        .iter()
        .filter(|(item, score)| !score.is_nan() && seen.insert(*item))
        .map(|(item, score)| (*score, relevant.contains(*item)))
        .collect();
    scores.sort_by(|a, b| a.0.total_cmp(&b.0));
    let positives = scores.iter().filter(|(_, right)| *right).count() as f64;
    let negatives = scores.len() as f64 - positives;
    if positives == 0.0 || negatives == 0.0 {
        return None;
    }
    // The sum of the mid-ranks of the relevant ones (Mann, Whitney, 1947).
    let mut sum = 0.0;
    let mut below = 0;
    // -0.0 and 0.0 are one score.
    for block in scores.chunk_by(|a, b| a.0 == b.0) {
        let rank = below as f64 + (block.len() as f64 + 1.0) / 2.0;
        sum += rank * block.iter().filter(|(_, right)| *right).count() as f64;
        below += block.len();
    }
    Some((sum - positives * (positives + 1.0) / 2.0) / (positives * negatives))
}

/// The share of the eligible items that stand among the first `k` of any list.
pub fn coverage(lists: &[Vec<u32>], eligible: &HashSet<u32>, k: usize) -> Option<f64> {
    if eligible.is_empty() {
        return None;
    }
    let shown: HashSet<u32> = lists
        .iter()
        .flat_map(|list| first_distinct(list, k))
        .filter(|item| eligible.contains(item))
        .collect();
    Some(shown.len() as f64 / eligible.len() as f64)
}

/// The share of the lists that are not empty.
pub fn user_coverage(lists: &[Vec<u32>]) -> Option<f64> {
    let filled = lists.iter().filter(|list| !list.is_empty()).count();
    (!lists.is_empty()).then(|| filled as f64 / lists.len() as f64)
}

/// How unevenly the eligible items are shown: 0 for all alike, near 1 if one takes it all.
pub fn gini(lists: &[Vec<u32>], eligible: &HashSet<u32>, k: usize) -> Option<f64> {
    let mut exposure: HashMap<u32, u64> = eligible.iter().map(|item| (*item, 0)).collect();
    for item in lists.iter().flat_map(|list| first_distinct(list, k)) {
        if let Some(count) = exposure.get_mut(&item) {
            *count += 1;
        }
    }
    let mut counts: Vec<u64> = exposure.into_values().collect();
    counts.sort_unstable();
    let (items, total) = (counts.len() as f64, counts.iter().sum::<u64>() as f64);
    if total == 0.0 {
        return None;
    }
    let sum: f64 = counts
        .iter()
        .zip(1..)
        .map(|(count, place)| (2.0 * f64::from(place) - items - 1.0) * *count as f64)
        .sum();
    Some(sum / (items * total))
}

/// Lists whose pairs are compared in [`personalization`]; more are sampled.
const PERSONALIZATION_LISTS: usize = 1000;

/// One minus the mean cosine of the pairs of lists as sets, over the lists that are not empty. Of more than a thousand
/// lists a thousand are taken, always the same ones.
pub fn personalization(lists: &[Vec<u32>], k: usize) -> Option<f64> {
    let mut sets: Vec<Vec<u32>> = lists
        .iter()
        .map(|list| first_distinct(list, k))
        .filter(|list| !list.is_empty())
        .collect();
    for place in 0..sets.len().min(PERSONALIZATION_LISTS) {
        if sets.len() > PERSONALIZATION_LISTS {
            let other = place + below(0, 0, place as u64, (sets.len() - place) as u64) as usize;
            sets.swap(place, other);
        }
    }
    sets.truncate(PERSONALIZATION_LISTS);
    if sets.len() < 2 {
        return None;
    }
    for set in &mut sets {
        set.sort_unstable();
    }
    let mut sum = 0.0;
    for (place, one) in sets.iter().enumerate() {
        for other in &sets[place + 1..] {
            let common = one
                .iter()
                .filter(|item| other.binary_search(item).is_ok())
                .count() as f64;
            sum += common / ((one.len() * other.len()) as f64).sqrt();
        }
    }
    let pairs = (sets.len() * (sets.len() - 1) / 2) as f64;
    Some(1.0 - sum / pairs)
}

/// The mean of `popularity` over the first `k` items; `None` for an empty list.
pub fn average_popularity(ranked: &[u32], k: usize, popularity: impl Fn(u32) -> f64) -> Option<f64> {
    mean(first_distinct(ranked, k).into_iter().map(popularity))
}

/// For each item the share of the others with fewer interactions: the robust popularity.
pub fn popularity_percentiles(counts: &[u32]) -> Vec<f64> {
    let mut sorted = counts.to_vec();
    sorted.sort_unstable();
    let others = counts.len().saturating_sub(1).max(1) as f64;
    counts
        .iter()
        .map(|count| sorted.partition_point(|other| other < count) as f64 / others)
        .collect()
}

/// The mean surprise in bits of the first `k` items: minus the logarithm of the share of the interactions, each count
/// one higher. An unknown item has a count of 0.
pub fn novelty(ranked: &[u32], k: usize, counts: &[u32]) -> Option<f64> {
    let total = counts.iter().map(|count| f64::from(*count) + 1.0).sum::<f64>();
    mean(first_distinct(ranked, k).into_iter().map(|item| {
        let count = counts.get(item as usize).copied().unwrap_or(0);
        -((f64::from(count) + 1.0) / total).log2()
    }))
}

/// The mean cosine of the first `k` items with the mean of the normalised vectors of a history. Items without a
/// vector, or with one of zeros, are left out on both sides; `None` if nothing remains on one.
pub fn content_relevance(ranked: &[u32], history: &[u32], k: usize, vectors: &Matrix) -> Option<f64> {
    let profile = mean_direction(history, vectors)?;
    let fits = first_distinct(ranked, k)
        .into_iter()
        .filter_map(|item| vectors.get(item as usize))
        .filter(|vector| vector.iter().any(|value| *value != 0.0));
    mean(fits.map(|vector| f64::from(cosine(vector, &profile))))
}

/// The mean cosine distance of the pairs among the first `k` items: how varied one list is.
pub fn intra_list_diversity(ranked: &[u32], k: usize, vectors: &Matrix) -> Option<f64> {
    let rows: Vec<&[f32]> = first_distinct(ranked, k)
        .into_iter()
        .filter_map(|item| vectors.get(item as usize))
        .filter(|vector| vector.iter().any(|value| *value != 0.0))
        .collect();
    let pairs = rows
        .iter()
        .enumerate()
        .flat_map(|(place, one)| rows[place + 1..].iter().map(move |other| (*one, *other)));
    mean(pairs.map(|(one, other)| 1.0 - f64::from(cosine(one, other))))
}

fn mean_direction(items: &[u32], vectors: &Matrix) -> Option<Vec<f32>> {
    let mut sum = vec![0.0; vectors.columns()];
    let mut count = 0;
    for vector in items.iter().filter_map(|item| vectors.get(*item as usize)) {
        let length = crate::kernels::norm(vector);
        if length > 0.0 {
            crate::kernels::add_scaled(&mut sum, 1.0 / length, vector);
            count += 1;
        }
    }
    (count > 0).then(|| sum.into_iter().map(|value| value / count as f32).collect())
}

/// The mean; `None` of nothing.
pub fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0usize);
    for value in values {
        sum += value;
        count += 1;
    }
    (count > 0).then(|| sum / count as f64)
}
