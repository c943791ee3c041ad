//! What every term brings to every page and section, under the weights.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use smallvec::SmallVec;

use super::lexicon::{InPage, InSection, Lexicon, Occurrence, PageWords};
use super::{IndexBuilder, PAGE_FIELDS, PageField, PageRecord, SECTION_FIELDS, SectionField};
use crate::format::codec::to_u32;
use crate::format::terms::{PageToWrite, Place, SectionPosting};
use crate::rank::Weights;

/// Steps of the impacts: some 8 % apart for pages, 17 % for sections. Coarser ones are smaller; see the decision record for what they
/// cost.
const PAGE_LEVELS: usize = 40;
const SECTION_LEVELS: usize = 24;
/// The smallest impact that is told apart from nothing, as a part of the largest.
const SMALLEST: f64 = 1.0 / 96.0;
/// Steps of the idf of whole titles and headings.
const WHOLE_LEVELS: usize = 80;
const SMALLEST_WHOLE: f64 = 0.1;
const LARGEST_WHOLE: f64 = 200.0;
/// A term keeps so many pages, the best ones: a word that is on more of them says little about any. It is the same for every layout.
const MAX_PAGES: usize = 512;
/// A term keeps so many sections, the best ones.
const MAX_SECTIONS: usize = 2048;

/// What the bytes in postings mean.
#[derive(Debug, Clone)]
pub(super) struct Levels {
    pub(super) idf: Vec<f32>,
    pub(super) page: Vec<f32>,
    pub(super) section: Vec<f32>,
    pub(super) whole: Vec<f32>,
}

/// The postings of an index, and what is needed to find out which of them are others in the next one.
///
/// Those of a page depend on what is in [`Common`], on its words, and on its [`Wholes`]; nothing else of other pages is in them. Where
/// the first is another, all are made anew.
#[derive(Debug, Clone, Default)]
pub(super) struct Postings {
    common: Option<Common>,
    /// See [`Levels`].
    idf: Vec<f32>,
    /// Of each page.
    wholes: Vec<Wholes>,
    /// By the number of the term.
    terms: Vec<Term>,
    /// The words of pages that are others since then, or gone.
    replaced: BTreeMap<u32, PageWords>,
}

/// A term with its postings.
#[derive(Debug, Clone, Default)]
struct Term {
    /// How many sections it reaches: those that hold it, and all of the pages that hold it.
    reach: u32,
    /// How many pages hold it.
    page_count: u32,
    /// The class of its idf.
    class: u8,
    /// Whether class or pages are others than in the index before.
    has_changed: bool,
    pages: Vec<PageToWrite>,
    /// Those that are written, where they are not all of them.
    best: Option<Vec<PageToWrite>>,
}

#[derive(Debug, Clone, PartialEq)]
struct Common {
    weights: Weights,
    averages: Averages,
}

/// Levels of the idf of the whole title, and of the heading of each section.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Wholes {
    title: u8,
    headings: Vec<u8>,
}

/// Which pages are others than in the index before.
pub(super) struct Changes(BTreeSet<u32>);

impl Changes {
    /// Whether one of these pages is another.
    pub(super) fn touch(&self, pages: Range<usize>) -> bool {
        match self.0.range(to_u32(pages.start)..).next() {
            Some(page) => pages.contains(&(*page as usize)),
            None => false,
        }
    }
}

impl Postings {
    /// Notes what the words of a page were, which is another now, or gone.
    pub(super) fn has_replaced(&mut self, page: u32, words: PageWords) {
        // What the index before had counts.
        self.replaced.entry(page).or_insert(words);
    }

    /// The numbers of the terms that pages have, in the order of the terms.
    pub(super) fn sorted(&self, lexicon: &Lexicon) -> Vec<u32> {
        let order = lexicon.term_order().iter().copied();
        order
            .filter(|term| self.terms[*term as usize].reach > 0)
            .collect()
    }

    /// Whether a term has other postings than in the index before.
    pub(super) fn has_changed(&self, term: u32) -> bool {
        self.terms[term as usize].has_changed
    }

    /// The class of a term's idf, and the pages that are written.
    pub(super) fn of(&self, term: u32) -> (u8, &[PageToWrite]) {
        let term = &self.terms[term as usize];
        (term.class, term.best.as_ref().unwrap_or(&term.pages))
    }

    /// Makes them those of the pages of a builder, whose lexicon is in order.
    pub(super) fn update(&mut self, builder: &IndexBuilder) -> (Levels, Changes) {
        let IndexBuilder {
            pages,
            lexicon,
            section_count,
            weights,
            ..
        } = builder;
        let levels = Levels::new(weights, *section_count);
        let common = Common {
            weights: weights.clone(),
            averages: Averages::of(pages),
        };
        if self.common.as_ref() != Some(&common) {
            *self = Self::default();
        }
        let known = self.wholes.len();
        let mut replaced = std::mem::take(&mut self.replaced);
        replaced.retain(|page, _| (*page as usize) < known);
        let changed = replaced.keys().copied().chain(to_u32(known)..to_u32(pages.len()));
        let changed: BTreeSet<u32> = changed.filter(|page| (*page as usize) < pages.len()).collect();

        self.terms.resize_with(lexicon.term_count(), Term::default);
        self.terms.iter_mut().for_each(|term| term.has_changed = false);
        for words in replaced.values() {
            for found in words.terms() {
                let term = &mut self.terms[found.term as usize];
                term.reach -= found.reach(words.section_lengths.len());
                term.page_count -= 1;
            }
        }
        for page in &changed {
            let words = &pages[*page as usize].words;
            for found in words.terms() {
                let term = &mut self.terms[found.term as usize];
                term.reach += found.reach(words.section_lengths.len());
                term.page_count += 1;
            }
        }

        let has_idf = self.idf == levels.idf;
        let mut to_weigh = changed.clone();
        for term in &mut self.terms {
            let class = class_of(term.reach as usize).min(levels.idf.len() - 1) as u8;
            if class == term.class {
                continue;
            }
            (term.class, term.has_changed) = (class, true);
            let is_named = |page: &&PageToWrite| {
                page.title.is_some() || page.sections.iter().any(|section| section.heading.is_some())
            };
            to_weigh.extend(term.pages.iter().filter(is_named).map(|page| page.page));
        }
        if !has_idf {
            self.idf.clone_from(&levels.idf);
            to_weigh = (0..to_u32(pages.len())).collect();
        }
        let mut stale = changed.clone();
        self.weigh(to_weigh, builder, &levels, &mut stale);

        for (page, words) in &replaced {
            let now = pages.get(*page as usize).map(|page| &page.words);
            for found in words.terms() {
                if !now.is_some_and(|now| now.has(found.term)) {
                    self.terms[found.term as usize].remove(*page);
                }
            }
        }
        let impacts = Impacts {
            weights,
            levels: &levels,
            averages: &common.averages,
        };
        for page in stale {
            let words = &pages[page as usize].words;
            let wholes = &self.wholes[page as usize];
            let body_length = body_length(words);
            for found in words.terms() {
                let posting = impacts.page(page, found, words, body_length, wholes);
                self.terms[found.term as usize].put(posting);
            }
        }
        self.common = Some(common);
        let changed_terms = self.terms.iter_mut().filter(|term| term.has_changed);
        changed_terms.for_each(|term| term.choose(&levels));
        (levels, Changes(changed))
    }

    /// Computes the [`Wholes`] of pages; `stale` are those that have others.
    fn weigh(
        &mut self,
        to_weigh: BTreeSet<u32>,
        IndexBuilder { pages, lexicon, .. }: &IndexBuilder,
        levels: &Levels,
        stale: &mut BTreeSet<u32>,
    ) {
        // Sums of fractions depend on their order.
        let mut ranks = vec![0u32; lexicon.term_count()];
        for (rank, term) in (0..).zip(lexicon.term_order()) {
            ranks[*term as usize] = rank;
        }
        let idf = |term: &u32| f64::from(levels.idf[usize::from(self.terms[*term as usize].class)]);
        let none = Wholes {
            title: 0,
            headings: Vec::new(),
        };
        let mut wholes = std::mem::take(&mut self.wholes);
        wholes.resize(pages.len(), none);
        for page in to_weigh.into_iter().filter(|page| (*page as usize) < pages.len()) {
            let words = &pages[page as usize].words;
            let mut title: Vec<u32> = words.title().collect();
            title.sort_unstable_by_key(|term| ranks[*term as usize]);
            let mut headings: Vec<(u32, u32)> = words.headings().collect();
            headings.sort_unstable_by_key(|(section, term)| (*section, ranks[*term as usize]));
            let mut sums = vec![0.0; words.section_lengths.len()];
            for (section, term) in &headings {
                sums[*section as usize] += idf(term);
            }
            let whole = |idf: f64| level(&levels.whole, idf);
            let now = Wholes {
                title: whole(title.iter().map(idf).fold(0.0, |sum, idf| sum + idf)),
                headings: sums.into_iter().map(whole).collect(),
            };
            if wholes[page as usize] != now {
                wholes[page as usize] = now;
                stale.insert(page);
            }
        }
        self.wholes = wholes;
    }
}

impl Term {
    fn put(&mut self, posting: PageToWrite) {
        if self.pages.is_empty() {
            self.pages.reserve_exact(self.page_count as usize);
        }
        let place = match self.pages.last() {
            Some(last) if last.page >= posting.page => {
                self.pages.binary_search_by_key(&posting.page, |other| other.page)
            }
            _ => Err(self.pages.len()),
        };
        match place {
            Ok(place) if self.pages[place] == posting => return,
            Ok(place) => self.pages[place] = posting,
            Err(place) => self.pages.insert(place, posting),
        }
        self.has_changed = true;
    }

    fn remove(&mut self, page: u32) {
        if let Ok(place) = self.pages.binary_search_by_key(&page, |other| other.page) {
            self.pages.remove(place);
            self.has_changed = true;
        }
    }

    /// Chooses the postings that are written.
    fn choose(&mut self, levels: &Levels) {
        let sections: usize = self.pages.iter().map(|page| page.sections.len()).sum();
        let has_too_many = self.pages.len() > MAX_PAGES || sections > MAX_SECTIONS;
        self.best = has_too_many.then(|| {
            let mut best = self.pages.clone();
            keep_the_best(&mut best, levels);
            best
        });
    }
}

/// Mean number of words of each field, over those that have any, rounded.
#[derive(Debug, Clone, PartialEq)]
struct Averages {
    pages: [f64; PAGE_FIELDS],
    sections: [f64; SECTION_FIELDS],
    page_body: f64,
}

impl Averages {
    fn of(pages: &[PageRecord]) -> Self {
        let words = || pages.iter().map(|page| &page.words);
        let sections = || words().flat_map(|words| &words.section_lengths);
        Self {
            pages: std::array::from_fn(|field| mean(words().map(|words| words.lengths[field]))),
            sections: std::array::from_fn(|field| mean(sections().map(|lengths| lengths[field]))),
            page_body: mean(words().map(body_length)),
        }
    }
}

/// Words in the bodies of all sections of a page.
fn body_length(words: &PageWords) -> u32 {
    let lengths = words.section_lengths.iter();
    let bodies = lengths.map(|lengths| lengths[SectionField::Body as usize]);
    bodies.fold(0, u32::saturating_add)
}

impl Levels {
    fn new(weights: &Weights, section_count: usize) -> Self {
        let most = |fields: &[f64]| (fields.iter().sum::<f64>() * (weights.k1 + 1.0)).max(1e-3);
        let of_page = most(&weights.page_fields()) + weights.page_body * (weights.k1 + 1.0);
        let of_section = most(&weights.section_fields());
        Self {
            idf: idf_classes(section_count),
            page: geometric(of_page * SMALLEST, of_page, PAGE_LEVELS),
            section: geometric(of_section * SMALLEST, of_section, SECTION_LEVELS),
            whole: geometric(SMALLEST_WHOLE, LARGEST_WHOLE, WHOLE_LEVELS),
        }
    }
}

/// Computes what terms bring to pages.
struct Impacts<'b> {
    weights: &'b Weights,
    levels: &'b Levels,
    averages: &'b Averages,
}

impl Impacts<'_> {
    fn page(
        &self,
        page: u32,
        found: InPage<'_>,
        words: &PageWords,
        body_length: u32,
        wholes: &Wholes,
    ) -> PageToWrite {
        let Self {
            weights,
            levels,
            averages,
        } = self;
        let mut impact = 0.0;
        let mut title = None;
        if let Some(own) = found.own {
            impact += self.fields(
                &own,
                &words.lengths,
                &averages.pages,
                &weights.page_fields(),
                None,
            );
            title = (own.frequencies[PageField::Title as usize] > 0).then_some(Place {
                whole: wholes.title,
                position: own.position,
            });
        }
        let in_bodies = found.sections.iter().fold(0u32, |sum, found| {
            sum + u32::from(found.occurrence.frequencies[SectionField::Body as usize])
        });
        if in_bodies > 0 {
            let length = f64::from(body_length) / averages.page_body;
            impact += weights.page_body * saturated(f64::from(in_bodies), length, weights.k1, weights.b_text);
        }
        let section = |found: &InSection| {
            let InSection {
                section, occurrence, ..
            } = found;
            let body = Some(SectionField::Body as usize);
            let impact = self.fields(
                occurrence,
                &words.section_lengths[*section as usize],
                &averages.sections,
                &weights.section_fields(),
                body,
            );
            let in_heading = occurrence.frequencies[SectionField::Heading as usize] > 0;
            SectionPosting {
                // Sections beyond this number of a page cannot be told apart; nobody has seen such a page.
                ordinal: (*section).min(u32::from(u16::MAX)) as u16,
                impact: level(&levels.section, impact),
                heading: in_heading.then_some(Place {
                    whole: wholes.headings[*section as usize],
                    position: occurrence.position,
                }),
            }
        };
        let mut sections: SmallVec<[SectionPosting; 4]> = found.sections.iter().map(section).collect();
        sections.dedup_by_key(|section| section.ordinal);
        PageToWrite {
            page,
            impact: level(&levels.page, impact),
            title,
            sections,
        }
    }

    /// The weighted sum over the fields; `text` is the field that is a text rather than a few words.
    fn fields<const FIELDS: usize>(
        &self,
        occurrence: &Occurrence<FIELDS>,
        lengths: &[u32; FIELDS],
        averages: &[f64; FIELDS],
        weights: &[f64; FIELDS],
        text: Option<usize>,
    ) -> f64 {
        let Weights {
            k1, b_text, b_short, ..
        } = *self.weights;
        let mut earned = 0.0;
        for (field, frequency) in occurrence.frequencies.into_iter().enumerate() {
            if frequency > 0 {
                let relative_length = f64::from(lengths[field]) / averages[field];
                let b = if Some(field) == text { b_text } else { b_short };
                earned += weights[field] * saturated(f64::from(frequency), relative_length, k1, b);
            }
        }
        earned
    }
}

impl Weights {
    fn page_fields(&self) -> [f64; PAGE_FIELDS] {
        let mut weights = [0.0; PAGE_FIELDS];
        weights[PageField::Title as usize] = self.page_title;
        weights[PageField::Url as usize] = self.page_url;
        weights[PageField::About as usize] = self.page_about;
        weights[PageField::Links as usize] = self.page_links;
        weights
    }

    fn section_fields(&self) -> [f64; SECTION_FIELDS] {
        let mut weights = [0.0; SECTION_FIELDS];
        weights[SectionField::Body as usize] = self.section_body;
        weights[SectionField::Heading as usize] = self.section_heading;
        weights[SectionField::Path as usize] = self.section_path;
        weights[SectionField::Links as usize] = self.section_links;
        weights
    }
}

/// Leaves the best pages and sections of a term: those with it in title or heading first, then by impact.
fn keep_the_best(pages: &mut Vec<PageToWrite>, levels: &Levels) {
    if pages.len() > MAX_PAGES {
        // Not negative, so that their bits are in their order.
        let value = |page: &PageToWrite| {
            let best = |impact: u8| f64::from(levels.section[usize::from(impact)]);
            let sections = page.sections.iter().map(|section| best(section.impact));
            let in_heading = page.sections.iter().any(|section| section.heading.is_some());
            let named = 2.0 * f64::from(u8::from(page.title.is_some())) + f64::from(u8::from(in_heading));
            let best = sections.fold(0.0, f64::max);
            (8.0 * named + f64::from(levels.page[usize::from(page.impact)]) + best).to_bits()
        };
        pages.sort_by_cached_key(|page| (Reverse(value(page)), page.page));
        pages.truncate(MAX_PAGES);
        pages.sort_unstable_by_key(|page| page.page);
    }
    let count: usize = pages.iter().map(|page| page.sections.len()).sum();
    if count > MAX_SECTIONS {
        let value =
            |section: &SectionPosting| u16::from(section.impact) + 256 * u16::from(section.heading.is_some());
        let mut values: Vec<u16> = pages
            .iter()
            .flat_map(|page| page.sections.iter().map(value))
            .collect();
        values.sort_unstable();
        // Of those that are worth as much as the worst that stays, the first ones stay.
        let worst = values[count - MAX_SECTIONS];
        let mut ties = values[count - MAX_SECTIONS..]
            .iter()
            .take_while(|value| **value == worst)
            .count();
        for page in pages {
            page.sections.retain(|section| {
                let value = value(section);
                let is_tie = value == worst && ties > 0;
                ties -= usize::from(is_tie);
                value > worst || is_tie
            });
        }
    }
}

/// BM25 without the idf.
fn saturated(frequency: f64, relative_length: f64, k1: f64, b: f64) -> f64 {
    frequency * (k1 + 1.0) / (frequency + k1 * (1.0 - b + b * relative_length))
}

/// Levels at equal ratios; 0 is nothing.
fn geometric(smallest: f64, largest: f64, count: usize) -> Vec<f32> {
    let ratio = (largest / smallest).ln() / (count - 1) as f64;
    let level = |index: usize| (smallest * (ratio * index as f64).exp()) as f32;
    [0.0].into_iter().chain((0..count).map(level)).collect()
}

/// The nearest level; 0 only for nothing.
fn level(levels: &[f32], value: f64) -> u8 {
    if value <= 0.0 {
        return 0;
    }
    // They are few: to count is faster than to search.
    let above = levels.iter().filter(|level| f64::from(**level) < value).count();
    let is_below_nearer = above >= levels.len()
        || above > 1 && value - f64::from(levels[above - 1]) < f64::from(levels[above]) - value;
    (if is_below_nearer { above - 1 } else { above }).max(1) as u8
}

/// Frequencies below 16 have a class of their own, then eight share each doubling: a few hundred bytes say the idf of all terms.
fn class_of(frequency: usize) -> usize {
    if frequency < 16 {
        return frequency;
    }
    let doublings = frequency.ilog2() as usize - 4;
    16 + 8 * doublings + ((frequency >> (doublings + 1)) & 7)
}

/// `ln(1 + (N - n + 0.5) / (n + 0.5))` for each class: the one place with a logarithm, which is not the same to the last bit on every
/// machine. Readers only add, subtract, multiply and divide.
fn idf_classes(sections: usize) -> Vec<f32> {
    let total = sections as f64;
    let idf = |class: usize| {
        let frequency = if class < 16 {
            class as f64
        } else {
            let width = 2f64.powi(((class - 16) / 8) as i32);
            // The middle of the class.
            (16.0 + 2.0 * ((class - 16) % 8) as f64) * width + width - 0.5
        };
        let frequency = frequency.min(total);
        (1.0 + (total - frequency + 0.5) / (frequency + 0.5)).ln() as f32
    };
    (0..=class_of(sections)).map(idf).collect()
}

/// Mean of the numbers above zero, rounded; 1 if there are none, so that it can be divided by.
fn mean(lengths: impl Iterator<Item = u32>) -> f64 {
    let (mut sum, mut count) = (0u64, 0u64);
    for length in lengths.filter(|length| *length > 0) {
        sum += u64::from(length);
        count += 1;
    }
    if count == 0 {
        1.0
    } else {
        rounded(sum as f64 / count as f64)
    }
}

/// The nearest number with six bits behind the first one: less than a hundredth away. What a word brings to a page is the same then as
/// long as the page is; the exact mean would be another with each text that changes.
fn rounded(value: f64) -> f64 {
    const LOST_BITS: u32 = f64::MANTISSA_DIGITS - 1 - 6;
    let half = 1 << (LOST_BITS - 1);
    f64::from_bits((value.to_bits() + half) >> LOST_BITS << LOST_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_frequencies_are_in_order_and_narrow() {
        let mut last = 0;
        for frequency in 0..200_000 {
            let class = class_of(frequency);
            assert!(class == last || class == last + 1, "{frequency}");
            last = class;
        }
        assert!(last < 256);
        let idfs = idf_classes(200_000);
        for frequency in [1, 15, 16, 17, 18, 100, 5_000, 150_000] {
            let exact = (1.0 + (200_000.0 - frequency as f64 + 0.5) / (frequency as f64 + 0.5)).ln();
            let class = f64::from(idfs[class_of(frequency)]);
            assert!((exact - class).abs() < 0.08, "{frequency}: {exact} {class}");
        }
    }

    #[test]
    fn a_level_is_the_nearest_one() {
        let levels = geometric(0.1, 10.0, 9);
        for (index, value) in levels.iter().enumerate().skip(1) {
            assert_eq!(usize::from(level(&levels, f64::from(*value) * 1.01)), index);
            assert_eq!(usize::from(level(&levels, f64::from(*value) * 0.99)), index);
        }
        assert_eq!(
            (level(&levels, 0.0), level(&levels, 1e-9), level(&levels, 1e9)),
            (0, 1, 9)
        );
    }
}
