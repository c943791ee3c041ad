use proptest::prelude::*;
use serde_json::{Value, json};

use super::shop::shop;
use super::{asked, everything, ids, place};
use crate::service::failure::Failure;
use crate::service::query::names::Names;
use crate::service::query::saved::{Params, check_saved, used_in};

/// The first wrong place of a query, the kind and the message.
#[track_caller]
fn wrong(query: &Value, parameters: &Value) -> (String, &'static str, String) {
    match asked(&shop(), query, parameters, &[]) {
        Err(Failure::Invalid(violations)) => {
            let first = &violations[0];
            (place(first), first.kind, first.message.clone())
        }
        other => panic!("{other:?}"),
    }
}

fn with(field: &str, value: Value) -> Value {
    let mut query = json!({"type": "rank_items", "retrieve": everything()});
    query[field] = value;
    query
}

fn step(step: Value) -> Value {
    with("retrieve", json!([step]))
}

fn score(value_model: &str) -> Value {
    with(
        "score",
        json!({"type": "score_ensemble", "value_model": value_model}),
    )
}

#[test]
fn everything_wrong_is_named_with_its_place() {
    let similar = |encoder: Value| {
        step(json!({"type": "similarity", "embedding_ref": "factors", "query_encoder": encoder}))
    };
    let search = |mode: Value| step(json!({"type": "text_search", "input_text_query": "x", "mode": mode}));
    for (query, place, kind) in [
        (json!({}), "query.type", "missing"),
        (json!({"type": "rank"}), "query.from", "missing"),
        (json!({"type": "rank_item"}), "query.type", "unknown_value"),
        (json!({"type": 3}), "query.type", "wrong_type"),
        (
            json!({"rank": {"from": "goods"}}),
            "query.rank.from",
            "unknown_value",
        ),
        (json!({"rank": []}), "query.rank", "wrong_type"),
        (json!({"type": "rank_items"}), "query.retrieve", "missing"),
        (with("retrieve", json!([])), "query.retrieve", "missing"),
        (with("retrieve", json!({})), "query.retrieve", "wrong_type"),
        (with("retrieve", json!([3])), "query.retrieve.0", "wrong_type"),
        (with("retreive", json!([])), "query.retreive", "unknown_field"),
        (with("limit", json!(0)), "query.limit", "out_of_range"),
        (with("limit", json!(1001)), "query.limit", "out_of_range"),
        (with("limit", json!(1.5)), "query.limit", "wrong_type"),
        (with("limit", json!("15")), "query.limit", "wrong_type"),
        (with("columns", json!("price")), "query.columns", "wrong_type"),
        (
            with("columns", json!(["price", "prise"])),
            "query.columns.1",
            "unknown_column",
        ),
        (
            with("embeddings", json!(["factor"])),
            "query.embeddings.0",
            "unknown_embedding",
        ),
        (step(json!({})), "query.retrieve.0.type", "missing"),
        (
            step(json!({"type": "user_similarity"})),
            "query.retrieve.0.type",
            "unknown_value",
        ),
        (
            step(json!({"type": "candidate_ids"})),
            "query.retrieve.0.type",
            "unknown_value",
        ),
        (
            step(json!({"type": "column_order"})),
            "query.retrieve.0.columns",
            "missing",
        ),
        (
            step(json!({"type": "column_order", "columns": [{}]})),
            "query.retrieve.0.columns.0.name",
            "missing",
        ),
        (
            step(json!({"type": "column_order", "columns": [{"name": "colour"}]})),
            "query.retrieve.0.columns.0.name",
            "unknown_column",
        ),
        (
            step(json!({"type": "column_order", "columns": [{"name": "tags"}]})),
            "query.retrieve.0.columns.0.name",
            "wrong_type",
        ),
        (
            step(json!({"type": "column_order", "columns": [{"name": "price", "asc": true}]})),
            "query.retrieve.0.columns.0.asc",
            "unknown_field",
        ),
        (
            step(json!({"type": "column_order", "columns": [{"name": "price"}], "limit": 10001})),
            "query.retrieve.0.limit",
            "out_of_range",
        ),
        (
            step(json!({"type": "column_order", "columns": [{"name": "price"}], "where": "price <"})),
            "query.retrieve.0.where",
            "expression_syntax",
        ),
        (
            step(json!({"type": "column_order", "columns": [{"name": "price"}], "where": "age < 3"})),
            "query.retrieve.0.where",
            "expression_unknown_name",
        ),
        (
            step(json!({"type": "text_search", "mode": {"type": "lexical"}})),
            "query.retrieve.0.input_text_query",
            "missing",
        ),
        (
            step(json!({"type": "text_search", "input_text_query": "x"})),
            "query.retrieve.0.mode",
            "missing",
        ),
        (
            search(json!({"type": "hybrid"})),
            "query.retrieve.0.mode.type",
            "unknown_value",
        ),
        (
            search(json!({"type": "lexical", "fuzziness_edit_distance": 3})),
            "query.retrieve.0.mode.fuzziness_edit_distance",
            "out_of_range",
        ),
        (
            search(json!({"type": "vector"})),
            "query.retrieve.0.mode.text_embedding_ref",
            "missing",
        ),
        (
            search(json!({"type": "vector", "text_embedding_ref": "factors"})),
            "query.retrieve.0.mode.text_embedding_ref",
            "wrong_embedding",
        ),
        (
            similar(json!({})),
            "query.retrieve.0.query_encoder.type",
            "missing",
        ),
        (
            similar(json!({"type": "precomputed_user"})),
            "query.retrieve.0.query_encoder.input_user_id",
            "missing",
        ),
        (
            similar(json!({"type": "precomputed_user", "input_user_id": 1.5})),
            "query.retrieve.0.query_encoder.input_user_id",
            "wrong_type",
        ),
        (
            similar(json!({"type": "interaction_pooling", "input_user_id": "a", "truncate_interactions": 0})),
            "query.retrieve.0.query_encoder.truncate_interactions",
            "out_of_range",
        ),
        (
            similar(json!({"type": "interaction_pooling", "input_user_id": "a", "pooling_function": "sum"})),
            "query.retrieve.0.query_encoder.pooling_function",
            "unknown_value",
        ),
        (
            similar(json!({"type": "user_attribute_pooling"})),
            "query.retrieve.0.query_encoder.input_user_id",
            "missing",
        ),
        (
            similar(
                json!({"type": "user_attribute_pooling", "input_user_id": "a", "input_user_features": {}}),
            ),
            "query.retrieve.0.query_encoder.input_user_features",
            "not_both",
        ),
        (
            similar(json!({"type": "user_attribute_pooling", "input_user_features": {"age": "old"}})),
            "query.retrieve.0.query_encoder.input_user_features.age",
            "wrong_type",
        ),
        (
            with("filter", json!([{"type": "prebuilt"}])),
            "query.filter.0.filter_ref",
            "missing",
        ),
        (
            with("filter", json!([{"type": "prebuilt", "filter_ref": "seen"}])),
            "query.filter.0.filter_ref",
            "unknown_filter",
        ),
        (
            with("filter", json!([{"type": "expression", "expression": " "}])),
            "query.filter.0.expression",
            "empty",
        ),
        (
            with(
                "filter",
                json!([{"type": "expression", "expression": "price = 'x'"}]),
            ),
            "query.filter.0.expression",
            "expression_wrong_type",
        ),
        (
            with("filter", json!([{"type": "truncate", "max_length": -1}])),
            "query.filter.0.max_length",
            "out_of_range",
        ),
        (
            with("score", json!({"type": "score_ensemble"})),
            "query.score.value_model",
            "missing",
        ),
        (
            with("score", json!({"type": "passthrough", "value_model": "1"})),
            "query.score.value_model",
            "unknown_field",
        ),
        (
            score("ctrr"),
            "query.score.value_model",
            "expression_unknown_name",
        ),
        (score("1 +"), "query.score.value_model", "expression_syntax"),
        (
            score("retrieval.get_rank('new')"),
            "query.score.value_model",
            "expression_unknown_name",
        ),
        (
            with(
                "score",
                json!({"type": "score_ensemble", "value_model": "ctr", "input_user_features": {"age": "old"}}),
            ),
            "query.score.input_user_features.age",
            "wrong_type",
        ),
        (
            with("reorder", json!([{"type": "boosted", "strength": 1.1}])),
            "query.reorder.0.strength",
            "out_of_range",
        ),
        (
            with(
                "reorder",
                json!([{"type": "diversity", "diversity_attributes": ["colour"]}]),
            ),
            "query.reorder.0.diversity_attributes.0",
            "unknown_column",
        ),
        (
            with(
                "reorder",
                json!([{"type": "diversity", "diversity_attributes": ["price"]}]),
            ),
            "query.reorder.0.diversity_attributes.0",
            "wrong_type",
        ),
        (
            with(
                "reorder",
                json!([{"type": "diversity", "text_encoding_embedding_ref": "none"}]),
            ),
            "query.reorder.0.text_encoding_embedding_ref",
            "unknown_embedding",
        ),
        (json!({"type": "rerank_items"}), "query.retrieve", "missing"),
        (
            json!({"type": "rerank_items", "retrieve": [{"type": "candidate_ids"}]}),
            "query.retrieve.0.item_ids",
            "missing",
        ),
        (
            json!({"type": "rerank_items", "retrieve": [{"type": "candidate_ids", "item_ids": [["a"]]}]}),
            "query.retrieve.0.item_ids.0",
            "wrong_type",
        ),
        (
            json!({"type": "rerank_items_by_attributes", "retrieve": [{"type": "candidate_attributes", "item_attributes": [{"price": 1}, {"price": "dear"}]}]}),
            "query.retrieve.0.item_attributes.1.price",
            "wrong_type",
        ),
        (
            json!({"type": "rank_attributes"}),
            "query.input_attribute",
            "missing",
        ),
        (
            json!({"type": "rank_attributes", "input_attribute": "price"}),
            "query.input_attribute",
            "wrong_type",
        ),
        (
            json!({"type": "rank_attributes", "input_attribute": "tags", "retrieve": []}),
            "query.retrieve",
            "unknown_field",
        ),
        (
            json!({"type": "rank_users", "retrieve": [{"type": "column_order", "columns": [{"name": "age"}]}], "filter": [{"type": "prebuilt", "filter_ref": "sold_out"}]}),
            "query.filter.0.filter_ref",
            "wrong_type",
        ),
        (
            json!({"type": "rank_users", "retrieve": [{"type": "similarity", "embedding_ref": "words", "query_encoder": {"type": "precomputed_user", "input_user_id": "a"}}]}),
            "query.retrieve.0.embedding_ref",
            "wrong_embedding",
        ),
    ] {
        let (found, found_kind, message) = wrong(&query, &json!({}));
        assert_eq!((found.as_str(), found_kind), (place, kind), "{query}: {message}");
    }
}

#[test]
fn near_names_are_proposed() {
    for (query, proposed) in [
        (with("columns", json!(["prise"])), "price"),
        (with("limits", json!(3)), "limit"),
        (json!({"type": "rank_itmes"}), "rank_items"),
        (
            with("filter", json!([{"type": "prebuilt", "filter_ref": "sold_aut"}])),
            "sold_out",
        ),
        (score("crt"), "ctr"),
    ] {
        let (_, _, message) = wrong(&query, &json!({}));
        assert!(
            message.contains(&format!("did you mean '{proposed}'")),
            "{message}"
        );
    }
}

#[test]
fn all_wrong_fields_are_listed_at_once() {
    let query =
        json!({"type": "rank_items", "retrieve": [{"type": "column_order"}], "limit": 0, "colums": []});
    let Err(Failure::Invalid(violations)) = asked(&shop(), &query, &json!({}), &[]) else {
        panic!("three fields are wrong");
    };
    let places: Vec<String> = violations.iter().map(place).collect();
    assert_eq!(
        places,
        ["query.limit", "query.retrieve.0.columns", "query.colums"]
    );
}

#[test]
fn names_of_steps_are_theirs_alone() {
    let order = json!({"type": "column_order", "name": "a", "columns": [{"name": "price"}]});
    let (found, kind, _) = wrong(&with("retrieve", json!([order, order])), &json!({}));
    assert_eq!((found.as_str(), kind), ("query.retrieve", "repeated"));
    // Without names they are numbered.
    let order = json!({"type": "column_order", "columns": [{"name": "price"}]});
    let mut query = with("retrieve", json!([order, order]));
    query["score"] =
        json!({"type": "score_ensemble", "value_model": "retrieval.get_score('column_order_2')"});
    assert_eq!(
        asked(&shop(), &query, &json!({}), &[]).unwrap().results[0].score,
        1.0
    );
}

#[test]
fn parameters_stand_for_whole_values() {
    let query = json!({
        "type": "rank_items", "limit": "$param.count",
        "retrieve": [{"type": "column_order", "columns": "$param.columns", "limit": "$param.reach"}],
        "filter": [{"type": "expression", "expression": "price < $param.most"}],
        "columns": "$param.shown",
    });
    // Lists of objects are no values of parameters.
    let given =
        json!({"count": 2, "columns": [{"name": "price"}], "reach": 3, "most": 5, "shown": ["price"]});
    let (found, kind, _) = wrong(&query, &given);
    assert_eq!((found.as_str(), kind), ("parameters.columns", "wrong_parameter"));
    let mut query = query;
    query["retrieve"][0]["columns"] = json!([{"name": "$param.column"}]);
    let mut given = given;
    given["columns"].take();
    given.as_object_mut().unwrap().remove("columns");
    given["column"] = json!("price");
    let answer = asked(&shop(), &query, &given, &[]).unwrap();
    assert_eq!(ids(&answer), ["latte", "black"]);
    assert_eq!(answer.results[0].metadata.as_ref().unwrap().len(), 1);
    assert_eq!(
        answer.explanation.unwrap().parameters,
        *given.as_object().unwrap()
    );
    for (name, value, kind) in [
        ("count", json!("two"), "wrong_type"),
        ("reach", json!(0), "out_of_range"),
        ("column", json!("prise"), "unknown_column"),
        ("shown", json!(["price", "prise"]), "unknown_column"),
        ("other", json!(1), "unknown_parameter"),
    ] {
        let mut wrongly = given.clone();
        wrongly[name] = value;
        let (found, found_kind, message) = wrong(&query, &wrongly);
        let expected = format!("parameters.{name}");
        assert!(found.starts_with(&expected), "{found} for {name}: {message}");
        assert_eq!(found_kind, kind, "{message}");
    }
    let mut short = given.clone();
    short.as_object_mut().unwrap().remove("reach");
    let (found, kind, _) = wrong(&query, &short);
    assert_eq!((found.as_str(), kind), ("parameters.reach", "missing_parameter"));
}

#[test]
fn parameters_are_found_in_fields_and_in_expressions() {
    let query = json!({
        "type": "rank_items", "limit": "$param.count",
        "retrieve": [{"type": "column_order", "columns": [{"name": "price"}], "where": "price > $param.least"}],
        "filter": [{"type": "expression", "expression": "price < $param.most"}],
        "score": {"type": "score_ensemble", "value_model": "$param.weight * ctr"},
    });
    assert_eq!(used_in(&query), ["count", "least", "most", "weight"]);
    // Also where the rest is wrong.
    let mut broken = query;
    broken["type"] = json!("?");
    let mut found = used_in(&broken);
    found.sort_unstable();
    assert_eq!(found, ["count", "least", "most", "weight"]);
}

/// What is wrong with a query that is to be saved.
fn saved(query: &Value, params: &Value) -> Vec<(String, &'static str)> {
    let params: Params = params
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, value)| (name.clone(), value.get("default").cloned()))
        .collect();
    check_saved(query, &params, &Names::of(&shop()))
        .iter()
        .map(|violation| (place(violation), violation.kind))
        .collect()
}

#[test]
fn saved_queries_are_checked_as_far_as_their_parameters_allow() {
    let query = json!({
        "type": "rank_items", "limit": "$param.count", "columns": "$param.shown", "embeddings": ["$param.embedding"],
        "retrieve": [
            {"type": "column_order", "columns": [{"name": "$param.column"}], "limit": "$param.reach", "where": "$param.where"},
            {"type": "similarity", "embedding_ref": "$param.embedding", "query_encoder": {"type": "precomputed_user", "input_user_id": "$param.uid"}},
            {"type": "text_search", "input_text_query": "$param.q", "mode": {"type": "lexical", "fuzziness_edit_distance": "$param.edits"}},
        ],
        "filter": [
            {"type": "prebuilt", "filter_ref": "$param.filter", "input_user_id": "$param.uid"},
            {"type": "expression", "expression": "price < $param.most AND brand IN $param.brands"},
        ],
        "score": {"type": "score_ensemble", "value_model": "$param.weight * ctr", "input_user_features": "$param.features"},
        "reorder": [{"type": "diversity", "strength": "$param.strength", "diversity_attributes": "$param.attributes"}],
    });
    let names = [
        "count",
        "shown",
        "embedding",
        "column",
        "reach",
        "where",
        "uid",
        "q",
        "edits",
        "filter",
        "most",
        "brands",
        "weight",
        "features",
        "strength",
        "attributes",
    ];
    let all = |default: Value| -> Value {
        names
            .iter()
            .map(|name| ((*name).to_owned(), default.clone()))
            .collect()
    };
    assert_eq!(saved(&query, &all(json!({}))), []);
    assert_eq!(saved(&query, &json!({}))[0].1, "missing_parameter");

    let feed = |user: Value| {
        json!({
            "type": "rank_items", "limit": "$param.count",
            "retrieve": [{"type": "similarity", "embedding_ref": "factors", "query_encoder": {"type": "precomputed_user", "input_user_id": user}}],
        })
    };
    assert_eq!(
        saved(
            &feed(json!("$param.uid")),
            &json!({"uid": {"default": null}, "count": {"default": 5}})
        ),
        []
    );
    // Defaults are values: they are checked.
    assert_eq!(
        saved(
            &feed(json!("$param.uid")),
            &json!({"uid": {}, "count": {"default": "five"}})
        ),
        [("limit".to_owned(), "wrong_type")]
    );
    assert_eq!(
        saved(&feed(json!("$param.user")), &json!({"uid": {}, "count": {}})),
        [(
            "retrieve.0.query_encoder.input_user_id".to_owned(),
            "missing_parameter"
        )]
    );
    for (value_model, expected) in [
        ("$param.weight * ctr", vec![]),
        (
            "$param.weight * crt",
            vec![("score.value_model".to_owned(), "expression_unknown_name")],
        ),
        (
            "$param.wait * ctr",
            vec![("score.value_model".to_owned(), "missing_parameter")],
        ),
        ("1 if item.brand in $param.weight else 0", vec![]),
        ("1 +", vec![("score.value_model".to_owned(), "expression_syntax")]),
    ] {
        assert_eq!(
            saved(&score(value_model), &json!({"weight": {}})),
            expected,
            "{value_model}"
        );
    }
    assert_eq!(
        saved(&with("type", json!("$param.kind")), &json!({"kind": {}})),
        [("type".to_owned(), "wrong_parameter")]
    );
    assert_eq!(
        saved(&with("columns", json!(["prise"])), &json!({})),
        [("columns.0".to_owned(), "unknown_column")]
    );
}

/// A query with something of everything.
fn rich() -> Value {
    json!({
        "type": "rank_items", "limit": 4, "columns": ["price", "brand"], "embeddings": ["factors"],
        "retrieve": [
            {"type": "item_column_order", "name": "new", "columns": [{"name": "created_at", "ascending": false, "nulls_first": true}], "where": "price > $param.least", "limit": 3},
            {"type": "item_similarity", "name": "cf", "embedding_ref": "factors", "query_encoder": {"type": "interaction_round_robin", "input_user_id": "zoe", "num_clusters": 2}},
            {"type": "text_search", "input_text_query": "hot", "mode": {"type": "vector", "text_embedding_ref": "words"}},
            {"type": "text_search", "input_text_query": "ice", "mode": {"type": "lexical", "fuzziness_edit_distance": 2}},
            {"type": "similarity", "embedding_ref": "factors", "query_encoder": {"type": "user_attribute_pooling", "input_user_features": {"country": "uk"}}},
        ],
        "filter": [
            {"type": "prebuilt", "filter_ref": "already_seen", "input_user_id": "ann"},
            {"type": "expression", "expression": "note.origin.country IS NULL OR price < 10"},
            {"type": "truncate", "max_length": 4},
        ],
        "score": {
            "type": "score_ensemble", "value_model": "ctr + retrieval.get_score('cf') / (1 + retrieval.get_rank('new')) + both",
            "input_user_id": "ann", "input_user_features": {"age": 3}, "input_interactions_item_ids": ["ice"],
        },
        "reorder": [
            {"type": "exploration", "strength": 0.3},
            {"type": "boosted", "strength": 0.5},
            {"type": "diversity", "diversity_attributes": ["brand", "tags"], "diversity_lookback_window": 3, "diversity_lookforward_window": 3},
        ],
    })
}

/// Every place in a document.
fn pointers(value: &Value, at: String, all: &mut Vec<String>) {
    all.push(at.clone());
    match value {
        Value::Array(entries) => {
            for (index, entry) in entries.iter().enumerate() {
                pointers(entry, format!("{at}/{index}"), all);
            }
        }
        Value::Object(entries) => {
            for (key, entry) in entries {
                pointers(entry, format!("{at}/{key}"), all);
            }
        }
        _ => {}
    }
}

fn anything() -> impl Strategy<Value = Value> {
    let words = [
        "",
        "ann",
        "price",
        "tags",
        "note",
        "factors",
        "words",
        "new",
        "$param.x",
        "$param.",
        "item_id",
        "rank_users",
        "rerank_items",
        "column_order",
        "similarity",
        "precomputed_item",
        "1",
        "price < 3",
        "user.age",
        "ctr",
        "mean",
        "boost",
        "retrieval.get_rank('cf')",
        "item.note.origin.country = 'in'",
        "\u{0}\u{1F600}",
    ];
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        prop::sample::select(vec![-1i64, 0, 1, 2, 3, 1000, 1001, i64::MAX, i64::MIN]).prop_map(Value::from),
        prop::sample::select(vec![0.5, 1.0, -0.1, 1e300]).prop_map(Value::from),
        prop::sample::select(words.to_vec()).prop_map(Value::from),
        Just(json!([])),
        Just(json!({})),
        Just(json!([{}])),
        Just(json!(["brand", 3, null])),
        Just(json!([{"type": "candidate_ids", "item_ids": ["ice", "new one"]}])),
        Just(json!({"type": "precomputed_item", "input_item_id": "ice"})),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever stands in a query, it is answered or refused with a place.
    #[test]
    fn no_query_is_our_fault(changes in prop::collection::vec((any::<prop::sample::Index>(), anything(), any::<bool>()), 1..4)) {
        let shop = shop();
        let mut query = rich();
        for (place, value, remove) in changes {
            let mut all = Vec::new();
            pointers(&query, String::new(), &mut all);
            let at = all[place.index(all.len())].clone();
            if remove && let Some((parent, key)) = at.rsplit_once('/') {
                match query.pointer_mut(parent) {
                    Some(Value::Object(entries)) => drop(entries.remove(key)),
                    Some(Value::Array(entries)) => drop(key.parse::<usize>().map(|index| entries.remove(index))),
                    _ => {}
                }
            } else if let Some(slot) = query.pointer_mut(&at) {
                *slot = value;
            }
        }
        let used: serde_json::Map<String, Value> = used_in(&query).into_iter().map(|name| (name, json!(2))).collect();
        match asked(&shop, &query, &Value::Object(used), &[]) {
            Ok(answer) => {
                prop_assert!(answer.results.iter().all(|row| row.score.is_finite()));
                prop_assert!(answer.results.len() <= 1000);
            }
            Err(Failure::Invalid(violations)) => {
                prop_assert!(!violations.is_empty());
                for violation in violations {
                    let place = place(&violation);
                    prop_assert!(place.starts_with("query") || place.starts_with("parameters"), "{}", place);
                    prop_assert!(!violation.message.is_empty());
                }
            }
            Err(other) => prop_assert!(false, "{:?}", other),
        }
        // And as a draft.
        check_saved(&query, &Params::new(), &Names::of(&shop));
    }
}

#[test]
fn the_rich_query_is_answered() {
    let answer = asked(&shop(), &rich(), &json!({"least": 1}), &[]).unwrap();
    assert!(!answer.results.is_empty());
}
