//! The steps between scores and a list.

use proptest::prelude::*;
use recsys::pipeline::*;
use recsys::{Categories, CategoryLists, Column, Eligible, NumberSet, Scored};

use super::close;

fn scored(ids: &[u32]) -> Vec<Scored> {
    ids.iter()
        .zip(1..)
        .map(|(id, rank)| Scored {
            id: *id,
            score: -(rank as f32),
        })
        .collect()
}

fn ids(list: &[Scored]) -> Vec<u32> {
    list.iter().map(|one| one.id).collect()
}

#[test]
fn diversity_spreads_the_like() {
    // Three of brand a, then one of b, one of c.
    let brands = Column::Category(Categories::new([
        Some("a"),
        Some("a"),
        Some("a"),
        Some("b"),
        Some("c"),
    ]));
    let scores = [1.0, 0.9, 0.8, 0.7, 0.0];
    let order = |strength, back, forward| {
        let alike = |one: usize, other: usize| attribute_similarity(&[&brands], one, other);
        diversify(&scores, strength, Windows { back, forward }, alike)
    };
    assert_eq!(order(0.0, 30, 30), [0, 1, 2, 3, 4]);
    // By hand at 0.5: after 0, item 3 has 0.35 and the others of a have -0.05 and -0.1, c has 0; then c, then a.
    assert_eq!(order(0.5, 30, 30), [0, 3, 4, 1, 2]);
    // Weaker: 1 has 0.8 * 0.9 - 0.2 = 0.52, 3 has 0.56; then 1 before 2, and c last.
    assert_eq!(order(0.2, 30, 30), [0, 3, 1, 2, 4]);
    // Looking back one place only, brand a may come again after b.
    assert_eq!(order(0.5, 1, 30), [0, 3, 1, 4, 2]);
    // With two competitors for each place, 3 comes into sight when 1 has its place, and 4 when 3 has.
    assert_eq!(order(1.0, 30, 2), [0, 1, 3, 4, 2]);
    assert_eq!(order(f32::NAN, 30, 30), [0, 1, 2, 3, 4]);
}

#[test]
fn likeness_is_the_share_of_common_labels() {
    let brand = Column::Category(Categories::new([Some("a"), Some("a"), None, None]));
    let tags = Column::CategoryList(CategoryLists::new([
        vec!["x", "y"],
        vec!["y", "z"],
        vec![],
        vec![],
    ]));
    let price = Column::Number(vec![1.0; 4]);
    close(attribute_similarity(&[&brand], 0, 1).into(), 1.0);
    close(attribute_similarity(&[&tags], 0, 1).into(), 1.0 / 3.0);
    close(
        attribute_similarity(&[&brand, &tags, &price], 0, 1).into(),
        2.0 / 3.0,
    );
    close(attribute_similarity(&[&brand, &tags], 2, 3).into(), 0.0);
    close(attribute_similarity(&[], 0, 0).into(), 0.0);
}

#[test]
fn boosting_gives_a_share_of_the_places() {
    let promoted = [false, false, false, true, false, false, true, true];
    assert_eq!(boost(&promoted, 0.0), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(boost(&promoted, 1.0), [3, 6, 7, 0, 1, 2, 4, 5]);
    // Every second place from the top on.
    assert_eq!(boost(&promoted, 0.5), [0, 3, 1, 6, 2, 7, 4, 5]);
    // A third: the places 3 and 6; the first comes early enough by itself.
    assert_eq!(boost(&promoted, 1.0 / 3.0), [0, 1, 3, 2, 4, 6, 5, 7]);
    assert_eq!(boost(&[], 0.5), []);
}

#[test]
fn exploring_gives_a_share_of_the_places_to_the_pool() {
    let (ranked, pool) = ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [90, 91, 3, 92]);
    assert_eq!(explore(&ranked, &pool, 0.0, 5, 1), [1, 2, 3, 4, 5]);
    assert_eq!(explore(&ranked, &pool, 1.0, 6, 1), [90, 91, 3, 92, 1, 2]);
    // On average over the seeds a fifth of every place, and exactly two of ten in every list.
    let mut at = [0; 10];
    for seed in 0..500 {
        let list = explore(&ranked, &[90, 91, 92], 0.2, 10, seed);
        assert_eq!(list.iter().filter(|item| **item >= 90).count(), 2);
        for (count, item) in at.iter_mut().zip(&list) {
            *count += usize::from(*item >= 90);
        }
    }
    assert!(at.iter().all(|count| (70..130).contains(count)), "{at:?}");
    // The ranking runs out before the places do.
    assert_eq!(explore(&[1], &[90, 91], 0.1, 3, 2).len(), 3);
    assert_eq!(explore(&[1], &[90, 91], 0.0, 3, 2), [1]);
}

#[test]
fn the_cold_pool_has_the_fewest_interactions() {
    let counts = [9, 0, 3, 0, 1];
    let mut two = cold_pool(&counts, 2, Eligible::default(), 5);
    two.sort_unstable();
    assert_eq!(two, [1, 3]);
    assert_eq!(cold_pool(&counts, 3, Eligible::default(), 5)[2], 4);
    let except = NumberSet::new([1]);
    let eligible = Eligible {
        except: Some(&except),
        ..Eligible::default()
    };
    assert_eq!(cold_pool(&counts, 9, eligible, 5), [3, 4, 2, 0]);
    let orders: std::collections::HashSet<Vec<u32>> = (0..9)
        .map(|seed| cold_pool(&[0; 6], 6, Eligible::default(), seed))
        .collect();
    assert!(orders.len() > 4, "the seed chooses among equals");
}

#[test]
fn cold_items_of_one_count_come_in_any_order_and_each_once() {
    let counts: Vec<u32> = (0..1000).map(|item| [5, 0, 0, 2, 0][item % 5]).collect();
    let cold = ColdItems::new(&counts);
    let mut first = vec![0; counts.len()];
    for seed in 0..3000 {
        let order: Vec<u32> = cold.order(seed).collect();
        assert!(order.is_sorted_by_key(|item| counts[*item as usize]));
        let distinct: std::collections::HashSet<&u32> = order.iter().collect();
        assert_eq!((order.len(), distinct.len()), (1000, 1000));
        first[order[0] as usize] += 1;
    }
    // 600 items compete for the first place, which is given 3,000 times.
    let chosen = first.iter().filter(|count| **count > 0).count();
    assert!((570..=600).contains(&chosen), "{chosen}");
    assert!(first.iter().all(|count| *count < 20));
    assert_eq!(ColdItems::new(&[]).order(1).count(), 0);
    assert_eq!(ColdItems::new(&[7]).pool(3, Eligible::default(), 1), [0]);
}

#[test]
fn pooling_is_by_component() {
    let vectors: [&[f32]; 2] = [&[1.0, 5.0], &[3.0, -1.0]];
    assert_eq!(pool(&vectors, Pooling::Mean), Some(vec![2.0, 2.0]));
    assert_eq!(pool(&vectors, Pooling::Max), Some(vec![3.0, 5.0]));
    assert_eq!(pool(&[], Pooling::Mean), None);
    assert_eq!(pool(&[&[1.0], &[1.0, 2.0]], Pooling::Max), None);
}

#[test]
fn clusters_are_found_and_take_turns() {
    let vectors: Vec<Vec<f32>> = [0.0, 10.0, 0.1, 20.0, 10.1, 0.2]
        .iter()
        .map(|x| vec![*x, 1.0])
        .collect();
    let vectors: Vec<&[f32]> = vectors.iter().map(Vec::as_slice).collect();
    assert_eq!(cluster(&vectors, 3, 4), [vec![0, 2, 5], vec![1, 4], vec![3]]);
    // More clusters than different vectors are not made up.
    assert_eq!(cluster(&[&[1.0], &[1.0]], 5, 4), [vec![0, 1]]);
    assert_eq!(cluster(&[], 5, 4), Vec::<Vec<usize>>::new());
    let merged = round_robin(&[scored(&[1, 2, 3]), scored(&[2, 1]), scored(&[7])], 10);
    assert_eq!(ids(&merged), [1, 2, 7, 3]);
    assert_eq!(
        ids(&round_robin(&[scored(&[1, 2]), scored(&[5, 6])], 3)),
        [1, 5, 2]
    );
}

#[test]
fn attributes_are_ranked_by_their_best_items() {
    let genre = Column::CategoryList(CategoryLists::new([
        vec!["noir"],
        vec!["noir", "western"],
        vec!["western"],
        vec!["drama"],
        vec![],
        vec!["noir"],
    ]));
    let scores = [0.9, 0.8, 0.1, 0.5, 0.4, f32::NAN];
    // The mean of all items is 0.54: noir (0.9 + 0.8 + 8 · 0.54) / 10, western (0.8 + 0.1 + 8 · 0.54) / 10.
    let found = rank_attributes(&scores, &genre, 10);
    let labels: Vec<&str> = found.iter().map(|(label, _)| label.as_str()).collect();
    assert_eq!(labels, ["noir", "drama", "western"]);
    close(found[0].1.into(), 0.602);
    close(found[2].1.into(), 0.522);
    let grid = attribute_grid(&scores, &genre, 3, 2);
    let rows: Vec<(&str, Vec<u32>)> = grid
        .iter()
        .map(|row| (row.label.as_str(), ids(&row.items)))
        .collect();
    // The second item is noir already, so western shows the next one.
    assert_eq!(
        rows,
        [("noir", vec![0, 1]), ("drama", vec![3]), ("western", vec![2])]
    );
    assert_eq!(rank_attributes(&scores, &Column::Number(vec![0.0; 6]), 3), []);
}

#[test]
fn small_steps() {
    let mut list = scored(&[4, 5, 6]);
    remove_seen(&mut list, &NumberSet::new([5]));
    assert_eq!(ids(&list), [4, 6]);
    assert_eq!(ranks(&[0.5, f32::NAN, 0.9, 0.5]), [2, 4, 1, 3]);
    close(cosine_similarity(&[1.0, 0.0], &[1.0, 1.0]).into(), 0.5f64.sqrt());
    close(cosine_similarity(&[0.0, 0.0], &[1.0, 1.0]).into(), 0.0);
    close(inner_product(&[1.0, 2.0], &[3.0, 4.0]).into(), 11.0);
    close(inner_product(&[1.0], &[3.0, 4.0]).into(), 0.0);
}

proptest! {
    #[test]
    fn diversity_and_boosting_only_reorder(
        scores in prop::collection::vec(prop::num::f32::ANY, 0..40),
        labels in prop::collection::vec(0u8..4, 40),
        promoted in prop::collection::vec(any::<bool>(), 0..40),
        strength in 0.0f32..1.0, back in 0usize..6, forward in 0usize..6,
    ) {
        let alike = |one: usize, other: usize| f32::from(u8::from(labels[one] == labels[other]));
        let mut order = diversify(&scores, strength, Windows { back, forward }, alike);
        // Nobody moves up farther than the window.
        for (place, from) in order.iter().enumerate() {
            prop_assert!(*from < place + forward.max(1));
        }
        order.sort_unstable();
        prop_assert_eq!(order, (0..scores.len()).collect::<Vec<_>>());
        let mut order = boost(&promoted, strength);
        let all = promoted.iter().filter(|one| **one).count();
        for places in 1..=order.len() {
            let given = order[..places].iter().filter(|place| promoted[**place]).count();
            prop_assert!(given >= ((strength * places as f32).floor() as usize).min(all));
        }
        order.sort_unstable();
        prop_assert_eq!(order, (0..promoted.len()).collect::<Vec<_>>());
    }
}
