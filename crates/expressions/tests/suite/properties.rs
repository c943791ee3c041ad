//! What holds for every text and every tree.

use expressions::filter::{Cast, Compare, Function, Is, Kind, Node, Operator, Quotes};
use expressions::{Error, Limits, Place, Schema, Type, filter, value};
use proptest::prelude::*;
use serde_json::Map;

fn node(kind: Kind) -> Node {
    Node {
        place: Place::default(),
        kind,
    }
}

/// Names that need backticks and names that do not.
fn column_name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z_][a-z0-9_]{0,6}(\\.[a-z]{1,4})?",
        "[a-zäß `.$'\"-]{1,6}".prop_filter("a name has letters", |name| !name.is_empty()),
        Just("and".to_owned()),
        Just("Null".to_owned()),
    ]
}

fn leaf() -> impl Strategy<Value = Node> {
    prop_oneof![
        Just(Kind::Null),
        any::<bool>().prop_map(Kind::Boolean),
        any::<i64>().prop_map(Kind::Integer),
        any::<f64>()
            .prop_filter("literals are finite", |number| number.is_finite())
            .prop_map(Kind::Float),
        ".{0,8}".prop_map(|text| Kind::Text(text, Quotes::Single)),
        "[a-z_]{1,6}".prop_map(Kind::Parameter),
        column_name().prop_map(Kind::Column),
    ]
    .prop_map(node)
}

/// Trees as the parser makes them: no AND whose first term is an AND without brackets, no sign before a number.
fn tree() -> impl Strategy<Value = Node> {
    leaf().prop_recursive(5, 40, 4, |inner| {
        let boxed = || inner.clone().prop_map(Box::new);
        let several = || prop::collection::vec(inner.clone(), 2..4);
        let operator = prop_oneof![
            Just(Operator::Add),
            Just(Operator::Subtract),
            Just(Operator::Multiply),
            Just(Operator::Divide),
            Just(Operator::Remainder)
        ];
        let cast = (0..Cast::NAMES.len()).prop_map(|index| Cast::NAMES[index].1);
        let function = (0..Function::ALL.len()).prop_map(|index| Function::ALL[index].1);
        prop_oneof![
            boxed().prop_map(Kind::Not),
            several().prop_map(Kind::And),
            several().prop_map(Kind::Or),
            (boxed(), boxed(), any::<bool>()).prop_map(|(left, right, less)| {
                Kind::Compare(if less { Compare::Less } else { Compare::NotEqual }, left, right)
            }),
            (boxed(), any::<bool>(), any::<bool>()).prop_map(|(value, null, negated)| Kind::Is {
                value,
                what: if null { Is::Null } else { Is::False },
                negated,
            }),
            (boxed(), prop::collection::vec(inner.clone(), 0..3), any::<bool>())
                .prop_map(|(value, list, negated)| Kind::In { value, list, negated }),
            (boxed(), boxed(), boxed(), any::<bool>()).prop_map(|(value, low, high, negated)| {
                Kind::Between {
                    value,
                    low,
                    high,
                    negated,
                }
            }),
            (boxed(), boxed(), any::<Option<char>>(), any::<bool>()).prop_map(
                |(value, pattern, escape, negated)| Kind::Like {
                    value,
                    pattern,
                    escape,
                    negated,
                }
            ),
            (boxed(), operator, inner.clone())
                .prop_filter_map("one level per chain", |(first, operator, next)| {
                    Some(Kind::Chain(first, vec![(operator, next)]))
                }),
            (boxed(), cast).prop_map(|(value, cast)| Kind::Cast(value, cast)),
            (function, inner.clone(), inner.clone())
                .prop_map(|(function, left, right)| Kind::Call(function, vec![left, right])),
            prop::collection::vec(inner.clone(), 0..3).prop_map(Kind::List),
            boxed().prop_filter_map("a sign belongs to a number", |inner| match inner.kind {
                Kind::Integer(number) if number != i64::MIN => None,
                Kind::Float(_) => None,
                _ => Some(Kind::Negate(inner)),
            }),
        ]
        .prop_map(node)
    })
}

/// Texts that look like expressions.
fn nearly() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z]{1,3}",
        "[0-9]{1,3}(\\.[0-9])?",
        prop::sample::select(vec![
            "price",
            "tags",
            "brand",
            "stock",
            "in_stock",
            "AND",
            "or",
            "NOT",
            "not",
            "IS",
            "NULL",
            "IN",
            "in",
            "BETWEEN",
            "LIKE",
            "CAST(",
            "AS",
            "INT",
            "(",
            ")",
            "[",
            "]",
            ",",
            "'a'",
            "\"b\"",
            "=",
            "==",
            "<",
            "<=",
            "!=",
            "+",
            "-",
            "*",
            "/",
            "//",
            "%",
            "**",
            "if",
            "else",
            "True",
            "array_has(",
            "regexp_match(",
            "min(",
            "log(",
            "sum(",
            "len(",
            "item.x",
            "user.y",
            "ctr",
            "$param.p",
            "retrieval.get_rank('s')",
            "'",
            "`",
            "é",
            ".",
            "1e9",
            "--",
            "5.",
            "TRUE"
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.join(" "))
}

fn schema() -> Schema {
    use expressions::data::Element;
    Schema::new([
        ("price", Type::Float64),
        ("stock", Type::Int64),
        ("brand", Type::Utf8),
        ("in_stock", Type::Boolean),
        ("tags", Type::List(Element::Utf8)),
    ])
}

fn names() -> value::Names {
    value::Names {
        policies: vec!["ctr".into()],
        item: vec![("x".into(), Type::Int64)],
        user: vec![("y".into(), Type::Utf8)],
        retrieve_steps: vec!["s".into()],
        embeddings: Vec::new(),
    }
}

/// An error lies within the text, between characters, and can be shown.
fn sound(error: &Error, text: &str) -> Result<(), TestCaseError> {
    let place = error.place();
    prop_assert!(place.offset + place.length <= text.len(), "{error}");
    prop_assert!(text.is_char_boundary(place.offset), "{error}");
    prop_assert!(text.is_char_boundary(place.offset + place.length), "{error}");
    prop_assert!(!error.message().is_empty());
    error.underlined(text);
    Ok(())
}

/// Evaluates over rows where everything is odd.
fn run_filter(text: &str) -> Result<(), TestCaseError> {
    use crate::table::{Cells, Table, truths};
    let table = Table {
        columns: schema()
            .names()
            .map(|name| {
                let cells = match schema().find(name).map(|(_, column_type)| column_type) {
                    Some(Type::Float64) => {
                        Cells::Floats(vec![Some(f64::NAN), Some(f64::INFINITY), Some(-0.0), None])
                    }
                    Some(Type::Int64) => Cells::Ints(vec![Some(i64::MIN), Some(i64::MAX), Some(0), None]),
                    Some(Type::Utf8) => Cells::Texts(vec![
                        Some(String::new()),
                        Some("é%_".into()),
                        Some("1".into()),
                        None,
                    ]),
                    Some(Type::Boolean) => Cells::Bools(vec![Some(true), Some(false), None, None]),
                    _ => Cells::Lists(
                        vec![Some(vec![]), Some(vec![None]), Some(vec![]), None],
                        expressions::data::Element::Utf8,
                    ),
                };
                (name.to_owned(), cells)
            })
            .collect(),
    };
    if let Err(error) = truths(text, &table, &Map::new()) {
        sound(&error, text)?;
    }
    Ok(())
}

fn run_value(text: &str) -> Result<(), TestCaseError> {
    use expressions::Column;
    use expressions::data::{Strings, Values};
    let outcome =
        value::parse(text, &Limits::default()).and_then(|parsed| parsed.bind(&names(), &Map::new()));
    let model = match outcome {
        Ok(model) => model,
        Err(error) => return sound(&error, text),
    };
    let columns: Vec<Column<'_>> = model
        .inputs()
        .iter()
        .map(|input| {
            Column::new(match input.input_type {
                Type::Float64 => Values::Float64(&[f64::NAN, f64::INFINITY, -0.0, 1e308]),
                Type::Int64 => Values::Int64(&[i64::MIN, i64::MAX, 0, -1]),
                _ => Values::Utf8(Strings::Slices(&["", "é", "a", "1"])),
            })
        })
        .collect();
    match model.evaluate(&columns, 4, 1.0) {
        Ok(scores) => {
            prop_assert_eq!(scores.values.len(), 4);
            prop_assert!(
                scores.values.iter().all(|value| value.is_finite()),
                "{:?}",
                scores
            );
        }
        Err(error) => sound(&error, text)?,
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_printed_filter_parses_to_itself(tree in tree()) {
        let printed = tree.to_string();
        let parsed = filter::parse(&printed, &Limits::default());
        match parsed {
            Ok(parsed) => {
                prop_assert_eq!(parsed.root(), &tree, "{}", printed);
                prop_assert_eq!(parsed.to_string(), printed);
            }
            Err(error) => prop_assert!(false, "{printed}: {error}"),
        }
    }

    #[test]
    fn a_printed_value_model_parses_to_itself(text in nearly()) {
        if let Ok(parsed) = value::parse(&text, &Limits::default()) {
            let printed = parsed.to_string();
            let again = value::parse(&printed, &Limits::default());
            prop_assert_eq!(again.as_ref(), Ok(&parsed), "{} became {}", text, printed);
        }
    }

    #[test]
    fn no_text_panics(text in ".{0,60}") {
        run_filter(&text)?;
        run_value(&text)?;
    }

    #[test]
    fn nothing_that_looks_like_an_expression_panics(text in nearly()) {
        run_filter(&text)?;
        run_value(&text)?;
    }

    #[test]
    fn places_name_their_text(text in nearly()) {
        if let Ok(parsed) = filter::parse(&text, &Limits::default()) {
            let place = parsed.root().place;
            let stretch = &text[place.offset..place.offset + place.length];
            let alone = filter::parse(stretch, &Limits::default());
            prop_assert_eq!(alone.as_ref(), Ok(&parsed), "{} of {}", stretch, text);
        }
    }
}
