//! Random numbers as a function of a seed and a place.
//!
//! A number depends on its coordinates and on nothing that was drawn before it, so threads may fill a matrix in any
//! order and the matrix is the same. The mixing function is SplitMix64 (Steele, Lea, Flood, 2014).

/// 64 well mixed bits for `(seed, stream, index)`.
pub(crate) fn bits(seed: u64, stream: u64, index: u64) -> u64 {
    mix(mix(mix(seed).wrapping_add(stream)).wrapping_add(index))
}

/// A number in `0.0 <= x < 1.0`.
pub(crate) fn unit(seed: u64, stream: u64, index: u64) -> f64 {
    (bits(seed, stream, index) >> 11) as f64 / (1u64 << 53) as f64
}

/// A number of the standard normal distribution (Box and Muller, 1958).
pub(crate) fn normal(seed: u64, stream: u64, index: u64) -> f64 {
    // 1 - x keeps the logarithm away from zero.
    let radius = (-2.0 * (1.0 - unit(seed, stream, index * 2)).ln()).sqrt();
    radius * (std::f64::consts::TAU * unit(seed, stream, index * 2 + 1)).cos()
}

/// An integer in `0..bound`, without bias worth mentioning for bounds below 2^32. `bound` is not zero.
pub(crate) fn below(seed: u64, stream: u64, index: u64, bound: u64) -> u64 {
    ((u128::from(bits(seed, stream, index)) * u128::from(bound)) >> 64) as u64
}

/// A stable hash of bytes, for buckets of words (FNV-1a, then mixed).
pub(crate) fn hash_bytes(seed: u64, bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325 ^ seed;
    for &byte in bytes {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    mix(hash)
}

fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
