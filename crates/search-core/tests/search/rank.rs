//! What a query finds.

use proptest::prelude::*;
use search_core::{Index, IndexBuilder, Page, SearchOptions, Section};

use crate::{analysis::texts, corpus};

fn urls(index: &Index, query: &str) -> Vec<String> {
    index
        .search(query, &SearchOptions::default())
        .iter()
        .map(|hit| hit.url())
        .collect()
}

fn best(query: &str) -> String {
    urls(&corpus::index(), query)
        .into_iter()
        .next()
        .unwrap_or_default()
}

#[test]
fn the_best_answer_comes_first() {
    for (query, expected) in [
        ("ndcg", "/docs/metrics/ndcg"),
        ("recall", "/docs/metrics/recall"),
        ("tie breaking", "/docs/metrics/precision#tie-breaking"),
        ("graded relevance", "/docs/metrics/ndcg#graded"),
        // Words of the body, the aliases, the links that point there.
        ("logical replication", "/docs/connectors/postgresql"),
        ("sensitivity", "/docs/metrics/recall"),
        ("bestseller", "/docs/models/popular"),
        // Other forms of the words.
        ("popularly", "/docs/models/popular"),
        ("break a tie", "/docs/metrics/precision#tie-breaking"),
        // Identifiers: whole, in another spelling, by a part of them.
        ("x-api-key", "/docs/connectors/custom"),
        ("xApiKey", "/docs/connectors/custom"),
        ("--dry-run", "/docs/connectors/custom#cli"),
        ("themeConfig.searchBar", "/docs/guides/search#api"),
        ("exploration factor", "/docs/guides/cold-start#items"),
        // Accents, other scripts.
        ("cafe", "/docs/guides/search#languages"),
        ("ZÜRICH", "/docs/guides/search#languages"),
        ("検索", "/docs/guides/search#languages"),
        // Typing errors of each kind.
        ("presicion", "/docs/metrics/precision"),
        ("recal", "/docs/metrics/recall"),
        ("colld start", "/docs/guides/cold-start"),
        ("embarassingly shalow", "/docs/models/ease"),
        ("postgersql", "/docs/connectors/postgresql"),
        // The last word is still being typed.
        ("prec", "/docs/metrics/precision"),
        ("cold st", "/docs/guides/cold-start"),
        ("timestampt", "/docs/connectors/postgresql#types"),
        ("regulariz", "/docs/models/ease#parameters"),
    ] {
        assert_eq!(best(query), expected, "{query}");
    }
}

#[test]
fn stop_words_alone_still_answer() {
    let found = urls(&corpus::index(), "to be or not to be");
    assert_eq!(found.first().map(String::as_str), Some("/docs/overview/welcome"));
    assert!(!urls(&corpus::index(), "the").is_empty());
}

#[test]
fn no_word_is_required() {
    assert_eq!(best("ndcg zzzzzzzz qqqqqqqq"), "/docs/metrics/ndcg");
    assert!(urls(&corpus::index(), "zzzzzzzz").is_empty());
    assert!(urls(&corpus::index(), "").is_empty());
    assert!(urls(&corpus::index(), " ?! ").is_empty());
}

#[test]
fn a_space_ends_the_word_that_was_being_typed() {
    let index = corpus::index();
    assert!(urls(&index, "co").len() > 1);
    assert!(urls(&index, "co ").is_empty());
    let typed_to_its_end = SearchOptions {
        prefix_last: false,
        ..SearchOptions::default()
    };
    assert!(index.search("co", &typed_to_its_end).is_empty());
}

#[test]
fn only_unknown_words_are_corrected() {
    // "rank" is one edit from "bank"; a site that has both does not mix them up.
    let mut builder = IndexBuilder::new();
    for (path, body) in [("/rank", "rank"), ("/bank", "bank")] {
        let sections = [Section {
            body,
            ..Section::default()
        }];
        builder.add_page(&Page {
            path,
            title: "Page",
            sections: &sections,
            ..Page::default()
        });
    }
    let index = Index::open(&builder.finish()).unwrap();
    assert_eq!(urls(&index, "bank "), ["/bank"]);
    assert_eq!(urls(&index, "nank ").len(), 2);
}

#[test]
fn one_page_does_not_fill_the_list() {
    let index = corpus::index();
    let hits = index.search(
        "rows dataset insert",
        &SearchOptions {
            per_page: 2,
            ..SearchOptions::default()
        },
    );
    assert_eq!(
        hits.iter()
            .filter(|hit| hit.path == "/docs/connectors/custom")
            .count(),
        2
    );
    assert_eq!(
        index
            .search(
                "recall",
                &SearchOptions {
                    limit: 1,
                    ..SearchOptions::default()
                }
            )
            .len(),
        1
    );
    assert!(
        index
            .search(
                "recall",
                &SearchOptions {
                    limit: 0,
                    ..SearchOptions::default()
                }
            )
            .is_empty()
    );
}

#[test]
fn equal_scores_keep_the_order_of_the_sections() {
    let mut builder = IndexBuilder::new();
    for path in ["/c", "/a", "/b"] {
        let sections = [Section {
            body: "same words",
            ..Section::default()
        }];
        builder.add_page(&Page {
            path,
            title: "Same",
            sections: &sections,
            ..Page::default()
        });
    }
    let index = Index::open(&builder.finish()).unwrap();
    assert_eq!(urls(&index, "same"), ["/c", "/a", "/b"]);
}

/// Words of the corpus, in part mistyped.
fn queries() -> impl Strategy<Value = Vec<String>> {
    let words = [
        "ndcg",
        "rank",
        "recal",
        "the",
        "x-api-key",
        "検索",
        "presicion",
        "item",
        "matrix",
        "cafe",
        "to",
        "zzzz",
    ];
    proptest::collection::vec(
        proptest::sample::select(words.to_vec()).prop_map(str::to_owned),
        1..6,
    )
}

proptest! {
    #[test]
    fn any_query_is_survived(query in texts(), limit in 0usize..20) {
        thread_local!(static INDEX: Index = corpus::index());
        INDEX.with(|index| {
            let hits = index.search(&query, &SearchOptions { limit, ..SearchOptions::default() });
            assert!(hits.len() <= limit);
            assert!(hits.iter().all(|hit| hit.score.is_finite() && hit.score > 0.0));
            assert!(hits.is_sorted_by(|left, right| {
                (left.score, right.section_id) > (right.score, left.section_id)
            }));
        });
    }

    #[test]
    fn the_order_of_the_words_changes_no_bit(words in queries(), seed in any::<u64>()) {
        thread_local!(static INDEX: Index = corpus::index());
        let mut other = words.clone();
        let length = other.len();
        for place in 0..length {
            other.swap(place, (seed as usize).wrapping_mul(place + 7) % length);
        }
        let found = |words: &[String]| INDEX.with(|index| {
            let hits = index.search(&(words.join(" ") + " "), &SearchOptions::default());
            hits.iter().map(|hit| (hit.section_id, hit.score.to_bits())).collect::<Vec<_>>()
        });
        prop_assert_eq!(found(&words), found(&other));
    }

    #[test]
    fn the_order_of_the_pages_changes_no_bit(query in queries(), rotation in 1usize..12) {
        let mut pages = corpus::pages();
        let everything = SearchOptions { limit: usize::MAX, per_page: usize::MAX, prefix_last: true };
        let found = |bytes: &[u8]| {
            let index = Index::open(bytes).unwrap();
            let hits = index.search(&query.join(" "), &everything);
            let mut hits: Vec<_> = hits.iter().map(|hit| (hit.url(), hit.score.to_bits())).collect();
            hits.sort();
            hits
        };
        let before = found(&corpus::build(&pages));
        pages.rotate_left(rotation);
        prop_assert_eq!(before, found(&corpus::build(&pages)));
    }
}
