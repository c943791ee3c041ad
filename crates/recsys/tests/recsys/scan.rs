//! The best of many.

use proptest::prelude::*;
use recsys::{Eligible, ErrorKind, Index, Matrix, NumberSet, Scored, scan::scan, top_k};

fn matrix(rows: usize, columns: usize) -> Matrix {
    let value = |place: usize| {
        let mut bits = (place as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        bits = (bits ^ (bits >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (bits >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    Matrix::from_values(rows, columns, (0..rows * columns).map(value).collect()).unwrap()
}

/// Every score sorted: what a scan must find.
fn plainly(vectors: &Matrix, query: &[f32], limit: usize, eligible: Eligible<'_>) -> Vec<u32> {
    let mut all: Vec<(f64, u32)> = (0..vectors.rows() as u32)
        .filter(|row| eligible.allows(*row))
        .map(|row| {
            let product = |(a, b): (&f32, &f32)| f64::from(*a) * f64::from(*b);
            (
                vectors.row(row as usize).iter().zip(query).map(product).sum(),
                row,
            )
        })
        .collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    all.into_iter().take(limit).map(|(_, row)| row).collect()
}

#[test]
fn a_scan_finds_the_largest_inner_products() {
    for (rows, columns) in [(1, 1), (5, 3), (700, 16), (2_000, 37), (1_025, 64)] {
        let vectors = matrix(rows, columns);
        let query: Vec<f32> = (0..columns).map(|place| (place as f32 * 0.7).sin()).collect();
        let except = NumberSet::new((0..rows as u32).filter(|row| row % 3 == 0));
        let only = NumberSet::new((0..rows as u32).filter(|row| row % 5 != 0));
        for eligible in [
            Eligible::default(),
            Eligible {
                except: Some(&except),
                only: Some(&only),
            },
        ] {
            let found: Vec<u32> = scan(&vectors, &query, 20, eligible)
                .unwrap()
                .iter()
                .map(|one| one.id)
                .collect();
            assert_eq!(
                found,
                plainly(&vectors, &query, 20, eligible),
                "{rows} rows of {columns}"
            );
        }
        let error = scan(&vectors, &vec![0.0; columns + 1], 20, Eligible::default()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Argument);
    }
}

#[test]
fn an_index_finds_what_a_scan_finds() {
    let vectors = matrix(20_000, 24);
    let index = Index::new(&vectors).unwrap();
    let query: Vec<f32> = (0..24).map(|place| (place as f32 * 0.7).sin()).collect();
    let except = NumberSet::new((0..20_000).filter(|row| row % 3 == 0));
    let eligible = Eligible {
        except: Some(&except),
        only: None,
    };
    let found = index.scan(&vectors, &query, 50, eligible).unwrap();
    assert_eq!(found, scan(&vectors, &query, 50, eligible).unwrap());
    let other = matrix(20_000, 23);
    let error = index.scan(&other, &query, 50, eligible).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Argument);
    assert!(Index::new(&matrix(100, 24)).is_none(), "a scan is as quick");
}

#[test]
fn a_set_lists_its_numbers() {
    let numbers = [0, 1, 63, 64, 127, 300, 6400];
    let found: Vec<u32> = NumberSet::new(numbers).iter().collect();
    assert_eq!(found, numbers);
    assert_eq!(NumberSet::default().iter().count(), 0);
}

#[test]
fn ties_go_to_the_lower_number_and_nan_to_nobody() {
    let found = top_k(
        &[1.0, f32::NAN, 2.0, 1.0, 1.0, f32::NEG_INFINITY],
        4,
        Eligible::default(),
    );
    let ids: Vec<u32> = found.iter().map(|one| one.id).collect();
    assert_eq!(ids, [2, 0, 3, 4]);
    assert_eq!(top_k(&[1.0], 0, Eligible::default()), []);
    let best = |score| Scored { id: 1, score };
    assert!(best(1.0).order(&best(f32::NAN)).is_lt());
}

proptest! {
    #[test]
    fn the_best_are_the_head_of_the_sorted(scores in prop::collection::vec(-5i8..5, 0..300), limit in 0usize..40) {
        let scores: Vec<f32> = scores.into_iter().map(f32::from).collect();
        let mut all: Vec<Scored> = scores.iter().zip(0..).map(|(score, id)| Scored { id, score: *score }).collect();
        all.sort_by(Scored::order);
        all.truncate(limit);
        prop_assert_eq!(top_k(&scores, limit, Eligible::default()), all);
    }

    #[test]
    fn a_set_holds_what_was_put_in(numbers in prop::collection::hash_set(0u32..500, 0..60)) {
        let set = NumberSet::new(numbers.iter().copied());
        prop_assert_eq!(set.len(), numbers.len());
        prop_assert_eq!(set.is_empty(), numbers.is_empty());
        for number in 0..600 {
            prop_assert_eq!(set.contains(number), numbers.contains(&number));
        }
    }
}
