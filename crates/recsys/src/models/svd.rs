//! The truncated singular value decomposition of the matrix of interactions.
//!
//! Cremonesi, Koren, Turrin, "Performance of recommender algorithms on top-n recommendation tasks", RecSys 2010: what is
//! missing counts as zero, X ≈ U Σ Qᵀ, and the scores of a user are x Q Qᵀ. So a user is the sum of the rows of Q of
//! her items, and whoever arrives later is projected in the same way.
//!
//! Q spans the strongest directions of XᵀX. They are found by subspace iteration from random vectors (Halko,
//! Martinsson, Tropp, SIAM Review 2011), and rotated into singular vectors at the end (Rayleigh and Ritz).

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd;
use faer::{Mat, Par, diag::Diag};
use rayon::prelude::*;

use crate::codec::Reader;
use crate::data::{Dataset, preferences};
use crate::error::{Error, ErrorKind, Result};
use crate::kernels::{add_scaled, vectorised};
use crate::matrix::{Matrix, Sparse};
use crate::model::{
    Capabilities, Family, ModelSpec, ModelWriter, Parameter, Query, Recommender, Resolved, Training,
};
use crate::models::factors::{Factors, score_by_vectors};
use crate::random::normal;
use crate::scan::{Eligible, Scored};

pub(crate) static SPEC: ModelSpec = ModelSpec {
    id: "svd",
    name: "Singular value decomposition",
    family: Family::Factors,
    choose_when: "for vectors from dense ratings, and as a fast baseline of the models with vectors",
    paper: "Cremonesi, Koren, Turrin, RecSys 2010",
    parameters: &[
        Parameter::int(
            "factors",
            8,
            (1, 1024),
            "the dimension of the vectors: fewer than for als, because what is missing counts as zero",
        ),
        Parameter::int(
            "iterations",
            8,
            (1, 1000),
            "steps of the subspace iteration: more bring weak directions closer to exact",
        ),
        Parameter::choice(
            "values",
            "ones",
            &["ones", "labels"],
            "what stands in the matrix where a user has interacted",
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
struct Svd {
    labels: bool,
    mean_user: Vec<f32>,
    factors: Factors,
}

/// Directions beyond those wanted, which make the wanted ones converge sooner.
const SPARE: usize = 10;

fn fit(settings: &Resolved, dataset: &Dataset, training: &Training<'_>) -> Result<Box<dyn Recommender>> {
    let labels = settings.text("values") == "labels";
    let mut by_user = dataset.preferences();
    if !labels {
        by_user = ones(&by_user);
    }
    let width = settings.int("factors");
    let items = principal(&by_user, width, settings.int("iterations"), training)?;
    let users = by_user.times(&items);
    Ok(Box::new(Svd::new(labels, users, items)))
}

fn ones(matrix: &Sparse) -> Sparse {
    Sparse::from_rows(
        matrix.columns(),
        (0..matrix.rows()).map(|row| matrix.row_pairs(row).map(|(column, _)| (column, 1.0)).collect()),
    )
}

/// The `width` strongest right singular vectors, one column each, strongest first; columns of zeros where there are
/// fewer.
fn principal(matrix: &Sparse, width: usize, iterations: usize, training: &Training<'_>) -> Result<Matrix> {
    let items = matrix.columns();
    let size = (width + SPARE).min(items).min(matrix.rows());
    if size == 0 {
        return Ok(Matrix::zeros(items, width));
    }
    let transposed = matrix.transposed();
    let mut basis = Matrix::zeros(items, size);
    for (place, value) in basis.values_mut().iter_mut().enumerate() {
        *value = normal(training.seed, 0, place as u64) as f32;
    }
    for _ in 0..iterations {
        training.check()?;
        basis = orthonormal(&transposed.times(&matrix.times(&basis)))?;
    }
    let image = matrix.times(&basis);
    let (_, rotation) = eigen(&image.gram())?;
    // The eigenvalues ascend: the strongest directions are the last columns.
    let mut chosen = Matrix::zeros(size, width);
    for column in 0..width.min(size) {
        for row in 0..size {
            chosen.row_mut(row)[column] = rotation[(row, size - 1 - column)] as f32;
        }
    }
    let mut vectors = times(&basis, &chosen);
    for column in 0..width.min(size) {
        // A singular vector has no sign of its own: the entry of largest size is made positive.
        let largest = (0..items)
            .map(|row| vectors.row(row)[column])
            .fold(0.0f32, |largest, value| {
                if value.abs() > largest.abs() {
                    value
                } else {
                    largest
                }
            });
        if largest < 0.0 {
            for row in 0..items {
                vectors.row_mut(row)[column] *= -1.0;
            }
        }
    }
    Ok(vectors)
}

/// An orthonormal basis of the columns, by the inverse root of their Gram matrix; twice, because once leaves the error
/// of a badly conditioned one. Directions that are not there become zeros.
fn orthonormal(matrix: &Matrix) -> Result<Matrix> {
    let mut basis = matrix.clone();
    for _ in 0..2 {
        let (values, vectors) = eigen(&basis.gram())?;
        let size = values.len();
        let smallest = values.last().copied().unwrap_or(0.0) * 1e-9;
        let mut scaled = Matrix::zeros(size, size);
        for row in 0..size {
            for column in 0..size {
                if values[column] > smallest {
                    scaled.row_mut(row)[column] = (vectors[(row, column)] / values[column].sqrt()) as f32;
                }
            }
        }
        basis = times(&basis, &scaled);
    }
    Ok(basis)
}

/// Eigenvalues, ascending, and the eigenvectors as columns of a small symmetric matrix.
fn eigen(matrix: &Matrix) -> Result<(Vec<f64>, Mat<f64>)> {
    let size = matrix.rows();
    let symmetric = Mat::from_fn(size, size, |row, column| f64::from(matrix.row(row)[column]));
    let mut values = Diag::<f64>::zeros(size);
    let mut vectors = Mat::<f64>::zeros(size, size);
    let need = evd::self_adjoint_evd_scratch::<f64>(
        size,
        evd::ComputeEigenvectors::Yes,
        Par::Seq,
        Default::default(),
    );
    evd::self_adjoint_evd(
        symmetric.as_ref(),
        values.as_mut(),
        Some(vectors.as_mut()),
        Par::Seq,
        MemStack::new(&mut MemBuffer::new(need)),
        Default::default(),
    )
    .map_err(|_| Error::new(ErrorKind::Numeric, "svd: the directions could not be separated"))?;
    let values = (0..size).map(|place| values[place]).collect();
    Ok((values, vectors))
}

/// A tall matrix times a small one.
fn times(tall: &Matrix, small: &Matrix) -> Matrix {
    let (inner, width) = (tall.columns(), small.columns());
    let mut product = Matrix::zeros(tall.rows(), width);
    if width == 0 || inner == 0 {
        return product;
    }
    product
        .values_mut()
        .par_chunks_mut(width * 64)
        .zip(tall.values().par_chunks(inner * 64))
        .for_each(|(targets, rows)| {
            vectorised(
                #[inline(always)]
                || {
                    for (target, row) in targets.chunks_exact_mut(width).zip(rows.chunks_exact(inner)) {
                        for (place, value) in row.iter().enumerate() {
                            add_scaled(target, *value, small.row(place));
                        }
                    }
                },
            );
        });
    product
}

impl Svd {
    fn new(labels: bool, users: Matrix, items: Matrix) -> Self {
        // The users are X Q = U Σ: the length of a column is its singular value. Likeness of items is that of the
        // columns of U Σ Qᵀ, in which a weak direction counts little.
        let mut squares = vec![0.0f64; users.columns()];
        for user in 0..users.rows() {
            for (square, value) in squares.iter_mut().zip(users.row(user)) {
                *square += f64::from(value * value);
            }
        }
        let strengths = squares.into_iter().map(|square| square.sqrt() as f32).collect();
        Self {
            labels,
            mean_user: users.mean_row(),
            factors: Factors::with_strengths(users, items, strengths),
        }
    }
}

impl Recommender for Svd {
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

    /// The projection of the history; without one the vector of the training, and for a stranger the mean of all
    /// users.
    fn user_vector(&self, query: &Query<'_>) -> Option<Vec<f32>> {
        let items = self.factors.items();
        let history = preferences(query.history, items.rows());
        if history.is_empty() {
            let known = query
                .user
                .and_then(|user| self.factors.users().get(user as usize));
            return Some(known.unwrap_or(&self.mean_user).to_vec());
        }
        let mut user = vec![0.0; items.columns()];
        for (item, label) in history {
            let value = if self.labels { label } else { 1.0 };
            add_scaled(&mut user, value, items.row(item as usize));
        }
        Some(user)
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
        writer.0.u32(u32::from(self.labels));
        self.factors.write(&mut writer.0);
    }
}

fn read(reader: &mut Reader<'_>) -> Result<Box<dyn Recommender>> {
    let labels = reader.u32()? == 1;
    let (users, items) = Factors::read(reader)?;
    Ok(Box::new(Svd::new(labels, users, items)))
}
