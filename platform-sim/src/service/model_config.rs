//! How a model is made: what it reads, what it trains, how it answers. The set-up bodies of both versions of the API are
//! translated into this.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::domain::{Connector, FeatureColumn, FetchPart, LabelType};
use super::inference::settings::Overrides;

/// Everything that says how a model is made.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ModelConfig {
    pub(crate) connectors: Vec<Connector>,
    pub(crate) fetch: Fetch,
    /// Sets of items that answers leave out, by name. Those of `fetch` have no name.
    #[serde(default)]
    pub(crate) filters: Vec<NamedFilter>,
    /// Item columns to search, most important first; empty: no text index.
    pub(crate) text_fields: Vec<String>,
    /// User columns to search, likewise.
    #[serde(default)]
    pub(crate) user_text_fields: Vec<String>,
    /// How the texts of both are cut into words.
    #[serde(default)]
    pub(crate) tokenizer: Tokenizer,
    /// The item column with the vectors that the text index compares with that of a text.
    #[serde(default)]
    pub(crate) embedding_field: Option<String>,
    /// What similarities are measured in, by name.
    #[serde(default)]
    pub(crate) embeddings: Vec<Embedding>,
    /// What is trained; `None`: everything that the columns allow.
    #[serde(default)]
    pub(crate) policies: Option<Vec<Policy>>,
    /// How events are divided for tuning and evaluation.
    #[serde(default)]
    pub(crate) split: SplitStrategy,
    /// How good the policies are is measured, in this way.
    #[serde(default)]
    pub(crate) evaluation: Evaluation,
    #[serde(default)]
    pub(crate) tuning: Tuning,
    /// What columns mean, where their owner says so.
    #[serde(default)]
    pub(crate) meanings: Meanings,
    /// How many results an answer carries when neither the query nor `inference` says.
    #[serde(default = "default_slate_size")]
    pub(crate) slate_size: usize,
    /// So long an item that was served to a user is left out of that user's next answers, in seconds; 0 is off.
    #[serde(default)]
    pub(crate) pagination_store_ttl: u64,
    #[serde(default)]
    pub(crate) online: OnlineLimits,
    /// When the model is trained again.
    #[serde(default)]
    pub(crate) train_schedule: Schedule,
    /// How answers are put together when a request does not say.
    #[serde(default)]
    pub(crate) inference: Overrides,
    /// Queries that are asked by name. Names are unique over all models.
    #[serde(default)]
    pub(crate) queries: BTreeMap<String, SavedQuery>,
    /// The set-up body of version 2 with its defaults, to be shown; `None` for a model of version 1.
    #[serde(default)]
    pub(crate) given: Option<Map<String, Value>>,
}

impl ModelConfig {
    /// Whether the model was set up by a body of version 2.
    pub(crate) fn is_second_version(&self) -> bool {
        self.given.is_some()
    }

    /// Everything that is fetched, in the order in which it runs.
    pub(crate) fn parts(&self) -> Vec<(FetchPart, &str)> {
        let filters = self.filters.iter().enumerate();
        let filters = filters.map(|(index, filter)| {
            let part = match filter.kind {
                FilterKind::Global => FetchPart::GlobalFilter(index),
                FilterKind::Personal => FetchPart::PersonalFilter(index),
            };
            (part, filter.sql.as_str())
        });
        self.fetch.parts().into_iter().chain(filters).collect()
    }
}

/// The SQL that feeds a model.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Fetch {
    pub(crate) events: String,
    pub(crate) items: Option<String>,
    pub(crate) users: Option<String>,
    #[serde(default)]
    pub(crate) global_filters: Option<String>,
    #[serde(default)]
    pub(crate) personal_filters: Option<String>,
}

impl Fetch {
    /// The statements that are there, in the order in which they run.
    pub(crate) fn parts(&self) -> Vec<(FetchPart, &str)> {
        let optional = [
            (FetchPart::Items, &self.items),
            (FetchPart::Users, &self.users),
            (FetchPart::GlobalFilters, &self.global_filters),
            (FetchPart::PersonalFilters, &self.personal_filters),
        ];
        let present = optional
            .into_iter()
            .filter_map(|(part, sql)| Some((part, sql.as_deref()?)));
        std::iter::once((FetchPart::Events, self.events.as_str()))
            .chain(present)
            .collect()
    }
}

/// A set of items that a query can leave out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct NamedFilter {
    pub(crate) name: String,
    pub(crate) kind: FilterKind,
    /// Selects `item_id`, and `user_id` for a personal one.
    pub(crate) sql: String,
}

/// For whom items are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum FilterKind {
    /// For everybody.
    Global,
    /// For the user who stands beside the item.
    Personal,
}

/// How texts are cut into words, for an index and for what is looked up in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Tokenizer {
    /// Words, folded and stemmed.
    Words {
        language: Language,
        stemming: bool,
        ascii_folding: bool,
        remove_stop_words: bool,
    },
    /// Runs of characters of each word, in lower case.
    Ngrams {
        min_length: usize,
        max_length: usize,
        /// Only those that a word begins with.
        prefix_only: bool,
    },
    /// What stands between white space, as it is.
    Whitespace,
}

impl Default for Tokenizer {
    fn default() -> Tokenizer {
        Tokenizer::Words {
            language: Language::English,
            stemming: true,
            ascii_folding: true,
            remove_stop_words: false,
        }
    }
}

/// A language that words can be stemmed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Language {
    English,
}

/// Vectors under a name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Embedding {
    pub(crate) name: String,
    pub(crate) encoder: EmbeddingEncoder,
}

/// Where vectors come from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum EmbeddingEncoder {
    /// From the texts of columns, by the server's text encoder.
    Text {
        item_fields: Vec<String>,
        user_fields: Vec<String>,
    },
    /// From a trained policy, by its name.
    Policy(String),
}

/// A scorer under a name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Policy {
    pub(crate) name: String,
    pub(crate) kind: PolicyKind,
}

/// What a policy is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum PolicyKind {
    Trained {
        /// The id in `recsys::MODELS`.
        policy_type: String,
        settings: BTreeMap<String, SettingChoice>,
        /// It learns from events with one of these labels only; empty: from all.
        event_values: Vec<String>,
    },
    /// A value model over the trained policies.
    Ensemble { value_model: String },
}

/// The value of a hyper-parameter, or where to look for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum SettingChoice {
    Fixed(SettingValue),
    Int { min: i64, max: i64, scale: Scale },
    Float { min: f64, max: f64, scale: Scale },
    OneOf(Vec<SettingValue>),
}

/// A value of a hyper-parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum SettingValue {
    Int(i64),
    Float(f64),
    Text(String),
}

impl From<SettingValue> for recsys::Setting {
    fn from(value: SettingValue) -> recsys::Setting {
        match value {
            SettingValue::Int(value) => recsys::Setting::Int(value),
            SettingValue::Float(value) => recsys::Setting::Float(value),
            SettingValue::Text(value) => recsys::Setting::Text(value),
        }
    }
}

/// How the values of a range are spread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Scale {
    #[default]
    Linear,
    /// Evenly by their logarithms.
    Log,
}

/// How events are divided into those to learn from and those to be found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SplitStrategy {
    /// Of each user the latest.
    #[default]
    User,
    /// The latest of all.
    Global,
}

/// Which items the held-back ones have to beat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CandidateSource {
    BatchIids,
    TrainIids,
    TestIids,
    AllIids,
    #[default]
    NegativeSampledIids,
    /// Nothing is evaluated.
    None,
}

/// How good policies are is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Evaluation {
    pub(crate) enable: bool,
    pub(crate) candidate_source: CandidateSource,
    pub(crate) filter_seen_items: bool,
    pub(crate) top_k: usize,
}

impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation {
            enable: false,
            candidate_source: CandidateSource::default(),
            filter_seen_items: true,
            top_k: 50,
        }
    }
}

/// How much is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tuning {
    /// Trainings of all policies together.
    pub(crate) total_jobs: usize,
    /// Trainings at a time, at the most.
    pub(crate) parallel_jobs: usize,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            total_jobs: 30,
            parallel_jobs: 10,
        }
    }
}

/// What columns mean, where their owner says so.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Meanings {
    pub(crate) items: Vec<FeatureColumn>,
    pub(crate) users: Vec<FeatureColumn>,
    pub(crate) interactions: Vec<FeatureColumn>,
    pub(crate) label: Option<LabelType>,
}

/// What the online store keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OnlineLimits {
    /// Interactions of a user.
    pub(crate) most_per_user: usize,
    pub(crate) days: i64,
}

impl Default for OnlineLimits {
    fn default() -> OnlineLimits {
        OnlineLimits {
            most_per_user: 30,
            days: 90,
        }
    }
}

/// A query that is asked by name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SavedQuery {
    /// As its owner wrote it.
    pub(crate) query: Value,
    /// The parameters with their defaults; one without a default must be given.
    #[serde(with = "parameters")]
    pub(crate) params: BTreeMap<String, Option<Value>>,
}

/// Parameters as they are stored: JSON's null is a default, too, so a default stands in a list of one.
mod parameters {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use serde_json::Value;

    pub(super) fn serialize<S: Serializer>(
        params: &BTreeMap<String, Option<Value>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let stored: BTreeMap<&String, Vec<&Value>> = params
            .iter()
            .map(|(name, default)| (name, default.iter().collect()))
            .collect();
        stored.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<String, Option<Value>>, D::Error> {
        let stored = BTreeMap::<String, Vec<Value>>::deserialize(deserializer)?;
        let params = stored
            .into_iter()
            .map(|(name, default)| (name, default.into_iter().next()));
        Ok(params.collect())
    }
}

/// How many results an answer carries when nobody says.
pub(crate) const DEFAULT_SLATE_SIZE: usize = 50;

fn default_slate_size() -> usize {
    DEFAULT_SLATE_SIZE
}

/// A train schedule as its owner wrote it; `crate::jobs::schedule` says what it means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Schedule(pub(crate) String);

impl Default for Schedule {
    fn default() -> Schedule {
        Schedule("@once".to_owned())
    }
}
