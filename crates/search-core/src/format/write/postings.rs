//! What every term brings to every page and section, under the weights.

use std::cmp::Reverse;

use smallvec::SmallVec;

use super::lexicon::{Occurrence, TermEntry};
use super::{IndexBuilder, Kept, PAGE_FIELDS, PageField, PageWords, SECTION_FIELDS, SectionField};
use crate::format::terms::{PageToWrite, Place, SectionPosting, TermToWrite};
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

/// Computes postings.
pub(super) struct Impacts<'b> {
    builder: &'b IndexBuilder,
    pub(super) levels: Levels,
    averages: Averages,
    /// Words in the bodies of all sections of each page.
    body_lengths: Vec<u32>,
    title_idf: Vec<f64>,
    heading_idf: Vec<f64>,
}

/// The postings of an index, for the next one.
///
/// Those of a term depend on what is in [`Common`], on the words of the pages that have the term, and on their [`PageState`].
#[derive(Debug, Clone, Default)]
pub(super) struct KeptPostings {
    common: Option<Common>,
    pages: Vec<PageState>,
    /// By the number of the term.
    terms: Vec<Option<TermToWrite>>,
}

#[derive(Debug, Clone, PartialEq)]
struct Common {
    weights: Weights,
    averages: Averages,
    classes: usize,
}

/// What postings tell of a page that has the number which is its place in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
struct PageState {
    path: String,
    /// Levels of the idf of the whole title, and of the heading of each section.
    title: u8,
    headings: Vec<u8>,
}

impl KeptPostings {
    /// Forgets all terms of a page, whose words are no longer what they were, or were not there.
    pub(super) fn forget(&mut self, words: &PageWords) {
        for term in words.terms() {
            if let Some(known) = self.terms.get_mut(term as usize) {
                *known = None;
            }
        }
    }

    fn forget_all(&mut self) {
        *self = Self::default();
    }

    /// The postings of a term, computed where they are not known.
    pub(super) fn of(&mut self, term: u32, compute: impl FnOnce() -> TermToWrite) -> &TermToWrite {
        let term = term as usize;
        if term >= self.terms.len() {
            self.terms.resize_with(term + 1, || None);
        }
        self.terms[term].get_or_insert_with(compute)
    }
}

impl Kept {
    /// Forgets the postings of terms of the pages that the last builder had and this one has not.
    pub(super) fn forget_gone(&mut self) {
        if self.has_twins {
            self.postings.forget_all();
        }
        for (_, words) in self.last_words.values() {
            self.postings.forget(words);
        }
    }

    /// Forgets the postings of terms that may be others now.
    pub(super) fn forget_others(&mut self, impacts: &Impacts<'_>) {
        self.forget_gone();
        let Self { words, postings, .. } = self;
        let common = Common {
            weights: impacts.builder.weights.clone(),
            averages: impacts.averages.clone(),
            classes: impacts.levels.idf.len(),
        };
        if postings.common.as_ref() != Some(&common) {
            postings.forget_all();
        }
        postings.common = Some(common);
        let pages: Vec<PageState> = impacts.page_states().collect();
        for (number, page) in pages.iter().enumerate() {
            if postings.pages.get(number) != Some(page)
                && let Some((_, words)) = words.get(&page.path)
            {
                postings.forget(words);
            }
        }
        postings.pages = pages;
    }
}

/// Mean number of words of each field, over those that have any, rounded.
#[derive(Debug, Clone, PartialEq)]
struct Averages {
    pages: [f64; PAGE_FIELDS],
    sections: [f64; SECTION_FIELDS],
    page_body: f64,
}

impl<'b> Impacts<'b> {
    pub(super) fn new(builder: &'b IndexBuilder, terms: &[(u32, &TermEntry)]) -> Self {
        let IndexBuilder {
            pages,
            sections,
            weights,
            ..
        } = builder;
        let mut body_lengths = vec![0u32; pages.len()];
        for section in sections {
            let length = &mut body_lengths[section.page as usize];
            *length = length.saturating_add(section.lengths[SectionField::Body as usize]);
        }
        let averages = Averages {
            pages: std::array::from_fn(|field| mean(pages.iter().map(|page| page.lengths[field]))),
            sections: std::array::from_fn(|field| {
                mean(sections.iter().map(|section| section.lengths[field]))
            }),
            page_body: mean(body_lengths.iter().copied()),
        };
        let most = |weights: &[f64]| (weights.iter().sum::<f64>() * (builder.weights.k1 + 1.0)).max(1e-3);
        let Weights { page_body, .. } = *weights;
        let of_page = most(&weights.page_fields()) + page_body * (weights.k1 + 1.0);
        let of_section = most(&weights.section_fields());
        let levels = Levels {
            idf: idf_classes(sections.len()),
            page: geometric(of_page * SMALLEST, of_page, PAGE_LEVELS),
            section: geometric(of_section * SMALLEST, of_section, SECTION_LEVELS),
            whole: geometric(SMALLEST_WHOLE, LARGEST_WHOLE, WHOLE_LEVELS),
        };
        let mut impacts = Self {
            builder,
            levels,
            averages,
            body_lengths,
            title_idf: vec![0.0; pages.len()],
            heading_idf: vec![0.0; sections.len()],
        };
        for (_, term) in terms {
            let idf = f64::from(impacts.levels.idf[usize::from(impacts.class(term))]);
            for (page, occurrence) in &term.pages {
                if occurrence.frequencies[PageField::Title as usize] > 0 {
                    impacts.title_idf[*page as usize] += idf;
                }
            }
            for (section, occurrence) in &term.sections {
                if occurrence.frequencies[SectionField::Heading as usize] > 0 {
                    impacts.heading_idf[*section as usize] += idf;
                }
            }
        }
        impacts
    }

    fn page_states(&self) -> impl Iterator<Item = PageState> {
        let whole = |idf: &f64| level(&self.levels.whole, *idf);
        self.builder.pages.iter().enumerate().map(move |(number, page)| {
            let sections = page.first_section as usize..self.builder.end_of_sections(number);
            PageState {
                path: page.names.path.clone(),
                title: whole(&self.title_idf[number]),
                headings: self.heading_idf[sections].iter().map(whole).collect(),
            }
        })
    }

    /// The postings of a term, as they are written.
    pub(super) fn term(&self, entry: &TermEntry) -> TermToWrite {
        let mut pages = Vec::new();
        let mut own_fields = entry.pages.iter().peekable();
        let mut sections = entry.sections.as_slice();
        loop {
            let page_of_section = sections
                .first()
                .map(|(section, _)| self.builder.sections[*section as usize].page);
            let next_page = own_fields.peek().map(|(page, _)| *page);
            let Some(page) = [page_of_section, next_page].into_iter().flatten().min() else {
                break;
            };
            let own = own_fields
                .next_if(|(other, _)| *other == page)
                .map(|(_, own)| own);
            let end = self.builder.end_of_sections(page as usize);
            let count = sections.partition_point(|(section, _)| (*section as usize) < end);
            let (of_page, rest) = sections.split_at(count);
            sections = rest;
            pages.push(self.page(page, own, of_page));
        }
        keep_the_best(&mut pages, &self.levels);
        TermToWrite {
            class: self.class(entry),
            pages,
        }
    }

    fn page(
        &self,
        page: u32,
        own: Option<&Occurrence<PAGE_FIELDS>>,
        sections: &[(u32, Occurrence<SECTION_FIELDS>)],
    ) -> PageToWrite {
        let record = &self.builder.pages[page as usize];
        let weights = &self.builder.weights;
        let mut impact = 0.0;
        let mut title = None;
        if let Some(own) = own {
            impact += self.fields(
                own,
                &record.lengths,
                &self.averages.pages,
                &weights.page_fields(),
                None,
            );
            title = (own.frequencies[PageField::Title as usize] > 0)
                .then(|| self.place(self.title_idf[page as usize], own.position));
        }
        let in_bodies = sections.iter().fold(0u32, |sum, (_, occurrence)| {
            sum + u32::from(occurrence.frequencies[SectionField::Body as usize])
        });
        if in_bodies > 0 {
            let length = f64::from(self.body_lengths[page as usize]) / self.averages.page_body;
            impact += weights.page_body * saturated(f64::from(in_bodies), length, weights.k1, weights.b_text);
        }
        let section = |(section, occurrence): &(u32, Occurrence<SECTION_FIELDS>)| {
            let lengths = &self.builder.sections[*section as usize].lengths;
            let body = Some(SectionField::Body as usize);
            let impact = self.fields(
                occurrence,
                lengths,
                &self.averages.sections,
                &weights.section_fields(),
                body,
            );
            let in_heading = occurrence.frequencies[SectionField::Heading as usize] > 0;
            // Sections beyond this number of a page cannot be told apart; nobody has seen such a page.
            let ordinal = (section - record.first_section).min(u32::from(u16::MAX)) as u16;
            SectionPosting {
                ordinal,
                impact: level(&self.levels.section, impact),
                heading: in_heading
                    .then(|| self.place(self.heading_idf[*section as usize], occurrence.position)),
            }
        };
        let mut sections: SmallVec<[SectionPosting; 4]> = sections.iter().map(section).collect();
        sections.dedup_by_key(|section| section.ordinal);
        PageToWrite {
            page,
            impact: level(&self.levels.page, impact),
            title,
            sections,
        }
    }

    fn place(&self, whole_idf: f64, position: u8) -> Place {
        Place {
            whole: level(&self.levels.whole, whole_idf),
            position,
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
        } = self.builder.weights;
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

    /// The class of a term's idf.
    fn class(&self, entry: &TermEntry) -> u8 {
        class_of(self.document_frequency(entry)).min(self.levels.idf.len() - 1) as u8
    }

    /// How many sections a term reaches: those that hold it, and all of the pages that hold it.
    fn document_frequency(&self, entry: &TermEntry) -> usize {
        let mut reached = 0;
        let mut own = entry
            .sections
            .iter()
            .map(|(section, _)| *section as usize)
            .peekable();
        for (page, _) in &entry.pages {
            let first = self.builder.pages[*page as usize].first_section as usize;
            let end = self.builder.end_of_sections(*page as usize);
            while own.next_if(|section| *section < first).is_some() {
                reached += 1;
            }
            while own.next_if(|section| *section < end).is_some() {}
            reached += end - first;
        }
        reached + own.count()
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
