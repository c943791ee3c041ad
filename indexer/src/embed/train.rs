//! Training the query side: a row for each wordpiece, such that the sum over a text lands near the section it speaks of.
//!
//! Two stages. Ridge regression gives rows whose mean comes close to the section's vector; it is solved by conjugate
//! gradients. Then some hundred steps pull each text to its own section and away from the other sections of a batch.
//! More steps learn the words of the site by heart, and readers use others.

use std::collections::HashMap;

use super::math::{Random, add_scaled, dot, normalise};

/// How the training is done.
#[derive(Clone, Debug)]
pub(super) struct Training {
    /// What keeps the rows of the regression small.
    pub ridge: f32,
    /// Steps of conjugate gradients.
    pub ridge_steps: usize,
    /// Contrastive steps.
    pub steps: usize,
    /// Texts in a step.
    pub batch: usize,
    /// What cosines are divided by.
    pub temperature: f32,
    /// How far a step goes at first; it falls to nothing.
    pub rate: f32,
    /// Where the generator of random numbers starts.
    pub seed: u64,
}

impl Default for Training {
    fn default() -> Self {
        Self {
            ridge: 3.0,
            ridge_steps: 20,
            steps: 100,
            batch: 384,
            temperature: 0.05,
            rate: 0.01,
            seed: 1,
        }
    }
}

/// Texts as wordpieces, each with the section that it should find.
#[derive(Clone, Debug, Default)]
pub(super) struct Examples {
    pieces: Vec<u32>,
    ends: Vec<usize>,
    sections: Vec<u32>,
}

impl Examples {
    pub(super) fn push(&mut self, pieces: &[u32], section: u32) {
        if !pieces.is_empty() {
            self.pieces.extend_from_slice(pieces);
            self.ends.push(self.pieces.len());
            self.sections.push(section);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    fn pieces(&self, example: usize) -> &[u32] {
        let start = example.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.pieces[start..self.ends[example]]
    }
}

/// The rows: `prior` plus what the examples teach. `sections` holds a unit vector for each section.
pub(super) fn train(
    examples: &Examples,
    sections: &[f32],
    prior: Vec<f32>,
    dimensions: usize,
    training: &Training,
) -> Vec<f32> {
    let mut rows = prior;
    if examples.len() == 0 {
        return rows;
    }
    ridge(examples, sections, &mut rows, dimensions, training);
    contrast(examples, sections, &mut rows, dimensions, training);
    rows
}

/// Least squares of `mean of rows = section`, with what it adds to the rows kept small.
fn ridge(examples: &Examples, sections: &[f32], rows: &mut [f32], dimensions: usize, training: &Training) {
    let width = dimensions;
    // What is left to explain, brought to the rows.
    let mut residual = vec![0.0_f32; rows.len()];
    let mut mean = vec![0.0_f32; width];
    for example in 0..examples.len() {
        let pieces = examples.pieces(example);
        mean_row(pieces, rows, width, &mut mean);
        let target = section(sections, examples.sections[example], width);
        let factor = 1.0 / pieces.len() as f32;
        let missing: Vec<f32> = target
            .iter()
            .zip(&mean)
            .map(|(target, mean)| target - mean)
            .collect();
        for piece in pieces {
            add_scaled(row_mut(&mut residual, *piece, width), &missing, factor);
        }
    }
    let mut direction = residual.clone();
    let mut sizes = column_dots(&residual, &residual, width);
    let mut applied = vec![0.0_f32; rows.len()];
    for _ in 0..training.ridge_steps {
        applied
            .iter_mut()
            .zip(&direction)
            .for_each(|(into, from)| *into = training.ridge * from);
        for example in 0..examples.len() {
            let pieces = examples.pieces(example);
            mean_row(pieces, &direction, width, &mut mean);
            let factor = 1.0 / pieces.len() as f32;
            for piece in pieces {
                add_scaled(row_mut(&mut applied, *piece, width), &mean, factor);
            }
        }
        let curvature = column_dots(&direction, &applied, width);
        let steps: Vec<f32> = ratio(&sizes, &curvature);
        for (row, (direction, (residual, applied))) in rows.chunks_exact_mut(width).zip(
            direction
                .chunks_exact(width)
                .zip(residual.chunks_exact_mut(width).zip(applied.chunks_exact(width))),
        ) {
            for column in 0..width {
                row[column] += steps[column] * direction[column];
                residual[column] -= steps[column] * applied[column];
            }
        }
        let new_sizes = column_dots(&residual, &residual, width);
        let turns = ratio(&new_sizes, &sizes);
        sizes = new_sizes;
        for (direction, residual) in direction
            .chunks_exact_mut(width)
            .zip(residual.chunks_exact(width))
        {
            for column in 0..width {
                direction[column] = residual[column] + turns[column] * direction[column];
            }
        }
    }
}

/// Stochastic steps on `-log softmax(cosine / temperature)` over the sections of a batch.
fn contrast(examples: &Examples, sections: &[f32], rows: &mut [f32], dimensions: usize, training: &Training) {
    let width = dimensions;
    let mut random = Random(training.seed);
    let batch_size = training.batch.min(examples.len());
    let mut moments = vec![0.0_f32; rows.len() / width];
    let mut order: Vec<usize> = (0..examples.len()).collect();
    let mut next = order.len();
    for step in 0..training.steps {
        let mut batch = Vec::with_capacity(batch_size);
        while batch.len() < batch_size {
            if next == order.len() {
                // A new round over the examples, in a new order.
                for place in (1..order.len()).rev() {
                    order.swap(place, random.below(place + 1));
                }
                next = 0;
            }
            batch.push(order[next]);
            next += 1;
        }
        let (_, gradients) =
            loss_and_gradients(examples, sections, rows, width, &batch, training.temperature);
        let rate = training.rate * (1.0 - step as f32 / training.steps as f32);
        // One step length a row, by how much has been asked of the row so far (Adagrad): pieces that are everywhere
        // move little, rare ones move at all.
        for (piece, gradient) in gradients {
            let moment = &mut moments[piece as usize];
            *moment += dot(&gradient, &gradient) / width as f32;
            let factor = -rate / (moment.sqrt() + 1e-8);
            add_scaled(row_mut(rows, piece, width), &gradient, factor);
        }
    }
}

/// The mean loss of a batch, and what each row of the table contributes to it, by piece in the order of first use.
fn loss_and_gradients(
    examples: &Examples,
    sections: &[f32],
    rows: &[f32],
    width: usize,
    batch: &[usize],
    temperature: f32,
) -> (f64, Vec<(u32, Vec<f32>)>) {
    // The different sections of the batch: a section is no counter-example to itself.
    let mut columns: Vec<u32> = batch.iter().map(|example| examples.sections[*example]).collect();
    columns.sort_unstable();
    columns.dedup();
    let mut gathered = Vec::with_capacity(columns.len() * width);
    columns
        .iter()
        .for_each(|column| gathered.extend_from_slice(section(sections, *column, width)));
    let mut loss = 0.0_f64;
    let mut places: HashMap<u32, usize> = HashMap::new();
    let mut gradients: Vec<(u32, Vec<f32>)> = Vec::new();
    let mut query = vec![0.0_f32; width];
    let mut pull = vec![0.0_f32; width];
    for example in batch {
        let pieces = examples.pieces(*example);
        mean_row(pieces, rows, width, &mut query);
        let length = normalise(&mut query);
        if length == 0.0 {
            continue;
        }
        let own = columns
            .binary_search(&examples.sections[*example])
            .expect("the batch has this section");
        let mut shares: Vec<f32> = gathered
            .chunks_exact(width)
            .map(|other| dot(&query, other) / temperature)
            .collect();
        let highest = shares.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let own_score = shares[own] - highest;
        shares
            .iter_mut()
            .for_each(|share| *share = (*share - highest).exp());
        let total: f32 = shares.iter().sum();
        loss += f64::from(total.ln() - own_score);
        shares.iter_mut().for_each(|share| *share /= total);
        shares[own] -= 1.0;
        pull.fill(0.0);
        for (share, other) in shares.iter().zip(gathered.chunks_exact(width)) {
            add_scaled(&mut pull, other, *share);
        }
        // Only what turns the query counts: its length is normalised away.
        let along = dot(&pull, &query);
        add_scaled(&mut pull, &query, -along);
        let factor = 1.0 / (temperature * length * pieces.len() as f32 * batch.len() as f32);
        for piece in pieces {
            let place = *places.entry(*piece).or_insert_with(|| {
                gradients.push((*piece, vec![0.0; width]));
                gradients.len() - 1
            });
            add_scaled(&mut gradients[place].1, &pull, factor);
        }
    }
    (loss / batch.len() as f64, gradients)
}

fn mean_row(pieces: &[u32], rows: &[f32], width: usize, into: &mut [f32]) {
    into.fill(0.0);
    let factor = 1.0 / pieces.len() as f32;
    pieces
        .iter()
        .for_each(|piece| add_scaled(into, section(rows, *piece, width), factor));
}

fn section(rows: &[f32], number: u32, width: usize) -> &[f32] {
    &rows[number as usize * width..][..width]
}

fn row_mut(rows: &mut [f32], number: u32, width: usize) -> &mut [f32] {
    &mut rows[number as usize * width..][..width]
}

fn column_dots(left: &[f32], right: &[f32], width: usize) -> Vec<f32> {
    let mut sums = vec![0.0_f64; width];
    for (left, right) in left.chunks_exact(width).zip(right.chunks_exact(width)) {
        for column in 0..width {
            sums[column] += f64::from(left[column] * right[column]);
        }
    }
    sums.into_iter().map(|sum| sum as f32).collect()
}

fn ratio(above: &[f32], below: &[f32]) -> Vec<f32> {
    let divide = |(above, below): (&f32, &f32)| if *below > 0.0 { above / below } else { 0.0 };
    above.iter().zip(below).map(divide).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: usize = 3;

    /// Four sections, and texts of one to four pieces about them; some pieces come more than once.
    fn task() -> (Examples, Vec<f32>, Vec<f32>) {
        let mut random = Random(5);
        let mut number = || random.below(2000) as f32 / 1000.0 - 1.0;
        let mut sections: Vec<f32> = (0..4 * WIDTH).map(|_| number()).collect();
        sections.chunks_exact_mut(WIDTH).for_each(|section| {
            normalise(section);
        });
        let rows = (0..6 * WIDTH).map(|_| number()).collect();
        let mut examples = Examples::default();
        for (pieces, section) in [
            (&[0, 1][..], 0),
            (&[1], 1),
            (&[2, 3, 3], 2),
            (&[4, 0], 3),
            (&[5, 2, 1, 0], 0),
            (&[], 1),
        ] {
            examples.push(pieces, section);
        }
        (examples, sections, rows)
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let (examples, sections, mut rows) = task();
        let batch: Vec<usize> = (0..examples.len()).collect();
        let loss = |rows: &[f32]| loss_and_gradients(&examples, &sections, rows, WIDTH, &batch, 0.5).0;
        let (_, gradients) = loss_and_gradients(&examples, &sections, &rows, WIDTH, &batch, 0.5);
        assert_eq!(gradients.len(), 6);
        for (piece, gradient) in gradients {
            for (column, expected) in gradient.iter().enumerate() {
                let place = piece as usize * WIDTH + column;
                let (before, step) = (rows[place], 0.01);
                rows[place] = before + step;
                let above = loss(&rows);
                rows[place] = before - step;
                let below = loss(&rows);
                rows[place] = before;
                let slope = (above - below) / f64::from(2.0 * step);
                assert!(
                    (slope - f64::from(*expected)).abs() < 2e-3,
                    "{piece} {column}: {slope} {expected}"
                );
            }
        }
    }

    #[test]
    fn the_regression_solves_its_normal_equations() {
        let (examples, sections, _) = task();
        let training = Training {
            ridge: 0.1,
            ..Training::default()
        };
        let mut rows = vec![0.0; 6 * WIDTH];
        ridge(&examples, &sections, &mut rows, WIDTH, &training);
        // At the solution, what the examples still ask for is what the ridge holds back.
        let mut asked = vec![0.0; rows.len()];
        let mut mean = vec![0.0; WIDTH];
        for example in 0..examples.len() {
            let pieces = examples.pieces(example);
            mean_row(pieces, &rows, WIDTH, &mut mean);
            let target = section(&sections, examples.sections[example], WIDTH);
            let missing: Vec<f32> = target
                .iter()
                .zip(&mean)
                .map(|(target, mean)| target - mean)
                .collect();
            for piece in pieces {
                add_scaled(
                    row_mut(&mut asked, *piece, WIDTH),
                    &missing,
                    1.0 / pieces.len() as f32,
                );
            }
        }
        for (asked, row) in asked.iter().zip(&rows) {
            assert!((asked - 0.1 * row).abs() < 1e-4, "{asked} {row}");
        }
    }

    #[test]
    fn steps_lower_the_loss_and_the_same_seed_gives_the_same_rows() {
        let (examples, sections, rows) = task();
        let training = Training {
            temperature: 0.5,
            rate: 0.1,
            batch: 3,
            ..Training::default()
        };
        let batch: Vec<usize> = (0..examples.len()).collect();
        let loss = |rows: &[f32]| loss_and_gradients(&examples, &sections, rows, WIDTH, &batch, 0.5).0;
        let mut trained = rows.clone();
        contrast(&examples, &sections, &mut trained, WIDTH, &training);
        assert!(
            loss(&trained) < 0.8 * loss(&rows),
            "{} {}",
            loss(&trained),
            loss(&rows)
        );
        assert_eq!(
            train(&examples, &sections, rows.clone(), WIDTH, &training),
            train(&examples, &sections, rows.clone(), WIDTH, &training)
        );
        assert_eq!(
            train(&Examples::default(), &sections, rows.clone(), WIDTH, &training),
            rows
        );
    }
}
