//! Items and users as vectors.

use recsys::{Matrix, Recommender};

use super::Engine;
use super::model::policies;
use super::projection::{axes, project};
use super::score::any_policy;
use crate::service::failure::{Entity, Failure, Place, Result};

impl Engine<'_> {
    /// The vectors of items, in the order of the ids. Inner products with [`user_embeddings`](Self::user_embeddings)
    /// of the same dimension are scores.
    pub(crate) fn item_embeddings(
        &self,
        items: &[String],
        dimension: Option<usize>,
    ) -> Result<Vec<Vec<f32>>> {
        let (_, vectors) = self.embedder()?;
        let shorter = Shorter::new(vectors, dimension)?;
        items
            .iter()
            .map(|item| {
                let vector = self
                    .model
                    .items()
                    .number(item)
                    .and_then(|number| vectors.get(number as usize));
                let vector = vector.ok_or_else(|| Failure::NotFound(Entity::Item, item.clone()))?;
                Ok(shorter.of(vector))
            })
            .collect()
    }

    /// The vectors of users, from all that is known of them now, in the order of the ids.
    pub(crate) fn user_embeddings(
        &self,
        users: &[String],
        dimension: Option<usize>,
    ) -> Result<Vec<Vec<f32>>> {
        let (policy, vectors) = self.embedder()?;
        let shorter = Shorter::new(vectors, dimension)?;
        users
            .iter()
            .map(|user| {
                let person = self.known_person(user)?;
                let vector = policy
                    .user_vector(&person.query(self.now, None))
                    .ok_or_else(|| Failure::NotFound(Entity::User, user.clone()))?;
                Ok(shorter.of(&vector))
            })
            .collect()
    }

    /// The policy whose vectors the embeddings are.
    fn embedder(&self) -> Result<(&dyn Recommender, &Matrix)> {
        let names = [policies::FACTORS, policies::USER_ITEM_CONTENT];
        any_policy(self.model, &names)
            .and_then(|policy| Some((policy, policy.item_vectors()?)))
            .ok_or_else(|| {
                let name = self.model_name;
                Failure::Internal(anyhow::anyhow!("the model '{name}' has no policy with vectors"))
            })
    }
}

/// Vectors as they are, or shorter.
struct Shorter {
    axes: Option<Vec<Vec<f32>>>,
}

impl Shorter {
    fn new(vectors: &Matrix, dimension: Option<usize>) -> Result<Shorter> {
        let most = vectors.columns();
        match dimension {
            None => Ok(Shorter { axes: None }),
            Some(dimension) if dimension == most => Ok(Shorter { axes: None }),
            Some(dimension) if (1..most).contains(&dimension) => Ok(Shorter {
                axes: Some(axes(vectors, dimension)),
            }),
            Some(_) => Err(Failure::invalid(
                Place::Path(vec!["dimension".into()]),
                "out_of_range",
                format!("this model's embeddings have {most} dimensions: dimension is from 1 to {most}"),
            )),
        }
    }

    fn of(&self, vector: &[f32]) -> Vec<f32> {
        match &self.axes {
            None => vector.to_vec(),
            Some(axes) => project(axes, vector),
        }
    }
}
