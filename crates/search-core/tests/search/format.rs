//! The index as bytes: what is written can be read, and nothing that is read can do harm.

use proptest::prelude::*;
use search_core::{
    FormatErrorKind, Index, IndexBuilder, IndexFile, Layout, Page, SearchOptions, Section, Step,
};

use crate::corpus::{self, Shelf, ToyVectors};

/// The sizes and places of the header, as the documentation of the format gives them.
const HEADER: usize = 24;
const LENGTH: std::ops::Range<usize> = 16..20;
const CHECKSUM: std::ops::Range<usize> = 20..24;

/// CRC-32 as everybody computes it, bit by bit: the test does not trust the crate's own.
fn crc32(bytes: impl Iterator<Item = u8>) -> u32 {
    let mut crc = !0u32;
    for byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 {
                (crc >> 1) ^ 0xEDB8_8320
            } else {
                crc >> 1
            };
        }
    }
    !crc
}

/// Makes length and checksum right for whatever the bytes are.
fn seal(bytes: &mut [u8]) {
    let length = (bytes.len() as u32).to_le_bytes();
    bytes[LENGTH].copy_from_slice(&length);
    let checksum = crc32(bytes[..CHECKSUM.start].iter().chain(&bytes[HEADER..]).copied());
    bytes[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
}

/// Opens and uses an index as far as it lets; the only wrong answers are a panic and a question without an end.
fn exercise(files: &[IndexFile]) -> bool {
    let Ok(mut index) = Index::open(&files[0].bytes) else {
        return false;
    };
    let mut is_whole = true;
    let mut load = |index: &mut Index, names: Vec<String>| {
        let loaded = names.iter().all(|name| {
            let file = files.iter().find(|file| file.name == *name);
            file.is_some_and(|file| index.load(name, &file.bytes).is_ok())
        });
        is_whole &= loaded;
        loaded
    };
    for query in [
        "ranks",
        "rankin",
        "zony itemss",
        "検索",
        "x-api-key zanyitems",
        "r",
    ] {
        let options = SearchOptions {
            semantic: true,
            ..SearchOptions::default()
        };
        for _ in 0..8 {
            match index.search(query, &options) {
                Step::Ready(answer) => {
                    for hit in answer.hits {
                        assert!(!hit.score.is_nan());
                        hit.metadata();
                    }
                    break;
                }
                Step::Needs(names) if !load(&mut index, names.clone()) => break,
                Step::Needs(_) => {}
            }
        }
        for _ in 0..8 {
            match index.alternatives(query, true) {
                Step::Ready(_) => break,
                Step::Needs(names) if !load(&mut index, names.clone()) => break,
                Step::Needs(_) => {}
            }
        }
    }
    is_whole
}

/// The files with other bytes in one of them, and everything that names its checksum put right.
fn with_bytes(files: &[IndexFile], changed: usize, bytes: Vec<u8>) -> Vec<IndexFile> {
    let mut files = files.to_vec();
    let mut replace = vec![(changed, bytes)];
    while let Some((at, mut bytes)) = replace.pop() {
        if at == 0 {
            seal(&mut bytes);
            files[0].bytes = bytes;
            continue;
        }
        let checksum = |bytes: &[u8]| crc32(bytes.iter().copied()).to_le_bytes();
        let (old, new) = (checksum(&files[at].bytes), checksum(&bytes));
        let stem = files[at].name.split('.').next().unwrap_or_default().to_owned();
        // The owner is the core, or `s0` for rows and vectors.
        let owner = match &stem[..1] {
            "v" | "q" => files
                .iter()
                .position(|file| file.name.starts_with("s0."))
                .expect("who has vectors has their directory"),
            _ => 0,
        };
        let mut owner_bytes = files[owner].bytes.clone();
        let place = owner_bytes
            .windows(4)
            .position(|window| window == old)
            .expect("a directory names every file");
        owner_bytes[place..place + 4].copy_from_slice(&new);
        files[at].name = format!("{stem}.{:08x}.bin", u32::from_le_bytes(new));
        files[at].bytes = bytes;
        replace.push((owner, owner_bytes));
    }
    files
}

fn small_builder() -> IndexBuilder {
    let mut builder = IndexBuilder::new();
    let sections = [
        Section {
            body: "Ranks of zany ranked items and ranking: 検索 検査",
            ..Section::default()
        },
        Section {
            anchor: "ranks",
            headings: ["How", "Ranks", ""],
            body: "x-api-key",
            ..Section::default()
        },
        Section {
            anchor: "ranks-1",
            headings: ["How", "Ranks", "Ranks"],
            body: "items",
            ..Section::default()
        },
    ];
    let page = Page {
        path: "/a",
        title: "Ranking",
        folder: "F",
        sections: &sections,
        ..Page::default()
    };
    builder.add_page(&page);
    builder.add_page(&Page {
        path: "/b",
        title: "Recall",
        aliases: &["sensitivity"],
        ..page
    });
    let texts = ["zany items", "api key", "items", "zany ranks", "key", "ranks"].map(str::to_owned);
    builder.set_vectors(ToyVectors::of(&texts).borrowed());
    builder
}

fn small() -> Vec<u8> {
    small_builder().finish(Layout::OneFile).remove(0).bytes
}

fn small_files() -> Vec<IndexFile> {
    small_builder().finish(Layout::Sharded)
}

/// A core alone as an index.
fn one_file(bytes: &[u8]) -> [IndexFile; 1] {
    [IndexFile {
        name: String::new(),
        bytes: bytes.to_vec(),
    }]
}

#[test]
fn what_is_no_index_is_refused_with_its_kind() {
    let good = small();
    assert!(exercise(&one_file(&good)) && exercise(&small_files()));
    let kind = |bytes: &[u8]| Index::open(bytes).unwrap_err().kind();
    assert_eq!(kind(b""), FormatErrorKind::NotAnIndex);
    assert_eq!(kind(b"<!doctype html>"), FormatErrorKind::NotAnIndex);
    for length in 1..good.len() {
        assert_eq!(
            kind(&good[..length]),
            FormatErrorKind::Truncated,
            "{length} bytes"
        );
    }
    assert_eq!(
        kind(&[&good[..], b"x"].concat()),
        FormatErrorKind::ChecksumMismatch
    );
    for (at, expected) in [
        (8, FormatErrorKind::UnsupportedVersion),
        (12, FormatErrorKind::AnalyzerMismatch),
    ] {
        let mut other = good.clone();
        other[at] ^= 0x40;
        assert_eq!(kind(&other), expected);
    }
    for at in CHECKSUM.start..good.len() {
        let mut other = good.clone();
        other[at] ^= 1;
        assert_eq!(kind(&other), FormatErrorKind::ChecksumMismatch, "byte {at}");
    }
}

#[test]
fn errors_say_what_was_wanted() {
    let good = small();
    let message = |bytes: &[u8]| Index::open(bytes).unwrap_err().to_string();
    assert_eq!(
        message(b"PK"),
        "not a siftwren search index: the first bytes differ"
    );
    let total = good.len();
    assert_eq!(
        message(&good[..100]),
        format!("cannot read the search index: the length in bytes is 100, wanted {total}")
    );
}

#[test]
fn truncated_content_with_a_right_checksum_is_corrupt() {
    let good = small();
    for length in HEADER..good.len() {
        let mut short = good[..length].to_vec();
        seal(&mut short);
        assert_eq!(
            Index::open(&short).unwrap_err().kind(),
            FormatErrorKind::Corrupt,
            "{length} bytes"
        );
    }
}

#[test]
fn every_file_is_checked_before_it_is_read() {
    let files = small_files();
    for (at, file) in files.iter().enumerate().skip(1) {
        let mut index = Index::open(&files[0].bytes).unwrap();
        if file.name.starts_with(['v', 'q']) {
            // Which ones there are is known from then on.
            assert_eq!(
                index.load(&file.name, &file.bytes).unwrap_err().kind(),
                FormatErrorKind::UnknownFile
            );
            let entry = files.iter().find(|file| file.name.starts_with("s0.")).unwrap();
            index.load(&entry.name, &entry.bytes).unwrap();
        }
        let mut kind = |bytes: &[u8]| index.load(&file.name, bytes).unwrap_err().kind();
        for length in 0..file.bytes.len() {
            assert_eq!(
                kind(&file.bytes[..length]),
                FormatErrorKind::ChecksumMismatch,
                "{} {length}",
                file.name
            );
        }
        let mut changed = file.bytes.clone();
        for bit in 0..8 * changed.len() {
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(
                kind(&changed),
                FormatErrorKind::ChecksumMismatch,
                "{} {bit}",
                file.name
            );
            changed[bit / 8] ^= 1 << (bit % 8);
        }
        index.load(&file.name, &file.bytes).unwrap();
        index.load(&file.name, &file.bytes).unwrap();
        let other = &files[if at == 1 { 2 } else { 1 }];
        for name in [
            "",
            "t",
            "t0",
            "é",
            "core.00000000.bin",
            "t99.00000000.bin",
            "t0.00000000.bin",
            &other.name[1..],
        ] {
            assert_eq!(
                index.load(name, &file.bytes).unwrap_err().kind(),
                FormatErrorKind::UnknownFile,
                "{name}"
            );
        }
    }
}

/// What an index cannot see is what it holds: a changed letter, an impact. What it must see is where it would stumble.
#[test]
fn every_truncation_and_every_changed_bit_with_a_right_checksum_is_survived() {
    for files in [small_files(), small_builder().finish(Layout::OneFile)] {
        let mut used = 0;
        for (at, file) in files.iter().enumerate() {
            for length in 0..file.bytes.len() {
                if at == 0 && length < HEADER {
                    continue;
                }
                let short = with_bytes(&files, at, file.bytes[..length].to_vec());
                assert!(
                    !exercise(&short) || file.name.starts_with(['q', 's', 'x', 'w', 'v']),
                    "{} {length}",
                    file.name
                );
            }
            let first = if at == 0 { HEADER } else { 0 };
            for bit in 8 * first..8 * file.bytes.len() {
                let mut bytes = file.bytes.clone();
                bytes[bit / 8] ^= 1 << (bit % 8);
                used += usize::from(exercise(&with_bytes(&files, at, bytes)));
            }
        }
        // The test has reached the code behind the checks.
        assert!(used > 100, "{used}");
    }
}

#[test]
fn every_changed_byte_with_a_right_checksum_is_survived() {
    let files = small_files();
    for (at, file) in files.iter().enumerate() {
        let first = if at == 0 { HEADER } else { 0 };
        for place in first..file.bytes.len() {
            for change in [0xFF, 0x7F, 0x81] {
                let mut bytes = file.bytes.clone();
                bytes[place] ^= change;
                exercise(&with_bytes(&files, at, bytes));
            }
        }
    }
}

#[test]
fn lengths_that_are_wrong_but_add_up_are_survived() {
    let good = small();
    for at in HEADER..good.len() {
        for other in at + 1..good.len().min(at + 12) {
            let mut traded = good.clone();
            traded[at] = traded[at].wrapping_sub(1);
            traded[other] = traded[other].wrapping_add(1);
            seal(&mut traded);
            exercise(&one_file(&traded));
        }
    }
}

#[test]
fn bytes_that_changed_places_are_survived() {
    let good = small();
    for at in HEADER..good.len() - 3 {
        for places in [1, 2] {
            let mut moved = good.clone();
            moved[at..at + 3].rotate_right(places);
            seal(&mut moved);
            exercise(&one_file(&moved));
        }
    }
}

#[test]
fn terms_out_of_order_are_corrupt() {
    let mut builder = IndexBuilder::new();
    let sections = [Section {
        body: "aa bb",
        ..Section::default()
    }];
    builder.add_page(&Page {
        sections: &sections,
        ..Page::default()
    });
    let files = builder.finish(Layout::Sharded);
    let terms = files.iter().position(|file| file.name.starts_with('t')).unwrap();
    let mut bytes = files[terms].bytes.clone();
    let at = bytes.windows(4).position(|window| window == b"aabb").unwrap();
    bytes[at..at + 4].copy_from_slice(b"bbaa");
    let changed = with_bytes(&files, terms, bytes);
    let mut index = Index::open(&changed[0].bytes).unwrap();
    assert_eq!(
        index
            .load(&changed[terms].name, &changed[terms].bytes)
            .unwrap_err()
            .to_string(),
        "the search index is corrupt: a file beside the core"
    );
}

#[test]
fn an_index_without_pages_opens_and_answers_nothing() {
    for layout in [Layout::Auto, Layout::OneFile, Layout::Sharded] {
        let mut shelf = Shelf::new(IndexBuilder::new().finish(layout));
        let index = &shelf.index;
        assert_eq!(
            (index.page_count(), index.section_count(), index.term_count()),
            (0, 0, 0)
        );
        assert!(!index.has_vectors());
        for query in ["anything", "a", "the "] {
            assert!(shelf.search(query, &SearchOptions::default()).hits.is_empty());
        }
    }
}

#[test]
fn a_part_from_the_future_is_passed_over() {
    let good = small();
    let count = usize::from(good[HEADER]);
    // The directory grows by one entry, the file by the part: sizes below 128 are one byte.
    let mut directory_end = HEADER + 1;
    for _ in 0..count {
        directory_end += 1;
        while good[directory_end] & 0x80 != 0 {
            directory_end += 1;
        }
        directory_end += 1;
    }
    let mut newer = good[..directory_end].to_vec();
    newer[HEADER] += 1;
    newer.extend([200, 3]);
    newer.extend(&good[directory_end..]);
    newer.extend(b"new");
    seal(&mut newer);
    assert!(exercise(&one_file(&newer)));
}

#[test]
fn a_successor_sees_that_a_word_moved_to_another_field() {
    let sections = [Section::default()];
    let page = |title, description| Page {
        path: "/p",
        title,
        description,
        sections: &sections,
        ..Page::default()
    };
    let mut builder = IndexBuilder::with_successor();
    builder.add_page(&page("a", ""));
    let mut following = builder.successor();
    following.add_page(&page("", "a"));
    let mut new = IndexBuilder::new();
    new.add_page(&page("", "a"));
    assert_eq!(following.finish(Layout::OneFile), new.finish(Layout::OneFile));
}

/// A builder after builders, and the pages that the one before it had.
struct Following<P> {
    builder: IndexBuilder,
    last: Vec<Option<P>>,
    pages: Vec<P>,
}

impl<P: Clone + PartialEq> Following<P> {
    fn new() -> Self {
        Self {
            builder: IndexBuilder::with_successor(),
            last: Vec::new(),
            pages: Vec::new(),
        }
    }

    /// Keeps a page that was there, wherever it stood, or adds it.
    fn add(&mut self, page: P, folder: &str, add: impl FnOnce(&mut IndexBuilder)) {
        let known = self.last.iter_mut().enumerate();
        let mut same = known.filter(|(_, other)| other.as_ref() == Some(&page));
        match same.next() {
            Some((number, other)) => {
                *other = None;
                assert!(self.builder.keep_page(number, folder));
                assert!(!self.builder.keep_page(number, folder), "it is there already");
            }
            None => add(&mut self.builder),
        }
        self.pages.push(page);
    }

    fn next(self) -> Self {
        Self {
            builder: self.builder.successor(),
            last: self.pages.into_iter().map(Some).collect(),
            pages: Vec::new(),
        }
    }
}

#[test]
fn a_first_builder_has_no_page_to_keep() {
    for mut builder in [IndexBuilder::new(), IndexBuilder::with_successor()] {
        assert!(!builder.keep_page(0, ""));
    }
}

/// Path, title, heading and text of a page with one section.
type Named = [&'static str; 4];

/// Makes an index of each list of pages, with the builder before and without. All fields have as many words as those of the pages in
/// front of them, so that no mean changes unless a text is longer; and these are so many that a page more is none for the classes of idf.
fn follow_each_other(lists: &[&[Named]]) {
    let mut following = Following::new();
    for (number, list) in lists.iter().enumerate() {
        let mut new = IndexBuilder::new();
        let constant: Vec<String> = (10..42).map(|number| format!("/a{number}")).collect();
        let constant = constant.iter().map(|path| [path.as_str(), "s t", "u v", "x y"]);
        for named in constant.chain(list.iter().copied()) {
            let [path, title, heading, body] = named;
            let sections = [Section {
                headings: [heading, "", ""],
                body,
                ..Section::default()
            }];
            let page = Page {
                path,
                title,
                sections: &sections,
                ..Page::default()
            };
            following.add(named.map(str::to_owned), "", |builder| builder.add_page(&page));
            new.add_page(&page);
        }
        // Without an index in between, too.
        if number != 1 || lists.len() < 3 {
            assert_eq!(
                following.builder.finish(Layout::OneFile),
                new.finish(Layout::OneFile),
                "{list:?}"
            );
        }
        following = following.next();
    }
}

#[test]
fn what_a_successor_keeps_of_a_page_depends_on_other_pages() {
    // What a title and a heading weigh as a whole depends on how common their words are elsewhere.
    follow_each_other(&[
        &[["/p", "rare word", "u v", "x y"], ["/q", "s t", "u v", "x y"]],
        &[["/p", "rare word", "u v", "x y"], ["/q", "s t", "u v", "rare y"]],
    ]);
    follow_each_other(&[
        &[["/p", "s t", "rare word", "x y"], ["/q", "s t", "u v", "x y"]],
        &[["/p", "s t", "rare word", "x y"], ["/q", "s t", "u v", "rare y"]],
    ]);
    // What a text weighs depends on how long others are.
    const LONG: &str = "x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y x y";
    follow_each_other(&[
        &[["/p", "s t", "u v", "word y"], ["/q", "s t", "u v", "x y"]],
        &[["/p", "s t", "u v", "word y"], ["/q", "s t", "u v", LONG]],
    ]);
}

#[test]
fn a_word_of_a_page_reaches_the_sections_that_the_page_has_now() {
    let mut following = Following::new();
    for section_count in [1, 2] {
        let mut new = IndexBuilder::new();
        for (path, description, section_count) in
            [("/p", "rare", section_count), ("/q", "", 4 - section_count)]
        {
            let sections = vec![Section::default(); section_count];
            let page = Page {
                path,
                description,
                sections: &sections,
                ..Page::default()
            };
            following.add((path, section_count), "", |builder| builder.add_page(&page));
            new.add_page(&page);
        }
        assert_eq!(
            following.builder.finish(Layout::OneFile),
            new.finish(Layout::OneFile)
        );
        following = following.next();
    }
}

#[test]
fn the_key_of_a_file_depends_on_the_term_in_front_of_it() {
    // A term of so many pages begins a file.
    let mut common: Vec<String> = vec!["mmm".to_owned(); 400];
    let letter = |number: u8| char::from(b'a' + number);
    let rare: String = (0..100)
        .map(|number| format!("l{}{} ", letter(number / 26), letter(number % 26)))
        .collect();
    let mut following = Following::new();
    let mut cores = Vec::new();
    for last in ["lll", "mml"] {
        common[0] = format!("{rare}{last}");
        let mut new = IndexBuilder::new();
        for (number, body) in common.iter().enumerate() {
            let path = format!("/{number}");
            let sections = [Section {
                body,
                ..Section::default()
            }];
            let page = Page {
                path: &path,
                sections: &sections,
                ..Page::default()
            };
            following.add((number, body.clone()), "", |builder| builder.add_page(&page));
            new.add_page(&page);
        }
        let files = following.builder.finish(Layout::Sharded);
        assert_eq!(files, new.finish(Layout::Sharded));
        cores.push(files.into_iter().map(|file| file.name).collect::<Vec<_>>());
        following = following.next();
    }
    let is_term_file = |name: &&String| name.starts_with('t');
    let [before, after] = &cores[..] else {
        unreachable!()
    };
    let same = before
        .iter()
        .filter(is_term_file)
        .filter(|name| after.contains(name));
    assert_eq!((same.count(), before.iter().filter(is_term_file).count()), (2, 3));
}

#[test]
fn a_successor_forgets_pages_that_are_gone() {
    let p = ["/p", "s t", "u v", "word y"];
    let q = ["/q", "s t", "u v", "word y"];
    follow_each_other(&[&[p, q], &[p]]);
    follow_each_other(&[&[p, q], &[p], &[p]]);
}

#[test]
fn a_successor_is_not_confused_by_two_pages_with_one_path() {
    let p = ["/p", "s t", "u v", "word y"];
    let same = ["/p", "s t", "u v", "ward y"];
    follow_each_other(&[&[p, same], &[same]]);
    follow_each_other(&[&[p, p], &[p]]);
}

fn words() -> impl Strategy<Value = String> {
    proptest::collection::vec("[a-dA-D検索é_-]{1,6}", 0..12).prop_map(|words| words.join(" "))
}

const FIELD_TEXTS: &str = "(|a|b b|ab B|a-b)";

fn add(builder: &mut IndexBuilder, path: &str, fields: &[String; 9], section_count: usize) {
    let [
        title,
        folder,
        description,
        alias,
        link,
        heading,
        above,
        body,
        section_link,
    ] = fields.each_ref().map(String::as_str);
    let section = Section {
        anchor: "s",
        headings: [above, heading, ""],
        body,
        inbound_links: &[section_link],
    };
    builder.add_page(&Page {
        path,
        title,
        folder,
        description,
        aliases: &[alias],
        inbound_links: &[link],
        sections: &vec![section; section_count],
    });
}

/// A page of many words, so that a few dozen of them fill some files of each kind.
#[derive(Debug, Clone, PartialEq)]
struct Long {
    number: u64,
    /// Another for each text that it had.
    version: u64,
    section_count: usize,
}

impl Long {
    fn add_to(&self, builder: &mut IndexBuilder) {
        // Digits would be cut off.
        let word = |number: u64| {
            let letter = |place: u32| char::from(b'a' + (number / 15u64.pow(place) % 15) as u8);
            (0..4).map(letter).collect::<String>()
        };
        let words = |from: u64, count: u64| {
            let words =
                (from..from + count).map(|place| word(place.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40));
            words.collect::<Vec<_>>().join(" ")
        };
        let (title, heading) = (words(self.number, 2), words(self.number + 7, 2));
        // Most of a text stays as it is, and every page has some of the words of others.
        let body = format!(
            "{} {}",
            words(self.number * 40, 90),
            words(self.version * 1_000, 40)
        );
        let path = format!("/p/{}", word(self.number));
        let sections: Vec<Section<'_>> = (0..self.section_count)
            .map(|section| Section {
                headings: [if section == 0 { "" } else { &heading }, "", ""],
                body: &body,
                ..Section::default()
            })
            .collect();
        builder.add_page(&Page {
            path: &path,
            title: &title,
            sections: &sections,
            ..Page::default()
        });
    }
}

proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(48))]
    #[test]
    fn a_successor_cuts_files_where_a_new_builder_does(
        count in 1u64..60,
        saves in proptest::collection::vec((0usize..64, 0usize..7), 1..8),
    ) {
        let long = |number| Long { number, version: 0, section_count: 2 };
        let mut pages: Vec<Long> = (0..count).map(long).collect();
        let mut following = Following::new();
        for (save, (place, what)) in (1u64..).zip(saves) {
            let mut new = IndexBuilder::new();
            for page in &pages {
                following.add(page.clone(), "", |builder| page.add_to(builder));
                page.add_to(&mut new);
            }
            prop_assert_eq!(following.builder.finish(Layout::Sharded), new.finish(Layout::Sharded));
            following = following.next();
            let place = place % (pages.len() + 1);
            match (pages.get_mut(place), what) {
                (Some(page), 0..3) => page.version = save,
                (Some(page), 3) => page.section_count = save as usize % 4,
                (Some(_), 4) => drop(pages.remove(place)),
                (Some(_), 5) => pages.truncate(place),
                _ => pages.insert(place, long(1_000 + save)),
            }
        }
    }
}

proptest! {
    #[test]
    fn a_successor_makes_what_a_new_builder_makes(
        first in proptest::collection::btree_map(
            "/[p-r]", (proptest::array::uniform9(FIELD_TEXTS), 0usize..3), 1..4
        ),
        // What is another the next time: a field of a page, how many sections it has, or whether it is there; and whether there is
        // an index in between.
        saves in proptest::collection::vec(
            (
                proptest::collection::vec(("/[p-r]", 0usize..12, FIELD_TEXTS), 1..4),
                proptest::bool::weighted(0.8),
                proptest::collection::vec(proptest::sample::select(&[Layout::OneFile, Layout::Sharded]), 1..3),
            ),
            1..16
        ),
    ) {
        let mut pages = first;
        // So many words that a page more or less rarely changes what the others are worth.
        let constant: [String; 9] = std::array::from_fn(|_| "a b a-b c d e f g ".repeat(3));
        let mut following = Following::new();
        for (changes, is_finished, layouts) in saves {
            let mut new = IndexBuilder::new();
            let constant = (0..20).map(|number| (format!("/a{number}"), (constant.clone(), 1)));
            for (path, (fields, section_count)) in constant.chain(pages.clone()) {
                let mut without_folder = fields.clone();
                without_folder[1].clear();
                let add = |builder: &mut IndexBuilder| add(builder, &path, &fields, section_count);
                following.add((path.clone(), without_folder, section_count), &fields[1], add);
                add(&mut new);
            }
            for layout in layouts.iter().filter(|_| is_finished) {
                prop_assert_eq!(following.builder.finish(*layout), new.finish(*layout));
            }
            following = following.next();
            for (path, what, text) in changes {
                match (pages.get_mut(&path), what) {
                    (Some((fields, _)), 0..9) => fields[what] = text,
                    (Some((_, section_count)), 9) => *section_count = text.len(),
                    (Some(_), 10) => drop(pages.remove(&path)),
                    _ => drop(pages.entry(path).or_default()),
                }
            }
        }
    }

    #[test]
    fn what_was_written_is_read(
        pages in proptest::collection::vec((words(), words(), proptest::collection::vec((words(), words()), 1..4)), 0..6)
    ) {
        let mut builder = IndexBuilder::new();
        let mut expected = Vec::new();
        for (number, (title, folder, sections)) in pages.iter().enumerate() {
            let path = format!("/p/{number}");
            let anchors: Vec<String> = (0..sections.len()).map(|number| format!("s{number}")).collect();
            let parts: Vec<Section<'_>> = sections.iter().zip(&anchors).map(|((heading, body), anchor)| Section {
                anchor, headings: [heading, "", ""], body, inbound_links: &[],
            }).collect();
            builder.add_page(&Page { path: &path, title, folder, sections: &parts, ..Page::default() });
            for ((heading, body), anchor) in sections.iter().zip(&anchors) {
                expected.push((format!("{path}#{anchor}"), title.clone(), folder.clone(), heading.clone(), body.clone()));
            }
        }
        for layout in [Layout::OneFile, Layout::Sharded] {
            let mut shelf = Shelf::new(builder.finish(layout));
            prop_assert_eq!(shelf.index.section_count(), expected.len());
            prop_assert_eq!(shelf.index.page_count(), pages.len());
            // Each section is found by its own body, as it was given.
            let all = SearchOptions { limit: usize::MAX, per_page: usize::MAX, prefix_last: false, ..SearchOptions::default() };
            for (number, (url, title, folder, heading, body)) in expected.iter().enumerate() {
                let hits = shelf.search(body, &all).hits;
                let has_words = !search_core::analysis::analyze(body).is_empty();
                let found = hits.iter().find(|hit| hit.section_id as usize == number);
                prop_assert!(found.is_some() || !has_words);
                if let Some(hit) = found {
                    prop_assert_eq!(&hit.url(), url);
                    prop_assert_eq!((&hit.title, &hit.folder, &hit.headings[0]), (title, folder, heading));
                    // What is not shown is not there.
                    prop_assert_eq!(&hit.body, if heading.is_empty() { body } else { "" });
                }
            }
        }
    }

    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        Index::open(&bytes).unwrap_err();
        let mut dressed = small()[..HEADER].to_vec();
        dressed.extend(&bytes);
        seal(&mut dressed);
        exercise(&one_file(&dressed));
    }

    #[test]
    fn any_headings_and_anchors_are_read_as_they_were_written(
        sections in proptest::collection::vec(
            (proptest::array::uniform3("(|[a-c]|A b|É!|[a-c] 1)"), "(|a|a-b|c-1|a-1|é|section|a-b-12|-7|a-007)"), 1..12
        )
    ) {
        let mut builder = IndexBuilder::new();
        let parts: Vec<Section<'_>> = sections.iter().map(|(headings, anchor)| Section {
            anchor, headings: headings.each_ref().map(String::as_str), body: "word", inbound_links: &[],
        }).collect();
        builder.add_page(&Page { path: "/p", title: "T", sections: &parts, ..Page::default() });
        let mut shelf = Shelf::new(builder.finish(Layout::Sharded));
        let all = SearchOptions { limit: usize::MAX, per_page: usize::MAX, ..SearchOptions::default() };
        let mut hits = shelf.search("word", &all).hits;
        hits.sort_by_key(|hit| hit.section_id);
        prop_assert_eq!(hits.len(), sections.len());
        for (hit, (headings, anchor)) in hits.iter().zip(&sections) {
            prop_assert_eq!((&hit.headings, &hit.anchor), (headings, anchor));
        }
    }

    #[test]
    fn changed_bytes_of_a_real_index_are_survived(
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..8),
        file in any::<proptest::sample::Index>(),
        cut in any::<proptest::sample::Index>(),
        is_cut in any::<bool>(),
    ) {
        thread_local!(static FILES: Vec<IndexFile> = corpus::sharded());
        FILES.with(|files| {
            let number = file.index(files.len());
            let mut bytes = files[number].bytes.clone();
            let first = if number == 0 { HEADER } else { 0 };
            for (at, value) in changes {
                let at = first + at.index(bytes.len() - first);
                bytes[at] = value;
            }
            if is_cut {
                bytes.truncate(first + cut.index(bytes.len() - first));
            }
            exercise(&with_bytes(files, number, bytes));
        });
    }
}
