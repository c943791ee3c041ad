//! Inner loops over slices of `f32` and `i8`.
//!
//! They are written so that the compiler turns them into vector instructions wherever they are inlined into a call of
//! [`vectorised`]. Sums run in sixteen lanes that are added in a fixed order, and a product is rounded before it is
//! added, so an answer is the same to the bit on every machine and for every width of its registers.

const LANES: usize = 16;

/// Runs `work` with the vector instructions that this machine has. They reach only what is inlined into it, so a
/// closure must say `#[inline(always)]`: without that a large one stays as it is, at half the speed.
#[inline(always)]
pub(crate) fn vectorised<R>(work: impl FnOnce() -> R) -> R {
    pulp::Arch::new().dispatch(work)
}

/// The inner product of two slices of one length.
#[inline(always)]
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0f32; LANES];
    let (a_body, a_tail) = a.as_chunks::<LANES>();
    let (b_body, b_tail) = b.as_chunks::<LANES>();
    for (x, y) in a_body.iter().zip(b_body) {
        for lane in 0..LANES {
            lanes[lane] += x[lane] * y[lane];
        }
    }
    let mut tail = 0.0;
    for (x, y) in a_tail.iter().zip(b_tail) {
        tail += x * y;
    }
    sum_lanes(lanes) + tail
}

/// `target += factor * source`.
#[inline(always)]
pub(crate) fn add_scaled(target: &mut [f32], factor: f32, source: &[f32]) {
    for (t, s) in target.iter_mut().zip(source) {
        *t += factor * s;
    }
}

/// Adds four rows of a matrix, each with its factor; `rows` is four times as long as `target`.
#[inline(always)]
pub(crate) fn add_scaled_4(target: &mut [f32], factors: &[f32], rows: &[f32]) {
    let width = target.len();
    let (a, rest) = rows.split_at(width);
    let (b, rest) = rest.split_at(width);
    let (c, d) = rest.split_at(width);
    let [fa, fb, fc, fd] = [factors[0], factors[1], factors[2], factors[3]];
    for ((((t, a), b), c), d) in target.iter_mut().zip(a).zip(b).zip(c).zip(d) {
        *t += (fa * a + fb * b) + (fc * c + fd * d);
    }
}

/// The inner product of small integers with larger ones. Exact while the sum fits 32 bits.
#[inline(always)]
pub(crate) fn dot_i8_i16(a: &[i8], b: &[i16]) -> i32 {
    let mut sum = 0i32;
    for (x, y) in a.iter().zip(b) {
        sum += i32::from(*x) * i32::from(*y);
    }
    sum
}

/// The Euclidean length.
#[inline(always)]
pub(crate) fn norm(a: &[f32]) -> f32 {
    dot(a, a).sqrt()
}

#[inline(always)]
fn sum_lanes(lanes: [f32; LANES]) -> f32 {
    let mut half = [0.0f32; LANES / 2];
    for lane in 0..LANES / 2 {
        half[lane] = lanes[lane] + lanes[lane + LANES / 2];
    }
    let [a, b, c, d, e, f, g, h] = half;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}
