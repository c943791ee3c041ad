//! Value models: what they compute, what is wrong with them, what they warn of.

use expressions::data::Element;
use expressions::value::{self, FUNCTIONS, Input, Names, Scores, WarningKind};
use expressions::{Error, ErrorKind, Limits, Type};
use serde_json::{Map, Value, json};

use crate::table::{Cells, Item, LAYOUTS, with_columns};

const NOW: f64 = 1_780_000_000.0;

/// Three candidates; the last one has nothing.
fn inputs() -> Vec<(&'static str, Cells)> {
    let texts =
        |texts: [Option<&str>; 3]| Cells::Texts(texts.iter().map(|text| text.map(str::to_owned)).collect());
    let list = |tags: &[&str]| {
        Some(
            tags.iter()
                .map(|tag| Some(Item::Text((*tag).to_owned())))
                .collect(),
        )
    };
    vec![
        ("ctr", Cells::Floats(vec![Some(0.5), Some(0.25), None])),
        ("cvr", Cells::Floats(vec![Some(0.1), Some(f64::NAN), Some(0.2)])),
        ("item.margin", Cells::Floats(vec![Some(3.0), Some(0.0), None])),
        ("item.stock", Cells::Ints(vec![Some(7), Some(0), None])),
        ("item.brand", texts([Some("aa"), Some("bb"), None])),
        (
            "item.tags",
            Cells::Lists(vec![list(&["sale", "blue"]), list(&[]), None], Element::Utf8),
        ),
        (
            "item.ratings",
            Cells::Lists(
                vec![
                    Some(vec![Some(Item::Float(4.0)), Some(Item::Float(2.0)), None]),
                    Some(vec![]),
                    None,
                ],
                Element::Float64,
            ),
        ),
        (
            "item.created_at",
            Cells::Times(vec![Some(1_779_996_400), Some(1_780_000_000), None]),
        ),
        ("item.on_sale", Cells::Bools(vec![Some(true), Some(false), None])),
        (
            "item.embedding",
            Cells::Vectors(vec![Some(vec![1.0, 0.0]), Some(vec![3.0, 4.0]), None]),
        ),
        ("user.age_days", Cells::Ints(vec![Some(31); 3])),
        (
            "user.recent_interactions",
            Cells::Lists(vec![list(&["a", "b"]); 3], Element::Utf8),
        ),
        ("user.embedding", Cells::Vectors(vec![Some(vec![1.0, 0.0]); 3])),
        (
            "retrieval.get_score('cf')",
            Cells::Floats(vec![Some(0.9), None, None]),
        ),
        (
            "retrieval.get_rank('new')",
            Cells::Floats(vec![Some(1.0), Some(6.0), None]),
        ),
        (
            "text_encoding(item, embedding_ref='mini')",
            Cells::Vectors(vec![Some(vec![0.0, 2.0]), Some(vec![1.0, 1.0]), None]),
        ),
        (
            "pooled_text_encoding(user.recent_interactions, embedding_ref='mini')",
            Cells::Vectors(vec![Some(vec![0.0, 1.0]); 3]),
        ),
    ]
}

fn names() -> Names {
    let mut names = Names {
        retrieve_steps: vec!["cf".into(), "new".into()],
        embeddings: vec!["mini".into()],
        ..Names::default()
    };
    for (name, cells) in inputs() {
        match name.split_once('.') {
            Some(("item", rest)) => names.item.push((rest.into(), cells.column_type())),
            Some(("user", rest)) => names.user.push((rest.into(), cells.column_type())),
            Some(_) => {}
            None if name.contains('(') => {}
            None => names.policies.push(name.into()),
        }
    }
    names
}

fn scores(text: &str, parameters: &Value) -> Result<Scores, Error> {
    let parsed = value::parse(text, &Limits::default())?;
    let model = parsed.bind(&names(), parameters.as_object().expect("an object"))?;
    let inputs = inputs();
    let cells: Vec<&Cells> = model
        .inputs()
        .iter()
        .map(|input| {
            &inputs
                .iter()
                .find(|(name, _)| *name == input.name())
                .expect("an input")
                .1
        })
        .collect();
    let mut first = None;
    for layout in LAYOUTS {
        let scores = with_columns(&cells, layout, |columns| model.evaluate(columns, 3, NOW))?;
        match &first {
            None => first = Some(scores),
            Some(first) => assert_eq!(*first, scores, "{layout:?} differs for {text}"),
        }
    }
    Ok(first.expect("there are layouts"))
}

fn check(text: &str, expected: [f64; 3]) {
    match scores(
        text,
        &json!({"w": 0.5, "ids": ["aa", "cc"], "on": true, "step": "cf"}),
    ) {
        Ok(found) => {
            for (found, expected) in found.values.iter().zip(expected) {
                assert!(
                    (found - expected).abs() < 1e-12,
                    "{text}: {found} instead of {expected}"
                );
            }
        }
        Err(error) => panic!("{text}\n{error}\n{}", error.underlined(text)),
    }
}

#[test]
fn each_form_means_what_python_means() {
    for (text, expected) in [
        (
            "0.6*ctr + 0.4*log(1+item.margin)",
            [0.6 * 0.5 + 0.4 * 4.0_f64.ln(), 0.15, 0.0],
        ),
        (
            "ctr if user.age_days > 30 else 0.2*ctr + 0.8/(10 + retrieval.get_rank('new'))",
            [0.5, 0.25, 0.0],
        ),
        (
            "ctr if user.age_days > 40 else 0.2*ctr + 0.8/(10 + retrieval.get_rank('new'))",
            [0.1 + 0.8 / 11.0, 0.05 + 0.8 / 16.0, 0.0],
        ),
        (
            "item.stock/((((now_seconds()-item.created_at)/3600)+2)**1.5)",
            [7.0 / 3.0_f64.powf(1.5), 0.0, 0.0],
        ),
        // What has no value counts as 0, and no more than itself.
        ("1 + ctr + cvr", [1.6, 1.25, 1.2]),
        ("2 if item.brand == 'aa' else 1", [2.0, 1.0, 1.0]),
        ("retrieval.get_score('cf') + 1", [1.9, 1.0, 1.0]),
        ("retrieval.get_score($param.step)", [0.9, 0.0, 0.0]),
        (
            "1 / (60 + retrieval.get_rank('new'))",
            [1.0 / 61.0, 1.0 / 66.0, 0.0],
        ),
        ("-7 // 2 + -7 % 3 + 7.5 // -2", [-4.0 + 2.0 - 4.0; 3]),
        ("2 ** 3 ** 2 - -2 ** 2", [516.0; 3]),
        ("2 ** -1", [0.5; 3]),
        ("1 < 2 < 3 == 3 != 4", [1.0; 3]),
        ("item.margin and item.stock or 5", [7.0, 5.0, 5.0]),
        ("not item.margin", [0.0, 1.0, 1.0]),
        ("True + True * 2", [3.0; 3]),
        ("1.5 if 'sale' in item.tags else 1", [1.5, 1.0, 1.0]),
        ("item.brand not in ['aa', 'xx']", [0.0, 1.0, 1.0]),
        ("item.brand in ('aa', 'bb')", [1.0, 1.0, 0.0]),
        ("item.brand in $param.ids", [1.0, 0.0, 0.0]),
        ("'a' in item.brand", [1.0, 0.0, 0.0]),
        ("item.stock in [7, 0.0]", [1.0, 1.0, 1.0]),
        ("len(item.tags) + len(item.brand)", [4.0, 2.0, 0.0]),
        ("1 if item.tags else 0", [1.0, 0.0, 0.0]),
        ("sum(item.ratings) / max(1, len(item.ratings))", [2.0, 0.0, 0.0]),
        ("sum([ctr, item.stock], 10)", [17.5, 10.25, 10.0]),
        ("max(ctr, 0.3) + min([1, 2, item.stock])", [1.5, 0.3, 0.3]),
        ("abs(-item.stock)", [7.0, 0.0, 0.0]),
        (
            "cosine_similarity(item.embedding, user.embedding)",
            [1.0, 0.6, 0.0],
        ),
        ("cosine_similarity(item.embedding, [0, 1])", [0.0, 0.8, 0.0]),
        (
            "cosine_similarity(text_encoding(item, embedding_ref='mini'), \
             pooled_text_encoding(user.recent_interactions, pool_fn='mean', embedding_ref='mini'))",
            [1.0, 0.5_f64.sqrt(), 0.0],
        ),
        ("$param.w * ctr + $param.on", [1.25, 1.125, 1.0]),
        ("floor(2.7) + ceil(2.1) + trunc(-2.7)", [3.0; 3]),
        (
            "comb(5, 2) + factorial(3) + gcd(12, 18) + lcm(4, 6) + isqrt(17) + perm(4, 2)",
            [10.0 + 6.0 + 6.0 + 12.0 + 4.0 + 12.0; 3],
        ),
        ("9223372036854775807 + 1", [9.223_372_036_854_776e18; 3]),
        ("10 ** 20 / 10 ** 19", [10.0; 3]),
        (
            "isclose(0.1 + 0.2, 0.3) and not isclose(1, 2, abs_tol=0.5)",
            [1.0; 3],
        ),
        (
            "log(8, 2) + hypot(3, 4) + dist([0, 0], [3, 4]) + fsum([.1] ) + prod([2, 3], start=2)",
            [3.0 + 5.0 + 5.0 + 0.1 + 12.0; 3],
        ),
        ("fsum([1e16, 1, -1e16]) + (fsum([1e16, 3]) - 1e16)", [5.0; 3]),
        ("1_000 + 0x1F + .5 # a comment\n + 1e1", [1041.5; 3]),
        ("item.created_at > 0", [1.0, 1.0, 0.0]),
    ] {
        check(text, expected);
    }
}

#[test]
fn what_has_no_value_is_0_and_counted() {
    for (text, expected, warnings) in [
        (
            "ctr + cvr",
            [0.6, 0.25, 0.2],
            vec![
                "ctr is NULL for 1 candidate and counts as 0 there",
                "cvr is not finite for 1 candidate and counts as 0 there",
            ],
        ),
        (
            "5 + 1 / item.stock",
            [5.0 + 1.0 / 7.0, 0.0, 0.0],
            vec![
                "item.stock is NULL for 1 candidate and counts as 0 there",
                "a division by zero at byte 4: the value of 2 candidates is 0",
            ],
        ),
        // Python does not look at what it does not need.
        (
            "1 / item.stock if item.stock else -1",
            [1.0 / 7.0, -1.0, -1.0],
            vec!["item.stock is NULL for 1 candidate and counts as 0 there"],
        ),
        (
            "item.stock and 1 / item.stock",
            [1.0 / 7.0, 0.0, 0.0],
            vec!["item.stock is NULL for 1 candidate and counts as 0 there"],
        ),
        (
            "0 < item.stock < 1 / item.stock * 100",
            [1.0, 0.0, 0.0],
            vec!["item.stock is NULL for 1 candidate and counts as 0 there"],
        ),
        // Some libraries answer with a number here.
        (
            "acosh(-81377.4)",
            [0.0; 3],
            vec!["an argument outside of the domain at byte 0: the value of 3 candidates is 0"],
        ),
        (
            "sqrt(-1)",
            [0.0; 3],
            vec!["an argument outside of the domain at byte 0: the value of 3 candidates is 0"],
        ),
        (
            "exp(1000) * 0",
            [0.0; 3],
            vec!["a result that is too large at byte 0: the value of 3 candidates is 0"],
        ),
        (
            "1e308 * 10",
            [0.0; 3],
            vec!["the value is not finite for 3 candidates and counts as 0 there"],
        ),
        (
            "100 - retrieval.get_rank('new')",
            [99.0, 94.0, 0.0],
            vec!["the value is not finite for 1 candidate and counts as 0 there"],
        ),
    ] {
        let found = scores(text, &json!({})).expect(text);
        assert_eq!(found.values, expected, "{text}");
        let printed: Vec<String> = found.warnings.iter().map(ToString::to_string).collect();
        assert_eq!(printed, warnings, "{text}");
    }
    let found = scores("1 / item.stock", &json!({})).expect("a value model");
    assert!(
        found
            .warnings
            .iter()
            .any(|warning| warning.kind == WarningKind::Division && warning.count == 2)
    );
}

#[test]
fn errors_say_what_where_and_how_to_mend_it() {
    for (text, kind, pointed, words) in [
        ("", ErrorKind::Syntax, "", "the value model is empty"),
        (
            "ctrr * 2",
            ErrorKind::UnknownName,
            "ctrr",
            "there is no name 'ctrr' (at byte 0, 4 long): did you mean 'ctr'?",
        ),
        (
            "0.5 * item.margn",
            ErrorKind::UnknownName,
            "item.margn",
            "did you mean 'item.margin'?",
        ),
        (
            "margin",
            ErrorKind::UnknownName,
            "margin",
            "did you mean 'item.margin'?",
        ),
        (
            "product.margin",
            ErrorKind::UnknownName,
            "product.margin",
            "known are: ctr, cvr, item.margin",
        ),
        (
            "user.margin",
            ErrorKind::UnknownName,
            "user.margin",
            "known are: user.age_days",
        ),
        (
            "retrieval.get_rank('neww')",
            ErrorKind::UnknownName,
            "'neww'",
            "there is no retrieve step 'neww'",
        ),
        (
            "retrieval.get_rnk('new')",
            ErrorKind::UnknownName,
            "retrieval.get_rnk",
            "did you mean 'retrieval.get_rank'?",
        ),
        (
            "retrieval.get_rank(ctr)",
            ErrorKind::WrongType,
            "ctr",
            "needs a name in quotes",
        ),
        (
            "text_encoding(item, embedding_ref='maxi')",
            ErrorKind::UnknownName,
            "'maxi'",
            "there is no embedding 'maxi' (at byte 34, 6 long): known are: mini",
        ),
        (
            "sum(text_encoding(item))",
            ErrorKind::WrongType,
            "text_encoding(item)",
            "needs embedding_ref",
        ),
        (
            "text_encoding(item, embedding_ref='mini')",
            ErrorKind::WrongType,
            "text_encoding(item, embedding_ref='mini')",
            "one value should stand here",
        ),
        (
            "pooled_text_encoding(user.age_days, embedding_ref='mini')",
            ErrorKind::WrongType,
            "user.age_days",
            "'user.age_days' is a whole number",
        ),
        (
            "sum(pooled_text_encoding(user.recent_interactions, pool_fn='min', embedding_ref='mini'))",
            ErrorKind::WrongValue,
            "'min'",
            "pool_fn='mean' or pool_fn='max'",
        ),
        (
            "item.brand",
            ErrorKind::WrongType,
            "item.brand",
            "must give a number",
        ),
        (
            "item.brand * 2",
            ErrorKind::WrongType,
            "item.brand",
            "'*' needs a number, and 'item.brand' is a text",
        ),
        (
            "item.brand > 3",
            ErrorKind::WrongType,
            "3",
            "'item.brand' is a text and 3 is a number: they cannot be compared",
        ),
        (
            "3 in item.tags",
            ErrorKind::WrongType,
            "3",
            "the list holds texts, and 3 is a number",
        ),
        (
            "item.tags * 2",
            ErrorKind::WrongType,
            "item.tags",
            "'item.tags' is a list",
        ),
        (
            "item.brand if ctr else 2",
            ErrorKind::WrongType,
            "2",
            "one of these values is a text",
        ),
        (
            "math.log(ctr)",
            ErrorKind::UnknownName,
            "math.log",
            "without a prefix: log(…)",
        ),
        ("ln(ctr)", ErrorKind::UnknownName, "ln", "write log(x)"),
        (
            "ctr(1)",
            ErrorKind::UnknownName,
            "ctr",
            "ctr is a policy: write it without brackets",
        ),
        (
            "log",
            ErrorKind::UnknownName,
            "log",
            "log is a function: write log(…)",
        ),
        (
            "log()",
            ErrorKind::WrongType,
            "log()",
            "log takes 1 to 2 arguments and got 0",
        ),
        (
            "sqrt(1, 2)",
            ErrorKind::WrongType,
            "sqrt(1, 2)",
            "sqrt takes 1 argument and got 2",
        ),
        (
            "isclose(1, 2, tol=1)",
            ErrorKind::UnknownName,
            "1",
            "isclose has no argument 'tol'",
        ),
        (
            "gcd(ctr, 2)",
            ErrorKind::WrongType,
            "ctr",
            "gcd needs a whole number, and 'ctr' is a float",
        ),
        (
            "max([])",
            ErrorKind::WrongType,
            "[]",
            "max of an empty list is nothing",
        ),
        ("max(ctr)", ErrorKind::WrongType, "ctr", "max needs a list"),
        ("ctr ^ 2", ErrorKind::Syntax, "^", "a power is written **"),
        ("ctr && cvr", ErrorKind::Syntax, "&&", "write and"),
        (
            "ctr ? 1 : 2",
            ErrorKind::Syntax,
            "?",
            "write value if test else other",
        ),
        ("ctr if cvr", ErrorKind::Syntax, "", "both cases need a value"),
        ("ctr = 2", ErrorKind::Syntax, "=", "compare with =="),
        (
            "item.brand is None",
            ErrorKind::Syntax,
            "is",
            "a NULL counts as 0",
        ),
        ("true", ErrorKind::UnknownName, "true", "capital letter"),
        ("item.tags[0]", ErrorKind::Syntax, "[", "cannot be taken out"),
        ("lambda: 1", ErrorKind::Syntax, "lambda", "one plain expression"),
        ("1__0", ErrorKind::Syntax, "1__0", "underscore"),
        ("012", ErrorKind::Syntax, "012", "leave out the zeros"),
        ("3j", ErrorKind::Syntax, "3j", "imaginary"),
        ("1e999", ErrorKind::WrongValue, "1e999", "too large"),
        ("'a\\q'", ErrorKind::Syntax, "\\q", "means nothing in a text"),
        (
            "(ctr",
            ErrorKind::Syntax,
            "",
            "found the end where ')' should stand",
        ),
        (
            "$param.v * 2",
            ErrorKind::UnknownName,
            "$param.v",
            "the parameter 'v' has no value",
        ),
        ("item", ErrorKind::UnknownName, "item", "item.column"),
    ] {
        let error = match scores(text, &json!({})) {
            Ok(found) => panic!("{text} gave {found:?}"),
            Err(error) => error,
        };
        assert_eq!(error.kind(), kind, "{text}: {error}");
        let place = error.place();
        assert_eq!(
            &text[place.offset..place.offset + place.length],
            pointed,
            "{text}: {error}"
        );
        assert!(error.to_string().contains(words), "{text}: {error}");
    }
}

#[test]
fn inputs_are_named_once_and_typed() {
    let parsed = value::parse(
        "ctr + ctr + item.stock + cosine_similarity(pooled_text_encoding(user.recent_interactions, 'max', 'mini'), \
         text_encoding(user, 'mini'))",
        &Limits::default(),
    )
    .expect("a value model");
    let model = parsed.bind(&names(), &Map::new()).expect("known names");
    let types: Vec<(String, Type)> = model
        .inputs()
        .iter()
        .map(|input| (input.name(), input.input_type))
        .collect();
    assert_eq!(
        types,
        [
            ("ctr".to_owned(), Type::Float64),
            ("item.stock".to_owned(), Type::Int64),
            (
                "pooled_text_encoding(user.recent_interactions, embedding_ref='mini')".to_owned(),
                Type::Vector
            ),
            (
                "text_encoding(user, embedding_ref='mini')".to_owned(),
                Type::Vector
            ),
        ]
    );
    assert!(matches!(
        &model.inputs()[2].input,
        Input::PooledTextEncoding { of, pooling: value::Pooling::Max, .. } if **of == Input::User("recent_interactions".into())
    ));
}

#[test]
fn trees_print_and_parse_back() {
    for (text, printed) in [
        ("a+b*c", "a + (b * c)"),
        ("-a**-b", "-(a ** (-b))"),
        ("(-a)**b", "(-a) ** b"),
        ("a if b else c if d else e", "a if b else (c if d else e)"),
        ("not a in b", "not (a in b)"),
        ("a<b<=c", "a < b <= c"),
        ("f(1, 'it\\'s\\n', x=[1,])", "f(1, 'it\\'s\\n', x=[1])"),
        ("(1,)", "[1]"),
        ("99999999999999999999", "1e20"),
        ("a or b or (c or d)", "a or b or (c or d)"),
    ] {
        let parsed = value::parse(text, &Limits::default()).expect(text);
        assert_eq!(parsed.to_string(), printed);
        assert_eq!(value::parse(printed, &Limits::default()).expect(printed), parsed);
    }
}

/// One candidate leaves 64 bits, or takes a branch with a float: the whole numbers of the others stay exact.
#[test]
fn neighbours_change_nothing() {
    use expressions::Column;
    use expressions::data::Values;
    let names = Names {
        item: vec![("n".into(), Type::Int64)],
        ..Names::default()
    };
    for (text, expected) in [
        (
            "factorial(item.n) % 1000007",
            121_645_100_408_832_000_i64 % 1_000_007,
        ),
        (
            "(item.n * 485440633518672410) % 1000",
            9_223_372_036_854_775_790_i64 % 1_000,
        ),
        ("(3 ** (item.n * 2) + 1) % 1000", (3_i64.pow(38) + 1) % 1_000),
        ("copysign(1, -(0 if item.n < 20 else 0.5))", 1),
        (
            "abs(-(item.n * 485440633518672410)) % 1000",
            9_223_372_036_854_775_790_i64 % 1_000,
        ),
        (
            "(item.n and item.n * 485440633518672410 or 1) // 10 % 1000",
            9_223_372_036_854_775_790_i64 / 10 % 1_000,
        ),
    ] {
        let model = value::parse(text, &Limits::default())
            .and_then(|parsed| parsed.bind(&names, &Map::new()))
            .expect(text);
        let scores = model
            .evaluate(&[Column::new(Values::Int64(&[19, 30]))], 2, NOW)
            .expect(text);
        assert_eq!(scores.values[0], expected as f64, "{text}");
    }
}

/// What the documentation lists can be called, and what can be called is Python's or listed as ours.
#[test]
fn functions_have_one_row_each() {
    let mut known: Vec<&str> = FUNCTIONS.iter().map(|function| function.name).collect();
    known.sort_unstable();
    let count = known.len();
    known.dedup();
    assert_eq!(known.len(), count);
    assert!(FUNCTIONS.iter().all(|function| !function.help.is_empty()));
}

/// More candidates than a batch holds, and branches that split it.
#[test]
fn batches_change_nothing() {
    let text = "1 / item.stock if item.stock and item.brand != 'bb' else len(item.tags) + ctr";
    let expected = scores(text, &json!({})).expect("a value model");
    let parsed = value::parse(text, &Limits::default()).expect("a value model");
    let model = parsed.bind(&names(), &Map::new()).expect("known names");
    let repeat = 1_501;
    let inputs: Vec<(&str, Cells)> = inputs()
        .into_iter()
        .map(|(name, cells)| (name, cells.repeat(repeat)))
        .collect();
    let cells: Vec<&Cells> = model
        .inputs()
        .iter()
        .map(|input| {
            &inputs
                .iter()
                .find(|(name, _)| *name == input.name())
                .expect("an input")
                .1
        })
        .collect();
    let found = with_columns(&cells, LAYOUTS[0], |columns| {
        model.evaluate(columns, 3 * repeat, NOW)
    })
    .expect("scores");
    assert_eq!(found.values, expected.values.repeat(repeat));
    let counts =
        |scores: &Scores| -> Vec<usize> { scores.warnings.iter().map(|warning| warning.count).collect() };
    let multiplied: Vec<usize> = counts(&expected).iter().map(|count| count * repeat).collect();
    assert_eq!(counts(&found), multiplied);
}
