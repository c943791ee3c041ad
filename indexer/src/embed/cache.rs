//! The folder that keeps vectors between builds, so that a build without the encoder is complete.
//!
//! | file | holds |
//! |---|---|
//! | `sections.bin` | what the encoder said of each section, by the hash of its content, a byte for each dimension |
//! | `projection.bin` | the projection, and a digest of the sections that it and the table were made from |
//! | `query-table.fifu` | the rows of the wordpieces |
//!
//! The vectors of a site always come from what these files hold, also in the build that writes them: a build from the
//! cache gives the same bytes as the one before it. Each file ends with a checksum, and the projection names the table
//! that belongs to it.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use sha2::{Digest, Sha256};

use super::projection::Projection;
use super::table::QueryTable;
use crate::stamp::Stamp;

/// The start of a SHA-256.
pub(super) type Hash = [u8; 16];

const SECTIONS: &str = "sections.bin";
const PROJECTION: &str = "projection.bin";
const TABLE: &str = "query-table.fifu";

const SECTIONS_MAGIC: &[u8; 8] = b"swvecs\0\x01";
const PROJECTION_MAGIC: &[u8; 8] = b"swproj\0\x01";

/// More dimensions than any encoder has: a damaged header must not ask for all memory.
const MOST_DIMENSIONS: u32 = 4096;

/// What the folder holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Cache {
    /// The encoder that all of it comes from.
    pub(super) encoder: String,
    /// Dimensions of the encoder.
    pub(super) dimensions: usize,
    pub(super) sections: BTreeMap<Hash, Encoded>,
    pub(super) projection: Projection,
    /// The sections that the projection and the table were made from.
    pub(super) trained_on: Hash,
    pub(super) table: Rc<QueryTable>,
}

/// A vector of the encoder in bytes: each stands for itself times the scale.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Encoded {
    scale: f32,
    values: Vec<i8>,
}

impl Encoded {
    #[cfg(any(feature = "encoder", test))]
    pub(super) fn new(vector: &[f32]) -> Self {
        let largest = vector
            .iter()
            .fold(0.0_f32, |largest, value| largest.max(value.abs()));
        if largest == 0.0 {
            return Self {
                scale: 0.0,
                values: vec![0; vector.len()],
            };
        }
        Self {
            scale: largest / 127.0,
            values: vector
                .iter()
                .map(|value| (value / largest * 127.0).round() as i8)
                .collect(),
        }
    }

    pub(super) fn vector(&self) -> Vec<f32> {
        self.values
            .iter()
            .map(|value| f32::from(*value) * self.scale)
            .collect()
    }
}

/// Why a cache cannot be used.
#[derive(Debug)]
pub enum CacheError {
    /// The file is not what the indexer wrote.
    Damaged(PathBuf, String),
    /// The system refused.
    Failed(PathBuf, io::Error),
}

impl CacheError {
    /// The file.
    pub fn path(&self) -> &Path {
        match self {
            Self::Damaged(path, _) | Self::Failed(path, _) => path,
        }
    }
}

impl fmt::Display for CacheError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged(_, what) => write!(
                formatter,
                "{what}; restore the file from the repository, or delete its folder and build with an encoder"
            ),
            Self::Failed(path, error) => write!(formatter, "cannot read {}: {error}", path.display()),
        }
    }
}

impl std::error::Error for CacheError {}

impl Cache {
    /// Reads a folder; none if there is no cache in it.
    pub fn read(folder: &Path) -> Result<Option<Self>, CacheError> {
        let [sections_file, projection_file, table_file] =
            [SECTIONS, PROJECTION, TABLE].map(|name| folder.join(name));
        let sections = read(&sections_file)?;
        let projection = read(&projection_file)?;
        let table = read(&table_file)?;
        let (sections, projection, table) = match (sections, projection, table) {
            (None, None, None) => return Ok(None),
            (Some(sections), Some(projection), Some(table)) => (sections, projection, table),
            (sections, projection, _) => {
                let missing = if sections.is_none() {
                    sections_file
                } else if projection.is_none() {
                    projection_file
                } else {
                    table_file
                };
                return Err(CacheError::Damaged(
                    missing,
                    "this file of the vector cache is missing".to_owned(),
                ));
            }
        };
        let damaged = |file: &Path| {
            let file = file.to_owned();
            move |what: &str| CacheError::Damaged(file, what.to_owned())
        };
        let (encoder, dimensions, sections) = read_sections(&sections).map_err(damaged(&sections_file))?;
        let (trained_on, table_digest, projection) =
            read_projection(&projection).map_err(damaged(&projection_file))?;
        if projection.from != dimensions {
            return Err(damaged(&projection_file)(
                "the projection is for another encoder than sections.bin",
            ));
        }
        if digest(&table) != table_digest {
            return Err(damaged(&table_file)(
                "the table is damaged, or does not belong to projection.bin",
            ));
        }
        let table = QueryTable::read(&table).map_err(|what| {
            CacheError::Damaged(
                table_file.clone(),
                format!("this is no finalfusion table: {what}"),
            )
        })?;
        if table.dimensions() != projection.to {
            return Err(damaged(&table_file)(
                "the table does not have the dimensions of projection.bin",
            ));
        }
        Ok(Some(Self {
            encoder,
            dimensions,
            sections,
            projection,
            trained_on,
            table: Rc::new(table),
        }))
    }

    /// How many sections it knows.
    pub fn len(&self) -> usize {
        self.sections.len()
    }

    /// Whether it knows none.
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    /// The files of the folder.
    pub fn files(&self) -> [(&'static str, Vec<u8>); 3] {
        let table = self.table.to_bytes();
        let mut sections = SECTIONS_MAGIC.to_vec();
        put_number(&mut sections, self.encoder.len());
        sections.extend_from_slice(self.encoder.as_bytes());
        put_number(&mut sections, self.dimensions);
        put_number(&mut sections, self.sections.len());
        for (hash, encoded) in &self.sections {
            sections.extend_from_slice(hash);
            sections.extend_from_slice(&encoded.scale.to_le_bytes());
            sections.extend(encoded.values.iter().map(|value| value.cast_unsigned()));
        }
        let mut projection = PROJECTION_MAGIC.to_vec();
        projection.extend_from_slice(&self.trained_on);
        projection.extend_from_slice(&digest(&table));
        put_number(&mut projection, self.projection.from);
        put_number(&mut projection, self.projection.to);
        projection.extend(
            self.projection
                .values
                .iter()
                .flat_map(|value| value.to_le_bytes()),
        );
        [
            (SECTIONS, with_checksum(sections)),
            (PROJECTION, with_checksum(projection)),
            (TABLE, table),
        ]
    }
}

/// A cache that is asked for again and again.
#[derive(Debug, Default)]
pub struct CacheReader {
    last: Option<(PathBuf, [Stamp; 3], Rc<Cache>)>,
}

impl CacheReader {
    /// [`Cache::read`], unless the files are those that were read last.
    pub fn read(&mut self, folder: &Path) -> Result<Option<Rc<Cache>>, CacheError> {
        let stamps = stamps(folder);
        if let (Some(found), Some((known_folder, known, cache))) = (&stamps, &self.last)
            && known_folder == folder
            && known == found
        {
            return Ok(Some(Rc::clone(cache)));
        }
        let cache = Cache::read(folder)?.map(Rc::new);
        self.last = stamps
            .zip(cache.clone())
            .map(|(stamps, cache)| (folder.to_owned(), stamps, cache));
        Ok(cache)
    }
}

/// Those of the files of a cache, if all of them are there and have some.
fn stamps(folder: &Path) -> Option<[Stamp; 3]> {
    let stamp = |name| Stamp::of(&fs::metadata(folder.join(name)).ok()?);
    let [sections, projection, table] = [SECTIONS, PROJECTION, TABLE].map(stamp);
    Some([sections?, projection?, table?])
}

/// The digest of some bytes.
pub(super) fn digest(bytes: &[u8]) -> Hash {
    let whole = Sha256::digest(bytes);
    let mut start = Hash::default();
    start.copy_from_slice(&whole[..size_of::<Hash>()]);
    start
}

type Sections = (String, usize, BTreeMap<Hash, Encoded>);

fn read_sections(bytes: &[u8]) -> Result<Sections, &'static str> {
    let mut reader = Reader::open(bytes, SECTIONS_MAGIC)?;
    let name = reader.number()?;
    let name = reader.take(name as usize)?;
    let encoder = std::str::from_utf8(name).map_err(|_| DAMAGED)?.to_owned();
    let dimensions = reader.dimensions()?;
    let count = reader.number()?;
    let mut sections = BTreeMap::new();
    for _ in 0..count {
        let hash = reader.hash()?;
        let scale = reader.float()?;
        let values = reader
            .take(dimensions)?
            .iter()
            .map(|value| value.cast_signed())
            .collect();
        sections.insert(hash, Encoded { scale, values });
    }
    reader.end()?;
    Ok((encoder, dimensions, sections))
}

fn read_projection(bytes: &[u8]) -> Result<(Hash, Hash, Projection), &'static str> {
    let mut reader = Reader::open(bytes, PROJECTION_MAGIC)?;
    let trained_on = reader.hash()?;
    let table = reader.hash()?;
    let from = reader.dimensions()?;
    let to = reader.dimensions()?;
    let values = (0..from * (to + 1))
        .map(|_| reader.float())
        .collect::<Result<_, _>>()?;
    reader.end()?;
    Ok((trained_on, table, Projection { from, to, values }))
}

const DAMAGED: &str = "this file of the vector cache is damaged";
const FOREIGN: &str = "this is no file of a vector cache, or one of another version";

/// Bytes between the magic and the checksum.
struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn open(bytes: &'a [u8], magic: &[u8; 8]) -> Result<Self, &'static str> {
        if !bytes.starts_with(magic) {
            return Err(FOREIGN);
        }
        let (content, checksum) =
            bytes.split_at(bytes.len().saturating_sub(size_of::<Hash>()).max(magic.len()));
        if digest(content) != checksum {
            return Err(DAMAGED);
        }
        Ok(Self {
            rest: &content[magic.len()..],
        })
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], &'static str> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(DAMAGED)?;
        self.rest = rest;
        Ok(taken)
    }

    fn four(&mut self) -> Result<[u8; 4], &'static str> {
        self.take(4)?.try_into().map_err(|_| DAMAGED)
    }

    fn number(&mut self) -> Result<u32, &'static str> {
        self.four().map(u32::from_le_bytes)
    }

    fn dimensions(&mut self) -> Result<usize, &'static str> {
        match self.number()? {
            number @ 1..=MOST_DIMENSIONS => Ok(number as usize),
            _ => Err(DAMAGED),
        }
    }

    fn float(&mut self) -> Result<f32, &'static str> {
        let value = self.four().map(f32::from_le_bytes)?;
        if value.is_finite() {
            Ok(value)
        } else {
            Err(DAMAGED)
        }
    }

    fn hash(&mut self) -> Result<Hash, &'static str> {
        self.take(size_of::<Hash>())?.try_into().map_err(|_| DAMAGED)
    }

    fn end(&self) -> Result<(), &'static str> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(DAMAGED)
        }
    }
}

fn put_number(bytes: &mut Vec<u8>, number: usize) {
    let number = u32::try_from(number).expect("a cache is smaller than 4 GiB");
    bytes.extend_from_slice(&number.to_le_bytes());
}

fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    let checksum = digest(&bytes);
    bytes.extend_from_slice(&checksum);
    bytes
}

fn read(file: &Path) -> Result<Option<Vec<u8>>, CacheError> {
    match fs::read(file) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(CacheError::Failed(file.to_owned(), error)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{KnownRows, Passage, Vectors};
    use super::*;

    fn passage(body: &str) -> Passage<'_> {
        Passage {
            title: "t",
            headings: ["", "", ""],
            body,
        }
    }

    fn cache() -> Cache {
        let table = QueryTable::new(vec!["a".to_owned(), "b".to_owned()], vec![1.0, 0.0, 0.0, 2.0], 2);
        Cache {
            encoder: "e".to_owned(),
            dimensions: 3,
            sections: BTreeMap::from([(passage("known").hash(), Encoded::new(&[0.5, -1.0, 0.25]))]),
            projection: Projection {
                from: 3,
                to: 2,
                values: vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0],
            },
            trained_on: [7; 16],
            table: Rc::new(table),
        }
    }

    fn write(folder: &Path, cache: &Cache) {
        for (name, bytes) in cache.files() {
            fs::write(folder.join(name), bytes).unwrap();
        }
    }

    #[test]
    fn a_cache_survives_its_files() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Cache::read(folder.path()).unwrap().is_none());
        write(folder.path(), &cache());
        assert_eq!(Cache::read(folder.path()).unwrap(), Some(cache()));
    }

    #[test]
    fn any_changed_byte_and_any_missing_end_is_an_error_that_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &cache());
        for (name, bytes) in cache().files() {
            let path = folder.path().join(name);
            let mut variants: Vec<Vec<u8>> = (0..bytes.len()).map(|end| bytes[..end].to_vec()).collect();
            for place in 0..bytes.len() {
                let mut changed = bytes.clone();
                changed[place] ^= 0x10;
                variants.push(changed);
            }
            for variant in variants {
                fs::write(&path, &variant).unwrap();
                let error = Cache::read(folder.path()).unwrap_err();
                assert!(error.path().starts_with(folder.path()), "{error}");
            }
            fs::write(&path, &bytes).unwrap();
        }
        assert_eq!(Cache::read(folder.path()).unwrap(), Some(cache()));
    }

    #[test]
    fn files_of_two_caches_are_not_mixed() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &cache());
        let mut other = cache();
        other.table = Rc::new(QueryTable::new(vec!["c".to_owned()], vec![1.0, 1.0], 2));
        fs::write(folder.path().join(TABLE), other.table.to_bytes()).unwrap();
        let error = Cache::read(folder.path()).unwrap_err();
        assert!(
            error.path().ends_with(TABLE) && error.to_string().contains("does not belong"),
            "{error}"
        );
    }

    #[test]
    fn a_section_that_the_cache_does_not_know_is_the_sum_of_its_pieces() {
        let cache = Rc::new(cache());
        let passages = [passage("known"), passage("a"), passage("?")];
        let found = Vectors::of(&passages, &cache, &mut KnownRows::default());
        assert_eq!(
            (found.guessed, found.dimensions, found.embedder.as_str()),
            (2, 2, "e+pca2")
        );
        let expected = [0.5_f32, -1.0, 1.0, 0.0, 0.0, 0.0].map(|value| value / 1.25_f32.sqrt());
        for (place, (found, expected)) in found.sections.iter().zip(expected).enumerate().take(2) {
            assert!((found - expected).abs() < 0.01, "{place}: {found} {expected}");
        }
        assert_eq!(found.sections[2..], [1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn what_is_known_of_sections_gives_what_the_cache_gives() {
        let mut other = cache();
        other.projection.values.iter_mut().for_each(|value| *value += 0.5);
        let caches = [Rc::new(cache()), Rc::new(other)];
        let mut known = KnownRows::default();
        // Other sections, another order, another cache, and back again.
        for (texts, cache) in [
            (["known", "a", "?"], 0),
            (["a", "known", "a"], 0),
            (["known", "b", "a"], 1),
            (["known", "b", "a"], 0),
        ] {
            let passages = texts.map(passage);
            let found = Vectors::of(&passages, &caches[cache], &mut known);
            let fresh = Vectors::of(&passages, &caches[cache], &mut KnownRows::default());
            assert_eq!(found, fresh, "{texts:?}");
            let distinct: std::collections::BTreeSet<&str> = texts.into_iter().collect();
            assert_eq!(known.rows.len(), distinct.len());
        }
    }

    #[test]
    fn a_cache_is_not_read_again_where_its_files_are_the_same() {
        // Written longer ago than two seconds.
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../search-vectors");
        let mut reader = CacheReader::default();
        let read = |reader: &mut CacheReader| reader.read(&folder).unwrap().unwrap();
        let first = read(&mut reader);
        assert_eq!(Rc::ptr_eq(&first, &read(&mut reader)), cfg!(unix));
        if let Some((_, stamps, _)) = &mut reader.last {
            stamps.reverse();
        }
        let again = read(&mut reader);
        assert!(!Rc::ptr_eq(&first, &again));
        assert_eq!(first, again);
    }

    #[test]
    fn words_that_move_from_the_heading_to_the_text_are_other_content() {
        let moved = Passage {
            headings: ["known", "", ""],
            ..passage("")
        };
        assert_ne!(moved.hash(), passage("known").hash());
        assert_eq!(moved.hash(), moved.hash());
    }
}
