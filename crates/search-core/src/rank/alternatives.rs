//! What to propose when nothing was found.

use super::query::similar_words;
use super::semantic::{query_vector, vectors_of};
use super::{Alternatives, PageHit};
use crate::analysis::{Level, analyze};
use crate::index::Reading;
use crate::order::sort_by;

/// Queries that are proposed.
const QUERIES: usize = 3;
/// Pages that are proposed.
const PAGES: usize = 5;
/// Groups of sections that are looked into.
const CLUSTERS: usize = 2;
/// Misspelt words that are looked at.
const WORDS: usize = 4;

/// Proposes queries with words that the site knows, and pages that are near; nothing if files are missing for it.
pub(super) fn alternatives(reading: &mut Reading<'_>, query: &str, semantic: bool) -> Option<Alternatives> {
    let queries = queries(reading, query);
    let pages = if semantic {
        pages(reading, query)
    } else {
        Some(Vec::new())
    };
    reading.complete()?;
    Some(Alternatives {
        queries: queries?,
        pages: pages?,
    })
}

/// The query with its unknown words replaced by similar ones. Every known word finds something, so each of these does.
fn queries(reading: &mut Reading<'_>, query: &str) -> Option<Vec<String>> {
    let tokens = analyze(query);
    let mut words = Vec::new();
    for token in tokens
        .iter()
        .filter(|token| token.level == Level::Word)
        .take(WORDS)
    {
        if reading
            .postings(&token.term)
            .is_some_and(|postings| postings.is_none())
        {
            let similar = similar_words(reading, &token.form, QUERIES);
            words.push((token.start..token.end, similar));
        }
    }
    reading.complete()?;
    let mut queries: Vec<String> = Vec::new();
    for choice in 0..QUERIES {
        let mut proposed = String::new();
        let mut at = 0;
        let mut is_new = false;
        for (range, similar) in &words {
            let similar = similar.as_deref().unwrap_or_default();
            let Some(word) = similar.get(choice).or(similar.first()) else {
                continue;
            };
            is_new |= similar.len() > choice;
            proposed.push_str(&query[at..range.start]);
            proposed.push_str(word);
            at = range.end;
        }
        proposed.push_str(&query[at..]);
        let proposed = proposed.trim().to_owned();
        if is_new && !queries.contains(&proposed) {
            queries.push(proposed);
        }
    }
    Some(queries)
}

/// The pages of the sections that are nearest by their vectors.
fn pages(reading: &mut Reading<'_>, query: &str) -> Option<Vec<PageHit>> {
    if !reading.index.has_vectors() {
        return Some(Vec::new());
    }
    let clusters = reading.clusters();
    let vector = query_vector(reading, query, &[]);
    let (clusters, Some(vector)) = (clusters?, vector?) else {
        return Some(Vec::new());
    };
    let mut nearest: Vec<(f64, usize)> = clusters
        .clusters
        .iter()
        .enumerate()
        .map(|(index, cluster)| (vector.cosine(&cluster.centre), index))
        .collect();
    sort_by(&mut nearest, |left, right| {
        right.0.total_cmp(&left.0).then(left.1.cmp(&right.1))
    });
    let mut sections: Vec<(f64, u32, u32)> = Vec::new();
    for (_, index) in nearest.into_iter().take(CLUSTERS) {
        for (page, ordinal) in &clusters.clusters[index].sections {
            if let Some(row) = vectors_of(reading, *page).and_then(|rows| rows.get(*ordinal as usize)) {
                sections.push((vector.cosine(row), *page, *ordinal));
            }
        }
    }
    reading.complete()?;
    sort_by(&mut sections, |left, right| {
        right
            .0
            .total_cmp(&left.0)
            .then((left.1, left.2).cmp(&(right.1, right.2)))
    });
    let mut pages: Vec<u32> = Vec::new();
    for (_, page, _) in sections.into_iter().filter(|(cosine, _, _)| *cosine > 0.0) {
        if pages.len() < PAGES && !pages.contains(&page) {
            pages.push(page);
        }
    }
    let names: Vec<_> = pages.iter().map(|page| reading.names(*page)).collect();
    let hit = |(names, index): (&crate::format::names::NameFile, usize)| PageHit {
        path: names.path(index).to_owned(),
        title: names.title(index).to_owned(),
    };
    names.into_iter().map(|names| names.map(hit)).collect()
}
