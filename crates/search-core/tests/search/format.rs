//! The index as bytes: what is written can be read, and nothing that is read can do harm.

use proptest::prelude::*;
use search_core::{FormatErrorKind, Index, IndexBuilder, Page, SearchOptions, Section};

use crate::corpus;

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

/// Opens and uses an index as far as it lets; the only wrong answer is a panic.
fn exercise(bytes: &[u8]) -> bool {
    let Ok(index) = Index::open(bytes) else {
        return false;
    };
    for query in [
        "ndcg",
        "rankin",
        "presicion recal",
        "検索",
        "--dry-run x-api-key",
        "the",
    ] {
        for hit in index.search(query, &SearchOptions::default()) {
            assert!(!hit.score.is_nan());
            hit.metadata();
        }
    }
    true
}

fn small() -> Vec<u8> {
    let mut builder = IndexBuilder::new();
    let sections = [
        Section {
            body: "Ranks of zany ranked items and ranking: 検索",
            ..Section::default()
        },
        Section {
            anchor: "how",
            headings: ["How", "Ranks", ""],
            body: "x-api-key",
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
    builder.finish()
}

#[test]
fn what_is_no_index_is_refused_with_its_kind() {
    let good = small();
    assert!(exercise(&good));
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
fn every_changed_byte_with_a_right_checksum_is_survived() {
    let good = small();
    let mut opened = 0;
    for at in HEADER..good.len() {
        for change in [0x01, 0x80, 0xFF, 0x7F] {
            let mut other = good.clone();
            other[at] ^= change;
            seal(&mut other);
            opened += usize::from(exercise(&other));
        }
    }
    // A changed letter of a body is nothing that a reader could see: the test has reached the code behind the checks.
    assert!(opened > 100, "{opened}");
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
            exercise(&traded);
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
            exercise(&moved);
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
    let mut bytes = builder.finish();
    let at = bytes.windows(4).position(|window| window == b"aabb").unwrap();
    bytes[at..at + 4].copy_from_slice(b"bbaa");
    seal(&mut bytes);
    assert_eq!(
        Index::open(&bytes).unwrap_err().to_string(),
        "the search index is corrupt: the vocabulary"
    );
}

#[test]
fn an_index_without_pages_opens_and_answers_nothing() {
    let index = Index::open(&IndexBuilder::new().finish()).unwrap();
    assert_eq!(
        (index.page_count(), index.section_count(), index.term_count()),
        (0, 0, 0)
    );
    assert!(index.search("anything", &SearchOptions::default()).is_empty());
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
    assert!(exercise(&newer));
}

fn words() -> impl Strategy<Value = String> {
    proptest::collection::vec("[a-dA-D検索é_-]{1,6}", 0..12).prop_map(|words| words.join(" "))
}

proptest! {
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
        let index = Index::open(&builder.finish()).unwrap();
        prop_assert_eq!(index.section_count(), expected.len());
        prop_assert_eq!(index.page_count(), pages.len());
        // Each section is found by its own body, as it was given.
        let all = SearchOptions { limit: usize::MAX, per_page: usize::MAX, prefix_last: false };
        for (number, (url, title, folder, heading, body)) in expected.iter().enumerate() {
            let hits = index.search(body, &all);
            let has_words = !search_core::analysis::analyze(body).is_empty();
            let found = hits.iter().find(|hit| hit.section_id as usize == number);
            prop_assert!(found.is_some() || !has_words);
            if let Some(hit) = found {
                prop_assert_eq!(&hit.url(), url);
                prop_assert_eq!((hit.title, hit.folder, hit.headings[0], hit.body), (&**title, &**folder, &**heading, &**body));
            }
        }
    }

    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        Index::open(&bytes).unwrap_err();
        let mut dressed = small()[..HEADER].to_vec();
        dressed.extend(&bytes);
        seal(&mut dressed);
        exercise(&dressed);
    }

    #[test]
    fn changed_bytes_of_a_real_index_are_survived(
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..8),
        cut in any::<proptest::sample::Index>(),
        is_cut in any::<bool>(),
    ) {
        let mut bytes = corpus::bytes();
        for (at, value) in changes {
            let at = HEADER + at.index(bytes.len() - HEADER);
            bytes[at] = value;
        }
        if is_cut {
            bytes.truncate(HEADER + cut.index(bytes.len() - HEADER));
        }
        seal(&mut bytes);
        exercise(&bytes);
    }
}
