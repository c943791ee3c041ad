//! Exact search among many vectors, without reading them all.
//!
//! Beside the vectors stand copies of small integers, a quarter of their bytes, ordered by length. An inner product
//! with a copy is off by an error that is bounded by the length of what the rounding took away, so one pass over the
//! copies leaves a few vectors that can be among the best, and only these are read. The pass ends where no vector that
//! follows is long enough: by Cauchy and Schwarz an inner product is no larger than the product of the lengths
//! (Teflioudi, Gemulla, Mykytiuk, "LEMP", SIGMOD 2015). What is found is what [`scan`](crate::scan::scan) finds, to
//! the bit.

use crate::error::{Error, Result};
use crate::kernels::{dot, dot_i8_i16, vectorised};
use crate::matrix::Matrix;
use crate::scan::{BLOCK, Best, Eligible, FEW, Scored, scan_scaled};

/// Below it one pass over the vectors takes no longer.
const WORTH_IT: usize = 1 << 12;

/// Integers of a copy are within -127 and 127.
const STEPS: f32 = 127.0;

/// Sums of rounded products are off by less than this share of the product of the lengths, for any dimension that is
/// allowed: it covers the additions in 32 bits, both of the bounds and of the exact products.
const ROUNDING: f32 = 1e-4;

/// Copies of the rows of a matrix, for [`Index::scan`].
#[derive(Debug, Clone)]
pub struct Index {
    columns: usize,
    /// The row of each place: by length, longest first.
    rows: Vec<u32>,
    /// The copies, place after place.
    copies: Vec<i8>,
    /// What one step of the integers of a copy is worth.
    scales: Vec<f32>,
    /// The length of the longest row of each block of places.
    lengths: Vec<f32>,
}

impl Index {
    /// Copies the rows; `None` where a plain scan is as quick, or where rows have values that are not finite.
    pub fn new(vectors: &Matrix) -> Option<Self> {
        if vectors.rows() < WORTH_IT {
            return None;
        }
        Self::of_any_size(vectors)
    }

    fn of_any_size(vectors: &Matrix) -> Option<Self> {
        let columns = vectors.columns();
        // The sums of products must fit 32 bits, with some precision left for the query.
        if columns == 0 || columns > 1 << 12 {
            return None;
        }
        let lengths: Vec<f32> = (0..vectors.rows()).map(|row| length(vectors.row(row))).collect();
        if lengths.iter().any(|length| !length.is_finite()) {
            return None;
        }
        let mut rows: Vec<u32> = (0..vectors.rows() as u32).collect();
        rows.sort_by(|one, other| {
            lengths[*other as usize]
                .total_cmp(&lengths[*one as usize])
                .then(one.cmp(other))
        });
        let mut index = Self {
            columns,
            copies: Vec::with_capacity(vectors.values().len()),
            scales: Vec::with_capacity(rows.len()),
            lengths: rows
                .chunks(BLOCK)
                .map(|block| lengths[block[0] as usize])
                .collect(),
            rows,
        };
        for &row in &index.rows {
            let values = vectors.row(row as usize);
            let largest = values
                .iter()
                .fold(0.0f32, |largest, value| largest.max(value.abs()));
            let scale = largest / STEPS;
            let steps = |value: &f32| {
                if scale > 0.0 {
                    (value / scale).round() as i8
                } else {
                    0
                }
            };
            index.copies.extend(values.iter().map(steps));
            index.scales.push(scale);
        }
        Some(index)
    }

    /// The rows of `vectors` with the largest inner products with `query`, best first. They must be the vectors that the
    /// index was made of.
    ///
    /// # Errors
    /// [`ErrorKind::Argument`](crate::ErrorKind::Argument) if the query has another dimension, or the index is of other
    /// vectors.
    pub fn scan(
        &self,
        vectors: &Matrix,
        query: &[f32],
        limit: usize,
        eligible: Eligible<'_>,
    ) -> Result<Vec<Scored>> {
        self.best(vectors, query, None, limit, eligible)
    }

    /// The rows of `vectors` with the largest inner products with `query`, each multiplied by the factor of its row if
    /// there are factors (none is negative), best first.
    ///
    /// # Errors
    /// As [`scan`](Self::scan).
    pub(crate) fn best(
        &self,
        vectors: &Matrix,
        query: &[f32],
        factors: Option<&[f32]>,
        limit: usize,
        eligible: Eligible<'_>,
    ) -> Result<Vec<Scored>> {
        if vectors.rows() != self.rows.len() || vectors.columns() != self.columns {
            return Err(Error::argument("an index of other vectors"));
        }
        let length = length(query);
        let longest = self.lengths.first().copied().unwrap_or(0.0);
        // Nothing is gained where much of all is asked for, and nothing is sure where numbers leave their range.
        if query.len() != self.columns || !(length * longest).is_finite() || limit > self.rows.len() / 8 {
            return scan_scaled(vectors, query, factors, limit, eligible);
        }
        if limit == 0 {
            return Ok(Vec::new());
        }
        if let Some(only) = eligible.only
            && only.len() < self.rows.len() / FEW
        {
            let known = only.iter().take_while(|row| (*row as usize) < self.rows.len());
            let few = known.filter(|row| eligible.allows(*row));
            return Ok(exact(vectors, query, factors, few, limit));
        }
        let rounded = RoundedQuery::new(query, self.columns);
        let mut sure = Best::new(limit);
        let mut possible: Vec<Scored> = Vec::new();
        let mut room = 4 * (limit + BLOCK);
        let mut lower = [0.0f32; BLOCK];
        let mut upper = [0.0f32; BLOCK];
        // Rounding moves each value by half a step at most.
        let lost_per_step = 0.5 * (self.columns as f32).sqrt() * length;
        for ((block, scales), longest) in self.scales.chunks(BLOCK).enumerate().zip(&self.lengths) {
            // With factors the order by length says nothing about what follows.
            if factors.is_none() && longest * length * (1.0 + ROUNDING) + f32::MIN_POSITIVE < sure.threshold()
            {
                break;
            }
            let first = block * BLOCK;
            let places = first..first + scales.len();
            let rows = &self.rows[places.clone()];
            let copies = &self.copies[places.start * self.columns..places.end * self.columns];
            let lost = longest * (rounded.lost + length * ROUNDING) + f32::MIN_POSITIVE;
            vectorised(
                #[inline(always)]
                || {
                    for (((lower, upper), scale), copy) in lower
                        .iter_mut()
                        .zip(&mut upper)
                        .zip(scales)
                        .zip(copies.chunks_exact(self.columns))
                    {
                        let about = dot_i8_i16(copy, &rounded.steps) as f32 * (scale * rounded.scale);
                        let error = scale * lost_per_step + lost;
                        *lower = about - error;
                        *upper = about + error;
                    }
                },
            );
            if let Some(factors) = factors {
                for ((lower, upper), row) in lower.iter_mut().zip(&mut upper).zip(rows) {
                    let factor = factors[*row as usize];
                    *lower *= factor;
                    *upper *= factor;
                }
            }
            for (place, &row) in rows.iter().enumerate() {
                if upper[place] >= sure.threshold() && eligible.allows(row) {
                    possible.push(Scored {
                        id: row,
                        score: upper[place],
                    });
                    sure.offer(Scored {
                        id: row,
                        score: lower[place],
                    });
                }
            }
            if possible.len() > room {
                // Early candidates stop being possible as better ones come.
                possible.retain(|one| one.score >= sure.threshold());
                room = room.max(2 * possible.len());
            }
        }
        possible.retain(|one| one.score >= sure.threshold());
        let rows = possible.into_iter().map(|one| one.id);
        Ok(exact(vectors, query, factors, rows, limit))
    }
}

/// The best of some rows.
fn exact(
    vectors: &Matrix,
    query: &[f32],
    factors: Option<&[f32]>,
    rows: impl Iterator<Item = u32>,
    limit: usize,
) -> Vec<Scored> {
    let mut best = Best::new(limit);
    vectorised(
        #[inline(always)]
        || {
            for id in rows {
                let mut score = dot(vectors.row(id as usize), query);
                if let Some(factors) = factors {
                    score *= factors[id as usize];
                }
                best.offer(Scored { id, score });
            }
        },
    );
    best.finish()
}

/// The Euclidean length, in a range where squares neither vanish nor overflow.
fn length(values: &[f32]) -> f32 {
    let squares: f64 = values
        .iter()
        .map(|value| f64::from(*value) * f64::from(*value))
        .sum();
    squares.sqrt() as f32
}

/// A query in small integers: more steps than the copies have, so that its own rounding hardly counts.
struct RoundedQuery {
    steps: Vec<i16>,
    scale: f32,
    lost: f32,
}

impl RoundedQuery {
    fn new(query: &[f32], columns: usize) -> Self {
        // 127 times this, summed over the columns, stays below 2^31.
        let most = ((i32::MAX as usize / (STEPS as usize * columns)).min(i16::MAX as usize)) as f32;
        let largest = query
            .iter()
            .fold(0.0f32, |largest, value| largest.max(value.abs()));
        let scale = largest / most;
        let steps: Vec<i16> = query
            .iter()
            .map(|value| {
                if scale > 0.0 {
                    (value / scale).round() as i16
                } else {
                    0
                }
            })
            .collect();
        let rest: Vec<f32> = query
            .iter()
            .zip(&steps)
            .map(|(value, steps)| value - f32::from(*steps) * scale)
            .collect();
        Self {
            lost: length(&rest),
            steps,
            scale,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{normal, unit};
    use crate::scan::NumberSet;

    /// Vectors whose lengths differ widely, as those of popular and of rare items do; every fifth row is the row before
    /// it again, so that there are ties.
    fn vectors(rows: usize, columns: usize) -> Matrix {
        let mut values = Vec::new();
        for row in 0..rows {
            let row = row - usize::from(row % 5 == 4);
            let length = unit(1, 0, row as u64).powi(3) as f32;
            values.extend((0..columns).map(|column| length * normal(2, row as u64, column as u64) as f32));
        }
        Matrix::from_values(rows, columns, values).expect("as many values as rows and columns say")
    }

    #[test]
    fn finds_what_a_scan_finds() {
        let factors: Vec<f32> = (0..3000).map(|row| unit(3, 0, row) as f32).collect();
        let odd = NumberSet::new((0..3000).filter(|row| row % 2 == 1));
        let some = NumberSet::new((0..3000).filter(|row| row % 97 == 0));
        for columns in [1, 3, 16, 64, 100] {
            let vectors = vectors(3000, columns);
            let index = Index::of_any_size(&vectors).expect("finite values");
            for seed in 0..20 {
                let query: Vec<f32> = (0..columns)
                    .map(|column| normal(seed, 9, column as u64) as f32)
                    .collect();
                for limit in [0, 1, 7, 100, 375, 3000] {
                    for (only, except) in [(None, None), (Some(&odd), None), (Some(&some), Some(&odd))] {
                        let eligible = Eligible { only, except };
                        for factors in [None, Some(factors.as_slice())] {
                            let found = index.best(&vectors, &query, factors, limit, eligible);
                            let wanted = scan_scaled(&vectors, &query, factors, limit, eligible);
                            assert_eq!(
                                found.ok(),
                                wanted.ok(),
                                "{columns} columns, seed {seed}, limit {limit}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn odd_vectors_and_queries_are_no_trouble() {
        let mut values = vec![0.0; 4 * 600];
        values[4..8].copy_from_slice(&[1e-30, 0.0, -1e-30, 1e-38]);
        values[8..12].copy_from_slice(&[1e18, 1.0, -1e18, 1e-38]);
        let vectors = Matrix::from_values(600, 4, values).expect("as many values as rows and columns say");
        let index = Index::of_any_size(&vectors).expect("finite values");
        for query in [
            [0.0; 4],
            [1.0, 0.0, 0.0, 0.0],
            [1e-38; 4],
            [f32::NAN, 1.0, 1.0, 1.0],
            [1e30; 4],
        ] {
            let found = index.best(&vectors, &query, None, 5, Eligible::default());
            let wanted = scan_scaled(&vectors, &query, None, 5, Eligible::default());
            assert_eq!(found.ok(), wanted.ok(), "{query:?}");
        }
        assert!(
            index
                .best(&vectors, &[1.0], None, 5, Eligible::default())
                .is_err()
        );
        let infinite = Matrix::from_values(1, 1, vec![f32::INFINITY]).expect("one value");
        assert!(Index::of_any_size(&infinite).is_none());
    }
}
