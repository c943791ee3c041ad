//! Queries of tree-sitter (<https://tree-sitter.github.io/tree-sitter/using-parsers/queries/>), as far as the patterns of highlighters use
//! them: nodes, fields, text, wildcards, alternatives, groups, anchors, `?`, `*` and `+`, captures, and conditions for their text.
//!
//! The library's own queries give captures out while they still look for the rest of a pattern, and for that compare each pattern with all
//! states of the grammar: up to 90 ms for a language, a fifth of the time of a build of a thousand pages. Here a query is read, and
//! nothing more. It has the same captures; of a repetition the longest that fits alone.

mod find;
mod read;
mod tree;

use std::sync::LazyLock;

use arborium::tree_sitter::Language;
use regex::bytes::Regex;

pub(super) use self::tree::Tree;

/// The patterns of a query, for one language.
pub(super) struct Query {
    patterns: Vec<Pattern>,
    /// By kind of node, the patterns that begin with it, and behind all kinds those that begin with a mistake.
    beginnings: Vec<Vec<usize>>,
    /// The names that captures have in all patterns.
    captures: Vec<String>,
}

/// Nodes that follow each other, for the most part one.
struct Pattern {
    items: Vec<Item>,
    conditions: Vec<Condition>,
    /// The language that `#set!` gives what is captured.
    language: Option<String>,
}

struct Item {
    what: What,
    repeat: Repeat,
}

enum What {
    Node(NodePattern),
    /// Any of these sequences; a group is one alone.
    OneOf(Vec<Vec<Item>>),
}

#[derive(Clone, Copy)]
enum Repeat {
    Once,
    Optional,
    /// At least so many times.
    Many(usize),
}

struct NodePattern {
    kind: Kind,
    field: Option<u16>,
    captures: Vec<usize>,
    children: Vec<Item>,
    /// No named node is between what it follows and it.
    immediate: bool,
    /// No named node is behind the last of `children`.
    closed: bool,
}

enum Kind {
    /// In their order.
    Among(Vec<u16>),
    Named,
    Any,
}

/// What the text of all nodes of a capture has to be.
struct Condition {
    capture: usize,
    text: Text,
}

enum Text {
    OneOf(Vec<String>),
    Same(usize),
    /// Made when it is asked for the first time: most samples have nothing to ask most of them about.
    Matches(LazyLock<Regex, Box<dyn FnOnce() -> Regex + Send>>),
}

impl Query {
    /// Fails with what is wrong, and where.
    pub(super) fn new(language: &Language, text: &str) -> Result<Self, String> {
        let (patterns, captures) = read::read(language, text)?;
        let kinds = language.node_kind_count();
        let mut beginnings = vec![Vec::new(); kinds + 1];
        for (at, pattern) in patterns.iter().enumerate() {
            let mut of_kinds = Vec::new();
            if begins_with(&pattern.items, &mut of_kinds) {
                of_kinds.extend((0..kinds).map(|kind| kind as u16));
            }
            of_kinds.sort_unstable();
            of_kinds.dedup();
            for kind in of_kinds {
                beginnings[usize::from(kind).min(kinds)].push(at);
            }
        }
        Ok(Self {
            patterns,
            beginnings,
            captures,
        })
    }

    pub(super) fn captures(&self) -> &[String] {
        &self.captures
    }

    /// The language that a pattern gives what it captures.
    pub(super) fn language_of(&self, pattern: usize) -> Option<&str> {
        self.patterns[pattern].language.as_deref()
    }
}

/// Adds the kinds of the nodes that such a sequence can begin with. True where it can be any.
fn begins_with(items: &[Item], kinds: &mut Vec<u16>) -> bool {
    for item in items {
        let any = match &item.what {
            What::Node(node) => match &node.kind {
                Kind::Among(among) => {
                    kinds.extend(among);
                    false
                }
                Kind::Named | Kind::Any => true,
            },
            What::OneOf(sequences) => {
                let mut any = false;
                for sequence in sequences {
                    any |= begins_with(sequence, kinds);
                }
                any
            }
        };
        if any {
            return true;
        }
        if matches!(item.repeat, Repeat::Once | Repeat::Many(1)) {
            break;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::{BTreeMap, BTreeSet};

    use arborium::tree_sitter::{self, Parser, QueryCursor, StreamingIterator};
    use proptest::prelude::*;

    use super::super::grammar::{LANGUAGES, queries};
    use super::*;
    use crate::syntax;

    /// What is captured in JavaScript: the place of the pattern, the capture and its text, for each match in a pair of brackets.
    fn found(query: &str, code: &str) -> String {
        let language = arborium::get_language("javascript").unwrap();
        let query = Query::new(&language, query).unwrap();
        let mut all = String::new();
        let is_whole = query.find(&tree("javascript", code), code.as_bytes(), &mut |found| {
            let captures = found.captures().map(|(capture, node)| {
                let (name, text) = (&query.captures()[capture], &code[node.start..node.end]);
                format!("{name}={text}")
            });
            let captures: Vec<String> = captures.collect();
            all += &format!("{}[{}]", found.pattern, captures.join(" "));
        });
        assert!(is_whole);
        all
    }

    fn tree(language: &str, code: &str) -> Tree {
        let mut parser = Parser::new();
        parser
            .set_language(&arborium::get_language(language).unwrap())
            .unwrap();
        Tree::new(&syntax::parse(&mut parser, code).unwrap())
    }

    fn wrong(query: &str) -> String {
        let language = arborium::get_language("javascript").unwrap();
        Query::new(&language, query).err().unwrap()
    }

    #[test]
    fn nodes_text_and_wildcards() {
        assert_eq!(found("(identifier) @a", "b(c)"), "0[a=b]0[a=c]");
        assert_eq!(
            found("\"(\" @a ; \")\" @b\n(number) @c @d", "b(1)"),
            "0[a=(]1[c=1 d=1]"
        );
        assert_eq!(found("(arguments _ @a)", "b(1)"), "0[a=(]0[a=1]0[a=)]");
        assert_eq!(found("(arguments (_) @a)", "b(1, c)"), "0[a=1]0[a=c]");
        assert_eq!(found("(_ (number) @a) @b", "b(1)"), "0[b=(1) a=1]");
        assert_eq!(found("(escape_sequence) @a", r#""\\""#), r"0[a=\\]");
        assert_eq!(found("(_ (number)) @a", "f(\\ 1)"), "0[a=(\\ 1)]");
        assert_eq!(found("(program (_) @a)", "\\ ;"), "0[a=;]");
        assert_eq!(found("[(ERROR) _] @a", "\\ 1"), found("[_ (ERROR)] @a", "\\ 1"));
        assert_eq!(found("[(ERROR) _] @a", "\\ 1").matches("[a=\\ ]").count(), 2);
        assert_eq!(found(r#""\"" @a"#, "''\"\""), "0[a=\"]0[a=\"]");
    }

    #[test]
    fn fields_and_alternatives() {
        let code = "a.b; c(d);";
        assert_eq!(
            found(
                "(member_expression object: (_) @o) (call_expression function: _ @f arguments: (_ (_) @x))",
                code
            ),
            "0[o=a]1[f=c x=d]"
        );
        assert_eq!(
            found(
                "(member_expression property: [(identifier) (property_identifier)] @p)",
                code
            ),
            "0[p=b]"
        );
        assert_eq!(
            found(
                "[(member_expression (identifier) @m) (arguments (identifier) @a) \".\" @d] @x",
                code
            ),
            "0[x=a.b m=a]0[d=. x=.]0[x=(d) a=d]"
        );
        assert_eq!(found("[\".\" \"(\" (number)] @x", code), "0[x=.]0[x=(]");
        assert_eq!(
            found("[(arguments (number)) (identifier)] @x", code),
            "0[x=a]0[x=c]0[x=d]"
        );
        assert_eq!(found("[\"(\" @a (number)] @x", code), "0[a=( x=(]");
    }

    #[test]
    fn anchors_pass_over_what_has_no_name() {
        let code = "f(1, 2, 3)";
        assert_eq!(found("(arguments . (number) @a)", code), "0[a=1]");
        assert_eq!(found("(arguments (number) @a .)", code), "0[a=3]");
        assert_eq!(
            found("(arguments (number) @a . (number) @b)", code),
            "0[a=1 b=2]0[a=2 b=3]"
        );
        assert_eq!(found("(arguments (number) . (number) @b .)", code), "0[b=3]");
        assert_eq!(found("(arguments . (string) @a)", "f(1, '2')"), "");
        assert_eq!(found("(arguments . [(string) (number)] @a)", code), "0[a=1]");
    }

    #[test]
    fn nodes_beside_each_other() {
        let code = "a; b; 'c'; d;";
        assert_eq!(
            found(
                "((expression_statement (identifier) @a) . (expression_statement (string) @b))",
                code
            ),
            "0[a=b b='c']"
        );
        assert_eq!(
            found(
                "((expression_statement (string)) (expression_statement (identifier) @a))",
                code
            ),
            "0[a=d]"
        );
        assert_eq!(
            found("((identifier) @a (number) @b)", "f(a, 1) + 2"),
            "0[a=a b=1]"
        );
        assert_eq!(found("((identifier) @a (\"=\") @b)", "} a = "), "");
    }

    #[test]
    fn repetitions_are_as_long_as_they_can_be() {
        let code = "f(1, 2, 'c', 3)";
        assert_eq!(found("(arguments (number)* @a)", code), "0[a=1 a=2 a=3]");
        assert_eq!(found("(arguments . (number)+ @a)", code), "0[a=1 a=2]");
        assert_eq!(
            found("(arguments (number)* @a (string) @b)", code),
            "0[a=1 a=2 b='c']"
        );
        assert_eq!(
            found("(arguments (number)+ @a (number) @b)", "f(1, 2)"),
            "0[a=1 b=2]"
        );
        assert_eq!(
            found("(arguments (string)? @a . (number) @b)", "f('a', 1)"),
            "0[a='a' b=1]"
        );
        assert_eq!(found("(arguments (string)? @a)", "f(1)"), "0[]");
        assert_eq!(found("(arguments (string)+ @a)", "f(1)"), "");
        assert_eq!(
            found("((number)? @a (string) @b)", "f(1, 'c')"),
            "0[a=1 b='c']0[b='c']"
        );
        assert_eq!(found("(arguments ((number)?)* @a)", "f(1)"), "0[a=1]");
    }

    #[test]
    fn a_pattern_begins_with_a_node_and_not_behind_it() {
        assert_eq!(
            found("((number)? @a (string) @b)", "f('c', 1, 'd')"),
            "0[b='c']0[a=1 b='d']0[b='d']"
        );
    }

    #[test]
    fn conditions_are_for_the_text_of_captures() {
        let code = "f(a, b, a)";
        assert_eq!(found("((identifier) @x (#eq? @x \"b\"))", code), "0[x=b]");
        assert_eq!(
            found("((identifier) @x (#any-of? @x \"a\" \"f\"))", code),
            "0[x=f]0[x=a]0[x=a]"
        );
        assert_eq!(
            found("((identifier) @x (#match? @x \"^[bf]$\"))", code),
            "0[x=f]0[x=b]"
        );
        assert_eq!(
            found("(arguments (_) @x (_) @y (#eq? @x @y))", code),
            "0[x=a y=a]"
        );
        assert_eq!(found("((number) @x (#is-not? local))", "1"), "0[x=1]");
        assert_eq!(
            found(r#"((template_string) @x (#eq? @x "`\n\t`"))"#, "`\n\t` + `nt`"),
            "0[x=`\n\t`]"
        );
        // Of a repetition all have to be so.
        assert_eq!(
            found(
                "(arguments (identifier)* @x (#eq? @x \"a\"))",
                "f(a, a) + g(a, b)"
            ),
            "0[x=a x=a]"
        );
    }

    #[test]
    fn a_pattern_says_what_language_it_captures() {
        let language = arborium::get_language("javascript").unwrap();
        let query =
            "(number) @a\n((string) @a (#set! injection.language \"css\") (#set! priority 105))\n(regex) @a";
        let query = Query::new(&language, query).unwrap();
        assert_eq!(
            [0, 1, 2].map(|pattern| query.language_of(pattern)),
            [None, Some("css"), None]
        );
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        assert_eq!(wrong("(number) @a (bird)"), "at byte 13: there is no node `bird`");
        assert_eq!(
            wrong("(call_expression wing: (_))"),
            "at byte 17: there is no field `wing`"
        );
        assert_eq!(
            wrong("(number"),
            "at byte 7: a pattern begins with `(`, `[`, `\"` or `_`"
        );
        assert_eq!(wrong("\"a"), "at byte 0: the text has no end");
        assert_eq!(wrong("(number) @"), "at byte 10: `@` is before a name");
        assert_eq!(
            wrong("((number) @a (#eq? @a ]"),
            "at byte 22: a condition ends with `)`"
        );
        assert_eq!(
            wrong("((number) @a (#sings? @a))"),
            "at byte 13: there is no condition `sings` for these"
        );
        assert_eq!(
            wrong("((number) @a .)"),
            "at byte 0: a group has no anchor at its end"
        );
    }

    #[test]
    fn what_is_out_of_all_proportion_ends() {
        let language = arborium::get_language("javascript").unwrap();
        let query = Query::new(&language, "(array (_) @a (_) @b (_) @c (_) @d (_) @e)").unwrap();
        let whole = |numbers| {
            let code = format!("[{}]", "1,".repeat(numbers));
            let mut count = 0;
            let is_whole = query.find(&tree("javascript", &code), code.as_bytes(), &mut |_| count += 1);
            (is_whole, count)
        };
        assert_eq!(whole(10), (true, 252));
        assert!(!whole(100).0);
    }

    type Captured = BTreeSet<(usize, usize, usize, String)>;

    fn ours(query: &Query, tree: &tree_sitter::Tree, code: &str) -> Captured {
        let mut all = Captured::new();
        assert!(query.find(&Tree::new(tree), code.as_bytes(), &mut |found| {
            for (capture, node) in found.captures() {
                let name = query.captures()[capture].clone();
                all.insert((node.start, node.end, found.pattern, name));
            }
        }));
        all
    }

    fn of_the_library(query: &tree_sitter::Query, tree: &tree_sitter::Tree, code: &str) -> Captured {
        let mut all = Captured::new();
        let mut cursor = QueryCursor::new();
        let mut matches = cursor.matches(query, tree.root_node(), code.as_bytes());
        while let Some(found) = matches.next() {
            for capture in found.captures {
                let name = query.capture_names()[capture.index as usize].to_owned();
                let node = capture.node;
                all.insert((node.start_byte(), node.end_byte(), found.pattern_index, name));
            }
        }
        all
    }

    /// A language, with the queries of highlights and of what it holds, as we read them and as the library does.
    struct Both {
        language: Language,
        queries: Vec<(Query, tree_sitter::Query)>,
    }

    impl Both {
        fn new(name: &str) -> Self {
            let language = arborium::get_language(name).unwrap();
            let (highlights, injections) = queries(name).unwrap();
            let read = |text: &str| {
                let ours = Query::new(&language, text).unwrap();
                (ours, tree_sitter::Query::new(&language, text).unwrap())
            };
            let queries = [Some(highlights), injections];
            Self {
                queries: queries.into_iter().flatten().map(read).collect(),
                language,
            }
        }
    }

    const PIECES: &str = "( ) [ ] { } < > , ; : . = \" ' ` $ # @ / * + - | & ! ? \\ => -> :: // /* */ <!-- --> ${ {{ }} <? ?> --- ``` \
        a A b1 _c DE 1 2.5 0xF 'f' \"g\" self this true null None nil def fn function func fun class struct enum interface trait \
        impl import from export package use module namespace return if else elif for while in do end then switch case match let var \
        const val static public private int string void new try catch async await yield SELECT FROM WHERE CREATE TABLE set list \
        project TRANSFORM APPEND CACHE <p> </p> <a href=\"b\"> <script> </script> <style> lang key: - # ## .PHONY: $(CC) \
        @media &:hover !important %w(x) /r/ <<EOF EOF endif block FROM RUN";

    thread_local! {
        static BOTH: RefCell<BTreeMap<&'static str, Both>> = const { RefCell::new(BTreeMap::new()) };
    }

    proptest! {
        /// Only of nodes with the same field in a row the library passes over all but the first, where the grammar of Scala has them.
        #[test]
        fn captures_are_those_of_the_library(
            language in prop::sample::select(LANGUAGES),
            code in prop::collection::vec(prop::sample::select(PIECES.split_whitespace().collect::<Vec<_>>()), 0..40),
            gaps in prop::collection::vec(prop::sample::select(vec!["", " ", " ", "\n", "\n  "]), 40),
        ) {
            let code: String = code.iter().zip(gaps).flat_map(|(piece, gap)| [piece, gap]).collect();
            BOTH.with_borrow_mut(|known| {
                let both = known.entry(language).or_insert_with(|| Both::new(language));
                let mut parser = Parser::new();
                parser.set_language(&both.language).unwrap();
                let Some(tree) = syntax::parse(&mut parser, &code) else { return Ok(()) };
                for (query, library) in &both.queries {
                    let (ours, theirs) = (ours(query, &tree, &code), of_the_library(library, &tree, &code));
                    if language == "scala" {
                        prop_assert!(ours.is_superset(&theirs));
                    } else {
                        prop_assert_eq!(ours, theirs, "{}: {}", language, code);
                    }
                }
                Ok(())
            })?;
        }
    }
}
