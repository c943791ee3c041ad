//! What a document earns for the words of a text, by the idea of the search core's ranking.
//!
//! For each field, BM25 summed over the words and divided by what all words together are worth, so that a score means
//! the same for short and long texts; then the overlap of the text with the fields that are names (titles, headings):
//! the harmonic mean of "how much of the text is in the name" and "how much of the name is in the text", both by idf.
//! A document whose names together say what the text says and little else is the one that is meant: a page, rather than
//! one of its sections, each of which has the title of the page too.
//!
//! tantivy's own scores gather the candidates. Only these are looked at here, with exact numbers from the postings.

use search_core::Weights;
use tantivy::postings::Postings;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocAddress, DocId, DocSet, Searcher, SegmentReader, TERMINATED, Term};

use super::query::Group;

/// BM25's saturation and length normalisation.
const K1: f64 = Weights::LEARNT.k1;
const B_TEXT: f64 = Weights::LEARNT.b_text;
const B_NAME: f64 = Weights::LEARNT.b_short;

// Round numbers on a plateau. On two documentation sites with 57 and 164 questions, halving or doubling any one of
// these four moves nDCG@10 of a page by less than .015.

/// What BM25 counts in a name and in a text, when it is the first field; others count less by their place.
const NAME_WEIGHT: f64 = 0.5;
const TEXT_WEIGHT: f64 = 0.75;

/// What the overlap with the first name counts, and the best overlap with any of the other names.
const FIRST_OVERLAP: f64 = 1.0;
const OTHER_OVERLAP: f64 = 0.5;

/// What the overlap with all names together counts, to the power of four: names that say much else earn next to nothing, and what
/// was asked for in other words than those of a name keeps its order. Of the pages of two documentations, asked for by their titles,
/// 41 of 44 and 56 of 81 are the first hit themselves, and none of their sections (17 and 27 without it; with 2, 36 and 54, with 4,
/// 43 and 57); no set of judged queries loses more than .003 of nDCG@10.
const WHOLE_OVERLAP: f64 = 3.0;

/// What the last field counts beside the first.
const LAST_FIELD: f64 = 0.5;

/// A field whose texts have at most so many words on average is a name rather than a text.
const LONGEST_NAME: f64 = 12.0;

/// The searched fields of an index with what their ranking needs.
pub(super) struct Fields {
    fields: Vec<RankedField>,
    /// The idf of all words of all names, each word once, by segment and document.
    names_idf: Vec<Vec<f32>>,
}

struct RankedField {
    field: Field,
    weight: f64,
    average_length: f64,
    /// For a name: the idf of all its words together, by segment and document.
    name_idf: Option<Vec<Vec<f32>>>,
}

impl Fields {
    pub(super) fn read(
        searcher: &Searcher,
        fields: &[Field],
        idf: impl Fn(&str) -> Option<f64>,
    ) -> tantivy::Result<Fields> {
        let ranked = |(rank, field): (usize, &Field)| -> tantivy::Result<RankedField> {
            let average_length = average_length(searcher, *field)?;
            let name_idf = (average_length <= LONGEST_NAME)
                .then(|| names_idf(searcher, &[*field], &idf))
                .transpose()?;
            Ok(RankedField {
                field: *field,
                weight: weight(rank, fields.len())
                    * if name_idf.is_some() {
                        NAME_WEIGHT
                    } else {
                        TEXT_WEIGHT
                    },
                average_length,
                name_idf,
            })
        };
        let fields: Vec<RankedField> = fields.iter().enumerate().map(ranked).collect::<Result<_, _>>()?;
        let names = fields.iter().filter(|field| field.name_idf.is_some());
        let names: Vec<Field> = names.map(|name| name.field).collect();
        Ok(Fields {
            names_idf: names_idf(searcher, &names, &idf)?,
            fields,
        })
    }

    /// The fields with their weights: what gathers candidates.
    pub(super) fn weighted(&self) -> impl Iterator<Item = (Field, f64)> {
        self.fields.iter().map(|field| (field.field, field.weight))
    }

    /// The scores of documents, in the order in which they are given.
    pub(super) fn score(
        &self,
        searcher: &Searcher,
        groups: &[Group],
        documents: &[DocAddress],
    ) -> tantivy::Result<Vec<f64>> {
        let mut scores = vec![0.0; documents.len()];
        let total_idf = groups.iter().fold(0.0, |sum, group| sum + group.idf);
        if total_idf <= 0.0 {
            return Ok(scores);
        }
        for (segment_number, segment) in searcher.segment_readers().iter().enumerate() {
            let mut candidates: Vec<(DocId, usize)> = documents
                .iter()
                .enumerate()
                .filter(|(_, document)| document.segment_ord as usize == segment_number)
                .map(|(place, document)| (document.doc_id, place))
                .collect();
            candidates.sort_unstable();
            let earned = self.score_segment(segment_number, segment, groups, total_idf, &candidates)?;
            for ((_, place), earned) in candidates.iter().zip(earned) {
                scores[*place] = earned;
            }
        }
        Ok(scores)
    }

    fn score_segment(
        &self,
        segment_number: usize,
        segment: &SegmentReader,
        groups: &[Group],
        total_idf: f64,
        candidates: &[(DocId, usize)],
    ) -> tantivy::Result<Vec<f64>> {
        let mut earned = vec![0.0; candidates.len()];
        // What of the text's idf is found, by field and candidate.
        let mut matched = vec![vec![0.0; candidates.len()]; self.fields.len()];
        let mut matched_in_names = vec![0.0; candidates.len()];
        for group in groups {
            let mut best = vec![0.0; candidates.len()];
            let mut best_matched = vec![vec![0.0; candidates.len()]; self.fields.len()];
            for alternative in &group.alternatives {
                let mut sum = vec![0.0; candidates.len()];
                for (number, field) in self.fields.iter().enumerate() {
                    let inverted = segment.inverted_index(field.field)?;
                    let term = Term::from_field_text(field.field, &alternative.term);
                    let Some(mut postings) = inverted.read_postings(&term, IndexRecordOption::WithFreqs)?
                    else {
                        continue;
                    };
                    let lengths = segment.get_fieldnorms_reader(field.field)?;
                    for (candidate, (document, _)) in candidates.iter().enumerate() {
                        if postings.doc() < *document {
                            postings.seek(*document);
                        }
                        if postings.doc() == TERMINATED {
                            break;
                        }
                        if postings.doc() == *document {
                            let length = f64::from(lengths.fieldnorm(*document));
                            let frequency = f64::from(postings.term_freq());
                            sum[candidate] += field.weight * field.saturated(frequency, length);
                            let matched = &mut best_matched[number][candidate];
                            *matched = alternative.idf.max(*matched);
                        }
                    }
                }
                for (best, sum) in best.iter_mut().zip(sum) {
                    *best = (alternative.idf * sum).max(*best);
                }
            }
            for (earned, best) in earned.iter_mut().zip(best) {
                *earned += best / total_idf;
            }
            let best_in_names = |candidate: usize| {
                let names = self.fields.iter().zip(&best_matched);
                let names = names.filter(|(field, _)| field.name_idf.is_some());
                names.map(|(_, best)| best[candidate]).fold(0.0, f64::max)
            };
            for (candidate, matched) in matched_in_names.iter_mut().enumerate() {
                *matched += best_in_names(candidate);
            }
            for (matched, best) in matched.iter_mut().flatten().zip(best_matched.iter().flatten()) {
                *matched += best;
            }
        }
        let names = self.fields.iter().zip(&matched);
        let mut names = names.filter_map(|(field, matched)| {
            let name_idf = &field.name_idf.as_ref()?[segment_number];
            Some((name_idf, matched))
        });
        let overlap = |name_idf: &[f32], matched: &[f64], candidate: usize| {
            let (document, _) = candidates[candidate];
            let name_idf = f64::from(name_idf[document as usize]);
            // Two words of a text can be found in one of a name.
            2.0 * matched[candidate].min(name_idf) / (name_idf + total_idf)
        };
        let first = names.next();
        let others: Vec<_> = names.collect();
        for (candidate, earned) in earned.iter_mut().enumerate() {
            if let Some((name_idf, matched)) = first {
                *earned += FIRST_OVERLAP * overlap(name_idf, matched, candidate);
            }
            let best = others
                .iter()
                .map(|(name_idf, matched)| overlap(name_idf, matched, candidate))
                .fold(0.0, f64::max);
            *earned += OTHER_OVERLAP * best;
            let whole = overlap(&self.names_idf[segment_number], &matched_in_names, candidate);
            *earned += WHOLE_OVERLAP * whole.powi(4);
        }
        Ok(earned)
    }
}

impl RankedField {
    /// BM25 without the idf.
    fn saturated(&self, frequency: f64, length: f64) -> f64 {
        let b = if self.name_idf.is_some() { B_NAME } else { B_TEXT };
        frequency * (K1 + 1.0) / (frequency + K1 * (1.0 - b + b * length / self.average_length))
    }
}

/// The weight of the place `rank` of `fields`: from 1 for the first evenly down to [`LAST_FIELD`].
fn weight(rank: usize, fields: usize) -> f64 {
    if fields < 2 {
        1.0
    } else {
        1.0 - (1.0 - LAST_FIELD) * rank as f64 / (fields - 1) as f64
    }
}

/// The mean number of words over the documents that have any in the field; at least 1.
fn average_length(searcher: &Searcher, field: Field) -> tantivy::Result<f64> {
    let (mut words, mut documents) = (0, 0);
    for segment in searcher.segment_readers() {
        words += segment.inverted_index(field)?.total_num_tokens();
        let lengths = segment.get_fieldnorms_reader(field)?;
        documents += (0..segment.max_doc())
            .filter(|document| lengths.fieldnorm_id(*document) > 0)
            .count();
    }
    Ok((words as f64 / documents.max(1) as f64).max(1.0))
}

/// The sum of the idf of the words of fields, of a word in several of them once, by segment and document.
fn names_idf(
    searcher: &Searcher,
    fields: &[Field],
    idf: impl Fn(&str) -> Option<f64>,
) -> tantivy::Result<Vec<Vec<f32>>> {
    let mut segments = Vec::new();
    for segment in searcher.segment_readers() {
        let mut sums = vec![0.0_f32; segment.max_doc() as usize];
        for (number, field) in fields.iter().enumerate() {
            let inverted = segment.inverted_index(*field)?;
            let before: Vec<_> = fields[..number]
                .iter()
                .map(|field| segment.inverted_index(*field))
                .collect::<tantivy::Result<_>>()?;
            let mut terms = inverted.terms().stream()?;
            while terms.advance() {
                let Some(idf) = std::str::from_utf8(terms.key()).ok().and_then(&idf) else {
                    continue;
                };
                let mut counted = Vec::new();
                for before in &before {
                    if let Some(found) = before.terms().get(terms.key())? {
                        counted.push(before.read_postings_from_terminfo(&found, IndexRecordOption::Basic)?);
                    }
                }
                let mut postings =
                    inverted.read_postings_from_terminfo(terms.value(), IndexRecordOption::Basic)?;
                while postings.doc() != TERMINATED {
                    let document = postings.doc();
                    let is_counted = counted.iter_mut().any(|counted| {
                        counted.doc() == document
                            || (counted.doc() < document && counted.seek(document) == document)
                    });
                    if !is_counted {
                        sums[document as usize] += idf as f32;
                    }
                    postings.advance();
                }
            }
        }
        segments.push(sums);
    }
    Ok(segments)
}
