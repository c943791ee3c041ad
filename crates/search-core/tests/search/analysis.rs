//! Text into terms.

use proptest::prelude::*;
use search_core::analysis::{MAX_TERM_BYTES, Token, analyze, fold, is_stop_word};

/// The terms of a text, with spaces between them.
fn terms(text: &str) -> String {
    let terms: Vec<String> = analyze(text).into_iter().map(|token| token.term).collect();
    terms.join(" ")
}

#[test]
fn texts_become_these_terms() {
    for (text, expected) in [
        ("Ranked rankings rank", "rank rank rank"),
        ("Crème brûlée", "creme brule"),
        ("the user's lists", "the user list"),
        ("don’t", "don't"),
        // Whole names come before their words.
        ("tableOfContents", "tableofcont tabl of content"),
        ("table_of_contents", "tableofcont tabl of content"),
        ("table-of-contents", "tableofcont tabl of content"),
        ("x-api-key", "xapikey x api key"),
        ("SIFTWREN_API_URL", "siftwrenapiurl siftwren api url"),
        (
            "themeConfig.navBar",
            "themeconfignavbar themeconfig theme config navbar nav bar",
        ),
        ("std::fmt", "stdfmt std fmt"),
        ("@scope/my-pkg", "scopemypkg scope mypkg my pkg"),
        ("docs/my page", "doc my page"),
        ("a --dry-run flag", "a --dryrun dryrun dri run flag"),
        ("word--word", "word word"),
        (
            "HTTPServer XMLHttpRequest",
            "httpserver http server xmlhttprequest xml http request",
        ),
        // Not every change of case is a border.
        ("nDCG mAP URLs 3D", "ndcg map url 3d"),
        ("sha256 bert4rec", "sha256 bert4rec"),
        ("1.95.0, 20,000 and 3.", "1.95.0 20000 and 3"),
        ("1,2345 or 1,23", "1 2345 or 1 23"),
        ("C++ and C# but not a#b", "c c++ and c c# but not a b"),
        ("検索エンジン", "検索 索エ エン ンジ ジン"),
        ("検 or Rust検索", "検 or rust 検索"),
        ("ค้นหา", "ค้ ้น นห หา"),
        ("हिन्दी।", "हिन्दी"),
        ("Ελλάδα Ёлка", "ελλαδα елка"),
        ("  -- . ' _ ", ""),
    ] {
        assert_eq!(terms(text), expected, "{text}");
    }
}

#[test]
fn the_specifications_words_are_stop_words_in_any_case() {
    let list = "what is the a an and or but in on at to for of with by";
    assert!(list.split(' ').all(is_stop_word));
    assert!(is_stop_word("The") && is_stop_word("WHAT"));
    assert!(!is_stop_word("this") && !is_stop_word("") && !is_stop_word("ranking"));
}

#[test]
fn an_endless_word_is_cut_alike_everywhere() {
    let word = "検x".repeat(3) + &"é".repeat(500);
    assert!(
        analyze(&word)
            .iter()
            .all(|token| token.form.len() <= MAX_TERM_BYTES)
    );
    assert_eq!(terms(&"a".repeat(500)), terms(&"a".repeat(900)));
}

/// Letters, connectors and scripts that meet in documentation, and anything else.
pub(crate) fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z0-9 _.:/@'’#+,\\-éßİŁ検索ンค้हि्\u{301}\u{AD}😀]{0,60}",
        any::<String>(),
    ]
}

proptest! {
    #[test]
    fn tokens_stand_in_the_text_in_order(text in texts()) {
        let tokens = analyze(&text);
        for Token { term, form, start, end, .. } in &tokens {
            prop_assert!(start < end && text.is_char_boundary(*start) && text.is_char_boundary(*end));
            prop_assert!(!term.is_empty() && !form.is_empty());
            // Words are folded: folding them again changes nothing.
            prop_assert_eq!(&fold(form), form);
        }
        prop_assert!(tokens.is_sorted_by_key(|token| token.start));
        prop_assert!(tokens.is_sorted_by_key(|token| token.position));
    }

    #[test]
    fn case_does_not_matter_for_a_single_word(word in "[a-zà-ž]{1,20}") {
        let capital: String = word.chars().take(1).flat_map(char::to_uppercase).chain(word.chars().skip(1)).collect();
        prop_assert_eq!(terms(&word), terms(&capital));
        prop_assert_eq!(fold(&word), fold(&word.to_uppercase()));
    }

    #[test]
    fn words_apart_from_each_other_are_analysed_alone(left in texts(), right in texts()) {
        let together = terms(&format!("{left} \n {right}"));
        let alone = [terms(&left), terms(&right)].join(" ");
        prop_assert_eq!(together.trim(), alone.trim());
    }
}
