//! What the expressions and references of a query may name: known when a model is set up, long before it serves.

use crate::service::domain::Column;
use crate::service::query::model::{QueryModel, Subject};
use crate::service::rows::value_type;

/// Everything of a model that has a name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub(crate) policies: Vec<String>,
    /// First `item_id`, then the columns of the items, then the derived ones.
    pub(crate) items: Vec<Column>,
    /// First `user_id`, then the columns of the users.
    pub(crate) users: Vec<Column>,
    pub(crate) embeddings: Vec<EmbeddingName>,
    /// The prebuilt filters.
    pub(crate) filters: Vec<String>,
    /// Whether items have a text index.
    pub(crate) item_text: bool,
    /// Whether users have a text index.
    pub(crate) user_text: bool,
}

/// The name of an embedding and what it can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EmbeddingName {
    pub(crate) name: String,
    /// Users have vectors, too.
    pub(crate) users: bool,
    /// Texts have vectors, too.
    pub(crate) text: bool,
}

impl Names {
    /// The names of a model that serves.
    pub(crate) fn of(model: &dyn QueryModel) -> Names {
        let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
        let columns = |batch: &datafusion::arrow::array::RecordBatch| {
            let fields = batch.schema_ref().fields().iter();
            fields
                .map(|field| Column {
                    name: field.name().clone(),
                    value_type: value_type(field),
                })
                .collect()
        };
        Names {
            policies: owned(model.policies()),
            items: columns(model.item_columns()),
            users: columns(model.user_columns()),
            embeddings: model
                .embeddings()
                .into_iter()
                .filter_map(|name| {
                    let embedding = model.embedding(name)?;
                    Some(EmbeddingName {
                        name: name.to_owned(),
                        users: embedding.users.is_some(),
                        text: embedding.text.is_some(),
                    })
                })
                .collect(),
            filters: owned(model.prebuilt_filters()),
            item_text: model.text_index(Subject::Item).is_some(),
            user_text: model.text_index(Subject::User).is_some(),
        }
    }

    /// The columns of items or of users.
    pub(crate) fn columns(&self, subject: Subject) -> &[Column] {
        match subject {
            Subject::Item => &self.items,
            Subject::User => &self.users,
        }
    }

    /// Whether items or users have a text index.
    pub(crate) fn has_text(&self, subject: Subject) -> bool {
        match subject {
            Subject::Item => self.item_text,
            Subject::User => self.user_text,
        }
    }

    pub(crate) fn embedding(&self, name: &str) -> Option<&EmbeddingName> {
        self.embeddings.iter().find(|embedding| embedding.name == name)
    }
}
