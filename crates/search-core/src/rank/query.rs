//! A query into groups of terms.
//!
//! Each word of the query is one group. A word that the index knows stands for itself; the last word, while it is being
//! typed, also for what begins with it; a word that the index does not know stands for the nearest ones that it does know.

use super::fuzzy::Typo;
use crate::analysis::{Level, Token, analyze};
use crate::format::Index;

/// The terms that a word of the query stands for.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) alternatives: Vec<Alternative>,
    /// What the group is worth in the query's total.
    pub(super) idf: f64,
}

/// One of these terms and what it is worth when it is found.
#[derive(Debug)]
pub(super) struct Alternative {
    pub(super) term: u32,
    pub(super) idf: f64,
}

/// Words that count; a query of 512 characters has some 80, a pasted page would have thousands.
const MAX_GROUPS: usize = 64;
/// Terms that a word being typed may stand for. One letter begins hundreds, and they tell nothing.
const MAX_COMPLETIONS: usize = 32;
/// Terms that a mistyped word may stand for.
const MAX_CORRECTIONS: usize = 8;
/// Unknown words that are corrected: each costs a look at the whole vocabulary.
const MAX_CORRECTED_WORDS: usize = 12;
/// What a completion is worth beside a word typed to its end, at the most.
const COMPLETION_WEIGHT: f64 = 0.7;
/// What a corrected word is worth for each edit.
const CORRECTION_WEIGHTS: [f64; 3] = [1.0, 0.8, 0.5];

/// The groups of a query in a fixed order, so that the order of its words changes no bit of a score.
pub(super) fn groups(index: &Index, query: &str, prefix_last: bool) -> Vec<Group> {
    let mut tokens = analyze(query);
    let typed_end = if prefix_last { query.len() } else { usize::MAX };
    tokens.sort_by(|left, right| (&left.form, left.end).cmp(&(&right.form, right.end)));
    // Of equal words the last one stays: it may be the one being typed.
    tokens.reverse();
    tokens.dedup_by(|later, earlier| later.form == earlier.form);
    tokens.reverse();
    tokens.truncate(MAX_GROUPS);
    let mut groups = Vec::new();
    let mut corrected = 0;
    for token in &tokens {
        let is_typed = token.end == typed_end;
        let mut alternatives = index.exact(token);
        if is_typed {
            index.complete(token, &mut alternatives);
        }
        if alternatives.is_empty() && corrected < MAX_CORRECTED_WORDS && index.is_mistyped(token, &tokens) {
            corrected += 1;
            index.correct(token, &mut alternatives);
        }
        let idf = alternatives
            .iter()
            .fold(0.0, |most: f64, alternative| most.max(alternative.idf));
        if idf > 0.0 {
            groups.push(Group { alternatives, idf });
        }
    }
    groups
}

impl Index {
    fn knows(&self, term: &str) -> bool {
        self.vocabulary.find(term).is_some()
    }

    /// A word is if nobody knows it; a whole name only if one of its words is. `sign-up` on a site without it is no typo of
    /// `signal`: its words say what it means.
    fn is_mistyped(&self, token: &Token, tokens: &[Token]) -> bool {
        let is_unknown = |word: &Token| word.level == Level::Word && !self.knows(&word.term);
        match token.level {
            Level::Word => is_unknown(token),
            Level::Pair => false,
            Level::Whole => tokens
                .iter()
                .any(|word| word.start >= token.start && word.end <= token.end && is_unknown(word)),
        }
    }

    fn exact(&self, token: &Token) -> Vec<Alternative> {
        let term = self.vocabulary.find(&token.term);
        term.map(|term| Alternative {
            term,
            idf: self.terms[term as usize].idf,
        })
        .into_iter()
        .collect()
    }

    /// Adds the terms of which a form begins with what was typed, the shortest completions first.
    fn complete(&self, token: &Token, alternatives: &mut Vec<Alternative>) {
        let typed = token.form.as_str();
        let exact = alternatives.first().map(|exact| (exact.term, exact.idf));
        let Some(first_letter) = typed.chars().next() else {
            return;
        };
        let beginning = &typed[..first_letter.len_utf8()];
        let mut completions: Vec<(usize, u32)> = Vec::new();
        let mut buffer = String::new();
        for term in self.vocabulary.lower_bound(beginning) as u32..self.vocabulary.len() as u32 {
            if !self.vocabulary.term(term).starts_with(beginning) {
                break;
            }
            let mut shortest: Option<usize> = None;
            self.vocabulary
                .each_form(term, typed.len()..=usize::MAX, &mut buffer, &mut |form| {
                    if form.starts_with(typed) {
                        shortest = Some(shortest.map_or(form.len(), |length| length.min(form.len())));
                    }
                });
            if let Some(length) = shortest.filter(|_| exact.is_none_or(|(exact, _)| exact != term)) {
                completions.push((length, term));
            }
        }
        completions.sort_unstable();
        completions.truncate(MAX_COMPLETIONS);
        for (length, term) in completions {
            let idf = self.terms[term as usize].idf;
            // A rare longer word says no more about what was meant than the word as it stands.
            let idf = exact.map_or(idf, |(_, exact_idf)| idf.min(exact_idf));
            let typed_part = typed.len() as f64 / length as f64;
            alternatives.push(Alternative {
                term,
                idf: idf * COMPLETION_WEIGHT * typed_part,
            });
        }
    }

    /// Adds the terms of which a form is the fewest edits away.
    fn correct(&self, token: &Token, alternatives: &mut Vec<Alternative>) {
        let mut typo = Typo::new(&token.form);
        if typo.limit == 0 {
            return;
        }
        let mut nearest: Vec<(usize, u32)> = Vec::new();
        let mut buffer = String::new();
        for term in 0..self.vocabulary.len() as u32 {
            let mut fewest: Option<usize> = None;
            self.vocabulary
                .each_form(term, typo.byte_lengths(), &mut buffer, &mut |form| {
                    if let Some(edits) = typo.edits_to(form) {
                        fewest = Some(fewest.map_or(edits, |fewest| fewest.min(edits)));
                    }
                });
            if let Some(edits) = fewest {
                // Farther ones are of no interest any more.
                typo.limit = typo.limit.min(edits);
                nearest.push((edits, term));
            }
        }
        nearest.retain(|(edits, _)| *edits == typo.limit);
        nearest.truncate(MAX_CORRECTIONS);
        for (edits, term) in nearest {
            let idf = self.terms[term as usize].idf * CORRECTION_WEIGHTS[edits.min(2)];
            alternatives.push(Alternative { term, idf });
        }
    }
}
