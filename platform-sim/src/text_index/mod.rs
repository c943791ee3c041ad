//! Lexical search over the text columns of a model's items, on tantivy.
//!
//! Words are what [`search_core::analysis`] says they are, at indexing and at query time, and the ranking is the search
//! core's idea (`rank`), so that a text finds the same things here and in a browser that has the same items. tantivy
//! keeps the postings and gathers the candidates.
//!
//! A field weighs more the earlier it was named: the first twice as much as the last, the others evenly
//! between. So titles and headings go first, bodies last.

mod layout;
mod query;
mod rank;
mod vocabulary;
mod words;

use std::path::Path;

use tantivy::collector::TopDocs;
use tantivy::columnar::Column;
use tantivy::query::{BooleanQuery, BoostQuery, DisjunctionMaxQuery, Query, TermQuery};
use tantivy::schema::{IndexRecordOption, document::TantivyDocument};
use tantivy::{DocAddress, Index, IndexReader, IndexSettings, ReloadPolicy, Searcher, Term};

use layout::{Layout, NUMBER, register_tokenizers};
pub(crate) use query::Understood;
use query::{Alternative, Group, understand};
use rank::Fields;
use vocabulary::Vocabulary;

use crate::service::domain::Tokenizer;

/// Memory of the writer before it spills a segment.
const WRITER_BYTES: usize = 64 << 20;

/// Typing errors in a word, at the most. Short words may have fewer.
const MOST_ERRORS: usize = 2;

/// How many candidates are ranked at least. Beyond the first few hundred of tantivy's order nothing comes up again.
const CANDIDATES: usize = 300;

/// Builds an index in an empty directory. `documents` come in the order of their item ids, each with one text for
/// each of `fields`; ties in the ranking go to the earlier document.
pub(crate) fn build<'a>(
    directory: &Path,
    fields: usize,
    tokenizer: &Tokenizer,
    documents: impl Iterator<Item = Vec<&'a str>>,
) -> tantivy::Result<()> {
    let layout = Layout::new(fields);
    let settings = IndexSettings::default();
    let index = Index::builder()
        .schema(layout.schema.clone())
        .settings(settings)
        .create_in_dir(directory)?;
    register_tokenizers(&index, tokenizer);
    // One thread and no merging on the side: documents keep their order, whatever the machine does meanwhile.
    let mut writer = index.writer_with_num_threads(1, WRITER_BYTES)?;
    writer.set_merge_policy(Box::new(tantivy::merge_policy::NoMergePolicy));
    for (document_number, texts) in documents.enumerate() {
        let mut document = TantivyDocument::default();
        document.add_u64(layout.number, document_number as u64);
        for (field, text) in layout.fields.iter().zip(texts) {
            document.add_text(*field, text);
            document.add_text(layout.terms, text);
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
    fields: Fields,
    /// The documents' numbers, by segment.
    numbers: Vec<Column<u64>>,
    /// Where the document of each number lies.
    addresses: Vec<DocAddress>,
    vocabulary: Vocabulary,
    tokenizer: Tokenizer,
}

impl TextIndex {
    /// Opens an index that [`build`] made; its files are mapped, not read.
    pub(crate) fn open(directory: &Path, fields: usize, tokenizer: &Tokenizer) -> tantivy::Result<TextIndex> {
        let index = Index::open_in_dir(directory)?;
        register_tokenizers(&index, tokenizer);
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()?;
        let layout = Layout::new(fields);
        let searcher: Searcher = reader.searcher();
        let numbers: Vec<Column<u64>> = searcher
            .segment_readers()
            .iter()
            .map(|segment| segment.fast_fields().u64(NUMBER))
            .collect::<Result<_, _>>()?;
        let vocabulary = Vocabulary::read(&searcher, tokenizer, layout.forms, layout.terms)?;
        let fields = Fields::read(&searcher, &layout.fields, |term| vocabulary.idf(term))?;
        Ok(TextIndex {
            reader,
            fields,
            addresses: addresses(&numbers),
            numbers,
            vocabulary,
            tokenizer: tokenizer.clone(),
        })
    }

    /// Takes a text apart, as people write.
    pub(crate) fn understand(&self, text: &str) -> Understood {
        self.understand_within(text, MOST_ERRORS)
    }

    /// The same, with so many typing errors in a word at the most.
    pub(crate) fn understand_within(&self, text: &str, errors: usize) -> Understood {
        understand(&self.vocabulary, &self.tokenizer, text, errors)
    }

    /// The best documents for a text, by their number, with their scores; equal scores in document order. `also` are
    /// documents to rank whether they have words of the text or not; without any they score 0.
    pub(crate) fn search(
        &self,
        text: &Understood,
        limit: usize,
        also: &[usize],
    ) -> tantivy::Result<Vec<(usize, f64)>> {
        let groups = &text.groups;
        let searcher = self.reader.searcher();
        let mut candidates = Vec::new();
        if !groups.is_empty() {
            let collector = TopDocs::with_limit(CANDIDATES.max(2 * limit)).order_by_score();
            let top = searcher.search(&self.gathering(groups), &collector)?;
            candidates.extend(top.into_iter().map(|(_, address)| address));
        }
        candidates.extend(also.iter().filter_map(|number| self.addresses.get(*number)));
        candidates.sort_unstable();
        candidates.dedup();
        let scores = self.fields.score(&searcher, groups, &candidates)?;
        let mut hits: Vec<(usize, f64)> = candidates
            .into_iter()
            .zip(scores)
            .filter_map(|(address, score)| {
                let number = self.numbers[address.segment_ord as usize].first(address.doc_id)?;
                Some((number as usize, score))
            })
            .collect();
        hits.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        Ok(hits)
    }

    /// The query that finds everything with any of the words.
    fn gathering(&self, groups: &[Group]) -> BooleanQuery {
        BooleanQuery::union(groups.iter().map(|group| self.best_of(group)).collect())
    }

    /// The best of the alternatives of one word counts, so that a word with many does not weigh more.
    fn best_of(&self, group: &Group) -> Box<dyn Query> {
        let mut queries: Vec<Box<dyn Query>> = group
            .alternatives
            .iter()
            .map(|alternative| self.in_all_fields(alternative))
            .collect();
        match queries.pop() {
            Some(only) if queries.is_empty() => only,
            last => {
                queries.extend(last);
                Box::new(DisjunctionMaxQuery::new(queries))
            }
        }
    }

    fn in_all_fields(&self, alternative: &Alternative) -> Box<dyn Query> {
        let full_idf = self.vocabulary.idf(&alternative.term).unwrap_or(alternative.idf);
        let clauses = self
            .fields
            .weighted()
            .map(|(field, weight)| -> Box<dyn Query> {
                let term = Term::from_field_text(field, &alternative.term);
                let query = TermQuery::new(term, IndexRecordOption::WithFreqs);
                let weight = weight * alternative.idf / full_idf;
                Box::new(BoostQuery::new(Box::new(query), weight as f32))
            })
            .collect();
        Box::new(BooleanQuery::union(clauses))
    }
}

fn addresses(numbers: &[Column<u64>]) -> Vec<DocAddress> {
    let mut addresses = Vec::new();
    for (segment, column) in numbers.iter().enumerate() {
        for document in 0..column.num_docs() {
            if let Some(number) = column.first(document) {
                addresses.push((number, DocAddress::new(segment as u32, document)));
            }
        }
    }
    addresses.sort_unstable();
    addresses.into_iter().map(|(_, address)| address).collect()
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

    /// What a text finds among documents, with the scores.
    fn scored(documents: &[[&str; 2]], text: &str) -> Vec<(usize, f64)> {
        let directory = tempfile::tempdir().unwrap();
        build(
            directory.path(),
            2,
            &Tokenizer::default(),
            documents.iter().map(|texts| texts.to_vec()),
        )
        .unwrap();
        let index = TextIndex::open(directory.path(), 2, &Tokenizer::default()).unwrap();
        index.search(&index.understand(text), 10, &[]).unwrap()
    }

    fn search(text: &str) -> Vec<usize> {
        let hits = scored(&DOCUMENTS, text).into_iter();
        hits.map(|(document, _)| document).collect()
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
    fn a_word_in_two_forms_counts_once() {
        let documents = [
            ["Model list", "what a model is"],
            ["Inference", "POST /models/{name}/rank"],
        ];
        let scored = |text: &str| scored(&documents, text);
        assert_eq!(scored("models and a model rank "), scored("a model and rank "));
        assert_eq!(scored("/models/{model}/rank ")[0].0, 1);
    }

    #[test]
    fn a_name_counts_more_than_its_words() {
        let documents = [
            ["Batches", "the size of a batch, and when a batch is sent anew"],
            [
                "Sources of candidates",
                "one of them is batch_ids, and what the others are is told of further below, with all that is known of each",
            ],
            ["Batch size", "how many ids a batch has"],
            ["Sources of rows", "files, or one batch after the other"],
        ];
        let best = |text: &str| scored(&documents, text)[0].0;
        assert_eq!(best("batch_ids "), 1);
        // Nobody knows this name, so its words are all there is.
        assert_eq!(best("batch_rows "), 3);
    }

    #[test]
    fn a_document_that_has_no_other_name_is_what_its_name_means() {
        let documents = [
            ["Precision", "The ceiling of precision"],
            ["Precision", ""],
            ["Precision", "Precision beside precision of others"],
            ["Recall", "The ceiling of recall"],
        ];
        let best = |text: &str| scored(&documents, text)[0].0;
        assert_eq!(best("precision"), 1);
        assert_eq!(best("precison"), 1);
        assert_eq!(best("ceiling of precision"), 0);
        // Words that are one and the same name do not count for it again.
        let score = |text: &str| scored(&documents, text)[0].1;
        assert!(score("precision precison precisoin ") <= score("precision "));
    }

    #[test]
    fn a_query_without_words_finds_nothing() {
        assert_eq!(search(""), Vec::<usize>::new());
        assert_eq!(search("?! ()"), Vec::<usize>::new());
    }
}
