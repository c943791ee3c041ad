//! The few words of a passage that show why it answers.

use std::ops::Range;

use crate::highlight::Matcher;
use crate::order::sort_by;

/// Words as long as this are cut, so that a text without spaces has a snippet of some length too.
const LONGEST_WORD: usize = 32;
const ELLIPSIS: &str = "…";

/// Some words of a passage, and what to mark in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// The words with single spaces between them, and an ellipsis where the passage goes on.
    pub text: String,
    /// Byte ranges in `text`.
    pub ranges: Vec<Range<usize>>,
}

/// The `words` words of a passage that hold the most different words of the query, then the most matches; of equal ones
/// the first, and with a little room before the match. A passage without a match shows its beginning.
pub fn snippet(passage: &str, query: &str, words: usize) -> Snippet {
    snippet_with(passage, &Matcher::new(query), words)
}

/// The same for a query that was taken apart before.
pub fn snippet_with(passage: &str, matcher: &Matcher, words: usize) -> Snippet {
    let spans = word_spans(passage);
    let size = words.max(1).min(spans.len());
    let first = best_window(passage, &spans, matcher, size);
    let shown = &spans[first..first + size];
    let mut text = String::new();
    if first > 0 {
        text.push_str(ELLIPSIS);
    }
    for (index, span) in shown.iter().enumerate() {
        let follows_space = index > 0 && shown[index - 1].end < span.start;
        if follows_space {
            text.push(' ');
        }
        text.push_str(&passage[span.clone()]);
    }
    if first + size < spans.len() {
        text.push_str(ELLIPSIS);
    }
    let ranges = matcher.ranges(&text);
    Snippet { text, ranges }
}

/// Words between white space; the overlong ones in pieces.
fn word_spans(passage: &str) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let mut start = None;
    let mut length = 0;
    for (at, character) in passage.char_indices() {
        if character.is_whitespace() {
            spans.extend(start.take().map(|start| start..at));
            continue;
        }
        if length >= LONGEST_WORD && start.is_some() {
            spans.extend(start.take().map(|start| start..at));
        }
        if start.is_none() {
            (start, length) = (Some(at), 0);
        }
        length += 1;
    }
    spans.extend(start.map(|start| start..passage.len()));
    spans
}

/// The first word of the best window of `size` words.
fn best_window(passage: &str, spans: &[Range<usize>], matcher: &Matcher, size: usize) -> usize {
    // The matches as (index of the word in the passage, word of the query).
    let mut matches: Vec<(usize, usize)> = Vec::new();
    matcher.each_match(passage, &mut |range, query_word| {
        let at = spans.partition_point(|span| span.end <= range.start);
        if matches.last() != Some(&(at, query_word)) {
            matches.push((at, query_word));
        }
    });
    let mut best = ((0, 0), 0, 0);
    for (index, (first, _)) in matches.iter().enumerate() {
        let inside = matches[index..].iter().take_while(|(at, _)| *at < first + size);
        let mut query_words: Vec<usize> = inside.map(|(_, query_word)| *query_word).collect();
        let count = query_words.len();
        let last = matches[index + count - 1].0;
        sort_by(&mut query_words, usize::cmp);
        query_words.dedup();
        if (query_words.len(), count) > best.0 {
            best = ((query_words.len(), count), *first, last);
        }
    }
    let (_, first, last) = best;
    // The matches in the middle of the window rather than at its beginning: the words before them explain them.
    let spare = size - (last - first + 1).min(size);
    first.saturating_sub(spare / 2).min(spans.len() - size)
}
