//! What the highlighter prepares for a language. A query is analysed against all states of its grammar, which takes tens of milliseconds
//! for the large ones: only what the output can show is worth that.

use std::collections::HashSet;

use arborium::advanced::{CompiledGrammar, GrammarConfig};

/// The grammar of `language`, which has the name that the highlighter gives it, without the languages inside of it and without patterns
/// that come again further down. `None` for one that this crate does not have.
pub(super) fn without_nesting(language: &str) -> Option<CompiledGrammar> {
    let query = distinct(highlights(language)?);
    let config = GrammarConfig {
        language: arborium::get_language(language)?,
        highlights_query: &query,
        injections_query: "",
        locals_query: "",
    };
    CompiledGrammar::new(config).ok()
}

macro_rules! highlights {
    ($($language:literal $module:ident)*) => {
        /// The patterns of a language, in the order in which they win over those before them.
        fn highlights(language: &str) -> Option<&'static str> {
            match language {
                $($language => Some(&arborium::$module::HIGHLIGHTS_QUERY),)*
                _ => None,
            }
        }

        #[cfg(test)]
        const LANGUAGES: &[&str] = &[$($language),*];
    };
}

highlights! {
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
    "ini" lang_ini
    "java" lang_java
    "javascript" lang_javascript
    "json" lang_json
    "kotlin" lang_kotlin
    "lua" lang_lua
    "make" lang_make
    "powershell" lang_powershell
    "proto" lang_proto
    "python" lang_python
    "r" lang_r
    "ruby" lang_ruby
    "rust" lang_rust
    "scala" lang_scala
    "scss" lang_scss
    "sql" lang_sql
    "swift" lang_swift
    "toml" lang_toml
    "tsx" lang_tsx
    "typescript" lang_typescript
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
    use arborium::GrammarStore;
    use arborium::advanced::ParseContext;

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
                    key: [value, 'w'] // z\n/* y */ let n = new Map<K, V>(); func p() {} SELECT a FROM b;\n@x $y -z %w\n";
        for language in LANGUAGES {
            let captures = |grammar: &CompiledGrammar| {
                let mut context =
                    ParseContext::for_grammar(grammar).expect("the grammars are of the parser's release");
                let spans = grammar.parse(&mut context, code).spans;
                let spans = spans.into_iter().map(|span| (span.start, span.end, span.capture));
                spans.collect::<HashSet<_>>()
            };
            let whole = GrammarStore::new()
                .get(language)
                .expect("each language is a feature");
            let ours = without_nesting(language).expect("its query is whole");
            assert_eq!(captures(&ours), captures(&whole), "{language}");
        }
    }
}
