//! Text search by words and by meaning, in one score.
//!
//! The lexical score is a sum of shares of the text (see `text_index`), so that its size is the same for every text and a
//! cosine can be added to it with one weight. Everything with a word of the text is found, and what is near in meaning
//! without sharing a word.

use std::sync::Arc;

use crate::item_vectors::ItemVectors;
use crate::service::text_search::{TextMode, TextSearch};
use crate::text_encoder::TextEncoder;
use crate::text_index::{TextIndex, Understood};

/// What a cosine counts beside the lexical score. A plateau: on 135 questions about our documentation, and the same with
/// typing errors, .3 and .75 differ from it by less than .015 nDCG@10.
const COSINE_WEIGHT: f64 = 0.5;

/// How many of the nearest items are candidates, whether they have words of the text or not.
const NEAREST: usize = 100;

/// An item without any word of the text is found from this cosine on. Texts that mean nothing here are as near as .4 to
/// something, and nothing is better than something arbitrary.
const LOWEST_COSINE: f32 = 0.5;

/// The same for a text of which no word is known: `gdpr` is as near as .6 to a section about recall.
const LOWEST_COSINE_ALONE: f32 = 0.65;

/// The text search of a model: words always, vectors where it has them.
pub(crate) struct HybridSearch {
    words: TextIndex,
    meaning: Option<(ItemVectors, Arc<TextEncoder>)>,
}

impl HybridSearch {
    pub(crate) fn new(words: TextIndex, meaning: Option<(ItemVectors, Arc<TextEncoder>)>) -> HybridSearch {
        HybridSearch { words, meaning }
    }

    fn lexical(&self, text: &Understood, limit: usize) -> anyhow::Result<Vec<(usize, f32)>> {
        let mut hits = self.words.search(text, limit, &[])?;
        hits.truncate(limit);
        Ok(hits.into_iter().map(|(row, score)| (row, score as f32)).collect())
    }

    fn hybrid(&self, text: &str, limit: usize) -> anyhow::Result<Vec<(usize, f32)>> {
        let understood = self.words.understand(text);
        let Some((vectors, query)) = self.query_vector(text, &understood) else {
            return self.lexical(&understood, limit);
        };
        let mut near = vectors.nearest(&query, NEAREST.max(limit));
        let lowest = match understood.is_unknown() {
            true => LOWEST_COSINE_ALONE,
            false => LOWEST_COSINE,
        };
        near.retain(|(_, cosine)| *cosine >= lowest);
        let near: Vec<usize> = near.into_iter().map(|(row, _)| row).collect();
        let hits = self.words.search(&understood, limit, &near)?;
        let mut fused: Vec<(usize, f64)> = hits
            .into_iter()
            .map(|(row, score)| {
                let cosine = f64::from(vectors.cosine(row, &query));
                (row, score + COSINE_WEIGHT * cosine)
            })
            .collect();
        fused.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        fused.truncate(limit);
        Ok(fused
            .into_iter()
            .map(|(row, score)| (row, score as f32))
            .collect())
    }

    /// The vectors, and that of the text if it has one. Misspelt words count as they are and as what they were taken for.
    fn query_vector(&self, text: &str, understood: &Understood) -> Option<(&ItemVectors, Vec<f32>)> {
        let (vectors, encoder) = self.meaning.as_ref()?;
        let corrections = understood.corrections.iter().map(String::as_str);
        let text: Vec<&str> = std::iter::once(text).chain(corrections).collect();
        Some((vectors, encoder.encode(&text.join(" "))?))
    }
}

impl TextSearch for HybridSearch {
    fn modes(&self) -> &'static [TextMode] {
        match self.meaning {
            Some(_) => &[TextMode::Hybrid, TextMode::Lexical, TextMode::Vector],
            None => &[TextMode::Lexical],
        }
    }

    fn search(&self, text: &str, mode: TextMode, limit: usize) -> anyhow::Result<Vec<(usize, f32)>> {
        match mode {
            TextMode::Lexical => self.lexical(&self.words.understand(text), limit),
            TextMode::Vector => Ok(self
                .query_vector(text, &self.words.understand(text))
                .map(|(vectors, query)| vectors.nearest(&query, limit))
                .unwrap_or_default()),
            TextMode::Hybrid => self.hybrid(text, limit),
        }
    }

    fn search_words(&self, text: &str, edit_distance: u8, limit: usize) -> anyhow::Result<Vec<(usize, f32)>> {
        self.lexical(
            &self.words.understand_within(text, usize::from(edit_distance)),
            limit,
        )
    }
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::array::{ArrayRef, ListArray};
    use datafusion::arrow::datatypes::Float64Type;

    use super::*;
    use crate::service::domain::Tokenizer;
    use crate::text_encoder::tests::file;
    use crate::text_index;

    /// Item 0 has the word, item 1 the meaning, item 2 both, item 3 neither.
    fn items(with_vectors: bool) -> (tempfile::TempDir, Box<dyn TextSearch>) {
        let directory = tempfile::tempdir().unwrap();
        let texts = ["a robot arm", "a metal person", "the robot", "a garden"];
        text_index::build(
            directory.path(),
            1,
            &Tokenizer::default(),
            texts.iter().map(|text| vec![*text]),
        )
        .unwrap();
        let words = TextIndex::open(directory.path(), 1, &Tokenizer::default()).unwrap();
        let meaning = with_vectors.then(|| {
            let table = directory.path().join("table.fifu");
            std::fs::write(
                &table,
                file(
                    &[
                        ("robot", &[1.0, 0.0]),
                        ("android", &[0.9, 0.1]),
                        ("cyborg", &[0.6, -0.8]),
                    ],
                    None,
                ),
            )
            .unwrap();
            let encoder = TextEncoder::open(&table).unwrap();
            let rows = [[0.1, 1.0], [1.0, 0.2], [1.0, 0.0], [0.0, 1.0]];
            let rows = rows.map(|row| Some(row.map(Some).to_vec()));
            let column: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Float64Type, _, _>(rows));
            let vectors = ItemVectors::from_column(&column, |row| row.to_string(), 2).unwrap();
            (vectors, Arc::new(encoder))
        });
        (directory, Box::new(HybridSearch::new(words, meaning)))
    }

    fn rows(search: &dyn TextSearch, text: &str, mode: TextMode) -> Vec<usize> {
        let hits = search.search(text, mode, 10).unwrap();
        assert!(hits.windows(2).all(|pair| pair[0].1 >= pair[1].1), "{hits:?}");
        hits.into_iter().map(|(row, _)| row).collect()
    }

    #[test]
    fn each_mode_finds_what_it_is_for() {
        let (_directory, search) = items(true);
        assert_eq!(search.modes()[0], TextMode::Hybrid);
        assert_eq!(rows(&*search, "robot", TextMode::Lexical), [2, 0]);
        assert_eq!(rows(&*search, "robot", TextMode::Vector), [2, 1, 0, 3]);
        assert_eq!(rows(&*search, "robot", TextMode::Hybrid), [2, 0, 1]);
        // Nobody wrote that word, but its meaning is there.
        assert_eq!(rows(&*search, "android", TextMode::Lexical), Vec::<usize>::new());
        assert_eq!(rows(&*search, "android", TextMode::Hybrid), [1, 2]);
        // That one is far from all of it, and nothing else of the text is known.
        assert_eq!(rows(&*search, "cyborg", TextMode::Hybrid), Vec::<usize>::new());
        assert_eq!(rows(&*search, "cyborg garden", TextMode::Hybrid), [3, 2]);
        // A misspelt word has the meaning of the word that it was taken for.
        assert_eq!(rows(&*search, "robto", TextMode::Hybrid), [2, 0, 1]);
        // The encoder does not know that one.
        assert_eq!(rows(&*search, "garden", TextMode::Vector), Vec::<usize>::new());
        assert_eq!(rows(&*search, "garden", TextMode::Hybrid), [3]);
    }

    #[test]
    fn the_limit_holds_in_each_mode() {
        let (_directory, search) = items(true);
        for mode in search.modes() {
            assert_eq!(search.search("robot", *mode, 1).unwrap().len(), 1, "{mode:?}");
        }
    }

    #[test]
    fn without_vectors_there_are_words() {
        let (_directory, search) = items(false);
        assert_eq!(search.modes(), [TextMode::Lexical]);
        assert_eq!(rows(&*search, "robot", TextMode::Hybrid), [2, 0]);
        assert_eq!(rows(&*search, "robot", TextMode::Vector), Vec::<usize>::new());
    }
}
