//! The functions of Python's math module, without a prefix, on single values.
//!
//! They fail where Python raises: outside of a function's domain, and where a finite value leaves the range.

/// Why an operation has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failure {
    Division,
    Domain,
    Overflow,
}

/// A number as Python tells them apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Number {
    Int(i64),
    Float(f64),
}

impl Number {
    pub(super) fn float(self) -> f64 {
        match self {
            Self::Int(number) => number as f64,
            Self::Float(number) => number,
        }
    }

    /// Exact, also beyond 2^53; nothing if one is NaN.
    pub(super) fn compare(self, other: Self) -> Option<std::cmp::Ordering> {
        match (self, other) {
            (Self::Int(left), Self::Int(right)) => Some(left.cmp(&right)),
            (Self::Float(left), Self::Float(right)) => left.partial_cmp(&right),
            (Self::Int(left), Self::Float(right)) => compare_mixed(left, right),
            (Self::Float(left), Self::Int(right)) => {
                compare_mixed(right, left).map(std::cmp::Ordering::reverse)
            }
        }
    }
}

fn compare_mixed(left: i64, right: f64) -> Option<std::cmp::Ordering> {
    if right.is_nan() {
        return None;
    }
    // 2^63 and beyond, and below -2^63: outside of the whole numbers.
    if right >= 9_223_372_036_854_775_808.0 {
        return Some(std::cmp::Ordering::Less);
    }
    if right < -9_223_372_036_854_775_808.0 {
        return Some(std::cmp::Ordering::Greater);
    }
    let whole = right.trunc();
    Some(
        left.cmp(&(whole as i64))
            .then_with(|| whole.partial_cmp(&right).unwrap_or(std::cmp::Ordering::Equal)),
    )
}

pub(super) type Outcome = Result<f64, Failure>;

#[derive(Debug, Clone, Copy)]
pub(super) enum Call {
    /// One number to a number.
    Unary(fn(f64) -> Outcome),
    /// One number to a whole one; whole ones stay.
    Round(fn(f64) -> f64),
    /// One number to a truth.
    Test(fn(f64) -> bool),
    /// Several numbers to one: least and most arguments.
    Floats(usize, usize, fn(&[f64]) -> Outcome),
    /// Several whole numbers to one: least and most arguments.
    Integers(usize, usize, fn(&[i64]) -> Result<Number, Failure>),
    /// A number and a whole one.
    ScaleByPower,
    /// `isclose`.
    IsClose,
    /// `abs`.
    Absolute,
    /// `min` and `max`; the flag: max.
    Extreme(bool),
    /// `sum` and `prod`; the flag: prod.
    Total(bool),
    /// `fsum`.
    ExactSum,
    /// `len`.
    Length,
    /// Two lists of numbers to one.
    Lists(fn(&[f64], &[f64]) -> Outcome),
    /// `cosine_similarity`.
    Cosine,
    /// `now_seconds`.
    Now,
    /// `retrieval.get_score`.
    RetrievalScore,
    /// `retrieval.get_rank`.
    RetrievalRank,
    /// `text_encoding`.
    TextEncoding,
    /// `pooled_text_encoding`.
    PooledTextEncoding,
}

/// A function of value models, as a documentation lists it.
#[derive(Debug, Clone, Copy)]
pub struct FunctionSpec {
    /// Its name.
    pub name: &'static str,
    /// Its arguments, as they are written.
    pub arguments: &'static str,
    /// What it gives.
    pub help: &'static str,
    pub(super) call: Call,
}

const fn spec(name: &'static str, arguments: &'static str, help: &'static str, call: Call) -> FunctionSpec {
    FunctionSpec {
        name,
        arguments,
        help,
        call,
    }
}

/// Every function, in the order of a documentation.
pub const FUNCTIONS: &[FunctionSpec] = &[
    spec(
        "min",
        "a, b, … or list",
        "the least of several numbers",
        Call::Extreme(false),
    ),
    spec(
        "max",
        "a, b, … or list",
        "the greatest of several numbers",
        Call::Extreme(true),
    ),
    spec("abs", "x", "x without its sign", Call::Absolute),
    spec("sum", "list, start=0", "the sum of a list", Call::Total(false)),
    spec(
        "len",
        "list or text",
        "how many entries or characters",
        Call::Length,
    ),
    spec(
        "now_seconds",
        "",
        "the time of the request, in seconds since 1970",
        Call::Now,
    ),
    spec(
        "retrieval.get_score",
        "'step'",
        "the candidate's score in a retrieve step; 0 where the step did not find it",
        Call::RetrievalScore,
    ),
    spec(
        "retrieval.get_rank",
        "'step'",
        "the candidate's rank in a retrieve step, 1 for the first; infinite where the step did not find it",
        Call::RetrievalRank,
    ),
    spec(
        "cosine_similarity",
        "a, b",
        "the cosine of the angle between two vectors; 0 where one is missing or zero",
        Call::Cosine,
    ),
    spec(
        "text_encoding",
        "item, embedding_ref='name'",
        "the vector of an item's text in an embedding of the model",
        Call::TextEncoding,
    ),
    spec(
        "pooled_text_encoding",
        "user.recent_interactions, pool_fn='mean', embedding_ref='name'",
        "one vector for several items; pool_fn: 'mean' or 'max'",
        Call::PooledTextEncoding,
    ),
    spec(
        "ceil",
        "x",
        "the least whole number not below x",
        Call::Round(f64::ceil),
    ),
    spec(
        "floor",
        "x",
        "the greatest whole number not above x",
        Call::Round(f64::floor),
    ),
    spec("trunc", "x", "x without its fraction", Call::Round(f64::trunc)),
    spec(
        "fabs",
        "x",
        "x without its sign, as a float",
        Call::Unary(|x| Ok(x.abs())),
    ),
    spec("exp", "x", "e ** x", Call::Unary(|x| ranged(x, x.exp()))),
    spec("exp2", "x", "2 ** x", Call::Unary(|x| ranged(x, x.exp2()))),
    spec(
        "expm1",
        "x",
        "e ** x - 1, exact near 0",
        Call::Unary(|x| ranged(x, x.exp_m1())),
    ),
    spec("log", "x, base=e", "the logarithm", Call::Floats(1, 2, log)),
    spec(
        "log1p",
        "x",
        "log(1 + x), exact near 0",
        Call::Unary(|x| positive(x, 1.0 + x, x.ln_1p())),
    ),
    spec(
        "log2",
        "x",
        "the logarithm to base 2",
        Call::Unary(|x| positive(x, x, x.log2())),
    ),
    spec(
        "log10",
        "x",
        "the logarithm to base 10",
        Call::Unary(|x| positive(x, x, x.log10())),
    ),
    spec(
        "sqrt",
        "x",
        "the square root",
        Call::Unary(|x| domain(x, x.sqrt())),
    ),
    spec("cbrt", "x", "the cube root", Call::Unary(|x| Ok(x.cbrt()))),
    spec(
        "pow",
        "x, y",
        "x ** y, as a float",
        Call::Floats(2, 2, |values| power(values[0], values[1])),
    ),
    spec(
        "sin",
        "x",
        "the sine of x radians",
        Call::Unary(|x| domain(x, x.sin())),
    ),
    spec(
        "cos",
        "x",
        "the cosine of x radians",
        Call::Unary(|x| domain(x, x.cos())),
    ),
    spec(
        "tan",
        "x",
        "the tangent of x radians",
        Call::Unary(|x| domain(x, x.tan())),
    ),
    spec("asin", "x", "the arc sine", Call::Unary(|x| domain(x, x.asin()))),
    spec(
        "acos",
        "x",
        "the arc cosine",
        Call::Unary(|x| domain(x, x.acos())),
    ),
    spec("atan", "x", "the arc tangent", Call::Unary(|x| Ok(x.atan()))),
    spec(
        "atan2",
        "y, x",
        "the angle of the point (x, y)",
        Call::Floats(2, 2, |values| Ok(values[0].atan2(values[1]))),
    ),
    spec(
        "sinh",
        "x",
        "the hyperbolic sine",
        Call::Unary(|x| ranged(x, x.sinh())),
    ),
    spec(
        "cosh",
        "x",
        "the hyperbolic cosine",
        Call::Unary(|x| ranged(x, x.cosh())),
    ),
    spec(
        "tanh",
        "x",
        "the hyperbolic tangent",
        Call::Unary(|x| Ok(x.tanh())),
    ),
    spec(
        "asinh",
        "x",
        "the inverse of sinh",
        Call::Unary(|x| Ok(libm::asinh(x))),
    ),
    spec("acosh", "x", "the inverse of cosh", Call::Unary(inverse_cosh)),
    spec(
        "atanh",
        "x",
        "the inverse of tanh",
        Call::Unary(|x| finite(x, libm::atanh(x))),
    ),
    spec(
        "degrees",
        "x",
        "radians as degrees",
        Call::Unary(|x| Ok(x * (180.0 / std::f64::consts::PI))),
    ),
    spec(
        "radians",
        "x",
        "degrees as radians",
        Call::Unary(|x| Ok(x * (std::f64::consts::PI / 180.0))),
    ),
    spec(
        "hypot",
        "x, y, …",
        "the length of a vector",
        Call::Floats(0, usize::MAX, |values| Ok(norm(values))),
    ),
    spec(
        "dist",
        "list, list",
        "the distance of two points",
        Call::Lists(distance),
    ),
    spec(
        "fsum",
        "list",
        "the sum of a list without rounding in between",
        Call::ExactSum,
    ),
    spec(
        "prod",
        "list, start=1",
        "the product of a list",
        Call::Total(true),
    ),
    spec(
        "sumprod",
        "list, list",
        "the sum of the products of two lists",
        Call::Lists(dot),
    ),
    spec(
        "fmod",
        "x, y",
        "the rest of x / y with the sign of x",
        Call::Floats(2, 2, |values| rest(values[0], values[1], values[0] % values[1])),
    ),
    spec(
        "remainder",
        "x, y",
        "x less the nearest multiple of y",
        Call::Floats(2, 2, |values| {
            rest(values[0], values[1], libm::remainder(values[0], values[1]))
        }),
    ),
    spec(
        "copysign",
        "x, y",
        "x with the sign of y",
        Call::Floats(2, 2, |values| Ok(values[0].copysign(values[1]))),
    ),
    spec("ldexp", "x, i", "x * 2 ** i", Call::ScaleByPower),
    spec(
        "nextafter",
        "x, y",
        "the next float after x towards y",
        Call::Floats(2, 2, |values| Ok(next_after(values[0], values[1]))),
    ),
    spec(
        "ulp",
        "x",
        "the distance of x to the next float",
        Call::Unary(|x| Ok(unit_in_last_place(x))),
    ),
    spec(
        "isclose",
        "a, b, rel_tol=1e-9, abs_tol=0.0",
        "nearly equal",
        Call::IsClose,
    ),
    spec(
        "isfinite",
        "x",
        "neither infinite nor NaN",
        Call::Test(f64::is_finite),
    ),
    spec("isinf", "x", "infinite", Call::Test(f64::is_infinite)),
    spec("isnan", "x", "not a number", Call::Test(f64::is_nan)),
    spec(
        "erf",
        "x",
        "the error function",
        Call::Unary(|x| Ok(libm::erf(x))),
    ),
    spec(
        "erfc",
        "x",
        "1 - erf(x), exact for large x",
        Call::Unary(|x| Ok(libm::erfc(x))),
    ),
    spec("gamma", "x", "the gamma function", Call::Unary(gamma)),
    spec(
        "lgamma",
        "x",
        "the logarithm of the gamma function",
        Call::Unary(log_gamma),
    ),
    spec(
        "factorial",
        "n",
        "1 * 2 * … * n",
        Call::Integers(1, 1, |values| factorial(values[0])),
    ),
    spec(
        "comb",
        "n, k",
        "how many choices of k out of n",
        Call::Integers(2, 2, |values| combinations(values[0], values[1])),
    ),
    spec(
        "perm",
        "n, k=n",
        "how many orders of k out of n",
        Call::Integers(1, 2, permutations),
    ),
    spec(
        "gcd",
        "a, b, …",
        "the greatest common divisor",
        Call::Integers(0, usize::MAX, greatest_divisor),
    ),
    spec(
        "lcm",
        "a, b, …",
        "the least common multiple",
        Call::Integers(0, usize::MAX, least_multiple),
    ),
    spec(
        "isqrt",
        "n",
        "the whole part of the square root",
        Call::Integers(1, 1, |values| root(values[0])),
    ),
];

/// The names that stand for a number.
pub const CONSTANTS: &[(&str, f64)] = &[
    ("pi", std::f64::consts::PI),
    ("e", std::f64::consts::E),
    ("tau", std::f64::consts::TAU),
    ("inf", f64::INFINITY),
    ("nan", f64::NAN),
];

/// A NaN out of something else lies outside of the domain.
fn domain(x: f64, result: f64) -> Outcome {
    if result.is_nan() && !x.is_nan() {
        Err(Failure::Domain)
    } else {
        Ok(result)
    }
}

/// An infinity out of something finite is a pole.
fn finite(x: f64, result: f64) -> Outcome {
    if result.is_infinite() && x.is_finite() {
        return Err(Failure::Domain);
    }
    domain(x, result)
}

/// An infinity out of something finite is an overflow.
fn ranged(x: f64, result: f64) -> Outcome {
    if result.is_infinite() && x.is_finite() {
        return Err(Failure::Overflow);
    }
    domain(x, result)
}

fn positive(x: f64, must_be: f64, result: f64) -> Outcome {
    if must_be <= 0.0 {
        Err(Failure::Domain)
    } else {
        domain(x, result)
    }
}

/// Below its domain libm's answers mean nothing.
fn inverse_cosh(x: f64) -> Outcome {
    if x < 1.0 {
        return Err(Failure::Domain);
    }
    Ok(libm::acosh(x))
}

fn log(values: &[f64]) -> Outcome {
    let natural = |x: f64| positive(x, x, x.ln());
    match values {
        [x, base] => {
            let (x, base) = (natural(*x)?, natural(*base)?);
            if base == 0.0 {
                return Err(Failure::Division);
            }
            Ok(x / base)
        }
        [x] => natural(*x),
        _ => Err(Failure::Domain),
    }
}

pub(super) fn power(base: f64, exponent: f64) -> Outcome {
    let result = base.powf(exponent);
    if base.is_finite() && exponent.is_finite() {
        if result.is_nan() {
            // Python would answer with a complex number.
            return Err(Failure::Domain);
        }
        if result.is_infinite() {
            return Err(if base == 0.0 {
                Failure::Division
            } else {
                Failure::Overflow
            });
        }
    }
    Ok(result)
}

fn rest(x: f64, y: f64, result: f64) -> Outcome {
    if result.is_nan() && !x.is_nan() && !y.is_nan() {
        Err(Failure::Domain)
    } else {
        Ok(result)
    }
}

/// Scaled by a power of two, so that squares neither overflow nor vanish, and summed with what each rounding lost.
fn norm(values: &[f64]) -> f64 {
    if values.iter().any(|value| value.is_infinite()) {
        return f64::INFINITY;
    }
    if values.iter().any(|value| value.is_nan()) {
        return f64::NAN;
    }
    let largest = values
        .iter()
        .fold(0.0_f64, |largest, value| largest.max(value.abs()));
    if largest == 0.0 {
        return 0.0;
    }
    let (_, exponent) = libm::frexp(largest);
    let (mut sum, mut lost) = (0.0_f64, 0.0_f64);
    let mut add = |number: f64| {
        let next = sum + number;
        // Neumaier's variant of Kahan's sum: whichever is smaller loses digits.
        lost += if sum.abs() >= number.abs() {
            (sum - next) + number
        } else {
            (number - next) + sum
        };
        sum = next;
    };
    for value in values {
        let value = libm::ldexp(*value, -exponent);
        let square = value * value;
        add(square);
        add(value.mul_add(value, -square));
    }
    let root = (sum + lost).sqrt();
    // One step of Newton's method against the exact square of the root.
    let square = root * root;
    let error = (sum - square) + (lost - root.mul_add(root, -square));
    libm::ldexp(root + error / (2.0 * root), exponent)
}

fn distance(left: &[f64], right: &[f64]) -> Outcome {
    if left.len() != right.len() {
        return Err(Failure::Domain);
    }
    let differences: Vec<f64> = left.iter().zip(right).map(|(left, right)| left - right).collect();
    Ok(norm(&differences))
}

fn dot(left: &[f64], right: &[f64]) -> Outcome {
    if left.len() != right.len() {
        return Err(Failure::Domain);
    }
    Ok(left.iter().zip(right).map(|(left, right)| left * right).sum())
}

/// Partial sums that do not overlap, after Shewchuk 1997: the rounding happens once, at the end.
pub(super) fn exact_sum(values: &[f64]) -> Outcome {
    let mut partials: Vec<f64> = Vec::new();
    let mut special = 0.0;
    let mut is_special = false;
    for value in values {
        if !value.is_finite() {
            // Two infinities of different signs have no sum.
            special += value;
            is_special = true;
            if special.is_nan() && !value.is_nan() {
                return Err(Failure::Domain);
            }
            continue;
        }
        let mut carry = *value;
        let mut kept = Vec::with_capacity(partials.len() + 1);
        for partial in &partials {
            let (large, small) = if carry.abs() < partial.abs() {
                (*partial, carry)
            } else {
                (carry, *partial)
            };
            let high = large + small;
            let low = small - (high - large);
            if low != 0.0 {
                kept.push(low);
            }
            carry = high;
        }
        if carry.is_infinite() {
            return Err(Failure::Overflow);
        }
        kept.push(carry);
        partials = kept;
    }
    if is_special {
        return Ok(special);
    }
    // From the largest down; the first inexact step decides, helped by the sign of what follows.
    let Some(mut total) = partials.pop() else {
        return Ok(0.0);
    };
    let mut low = 0.0;
    while let Some(next) = partials.pop() {
        let before = total;
        total = before + next;
        low = next - (total - before);
        if low != 0.0 {
            break;
        }
    }
    if let Some(next) = partials.last()
        && ((low < 0.0 && *next < 0.0) || (low > 0.0 && *next > 0.0))
    {
        let doubled = low * 2.0;
        let moved = total + doubled;
        if moved - total == doubled {
            total = moved;
        }
    }
    Ok(total)
}

fn next_after(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        f64::NAN
    } else if x == y {
        y
    } else if y > x {
        x.next_up()
    } else {
        x.next_down()
    }
}

fn unit_in_last_place(x: f64) -> f64 {
    let x = x.abs();
    if !x.is_finite() {
        x
    } else if x == f64::MAX {
        x - x.next_down()
    } else {
        x.next_up() - x
    }
}

fn gamma(x: f64) -> Outcome {
    if x == f64::NEG_INFINITY || (x <= 0.0 && x == x.floor()) {
        return Err(Failure::Domain);
    }
    ranged(x, libm::tgamma(x))
}

fn log_gamma(x: f64) -> Outcome {
    if x <= 0.0 && x.is_finite() && x == x.floor() {
        return Err(Failure::Domain);
    }
    ranged(x, libm::lgamma(x))
}

/// A product of factors; a float from where it leaves the whole numbers.
fn product(factors: impl Iterator<Item = i64>) -> Result<Number, Failure> {
    let mut total = Number::Int(1);
    for factor in factors {
        total = match total {
            Number::Int(whole) => match whole.checked_mul(factor) {
                Some(whole) => Number::Int(whole),
                None => Number::Float(whole as f64 * factor as f64),
            },
            Number::Float(number) => Number::Float(number * factor as f64),
        };
        if matches!(total, Number::Float(number) if number.is_infinite()) {
            return Err(Failure::Overflow);
        }
    }
    Ok(total)
}

fn factorial(n: i64) -> Result<Number, Failure> {
    if n < 0 {
        return Err(Failure::Domain);
    }
    // Stops at the first overflow, after 171 factors.
    product(2..=n)
}

fn permutations(values: &[i64]) -> Result<Number, Failure> {
    match values {
        [n] => factorial(*n),
        [n, k] if *n >= 0 && *k >= 0 => {
            if k > n {
                return Ok(Number::Int(0));
            }
            product((0..*k).map(|step| n - step))
        }
        _ => Err(Failure::Domain),
    }
}

fn combinations(n: i64, k: i64) -> Result<Number, Failure> {
    if n < 0 || k < 0 {
        return Err(Failure::Domain);
    }
    if k > n {
        return Ok(Number::Int(0));
    }
    let k = k.min(n - k);
    // Each factor is at least 2: more of them than this leave the range of floats.
    if k > 1_100 {
        return Err(Failure::Overflow);
    }
    let mut whole: i128 = 1;
    for step in 0..k {
        // Always divides: it is a number of choices itself.
        whole = match whole.checked_mul(i128::from(n - step)) {
            Some(next) => next / i128::from(step + 1),
            None => {
                let mut number = whole as f64;
                for step in step..k {
                    number *= (n - step) as f64 / (step + 1) as f64;
                }
                return if number.is_finite() {
                    Ok(Number::Float(number))
                } else {
                    Err(Failure::Overflow)
                };
            }
        };
    }
    Ok(i64::try_from(whole).map_or(Number::Float(whole as f64), Number::Int))
}

fn divisor(left: u64, right: u64) -> u64 {
    let (mut left, mut right) = (left, right);
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

fn unsigned(number: u64) -> Number {
    i64::try_from(number).map_or(Number::Float(number as f64), Number::Int)
}

fn greatest_divisor(values: &[i64]) -> Result<Number, Failure> {
    let found = values
        .iter()
        .fold(0, |found, value| divisor(found, value.unsigned_abs()));
    Ok(unsigned(found))
}

fn least_multiple(values: &[i64]) -> Result<Number, Failure> {
    let mut found: u64 = 1;
    for value in values {
        let value = value.unsigned_abs();
        if value == 0 {
            return Ok(Number::Int(0));
        }
        let factor = value / divisor(found, value);
        found = found.checked_mul(factor).ok_or(Failure::Overflow)?;
    }
    Ok(unsigned(found))
}

fn root(n: i64) -> Result<Number, Failure> {
    n.checked_isqrt().map(Number::Int).ok_or(Failure::Domain)
}

/// x * 2^i without a power that overflows on the way.
pub(super) fn scale_by_power(x: f64, exponent: i64) -> Outcome {
    if x == 0.0 || !x.is_finite() {
        return Ok(x);
    }
    let exponent = i32::try_from(exponent.clamp(-5_000, 5_000)).unwrap_or(0);
    ranged(x, libm::ldexp(x, exponent))
}

pub(super) fn is_close(left: f64, right: f64, relative: f64, absolute: f64) -> Result<bool, Failure> {
    if relative < 0.0 || absolute < 0.0 {
        return Err(Failure::Domain);
    }
    if left == right {
        return Ok(true);
    }
    if left.is_infinite() || right.is_infinite() {
        return Ok(false);
    }
    let difference = (right - left).abs();
    Ok(difference <= (relative * right).abs()
        || difference <= (relative * left).abs()
        || difference <= absolute)
}

/// `x // y` and `x % y` of floats: the rest has the sign of y, and the two belong together.
pub(super) fn divide_floor(x: f64, y: f64) -> Result<(f64, f64), Failure> {
    if y == 0.0 {
        return Err(Failure::Division);
    }
    let mut rest = x % y;
    let mut quotient = (x - rest) / y;
    if rest == 0.0 {
        rest = 0.0_f64.copysign(y);
    } else if (y < 0.0) != (rest < 0.0) {
        rest += y;
        quotient -= 1.0;
    }
    let floor = if quotient == 0.0 {
        0.0_f64.copysign(x / y)
    } else {
        let floor = quotient.floor();
        if quotient - floor > 0.5 {
            floor + 1.0
        } else {
            floor
        }
    };
    Ok((floor, rest))
}
