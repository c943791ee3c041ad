//! What programs in the attributes of MDX say without being run: texts, numbers, and the addresses of files.
//!
//! ```text
//! import flow from './flow.png';
//!
//! <img src={flow} width={300} />
//! <img src={require('@site/static/flow.png').default} />
//! <img src={useBaseUrl('/img/flow.png')} />
//! ```

use std::ops::Range;

use super::imports::Imports;
use crate::source::is_picture;

/// The attributes of a tag that have a value: their names, and where the values are, as they are written. A program that stands for any
/// number of them, `{...others}`, has no name.
pub(super) fn attributes(text: &str) -> Vec<(&str, Range<usize>)> {
    let mut found = Vec::new();
    let mut at = 0;
    let is_between = |c: char| c.is_whitespace() || matches!(c, '/' | '=');
    loop {
        at += length(&text[at..], is_between);
        if text[at..].starts_with('{') {
            let start = at;
            at += value_length(&text[at..]);
            found.push(("", start..at));
            continue;
        }
        let name = &text[at..at + length(&text[at..], |c| !is_between(c))];
        if name.is_empty() {
            return found;
        }
        at += name.len();
        let equals = at + length(&text[at..], char::is_whitespace);
        if !text[equals..].starts_with('=') {
            continue;
        }
        let start = equals + 1 + length(&text[equals + 1..], char::is_whitespace);
        at = start + value_length(&text[start..]);
        found.push((name, start..at));
    }
}

fn length(text: &str, is_wanted: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_wanted(c)).unwrap_or(text.len())
}

/// Of a text in quotes, of a program in braces, or of a word.
fn value_length(text: &str) -> usize {
    match text.chars().next() {
        Some(quote @ ('"' | '\'')) => text[1..].find(quote).map_or(text.len(), |end| end + 2),
        Some('{') => parts(text, |_| false).first().map_or(0, |part| part.end),
        _ => length(text, |c| !c.is_whitespace()),
    }
}

/// The parts of a program that stand between separators, neither in quotes nor in brackets. The last one ends with the bracket that the
/// text begins with, if it begins with one.
fn parts(text: &str, is_separator: impl Fn(char) -> bool) -> Vec<Range<usize>> {
    cut(text, is_separator, text.starts_with(['{', '(', '[']))
}

/// The same, up to the end of a bracket where the text begins with one that ends it.
fn cut(text: &str, is_separator: impl Fn(char) -> bool, ends_with_bracket: bool) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut start, mut depth, mut quote) = (0, 0_usize, None);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '{' | '(' | '[') => depth += 1,
            (None, '}' | ')' | ']') => {
                depth = depth.saturating_sub(1);
                if depth == 0 && ends_with_bracket {
                    parts.push(start..at + 1);
                    return parts;
                }
            }
            (None, _) if depth == 0 && is_separator(c) => {
                parts.push(start..at);
                start = at + c.len_utf8();
            }
            (None, _) => {}
        }
    }
    parts.push(start..text.len());
    parts
}

/// The text of a value: `"a"`, `'a'` or `{'a'}`.
pub(super) fn text(value: &str) -> Option<&str> {
    quoted(program(value).unwrap_or(value))
}

/// The texts of a list, `['a', 'b']`, with empty ones in the place of what is none.
pub(super) fn texts(program: &str) -> Vec<&str> {
    let list = program.strip_prefix('[').and_then(|list| list.strip_suffix(']'));
    let mut rest = list.unwrap_or_default().trim();
    let mut texts = Vec::new();
    while !rest.is_empty() {
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
        let text = quote.and_then(|quote| rest[1..].split(quote).next());
        texts.push(text.unwrap_or_default());
        let behind = &rest[text.map_or(0, |text| text.len() + 1)..];
        rest = behind.split_once(',').map_or("", |(_, rest)| rest.trim_start());
    }
    texts
}

/// The values and the labels of a list of tabs: `[{ value: 'npm', label: 'npm' }]`.
pub(super) fn labels(program: &str) -> Vec<(&str, &str)> {
    let tabs = parts_inside(program, '[', ']').into_iter();
    let tab = |tab| {
        let fields = parts_inside(tab, '{', '}');
        let text_of = |key: &str| {
            fields.iter().find_map(|field| {
                let (name, text) = field.split_once(':')?;
                (name.trim().trim_matches(['"', '\'']) == key).then(|| quoted(text.trim()))?
            })
        };
        Some((text_of("value")?, text_of("label")?))
    };
    tabs.filter_map(tab).collect()
}

/// The parts of a list or an object, without the space around them.
fn parts_inside(program: &str, open: char, close: char) -> Vec<&str> {
    let inner = program.strip_prefix(open);
    inner
        .and_then(|inner| inner.strip_suffix(close))
        .map_or_else(Vec::new, |inner| {
            let parts = cut(inner, |c| c == ',', false).into_iter();
            parts.map(|part| inner[part].trim()).collect()
        })
}

/// What stands between braces.
pub(super) fn program(value: &str) -> Option<&str> {
    Some(value.strip_prefix('{')?.strip_suffix('}')?.trim())
}

fn quoted(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
    let inner = text[1..].strip_suffix(quote)?;
    (!inner.contains(quote)).then_some(inner)
}

/// Where the files are that a page shows by programs.
#[derive(Debug)]
pub(super) struct Addresses<'a> {
    imports: Imports<'a>,
}

impl<'a> Addresses<'a> {
    pub(super) fn new(imports: Imports<'a>) -> Self {
        Self { imports }
    }

    /// The picture that a component is.
    pub(super) fn picture(&self, component: &str) -> Option<&str> {
        let path = self.imports.get(component)?;
        known(path).filter(|path| is_picture(path))
    }

    /// The address that a value stands for.
    pub(super) fn of_value<'b>(&'b self, value: &'b str) -> Option<&'b str> {
        match program(value) {
            Some(program) => self.of_program(program),
            None => quoted(value),
        }
    }

    /// The address that a program gives, as far as that can be seen.
    pub(super) fn of_program<'b>(&'b self, program: &'b str) -> Option<&'b str> {
        if let Some(text) = quoted(program) {
            return known(text);
        }
        let call = ["require", "useBaseUrl"].into_iter().find_map(|function| {
            let behind = program.strip_prefix(function)?.trim_start();
            let inner = &behind[parts(behind, |_| false).first()?.clone()];
            let given = inner.strip_prefix('(')?.strip_suffix(')')?;
            let first = parts(given, |c| c == ',').first()?.clone();
            quoted(given[first].trim())
        });
        match call {
            Some(path) => known(path),
            None => self.picture(program.strip_suffix(".src").unwrap_or(program)),
        }
    }

    /// The addresses that an object has below its names: `{ light: '/a.png', dark: '/b.png' }`.
    pub(super) fn of_object<'b>(&'b self, program: &'b str) -> Vec<(&'b str, &'b str)> {
        let inner = program
            .strip_prefix('{')
            .and_then(|inner| inner.strip_suffix('}'));
        let fields = inner.map_or_else(Vec::new, |inner| {
            let fields = parts(inner, |c| c == ',').into_iter();
            fields.map(|field| &inner[field]).collect()
        });
        let field = |field: &'b str| {
            let (name, program) = field.split_once(':')?;
            Some((name.trim(), self.of_program(program.trim())?))
        };
        fields.into_iter().filter_map(field).collect()
    }
}

/// A path that can be one of the content, of the site around it, or of another site: not that of a package.
fn known(path: &str) -> Option<&str> {
    let is_known = ["./", "../", "/", "@site/", "@/", "~/", "https://"]
        .iter()
        .any(|start| path.starts_with(start));
    let is_plain = !path.contains(['"', '<', '>', '\n']);
    (is_known && is_plain).then_some(path)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::imports::imports;
    use super::*;

    #[test]
    fn texts_of_a_list_keep_their_places() {
        for (program, expected) in [
            ("['a, b', \"c\"]", &["a, b", "c"][..]),
            ("[ a(), `b`,\n 'é', ]", &["", "b", "é"]),
            ("['a", &[]),
            ("[]", &[]),
            ("names", &[]),
        ] {
            assert_eq!(texts(program), expected, "{program}");
        }
    }

    #[test]
    fn attributes_end_where_their_values_do() {
        let text = " a=\"b c\" d = 'e>' f={g('}', { h: \"}\" })} i {...{n: '}'}} j=k l={`m`} /";
        let found = attributes(text);
        let found: Vec<_> = found
            .iter()
            .map(|(name, value)| (*name, &text[value.clone()]))
            .collect();
        assert_eq!(
            found,
            [
                ("a", "\"b c\""),
                ("d", "'e>'"),
                ("f", "{g('}', { h: \"}\" })}"),
                ("", "{...{n: '}'}}"),
                ("j", "k"),
                ("l", "{`m`}")
            ]
        );
    }

    #[test]
    fn texts_are_read_without_their_quotes() {
        for value in ["\"a\"", "'a'", "{'a'}", "{ \"a\" }", "{`a`}"] {
            assert_eq!(text(value), Some("a"), "{value}");
        }
        for value in ["a", "{a}", "{'a' + 'b'}", "\"a", "{", "\""] {
            assert_eq!(text(value), None, "{value}");
        }
    }

    #[test]
    fn addresses_are_seen_in_the_programs_that_name_them() {
        let page = "import flow from './a/flow.png';\nimport Logo from '@site/static/logo.svg'\nimport x from 'package/x.png'\n\
                    import far from '../../far.png'\nimport home from '~/assets/home.png'\nimport C from './c'\n\n```js\nimport code from './code.png'\n```\n";
        let addresses = Addresses::new(imports(page, 0));
        for (value, expected) in [
            ("\"a.png\"", Some("a.png")),
            ("{flow}", Some("./a/flow.png")),
            ("{ flow.src }", Some("./a/flow.png")),
            ("{Logo}", Some("@site/static/logo.svg")),
            ("{require('../b.png').default}", Some("../b.png")),
            ("{require(\"./b.png\")}", Some("./b.png")),
            (
                "{useBaseUrl( '/img/b.png', { absolute: true } )}",
                Some("/img/b.png"),
            ),
            ("{'https://a.example/b.png'}", Some("https://a.example/b.png")),
            ("{x}", None),
            ("{far}", Some("../../far.png")),
            ("{home}", Some("~/assets/home.png")),
            ("{C}", None),
            ("{code}", None),
            ("{other}", None),
            ("{require(name)}", None),
            ("{required('./b.png')}", None),
            ("{require('b')}", None),
            ("{require('@site/src/b.png')}", Some("@site/src/b.png")),
            ("{'javascript:a'}", None),
            ("{'/a\"b'}", None),
            ("flow", None),
        ] {
            assert_eq!(addresses.of_value(value), expected, "{value}");
        }
        assert_eq!(addresses.picture("Logo"), Some("@site/static/logo.svg"));
        assert_eq!(addresses.picture("C"), None);
        assert_eq!(
            addresses.of_object("{ light: useBaseUrl('/a.png', 1), dark: flow, x: y, }"),
            [("light", "/a.png"), ("dark", "./a/flow.png")]
        );
        assert_eq!(addresses.of_object("sources"), []);
    }

    proptest! {
        #[test]
        fn whatever_stands_in_a_tag_is_read(pieces in proptest::collection::vec(prop_oneof![
            Just("a"), Just("="), Just("{"), Just("}"), Just("'"), Just("\""), Just("`"), Just("require("), Just(")"), Just("é"), Just(" "),
            Just("/"), Just(","), Just(":"), Just("light"),
        ], 0..24)) {
            let text = pieces.concat();
            texts(&format!("[{text}]"));
            let addresses = Addresses::new(Imports::new());
            let mut last = 0;
            for (_, value) in attributes(&text) {
                prop_assert!(value.start >= last);
                last = value.end;
                addresses.of_value(&text[value.clone()]);
                if let Some(program) = program(&text[value]) {
                    labels(program);
                    addresses.of_object(program);
                }
            }
        }
    }
}
