//! What queries read of a model that serves, beyond what inference reads.

use std::borrow::Cow;

use recsys::pipeline::cosine_similarity;
use recsys::{Eligible, Features, Matrix, NumberSet, Query, Recommender, Scored, top_k_of};

use crate::service::inference::model::InferenceModel;
use crate::service::text_search::TextSearch;

/// What a query ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Subject {
    Item,
    User,
}

impl Subject {
    /// The word in names of steps and of expressions.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Subject::Item => "item",
            Subject::User => "user",
        }
    }

    /// The column with the ids.
    pub(crate) fn id_column(self) -> &'static str {
        match self {
            Subject::Item => "item_id",
            Subject::User => "user_id",
        }
    }
}

/// A trained version of a model, as queries read it: everything that its configuration gave a name.
pub(crate) trait QueryModel: InferenceModel {
    /// The names of the policies that a value model may use, as the configuration has them.
    fn policies(&self) -> Vec<&str>;

    /// A policy by such a name.
    fn named_policy(&self, name: &str) -> Option<&dyn Recommender>;

    /// The value model of a policy that is an ensemble of others.
    fn ensemble(&self, name: &str) -> Option<&str> {
        let _ = name;
        None
    }

    /// The names of the embeddings.
    fn embeddings(&self) -> Vec<&str>;

    /// An embedding by its name.
    fn embedding(&self, name: &str) -> Option<Embedding<'_>>;

    /// The names of the prebuilt filters.
    fn prebuilt_filters(&self) -> Vec<&str>;

    /// A prebuilt filter by its name.
    fn prebuilt_filter(&self, name: &str) -> Option<PrebuiltFilter<'_>>;

    /// The text index of the items or of the users, if the model has one.
    fn text_index(&self, entity: Subject) -> Option<&dyn TextSearch>;

    /// The number of interactions of each user.
    fn user_interaction_counts(&self) -> Vec<u32>;
}

/// Items that are left out.
pub(crate) enum PrebuiltFilter<'a> {
    /// For everybody.
    Global(&'a NumberSet),
    /// For each user: from the user's id to the items.
    Personal(OfUser<'a>),
}

/// From the id of a user to items.
pub(crate) type OfUser<'a> = Box<dyn Fn(&str) -> Vec<u32> + 'a>;

/// Items, and perhaps users, as vectors of one space.
#[derive(Clone, Copy)]
pub(crate) struct Embedding<'a> {
    /// Row `n` is the vector of item `n`.
    pub(crate) items: &'a Matrix,
    /// Row `n` is the vector of user `n`.
    pub(crate) users: Option<&'a Matrix>,
    /// The policy whose vectors these are: it has vectors for histories and for features that it never saw.
    pub(crate) policy: Option<&'a dyn Recommender>,
    /// The encoder whose vectors these are.
    pub(crate) text: Option<&'a dyn TextEncoding>,
}

/// Texts as vectors.
pub(crate) trait TextEncoding: Send + Sync {
    /// The vector of a text; `None` for a text that means nothing to the encoder.
    fn encode(&self, text: &str) -> Option<Vec<f32>>;
}

impl TextEncoding for crate::text_encoder::TextEncoder {
    fn encode(&self, text: &str) -> Option<Vec<f32>> {
        crate::text_encoder::TextEncoder::encode(self, text)
    }
}

/// How a vector that was asked with is compared with those of the embedding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Likeness {
    Cosine,
    /// Users and items of factor policies: the product is the policy's score.
    InnerProduct,
}

impl<'a> Embedding<'a> {
    /// The length of its vectors.
    pub(crate) fn dimension(&self) -> usize {
        self.items.columns()
    }

    /// The vectors of items or of users, by number.
    pub(crate) fn matrix(&self, entity: Subject) -> Option<&'a Matrix> {
        match entity {
            Subject::Item => Some(self.items),
            Subject::User => self.users,
        }
    }

    /// The vector of an item or of a user. Nothing for a row of zeros: that is nobody's direction.
    pub(crate) fn vector(&self, entity: Subject, number: u32) -> Option<&'a [f32]> {
        let vector = self.matrix(entity)?.get(number as usize)?;
        vector.iter().any(|value| *value != 0.0).then_some(vector)
    }

    /// Whether the product of a user and an item is a score.
    pub(crate) fn is_of_factors(&self) -> bool {
        self.policy.is_some_and(|policy| policy.spec().can.factors)
    }

    /// The vector of whoever asks, from the history and the features of the query.
    pub(crate) fn asking(&self, query: &Query<'_>) -> Option<Vec<f32>> {
        self.policy?.user_vector(query)
    }

    /// The vector of an item that the training has not seen, from one row of columns.
    pub(crate) fn new_item(&self, features: &Features) -> Option<Vec<f32>> {
        let vectors = self.policy?.new_item_vectors(features)?;
        vectors.get(0).map(<[f32]>::to_vec)
    }

    /// The nearest items or users by an exact scan, nearest first, equal ones by number.
    pub(crate) fn nearest(
        &self,
        entity: Subject,
        query: &[f32],
        likeness: Likeness,
        limit: usize,
        eligible: Eligible<'_>,
    ) -> Vec<Scored> {
        let Some(vectors) = self
            .matrix(entity)
            .filter(|vectors| vectors.columns() == query.len())
        else {
            return Vec::new();
        };
        if likeness == Likeness::InnerProduct {
            let of_policy = self.policy.filter(|_| entity == Subject::Item);
            let quick = of_policy.and_then(|policy| policy.nearest_items(query, limit, eligible));
            let found = quick.unwrap_or_else(|| recsys::scan::scan(vectors, query, limit, eligible));
            // It fails for other dimensions only.
            return found.unwrap_or_default();
        }
        let all = 0..vectors.rows() as u32;
        let scored = all
            .filter(|number| eligible.allows(*number))
            .filter_map(|number| {
                let vector = self.vector(entity, number)?;
                let score = cosine_similarity(query, vector);
                Some(Scored { id: number, score })
            });
        top_k_of(scored, limit)
    }
}

/// A vector that is there already, or was made for the request.
pub(crate) type Vector<'a> = Cow<'a, [f32]>;
