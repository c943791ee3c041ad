//! What a query finds.

use proptest::prelude::*;
use search_core::{
    Correction, Index, IndexBuilder, Layout, Page, SearchOptions, Section, SectionHit, Stages, Weights,
};

use crate::{
    analysis::texts,
    corpus::{self, Shelf, hits},
};

fn urls(index: &mut Index, query: &str) -> Vec<String> {
    urls_with(index, query, &SearchOptions::default())
}

fn urls_with(index: &mut Index, query: &str, options: &SearchOptions) -> Vec<String> {
    hits(index, query, options).iter().map(SectionHit::url).collect()
}

/// An index in one file.
fn open(mut builder: IndexBuilder) -> Index {
    Index::open(&builder.finish(Layout::OneFile)[0].bytes).expect("the builder writes an index")
}

fn best(query: &str) -> String {
    urls(&mut corpus::index(), query)
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
    let found = urls(&mut corpus::index(), "to be or not to be");
    assert_eq!(found.first().map(String::as_str), Some("/docs/overview/welcome"));
    assert!(!urls(&mut corpus::index(), "the").is_empty());
}

#[test]
fn no_word_is_required() {
    assert_eq!(best("ndcg zzzzzzzz qqqqqqqq"), "/docs/metrics/ndcg");
    assert!(urls(&mut corpus::index(), "zzzzzzzz").is_empty());
    assert!(urls(&mut corpus::index(), "").is_empty());
    assert!(urls(&mut corpus::index(), " ?! ").is_empty());
}

#[test]
fn a_space_ends_the_word_that_was_being_typed() {
    let mut index = corpus::index();
    assert!(urls(&mut index, "co").len() > 1);
    assert!(urls(&mut index, "co ").is_empty());
    let typed_to_its_end = SearchOptions {
        prefix_last: false,
        ..SearchOptions::default()
    };
    assert!(hits(&mut index, "co", &typed_to_its_end).is_empty());
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
    let mut index = open(builder);
    assert_eq!(urls(&mut index, "bank "), ["/bank"]);
    assert_eq!(urls(&mut index, "nank ").len(), 2);
}

#[test]
fn one_page_does_not_fill_the_list() {
    let mut index = corpus::index();
    let two = SearchOptions {
        per_page: 2,
        ..SearchOptions::default()
    };
    let found = hits(&mut index, "rows dataset insert", &two);
    let of_page = found.iter().filter(|hit| hit.path == "/docs/connectors/custom");
    assert_eq!(of_page.count(), 2);
    for limit in [0, 1] {
        let options = SearchOptions {
            limit,
            ..SearchOptions::default()
        };
        assert_eq!(hits(&mut index, "recall", &options).len(), limit);
    }
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
    let mut index = open(builder);
    assert_eq!(urls(&mut index, "same"), ["/c", "/a", "/b"]);
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

/// All hits as they are to the bit, and what was corrected.
fn bits(
    shelf: &mut Shelf,
    query: &str,
    options: &SearchOptions,
) -> (Vec<(u32, u64, String)>, Vec<Correction>) {
    let answer = shelf.search(query, options);
    let bits = |hit: &SectionHit| (hit.section_id, hit.score.to_bits(), hit.body.clone() + &hit.url());
    (answer.hits.iter().map(bits).collect(), answer.corrections)
}

fn everything(semantic: bool) -> SearchOptions {
    SearchOptions {
        limit: usize::MAX,
        per_page: usize::MAX,
        semantic,
        ..SearchOptions::default()
    }
}

#[test]
fn the_answer_does_not_depend_on_the_files() {
    let one_file = || Shelf::new(corpus::builder(&corpus::pages(), true).finish(Layout::OneFile));
    let mut sharded = Shelf::new(corpus::sharded());
    for query in corpus::queries() {
        for semantic in [false, true] {
            let expected = bits(&mut one_file(), &query, &everything(semantic));
            // From nothing, with all files of earlier queries, and after they were dropped.
            let mut fresh = Shelf::new(corpus::sharded());
            assert_eq!(
                bits(&mut fresh, &query, &everything(semantic)),
                expected,
                "{query}"
            );
            assert!(fresh.rounds <= 5, "{query}: {} rounds", fresh.rounds);
            assert_eq!(
                bits(&mut sharded, &query, &everything(semantic)),
                expected,
                "{query}"
            );
        }
    }
    let loaded = sharded.loaded.len();
    sharded.index.keep_at_most(0);
    sharded.loaded.clear();
    for query in corpus::queries() {
        assert_eq!(
            sharded.alternatives(&query),
            one_file().alternatives(&query),
            "{query}"
        );
    }
    assert!(
        loaded > 5 && !sharded.loaded.is_empty(),
        "there were files to load"
    );
}

/// Words that nobody knows, as many as a large site has.
fn many_words(count: usize) -> Vec<String> {
    let syllables = ["ba", "ko", "mi", "tru", "sel", "nor", "fa", "gli", "du", "wex"];
    let word = |number: usize| {
        let digits = [
            number % 10,
            number / 10 % 10,
            number / 100 % 10,
            number / 1000 % 10,
            number / 10_000,
        ];
        digits.map(|digit| syllables[digit % 10]).concat()
    };
    (0..count).map(word).collect()
}

#[test]
fn a_large_vocabulary_is_searched_in_parts_with_the_same_answer() {
    let words = many_words(12_000);
    let mut builder = IndexBuilder::new();
    for (number, words) in words.chunks(40).enumerate() {
        // The last words of the pages have the same beginning and are more or less common.
        let repeated = format!("{} ", words[39]).repeat(number * 7 % 30);
        let (path, body) = (format!("/{number}"), words.join(" ") + " " + &repeated);
        let sections = [Section {
            body: &body,
            ..Section::default()
        }];
        builder.add_page(&Page {
            path: &path,
            title: &words[0],
            sections: &sections,
            ..Page::default()
        });
    }
    let mut whole = Shelf::new(builder.finish(Layout::OneFile));
    for word in words.iter().step_by(997) {
        let typo = [&word[..4], "x", &word[4..]].concat();
        let swapped = [&word[1..2], &word[..1], &word[2..]].concat();
        let run_together = [word, &words[77]].map(String::as_str).concat();
        for query in [
            typo,
            swapped,
            run_together,
            word[..5].to_owned(),
            word[..1].to_owned(),
        ] {
            let mut sharded = Shelf::new(builder.finish(Layout::Sharded));
            let all = sharded
                .index
                .file_names()
                .iter()
                .map(|(_, names)| names.len())
                .sum::<usize>();
            let options = SearchOptions::default();
            assert_eq!(
                bits(&mut sharded, &query, &options),
                bits(&mut whole, &query, &options),
                "{query}"
            );
            assert!(!whole.search(&query, &options).hits.is_empty(), "{query}");
            assert!(
                sharded.loaded.len() * 2 < all,
                "{query}: {} of {all}",
                sharded.loaded.len()
            );
        }
    }
    // A beginning whose words stand in several files.
    let mut sharded = Shelf::new(builder.finish(Layout::Sharded));
    let options = SearchOptions::default();
    assert_eq!(
        bits(&mut sharded, "wex", &options),
        bits(&mut whole, "wex", &options)
    );
    let word_files = sharded.loaded.iter().filter(|name| name.starts_with('w')).count();
    assert!(word_files > 1, "{:?}", sharded.loaded);
}

#[test]
fn a_whole_title_or_heading_means_its_place() {
    let mut builder = IndexBuilder::new();
    let section = |anchor, heading, body| Section {
        anchor,
        headings: [heading, "", ""],
        body,
        ..Section::default()
    };
    let schemas =
        "API v1 of schemas: API v1, and what API v1 has. Ceiling of API v1, ceiling of all: ceiling.";
    let links: &[&str] = &["API v1", "API v1", "ceiling"];
    for (path, title, links, sections) in [
        (
            "/api/v1/schemas",
            "Schemas, API v1",
            links,
            [
                section("", "", schemas),
                section("all", "The ceiling of schemas, its ceiling", schemas),
            ],
        ),
        (
            "/start",
            "API v1",
            &[],
            [
                section("", "", "What can be asked."),
                section("most", "Ceiling", "So many."),
            ],
        ),
        (
            "/other",
            "Another page",
            &[],
            [section("", "", "Text."), section("its", "Its part", "More.")],
        ),
    ] {
        builder.add_page(&Page {
            path,
            title,
            aliases: links,
            inbound_links: links,
            sections: &sections,
            ..Page::default()
        });
    }
    let mut index = open(builder);
    let mut best = |query: &str| urls(&mut index, query).swap_remove(0);
    assert_eq!(best("api v1"), "/start");
    assert_eq!(best("v1 API "), "/start");
    assert_eq!(best("schemas api v1"), "/api/v1/schemas");
    assert_eq!(best("ceiling"), "/start#most");
    assert_eq!(best("ceilign"), "/start#most");
}

#[test]
fn neighbours_of_the_query_are_looked_for_in_titles() {
    let mut builder = IndexBuilder::new();
    for (path, title) in [
        ("/b", "Start of cold"),
        ("/c", "Start cold of"),
        ("/a", "Of cold start"),
    ] {
        let sections = [Section {
            body: "text",
            ..Section::default()
        }];
        builder.add_page(&Page {
            path,
            title,
            sections: &sections,
            ..Page::default()
        });
    }
    let mut index = open(builder);
    let mut score = |query: &str, path: &str, without: Stages| {
        let options = SearchOptions {
            without,
            ..SearchOptions::default()
        };
        let hits = hits(&mut index, query, &options);
        hits.iter()
            .find(|hit| hit.path == path)
            .map_or(0.0, |hit| hit.score)
    };
    assert_eq!(
        score("cold start", "/a", Stages::ADJACENCY),
        score("cold start", "/b", Stages::ADJACENCY)
    );
    assert!(score("cold start", "/a", Stages::NONE) > score("cold start", "/b", Stages::NONE));
    // Not the other way round, and not with something between them in the query.
    assert_eq!(
        score("cold start", "/b", Stages::NONE),
        score("cold start", "/c", Stages::NONE)
    );
    assert_eq!(
        score("cold zzzz start", "/a", Stages::NONE),
        score("cold zzzz start", "/b", Stages::NONE)
    );
}

#[test]
fn two_words_written_as_one_are_found() {
    for (query, expected, meant) in [
        ("coldstart", "/docs/guides/cold-start", &["coldstart"][..]),
        (
            "tiebreaking ",
            "/docs/metrics/precision#tie-breaking",
            &["tie", "breaking"],
        ),
        (
            "gradedrelevance ",
            "/docs/metrics/ndcg#graded",
            &["graded", "relevance"],
        ),
    ] {
        assert_eq!(best(query), expected, "{query}");
        let corrections = corpus::index().search(query, &SearchOptions::default());
        let corrections = corrections.ready().unwrap().corrections;
        let found: Vec<&str> = corrections
            .iter()
            .flat_map(|c| c.meant.iter().map(String::as_str))
            .collect();
        // `cold-start` is a whole name, which is known without its dash.
        if meant.len() > 1 {
            assert_eq!(found, meant, "{query}");
        } else {
            assert!(found.is_empty(), "{query}");
        }
    }
}

#[test]
fn corrections_are_reported() {
    let answer = corpus::index().search("mean recipricol rank", &SearchOptions::default());
    let expected = [Correction {
        typed: "recipricol".to_owned(),
        meant: vec!["reciprocal".to_owned()],
    }];
    assert_eq!(answer.ready().unwrap().corrections, expected);
}

#[test]
fn vectors_move_the_hits() {
    let mut index = corpus::index();
    assert!(index.has_vectors());
    assert_eq!(index.embedder(), Some("toy"));
    let query = "a list that is longer";
    let without = urls_with(&mut index, query, &everything(false));
    let with = urls_with(&mut index, query, &everything(true));
    assert_ne!(without, with);
    let mut switched_off = everything(true);
    switched_off.without = Stages::SEMANTIC;
    assert_eq!(urls_with(&mut index, query, &switched_off), without);
    // A query without a known piece is answered by its words alone.
    assert_eq!(
        urls_with(&mut index, "検索", &everything(true)),
        urls_with(&mut index, "検索", &everything(false))
    );
}

#[test]
fn every_stage_can_be_left_out() {
    assert_eq!(Stages::named("nonsense"), None);
    // A query whose answer the stage changes.
    for (name, query) in [
        ("title-overlap", "recall"),
        ("heading-overlap", "tie breaking"),
        ("fuzzy", "presicion"),
        ("prefix", "prec"),
        ("run-together", "gradedrelevance "),
        ("adjacency", "cold start"),
        ("page", "recall"),
        ("semantic", "recall"),
    ] {
        let with = everything(true);
        let without = SearchOptions {
            without: Stages::named(name).unwrap(),
            ..with.clone()
        };
        let mut shelf = Shelf::new(corpus::sharded());
        assert_ne!(
            bits(&mut shelf, query, &with),
            bits(&mut shelf, query, &without),
            "{name}"
        );
    }
    assert_eq!(Stages::NAMES.len(), 8);
    assert!(Stages::FUZZY.and(Stages::PREFIX).has(Stages::PREFIX));
    assert!(!Stages::FUZZY.has(Stages::PREFIX) && Stages::FUZZY.has(Stages::NONE));
}

#[test]
fn nothing_found_leads_to_words_and_pages_that_exist() {
    let mut shelf = Shelf::new(corpus::sharded());
    let query = "recalibrationist ";
    assert!(shelf.search(query, &SearchOptions::default()).hits.is_empty());
    let alternatives = shelf.alternatives(query);
    assert!(
        alternatives.queries.contains(&"recall".to_owned()),
        "{alternatives:?}"
    );
    // Words that only begin alike are proposed for nothing: `docs`, `line`.
    for unknown in ["docker", "license"] {
        assert_eq!(
            shelf.alternatives(unknown).queries,
            Vec::<String>::new(),
            "{unknown}"
        );
    }
    for proposed in &alternatives.queries {
        assert!(
            !shelf.search(proposed, &SearchOptions::default()).hits.is_empty(),
            "{proposed}"
        );
    }
    // Without vectors there are only words.
    let mut without = corpus::index();
    let of_words = without.alternatives("recall", false).ready().unwrap();
    assert!(of_words.pages.is_empty());
    // Nothing is near to a word of which nothing is known.
    assert!(alternatives.pages.is_empty());
    let pages = shelf.alternatives("recall").pages;
    assert!(
        pages
            .iter()
            .any(|page| page.path == "/docs/metrics/recall" && page.title == "Recall"),
        "{pages:?}"
    );
    let words_only = IndexBuilder::new().finish(Layout::Auto);
    assert_eq!(
        Shelf::new(words_only).alternatives(query),
        search_core::Alternatives::default()
    );
}

#[test]
fn files_that_were_not_needed_are_dropped_first() {
    let mut shelf = Shelf::new(corpus::sharded());
    let options = SearchOptions::default();
    shelf.search("postgres", &options);
    let first = shelf.loaded.clone();
    shelf.search("recall", &options);
    let second = shelf.loaded[first.len()..].to_vec();
    assert!(!second.is_empty());
    shelf.index.keep_at_most(usize::MAX);
    assert!(shelf.index.search("postgres", &options).ready().is_some());
    // Everything that the last question needed stays before anything older does.
    for bytes in (0..200_000).step_by(200) {
        let mut index = shelf.index.clone();
        index.search("recall", &options);
        index.keep_at_most(bytes);
        let has_new = index.search("recall", &options).ready().is_some();
        let has_old = index.search("postgres", &options).ready().is_some();
        assert!(has_new || !has_old, "{bytes}");
    }
    shelf.index.keep_at_most(0);
    assert!(shelf.index.search("recall", &options).ready().is_none());
}

#[test]
fn other_weights_need_only_another_index() {
    let weights = Weights {
        title_overlap: 100.0,
        ..Weights::LEARNT
    };
    assert_eq!(Weights::from_array(weights.to_array()), weights);
    assert_eq!(Weights::NAMES[Weights::NAMES.len() - 1], "semantic");
    let builder = corpus::builder(&corpus::pages(), false);
    let mut usual = open(builder.clone());
    let mut other = open(builder.with_weights(weights));
    let score = |index: &mut Index| hits(index, "recall", &SearchOptions::default())[0].score;
    assert!(score(&mut other) > 5.0 * score(&mut usual));
}

proptest! {
    #[test]
    fn any_query_is_survived(query in texts(), limit in 0usize..20, semantic in any::<bool>()) {
        thread_local!(static INDEX: std::cell::RefCell<Index> = corpus::index().into());
        INDEX.with_borrow_mut(|index| {
            let hits = hits(index, &query, &SearchOptions { limit, semantic, ..SearchOptions::default() });
            assert!(hits.len() <= limit);
            assert!(hits.iter().all(|hit| hit.score.is_finite() && hit.score > 0.0));
            assert!(hits.is_sorted_by(|left, right| {
                (left.score, right.section_id) > (right.score, left.section_id)
            }));
            index.alternatives(&query, semantic).ready().unwrap();
        });
    }

    #[test]
    fn any_query_asks_only_for_what_is_missing(queries in proptest::collection::vec(texts(), 1..4), semantic in any::<bool>()) {
        // The shelf itself checks that nothing is asked for twice, and that it ends.
        let mut shelf = Shelf::new(corpus::sharded());
        for query in queries {
            shelf.search(&query, &everything(semantic));
            shelf.alternatives(&query);
        }
    }

    #[test]
    fn the_order_of_the_words_changes_no_bit(words in queries(), seed in any::<u64>()) {
        thread_local!(static INDEX: std::cell::RefCell<Index> = corpus::index().into());
        let mut other = words.clone();
        let length = other.len();
        for place in 0..length {
            other.swap(place, (seed as usize).wrapping_mul(place + 7) % length);
        }
        // Whether words are neighbours is the one thing that may depend on their order.
        let options = SearchOptions { semantic: true, without: Stages::ADJACENCY, ..SearchOptions::default() };
        let found = |words: &[String]| INDEX.with_borrow_mut(|index| {
            let hits = hits(index, &(words.join(" ") + " "), &options);
            hits.iter().map(|hit| (hit.section_id, hit.score.to_bits())).collect::<Vec<_>>()
        });
        prop_assert_eq!(found(&words), found(&other));
    }

    #[test]
    fn the_order_of_the_pages_changes_no_bit(query in queries(), rotation in 1usize..12) {
        let mut pages = corpus::pages();
        let found = |pages: &[corpus::PageFile]| {
            let mut index = open(corpus::builder(pages, false));
            let hits = hits(&mut index, &query.join(" "), &everything(false));
            let mut hits: Vec<_> = hits.iter().map(|hit| (hit.url(), hit.score.to_bits())).collect();
            hits.sort();
            hits
        };
        let before = found(&pages);
        pages.rotate_left(rotation);
        prop_assert_eq!(before, found(&pages));
    }
}
