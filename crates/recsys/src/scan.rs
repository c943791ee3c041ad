//! The best of many: exact scans over vectors, and the selection of the k best scores.

use std::cmp::Ordering;

use crate::error::{Error, Result};
use crate::kernels::{dot, vectorised};
use crate::matrix::Matrix;

/// Somebody or something with a score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// The number of the item or of the user.
    pub id: u32,
    /// Larger is better.
    pub score: f32,
}

impl Scored {
    /// Best first: the higher score, and of equal scores the lower number. A NaN comes last.
    pub fn order(&self, other: &Self) -> Ordering {
        match (self.score.is_nan(), other.score.is_nan()) {
            (false, false) => other.score.partial_cmp(&self.score).unwrap_or(Ordering::Equal),
            (mine, others) => mine.cmp(&others),
        }
        .then(self.id.cmp(&other.id))
    }
}

/// A set of numbers, one bit each.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NumberSet {
    words: Vec<u64>,
}

impl NumberSet {
    /// The set of the numbers given.
    pub fn new(numbers: impl IntoIterator<Item = u32>) -> Self {
        let mut set = Self::default();
        for number in numbers {
            set.insert(number);
        }
        set
    }

    /// Adds a number.
    pub fn insert(&mut self, number: u32) {
        let word = number as usize / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (number % 64);
    }

    /// Whether the number is in the set.
    #[inline]
    pub fn contains(&self, number: u32) -> bool {
        self.words
            .get(number as usize / 64)
            .is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// The numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(place, &word)| {
            let first = place as u32 * 64;
            // Clearing the lowest bit steps from one number to the next.
            std::iter::successors((word != 0).then_some(word), |word| {
                let rest = word & (word - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |word| first + word.trailing_zeros())
        })
    }

    /// How many numbers.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }
}

/// Which numbers may be found. The default is all of them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Eligible<'a> {
    /// Only these, if given: what a filter let through.
    pub only: Option<&'a NumberSet>,
    /// Never these: what the user has seen.
    pub except: Option<&'a NumberSet>,
}

impl Eligible<'_> {
    /// Whether the number may be found.
    #[inline]
    pub fn allows(&self, number: u32) -> bool {
        self.only.is_none_or(|only| only.contains(number))
            && self.except.is_none_or(|except| !except.contains(number))
    }
}

/// The `limit` best of `scores`, whose places are the numbers; NaN is never among them.
pub fn top_k(scores: &[f32], limit: usize, eligible: Eligible<'_>) -> Vec<Scored> {
    let mut best = Best::new(limit);
    best.offer_all(0, scores, eligible);
    best.finish()
}

/// The `limit` best of scored candidates; NaN is never among them.
pub fn top_k_of(candidates: impl IntoIterator<Item = Scored>, limit: usize) -> Vec<Scored> {
    let mut best = Best::new(limit);
    for candidate in candidates {
        best.offer(candidate);
    }
    best.finish()
}

/// The rows of `vectors` with the largest inner products with `query`, best first.
///
/// One pass over the matrix; the time is that of reading it.
///
/// # Errors
/// [`ErrorKind::Argument`](crate::ErrorKind::Argument) if the query has another dimension.
pub fn scan(vectors: &Matrix, query: &[f32], limit: usize, eligible: Eligible<'_>) -> Result<Vec<Scored>> {
    scan_scaled(vectors, query, None, limit, eligible)
}

/// Writes the inner product of `query` with each of the rows named; NaN for a row that is not there, and for all if the
/// query has another dimension.
///
/// # Errors
/// [`ErrorKind::Argument`](crate::ErrorKind::Argument) unless `out` is as long as `rows`.
pub fn score_rows(vectors: &Matrix, query: &[f32], rows: &[u32], out: &mut [f32]) -> Result<()> {
    crate::models::factors::score_by_vectors(vectors, Some(query), rows, out)
}

/// As [`scan`], each inner product multiplied by the factor of its row: the inverse lengths make it a cosine.
pub(crate) fn scan_scaled(
    vectors: &Matrix,
    query: &[f32],
    factors: Option<&[f32]>,
    limit: usize,
    eligible: Eligible<'_>,
) -> Result<Vec<Scored>> {
    let width = vectors.columns();
    if query.len() != width {
        return Err(Error::argument(format!(
            "a query of dimension {} over vectors of dimension {width}",
            query.len()
        )));
    }
    if width == 0 {
        return Ok(Vec::new());
    }
    let mut best = Best::new(limit);
    let mut scores = [0.0f32; BLOCK];
    for (block, rows) in vectors.values().chunks(BLOCK * width).enumerate() {
        let first = block * BLOCK;
        let count = rows.len() / width;
        vectorised(
            #[inline(always)]
            || {
                for (score, row) in scores.iter_mut().zip(rows.chunks_exact(width)) {
                    *score = dot(row, query);
                }
                if let Some(factors) = factors {
                    for (score, factor) in scores.iter_mut().zip(&factors[first..first + count]) {
                        *score *= factor;
                    }
                }
            },
        );
        best.offer_all(first, &scores[..count], eligible);
    }
    Ok(best.finish())
}

/// Rows that are scored before the best of them are looked for: scores stay in the first cache.
pub(crate) const BLOCK: usize = 512;

/// The best so far, and some that came after. Now and then those that cannot be among the best any more are thrown out:
/// cheaper than keeping them in order all the time.
pub(crate) struct Best {
    limit: usize,
    kept: Vec<Scored>,
    /// What a score must reach; minus infinity until there were more than `limit` of them.
    threshold: f32,
}

/// Where fewer than this part of all may be found, they are looked at one by one.
pub(crate) const FEW: usize = 32;

/// How many more than the limit are kept at least.
const SPARE: usize = 256;

impl Best {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            limit,
            kept: Vec::with_capacity(limit.saturating_mul(2).min(1 << 16) + SPARE),
            threshold: f32::NEG_INFINITY,
        }
    }

    fn offer_all(&mut self, first: usize, scores: &[f32], eligible: Eligible<'_>) {
        for (place, &score) in scores.iter().enumerate() {
            // False for NaN, and for nearly every score once there are enough.
            if score >= self.threshold {
                let id = (first + place) as u32;
                if eligible.allows(id) {
                    self.offer(Scored { id, score });
                }
            }
        }
    }

    /// What a score must reach to be among the best; minus infinity while there is room.
    pub(crate) fn threshold(&self) -> f32 {
        self.threshold
    }

    #[inline]
    pub(crate) fn offer(&mut self, candidate: Scored) {
        // False for NaN too.
        if candidate.score >= self.threshold {
            self.kept.push(candidate);
            if self.kept.len() >= self.limit.saturating_mul(2).saturating_add(SPARE) {
                self.throw_out();
            }
        }
    }

    fn throw_out(&mut self) {
        match self.limit.checked_sub(1) {
            None => self.kept.clear(),
            Some(last) if last < self.kept.len() => {
                let (_, worst, _) = self.kept.select_nth_unstable_by(last, Scored::order);
                self.threshold = worst.score;
                self.kept.truncate(self.limit);
            }
            Some(_) => {}
        }
    }

    pub(crate) fn finish(mut self) -> Vec<Scored> {
        self.throw_out();
        self.kept.sort_unstable_by(Scored::order);
        self.kept
    }
}
