//! Vectors: wordpieces of a query, the rows that stand for them, and the sections that are near.
//!
//! Products of signed bytes are whole numbers, so sums of them are exact; square roots come from Newton's method with a fixed
//! number of steps. So the same vectors are equally near everywhere, to the bit.

mod wordpiece;

pub use wordpiece::pieces;

/// Bytes as signed numbers.
pub(crate) fn signed(bytes: &[u8]) -> Vec<i8> {
    bytes.iter().map(|byte| i8::from_le_bytes([*byte])).collect()
}

/// 1 / the length of a vector; 0 for one of nothing but zeros.
pub(crate) fn inverse_norm(values: &[i8]) -> f64 {
    let squares: i64 = values
        .iter()
        .map(|value| i64::from(*value) * i64::from(*value))
        .sum();
    inverse_root(squares as f64)
}

/// 1 / √x for x from 0 to some 10^12, 0 for 0.
pub(crate) fn inverse_root(x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let mut root = if x < 1.0 { 1.0 } else { x };
    for _ in 0..48 {
        root = 0.5 * (root + x / root);
    }
    1.0 / root
}

/// The product of a query's vector with a row.
pub(crate) fn dot(query: &[f64], row: &[i8]) -> f64 {
    query
        .iter()
        .zip(row)
        .fold(0.0, |sum, (left, right)| sum + left * f64::from(*right))
}

/// The dot product of vectors before they are bytes. Eight sums side by side, because one after the other they would wait for each
/// other; in a fixed order, so that the same vectors give the same on every machine.
#[cfg(feature = "write")]
pub fn dot_f32(left: &[f32], right: &[f32]) -> f32 {
    let (left_lanes, left_rest) = left.as_chunks::<8>();
    let (right_lanes, right_rest) = right.as_chunks::<8>();
    let mut sums = [0.0_f32; 8];
    for (left, right) in left_lanes.iter().zip(right_lanes) {
        for lane in 0..8 {
            sums[lane] += left[lane] * right[lane];
        }
    }
    let rest: f32 = left_rest
        .iter()
        .zip(right_rest)
        .map(|(left, right)| left * right)
        .sum();
    sums.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_roots() {
        for x in [1e-9, 0.01, 1.0, 2.0, 16129.0, 2e6, 3.3e12] {
            assert!((inverse_root(x) * x.sqrt() - 1.0).abs() < 1e-12, "{x}");
        }
        assert_eq!(inverse_root(0.0), 0.0);
        assert_eq!(inverse_norm(&[3, -4]), 0.2);
    }
}
