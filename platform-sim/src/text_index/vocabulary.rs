//! The words that an index knows: which complete a beginning, which are near to a misspelling.

use std::collections::{BTreeMap, HashSet};

use search_core::analysis::analyze;
use tantivy::Searcher;
use tantivy::schema::Field;

/// From so many letters on a word may have two typing errors.
const LONG_WORD: usize = 8;

/// Shorter words than this are not corrected: everything is near to them.
const SHORTEST_CORRECTED: usize = 3;

/// The words of an index as they were written, in order.
pub(super) struct Vocabulary {
    words: Vec<Word>,
    /// The stems of all words.
    terms: HashSet<String>,
}

struct Word {
    form: String,
    term: String,
    /// The number of documents that have it.
    documents: u32,
}

impl Vocabulary {
    /// Reads the words of the field that has them unstemmed.
    pub(super) fn read(searcher: &Searcher, forms: Field) -> tantivy::Result<Vocabulary> {
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for segment in searcher.segment_readers() {
            let index = segment.inverted_index(forms)?;
            let mut words = index.terms().stream()?;
            while words.advance() {
                if let Ok(form) = std::str::from_utf8(words.key()) {
                    *counts.entry(form.to_owned()).or_default() += words.value().doc_freq;
                }
            }
        }
        let words: Vec<Word> = counts
            .into_iter()
            .map(|(form, documents)| {
                // A form is one word already, so this only finds its stem.
                let term = analyze(&form)
                    .into_iter()
                    .next()
                    .map_or_else(|| form.clone(), |token| token.term);
                Word {
                    form,
                    term,
                    documents,
                }
            })
            .collect();
        let terms = words.iter().map(|word| word.term.clone()).collect();
        Ok(Vocabulary { words, terms })
    }

    pub(super) fn contains(&self, term: &str) -> bool {
        self.terms.contains(term)
    }

    /// The terms of the words that start with `beginning`, the most frequent first.
    pub(super) fn completions(&self, beginning: &str, limit: usize) -> Vec<&str> {
        let start = self.words.partition_point(|word| word.form.as_str() < beginning);
        let mut found: Vec<&Word> = self.words[start..]
            .iter()
            .take_while(|word| word.form.starts_with(beginning))
            .collect();
        found.sort_by(|a, b| b.documents.cmp(&a.documents).then(a.form.cmp(&b.form)));
        let mut terms: Vec<&str> = Vec::new();
        for word in found {
            if terms.len() < limit && !terms.contains(&word.term.as_str()) {
                terms.push(&word.term);
            }
        }
        terms
    }

    /// The terms of the words nearest to `form` with the number of errors between, the nearest and then the most
    /// frequent first.
    pub(super) fn corrections(&self, form: &str, limit: usize) -> Vec<(&str, u8)> {
        let letters: Vec<char> = form.chars().collect();
        let allowed: u8 = match letters.len() {
            0..SHORTEST_CORRECTED => return Vec::new(),
            SHORTEST_CORRECTED..LONG_WORD => 1,
            _ => 2,
        };
        let mut found: Vec<(&Word, u8)> = Vec::new();
        for word in &self.words {
            // Bytes are at least letters, so this skips no word that is near enough.
            if word.form.len() + usize::from(allowed) < letters.len() {
                continue;
            }
            let known: Vec<char> = word.form.chars().collect();
            if known.len().abs_diff(letters.len()) > usize::from(allowed) {
                continue;
            }
            let errors = distance(&letters, &known);
            if errors <= usize::from(allowed) {
                found.push((word, errors as u8));
            }
        }
        found.sort_by(|(a, errors_a), (b, errors_b)| {
            errors_a
                .cmp(errors_b)
                .then(b.documents.cmp(&a.documents))
                .then(a.form.cmp(&b.form))
        });
        let mut terms: Vec<(&str, u8)> = Vec::new();
        for (word, errors) in found {
            if terms.len() < limit && terms.iter().all(|(term, _)| *term != word.term) {
                terms.push((&word.term, errors));
            }
        }
        terms
    }
}

/// How many letters must be put in, left out, replaced or swapped with their neighbour to make one word the other.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before_last: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut current: Vec<usize> = vec![0; b.len() + 1];
    for i in 1..=a.len() {
        current[0] = i;
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(last[j] + 1).min(current[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before_last[j - 2] + 1);
            }
            current[j] = best;
        }
        std::mem::swap(&mut before_last, &mut last);
        std::mem::swap(&mut last, &mut current);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_counted_as_typists_make_them() {
        let distance =
            |a: &str, b: &str| distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        assert_eq!(distance("dataset", "dataset"), 0);
        assert_eq!(distance("datset", "dataset"), 1);
        assert_eq!(distance("datasset", "dataset"), 1);
        assert_eq!(distance("dataset", "datazet"), 1);
        assert_eq!(distance("adtaset", "dataset"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("größe", "grosse"), 3);
    }
}
