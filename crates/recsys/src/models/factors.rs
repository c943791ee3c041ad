//! What models with a vector per user and per item share.

use std::sync::OnceLock;

use crate::codec::{Reader, Writer};
use crate::error::{Error, Result};
use crate::index::Index;
use crate::kernels::{dot, norm, vectorised};
use crate::matrix::Matrix;
use crate::model::check_lengths;
use crate::scan::{Eligible, Scored, scan_scaled};

/// Vectors of users and of items, with the inverses of their lengths for cosines.
#[derive(Debug)]
pub(crate) struct Factors {
    users: Matrix,
    items: Matrix,
    /// What each dimension of an item counts in a cosine.
    strengths: Vec<f32>,
    user_scales: Vec<f32>,
    item_scales: Vec<f32>,
    /// Made when it is needed: a training does without.
    index: OnceLock<Option<Index>>,
}

impl Factors {
    pub(crate) fn new(users: Matrix, items: Matrix) -> Self {
        let strengths = vec![1.0; items.columns()];
        Self::with_strengths(users, items, strengths)
    }

    /// As [`new`](Self::new), for items whose dimensions differ in strength: likeness is the cosine of the vectors
    /// whose dimensions are multiplied by it.
    pub(crate) fn with_strengths(users: Matrix, items: Matrix, strengths: Vec<f32>) -> Self {
        let item_scales = (0..items.rows())
            .map(|row| inverse(norm(&multiplied(items.row(row), &strengths))))
            .collect();
        Self {
            user_scales: users.row_norms().into_iter().map(inverse).collect(),
            item_scales,
            users,
            items,
            strengths,
            index: OnceLock::new(),
        }
    }

    /// The items with the largest inner products.
    pub(crate) fn nearest_items(
        &self,
        vector: &[f32],
        limit: usize,
        eligible: Eligible<'_>,
    ) -> Result<Vec<Scored>> {
        self.best_items(vector, None, limit, eligible)
    }

    /// Makes what searches need, so that the first of them does not wait for it.
    pub(crate) fn prepare(&self) {
        self.index();
    }

    fn index(&self) -> Option<&Index> {
        self.index.get_or_init(|| Index::new(&self.items)).as_ref()
    }

    fn best_items(
        &self,
        vector: &[f32],
        scales: Option<&[f32]>,
        limit: usize,
        eligible: Eligible<'_>,
    ) -> Result<Vec<Scored>> {
        match self.index() {
            Some(index) => index.best(&self.items, vector, scales, limit, eligible),
            None => scan_scaled(&self.items, vector, scales, limit, eligible),
        }
    }

    pub(crate) fn users(&self) -> &Matrix {
        &self.users
    }

    pub(crate) fn items(&self) -> &Matrix {
        &self.items
    }

    /// The items with the largest cosines.
    pub(crate) fn similar_items(
        &self,
        item: u32,
        limit: usize,
        eligible: Eligible<'_>,
    ) -> Option<Vec<Scored>> {
        // Both sides of the product have the strengths, so the one that is not stored has them twice.
        let vector = multiplied(self.items.get(item as usize)?, &self.strengths);
        let length = norm(&vector);
        let direction = multiplied(&vector, &self.strengths);
        nearest(
            |direction, limit| self.best_items(direction, Some(&self.item_scales), limit, eligible),
            &self.item_scales,
            &direction,
            length,
            Some(item),
            limit,
        )
    }

    /// The users with the largest cosines, without `except`.
    pub(crate) fn similar_users(
        &self,
        vector: &[f32],
        except: Option<u32>,
        limit: usize,
        eligible: Eligible<'_>,
    ) -> Option<Vec<Scored>> {
        nearest(
            |direction, limit| scan_scaled(&self.users, direction, Some(&self.user_scales), limit, eligible),
            &self.user_scales,
            vector,
            norm(vector),
            except,
            limit,
        )
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        self.users.write(writer);
        self.items.write(writer);
    }

    /// The users and the items.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<(Matrix, Matrix)> {
        let users = Matrix::read(reader)?;
        let items = Matrix::read(reader)?;
        if users.columns() != items.columns() {
            return Err(Error::artefact(
                "saved vectors of users and items differ in dimension",
            ));
        }
        Ok((users, items))
    }
}

/// The rows with the largest cosines, without `except`; `None` for a vector without a direction. `scan` finds the rows
/// that are best for a direction.
fn nearest(
    scan: impl FnOnce(&[f32], usize) -> Result<Vec<Scored>>,
    scales: &[f32],
    vector: &[f32],
    length: f32,
    except: Option<u32>,
    limit: usize,
) -> Option<Vec<Scored>> {
    if length == 0.0 || !length.is_finite() {
        return None;
    }
    let direction: Vec<f32> = vector.iter().map(|value| value / length).collect();
    // One more, because the best match of a row is the row itself.
    let mut found = scan(&direction, limit.saturating_add(1)).ok()?;
    found.retain(|scored| Some(scored.id) != except && scales[scored.id as usize] > 0.0);
    found.truncate(limit);
    Some(found)
}

fn multiplied(vector: &[f32], factors: &[f32]) -> Vec<f32> {
    vector
        .iter()
        .zip(factors)
        .map(|(value, factor)| value * factor)
        .collect()
}

fn inverse(length: f32) -> f32 {
    if length > 0.0 { 1.0 / length } else { 0.0 }
}

/// Inner products of `user` with the candidates' vectors; NaN without a user and for unknown candidates.
pub(crate) fn score_by_vectors(
    items: &Matrix,
    user: Option<&[f32]>,
    candidates: &[u32],
    out: &mut [f32],
) -> Result<()> {
    check_lengths(candidates, out)?;
    let Some(user) = user.filter(|user| user.len() == items.columns()) else {
        out.fill(f32::NAN);
        return Ok(());
    };
    vectorised(
        #[inline(always)]
        || {
            for (score, candidate) in out.iter_mut().zip(candidates) {
                // Not through a closure: it would be left out of what is vectorised.
                *score = match items.get(*candidate as usize) {
                    Some(vector) => dot(vector, user),
                    None => f32::NAN,
                };
            }
        },
    );
    Ok(())
}
