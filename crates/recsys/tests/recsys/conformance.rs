//! What every row of `MODELS` promises. A test that does not apply to a model prints that it leaves it out.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use recsys::{
    Capabilities, Categories, CategoryLists, Column, Dataset, DatasetBuilder, Eligible, ErrorKind, Features,
    Interaction, MODELS, ModelSpec, NumberSet, ParameterKind, Query, Recommender, Setting, Settings,
    Training,
};

const NOW: i64 = 1_000_000;

/// Fifty people and fifty things. Even people take even things and odd people odd ones, in an order of their own, and
/// person u has not met thing u yet.
fn checkerboard() -> Dataset {
    let mut builder = DatasetBuilder::new();
    let mut time = 0;
    for user in 0..50u32 {
        let mut items: Vec<u32> = (0..50)
            .filter(|item| item % 2 == user % 2 && *item != user)
            .collect();
        items.sort_by_key(|item| {
            (u64::from(*item) + 1).wrapping_mul(0x9e37_79b9 + 2 * u64::from(user)) % 1009
        });
        for item in items {
            time += 60;
            builder.event(&format!("u{user:02}"), &format!("i{item:02}"), 1.0, time);
        }
    }
    let ids: Vec<String> = (0..50).map(|number| format!("i{number:02}")).collect();
    let kinds = (0..50).map(|number| Some(if number % 2 == 0 { "even" } else { "odd" }));
    let features = Features::new(50)
        .with(
            "title",
            Column::Text(
                kinds
                    .clone()
                    .map(|kind| Some(format!("{} thing", kind.unwrap())))
                    .collect(),
            ),
        )
        .unwrap()
        .with("kind", Column::Category(Categories::new(kinds.clone())))
        .unwrap()
        .with(
            "created_at",
            Column::Timestamp((0..50).map(|n| Some(n * 100)).collect()),
        )
        .unwrap();
    builder.items(&ids, features).unwrap();
    let users: Vec<String> = (0..50).map(|number| format!("u{number:02}")).collect();
    let features = Features::new(50)
        .with(
            "interests",
            Column::CategoryList(CategoryLists::new(kinds.map(|kind| [kind.unwrap()]))),
        )
        .unwrap();
    builder.users(&users, features).unwrap();
    builder.finish(NOW).unwrap()
}

fn fit(spec: &ModelSpec, dataset: &Dataset) -> Box<dyn Recommender> {
    let settings = match spec.id {
        // The checkerboard has two directions; more of them hold the gaps that are to be found.
        "svd" => Settings::new().with("factors", 2),
        _ => Settings::new(),
    };
    spec.fit(&settings, dataset, &Training::seeded(3)).unwrap()
}

fn scores(model: &dyn Recommender, query: &Query<'_>, candidates: &[u32]) -> Vec<f32> {
    let mut out = vec![f32::MAX; candidates.len()];
    model.score(query, candidates, &mut out).unwrap();
    out
}

/// NaN in the same places and equal numbers elsewhere.
#[track_caller]
fn assert_same(what: &str, one: &[f32], other: &[f32], error: f32) {
    assert_eq!(one.len(), other.len(), "{what}");
    for (place, (a, b)) in one.iter().zip(other).enumerate() {
        let same = (a.is_nan() && b.is_nan()) || (a - b).abs() <= error * (1.0 + a.abs());
        assert!(same, "{what}: {a} and {b} at {place}");
    }
}

fn each(test: &str, applies: fn(&Capabilities) -> bool, check: impl Fn(&'static ModelSpec)) {
    for spec in MODELS {
        if applies(&spec.can) {
            check(spec);
        } else {
            println!("{test}: {} is left out, it does not promise this", spec.id);
        }
    }
}

fn all(_: &Capabilities) -> bool {
    true
}

#[test]
fn the_table_documents_itself() {
    let ids: HashSet<&str> = MODELS.iter().map(|spec| spec.id).collect();
    assert_eq!(ids.len(), MODELS.len(), "ids are distinct");
    for id in [
        "als",
        "chronological",
        "ease",
        "item_content_similarity",
        "item_knn",
        "ngram",
        "no_op",
        "popular",
        "random",
        "recently_popular",
        "rising_popularity",
        "svd",
        "user_content_similarity",
        "user_item_content_similarity",
    ] {
        assert!(ids.contains(id), "{id} is missing");
    }
    for spec in MODELS {
        assert!(
            spec.choose_when.len() > 20 && !spec.name.is_empty() && !spec.paper.is_empty(),
            "{}",
            spec.id
        );
        for parameter in spec.parameters {
            assert!(parameter.help.len() > 10, "{}.{}", spec.id, parameter.name);
        }
        let defaults = spec.resolve(&Settings::new()).unwrap();
        // The defaults pass their own checks.
        let given = defaults.iter().fold(Settings::new(), |all, (name, value)| {
            all.with(name, value.clone())
        });
        assert_eq!(spec.resolve(&given).unwrap(), defaults, "{}", spec.id);
    }
}

#[test]
fn wrong_settings_are_refused_with_their_name() {
    each("settings", all, |spec| {
        let unknown = spec.resolve(&Settings::new().with("fctors", 3)).unwrap_err();
        assert_eq!(unknown.kind(), ErrorKind::Settings);
        assert!(unknown.to_string().contains("fctors"), "{unknown}");
        for parameter in spec.parameters {
            let wrong: Vec<Setting> = match parameter.kind {
                ParameterKind::Int { min, max, .. } => {
                    vec![(min - 1).into(), (max + 1).into(), 1.5.into(), "many".into()]
                }
                ParameterKind::Float { min, max, .. } => {
                    vec![
                        (min - 1.0).into(),
                        (max * 2.0 + 1.0).into(),
                        f64::NAN.into(),
                        "much".into(),
                    ]
                }
                ParameterKind::Choice { .. } => vec!["no such choice".into(), 1.into()],
                _ => vec![1.into()],
            };
            for value in wrong {
                let settings = Settings::new().with(parameter.name, value.clone());
                let error = spec.resolve(&settings).unwrap_err();
                assert!(
                    error.to_string().contains(parameter.name),
                    "{error} for {value:?}"
                );
            }
        }
    });
}

#[test]
fn collaborative_models_recover_the_checkerboard() {
    let dataset = checkerboard();
    let histories = dataset.histories();
    each(
        "checkerboard",
        |can| can.collaborative,
        |spec| {
            let model = fit(spec, &dataset);
            for user in 0..50 {
                let known = histories.of(user);
                let seen = NumberSet::new(known.iter().map(|one| one.item));
                let eligible = Eligible {
                    except: Some(&seen),
                    ..Eligible::default()
                };
                // As a user of the training, and as a stranger with the same history.
                for asked in [Some(user), None] {
                    let found = model
                        .retrieve(&Query::new(asked, &known, NOW), 1, eligible)
                        .unwrap();
                    assert_eq!(found[0].id, user, "{} for {asked:?}", spec.id);
                }
            }
        },
    );
}

#[test]
fn a_seed_and_the_data_make_the_model_whatever_the_threads() {
    let dataset = checkerboard();
    let in_threads = |threads: usize, spec: &ModelSpec| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| fit(spec, &dataset).save())
    };
    each("determinism", all, |spec| {
        let one = in_threads(1, spec);
        assert!(one == in_threads(1, spec), "{} differs from itself", spec.id);
        assert!(
            one == in_threads(3, spec),
            "{} differs with three threads",
            spec.id
        );
    });
}

#[test]
fn a_saved_model_answers_as_before() {
    let dataset = checkerboard();
    let histories = dataset.histories();
    each("save", all, |spec| {
        let model = fit(spec, &dataset);
        let bytes = model.save();
        let loaded = recsys::load(&bytes).unwrap();
        assert_eq!(loaded.spec().id, spec.id);
        assert_eq!(loaded.items(), model.items());
        assert!(
            loaded.save() == bytes,
            "{} saves differently after loading",
            spec.id
        );
        let candidates: Vec<u32> = (0..52).collect();
        for user in [Some(4), Some(999), None] {
            let history = histories.of(4);
            let query = Query::new(user, &history, NOW);
            let (one, other) = (
                scores(&*model, &query, &candidates),
                scores(&*loaded, &query, &candidates),
            );
            assert_same(spec.id, &one, &other, 0.0);
            assert_eq!(
                model.user_vector(&query),
                loaded.user_vector(&query),
                "{}",
                spec.id
            );
        }
        assert_eq!(model.item_vectors(), loaded.item_vectors());
        assert_eq!(model.user_vectors(), loaded.user_vectors());
    });
}

#[test]
fn damaged_bytes_are_an_error() {
    let dataset = super::dataset(&[("ann", "tea"), ("ann", "cup"), ("bob", "cup"), ("bob", "pot")]);
    each("damage", all, |spec| {
        let bytes = spec
            .fit(&Settings::new(), &dataset, &Training::seeded(1))
            .unwrap()
            .save();
        let step = (bytes.len() / 200).max(1);
        for end in (0..bytes.len()).step_by(step) {
            let error = recsys::load(&bytes[..end]).err().unwrap();
            assert_eq!(error.kind(), ErrorKind::Artefact, "{} cut at {end}", spec.id);
        }
        for place in (0..bytes.len()).step_by(step) {
            let mut changed = bytes.clone();
            changed[place] ^= 0x10;
            let error = recsys::load(&changed).err().unwrap();
            assert_eq!(
                error.kind(),
                ErrorKind::Artefact,
                "{} changed at {place}",
                spec.id
            );
        }
        let longer = [bytes.as_slice(), &[0]].concat();
        assert!(recsys::load(&longer).is_err(), "{}", spec.id);
    });
}

#[test]
fn strangers_and_unknown_numbers_get_an_answer() {
    let dataset = checkerboard();
    each("cold", all, |spec| {
        let model = fit(spec, &dataset);
        let unknown = [Interaction::new(4_000_000_000, 5)];
        for query in [
            Query::new(None, &[], NOW),
            Query::new(Some(4_000_000_000), &[], NOW),
            Query::new(None, &unknown, NOW),
        ] {
            let found = model.retrieve(&query, 10, Eligible::default()).unwrap();
            assert_eq!(found.len(), 10, "{} leaves a stranger alone", spec.id);
            let out = scores(&*model, &query, &[0, 1, u32::MAX]);
            assert!(out[0].is_finite() && out[1].is_finite(), "{}: {out:?}", spec.id);
            if spec.can.user_vectors {
                assert!(
                    model
                        .similar_users(&query, 3, Eligible::default())
                        .is_none_or(|users| users.len() <= 3)
                );
            }
        }
        assert!(
            model
                .similar_items(&Query::default(), u32::MAX, 3, Eligible::default())
                .is_none()
        );
        // A place for each score, or an error.
        let error = model.score(&Query::default(), &[1, 2], &mut [0.0]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Argument);
    });
}

#[test]
fn nothing_to_learn_from_is_not_an_error() {
    let mut only_items = DatasetBuilder::new();
    only_items.items(&["a", "b"], Features::default()).unwrap();
    let mut only_negative = DatasetBuilder::new();
    only_negative
        .event("ann", "tea", -1.0, 1)
        .event("bob", "tea", 0.0, 2);
    for dataset in [
        Dataset::default(),
        only_items.finish(0).unwrap(),
        only_negative.finish(0).unwrap(),
        super::dataset(&[("ann", "tea")]),
    ] {
        each("empty", all, |spec| {
            let model = fit(spec, &dataset);
            let items = dataset.items().len();
            assert_eq!(model.items(), items);
            let found = model.retrieve(&Query::default(), 5, Eligible::default()).unwrap();
            assert!(found.len() <= items, "{}", spec.id);
            let history = [Interaction::new(0, 1)];
            scores(&*model, &Query::new(Some(0), &history, 5), &[0, 1, 2]);
            let query = Query::new(Some(0), &history, 5);
            let _ = model.similar_items(&query, 0, 3, Eligible::default());
            let _ = model.similar_users(&query, 3, Eligible::default());
            recsys::load(&model.save()).unwrap();
        });
    }
}

#[test]
fn retrieving_is_scoring_everything() {
    let dataset = checkerboard();
    let histories = dataset.histories();
    let everything: Vec<u32> = (0..50).collect();
    let only = NumberSet::new((0..50).filter(|item| item % 3 != 0));
    let except = NumberSet::new([1, 4, 7]);
    let eligible = Eligible {
        only: Some(&only),
        except: Some(&except),
    };
    each(
        "retrieve",
        |can| can != &Capabilities::default(),
        |spec| {
            let model = fit(spec, &dataset);
            for history in [histories.of(9), Vec::new()] {
                let query = Query::new(Some(9), &history, NOW);
                let all = scores(&*model, &query, &everything);
                let wanted = recsys::top_k(&all, 8, eligible);
                assert_eq!(
                    model.retrieve(&query, 8, eligible).unwrap(),
                    wanted,
                    "{}",
                    spec.id
                );
                // A few candidates score as they do among all of them.
                let few = [33, 2, 49];
                let wanted: Vec<f32> = few.iter().map(|item| all[*item as usize]).collect();
                assert_same(spec.id, &scores(&*model, &query, &few), &wanted, 1e-6);
            }
        },
    );
}

#[test]
fn a_few_of_a_large_catalogue_score_as_among_all() {
    // Large enough that a handful of candidates takes the other way through every model.
    let mut builder = DatasetBuilder::new();
    for user in 0..40 {
        for step in 0..20 {
            builder.event(
                &format!("u{user}"),
                &format!("i{}", (user * 13 + step * step * 7) % 700),
                1.0,
                step,
            );
        }
    }
    let ids: Vec<String> = (0..700).map(|item| format!("i{item}")).collect();
    let titles = (0..700)
        .map(|item| Some(format!("word{} word{}", item % 11, item % 17)))
        .collect();
    let features = Features::new(700).with("title", Column::Text(titles)).unwrap();
    builder.items(&ids, features).unwrap();
    let dataset = builder.finish(100).unwrap();
    let histories = dataset.histories();
    let everything: Vec<u32> = (0..700).collect();
    each(
        "few candidates",
        |can| can.personal,
        |spec| {
            if spec.id == "random" {
                return;
            }
            let model = fit(spec, &dataset);
            let history = histories.of(3);
            let query = Query::new(Some(3), &history, 100);
            let all = scores(&*model, &query, &everything);
            let few = [5, 699, 40];
            let wanted: Vec<f32> = few.iter().map(|item| all[*item as usize]).collect();
            assert_same(spec.id, &scores(&*model, &query, &few), &wanted, 1e-6);
        },
    );
}

#[test]
fn scores_of_factor_models_are_inner_products() {
    let dataset = checkerboard();
    let histories = dataset.histories();
    each(
        "factors",
        |can| can.factors,
        |spec| {
            let model = fit(spec, &dataset);
            let items = model.item_vectors().unwrap();
            assert_eq!(items.rows(), 50);
            assert_eq!(model.user_vectors().unwrap().rows(), 50);
            for history in [histories.of(6), Vec::new()] {
                let query = Query::new(None, &history, NOW);
                let user = model.user_vector(&query).unwrap();
                let out = scores(&*model, &query, &[0, 17, 49]);
                let wanted: Vec<f32> = [0, 17, 49]
                    .iter()
                    .map(|item| items.row(*item).iter().zip(&user).map(|(a, b)| a * b).sum())
                    .collect();
                assert_same(spec.id, &out, &wanted, 1e-5);
            }
        },
    );
}

#[test]
fn capabilities_are_what_is_there() {
    let dataset = checkerboard();
    let histories = dataset.histories();
    each("capabilities", all, |spec| {
        let model = fit(spec, &dataset);
        let history = histories.of(2);
        let query = Query::new(Some(2), &history, NOW);
        assert_eq!(
            model.item_vectors().is_some(),
            spec.can.item_vectors,
            "{}",
            spec.id
        );
        assert_eq!(
            model.user_vectors().is_some(),
            spec.can.user_vectors,
            "{}",
            spec.id
        );
        let items = model.similar_items(&query, 6, 5, Eligible::default());
        assert_eq!(items.is_some(), spec.can.similar_items, "{}", spec.id);
        let users = model.similar_users(&query, 5, Eligible::default());
        assert_eq!(users.is_some(), spec.can.similar_users, "{}", spec.id);
        let one = Features::new(1)
            .with("kind", Column::Category(Categories::new([Some("even")])))
            .unwrap()
            .with("created_at", Column::Timestamp(vec![Some(7)]))
            .unwrap();
        let query = Query {
            new_items: Some(&one),
            ..query
        };
        let out = scores(&*model, &query, &[50, 51]);
        if spec.can.new_items {
            assert!(out[0].is_finite() && out[1].is_nan(), "{}: {out:?}", spec.id);
        } else if !["random", "no_op"].contains(&spec.id) {
            assert!(
                out[0].is_nan(),
                "{} has an opinion of what it cannot know",
                spec.id
            );
        }
    });
}

#[test]
fn the_like_are_of_one_kind_and_not_oneself() {
    let dataset = checkerboard();
    let histories = dataset.histories();
    let except = NumberSet::new([8]);
    let eligible = Eligible {
        except: Some(&except),
        ..Eligible::default()
    };
    each(
        "similar items",
        |can| can.similar_items,
        |spec| {
            let model = fit(spec, &dataset);
            let found = model.similar_items(&Query::default(), 6, 10, eligible).unwrap();
            assert_eq!(found.len(), 10, "{}", spec.id);
            for one in found {
                assert!(
                    one.id % 2 == 0 && one.id != 6 && one.id != 8,
                    "{} says {}",
                    spec.id,
                    one.id
                );
            }
        },
    );
    each(
        "similar users",
        |can| can.similar_users,
        |spec| {
            let model = fit(spec, &dataset);
            let history = histories.of(6);
            let query = Query::new(Some(6), &history, NOW);
            let found = model.similar_users(&query, 10, eligible).unwrap();
            assert_eq!(found.len(), 10, "{}", spec.id);
            for one in found {
                assert!(
                    one.id % 2 == 0 && one.id != 6 && one.id != 8,
                    "{} says {}",
                    spec.id,
                    one.id
                );
            }
        },
    );
}

#[test]
fn what_somebody_does_now_changes_the_answer() {
    let dataset = checkerboard();
    let histories = dataset.histories();
    each(
        "session",
        |can| can.collaborative || can.item_features && can.personal,
        |spec| {
            let model = fit(spec, &dataset);
            // An even person turns to odd things.
            let mut history = histories.of(6)[..3].to_vec();
            let before = model
                .retrieve(&Query::new(Some(6), &history, NOW), 5, Eligible::default())
                .unwrap();
            history.extend(histories.of(7).iter().take(12));
            let after = model
                .retrieve(&Query::new(Some(6), &history, NOW), 5, Eligible::default())
                .unwrap();
            assert!(
                before.iter().all(|one| one.id % 2 == 0),
                "{}: {before:?}",
                spec.id
            );
            assert!(after.iter().all(|one| one.id % 2 == 1), "{}: {after:?}", spec.id);
        },
    );
}

#[test]
fn a_training_can_be_stopped() {
    let dataset = checkerboard();
    let stop = AtomicBool::new(true);
    let training = Training {
        seed: 1,
        stop: Some(&stop),
    };
    for id in ["als", "ease", "svd", "item_knn", "ngram"] {
        let error = recsys::model(id)
            .unwrap()
            .fit(&Settings::new(), &dataset, &training)
            .err()
            .unwrap();
        assert_eq!(error.kind(), ErrorKind::Stopped, "{id}");
    }
}
