//! How sure a mean is: what it would have been had other pages been asked for.
//!
//! Queries for one page stand or fall together, so whole pages are drawn, with all their queries; drawing queries would
//! promise more than there is. The interval is the middle 95 % of the means.

use std::collections::BTreeMap;

use crate::judged::Query;
use crate::metrics::mean;
use crate::random::Random;

/// How often pages are drawn anew.
pub const DRAWS: usize = 4_000;

/// A mean, and between which values it would lie nineteen times of twenty.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The mean of a value a query. For two systems, hand in the differences: the same queries are then drawn for both.
///
/// # Panics
/// If there is not one value for each query.
pub fn estimate(queries: &[&Query], values: &[f64], seed: u64) -> Estimate {
    assert_eq!(queries.len(), values.len(), "there is a value for each query");
    let mut pages: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for (query, value) in queries.iter().zip(values) {
        let (sum, count) = pages.entry(&query.gold[0]).or_default();
        *sum += value;
        *count += 1.0;
    }
    let pages: Vec<(f64, f64)> = pages.into_values().collect();
    let mean = mean(values.iter().copied());
    if pages.is_empty() {
        return Estimate {
            mean,
            low: mean,
            high: mean,
        };
    }
    let mut random = Random::new(seed);
    let mut means: Vec<f64> = (0..DRAWS)
        .map(|_| {
            let (mut sum, mut count) = (0.0, 0.0);
            for _ in 0..pages.len() {
                let page = random.pick(&pages);
                sum += page.0;
                count += page.1;
            }
            sum / count
        })
        .collect();
    means.sort_unstable_by(f64::total_cmp);
    Estimate {
        mean,
        low: means[DRAWS / 40],
        high: means[DRAWS - 1 - DRAWS / 40],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queries(pages: usize, of_each: usize) -> Vec<Query> {
        (0..pages * of_each)
            .map(|number| Query {
                id: number.to_string(),
                query: String::new(),
                typo: None,
                gold: vec![format!("/{}", number / of_each)],
                exclude: Vec::new(),
            })
            .collect()
    }

    #[test]
    fn the_interval_of_a_coin_is_that_of_the_binomial() {
        // 100 pages, half of them found: the standard error is .05, so the interval is .5 ± .098.
        let queries = queries(100, 1);
        let queries: Vec<&Query> = queries.iter().collect();
        let values: Vec<f64> = (0..100).map(|page| f64::from(page % 2)).collect();
        let found = estimate(&queries, &values, 1);
        assert!((found.mean - 0.5).abs() < 1e-12);
        assert!((found.low - 0.402).abs() < 0.015, "{found:?}");
        assert!((found.high - 0.598).abs() < 0.015, "{found:?}");
        assert_eq!(found, estimate(&queries, &values, 1));
    }

    #[test]
    fn queries_of_one_page_do_not_make_a_mean_surer() {
        let few = queries(20, 1);
        let many = queries(20, 10);
        let width = |queries: &[Query], of_each: usize| {
            let values: Vec<f64> = (0..queries.len())
                .map(|number| ((number / of_each) % 2) as f64)
                .collect();
            let found = estimate(&queries.iter().collect::<Vec<_>>(), &values, 1);
            found.high - found.low
        };
        assert!((width(&few, 1) - width(&many, 10)).abs() < 0.05);
    }

    #[test]
    fn of_nothing_and_of_equals_there_is_no_doubt() {
        let flat = Estimate {
            mean: 0.0,
            low: 0.0,
            high: 0.0,
        };
        assert_eq!(estimate(&[], &[], 1), flat);
        let queries = queries(3, 1);
        assert_eq!(estimate(&queries.iter().collect::<Vec<_>>(), &[0.0; 3], 1), flat);
    }
}
