//! Terms and what they bring to a score.
//!
//! | stream | holds |
//! |---|---|
//! | 0, 1, 2 | the terms in order, front-coded: shared bytes, own bytes, letters |
//! | 3 | per term: the class of its idf, how many pages |
//! | 4 | per page: the step from the page before |
//! | 5 | per page: level of the impact, and in the lowest bit whether the title has the term |
//! | 6 | per page whose title has it: level of the title's whole idf, place in the title |
//! | 7 | per page: how many sections |
//! | 8 | per section: the step from the section before |
//! | 9 | per section: level of the impact, and in the lowest bit whether the heading has the term |
//! | 10 | per section whose heading has it: level of the heading's whole idf, place in the heading |

use super::codec::{Reader, Strings, all_read};
#[cfg(feature = "write")]
use super::codec::{StringsWriter, put_streams, put_varint, to_u32};

/// Neighbouring terms with their postings.
#[derive(Debug, Clone)]
pub(crate) struct TermFile {
    terms: Strings,
    records: Vec<TermRecord>,
    pages: Vec<PagePosting>,
    sections: Vec<SectionPosting>,
}

#[derive(Debug, Clone, Copy)]
struct TermRecord {
    class: u8,
    pages_end: u32,
}

/// A page that holds a term, in its own fields or in a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PagePosting {
    pub(crate) page: u32,
    /// Level of what the term brings to the page; 0 is nothing.
    pub(crate) impact: u8,
    pub(crate) title: Option<Place>,
    /// Where its sections end among all of the file.
    sections_end: u32,
}

/// A section that holds a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SectionPosting {
    /// Which section of its page.
    pub(crate) ordinal: u16,
    /// Level of what the term brings to the section; 0 is nothing.
    pub(crate) impact: u8,
    pub(crate) heading: Option<Place>,
}

/// A title or a heading that holds a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// Level of the idf of all of its terms together.
    pub(crate) whole: u8,
    /// Which of its words the term is, the first time.
    pub(crate) position: u8,
}

/// The postings of one term.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Postings<'a> {
    /// Which idf the term has.
    pub(crate) class: u8,
    file: &'a TermFile,
    first_page: usize,
    end_page: usize,
}

impl TermFile {
    pub(crate) fn read(bytes: &[u8], page_count: u32) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let count = reader.count()?;
        let mut streams = reader.streams::<11>()?;
        let terms = Strings::read_sorted(count, &mut streams[..3])?;
        let [
            _,
            _,
            _,
            heads,
            steps,
            page_impacts,
            titles,
            counts,
            ordinals,
            impacts,
            headings,
        ] = &mut streams;
        let mut records = Vec::with_capacity(count);
        let mut pages = Vec::with_capacity(page_impacts.remaining());
        let mut sections = Vec::with_capacity(impacts.remaining());
        for _ in 0..count {
            let class = heads.u8()?;
            let pages_of_term = heads.varint()?;
            let mut page = 0u32;
            for index in 0..pages_of_term {
                let step = steps.varint()?;
                page = page.checked_add(step)?;
                if page >= page_count || (index > 0 && step == 0) {
                    return None;
                }
                let (impact, title) = read_level(page_impacts, titles)?;
                let mut ordinal = 0u16;
                for index in 0..counts.varint()? {
                    let step = u16::try_from(ordinals.varint()?).ok()?;
                    ordinal = ordinal.checked_add(step)?;
                    if index > 0 && step == 0 {
                        return None;
                    }
                    let (impact, heading) = read_level(impacts, headings)?;
                    sections.push(SectionPosting {
                        ordinal,
                        impact,
                        heading,
                    });
                }
                pages.push(PagePosting {
                    page,
                    impact,
                    title,
                    sections_end: sections.len() as u32,
                });
            }
            records.push(TermRecord {
                class,
                pages_end: pages.len() as u32,
            });
        }
        all_read(&streams)?;
        Some(Self {
            terms,
            records,
            pages,
            sections,
        })
    }

    pub(crate) fn find(&self, term: &str) -> Option<Postings<'_>> {
        let index = self.terms.find(term)?;
        let start = |index: usize| self.records[index].pages_end as usize;
        Some(Postings {
            class: self.records[index].class,
            file: self,
            first_page: if index == 0 { 0 } else { start(index - 1) },
            end_page: start(index),
        })
    }

    pub(crate) fn memory(&self) -> usize {
        self.terms.memory()
            + size_of_val(self.records.as_slice())
            + size_of_val(self.pages.as_slice())
            + size_of_val(self.sections.as_slice())
    }
}

impl<'a> Postings<'a> {
    /// The pages in order, with their sections in order.
    pub(crate) fn pages(&self) -> impl Iterator<Item = (PagePosting, &'a [SectionPosting])> + use<'a> {
        let file = self.file;
        let start = match self.first_page {
            0 => 0,
            first => file.pages[first - 1].sections_end as usize,
        };
        let mut start = start;
        file.pages[self.first_page..self.end_page]
            .iter()
            .map(move |page| {
                let end = page.sections_end as usize;
                let sections = &file.sections[start..end];
                start = end;
                (*page, sections)
            })
    }
}

fn read_level(levels: &mut Reader<'_>, places: &mut Reader<'_>) -> Option<(u8, Option<Place>)> {
    let level = levels.u8()?;
    let place = if level & 1 == 1 {
        let (whole, position) = (places.u8()?, places.u8()?);
        Some(Place { whole, position })
    } else {
        None
    };
    Some((level >> 1, place))
}

/// A page of a term, to be written.
#[cfg(feature = "write")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PageToWrite {
    pub(crate) page: u32,
    pub(crate) impact: u8,
    pub(crate) title: Option<Place>,
    /// Few: most terms are in one section of a page.
    pub(crate) sections: smallvec::SmallVec<[SectionPosting; 4]>,
}

/// Collects terms for one file.
#[cfg(feature = "write")]
#[derive(Debug, Default)]
pub(crate) struct TermWriter {
    count: usize,
    terms: StringsWriter,
    streams: [Vec<u8>; 8],
}

#[cfg(feature = "write")]
impl TermWriter {
    /// Adds a term with the class of its idf and its pages.
    pub(crate) fn push(&mut self, term: &str, class: u8, pages: &[PageToWrite]) {
        self.count += 1;
        self.terms.push(term);
        let [
            heads,
            steps,
            page_impacts,
            titles,
            counts,
            ordinals,
            impacts,
            headings,
        ] = &mut self.streams;
        heads.push(class);
        put_varint(heads, to_u32(pages.len()));
        let mut previous = 0;
        for page in pages {
            put_varint(steps, page.page - previous);
            previous = page.page;
            put_level(page_impacts, titles, page.impact, page.title);
            put_varint(counts, to_u32(page.sections.len()));
            let mut previous = 0;
            for section in &page.sections {
                put_varint(ordinals, u32::from(section.ordinal - previous));
                previous = section.ordinal;
                put_level(impacts, headings, section.impact, section.heading);
            }
        }
    }

    /// Bytes so far, about.
    pub(crate) fn len(&self) -> usize {
        self.streams.iter().map(Vec::len).sum::<usize>() + 6 * self.count
    }

    /// Bytes that a term will take, about.
    pub(crate) fn estimate(pages: &[PageToWrite]) -> usize {
        let sections: usize = pages.iter().map(|page| page.sections.len()).sum();
        8 + 3 * pages.len() + 2 * sections
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_varint(&mut bytes, to_u32(self.count));
        let streams: Vec<Vec<u8>> = self.terms.finish().into_iter().chain(self.streams).collect();
        put_streams(&mut bytes, &streams);
        bytes
    }
}

#[cfg(feature = "write")]
fn put_level(levels: &mut Vec<u8>, places: &mut Vec<u8>, level: u8, place: Option<Place>) {
    levels.push(level << 1 | u8::from(place.is_some()));
    if let Some(Place { whole, position }) = place {
        places.extend([whole, position]);
    }
}
