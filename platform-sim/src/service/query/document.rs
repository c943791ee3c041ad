//! A query as its author wrote it, checked field by field; it knows nothing of a model yet.

use serde_json::{Map, Value};

use super::model::Subject;
use crate::service::rows::Row;

/// What a query ranks, and where its candidates come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueryType {
    RankItems,
    RankUsers,
    /// Items that the query names.
    RerankItems,
    /// Items that the query describes.
    RerankItemsByAttributes,
    /// The values of a column of the items.
    RankAttributes,
}

impl QueryType {
    pub(crate) const ALL: [QueryType; 5] = [
        QueryType::RankItems,
        QueryType::RankUsers,
        QueryType::RerankItems,
        QueryType::RerankItemsByAttributes,
        QueryType::RankAttributes,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            QueryType::RankItems => "rank_items",
            QueryType::RankUsers => "rank_users",
            QueryType::RerankItems => "rerank_items",
            QueryType::RerankItemsByAttributes => "rerank_items_by_attributes",
            QueryType::RankAttributes => "rank_attributes",
        }
    }

    /// How `rank` with `from` spells it.
    pub(crate) fn source(self) -> &'static str {
        match self {
            QueryType::RankItems => "items",
            QueryType::RankUsers => "users",
            QueryType::RerankItems => "item_ids",
            QueryType::RerankItemsByAttributes => "item_attributes",
            QueryType::RankAttributes => "attributes",
        }
    }

    /// Whose columns its steps read.
    pub(crate) fn subject(self) -> Subject {
        match self {
            QueryType::RankUsers => Subject::User,
            _ => Subject::Item,
        }
    }

    /// Whether the query brings its candidates along.
    pub(crate) fn is_rerank(self) -> bool {
        matches!(self, QueryType::RerankItems | QueryType::RerankItemsByAttributes)
    }
}

/// A query.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Query {
    pub(crate) query_type: QueryType,
    pub(crate) model: Option<String>,
    pub(crate) retrieve: Vec<Retrieve>,
    pub(crate) filter: Vec<Filter>,
    pub(crate) score: Score,
    pub(crate) reorder: Vec<Reorder>,
    /// The columns in the answer; without a list, all that its author gave the items or users.
    pub(crate) columns: Option<Vec<String>>,
    pub(crate) embeddings: Vec<String>,
    pub(crate) limit: usize,
    /// Of [`QueryType::RankAttributes`] only.
    pub(crate) attribute: Option<Attribute>,
}

/// What [`QueryType::RankAttributes`] ranks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Attribute {
    pub(crate) column: String,
    pub(crate) user: Option<String>,
}

/// A step that finds candidates.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Retrieve {
    /// By which value models and explanations call it: as given, or the type, with a number where that is taken.
    pub(crate) name: String,
    /// As given.
    pub(crate) step_type: String,
    pub(crate) find: Find,
    /// The filter `where`.
    pub(crate) condition: Option<String>,
    pub(crate) limit: usize,
}

/// How a step finds candidates.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Find {
    ColumnOrder(Vec<OrderColumn>),
    Words { text: String, edit_distance: u8 },
    Meaning { text: String, embedding: String },
    Similarity { embedding: String, encoder: Encoder },
    Ids(Vec<String>),
    Attributes(Vec<Row>),
}

/// A column to sort by.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OrderColumn {
    pub(crate) name: String,
    pub(crate) ascending: bool,
    pub(crate) nulls_first: bool,
}

/// How somebody or something becomes a vector. `None` for a user or an item is nobody and nothing: such a step finds
/// no candidates.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Encoder {
    InteractionPooling {
        user: Option<String>,
        pooling: Pooling,
        /// So many of the newest interactions count.
        newest: usize,
    },
    InteractionRoundRobin {
        user: Option<String>,
        pooling: Pooling,
        clusters: usize,
    },
    UserAttributes(Described),
    ItemAttributes(Described),
    PrecomputedUser(Option<String>),
    PrecomputedItem(Option<String>),
}

/// Columns of somebody or something: those that the model has, or given ones.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Described {
    Known(Option<String>),
    Given(Row),
}

/// How several vectors become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pooling {
    Mean,
    Max,
}

/// A step that leaves candidates out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Filter {
    pub(crate) name: String,
    pub(crate) keep: Keep,
}

/// Which candidates a filter step keeps.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Keep {
    NotIn { filter: String, user: Option<String> },
    Where(String),
    First(usize),
}

/// How candidates are scored.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Score {
    /// As they were retrieved.
    Passthrough,
    Ensemble(Ensemble),
}

/// A value model and who asks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ensemble {
    pub(crate) value_model: String,
    pub(crate) user: Option<String>,
    pub(crate) user_features: Map<String, Value>,
    /// Items that the user interacted with in this session, oldest first.
    pub(crate) interactions: Vec<String>,
}

/// A step that changes the order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reorder {
    pub(crate) name: String,
    pub(crate) strength: f32,
    pub(crate) mix: Mix,
}

/// How a step changes the order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mix {
    /// Places go to candidates that few have seen.
    Exploration,
    /// Places go to candidates whose column `boost` is 1.
    Boosted,
    Diversity {
        lookback: usize,
        lookforward: usize,
        attributes: Vec<String>,
        embedding: Option<String>,
    },
}

impl Mix {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Mix::Exploration => "exploration",
            Mix::Boosted => "boosted",
            Mix::Diversity { .. } => "diversity",
        }
    }
}

impl Keep {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Keep::NotIn { .. } => "prebuilt",
            Keep::Where(_) => "expression",
            Keep::First(_) => "truncate",
        }
    }
}

impl Score {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Score::Passthrough => "passthrough",
            Score::Ensemble(_) => "score_ensemble",
        }
    }
}
