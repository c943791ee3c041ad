#![allow(
    clippy::approx_constant,
    reason = "cosines of half a right angle, rounded as all scores are"
)]

use serde_json::{Value, json};

use super::shop::{Shop, shop};
use super::{answer, asked, everything, ids, scored};
use crate::service::query::explain::Explanation;

/// The ids that one retrieve step finds.
#[track_caller]
fn found(shop: &Shop, step: Value) -> Vec<String> {
    let answer = answer(shop, json!({"type": "rank_items", "retrieve": [step]}));
    answer.results.into_iter().map(|row| row.id).collect()
}

/// What a value model says of all items, best first.
#[track_caller]
fn worth(shop: &Shop, value_model: &str, extra: Value) -> Vec<(String, f64)> {
    let mut score = json!({"type": "score_ensemble", "value_model": value_model});
    for (name, value) in extra.as_object().unwrap() {
        score[name] = value.clone();
    }
    let answer = answer(
        shop,
        json!({"type": "rank_items", "retrieve": everything(), "score": score}),
    );
    let owned = scored(&answer).into_iter();
    owned.map(|(id, score)| (id.to_owned(), score)).collect()
}

fn pairs(expected: &[(&str, f64)]) -> Vec<(String, f64)> {
    expected
        .iter()
        .map(|(id, score)| ((*id).to_owned(), *score))
        .collect()
}

/// What a similarity step with an encoder finds.
#[track_caller]
fn similar(shop: &Shop, embedding: &str, encoder: Value) -> Vec<(String, f64)> {
    let step = json!({"type": "item_similarity", "embedding_ref": embedding, "query_encoder": encoder});
    let answer = answer(shop, json!({"type": "rank_items", "retrieve": [step]}));
    let owned = scored(&answer).into_iter();
    owned.map(|(id, score)| (id.to_owned(), score)).collect()
}

fn explained(answer: super::Answer) -> Explanation {
    answer.explanation.expect("it was asked for")
}

#[test]
fn columns_order_with_nulls_ties_conditions_and_limits() {
    let shop = shop();
    let by = |column: Value| {
        let step = json!({"type": "column_order", "columns": [column]});
        found(&shop, step)
    };
    // Equal prices stay in the order of the ids.
    assert_eq!(
        by(json!({"name": "price", "ascending": false})),
        ["green", "mate", "black", "latte", "ice"]
    );
    assert_eq!(
        by(json!({"name": "price", "nulls_first": true})),
        ["ice", "latte", "black", "green", "mate"]
    );
    let two = json!([{"name": "price", "ascending": false}, {"name": "item_id", "ascending": false}]);
    let step = json!({"type": "item_column_order", "columns": two, "where": "price >= 4", "limit": 2});
    assert_eq!(found(&shop, step), ["mate", "green"]);
    let newest = json!({"type": "item_column_order", "columns": [{"name": "_derived_chronological_rank"}], "limit": 1});
    assert_eq!(found(&shop, newest), ["mate"]);
}

#[test]
fn steps_are_united_and_each_keeps_its_ranks() {
    let shop = shop();
    let retrieve = json!([
        {"type": "item_column_order", "name": "new", "columns": [{"name": "created_at", "ascending": false}], "limit": 2},
        {"type": "item_column_order", "name": "cheap", "columns": [{"name": "price"}], "limit": 2},
    ]);
    let passed = answer(
        &shop,
        json!({"type": "rank_items", "retrieve": retrieve, "score": {"type": "passthrough"}}),
    );
    assert_eq!(scored(&passed), [("mate", 1.0), ("latte", 0.5), ("black", 0.5)]);
    let explanation = explained(passed);
    let stage = &explanation.retrieve_stage;
    assert_eq!((stage.input_count, stage.output_count), (5, 3));
    assert_eq!(
        stage.steps[1].metadata["results"],
        json!([{"id": "latte", "score": 1.0, "rank": 1}, {"id": "black", "score": 0.5, "rank": 2}])
    );
    let names: Vec<&str> = stage.steps.iter().map(|step| step.step_name.as_str()).collect();
    assert_eq!(names, ["new", "cheap"]);
    assert_eq!(
        (stage.steps[0].retrieved_count, stage.steps[0].limit),
        (Some(2), Some(2))
    );

    // Latte: rank 2 and score 1; mate: rank 1; black: score 1/2, and no rank, which is as good as the last.
    let value = "1 / (1 + retrieval.get_rank('new')) + retrieval.get_score('cheap')";
    let score = json!({"type": "score_ensemble", "value_model": value});
    let ranked = answer(
        &shop,
        json!({"type": "rank_items", "retrieve": retrieve, "score": score}),
    );
    assert_eq!(
        scored(&ranked),
        [("latte", 1.3333), ("mate", 0.5), ("black", 0.5)]
    );
}

#[test]
fn texts_are_searched_by_words_and_by_meaning() {
    let shop = shop();
    let lexical = |text: &str, mode: Value| {
        found(
            &shop,
            json!({"type": "item_text_search", "input_text_query": text, "mode": mode}),
        )
    };
    assert_eq!(lexical("ice", json!({"type": "lexical"})), ["ice"]);
    assert_eq!(lexical("ixe", json!({"type": "lexical"})), ["ice"]);
    assert!(lexical("ixe", json!({"type": "lexical", "fuzziness_edit_distance": 0})).is_empty());
    let vector = json!({"type": "vector", "text_embedding_ref": "words"});
    assert_eq!(
        lexical("hot hot", vector.clone()),
        ["black", "green", "latte", "ice"]
    );
    assert!(lexical("lukewarm", vector.clone()).is_empty());
    let step = json!({"type": "text_search", "input_text_query": "hot", "mode": vector, "where": "price > 3", "limit": 1});
    assert_eq!(found(&shop, step), ["black"]);
}

#[test]
fn a_filter_of_a_text_search_does_not_shorten_it() {
    let shop = shop();
    // Every id is one letter away from one letter.
    let step = json!({
        "type": "text_search", "input_text_query": "x", "mode": {"type": "lexical"}, "where": "item_id >= 'latte'", "limit": 2
    });
    assert_eq!(found(&shop, step), ["latte", "mate"]);
}

#[test]
fn users_and_items_are_compared_by_their_vectors() {
    let shop = shop();
    let user = |id: Value| {
        similar(
            &shop,
            "factors",
            json!({"type": "precomputed_user", "input_user_id": id}),
        )
    };
    // A user of a factor policy: the inner product is the score.
    let all = pairs(&[
        ("black", 2.0),
        ("green", 1.0),
        ("latte", 1.0),
        ("ice", 0.0),
        ("mate", 0.0),
    ]);
    assert_eq!(user(json!("ann")), all);
    assert!(user(json!("nobody")).is_empty());
    assert!(user(Value::Null).is_empty());
    // An item: the cosine, without the item itself and without those that have no vector.
    let likes = similar(
        &shop,
        "factors",
        json!({"type": "precomputed_item", "input_item_id": "black"}),
    );
    assert_eq!(likes, pairs(&[("green", 1.0), ("latte", 0.7071), ("ice", 0.0)]));
}

#[test]
fn interactions_are_pooled_or_grouped() {
    let shop = shop();
    let pooled = |encoder: Value| similar(&shop, "factors", encoder);
    let mean = json!({"type": "interaction_pooling", "input_user_id": "zoe"});
    // Black (0, 2) and ice (1, 0): (1/2, 1).
    assert_eq!(
        pooled(mean),
        pairs(&[
            ("latte", 0.9487),
            ("black", 0.8944),
            ("green", 0.8944),
            ("ice", 0.4472)
        ])
    );
    let newest = json!({"type": "interaction_pooling", "input_user_id": "zoe", "truncate_interactions": 1});
    assert_eq!(
        pooled(newest),
        pairs(&[("ice", 1.0), ("latte", 0.7071), ("black", 0.0), ("green", 0.0)])
    );
    let most = json!({"type": "interaction_pooling", "input_user_id": "zoe", "pooling_function": "max"});
    // (1, 2).
    assert_eq!(pooled(most)[0], ("latte".to_owned(), 0.9487));
    // Two tastes: the newest one's best, then the other's, in turn.
    let groups = json!({"type": "interaction_round_robin", "input_user_id": "zoe", "num_clusters": 2});
    assert_eq!(
        pooled(groups),
        pairs(&[("ice", 1.0), ("black", 1.0), ("latte", 0.7071), ("green", 1.0)])
    );
    for encoder in ["interaction_pooling", "interaction_round_robin"] {
        assert!(pooled(json!({"type": encoder, "input_user_id": null})).is_empty());
        assert!(pooled(json!({"type": encoder, "input_user_id": "eve"})).is_empty());
    }
}

#[test]
fn attributes_become_vectors() {
    let shop = shop();
    let user = |rest: Value| {
        let mut encoder = rest;
        encoder["type"] = json!("user_attribute_pooling");
        similar(&shop, "factors", encoder)
    };
    // Ann (0, 1) and bob (1, 0) are of the uk: (1/2, 1/2).
    let of_uk = pairs(&[
        ("black", 1.0),
        ("latte", 1.0),
        ("green", 0.5),
        ("ice", 0.5),
        ("mate", 0.0),
    ]);
    assert_eq!(user(json!({"input_user_features": {"country": "uk"}})), of_uk);
    // Eve is the most like herself: (3, 3).
    assert_eq!(
        user(json!({"input_user_id": "eve"}))[0],
        ("black".to_owned(), 6.0)
    );
    assert!(user(json!({"input_user_features": {"country": "nl"}})).is_empty());
    let item = |embedding: &str, rest: Value| {
        let mut encoder = rest;
        encoder["type"] = json!("item_attribute_pooling");
        similar(&shop, embedding, encoder)
    };
    // Ice and mate are cold, and mate has no vector.
    let cold = item(
        "factors",
        json!({"input_item_features": {"tags": ["cold", "new"]}}),
    );
    assert_eq!(cold[..2], pairs(&[("ice", 1.0), ("latte", 0.7071)]));
    // An embedding of texts reads the texts.
    let hot = item("words", json!({"input_item_features": {"brand": "hot"}}));
    assert_eq!(
        hot[..3],
        pairs(&[("black", 1.0), ("green", 1.0), ("latte", 0.7071)])
    );
    let known = item("factors", json!({"input_item_id": "black"}));
    assert!(known.iter().all(|(id, _)| id != "black"), "{known:?}");
}

#[test]
fn filters_leave_out_in_their_order() {
    let shop = shop();
    let left = |filter: Value, parameters: Value| {
        let query = json!({"type": "rank_items", "retrieve": everything(), "filter": filter});
        let answer = asked(&shop, &query, &parameters, &[]).unwrap();
        answer.results.into_iter().map(|row| row.id).collect::<Vec<_>>()
    };
    let none = json!({});
    let seen = json!([{"type": "prebuilt", "filter_ref": "already_seen", "input_user_id": "$param.uid"}]);
    assert_eq!(
        left(seen.clone(), json!({"uid": "ann"})),
        ["ice", "latte", "mate"]
    );
    assert_eq!(left(seen, json!({"uid": "nobody"})).len(), 5);
    let sold_out = json!([{"type": "prebuilt", "filter_ref": "sold_out"}]);
    assert_eq!(left(sold_out, none.clone()), ["black", "green", "ice", "mate"]);
    let cheap = json!([{"type": "expression", "expression": "item.price < $param.most"}]);
    assert_eq!(left(cheap, json!({"most": 5})), ["black", "latte"]);
    let first = json!([{"type": "truncate", "max_length": 3}, {"type": "expression", "expression": "price IS NOT NULL"}]);
    assert_eq!(left(first, none.clone()), ["black", "green"]);
    let inside = json!([{"type": "expression", "expression": "item.note.origin.country = 'jp'"}]);
    assert_eq!(left(inside, none.clone()), ["green"]);
    // None of those that are left has the key: it is not unknown for that.
    let neither = json!([
        {"type": "expression", "expression": "item_id = 'mate'"},
        {"type": "expression", "expression": "note.origin.country = 'jp'"},
    ]);
    assert!(left(neither, none).is_empty());
}

#[test]
fn filters_say_what_they_did() {
    let shop = shop();
    let filter = json!([
        {"type": "prebuilt", "filter_ref": "already_seen"},
        {"type": "expression", "expression": "price >= 4", "name": "dear"},
        {"type": "truncate", "max_length": 2},
    ]);
    let query = json!({"type": "rank_items", "retrieve": everything(), "filter": filter});
    let explanation = explained(answer(&shop, query));
    let stage = &explanation.filter_stage;
    assert_eq!((stage.input_count, stage.output_count), (5, 2));
    let steps: Vec<_> = stage
        .steps
        .iter()
        .map(|step| {
            (
                step.step_name.as_str(),
                step.filter_type.as_deref(),
                step.items_filtered,
            )
        })
        .collect();
    assert_eq!(
        steps,
        [
            ("prebuilt", Some("prebuilt"), Some(0)),
            ("dear", Some("expression"), Some(2)),
            ("truncate", Some("truncate"), Some(1)),
        ]
    );
    assert!(
        stage.steps[0].metadata["note"]
            .as_str()
            .unwrap()
            .contains("input_user_id")
    );
    assert_eq!(stage.steps[1].expression.as_deref(), Some("price >= 4"));
}

#[test]
fn value_models_read_policies_columns_and_users() {
    let shop = shop();
    let none = || json!({});
    assert_eq!(
        worth(&shop, "0.5 * ctr + 0.1 * cvr", none()),
        pairs(&[
            ("black", 0.55),
            ("green", 0.5),
            ("ice", 0.45),
            ("latte", 0.4),
            ("mate", 0.1)
        ])
    );
    // The policies here count interactions: ann has two, and one more of the session.
    let ann = json!({"input_user_id": "ann", "input_interactions_item_ids": ["ice", "unheard of"]});
    assert_eq!(worth(&shop, "cvr", ann)[0], ("black".to_owned(), 8.0));
    let age = "(now_seconds() - item.created_at) / 86400";
    assert_eq!(worth(&shop, age, none())[0], ("black".to_owned(), 10.0));
    let country = "item._derived_popular_rank if user.country == 'uk' else 0";
    assert_eq!(
        worth(&shop, country, json!({"input_user_id": "ann"}))[0],
        ("ice".to_owned(), 5.0)
    );
    assert_eq!(worth(&shop, country, json!({"input_user_id": "eve"}))[0].1, 0.0);
    let moved = json!({"input_user_id": "eve", "input_user_features": {"country": "uk"}});
    assert_eq!(worth(&shop, country, moved)[0].1, 5.0);
    let seen = "1 if item.item_id in user.recent_interactions else 0";
    assert_eq!(
        worth(&shop, seen, json!({"input_user_id": "ann"}))[..3],
        pairs(&[("black", 1.0), ("green", 1.0), ("ice", 0.0)])
    );
    // An ensemble of the model stands for its value model.
    assert_eq!(worth(&shop, "both", none())[0], ("black".to_owned(), 50.1));
}

#[test]
fn value_models_compare_vectors() {
    let shop = shop();
    let ann = json!({"input_user_id": "ann"});
    let item = "text_encoding(item, embedding_ref='factors')";
    // Ann took green (0, 1) and black (0, 2).
    let recent = "pooled_text_encoding(user.recent_interactions, pool_fn='mean', embedding_ref='factors')";
    let expected = pairs(&[
        ("black", 1.0),
        ("green", 1.0),
        ("latte", 0.7071),
        ("ice", 0.0),
        ("mate", 0.0),
    ]);
    assert_eq!(
        worth(
            &shop,
            &format!("cosine_similarity({item}, {recent})"),
            ann.clone()
        ),
        expected
    );
    let user = "text_encoding(user, embedding_ref='factors')";
    assert_eq!(
        worth(&shop, &format!("cosine_similarity({item}, {user})"), ann),
        expected
    );
    // Black goes with latte, ice with black and green.
    let others = "pooled_text_encoding(item.goes_with, embedding_ref='factors')";
    assert_eq!(
        worth(&shop, &format!("cosine_similarity({item}, {others})"), json!({}))[..2],
        pairs(&[("black", 0.7071), ("green", 0.0)])
    );
}

#[test]
fn scores_are_explained() {
    let shop = shop();
    let score = json!({"type": "score_ensemble", "value_model": "ctr + 0 * cvr", "input_user_id": "bob"});
    let query = json!({"type": "rank_items", "retrieve": everything(), "score": score, "limit": 2});
    let answer = answer(&shop, query);
    assert_eq!(scored(&answer), [("latte", 1.4), ("ice", 1.3)]);
    let explanation = explained(answer);
    assert!(
        explanation.warnings[0].contains("ctr"),
        "{:?}",
        explanation.warnings
    );
    let step = &explanation.score_stage.steps[0];
    assert_eq!(step.value_model.as_deref(), Some("ctr + 0 * cvr"));
    assert_eq!(step.user_interaction_count, Some(1));
    let policies = step.policy_scores.as_ref().unwrap();
    assert_eq!((policies["ctr"].count, policies["cvr"].count), (4, 5));
    assert_eq!(policies["cvr"].mean, Some(4.0));
    let values = step.score_distribution.unwrap();
    assert_eq!((values.count, values.min), (5, Some(0.0)));
    assert_eq!(
        (explanation.final_result_count, explanation.limit_applied),
        (2, 2)
    );
    assert_eq!(explanation.query_type, "rank_items");
}

#[test]
fn lists_are_mixed() {
    let shop = shop();
    let mixed = |reorder: Value, limit: usize| {
        let score = json!({"type": "score_ensemble", "value_model": "cvr"});
        let query = json!({"type": "rank_items", "retrieve": everything(), "score": score, "reorder": reorder, "limit": limit});
        let answer = answer(&shop, query);
        ids(&answer).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    // Black (aa, 1), then ice (bb, 1/2) before green (aa, 3/4); mate has no brand and is like nobody.
    let by_brand = json!([{"type": "diversity", "diversity_attributes": ["brand"]}]);
    assert_eq!(mixed(by_brand, 5), ["black", "ice", "mate", "green", "latte"]);
    // The same by vectors: green is like black, latte like both.
    let by_vector = json!([{"type": "diversity", "text_encoding_embedding_ref": "words"}]);
    assert_eq!(mixed(by_vector, 5), ["black", "ice", "mate", "green", "latte"]);
    let by_default = json!([{"type": "diversity"}]);
    assert_eq!(mixed(by_default, 5), ["black", "ice", "mate", "green", "latte"]);
    let off = json!([{"type": "diversity", "strength": 0}]);
    assert_eq!(mixed(off, 3), ["black", "green", "ice"]);
    assert_eq!(
        mixed(json!([{"type": "boosted", "strength": 1}]), 2),
        ["latte", "black"]
    );
    // With all places to what nobody has seen: 0, 1, 3 interactions.
    assert_eq!(
        mixed(json!([{"type": "exploration", "strength": 1}]), 3),
        ["ice", "mate", "latte"]
    );
    let half = mixed(json!([{"type": "exploration"}]), 4);
    assert!(
        half.contains(&"black".to_owned()) && half.contains(&"ice".to_owned()),
        "{half:?}"
    );
}

#[test]
fn exploration_stays_within_filters_and_conditions() {
    let shop = shop();
    let query = json!({
        "type": "rank_items",
        "retrieve": [{"type": "column_order", "columns": [{"name": "item_id"}], "where": "item_id != 'mate'", "limit": 1}],
        "filter": [{"type": "prebuilt", "filter_ref": "sold_out"}, {"type": "truncate", "max_length": 1}],
        "reorder": [{"type": "exploration", "strength": 1}],
    });
    let answer = answer(&shop, query);
    assert_eq!(ids(&answer), ["ice", "green", "black"]);
    let step = &explained(answer).reorder_stage.steps[0];
    assert_eq!(
        (step.input_count, step.output_count, step.strength),
        (1, 3, Some(1.0))
    );
}

#[test]
fn users_are_ranked_like_items() {
    let shop = shop();
    let users = |body: Value| {
        let mut query = body;
        query["type"] = json!("rank_users");
        let answer = answer(&shop, query);
        assert_eq!(answer.entity_type, "user");
        let owned = scored(&answer).into_iter();
        owned
            .map(|(id, score)| (id.to_owned(), score))
            .collect::<Vec<_>>()
    };
    let by_age = json!([{"type": "user_column_order", "name": "young", "columns": [{"name": "age"}]}]);
    assert_eq!(
        users(json!({"retrieve": by_age})),
        pairs(&[("bob", 1.0), ("eve", 0.5), ("ann", 0.3333)])
    );
    let value = "user.age / 10 + len(user.recent_interactions) + 0 * retrieval.get_rank('young')";
    let score = json!({"type": "score_ensemble", "value_model": value});
    assert_eq!(
        users(
            json!({"retrieve": by_age, "score": score, "filter": [{"type": "expression", "expression": "user.country = 'uk'"}]})
        ),
        pairs(&[("ann", 6.0), ("bob", 3.0)])
    );
    let similar = |encoder: Value| {
        users(
            json!({"retrieve": [{"type": "user_similarity", "embedding_ref": "factors", "query_encoder": encoder}]}),
        )
    };
    // Who would like black (0, 2): the inner product.
    assert_eq!(
        similar(json!({"type": "precomputed_item", "input_item_id": "black"})),
        pairs(&[("eve", 6.0), ("ann", 2.0), ("bob", 0.0)])
    );
    // Who is like ann (0, 1): the cosine, without her.
    assert_eq!(
        similar(json!({"type": "precomputed_user", "input_user_id": "ann"})),
        pairs(&[("eve", 0.7071), ("bob", 0.0)])
    );
    let text = json!([{"type": "text_search", "input_text_query": "eve", "mode": {"type": "lexical"}}]);
    assert_eq!(users(json!({"retrieve": text})), pairs(&[("eve", 1.0)]));
    // Eve has taken nothing, bob one thing.
    let explore = json!([{"type": "exploration", "strength": 1}]);
    assert_eq!(
        users(json!({"retrieve": by_age, "reorder": explore, "limit": 2}))[0].0,
        "eve"
    );
}

#[test]
fn given_items_are_ranked_whether_known_or_not() {
    let shop = shop();
    let retrieve = json!([{"type": "candidate_ids", "item_ids": ["latte", "nope", "black", "latte"]}]);
    let kept = answer(&shop, json!({"type": "rerank_items", "retrieve": retrieve}));
    assert_eq!(ids(&kept), ["latte", "nope", "black"]);
    let score = json!({"type": "score_ensemble", "value_model": "cvr"});
    let ranked = answer(
        &shop,
        json!({"type": "rerank_items", "retrieve": retrieve, "score": score, "embeddings": ["factors"]}),
    );
    assert_eq!(scored(&ranked), [("black", 5.0), ("latte", 2.0), ("nope", 0.0)]);
    let nope = &ranked.results[2];
    assert_eq!(nope.metadata.as_ref().unwrap()["item_id"], "nope");
    assert_eq!(nope.metadata.as_ref().unwrap()["price"], Value::Null);
    assert_eq!(nope.embeddings.as_ref().unwrap()["factors"], None);
    assert_eq!(
        ranked.results[0].embeddings.as_ref().unwrap()["factors"],
        Some(vec![0.0, 2.0])
    );
    let explore = json!([{"type": "exploration", "strength": 1}]);
    let explored = answer(
        &shop,
        json!({"type": "rerank_items", "retrieve": retrieve, "reorder": explore}),
    );
    let mut found = ids(&explored);
    found.sort_unstable();
    assert_eq!(found, ["black", "latte", "nope"], "nothing comes from elsewhere");
}

#[test]
fn described_items_are_ranked_by_what_is_said_of_them() {
    let shop = shop();
    let rows = json!([{"item_id": "black", "price": 100}, {"price": 1.5, "brand": "zz", "colour": "red"}]);
    let retrieve = json!([{"type": "candidate_attributes", "item_attributes": rows}]);
    let query = |rest: Value| {
        let mut query = rest;
        query["type"] = json!("rerank_items_by_attributes");
        query["retrieve"] = retrieve.clone();
        query
    };
    let score = json!({"type": "score_ensemble", "value_model": "item.price + item.interaction_count"});
    let ranked = answer(&shop, query(json!({"score": score})));
    assert_eq!(scored(&ranked), [("black", 109.0), ("1", 1.5)]);
    let columns = ranked.results[1].metadata.as_ref().unwrap();
    assert_eq!(
        (&columns["colour"], &columns["brand"]),
        (&json!("red"), &json!("zz"))
    );
    assert_eq!(ranked.results[0].metadata.as_ref().unwrap()["brand"], "aa");
    let cheap = json!([{"type": "expression", "expression": "price < 2"}]);
    assert_eq!(ids(&answer(&shop, query(json!({"filter": cheap})))), ["1"]);
}

#[test]
fn values_of_a_column_are_ranked_by_their_items() {
    let shop = shop();
    let query = json!({
        "type": "rank_attributes", "input_attribute": "brand", "columns": ["price"], "embeddings": ["factors"]
    });
    let ranked = answer(&shop, query);
    // Popularity says 5, 4, 3, 2, 1: the mean is 3. aa: (5 + 4 + 8 * 3) / 10; bb: (3 + 2 + 8 * 3) / 10.
    assert_eq!(scored(&ranked), [("aa", 3.3), ("bb", 2.9)]);
    assert_eq!(ranked.entity_type, "attribute");
    assert_eq!(
        Value::from(ranked.results[0].metadata.clone().unwrap()),
        json!({"brand": "aa", "price": 4.0})
    );
    assert_eq!(
        ranked.results[0].embeddings.as_ref().unwrap()["factors"],
        Some(vec![0.0, 1.5])
    );
    let tags = answer(
        &shop,
        json!({"type": "rank_attributes", "input_attribute": "tags", "limit": 1}),
    );
    assert_eq!(ids(&tags), ["hot"]);
}

#[test]
fn answers_show_the_columns_and_vectors_that_were_asked_for() {
    let shop = shop();
    let query = json!({
        "type": "rank_items", "retrieve": everything(), "columns": ["price", "_derived_popular_rank"], "embeddings": ["factors", "words"], "limit": 1
    });
    let answer = answer(&shop, query);
    let row = &answer.results[0];
    assert_eq!(
        Value::from(row.metadata.clone().unwrap()),
        json!({"price": 4.0, "_derived_popular_rank": 1})
    );
    assert_eq!(row.embeddings.as_ref().unwrap().len(), 2);
    let all = super::answer(
        &shop,
        json!({"type": "rank_items", "retrieve": everything(), "limit": 1}),
    );
    let columns = all.results[0].metadata.as_ref().unwrap();
    assert!(columns.contains_key("note") && !columns.contains_key("interaction_count"));
    assert_eq!(all.results[0].embeddings, None);
}

#[test]
fn what_is_hidden_or_was_served_stays_away() {
    let mut shop = shop();
    shop.hidden.insert(0);
    let query = json!({"type": "rank_items", "retrieve": everything(), "reorder": [{"type": "exploration", "strength": 0.5}]});
    let answer = asked(&shop, &query, &json!({}), &["green", "gone"]).unwrap();
    let mut found = ids(&answer);
    found.sort_unstable();
    assert_eq!(found, ["ice", "latte", "mate"]);
}

#[test]
fn rank_with_from_is_the_same_query() {
    let shop = shop();
    let typed = answer(
        &shop,
        json!({"type": "rank_items", "retrieve": everything(), "limit": 2}),
    );
    for query in [
        json!({"rank": {"from": "items", "retrieve": everything(), "limit": 2}}),
        json!({"type": "rank", "from": "items", "retrieve": everything(), "limit": 2}),
    ] {
        assert_eq!(answer(&shop, query), typed);
    }
    let users = answer(
        &shop,
        json!({"rank": {"from": "users", "retrieve": [{"type": "column_order", "columns": [{"name": "age"}]}]}}),
    );
    assert_eq!(ids(&users), ["bob", "eve", "ann"]);
}

#[test]
fn one_seed_one_answer() {
    let shop = shop();
    let query = json!({
        "type": "rank_items", "retrieve": everything(), "reorder": [{"type": "exploration"}, {"type": "diversity"}, {"type": "boosted"}]
    });
    assert_eq!(answer(&shop, query.clone()), answer(&shop, query));
}
