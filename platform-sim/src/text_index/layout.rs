//! What an index has for each document, and how texts become its words.

use std::sync::Arc;

use search_core::analysis::Token as Word;
use tantivy::Index;
use tantivy::schema::{FAST, Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{TextAnalyzer, Token, TokenStream};

use super::words::words;
use crate::service::domain::Tokenizer;

const TERMS: &str = "siftwren-terms";
const FORMS: &str = "siftwren-forms";

/// The name of the field with the documents' numbers.
pub(super) const NUMBER: &str = "number";

/// The fields of an index.
pub(super) struct Layout {
    pub(super) schema: Schema,
    /// The searched fields, with words as the search core stems them.
    pub(super) fields: Vec<Field>,
    /// The stems of all fields together: in how many documents one is says how much it tells.
    pub(super) terms: Field,
    /// All words once more as they were written: what completions and corrections are looked for in.
    pub(super) forms: Field,
    /// Which document it is: segments come in no order of their own.
    pub(super) number: Field,
}

impl Layout {
    pub(super) fn new(fields: usize) -> Layout {
        let text = |tokenizer: &str, option: IndexRecordOption| {
            let indexing = TextFieldIndexing::default()
                .set_tokenizer(tokenizer)
                .set_index_option(option);
            TextOptions::default().set_indexing_options(indexing)
        };
        let mut builder = Schema::builder();
        let searched = text(TERMS, IndexRecordOption::WithFreqs);
        let fields = (0..fields)
            .map(|field| builder.add_text_field(&format!("field{field}"), searched.clone()))
            .collect();
        let terms = builder.add_text_field("terms", text(TERMS, IndexRecordOption::Basic));
        let forms = builder.add_text_field("forms", text(FORMS, IndexRecordOption::Basic));
        let number = builder.add_u64_field(NUMBER, FAST);
        Layout {
            schema: builder.build(),
            fields,
            terms,
            forms,
            number,
        }
    }
}

pub(super) fn register_tokenizers(index: &Index, tokenizer: &Tokenizer) {
    let tokenizer = Arc::new(tokenizer.clone());
    for (name, stemmed) in [(TERMS, true), (FORMS, false)] {
        let words = Words {
            tokenizer: Arc::clone(&tokenizer),
            stemmed,
        };
        index.tokenizers().register(name, TextAnalyzer::from(words));
    }
}

/// Our words, as tantivy takes them.
#[derive(Clone)]
struct Words {
    tokenizer: Arc<Tokenizer>,
    stemmed: bool,
}

impl tantivy::tokenizer::Tokenizer for Words {
    type TokenStream<'a> = WordStream;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WordStream {
        let words = words(&self.tokenizer, text).into_iter().map(|token: Word| Token {
            offset_from: token.start,
            offset_to: token.end,
            position: token.position as usize,
            text: if self.stemmed { token.term } else { token.form },
            position_length: 1,
        });
        WordStream {
            words: words.collect::<Vec<_>>().into_iter(),
            current: Token::default(),
        }
    }
}

struct WordStream {
    words: std::vec::IntoIter<Token>,
    current: Token,
}

impl TokenStream for WordStream {
    fn advance(&mut self) -> bool {
        match self.words.next() {
            Some(token) => {
                self.current = token;
                true
            }
            None => false,
        }
    }

    fn token(&self) -> &Token {
        &self.current
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.current
    }
}
