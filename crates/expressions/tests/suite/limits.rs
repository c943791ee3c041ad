//! Hostile texts: each is refused or done within its budget, and nothing panics.

use std::time::Instant;

use expressions::data::{Bits, Offsets, Strings, Values};
use expressions::value::Names;
use expressions::{Column, Error, ErrorKind, Limits, Schema, Type, filter, value};
use serde_json::{Map, json};

fn filter_error(text: &str) -> Option<Error> {
    let schema = Schema::new([
        ("a", Type::Int64),
        ("t", Type::Utf8),
        ("l", Type::List(expressions::data::Element::Utf8)),
    ]);
    filter::parse(text, &Limits::default())
        .and_then(|parsed| parsed.bind(&schema, &Map::new()))
        .err()
}

fn value_error(text: &str) -> Option<Error> {
    let names = Names {
        policies: vec!["a".into()],
        ..Names::default()
    };
    value::parse(text, &Limits::default())
        .and_then(|parsed| parsed.bind(&names, &Map::new()))
        .err()
}

#[test]
fn what_is_too_large_is_refused() {
    let nested = |open: &str, inner: &str, close: &str, times: usize| {
        format!("{}{inner}{}", open.repeat(times), close.repeat(times))
    };
    let long_list = format!("a IN ({}1)", "1,".repeat(8_000));
    for (text, too_large) in [
        (nested("(", "a = 1", ")", 60), false),
        (nested("(", "a = 1", ")", 65), true),
        (nested("(", "a = 1", ")", 8_000), true),
        (nested("NOT ", "a = 1", "", 65), true),
        (format!("a = {}1", "- ".repeat(66)), true),
        (nested("array_has(", "l", ", 'x')", 65), true),
        (nested("[", "1", "]", 65), true),
        (format!("a = 1{}", " OR a = 1".repeat(1_800)), false),
        (format!("a = 1{}", " OR a = 1".repeat(1_900)), true),
        (format!("a = 1{}", "+1".repeat(8_000)), false),
        (format!("t LIKE '{}'", "%_".repeat(8_000)), false),
        (long_list, false),
        ("x".repeat(16 * 1024 + 1), true),
        ("regexp_match(t, '(a{1000}){1000}')".to_owned(), true),
        ("regexp_match(t, '\\w{200}')".to_owned(), true),
        (format!("regexp_match(t, '{}')", "(".repeat(500)), false),
    ] {
        let kind = filter_error(&text).map(|error| error.kind());
        assert_eq!(
            kind == Some(ErrorKind::TooLarge),
            too_large,
            "{kind:?} {}",
            &text[..60.min(text.len())]
        );
    }
    for (text, too_large) in [
        (nested("(", "a", ")", 60), false),
        (nested("(", "a", ")", 65), true),
        (nested("(", "a", ")", 8_000), true),
        (nested("abs(", "a", ")", 65), true),
        (nested("[", "a", "]", 65), true),
        (format!("{}a", "-".repeat(65)), true),
        (format!("{}a", "not ".repeat(65)), true),
        (format!("2{}", "**2".repeat(65)), true),
        (format!("a{}", " if a else a".repeat(65)), true),
        (format!("a{}", "+a".repeat(8_000)), false),
        (format!("a{}", "<a".repeat(8_000)), false),
        (format!("a{}", " or a".repeat(3_000)), false),
    ] {
        let kind = value_error(&text).map(|error| error.kind());
        assert_eq!(
            kind == Some(ErrorKind::TooLarge),
            too_large,
            "{kind:?} {}",
            &text[..60.min(text.len())]
        );
    }
    let ids: Vec<u32> = (0..10_001).collect();
    let parameters = json!({ "ids": ids });
    let error = filter::parse("a IN $param.ids", &Limits::default())
        .and_then(|parsed| {
            let schema = Schema::new([("a", Type::Int64)]);
            parsed.bind(&schema, parameters.as_object().expect("an object"))
        })
        .expect_err("too long a list");
    assert_eq!(error.kind(), ErrorKind::TooLarge);
}

/// Each either ends within the budget of work or is stopped by it; the clock is the judge.
#[test]
fn work_is_bounded_whatever_the_filter() {
    let rows = 20_000;
    let numbers: Vec<i64> = (0..rows as i64).collect();
    let texts: Vec<String> = (0..rows)
        .map(|row| format!("{}{row}", "ab".repeat(150)))
        .collect();
    let offsets: Vec<i32> = (0..=rows as i32).map(|row| row * 4).collect();
    let item_texts: Vec<String> = (0..rows * 4).map(|item| format!("tag{item}")).collect();
    let items = Column::new(Values::Utf8(Strings::Owned(&item_texts)));
    let valid = vec![true; rows];
    let number = Column::new(Values::Int64(&numbers)).with_validity(Bits::Bools(&valid));
    let text = Column::new(Values::Utf8(Strings::Owned(&texts)));
    let list = Column::new(Values::List {
        offsets: Offsets::Small(&offsets),
        items: &items,
    });
    let schema = Schema::new([
        ("a", Type::Int64),
        ("t", Type::Utf8),
        ("l", Type::List(expressions::data::Element::Utf8)),
    ]);
    let many_words: String = (0..700).map(|word| format!("'tag{word}x',")).collect();
    let worst = [
        format!("t LIKE '{}x'", "%a_b".repeat(60)),
        format!("regexp_match(t, '{}c')", "(a|b|ab)*".repeat(20)),
        "regexp_match(t, '(a?){50}b{50}(.*x){30}$')".to_owned(),
        "regexp_match(t, '[ab]{0,60}[^a]{0,60}[^b]{0,60}z')".to_owned(),
        format!("array_has_all(l, [{many_words}'x'])"),
        format!("a = 0{}", " OR a * 2 % 7 = 99".repeat(850)),
        format!("a = 1{}", "+a*a".repeat(4_000)),
        format!("t = ''{}", " OR t LIKE t".repeat(1_300)),
        format!(
            "CAST(a AS VARCHAR) = ''{}",
            " OR CAST(a AS VARCHAR) = 'x'".repeat(550)
        ),
        format!("a IN ({}a)", "a+1,".repeat(4_000)),
        format!("{}l,l{}", "array_has_any(", ")"),
    ];
    let mut limits = Limits::default();
    limits.work_total = 50_000_000;
    let mut stopped = 0;
    for text_of_filter in &worst {
        let bound = filter::parse(text_of_filter, &limits)
            .and_then(|parsed| parsed.bind(&schema, &Map::new()))
            .unwrap_or_else(|error| panic!("{}: {error}", &text_of_filter[..50]));
        let columns: Vec<Column<'_>> = bound
            .columns()
            .iter()
            .map(|column| [number, text, list][column.index])
            .collect();
        let begin = Instant::now();
        let outcome = bound.select(&columns, rows);
        let seconds = begin.elapsed().as_secs_f64();
        stopped += usize::from(outcome.is_err());
        if let Err(error) = &outcome {
            assert_eq!(error.kind(), ErrorKind::TooMuchWork, "{error}");
        }
        // A twentieth of a second of optimised work on an idle core; test builds on busy machines are far slower.
        assert!(
            seconds < 10.0,
            "{seconds} s for {}",
            &text_of_filter[..40.min(text_of_filter.len())]
        );
        if std::env::var_os("SIFTWREN_PRINT_TIMES").is_some() {
            eprintln!(
                "{seconds:.3} s, {:?}: {}",
                outcome.map(|rows| rows.len()).map_err(|error| error.kind()),
                &text_of_filter[..40.min(text_of_filter.len())]
            );
        }
    }
    assert!(stopped > 0, "the budget stopped nothing");
}

#[test]
fn the_budget_stops_value_models() {
    let names = Names {
        policies: vec!["a".into()],
        ..Names::default()
    };
    let text = format!("0{}", "+comb(1000, 500)*gcd(7, 8)".repeat(600));
    let model = value::parse(&text, &Limits::default())
        .and_then(|parsed| parsed.bind(&names, &Map::new()))
        .expect("a value model");
    assert!(model.evaluate(&[], 10, 0.0).is_ok());
    let mut small = Limits::default();
    small.work_per_row = 10;
    small.work_total = 100;
    let model = value::parse("a + a + a", &small)
        .and_then(|parsed| parsed.bind(&names, &Map::new()))
        .expect("a value model");
    let policy = vec![1.0; 1_000];
    let error = model
        .evaluate(&[Column::new(Values::Float64(&policy))], 1_000, 0.0)
        .expect_err("too much work");
    assert_eq!(error.kind(), ErrorKind::TooMuchWork);
}
