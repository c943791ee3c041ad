//! What to say of items when little or nothing is known of the user: their popularity.

use crate::codec::{Reader, Writer};
use crate::data::Dataset;
use crate::error::Result;

/// The popularity of each item, `ln(1 + count)` scaled to 0..1.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Prior {
    scores: Vec<f32>,
}

impl Prior {
    pub(crate) fn new(dataset: &Dataset) -> Self {
        let counts = dataset.item_counts();
        let largest = f64::from(counts.iter().copied().max().unwrap_or(0)).ln_1p();
        let scores = counts
            .iter()
            .map(|count| {
                if largest > 0.0 {
                    (f64::from(*count).ln_1p() / largest) as f32
                } else {
                    0.0
                }
            })
            .collect();
        Self { scores }
    }

    /// How many items.
    pub(crate) fn len(&self) -> usize {
        self.scores.len()
    }

    /// The popularity of an item; NaN for an unknown one.
    pub(crate) fn get(&self, item: u32) -> f32 {
        self.scores.get(item as usize).copied().unwrap_or(f32::NAN)
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        writer.f32s(&self.scores);
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self {
            scores: reader.f32s()?,
        })
    }
}
