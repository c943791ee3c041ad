//! From scores to a list: pure functions over candidates that are already scored.
//!
//! A step takes a list, best first, and says in which order its places come next, so that whatever a caller keeps
//! beside the candidates (columns, explanations) can follow. Strengths and shares are between 0 and 1; 0 changes
//! nothing, and what lies outside counts as the nearer end.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet, VecDeque};

use rayon::prelude::*;

use crate::features::Column;
use crate::kernels::{add_scaled, dot, vectorised};
use crate::random::{below, bits, unit};
use crate::scan::{Eligible, NumberSet, Scored, top_k_of};

/// Leaves out what was seen.
pub fn remove_seen(ranked: &mut Vec<Scored>, seen: &NumberSet) {
    ranked.retain(|one| !seen.contains(one.id));
}

/// How far [`diversify`] looks, in places of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Windows {
    /// So many places before one are compared with it.
    pub back: usize,
    /// So many candidates compete for a place: none moves up by more than this.
    pub forward: usize,
}

impl Default for Windows {
    fn default() -> Self {
        Self {
            back: 30,
            forward: 30,
        }
    }
}

/// The order of the list by maximal marginal relevance (Carbonell, Goldstein, SIGIR 1998).
///
/// Each place goes to the candidate with the largest `(1 - strength) * relevance - strength * likeness`, where
/// relevance is the score scaled to 0..1 over the list, and likeness the largest `similarity` to the places before, in
/// 0..1; see [`attribute_similarity`]. Equal candidates keep their order. A score of NaN is the least relevant.
pub fn diversify(
    scores: &[f32],
    strength: f32,
    windows: Windows,
    similarity: impl Fn(usize, usize) -> f32,
) -> Vec<usize> {
    let strength = share(strength);
    if strength == 0.0 || windows.back == 0 || windows.forward == 0 {
        return (0..scores.len()).collect();
    }
    let relevance = scaled(scores);
    // Of every competitor: its place, its likeness to each of the last places given out, and the largest of these.
    let mut competitors: Vec<(usize, VecDeque<f32>, f32)> = Vec::new();
    let mut order: Vec<usize> = Vec::with_capacity(scores.len());
    let mut next = 0;
    while order.len() < scores.len() {
        while competitors.len() < windows.forward && next < scores.len() {
            let before = &order[order.len().saturating_sub(windows.back)..];
            let likeness: VecDeque<f32> = before.iter().map(|other| similarity(next, *other)).collect();
            let nearest = largest(&likeness);
            competitors.push((next, likeness, nearest));
            next += 1;
        }
        let mut best = (0, f32::NEG_INFINITY);
        for (index, (place, _, nearest)) in competitors.iter().enumerate() {
            let value = (1.0 - strength) * relevance[*place] - strength * nearest;
            if value > best.1 {
                best = (index, value);
            }
        }
        let (chosen, ..) = competitors.remove(best.0);
        for (place, likeness, nearest) in &mut competitors {
            let gone = if likeness.len() == windows.back {
                likeness.pop_front()
            } else {
                None
            };
            let new = similarity(*place, chosen);
            likeness.push_back(new);
            // Only when the largest goes are the others looked at again.
            *nearest = match gone {
                Some(gone) if gone >= *nearest => largest(likeness),
                _ => nearest.max(new),
            };
        }
        order.push(chosen);
    }
    order
}

fn largest(likeness: &VecDeque<f32>) -> f32 {
    likeness.iter().copied().fold(0.0, f32::max)
}

/// How alike two rows are in named attributes, 0..1: the mean over the columns of the share of common labels (Jaccard).
/// A column in which neither row has a label makes them no more alike; columns without labels are left out.
pub fn attribute_similarity(columns: &[&Column], one: usize, other: usize) -> f32 {
    let mut sum = 0.0;
    let mut count = 0;
    for column in columns {
        let common = match column {
            Column::Category(labels) => match (labels.code(one), labels.code(other)) {
                (Some(a), Some(b)) => f32::from(u8::from(a == b)),
                _ => 0.0,
            },
            Column::CategoryList(labels) => jaccard(labels.codes(one), labels.codes(other)),
            _ => continue,
        };
        sum += common;
        count += 1;
    }
    if count == 0 { 0.0 } else { sum / count as f32 }
}

fn jaccard(one: &[u32], other: &[u32]) -> f32 {
    // Lists of labels are short: comparing all pairs needs no memory.
    let common = one.iter().filter(|label| other.contains(label)).count();
    let either = one.len() + other.len() - common;
    if either == 0 {
        0.0
    } else {
        common as f32 / either as f32
    }
}

/// The order of the list in which promoted candidates hold a share of the places at least, counted from the top at
/// every place; with a share of 1 they all come first. Among themselves both kinds keep their order.
pub fn boost(promoted: &[bool], strength: f32) -> Vec<usize> {
    let strength = f64::from(share(strength));
    if strength == 0.0 {
        return (0..promoted.len()).collect();
    }
    let mut boosted: VecDeque<usize> = (0..promoted.len()).filter(|place| promoted[*place]).collect();
    let mut others: VecDeque<usize> = (0..promoted.len()).filter(|place| !promoted[*place]).collect();
    let mut order = Vec::with_capacity(promoted.len());
    let mut given = 0usize;
    while order.len() < promoted.len() {
        // The addition leaves room for the rounding of a product such as 3 * (1 / 3).
        let due = (given as f64) < (strength * (order.len() + 1) as f64 + 1e-6).floor();
        let natural = match (boosted.front(), others.front()) {
            (Some(a), Some(b)) => a < b,
            (Some(_), None) => true,
            _ => false,
        };
        let from_boosted = !boosted.is_empty() && (due || natural);
        let chosen = if from_boosted {
            boosted.pop_front()
        } else {
            others.pop_front()
        };
        given += usize::from(from_boosted);
        order.extend(chosen);
    }
    order
}

/// A list in which a share of the places goes to the items of a pool: see [`cold_pool`].
///
/// The places are spread evenly and start where the seed says, so every place is explored with the same probability.
/// Pool items keep their order; an item stands in the answer once.
pub fn explore(ranked: &[u32], pool: &[u32], strength: f32, limit: usize, seed: u64) -> Vec<u32> {
    let strength = f64::from(share(strength));
    let phase = unit(seed, 0, 0);
    let mut placed = HashSet::new();
    let mut list = Vec::with_capacity(limit.min(ranked.len() + pool.len()));
    let (mut ranked, mut pool) = (ranked.iter().copied(), pool.iter().copied());
    for place in 0..limit {
        let before = (strength * place as f64 + phase).floor();
        let exploring = (strength * (place + 1) as f64 + phase).floor() > before;
        let new = |item: &u32| !placed.contains(item);
        let item = if exploring {
            pool.find(new).or_else(|| ranked.find(new))
        } else {
            ranked
                .find(new)
                .or_else(|| if strength > 0.0 { pool.find(new) } else { None })
        };
        let Some(item) = item else { break };
        placed.insert(item);
        list.push(item);
    }
    list
}

/// The eligible items with the fewest interactions, `counts` by item; of equal ones the seed chooses. Sorts all of them:
/// whoever asks again keeps [`ColdItems`].
pub fn cold_pool(counts: &[u32], limit: usize, eligible: Eligible<'_>, seed: u64) -> Vec<u32> {
    ColdItems::new(counts).pool(limit, eligible, seed)
}

/// The items of a catalogue by their number of interactions, so that [`cold_pool`] costs what is chosen and not all.
#[derive(Debug, Clone, Default)]
pub struct ColdItems {
    /// Fewest interactions first, then by number.
    items: Vec<u32>,
    /// Where each run of items with one count ends.
    ends: Vec<usize>,
}

impl ColdItems {
    /// Sorts the items once; `counts` by item.
    pub fn new(counts: &[u32]) -> Self {
        let mut items: Vec<u32> = (0..counts.len() as u32).collect();
        items.par_sort_unstable_by_key(|item| (counts[*item as usize], *item));
        let mut ends: Vec<usize> = (1..items.len())
            .filter(|place| counts[items[*place] as usize] != counts[items[place - 1] as usize])
            .collect();
        ends.push(items.len());
        Self { items, ends }
    }

    /// The items, those with the fewest interactions first; of equal ones the seed says the order.
    pub fn order(&self, seed: u64) -> impl Iterator<Item = u32> + '_ {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).flat_map(move |(start, &end)| {
            let run = &self.items[start..end];
            let shuffle = Shuffle::new(seed, start as u64, run.len() as u64);
            (0..run.len() as u64).map(move |place| run[shuffle.place(place) as usize])
        })
    }

    /// The eligible items with the fewest interactions; of equal ones the seed chooses.
    pub fn pool(&self, limit: usize, eligible: Eligible<'_>, seed: u64) -> Vec<u32> {
        let eligible = self.order(seed).filter(|item| eligible.allows(*item));
        eligible.take(limit).collect()
    }
}

/// A permutation of the numbers below a length, place by place: four rounds of a Feistel network over the next power
/// of four, repeated until a place is below the length (Black, Rogaway, "Ciphers with arbitrary finite domains", 2002).
#[derive(Debug, Clone, Copy)]
struct Shuffle {
    keys: [u64; 4],
    length: u64,
    half_bits: u32,
}

impl Shuffle {
    fn new(seed: u64, stream: u64, length: u64) -> Self {
        let bits_needed = u64::BITS - length.saturating_sub(1).leading_zeros();
        Self {
            keys: [0, 1, 2, 3].map(|round| bits(seed, stream, round)),
            length,
            half_bits: bits_needed.div_ceil(2).max(1),
        }
    }

    fn place(&self, place: u64) -> u64 {
        let mask = (1u64 << self.half_bits) - 1;
        let mut place = place;
        loop {
            let (mut left, mut right) = (place >> self.half_bits, place & mask);
            for key in self.keys {
                (left, right) = (right, left ^ (bits(key, 0, right) & mask));
            }
            place = (left << self.half_bits) | right;
            if place < self.length {
                return place;
            }
        }
    }
}

/// How [`pool`] makes one vector of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pooling {
    /// The mean of each component.
    Mean,
    /// The largest of each component.
    Max,
}

/// One vector for several, component by component; `None` of no vector or of vectors that differ in length.
pub fn pool(vectors: &[&[f32]], pooling: Pooling) -> Option<Vec<f32>> {
    let (first, others) = vectors.split_first()?;
    let mut pooled = first.to_vec();
    for vector in others {
        if vector.len() != pooled.len() {
            return None;
        }
        match pooling {
            Pooling::Mean => add_scaled(&mut pooled, 1.0, vector),
            Pooling::Max => {
                for (value, other) in pooled.iter_mut().zip(*vector) {
                    *value = value.max(*other);
                }
            }
        }
    }
    if pooling == Pooling::Mean {
        let share = 1.0 / vectors.len() as f32;
        pooled.iter_mut().for_each(|value| *value *= share);
    }
    Some(pooled)
}

/// Groups vectors by k-means (Lloyd 1982, started as in Arthur, Vassilvitskii 2007). Each group lists places,
/// ascending; groups are in the order of their first places, and none is empty.
///
/// Vectors must have one length; those of another length than the first are left out.
pub fn cluster(vectors: &[&[f32]], clusters: usize, seed: u64) -> Vec<Vec<usize>> {
    let Some(width) = vectors.first().map(|vector| vector.len()) else {
        return Vec::new();
    };
    let places: Vec<usize> = (0..vectors.len())
        .filter(|place| vectors[*place].len() == width)
        .collect();
    let clusters = clusters.clamp(1, places.len());
    let distance =
        |one: &[f32], other: &[f32]| -> f32 { one.iter().zip(other).map(|(a, b)| (a - b) * (a - b)).sum() };
    let first = below(seed, 0, 0, places.len() as u64) as usize;
    let mut centres: Vec<Vec<f32>> = vec![vectors[places[first]].to_vec()];
    let mut nearest: Vec<f32> = places
        .iter()
        .map(|place| distance(vectors[*place], &centres[0]))
        .collect();
    while centres.len() < clusters {
        let total: f64 = nearest.iter().map(|value| f64::from(*value)).sum();
        if total <= 0.0 {
            break;
        }
        let mut target = unit(seed, 1, centres.len() as u64) * total;
        let chosen = nearest
            .iter()
            .position(|value| {
                target -= f64::from(*value);
                target < 0.0
            })
            .unwrap_or(places.len() - 1);
        let centre = vectors[places[chosen]].to_vec();
        for (value, place) in nearest.iter_mut().zip(&places) {
            *value = value.min(distance(vectors[*place], &centre));
        }
        centres.push(centre);
    }
    let mut assigned = vec![usize::MAX; places.len()];
    for _ in 0..20 {
        let mut changed = false;
        for (group, place) in assigned.iter_mut().zip(&places) {
            let best = (0..centres.len())
                .min_by(|a, b| {
                    distance(vectors[*place], &centres[*a])
                        .total_cmp(&distance(vectors[*place], &centres[*b]))
                })
                .unwrap_or(0);
            changed |= *group != best;
            *group = best;
        }
        if !changed {
            break;
        }
        for (group, centre) in centres.iter_mut().enumerate() {
            let members: Vec<&[f32]> = (0..places.len())
                .filter(|index| assigned[*index] == group)
                .map(|index| vectors[places[index]])
                .collect();
            if let Some(mean) = pool(&members, Pooling::Mean) {
                *centre = mean;
            }
        }
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (group, place) in assigned.into_iter().zip(places) {
        groups.entry(group).or_default().push(place);
    }
    let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
    groups.sort_by_key(|group| group[0]);
    groups
}

/// One list of several: the best of each in turn, each item once, at its first place.
pub fn round_robin(lists: &[Vec<Scored>], limit: usize) -> Vec<Scored> {
    let mut seen = HashSet::new();
    let mut places: Vec<_> = lists.iter().map(|list| list.iter()).collect();
    let mut merged = Vec::new();
    loop {
        let before = merged.len();
        for list in &mut places {
            if merged.len() == limit {
                return merged;
            }
            if let Some(one) = list.find(|one| !seen.contains(&one.id)) {
                seen.insert(one.id);
                merged.push(*one);
            }
        }
        if merged.len() == before {
            return merged;
        }
    }
}

/// The values of an attribute that somebody likes best, from the scores of the items, by row of `column`.
///
/// A value scores the mean of its ten best items; where it has fewer, the missing ones count as the mean of all
/// items, so that one lucky item does not make a value. A score of NaN is left out. Columns without labels have no
/// values.
pub fn rank_attributes(scores: &[f32], column: &Column, limit: usize) -> Vec<(String, f32)> {
    by_label(scores, column)
        .into_iter()
        .take(limit)
        .map(|(label, score, _)| (label, score))
        .collect()
}

/// A row of a grid: a value of the attribute, its score, and its best items.
#[derive(Debug, Clone, PartialEq)]
pub struct GridRow {
    /// The value of the attribute.
    pub label: String,
    /// As in [`rank_attributes`].
    pub score: f32,
    /// Best first; an item stands in the first row that has it, and nowhere else.
    pub items: Vec<Scored>,
}

/// The best values of an attribute, and the best items of each.
pub fn attribute_grid(scores: &[f32], column: &Column, rows: usize, columns: usize) -> Vec<GridRow> {
    let mut shown = HashSet::new();
    by_label(scores, column)
        .into_iter()
        .map(|(label, score, items)| {
            let items: Vec<Scored> = items
                .into_iter()
                .filter(|item| !shown.contains(&item.id))
                .take(columns)
                .collect();
            shown.extend(items.iter().map(|item| item.id));
            GridRow { label, score, items }
        })
        .filter(|row| !row.items.is_empty())
        .take(rows)
        .collect()
}

/// Items that a value is judged by.
const JUDGED: usize = 10;

/// Every label with its score and its items, best first in both.
fn by_label(scores: &[f32], column: &Column) -> Vec<(String, f32, Vec<Scored>)> {
    let mut members: BTreeMap<&str, Vec<Scored>> = BTreeMap::new();
    let (mut sum, mut count) = (0.0f64, 0usize);
    for (row, &score) in scores.iter().enumerate().filter(|(_, score)| !score.is_nan()) {
        sum += f64::from(score);
        count += 1;
        let labels = column.labels(row);
        for (place, label) in labels.iter().enumerate() {
            if !labels[..place].contains(label) {
                members.entry(label).or_default().push(Scored {
                    id: row as u32,
                    score,
                });
            }
        }
    }
    let mean = sum / count.max(1) as f64;
    let mut found: Vec<(String, f32, Vec<Scored>)> = members
        .into_iter()
        .map(|(label, items)| {
            let items = top_k_of(items, usize::MAX);
            let best: f64 = items.iter().take(JUDGED).map(|item| f64::from(item.score)).sum();
            let missing = JUDGED.saturating_sub(items.len()) as f64;
            let score = (best + missing * mean) / JUDGED as f64;
            (label.to_owned(), score as f32, items)
        })
        .collect();
    // Stable: equal values stay in the order of their names.
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    found
}

/// Ranks from 1, by score: for derived columns such as a rank by popularity. NaN has the last ranks.
pub fn ranks(scores: &[f32]) -> Vec<u32> {
    let mut places: Vec<u32> = (0..scores.len() as u32).collect();
    places.sort_by_key(|place| Reverse(Ranked(scores[*place as usize])));
    let mut ranks = vec![0; scores.len()];
    for (rank, place) in (1..).zip(places) {
        ranks[place as usize] = rank;
    }
    ranks
}

/// A score with a total order in which NaN is least.
struct Ranked(f32);

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        match (self.0.is_nan(), other.0.is_nan()) {
            (false, false) => self.0.partial_cmp(&other.0).unwrap_or(std::cmp::Ordering::Equal),
            (mine, others) => others.cmp(&mine),
        }
    }
}

/// The inner product, and 0 for vectors that differ in length: what a value model calls on two vectors.
pub fn inner_product(one: &[f32], other: &[f32]) -> f32 {
    if one.len() == other.len() {
        vectorised(
            #[inline(always)]
            || dot(one, other),
        )
    } else {
        0.0
    }
}

/// The cosine of two vectors; 0 where it is not defined.
pub fn cosine_similarity(one: &[f32], other: &[f32]) -> f32 {
    if one.len() == other.len() {
        crate::matrix::cosine(one, other)
    } else {
        0.0
    }
}

fn share(value: f32) -> f32 {
    if value.is_nan() {
        0.0
    } else {
        value.clamp(0.0, 1.0)
    }
}

/// Scores scaled to 0..1 over the list; all 1 if they are equal, 0 for NaN.
fn scaled(scores: &[f32]) -> Vec<f32> {
    let finite = scores.iter().copied().filter(|score| score.is_finite());
    let (low, high) = finite.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), score| {
        (low.min(score), high.max(score))
    });
    scores
        .iter()
        .map(|score| {
            if score.is_nan() {
                0.0
            } else if high > low {
                ((score - low) / (high - low)).clamp(0.0, 1.0)
            } else {
                1.0
            }
        })
        .collect()
}
