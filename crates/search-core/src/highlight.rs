//! What to mark in a text for a query.
//!
//! The specification's rule: words of the query that are longer than two characters and no stop words are marked. A word of
//! the text is marked, always as a whole, when it has the same stem ("ranking" marks "ranks" and "Ranked"; case and accents do
//! not matter), or when it begins with the last word of the query while that is being typed ("rank" marks "rankings" until a
//! space follows). A word that nobody knows marks what was searched instead of it. Identifiers are marked whole where the query has them whole, and by their words otherwise.
//!
//! Ranges are sorted, do not overlap, lie inside the text and on borders of characters.

use std::ops::Range;

use crate::analysis::{Level, Piece, Token, analyze, is_folded_stop_word, scan, stem};
use crate::order::sort_by;
use crate::rank::Correction;

/// Shortest word that is marked, in characters.
const SHORTEST: usize = 3;

/// The byte ranges to mark in `text`.
pub fn ranges(text: &str, query: &str) -> Vec<Range<usize>> {
    Matcher::new(query).ranges(text)
}

/// The same ranges counted in UTF-16 units, as JavaScript counts. Ends that are not on a border of a character of the
/// text move to the border before them.
pub fn to_utf16(text: &str, ranges: &[Range<usize>]) -> Vec<Range<usize>> {
    // Counted on from the place before: texts with thousands of marks exist.
    let (mut at, mut units) = (0, 0);
    let mut units_before = |end: usize| {
        let end = text.floor_char_boundary(end);
        if end < at {
            (at, units) = (0, 0);
        }
        units += text[at..end].encode_utf16().count();
        at = end;
        units
    };
    ranges
        .iter()
        .map(|range| units_before(range.start)..units_before(range.end))
        .collect()
}

/// The words of a query that are marked. Made once, used on many texts.
#[derive(Debug, Clone)]
pub struct Matcher {
    /// Stems, sorted.
    terms: Vec<String>,
    /// The word being typed.
    beginning: Option<String>,
}

impl Matcher {
    /// Takes from a query the words that the rule marks.
    pub fn new(query: &str) -> Self {
        let tokens = analyze(query);
        let mut terms = Vec::new();
        let mut beginning = None;
        for (index, token) in tokens.iter().enumerate() {
            if characters_of_word(&tokens, index) < SHORTEST || is_folded_stop_word(&token.form) {
                continue;
            }
            if token.end == query.len() && beginning.is_none() {
                beginning = Some(token.form.clone());
            }
            terms.push(token.term.clone());
        }
        sort_by(&mut terms, String::cmp);
        terms.dedup();
        Self { terms, beginning }
    }

    /// Marks what was searched in the place of misspelt words, too.
    pub fn with_corrections(mut self, corrections: &[Correction]) -> Self {
        let meant = corrections.iter().flat_map(|correction| &correction.meant);
        self.terms.extend(meant.map(|form| stem(form)));
        sort_by(&mut self.terms, String::cmp);
        self.terms.dedup();
        self
    }

    /// The byte ranges to mark in `text`.
    pub fn ranges(&self, text: &str) -> Vec<Range<usize>> {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        self.each_match(text, &mut |range, _| match ranges.last_mut() {
            // A whole comes before its words, so that a range only ever grows at its end.
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => ranges.push(range),
        });
        ranges
    }

    /// Calls `each` with every match in order of their beginnings: where, and which word of the query.
    pub(crate) fn each_match(&self, text: &str, each: &mut dyn FnMut(Range<usize>, usize)) {
        if self.terms.is_empty() {
            return;
        }
        scan(text, &mut |piece: Piece<'_>| {
            let begins = self
                .beginning
                .as_deref()
                .is_some_and(|beginning| piece.form.starts_with(beginning));
            // The stem is only taken where the first letter agrees: it never changes that.
            let first = piece.form.chars().next();
            let could_match = self.terms.iter().any(|term| term.chars().next() == first);
            let term = could_match
                .then(|| self.terms.binary_search(&stem(piece.form)).ok())
                .flatten();
            let word = term.or(begins.then_some(self.terms.len()));
            if let Some(word) = word {
                each(piece.start..piece.end, word);
            }
        });
    }
}

/// How long the word is that a token stands for. A pair is a part of the unbroken run of pairs around it.
fn characters_of_word(tokens: &[Token], index: usize) -> usize {
    let token = &tokens[index];
    if token.level != Level::Pair {
        return token.form.chars().count();
    }
    let continues = |left: &Token, right: &Token| right.level == Level::Pair && right.start < left.end;
    let after = tokens[index..]
        .windows(2)
        .take_while(|pair| continues(&pair[0], &pair[1]))
        .count();
    let before = tokens[..=index]
        .windows(2)
        .rev()
        .take_while(|pair| continues(&pair[0], &pair[1]))
        .count();
    token.form.chars().count() + before + after
}
