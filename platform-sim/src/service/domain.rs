//! The nouns of the platform, free of any wire format.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub(crate) use super::model_config::{
    CandidateSource, DEFAULT_SLATE_SIZE, Embedding, EmbeddingEncoder, Evaluation, Fetch, FilterKind,
    Language, ModelConfig, NamedFilter, OnlineLimits, Policy, PolicyKind, SavedQuery, Scale, Schedule,
    SettingChoice, SettingValue, SplitStrategy, Tokenizer, Tuning,
};
use super::schema_types::{SchemaType, Secrets};
pub(crate) use super::training_report::{
    EvaluationReport, PolicyEvaluation, PolicyTuning, TrainingReport, Trial, TuningReport,
};

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
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $name { $($(#[$variant_doc])* $variant),+ }

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
    /// Where a dataset is in its life.
    DatasetStatus {
        Scheduling = "SCHEDULING",
        Deploying = "DEPLOYING",
        Active = "ACTIVE",
        /// Deployed and at rest: nothing brings rows. For sources that somebody paused; no request does that yet.
        Inactive = "INACTIVE",
        /// Being deleted.
        Destroying = "DESTROYING",
        Error = "ERROR",
    }
}

status! {
    /// Where a transform is in its life. One that served rows goes on serving them while it is refreshed and when
    /// a refresh fails.
    TransformStatus {
        Scheduling = "SCHEDULING",
        /// Its rows are made for the first time.
        Backfilling = "BACKFILLING",
        Active = "ACTIVE",
        /// At rest: nothing refreshes it. No request pauses one yet.
        Inactive = "INACTIVE",
        /// Being deleted.
        Destroying = "DESTROYING",
        Error = "ERROR",
    }
}

status! {
    /// Where a model is in its life. One that has served goes on serving while it is trained again and when that
    /// fails.
    ModelStatus {
        Scheduling = "SCHEDULING",
        Fetching = "FETCHING",
        /// Hyper-parameters are looked for, in models that leave some open.
        Tuning = "TUNING",
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
        DestroyDataset = "DESTROY_DATASET",
        RefreshTransform = "REFRESH_TRANSFORM",
        DestroyTransform = "DESTROY_TRANSFORM",
        TrainModel = "TRAIN_MODEL",
    }
}

/// Background work that survives a crash because it is a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Job {
    pub(crate) id: i64,
    pub(crate) kind: JobKind,
    /// The dataset, transform or model that the job works on.
    pub(crate) target: i64,
    /// How often it was started, this time included.
    pub(crate) attempts: u32,
}

/// Rows under a name, and where they come from.
#[derive(Clone, Debug)]
pub(crate) struct Dataset {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) schema_type: &'static SchemaType,
    pub(crate) status: DatasetStatus,
    pub(crate) schema: Schema,
    pub(crate) unique_keys: Vec<String>,
    /// The other fields of the configuration, as given.
    pub(crate) config: Map<String, Value>,
    pub(crate) secrets: Secrets,
    pub(crate) error_message: Option<String>,
    pub(crate) warning_message: Option<String>,
    /// Grows with every change of rows or columns.
    pub(crate) revision: i64,
    pub(crate) created_at: String,
    pub(crate) updated_at: String,
}

/// What a caller says to make a dataset.
#[derive(Debug)]
pub(crate) struct NewDataset {
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) schema_type: &'static SchemaType,
    pub(crate) schema: Schema,
    pub(crate) unique_keys: Vec<String>,
    /// The other fields of the configuration, as given.
    pub(crate) config: Map<String, Value>,
    pub(crate) secrets: Secrets,
}

/// Rows that are made from others.
#[derive(Clone, Debug)]
pub(crate) struct Transform {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) recipe: Recipe,
    pub(crate) status: TransformStatus,
    pub(crate) schema: Schema,
    /// The datasets and transforms that it reads, by name.
    pub(crate) sources: Vec<String>,
    /// How the sources stood when it was last made; see `crate::jobs::refresh`.
    pub(crate) stamp: Stamp,
    /// How often its rows were made.
    pub(crate) version: i64,
    pub(crate) error_message: Option<String>,
    pub(crate) created_at: String,
    pub(crate) refreshed_at: Option<String>,
}

impl Transform {
    /// Rows of its own, as opposed to a statement that is computed wherever it is read.
    pub(crate) fn has_rows(&self) -> bool {
        !matches!(self.recipe, Recipe::View { .. })
    }
}

/// What each source of a transform was like, by its name.
pub(crate) type Stamp = BTreeMap<String, String>;

/// How a transform makes its rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Recipe {
    /// A SELECT that is computed wherever it is read.
    View { sql: String },
    /// A SELECT whose rows are kept.
    Materialized { sql: String },
    /// New columns that a provider writes for each row of a source.
    Enrichment(Enrichment),
}

/// What an enrichment reads and writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Enrichment {
    pub(crate) source: String,
    /// The columns that the provider reads.
    pub(crate) columns: Vec<String>,
    /// The columns of the source that the result has, too.
    pub(crate) kept: Vec<String>,
    /// The columns that the provider writes.
    pub(crate) outputs: Vec<String>,
    pub(crate) prompt: String,
}

/// What a caller says to make a transform, with what was found out about it.
#[derive(Debug)]
pub(crate) struct NewTransform {
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) recipe: Recipe,
    pub(crate) schema: Schema,
    pub(crate) sources: Vec<String>,
}

/// Whose rows: datasets and transforms keep theirs alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RowOwner {
    Dataset(i64),
    Transform(i64),
}

/// One of the statements that feed a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FetchPart {
    Events,
    Items,
    Users,
    /// Items that nobody is shown.
    GlobalFilters,
    /// Items that one user is not shown.
    PersonalFilters,
    /// The same under a name: the filter of that number, see `ModelConfig::filters`.
    GlobalFilter(usize),
    PersonalFilter(usize),
}

impl FetchPart {
    /// The name of its rows among the files of a training, and in the bodies of version 1.
    pub(crate) fn name(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            FetchPart::Events => "events",
            FetchPart::Items => "items",
            FetchPart::Users => "users",
            FetchPart::GlobalFilters => "global_filters",
            FetchPart::PersonalFilters => "personal_filters",
            FetchPart::GlobalFilter(number) | FetchPart::PersonalFilter(number) => {
                return Cow::Owned(format!("filter-{number}"));
            }
        })
    }

    /// The columns that the statement must select.
    pub(crate) fn required_columns(self) -> &'static [&'static str] {
        match self {
            FetchPart::Events => &["user_id", "item_id", "label", "created_at"],
            FetchPart::Items => &["item_id"],
            FetchPart::Users => &["user_id"],
            FetchPart::GlobalFilters | FetchPart::GlobalFilter(_) => &["item_id"],
            FetchPart::PersonalFilters | FetchPart::PersonalFilter(_) => &["user_id", "item_id"],
        }
    }
}

/// Rows under the name that the SQL uses for them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Connector {
    pub(crate) id: String,
    #[serde(flatten)]
    pub(crate) source: Source,
}

/// Where the rows of a connector are.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Source {
    Dataset {
        dataset: String,
    },
    File {
        /// Below the server's folder of files; may have the day in it.
        path: String,
        /// How many days before today are read as well.
        day_lookback: i64,
    },
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
    /// How rows that come into a dataset become events without SQL, where they can.
    #[serde(default)]
    pub(crate) live: Option<LiveEvents>,
    /// What the columns mean, once a training has seen them.
    #[serde(default)]
    pub(crate) features: Option<ModelFeatures>,
    /// What was noticed while the statements were made.
    #[serde(default)]
    pub(crate) warnings: Vec<String>,
    /// What the last training found out.
    #[serde(default)]
    pub(crate) report: Option<TrainingReport>,
}

/// An events statement that only renames the columns of one dataset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct LiveEvents {
    pub(crate) dataset: String,
    pub(crate) user: Cell,
    pub(crate) item: Cell,
    pub(crate) label: Cell,
    pub(crate) time: Cell,
}

/// Where a value of each row comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Cell {
    Column(String),
    /// The same in every row, as text.
    Constant(String),
}

/// What the columns of a model mean.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ModelFeatures {
    pub(crate) interactions: Vec<FeatureColumn>,
    pub(crate) items: Vec<FeatureColumn>,
    pub(crate) users: Vec<FeatureColumn>,
    pub(crate) label: LabelType,
}

/// A column and what it means.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FeatureColumn {
    pub(crate) name: String,
    pub(crate) feature_type: FeatureType,
}

/// What a column means to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum FeatureType {
    Id,
    Unknown,
    Timestamp,
    /// A code: one word, many values.
    Category,
    /// A label of a few words.
    TextCategory,
    LowCardinalityCategory,
    /// A number that is 0 or 1.
    Binary,
    Boolean,
    Numerical,
    NumericalSequence,
    CategorySequence,
    CategorySet,
    Url,
    /// Prose.
    Text,
    Vector,
    Image,
    Audio,
    Video,
}

impl FeatureType {
    const ALL: [FeatureType; 18] = [
        FeatureType::Id,
        FeatureType::Unknown,
        FeatureType::Timestamp,
        FeatureType::Category,
        FeatureType::TextCategory,
        FeatureType::LowCardinalityCategory,
        FeatureType::Binary,
        FeatureType::Boolean,
        FeatureType::Numerical,
        FeatureType::NumericalSequence,
        FeatureType::CategorySequence,
        FeatureType::CategorySet,
        FeatureType::Url,
        FeatureType::Text,
        FeatureType::Vector,
        FeatureType::Image,
        FeatureType::Audio,
        FeatureType::Video,
    ];

    /// The names of all.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        FeatureType::ALL.into_iter().map(FeatureType::name)
    }

    /// The type of that name.
    pub(crate) fn parse(name: &str) -> Option<FeatureType> {
        FeatureType::ALL.into_iter().find(|known| known.name() == name)
    }

    /// The name in answers.
    pub(crate) fn name(self) -> &'static str {
        match self {
            FeatureType::Id => "Id",
            FeatureType::Unknown => "Unknown",
            FeatureType::Timestamp => "Timestamp",
            FeatureType::Category => "Category",
            FeatureType::TextCategory => "TextCategory",
            FeatureType::LowCardinalityCategory => "LowCardinalityCategory",
            FeatureType::Binary => "Binary",
            FeatureType::Boolean => "Boolean",
            FeatureType::Numerical => "Numerical",
            FeatureType::NumericalSequence => "Sequence(Numerical)",
            FeatureType::CategorySequence => "Sequence(Category)",
            FeatureType::CategorySet => "Set(Category)",
            FeatureType::Url => "Url",
            FeatureType::Text => "Text",
            FeatureType::Vector => "Vector",
            FeatureType::Image => "Image",
            FeatureType::Audio => "Audio",
            FeatureType::Video => "Video",
        }
    }
}

/// What the labels of events say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum LabelType {
    /// That something happened, or did not.
    #[default]
    BinaryLabel,
    /// How much somebody liked something.
    RatingLabel,
}

impl LabelType {
    /// The name in answers.
    pub(crate) fn name(self) -> &'static str {
        match self {
            LabelType::BinaryLabel => "BinaryLabel",
            LabelType::RatingLabel => "RatingLabel",
        }
    }
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
    /// When a training last began to wait for its turn.
    pub(crate) scheduled_at: String,
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
