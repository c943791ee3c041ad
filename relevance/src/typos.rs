//! Slips of the finger, made by a rule: one edit in one word of a query.
//!
//! The word has at least four letters and its first one stays: people seldom miss that one. The edit is one of four, equally
//! often: a letter left out, doubled by a random other one, replaced, or exchanged with its neighbour.

use crate::random::{Random, hash};

/// Whether a character may be edited.
fn is_letter(character: char) -> bool {
    character.is_ascii_alphabetic()
}

/// The query with one edit; nothing if it has no word that is long enough. Equal queries and seeds give equal typos.
pub fn one_edit(query: &str, seed: u64) -> Option<String> {
    let mut random = Random::new(hash(query, seed));
    let characters: Vec<char> = query.chars().collect();
    let mut words = Vec::new();
    let mut start = 0;
    for end in 0..=characters.len() {
        if end == characters.len() || !is_letter(characters[end]) {
            if end - start >= 4 {
                words.push(start..end);
            }
            start = end + 1;
        }
    }
    if words.is_empty() {
        return None;
    }
    loop {
        let word = random.pick(&words).clone();
        let at = word.start + 1 + random.below(word.len() - 1);
        let letter = char::from(b'a' + u8::try_from(random.below(26)).expect("there are 26 letters"));
        let mut edited = characters.clone();
        match random.below(4) {
            0 => {
                edited.remove(at);
            }
            1 => edited.insert(at, letter),
            2 => edited[at] = letter,
            _ if at + 1 < word.end => edited.swap(at, at + 1),
            _ => continue,
        }
        // Equal letters exchanged, or a letter replaced by itself.
        if edited != characters {
            return Some(edited.into_iter().collect());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Edit distance with exchanges of neighbours.
    fn distance(left: &str, right: &str) -> usize {
        let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
        let mut table = vec![vec![0; right.len() + 1]; left.len() + 1];
        for row in 0..=left.len() {
            for column in 0..=right.len() {
                table[row][column] = if row == 0 || column == 0 {
                    row + column
                } else {
                    let same = usize::from(left[row - 1] != right[column - 1]);
                    let mut least = (table[row - 1][column] + 1)
                        .min(table[row][column - 1] + 1)
                        .min(table[row - 1][column - 1] + same);
                    if row > 1
                        && column > 1
                        && left[row - 1] == right[column - 2]
                        && left[row - 2] == right[column - 1]
                    {
                        least = least.min(table[row - 2][column - 2] + 1);
                    }
                    least
                };
            }
        }
        table[left.len()][right.len()]
    }

    #[test]
    fn a_typo_is_one_edit_that_leaves_first_letters_alone() {
        for seed in 0..500 {
            let typo = one_edit("how do I rank, x-api-key?", seed).unwrap();
            assert_eq!(distance("how do I rank, x-api-key?", &typo), 1, "{typo}");
            assert!(
                typo.starts_with("how do I r") && typo.ends_with(", x-api-key?"),
                "{typo}"
            );
        }
        assert_eq!(one_edit("how do I", 1), None);
        assert_eq!(one_edit("ranking", 5), one_edit("ranking", 5));
    }
}
