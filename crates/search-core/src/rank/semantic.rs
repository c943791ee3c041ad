//! The second stage: sections of the best pages are compared with the query by their vectors.
//!
//! Only candidates of the first stage are looked at: the sections of the best twenty pages keep the whole gain of looking at all
//! of them, and need a few kilobytes instead of all vectors.

use super::score::{Scores, SectionScore};
use super::{Correction, best_first};
use crate::format::semantic::Row;
use crate::index::Reading;
use crate::order::{keep_first, sort_by};
use crate::vector::{dot, inverse_root, pieces};

/// Pages whose sections are compared.
const CANDIDATE_PAGES: usize = 20;

/// The vector of a query.
pub(super) struct QueryVector(Vec<f64>);

impl QueryVector {
    /// The cosine of the angle between the query and a section.
    pub(super) fn cosine(&self, row: &Row) -> f64 {
        dot(&self.0, &row.values) * row.inverse_norm
    }
}

/// The vector of a query, and of what its misspelt words were taken for. The inner nothing: the table knows none of its pieces.
pub(super) fn query_vector(
    reading: &mut Reading<'_>,
    query: &str,
    corrections: &[Correction],
) -> Option<Option<QueryVector>> {
    let dimensions = reading.index.core.semantic.as_ref()?.dimensions;
    let semantic = reading.semantic()?;
    let mut rows = Vec::new();
    let mut add = |text: &str| pieces(text, &mut |piece| semantic.row(piece), &mut |row| rows.push(row));
    add(query);
    for correction in corrections {
        correction.meant.iter().take(1).for_each(|meant| add(meant));
    }
    // In a fixed order, so that the order of the words changes no bit.
    sort_by(&mut rows, u32::cmp);
    let mut sum = vec![0.0; dimensions];
    for row in &rows {
        let Some(file) = reading.rows(row / semantic.rows_per_file) else {
            continue;
        };
        if let Some((scale, values)) = file.rows.get((row % semantic.rows_per_file) as usize) {
            for (sum, value) in sum.iter_mut().zip(values) {
                *sum += scale * f64::from(*value);
            }
        }
    }
    reading.complete()?;
    let inverse = inverse_root(sum.iter().fold(0.0, |squares, value| squares + value * value));
    if inverse == 0.0 {
        return Some(None);
    }
    sum.iter_mut().for_each(|value| *value *= inverse);
    Some(Some(QueryVector(sum)))
}

/// Adds what the vectors say to the scores of the best pages' sections.
pub(super) fn refine(
    reading: &mut Reading<'_>,
    query: &str,
    corrections: &[Correction],
    scores: Scores,
) -> Option<Vec<SectionScore>> {
    let Scores { pages, mut sections } = scores;
    let candidates = best_pages(&sections);
    // Asked for before anything is computed, so that rows and vectors are loaded in one go.
    let vector = query_vector(reading, query, corrections);
    let files: Vec<_> = candidates.iter().map(|page| vectors_of(reading, *page)).collect();
    let vector = vector?;
    reading.complete()?;
    let Some(vector) = vector else {
        return Some(sections);
    };
    let weight = reading.index.core.weights.semantic;
    for (page, rows) in candidates.into_iter().zip(files) {
        let rows = rows?;
        let page_score = pages
            .iter()
            .find(|other| other.page == page)
            .map_or(0.0, |page| page.score);
        let mut own = vec![page_score; rows.len()];
        sections.retain(|section| {
            let place = own
                .get_mut(section.ordinal as usize)
                .filter(|_| section.page == page);
            match place {
                Some(place) => {
                    *place = section.score;
                    false
                }
                None => true,
            }
        });
        for (ordinal, (score, row)) in own.into_iter().zip(rows).enumerate() {
            sections.push(SectionScore {
                page,
                ordinal: ordinal as u32,
                score: score + weight * vector.cosine(row),
            });
        }
    }
    sections.retain(|section| section.score > 0.0);
    Some(sections)
}

/// The vectors of a page's sections.
pub(super) fn vectors_of<'i>(reading: &mut Reading<'i>, page: u32) -> Option<&'i [Row]> {
    let semantic = reading.semantic()?;
    let file = semantic
        .first_pages
        .partition_point(|first_page| *first_page <= page);
    if file == 0 {
        return Some(&[]);
    }
    Some(reading.vectors(file - 1)?.page(page))
}

fn best_pages(sections: &[SectionScore]) -> Vec<u32> {
    let mut pages = Vec::new();
    // More are needed only if few pages have many good sections.
    for count in [32 * CANDIDATE_PAGES, usize::MAX] {
        let mut best = sections.to_vec();
        keep_first(&mut best, count, best_first);
        sort_by(&mut best, best_first);
        pages.clear();
        for section in &best {
            if pages.len() < CANDIDATE_PAGES && !pages.contains(&section.page) {
                pages.push(section.page);
            }
        }
        if pages.len() == CANDIDATE_PAGES || best.len() == sections.len() {
            break;
        }
    }
    pages
}
