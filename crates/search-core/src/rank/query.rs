//! A query into groups of terms.
//!
//! Each word of the query is one group. A word that the index knows stands for itself; the last word, while it is being
//! typed, also for some common words that begin with it; a word that the index does not know stands for the nearest ones that
//! it does know, or for the two that it is made of.
//!
//! Which words these are depends on the words of the site alone, never on how they are cut into files.

use super::fuzzy::Typo;
use super::{Correction, SearchOptions, Stages};
use crate::analysis::{Level, Token, analyze, stem};
use crate::format::terms::Postings;
use crate::format::words::{Word, WordFile};
use crate::index::Reading;
use crate::order::sort_by;

/// A query, understood.
pub(super) struct Plan<'i> {
    pub(super) groups: Vec<Group<'i>>,
    pub(super) corrections: Vec<Correction>,
}

/// The terms that a word of the query stands for.
#[derive(Debug)]
pub(super) struct Group<'i> {
    pub(super) alternatives: Vec<Alternative<'i>>,
    /// What the group is worth in the query's total.
    pub(super) idf: f64,
    /// Which word of the query it is.
    pub(super) position: u32,
}

/// One of these terms and what it is worth when it is found.
#[derive(Debug)]
pub(super) struct Alternative<'i> {
    pub(super) postings: Postings<'i>,
    pub(super) idf: f64,
}

/// Words that count; a query of 512 characters has some 80, a pasted page would have thousands.
const MAX_GROUPS: usize = 64;
/// Terms that a word being typed may stand for.
const MAX_COMPLETIONS: usize = 8;
/// The same for a few letters that are a word already, and for one or two: those begin hundreds of words and tell nothing.
const FEW_COMPLETIONS: usize = 4;
/// A known word of so many letters is not completed: what it means is found without.
const COMPLETE_WORD: usize = 4;
/// Terms that a mistyped word may stand for.
const MAX_CORRECTIONS: usize = 4;
/// Unknown words that are corrected: each costs a look at many words.
const MAX_CORRECTED_WORDS: usize = 12;
/// So many words are all looked at for a correction; of more, those with the same beginning.
const SMALL_VOCABULARY: u32 = 8000;
/// Shortest part of two words written as one, in characters.
const SHORTEST_PART: usize = 3;

/// Letters with which two words must begin to be proposed for each other: three of `docker` are those of `docs`.
const SHORTEST_BEGINNING: usize = 4;

/// Understands a query; nothing if files are missing for it.
pub(super) fn plan<'i>(reading: &mut Reading<'i>, query: &str, options: &SearchOptions) -> Option<Plan<'i>> {
    let tokens = tokens(query);
    let typed_end = if options.prefix_last && !options.without.has(Stages::PREFIX) {
        query.len()
    } else {
        usize::MAX
    };
    // What does not depend on anything is asked for first, so that it is loaded in one go.
    let known: Vec<Option<Postings<'i>>> = tokens
        .iter()
        .map(|token| reading.postings(&token.term).flatten())
        .collect();
    let is_long = |token: &Token| token.form.chars().count() >= COMPLETE_WORD;
    let mut completions: Vec<Vec<Completion>> = tokens.iter().map(|_| Vec::new()).collect();
    let mut complete = |reading: &mut Reading<'i>, index: usize| {
        if tokens[index].end == typed_end {
            let is_known = known[index].is_some();
            completions[index] = completions_of(reading, &tokens[index], is_known).unwrap_or_default();
        }
    };
    (0..tokens.len())
        .filter(|index| !is_long(&tokens[*index]))
        .for_each(|index| complete(reading, index));
    reading.complete()?;
    (0..tokens.len())
        .filter(|index| is_long(&tokens[*index]) && known[*index].is_none())
        .for_each(|index| complete(reading, index));
    reading.complete()?;
    let mut planner = Planner {
        reading,
        groups: Vec::new(),
        corrections: Vec::new(),
        corrected: 0,
    };
    for (index, token) in tokens.iter().enumerate() {
        let mut alternatives = planner.exact(known[index]);
        planner.complete(token, &completions[index], &mut alternatives);
        let is_lost = alternatives.is_empty() && completions[index].is_empty();
        if !is_lost {
            planner.push(alternatives, token.position);
        } else if planner.corrected < MAX_CORRECTED_WORDS && is_mistyped(index, &tokens, &known) {
            planner.corrected += 1;
            planner.correct(token, options.without);
        }
    }
    let Planner {
        reading,
        groups,
        corrections,
        ..
    } = planner;
    reading.complete()?;
    Some(Plan { groups, corrections })
}

/// The different words of a query in a fixed order, so that the order of its words changes no bit of a score.
fn tokens(query: &str) -> Vec<Token> {
    let mut tokens = analyze(query);
    sort_by(&mut tokens, |left, right| {
        (&left.form, left.end).cmp(&(&right.form, right.end))
    });
    // Of equal words the last one stays: it may be the one being typed.
    tokens.reverse();
    tokens.dedup_by(|later, earlier| later.form == earlier.form);
    tokens.reverse();
    tokens.truncate(MAX_GROUPS);
    tokens
}

/// A word is if nobody knows it; a whole name only if one of its words is. `sign-up` on a site without it is no typo of
/// `signal`: its words say what it means.
fn is_mistyped(index: usize, tokens: &[Token], known: &[Option<Postings<'_>>]) -> bool {
    let token = &tokens[index];
    let is_unknown = |index: usize| tokens[index].level == Level::Word && known[index].is_none();
    match token.level {
        Level::Word => is_unknown(index),
        Level::Pair => false,
        Level::Whole => (0..tokens.len()).any(|other| {
            tokens[other].start >= token.start && tokens[other].end <= token.end && is_unknown(other)
        }),
    }
}

/// A term that a word being typed may become.
struct Completion {
    term: String,
    /// Bytes of the shortest word of it.
    length: usize,
}

/// The terms of the commonest words that begin with what was typed.
fn completions_of(reading: &mut Reading<'_>, token: &Token, is_known: bool) -> Option<Vec<Completion>> {
    let typed = token.form.as_str();
    let is_short = typed.chars().count() <= 2;
    let mut words: Vec<Word<'_>> = Vec::new();
    if is_short {
        words.extend(reading.common_words()?.beginning_with(typed));
    }
    if words.is_empty() {
        for file in reading.words_beginning_with(typed)? {
            words.extend(file.beginning_with(typed));
        }
    }
    let most = if is_known || is_short {
        FEW_COMPLETIONS
    } else {
        MAX_COMPLETIONS
    };
    Some(commonest(words, most, &token.term))
}

/// The terms of the commonest words, except one.
fn commonest(mut words: Vec<Word<'_>>, most: usize, except: &str) -> Vec<Completion> {
    sort_by(&mut words, |left, right| {
        let order = right.uses.cmp(&left.uses);
        order
            .then(left.form.len().cmp(&right.form.len()))
            .then(left.form.cmp(right.form))
    });
    let mut terms: Vec<Completion> = Vec::new();
    for word in words {
        let term = stem(word.form);
        if let Some(known) = terms.iter_mut().find(|known| known.term == term) {
            known.length = known.length.min(word.form.len());
        } else if terms.len() < most && term != except {
            terms.push(Completion {
                term,
                length: word.form.len(),
            });
        }
    }
    terms
}

struct Planner<'r, 'i> {
    reading: &'r mut Reading<'i>,
    groups: Vec<Group<'i>>,
    corrections: Vec<Correction>,
    corrected: usize,
}

impl<'i> Planner<'_, 'i> {
    fn push(&mut self, alternatives: Vec<Alternative<'i>>, position: u32) {
        let idf = alternatives
            .iter()
            .fold(0.0, |most: f64, alternative| most.max(alternative.idf));
        if idf > 0.0 {
            self.groups.push(Group {
                alternatives,
                idf,
                position,
            });
        }
    }

    fn exact(&self, known: Option<Postings<'i>>) -> Vec<Alternative<'i>> {
        known
            .map(|postings| self.alternative(postings, 1.0))
            .into_iter()
            .collect()
    }

    fn alternative(&self, postings: Postings<'i>, worth: f64) -> Alternative<'i> {
        let idf = self.reading.index.core.tables.idf[usize::from(postings.class)] * worth;
        Alternative { postings, idf }
    }

    fn complete(
        &mut self,
        token: &Token,
        completions: &[Completion],
        alternatives: &mut Vec<Alternative<'i>>,
    ) {
        let exact_idf = alternatives.first().map(|exact| exact.idf);
        let worth = self.reading.index.core.weights.completion;
        for completion in completions {
            let Some(Some(postings)) = self.reading.postings(&completion.term) else {
                continue;
            };
            let mut alternative = self.alternative(postings, 1.0);
            // A rare longer word says no more about what was meant than the word as it stands.
            if let Some(exact_idf) = exact_idf {
                alternative.idf = alternative.idf.min(exact_idf);
            }
            let typed_part = token.form.len() as f64 / completion.length as f64;
            alternative.idf *= worth * typed_part.min(1.0);
            alternatives.push(alternative);
        }
    }

    /// Puts the nearest words in the place of one that nobody knows, or the two words that it consists of.
    fn correct(&mut self, token: &Token, without: Stages) -> Option<()> {
        let weights = self.reading.index.core.weights.clone();
        if !without.has(Stages::FUZZY) {
            let (edits, near) = near_words(self.reading, &token.form)?;
            if !near.is_empty() {
                let mut alternatives = Vec::new();
                for term in terms_of(&near) {
                    let postings = self.reading.postings(&term)?;
                    let worth = weights.edits[edits.min(2)];
                    alternatives.extend(postings.map(|postings| self.alternative(postings, worth)));
                }
                self.push(alternatives, token.position);
                self.note(token, near);
                return Some(());
            }
        }
        if token.level == Level::Word && !without.has(Stages::RUN_TOGETHER) {
            let (left, right) = two_words(self.reading, &token.form)??;
            for part in [left, right] {
                let postings = self.reading.postings(&stem(part))?;
                let alternative = postings.map(|postings| self.alternative(postings, weights.run_together));
                self.push(alternative.into_iter().collect(), token.position);
            }
            self.note(token, vec![left.to_owned(), right.to_owned()]);
        }
        Some(())
    }

    fn note(&mut self, token: &Token, meant: Vec<String>) {
        self.corrections.push(Correction {
            typed: token.form.clone(),
            meant,
        });
    }
}

/// The different terms of some words.
fn terms_of(forms: &[String]) -> Vec<String> {
    let mut terms: Vec<String> = Vec::new();
    for term in forms.iter().map(|form| stem(form)) {
        if !terms.contains(&term) {
            terms.push(term);
        }
    }
    terms
}

/// The words that are the fewest edits away, the commonest first, and how many edits.
fn near_words(reading: &mut Reading<'_>, form: &str) -> Option<(usize, Vec<String>)> {
    let mut nearest = Nearest::new(form);
    if nearest.typo.limit == 0 {
        return Some((0, Vec::new()));
    }
    if reading.index.core.counts.words <= SMALL_VOCABULARY {
        nearest.look_at(&reading.words_beginning_with("")?, "");
        return Some(nearest.finish());
    }
    let characters: Vec<char> = form.chars().take(3).collect();
    let beginning = |characters: &[char]| characters.iter().collect::<String>();
    // Most typing errors are not at the beginning: the same two letters, the two the other way round, and the commonest words.
    let mut beginnings = vec![beginning(&characters[..2])];
    beginnings.push(beginning(&[characters[1], characters[0]]));
    beginnings.push(beginning(&characters[1..]));
    beginnings.dedup();
    let common = reading.common_words();
    let files: Vec<_> = beginnings
        .iter()
        .map(|beginning| reading.words_beginning_with(beginning))
        .collect();
    nearest.look_at(&[common?], "");
    for (files, beginning) in files.into_iter().zip(&beginnings) {
        nearest.look_at(&files?, beginning);
    }
    if !nearest.found.iter().any(|found| found.edits <= 1) {
        let first = beginning(&characters[..1]);
        nearest.look_at(&reading.words_beginning_with(&first)?, &first);
    }
    Some(nearest.finish())
}

/// Known words that are similar to one that nobody knows, best first: long ones may be farther away than a correction may be.
/// A third of the letters: with half of them `docker` is `order`, and `license` is `line`.
pub(super) fn similar_words(reading: &mut Reading<'_>, form: &str, most: usize) -> Option<Vec<String>> {
    let characters: Vec<char> = form.chars().collect();
    if characters.len() < 3 {
        return Some(Vec::new());
    }
    let beginning: String = characters[..2].iter().collect();
    let common = reading.common_words();
    let files = reading.words_beginning_with(&beginning);
    let mut typo = Typo::new(form);
    typo.limit = (characters.len() / 3).min(4);
    let mut found: Vec<Found> = Vec::new();
    let files = files?.into_iter().map(|file| (file, beginning.as_str()));
    for (file, beginning) in files.chain([(common?, "")]) {
        for Word { form: word, uses } in file.beginning_with(beginning) {
            let alike = form.chars().zip(word.chars()).take_while(|(l, r)| l == r).count();
            let length = word.chars().count();
            let is_beginning = alike >= SHORTEST_BEGINNING && 2 * alike >= length;
            let rest = length + characters.len() - 2 * alike;
            let edits = typo.edits_to(word).map(|edits| 2 * edits);
            let distance = edits.into_iter().chain(is_beginning.then_some(rest)).min();
            if let Some(edits) = distance {
                let form = word.to_owned();
                found.push(Found { edits, uses, form });
            }
        }
    }
    sort_by(&mut found, |left, right| {
        (left.edits, right.uses, &left.form).cmp(&(right.edits, left.uses, &right.form))
    });
    found.dedup_by(|later, earlier| later.form == earlier.form);
    Some(found.into_iter().take(most).map(|found| found.form).collect())
}

/// Collects the words that are the fewest edits away.
struct Nearest {
    typo: Typo,
    found: Vec<Found>,
}

struct Found {
    edits: usize,
    uses: u8,
    form: String,
}

impl Nearest {
    fn new(form: &str) -> Self {
        Self {
            typo: Typo::new(form),
            found: Vec::new(),
        }
    }

    fn look_at(&mut self, files: &[&WordFile], beginning: &str) {
        let lengths = self.typo.byte_lengths();
        for file in files {
            for Word { form, uses } in file.beginning_with(beginning) {
                if !lengths.contains(&form.len()) {
                    continue;
                }
                if let Some(edits) = self.typo.edits_to(form) {
                    // Farther ones are of no interest any more.
                    self.typo.limit = self.typo.limit.min(edits);
                    let form = form.to_owned();
                    self.found.push(Found { edits, uses, form });
                }
            }
        }
    }

    fn finish(mut self) -> (usize, Vec<String>) {
        let edits = self.typo.limit;
        self.found.retain(|found| found.edits == edits);
        sort_by(&mut self.found, |left, right| {
            (right.uses, &left.form).cmp(&(left.uses, &right.form))
        });
        self.found.dedup_by(|left, right| left.form == right.form);
        let forms = self.found.into_iter().map(|found| found.form);
        (edits, forms.take(MAX_CORRECTIONS).collect())
    }
}

/// The two words that a word consists of, if there are two that are known.
fn two_words<'f>(reading: &mut Reading<'_>, form: &'f str) -> Option<Option<(&'f str, &'f str)>> {
    let borders: Vec<usize> = form.char_indices().map(|(at, _)| at).collect();
    if borders.len() < 2 * SHORTEST_PART {
        return Some(None);
    }
    let mut knows = |word: &str| reading.has_word(word);
    let mut cuts = Vec::new();
    let mut is_missing = false;
    for at in &borders[SHORTEST_PART..=borders.len() - SHORTEST_PART] {
        let (left, right) = form.split_at(*at);
        match knows(left) {
            None => is_missing = true,
            Some(true) => cuts.push((left, right)),
            Some(false) => {}
        }
    }
    if is_missing {
        return None;
    }
    // The longest first word: `data|sets` rather than `dat|asets`.
    let mut best = None;
    for (left, right) in cuts.into_iter().rev() {
        match knows(right) {
            None => is_missing = true,
            Some(true) if best.is_none() => best = Some((left, right)),
            Some(_) => {}
        }
    }
    (!is_missing).then_some(best)
}
