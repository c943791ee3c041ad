//! A query over an [`Index`] into sections, best first.
//!
//! A query becomes groups of terms, one group a word (`query`); every section and page that holds a term of a group
//! earns something for it (`score`); no word is required. Where there are vectors, a second stage moves the best ones (`semantic`).
//! Query time uses only `+ - * /`, in a fixed order, so that native and WASM scores agree to the bit. Ties go to the section that
//! comes first.

mod alternatives;
mod fuzzy;
mod query;
mod score;
mod semantic;
mod stages;
mod weighting;
mod weights;

use std::cmp::Ordering;

use crate::hits::Metadata;
use crate::index::{Index, Reading, Step};
use crate::order::{keep_first, sort_by};
use score::SectionScore;
pub use stages::Stages;
pub(crate) use weighting::QueryWeights;
pub use weighting::Weights;

/// What a search should give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchOptions {
    /// How many sections at most.
    pub limit: usize,
    /// How many sections of one page at most: the others would only repeat that the page is a good one.
    pub per_page: usize,
    /// Whether the last word may still be being typed: then it stands for what begins with it too, unless the query ends
    /// with something else than a word.
    pub prefix_last: bool,
    /// Whether vectors take part, where there are any.
    pub semantic: bool,
    /// What is left out.
    pub without: Stages,
}

impl Default for SearchOptions {
    /// What the search modal of the site shows at first.
    fn default() -> Self {
        Self {
            limit: 10,
            per_page: 3,
            prefix_last: true,
            semantic: false,
            without: Stages::NONE,
        }
    }
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    /// The sections that answer, best first.
    pub hits: Vec<SectionHit>,
    /// The words that nobody knows, and what was searched instead.
    pub corrections: Vec<Correction>,
}

/// A word of the query that was taken for others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction {
    /// What the reader wrote, in lower case.
    pub typed: String,
    /// What was searched: words that are near, or the two words that were written as one.
    pub meant: Vec<String>,
}

/// A section that answers a query.
#[derive(Debug, Clone, PartialEq)]
pub struct SectionHit {
    /// Its place in the index.
    pub section_id: u32,
    /// How well it answers; comparable within one query only.
    pub score: f64,
    /// Path of its page, with the leading slash.
    pub path: String,
    /// Its anchor without `#`; empty for the top of the page.
    pub anchor: String,
    /// The name of the section of the site.
    pub folder: String,
    /// The title of the page.
    pub title: String,
    /// Its headings of levels 2 to 4; absent ones are empty.
    pub headings: [String; 3],
    /// Its text, if it has no heading: then this is what is shown of it.
    pub body: String,
}

/// What to try when nothing was found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Alternatives {
    /// Queries that have results.
    pub queries: Vec<String>,
    /// Pages that are about something near.
    pub pages: Vec<PageHit>,
}

/// A page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageHit {
    /// Its path, with the leading slash.
    pub path: String,
    /// Its title.
    pub title: String,
}

impl SectionHit {
    /// Path and anchor: `/docs/metrics/ndcg#formula`. It is the section's `item_id` and `url`.
    pub fn url(&self) -> String {
        if self.anchor.is_empty() {
            self.path.clone()
        } else {
            [&self.path, "#", &self.anchor].concat()
        }
    }

    /// The metadata that a live answer carries for this section, as far as it is shown.
    pub fn metadata(&self) -> Metadata {
        let present = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        let [header_2, header_3, header_4] = self.headings.each_ref().map(present);
        Metadata {
            item_id: Some(self.url()),
            url: Some(self.url()),
            folder: present(&self.folder),
            header_1: present(&self.title),
            header_2,
            header_3,
            header_4,
            body: present(&self.body),
        }
    }
}

impl Index {
    /// The sections that answer a query, best first. An empty query, or one without any word, has no answer.
    pub fn search(&mut self, query: &str, options: &SearchOptions) -> Step<Answer> {
        let asked = self.ask(|reading| search(reading, query, options));
        self.note(asked)
    }

    /// What to propose when a query found nothing; pages only if vectors are wanted, and there.
    pub fn alternatives(&mut self, query: &str, semantic: bool) -> Step<Alternatives> {
        let asked = self.ask(|reading| alternatives::alternatives(reading, query, semantic));
        self.note(asked)
    }
}

fn search(reading: &mut Reading<'_>, query: &str, options: &SearchOptions) -> Option<Answer> {
    let plan = query::plan(reading, query, options)?;
    let mut answer = Answer {
        hits: Vec::new(),
        corrections: plan.corrections,
    };
    if plan.groups.is_empty() || options.limit == 0 {
        return Some(answer);
    }
    let scores = score::score(&reading.index.core, &plan.groups, options.without);
    let is_semantic =
        options.semantic && reading.index.has_vectors() && !options.without.has(Stages::SEMANTIC);
    let scored = if is_semantic {
        semantic::refine(reading, query, &answer.corrections, scores)?
    } else {
        scores.sections
    };
    answer.hits = hits(reading, &best(scored, options))?;
    Some(answer)
}

fn best_first(left: &SectionScore, right: &SectionScore) -> Ordering {
    let place = |section: &SectionScore| (section.page, section.ordinal);
    right
        .score
        .total_cmp(&left.score)
        .then(place(left).cmp(&place(right)))
}

/// The best sections, not too many of one page.
fn best(mut scored: Vec<SectionScore>, options: &SearchOptions) -> Vec<SectionScore> {
    // Sorting everything would take longer than scoring it; more than these are needed only if one page has many good sections.
    let enough = options.limit.saturating_mul(8).saturating_add(64);
    if enough < scored.len() {
        let mut first = scored.clone();
        keep_first(&mut first, enough, best_first);
        let chosen = choose(&mut first, options);
        if chosen.len() >= options.limit {
            return chosen;
        }
    }
    choose(&mut scored, options)
}

fn choose(scored: &mut [SectionScore], options: &SearchOptions) -> Vec<SectionScore> {
    sort_by(scored, best_first);
    let mut chosen: Vec<SectionScore> = Vec::new();
    for section in scored {
        if chosen.len() >= options.limit {
            break;
        }
        let of_page = chosen.iter().filter(|other| other.page == section.page).count();
        if of_page < options.per_page {
            chosen.push(*section);
        }
    }
    chosen
}

/// What is shown of sections; nothing if files are missing for it.
fn hits(reading: &mut Reading<'_>, chosen: &[SectionScore]) -> Option<Vec<SectionHit>> {
    let mut hits = Vec::with_capacity(chosen.len());
    for SectionScore { page, ordinal, score } in chosen {
        let names = reading.names(*page);
        // The top of a page has no heading, nearly always: its text is asked for together with the names.
        if *ordinal == 0 {
            reading.text(*page, 0);
        }
        let Some((names, index)) = names else { continue };
        let Some(section) = names.section(index, *ordinal as usize) else {
            continue;
        };
        let has_heading = section.headings.iter().any(|heading| !heading.is_empty());
        let body = if has_heading {
            Some("")
        } else {
            reading.text(*page, *ordinal)
        };
        let folder = reading.index.core.folders.get(names.folder(index) as usize);
        hits.push(SectionHit {
            section_id: section.id,
            score: *score,
            path: names.path(index).to_owned(),
            anchor: section.anchor.to_owned(),
            folder: folder.cloned().unwrap_or_default(),
            title: names.title(index).to_owned(),
            headings: section.headings.map(str::to_owned),
            body: body.unwrap_or_default().to_owned(),
        });
    }
    reading.complete()?;
    Some(hits)
}
