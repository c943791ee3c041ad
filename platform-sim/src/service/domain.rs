//! The nouns of the platform, free of any wire format.

use serde::{Deserialize, Serialize};

/// The type of a dataset column, as its owner declared it or as the first rows showed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ValueType {
    Unknown,
    Bytes,
    String,
    LowCardinalityString,
    StringArray,
    Int64Array,
    Float64Array,
    Int32,
    Int64,
    Float,
    Double,
    Bool,
    DateTime,
    Json,
    ImageUrl,
}

impl ValueType {
    /// Every type, in the order in which messages list them.
    pub(crate) const ALL: [ValueType; 15] = [
        ValueType::String,
        ValueType::LowCardinalityString,
        ValueType::Int32,
        ValueType::Int64,
        ValueType::Float,
        ValueType::Double,
        ValueType::Bool,
        ValueType::DateTime,
        ValueType::StringArray,
        ValueType::Int64Array,
        ValueType::Float64Array,
        ValueType::Json,
        ValueType::Bytes,
        ValueType::ImageUrl,
        ValueType::Unknown,
    ];

    /// The canonical spelling.
    pub(crate) fn name(self) -> &'static str {
        match self {
            ValueType::Unknown => "Unknown",
            ValueType::Bytes => "Bytes",
            ValueType::String => "String",
            ValueType::LowCardinalityString => "LowCardinality(String)",
            ValueType::StringArray => "Array(String)",
            ValueType::Int64Array => "Array(Int64)",
            ValueType::Float64Array => "Array(Float64)",
            ValueType::Int32 => "Int32",
            ValueType::Int64 => "Int64",
            ValueType::Float => "Float",
            ValueType::Double => "Double",
            ValueType::Bool => "Bool",
            ValueType::DateTime => "DateTime",
            ValueType::Json => "Json",
            ValueType::ImageUrl => "ImageUrl",
        }
    }
}

/// A named, typed column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) value_type: ValueType,
}

/// The columns of a dataset and where they come from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Schema {
    /// Declared at creation: then an unknown column is an error. Otherwise inferred, and new columns extend it.
    pub(crate) declared: bool,
    pub(crate) columns: Vec<Column>,
}

impl Schema {
    pub(crate) fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }
}

/// A set of names with a text form that storage and answers share.
macro_rules! status {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $name { $($variant),+ }

        impl $name {
            pub(crate) fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text),+ }
            }

            pub(crate) fn parse(text: &str) -> Option<$name> {
                match text { $($text => Some($name::$variant),)+ _ => None }
            }
        }
    };
}

status! {
    /// Where a dataset is in its life. INACTIVE and DESTROYING belong to synchronised sources.
    DatasetStatus {
        Scheduling = "SCHEDULING",
        Deploying = "DEPLOYING",
        Active = "ACTIVE",
        Error = "ERROR",
    }
}

status! {
    /// Where a model is in its life. TUNING is entered by models that have something to tune; none has yet.
    ModelStatus {
        Scheduling = "SCHEDULING",
        Fetching = "FETCHING",
        Training = "TRAINING",
        Deploying = "DEPLOYING",
        Active = "ACTIVE",
        Error = "ERROR",
    }
}

status! {
    /// What a background job does to its target.
    JobKind {
        DeployDataset = "DEPLOY_DATASET",
        TrainModel = "TRAIN_MODEL",
    }
}

/// Background work that survives a crash because it is a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Job {
    pub(crate) id: i64,
    pub(crate) kind: JobKind,
    /// The dataset or model that the job works on.
    pub(crate) target: i64,
    /// How often it was started, this time included.
    pub(crate) attempts: u32,
}

/// A dataset that rows are pushed into.
#[derive(Clone, Debug)]
pub(crate) struct Dataset {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) status: DatasetStatus,
    pub(crate) schema: Schema,
    pub(crate) unique_keys: Vec<String>,
    pub(crate) error_message: Option<String>,
    pub(crate) created_at: String,
    pub(crate) updated_at: String,
}

/// What a caller says to make a dataset.
#[derive(Debug)]
pub(crate) struct NewDataset {
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) schema: Schema,
    pub(crate) unique_keys: Vec<String>,
}

/// One of the statements that feed a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FetchPart {
    Events,
    Items,
    Users,
}

impl FetchPart {
    pub(crate) fn name(self) -> &'static str {
        match self {
            FetchPart::Events => "events",
            FetchPart::Items => "items",
            FetchPart::Users => "users",
        }
    }

    /// The columns that the statement must select.
    pub(crate) fn required_columns(self) -> &'static [&'static str] {
        match self {
            FetchPart::Events => &["user_id", "item_id", "label", "created_at"],
            FetchPart::Items => &["item_id"],
            FetchPart::Users => &["user_id"],
        }
    }
}

/// The SQL that feeds a model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Fetch {
    pub(crate) events: String,
    pub(crate) items: Option<String>,
    pub(crate) users: Option<String>,
}

impl Fetch {
    /// The statements that are there, in the order in which they run.
    pub(crate) fn parts(&self) -> Vec<(FetchPart, &str)> {
        let mut parts = vec![(FetchPart::Events, self.events.as_str())];
        parts.extend(self.items.as_deref().map(|sql| (FetchPart::Items, sql)));
        parts.extend(self.users.as_deref().map(|sql| (FetchPart::Users, sql)));
        parts
    }
}

/// A dataset under the name that the SQL uses for it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Connector {
    pub(crate) id: String,
    pub(crate) dataset: String,
}

/// Everything that says how a model is made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ModelConfig {
    pub(crate) connectors: Vec<Connector>,
    pub(crate) fetch: Fetch,
    /// Item columns to search, most important first; empty: no text index.
    pub(crate) text_fields: Vec<String>,
    /// The item column with the vectors that the text index compares with that of a text.
    #[serde(default)]
    pub(crate) embedding_field: Option<String>,
    /// How many results an answer carries when the query does not say.
    pub(crate) default_limit: usize,
}

/// What a caller says to make a model.
#[derive(Debug)]
pub(crate) struct NewModel {
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) config: ModelConfig,
}

/// The columns that each fetch statement gives, with their types.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ModelSchema {
    pub(crate) events: Vec<Column>,
    pub(crate) items: Vec<Column>,
    pub(crate) users: Vec<Column>,
}

/// A model and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) status: ModelStatus,
    pub(crate) config: ModelConfig,
    pub(crate) schema: ModelSchema,
    /// The artefact version that serves, once there is one.
    pub(crate) version: Option<u32>,
    pub(crate) error_message: Option<String>,
    pub(crate) created_at: String,
    pub(crate) trained_at: Option<String>,
}

/// What a key may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    Admin,
    Search,
}

/// The current time as answers show it.
pub(crate) fn now() -> String {
    chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Micros, true)
}
