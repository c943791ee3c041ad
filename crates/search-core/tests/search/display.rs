//! Highlighting, snippets and hits: what a reader sees.

use std::ops::Range;

use proptest::prelude::*;
use search_core::highlight::{ranges, to_utf16};
use search_core::hits::{Display, Hit, Metadata, map};
use search_core::snippet::snippet;

use crate::analysis::texts;

/// The text with its marks in square brackets.
fn marked(text: &str, ranges: &[Range<usize>]) -> String {
    let mut marked = String::new();
    let mut at = 0;
    for range in ranges {
        marked += &format!("{}[{}]", &text[at..range.start], &text[range.clone()]);
        at = range.end;
    }
    marked + &text[at..]
}

#[test]
fn words_of_the_query_are_marked() {
    for (query, text, expected) in [
        (
            "ranking",
            "Ranks, rank and RANKED lists",
            "[Ranks], [rank] and [RANKED] lists",
        ),
        ("creme", "Crème brûlée", "[Crème] brûlée"),
        // Not longer than two characters, or a stop word.
        ("is at ab", "is it at ab", "is it at ab"),
        ("what is the of", "what is the of", "what is the of"),
        ("the recall of it", "the recall of it", "the [recall] of it"),
        // Words inside of other words are other words.
        ("art ", "start party art", "start party [art]"),
        // The word being typed marks what begins with it, a finished one does not.
        ("conn", "connector, reconnect", "[connector], reconnect"),
        ("conn ", "connector, reconnect", "connector, reconnect"),
        ("conn data", "connector of datasets", "connector of [datasets]"),
        // Identifiers.
        ("x-api-key", "send x-api-key", "send [x-api-key]"),
        ("api key ", "send x-api-key", "send x-[api]-[key]"),
        ("table of contents", "tableOfContents", "[table]Of[Contents]"),
        ("tableofcontents", "tableOfContents", "[tableOfContents]"),
        ("検索エ", "検索エンジンと検索", "[検索エ]ンジンと[検索]"),
        ("", "nothing", "nothing"),
    ] {
        assert_eq!(marked(text, &ranges(text, query)), expected, "{query}");
    }
}

#[test]
fn a_query_in_han_is_marked_from_three_characters_on() {
    // The specification's rule counts characters, whatever the script.
    assert!(ranges("検索", "検索").is_empty());
    assert!(!ranges("検索語", "検索語").is_empty());
}

#[test]
fn ranges_cross_into_javascript_in_utf16_units() {
    let text = "😀 é rank";
    let marked = ranges(text, "rank");
    assert_eq!(marked.first(), Some(&(8..12)));
    assert_eq!(to_utf16(text, &marked).first(), Some(&(5..9)));
    // Ranges of somebody else, in any order, half inside of a character or beyond the end.
    assert_eq!(to_utf16("a😀b", &[5..6, 0..3, 2..99]), [3..4, 0..1, 1..4]);
}

const PASSAGE: &str = "The first words say nothing. Later on, precision and recall are compared in a long sentence about both, and then \
                       precision alone is mentioned once more at the very end of it all.";

#[test]
fn a_snippet_shows_the_words_where_the_query_is_best_met() {
    for (query, words, expected) in [
        ("precision recall", 5, "…on, [precision] and [recall] are…"),
        (
            "precision recall",
            10,
            "…nothing. Later on, [precision] and [recall] are compared in a…",
        ),
        ("nothing of this kind", 3, "…say [nothing]. Later…"),
        ("unknown", 4, "The first words say…"),
        ("end", 4, "…very [end] of it…"),
        (
            "precision",
            500,
            "The first words say nothing. Later on, [precision] and [recall]",
        ),
    ] {
        let snippet = snippet(PASSAGE, query, words);
        let shown = marked(&snippet.text, &snippet.ranges);
        if words < 100 {
            assert_eq!(shown, expected, "{query}");
        } else {
            assert_eq!(
                snippet.text.split(' ').count(),
                PASSAGE.split_whitespace().count()
            );
        }
    }
    // Two different words are worth more than one that comes three times.
    let repeated = "rank rank rank and then, after all of that, rank with recall";
    assert_eq!(snippet(repeated, "rank recall", 3).text, "…rank with recall");
    assert_eq!(snippet(" a\n\tb ", "", 10).text, "a b");
    assert_eq!(snippet("", "rank", 10).text, "");
    assert_eq!(snippet(&"検".repeat(100), "", 2).text, "検".repeat(64) + "…");
}

fn mapped(metadata: Metadata) -> Hit {
    map(
        &metadata,
        7,
        &Display::new("precision recall", "https://docs.example.com/", 5),
    )
}

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn metadata_becomes_the_specifications_hit() {
    let hit = mapped(Metadata {
        item_id: text("/docs/metrics/recall#trade-off"),
        url: text("/docs/metrics/recall#trade-off"),
        folder: text("Metrics"),
        header_1: text("Recall"),
        header_2: text("Trade-off with precision"),
        body: text(PASSAGE),
        ..Metadata::default()
    });
    assert_eq!(hit.object_id, "/docs/metrics/recall#trade-off");
    assert_eq!(hit.url, "https://docs.example.com/docs/metrics/recall#trade-off");
    assert_eq!(
        (hit.pathname.as_str(), hit.hash.as_str()),
        ("/docs/metrics/recall", "trade-off")
    );
    assert_eq!(
        (hit.hierarchy.lvl0.as_str(), hit.hierarchy.lvl1.as_str()),
        ("Metrics", "Recall")
    );
    assert_eq!(hit.content, "Trade-off with precision");
    assert_eq!(
        marked(&hit.content, &hit.marks.content),
        "Trade-off with [precision]"
    );
    assert_eq!(marked(&hit.hierarchy.lvl1, &hit.marks.lvl1), "[Recall]");
    assert_eq!(Hit::KIND, "content");
}

#[test]
fn the_deepest_heading_is_the_content_and_the_body_stands_in() {
    let [header_2, header_3, header_4] = [text("two"), text("three"), text("four")];
    let all = Metadata {
        header_2,
        header_3,
        header_4,
        body: text(PASSAGE),
        ..Metadata::default()
    };
    assert_eq!(mapped(all.clone()).content, "four");
    let all = Metadata {
        header_4: None,
        ..all
    };
    assert_eq!(mapped(all.clone()).content, "three");
    let all = Metadata {
        header_3: text(""),
        ..all
    };
    assert_eq!(mapped(all.clone()).content, "two");
    let all = Metadata {
        header_2: None,
        ..all
    };
    assert_eq!(mapped(all.clone()).content, "…on, precision and recall are…");
    assert_eq!(mapped(Metadata { body: None, ..all }).content, "");
}

#[test]
fn what_is_missing_has_a_default() {
    let hit = mapped(Metadata::default());
    assert_eq!(hit.object_id, "7");
    assert_eq!(hit.url, "https://docs.example.com/");
    assert_eq!((hit.pathname.as_str(), hit.hash.as_str()), ("/", ""));
    assert_eq!(
        (hit.hierarchy.lvl0.as_str(), hit.hierarchy.lvl1.as_str()),
        ("Documentation", "")
    );
}

#[test]
fn no_url_leads_out_of_the_site() {
    for (url, expected, pathname) in [
        ("docs/a", "/docs/a", "/docs/a"),
        ("/docs/a?x=1#b#c", "/docs/a?x=1#b#c", "/docs/a"),
        ("//evil.example/a", "/evil.example/a", "/evil.example/a"),
        ("/\t/evil.example", "/evil.example", "/evil.example"),
        ("\\\\evil.example", "/evil.example", "/evil.example"),
        (
            "javascript:alert(1)",
            "/javascript:alert(1)",
            "/javascript:alert(1)",
        ),
        ("HTTPS://evil.example/docs/a#b", "/docs/a#b", "/docs/a"),
        ("https://evil.example", "/", "/"),
    ] {
        let metadata = Metadata {
            url: text(url),
            ..Metadata::default()
        };
        for root in ["/", ""] {
            let hit = map(&metadata, 0, &Display::new("", root, 10));
            assert_eq!(
                (hit.url.as_str(), hit.pathname.as_str()),
                (expected, pathname),
                "{url}"
            );
        }
    }
}

fn are_marks_of(text: &str, ranges: &[Range<usize>]) -> bool {
    let inside = ranges.iter().all(|range| {
        range.start < range.end
            && range.end <= text.len()
            && text.is_char_boundary(range.start)
            && text.is_char_boundary(range.end)
    });
    inside && ranges.windows(2).all(|pair| pair[0].end < pair[1].start)
}

proptest! {
    #[test]
    fn marks_are_sorted_inside_the_text_and_on_borders(text in texts(), query in texts()) {
        let ranges = ranges(&text, &query);
        prop_assert!(are_marks_of(&text, &ranges));
        let units: Vec<u16> = text.encode_utf16().collect();
        for (range, utf16) in ranges.iter().zip(to_utf16(&text, &ranges)) {
            prop_assert_eq!(String::from_utf16(&units[utf16]).unwrap(), &text[range.clone()]);
        }
    }

    #[test]
    fn every_word_of_a_text_marks_itself(text in "[a-z ]{0,40}") {
        for word in text.split(' ').filter(|word| word.len() > 2 && !search_core::analysis::is_stop_word(word)) {
            prop_assert!(!ranges(&text, word).is_empty(), "{}", word);
        }
    }

    #[test]
    fn a_snippet_is_never_longer_than_asked(passage in texts(), query in texts(), words in 0usize..12) {
        let snippet = snippet(&passage, &query, words);
        prop_assert!(are_marks_of(&snippet.text, &snippet.ranges));
        prop_assert!(snippet.text.split_whitespace().count() <= words.max(1));
    }

    #[test]
    fn any_metadata_is_mapped(url in texts(), body in texts(), query in texts(), root in "[a-z:/.]{0,12}") {
        let metadata = Metadata { url: Some(url), body: Some(body), ..Metadata::default() };
        let hit = map(&metadata, 0, &Display::new(&query, &root, 5));
        prop_assert!(hit.url.starts_with(root.trim_end_matches('/')));
        prop_assert!(hit.pathname.starts_with('/') && !hit.pathname.starts_with("//"));
        prop_assert!(are_marks_of(&hit.content, &hit.marks.content));
    }
}
