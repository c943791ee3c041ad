//! How a text is cut into words: the rules of the search core, or those that the owner of an index chose.

use search_core::analysis::{Level, MAX_TERM_BYTES, Token, analyze, is_stop_word, stem};

use crate::service::domain::Tokenizer;

/// The words of a text, in the order of their ends.
pub(super) fn words(tokenizer: &Tokenizer, text: &str) -> Vec<Token> {
    match tokenizer {
        Tokenizer::Words {
            language: _,
            stemming,
            ascii_folding,
            remove_stop_words,
        } => {
            let mut words = analyze(text);
            if *remove_stop_words {
                words.retain(|word| !is_stop_word(&word.form));
            }
            if !ascii_folding {
                // Whole names were put together from folded words.
                words.retain(|word| word.level != Level::Whole);
                for word in &mut words {
                    word.form = short(&text[word.start..word.end].to_lowercase()).to_owned();
                    word.term = stem(&word.form);
                }
            }
            if !stemming {
                words.iter_mut().for_each(|word| word.term.clone_from(&word.form));
            }
            words
        }
        Tokenizer::Ngrams {
            min_length,
            max_length,
            prefix_only,
        } => {
            let whole = analyze(text);
            let words = whole.iter().filter(|word| word.level == Level::Word);
            words
                .flat_map(|word| ngrams(word, *min_length, *max_length, *prefix_only))
                .collect()
        }
        Tokenizer::Whitespace => {
            let start = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
            let words = text.split_whitespace().enumerate();
            words
                .map(|(position, word)| Token {
                    term: short(word).to_owned(),
                    form: short(word).to_owned(),
                    start: start(word),
                    end: start(word) + word.len(),
                    position: u32::try_from(position).unwrap_or(u32::MAX),
                    level: Level::Word,
                })
                .collect()
        }
    }
}

/// The term of a word that an index has in this form.
pub(super) fn term_of(tokenizer: &Tokenizer, form: &str) -> Option<String> {
    match tokenizer {
        Tokenizer::Ngrams { .. } | Tokenizer::Whitespace => Some(form.to_owned()),
        // A form is one word already, so this only finds its stem.
        Tokenizer::Words { .. } => Some(words(tokenizer, form).into_iter().next()?.term),
    }
}

/// Whether words that nobody knows may be misspelt ones. Parts of words always resemble some other part.
pub(super) fn corrects(tokenizer: &Tokenizer) -> bool {
    !matches!(tokenizer, Tokenizer::Ngrams { .. })
}

fn ngrams(word: &Token, min: usize, max: usize, prefix_only: bool) -> Vec<Token> {
    let letters: Vec<char> = word.form.chars().collect();
    let mut grams = Vec::new();
    for start in 0..letters.len() {
        if prefix_only && start > 0 {
            break;
        }
        for length in min..=max.min(letters.len() - start) {
            let gram: String = letters[start..start + length].iter().collect();
            grams.push(Token {
                term: gram.clone(),
                form: gram,
                ..word.clone()
            });
        }
    }
    grams
}

/// No longer than a term may be.
fn short(word: &str) -> &str {
    let mut end = word.len().min(MAX_TERM_BYTES);
    while !word.is_char_boundary(end) {
        end -= 1;
    }
    &word[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::domain::Language;

    fn terms(tokenizer: &Tokenizer, text: &str) -> Vec<String> {
        words(tokenizer, text).into_iter().map(|word| word.term).collect()
    }

    fn in_english(stemming: bool, ascii_folding: bool, remove_stop_words: bool) -> Tokenizer {
        Tokenizer::Words {
            language: Language::English,
            stemming,
            ascii_folding,
            remove_stop_words,
        }
    }

    #[test]
    fn each_tokenizer_cuts_by_its_rules() {
        let text = "The Cafés trained";
        assert_eq!(terms(&Tokenizer::default(), text), ["the", "cafe", "train"]);
        assert_eq!(terms(&in_english(false, true, true), text), ["cafes", "trained"]);
        assert_eq!(
            terms(&in_english(false, false, false), text),
            ["the", "cafés", "trained"]
        );
        assert_eq!(terms(&Tokenizer::Whitespace, text), ["The", "Cafés", "trained"]);
        let ngrams = |prefix_only: bool| Tokenizer::Ngrams {
            min_length: 3,
            max_length: 4,
            prefix_only,
        };
        assert_eq!(
            terms(&ngrams(false), "Cafés ab"),
            ["caf", "cafe", "afe", "afes", "fes"]
        );
        assert_eq!(terms(&ngrams(true), "Cafés ab"), ["caf", "cafe"]);
    }

    #[test]
    fn a_long_word_is_cut_between_characters() {
        let long = "é".repeat(80);
        assert_eq!(
            terms(&Tokenizer::Whitespace, &long),
            ["é".repeat(MAX_TERM_BYTES / 2)]
        );
    }
}
