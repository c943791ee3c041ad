//! From an empty server to rankings and back: film ratings as people leave them, everything that is made of them, and
//! every call.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::{Api, PATIENCE, Server};

pub(super) const GENRES: [&str; 5] = ["Drama", "Comedy", "Thriller", "Western", "Animation"];
const COUNTRIES: [&str; 3] = ["pt", "no", "nz"];
pub(super) const MOVIES: usize = 150;
pub(super) const PEOPLE: usize = 120;
/// Ratings of each person.
const RATINGS: usize = 30;

/// Numbers that look like chance and are the same in every run (Steele, Lea, Flood, OOPSLA 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap()
    }
}

pub(super) fn movie(number: usize) -> String {
    format!("tt{:07}", 100_000 + number)
}

pub(super) fn person(number: usize) -> String {
    format!("person-{number}")
}

/// The genre of a movie, and the one that a person prefers.
pub(super) fn genre(number: usize) -> &'static str {
    GENRES[number % GENRES.len()]
}

fn movies() -> Vec<Value> {
    let kinds = ["Road", "House", "River", "Letter", "Train", "Song"];
    let colours = ["Red", "Long", "Quiet", "Last", "Golden"];
    (0..MOVIES)
        .map(|number| {
            let second = genre(number / GENRES.len());
            let mut genres = vec![genre(number)];
            if second != genre(number) {
                genres.push(second);
            }
            json!({
                "movie_id": movie(number), "title": format!("The {} {} {number}", colours[number % 5], kinds[number % 6]),
                "genres": genres, "genre": genre(number), "year": 1950 + number % 75, "boost": i64::from(number % 50 == 3),
                "added": format!("2026-01-01T{:02}:{:02}:00Z", number / 60, number % 60),
            })
        })
        .collect()
}

/// Four of five ratings of a person are of the preferred genre, more of the popular movies, and higher. Nobody rates
/// the last five movies.
fn ratings(now: i64) -> Vec<Value> {
    let mut random = Random(20_260_131);
    let mut rows = Vec::new();
    for number in 0..PEOPLE {
        let mut rated = [false; MOVIES];
        let mut left = RATINGS;
        while left > 0 {
            // The smaller of two is more often a small one: a short head and a long tail.
            let place = random.below(MOVIES - 5).min(random.below(MOVIES - 5));
            let mine = random.below(5) > 0;
            let chosen = if mine {
                place - place % 5 + number % 5
            } else {
                place
            };
            if chosen >= MOVIES - 5 || rated[chosen] {
                continue;
            }
            rated[chosen] = true;
            left -= 1;
            let rating = if genre(chosen) == genre(number) {
                7 + random.below(4)
            } else {
                1 + random.below(6)
            };
            let age = i64::try_from(random.below(60 * 86_400)).unwrap();
            let at = chrono::DateTime::from_timestamp(now - 3_600 - age, 0).unwrap();
            rows.push(json!({
                "user_id": person(number), "movie_id": movie(chosen), "rating": rating, "rated_at": at.to_rfc3339(),
            }));
        }
    }
    rows
}

/// The movies that a person has rated.
pub(super) fn rated_by(number: usize) -> Vec<String> {
    let of = |row: &Value| {
        (row["user_id"] == person(number)).then(|| row["movie_id"].as_str().unwrap().to_owned())
    };
    ratings(0).iter().filter_map(of).collect()
}

/// Polls until the thing is ACTIVE and says through which states it came.
#[track_caller]
pub(super) fn active(api: &Api, path: &str) -> Vec<String> {
    let started = Instant::now();
    let mut states: Vec<String> = Vec::new();
    loop {
        let view = api.get(path).ok();
        let status = view["status"].as_str().unwrap().to_owned();
        if states.last() != Some(&status) {
            states.push(status.clone());
        }
        if status == "ACTIVE" {
            return states;
        }
        assert!(status != "ERROR" && started.elapsed() < PATIENCE, "{view}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The states of the first list come in its order.
#[track_caller]
pub(super) fn in_order(order: &[&str], states: &[String]) {
    let places: Vec<usize> = states
        .iter()
        .map(|state| order.iter().position(|known| known == state).unwrap())
        .collect();
    assert!(places.is_sorted(), "{states:?}");
}

pub(super) fn strings(value: &Value) -> Vec<String> {
    let values = value.as_array().unwrap().iter();
    values.map(|value| value.as_str().unwrap().to_owned()).collect()
}

/// How many of the movies are of a genre.
pub(super) fn share(ids: &[String], wanted: &str) -> f64 {
    let number = |id: &String| id[2..].parse::<usize>().unwrap() - 100_000;
    let hits = ids.iter().filter(|id| genre(number(id)) == wanted).count();
    hits as f64 / ids.len() as f64
}

fn model() -> Value {
    json!({
        "model": {
            "name": "films", "description": "what to watch next", "slate_size": 10, "pagination_store_ttl": 600,
            "train_schedule": "@daily", "text_index": {"item_fields": ["title"]},
            "inference_config": {"retriever_k_override": {"knn": 200, "cold_start": 5}},
        },
        "connectors": [
            {"type": "Dataset", "id": "r", "name": "ratings"}, {"type": "Dataset", "id": "m", "name": "movies"},
            {"type": "Dataset", "id": "p", "name": "people"}, {"type": "Dataset", "id": "s", "name": "movie-stats"},
        ],
        "fetch": {
            "events": "SELECT user_id, movie_id AS item_id, rating AS label, rated_at AS created_at FROM r",
            "items": "SELECT m.movie_id AS item_id, m.title, m.genre, m.genres, m.year, m.boost, m.added AS created_at,
                      s.votes, s.mean FROM m LEFT JOIN s ON m.movie_id = s.movie_id",
            "users": "SELECT user_id, country FROM p",
            "personal_filters": "SELECT user_id, movie_id AS item_id FROM r",
        },
    })
}

/// Datasets with their rows, a view, and rows kept of that view.
pub(super) fn fill(api: &Api) {
    let datasets = [
        json!({"name": "ratings", "schema_type": "CUSTOM", "unique_keys": ["user_id", "movie_id"], "column_schema":
               {"user_id": "String", "movie_id": "String", "rating": "Int32", "rated_at": "DateTime"}}),
        json!({"name": "movies", "schema_type": "CUSTOM", "unique_keys": ["movie_id"], "column_schema":
               {"movie_id": "String", "title": "String", "genre": "LowCardinality(String)", "genres": "Array(String)",
                "year": "Int32", "boost": "Int64", "added": "DateTime"}}),
        json!({"name": "people", "schema_type": "CUSTOM"}),
    ];
    for body in &datasets {
        let name = body["name"].as_str().unwrap();
        let answer = api.post("/v1/datasets/", body).ok();
        assert!(answer["message"].as_str().unwrap().contains(name), "{answer}");
        let states = active(api, &format!("/v1/datasets/{name}"));
        in_order(&["SCHEDULING", "DEPLOYING", "ACTIVE"], &states);
    }
    let insert = |name: &str, rows: &[Value]| {
        let answer = api.post(&format!("/v1/datasets/{name}/insert"), &json!({"data": rows}));
        let message = answer.ok()["message"].as_str().unwrap().to_owned();
        assert!(message.contains(&rows.len().to_string()), "{message}");
    };
    for batch in ratings(chrono::Utc::now().timestamp()).chunks(1000) {
        insert("ratings", batch);
    }
    insert("movies", &movies());
    let people: Vec<Value> = (0..PEOPLE)
        .map(|number| json!({"user_id": person(number), "country": COUNTRIES[number % 3]}))
        .collect();
    insert("people", &people);
    // The same movie again, with its title put right.
    let mut corrected = movies()[7].clone();
    corrected["title"] = json!("Heron Lake");
    insert("movies", &[corrected]);

    let transforms = [
        json!({"name": "liked", "transform_type": "SQL", "sql_transform_type": "VIEW",
               "sql_query": "SELECT user_id, movie_id, rating FROM ratings WHERE rating >= 6"}),
        json!({"name": "movie-stats", "transform_type": "SQL", "sql_transform_type": "MATERIALIZED_VIEW",
               "sql_query": "SELECT movie_id, COUNT(*) AS votes, AVG(rating) AS mean FROM liked GROUP BY movie_id"}),
    ];
    for body in &transforms {
        api.post("/v1/transforms", body).ok();
        let states = active(api, &format!("/v1/transforms/{}", body["name"].as_str().unwrap()));
        in_order(&["SCHEDULING", "BACKFILLING", "ACTIVE"], &states);
    }
    let details = api.get("/v1/transforms/movie-stats").ok();
    assert_eq!(details["source_datasets_names"], json!(["liked"]));
    assert_eq!(details["transform_schema"]["mean"], "Double");
}

#[test]
fn from_ratings_to_rankings_and_back() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    fill(api);
    let created = api.post("/v1/models", &model()).ok();
    assert_eq!(
        created,
        json!({"model_url": format!("http://{}/v1/models/films", api.addr)})
    );
    // Before it is ACTIVE it does not answer, and says so.
    let early = api.post("/v1/models/films/rank", &json!({}));
    assert!(early.status == 200 || early.problem(400) == "urn:siftwren:error:not-active");
    let states = active(api, "/v1/models/films");
    let order = [
        "SCHEDULING",
        "FETCHING",
        "TUNING",
        "TRAINING",
        "DEPLOYING",
        "ACTIVE",
    ];
    in_order(&order, &states);
    let view = api.get("/v1/models/films").ok();
    assert_eq!(view["fetch"], model()["fetch"]);
    assert_eq!(view["schema"]["features"]["label"], "RatingLabel");
    assert_eq!(
        view["schema"]["features"]["item"]["genre"],
        "LowCardinalityCategory"
    );
    let list = &api.get("/v1/models").ok()["models"][0];
    for field in ["model_name", "model_uri", "created_at", "trained_at", "status"] {
        assert_eq!(list[field], view[field], "{field}");
    }
    assert_eq!(list["description"], "what to watch next");

    rankings(api);
    neighbours(api);
    attributes_and_embeddings(api);
    what_comes_in_counts_at_once(api);
    changes(api);
    the_end(api);
}

#[track_caller]
fn ask(api: &Api, call: &str, body: &Value) -> Value {
    api.post(&format!("/v1/models/films/{call}"), body).ok()
}

fn rankings(api: &Api) {
    let trending = strings(&ask(api, "rank", &json!({}))["ids"]);
    assert_eq!(trending.len(), 10, "the slate");
    let (mut own, mut everybodys) = (0.0, 0.0);
    let asked: Vec<usize> = (0..PEOPLE).step_by(7).collect();
    for number in &asked {
        let request = json!({"user_id": person(*number), "flush_paginations": true, "return_metadata": true});
        let answer = ask(api, "rank", &request);
        let ids = strings(&answer["ids"]);
        assert_eq!((ids.len(), answer["scores"].as_array().unwrap().len()), (10, 10));
        for (id, metadata) in ids.iter().zip(answer["metadata"].as_array().unwrap()) {
            assert_eq!(metadata["item_id"], *id);
            let fields = [
                "boost",
                "created_at",
                "genre",
                "genres",
                "item_id",
                "mean",
                "title",
                "votes",
                "year",
            ];
            let found: Vec<&String> = metadata.as_object().unwrap().keys().collect();
            assert_eq!(found, fields);
        }
        let scores: Vec<f64> = answer["scores"]
            .as_array()
            .unwrap()
            .iter()
            .map(|score| score.as_f64().unwrap())
            .collect();
        assert!(scores.is_sorted_by(|one, next| one >= next), "{scores:?}");
        assert!(
            rated_by(*number).iter().all(|rated| !ids.contains(rated)),
            "what was rated is hidden"
        );
        own += share(&ids, genre(*number));
        everybodys += share(&trending, genre(*number));
        // The next page has none of this one; emptied pages begin anew.
        let next = strings(&ask(api, "rank", &json!({"user_id": person(*number)}))["ids"]);
        assert!(next.iter().all(|id| !ids.contains(id)));
        assert_eq!(strings(&ask(api, "rank", &request)["ids"]), ids);
    }
    let (own, everybodys) = (own / asked.len() as f64, everybodys / asked.len() as f64);
    assert!(own > 0.7 && own > everybodys + 0.3, "{own} and {everybodys}");

    let path = "/v1/models/films/rank?limit=3&return_metadata=true";
    let answer = api.get(path).ok();
    assert_eq!(strings(&answer["ids"]), trending[..3]);
    assert_eq!(answer["metadata"].as_array().unwrap().len(), 3);
    // A session of somebody unknown.
    let westerns = json!([{"item_id": movie(3)}, {"item_id": movie(8)}, {"item_id": movie(13)}]);
    let ids = strings(
        &ask(
            api,
            "rank",
            &json!({"interactions": westerns, "config": {"limit": 8}}),
        )["ids"],
    );
    assert!(share(&ids, "Western") > 0.7, "{ids:?}");
    // Filters over columns, lists and what the platform derives.
    let filter = "year BETWEEN 1960 AND 1990 AND array_has(genres, 'Comedy') AND (votes > 2 OR votes IS NULL) AND interaction_count > 0";
    let answer = ask(
        api,
        "rank",
        &json!({"filter_predicate": filter, "return_metadata": true, "config": {"limit": 100}}),
    );
    let found = answer["metadata"].as_array().unwrap();
    assert!(found.len() > 5);
    for metadata in found {
        let year = metadata["year"].as_i64().unwrap();
        assert!((1960..=1990).contains(&year) && strings(&metadata["genres"]).contains(&"Comedy".to_owned()));
    }
    // Given movies, one of them new and described, one unheard of.
    let given = json!({
        "user_id": person(3), "flush_paginations": true, "item_ids": [movie(145), "tt0"],
        "item_features": {"item_id": ["new"], "genre": ["Western"], "genres": [["Western"]]},
    });
    let mut ids = strings(&ask(api, "rank", &given)["ids"]);
    assert_eq!(ids.pop().as_deref(), Some("tt0"), "of which nothing is known");
    ids.sort();
    assert_eq!(ids, ["new".to_owned(), movie(145)]);
    let described = json!({"user_features": {"country": "no"}, "config": {"limit": 4}});
    assert_eq!(ask(api, "rank", &described)["ids"].as_array().unwrap().len(), 4);
    // Texts, with and without somebody; the corrected title is the one that is found.
    let ids = strings(&ask(api, "rank", &json!({"text_query": "heron"}))["ids"]);
    assert_eq!(ids, [movie(7)]);
    let retrieved = ask(
        api,
        "retrieve",
        &json!({"text_query": "quiet river", "config": {"limit": 5}}),
    );
    assert_eq!(retrieved["ids"].as_array().unwrap().len(), 5);
    // Shares of the slate for the promoted and for what nobody has rated.
    let promoted = json!({"user_id": person(5), "flush_paginations": true, "config": {"boosting_factor": 1, "limit": 2}});
    let ids = strings(&ask(api, "rank", &promoted)["ids"]);
    assert!(
        ids.iter().all(|id| id.ends_with("03") || id.ends_with("53")),
        "{ids:?}"
    );
    let curious = json!({"user_id": person(5), "flush_paginations": true, "config": {"exploration_factor": 1, "limit": 5}});
    let mut ids = strings(&ask(api, "rank", &curious)["ids"]);
    ids.sort();
    assert_eq!(ids, (145..150).map(movie).collect::<Vec<_>>());
    let diverse = json!({"diversity_factor": 0.9, "diversity_attributes": ["genre"], "limit": 5});
    let ids = strings(
        &ask(
            api,
            "rank",
            &json!({"user_id": person(5), "flush_paginations": true, "config": diverse}),
        )["ids"],
    );
    let genres: std::collections::HashSet<usize> = ids
        .iter()
        .map(|id| id[2..].parse::<usize>().unwrap() % 5)
        .collect();
    assert!(genres.len() >= 4, "{ids:?}");
    // Retrieval: of somebody, and of everybody.
    let answer = ask(
        api,
        "retrieve",
        &json!({"user_id_query": person(4), "flush_paginations": true, "config": {"limit": 10}}),
    );
    assert!(share(&strings(&answer["ids"]), genre(4)) > 0.6, "{answer}");
    let answer = ask(api, "retrieve", &json!({}));
    assert_eq!(answer["ids"].as_array().unwrap().len(), 100);
}

fn neighbours(api: &Api) {
    let answer = ask(
        api,
        "similar_items",
        &json!({"item_id": movie(3), "return_metadata": true, "filter_predicate": "year > 1900", "config": {"limit": 6}}),
    );
    let ids = strings(&answer["ids"]);
    assert!(
        share(&ids, "Western") > 0.6 && !ids.contains(&movie(3)),
        "{ids:?}"
    );
    assert_eq!(answer["metadata"].as_array().unwrap().len(), 6);
    assert!(answer.get("scores").is_none());
    let personal =
        json!({"item_id": movie(3), "user_id": person(1), "flush_paginations": true, "config": {"limit": 6}});
    assert_eq!(
        ask(api, "similar_items", &personal)["ids"]
            .as_array()
            .unwrap()
            .len(),
        6
    );
    let basket = json!({"item_ids": [movie(0), movie(5)], "user_id": person(1), "return_metadata": true, "config": {"limit": 6}});
    let ids = strings(&ask(api, "complement_items", &basket)["ids"]);
    assert!(share(&ids, "Drama") > 0.6, "{ids:?}");
    let answer = ask(
        api,
        "similar_users",
        &json!({"user_id": person(2), "return_metadata": true, "filter_predicate": "country <> 'pt'", "config": {"limit": 8}}),
    );
    let alike = strings(&answer["ids"]);
    let of_a_taste = alike
        .iter()
        .filter(|id| id[7..].parse::<usize>().unwrap() % 5 == 2)
        .count();
    assert!(of_a_taste >= 6, "{alike:?}");
    assert!(
        answer["metadata"]
            .as_array()
            .unwrap()
            .iter()
            .all(|one| one["country"] != "pt")
    );
}

fn attributes_and_embeddings(api: &Api) {
    let answer = ask(
        api,
        "rank_attributes",
        &json!({"attribute_name": "genre", "user_id": person(1)}),
    );
    assert_eq!(answer["attributes"][0], genre(1));
    assert_eq!(answer["attributes"].as_array().unwrap().len(), 5);
    let grid = json!({"attribute_name": "genres", "user_id": person(1), "row_limit": 2, "col_limit": 3});
    let answer = ask(api, "rank_attribute_grid", &grid);
    assert_eq!(answer["attributes"][0], genre(1));
    for field in ["id_grid", "scoregrid"] {
        let rows: Vec<usize> = answer[field]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row.as_array().unwrap().len())
            .collect();
        assert_eq!(rows, [3, 3], "{field}");
    }
    let vectors = |call: &str, body: Value| -> Vec<Vec<f64>> {
        serde_json::from_value(ask(api, call, &body)["embeddings"].clone()).unwrap()
    };
    let product = |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(a, b)| a * b).sum::<f64>();
    let items = vectors("item_embeddings", json!({"item_ids": [movie(1), movie(2)]}));
    let users = vectors("user_embeddings", json!({"user_ids": [person(2), person(1)]}));
    assert_eq!(items[0].len(), users[0].len());
    assert!(product(&users[0], &items[1]) > product(&users[0], &items[0]));
    assert!(product(&users[1], &items[0]) > product(&users[1], &items[1]));
    let short = vectors("item_embeddings", json!({"item_ids": [movie(1)], "dimension": 4}));
    assert_eq!(short[0].len(), 4);
}

fn what_comes_in_counts_at_once(api: &Api) {
    let request = json!({"user_id": "newcomer", "flush_paginations": true, "config": {"limit": 8}});
    let before = strings(&ask(api, "rank", &request)["ids"]);
    let now = chrono::Utc::now().to_rfc3339();
    let rows: Vec<Value> = [4, 9, 14, 19]
        .map(|number| json!({"user_id": "newcomer", "movie_id": movie(number), "rating": 9, "rated_at": now}))
        .to_vec();
    api.post("/v1/datasets/ratings/insert", &json!({"data": rows}))
        .ok();
    let after = strings(&ask(api, "rank", &request)["ids"]);
    assert!(
        share(&after, "Animation") > 0.7 && share(&before, "Animation") < 0.7,
        "{before:?} {after:?}"
    );
}

fn changes(api: &Api) {
    let trained_at = api.get("/v1/models/films").ok()["trained_at"].clone();
    let mut changed = model();
    changed["model"]["slate_size"] = json!(7);
    changed["model"]["description"] = json!("seven a night");
    api.patch("/v1/models", &changed).ok();
    assert!(
        !strings(&ask(api, "rank", &json!({}))["ids"]).is_empty(),
        "the old version serves"
    );
    let view = api.wait_until("/v1/models/films", |view| {
        view["status"] == "ACTIVE" && view["trained_at"] != trained_at
    });
    assert_eq!(view["error_message"], Value::Null);
    assert_eq!(strings(&ask(api, "rank", &json!({}))["ids"]).len(), 7);
    assert_eq!(
        api.get("/v1/models").ok()["models"][0]["description"],
        "seven a night"
    );

    api.patch(
        "/v1/datasets",
        &json!({"name": "people", "description": "who rates"}),
    )
    .ok();
    assert_eq!(api.get("/v1/datasets/people").ok()["description"], "who rates");
    let change = json!({"description": "ratings of six and more", "sql_query": "SELECT 1"});
    api.patch("/v1/transforms/liked", &change).ok();
    let details = api.get("/v1/transforms/liked").ok();
    assert_eq!(details["description"], "ratings of six and more");
}

fn the_end(api: &Api) {
    assert_eq!(
        api.delete("/v1/datasets/ratings").problem(409),
        "urn:siftwren:error:in-use"
    );
    for path in [
        "/v1/models/films",
        "/v1/transforms/movie-stats",
        "/v1/transforms/liked",
        "/v1/datasets/ratings",
        "/v1/datasets/movies",
        "/v1/datasets/people",
    ] {
        let message = api.delete(path).ok()["message"].as_str().unwrap().to_owned();
        assert!(message.contains(path.rsplit('/').next().unwrap()), "{message}");
        let started = Instant::now();
        while api.get(path).status != 404 {
            assert!(started.elapsed() < PATIENCE, "{path} stays");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    assert_eq!(api.get("/v1/models").ok(), json!({"models": []}));
    assert_eq!(api.get("/v1/datasets/").ok(), json!({"datasets": []}));
    assert_eq!(api.get("/v1/transforms").ok(), json!({"transforms": []}));
}
