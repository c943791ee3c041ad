//! What inference reads of a model that serves.

use datafusion::arrow::array::RecordBatch;
use recsys::{Features, Ids, Interaction, NumberSet, Recommender};

use super::shortcuts::Shortcuts;
use crate::service::rows::Row;
use crate::service::text_search::TextSearch;

/// The column of [`InferenceModel::item_columns`] with the number of an item's interactions.
pub(crate) const INTERACTION_COUNT: &str = "interaction_count";

/// Item columns that the platform derives. Filters may name them; they are no metadata.
pub(crate) const DERIVED_COLUMNS: [&str; 3] = [
    INTERACTION_COUNT,
    "_derived_popular_rank",
    "_derived_chronological_rank",
];

/// A trained version of a model, as inference reads it. Items and users go by the numbers of their ids.
pub(crate) trait InferenceModel: Send + Sync {
    fn items(&self) -> &Ids;

    fn users(&self) -> &Ids;

    /// One row per item: first `item_id`, then the columns of the fetch statement, then [`DERIVED_COLUMNS`].
    fn item_columns(&self) -> &RecordBatch;

    /// One row per user: first `user_id`, then the columns of the fetch statement.
    fn user_columns(&self) -> &RecordBatch;

    /// The number of interactions of each item, as in the column of that name.
    fn interaction_counts(&self) -> &[u32];

    /// What is worked out once for this version; without it every request works it out for itself.
    fn shortcuts(&self) -> Option<&Shortcuts> {
        None
    }

    /// A policy by its name in [`policies`].
    fn policy(&self, name: &str) -> Option<&dyn Recommender>;

    /// All that is known of a user, oldest first: what the training saw, then what came in since.
    fn history(&self, user: &str) -> Vec<Interaction>;

    /// Items that nobody may see.
    fn hidden(&self) -> Option<&NumberSet>;

    /// Items that this user may not see.
    fn hidden_from(&self, user: &str) -> Vec<u32>;

    /// Items that filters with a name leave out for this user. A query says which of them count; a call that cannot say
    /// so means all.
    fn left_out(&self, user: Option<&str>) -> Vec<u32> {
        let _ = user;
        Vec::new()
    }

    /// What an answer shows of an item.
    fn item_metadata(&self, item: u32) -> Row;

    /// What an answer shows of a user.
    fn user_metadata(&self, user: u32) -> Row;

    /// The text index, if the model has one.
    fn text_search(&self) -> Option<&dyn TextSearch>;

    /// Rows with the schema of [`item_columns`](Self::item_columns) as the policies read them.
    fn item_features(&self, rows: &RecordBatch) -> Features;

    /// Rows with the schema of [`user_columns`](Self::user_columns) as the policies read them.
    fn user_features(&self, rows: &RecordBatch) -> Features;
}

/// The names of the policies that inference asks a model for.
pub(crate) mod policies {
    pub(crate) const FACTORS: &str = "als";
    pub(crate) const NEIGHBOURS: &str = "item_knn";
    pub(crate) const POPULAR: &str = "popular";
    pub(crate) const RECENTLY_POPULAR: &str = "recently_popular";
    pub(crate) const RISING: &str = "rising_popularity";
    pub(crate) const CHRONOLOGICAL: &str = "chronological";
    pub(crate) const RANDOM: &str = "random";
    pub(crate) const ITEM_CONTENT: &str = "item_content_similarity";
    pub(crate) const USER_ITEM_CONTENT: &str = "user_item_content_similarity";
    pub(crate) const USER_CONTENT: &str = "user_content_similarity";
}
