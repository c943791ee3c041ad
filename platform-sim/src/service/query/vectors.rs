//! The vectors of an embedding by place.

use std::borrow::Cow;

use super::engine::Run;
use super::model::{Embedding, Subject};
use crate::service::failure::Result;
use crate::service::query::universe::rows_at;

/// Vectors of one length, by the places of a [`Universe`](super::universe::Universe).
pub(crate) struct Vectors<'a> {
    pub(crate) dimension: usize,
    /// Row after row.
    pub(crate) values: Cow<'a, [f32]>,
    /// Whether a row is a vector, where not all are.
    pub(crate) present: Option<Vec<bool>>,
}

impl Vectors<'_> {
    /// The vector at a place.
    pub(crate) fn at(&self, place: u32) -> Option<&[f32]> {
        let place = place as usize;
        let start = place.checked_mul(self.dimension)?;
        let vector = self.values.get(start..start.checked_add(self.dimension)?)?;
        let present = self
            .present
            .as_ref()
            .is_none_or(|present| present.get(place) == Some(&true));
        // A row of zeros is nobody's direction.
        (present && vector.iter().any(|value| *value != 0.0)).then_some(vector)
    }
}

impl<'a> Run<'a> {
    /// The vectors of an embedding for all places; nothing where it has none of this kind.
    pub(crate) fn vectors(&self, name: &str) -> Result<Option<Vectors<'a>>> {
        let Some(embedding) = self.model().embedding(name) else {
            return Ok(None);
        };
        let Some(matrix) = embedding.matrix(self.universe.subject) else {
            return Ok(None);
        };
        if !self.query().query_type.is_rerank() {
            return Ok(Some(Vectors {
                dimension: matrix.columns(),
                values: Cow::Borrowed(matrix.values()),
                present: None,
            }));
        }
        let places = 0..self.universe.len() as u32;
        let mut values = vec![0.0; self.universe.len() * matrix.columns()];
        let mut present = vec![false; self.universe.len()];
        for place in places {
            let known = embedding.vector(Subject::Item, self.universe.number(place));
            let vector = match known {
                Some(vector) => Some(vector.to_vec()),
                None => self.new_vector(&embedding, place)?,
            };
            if let Some(vector) = vector.filter(|vector| vector.len() == matrix.columns()) {
                let start = place as usize * matrix.columns();
                values[start..start + vector.len()].copy_from_slice(&vector);
                present[place as usize] = true;
            }
        }
        Ok(Some(Vectors {
            dimension: matrix.columns(),
            values: Cow::Owned(values),
            present: Some(present),
        }))
    }

    /// The vector of an item that the model does not know, from its columns.
    fn new_vector(&self, embedding: &Embedding<'_>, place: u32) -> Result<Option<Vec<f32>>> {
        if self.universe.stranger(place).is_none() {
            return Ok(None);
        }
        if let Some(text) = embedding.text {
            let row = self.universe.metadata(place, None);
            let texts: Vec<&str> = row
                .iter()
                .filter(|(name, _)| *name != "item_id")
                .filter_map(|(_, value)| value.as_str())
                .collect();
            return Ok(text.encode(&texts.join(" ")));
        }
        let row = rows_at(&self.universe.columns, &[place])?;
        Ok(embedding.new_item(&self.model().item_features(&row)))
    }
}
