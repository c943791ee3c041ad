//! A query over an index into sections, best first.
//!
//! A query becomes groups of terms, one group a word (`query`); every section and page that holds a term of a group
//! earns something for it (`score`); no word is required. Query time uses only `+ - * /`, in a fixed order, so that
//! native and WASM scores agree to the bit. Ties go to the section that comes first.

mod fuzzy;
mod query;
mod score;

use crate::format::Index;
use crate::hits::Metadata;

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
}

impl Default for SearchOptions {
    /// What the search modal of the site shows.
    fn default() -> Self {
        Self {
            limit: 10,
            per_page: 3,
            prefix_last: true,
        }
    }
}

/// A section that answers a query.
#[derive(Debug, Clone, PartialEq)]
pub struct SectionHit<'a> {
    /// Its place in the index.
    pub section_id: u32,
    /// How well it answers; comparable within one query only.
    pub score: f64,
    /// Path of its page, with the leading slash.
    pub path: &'a str,
    /// Its anchor without `#`; empty for the top of the page.
    pub anchor: &'a str,
    /// The name of the section of the site.
    pub folder: &'a str,
    /// The title of the page.
    pub title: &'a str,
    /// Its headings of levels 2 to 4; absent ones are empty.
    pub headings: [&'a str; 3],
    /// Its text.
    pub body: &'a str,
}

impl SectionHit<'_> {
    /// Path and anchor: `/docs/metrics/ndcg#formula`. It is the section's `item_id` and `url`.
    pub fn url(&self) -> String {
        if self.anchor.is_empty() {
            self.path.to_owned()
        } else {
            [self.path, "#", self.anchor].concat()
        }
    }

    /// The same metadata that a live answer carries for this section.
    pub fn metadata(&self) -> Metadata {
        let present = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let [header_2, header_3, header_4] = self.headings.map(present);
        Metadata {
            item_id: Some(self.url()),
            url: Some(self.url()),
            folder: present(self.folder),
            header_1: present(self.title),
            header_2,
            header_3,
            header_4,
            body: present(self.body),
        }
    }
}

impl Index {
    /// The sections that answer a query, best first. An empty query, or one without any word, has no answer.
    pub fn search(&self, query: &str, options: &SearchOptions) -> Vec<SectionHit<'_>> {
        let groups = query::groups(self, query, options.prefix_last);
        let mut scored = score::score(self, &groups, &score::WEIGHTS);
        scored.sort_unstable_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        let mut shown_of_page = vec![0usize; self.page_count()];
        let mut hits = Vec::new();
        for (section, score) in scored {
            if hits.len() >= options.limit {
                break;
            }
            let shown = &mut shown_of_page[self.sections[section as usize].page as usize];
            if *shown < options.per_page {
                *shown += 1;
                hits.push(self.hit(section, score));
            }
        }
        hits
    }

    fn hit(&self, section_id: u32, score: f64) -> SectionHit<'_> {
        let page = self.sections[section_id as usize].page;
        SectionHit {
            section_id,
            score,
            path: self.path(page),
            anchor: self.anchor(section_id),
            folder: self.folder(page),
            title: self.title(page),
            headings: self.headings(section_id),
            body: self.body(section_id),
        }
    }
}
