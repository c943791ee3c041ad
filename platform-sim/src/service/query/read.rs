//! From JSON to a [`Query`].

use std::collections::HashSet;

use expressions::suggestion;
use serde_json::Value;

use super::document::{
    Attribute, Described, Encoder, Ensemble, Filter, Find, Keep, Mix, OrderColumn, Pooling, Query, QueryType,
    Reorder, Retrieve, Score,
};
use super::fields::{Fields, Problems, id_of};
use super::model::Subject;
use crate::service::failure::{PathPart, Violation};
use crate::service::rows::Row;

/// How many results where the query does not say.
pub(crate) const DEFAULT_LIMIT: usize = 15;

/// How many candidates a retrieve step has where it does not say.
pub(crate) const DEFAULT_RETRIEVE_LIMIT: usize = 100;

/// How many candidates a truncation keeps where it does not say.
pub(crate) const DEFAULT_MAX_LENGTH: usize = 500;

const MAX_LIMIT: usize = 1_000;
const MAX_CANDIDATES: usize = 10_000;
const MAX_STEPS: usize = 20;
const MAX_COLUMNS: usize = 1_000;
const MAX_WINDOW: usize = 1_000;

/// The longest text query, in characters.
const MAX_QUERY_CHARACTERS: usize = 512;

/// Reads a query whose references to parameters were replaced, or, as a draft, one where they may stand. Places begin
/// at the query.
pub(crate) fn read(document: &Value, draft: bool) -> Result<Query, Vec<Violation>> {
    let mut problems = Problems {
        draft,
        ..Problems::default()
    };
    let query = query(document, &mut problems);
    match query {
        Some(query) if problems.violations.is_empty() => Ok(query),
        _ => Err(problems.violations),
    }
}

fn query(document: &Value, problems: &mut Problems) -> Option<Query> {
    let types = QueryType::ALL.map(|query_type| (query_type.name(), Some(query_type)));
    let sources = QueryType::ALL.map(|query_type| (query_type.source(), query_type));
    // {"rank": {"from": "items", …}} says the same as {"type": "rank_items", …}.
    if let Some(rank) = document.get("rank")
        && document.get("type").is_none()
    {
        let mut outside = Fields::of(document, Vec::new(), problems)?;
        outside.raw("rank");
        outside.finish();
        let mut fields = Fields::of(rank, vec!["rank".into()], problems)?;
        let query_type = fields.choice("from", &sources, None)?;
        return body(fields, query_type);
    }
    let mut fields = Fields::of(document, Vec::new(), problems)?;
    let types = [&types[..], &[("rank", None)]].concat();
    let query_type = match fields.choice("type", &types, None)? {
        Some(query_type) => query_type,
        None => fields.choice("from", &sources, None)?,
    };
    body(fields, query_type)
}

fn body(mut fields: Fields<'_, '_>, query_type: QueryType) -> Option<Query> {
    let model = fields.text("model");
    let columns = fields.texts("columns", MAX_COLUMNS);
    let embeddings = fields.texts("embeddings", MAX_STEPS).unwrap_or_default();
    let limit = fields.whole("limit", DEFAULT_LIMIT, 1..=MAX_LIMIT);
    let mut query = Query {
        query_type,
        model,
        retrieve: Vec::new(),
        filter: Vec::new(),
        score: Score::Passthrough,
        reorder: Vec::new(),
        columns,
        embeddings,
        limit,
        attribute: None,
    };
    if query_type == QueryType::RankAttributes {
        query.attribute = Some(Attribute {
            column: fields.required_text("input_attribute", "the item column whose values are ranked"),
            user: fields.id("input_user_id"),
        });
        fields.finish();
        return Some(query);
    }
    query.retrieve = retrieve_steps(&mut fields, query_type);
    query.filter = filter_steps(&mut fields);
    query.score = fields.object("score", score).unwrap_or(Score::Passthrough);
    query.reorder = reorder_steps(&mut fields);
    fields.finish();
    Some(query)
}

fn retrieve_steps(fields: &mut Fields<'_, '_>, query_type: QueryType) -> Vec<Retrieve> {
    let open = fields.is_open("retrieve");
    let absent = fields.list("retrieve", usize::MAX).is_none_or(<[_]>::is_empty);
    if absent && !open {
        let wanted = match query_type {
            QueryType::RerankItems => "a step {\"type\": \"candidate_ids\", \"item_ids\": […]}",
            QueryType::RerankItemsByAttributes => {
                "a step {\"type\": \"candidate_attributes\", \"item_attributes\": [{…}]}"
            }
            _ => "at least one step, such as {\"type\": \"column_order\", \"columns\": [{\"name\": …}]}",
        };
        fields.report(
            "retrieve",
            "missing",
            format!("missing field `retrieve`: {wanted}"),
        );
    }
    let steps = fields.objects("retrieve", MAX_STEPS, |step| retrieve(step, query_type));
    named(fields, "retrieve", steps, |step| &mut step.name)
}

/// Gives steps without a name that of their type, with a number where it is taken. Given names must differ.
fn named<T>(
    fields: &mut Fields<'_, '_>,
    stage: &'static str,
    mut steps: Vec<(T, Option<String>)>,
    name_of: impl Fn(&mut T) -> &mut String,
) -> Vec<T> {
    let mut taken = HashSet::new();
    for (index, (_, name)) in steps.iter().enumerate() {
        if let Some(name) = name
            && !taken.insert(name.clone())
        {
            fields.report(
                stage,
                "repeated",
                format!("two steps are named '{name}'; the second is number {}", index + 1),
            );
        }
    }
    for (step, given) in &mut steps {
        let name = name_of(step);
        match given.take() {
            Some(given) => *name = given,
            None => {
                let base = name.clone();
                let mut number = 2;
                while !taken.insert(name.clone()) {
                    *name = format!("{base}_{number}");
                    number += 1;
                }
            }
        }
    }
    steps.into_iter().map(|(step, _)| step).collect()
}

/// What a retrieve step's type says, without the item or user in front.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    ColumnOrder,
    TextSearch,
    Similarity,
    Ids,
    Attributes,
}

const WAYS: [(&str, Way); 3] = [
    ("column_order", Way::ColumnOrder),
    ("text_search", Way::TextSearch),
    ("similarity", Way::Similarity),
];

fn retrieve(mut fields: Fields<'_, '_>, query_type: QueryType) -> Option<(Retrieve, Option<String>)> {
    let step_type = fields.required_text("type", "the kind of the step");
    if step_type.is_empty() {
        return None;
    }
    let spelt = step_type.replace('-', "_");
    let way = match query_type {
        QueryType::RerankItems => (spelt == "candidate_ids").then_some(Way::Ids),
        QueryType::RerankItemsByAttributes => (spelt == "candidate_attributes").then_some(Way::Attributes),
        _ => {
            let subject = query_type.subject().noun();
            let bare = spelt
                .strip_prefix(subject)
                .and_then(|rest| rest.strip_prefix('_'))
                .unwrap_or(&spelt);
            WAYS.iter().find(|(name, _)| *name == bare).map(|(_, way)| *way)
        }
    };
    let Some(way) = way else {
        let known: Vec<String> = match query_type {
            QueryType::RerankItems => vec!["candidate_ids".to_owned()],
            QueryType::RerankItemsByAttributes => vec!["candidate_attributes".to_owned()],
            _ => WAYS
                .iter()
                .map(|(name, _)| format!("{}_{name}", query_type.subject().noun()))
                .collect(),
        };
        let help = suggestion(&spelt, known.iter().map(String::as_str)).unwrap_or_default();
        let message = format!(
            "a {} query has no retrieve step of that type: {help}",
            query_type.name()
        );
        fields.report("type", "unknown_value", message);
        return None;
    };
    let name = fields.text("name");
    let (find, most) = match way {
        Way::ColumnOrder => (Find::ColumnOrder(order_columns(&mut fields)), None),
        Way::TextSearch => (text_search(&mut fields)?, None),
        Way::Similarity => {
            let embedding =
                fields.required_text("embedding_ref", "the name of one of the model's embeddings");
            let encoder = fields.required_object("query_encoder", "what the vector is made of", encoder);
            // Every search is exact: asking for it changes nothing.
            fields.boolean("use_exact_search", false);
            let encoder = encoder.unwrap_or(Encoder::PrecomputedUser(None));
            (Find::Similarity { embedding, encoder }, None)
        }
        Way::Ids => {
            if fields.raw("item_ids").is_none() {
                fields.report(
                    "item_ids",
                    "missing",
                    "missing field `item_ids`: the items to rank",
                );
            }
            let ids = fields.texts("item_ids", MAX_CANDIDATES).unwrap_or_default();
            let count = ids.len();
            (Find::Ids(ids), Some(count))
        }
        Way::Attributes => {
            let rows = attributes(&mut fields);
            let count = rows.len();
            (Find::Attributes(rows), Some(count))
        }
    };
    let (condition, limit) = match most {
        Some(count) => (None, count),
        None => (
            fields.text("where"),
            fields.whole("limit", DEFAULT_RETRIEVE_LIMIT, 1..=MAX_CANDIDATES),
        ),
    };
    fields.finish();
    let step = Retrieve {
        name: spelt,
        step_type,
        find,
        condition,
        limit,
    };
    Some((step, name))
}

fn attributes(fields: &mut Fields<'_, '_>) -> Vec<Row> {
    if fields.raw("item_attributes").is_none() {
        fields.report(
            "item_attributes",
            "missing",
            "missing field `item_attributes`: the columns of each item to rank",
        );
    }
    let entries = fields.list("item_attributes", MAX_CANDIDATES).unwrap_or_default();
    let mut rows = Vec::with_capacity(entries.len());
    for (index, entry) in entries.iter().enumerate() {
        match entry.as_object() {
            Some(row) => rows.push(row.clone()),
            None => {
                let message = format!("entry {index} of item_attributes is no object of columns and values");
                fields.report("item_attributes", "wrong_type", message);
            }
        }
    }
    rows
}

fn order_columns(fields: &mut Fields<'_, '_>) -> Vec<OrderColumn> {
    let open = fields.is_open("columns");
    let columns = fields.objects("columns", MAX_STEPS, |mut fields| {
        let column = OrderColumn {
            name: fields.required_text("name", "the column to sort by"),
            ascending: fields.boolean("ascending", true),
            nulls_first: fields.boolean("nulls_first", false),
        };
        fields.finish();
        Some(column)
    });
    let given = fields.list("columns", usize::MAX).unwrap_or_default();
    if given.is_empty() && !open && fields.raw("columns").is_none_or(Value::is_array) {
        fields.report(
            "columns",
            "missing",
            "missing field `columns`: the columns to sort by, as [{\"name\": …}]",
        );
    }
    columns
}

fn text_search(fields: &mut Fields<'_, '_>) -> Option<Find> {
    #[derive(Clone, Copy)]
    enum Mode {
        Lexical,
        Vector,
    }
    let text = fields.required_text("input_text_query", "what to search for");
    if text.chars().count() > MAX_QUERY_CHARACTERS {
        fields.report(
            "input_text_query",
            "too_long",
            format!("a text query has at most {MAX_QUERY_CHARACTERS} characters"),
        );
    }
    fields.required_object(
        "mode",
        "{\"type\": \"lexical\"} or {\"type\": \"vector\", …}",
        |mut mode| {
            let options = [("lexical", Mode::Lexical), ("vector", Mode::Vector)];
            let find = match mode.choice("type", &options, None)? {
                Mode::Lexical => Find::Words {
                    text: text.clone(),
                    edit_distance: mode.whole("fuzziness_edit_distance", 1, 0..=2) as u8,
                },
                Mode::Vector => {
                    let embedding =
                        mode.required_text("text_embedding_ref", "the name of an embedding made of texts");
                    mode.boolean("use_exact_search", false);
                    Find::Meaning {
                        text: text.clone(),
                        embedding,
                    }
                }
            };
            mode.finish();
            Some(find)
        },
    )
}

fn encoder(mut fields: Fields<'_, '_>) -> Option<Encoder> {
    #[derive(Clone, Copy)]
    enum Kind {
        Pooling,
        RoundRobin,
        Attributes(Subject),
        Precomputed(Subject),
    }
    let options = [
        ("interaction_pooling", Kind::Pooling),
        ("interaction_round_robin", Kind::RoundRobin),
        ("user_attribute_pooling", Kind::Attributes(Subject::User)),
        ("item_attribute_pooling", Kind::Attributes(Subject::Item)),
        ("precomputed_user", Kind::Precomputed(Subject::User)),
        ("precomputed_item", Kind::Precomputed(Subject::Item)),
    ];
    let kind = fields.choice("type", &options, None)?;
    let encoder = match kind {
        Kind::Pooling => Encoder::InteractionPooling {
            user: fields.required_id("input_user_id", "whose interactions are pooled"),
            pooling: pooling(&mut fields),
            newest: fields.whole("truncate_interactions", 10, 1..=MAX_WINDOW),
        },
        Kind::RoundRobin => Encoder::InteractionRoundRobin {
            user: fields.required_id("input_user_id", "whose interactions are grouped"),
            clusters: fields.whole("num_clusters", 5, 1..=100),
            pooling: pooling(&mut fields),
        },
        Kind::Attributes(Subject::User) => {
            Encoder::UserAttributes(described(&mut fields, "input_user_id", "input_user_features")?)
        }
        Kind::Attributes(Subject::Item) => {
            Encoder::ItemAttributes(described(&mut fields, "input_item_id", "input_item_features")?)
        }
        Kind::Precomputed(Subject::User) => {
            Encoder::PrecomputedUser(fields.required_id("input_user_id", "whose vector it is"))
        }
        Kind::Precomputed(Subject::Item) => {
            Encoder::PrecomputedItem(fields.required_id("input_item_id", "which item's vector it is"))
        }
    };
    fields.finish();
    Some(encoder)
}

fn described(fields: &mut Fields<'_, '_>, id: &'static str, features: &'static str) -> Option<Described> {
    let named = fields.raw(id).is_some();
    let open = fields.is_open(features);
    let given = fields.map(features);
    if named && (given.is_some() || open) {
        fields.report(features, "not_both", format!("give {id} or {features}, not both"));
        return None;
    }
    match given {
        Some(row) => Some(Described::Given(row)),
        None if open => Some(Described::Given(Row::new())),
        None if fields.is_given(id) => Some(Described::Known(fields.id(id))),
        None => {
            fields.report(
                id,
                "missing",
                format!("missing field `{id}`: give it or {features}"),
            );
            None
        }
    }
}

fn pooling(fields: &mut Fields<'_, '_>) -> Pooling {
    let options = [("mean", Pooling::Mean), ("max", Pooling::Max)];
    fields
        .choice("pooling_function", &options, Some(Pooling::Mean))
        .unwrap_or(Pooling::Mean)
}

fn filter_steps(fields: &mut Fields<'_, '_>) -> Vec<Filter> {
    #[derive(Clone, Copy)]
    enum Kind {
        Prebuilt,
        Expression,
        Truncate,
    }
    let options = [
        ("prebuilt", Kind::Prebuilt),
        ("expression", Kind::Expression),
        ("truncate", Kind::Truncate),
    ];
    let steps = fields.objects("filter", MAX_STEPS, |mut step| {
        let kind = step.choice("type", &options, None)?;
        let name = step.text("name");
        let keep = match kind {
            Kind::Prebuilt => Keep::NotIn {
                filter: step.required_text("filter_ref", "the name of one of the model's filters"),
                user: step.id("input_user_id"),
            },
            Kind::Expression => Keep::Where(step.required_text("expression", "the condition to meet")),
            Kind::Truncate => Keep::First(step.whole("max_length", DEFAULT_MAX_LENGTH, 1..=MAX_CANDIDATES)),
        };
        step.finish();
        let filter = Filter {
            name: keep.name().to_owned(),
            keep,
        };
        Some((filter, name))
    });
    named(fields, "filter", steps, |step| &mut step.name)
}

fn score(mut fields: Fields<'_, '_>) -> Option<Score> {
    let options = [("score_ensemble", false), ("passthrough", true)];
    let score = if fields.choice("type", &options, None)? {
        Score::Passthrough
    } else {
        Score::Ensemble(Ensemble {
            value_model: fields
                .required_text("value_model", "an expression that gives each candidate's score"),
            user: fields.id("input_user_id"),
            user_features: fields.map("input_user_features").unwrap_or_default(),
            interactions: fields
                .texts("input_interactions_item_ids", MAX_CANDIDATES)
                .unwrap_or_default(),
        })
    };
    fields.text("name");
    fields.finish();
    Some(score)
}

fn reorder_steps(fields: &mut Fields<'_, '_>) -> Vec<Reorder> {
    #[derive(Clone, Copy)]
    enum Kind {
        Exploration,
        Boosted,
        Diversity,
    }
    let options = [
        ("exploration", Kind::Exploration),
        ("boosted", Kind::Boosted),
        ("diversity", Kind::Diversity),
    ];
    let steps = fields.objects("reorder", MAX_STEPS, |mut step| {
        let kind = step.choice("type", &options, None)?;
        let name = step.text("name");
        let strength = step.number("strength", 0.5, 0.0..=1.0) as f32;
        let mix = match kind {
            Kind::Exploration => Mix::Exploration,
            Kind::Boosted => Mix::Boosted,
            Kind::Diversity => Mix::Diversity {
                lookback: step.whole("diversity_lookback_window", 30, 0..=MAX_WINDOW),
                lookforward: step.whole("diversity_lookforward_window", 30, 0..=MAX_WINDOW),
                attributes: step.texts("diversity_attributes", MAX_STEPS).unwrap_or_default(),
                embedding: step.text("text_encoding_embedding_ref"),
            },
        };
        step.finish();
        let reorder = Reorder {
            name: mix.name().to_owned(),
            strength,
            mix,
        };
        Some((reorder, name))
    });
    named(fields, "reorder", steps, |step| &mut step.name)
}

/// The id of a described item, if its columns have one.
pub(crate) fn described_id(row: &Row) -> Option<String> {
    row.get("item_id").and_then(id_of)
}

/// A place below another one.
pub(crate) fn below(path: &[PathPart], parts: impl IntoIterator<Item = PathPart>) -> Vec<PathPart> {
    path.iter().cloned().chain(parts).collect()
}
