//! Texts of sections, for snippets: only of those that are shown by their text, because they have no heading.
//!
//! Streams: 0 per text: the step from the page before, the section, the length; 1 the texts.

use std::ops::Range;

use super::codec::{Reader, all_read};
#[cfg(feature = "write")]
use super::codec::{put_streams, put_varint, to_u32};

/// Texts of neighbouring pages.
#[derive(Debug, Clone)]
pub(crate) struct TextFile {
    /// Page, section of the page, where its text is; in order.
    places: Vec<((u32, u32), Range<usize>)>,
    text: String,
}

impl TextFile {
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let count = reader.count()?;
        let mut streams = reader.streams::<2>()?;
        let [numbers, texts] = &mut streams;
        let mut places: Vec<((u32, u32), Range<usize>)> = Vec::with_capacity(count);
        let mut text = String::with_capacity(texts.remaining());
        let mut page = 0u32;
        for _ in 0..count {
            page = page.checked_add(numbers.varint()?)?;
            let place = (page, numbers.varint()?);
            if places.last().is_some_and(|(last, _)| *last >= place) {
                return None;
            }
            let start = text.len();
            let length = numbers.length()?;
            text.push_str(std::str::from_utf8(texts.take(length)?).ok()?);
            places.push((place, start..text.len()));
        }
        all_read(&streams)?;
        Some(Self { places, text })
    }

    pub(crate) fn get(&self, page: u32, ordinal: u32) -> Option<&str> {
        let found = self
            .places
            .binary_search_by_key(&(page, ordinal), |(place, _)| *place);
        found.ok().map(|index| &self.text[self.places[index].1.clone()])
    }

    pub(crate) fn memory(&self) -> usize {
        self.text.len() + size_of_val(self.places.as_slice())
    }
}

/// The file of some texts: page, section of the page, text.
#[cfg(feature = "write")]
pub(crate) fn write(texts: &[(u32, u32, &str)]) -> Vec<u8> {
    let (mut numbers, mut letters) = (Vec::new(), Vec::new());
    let mut previous = 0;
    for (page, ordinal, text) in texts {
        put_varint(&mut numbers, page - previous);
        previous = *page;
        put_varint(&mut numbers, *ordinal);
        put_varint(&mut numbers, to_u32(text.len()));
        letters.extend_from_slice(text.as_bytes());
    }
    let mut bytes = Vec::new();
    put_varint(&mut bytes, to_u32(texts.len()));
    put_streams(&mut bytes, &[numbers, letters]);
    bytes
}
