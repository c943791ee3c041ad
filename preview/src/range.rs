//! A part of a file: `Range: bytes=…`.

use std::ops::Range;

/// What a `Range` header asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Requested {
    /// The whole file: there is no range, or one that a server may ignore, such as several at once.
    Whole,
    Part(Range<usize>),
    /// Nothing of it lies within the file.
    Unsatisfiable,
}

pub(crate) fn requested(header: Option<&str>, length: usize) -> Requested {
    let Some(spec) = header.and_then(|header| header.strip_prefix("bytes=")) else {
        return Requested::Whole;
    };
    let Some((first, last)) = spec.trim().split_once('-') else {
        return Requested::Whole;
    };
    let range = match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => first..last.saturating_add(1).min(length),
        (Some(first), None) if last.is_empty() => first..length,
        // The last so many bytes.
        (None, Some(count)) if first.is_empty() => length.saturating_sub(count)..length,
        _ => return Requested::Whole,
    };
    if range.start < range.end {
        Requested::Part(range)
    } else {
        Requested::Unsatisfiable
    }
}

/// A number too large for the machine lies behind the end of every file.
fn number(text: &str) -> Option<usize> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_cut_to_the_file() {
        for (header, expected) in [
            (None, Requested::Whole),
            (Some("bytes=0-0"), Requested::Part(0..1)),
            (Some("bytes=2-5"), Requested::Part(2..6)),
            (Some("bytes=2-500"), Requested::Part(2..10)),
            (Some("bytes=4-"), Requested::Part(4..10)),
            (Some("bytes=-3"), Requested::Part(7..10)),
            (Some("bytes=-30"), Requested::Part(0..10)),
            (Some("bytes=-0"), Requested::Unsatisfiable),
            (Some("bytes=10-"), Requested::Unsatisfiable),
            (Some("bytes=99999999999999999999999-"), Requested::Unsatisfiable),
            (Some("bytes=1-99999999999999999999999"), Requested::Part(1..10)),
            (Some("bytes=5-2"), Requested::Whole),
            (Some("bytes=0-1,3-4"), Requested::Whole),
            (Some("bytes=a-b"), Requested::Whole),
            (Some("bytes=-"), Requested::Whole),
            (Some("lines=1-2"), Requested::Whole),
        ] {
            assert_eq!(requested(header, 10), expected, "{header:?}");
        }
        assert_eq!(requested(Some("bytes=0-"), 0), Requested::Unsatisfiable);
    }
}
