//! Text into words.
//!
//! A text is cut into *chunks*: maximal runs of letters, digits and marks, held together by the connectors that occur in
//! identifiers (`table_of-contents`, `themeConfig.navbar`, `@scope/pkg`, `docs:version`). A chunk becomes tokens on up
//! to three levels, so that an identifier is found whole and by its words:
//!
//! | level | `themeConfig.tableOfContents` | joined by |
//! |---|---|---|
//! | chunk | `themeconfigtableofcontents` | `.` `:` and, in scoped names, `/` |
//! | name | `themeconfig`, `tableofcontents` | `_`, `-`, a change of case |
//! | word | `theme`, `config`, `table`, `of`, `contents` | |
//!
//! Whole names are written without their connectors, so `tableOfContents`, `table_of_contents`, `table-of-contents` and a
//! reader's `tableofcontents` are one term; and `e-mail` is `email`. `--flag` keeps its dashes as one more term.
//! Scripts that do not put spaces between words (Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese) become overlapping
//! pairs of characters.
//!
//! Every term is folded (case, accents, width) and, if it is Latin, stemmed. Stop words stay: their weight is low because
//! they are everywhere, not because somebody listed them.

mod fold;
mod segment;

pub use segment::Level;
pub(crate) use segment::{Piece, scan};

/// Changes whenever the same text would give other terms. An index says which analyser wrote it and a reader with another
/// one refuses it: words that were cut differently do not find each other.
pub const ANALYZER_VERSION: u32 = 1;

/// Longest term, in bytes. Longer words (hashes, encoded data) are cut here, in texts and in queries alike.
pub const MAX_TERM_BYTES: usize = 64;

/// The specification's stop words: never marked in a displayed text.
const STOP_WORDS: [&str; 16] = [
    "what", "is", "the", "a", "an", "and", "or", "but", "in", "on", "at", "to", "for", "of", "with", "by",
];

/// A word of a text and where it stood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// What an index stores: folded and stemmed.
    pub term: String,
    /// Folded but not stemmed: what the reader wrote.
    pub form: String,
    /// First byte of the word in the original text.
    pub start: usize,
    /// The byte after the word in the original text.
    pub end: usize,
    /// Which word of the text it is. A whole name stands where its first word stands.
    pub position: u32,
    /// Whether this is a word, a whole name or a whole chunk.
    pub level: Level,
}

/// Cuts a text into its terms, in the order of their ends; whole names follow their words.
pub fn analyze(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    scan(text, &mut |piece: Piece<'_>| {
        tokens.push(Token {
            term: stem(piece.form),
            form: piece.form.to_owned(),
            start: piece.start,
            end: piece.end,
            position: piece.position,
            level: piece.level,
        });
    });
    tokens
}

/// Whether a word is on the specification's list of stop words. Case and accents do not matter.
pub fn is_stop_word(word: &str) -> bool {
    is_folded_stop_word(&fold(word))
}

/// Lower case, without accents and in normal width; what does not belong to a word stays as it is.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for character in text.chars() {
        fold::push_folded(character, &mut folded);
    }
    folded
}

pub(crate) fn is_folded_stop_word(form: &str) -> bool {
    STOP_WORDS.contains(&form)
}

/// The stem of a folded form. Only plain Latin words have one: the algorithm is for English.
pub fn stem(form: &str) -> String {
    let is_english_like = form.len() > 2
        && form
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'\'');
    if !is_english_like {
        return form.to_owned();
    }
    let stem = frostem::Stemmer::new(frostem::Algorithm::English)
        .stem(form)
        .into_owned();
    if stem.is_empty() { form.to_owned() } else { stem }
}
