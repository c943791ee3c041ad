//! Alternating least squares for implicit feedback.
//!
//! Hu, Koren, Volinsky, "Collaborative filtering for implicit feedback datasets", ICDM 2008: with p = 1 where a user has
//! a preference and 0 elsewhere, and the confidence c = 1 + α r in it,
//!
//! ```text
//! minimise  Σ_ui c_ui (p_ui - x_uᵀ y_i)²  +  Σ_u λ_u |x_u|²  +  Σ_i λ_i |y_i|²
//! ```
//!
//! With one side fixed each row of the other is a ridge regression, x_u = (YᵀC^uY + λ_u I)⁻¹ YᵀC^u p_u. The sum over all
//! items is YᵀY plus the few rows where c is not 1. In the training a few steps of conjugate gradients from the
//! last solution replace the exact one (Takács, Pilászy, Tikk, RecSys 2011). A query solves exactly.
//!
//! In the paper all λ are equal. Rendle, Krichene, Zhang, Koren, "Revisiting the performance of iALS on item
//! recommendation benchmarks", RecSys 2022, let them grow with the number of interactions, here λ (1 + n)^ν; ν is the setting `frequency`.

use rayon::prelude::*;

use crate::codec::Reader;
use crate::data::{Dataset, preferences};
use crate::error::{Error, Result};
use crate::kernels::{add_scaled, add_scaled_4, dot, vectorised};
use crate::matrix::{Matrix, Sparse};
use crate::model::{
    Capabilities, Family, ModelSpec, ModelWriter, Parameter, Query, Recommender, Resolved, Training,
};
use crate::models::factors::{Factors, score_by_vectors};
use crate::random::normal;
use crate::scan::{Eligible, Scored};

pub(crate) static SPEC: ModelSpec = ModelSpec {
    id: "als",
    name: "Alternating least squares",
    family: Family::Factors,
    choose_when: "for clicks, views and purchases at any size, when vectors of users and items are wanted too",
    paper: "Hu, Koren, Volinsky, ICDM 2008",
    parameters: &[
        Parameter::int("factors", 64, (1, 1024), "the dimension of the vectors"),
        Parameter::int("iterations", 15, (1, 1000), "sweeps over all users and all items"),
        Parameter::float(
            "regularization",
            5.0,
            (1e-6, 1e9),
            "the penalty of long vectors: larger for smaller data",
        ),
        Parameter::float(
            "alpha",
            3.0,
            (0.0, 1e6),
            "how much a label of 1 adds to the confidence 1 in what is not there",
        ),
        Parameter::float(
            "frequency",
            0.5,
            (0.0, 2.0),
            "how far the penalty grows with the interactions of a user or an item: 0 as in the paper, 1 in proportion",
        ),
        Parameter::int(
            "solver_steps",
            3,
            (1, 1000),
            "steps of conjugate gradients per row and sweep",
        ),
    ],
    can: Capabilities {
        collaborative: true,
        personal: true,
        factors: true,
        item_vectors: true,
        user_vectors: true,
        similar_items: true,
        similar_users: true,
        ..Capabilities::NONE
    },
    version: 1,
    fit,
    read,
};

#[derive(Debug)]
struct Als {
    alpha: f32,
    penalty: Penalty,
    /// YᵀY, for the solution of a query.
    gram: Matrix,
    /// For whoever has neither a history nor a vector.
    mean_user: Vec<f32>,
    factors: Factors,
}

/// λ (1 + n)^ν for a row with n entries.
#[derive(Debug, Clone, Copy)]
struct Penalty {
    base: f32,
    frequency: f32,
}

impl Penalty {
    fn of(&self, entries: usize) -> f32 {
        (f64::from(self.base) * (1.0 + entries as f64).powf(f64::from(self.frequency))) as f32
    }
}

fn fit(settings: &Resolved, dataset: &Dataset, training: &Training<'_>) -> Result<Box<dyn Recommender>> {
    let by_user = dataset.preferences();
    let by_item = by_user.transposed();
    let width = settings.int("factors");
    let alpha = settings.float("alpha") as f32;
    let penalty = Penalty {
        base: settings.float("regularization") as f32,
        frequency: settings.float("frequency") as f32,
    };
    // Small, so that the first sweep is led by the data and not by chance.
    let spread = 0.1 / (width as f64).sqrt();
    let start = |rows: usize, stream: u64| {
        let mut matrix = Matrix::zeros(rows, width);
        matrix
            .values_mut()
            .par_chunks_mut(width)
            .enumerate()
            .for_each(|(row, values)| {
                for (column, value) in values.iter_mut().enumerate() {
                    *value = (spread * normal(training.seed, stream, (row * width + column) as u64)) as f32;
                }
            });
        matrix
    };
    let mut users = start(by_user.rows(), 0);
    let mut items = start(by_item.rows(), 1);
    let steps = settings.int("solver_steps");
    for _ in 0..settings.int("iterations") {
        training.check()?;
        sweep(&mut users, &items, &by_user, alpha, penalty, steps);
        training.check()?;
        sweep(&mut items, &users, &by_item, alpha, penalty, steps);
    }
    if items
        .values()
        .iter()
        .chain(users.values())
        .any(|value| !value.is_finite())
    {
        return Err(Error::new(
            crate::ErrorKind::Numeric,
            "als did not converge: more regularization is needed",
        ));
    }
    Ok(Box::new(Als::new(alpha, penalty, users, items)))
}

impl Als {
    fn new(alpha: f32, penalty: Penalty, users: Matrix, items: Matrix) -> Self {
        Self {
            alpha,
            penalty,
            gram: items.gram(),
            mean_user: users.mean_row(),
            factors: Factors::new(users, items),
        }
    }

    /// The exact solution for a history; `None` if nothing in it is known.
    fn fold_in(&self, query: &Query<'_>) -> Option<Vec<f32>> {
        let items = self.factors.items();
        let history = preferences(query.history, items.rows());
        if history.is_empty() {
            return None;
        }
        Some(vectorised(
            #[inline(always)]
            || {
                let width = items.columns();
                let mut system = self.gram.clone();
                let mut right = vec![0.0; width];
                for &(item, label) in &history {
                    let vector = items.row(item as usize);
                    let extra = self.alpha * label;
                    for (row, &value) in vector.iter().enumerate() {
                        add_scaled(system.row_mut(row), extra * value, vector);
                    }
                    add_scaled(&mut right, 1.0 + extra, vector);
                }
                let penalty = self.penalty.of(history.len());
                for diagonal in 0..width {
                    system.row_mut(diagonal)[diagonal] += penalty;
                }
                solve(&mut system, &mut right);
                right
            },
        ))
    }
}

impl Recommender for Als {
    fn spec(&self) -> &'static ModelSpec {
        &SPEC
    }

    fn items(&self) -> usize {
        self.factors.items().rows()
    }

    fn score(&self, query: &Query<'_>, candidates: &[u32], out: &mut [f32]) -> Result<()> {
        score_by_vectors(
            self.factors.items(),
            self.user_vector(query).as_deref(),
            candidates,
            out,
        )
    }

    fn retrieve(&self, query: &Query<'_>, limit: usize, eligible: Eligible<'_>) -> Result<Vec<Scored>> {
        let user = self.user_vector(query).unwrap_or_default();
        self.factors.nearest_items(&user, limit, eligible)
    }

    fn nearest_items(
        &self,
        vector: &[f32],
        limit: usize,
        eligible: Eligible<'_>,
    ) -> Option<Result<Vec<Scored>>> {
        Some(self.factors.nearest_items(vector, limit, eligible))
    }

    fn item_vectors(&self) -> Option<&Matrix> {
        Some(self.factors.items())
    }

    fn user_vectors(&self) -> Option<&Matrix> {
        Some(self.factors.users())
    }

    /// From the history by one exact solution; without one the vector of the training, and for a stranger the mean
    /// of all users, whose scores are close to the popularity.
    fn user_vector(&self, query: &Query<'_>) -> Option<Vec<f32>> {
        let known = || {
            query
                .user
                .and_then(|user| self.factors.users().get(user as usize))
        };
        Some(
            self.fold_in(query)
                .or_else(|| known().map(<[f32]>::to_vec))
                .unwrap_or_else(|| self.mean_user.clone()),
        )
    }

    fn similar_items(
        &self,
        _query: &Query<'_>,
        item: u32,
        limit: usize,
        eligible: Eligible<'_>,
    ) -> Option<Vec<Scored>> {
        self.factors.similar_items(item, limit, eligible)
    }

    fn similar_users(&self, query: &Query<'_>, limit: usize, eligible: Eligible<'_>) -> Option<Vec<Scored>> {
        self.factors
            .similar_users(&self.user_vector(query)?, query.user, limit, eligible)
    }

    fn write(&self, writer: &mut ModelWriter) {
        let writer = &mut writer.0;
        writer.f32(self.alpha);
        writer.f32(self.penalty.base);
        writer.f32(self.penalty.frequency);
        self.factors.write(writer);
    }
}

fn read(reader: &mut Reader<'_>) -> Result<Box<dyn Recommender>> {
    let alpha = reader.f32()?;
    let penalty = Penalty {
        base: reader.f32()?,
        frequency: reader.f32()?,
    };
    let (users, items) = Factors::read(reader)?;
    let als = Als::new(alpha, penalty, users, items);
    als.factors.prepare();
    Ok(Box::new(als))
}

/// One half of an iteration: every row of `solved`, `fixed` as it is.
fn sweep(solved: &mut Matrix, fixed: &Matrix, entries: &Sparse, alpha: f32, penalty: Penalty, steps: usize) {
    let width = fixed.columns();
    let gram = fixed.gram();
    // Rows are solved one by one and do not know of each other: the threads change nothing.
    solved
        .values_mut()
        .par_chunks_mut(width * 64)
        .enumerate()
        .for_each_init(
            || Workspace::new(width),
            |workspace, (block, rows)| {
                vectorised(
                    #[inline(always)]
                    || {
                        for (place, row) in rows.chunks_exact_mut(width).enumerate() {
                            let (columns, labels) = entries.row(block * 64 + place);
                            if columns.is_empty() {
                                row.fill(0.0);
                            } else {
                                let penalty = penalty.of(columns.len());
                                conjugate_gradients(
                                    row, &gram, fixed, columns, labels, alpha, penalty, steps, workspace,
                                );
                            }
                        }
                    },
                );
            },
        );
}

struct Workspace {
    residual: Vec<f32>,
    direction: Vec<f32>,
    image: Vec<f32>,
}

impl Workspace {
    fn new(width: usize) -> Self {
        Self {
            residual: vec![0.0; width],
            direction: vec![0.0; width],
            image: vec![0.0; width],
        }
    }
}

/// A few steps towards (YᵀCY + λI) x = YᵀCp from the `x` given.
#[expect(
    clippy::too_many_arguments,
    reason = "the inner loop of the training, called in one place"
)]
#[inline(always)]
fn conjugate_gradients(
    x: &mut [f32],
    gram: &Matrix,
    fixed: &Matrix,
    columns: &[u32],
    labels: &[f32],
    alpha: f32,
    penalty: f32,
    steps: usize,
    workspace: &mut Workspace,
) {
    let Workspace {
        residual,
        direction,
        image,
    } = workspace;
    // The residual YᵀCp - (YᵀCY + λI) x.
    times_system(residual, x, gram, penalty);
    for value in residual.iter_mut() {
        *value = -*value;
    }
    for (&column, &label) in columns.iter().zip(labels) {
        let vector = fixed.row(column as usize);
        let extra = alpha * label;
        add_scaled(residual, (1.0 + extra) - extra * dot(vector, x), vector);
    }
    direction.copy_from_slice(residual);
    let mut square = dot(residual, residual);
    for _ in 0..steps {
        if square < 1e-20 {
            break;
        }
        times_system(image, direction, gram, penalty);
        for (&column, &label) in columns.iter().zip(labels) {
            let vector = fixed.row(column as usize);
            add_scaled(image, alpha * label * dot(vector, direction), vector);
        }
        let step = square / dot(direction, image);
        add_scaled(x, step, direction);
        add_scaled(residual, -step, image);
        let next = dot(residual, residual);
        let keep = next / square;
        for (d, r) in direction.iter_mut().zip(residual.iter()) {
            *d = r + keep * *d;
        }
        square = next;
    }
}

/// `out = (gram + penalty I) x`.
#[inline(always)]
fn times_system(out: &mut [f32], x: &[f32], gram: &Matrix, penalty: f32) {
    for (value, entry) in out.iter_mut().zip(x) {
        *value = penalty * entry;
    }
    // The matrix is symmetric: its rows are its columns, and sums of scaled rows need no sum across lanes. Four at a
    // time, so that the result is read and written less often.
    let width = x.len();
    let mut row = 0;
    while row + 4 <= width {
        add_scaled_4(
            out,
            &x[row..row + 4],
            &gram.values()[row * width..(row + 4) * width],
        );
        row += 4;
    }
    while row < width {
        add_scaled(out, x[row], gram.row(row));
        row += 1;
    }
}

/// Solves a symmetric positive definite system by Cholesky's factorisation; the solution replaces `right`.
#[inline(always)]
fn solve(system: &mut Matrix, right: &mut [f32]) {
    let width = right.len();
    for column in 0..width {
        for row in column..width {
            let sum = dot(&system.row(row)[..column], &system.row(column)[..column]);
            let rest = system.row(row)[column] - sum;
            if row == column {
                // Positive by the penalty; the bound catches rounding.
                system.row_mut(row)[column] = rest.max(f32::MIN_POSITIVE).sqrt();
            } else {
                let diagonal = system.row(column)[column];
                system.row_mut(row)[column] = rest / diagonal;
            }
        }
    }
    for row in 0..width {
        let sum = dot(&system.row(row)[..row], &right[..row]);
        right[row] = (right[row] - sum) / system.row(row)[row];
    }
    for row in (0..width).rev() {
        let value = right[row] / system.row(row)[row];
        right[row] = value;
        add_scaled(&mut right[..row], -value, &system.row(row)[..row]);
    }
}
