//! What a hit says of its page and section: path, title, folder, headings, anchor.
//!
//! | stream | holds |
//! |---|---|
//! | 0, 1, 2 | the paths, front-coded |
//! | 3 | per page: folder, length of the title, how many sections |
//! | 4 | per section: how its headings and its anchor are to be had |
//! | 5 | lengths of headings and anchors that are written out, and the numbers behind anchors |
//! | 6 | titles, headings, anchors |
//!
//! Of the headings above a section only those are written that differ from the section before it, and an anchor only if it does
//! not follow from the heading.

use std::ops::Range;

use super::codec::{Reader, Strings, all_read};
#[cfg(feature = "write")]
use super::codec::{StringsWriter, put_streams, put_varint, to_u32};

/// Names of neighbouring pages.
#[derive(Debug, Clone)]
pub(crate) struct NameFile {
    paths: Strings,
    pages: Vec<PageRecord>,
    sections: Vec<SectionRecord>,
    /// The number of the first section among all sections of the site.
    first_section: u32,
    text: String,
}

#[derive(Debug, Clone)]
struct PageRecord {
    folder: u32,
    title: Range<u32>,
    sections_end: u32,
}

#[derive(Debug, Clone)]
struct SectionRecord {
    headings: [Range<u32>; 3],
    anchor: Range<u32>,
}

/// A section of a page by its names.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SectionNames<'a> {
    /// Which section of the site.
    pub(crate) id: u32,
    pub(crate) anchor: &'a str,
    pub(crate) headings: [&'a str; 3],
}

/// How a heading of a section is to be had.
const NONE: u8 = 0;
const AS_BEFORE: u8 = 1;
#[cfg(feature = "write")]
const WRITTEN: u8 = 2;
const WAYS: u8 = 3;
/// How its anchor is to be had.
const NO_ANCHOR: u8 = 0;
const FROM_HEADING: u8 = 1;
const NUMBERED: u8 = 2;
#[cfg(feature = "write")]
const ANCHOR_WRITTEN: u8 = 3;
const ANCHOR_WAYS: u8 = 4;

impl NameFile {
    pub(crate) fn read(bytes: &[u8], folder_count: usize) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let count = reader.count()?;
        let first_section = reader.varint()?;
        let mut streams = reader.streams::<7>()?;
        let paths = Strings::read(count, &mut streams[..3])?;
        let [_, _, _, numbers, ways, lengths, texts] = &mut streams;
        let mut names = Self {
            paths,
            pages: Vec::with_capacity(count),
            sections: Vec::with_capacity(ways.remaining()),
            first_section,
            text: String::new(),
        };
        for _ in 0..count {
            let folder = numbers
                .varint()
                .filter(|folder| (*folder as usize) < folder_count)?;
            let title_length = numbers.length()?;
            let title = names.push(texts, title_length)?;
            let mut headings = [0..0, 0..0, 0..0];
            for _ in 0..numbers.varint()? {
                let mut way = ways.u8()?;
                for heading in &mut headings {
                    match way % WAYS {
                        NONE => *heading = 0..0,
                        AS_BEFORE => {}
                        _ => *heading = names.push(texts, lengths.length()?)?,
                    }
                    way /= WAYS;
                }
                let anchor = match way {
                    NO_ANCHOR => 0..0,
                    FROM_HEADING => names.push_slug(&headings, None)?,
                    NUMBERED => names.push_slug(&headings, Some(lengths.varint()?))?,
                    _ => names.push(texts, lengths.length()?)?,
                };
                let headings = headings.clone();
                names.sections.push(SectionRecord { headings, anchor });
            }
            names.pages.push(PageRecord {
                folder,
                title,
                sections_end: names.sections.len() as u32,
            });
        }
        first_section.checked_add(names.sections.len() as u32)?;
        all_read(&streams)?;
        Some(names)
    }

    fn push(&mut self, texts: &mut Reader<'_>, length: usize) -> Option<Range<u32>> {
        let start = self.text.len() as u32;
        self.text.push_str(std::str::from_utf8(texts.take(length)?).ok()?);
        Some(start..self.text.len() as u32)
    }

    fn push_slug(&mut self, headings: &[Range<u32>; 3], number: Option<u32>) -> Option<Range<u32>> {
        let heading = headings.iter().rfind(|heading| !heading.is_empty())?;
        let slug = slug(self.of(heading), number);
        let start = self.text.len() as u32;
        self.text.push_str(&slug);
        Some(start..self.text.len() as u32)
    }

    fn of(&self, range: &Range<u32>) -> &str {
        &self.text[range.start as usize..range.end as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.pages.len()
    }

    pub(crate) fn path(&self, page: usize) -> &str {
        self.paths.get(page)
    }

    pub(crate) fn title(&self, page: usize) -> &str {
        self.of(&self.pages[page].title)
    }

    pub(crate) fn folder(&self, page: usize) -> u32 {
        self.pages[page].folder
    }

    /// A section of a page; none where the postings promised more than there are.
    pub(crate) fn section(&self, page: usize, ordinal: usize) -> Option<SectionNames<'_>> {
        let first = if page == 0 {
            0
        } else {
            self.pages[page - 1].sections_end as usize
        };
        let index = first + ordinal;
        let section = self.sections[..self.pages[page].sections_end as usize].get(index)?;
        Some(SectionNames {
            id: self.first_section + index as u32,
            anchor: self.of(&section.anchor),
            headings: section.headings.each_ref().map(|heading| self.of(heading)),
        })
    }

    pub(crate) fn memory(&self) -> usize {
        self.paths.memory()
            + self.text.len()
            + size_of_val(self.pages.as_slice())
            + size_of_val(self.sections.as_slice())
    }
}

/// The anchor that follows from a heading, as GitHub and the indexer make it.
fn slug(heading: &str, number: Option<u32>) -> String {
    let mut slug = String::with_capacity(heading.len());
    for character in heading.trim().chars() {
        match character {
            ' ' | '\t' => slug.push('-'),
            '-' | '_' => slug.push(character),
            _ if character.is_alphanumeric() => slug.extend(character.to_lowercase()),
            _ => {}
        }
    }
    if let Some(number) = number {
        slug.push('-');
        slug.push_str(&number.to_string());
    }
    slug
}

/// The names of a page, to be written.
#[cfg(feature = "write")]
#[derive(Debug, Clone)]
pub(crate) struct PageToWrite {
    pub(crate) path: String,
    pub(crate) title: String,
    pub(crate) folder: u32,
    pub(crate) sections: Vec<SectionToWrite>,
}

/// The names of a section, to be written.
#[cfg(feature = "write")]
#[derive(Debug, Clone)]
pub(crate) struct SectionToWrite {
    pub(crate) headings: [String; 3],
    pub(crate) anchor: String,
}

/// The file of neighbouring pages.
#[cfg(feature = "write")]
pub(crate) fn write<'a>(first_section: u32, pages: impl IntoIterator<Item = &'a PageToWrite>) -> Vec<u8> {
    let mut paths = StringsWriter::default();
    let (mut numbers, mut ways, mut lengths, mut texts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut count = 0;
    for page in pages {
        count += 1;
        paths.push(&page.path);
        put_varint(&mut numbers, page.folder);
        put_varint(&mut numbers, to_u32(page.title.len()));
        put_varint(&mut numbers, to_u32(page.sections.len()));
        texts.extend_from_slice(page.title.as_bytes());
        let mut before: [&str; 3] = [""; 3];
        for section in &page.sections {
            let mut written = |text: &str| {
                put_varint(&mut lengths, to_u32(text.len()));
                texts.extend_from_slice(text.as_bytes());
            };
            let mut way = 0;
            for (level, heading) in section.headings.iter().enumerate() {
                let way_of_level = if heading.is_empty() {
                    NONE
                } else if heading == before[level] {
                    AS_BEFORE
                } else {
                    written(heading);
                    WRITTEN
                };
                before[level] = heading;
                way += way_of_level * WAYS.pow(level as u32);
            }
            let way_of_anchor = way_of_anchor(section);
            match way_of_anchor {
                ANCHOR_WRITTEN => written(&section.anchor),
                NUMBERED => {
                    let number = section.anchor.rsplit('-').next().and_then(|n| n.parse().ok());
                    put_varint(&mut lengths, number.unwrap_or(0));
                }
                _ => {}
            }
            ways.push(way + way_of_anchor * WAYS.pow(3));
        }
    }
    let mut bytes = Vec::new();
    put_varint(&mut bytes, count);
    put_varint(&mut bytes, first_section);
    let streams: Vec<Vec<u8>> = paths
        .finish()
        .into_iter()
        .chain([numbers, ways, lengths, texts])
        .collect();
    put_streams(&mut bytes, &streams);
    bytes
}

#[cfg(feature = "write")]
fn way_of_anchor(section: &SectionToWrite) -> u8 {
    let SectionToWrite { headings, anchor } = section;
    if anchor.is_empty() {
        return NO_ANCHOR;
    }
    let Some(heading) = headings.iter().rfind(|heading| !heading.is_empty()) else {
        return ANCHOR_WRITTEN;
    };
    if *anchor == slug(heading, None) {
        return FROM_HEADING;
    }
    let number = anchor.rsplit('-').next().and_then(|number| number.parse().ok());
    if number.is_some() && *anchor == slug(heading, number) {
        return NUMBERED;
    }
    ANCHOR_WRITTEN
}

const _: () = assert!(WAYS as u32 * WAYS as u32 * WAYS as u32 * ANCHOR_WAYS as u32 <= 256);
