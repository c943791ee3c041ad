//! The next item from the last ones.
//!
//! A Markov chain of variable order. A context is the last k items; what followed it is counted, and the estimate of
//! a longer context is smoothed by that of the next shorter one, down to the popularity (MacKay, Peto, 1995):
//!
//! ```text
//! P_k(i) = (c_k(context, i) + μ P_{k-1}(i)) / (c_k(context) + μ)
//! ```
//!
//! Few people take the same two steps one after the other. So a context of one item may count followers at a distance
//! too, with a weight that falls with the distance (the settings `window` and `decay`), and earlier items of a
//! history may add their own followers in the same manner (the setting `reach`).

use crate::codec::{Reader, Writer};
use crate::data::{Dataset, Interaction};
use crate::error::{Error, Result};
use crate::model::{
    Capabilities, Family, ModelSpec, ModelWriter, Parameter, Query, Recommender, Resolved, Training,
    check_lengths,
};
use crate::models::weights::Weights;
use crate::scan::{Eligible, Scored, top_k_of};

pub(crate) static SPEC: ModelSpec = ModelSpec {
    id: "ngram",
    name: "N-gram",
    family: Family::Sequence,
    choose_when: "where the order says what comes next: episodes, courses, sessions",
    paper: "MacKay, Peto, 1995, on Markov chains",
    parameters: &[
        Parameter::int("order", 3, (1, 3), "the longest context, in items"),
        Parameter::float(
            "smoothing",
            160.0,
            (1e-3, 1e6),
            "μ: how many observations the shorter context counts as",
        ),
        Parameter::int(
            "window",
            10,
            (1, 100),
            "the farthest follower that a context of one item counts, in items",
        ),
        Parameter::int(
            "reach",
            3,
            (1, 100),
            "so many of the last items add their followers",
        ),
        Parameter::float(
            "decay",
            0.9,
            (0.0, 1.0),
            "what a follower, or an item of the history, counts per step of distance",
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

/// The longest context there is.
const LONGEST: usize = 3;

#[derive(Debug)]
struct Ngram {
    smoothing: f32,
    reach: usize,
    decay: f32,
    /// The probability of each item without a context.
    base: Vec<f32>,
    /// By the length of the context, less one.
    tables: Vec<Table>,
}

/// What followed each context, sorted.
#[derive(Debug, Default, PartialEq)]
struct Table {
    /// The items of the contexts, oldest first, one context after the other.
    contexts: Vec<u32>,
    /// Where the followers of each context end.
    ends: Vec<u64>,
    followers: Vec<u32>,
    counts: Vec<f32>,
}

fn fit(settings: &Resolved, dataset: &Dataset, training: &Training<'_>) -> Result<Box<dyn Recommender>> {
    let items = dataset.items().len();
    let histories = dataset.histories();
    let sequences: Vec<Vec<u32>> = (0..histories.len() as u32)
        .map(|user| sequence(&histories.of(user), items))
        .collect();
    let (window, decay) = (settings.int("window"), settings.float("decay"));
    let mut tables = Vec::new();
    for length in 1..=settings.int("order") {
        training.check()?;
        let window = if length == 1 { window } else { 1 };
        tables.push(Table::count(&sequences, length, window, decay));
    }
    let mut base = vec![0.0f64; items];
    for item in sequences.iter().flatten() {
        base[*item as usize] += 1.0;
    }
    // One more for each, so that nothing is impossible.
    let total = base.iter().sum::<f64>() + items as f64;
    Ok(Box::new(Ngram {
        smoothing: settings.float("smoothing") as f32,
        reach: settings.int("reach"),
        decay: decay as f32,
        base: base
            .into_iter()
            .map(|count| ((count + 1.0) / total) as f32)
            .collect(),
        tables,
    }))
}

/// The known items with positive labels, oldest first.
fn sequence(history: &[Interaction], items: usize) -> Vec<u32> {
    history
        .iter()
        .filter(|one| one.label > 0.0 && (one.item as usize) < items)
        .map(|one| one.item)
        .collect()
}

impl Table {
    fn count(sequences: &[Vec<u32>], length: usize, window: usize, decay: f64) -> Self {
        let mut seen: Vec<([u32; LONGEST], u32, u32)> = Vec::new();
        for sequence in sequences {
            for (start, items) in sequence.windows(length).enumerate() {
                let mut context = [0; LONGEST];
                context[..length].copy_from_slice(items);
                let later = sequence.iter().skip(start + length).take(window);
                seen.extend(
                    later
                        .enumerate()
                        .map(|(distance, item)| (context, *item, distance as u32)),
                );
            }
        }
        seen.sort_unstable();
        let mut table = Self::default();
        let mut last = None;
        for (context, follower, distance) in seen {
            let count = decay.powi(distance as i32) as f32;
            match last {
                Some((known, same)) if known == context && same == follower => {
                    if let Some(sum) = table.counts.last_mut() {
                        *sum += count;
                    }
                }
                _ => {
                    if last.is_none_or(|(known, _)| known != context) {
                        table.contexts.extend_from_slice(&context[..length]);
                        table.ends.push(table.followers.len() as u64);
                    }
                    table.followers.push(follower);
                    table.counts.push(count);
                    if let Some(end) = table.ends.last_mut() {
                        *end = table.followers.len() as u64;
                    }
                    last = Some((context, follower));
                }
            }
        }
        table
    }

    /// What followed a context, and how often.
    fn followers(&self, context: &[u32]) -> Option<(&[u32], &[f32])> {
        let length = context.len();
        let (mut low, mut high) = (0, self.ends.len());
        while low < high {
            let middle = (low + high) / 2;
            let known = &self.contexts[middle * length..(middle + 1) * length];
            match known.cmp(context) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => {
                    let start = if middle == 0 {
                        0
                    } else {
                        self.ends[middle - 1] as usize
                    };
                    let range = start..self.ends[middle] as usize;
                    return Some((&self.followers[range.clone()], &self.counts[range]));
                }
            }
        }
        None
    }

    fn write(&self, writer: &mut Writer) {
        writer.u32s(&self.contexts);
        writer.u64s(&self.ends);
        writer.u32s(&self.followers);
        writer.f32s(&self.counts);
    }

    fn read(reader: &mut Reader<'_>, length: usize) -> Result<Self> {
        let table = Self {
            contexts: reader.u32s()?,
            ends: reader.u64s()?,
            followers: reader.u32s()?,
            counts: reader.f32s()?,
        };
        let sound = table.contexts.len() == table.ends.len() * length
            && table.ends.is_sorted()
            && table.ends.last().copied().unwrap_or(0) == table.followers.len() as u64
            && table.counts.len() == table.followers.len();
        if sound {
            Ok(table)
        } else {
            Err(Error::artefact("a saved ngram model is damaged"))
        }
    }
}

impl Ngram {
    /// What is known of the next item: sums per item, and the factor of the popularity.
    fn estimate(&self, history: &[Interaction], wanted: usize) -> (Weights, f32) {
        let items = self.base.len();
        let sequence = sequence(history, items);
        let mut sums = Weights::new(items, wanted);
        // Of every estimate, by what it is multiplied on the way up to the longest context.
        let mut steps: Vec<(f32, &[u32], &[f32])> = Vec::new();
        let mut share = 1.0;
        for length in (2..=self.tables.len().min(sequence.len())).rev() {
            let context = &sequence[sequence.len() - length..];
            if let Some((followers, counts)) = self.tables[length - 1].followers(context) {
                let total = counts.iter().sum::<f32>() + self.smoothing;
                steps.push((share / total, followers, counts));
                share *= self.smoothing / total;
            }
        }
        // The first order: the last items together make one context, the farther ones less.
        let first: Vec<(f32, &[u32], &[f32])> = sequence
            .iter()
            .rev()
            .take(self.reach)
            .enumerate()
            .filter_map(|(age, item)| {
                let (followers, counts) = self.tables.first()?.followers(&[*item])?;
                Some((self.decay.powi(age as i32), followers, counts))
            })
            .collect();
        let total: f32 = first
            .iter()
            .map(|(weight, _, counts)| weight * counts.iter().sum::<f32>())
            .sum::<f32>()
            + self.smoothing;
        steps.extend(
            first
                .into_iter()
                .map(|(weight, followers, counts)| (share * weight / total, followers, counts)),
        );
        share *= self.smoothing / total;
        for (factor, followers, counts) in steps {
            for (follower, count) in followers.iter().zip(counts) {
                sums.add(*follower, factor * count);
            }
        }
        (sums, share)
    }
}

impl Recommender for Ngram {
    fn spec(&self) -> &'static ModelSpec {
        &SPEC
    }

    fn items(&self) -> usize {
        self.base.len()
    }

    /// The probability of the candidate to be the next item.
    fn score(&self, query: &Query<'_>, candidates: &[u32], out: &mut [f32]) -> Result<()> {
        check_lengths(candidates, out)?;
        let (sums, share) = self.estimate(query.history, candidates.len());
        for (score, &candidate) in out.iter_mut().zip(candidates) {
            *score = match self.base.get(candidate as usize) {
                Some(base) => sums.get(candidate) + share * base,
                None => f32::NAN,
            };
        }
        Ok(())
    }

    /// What comes after the item.
    fn similar_items(
        &self,
        _query: &Query<'_>,
        item: u32,
        limit: usize,
        eligible: Eligible<'_>,
    ) -> Option<Vec<Scored>> {
        if item as usize >= self.base.len() {
            return None;
        }
        let Some((followers, counts)) = self.tables.first().and_then(|table| table.followers(&[item])) else {
            return Some(Vec::new());
        };
        let total = counts.iter().sum::<f32>() + self.smoothing;
        let others = followers
            .iter()
            .zip(counts)
            .filter(|(other, _)| **other != item && eligible.allows(**other))
            .map(|(other, count)| Scored {
                id: *other,
                score: (count + self.smoothing * self.base[*other as usize]) / total,
            });
        Some(top_k_of(others, limit))
    }

    fn write(&self, writer: &mut ModelWriter) {
        let writer = &mut writer.0;
        writer.f32(self.smoothing);
        writer.u64(self.reach as u64);
        writer.f32(self.decay);
        writer.f32s(&self.base);
        writer.u32(self.tables.len() as u32);
        for table in &self.tables {
            table.write(writer);
        }
    }
}

fn read(reader: &mut Reader<'_>) -> Result<Box<dyn Recommender>> {
    let smoothing = reader.f32()?;
    let reach = reader.usize()?;
    let decay = reader.f32()?;
    let base = reader.f32s()?;
    let orders = reader.u32()? as usize;
    if orders > LONGEST {
        return Err(Error::artefact("a saved ngram model is damaged"));
    }
    let tables = (1..=orders)
        .map(|length| Table::read(reader, length))
        .collect::<Result<Vec<_>>>()?;
    let known = |table: &Table| table.followers.iter().all(|item| (*item as usize) < base.len());
    if !tables.iter().all(known) {
        return Err(Error::artefact("a saved ngram model is damaged"));
    }
    Ok(Box::new(Ngram {
        smoothing,
        reach,
        decay,
        base,
        tables,
    }))
}
