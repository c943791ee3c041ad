//! Text into wordpieces, as the encoder of the sections and the table of the queries know them.
//!
//! This is BERT's uncased tokenisation: words end at spaces, every punctuation mark and every Chinese character is a word
//! of its own, and a word is cut from its start into the longest pieces that the vocabulary has. Pieces inside of a word
//! are written with `##` before them. The folding is the one of the lexical analysis, so both sides drop the same accents.

use crate::analysis::fold;

/// BERT's own limit: longer words are data, not language.
const LONGEST_WORD: usize = 100;

/// Calls `each` with the id of every piece of a text, in order. `knows` gives the id of a piece of the vocabulary; a
/// word that cannot be cut into such pieces is passed over.
pub fn pieces(text: &str, knows: &mut dyn FnMut(&str) -> Option<u32>, each: &mut dyn FnMut(u32)) {
    let folded = fold(text);
    let mut cutter = Cutter {
        knows,
        each,
        candidate: String::new(),
        found: Vec::new(),
    };
    let mut word = 0;
    for (at, character) in folded.char_indices() {
        if is_word_character(character) {
            continue;
        }
        cutter.cut(&folded[word..at]);
        word = at + character.len_utf8();
        cutter.cut(&folded[at..word]);
    }
    cutter.cut(&folded[word..]);
}

struct Cutter<'a> {
    knows: &'a mut dyn FnMut(&str) -> Option<u32>,
    each: &'a mut dyn FnMut(u32),
    /// A piece of which it is not yet known whether it is one.
    candidate: String,
    found: Vec<u32>,
}

impl Cutter<'_> {
    fn cut(&mut self, word: &str) {
        if word.trim().is_empty() || word.chars().count() > LONGEST_WORD {
            return;
        }
        self.found.clear();
        let mut rest = word;
        while !rest.is_empty() {
            self.candidate.clear();
            if rest.len() < word.len() {
                self.candidate.push_str("##");
            }
            let prefix = self.candidate.len();
            self.candidate.push_str(rest);
            let piece = loop {
                if self.candidate.len() == prefix {
                    return;
                }
                if let Some(piece) = (self.knows)(&self.candidate) {
                    break piece;
                }
                self.candidate.pop();
            };
            self.found.push(piece);
            rest = &rest[self.candidate.len() - prefix..];
        }
        self.found.iter().for_each(|piece| (self.each)(*piece));
    }
}

/// Whether a character continues a word; all others are words of their own, or spaces.
fn is_word_character(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric();
    }
    character.is_alphanumeric() && !is_chinese(character)
}

/// The CJK ideographs, as BERT counts them: not kana, not Hangul.
fn is_chinese(character: char) -> bool {
    matches!(character as u32,
        0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x2_0000..=0x2_A6DF | 0x2_A700..=0x2_CEAF
        | 0x2_F800..=0x2_FA1F)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the cuts below need of the encoder's vocabulary, and shorter pieces that a careless cut would take.
    const VOCABULARY: [&str; 57] = [
        "u",
        "##n",
        "una",
        "un",
        "##ffa",
        "##aff",
        "##ble",
        "##able",
        "token",
        "to",
        "##ization",
        "##iz",
        "em",
        "##bed",
        "##ding",
        "##s",
        "n",
        "##d",
        "##dc",
        "##g",
        "how",
        "good",
        "is",
        "my",
        "ranking",
        "?",
        "x",
        "-",
        "api",
        "ap",
        "##i",
        "key",
        "@",
        "doc",
        "##usa",
        "##us",
        "##urus",
        "/",
        "plug",
        "##in",
        "cr",
        "##eme",
        "br",
        "##ule",
        "##e",
        "東",
        "京",
        "'",
        "don",
        "t",
        "11",
        "0",
        ".",
        "3",
        "カ",
        "##ナ",
        "##→",
    ];

    fn cut(text: &str) -> String {
        let mut knows = |piece: &str| {
            let found = VOCABULARY.iter().position(|known| *known == piece);
            found.map(|position| position as u32)
        };
        let mut found = Vec::new();
        pieces(text, &mut knows, &mut |piece| {
            found.push(VOCABULARY[piece as usize])
        });
        found.join(" ")
    }

    #[test]
    fn words_are_cut_as_the_encoder_cuts_them() {
        // The right-hand sides come from the tokenizer that the encoder was trained with.
        for (text, expected) in [
            ("unaffable", "una ##ffa ##ble"),
            ("Tokenization", "token ##ization"),
            ("embeddings", "em ##bed ##ding ##s"),
            ("ndcg", "n ##dc ##g"),
            ("How good is my ranking?", "how good is my ranking ?"),
            ("x-api-key", "x - api - key"),
            ("@docusaurus/plugin", "@ doc ##usa ##urus / plug ##in"),
            ("Crème brûlée", "cr ##eme br ##ule ##e"),
            ("don't", "don ' t"),
            ("0.11.3", "0 . 11 . 3"),
        ] {
            assert_eq!(cut(text), expected, "{text}");
        }
    }

    #[test]
    fn chinese_characters_stand_alone_and_kana_do_not() {
        assert_eq!(cut("東京"), "東 京");
        assert_eq!(cut("カナ東京カナ"), "カ ##ナ 東 京 カ ##ナ");
    }

    #[test]
    fn a_word_that_cannot_be_cut_leaves_nothing_behind() {
        // The first pieces of "unzzz" are known, and still none of them counts.
        assert_eq!(cut("good unzzz key"), "good key");
        assert_eq!(cut("→ good\u{200B}key \u{0}"), "good key");
        assert_eq!(cut(""), "");
        assert_eq!(cut(" \t\n"), "");
        assert_eq!(cut(&"u".repeat(101)), "");
    }

    #[test]
    fn a_long_word_is_passed_over() {
        let long = format!("u{}", "n".repeat(LONGEST_WORD - 1));
        assert_eq!(cut(&long).split(' ').count(), LONGEST_WORD - 1);
        assert_eq!(cut(&format!("{long}n")), "");
    }
}
