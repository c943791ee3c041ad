//! The languages that are highlighted.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use arborium::tree_sitter::{Language, Parser};

use super::paint::{self, Span};
use super::query::{Query, Tree};
use crate::markdown::fence;
use crate::syntax;

/// Finds the coloured parts of code. Grammars are made once and only for the languages that are asked for.
pub(super) struct Reader {
    parser: Parser,
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
    content: Option<usize>,
    language: Option<usize>,
}

impl Reader {
    pub(super) fn new() -> Self {
        Self {
            parser: Parser::new(),
            grammars: HashMap::new(),
        }
    }

    /// The parts of code in a language as [`fence::canonical`] names it, with those in the languages inside of it where it mostly holds such.
    /// `None` where there is no such grammar, or none that can read the code.
    pub(super) fn spans(&mut self, language: &'static str, code: &str) -> Option<Vec<Span>> {
        let mut spans = Vec::new();
        let (grammar, tree) = self.add(language, code, 0, &mut spans)?;
        if let Some(injections) = &grammar.injections {
            for (inner, range) in injections.find(&tree, code)? {
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
        let tree = Tree::new(&syntax::parse(&mut self.parser, code)?);
        let before = spans.len();
        let is_whole = grammar.query.find(&tree, code.as_bytes(), &mut |found| {
            for (capture, node) in found.captures() {
                if let Some(colour) = grammar.colours[capture] {
                    spans.push(Span {
                        start: start + node.start,
                        end: start + node.end,
                        pattern: found.pattern,
                        colour,
                    });
                }
            }
        });
        if !is_whole {
            spans.truncate(before);
            return None;
        }
        Some((grammar, tree))
    }
}

impl Grammar {
    fn new(name: &'static str) -> Option<Self> {
        let language = arborium::get_language(name)?;
        let (highlights, injections) = queries(name)?;
        let written = "a test reads the queries of all languages";
        let query = Query::new(&language, highlights).expect(written);
        let colours = query.captures().iter().map(|name| paint::shown(name));
        let injections = injections.map(|query| Injections::new(&language, query).expect(written));
        Some(Self {
            colours: colours.collect(),
            query,
            injections,
            language,
        })
    }
}

impl Injections {
    fn new(language: &Language, query: &str) -> Result<Self, String> {
        let query = Query::new(language, query)?;
        let place = |name| query.captures().iter().position(|capture| capture == name);
        Ok(Self {
            content: place("injection.content"),
            language: place("injection.language"),
            query,
        })
    }

    /// The languages inside of code and where they are.
    fn find(&self, tree: &Tree, code: &str) -> Option<Vec<(String, Range<usize>)>> {
        let mut injections = Vec::new();
        let is_whole = self.query.find(tree, code.as_bytes(), &mut |found| {
            let captured = |place: Option<usize>| {
                let mut captures = found.captures();
                let (_, node) = captures.find(|(capture, _)| Some(*capture) == place)?;
                Some(node.start..node.end)
            };
            let written = captured(self.language).and_then(|range| code.get(range));
            let set = self.query.language_of(found.pattern);
            if let (Some(language), Some(content)) = (set.or(written), captured(self.content)) {
                injections.push((language.to_owned(), content));
            }
        });
        is_whole.then_some(injections)
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
        pub(super) fn queries(language: &str) -> Option<(&'static str, Option<&'static str>)> {
            match language {
                $($language => Some((
                    &arborium::$module::HIGHLIGHTS_QUERY,
                    [$(injections!($nests $module))?].first().copied(),
                )),)*
                _ => None,
            }
        }

        #[cfg(test)]
        pub(super) const LANGUAGES: &[&str] = &[$($language),*];
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn colours_are_those_of_the_library() {
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
    fn code_that_is_out_of_all_proportion_has_no_colours() {
        let mut reader = Reader::new();
        let chain = format!("void c() {{ a{}; }}", ".b()".repeat(3_000));
        assert!(reader.spans("dart", &chain).is_none());
        assert!(!reader.spans("dart", "a.b.b()();").unwrap().is_empty());
        let markdown = format!("# Title\n\n```dart\n{chain}\n```\n");
        let spans = reader.spans("markdown", &markdown).unwrap();
        let code = markdown.find("a.b").unwrap()..markdown.find(";").unwrap();
        assert!(spans.iter().any(|span| span.end <= code.start));
        assert!(
            !spans
                .iter()
                .any(|span| code.contains(&span.start) && span.colour.is_some())
        );
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
