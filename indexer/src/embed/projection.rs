//! From the dimensions of the encoder to the few that an index carries: the directions in which the sections differ most.

#[cfg(feature = "encoder")]
use nalgebra::{DMatrix, SymmetricEigen};

use super::math::{dot, normalise};

/// A linear map onto the principal directions.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Projection {
    /// Dimensions of the encoder.
    pub(super) from: usize,
    /// Dimensions that are left.
    pub(super) to: usize,
    /// What is subtracted first, then a row for each direction.
    pub(super) values: Vec<f32>,
}

impl Projection {
    /// The principal directions of these vectors, at most `to`.
    #[cfg(feature = "encoder")]
    pub(super) fn fit(vectors: &[f32], from: usize, to: usize) -> Self {
        let to = to.min(from);
        let count = (vectors.len() / from).max(1) as f64;
        let mut mean = vec![0.0_f64; from];
        for vector in vectors.chunks_exact(from) {
            mean.iter_mut()
                .zip(vector)
                .for_each(|(mean, value)| *mean += f64::from(*value));
        }
        mean.iter_mut().for_each(|mean| *mean /= count);
        let mut covariance = DMatrix::<f64>::zeros(from, from);
        let mut centred = vec![0.0_f64; from];
        for vector in vectors.chunks_exact(from) {
            for ((centred, value), mean) in centred.iter_mut().zip(vector).zip(&mean) {
                *centred = f64::from(*value) - mean;
            }
            for (column, factor) in centred.iter().enumerate() {
                let mut into = covariance.column_mut(column);
                into.iter_mut()
                    .zip(&centred)
                    .for_each(|(sum, value)| *sum += value * factor);
            }
        }
        let eigen = SymmetricEigen::new(covariance / count);
        let mut order: Vec<usize> = (0..from).collect();
        order.sort_by(|left, right| eigen.eigenvalues[*right].total_cmp(&eigen.eigenvalues[*left]));
        let mut values: Vec<f32> = mean.iter().map(|mean| *mean as f32).collect();
        for direction in &order[..to] {
            let column = eigen.eigenvectors.column(*direction);
            // A direction and its opposite are as good; the one whose largest part is positive is taken.
            let largest = column.iter().fold(
                0.0_f64,
                |best, value| {
                    if value.abs() > best.abs() { *value } else { best }
                },
            );
            values.extend(column.iter().map(|value| (value * largest.signum()) as f32));
        }
        Self { from, to, values }
    }

    /// The unit vector of an encoder's output.
    pub(super) fn apply(&self, vector: &[f32]) -> Vec<f32> {
        let (mean, rows) = self.values.split_at(self.from);
        let centred: Vec<f32> = vector
            .iter()
            .zip(mean)
            .map(|(value, mean)| value - mean)
            .collect();
        let mut projected: Vec<f32> = rows
            .chunks_exact(self.from)
            .map(|row| dot(row, &centred))
            .collect();
        normalise(&mut projected);
        projected
    }
}

#[cfg(all(test, feature = "encoder"))]
mod tests {
    use super::*;

    #[test]
    fn the_first_direction_is_the_one_of_the_largest_spread() {
        // Around (1, 2), stretched along (3, 4) / 5, a little across it.
        let points: Vec<f32> = [(-2.0, 0.1), (-1.0, -0.1), (1.0, -0.1), (2.0, 0.1)]
            .iter()
            .flat_map(|(along, across)| [1.0 + 0.6 * along - 0.8 * across, 2.0 + 0.8 * along + 0.6 * across])
            .collect();
        let projection = Projection::fit(&points, 2, 1);
        for (found, expected) in projection.values.iter().zip([1.0, 2.0, 0.6, 0.8]) {
            assert!((found - expected).abs() < 1e-5, "{:?}", projection.values);
        }
        assert_eq!(projection.apply(&[1.0 + 6.0, 2.0 + 8.0]), [1.0]);
        assert_eq!(projection.apply(&[1.0 - 6.0, 2.0 - 8.0]), [-1.0]);
        assert_eq!(Projection::fit(&points, 2, 128).to, 2);
    }
}
