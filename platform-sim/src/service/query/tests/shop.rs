//! A small shop whose every score and vector is written down.

use std::collections::HashMap;

use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::Schema as ArrowSchema;
use recsys::{
    Categories, Column as FeatureColumn, Features, Ids, Interaction, Matrix, ModelSpec, NumberSet, Query,
    Recommender,
};
use serde_json::{Value, json};

use crate::service::domain::{Column, Schema, ValueType};
use crate::service::inference::model::{DERIVED_COLUMNS, InferenceModel};
use crate::service::query::model::{Embedding, PrebuiltFilter, QueryModel, Subject, TextEncoding};
use crate::service::rows::{self, Row, cell};
use crate::service::text_search::{TextMode, TextSearch};

/// 2026-01-11 in Unix seconds.
pub(super) const NOW: i64 = 1_768_089_600;

/// A policy that says what it was told to say.
pub(super) struct Written {
    spec: &'static ModelSpec,
    /// By item, plus the number of the user's interactions.
    scores: Vec<f32>,
    items: Matrix,
    users: Matrix,
}

impl Recommender for Written {
    fn spec(&self) -> &'static ModelSpec {
        self.spec
    }

    fn items(&self) -> usize {
        self.scores.len()
    }

    fn score(&self, query: &Query<'_>, candidates: &[u32], out: &mut [f32]) -> recsys::Result<()> {
        for (candidate, score) in candidates.iter().zip(out) {
            let written = self.scores.get(*candidate as usize).copied();
            *score = written.unwrap_or(f32::NAN) + query.history.len() as f32;
        }
        Ok(())
    }

    fn item_vectors(&self) -> Option<&Matrix> {
        Some(&self.items)
    }

    fn user_vectors(&self) -> Option<&Matrix> {
        Some(&self.users)
    }

    fn write(&self, _: &mut recsys::ModelWriter) {}
}

/// Words are directions: "hot" is up, "cold" is right.
struct Words;

impl TextEncoding for Words {
    fn encode(&self, text: &str) -> Option<Vec<f32>> {
        let count = |word: &str| text.split_whitespace().filter(|one| *one == word).count() as f32;
        let vector = vec![count("cold"), count("hot")];
        vector.iter().any(|value| *value > 0.0).then_some(vector)
    }
}

/// The text index of ids: those that begin with the text, or with one letter of it wrong.
struct Beginnings(Vec<String>);

impl TextSearch for Beginnings {
    fn modes(&self) -> &'static [TextMode] {
        &[TextMode::Lexical]
    }

    fn search(&self, text: &str, _: TextMode, limit: usize) -> anyhow::Result<Vec<(usize, f32)>> {
        self.search_words(text, 0, limit)
    }

    fn search_words(&self, text: &str, edits: u8, limit: usize) -> anyhow::Result<Vec<(usize, f32)>> {
        let wrong = |id: &str| {
            id.chars()
                .zip(text.chars())
                .filter(|(one, other)| one != other)
                .count()
        };
        let found = self
            .0
            .iter()
            .enumerate()
            .filter(|(_, id)| wrong(id) <= usize::from(edits));
        Ok(found
            .map(|(row, id)| (row, 1.0 / (1 + wrong(id)) as f32))
            .take(limit)
            .collect())
    }
}

pub(super) struct Shop {
    items: RecordBatch,
    users: RecordBatch,
    item_ids: Ids,
    user_ids: Ids,
    policies: Vec<(&'static str, Written)>,
    counts: Vec<u32>,
    histories: HashMap<&'static str, Vec<Interaction>>,
    pub(super) sold_out: NumberSet,
    pub(super) hidden: NumberSet,
    item_index: Beginnings,
    user_index: Beginnings,
}

fn batch(columns: &[(&str, ValueType)], rows: &Value) -> RecordBatch {
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
    let rows: Vec<Row> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row.as_object().unwrap().clone())
        .collect();
    rows::encode(&schema, &[], &rows).unwrap()
}

fn matrix(rows: &[[f32; 2]]) -> Matrix {
    Matrix::from_values(rows.len(), 2, rows.concat()).unwrap()
}

/// Items `black`, `green`, `ice`, `latte`, `mate` and users `ann`, `bob`, `eve`.
pub(super) fn shop() -> Shop {
    let items = batch(
        &[
            ("item_id", ValueType::String),
            ("price", ValueType::Double),
            ("brand", ValueType::String),
            ("tags", ValueType::StringArray),
            ("created_at", ValueType::DateTime),
            ("boost", ValueType::Int64),
            ("note", ValueType::Json),
            ("goes_with", ValueType::StringArray),
            ("interaction_count", ValueType::Int64),
            ("_derived_popular_rank", ValueType::Int64),
            ("_derived_chronological_rank", ValueType::Int64),
        ],
        &json!([
            {"item_id": "black", "price": 4.0, "brand": "aa", "tags": ["hot", "tea"], "created_at": "2026-01-01", "boost": 0,
             "note": {"origin": {"country": "in"}}, "goes_with": ["latte"], "interaction_count": 9, "_derived_popular_rank": 1, "_derived_chronological_rank": 5},
            {"item_id": "green", "price": 5.0, "brand": "aa", "tags": ["hot", "tea"], "created_at": "2026-01-02", "boost": 0,
             "note": {"origin": {"country": "jp"}}, "goes_with": [], "interaction_count": 5, "_derived_popular_rank": 2, "_derived_chronological_rank": 4},
            {"item_id": "ice", "price": null, "brand": "bb", "tags": ["cold"], "created_at": "2026-01-03", "boost": 0,
             "goes_with": ["black", "green"], "interaction_count": 0, "_derived_popular_rank": 5, "_derived_chronological_rank": 3},
            {"item_id": "latte", "price": 3.0, "brand": "bb", "tags": ["hot"], "created_at": "2026-01-04", "boost": 1,
             "interaction_count": 3, "_derived_popular_rank": 3, "_derived_chronological_rank": 2},
            {"item_id": "mate", "price": 5.0, "brand": null, "tags": ["cold", "tea"], "created_at": "2026-01-05", "boost": 0,
             "interaction_count": 1, "_derived_popular_rank": 4, "_derived_chronological_rank": 1},
        ]),
    );
    // As a version that was trained has it: this column is never NULL.
    let fields = items.schema_ref().fields().iter().map(|field| {
        let nullable = field.name() != "interaction_count";
        field.as_ref().clone().with_nullable(nullable)
    });
    let schema = ArrowSchema::new(fields.collect::<Vec<_>>());
    let items = RecordBatch::try_new(schema.into(), items.columns().to_vec()).unwrap();
    let users = batch(
        &[
            ("user_id", ValueType::String),
            ("country", ValueType::String),
            ("age", ValueType::Int64),
        ],
        &json!([
            {"user_id": "ann", "country": "uk", "age": 40},
            {"user_id": "bob", "country": "uk", "age": 20},
            {"user_id": "eve", "country": "fr", "age": 30},
        ]),
    );
    let vectors = [[0.0, 2.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]];
    let written = |id: &str, scores: [f32; 5]| Written {
        spec: recsys::model(id).unwrap(),
        scores: scores.to_vec(),
        items: matrix(&vectors),
        users: matrix(&[[0.0, 1.0], [1.0, 0.0], [3.0, 3.0]]),
    };
    let ids = |rows: &RecordBatch| -> Vec<String> {
        let ids = rows.column(0).as_string::<i32>().iter();
        ids.flatten().map(str::to_owned).collect()
    };
    let history = |items: &[u32]| {
        let times = NOW - 100..;
        items
            .iter()
            .zip(times)
            .map(|(item, time)| Interaction::new(*item, time))
            .collect()
    };
    Shop {
        item_ids: Ids::new(ids(&items)),
        user_ids: Ids::new(ids(&users)),
        item_index: Beginnings(ids(&items)),
        user_index: Beginnings(ids(&users)),
        items,
        users,
        policies: vec![
            ("ctr", written("als", [0.1, 0.2, 0.3, 0.4, f32::NAN])),
            ("cvr", written("no_op", [5.0, 4.0, 3.0, 2.0, 1.0])),
        ],
        counts: vec![9, 5, 0, 3, 1],
        // Ann took green, then black; bob took ice; zoe came after the training and took black, then ice.
        histories: HashMap::from([
            ("ann", history(&[1, 0])),
            ("bob", history(&[2])),
            ("zoe", history(&[0, 2])),
        ]),
        sold_out: NumberSet::new([3]),
        hidden: NumberSet::default(),
    }
}

fn shown(rows: &RecordBatch, row: u32) -> Row {
    let fields = rows.schema_ref().fields().iter().zip(rows.columns());
    fields
        .filter(|(field, _)| !DERIVED_COLUMNS.contains(&field.name().as_str()))
        .map(|(field, column)| (field.name().clone(), cell(field, column, row as usize)))
        .collect()
}

fn categories(rows: &RecordBatch, name: &str) -> Features {
    let texts = rows.column_by_name(name).unwrap().as_string::<i32>().iter();
    let column = FeatureColumn::Category(Categories::new(texts));
    Features::new(rows.num_rows()).with(name, column).unwrap()
}

impl InferenceModel for Shop {
    fn items(&self) -> &Ids {
        &self.item_ids
    }

    fn users(&self) -> &Ids {
        &self.user_ids
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
        self.named_policy(if name == "als" || name == "popular" {
            "cvr"
        } else {
            name
        })
    }

    fn history(&self, user: &str) -> Vec<Interaction> {
        self.histories.get(user).cloned().unwrap_or_default()
    }

    fn hidden(&self) -> Option<&NumberSet> {
        Some(&self.hidden)
    }

    fn hidden_from(&self, _: &str) -> Vec<u32> {
        Vec::new()
    }

    fn item_metadata(&self, item: u32) -> Row {
        shown(&self.items, item)
    }

    fn user_metadata(&self, user: u32) -> Row {
        shown(&self.users, user)
    }

    fn text_search(&self) -> Option<&dyn TextSearch> {
        Some(&self.item_index)
    }

    fn item_features(&self, rows: &RecordBatch) -> Features {
        categories(rows, "brand")
    }

    fn user_features(&self, rows: &RecordBatch) -> Features {
        categories(rows, "country")
    }
}

impl QueryModel for Shop {
    fn policies(&self) -> Vec<&str> {
        let trained = self.policies.iter().map(|(name, _)| *name);
        trained.chain(["both"]).collect()
    }

    fn named_policy(&self, name: &str) -> Option<&dyn Recommender> {
        let (_, policy) = self.policies.iter().find(|(known, _)| *known == name)?;
        Some(policy)
    }

    fn ensemble(&self, name: &str) -> Option<&str> {
        (name == "both").then_some("ctr + 10 * cvr")
    }

    fn embeddings(&self) -> Vec<&str> {
        vec!["factors", "words"]
    }

    fn embedding(&self, name: &str) -> Option<Embedding<'_>> {
        let policy = self.named_policy("ctr")?;
        let of_texts = name == "words";
        (of_texts || name == "factors").then_some(Embedding {
            items: policy.item_vectors()?,
            users: policy.user_vectors().filter(|_| !of_texts),
            policy: Some(policy).filter(|_| !of_texts),
            text: of_texts.then_some(&Words),
        })
    }

    fn prebuilt_filters(&self) -> Vec<&str> {
        vec!["already_seen", "sold_out"]
    }

    fn prebuilt_filter(&self, name: &str) -> Option<PrebuiltFilter<'_>> {
        match name {
            "sold_out" => Some(PrebuiltFilter::Global(&self.sold_out)),
            "already_seen" => Some(PrebuiltFilter::Personal(Box::new(|user| {
                let history = self.history(user);
                history.iter().map(|one| one.item).collect()
            }))),
            _ => None,
        }
    }

    fn text_index(&self, subject: Subject) -> Option<&dyn TextSearch> {
        match subject {
            Subject::Item => Some(&self.item_index),
            Subject::User => Some(&self.user_index),
        }
    }

    fn user_interaction_counts(&self) -> Vec<u32> {
        vec![2, 1, 0]
    }
}
