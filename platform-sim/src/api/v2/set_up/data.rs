//! `data`: what a model reads, what its columns mean, what it looks up by.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::fields::{Fields, Path, Problems, noun};
use crate::jobs::schedule::Plan;
use crate::service::domain::{
    Embedding, EmbeddingEncoder, FeatureType, FilterKind, LabelType, Language, ModelConfig, Tokenizer,
};
use crate::service::names;
use crate::service::sources::{
    ColumnMeaning, DataSource, EntityColumns, FilterSource, InteractionColumns, Sources,
};

const MAX_COLUMNS: usize = 1_000;
const MAX_FILTERS: usize = 100;
const MAX_EMBEDDINGS: usize = 20;
const MAX_SEARCHED: usize = 100;

pub(super) fn read(data: &mut Fields<'_, '_>, config: &mut ModelConfig) -> Sources {
    let mut sources = Sources {
        interaction: source(data, "interaction_dataset"),
        user: source(data, "user_dataset"),
        item: source(data, "item_dataset"),
        ..Sources::default()
    };
    if data.raw("interaction_dataset").is_none() && data.raw("item_dataset").is_none() {
        data.report(
            "interaction_dataset",
            "missing",
            "missing field `interaction_dataset`: a model reads interactions, or at least an item_dataset",
        );
    }
    schedule(data, "schedule", "@hourly");
    data.object("schema_override", |fields| {
        schema_override(fields, config, &mut sources)
    });
    // This server has one machine: sizes are kept and shown.
    data.object_or_default("compute", |compute| {
        compute.count("cpu", 4, 1..=1_024);
        compute.count("memory_gb", 16, 1..=65_536);
    });
    data.object("index", |index| self::index(index, config, &mut sources));
    sources.filters = filters(data);
    sources
}

/// A schedule that the server understands.
pub(super) fn schedule(fields: &mut Fields<'_, '_>, field: &'static str, default: &str) -> String {
    let text = fields.text_or(field, default);
    if let Err(message) = Plan::parse(&text) {
        fields.report(field, "invalid_schedule", message);
    }
    text.trim().to_owned()
}

/// A table by its name, or a statement.
fn source(fields: &mut Fields<'_, '_>, field: &'static str) -> Option<DataSource> {
    fields.object(field, |source| {
        let place = source.path.clone();
        match source.choice("type", &[("table", true), ("query", false)], true)? {
            true => {
                let name = source.required_text("name", "the dataset or transform");
                if let Some(name) = &name
                    && let Err(message) = names::check(name)
                {
                    source.report("name", "invalid_name", message);
                }
                let columns = source.texts("columns", MAX_COLUMNS);
                let condition = source.text("where");
                Some(DataSource::table(name?, columns, condition, place))
            }
            false => {
                let query =
                    source.required_text("query", "a SELECT over datasets and transforms, by their names")?;
                Some(DataSource::query(query, place))
            }
        }
    })?
}

fn schema_override(fields: &mut Fields<'_, '_>, config: &mut ModelConfig, sources: &mut Sources) {
    let entity = |fields: &mut Fields<'_, '_>| EntityColumns {
        place: fields.path.clone(),
        id: column(fields, "id"),
        created_at: column(fields, "created_at"),
        features: features(fields),
    };
    sources.user_columns = fields.object("user", entity).unwrap_or_default();
    sources.item_columns = fields.object("item", entity).unwrap_or_default();
    let interaction = fields.object("interaction", |fields| {
        let label = fields.object("label", |label| {
            let name = label.required_text("name", "the column");
            let types = [
                ("BinaryLabel", LabelType::BinaryLabel),
                ("RatingLabel", LabelType::RatingLabel),
            ];
            if label.raw("type").is_some() {
                config.meanings.label = label.choice("type", &types, true);
            }
            name
        });
        InteractionColumns {
            place: fields.path.clone(),
            label: label.flatten(),
            created_at: column(fields, "created_at"),
            session_id: column(fields, "session_id"),
            interaction_id: column(fields, "interaction_id"),
            features: features(fields),
        }
    });
    sources.interaction_columns = interaction.unwrap_or_default();
}

fn column(fields: &mut Fields<'_, '_>, field: &'static str) -> Option<String> {
    let name = fields.text(field)?;
    if let Err(message) = names::check_column(&name) {
        fields.report(field, "invalid_name", message);
    }
    Some(name)
}

/// Columns by name, with what they mean where their owner says so.
fn features(fields: &mut Fields<'_, '_>) -> Option<Vec<ColumnMeaning>> {
    fields.raw("features")?;
    Some(fields.list("features", MAX_COLUMNS, |value, place, problems| {
        if let Some(name) = value.as_str() {
            let meaning = ColumnMeaning {
                name: name.to_owned(),
                feature_type: None,
            };
            return Some((meaning, value.clone()));
        }
        if !value.is_object() {
            let message = format!(
                "a feature is a column or an object with name and type, not {}",
                noun(value)
            );
            problems.report(place, "wrong_type", message);
            return None;
        }
        let mut feature = Fields::of(value, place, problems)?;
        let name = feature.required_text("name", "the column");
        let types: Vec<(&'static str, FeatureType)> = FeatureType::names()
            .filter_map(|name| Some((name, FeatureType::parse(name)?)))
            .collect();
        let feature_type = match feature.raw("type") {
            Some(_) => feature.choice("type", &types, true),
            None => None,
        };
        let filled = feature.finish();
        let meaning = ColumnMeaning {
            name: name?,
            feature_type,
        };
        Some((meaning, Value::Object(filled)))
    }))
}

fn index(index: &mut Fields<'_, '_>, config: &mut ModelConfig, sources: &mut Sources) {
    index.object("lexical_search", |search| {
        let tokenizer = search.object_or_default("tokenizer", tokenizer);
        config.tokenizer = tokenizer.flatten().unwrap_or_default();
        config.text_fields = search.texts("item_fields", MAX_SEARCHED);
        config.user_text_fields = search.texts("user_fields", MAX_SEARCHED);
        if config.text_fields.is_empty() && config.user_text_fields.is_empty() {
            search.report(
                "item_fields",
                "empty",
                "name the columns to search: item_fields, user_fields or both",
            );
        }
    });
    let mut names = HashSet::new();
    config.embeddings = index.list("embeddings", MAX_EMBEDDINGS, |value, place, problems| {
        embedding(value, place, problems, &mut names)
    });
    for (field, columns) in [
        ("item_column_indices", &mut sources.indexed_item_columns),
        ("user_column_indices", &mut sources.indexed_user_columns),
    ] {
        *columns = index.list(field, MAX_COLUMNS, column_index);
    }
}

fn tokenizer(fields: &mut Fields<'_, '_>) -> Option<Tokenizer> {
    #[derive(Clone, Copy)]
    enum Kind {
        Stemmer,
        Ngram,
        Whitespace,
    }
    let kinds = [
        ("stemmer", Kind::Stemmer),
        ("ngram", Kind::Ngram),
        ("whitespace", Kind::Whitespace),
    ];
    Some(match fields.choice("type", &kinds, false)? {
        Kind::Stemmer => {
            let language = fields.text_or("language", "en");
            if language != "en" {
                let shown: String = language.chars().take(20).collect();
                fields.report(
                    "language",
                    "not_supported",
                    format!("this server stems English (en), not '{shown}'; the tokenizer whitespace or ngram suits any language"),
                );
            }
            Tokenizer::Words {
                language: Language::English,
                stemming: fields.flag("stemming", true),
                ascii_folding: fields.flag("ascii_folding", true),
                remove_stop_words: fields.flag("remove_stop_words", false),
            }
        }
        Kind::Ngram => {
            let least = fields.count("min_length", 3, 1..=20);
            // A longer least length alone means the grams of that length.
            let most = fields.count("max_length", least.max(3), 1..=20);
            if most < least {
                fields.report(
                    "max_length",
                    "out_of_range",
                    format!("max_length {most} is less than min_length {least}"),
                );
            }
            Tokenizer::Ngrams {
                min_length: usize::try_from(least).unwrap_or(3),
                max_length: usize::try_from(most).unwrap_or(3),
                prefix_only: fields.flag("prefix_only", false),
            }
        }
        Kind::Whitespace => Tokenizer::Whitespace,
    })
}

fn embedding(
    value: &Value,
    place: Path,
    problems: &mut Problems,
    names: &mut HashSet<String>,
) -> Option<(Embedding, Value)> {
    let mut fields = Fields::of(value, place, problems)?;
    let name = fields.identifier("name");
    if let Some(name) = &name
        && !names.insert(name.clone())
    {
        fields.report(
            "name",
            "repeated",
            format!("two embeddings have the name '{name}'"),
        );
    }
    let encoder = fields.required_object("encoder", "where the vectors come from", |encoder| {
        let kinds = [("trained_model", true), ("hugging_face", false)];
        match encoder.choice("type", &kinds, true)? {
            true => {
                let policy = encoder.required_text("model_ref", "the name of a policy of training.models")?;
                Some(EmbeddingEncoder::Policy(policy))
            }
            false => {
                encoder.required_text("model_name", "the name of the text encoder");
                let item_fields = encoder.texts("item_fields", MAX_SEARCHED);
                let user_fields = encoder.texts("user_fields", MAX_SEARCHED);
                encoder.count("batch_size", 256, 1..=100_000);
                if item_fields.is_empty() && user_fields.is_empty() {
                    encoder.report(
                        "item_fields",
                        "empty",
                        "name the columns to encode: item_fields, user_fields or both",
                    );
                }
                Some(EmbeddingEncoder::Text {
                    item_fields,
                    user_fields,
                })
            }
        }
    });
    let filled: Map<String, Value> = fields.finish();
    let embedding = Embedding {
        name: name?,
        encoder: encoder??,
    };
    Some((embedding, Value::Object(filled)))
}

/// Filters look at whole columns here, so an index changes nothing; its column has to be there.
fn column_index(value: &Value, place: Path, problems: &mut Problems) -> Option<((String, Path), Value)> {
    let mut fields = Fields::of(value, place, problems)?;
    let column = fields.required_text("column", "the column");
    let kinds = ["btree", "bitmap", "label_list", "fts"].map(|kind| (kind, ()));
    fields.choice("index_type", &kinds, true);
    let place = fields.place("column");
    let filled = fields.finish();
    Some(((column?, place), Value::Object(filled)))
}

fn filters(data: &mut Fields<'_, '_>) -> Vec<FilterSource> {
    let mut names = HashSet::new();
    data.list("filters", MAX_FILTERS, |value, place, problems| {
        let mut fields = Fields::of(value, place, problems)?;
        let name = fields.identifier("name");
        if let Some(name) = &name
            && !names.insert(name.clone())
        {
            fields.report("name", "repeated", format!("two filters have the name '{name}'"));
        }
        if fields.raw("filter_dataset").is_none() {
            fields.report(
                "filter_dataset",
                "missing",
                "missing field `filter_dataset`: where the items stand",
            );
        }
        let source = source(&mut fields, "filter_dataset");
        let kind = fields.required_object("filter_type", "global or personal", |kind| {
            let place = kind.path.clone();
            let kinds = [("global", FilterKind::Global), ("personal", FilterKind::Personal)];
            let filter_kind = kind.choice("type", &kinds, true)?;
            let user = match filter_kind {
                FilterKind::Global => None,
                FilterKind::Personal => Some(kind.text_or("user_id_column", "user_id")),
            };
            Some((
                filter_kind,
                user,
                kind.text_or("item_id_column", "item_id"),
                place,
            ))
        });
        let filled = fields.finish();
        let (kind, user_column, item_column, place) = kind??;
        let filter = FilterSource {
            name: name?,
            kind,
            source: source?,
            user_column,
            item_column,
            place,
        };
        Some((filter, Value::Object(filled)))
    })
}
