//! The words that an index knows: how much they tell, which complete a beginning, which are near to a misspelling.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use search_core::Weights;
use tantivy::Searcher;
use tantivy::schema::Field;

use super::query::Alternative;
use super::words::term_of;
use crate::service::domain::Tokenizer;

/// Terms that a word being typed may stand for. One letter begins hundreds, and they tell nothing.
const MAX_COMPLETIONS: usize = 32;

/// Terms that a mistyped word may stand for.
const MAX_CORRECTIONS: usize = 8;

/// What a completion is worth beside a word typed to its end, at the most.
const COMPLETION_WEIGHT: f64 = Weights::LEARNT.completion;

/// What a corrected word is worth, by its number of typing errors.
const CORRECTION_WEIGHTS: [f64; 3] = [1.0, Weights::LEARNT.one_edit, Weights::LEARNT.two_edits];

/// The words of an index.
pub(super) struct Vocabulary {
    /// As they were written, in order, each with the number of its term.
    forms: Vec<(String, usize)>,
    /// Their stems in order, each with its idf.
    terms: Vec<(String, f64)>,
}

impl Vocabulary {
    /// Reads the words of the fields that have all of them, unstemmed and stemmed.
    pub(super) fn read(
        searcher: &Searcher,
        tokenizer: &Tokenizer,
        forms: Field,
        terms: Field,
    ) -> tantivy::Result<Vocabulary> {
        let documents = searcher.num_docs() as f64;
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        each_word(searcher, terms, |term, documents| {
            *counts.entry(term.to_owned()).or_default() += documents;
        })?;
        let terms: Vec<(String, f64)> = counts
            .into_iter()
            .map(|(term, with_it)| {
                let with_it = with_it as f64;
                (term, (1.0 + (documents - with_it + 0.5) / (with_it + 0.5)).ln())
            })
            .collect();
        let mut known = BTreeSet::new();
        each_word(searcher, forms, |form, _| {
            known.insert(form.to_owned());
        })?;
        let mut vocabulary = Vocabulary {
            forms: Vec::new(),
            terms,
        };
        vocabulary.forms = known
            .into_iter()
            .filter_map(|form| {
                let term = term_of(tokenizer, &form)?;
                let number = vocabulary.find(&term)?;
                Some((form, number))
            })
            .collect();
        Ok(vocabulary)
    }

    /// How much a term tells; `None` if no document has it.
    pub(super) fn idf(&self, term: &str) -> Option<f64> {
        self.find(term).map(|number| self.terms[number].1)
    }

    fn find(&self, term: &str) -> Option<usize> {
        self.terms
            .binary_search_by(|(known, _)| known.as_str().cmp(term))
            .ok()
    }

    /// The other terms of which a form begins with what was typed, the shortest completions first.
    pub(super) fn completions(&self, typed: &str, typed_term: &str) -> Vec<Alternative> {
        let exact = self.idf(typed_term);
        let start = self.forms.partition_point(|(form, _)| form.as_str() < typed);
        let mut shortest: HashMap<usize, usize> = HashMap::new();
        for (form, term) in &self.forms[start..] {
            if !form.starts_with(typed) {
                break;
            }
            let length = shortest.entry(*term).or_insert(form.len());
            *length = form.len().min(*length);
        }
        let mut completions: Vec<(usize, usize)> = shortest
            .into_iter()
            .filter(|(term, _)| exact.is_none() || self.terms[*term].0 != typed_term)
            .map(|(term, length)| (length, term))
            .collect();
        completions.sort_unstable();
        completions.truncate(MAX_COMPLETIONS);
        completions
            .into_iter()
            .map(|(length, term)| {
                let (term, idf) = &self.terms[term];
                // A rare longer word says no more about what was meant than the word as it stands.
                let idf = idf.min(exact.unwrap_or(f64::INFINITY));
                let typed_part = typed.len() as f64 / length as f64;
                Alternative {
                    term: term.clone(),
                    idf: idf * COMPLETION_WEIGHT * typed_part,
                }
            })
            .collect()
    }

    /// The terms of which a form is the fewest typing errors away, `most` at the most, and the commonest of these forms.
    pub(super) fn corrections(&self, form: &str, most: usize) -> (Vec<Alternative>, Option<String>) {
        let letters: Vec<char> = form.chars().collect();
        // Words of one or two letters would match nearly everything.
        let mut allowed = match letters.len() {
            0..=2 => return (Vec::new(), None),
            3..=5 => most.min(1),
            _ => most.min(2),
        };
        if allowed == 0 {
            return (Vec::new(), None);
        }
        let mut nearest: Vec<(&str, usize)> = Vec::new();
        for (known, term) in &self.forms {
            // Bytes are at least letters, so this skips no word that is near enough.
            if known.len() + allowed < letters.len() {
                continue;
            }
            let characters: Vec<char> = known.chars().collect();
            if characters.len().abs_diff(letters.len()) > allowed {
                continue;
            }
            let errors = distance(&letters, &characters);
            if errors < allowed {
                // Farther ones are of no interest any more.
                allowed = errors;
                nearest.clear();
            }
            if errors == allowed {
                nearest.push((known, *term));
            }
        }
        let idf = |term: usize| self.terms[term].1;
        // The commonest first; forms are in order already.
        nearest.sort_by(|(_, left), (_, right)| idf(*left).total_cmp(&idf(*right)));
        let word = nearest.first().map(|(form, _)| (*form).to_owned());
        let mut terms: Vec<usize> = Vec::new();
        for (_, term) in nearest {
            if !terms.contains(&term) && terms.len() < MAX_CORRECTIONS {
                terms.push(term);
            }
        }
        let alternatives = terms.into_iter().map(|term| {
            let (term, idf) = &self.terms[term];
            Alternative {
                term: term.clone(),
                idf: idf * CORRECTION_WEIGHTS[allowed.min(2)],
            }
        });
        (alternatives.collect(), word)
    }
}

/// Calls `each` with every word of a field and the number of documents that have it, segment by segment.
fn each_word(searcher: &Searcher, field: Field, mut each: impl FnMut(&str, u64)) -> tantivy::Result<()> {
    for segment in searcher.segment_readers() {
        let index = segment.inverted_index(field)?;
        let mut words = index.terms().stream()?;
        while words.advance() {
            if let Ok(word) = std::str::from_utf8(words.key()) {
                each(word, u64::from(words.value().doc_freq));
            }
        }
    }
    Ok(())
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
