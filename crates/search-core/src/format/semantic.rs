//! Vectors of sections, the table that turns a query into a vector, and groups of sections.
//!
//! Vectors are rows of signed bytes. A section's row is of any length, because only its direction counts; a row of the table has
//! a scale, because rows are added.

use super::codec::{Reader, Strings, all_read};
#[cfg(feature = "write")]
use super::codec::{StringsWriter, put_streams, put_varint, to_u32};
use crate::vector::{inverse_norm, signed};

/// `s0`: the wordpieces, and where rows and vectors are.
///
/// Streams: 0, 1, 2 the pieces in their order, front-coded; 3 and 4 low and high byte of the row of each; 5 the steps between the
/// first pages of the files of vectors; 6 the checksums of these files; 7 those of the files of rows.
#[derive(Debug, Clone)]
pub(crate) struct SemanticFile {
    pieces: Strings,
    rows: Vec<u16>,
    pub(crate) rows_per_file: u32,
    /// The first page of each file of vectors.
    pub(crate) first_pages: Vec<u32>,
    pub(crate) vector_checksums: Vec<u32>,
    pub(crate) row_checksums: Vec<u32>,
}

/// `s1`: groups of sections around a centre.
#[derive(Debug, Clone)]
pub(crate) struct ClusterFile {
    pub(crate) clusters: Vec<Cluster>,
}

/// Sections that are about the same.
#[derive(Debug, Clone)]
pub(crate) struct Cluster {
    pub(crate) centre: Row,
    /// Page and section of the page; the most central one first.
    pub(crate) sections: Vec<(u32, u32)>,
}

/// `q`: rows of the query table.
#[derive(Debug, Clone)]
pub(crate) struct RowFile {
    pub(crate) rows: Vec<(f64, Vec<i8>)>,
}

/// `v`: the vectors of the sections of neighbouring pages.
#[derive(Debug, Clone)]
pub(crate) struct VectorFile {
    pages: Vec<(u32, Vec<Row>)>,
}

/// A vector of which only the direction counts.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) values: Vec<i8>,
    pub(crate) inverse_norm: f64,
}

impl Row {
    fn read(bytes: &[u8]) -> Self {
        let values = signed(bytes);
        let inverse_norm = inverse_norm(&values);
        Self { values, inverse_norm }
    }
}

impl SemanticFile {
    pub(crate) fn read(bytes: &[u8], page_count: u32) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let count = reader.count()?;
        let rows_per_file = reader.varint().filter(|rows| *rows > 0)?;
        let mut streams = reader.streams::<8>()?;
        let pieces = Strings::read_sorted(count, &mut streams[..3])?;
        let [_, _, _, low, high, steps, vectors, rows] = &mut streams;
        let mut row_of_piece = Vec::with_capacity(count);
        for _ in 0..count {
            row_of_piece.push(u16::from_le_bytes([low.u8()?, high.u8()?]));
        }
        let vector_checksums = read_checksums(vectors)?;
        let row_checksums = read_checksums(rows)?;
        let first_pages = read_first_pages(steps, vector_checksums.len(), page_count)?;
        let covered = row_checksums.len() as u64 * u64::from(rows_per_file);
        all_read(&streams)?;
        row_of_piece
            .iter()
            .all(|row| u64::from(*row) < covered)
            .then_some(Self {
                pieces,
                rows: row_of_piece,
                rows_per_file,
                first_pages,
                vector_checksums,
                row_checksums,
            })
    }

    /// The row of a piece.
    pub(crate) fn row(&self, piece: &str) -> Option<u32> {
        self.pieces.find(piece).map(|index| u32::from(self.rows[index]))
    }

    pub(crate) fn memory(&self) -> usize {
        self.pieces.memory() + 2 * self.rows.len() + 8 * self.first_pages.len() + 4 * self.row_checksums.len()
    }
}

impl ClusterFile {
    pub(crate) fn read(bytes: &[u8], dimensions: usize, page_count: u32) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let count = reader.count()?;
        let mut clusters = Vec::with_capacity(count);
        for _ in 0..count {
            let centre = Row::read(reader.take(dimensions)?);
            let mut sections = Vec::new();
            for _ in 0..reader.count()? {
                let page = reader.varint().filter(|page| *page < page_count)?;
                sections.push((page, reader.varint()?));
            }
            clusters.push(Cluster { centre, sections });
        }
        all_read(&[reader])?;
        Some(Self { clusters })
    }

    pub(crate) fn memory(&self) -> usize {
        let of_cluster = |cluster: &Cluster| cluster.centre.values.len() + 8 * cluster.sections.len() + 64;
        self.clusters.iter().map(of_cluster).sum()
    }
}

impl RowFile {
    pub(crate) fn read(bytes: &[u8], dimensions: usize) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let mut rows = Vec::new();
        while reader.remaining() > 0 {
            let scale = reader.f32().filter(|scale| scale.is_finite())?;
            rows.push((f64::from(scale), signed(reader.take(dimensions)?)));
        }
        Some(Self { rows })
    }

    pub(crate) fn memory(&self) -> usize {
        self.rows.iter().map(|(_, row)| row.len() + 32).sum()
    }
}

impl VectorFile {
    pub(crate) fn read(bytes: &[u8], dimensions: usize) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let count = reader.count()?;
        let mut streams = reader.streams::<2>()?;
        let [numbers, values] = &mut streams;
        let mut pages: Vec<(u32, Vec<Row>)> = Vec::with_capacity(count);
        let mut page = 0u32;
        for _ in 0..count {
            page = page.checked_add(numbers.varint()?)?;
            if pages.last().is_some_and(|(last, _)| *last >= page) {
                return None;
            }
            let mut rows = Vec::new();
            for _ in 0..numbers.varint()? {
                rows.push(Row::read(values.take(dimensions)?));
            }
            pages.push((page, rows));
        }
        all_read(&streams)?;
        Some(Self { pages })
    }

    /// The vectors of a page's sections.
    pub(crate) fn page(&self, page: u32) -> &[Row] {
        let found = self.pages.binary_search_by_key(&page, |(page, _)| *page);
        found.map_or(&[], |index| &self.pages[index].1)
    }

    pub(crate) fn memory(&self) -> usize {
        let rows = self.pages.iter().flat_map(|(_, rows)| rows);
        rows.map(|row| row.values.len() + 32).sum()
    }
}

pub(super) fn read_checksums(reader: &mut Reader<'_>) -> Option<Vec<u32>> {
    let mut checksums = Vec::with_capacity(reader.remaining() / 4);
    while reader.remaining() > 0 {
        checksums.push(reader.u32()?);
    }
    Some(checksums)
}

/// The first page of each of `count` files.
pub(super) fn read_first_pages(steps: &mut Reader<'_>, count: usize, page_count: u32) -> Option<Vec<u32>> {
    let mut first_pages = Vec::with_capacity(count);
    let mut page = 0u32;
    for _ in 0..count {
        page = page.checked_add(steps.varint()?)?;
        first_pages.push(page);
    }
    (page < page_count || count == 0).then_some(first_pages)
}

#[cfg(feature = "write")]
pub(super) fn checksum_bytes(checksums: &[u32]) -> Vec<u8> {
    checksums
        .iter()
        .flat_map(|checksum| checksum.to_le_bytes())
        .collect()
}

#[cfg(feature = "write")]
pub(super) fn first_page_bytes(first_pages: &[u32]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut previous = 0;
    for page in first_pages {
        put_varint(&mut bytes, page - previous);
        previous = *page;
    }
    bytes
}

/// `s0`. The pieces are sorted, each with its row.
#[cfg(feature = "write")]
pub(crate) fn write_semantic(
    pieces: &[(&str, u16)],
    rows_per_file: u32,
    first_pages: &[u32],
    vector_checksums: &[u32],
    row_checksums: &[u32],
) -> Vec<u8> {
    let mut strings = StringsWriter::default();
    let (mut low, mut high) = (Vec::new(), Vec::new());
    for (piece, row) in pieces {
        strings.push(piece);
        let [low_byte, high_byte] = row.to_le_bytes();
        low.push(low_byte);
        high.push(high_byte);
    }
    let mut bytes = Vec::new();
    put_varint(&mut bytes, to_u32(pieces.len()));
    put_varint(&mut bytes, rows_per_file);
    let numbers = [
        low,
        high,
        first_page_bytes(first_pages),
        checksum_bytes(vector_checksums),
        checksum_bytes(row_checksums),
    ];
    let streams: Vec<Vec<u8>> = strings.finish().into_iter().chain(numbers).collect();
    put_streams(&mut bytes, &streams);
    bytes
}

/// A group to be written: its centre, and page and section of each member.
#[cfg(feature = "write")]
pub(crate) type ClusterToWrite = (Vec<i8>, Vec<(u32, u32)>);

/// `s1`.
#[cfg(feature = "write")]
pub(crate) fn write_clusters(clusters: &[ClusterToWrite]) -> Vec<u8> {
    let mut bytes = Vec::new();
    put_varint(&mut bytes, to_u32(clusters.len()));
    for (centre, sections) in clusters {
        put_signed(&mut bytes, centre);
        put_varint(&mut bytes, to_u32(sections.len()));
        for (page, ordinal) in sections {
            put_varint(&mut bytes, *page);
            put_varint(&mut bytes, *ordinal);
        }
    }
    bytes
}

/// `q`: scale and values of each row.
#[cfg(feature = "write")]
pub(crate) fn write_rows(rows: &[(f32, Vec<i8>)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (scale, values) in rows {
        bytes.extend(scale.to_bits().to_le_bytes());
        put_signed(&mut bytes, values);
    }
    bytes
}

/// `v`: page, and the vectors of its sections.
#[cfg(feature = "write")]
pub(crate) fn write_vectors(pages: &[(u32, Vec<Vec<i8>>)]) -> Vec<u8> {
    let (mut numbers, mut values) = (Vec::new(), Vec::new());
    let mut previous = 0;
    for (page, rows) in pages {
        put_varint(&mut numbers, page - previous);
        previous = *page;
        put_varint(&mut numbers, to_u32(rows.len()));
        rows.iter().for_each(|row| put_signed(&mut values, row));
    }
    let mut bytes = Vec::new();
    put_varint(&mut bytes, to_u32(pages.len()));
    put_streams(&mut bytes, &[numbers, values]);
    bytes
}

#[cfg(feature = "write")]
fn put_signed(bytes: &mut Vec<u8>, values: &[i8]) {
    bytes.extend(values.iter().map(|value| value.to_le_bytes()[0]));
}
