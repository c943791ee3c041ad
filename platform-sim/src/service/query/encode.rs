//! Somebody or something as a vector.

use datafusion::arrow::array::{Array, AsArray, RecordBatch, Scalar};
use datafusion::arrow::compute::kernels::cmp;
use datafusion::arrow::datatypes::DataType;
use recsys::pipeline::{self, Pooling as VectorPooling};
use serde_json::{Map, Value};

use super::asker::{Asker, newest};
use super::document::{Described, Encoder, Pooling};
use super::model::{Embedding, Likeness, QueryModel, Subject, Vector};
use crate::service::failure::{PathPart, Result};
use crate::service::inference::newcomers;
use crate::service::rows::Row;

/// So many of the newest interactions are grouped.
const GROUPED: usize = 100;

/// So many alike rows are pooled at most.
const ALIKE: usize = 10_000;

/// What a search compares with.
pub(crate) struct Target<'a> {
    pub(crate) vector: Vector<'a>,
    pub(crate) likeness: Likeness,
}

/// What a search compares with, one target or several whose finds take turns, and whom it must not find.
#[derive(Default)]
pub(crate) struct Encoded<'a> {
    pub(crate) targets: Vec<Target<'a>>,
    /// The very user or item that is compared with.
    pub(crate) itself: Option<u32>,
    /// Why there is no target.
    pub(crate) note: Option<String>,
}

impl<'a> Encoded<'a> {
    fn one(vector: Vector<'a>, likeness: Likeness) -> Encoded<'a> {
        Encoded {
            targets: vec![Target { vector, likeness }],
            ..Encoded::default()
        }
    }

    fn nothing(note: impl Into<String>) -> Encoded<'a> {
        Encoded {
            note: Some(note.into()),
            ..Encoded::default()
        }
    }
}

/// Makes vectors in one embedding for a search among `among`.
pub(crate) struct Encoding<'a> {
    pub(crate) model: &'a dyn QueryModel,
    pub(crate) embedding: Embedding<'a>,
    pub(crate) among: Subject,
    pub(crate) now: i64,
    pub(crate) seed: u64,
    /// Where the query has the encoder.
    pub(crate) place: &'a [PathPart],
}

impl<'a> Encoding<'a> {
    pub(crate) fn encode(&self, encoder: &Encoder) -> Result<Encoded<'a>> {
        Ok(match encoder {
            Encoder::InteractionPooling {
                user,
                pooling,
                newest,
            } => self.pooled_interactions(user.as_deref(), *pooling, *newest),
            Encoder::InteractionRoundRobin {
                user,
                pooling,
                clusters,
            } => self.grouped_interactions(user.as_deref(), *pooling, *clusters),
            Encoder::PrecomputedUser(user) => self.precomputed_user(user.as_deref())?,
            Encoder::PrecomputedItem(item) => self.precomputed_item(item.as_deref()),
            Encoder::UserAttributes(described) => self.attributes(Subject::User, described)?,
            Encoder::ItemAttributes(described) => self.attributes(Subject::Item, described)?,
        })
    }

    /// A vector that stands for an item or for a user, compared with those of the other kind or of its own.
    fn likeness(&self, of: Subject) -> Likeness {
        if of != self.among && self.embedding.is_of_factors() {
            Likeness::InnerProduct
        } else {
            Likeness::Cosine
        }
    }

    /// The vectors of the newest items of a user, newest first.
    fn interactions(&self, user: &str, count: usize) -> Vec<&'a [f32]> {
        let history = self.model.history(user);
        newest(&history, count)
            .into_iter()
            .filter_map(|item| self.embedding.vector(Subject::Item, item))
            .collect()
    }

    fn pooled_interactions(&self, user: Option<&str>, pooling: Pooling, count: usize) -> Encoded<'a> {
        let Some(user) = user else {
            return Encoded::nothing("nobody asks: input_user_id is null");
        };
        let vectors = self.interactions(user, count);
        match pipeline::pool(&vectors, vector_pooling(pooling)) {
            Some(vector) => Encoded::one(vector.into(), self.likeness(Subject::Item)),
            None => Encoded::nothing("the user has no interactions with items that have a vector"),
        }
    }

    fn grouped_interactions(&self, user: Option<&str>, pooling: Pooling, clusters: usize) -> Encoded<'a> {
        let Some(user) = user else {
            return Encoded::nothing("nobody asks: input_user_id is null");
        };
        let vectors = self.interactions(user, GROUPED);
        let groups = pipeline::cluster(&vectors, clusters, self.seed);
        let targets: Vec<Target<'a>> = groups
            .into_iter()
            .filter_map(|places| {
                let members: Vec<&[f32]> = places.into_iter().map(|place| vectors[place]).collect();
                let vector = pipeline::pool(&members, vector_pooling(pooling))?;
                Some(Target {
                    vector: vector.into(),
                    likeness: self.likeness(Subject::Item),
                })
            })
            .collect();
        if targets.is_empty() {
            return Encoded::nothing("the user has no interactions with items that have a vector");
        }
        Encoded {
            targets,
            ..Encoded::default()
        }
    }

    fn precomputed_user(&self, user: Option<&str>) -> Result<Encoded<'a>> {
        let Some(user) = user else {
            return Ok(Encoded::nothing("nobody asks: input_user_id is null"));
        };
        let number = self.model.users().number(user);
        let itself = number.filter(|_| self.among == Subject::User);
        let trained = number.and_then(|number| self.embedding.vector(Subject::User, number));
        let vector: Option<Vector<'a>> = match trained {
            Some(vector) => Some(vector.into()),
            // Some policies keep no vectors of users: they make them of what is known.
            None if self.embedding.users.is_none() && number.is_some() => {
                let asker = self.asker(Some(user), &Map::new())?;
                self.embedding
                    .asking(&asker.query(self.now, None))
                    .map(Vector::from)
            }
            None => None,
        };
        Ok(match vector {
            Some(vector) => Encoded {
                itself,
                ..Encoded::one(vector, self.likeness(Subject::User))
            },
            None => Encoded::nothing("the training has not seen the user"),
        })
    }

    fn precomputed_item(&self, item: Option<&str>) -> Encoded<'a> {
        let Some(item) = item else {
            return Encoded::nothing("nothing to compare with: input_item_id is null");
        };
        let number = self.model.items().number(item);
        match number.and_then(|number| self.embedding.vector(Subject::Item, number)) {
            Some(vector) => Encoded {
                itself: number.filter(|_| self.among == Subject::Item),
                ..Encoded::one(vector.into(), self.likeness(Subject::Item))
            },
            None => Encoded::nothing("the item has no vector"),
        }
    }

    fn asker(&self, user: Option<&str>, features: &Row) -> Result<Asker> {
        Asker::new(
            self.model,
            user,
            features,
            std::iter::empty(),
            self.now,
            |column| self.column_place("input_user_features", column),
        )
    }

    fn column_place(&self, field: &str, column: &str) -> Vec<PathPart> {
        super::read::below(self.place, [field.into(), column.into()])
    }

    /// A vector of columns. Embeddings of texts read the texts, those of content policies the columns; all others take
    /// the mean of those who have the most of the columns in common.
    fn attributes(&self, of: Subject, described: &Described) -> Result<Encoded<'a>> {
        let (row, itself) = match described {
            Described::Given(row) => (row.clone(), None),
            Described::Known(None) => {
                return Ok(Encoded::nothing(format!(
                    "nothing to compare with: input_{}_id is null",
                    of.noun()
                )));
            }
            Described::Known(Some(id)) => {
                let (number, row) = match of {
                    Subject::User => {
                        let number = self.model.users().number(id);
                        (number, number.map(|number| self.model.user_metadata(number)))
                    }
                    Subject::Item => {
                        let number = self.model.items().number(id);
                        (number, number.map(|number| self.model.item_metadata(number)))
                    }
                };
                let Some(row) = row else {
                    return Ok(Encoded::nothing(format!(
                        "the model does not know the {}",
                        of.noun()
                    )));
                };
                (row, number)
            }
        };
        let mut row = row;
        row.remove(of.id_column());
        let vector = match (self.embedding.text, self.embedding.policy) {
            (Some(text), _) => text.encode(&texts(&row)),
            (None, Some(policy)) if of == Subject::User && policy.spec().can.user_features => {
                let asker = self.asker(None, &row)?;
                self.embedding.asking(&asker.query(self.now, None))
            }
            (None, Some(policy)) if of == Subject::Item && policy.spec().can.new_items => {
                let batch = self.one_row(of, &row)?;
                self.embedding.new_item(&self.model.item_features(&batch))
            }
            _ => self.alike(of, &row)?,
        };
        Ok(
            match vector.filter(|vector| vector.iter().any(|value| *value != 0.0)) {
                Some(vector) => Encoded {
                    itself: itself.filter(|_| of == self.among),
                    ..Encoded::one(vector.into(), self.likeness(of))
                },
                None => Encoded::nothing("nothing is known of such columns"),
            },
        )
    }

    fn one_row(&self, of: Subject, row: &Row) -> Result<RecordBatch> {
        let (columns, field) = match of {
            Subject::User => (self.model.user_columns(), "input_user_features"),
            Subject::Item => (self.model.item_columns(), "input_item_features"),
        };
        newcomers::batch(
            columns,
            of.id_column(),
            &[String::new()],
            std::slice::from_ref(row),
            |_, column| self.column_place(field, column),
        )
    }

    /// The mean vector of those with the most equal columns.
    fn alike(&self, of: Subject, row: &Row) -> Result<Option<Vec<f32>>> {
        let one = self.one_row(of, row)?;
        let all = match of {
            Subject::User => self.model.user_columns(),
            Subject::Item => self.model.item_columns(),
        };
        let mut common = vec![0u32; all.num_rows()];
        for name in row
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, _)| name)
        {
            let (Some(wanted), Some(column)) = (one.column_by_name(name), all.column_by_name(name)) else {
                continue;
            };
            if matches!(column.data_type(), DataType::List(_)) {
                let wanted = wanted.as_list::<i32>().value(0);
                let lists = column.as_list::<i32>();
                for (place, count) in common.iter_mut().enumerate() {
                    if lists.is_valid(place) && shares(&lists.value(place), &wanted) {
                        *count += 1;
                    }
                }
            } else if let Ok(equal) = cmp::eq(column, &Scalar::new(wanted.clone())) {
                for (count, equal) in common.iter_mut().zip(equal.iter()) {
                    *count += u32::from(equal == Some(true));
                }
            }
        }
        let most = common.iter().copied().max().unwrap_or(0);
        if most == 0 {
            return Ok(None);
        }
        let vectors: Vec<&[f32]> = (0..)
            .zip(&common)
            .filter(|(_, count)| **count == most)
            .filter_map(|(number, _)| self.embedding.vector(of, number))
            .take(ALIKE)
            .collect();
        Ok(pipeline::pool(&vectors, VectorPooling::Mean))
    }
}

/// Whether two lists of texts or numbers have an element in common.
fn shares(one: &dyn Array, other: &dyn Array) -> bool {
    (0..other.len()).any(|place| {
        let element = Scalar::new(other.slice(place, 1));
        cmp::eq(&one, &element).is_ok_and(|equal| equal.true_count() > 0)
    })
}

/// The texts of a row, one behind the other.
fn texts(row: &Row) -> String {
    let mut texts = Vec::new();
    for value in row.values() {
        match value {
            Value::String(text) => texts.push(text.as_str()),
            Value::Array(entries) => texts.extend(entries.iter().filter_map(Value::as_str)),
            _ => {}
        }
    }
    texts.join(" ")
}

pub(crate) fn vector_pooling(pooling: Pooling) -> VectorPooling {
    match pooling {
        Pooling::Mean => VectorPooling::Mean,
        Pooling::Max => VectorPooling::Max,
    }
}
