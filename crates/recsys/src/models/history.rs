//! A history as weights of items.

use crate::data::Interaction;

/// The distinct known items with positive labels, ascending by number, each with the weight of its latest place: 1 for
/// the newest item of the history, half of it `half_life` items earlier. A half-life of 0 weighs all alike.
pub(crate) fn weighted_items(history: &[Interaction], items: usize, half_life: f32) -> Vec<(u32, f32)> {
    let mut pairs: Vec<(u32, f32)> = history
        .iter()
        .filter(|one| one.label > 0.0 && (one.item as usize) < items)
        .rev()
        .enumerate()
        .map(|(age, one)| {
            let weight = if half_life > 0.0 {
                (-(age as f64) / f64::from(half_life)).exp2() as f32
            } else {
                1.0
            };
            (one.item, weight)
        })
        .collect();
    // Stable: of equal items the latest comes first and is kept.
    pairs.sort_by_key(|pair| pair.0);
    pairs.dedup_by_key(|pair| pair.0);
    pairs
}
