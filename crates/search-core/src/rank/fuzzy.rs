//! Edit distance with transpositions: what most typos are.

use std::ops::RangeInclusive;

/// A word that nobody knows, to be compared with many.
pub(super) struct Typo {
    characters: Vec<char>,
    bytes: usize,
    letters: Option<u32>,
    /// How many edits another word may be away.
    pub(super) limit: usize,
    /// The last three rows of the table of distances, and the other word: room that is kept between words.
    rows: [Vec<usize>; 3],
    other: Vec<char>,
}

impl Typo {
    pub(super) fn new(word: &str) -> Self {
        let characters: Vec<char> = word.chars().collect();
        // Words of one or two characters would match nearly everything.
        let limit = match characters.len() {
            0..=2 => 0,
            3..=5 => 1,
            _ => 2,
        };
        let (rows, other) = (Default::default(), Vec::new());
        Self {
            characters,
            bytes: word.len(),
            letters: letters(word),
            limit,
            rows,
            other,
        }
    }

    /// How long, in bytes, a word within the limit can be: an edit adds a character of four bytes at most.
    pub(super) fn byte_lengths(&self) -> RangeInclusive<usize> {
        self.characters.len() - self.limit..=self.bytes + 4 * self.limit
    }

    /// Insertions, deletions, replacements and swaps of neighbours between the two words (optimal string alignment), if
    /// they are within the limit.
    pub(super) fn edits_to(&mut self, other: &str) -> Option<usize> {
        // The cheapest refusal first: an edit adds a letter to the set of letters, takes one away, or both.
        if let (Some(own), Some(letters)) = (self.letters, letters(other))
            && (own ^ letters).count_ones() as usize > 2 * self.limit
        {
            return None;
        }
        self.other.clear();
        self.other.extend(other.chars());
        let (word, other, limit) = (&self.characters, &self.other, self.limit);
        if word.len().abs_diff(other.len()) > limit {
            return None;
        }
        let [before, last, row] = &mut self.rows;
        last.clear();
        last.extend(0..=other.len());
        before.clear();
        before.resize(other.len() + 1, 0);
        row.clear();
        row.resize(other.len() + 1, 0);
        for (i, character) in word.iter().enumerate() {
            row[0] = i + 1;
            let mut lowest = row[0];
            for (j, other_character) in other.iter().enumerate() {
                let replaced = last[j] + usize::from(character != other_character);
                let mut edits = replaced.min(last[j + 1] + 1).min(row[j] + 1);
                let is_swap = i > 0 && j > 0 && word[i - 1] == *other_character && other[j - 1] == *character;
                if is_swap {
                    edits = edits.min(before[j - 1] + 1);
                }
                row[j + 1] = edits;
                lowest = lowest.min(edits);
            }
            if lowest > limit {
                return None;
            }
            std::mem::swap(before, last);
            std::mem::swap(last, row);
        }
        Some(last[other.len()]).filter(|edits| *edits <= limit)
    }
}

/// The set of letters of an ASCII word, one bit each.
fn letters(word: &str) -> Option<u32> {
    word.is_ascii()
        .then(|| word.bytes().fold(0, |letters, byte| letters | 1 << (byte & 31)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn distance(word: &str, other: &str, limit: usize) -> Option<usize> {
        let mut typo = Typo {
            limit,
            ..Typo::new(word)
        };
        typo.edits_to(other)
            .filter(|_| typo.byte_lengths().contains(&other.len()))
    }

    #[test]
    fn each_kind_of_edit_counts_one() {
        for (word, other, edits) in [
            ("ranking", "ranking", 0),
            ("rankng", "ranking", 1),
            ("rannking", "ranking", 1),
            ("rancing", "ranking", 1),
            ("rnaking", "ranking", 1),
            ("rnakign", "ranking", 2),
            ("größe", "grösse", 2),
        ] {
            assert_eq!(distance(word, other, 2), Some(edits), "{word} {other}");
            assert_eq!(distance(word, other, edits), Some(edits), "{word} {other}");
            assert_eq!(distance(other, word, 2), Some(edits), "{other} {word}");
        }
        assert_eq!(distance("rnakign", "ranking", 1), None);
        assert_eq!(distance("recall", "precision", 2), None);
    }

    proptest! {
        // The refusals before the table must not lose a word that is near enough.
        #[test]
        fn a_word_is_as_many_edits_away_as_were_made_or_fewer(
            word in "[a-e検é]{3,12}",
            edits in proptest::collection::vec((0u8..4, any::<proptest::sample::Index>(), "[a-eß語]"), 0..=2),
        ) {
            let mut other: Vec<char> = word.chars().collect();
            for (kind, at, letter) in &edits {
                let at = at.index(other.len() - 1);
                match kind {
                    0 => other.insert(at, letter.chars().next().unwrap()),
                    1 => drop(other.remove(at)),
                    2 => other[at] = letter.chars().next().unwrap(),
                    _ => other.swap(at, at + 1),
                }
                // Optimal string alignment edits no place twice: a swap between two edits may cost one more.
            }
            let other: String = other.into_iter().collect();
            let most = if edits.len() == 2 { 3 } else { edits.len() };
            let found = distance(&word, &other, most);
            prop_assert!(found.is_some(), "{} {} {:?}", word, other, found);
        }
    }
}
