//! Sums in a fixed order: the same input gives the same bytes, whatever the machine's number of threads.

pub(super) use search_core::vector::dot_f32 as dot;

/// `into += factor * from`
pub(super) fn add_scaled(into: &mut [f32], from: &[f32], factor: f32) {
    for (into, from) in into.iter_mut().zip(from) {
        *into += factor * from;
    }
}

/// Makes a vector one long and gives how long it was; a vector of nothing stays as it is.
pub(super) fn normalise(vector: &mut [f32]) -> f32 {
    let length = dot(vector, vector).sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|value| *value /= length);
    }
    length
}

/// A small generator of random numbers (SplitMix64), so that the order of training does not depend on a library.
#[cfg(feature = "encoder")]
#[derive(Debug)]
pub(super) struct Random(pub(super) u64);

#[cfg(feature = "encoder")]
impl Random {
    /// Below `end`, which is not 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        // The high bits of the product: even enough for any size of a corpus.
        ((u128::from(mixed) * end as u128) >> 64) as usize
    }
}
