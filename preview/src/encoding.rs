//! Which of the stored forms of a file a client gets.

use std::collections::HashMap;

/// A form in which a build stores a file: as it is, or compressed beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Brotli,
    Gzip,
    Identity,
}

impl Encoding {
    /// The smallest form first: it wins where the client likes several equally.
    pub(crate) const ALL: [Self; 3] = [Self::Brotli, Self::Gzip, Self::Identity];

    /// The name in `Content-Encoding`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
            Self::Identity => "identity",
        }
    }

    /// What the name of the stored file ends with, beyond that of the file itself.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Self::Brotli => ".br",
            Self::Gzip => ".gz",
            Self::Identity => "",
        }
    }
}

/// The forms that the client takes, the best first. The file as it is closes the list even for a client that refuses
/// it: an answer that it may not be able to read is better than none.
pub(crate) fn accepted(accept_encoding: &str) -> Vec<Encoding> {
    let weights: HashMap<String, f32> = accept_encoding.split(',').filter_map(weighted).collect();
    let weight = |encoding: Encoding| {
        let named = weights.get(encoding.name()).copied();
        let others = weights.get("*").copied();
        match encoding {
            Encoding::Identity => named.or(others).unwrap_or(f32::MIN_POSITIVE),
            _ => named.or(others).unwrap_or(0.0),
        }
    };
    let mut forms: Vec<Encoding> = Encoding::ALL
        .into_iter()
        .filter(|encoding| weight(*encoding) > 0.0)
        .collect();
    // Stable: of equals, the smaller form stays in front.
    forms.sort_by(|a, b| weight(*b).total_cmp(&weight(*a)));
    if !forms.contains(&Encoding::Identity) {
        forms.push(Encoding::Identity);
    }
    forms
}

/// `gzip;q=0.5` as a name and a weight between 0 and 1. What cannot be read does not count.
fn weighted(entry: &str) -> Option<(String, f32)> {
    let mut parts = entry.split(';').map(str::trim);
    let name = parts.next()?.to_ascii_lowercase();
    let mut weight = 1.0;
    for parameter in parts {
        if let Some((key, value)) = parameter.split_once('=')
            && key.trim().eq_ignore_ascii_case("q")
        {
            weight = value.trim().parse().ok()?;
        }
    }
    (!name.is_empty() && (0.0..=1.0).contains(&weight)).then_some((name, weight))
}

#[cfg(test)]
mod tests {
    use super::Encoding::{Brotli, Gzip, Identity};
    use super::*;

    #[test]
    fn the_client_decides_and_of_equals_the_smaller_form_wins() {
        for (header, expected) in [
            ("", vec![Identity]),
            ("gzip, deflate, br", vec![Brotli, Gzip, Identity]),
            ("br;q=0.2, gzip;q=0.8", vec![Gzip, Brotli, Identity]),
            ("br;q=0, gzip", vec![Gzip, Identity]),
            ("*", vec![Brotli, Gzip, Identity]),
            ("*;q=0.1, gzip;q=0", vec![Brotli, Identity]),
            ("identity, br;q=0.5", vec![Identity, Brotli]),
            ("identity;q=0, GZIP ; Q=0.3", vec![Gzip, Identity]),
            ("identity;q=0", vec![Identity]),
            ("br;q=2, gzip;q=x", vec![Identity]),
        ] {
            assert_eq!(accepted(header), expected, "{header}");
        }
    }
}
