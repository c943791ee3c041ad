//! LIKE: `%` stands for any characters, `_` for one.

use memchr::memmem::Finder;

/// A pattern between its percent signs.
#[derive(Debug, Clone)]
pub(super) struct LikePattern {
    /// Between two neighbours anything may stand.
    parts: Vec<Part>,
    weight: u64,
}

#[derive(Debug, Clone)]
enum Part {
    Plain(Box<Finder<'static>>),
    /// Nothing stands for one character, whichever.
    Gaps(Vec<Option<char>>),
}

impl LikePattern {
    /// Nothing if the pattern ends with its escape character.
    pub(super) fn new(pattern: &str, escape: Option<char>) -> Option<Self> {
        let mut parts = Vec::new();
        let mut current: Vec<Option<char>> = Vec::new();
        let mut characters = pattern.chars();
        while let Some(character) = characters.next() {
            match character {
                character if Some(character) == escape => current.push(Some(characters.next()?)),
                '%' => parts.push(Part::new(std::mem::take(&mut current))),
                '_' => current.push(None),
                character => current.push(Some(character)),
            }
        }
        parts.push(Part::new(current));
        // In the middle an empty part asks for nothing; at the ends it says that the text may go on.
        let last = parts.len() - 1;
        let parts: Vec<Part> = parts
            .into_iter()
            .enumerate()
            .filter(|(index, part)| *index == 0 || *index == last || part.least() > 0)
            .map(|(_, part)| part)
            .collect();
        let gaps: usize = parts
            .iter()
            .map(|part| match part {
                Part::Plain(_) => 0,
                Part::Gaps(gaps) => gaps.len(),
            })
            .sum();
        Some(Self {
            parts,
            weight: 1 + gaps as u64,
        })
    }

    /// Work per byte of a text.
    pub(super) fn weight(&self) -> u64 {
        self.weight
    }

    /// Leftmost matches of the middle parts are enough: a later one leaves less room for the rest.
    pub(super) fn matches(&self, text: &str) -> bool {
        let Some((first, rest)) = self.parts.split_first() else {
            return text.is_empty();
        };
        let Some((last, middle)) = rest.split_last() else {
            return first.prefix(text) == Some(text.len());
        };
        let Some(start) = first.prefix(text) else {
            return false;
        };
        let mut rest = &text[start..];
        for part in middle {
            match part.find(rest) {
                Some(end) => rest = &rest[end..],
                None => return false,
            }
        }
        last.is_suffix(rest)
    }
}

impl Part {
    fn new(characters: Vec<Option<char>>) -> Self {
        match characters.iter().copied().collect::<Option<String>>() {
            Some(plain) => Self::Plain(Box::new(Finder::new(&plain).into_owned())),
            None => Self::Gaps(characters),
        }
    }

    fn least(&self) -> usize {
        match self {
            Self::Plain(plain) => plain.needle().len(),
            Self::Gaps(gaps) => gaps.len(),
        }
    }

    /// Bytes of the text's beginning that this part matches.
    fn prefix(&self, text: &str) -> Option<usize> {
        match self {
            // Comparing with the dangling pointer of an empty text costs a hundred times more than asking.
            Self::Plain(plain) if plain.needle().is_empty() => Some(0),
            Self::Plain(plain) => text
                .as_bytes()
                .starts_with(plain.needle())
                .then_some(plain.needle().len()),
            Self::Gaps(gaps) => {
                let mut characters = text.chars();
                for gap in gaps {
                    let character = characters.next()?;
                    if gap.is_some_and(|wanted| wanted != character) {
                        return None;
                    }
                }
                Some(text.len() - characters.as_str().len())
            }
        }
    }

    /// The end of the leftmost match.
    fn find(&self, text: &str) -> Option<usize> {
        match self {
            // A match of whole characters begins and ends between characters.
            Self::Plain(plain) => position(plain, text.as_bytes()).map(|start| start + plain.needle().len()),
            Self::Gaps(_) => text
                .char_indices()
                .find_map(|(start, _)| self.prefix(&text[start..]).map(|length| start + length)),
        }
    }

    fn is_suffix(&self, text: &str) -> bool {
        match self {
            Self::Plain(plain) if plain.needle().is_empty() => true,
            Self::Plain(plain) => text.as_bytes().ends_with(plain.needle()),
            Self::Gaps(gaps) => {
                let mut characters = text.chars().rev();
                gaps.iter().rev().all(|gap| {
                    characters
                        .next()
                        .is_some_and(|character| gap.is_none_or(|wanted| wanted == character))
                })
            }
        }
    }
}

/// In short texts, which most are, getting a searcher going takes longer than looking at each place.
fn position(finder: &Finder<'_>, text: &[u8]) -> Option<usize> {
    if text.len() > 64 {
        return finder.find(text);
    }
    let needle = finder.needle();
    let Some((first, rest)) = needle.split_first() else {
        return Some(0);
    };
    let last = text.len().checked_sub(needle.len())?;
    (0..=last).find(|start| text[*start] == *first && text[start + 1..].starts_with(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_sql_says() {
        for (text, pattern, expected) in [
            ("linen shirt", "linen%", true),
            ("linen shirt", "%shirt", true),
            ("linen shirt", "%en sh%", true),
            ("linen shirt", "%shirt%linen%", false),
            ("linen", "linen", true),
            ("linen", "line", false),
            ("linen", "l_n_n", true),
            ("linen", "l_n_", false),
            ("aab", "%a_b", true),
            ("aab", "a%_a%_b", false),
            ("", "%", true),
            ("", "", true),
            ("", "_", false),
            ("a", "a%a", false),
            ("aa", "a%a", true),
            ("größe", "gr__e", true),
            ("größe", "%_ß_", true),
            ("a%b", "a!%b", true),
            ("axb", "a!%b", false),
            ("a!b", "a!!b", true),
            ("%%", "%!%", true),
        ] {
            let pattern_ = LikePattern::new(pattern, Some('!')).expect("a whole pattern");
            assert_eq!(pattern_.matches(text), expected, "{text:?} LIKE {pattern:?}");
        }
        assert!(LikePattern::new("a!", Some('!')).is_none());
        // Long texts are searched in another way.
        let long = "ab".repeat(50);
        for (pattern, expected) in [
            ("%ba%", true),
            ("%bb%", false),
            ("%abab", true),
            ("%aba_ab", true),
        ] {
            let pattern_ = LikePattern::new(pattern, None).expect("a whole pattern");
            assert_eq!(pattern_.matches(&long), expected, "{pattern}");
        }
    }
}
