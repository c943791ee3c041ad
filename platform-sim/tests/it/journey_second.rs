//! The journey of the ratings in version 2: a model set up by a body of its own, and every kind of query.

use serde_json::{Value, json};

use super::client::{Answer, Api, Server};
use super::journey::{PEOPLE, active, fill, genre, in_order, movie, person, rated_by, share, strings};

/// Reads the ratings, trains six policies, measures them, and keeps two queries.
fn model() -> Value {
    json!({
        "version": "v2", "name": "films", "description": "what to watch next", "tags": {"team": "evenings"},
        "data": {
            "interaction_dataset": {"type": "query", "query":
                "SELECT user_id, movie_id AS item_id, rating AS label, rated_at AS created_at FROM ratings"},
            "item_dataset": {"type": "query", "query":
                "SELECT m.movie_id AS item_id, m.title, m.genre, m.genres, m.year, m.boost, m.added AS created_at, s.votes
                 FROM movies m LEFT JOIN \"movie-stats\" s ON m.movie_id = s.movie_id"},
            "user_dataset": {"type": "table", "name": "people"},
            "filters": [
                {"name": "rated", "filter_dataset": {"type": "table", "name": "ratings"},
                 "filter_type": {"type": "personal", "user_id_column": "user_id", "item_id_column": "movie_id"}},
                {"name": "old", "filter_dataset": {"type": "table", "name": "movies", "where": "year < 1953"},
                 "filter_type": {"type": "global", "item_id_column": "movie_id"}},
            ],
            "index": {
                "lexical_search": {"item_fields": ["title"]},
                "embeddings": [{"name": "tastes", "encoder": {"type": "trained_model", "model_ref": "cf"}}],
            },
        },
        "training": {
            "data_split": {"strategy": "user"},
            "evaluation": {"enable": true, "evaluation_top_k": 10, "candidate_source": "all_iids"},
            "models": [
                {"name": "cf", "policy_type": "als", "factors": 16},
                {"name": "next", "policy_type": "ngram"},
                {"name": "top", "policy_type": "popular"},
                {"name": "trend", "policy_type": "recently-popular"},
                {"name": "chance", "policy_type": "random"},
                {"name": "mixed", "policy_type": "score_ensemble", "value_model": "cf + 0.01 * log(1 + top)"},
            ],
        },
        "deployment": {"pagination": {"page_expiration_in_seconds": 600}},
        "queries": {
            "feed": {"query": feed(), "params": {"uid": {}, "many": {"default": 6}}},
            "like": {"query": {
                "type": "rank_items", "limit": 6,
                "retrieve": [{"type": "item_similarity", "embedding_ref": "tastes", "limit": 20,
                              "query_encoder": {"type": "precomputed_item", "input_item_id": "$param.item"}}],
                "filter": [{"type": "expression", "expression": "item.item_id <> $param.item"}],
            }, "params": {"item": {}}},
        },
    })
}

/// What is near to a taste and what is new, without what was rated or is old, mixed by a value model, no two alike.
fn feed() -> Value {
    json!({
        "type": "rank_items",
        "retrieve": [
            {"type": "item_similarity", "name": "near", "embedding_ref": "tastes", "limit": 80,
             "query_encoder": {"type": "interaction_pooling", "input_user_id": "$param.uid", "truncate_interactions": 30}},
            {"type": "item_column_order", "name": "new", "columns": [{"name": "created_at", "ascending": false}], "limit": 10},
        ],
        "filter": [
            {"type": "prebuilt", "filter_ref": "rated", "input_user_id": "$param.uid"},
            {"type": "prebuilt", "filter_ref": "old"},
            {"type": "expression", "expression": "year < 2030 AND (votes IS NULL OR votes >= 0)"},
            {"type": "truncate", "max_length": 60},
        ],
        "score": {"type": "score_ensemble", "input_user_id": "$param.uid",
                  "value_model": "mixed + 0.01 * retrieval.get_score('near') + 0.001 / retrieval.get_rank('new')"},
        "limit": "$param.many",
    })
}

#[track_caller]
fn ids(answer: &Value) -> Vec<String> {
    let rows = answer["results"].as_array().unwrap().iter();
    rows.map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

/// Asks without a key, as one may on a loopback address.
fn query(api: &Api, body: &Value) -> Answer {
    let headers = [("content-type", "application/json")];
    api.call("POST", "/v1/query", &headers, body.to_string().as_bytes())
}

#[track_caller]
fn saved(api: &Api, name: &str, parameters: &Value) -> Value {
    let body = json!({"parameters": parameters, "return_explanation": true});
    api.post(&format!("/v1/queries/{name}"), &body).ok()
}

#[test]
fn from_ratings_to_queries_and_back() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    fill(api);
    let created = api.post("/v1/models", &model()).ok();
    assert_eq!(
        created,
        json!({"model_url": format!("http://{}/v1/models/films", api.addr)})
    );
    let states = active(api, "/v1/models/films");
    in_order(
        &[
            "SCHEDULING",
            "FETCHING",
            "TUNING",
            "TRAINING",
            "DEPLOYING",
            "ACTIVE",
        ],
        &states,
    );
    let details = api.get("/v1/models/films").ok();
    assert_eq!(details["config"]["tags"], json!({"team": "evenings"}));
    assert_eq!(details["config"]["training"]["schedule"], "@daily");
    let ndcg = |policy: &str| {
        details["evaluation"]["policies"][policy]["metrics"]["ndcg"]
            .as_f64()
            .unwrap()
    };
    assert!(
        ndcg("cf") > 1.5 * ndcg("chance") && ndcg("mixed") > ndcg("top"),
        "{}",
        details["evaluation"]
    );

    feeds(api);
    every_type_of_query(api);
    wrong_queries(api);
    calls_of_the_first_version(api);

    // Another configuration, while the old one serves; then the end, of the model and of its queries.
    let mut changed = model();
    changed["queries"] = json!({"feed": changed["queries"]["feed"]});
    changed["queries"]["feed"]["params"]["many"] = json!({"default": 3});
    api.patch("/v1/models", &changed).ok();
    assert!(!ids(&saved(api, "feed", &json!({"uid": person(1)}))).is_empty());
    api.wait_until("/v1/models/films", |view| {
        view["status"] == "ACTIVE" && view["trained_at"] != details["trained_at"]
    });
    assert_eq!(ids(&saved(api, "feed", &json!({"uid": person(1)}))).len(), 3);
    assert_eq!(api.get("/v1/queries").ok(), json!({"queries": ["feed"]}));
    api.delete("/v1/models/films").ok();
    assert_eq!(api.get("/v1/queries").ok(), json!({"queries": []}));
    assert_eq!(
        api.get("/v1/queries/feed").problem(404),
        "urn:siftwren:error:not-found"
    );
}

fn feeds(api: &Api) {
    let mut names = strings(&api.get("/v1/queries").ok()["queries"]);
    names.sort();
    assert_eq!(names, ["feed", "like"]);
    let info = api.get("/v1/queries/feed").ok();
    assert_eq!(
        (&info["name"], &info["query_type"]),
        (&json!("feed"), &json!("rank_items"))
    );
    let mut parameters = strings(&info["params"]);
    parameters.sort();
    assert_eq!(parameters, ["many", "uid"]);

    let asked: Vec<usize> = (0..PEOPLE).step_by(11).collect();
    let mut own = 0.0;
    for number in &asked {
        let answer = saved(api, "feed", &json!({"uid": person(*number)}));
        let found = ids(&answer);
        assert_eq!((found.len(), &answer["entity_type"]), (6, &json!("item")));
        assert!(
            rated_by(*number).iter().all(|rated| !found.contains(rated)),
            "{found:?}"
        );
        for row in answer["results"].as_array().unwrap() {
            assert!(row["metadata"]["year"].as_i64().unwrap() >= 1953 && row["score"].is_number());
        }
        own += share(&found, genre(*number));
        let explanation = &answer["explanation"];
        assert_eq!(explanation["query_name"], "feed");
        assert_eq!(
            explanation["parameters"],
            json!({"uid": person(*number), "many": 6})
        );
        let count = |stage: &str, field: &str| explanation[stage][field].as_u64().unwrap();
        assert!(count("retrieve_stage", "output_count") >= count("filter_stage", "output_count"));
        assert_eq!(
            count("score_stage", "input_count"),
            count("filter_stage", "output_count")
        );
        assert_eq!(explanation["final_result_count"], 6);
    }
    assert!(own / asked.len() as f64 > 0.7, "{own}");
    assert_eq!(
        ids(&saved(api, "feed", &json!({"uid": person(1), "many": 2}))).len(),
        2
    );
    let alike = ids(&saved(api, "like", &json!({"item": movie(3)})));
    assert!(
        share(&alike, "Western") > 0.6 && !alike.contains(&movie(3)),
        "{alike:?}"
    );

    // Somebody who came a moment ago.
    let now = chrono::Utc::now().to_rfc3339();
    let rows = [4, 9, 14, 19].map(
        |number| json!({"user_id": "newcomer", "movie_id": movie(number), "rating": 9, "rated_at": now}),
    );
    api.post("/v1/datasets/ratings/insert", &json!({"data": rows}))
        .ok();
    let found = ids(&saved(api, "feed", &json!({"uid": "newcomer"})));
    assert!(share(&found, "Animation") > 0.6, "{found:?}");
}

fn every_type_of_query(api: &Api) {
    let ask = |body: &Value| query(api, body).ok();
    // By text, with an error in the word; by order with a condition; promoted and mixed.
    let search = json!({"query": {"type": "rank_items", "model": "films", "retrieve": [
        {"type": "item_text_search", "input_text_query": "$param.text", "mode": {"type": "lexical", "fuzziness_edit_distance": 1}}]},
        "parameters": {"text": "herom"}});
    assert_eq!(ids(&ask(&search)), [movie(7)]);
    let ordered = json!({"query": {"type": "rank_items", "model": "films", "limit": 4, "columns": ["year"], "retrieve": [
        {"type": "item_column_order", "where": "genre = 'Comedy' AND year > 1990", "limit": 50,
         "columns": [{"name": "year"}, {"name": "item_id", "ascending": false}]}]}});
    let answer = ask(&ordered);
    let years: Vec<i64> = answer["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["metadata"]["year"].as_i64().unwrap())
        .collect();
    assert!(
        years.len() == 4 && years.is_sorted() && years[0] > 1990,
        "{answer}"
    );
    let mut mixed = ordered.clone();
    mixed["query"]["reorder"] = json!([
        {"type": "boosted", "strength": 1}, {"type": "exploration", "strength": 0.2},
        {"type": "diversity", "strength": 0.5, "diversity_attributes": ["year"]}]);
    mixed["return_explanation"] = json!(true);
    let answer = ask(&mixed);
    assert_eq!(
        answer["explanation"]["reorder_stage"]["steps"]
            .as_array()
            .unwrap()
            .len(),
        3
    );

    let users = json!({"query": {"type": "rank_users", "model": "films", "limit": 8, "retrieve": [
        {"type": "user_similarity", "embedding_ref": "tastes",
         "query_encoder": {"type": "precomputed_user", "input_user_id": person(2)}}]}});
    let answer = ask(&users);
    let alike = ids(&answer)
        .iter()
        .filter(|id| id[7..].parse::<usize>().is_ok_and(|number| number % 5 == 2))
        .count();
    assert!(alike >= 6 && answer["entity_type"] == "user", "{answer}");

    let score = json!({"type": "score_ensemble", "value_model": "cf", "input_user_id": person(4)});
    let given = json!({"query": {"type": "rerank_items", "model": "films", "score": score, "retrieve": [
        {"type": "candidate_ids", "item_ids": [movie(0), movie(1), movie(4), movie(2)]}]}});
    assert_eq!(ids(&ask(&given))[0], movie(4));
    let described = json!({"query": {"type": "rerank_items_by_attributes", "model": "films", "retrieve": [
        {"type": "candidate_attributes", "item_attributes": [
            {"item_id": "x", "genre": "Western", "year": 1999}, {"item_id": "y", "genre": "Comedy", "year": 2005}]}],
        "filter": [{"type": "expression", "expression": "genre = 'Comedy'"}]}});
    assert_eq!(ids(&ask(&described)), ["y"]);
    let attributes = json!({"query": {"type": "rank_attributes", "model": "films", "input_attribute": "genre",
        "input_user_id": person(3), "limit": 2}});
    let answer = ask(&attributes);
    assert_eq!((ids(&answer).len(), ids(&answer)[0].as_str()), (2, genre(3)));

    // Pages under a key.
    let mut paged = ordered.clone();
    paged["pagination_key"] = json!("evening");
    let (first, second) = (ids(&ask(&paged)), ids(&ask(&paged)));
    assert!(
        first.len() == 4 && second.iter().all(|id| !first.contains(id)),
        "{first:?} {second:?}"
    );
    // Vectors beside the answer.
    let mut vectors = given;
    vectors["query"]["embeddings"] = json!(["tastes"]);
    let answer = ask(&vectors);
    assert_eq!(
        answer["results"][0]["embeddings"]["tastes"]
            .as_array()
            .unwrap()
            .len(),
        16
    );
}

fn wrong_queries(api: &Api) {
    let good = json!({"query": feed(), "parameters": {"uid": person(1), "many": 3}});
    query(api, &good).ok();
    let with = |path: &[&str], value: Value| {
        let mut body = good.clone();
        let mut place = &mut body;
        for part in path {
            place = match part.parse::<usize>() {
                Ok(index) if place.is_array() => &mut place[index],
                _ => &mut place[*part],
            };
        }
        *place = value;
        body
    };
    for (body, place) in [
        (json!({}), "body.query"),
        (with(&["query", "type"], json!("rank_things")), "body.query.type"),
        (
            with(&["query", "filter", "2", "expression"], json!("yeer < 3")),
            "body.query.filter.2.expression",
        ),
        (
            with(&["query", "filter", "0", "filter_ref"], json!("unseen")),
            "body.query.filter.0.filter_ref",
        ),
        (
            with(&["query", "score", "value_model"], json!("mixed + nothing")),
            "body.query.score.value_model",
        ),
        (
            with(&["query", "retrieve", "0", "embedding_ref"], json!("taste")),
            "body.query.retrieve.0.embedding_ref",
        ),
        (with(&["parameters", "many"], json!(0)), "body.parameters.many"),
        (with(&["parameters"], json!({"many": 3})), "body.parameters.uid"),
    ] {
        // Without a model's name nobody has what it wants, so the name is there.
        let mut body = body;
        if body["query"].is_object() {
            body["query"]["model"] = json!("films");
        }
        assert_eq!(query(api, &body).invalid().0, place, "{body}");
    }
    let not_found = "urn:siftwren:error:not-found";
    assert_eq!(
        query(api, &with(&["query", "model"], json!("none"))).problem(404),
        not_found
    );
    assert_eq!(api.post("/v1/queries/none", &json!({})).problem(404), not_found);
    assert_eq!(api.get("/v1/queries/none").problem(404), not_found);
    assert_eq!(
        api.post("/v1/queries/feed", &json!({"parameters": {}}))
            .invalid()
            .0,
        "body.parameters.uid"
    );
    let exists = "urn:siftwren:error:already-exists";
    assert_eq!(api.post("/v1/models", &model()).problem(409), exists);
    let mut second = model();
    second["name"] = json!("other");
    assert_eq!(
        api.post("/v1/models", &second).problem(409),
        exists,
        "names of queries are unique"
    );
}

fn calls_of_the_first_version(api: &Api) {
    let call = |name: &str, body: Value| api.post(&format!("/v1/models/films/{name}"), &body).ok();
    let ranked = call("rank", json!({"user_id": person(3), "config": {"limit": 10}}));
    assert!(share(&strings(&ranked["ids"]), genre(3)) > 0.6, "{ranked}");
    assert_eq!(
        strings(&call("rank", json!({"text_query": "heron"}))["ids"]),
        [movie(7)]
    );
    let alike = call(
        "similar_items",
        json!({"item_id": movie(3), "config": {"limit": 5}}),
    );
    assert!(share(&strings(&alike["ids"]), "Western") > 0.5, "{alike}");
    let vectors = call("item_embeddings", json!({"item_ids": [movie(3)]}));
    assert_eq!(vectors["embeddings"][0].as_array().unwrap().len(), 16);
}
