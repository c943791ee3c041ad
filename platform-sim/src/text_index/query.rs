//! A text into groups of terms, by the rules of the search core: each word is a group. A word that the index knows
//! stands for itself; the last word, while it is being typed, also for what begins with it; a word that nobody knows
//! stands for the nearest ones that are known. No word is required.

use search_core::analysis::{Level, Token};

use super::vocabulary::Vocabulary;
use super::words::{corrects, words};
use crate::service::domain::Tokenizer;

/// Words that count; a text of 512 characters has some 80.
const MAX_GROUPS: usize = 64;

/// Unknown words that are corrected: each costs a look at all known ones.
const MAX_CORRECTED_WORDS: usize = 12;

/// What a word counts inside of a name that the index knows, such as `batch` in `batch_iids`: who writes a name means the name,
/// and what is named by one of its words alone is second. On 72 searches of our documentation nDCG@10 is .863 with it and .839
/// without (.865 with .25); 164 of another one, few with names, stay within .003.
const PART_OF_NAME: f64 = 0.5;

/// The terms that a word of the text stands for.
pub(super) struct Group {
    pub(super) alternatives: Vec<Alternative>,
    /// What the group is worth in the text's total.
    pub(super) idf: f64,
}

/// One of these terms and what it is worth when it is found.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Alternative {
    pub(super) term: String,
    pub(super) idf: f64,
}

/// A text, understood.
pub(crate) struct Understood {
    pub(super) groups: Vec<Group>,
    /// The known words that unknown ones were taken for, one for each.
    pub(crate) corrections: Vec<String>,
}

impl Understood {
    /// Whether no document has any word of the text, however it is spelt.
    pub(crate) fn is_unknown(&self) -> bool {
        self.groups.is_empty()
    }
}

/// Understands a text. A word that nobody knows may have `errors` typing errors at the most.
pub(super) fn understand(
    vocabulary: &Vocabulary,
    tokenizer: &Tokenizer,
    text: &str,
    errors: usize,
) -> Understood {
    let mut tokens = words(tokenizer, text);
    tokens.sort_by(|left, right| (&left.form, left.end).cmp(&(&right.form, right.end)));
    // Of equal words the last one stays: it may be the one being typed.
    tokens.reverse();
    tokens.dedup_by(|later, earlier| later.form == earlier.form);
    tokens.reverse();
    // `model` and `models` are one word of the index: counted twice, they would outweigh the word that `/models/{model}/rank` is
    // about.
    let terms = tokens.clone();
    tokens.retain(|token| {
        !terms
            .iter()
            .any(|other| other.term == token.term && other.end > token.end)
    });
    tokens.truncate(MAX_GROUPS);
    let mut groups = Vec::new();
    let mut corrections = Vec::new();
    for token in &tokens {
        let exact = vocabulary.idf(&token.term);
        let mut alternatives: Vec<Alternative> = exact
            .map(|idf| Alternative {
                term: token.term.clone(),
                idf,
            })
            .into_iter()
            .collect();
        if token.end == text.len() {
            alternatives.extend(vocabulary.completions(&token.form, &token.term));
        }
        if alternatives.is_empty()
            && corrects(tokenizer)
            && corrections.len() < MAX_CORRECTED_WORDS
            && is_mistyped(vocabulary, token, &tokens)
        {
            let (nearest, word) = vocabulary.corrections(&token.form, errors);
            alternatives.extend(nearest);
            corrections.extend(word);
        }
        if is_part_of_name(vocabulary, token, &tokens) {
            for alternative in &mut alternatives {
                alternative.idf *= PART_OF_NAME;
            }
        }
        let idf = alternatives
            .iter()
            .fold(0.0, |most: f64, alternative| most.max(alternative.idf));
        if idf > 0.0 {
            groups.push(Group { alternatives, idf });
        }
    }
    Understood { groups, corrections }
}

fn is_part_of_name(vocabulary: &Vocabulary, token: &Token, tokens: &[Token]) -> bool {
    let holds = |name: &Token| name.start <= token.start && token.end <= name.end;
    let mut names = tokens.iter().filter(|name| name.level == Level::Whole);
    token.level != Level::Whole && names.any(|name| holds(name) && vocabulary.idf(&name.term).is_some())
}

/// A word is if nobody knows it; a whole name only if one of its words is: then it may be a misspelt name, otherwise
/// its words say what it means.
fn is_mistyped(vocabulary: &Vocabulary, token: &Token, tokens: &[Token]) -> bool {
    let is_unknown = |word: &Token| word.level == Level::Word && vocabulary.idf(&word.term).is_none();
    match token.level {
        Level::Word => is_unknown(token),
        Level::Pair => false,
        Level::Whole => tokens
            .iter()
            .any(|word| word.start >= token.start && word.end <= token.end && is_unknown(word)),
    }
}
