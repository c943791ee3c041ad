//! Shorter embeddings: vectors turned so that their first numbers say most (principal axes), and cut.

use recsys::Matrix;

/// Rows that the axes are taken from: enough for 64 dimensions, little enough for every request.
const SAMPLE: usize = 4096;

/// Sweeps of the Jacobi method; a matrix of this size is diagonal to the last bit after about ten.
const SWEEPS: usize = 16;

/// The `dimension` directions in which the rows of `vectors` are longest, each as long as a row. Inner products of
/// two vectors that are both projected on them stay as near to the original as so many numbers allow.
pub(crate) fn axes(vectors: &Matrix, dimension: usize) -> Vec<Vec<f32>> {
    let width = vectors.columns();
    let step = vectors.rows().div_ceil(SAMPLE).max(1);
    let mut gram = vec![vec![0.0f64; width]; width];
    for row in (0..vectors.rows()).step_by(step) {
        let row = vectors.row(row);
        for (one, sums) in row.iter().zip(&mut gram) {
            for (other, sum) in row.iter().zip(sums) {
                *sum += f64::from(*one) * f64::from(*other);
            }
        }
    }
    let mut rotation: Vec<Vec<f64>> = (0..width)
        .map(|place| {
            (0..width)
                .map(|other| f64::from(u8::from(place == other)))
                .collect()
        })
        .collect();
    for _ in 0..SWEEPS {
        for p in 0..width {
            for q in p + 1..width {
                rotate(&mut gram, &mut rotation, p, q);
            }
        }
    }
    let mut order: Vec<usize> = (0..width).collect();
    order.sort_by(|a, b| gram[*b][*b].total_cmp(&gram[*a][*a]));
    order
        .into_iter()
        .take(dimension)
        .map(|axis| rotation.iter().map(|row| row[axis] as f32).collect())
        .collect()
}

/// Makes the entries `(p, q)` and `(q, p)` of a symmetric matrix zero.
fn rotate(matrix: &mut [Vec<f64>], rotation: &mut [Vec<f64>], p: usize, q: usize) {
    let off = matrix[p][q];
    if off.abs() <= f64::EPSILON * (matrix[p][p].abs() * matrix[q][q].abs()).sqrt() {
        return;
    }
    let theta = (matrix[q][q] - matrix[p][p]) / (2.0 * off);
    let tangent = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let tangent = if theta == 0.0 { 1.0 } else { tangent };
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let sine = tangent * cosine;
    let turn = |row: &mut Vec<f64>| {
        let (a, b) = (row[p], row[q]);
        row[p] = cosine * a - sine * b;
        row[q] = sine * a + cosine * b;
    };
    matrix.iter_mut().for_each(turn);
    rotation.iter_mut().for_each(turn);
    let (above, below) = matrix.split_at_mut(q);
    for (at_p, at_q) in above[p].iter_mut().zip(&mut below[0]) {
        let (a, b) = (*at_p, *at_q);
        *at_p = cosine * a - sine * b;
        *at_q = sine * a + cosine * b;
    }
}

/// The coordinates of a vector on the axes.
pub(crate) fn project(axes: &[Vec<f32>], vector: &[f32]) -> Vec<f32> {
    axes.iter()
        .map(|axis| axis.iter().zip(vector).map(|(a, b)| a * b).sum())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_of_a_plane_keep_their_products_in_two_dimensions() {
        let plane = |a: f32, b: f32| [a + b, a - 2.0 * b, 3.0 * a, b, a];
        let rows: Vec<[f32; 5]> = (0..40)
            .map(|row| plane((row as f32).sin(), (row as f32 * 1.7).cos()))
            .collect();
        let matrix = Matrix::from_values(40, 5, rows.iter().flatten().copied().collect()).unwrap();
        let axes = axes(&matrix, 2);
        let product = |a: &[f32], b: &[f32]| -> f32 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
        for one in &rows {
            for other in &rows {
                let short = product(&project(&axes, one), &project(&axes, other));
                assert!((short - product(one, other)).abs() < 1e-3, "{short}");
            }
        }
        assert!(product(&axes[0], &axes[1]).abs() < 1e-5);
    }
}
