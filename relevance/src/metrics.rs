//! What a ranking is worth for one query. Everything is by page: a reader looks for a page, and a system that cuts pages
//! finer must not gain or lose by that.

use crate::judged::Query;

/// How far down a ranking is looked at.
pub const DEPTH: usize = 10;

/// What one query earned.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Discounted gain of the gold pages among the first ten, of what was possible.
    pub ndcg: f64,
    /// One divided by the place of the first gold page, 0 if it is not among the first ten.
    pub reciprocal_rank: f64,
    /// 1 if a gold page is among the first five.
    pub top_5: f64,
    /// 1 if nothing at all was found, not even a page that does not count.
    pub without_result: f64,
}

impl Score {
    /// Judges the pages that were found for a query, best first and each once.
    pub fn of(query: &Query, pages: &[String]) -> Self {
        let gold_places: Vec<usize> = pages
            .iter()
            .filter(|page| !query.exclude.contains(page))
            .take(DEPTH)
            .enumerate()
            .filter(|(_, page)| query.gold.contains(page))
            .map(|(place, _)| place)
            .collect();
        let gain = |places: &mut dyn Iterator<Item = usize>| -> f64 {
            places.map(|place| 1.0 / (place as f64 + 2.0).log2()).sum()
        };
        let first = gold_places.first().copied();
        Self {
            ndcg: gain(&mut gold_places.iter().copied()) / gain(&mut (0..query.gold.len().min(DEPTH))),
            reciprocal_rank: first.map_or(0.0, |place| 1.0 / (place as f64 + 1.0)),
            top_5: if first.is_some_and(|place| place < 5) {
                1.0
            } else {
                0.0
            },
            without_result: if pages.is_empty() { 1.0 } else { 0.0 },
        }
    }
}

/// The place of the first gold page, counted from 1, however far down.
pub fn rank(query: &Query, pages: &[String]) -> Option<usize> {
    pages
        .iter()
        .filter(|page| !query.exclude.contains(page))
        .position(|page| query.gold.contains(page))
        .map(|place| place + 1)
}

/// The mean; 0 of nothing.
pub fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0);
    for value in values {
        sum += value;
        count += 1;
    }
    if count == 0 { 0.0 } else { sum / f64::from(count) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(gold: &[&str], exclude: &[&str], pages: &str) -> (Score, Option<usize>) {
        let owned = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect();
        let query = Query {
            id: "1".to_owned(),
            query: "x".to_owned(),
            typo: None,
            gold: owned(gold),
            exclude: owned(exclude),
        };
        let pages: Vec<String> = pages.split_whitespace().map(str::to_owned).collect();
        (Score::of(&query, &pages), rank(&query, &pages))
    }

    #[test]
    fn by_hand() {
        let close = |left: f64, right: f64| (left - right).abs() < 1e-12;
        // Third place: 1 / log2(4).
        let (score, place) = judge(&["/g"], &[], "/a /b /g");
        assert!(close(score.ndcg, 0.5) && close(score.reciprocal_rank, 1.0 / 3.0));
        assert!(close(score.top_5, 1.0) && close(score.without_result, 0.0));
        assert_eq!(place, Some(3));
        // A page that does not count leaves its place to the next one.
        assert!(close(judge(&["/g"], &["/a"], "/a /g").0.ndcg, 1.0));
        // Two gold pages on the places 1 and 3: (1 + 1/2) / (1 + 1/log2(3)).
        let (score, _) = judge(&["/g", "/h"], &[], "/h /a /g");
        assert!(close(score.ndcg, 1.5 / (1.0 + 1.0 / 3f64.log2())), "{score:?}");
        assert!(close(score.reciprocal_rank, 1.0));
        // Sixth: found, but not among five. Eleventh: not found, though its rank is known.
        let (score, _) = judge(&["/g"], &[], "/a /b /c /d /e /g");
        assert!(close(score.top_5, 0.0) && close(score.reciprocal_rank, 1.0 / 6.0));
        let (score, place) = judge(&["/g"], &[], "/a /b /c /d /e /f /h /i /j /k /g");
        assert_eq!((score, place), (Score::default(), Some(11)));
        // Only excluded pages are a result, though worth nothing.
        assert!(close(judge(&["/g"], &["/a"], "/a").0.without_result, 0.0));
        assert!(close(judge(&["/g"], &[], "").0.without_result, 1.0));
    }
}
