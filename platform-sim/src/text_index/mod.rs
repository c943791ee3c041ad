//! Lexical search over the text columns of a model's items, on tantivy.
//!
//! Words are what [`search_core::analysis`] says they are, at indexing and at query time. A query is the OR of its
//! words: stop words count only when there is nothing else. A word that the index knows must match as it is; one
//! that it does not know matches the known words nearest to it (one typing error, two from eight letters on). The
//! last word also stands for its completions, because it may still be under way.
//!
//! A field weighs more the earlier it was named: the first three times as much as the last, the others evenly
//! between. So titles and headings go first, bodies last.

mod vocabulary;

use std::path::Path;

use search_core::analysis::{Level, analyze, is_stop_word};
use tantivy::collector::TopDocs;
use tantivy::columnar::Column;
use tantivy::query::{BooleanQuery, BoostQuery, DisjunctionMaxQuery, Query, TermQuery};
use tantivy::schema::{
    FAST, Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions, document::TantivyDocument,
};
use tantivy::tokenizer::{TextAnalyzer, Token, TokenStream, Tokenizer};
use tantivy::{Index, IndexReader, IndexSettings, ReloadPolicy, Term};

use vocabulary::Vocabulary;

const TERMS: &str = "siftwren-terms";
const FORMS: &str = "siftwren-forms";
const NUMBER: &str = "number";

/// Memory of the writer before it spills a segment.
const WRITER_BYTES: usize = 64 << 20;

/// What a completion of the last word counts, next to the word itself.
const COMPLETION_WEIGHT: f32 = 0.5;

/// What a correction counts, for each typing error in it.
const CORRECTION_WEIGHT: f32 = 0.6;

/// How many completions or corrections of a word are tried.
const MAX_VARIANTS: usize = 24;

/// Builds an index in an empty directory. `documents` come in the order of their item ids, each with one text for
/// each of `fields`; ties in the ranking go to the earlier document.
pub(crate) fn build<'a>(
    directory: &Path,
    fields: usize,
    documents: impl Iterator<Item = Vec<&'a str>>,
) -> tantivy::Result<()> {
    let layout = Layout::new(fields);
    let settings = IndexSettings::default();
    let index = Index::builder()
        .schema(layout.schema.clone())
        .settings(settings)
        .create_in_dir(directory)?;
    register_tokenizers(&index);
    // One thread and no merging on the side: documents keep their order, whatever the machine does meanwhile.
    let mut writer = index.writer_with_num_threads(1, WRITER_BYTES)?;
    writer.set_merge_policy(Box::new(tantivy::merge_policy::NoMergePolicy));
    for (document_number, texts) in documents.enumerate() {
        let mut document = TantivyDocument::default();
        document.add_u64(layout.number, document_number as u64);
        for (field, text) in layout.fields.iter().zip(texts) {
            document.add_text(*field, text);
            document.add_text(layout.forms, text);
        }
        writer.add_document(document)?;
    }
    writer.commit()?;
    writer.wait_merging_threads()?;
    Ok(())
}

/// An index that answers queries.
pub(crate) struct TextIndex {
    reader: IndexReader,
    fields: Vec<(Field, f32)>,
    /// The documents' numbers, by segment.
    numbers: Vec<Column<u64>>,
    vocabulary: Vocabulary,
}

impl TextIndex {
    /// Opens an index that [`build`] made; its files are mapped, not read.
    pub(crate) fn open(directory: &Path, fields: usize) -> tantivy::Result<TextIndex> {
        let index = Index::open_in_dir(directory)?;
        register_tokenizers(&index);
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()?;
        let layout = Layout::new(fields);
        let searcher = reader.searcher();
        let numbers = searcher
            .segment_readers()
            .iter()
            .map(|segment| segment.fast_fields().u64(NUMBER))
            .collect::<Result<_, _>>()?;
        let vocabulary = Vocabulary::read(&searcher, layout.forms)?;
        let weighted = |(rank, field)| (field, weight(rank, fields));
        let fields = layout.fields.into_iter().enumerate().map(weighted).collect();
        Ok(TextIndex {
            reader,
            fields,
            numbers,
            vocabulary,
        })
    }

    /// The best documents for a text, by their number, with their scores; equal scores in document order.
    pub(crate) fn search(&self, text: &str, limit: usize) -> tantivy::Result<Vec<(usize, f32)>> {
        let Some(query) = self.query(text) else {
            return Ok(Vec::new());
        };
        let top = self
            .reader
            .searcher()
            .search(&query, &TopDocs::with_limit(limit).order_by_score())?;
        let mut hits: Vec<(usize, f32)> = top
            .into_iter()
            .filter_map(|(score, address)| {
                let number = self.numbers[address.segment_ord as usize].first(address.doc_id)?;
                Some((number as usize, score))
            })
            .collect();
        hits.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        Ok(hits)
    }

    fn query(&self, text: &str) -> Option<BooleanQuery> {
        let tokens = analyze(text);
        let only_stop_words = tokens.iter().all(|token| is_stop_word(&token.form));
        let mut words: Vec<Box<dyn Query>> = Vec::new();
        let mut seen: Vec<&str> = Vec::new();
        for token in &tokens {
            // The word under way may be the start of any word, so it is no stop word yet.
            let under_way = token.end == text.len();
            if (is_stop_word(&token.form) && !only_stop_words && !under_way)
                || seen.contains(&token.term.as_str())
            {
                continue;
            }
            seen.push(&token.term);
            let mut variants: Vec<(String, f32)> = Vec::new();
            if self.vocabulary.contains(&token.term) {
                variants.push((token.term.clone(), 1.0));
            }
            if under_way {
                let completions = self.vocabulary.completions(&token.form, MAX_VARIANTS);
                let completions = completions
                    .into_iter()
                    .filter(|completion| *completion != token.term);
                variants.extend(completions.map(|completion| (completion.to_owned(), COMPLETION_WEIGHT)));
            }
            // A name that is not known as a whole has words of its own, which are corrected one by one.
            if variants.is_empty() && token.level == Level::Word {
                variants.extend(
                    self.vocabulary
                        .corrections(&token.form, MAX_VARIANTS)
                        .into_iter()
                        .map(|(correction, errors)| {
                            (correction.to_owned(), CORRECTION_WEIGHT.powi(i32::from(errors)))
                        }),
                );
            }
            if !variants.is_empty() {
                words.push(self.best_of(variants));
            }
        }
        (!words.is_empty()).then(|| BooleanQuery::union(words))
    }

    /// The best of the variants of one word counts, so that a word with many variants does not weigh more.
    fn best_of(&self, variants: Vec<(String, f32)>) -> Box<dyn Query> {
        let mut queries: Vec<Box<dyn Query>> = variants
            .into_iter()
            .map(|(term, weight)| self.in_all_fields(&term, weight))
            .collect();
        match queries.pop() {
            Some(only) if queries.is_empty() => only,
            last => {
                queries.extend(last);
                Box::new(DisjunctionMaxQuery::new(queries))
            }
        }
    }

    fn in_all_fields(&self, term: &str, variant_weight: f32) -> Box<dyn Query> {
        let clauses = self
            .fields
            .iter()
            .map(|(field, weight)| -> Box<dyn Query> {
                let term = TermQuery::new(Term::from_field_text(*field, term), IndexRecordOption::WithFreqs);
                Box::new(BoostQuery::new(Box::new(term), weight * variant_weight))
            })
            .collect();
        Box::new(BooleanQuery::union(clauses))
    }
}

/// The weight of the field at `rank` of `fields`: from 3 for the first evenly down to 1 for the last.
fn weight(rank: usize, fields: usize) -> f32 {
    if fields < 2 {
        1.0
    } else {
        3.0 - 2.0 * rank as f32 / (fields - 1) as f32
    }
}

/// The fields of an index.
struct Layout {
    schema: Schema,
    /// The searched fields, with words as the search core stems them.
    fields: Vec<Field>,
    /// All words once more as they were written: what completions and corrections are looked for in.
    forms: Field,
    /// Which document it is: segments come in no order of their own.
    number: Field,
}

impl Layout {
    fn new(fields: usize) -> Layout {
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
        let forms = builder.add_text_field("forms", text(FORMS, IndexRecordOption::Basic));
        let number = builder.add_u64_field(NUMBER, FAST);
        Layout {
            schema: builder.build(),
            fields,
            forms,
            number,
        }
    }
}

fn register_tokenizers(index: &Index) {
    index
        .tokenizers()
        .register(TERMS, TextAnalyzer::from(Words { stemmed: true }));
    index
        .tokenizers()
        .register(FORMS, TextAnalyzer::from(Words { stemmed: false }));
}

/// The words of the search core, as tantivy takes them.
#[derive(Clone)]
struct Words {
    stemmed: bool,
}

impl Tokenizer for Words {
    type TokenStream<'a> = WordStream;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WordStream {
        let words = analyze(text).into_iter().map(|token| Token {
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

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENTS: [[&str; 2]; 5] = [
        ["Ranking metrics", "How good is a list of results"],
        [
            "Connectors",
            "A metric is not a connector; data comes from warehouses",
        ],
        ["Quickstart", "Create a dataset and train a model"],
        ["Quickstart", "Create a dataset and train a model"],
        [
            "Normalised discounted cumulative gain",
            "A ranking metric with graded relevance",
        ],
    ];

    fn search(query: &str) -> Vec<usize> {
        let directory = tempfile::tempdir().unwrap();
        build(directory.path(), 2, DOCUMENTS.iter().map(|texts| texts.to_vec())).unwrap();
        let index = TextIndex::open(directory.path(), 2).unwrap();
        index
            .search(query, 10)
            .unwrap()
            .into_iter()
            .map(|(document, _)| document)
            .collect()
    }

    #[test]
    fn a_word_in_an_earlier_field_counts_more() {
        assert_eq!(search("metric"), [0, 4, 1]);
    }

    #[test]
    fn any_word_suffices_and_more_words_rank_higher() {
        assert_eq!(search("results graded relevance "), [4, 0]);
    }

    #[test]
    fn equal_documents_keep_their_order() {
        assert_eq!(search("quickstart"), [2, 3]);
    }

    #[test]
    fn unknown_words_match_near_ones_and_known_words_do_not() {
        assert_eq!(search("qickstart "), [2, 3]);
        assert_eq!(search("relevnace "), [4]);
        assert_eq!(search("zzzzzz "), Vec::<usize>::new());
        // 'train' is known, so it does not also match 'gain', one letter away.
        assert_eq!(search("train "), [2, 3]);
    }

    #[test]
    fn the_last_word_is_completed_only_while_it_is_under_way() {
        assert_eq!(search("wareh"), [1]);
        assert_eq!(search("wareh "), Vec::<usize>::new());
    }

    #[test]
    fn a_query_without_words_finds_nothing() {
        assert_eq!(search(""), Vec::<usize>::new());
        assert_eq!(search("?! ()"), Vec::<usize>::new());
    }
}
