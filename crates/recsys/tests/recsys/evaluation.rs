//! Splits, and the evaluation of a model on what was held back.

use recsys::evaluation::{CandidateSource, EvaluationConfig, Split, evaluate, split};
use recsys::{DatasetBuilder, Matrix, Settings};

use super::{close, dataset, fit};

#[test]
fn a_split_by_user_holds_back_the_latest_of_each() {
    let dataset = dataset(&[
        ("a", "1"),
        ("a", "2"),
        ("b", "1"),
        ("a", "3"),
        ("a", "4"),
        ("b", "2"),
        ("c", "1"),
    ]);
    let parts = split(&dataset, Split::User { share: 0.25 }).unwrap();
    let held: Vec<(u32, u32)> = parts.held.iter().map(|event| (event.user, event.item)).collect();
    // One of four, one of two, and nobody loses the only one.
    assert_eq!(held, [(0, 3), (1, 1)]);
    assert_eq!(parts.train.events().len(), 5);
    assert_eq!(parts.train.now(), 1_000);
    assert!(split(&dataset, Split::User { share: 1.5 }).is_err());
}

#[test]
fn a_global_split_divides_at_one_moment() {
    let mut builder = DatasetBuilder::new();
    for time in [1, 2, 3, 5, 5, 5, 9, 10] {
        builder.event("a", "x", 1.0, time);
    }
    let dataset = builder.finish(20).unwrap();
    // Half would cut between two events of the second 5: they stay together.
    let parts = split(&dataset, Split::Global { share: 0.5 }).unwrap();
    assert_eq!((parts.train.events().len(), parts.held.len()), (3, 5));
    assert_eq!(parts.train.now(), 5);
    assert!(
        split(&dataset, Split::Global { share: 0.0 })
            .unwrap()
            .held
            .is_empty()
    );
}

/// Everybody met x and y in the training; a then takes z, b takes w, and c only what c had before.
fn parts() -> recsys::evaluation::Parts {
    let dataset = dataset(&[
        ("a", "x"),
        ("b", "x"),
        ("c", "x"),
        ("a", "y"),
        ("b", "y"),
        ("c", "w"),
        ("d", "z"),
        ("e", "z"),
        ("e", "v"),
        ("a", "z"),
        ("b", "w"),
        ("c", "x"),
    ]);
    split(&dataset, Split::Global { share: 0.25 }).unwrap()
}

#[test]
fn an_evaluation_is_the_mean_of_its_users() {
    let parts = parts();
    let popular = fit("popular", Settings::new(), &parts.train);
    let config = EvaluationConfig {
        top_k: 1,
        candidate_source: CandidateSource::AllIids,
        ..EvaluationConfig::default()
    };
    let report = evaluate(&*popular, &parts, &config, None).unwrap();
    // a and b have seen x and y, so z (two users) comes first for both: right for a, wrong for b. c has nothing new.
    assert_eq!((report.users, report.users_without_relevant), (3, 1));
    for metric in ["ndcg", "map", "mrr", "precision", "recall", "hit_rate"] {
        close(report.values[metric], 0.5);
    }
    // a: z above w and v, 2 of 2 pairs. b: w below z and above or below v by the later event: v is later, 0 of 2.
    close(report.values["auc"], 0.5);
    // z for a and b; c has met x and w, so y or z: two users each, z later.
    close(report.values["coverage"], 0.2);
    close(report.values["personalization"], 0.0);
    close(report.values["average_popularity"], 2.0);
    assert!(!report.values.contains_key("content_relevance"));
    // With the seen ones in the race, x with its three users is first for all; for c that is right.
    let config = EvaluationConfig {
        filter_seen: false,
        ..config
    };
    let report = evaluate(&*popular, &parts, &config, None).unwrap();
    assert_eq!(report.users_without_relevant, 0);
    close(report.values["hit_rate"], 1.0 / 3.0);
}

#[test]
fn candidates_come_from_where_they_should() {
    let parts = parts();
    // Scores by the place of the candidate: a list shows the candidates themselves.
    let keep = fit("no_op", Settings::new(), &parts.train);
    let coverage = |candidate_source| {
        let config = EvaluationConfig {
            candidate_source,
            filter_seen: false,
            ..EvaluationConfig::default()
        };
        evaluate(&*keep, &parts, &config, None).unwrap().values["coverage"]
    };
    close(coverage(CandidateSource::AllIids), 1.0);
    close(coverage(CandidateSource::TrainIids), 1.0);
    // z, w and x are held back: all of the test's items, three of the catalogue's five.
    close(coverage(CandidateSource::TestIids), 1.0);
    close(coverage(CandidateSource::BatchIids), 0.6);
    let none = CandidateSource::NegativeSampledIids { negatives: 0 };
    close(coverage(none), 0.6);
    close(
        coverage(CandidateSource::NegativeSampledIids { negatives: 100 }),
        1.0,
    );
}

#[test]
fn sampled_negatives_are_as_many_as_asked_and_repeat() {
    let mut builder = DatasetBuilder::new();
    for user in 0..30 {
        for step in 0..10 {
            builder.event(
                &format!("u{user}"),
                &format!("i{}", (user * 31 + step * 17) % 400),
                1.0,
                step,
            );
        }
    }
    let parts = split(&builder.finish(50).unwrap(), Split::User { share: 0.2 }).unwrap();
    let random = fit("random", Settings::new(), &parts.train);
    let config = EvaluationConfig {
        top_k: 1_000,
        candidate_source: CandidateSource::NegativeSampledIids { negatives: 20 },
        ..EvaluationConfig::default()
    };
    let report = evaluate(&*random, &parts, &config, None).unwrap();
    // Two relevant items among 22 candidates, all of them listed.
    close(report.values["precision"], 0.002);
    close(report.values["recall"], 1.0);
    assert!(
        (report.values["auc"] - 0.5).abs() < 0.15,
        "{}",
        report.values["auc"]
    );
    assert_eq!(report, evaluate(&*random, &parts, &config, None).unwrap());
    let few = evaluate(
        &*random,
        &parts,
        &EvaluationConfig {
            max_users: 7,
            ..config
        },
        None,
    )
    .unwrap();
    assert_eq!(few.users, 7);
    let vectors =
        Matrix::from_values(parts.train.items().len(), 1, vec![1.0; parts.train.items().len()]).unwrap();
    let with = evaluate(&*random, &parts, &config, Some(&vectors)).unwrap();
    close(with.values["content_relevance"], 1.0);
}
