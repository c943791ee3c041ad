//! What a section earns for the words of a query.
//!
//! A term brings to a page and to a section what the writer put into its posting: BM25 of each field, weighted. A group earns
//! the best of its alternatives, times idf; the sum over the groups is divided by the query's total idf, so that a weight means the
//! same for short and long queries. To this comes the overlap of the query with the title and with the heading, weighted by idf:
//! the harmonic mean of "how much of the query is in the title" and "how much of the title is in the query". It counts once more
//! to the power of four: who writes a title whole means that page, however much others say of its words. A section earns what its
//! page earns, too.

use super::Stages;
use super::query::{Alternative, Group};
use crate::format::Core;
use crate::format::terms::Place;
use crate::order::sort_by;

/// What sections and pages earned.
pub(super) struct Scores {
    /// Pages in no particular order.
    pub(super) pages: Vec<PageScore>,
    /// The sections that hold a word, in no particular order, and the first sections of pages that do.
    pub(super) sections: Vec<SectionScore>,
}

/// What a page earned, for all of its sections.
pub(super) struct PageScore {
    pub(super) page: u32,
    pub(super) score: f64,
}

/// What a section earned, with its page.
#[derive(Debug, Clone, Copy)]
pub(super) struct SectionScore {
    pub(super) page: u32,
    pub(super) ordinal: u32,
    pub(super) score: f64,
}

/// What the overlap of a query with a name counts.
struct OverlapWeights {
    in_part: f64,
    whole: f64,
}

/// Scores everything that holds a word of the query.
pub(super) fn score(core: &Core, groups: &[Group<'_>], without: Stages) -> Scores {
    let total_idf = groups.iter().fold(0.0, |sum, group| sum + group.idf);
    let (mut pages, mut sections) = (Tally::default(), Tally::default());
    for group in groups {
        for Alternative { postings, idf } in &group.alternatives {
            for (page, page_sections) in postings.pages() {
                let impact = core.tables.page[usize::from(page.impact)];
                pages.offer(u64::from(page.page), *idf, impact, page.title);
                for section in page_sections {
                    let key = u64::from(page.page) << 16 | u64::from(section.ordinal);
                    let impact = core.tables.section[usize::from(section.impact)];
                    sections.offer(key, *idf, impact, section.heading);
                }
            }
        }
        pages.close_group(group.position);
        sections.close_group(group.position);
    }
    let weights = &core.weights;
    let weight = |stage: Stages, weight: f64| if without.has(stage) { 0.0 } else { weight };
    let title = OverlapWeights {
        in_part: weight(Stages::TITLE_OVERLAP, weights.title_overlap),
        whole: weight(Stages::TITLE_OVERLAP, weights.whole_title),
    };
    let heading = OverlapWeights {
        in_part: weight(Stages::HEADING_OVERLAP, weights.heading_overlap),
        whole: weight(Stages::HEADING_OVERLAP, weights.whole_heading),
    };
    let adjacency = weight(Stages::ADJACENCY, weights.adjacency);
    let page_weight = weight(Stages::PAGE, 1.0);
    pages.add_neighbours(adjacency);
    sections.add_neighbours(adjacency);
    let own_score = |entry: &Entry, weights: &OverlapWeights| {
        let overlap = if entry.matched > 0.0 {
            let whole = core.tables.whole[usize::from(entry.whole)];
            // Two words of a query can be found in one of a title.
            2.0 * entry.matched.min(whole) / (whole + total_idf)
        } else {
            0.0
        };
        let squared = overlap * overlap;
        entry.earned / total_idf + weights.in_part * overlap + weights.whole * squared * squared
    };
    let page_scores: Vec<PageScore> = pages
        .entries
        .iter()
        .map(|entry| PageScore {
            page: entry.key as u32,
            score: page_weight * own_score(entry, &title),
        })
        .collect();
    let mut scored = Vec::with_capacity(sections.entries.len() + page_scores.len());
    for entry in &sections.entries {
        let page = entry.key >> 16;
        let page_score = pages.slot(page).map_or(0.0, |slot| page_scores[slot].score);
        scored.push(SectionScore {
            page: page as u32,
            ordinal: entry.key as u32 & 0xFFFF,
            score: own_score(entry, &heading) + page_score,
        });
    }
    for PageScore { page, score } in &page_scores {
        if *score > 0.0 && sections.slot(u64::from(*page) << 16).is_none() {
            scored.push(SectionScore {
                page: *page,
                ordinal: 0,
                score: *score,
            });
        }
    }
    scored.retain(|section| section.score > 0.0);
    Scores {
        pages: page_scores,
        sections: scored,
    }
}

/// Adds up what places earn. Of the alternatives of one group only the best one counts at each place.
#[derive(Default)]
struct Tally {
    entries: Vec<Entry>,
    /// A hash table with open addressing: 1 + the place of an entry, or 0.
    table: Vec<u32>,
    /// The entries that the current group has touched.
    touched: Vec<u32>,
    /// Entry, place in the query, place in the title or heading, idf.
    named: Vec<(u32, u32, u8, f64)>,
}

struct Entry {
    key: u64,
    earned: f64,
    /// Sum of the idf of the groups found in the title or heading.
    matched: f64,
    /// Level of the idf of the whole title or heading.
    whole: u8,
    best: Best,
}

/// The best of the current group.
#[derive(Default, Clone, Copy)]
struct Best {
    earned: f64,
    matched: f64,
    position: Option<u8>,
    is_touched: bool,
}

impl Tally {
    fn offer(&mut self, key: u64, idf: f64, impact: f64, place: Option<Place>) {
        let slot = self.slot_or_new(key);
        let entry = &mut self.entries[slot as usize];
        if !entry.best.is_touched {
            entry.best.is_touched = true;
            self.touched.push(slot);
        }
        entry.best.earned = entry.best.earned.max(idf * impact);
        if let Some(place) = place {
            entry.whole = place.whole;
            if idf > entry.best.matched {
                entry.best.matched = idf;
                entry.best.position = Some(place.position);
            }
        }
    }

    fn close_group(&mut self, position: u32) {
        for slot in self.touched.drain(..) {
            let entry = &mut self.entries[slot as usize];
            let best = std::mem::take(&mut entry.best);
            entry.earned += best.earned;
            entry.matched += best.matched;
            if let Some(place) = best.position {
                self.named.push((slot, position, place, best.matched));
            }
        }
    }

    /// Rewards words that stand beside each other in the query and in the title or heading, in the same order.
    fn add_neighbours(&mut self, weight: f64) {
        if weight == 0.0 {
            return;
        }
        sort_by(&mut self.named, |left, right| {
            (left.0, left.1, left.2).cmp(&(right.0, right.1, right.2))
        });
        for pair in self.named.windows(2) {
            let [
                (slot, query, place, idf),
                (other_slot, other_query, other_place, other_idf),
            ] = pair
            else {
                continue;
            };
            if slot == other_slot
                && query + 1 == *other_query
                && u32::from(*place) + 1 == u32::from(*other_place)
            {
                self.entries[*slot as usize].earned += weight * 0.5 * (idf + other_idf);
            }
        }
    }

    /// The entry of a key.
    fn slot(&self, key: u64) -> Option<usize> {
        if self.table.is_empty() {
            return None;
        }
        let mut at = self.hash(key);
        loop {
            match self.table[at] {
                0 => return None,
                slot if self.entries[slot as usize - 1].key == key => return Some(slot as usize - 1),
                _ => at = (at + 1) & (self.table.len() - 1),
            }
        }
    }

    fn slot_or_new(&mut self, key: u64) -> u32 {
        if self.entries.len() * 2 >= self.table.len() {
            self.grow();
        }
        let mut at = self.hash(key);
        loop {
            match self.table[at] {
                0 => break,
                slot if self.entries[slot as usize - 1].key == key => return slot - 1,
                _ => at = (at + 1) & (self.table.len() - 1),
            }
        }
        self.entries.push(Entry {
            key,
            earned: 0.0,
            matched: 0.0,
            whole: 0,
            best: Best::default(),
        });
        self.table[at] = self.entries.len() as u32;
        self.entries.len() as u32 - 1
    }

    fn grow(&mut self) {
        let size = (self.table.len() * 2).max(1024);
        self.table = vec![0; size];
        for slot in 0..self.entries.len() {
            let mut at = self.hash(self.entries[slot].key);
            while self.table[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.table[at] = slot as u32 + 1;
        }
    }

    /// Multiplication spreads neighbouring keys; the upper bits are the good ones.
    fn hash(&self, key: u64) -> usize {
        let spread = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        spread as usize & (self.table.len() - 1)
    }
}
