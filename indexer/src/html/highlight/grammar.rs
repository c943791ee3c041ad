//! The languages that are highlighted. A query is analysed against all states of its grammar, which takes tens of milliseconds for the
//! large ones: only what the output can show is worth that.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use arborium::tree_sitter::{Language, Parser, Query, QueryCursor, StreamingIterator, Tree};

use super::paint::{self, Span};
use crate::markdown::fence;
use crate::syntax;

/// Finds the coloured parts of code. Grammars are made once and only for the languages that are asked for.
pub(super) struct Reader {
    parser: Parser,
    cursor: QueryCursor,
    grammars: HashMap<&'static str, Option<Arc<Grammar>>>,
}

struct Grammar {
    language: Language,
    query: Query,
    /// By capture, what it is shown as; `None` for one that means nothing.
    colours: Vec<Option<Option<char>>>,
    injections: Option<Injections>,
}

/// Where a language holds others.
struct Injections {
    query: Query,
    content: Option<u32>,
    language: Option<u32>,
}

impl Reader {
    pub(super) fn new() -> Self {
        Self {
            parser: Parser::new(),
            cursor: QueryCursor::new(),
            grammars: HashMap::new(),
        }
    }

    /// The parts of code in a language as [`fence::canonical`] names it, with those in the languages inside of it where it mostly holds such.
    /// `None` where there is no such grammar, or none that can read the code.
    pub(super) fn spans(&mut self, language: &'static str, code: &str) -> Option<Vec<Span>> {
        let mut spans = Vec::new();
        let (grammar, tree) = self.add(language, code, 0, &mut spans)?;
        if let Some(injections) = &grammar.injections {
            for (inner, range) in injections.find(&mut self.cursor, &tree, code) {
                if let Some(language) = fence::canonical(&inner.to_lowercase()) {
                    self.add(language, &code[range.clone()], range.start, &mut spans);
                }
            }
        }
        Some(spans)
    }

    /// Adds the parts of code that starts at `start` of what is highlighted.
    fn add(
        &mut self,
        language: &'static str,
        code: &str,
        start: usize,
        spans: &mut Vec<Span>,
    ) -> Option<(Arc<Grammar>, Tree)> {
        let language = highlighter_name(language);
        let known = self.grammars.entry(language);
        let grammar = known
            .or_insert_with(|| Grammar::new(language).map(Arc::new))
            .clone()?;
        self.parser.set_language(&grammar.language).ok()?;
        let tree = syntax::parse(&mut self.parser, code)?;
        let mut matches = self
            .cursor
            .matches(&grammar.query, tree.root_node(), code.as_bytes());
        while let Some(found) = matches.next() {
            for capture in found.captures {
                if let Some(colour) = grammar.colours[capture.index as usize] {
                    spans.push(Span {
                        start: start + capture.node.start_byte(),
                        end: start + capture.node.end_byte(),
                        pattern: found.pattern_index,
                        colour,
                    });
                }
            }
        }
        drop(matches);
        Some((grammar, tree))
    }
}

impl Grammar {
    fn new(name: &'static str) -> Option<Self> {
        let language = arborium::get_language(name)?;
        let (highlights, injections) = queries(name)?;
        let query = Query::new(&language, &distinct(highlights)).ok()?;
        let colours = query
            .capture_names()
            .iter()
            .map(|name| paint::shown(name))
            .collect();
        let injections = injections.map(|query| Injections::new(&language, query));
        Some(Self {
            query,
            colours,
            injections: injections.transpose().ok()?,
            language,
        })
    }
}

impl Injections {
    fn new(language: &Language, query: &str) -> Result<Self, arborium::tree_sitter::QueryError> {
        let query = Query::new(language, query)?;
        Ok(Self {
            content: query.capture_index_for_name("injection.content"),
            language: query.capture_index_for_name("injection.language"),
            query,
        })
    }

    /// The languages inside of code and where they are.
    fn find(&self, cursor: &mut QueryCursor, tree: &Tree, code: &str) -> Vec<(String, Range<usize>)> {
        let mut found = Vec::new();
        let mut matches = cursor.matches(&self.query, tree.root_node(), code.as_bytes());
        while let Some(injection) = matches.next() {
            let settings = self.query.property_settings(injection.pattern_index).iter();
            let set = settings
                .filter(|setting| &*setting.key == "injection.language")
                .find_map(|setting| setting.value.as_deref());
            let captured = |index: Option<u32>| {
                let mut captures = injection.captures.iter();
                captures.find(|capture| Some(capture.index) == index)
            };
            let written = captured(self.language).map(|capture| &code[capture.node.byte_range()]);
            if let (Some(language), Some(content)) = (set.or(written), captured(self.content)) {
                found.push((language.to_owned(), content.node.byte_range()));
            }
        }
        found
    }
}

/// The name that the highlighter gives a language.
fn highlighter_name(name: &'static str) -> &'static str {
    match name {
        "csharp" => "c-sharp",
        "jsx" => "tsx",
        name => name,
    }
}

macro_rules! queries {
    ($($language:literal $module:ident $($nests:ident)?)*) => {
        /// The patterns of a language, in the order in which they win over those before them, and those of the languages inside of it
        /// where what it holds is written in others, for the most part.
        fn queries(language: &str) -> Option<(&'static str, Option<&'static str>)> {
            match language {
                $($language => Some((
                    &arborium::$module::HIGHLIGHTS_QUERY,
                    [$(injections!($nests $module))?].first().copied(),
                )),)*
                _ => None,
            }
        }

        #[cfg(test)]
        const LANGUAGES: &[&str] = &[$($language),*];
    };
}

macro_rules! injections {
    (nests $module:ident) => {
        arborium::$module::INJECTIONS_QUERY
    };
}

queries! {
    "bash" lang_bash
    "batch" lang_batch
    "c" lang_c
    "c-sharp" lang_c_sharp
    "cmake" lang_cmake
    "cpp" lang_cpp
    "css" lang_css
    "dart" lang_dart
    "diff" lang_diff
    "dockerfile" lang_dockerfile
    "elixir" lang_elixir
    "go" lang_go
    "graphql" lang_graphql
    "groovy" lang_groovy
    "hcl" lang_hcl
    "html" lang_html nests
    "ini" lang_ini
    "java" lang_java
    "javascript" lang_javascript
    "json" lang_json
    "kotlin" lang_kotlin
    "lua" lang_lua
    "make" lang_make
    "markdown" lang_markdown nests
    "php" lang_php nests
    "powershell" lang_powershell
    "proto" lang_proto
    "python" lang_python
    "r" lang_r
    "ruby" lang_ruby
    "rust" lang_rust
    "scala" lang_scala
    "scss" lang_scss
    "sql" lang_sql
    "svelte" lang_svelte nests
    "swift" lang_swift
    "toml" lang_toml
    "tsx" lang_tsx
    "typescript" lang_typescript
    "vue" lang_vue nests
    "xml" lang_xml
    "yaml" lang_yaml
    "zig" lang_zig
}

/// The patterns of `query` without those that are written again further down: of two patterns for the same text the later one counts.
fn distinct(query: &str) -> String {
    let mut seen = HashSet::new();
    let mut kept: Vec<&str> = patterns(query)
        .into_iter()
        .rev()
        .filter(|pattern| seen.insert(pattern.split_whitespace().collect::<Vec<_>>().join(" ")))
        .collect();
    kept.reverse();
    kept.join("\n")
}

/// The patterns of a query, each with the names of its captures behind it. Comments between them are of the pattern before.
fn patterns(query: &str) -> Vec<&str> {
    let mut starts = Vec::new();
    let mut depth = 0_usize;
    let mut bytes = query.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b';' => drop(bytes.find(|(_, byte)| *byte == b'\n')),
            b'"' => {
                if depth == 0 {
                    starts.push(at);
                }
                while let Some((_, byte)) = bytes.next() {
                    match byte {
                        b'\\' => drop(bytes.next()),
                        b'"' => break,
                        _ => {}
                    }
                }
            }
            b'(' | b'[' => {
                if depth == 0 {
                    starts.push(at);
                }
                depth += 1;
            }
            b')' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    let ends = starts.iter().skip(1).copied().chain([query.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(start, end)| &query[*start..end])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_cut_where_they_begin() {
        let query = "; (no)\n(a (b) @x) @y ; \"c\n[\"(\" \"\\\"\"] @z\n\"]\" @z @y\n((a) @x (#eq? @x \")\"))";
        assert_eq!(
            patterns(query),
            [
                "(a (b) @x) @y ; \"c\n",
                "[\"(\" \"\\\"\"] @z\n",
                "\"]\" @z @y\n",
                "((a) @x (#eq? @x \")\"))"
            ]
        );
    }

    #[test]
    fn the_last_of_equal_patterns_stays() {
        assert_eq!(distinct("(a) @x (b) @x\n(a)\n @x"), "(b) @x\n\n(a)\n @x");
    }

    #[test]
    fn what_is_left_out_makes_no_difference() {
        let code = "import a.b as C from \"d\"\nexport default class A extends B { get c() { return f(1, `${g}`, null) } }\n\
                    def m(x: int) -> str: # e\n<a href='b'>t</a> public static void Main(string[] args) { if (x > 1.5) { A.b(); } }\n\
                    key: [value, 'w'] // z\n/* y */ let n = new Map<K, V>(); func p() {} SELECT a FROM b;\n@x $y -z %w\n\
                    <script>let a = 'b';</script>\n\n```js\nlet c = 1;\n```\n";
        let mut reader = Reader::new();
        for language in LANGUAGES {
            let config = arborium::Config {
                max_injection_depth: 1,
                ..arborium::Config::default()
            };
            let nests = queries(language).is_some_and(|(_, injections)| injections.is_some());
            let config = if nests {
                config
            } else {
                arborium::Config {
                    max_injection_depth: 0,
                    ..config
                }
            };
            let mut whole = arborium::Highlighter::with_config(config);
            let spans = whole
                .highlight_spans(language, code)
                .expect("each language is a feature");
            let spans = spans.into_iter().filter_map(|span| {
                let colour = paint::shown(&span.capture)?;
                Some((span.start as usize, span.end as usize, colour))
            });
            let expected: HashSet<_> = spans.collect();
            let name = fence::canonical(language)
                .or((*language == "c-sharp").then_some("csharp"))
                .unwrap();
            let ours = reader.spans(name, code).expect("its query is whole");
            let ours: HashSet<_> = ours
                .iter()
                .map(|span| (span.start, span.end, span.colour))
                .collect();
            assert_eq!(ours, expected, "{language}");
        }
    }

    #[test]
    fn code_that_nobody_can_read_has_no_colours() {
        let mut reader = Reader::new();
        assert!(reader.spans("typescript", syntax::tests::TANGLED).is_none());
        assert!(!reader.spans("typescript", "let a").unwrap().is_empty());
        let html = format!("<script>{}</script><b>", syntax::tests::TANGLED);
        assert!(!reader.spans("html", &html).unwrap().is_empty());
    }
}
