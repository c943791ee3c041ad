//! Each model against a case that was computed by hand, or against its own definition written out plainly.

use recsys::{
    Categories, Column, DatasetBuilder, Eligible, Features, Interaction, Query, Recommender, Settings,
};

use super::{close, dataset, fit, history};

fn score(model: &dyn Recommender, dataset: &recsys::Dataset, history: &[Interaction], item: &str) -> f64 {
    let mut out = [0.0];
    let item = dataset.items().number(item).unwrap();
    model
        .score(&Query::new(None, history, dataset.now()), &[item], &mut out)
        .unwrap();
    f64::from(out[0])
}

#[test]
fn popular_counts_users_events_or_labels() {
    let mut builder = DatasetBuilder::new();
    builder
        .event("ann", "tea", 2.0, 1)
        .event("ann", "tea", 3.0, 2)
        .event("ann", "cup", 1.0, 3)
        .event("bob", "cup", 1.0, 4)
        .event("bob", "pot", -1.0, 5);
    let dataset = builder.finish(10).unwrap();
    for (count, tea, cup, pot) in [
        ("users", 1.0, 2.0, 0.0),
        ("events", 2.0, 2.0, 0.0),
        ("labels", 5.0, 2.0, 0.0),
    ] {
        let model = fit("popular", Settings::new().with("count", count), &dataset);
        for (item, wanted) in [("tea", tea), ("cup", cup), ("pot", pot)] {
            // The moment of the last event adds less than half a count.
            close(score(&*model, &dataset, &[], item).floor(), wanted);
        }
    }
    // Two events each: the later one leads.
    let events = fit("popular", Settings::new().with("count", "events"), &dataset);
    assert!(score(&*events, &dataset, &[], "cup") > score(&*events, &dataset, &[], "tea"));
}

#[test]
fn recently_popular_halves_with_the_half_life() {
    let day = 86_400;
    let mut builder = DatasetBuilder::new();
    builder
        .event("ann", "old", 1.0, 0)
        .event("bob", "old", 1.0, 0)
        .event("eve", "old", 1.0, 0)
        .event("ann", "new", 1.0, 20 * day)
        .event("bob", "later", 1.0, 30 * day);
    let dataset = builder.finish(20 * day).unwrap();
    let model = fit(
        "recently_popular",
        Settings::new().with("half_life_days", 10),
        &dataset,
    );
    close(score(&*model, &dataset, &[], "old"), 0.75);
    close(score(&*model, &dataset, &[], "new"), 1.0);
    close(score(&*model, &dataset, &[], "later"), 1.0);
}

#[test]
fn rising_popularity_weighs_a_rise_by_its_noise() {
    let day = 86_400;
    let mut builder = DatasetBuilder::new();
    for (item, before, latest) in [
        ("steady", 40, 40),
        ("rising", 10, 30),
        ("tiny", 0, 2),
        ("falling", 30, 10),
    ] {
        for number in 0..before {
            builder.event(&format!("u{number}"), item, 1.0, 5 * day);
        }
        for number in 0..latest {
            builder.event(&format!("v{number}"), item, 1.0, 12 * day);
        }
    }
    let dataset = builder.finish(14 * day).unwrap();
    let model = fit(
        "rising_popularity",
        Settings::new().with("window_days", 7),
        &dataset,
    );
    close(score(&*model, &dataset, &[], "steady"), 0.0);
    close(score(&*model, &dataset, &[], "rising"), 20.0 / 41f64.sqrt());
    close(score(&*model, &dataset, &[], "falling"), -20.0 / 41f64.sqrt());
    // Two events are below the minimum of three.
    close(score(&*model, &dataset, &[], "tiny"), 0.0);
}

#[test]
fn trends_of_old_data_are_those_at_their_end_and_equals_come_by_popularity() {
    let day = 86_400;
    let mut builder = DatasetBuilder::new();
    for user in 0..3 {
        builder.event(&format!("u{user}"), "once loved", 1.0, user);
        builder.event(&format!("u{user}"), "rising", 1.0, 4_000 * day);
    }
    builder.event("ann", "a forgotten one", 1.0, 0);
    let dataset = builder.finish(9_000 * day).unwrap();
    for (model, best) in [("recently_popular", 3.0), ("rising_popularity", 1.5)] {
        let model = fit(model, Settings::new(), &dataset);
        let of = |item: &str| score(&*model, &dataset, &[], item);
        close(of("rising"), best);
        assert!(of("once loved") > of("a forgotten one") && of("a forgotten one") > 0.0);
        close(of("once loved"), 0.0);
    }
}

#[test]
fn chronological_is_newest_first() {
    let mut builder = DatasetBuilder::new();
    let times = vec![Some(86_400), Some(2 * 86_400), None, Some(9 * 86_400)];
    let features = Features::new(4)
        .with("created_at", Column::Timestamp(times))
        .unwrap();
    builder.items(&["a", "b", "c", "d"], features).unwrap();
    let dataset = builder.finish(3 * 86_400).unwrap();
    let model = fit("chronological", Settings::new(), &dataset);
    close(score(&*model, &dataset, &[], "a"), -2.0);
    close(score(&*model, &dataset, &[], "b"), -1.0);
    assert!(score(&*model, &dataset, &[], "c").is_nan());
    close(score(&*model, &dataset, &[], "d"), 0.0);
    let found = model
        .retrieve(&Query::new(None, &[], dataset.now()), 9, Eligible::default())
        .unwrap();
    let order: Vec<u32> = found.iter().map(|one| one.id).collect();
    assert_eq!(order, [3, 1, 0]);
}

#[test]
fn als_minimises_its_objective_in_one_dimension() {
    // One user, one item, c = 1 + α = 2: c (1 - xy)² + λ (x² + y²) is least where x = y and x² = 1 - λ / c.
    let dataset = dataset(&[("ann", "tea")]);
    let settings = Settings::new()
        .with("factors", 1)
        .with("alpha", 1)
        .with("regularization", 0.5)
        .with("frequency", 0)
        .with("iterations", 200);
    let model = fit("als", settings, &dataset);
    let (user, item) = (
        model.user_vectors().unwrap().row(0)[0],
        model.item_vectors().unwrap().row(0)[0],
    );
    close(f64::from(user * item), 0.75);
    close(f64::from(user.abs()), 0.75f64.sqrt());
}

#[test]
fn als_rows_solve_their_normal_equations() {
    let mut builder = DatasetBuilder::new();
    for (user, items) in [("a", "xyz"), ("b", "xy"), ("c", "zw"), ("d", "w"), ("e", "yw")] {
        for (time, item) in items.chars().enumerate() {
            builder.event(user, &item.to_string(), 1.0 + time as f32, time as i64);
        }
    }
    let dataset = builder.finish(9).unwrap();
    let (alpha, penalty, exponent) = (3.0f64, 0.7f64, 0.5f64);
    let settings = Settings::new()
        .with("factors", 3)
        .with("alpha", alpha)
        .with("regularization", penalty)
        .with("frequency", exponent)
        .with("iterations", 400)
        .with("solver_steps", 3);
    let model = fit("als", settings, &dataset);
    let items = model.item_vectors().unwrap();
    let users = model.user_vectors().unwrap();
    let histories = dataset.histories();
    for user in 0..5u32 {
        let history = histories.of(user);
        let folded = model.user_vector(&Query::new(None, &history, 9)).unwrap();
        // (YᵀCY + λI) x - YᵀCp, written out; the trained row and the one of the query must both make it vanish.
        for vector in [users.row(user as usize), &folded] {
            for row in 0..3 {
                let mut rest = penalty * (1.0 + history.len() as f64).powf(exponent) * f64::from(vector[row]);
                for item in 0..4u32 {
                    let label = history
                        .iter()
                        .find(|one| one.item == item)
                        .map(|one| f64::from(one.label));
                    let confidence = 1.0 + alpha * label.unwrap_or(0.0);
                    let y = items.row(item as usize);
                    let predicted: f64 = (0..3).map(|f| f64::from(y[f]) * f64::from(vector[f])).sum();
                    let preference = f64::from(u8::from(label.is_some()));
                    rest += confidence * f64::from(y[row]) * (predicted - preference);
                }
                assert!(rest.abs() < 2e-3, "user {user}, row {row}: {rest}");
            }
        }
    }
}

#[test]
fn ease_has_its_closed_form() {
    // XᵀX = [[2, 1], [1, 2]], λ = 1: P = [[3, -1], [-1, 3]] / 8, B = [[0, 1/3], [1/3, 0]].
    let dataset = dataset(&[("ann", "tea"), ("ann", "cup"), ("bob", "tea"), ("eve", "cup")]);
    let model = fit("ease", Settings::new().with("regularization", 1), &dataset);
    let tea = history(&dataset, &["tea"]);
    close(score(&*model, &dataset, &tea, "cup"), 1.0 / 3.0);
    close(score(&*model, &dataset, &tea, "tea"), 0.0);
    // Asymmetric: with a third user of cup alone, P = [[4, -1], [-1, 3]] / 11 by (cup, tea) = (4, 3).
    let dataset = super::dataset(&[
        ("ann", "tea"),
        ("ann", "cup"),
        ("bob", "tea"),
        ("eve", "cup"),
        ("joe", "cup"),
    ]);
    let model = fit("ease", Settings::new().with("regularization", 1), &dataset);
    close(
        score(&*model, &dataset, &history(&dataset, &["tea"]), "cup"),
        1.0 / 3.0,
    );
    close(
        score(&*model, &dataset, &history(&dataset, &["cup"]), "tea"),
        1.0 / 4.0,
    );
}

#[test]
fn ease_adds_up_a_history_and_may_weigh_its_end() {
    let dataset = dataset(&[
        ("a", "x"),
        ("a", "y"),
        ("b", "y"),
        ("b", "z"),
        ("c", "x"),
        ("c", "z"),
        ("d", "x"),
    ]);
    let settings = Settings::new().with("regularization", 1);
    let model = fit("ease", settings.clone(), &dataset);
    let alone = |item: &str| score(&*model, &dataset, &history(&dataset, &[item]), "z");
    let both = history(&dataset, &["x", "y"]);
    assert!(alone("x") != 0.0 && alone("y") != 0.0);
    close(score(&*model, &dataset, &both, "z"), alone("x") + alone("y"));
    // With a half-life of one item the older of the two counts half.
    let fading = fit("ease", settings.with("history_half_life", 1), &dataset);
    close(
        score(&*fading, &dataset, &both, "z"),
        alone("x") / 2.0 + alone("y"),
    );
}

#[test]
fn ease_keeps_the_most_popular_items_when_there_are_too_many() {
    let dataset = dataset(&[
        ("a", "x"),
        ("a", "y"),
        ("b", "x"),
        ("b", "y"),
        ("c", "x"),
        ("c", "z"),
    ]);
    let model = fit("ease", Settings::new().with("max_items", 2), &dataset);
    assert!(score(&*model, &dataset, &history(&dataset, &["x"]), "y") > 0.0);
    close(score(&*model, &dataset, &history(&dataset, &["x"]), "z"), 0.0);
    // A history of items that do not take part is no history: the popularity decides.
    assert!(
        score(&*model, &dataset, &history(&dataset, &["z"]), "x")
            > score(&*model, &dataset, &history(&dataset, &["z"]), "y")
    );
}

#[test]
fn svd_projects_on_the_strongest_directions() {
    // X has the singular vectors (1, 1, 0)/√2 with σ = 2 and (0, 0, 1) with σ = 1.
    let dataset = dataset(&[("a", "x"), ("a", "y"), ("b", "x"), ("b", "y"), ("c", "z")]);
    let one = fit("svd", Settings::new().with("factors", 1), &dataset);
    let x = history(&dataset, &["x"]);
    close(score(&*one, &dataset, &x, "x"), 0.5);
    close(score(&*one, &dataset, &x, "y"), 0.5);
    close(score(&*one, &dataset, &x, "z"), 0.0);
    let two = fit("svd", Settings::new().with("factors", 2), &dataset);
    close(score(&*two, &dataset, &history(&dataset, &["z"]), "z"), 1.0);
    close(score(&*two, &dataset, &history(&dataset, &["z"]), "x"), 0.0);
    // More dimensions than there are directions: the others are zeros, not noise.
    let many = fit("svd", Settings::new().with("factors", 9), &dataset);
    close(score(&*many, &dataset, &x, "y"), 0.5);
}

#[test]
fn item_knn_is_the_shrunk_cosine() {
    let dataset = dataset(&[
        ("a", "x"),
        ("a", "y"),
        ("b", "x"),
        ("b", "y"),
        ("c", "x"),
        ("c", "z"),
    ]);
    let settings = Settings::new().with("shrinkage", 1).with("popularity", 0);
    let model = fit("item_knn", settings.clone(), &dataset);
    let x = history(&dataset, &["x"]);
    close(score(&*model, &dataset, &x, "y"), 2.0 / (6f64.sqrt() + 1.0));
    close(score(&*model, &dataset, &x, "z"), 1.0 / (3f64.sqrt() + 1.0));
    close(
        score(&*model, &dataset, &history(&dataset, &["y", "z"]), "x"),
        2.0 / (6f64.sqrt() + 1.0) + 1.0 / (3f64.sqrt() + 1.0),
    );
    // x keeps y, its nearest neighbour, and forgets z.
    let one = fit("item_knn", settings.with("neighbours", 1), &dataset);
    close(score(&*one, &dataset, &history(&dataset, &["z"]), "x"), 0.0);
}

#[test]
fn ngram_backs_off_to_shorter_contexts() {
    let dataset = dataset(&[
        ("1", "a"),
        ("1", "b"),
        ("1", "c"),
        ("2", "a"),
        ("2", "b"),
        ("2", "c"),
        ("3", "d"),
        ("3", "b"),
        ("3", "a"),
    ]);
    let plain = Settings::new()
        .with("smoothing", 1)
        .with("window", 1)
        .with("reach", 1);
    // Without a context: (count + 1) / (9 + 4).
    let base = |count: f64| (count + 1.0) / 13.0;
    let first = fit("ngram", plain.clone().with("order", 1), &dataset);
    close(score(&*first, &dataset, &[], "c"), base(2.0));
    // After b: c twice and a once.
    let p1 = |count: f64, known: f64| (count + base(known)) / 4.0;
    let b = history(&dataset, &["b"]);
    close(score(&*first, &dataset, &b, "c"), p1(2.0, 2.0));
    close(score(&*first, &dataset, &b, "a"), p1(1.0, 3.0));
    close(score(&*first, &dataset, &b, "d"), p1(0.0, 1.0));
    // After d and b: a once; after c and b: never seen, so the last item alone counts.
    let second = fit("ngram", plain.clone().with("order", 2), &dataset);
    let db = history(&dataset, &["d", "b"]);
    close(score(&*second, &dataset, &db, "a"), (1.0 + p1(1.0, 3.0)) / 2.0);
    close(score(&*second, &dataset, &db, "c"), p1(2.0, 2.0) / 2.0);
    let cb = history(&dataset, &["c", "b"]);
    close(score(&*second, &dataset, &cb, "c"), p1(2.0, 2.0));
    // A follower at the distance of two counts `decay`, so c has followed a with 2 · 0.5.
    let wide = fit(
        "ngram",
        plain.with("order", 1).with("window", 2).with("decay", 0.5),
        &dataset,
    );
    let a = history(&dataset, &["a"]);
    close(score(&*wide, &dataset, &a, "c"), (1.0 + base(2.0)) / 4.0);
    // The probabilities of all items add up to one.
    let sum: f64 = ["a", "b", "c", "d"]
        .iter()
        .map(|item| score(&*wide, &dataset, &a, item))
        .sum();
    close(sum, 1.0);
}

fn shop() -> recsys::Dataset {
    let mut builder = DatasetBuilder::new();
    let titles = ["Red tea", "red cup", "blue cup"]
        .map(|title| Some(title.to_owned()))
        .to_vec();
    let features = Features::new(3).with("title", Column::Text(titles)).unwrap();
    builder.items(&["t", "u", "v"], features).unwrap();
    builder.event("ann", "t", 1.0, 1);
    builder.finish(5).unwrap()
}

#[test]
fn content_is_the_cosine_of_tf_idf() {
    let dataset = shop();
    let model = fit("item_content_similarity", Settings::new(), &dataset);
    // idf = ln((1 + 3) / (1 + df)) + 1: twice for red and cup, once for tea and blue.
    let (common, rare) = ((4f64 / 3.0).ln() + 1.0, 2f64.ln() + 1.0);
    let mixed = (common * common + rare * rare).sqrt();
    let both = common * 2f64.sqrt();
    let t = history(&dataset, &["t"]);
    close(
        score(&*model, &dataset, &t, "u"),
        common * common / (mixed * both),
    );
    close(score(&*model, &dataset, &t, "v"), 0.0);
    // The last item of a history counts, not the first.
    close(
        score(&*model, &dataset, &history(&dataset, &["t", "v"]), "v"),
        1.0,
    );
    // A new item has a score by its columns.
    let new = Features::new(1)
        .with("title", Column::Text(vec![Some("RED CUP!".to_owned())]))
        .unwrap();
    let query = Query {
        new_items: Some(&new),
        ..Query::new(None, &t, 5)
    };
    let mut out = [0.0];
    model.score(&query, &[3], &mut out).unwrap();
    close(f64::from(out[0]), common * common / (mixed * both));
    assert_eq!(
        model.similar_items(&query, 3, 1, Eligible::default()).unwrap()[0].id,
        1
    );
}

#[test]
fn content_of_users_pools_the_last_items() {
    let dataset = shop();
    let mean = fit("user_item_content_similarity", Settings::new(), &dataset);
    let max = fit(
        "user_item_content_similarity",
        Settings::new().with("pooling", "max"),
        &dataset,
    );
    let tv = history(&dataset, &["t", "v"]);
    let alone = fit("item_content_similarity", Settings::new(), &dataset);
    let like = |item: &str| score(&*alone, &dataset, &history(&dataset, &[item]), "u");
    close(score(&*max, &dataset, &tv, "u"), like("t").max(like("v")));
    // t and v share no word: their normalised sum has the length √2.
    close(
        score(&*mean, &dataset, &tv, "u"),
        (like("t") + like("v")) / 2f64.sqrt(),
    );
}

#[test]
fn users_with_a_like_profile_lend_their_items() {
    let mut builder = DatasetBuilder::new();
    let towns = Categories::new([Some("bern"), Some("bern"), Some("rome"), None]);
    let features = Features::new(4).with("town", Column::Category(towns)).unwrap();
    builder.users(&["ann", "bob", "eve", "joe"], features).unwrap();
    builder
        .event("bob", "fondue", 1.0, 1)
        .event("eve", "pizza", 1.0, 2)
        .event("joe", "pizza", 1.0, 3);
    let dataset = builder.finish(5).unwrap();
    let model = fit("user_content_similarity", Settings::new(), &dataset);
    let ann = Query::new(dataset.users().number("ann"), &[], 5);
    let best = model.retrieve(&ann, 1, Eligible::default()).unwrap()[0].id;
    assert_eq!(dataset.items().id(best), Some("fondue"));
    // A stranger with a profile, and one without: the first is like the people of Rome, the second gets the popular.
    let rome = Features::new(1)
        .with("town", Column::Category(Categories::new([Some("rome")])))
        .unwrap();
    let stranger = Query {
        user_features: Some(&rome),
        ..Query::default()
    };
    assert_eq!(
        model.similar_users(&stranger, 1, Eligible::default()).unwrap()[0].id,
        2
    );
    for query in [stranger, Query::default()] {
        let best = model.retrieve(&query, 1, Eligible::default()).unwrap()[0].id;
        assert_eq!(dataset.items().id(best), Some("pizza"));
    }
}
