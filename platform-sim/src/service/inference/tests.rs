//! The engine over a small model: two tastes, tea and cheese, and an item that nobody has taken.

use std::collections::HashMap;

use datafusion::arrow::array::{Array, AsArray, RecordBatch};
use recsys::{
    Categories, Column as FeatureColumn, Dataset, DatasetBuilder, Features, Histories, Ids, Interaction,
    NumberSet, Recommender, Training,
};
use serde_json::{Map, Value, json};

use super::model::{DERIVED_COLUMNS, InferenceModel, policies};
use super::rank::{Attributes, Rank};
use super::settings::Overrides;
use super::{Ask, Defaults, Engine};
use crate::service::domain::{Column, Schema, ValueType};
use crate::service::failure::{Entity, Failure, Place, Result};
use crate::service::rows::{self, Row, cell};
use crate::service::text_search::{TextMode, TextSearch};
use crate::store::pages::SqlitePages;

const NOW: i64 = 1_000_000;

/// Two groups of users that each take the items of one taste, but for one item each.
const TEAS: [&str; 4] = ["tea1", "tea2", "tea3", "tea4"];
const CHEESES: [&str; 4] = ["cheese1", "cheese2", "cheese3", "cheese4"];

struct Fake {
    dataset: Dataset,
    items: RecordBatch,
    users: RecordBatch,
    policies: HashMap<&'static str, Box<dyn Recommender>>,
    histories: Histories,
    counts: Vec<u32>,
    hidden: NumberSet,
    personal: HashMap<String, Vec<u32>>,
    late: HashMap<String, Vec<Interaction>>,
    searchable: bool,
}

fn batch(columns: &[(&str, ValueType)], rows: &[Value]) -> RecordBatch {
    let schema = Schema {
        declared: true,
        columns: columns
            .iter()
            .map(|(name, value_type)| Column {
                name: (*name).to_owned(),
                value_type: *value_type,
            })
            .collect(),
    };
    let rows: Vec<Row> = rows.iter().map(|row| row.as_object().unwrap().clone()).collect();
    rows::encode(&schema, &[], &rows).unwrap()
}

fn categories(rows: &RecordBatch, names: &[&str]) -> Features {
    let mut features = Features::new(rows.num_rows());
    for name in names {
        let texts = rows.column_by_name(name).unwrap().as_string::<i32>().iter();
        let column = FeatureColumn::Category(Categories::new(texts));
        features = features.with(*name, column).unwrap();
    }
    features
}

fn fake() -> Fake {
    let mut builder = DatasetBuilder::new();
    let mut time = 0;
    for (group, taste) in [("t", TEAS), ("c", CHEESES)] {
        for user in 0..8 {
            for (place, item) in taste.iter().enumerate() {
                if place != user % 4 {
                    time += 1;
                    builder.event(&format!("{group}{user}"), item, 1.0, time);
                }
            }
        }
    }
    let ids: Vec<&str> = CHEESES.iter().copied().chain(["fresh"]).chain(TEAS).collect();
    let item_rows: Vec<Value> = ids
        .iter()
        .enumerate()
        .map(|(place, id)| {
            let kind = if id.starts_with("cheese") { "cheese" } else { "tea" };
            json!({
                "item_id": id, "kind": kind, "price": place as f64, "boost": i64::from(*id == "tea4"),
                "interaction_count": if *id == "fresh" { 0 } else { 6 }, "_derived_popular_rank": place + 1,
                "_derived_chronological_rank": place + 1,
            })
        })
        .collect();
    let items = batch(
        &[
            ("item_id", ValueType::String),
            ("kind", ValueType::String),
            ("price", ValueType::Double),
            ("boost", ValueType::Int64),
            ("interaction_count", ValueType::Int64),
            ("_derived_popular_rank", ValueType::Int64),
            ("_derived_chronological_rank", ValueType::Int64),
        ],
        &item_rows,
    );
    let mut user_ids: Vec<String> = (0..8)
        .flat_map(|user| [format!("t{user}"), format!("c{user}")])
        .collect();
    user_ids.push("shy".to_owned());
    user_ids.sort();
    let user_rows: Vec<Value> = user_ids
        .iter()
        .map(|id| json!({"user_id": id, "country": if id.starts_with('t') { "uk" } else { "fr" }}))
        .collect();
    let users = batch(
        &[("user_id", ValueType::String), ("country", ValueType::String)],
        &user_rows,
    );
    builder.items(&ids, categories(&items, &["kind"])).unwrap();
    builder
        .users(&user_ids, categories(&users, &["country"]))
        .unwrap();
    let dataset = builder.finish(NOW).unwrap();
    let names = [
        policies::FACTORS,
        policies::NEIGHBOURS,
        policies::POPULAR,
        policies::RECENTLY_POPULAR,
        policies::RANDOM,
        policies::ITEM_CONTENT,
        policies::USER_ITEM_CONTENT,
        policies::USER_CONTENT,
    ];
    let fitted = names.map(|name| {
        let settings = match name {
            policies::FACTORS => recsys::Settings::new()
                .with("factors", 4)
                .with("regularization", 0.5),
            _ => recsys::Settings::new(),
        };
        let spec = recsys::model(name).unwrap();
        (name, spec.fit(&settings, &dataset, &Training::seeded(1)).unwrap())
    });
    Fake {
        histories: dataset.histories(),
        counts: ids.iter().map(|id| if *id == "fresh" { 0 } else { 6 }).collect(),
        dataset,
        items,
        users,
        policies: HashMap::from(fitted),
        hidden: NumberSet::default(),
        personal: HashMap::new(),
        late: HashMap::new(),
        searchable: true,
    }
}

fn shown(rows: &RecordBatch, row: u32) -> Row {
    let fields = rows.schema_ref().fields().iter().zip(rows.columns());
    fields
        .filter(|(field, _)| !DERIVED_COLUMNS.contains(&field.name().as_str()))
        .map(|(field, column)| (field.name().clone(), cell(field, column, row as usize)))
        .collect()
}

impl InferenceModel for Fake {
    fn items(&self) -> &Ids {
        self.dataset.items()
    }

    fn users(&self) -> &Ids {
        self.dataset.users()
    }

    fn item_columns(&self) -> &RecordBatch {
        &self.items
    }

    fn user_columns(&self) -> &RecordBatch {
        &self.users
    }

    fn interaction_counts(&self) -> &[u32] {
        &self.counts
    }

    fn policy(&self, name: &str) -> Option<&dyn Recommender> {
        self.policies.get(name).map(AsRef::as_ref)
    }

    fn history(&self, user: &str) -> Vec<Interaction> {
        let number = self.users().number(user);
        let mut history = number.map_or(Vec::new(), |number| self.histories.of(number));
        history.extend(self.late.get(user).into_iter().flatten());
        history
    }

    fn hidden(&self) -> Option<&NumberSet> {
        Some(&self.hidden)
    }

    fn hidden_from(&self, user: &str) -> Vec<u32> {
        self.personal.get(user).cloned().unwrap_or_default()
    }

    fn item_metadata(&self, item: u32) -> Row {
        shown(&self.items, item)
    }

    fn user_metadata(&self, user: u32) -> Row {
        shown(&self.users, user)
    }

    fn text_search(&self) -> Option<&dyn TextSearch> {
        self.searchable.then_some(self)
    }

    fn item_features(&self, rows: &RecordBatch) -> Features {
        categories(rows, &["kind"])
    }

    fn user_features(&self, rows: &RecordBatch) -> Features {
        categories(rows, &["country"])
    }
}

/// Finds ids that start with the text.
impl TextSearch for Fake {
    fn modes(&self) -> &'static [TextMode] {
        &[TextMode::Lexical]
    }

    fn search(&self, text: &str, _: TextMode, limit: usize) -> anyhow::Result<Vec<(usize, f32)>> {
        let found = self
            .items()
            .iter()
            .enumerate()
            .filter(|(_, id)| id.starts_with(text));
        let scored = found
            .enumerate()
            .map(|(rank, (row, _))| (row, 10.0 - rank as f32));
        Ok(scored.take(limit).collect())
    }

    fn search_words(&self, text: &str, _: u8, limit: usize) -> anyhow::Result<Vec<(usize, f32)>> {
        self.search(text, TextMode::Lexical, limit)
    }
}

fn pages() -> SqlitePages {
    SqlitePages::in_memory()
}

fn ask<T>(fake: &Fake, pages: &SqlitePages, page_seconds: i64, work: impl FnOnce(&Engine<'_>) -> T) -> T {
    let defaults = Defaults {
        overrides: Overrides::default(),
        slate_size: 50,
        page_seconds,
    };
    work(&Engine {
        model: fake,
        model_id: 1,
        model_name: "shop",
        defaults: &defaults,
        pages,
        now: NOW,
        seed: 5,
    })
}

fn rank(fake: &Fake, request: &Rank) -> Vec<String> {
    ask(fake, &pages(), 0, |engine| engine.rank(request)).unwrap().ids
}

fn of(user: &str) -> Rank {
    Rank {
        ask: Ask {
            user: Some(user.to_owned()),
            ..Ask::default()
        },
        ..Rank::default()
    }
}

fn given(mut request: Rank, ids: &[&str]) -> Rank {
    request.item_ids = Some(ids.iter().map(|id| (*id).to_owned()).collect());
    request
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

#[track_caller]
fn invalid<T: std::fmt::Debug>(result: Result<T>) -> (Vec<String>, &'static str) {
    let Err(Failure::Invalid(violations)) = result else {
        panic!("{result:?}");
    };
    let place = match &violations[0].place {
        Place::Path(parts) => parts.iter().map(|part| format!("{part:?}")).collect(),
        other => vec![format!("{other:?}")],
    };
    (place, violations[0].kind)
}

#[test]
fn everybody_gets_the_own_taste_first() {
    let fake = fake();
    for (user, taste) in [("t0", TEAS), ("c3", CHEESES)] {
        let ids = rank(&fake, &of(user));
        assert_eq!(ids.len(), 9, "the whole catalogue is within reach: {ids:?}");
        let mut first: Vec<&str> = ids[..4].iter().map(String::as_str).collect();
        first.sort_unstable();
        assert_eq!(first, taste, "{user}: {ids:?}");
    }
}

#[test]
fn strangers_get_what_is_popular_and_sessions_make_them_known() {
    let fake = fake();
    let everybody = rank(&fake, &Rank::default());
    assert_eq!(rank(&fake, &of("nobody knows")), everybody);
    assert_eq!(everybody.last().map(String::as_str), Some("fresh"));
    let mut session = of("nobody knows");
    session.session = vec!["tea1".to_owned(), "no such item".to_owned(), "tea2".to_owned()];
    let ids = rank(&fake, &session);
    assert!(
        TEAS.contains(&ids[0].as_str()) && TEAS.contains(&ids[1].as_str()),
        "{ids:?}"
    );
}

#[test]
fn a_late_interaction_counts_at_once() {
    let mut fake = fake();
    let cheese = fake.items().number("cheese1").unwrap();
    fake.late
        .insert("newcomer".to_owned(), vec![Interaction::new(cheese, NOW)]);
    let ids = rank(&fake, &of("newcomer"));
    assert!(ids[0].starts_with("cheese"), "{ids:?}");
}

#[test]
fn given_items_all_come_back_and_unknown_ones_come_last() {
    let fake = fake();
    let request = given(of("t0"), &["never seen", "cheese1", "tea2", "tea2"]);
    let answer = ask(&fake, &pages(), 0, |engine| engine.rank(&request)).unwrap();
    assert_eq!(answer.ids, ["tea2", "cheese1", "never seen"]);
    assert!(answer.scores.iter().all(|score| score.is_finite()));
    let mut limited = request;
    limited.ask.overrides.limit = Some(1);
    assert_eq!(rank(&fake, &limited), ["tea2"]);
}

#[test]
fn described_items_are_scored_by_their_content() {
    let fake = fake();
    let mut request = given(of("t0"), &["cheese1", "new tea", "new cheese", "unheard of"]);
    request.item_features = object(json!({
        "item_id": ["new cheese", "new tea"], "kind": ["cheese", "tea"], "created_at": ["2026-01-01", null],
    }));
    request.ask.with_metadata = true;
    let answer = ask(&fake, &pages(), 0, |engine| engine.rank(&request)).unwrap();
    assert_eq!(answer.ids[0], "new tea", "{answer:?}");
    assert_eq!(answer.ids[3], "unheard of", "{answer:?}");
    let metadata = answer.metadata.unwrap();
    assert_eq!(metadata[0]["kind"], "tea");
    assert_eq!(metadata[3], object(json!({"item_id": "unheard of"})));
    // They can be filtered like the others, and what is not known of one is NULL.
    request.ask.filter = Some("kind = 'tea' OR kind IS NULL".to_owned());
    assert_eq!(rank(&fake, &request), ["new tea", "unheard of"]);
    // An item that nobody has taken is scored by its columns, too.
    let ids = rank(&fake, &given(of("t0"), &["cheese1", "cheese2", "fresh"]));
    assert_eq!(ids[0], "fresh");
}

#[test]
fn columns_of_items_and_users_are_checked() {
    let fake = fake();
    let pages = SqlitePages::in_memory();
    let wrong = |features: Value| {
        let request = Rank {
            item_features: object(features),
            ..Rank::default()
        };
        invalid(ask(&fake, &pages, 0, |engine| engine.rank(&request)))
    };
    let place = |parts: &[&str]| parts.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>();
    let name = |name: &str| format!("Name({name:?})");
    let item_features = name("item_features");
    assert_eq!(
        wrong(json!({"kind": ["tea"]})),
        (place(&[&item_features, &name("item_id")]), "missing")
    );
    assert_eq!(
        wrong(json!({"item_id": ["a"], "kind": "tea"})),
        (place(&[&item_features, &name("kind")]), "wrong_type")
    );
    assert_eq!(
        wrong(json!({"item_id": ["a"], "kind": ["tea", "cheese"]})),
        (place(&[&item_features, &name("kind")]), "wrong_length")
    );
    assert_eq!(
        wrong(json!({"item_id": ["a", 5]})),
        (
            place(&[&item_features, &name("item_id"), "Index(1)"]),
            "wrong_type"
        )
    );
    // The model knows tea1, so the wrong price is that of the second item of the request.
    let (place, _) = wrong(json!({"item_id": ["tea1", "b"], "price": [1, "much"]}));
    assert_eq!(place, [item_features, name("price"), "Index(1)".to_owned()]);
    let mut request = of("t0");
    request.user_features = object(json!({"country": 5}));
    let (place, _) = invalid(ask(&fake, &pages, 0, |engine| engine.rank(&request)));
    assert_eq!(place, [name("user_features"), name("country")]);
}

#[test]
fn described_users_get_what_others_like_them_take() {
    let fake = fake();
    let mut request = of("nobody knows");
    request.user_features = object(json!({"country": "uk"}));
    let ids = rank(&fake, &request);
    assert!(ids[0].starts_with("tea") && ids[3].starts_with("tea"), "{ids:?}");
    request.user_features = object(json!({"country": "fr"}));
    assert!(rank(&fake, &request)[0].starts_with("cheese"));
}

#[test]
fn filters_hold_for_the_whole_catalogue() {
    let mut fake = fake();
    let mut request = of("t0");
    request.ask.filter = Some("kind = 'cheese' AND price < 2".to_owned());
    request.ask.overrides.retrieval_k = Some(1);
    let ids = rank(&fake, &request);
    assert!(
        !ids.is_empty() && ids.iter().all(|id| ["cheese1", "cheese2"].contains(&id.as_str())),
        "{ids:?}"
    );
    request.ask.filter = Some("interaction_count = 0".to_owned());
    assert_eq!(rank(&fake, &request), ["fresh"]);
    request.ask.filter = Some("prise < 2".to_owned());
    let failure = ask(&fake, &pages(), 0, |engine| engine.rank(&request));
    assert_eq!(invalid(failure).1, "expression_unknown_name");

    let number = |fake: &Fake, id: &str| fake.items().number(id).unwrap();
    fake.hidden.insert(number(&fake, "tea1"));
    let personal = vec![number(&fake, "tea2")];
    fake.personal.insert("t0".to_owned(), personal);
    let ids = rank(&fake, &of("t0"));
    assert!(
        !ids.contains(&"tea1".to_owned()) && !ids.contains(&"tea2".to_owned()),
        "{ids:?}"
    );
    let ids = rank(&fake, &of("t1"));
    assert!(
        !ids.contains(&"tea1".to_owned()) && ids.contains(&"tea2".to_owned()),
        "{ids:?}"
    );
}

#[test]
fn texts_find_and_liking_orders() {
    let mut fake = fake();
    let mut request = Rank {
        text_query: Some("tea".to_owned()),
        ..Rank::default()
    };
    assert_eq!(rank(&fake, &request), TEAS, "strangers get the order of the text");
    request.ask.overrides.limit = Some(2);
    request.ask.filter = Some("item_id IN ('tea3', 'tea4')".to_owned());
    assert_eq!(
        rank(&fake, &request),
        ["tea3", "tea4"],
        "hits further down make up for filtered ones"
    );
    let known = given(
        Rank {
            text_query: Some("cheese".to_owned()),
            ..of("t0")
        },
        &["tea1", "cheese4", "cheese1"],
    );
    assert_eq!(rank(&fake, &known)[2], "tea1", "a text counts more than a taste");
    fake.searchable = false;
    let failure = ask(&fake, &pages(), 0, |engine| engine.rank(&request));
    assert_eq!(invalid(failure).1, "no_text_index");
    request.text_query = Some("a".repeat(513));
    let failure = ask(&fake, &pages(), 0, |engine| engine.rank(&request));
    assert_eq!(invalid(failure).1, "too_long");
}

#[test]
fn retrieval_without_anybody_is_the_list_of_the_popular() {
    let fake = fake();
    let answer = ask(&fake, &pages(), 0, |engine| engine.retrieve(&Rank::default())).unwrap();
    assert_eq!(answer.scores[0].floor(), 6.0, "users who took it");
    assert_eq!(answer.ids[..2], ["cheese3", "cheese2"], "of equal ones the later");
    assert_eq!(answer.ids.len(), 9);
    let personal = ask(&fake, &pages(), 0, |engine| engine.retrieve(&of("t0"))).unwrap();
    assert!(personal.ids[0].starts_with("tea"));
}

#[test]
fn retrievers_give_as_many_candidates_as_they_are_told() {
    let fake = fake();
    let mut request = of("t0");
    request.ask.overrides.retrieval_k = Some(1);
    request.ask.overrides.retriever_k.cold_start = Some(0);
    request.ask.overrides.retriever_k.toplist = Some(0);
    request.ask.overrides.retriever_k.trending = Some(0);
    let ids = rank(&fake, &request);
    assert_eq!(ids.len(), 1, "{ids:?}");
    assert!(ids[0].starts_with("tea"));
    request.ask.overrides.retriever_k.cold_start = Some(1);
    assert!(rank(&fake, &request).contains(&"fresh".to_owned()));
    request.ask.overrides.retriever_k.random = Some(9);
    assert_eq!(rank(&fake, &request).len(), 9);
}

#[test]
fn boosting_diversity_and_exploration_change_the_order() {
    let fake = fake();
    let plain = rank(&fake, &of("c0"));
    let mut boosted = of("c0");
    boosted.ask.overrides.boosting_factor = Some(1.0);
    assert_eq!(rank(&fake, &boosted)[0], "tea4");
    assert_ne!(plain[0], "tea4");

    let mut diverse = of("c0");
    diverse.ask.overrides.diversity_factor = Some(0.9);
    diverse.ask.overrides.diversity_attributes = Some(vec!["kind".to_owned()]);
    let ids = rank(&fake, &diverse);
    let kind = |id: &String| id.starts_with("cheese");
    assert_ne!(kind(&ids[0]), kind(&ids[1]), "{ids:?}");
    assert_eq!(kind(&plain[0]), kind(&plain[1]), "{plain:?}");
    diverse.ask.overrides.diversity_attributes = Some(vec!["kind".to_owned(), "kin".to_owned()]);
    let failure = ask(&fake, &pages(), 0, |engine| engine.rank(&diverse));
    let (place, kind) = invalid(failure);
    assert_eq!((place[2].as_str(), kind), ("Index(1)", "unknown_column"));

    let mut curious = of("c0");
    curious.ask.overrides.exploration_factor = Some(1.0);
    curious.ask.overrides.limit = Some(3);
    assert_eq!(rank(&fake, &curious)[0], "fresh");
}

#[test]
fn what_was_served_does_not_come_again_until_it_is_flushed() {
    let fake = fake();
    let pages = SqlitePages::in_memory();
    let mut request = of("t0");
    request.ask.overrides.limit = Some(3);
    let next = |request: &Rank| ask(&fake, &pages, 60, |engine| engine.rank(request)).unwrap().ids;
    let (first, second, third) = (next(&request), next(&request), next(&request));
    let mut all = [first.clone(), second, third].concat();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 9, "three pages without a repetition");
    assert!(next(&request).is_empty());
    request.ask.flush_pages = true;
    assert_eq!(next(&request), first);
    let mut other = of("t1");
    other.ask.overrides.limit = Some(3);
    assert_eq!(next(&other).len(), 3, "pages belong to a user");
}

#[test]
fn similar_items_are_of_the_same_taste_and_never_the_item_itself() {
    let fake = fake();
    let similar =
        |item: &str, ask_for: &Ask| ask(&fake, &pages(), 0, |engine| engine.similar_items(item, ask_for));
    let ids = similar("tea1", &Ask::default()).unwrap().ids;
    assert!(ids[..3].iter().all(|id| id.starts_with("tea")), "{ids:?}");
    assert!(!ids.contains(&"tea1".to_owned()));
    let content = similar("fresh", &Ask::default()).unwrap().ids;
    assert!(
        content[0].starts_with("tea"),
        "an item that nobody took has its columns: {content:?}"
    );
    let filtered = Ask {
        filter: Some("kind = 'cheese'".to_owned()),
        with_metadata: true,
        ..Ask::default()
    };
    let cheeses = similar("tea1", &filtered).unwrap();
    assert!(
        cheeses.ids.iter().all(|id| id.starts_with("cheese")),
        "{cheeses:?}"
    );
    assert_eq!(cheeses.metadata.unwrap().len(), cheeses.ids.len());
    assert!(matches!(
        similar("no such item", &Ask::default()),
        Err(Failure::NotFound(Entity::Item, _))
    ));
}

#[test]
fn baskets_are_complemented_and_users_have_peers() {
    let fake = fake();
    let complement = |items: &[&str]| {
        let items: Vec<String> = items.iter().map(|id| (*id).to_owned()).collect();
        ask(&fake, &pages(), 0, |engine| {
            engine.complement_items(&items, &Ask::default())
        })
    };
    let ids = complement(&["tea1", "tea2", "no such item"]).unwrap().ids;
    let mut first = ids[..2].to_vec();
    first.sort();
    assert_eq!(first, ["tea3", "tea4"], "{ids:?}");
    assert!(matches!(
        complement(&["no such item"]),
        Err(Failure::NotFound(Entity::Item, _))
    ));
    assert_eq!(invalid(complement(&[])).1, "empty");

    let peers = |user: &str| ask(&fake, &pages(), 0, |engine| engine.similar_users(&of(user).ask));
    let ids = peers("t0").unwrap().ids;
    assert!(ids[..7].iter().all(|id| id.starts_with('t')), "{ids:?}");
    assert!(!ids.contains(&"t0".to_owned()));
    assert!(
        peers("shy").unwrap().ids[0].starts_with('c'),
        "without interactions the columns count"
    );
    assert!(matches!(peers("nobody"), Err(Failure::NotFound(Entity::User, _))));
}

#[test]
fn attributes_are_ranked_and_shown_as_a_grid() {
    let fake = fake();
    let request = Attributes {
        attribute: "kind".to_owned(),
        user: Some("t0".to_owned()),
        rows: 2,
        columns: 3,
    };
    let ranked = ask(&fake, &pages(), 0, |engine| engine.rank_attributes(&request)).unwrap();
    let names: Vec<&str> = ranked.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["tea", "cheese"]);
    assert!(ranked[0].1 > ranked[1].1);
    let grid = ask(&fake, &pages(), 0, |engine| engine.attribute_grid(&request)).unwrap();
    assert_eq!(grid.len(), 2);
    assert_eq!((grid[0].label.as_str(), grid[0].items.len()), ("tea", 3));
    let wrong = |attribute: &str| {
        let request = Attributes {
            attribute: attribute.to_owned(),
            ..request.clone()
        };
        invalid(ask(&fake, &pages(), 0, |engine| engine.rank_attributes(&request))).1
    };
    assert_eq!(wrong("kinds"), "unknown_column");
    assert_eq!(wrong("price"), "wrong_type");
}

#[test]
fn embeddings_come_in_the_order_of_the_request_and_multiply_to_scores() {
    let fake = fake();
    let pages = SqlitePages::in_memory();
    let strings = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<String>>();
    let items = |ids: &[&str], dimension| {
        ask(&fake, &pages, 0, |engine| {
            engine.item_embeddings(&strings(ids), dimension)
        })
    };
    let users = |ids: &[&str], dimension| {
        ask(&fake, &pages, 0, |engine| {
            engine.user_embeddings(&strings(ids), dimension)
        })
    };
    let product = |a: &[f32], b: &[f32]| -> f32 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    for dimension in [None, Some(4), Some(2)] {
        let items = items(&["tea1", "cheese1", "tea1"], dimension).unwrap();
        let users = users(&["t0"], dimension).unwrap();
        assert_eq!(items[0], items[2]);
        assert_eq!(items[0].len(), dimension.unwrap_or(4));
        assert!(product(&items[0], &users[0]) > product(&items[1], &users[0]) + 0.1);
    }
    assert_eq!(invalid(items(&["tea1"], Some(5))).1, "out_of_range");
    assert!(matches!(
        items(&["x"], None),
        Err(Failure::NotFound(Entity::Item, _))
    ));
    assert!(matches!(
        users(&["x"], None),
        Err(Failure::NotFound(Entity::User, _))
    ));
    assert!(fake.items.column(0).len() == 9);
}

#[test]
fn a_short_answer_is_the_beginning_of_a_long_one() {
    let mut fake = fake();
    let without_content = {
        let mut fake = self::fake();
        fake.policies
            .retain(|name, _| ![policies::ITEM_CONTENT, policies::USER_ITEM_CONTENT].contains(name));
        fake
    };
    fake.hidden = NumberSet::new([1]);
    for (model, fake) in [("all", &fake), ("without content", &without_content)] {
        for user in ["t0", "t3", "c1", "shy", "nobody"] {
            for filter in [None, Some("price < 6"), Some("kind = 'tea'"), Some("price = 4")] {
                let mut request = of(user);
                request.ask.filter = filter.map(str::to_owned);
                // More than there is: every list is gathered.
                request.ask.overrides.limit = Some(100);
                let long = rank(fake, &request);
                for limit in 1..=long.len() {
                    request.ask.overrides.limit = Some(limit);
                    let short = rank(fake, &request);
                    assert_eq!(short, long[..limit], "{model}, {user}, {filter:?}, {limit}");
                }
            }
        }
    }
}
