//! The worked examples of the documentation's metrics section.

use std::collections::HashSet;

use proptest::prelude::*;
use recsys::Matrix;
use recsys::metrics::*;

use super::close;

/// The list A to J as 0 to 9; B, D, G and the missed X with the grades 3, 2, 1 and 2.
const RANKED: [u32; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

fn relevant() -> Relevant {
    Relevant::graded([(1, 3.0), (3, 2.0), (6, 1.0), (99, 2.0)])
}

/// The lists A B C D E, A B C F G, H I J K L of three users.
fn lists() -> Vec<Vec<u32>> {
    vec![vec![0, 1, 2, 3, 4], vec![0, 1, 2, 5, 6], vec![7, 8, 9, 10, 11]]
}

#[test]
fn accuracy_of_the_shared_example() {
    let relevant = relevant();
    type Metric = fn(&[u32], &Relevant, usize) -> Option<f64>;
    let table: [(Metric, f64, f64); 8] = [
        (precision, 0.4, 0.3),
        (recall, 0.5, 0.75),
        (hit_rate, 1.0, 1.0),
        (reciprocal_rank, 0.5, 0.5),
        (average_precision, 0.25, 0.3571),
        (|l, r, k| ndcg(l, r, k, Gain::Exponential), 0.5274, 0.5582),
        (|l, r, k| ndcg(l, r, k, Gain::Linear), 0.4838, 0.5424),
        (|l, r, k| ndcg(l, r, k, Gain::Binary), 0.4144, 0.5446),
    ];
    for (metric, at_5, at_10) in table {
        close(metric(&RANKED, &relevant, 5).unwrap(), at_5);
        close(metric(&RANKED, &relevant, 10).unwrap(), at_10);
        // Later copies do not count, and nobody without relevant items has a value.
        let doubled: Vec<u32> = RANKED.iter().flat_map(|item| [*item, *item]).collect();
        close(metric(&doubled, &relevant, 10).unwrap(), at_10);
        assert_eq!(metric(&RANKED, &Relevant::default(), 10), None);
        close(metric(&[], &relevant, 10).unwrap(), 0.0);
    }
    close(hit_rate(&RANKED, &relevant, 1).unwrap(), 0.0);
    close(precision(&RANKED[..3], &relevant, 5).unwrap(), 0.2);
    close(average_precision(&RANKED, &relevant, 3).unwrap(), 0.1667);
    close(
        ndcg(&[1, 3, 99, 6], &relevant, 10, Gain::Exponential).unwrap(),
        1.0,
    );
}

#[test]
fn auc_of_the_shared_example() {
    let scored: Vec<(u32, f32)> = RANKED.iter().map(|item| (*item, 10.0 - *item as f32)).collect();
    let inverted: Vec<(u32, f32)> = scored.iter().map(|(item, score)| (*item, -score)).collect();
    let constant: Vec<(u32, f32)> = scored.iter().map(|(item, _)| (*item, 1.0)).collect();
    close(auc(&scored, &relevant()).unwrap(), 0.6667);
    close(auc(&inverted, &relevant()).unwrap(), 0.3333);
    close(auc(&constant, &relevant()).unwrap(), 0.5);
    close(auc(&[(1, 0.0), (0, -0.0)], &relevant()).unwrap(), 0.5);
    assert_eq!(auc(&scored, &Relevant::default()), None);
    let unscored: Vec<(u32, f32)> = scored.iter().map(|(item, _)| (*item, f32::NAN)).collect();
    assert_eq!(auc(&unscored, &relevant()), None);
}

#[test]
fn breadth_of_the_shared_example() {
    let eligible: HashSet<u32> = (0..20).collect();
    let mut lists = lists();
    close(coverage(&lists, &eligible, 5).unwrap(), 0.6);
    close(gini(&lists, &eligible, 5).unwrap(), 0.49);
    close(personalization(&lists, 5).unwrap(), 0.8);
    lists.push(Vec::new());
    close(coverage(&lists, &eligible, 5).unwrap(), 0.6);
    close(user_coverage(&lists).unwrap(), 0.75);
    close(personalization(&lists, 5).unwrap(), 0.8);
    assert_eq!(personalization(&lists[..1], 5), None);
    close(
        personalization(&[lists[0].clone(), lists[0].clone()], 5).unwrap(),
        0.0,
    );
    // An item outside the eligible ones adds nothing.
    close(coverage(&[vec![0, 77]], &eligible, 5).unwrap(), 0.05);
    assert_eq!(coverage(&lists, &HashSet::new(), 5), None);
    // Above a thousand lists a sample stands for all of them.
    let many: Vec<Vec<u32>> = (0..1500).map(|user| vec![user % 2, 2]).collect();
    let value = personalization(&many, 2).unwrap();
    assert!((value - 0.25).abs() < 0.01, "{value}");
}

#[test]
fn popularity_of_the_shared_example() {
    // A to J, then X.
    let counts = [500, 120, 80, 60, 40, 20, 10, 5, 1, 0, 200];
    let raw = |item: u32| f64::from(counts[item as usize]);
    close(average_popularity(&RANKED, 5, raw).unwrap(), 160.0);
    close(average_popularity(&RANKED, 10, raw).unwrap(), 83.6);
    let shares = popularity_percentiles(&counts);
    let share = |item: u32| shares[item as usize];
    close(average_popularity(&RANKED, 5, share).unwrap(), 0.72);
    close(average_popularity(&RANKED, 10, share).unwrap(), 0.46);
    close(novelty(&RANKED, 10, &counts).unwrap(), 5.5368);
    assert_eq!(average_popularity(&[], 5, raw), None);
}

#[test]
fn content_of_the_shared_example() {
    let (cooking, travel, chess, both, none) = (
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [1.0, 1.0, 0.0],
        [0.0; 3],
    );
    // A to I as in the documentation, J without a vector, then the three items of the history.
    let rows = [
        cooking, cooking, both, cooking, travel, travel, both, chess, chess, none, cooking, cooking, travel,
    ];
    let vectors = Matrix::from_values(13, 3, rows.concat()).unwrap();
    let history = [10, 11, 12];
    close(content_relevance(&RANKED, &history, 5, &vectors).unwrap(), 0.8158);
    close(
        content_relevance(&RANKED, &history, 10, &vectors).unwrap(),
        0.6083,
    );
    assert_eq!(content_relevance(&RANKED, &[], 5, &vectors), None);
    assert_eq!(content_relevance(&[9, 77], &history, 5, &vectors), None);
    // Of cooking, cooking, travel one pair is alike and two are not.
    close(intra_list_diversity(&history, 5, &vectors).unwrap(), 2.0 / 3.0);
}

proptest! {
    #[test]
    fn metrics_stay_within_their_range(
        ranked in prop::collection::vec(0u32..30, 0..40),
        grades in prop::collection::vec((0u32..30, -1.0f64..5.0), 0..12),
        k in 0usize..20,
    ) {
        let relevant = Relevant::graded(grades);
        let values = [
            precision(&ranked, &relevant, k), recall(&ranked, &relevant, k), hit_rate(&ranked, &relevant, k),
            reciprocal_rank(&ranked, &relevant, k), average_precision(&ranked, &relevant, k),
            ndcg(&ranked, &relevant, k, Gain::Exponential), ndcg(&ranked, &relevant, k, Gain::Binary),
        ];
        for value in values.into_iter().flatten() {
            prop_assert!((0.0..=1.0 + 1e-12).contains(&value), "{value}");
        }
        if relevant.is_empty() {
            prop_assert!(values.iter().all(Option::is_none));
        }
    }

    #[test]
    fn auc_is_the_share_of_right_pairs(scores in prop::collection::vec(-3i8..3, 2..30), marks in any::<u32>()) {
        let scored: Vec<(u32, f32)> = scores.iter().enumerate().map(|(i, s)| (i as u32, f32::from(*s))).collect();
        let relevant = Relevant::new((0..32).filter(|item| marks >> item & 1 == 1));
        let (mut right, mut pairs) = (0.0, 0.0);
        for (one, a) in &scored {
            for (other, b) in &scored {
                if relevant.contains(*one) && !relevant.contains(*other) {
                    pairs += 1.0;
                    right += if a > b { 1.0 } else if a == b { 0.5 } else { 0.0 };
                }
            }
        }
        match auc(&scored, &relevant) {
            Some(value) => prop_assert!((value - right / pairs).abs() < 1e-9),
            None => prop_assert_eq!(pairs, 0.0),
        }
    }
}
