//! CAST: what cannot be represented in the new type is NULL.

use crate::data::{Data, Type, Validity};
use crate::filter::plan::{FALSE, TRUE, Texts, UNKNOWN, Vector};
use crate::filter::tree::Cast;
use crate::time;

pub(super) fn cast<'e>(value: Vector<'e>, from: Option<Type>, to: Cast, count: usize) -> Vector<'e> {
    let Some(from) = from else {
        return Vector::Null;
    };
    match to {
        Cast::Boolean => truths(value, count),
        Cast::SmallInt => ints(value, from, count, |number| i16::try_from(number).is_ok()),
        Cast::Integer => ints(value, from, count, |number| i32::try_from(number).is_ok()),
        Cast::BigInt => ints(value, from, count, |_| true),
        Cast::Double => floats(value, count),
        Cast::Varchar => texts(value, from, count),
        Cast::Timestamp => timestamps(value, count, |seconds| seconds),
        Cast::Date => timestamps(value, count, |seconds| seconds - seconds.rem_euclid(86_400)),
    }
}

/// One value for each place, or a single one when all places have it.
fn each<T>(count: usize, constant: bool, convert: impl Fn(usize) -> Option<T>) -> Vec<Option<T>> {
    (0..if constant { count.min(1) } else { count })
        .map(convert)
        .collect()
}

fn is_valid(valid: &Validity, place: usize) -> bool {
    valid.as_ref().is_none_or(|valid| valid[place])
}

fn collected<T: Copy + Default>(
    values: Vec<Option<T>>,
    constant: bool,
) -> Option<(Data<'static, T>, Validity)> {
    if constant {
        return values
            .first()
            .copied()
            .flatten()
            .map(|value| (Data::Const(value), None));
    }
    let valid: Vec<bool> = values.iter().map(Option::is_some).collect();
    let data = values.into_iter().map(Option::unwrap_or_default).collect();
    Some((
        Data::Many(data),
        (!valid.iter().all(|valid| *valid)).then_some(valid),
    ))
}

/// Every place holds the same value, so converting one is enough.
fn is_constant(value: &Vector<'_>) -> bool {
    match value {
        Vector::Null => true,
        Vector::Truth(data) => matches!(data, Data::Const(_)),
        Vector::Int(data, valid) => valid.is_none() && matches!(data, Data::Const(_)),
        Vector::Float(data, valid) => valid.is_none() && matches!(data, Data::Const(_)),
        Vector::Text(texts, valid) => valid.is_none() && matches!(texts, Texts::Borrowed(Data::Const(_))),
    }
}

fn ints<'e>(value: Vector<'e>, _from: Type, count: usize, fits: impl Fn(i64) -> bool) -> Vector<'e> {
    let constant = is_constant(&value);
    let values = each(count, constant, |place| {
        let number = match &value {
            Vector::Null => None,
            Vector::Truth(data) => match data.get(place) {
                UNKNOWN => None,
                truth => Some(i64::from(truth == TRUE)),
            },
            Vector::Int(data, valid) => is_valid(valid, place).then(|| data.get(place)),
            Vector::Float(data, valid) => is_valid(valid, place)
                .then(|| whole(data.get(place).round_ties_even()))
                .flatten(),
            Vector::Text(texts, valid) => is_valid(valid, place)
                .then(|| {
                    let text = texts.get(place).trim();
                    // Digits first: a float would lose the last ones of a long number.
                    text.parse().ok().or_else(|| whole(decimal(text)?.round()))
                })
                .flatten(),
        };
        number.filter(|number| fits(*number))
    });
    match collected(values, constant) {
        Some((data, valid)) => Vector::Int(data, valid),
        None => Vector::Null,
    }
}

/// The number as a whole one, if it is one and fits.
pub(super) fn whole(number: f64) -> Option<i64> {
    // 2^63 is a float and one too many.
    let fits = (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&number);
    fits.then_some(number as i64)
}

/// Digits with a point and an exponent; nothing else that Rust takes for a number.
fn decimal(text: &str) -> Option<f64> {
    text.bytes()
        .all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte))
        .then(|| text.parse().ok())
        .flatten()
}

fn floats<'e>(value: Vector<'e>, count: usize) -> Vector<'e> {
    let constant = is_constant(&value);
    let values = each(count, constant, |place| match &value {
        Vector::Null => None,
        Vector::Truth(data) => match data.get(place) {
            UNKNOWN => None,
            FALSE => Some(0.0),
            _ => Some(1.0),
        },
        Vector::Int(data, valid) => is_valid(valid, place).then(|| data.get(place) as f64),
        Vector::Float(data, valid) => is_valid(valid, place).then(|| data.get(place)),
        Vector::Text(texts, valid) => is_valid(valid, place)
            .then(|| texts.get(place).trim().parse().ok())
            .flatten(),
    });
    match collected(values, constant) {
        Some((data, valid)) => Vector::Float(data, valid),
        None => Vector::Null,
    }
}

fn truths<'e>(value: Vector<'e>, count: usize) -> Vector<'e> {
    let truth = |value: bool| if value { TRUE } else { FALSE };
    let constant = is_constant(&value);
    let values = each(count, constant, |place| {
        Some(match &value {
            Vector::Null => UNKNOWN,
            Vector::Truth(data) => data.get(place),
            Vector::Int(data, valid) if is_valid(valid, place) => truth(data.get(place) != 0),
            Vector::Float(data, valid) if is_valid(valid, place) => truth(data.get(place) != 0.0),
            Vector::Text(texts, valid) if is_valid(valid, place) => {
                match texts.get(place).to_ascii_lowercase().as_str() {
                    "true" | "t" | "yes" | "y" | "1" => TRUE,
                    "false" | "f" | "no" | "n" | "0" => FALSE,
                    _ => UNKNOWN,
                }
            }
            _ => UNKNOWN,
        })
    });
    match collected(values, constant) {
        Some((data, _)) => Vector::Truth(data),
        None => Vector::Null,
    }
}

fn timestamps<'e>(value: Vector<'e>, count: usize, round: impl Fn(i64) -> i64) -> Vector<'e> {
    let constant = is_constant(&value);
    let values = each(count, constant, |place| {
        match &value {
            Vector::Int(data, valid) => is_valid(valid, place).then(|| data.get(place)),
            Vector::Float(data, valid) => is_valid(valid, place)
                .then(|| whole(data.get(place).floor()))
                .flatten(),
            Vector::Text(texts, valid) => is_valid(valid, place)
                .then(|| time::parse(texts.get(place)))
                .flatten(),
            _ => None,
        }
        // Midnight before the first second that there is would not fit.
        .filter(|seconds| *seconds > i64::MIN + 86_400)
        .map(&round)
    });
    match collected(values, constant) {
        Some((data, valid)) => Vector::Int(data, valid),
        None => Vector::Null,
    }
}

fn texts<'e>(value: Vector<'e>, from: Type, count: usize) -> Vector<'e> {
    if matches!(value, Vector::Text(..) | Vector::Null) {
        return value;
    }
    let printed: Vec<Option<String>> = (0..count)
        .map(|place| match &value {
            Vector::Truth(data) => match data.get(place) {
                UNKNOWN => None,
                truth => Some(if truth == TRUE { "true" } else { "false" }.to_owned()),
            },
            Vector::Int(data, valid) => is_valid(valid, place).then(|| match from {
                Type::Timestamp => time::print(data.get(place)),
                _ => data.get(place).to_string(),
            }),
            Vector::Float(data, valid) => is_valid(valid, place).then(|| print_float(data.get(place))),
            Vector::Text(..) | Vector::Null => None,
        })
        .collect();
    let valid: Vec<bool> = printed.iter().map(Option::is_some).collect();
    let texts = printed.into_iter().map(Option::unwrap_or_default).collect();
    let valid = (!valid.iter().all(|valid| *valid)).then_some(valid);
    Vector::Text(Texts::Owned(texts), valid)
}

/// The shortest digits that read back as the same number; an exponent of two digits or more below 1e-4 and from 1e16.
fn print_float(number: f64) -> String {
    if number.is_nan() {
        return "nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let scientific = format!("{number:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if number != 0.0 && !(-4..16).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{digits}e{sign}{:02}", exponent.abs());
    }
    let plain = format!("{number}");
    if plain.contains('.') { plain } else { plain + ".0" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_printed_as_databases_print_them() {
        for (number, expected) in [
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1.234_567_890_123_456_8e17, "1.2345678901234568e+17"),
            (1.5, "1.5"),
            (-0.0, "-0.0"),
            (1e-7, "1e-07"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(print_float(number), expected);
        }
    }
}
