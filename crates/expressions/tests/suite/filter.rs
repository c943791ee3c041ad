//! Filters: what they say, what is wrong with them, what passes.

use expressions::data::Element;
use expressions::{Error, ErrorKind, Limits, Schema, Type, filter};
use serde_json::{Map, Value, json};

use crate::table::{Cells, Item, Table, truths};

/// Four items; the last one has nothing but NULLs.
fn shop() -> Table {
    let texts = |texts: [&str; 3]| {
        let mut cells: Vec<Option<String>> = texts.iter().map(|text| Some((*text).to_owned())).collect();
        cells.push(None);
        Cells::Texts(cells)
    };
    let tags = |tags: &[&str]| {
        Some(
            tags.iter()
                .map(|tag| Some(Item::Text((*tag).to_owned())))
                .collect(),
        )
    };
    Table::new([
        (
            "price",
            Cells::Floats(vec![Some(12.5), Some(40.0), Some(f64::NAN), None]),
        ),
        ("stock", Cells::Ints(vec![Some(3), Some(0), Some(i64::MAX), None])),
        ("brand", texts(["aa", "bb", "Größe"])),
        (
            "in_stock",
            Cells::Bools(vec![Some(true), Some(false), Some(true), None]),
        ),
        // 2026-01-01, 2026-03-01 12:30, 1969-12-31 23:59:59.
        (
            "created_at",
            Cells::Times(vec![Some(1_767_225_600), Some(1_772_368_200), Some(-1), None]),
        ),
        (
            "tags",
            Cells::Lists(
                vec![tags(&["linen", "blue"]), tags(&[]), tags(&["wool"]), None],
                Element::Utf8,
            ),
        ),
        ("note.email", texts(["a@x.org", "b@y.org", ""])),
        (
            "2nd price",
            Cells::Floats(vec![Some(1.0), Some(2.0), Some(3.0), None]),
        ),
        (
            "vector",
            Cells::Vectors(vec![
                Some(vec![1.0, 0.0]),
                Some(vec![0.0, 1.0]),
                Some(vec![1.0, 1.0]),
                None,
            ]),
        ),
    ])
}

/// `T`, `F` and `-` for each of the four items.
fn check(text: &str, expected: &str) {
    check_with(text, &json!({}), expected);
}

fn check_with(text: &str, parameters: &Value, expected: &str) {
    let parameters = parameters.as_object().expect("an object");
    let found: String = match truths(text, &shop(), parameters) {
        Ok(truths) => truths
            .iter()
            .map(|truth| match truth {
                Some(true) => 'T',
                Some(false) => 'F',
                None => '-',
            })
            .collect(),
        Err(error) => panic!("{text}\n{error}\n{}", error.underlined(text)),
    };
    assert_eq!(found, expected, "{text}");
}

#[test]
fn each_form_means_what_sql_means() {
    for (text, expected) in [
        ("price < 40", "TFF-"),
        ("price <= 40", "TTF-"),
        // NaN is greater than every number and equal to itself.
        ("price > 40", "FFT-"),
        ("price = price", "TTT-"),
        ("40 = price", "FTF-"),
        ("price <> 40", "TFT-"),
        ("price == 40.0", "FTF-"),
        ("price IS NULL", "FFFT"),
        ("price IS NOT NULL", "TTTF"),
        ("price = NULL", "----"),
        ("in_stock", "TFT-"),
        ("NOT in_stock", "FTF-"),
        ("in_stock IS TRUE", "TFTF"),
        ("in_stock IS NOT TRUE", "FTFT"),
        ("in_stock IS FALSE", "FTFF"),
        ("in_stock is not false", "TFTT"),
        ("in_stock = TRUE", "TFT-"),
        ("in_stock OR stock >= 0", "TTT-"),
        ("in_stock OR TRUE", "TTTT"),
        ("in_stock AND FALSE", "FFFF"),
        ("in_stock AND NULL", "-F--"),
        ("NOT in_stock AND stock = 0", "FTF-"),
        ("NOT (in_stock AND stock = 0)", "TTT-"),
        ("brand IN ('aa', 'bb')", "TTF-"),
        ("brand in [\"aa\"]", "TFF-"),
        ("brand NOT IN ('aa', NULL)", "F---"),
        ("brand IN ()", "FFF-"),
        ("stock IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)", "TFF-"),
        ("stock IN (0.0, 3.0)", "TTF-"),
        ("stock IN (price, 0)", "FTF-"),
        ("price BETWEEN 12.5 AND 40", "TTF-"),
        ("price NOT BETWEEN 12.5 AND 30", "FTT-"),
        ("brand BETWEEN 'a' AND 'b'", "TFF-"),
        ("brand LIKE 'G_öße'", "FFT-"),
        ("brand LIKE 'G__ße'", "FFT-"),
        ("brand LIKE '%' AND brand NOT LIKE '%b'", "TFT-"),
        ("brand LIKE '!_%' ESCAPE '!'", "FFF-"),
        ("brand LIKE brand", "TTT-"),
        ("regexp_match(brand, '^[a-b]+$')", "TTF-"),
        ("regexp_match(brand, '(?i)GRÖ')", "FFT-"),
        ("array_has(tags, 'linen')", "TFF-"),
        ("array_has(tags, brand)", "FFF-"),
        ("array_has_any(tags, ['wool', 'blue'])", "TFT-"),
        ("array_has_all(tags, ['linen', 'blue'])", "TFF-"),
        ("array_has_all(tags, [])", "TTT-"),
        ("array_has_any(tags, [])", "FFF-"),
        ("array_has(['aa', 'cc'], brand)", "TFF-"),
        ("tags IS NULL", "FFFT"),
        ("vector IS NOT NULL", "TTTF"),
        ("note.email LIKE '%@x.org'", "TFF-"),
        ("`note`.`email` = ''", "FFT-"),
        ("`2nd price` + 1 = 3", "FTF-"),
        ("stock + 1 > 0", "TT--"),
        ("stock * 2 - 1 = 5", "TF--"),
        ("-stock < 0", "TFT-"),
        ("10 / stock > 3", "T-F-"),
        ("7 % 4 = 3 AND -7 % 4 = -3", "TTTT"),
        ("stock % 2 = 1", "TFT-"),
        ("1 / 2 = 0.5", "TTTT"),
        ("1 / 0 IS NULL", "TTTT"),
        ("-9223372036854775808 < stock", "TTT-"),
        ("-(-9223372036854775808) IS NULL", "TTTT"),
        ("created_at >= '2026-01-01'", "TTF-"),
        ("created_at < '2026-03-01T13:30:00+01:00'", "TFT-"),
        ("created_at = '2026-03-01 12:30'", "FTF-"),
        ("created_at = 1767225600", "TFF-"),
        ("created_at > 1767225600.5", "FTF-"),
        ("created_at - 86400 < DATE '2026-01-01'", "TFT-"),
        ("created_at - created_at = 0", "TTT-"),
        ("created_at IN ('2026-01-01', '2027-01-01')", "TFF-"),
        (
            "created_at BETWEEN '2026-01-01' AND TIMESTAMP '2026-03-01 12:30:00'",
            "TTF-",
        ),
        ("CAST(created_at AS DATE) = '1969-12-31'", "FFT-"),
        ("CAST(created_at AS VARCHAR) LIKE '2026-01-01 00:00:00'", "TFF-"),
        ("CAST(created_at AS BIGINT) < 0", "FFT-"),
        ("CAST(brand AS INT) IS NULL", "TTTT"),
        ("CAST('12' AS int) = 12", "TTTT"),
        ("CAST(price AS INTEGER) = 12", "TF--"),
        ("CAST(stock AS BOOLEAN)", "TFT-"),
        ("CAST(stock AS VARCHAR) = '3'", "TFF-"),
        ("CAST(in_stock AS INT) = 1", "TFT-"),
    ] {
        check(text, expected);
    }
}

#[test]
fn parameters_are_values_and_never_text() {
    let parameters = json!({
        "max": 20, "brands": ["aa", "bb"], "since": "2026-02-01", "one": "aa", "none": null, "yes": true,
        "trick": "aa' OR TRUE OR brand = '", "mixed": [1, "a"],
    });
    for (text, expected) in [
        ("price < $param.max", "TFF-"),
        ("brand IN $param.brands", "TTF-"),
        ("brand IN ($param.brands)", "TTF-"),
        ("brand NOT IN ($param.brands)", "FFT-"),
        ("brand IN ($param.one, 'bb')", "TTF-"),
        ("brand IN $param.one", "TFF-"),
        ("array_has_any(tags, $param.brands)", "FFF-"),
        ("created_at > $param.since", "FTF-"),
        ("brand = $param.trick", "FFF-"),
        ("price < $param.none", "----"),
        ("in_stock = $param.yes", "TFT-"),
    ] {
        check_with(text, &parameters, expected);
    }
    let parsed =
        filter::parse("a = $param.x OR b IN ($param.y, $param.x)", &Limits::default()).expect("a filter");
    assert_eq!(parsed.parameters(), ["x", "y"]);
}

fn refusal(text: &str, parameters: &Map<String, Value>) -> Error {
    match truths(text, &shop(), parameters) {
        Ok(_) => panic!("{text} was taken"),
        Err(error) => error,
    }
}

/// The message, and the stretch of the text that it points at.
#[test]
fn errors_say_what_where_and_how_to_mend_it() {
    let parameters = json!({"max": 20, "deep": [[1]], "huge": 1e300});
    let parameters = parameters.as_object().expect("an object");
    for (text, kind, pointed, words) in [
        ("", ErrorKind::Syntax, "", "the filter is empty"),
        (
            "prise < 40",
            ErrorKind::UnknownName,
            "prise",
            "there is no column 'prise' (at byte 0, 5 long): did you mean 'price'?",
        ),
        (
            "PRICE < 40",
            ErrorKind::UnknownName,
            "PRICE",
            "did you mean 'price'?",
        ),
        (
            "in_stock AND item.brand = 'x'",
            ErrorKind::UnknownName,
            "item.brand",
            "did you mean 'brand'?",
        ),
        (
            "price < '40'",
            ErrorKind::WrongType,
            "'40'",
            "'price' is a number and '40' is a text: they cannot be compared (at byte 8, 4 long): write the number without quotes",
        ),
        (
            "brand = 40",
            ErrorKind::WrongType,
            "40",
            "put the number in quotes",
        ),
        (
            "in_stock = 1",
            ErrorKind::WrongType,
            "1",
            "write in_stock IS TRUE",
        ),
        (
            "\"price\" < 40",
            ErrorKind::WrongType,
            "\"price\"",
            "double quotes make a text; the column stands bare: price",
        ),
        (
            "price",
            ErrorKind::WrongType,
            "price",
            "a condition should stand here, and 'price' is a number",
        ),
        ("tags", ErrorKind::WrongType, "tags", "array_has(tags, value)"),
        (
            "tags = 'linen'",
            ErrorKind::WrongType,
            "tags",
            "array_has(tags, value)",
        ),
        (
            "'linen' IN tags",
            ErrorKind::Syntax,
            "tags",
            "array_has(tags, value)",
        ),
        (
            "array_has(brand, 'x')",
            ErrorKind::WrongType,
            "brand",
            "array_has needs a list, and 'brand' is a text",
        ),
        (
            "array_has(tags, 3)",
            ErrorKind::WrongType,
            "3",
            "the list has texts, and 3 is a whole number",
        ),
        (
            "array_has(tags, 'a', 'b')",
            ErrorKind::WrongType,
            "array_has(tags, 'a', 'b')",
            "takes 2 arguments and got 3",
        ),
        (
            "array_contains(tags, 'a')",
            ErrorKind::UnknownName,
            "array_contains",
            "write array_has(list, value)",
        ),
        ("lower(brand) = 'a'", ErrorKind::UnknownName, "lower", "(?i)"),
        (
            "brand + 1 = 2",
            ErrorKind::WrongType,
            "brand",
            "'+' needs numbers, and 'brand' is a text",
        ),
        (
            "created_at * 2 = 2",
            ErrorKind::WrongType,
            "2",
            "moved by whole seconds",
        ),
        (
            "created_at > 'soon'",
            ErrorKind::WrongValue,
            "'soon'",
            "'soon' is not a timestamp",
        ),
        (
            "created_at > '2026-02-30'",
            ErrorKind::WrongValue,
            "'2026-02-30'",
            "is not a timestamp",
        ),
        (
            "CAST(brand AS colour) = 1",
            ErrorKind::UnknownName,
            "colour",
            "there is no type 'colour'",
        ),
        (
            "CAST('x' AS INT) = 1",
            ErrorKind::WrongValue,
            "'x'",
            "cannot become a whole number",
        ),
        (
            "regexp_match(brand, '(')",
            ErrorKind::WrongValue,
            "'('",
            "unclosed group",
        ),
        (
            "regexp_match(brand, brand)",
            ErrorKind::WrongType,
            "brand",
            "must be a constant",
        ),
        (
            "regexp_match(price, 'a')",
            ErrorKind::WrongType,
            "price",
            "write CAST(price AS VARCHAR)",
        ),
        (
            "brand LIKE 'a!' ESCAPE '!'",
            ErrorKind::WrongValue,
            "'a!'",
            "ends with its escape character",
        ),
        ("brand ILIKE 'a'", ErrorKind::Syntax, "ILIKE", "(?i)"),
        (
            "price < 40 AND",
            ErrorKind::Syntax,
            "",
            "found the end where a value should stand",
        ),
        (
            "price < 40 brand = 'x'",
            ErrorKind::Syntax,
            "brand",
            "join conditions with AND or OR",
        ),
        (
            "1 < price < 3",
            ErrorKind::Syntax,
            "<",
            "comparisons do not chain",
        ),
        ("brand = 'x", ErrorKind::Syntax, "'x", "a ' is missing"),
        ("brand = ‘x’", ErrorKind::Syntax, "‘", "straight quotes"),
        ("price < 40 && in_stock", ErrorKind::Syntax, "&&", "write AND"),
        (
            "price < 40; DROP TABLE x",
            ErrorKind::Syntax,
            ";",
            "leave the semicolon out",
        ),
        ("price < 40 -- all", ErrorKind::Syntax, "--", "no comments"),
        ("price < 2nd", ErrorKind::Syntax, "2nd", "stands in backticks"),
        (
            "stock < 99999999999999999999",
            ErrorKind::WrongValue,
            "99999999999999999999",
            "too large",
        ),
        (
            "price < $param.mx",
            ErrorKind::UnknownName,
            "$param.mx",
            "did you mean 'max'?",
        ),
        ("price < $max", ErrorKind::Syntax, "$", "write $param.NAME"),
        (
            "price IN ($param.deep)",
            ErrorKind::WrongType,
            "$param.deep",
            "neither a plain value",
        ),
        (
            "stock IS 3",
            ErrorKind::Syntax,
            "3",
            "IS asks only for NULL, TRUE and FALSE",
        ),
        (
            "stock IS TRUE",
            ErrorKind::WrongType,
            "stock",
            "a condition should stand here",
        ),
        (
            "[price, 1] = 1",
            ErrorKind::WrongType,
            "price",
            "must be constants",
        ),
        (
            "(price < 3",
            ErrorKind::Syntax,
            "",
            "found the end where ')' should stand",
        ),
    ] {
        let error = refusal(text, parameters);
        assert_eq!(error.kind(), kind, "{text}: {error}");
        let place = error.place();
        assert_eq!(
            &text[place.offset..place.offset + place.length],
            pointed,
            "{text}: {error}"
        );
        assert!(error.to_string().contains(words), "{text}: {error}");
    }
    // Nothing near three letters off: the names there are.
    let error = refusal("price < $param.minimum", parameters);
    assert!(
        error.to_string().contains("known are: deep, huge, max"),
        "{error}"
    );
}

#[test]
fn an_error_can_be_shown_below_its_line() {
    let text = "in_stock\n  AND prise < 40";
    let error = refusal(text, &Map::new());
    assert_eq!(error.underlined(text), "  AND prise < 40\n      ^^^^^");
}

#[test]
fn a_prefix_names_the_same_columns() {
    let schema = Schema::new([("price", Type::Float64), ("item.odd", Type::Int64)]).with_prefix("item");
    let bind = |text: &str| {
        filter::parse(text, &Limits::default())
            .expect("a filter")
            .bind(&schema, &Map::new())
    };
    let bound = bind("item.price < 40 AND price > 2 AND item.odd = 1").expect("known columns");
    let read: Vec<usize> = bound.columns().iter().map(|column| column.index).collect();
    assert_eq!(read, [0, 1], "a column is read once, whatever it is called");
    assert!(bind("user.price < 40").is_err());
}

#[test]
fn trees_print_and_parse_back() {
    for (text, printed) in [
        ("a=1 or b=2 and not c", "(a = 1) OR ((b = 2) AND (NOT c))"),
        ("a - b - -3*c", "a - b - (-3 * c)"),
        ("- -a < 1", "(-(-(a))) < 1"),
        (
            "`my col`.x like 'it''s' escape \"'\"",
            "`my col.x` LIKE 'it''s' ESCAPE ''''",
        ),
        ("a in [1,2.5, null]", "a IN (1, 2.5, NULL)"),
        ("date '2026-01-01' <= a", "CAST('2026-01-01' AS DATE) <= a"),
        ("a = 1 is true is not null", "((a = 1) IS TRUE) IS NOT NULL"),
        ("`and` = $param.x", "`and` = $param.x"),
    ] {
        let parsed = filter::parse(text, &Limits::default()).expect(text);
        assert_eq!(parsed.to_string(), printed);
        assert_eq!(filter::parse(printed, &Limits::default()).expect(printed), parsed);
    }
}

#[test]
fn columns_that_do_not_fit_are_refused() {
    use expressions::Column;
    use expressions::data::Values;
    let schema = Schema::new([("price", Type::Float64)]);
    let bound = filter::parse("price < 40", &Limits::default())
        .expect("a filter")
        .bind(&schema, &Map::new())
        .expect("a known column");
    let floats = [1.0, 50.0];
    let ints = [1, 2];
    let select = |columns: &[Column<'_>], rows| bound.select(columns, rows).map_err(|error| error.kind());
    assert_eq!(select(&[Column::new(Values::Float64(&floats))], 2), Ok(vec![0]));
    assert_eq!(
        select(&[Column::new(Values::Float64(&floats))], 3),
        Err(ErrorKind::Data)
    );
    assert_eq!(
        select(&[Column::new(Values::Int64(&ints))], 2),
        Err(ErrorKind::Data)
    );
    assert_eq!(select(&[], 2), Err(ErrorKind::Data));
    // One row for all, and rows that do not exist.
    assert_eq!(
        select(&[Column::new(Values::Float64(&floats)).at_one_row(0)], 3),
        Ok(vec![0, 1, 2])
    );
    assert_eq!(
        select(&[Column::new(Values::Float64(&floats)).at_one_row(9)], 3),
        Ok(vec![])
    );
    assert_eq!(
        select(
            &[Column::new(Values::Float64(&floats)).at_rows(&[0, 7, u32::MAX, 0])],
            4
        ),
        Ok(vec![0, 3])
    );
}

/// More candidates than a batch holds: the pieces are put together in order, undecided ones are asked alone.
#[test]
fn batches_change_nothing() {
    let small = shop();
    let repeat = 3_001;
    let parameters = Map::new();
    let text = "in_stock AND (price < 20 OR brand LIKE '%e') AND array_has_any(tags, ['linen', 'wool'])";
    let expected = truths(text, &small, &parameters).expect("a filter");
    let mut large = Table::default();
    for (name, cells) in &small.columns {
        large.columns.push((name.clone(), cells.repeat(repeat)));
    }
    assert_eq!(
        truths(text, &large, &parameters).expect("a filter"),
        expected.repeat(repeat)
    );
}
