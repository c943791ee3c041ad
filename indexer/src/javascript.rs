//! What is written out in a file of JavaScript or TypeScript: texts, lists and tables, and the names that stand for them. Nothing of it
//! is run, so whatever is computed has no value.

use std::collections::{HashMap, VecDeque};

use arborium::tree_sitter::{Node, Parser, Tree};

use crate::source::Source;

/// Names that stand for each other end here.
const DEEPEST: usize = 32;

/// A parsed file.
pub(crate) struct Script<'a> {
    source: &'a Source,
    tree: Tree,
}

impl<'a> Script<'a> {
    /// Parses a file; JSON is read, too. What is no JavaScript is stepped over.
    pub(crate) fn parse(source: &'a Source) -> Self {
        let language = if source.path.ends_with(".json") {
            "json"
        } else {
            "typescript"
        };
        let mut parser = Parser::new();
        let language = arborium::get_language(language).expect("the grammar is a feature of this crate");
        parser
            .set_language(&language)
            .expect("the grammars are of the same release as the parser");
        let tree = parser
            .parse(&*source.text, None)
            .expect("a parser with a language and without a limit of time finishes");
        Self { source, tree }
    }

    /// The names of the file.
    pub(crate) fn names(&self) -> Names<'_> {
        let mut names = Names {
            text: &self.source.text,
            root: self.tree.root_node(),
            values: HashMap::new(),
        };
        // Those of the file come before those of the functions in it.
        let mut open = VecDeque::from([names.root]);
        while let Some(node) = open.pop_front() {
            names.note(node);
            open.extend(children(node));
        }
        names
    }
}

/// The values of a file, by the names that it gives them.
pub(crate) struct Names<'t> {
    text: &'t str,
    root: Node<'t>,
    values: HashMap<&'t str, Node<'t>>,
}

/// A value of a file.
#[derive(Clone, Copy)]
pub(crate) struct Js<'t> {
    names: &'t Names<'t>,
    /// Without the names and the brackets around it.
    node: Node<'t>,
    /// Where it was named first.
    pub(crate) at: usize,
}

impl<'t> Names<'t> {
    fn note(&mut self, node: Node<'t>) {
        let named = match node.kind() {
            "variable_declarator" => node.child_by_field_name("value"),
            "function_declaration" => Some(node),
            _ => None,
        };
        if let (Some(name), Some(value)) = (node.child_by_field_name("name"), named) {
            self.values.entry(&self.text[name.byte_range()]).or_insert(value);
        }
    }

    /// What the file exports by default, or as `module.exports`; all of a file of JSON.
    pub(crate) fn exported(&'t self) -> Option<Js<'t>> {
        let found = children(self.root)
            .into_iter()
            .find_map(|statement| match statement.kind() {
                "export_statement" if self.text[statement.byte_range()].starts_with("export default") => {
                    statement
                        .child_by_field_name("value")
                        .or_else(|| statement.child_by_field_name("declaration"))
                }
                "expression_statement" => {
                    let assignment = statement.named_child(0)?;
                    let to = assignment.child_by_field_name("left")?;
                    (&self.text[to.byte_range()] == "module.exports")
                        .then(|| assignment.child_by_field_name("right"))
                        .flatten()
                }
                "object" | "array" => Some(statement),
                _ => None,
            });
        let mut value = self.value(found?);
        // What a configuration is given to, whatever its name, most likely gives it with more.
        for _ in 0..DEEPEST {
            match arguments(value.node).first() {
                Some(given) => value = self.value(*given),
                None => break,
            }
        }
        Some(value)
    }

    /// The tables that have a key, wherever they stand.
    pub(crate) fn tables_with(&'t self, key: &str) -> Vec<Js<'t>> {
        self.all("object")
            .map(|node| self.value(node))
            .filter(|table| table.get(key).is_some())
            .collect()
    }

    /// What functions of a name are given first.
    pub(crate) fn given_to(&'t self, function: &str) -> Vec<Js<'t>> {
        self.all("call_expression")
            .filter(|call| self.called(*call) == Some(function))
            .filter_map(|call| arguments(call).first().copied())
            .map(|node| self.value(node))
            .collect()
    }

    fn all(&'t self, kind: &str) -> impl Iterator<Item = Node<'t>> {
        let mut found = Vec::new();
        let mut open = vec![self.root];
        while let Some(node) = open.pop() {
            if node.kind() == kind {
                found.push(node);
            }
            open.extend(children(node));
        }
        found.sort_by_key(Node::start_byte);
        found.into_iter()
    }

    fn called(&self, call: Node<'t>) -> Option<&'t str> {
        let function = call.child_by_field_name("function")?;
        Some(&self.text[function.byte_range()])
    }

    fn value(&'t self, node: Node<'t>) -> Js<'t> {
        let mut value = node;
        for _ in 0..DEEPEST {
            let inner = match value.kind() {
                "identifier" | "shorthand_property_identifier" => {
                    self.values.get(&self.text[value.byte_range()]).copied()
                }
                "parenthesized_expression"
                | "as_expression"
                | "satisfies_expression"
                | "non_null_expression"
                | "await_expression" => value.named_child(0),
                "arrow_function" | "function_declaration" | "function_expression" => returned(value),
                "call_expression" => self.result(value),
                _ => None,
            };
            match inner {
                Some(inner) => value = inner,
                None => break,
            }
        }
        Js {
            names: self,
            node: value,
            at: node.start_byte(),
        }
    }

    /// What a call gives, where that is written out: of a function of this file, or of one that gives what it is given.
    fn result(&self, call: Node<'t>) -> Option<Node<'t>> {
        let name = self.called(call)?;
        if let Some(function) = self.values.get(name) {
            return Some(*function);
        }
        let is_plain = name.starts_with("define") || name.starts_with("with") || name == "require.resolve";
        is_plain.then(|| arguments(call).first().copied()).flatten()
    }
}

impl<'t> Js<'t> {
    /// A text that is written out.
    pub(crate) fn text(self) -> Option<String> {
        let source = |node: Node<'t>| &self.names.text[node.byte_range()];
        match self.node.kind() {
            "number" => Some(source(self.node).to_owned()),
            "string" | "template_string" => {
                let mut text = String::new();
                for part in children(self.node) {
                    match part.kind() {
                        "string_fragment" | "string_content" => text.push_str(source(part)),
                        "escape_sequence" => text.push(unescaped(source(part))?),
                        _ => return None,
                    }
                }
                Some(text)
            }
            _ => None,
        }
    }

    /// A path that is written out, also as the last part of a call such as `path.resolve(__dirname, './a')`.
    pub(crate) fn path(self) -> Option<String> {
        let last = arguments(self.node).last().map(|node| self.names.value(*node));
        self.text().or_else(|| last?.text())
    }

    /// What a list holds, with the lists that are spread in it; nothing where this is no list.
    pub(crate) fn items(self) -> Option<Vec<Js<'t>>> {
        self.items_to(DEEPEST)
    }

    fn items_to(self, depth: usize) -> Option<Vec<Js<'t>>> {
        if self.node.kind() != "array" || depth == 0 {
            return None;
        }
        let mut items = Vec::new();
        for child in children(self.node) {
            let value = |node| self.names.value(node);
            match child.kind() {
                "comment" => {}
                "spread_element" => match child.named_child(0).map(value) {
                    Some(spread) => match spread.items_to(depth - 1) {
                        Some(inner) => items.extend(inner),
                        // One that is spread in itself ends.
                        None if spread.node.kind() == "array" => {}
                        None => items.push(spread),
                    },
                    None => items.push(value(child)),
                },
                _ => items.push(value(child)),
            }
        }
        Some(items)
    }

    /// The keys and the values of a table, with the tables that are spread in it; nothing where this is no table.
    pub(crate) fn entries(self) -> Option<Vec<(String, Js<'t>)>> {
        self.entries_to(DEEPEST)
    }

    fn entries_to(self, depth: usize) -> Option<Vec<(String, Js<'t>)>> {
        if self.node.kind() != "object" || depth == 0 {
            return None;
        }
        let mut entries = Vec::new();
        for child in children(self.node) {
            let value = |node| self.names.value(node);
            match child.kind() {
                "pair" => {
                    let (key, given) = child
                        .child_by_field_name("key")
                        .zip(child.child_by_field_name("value"))?;
                    let key = match key.kind() {
                        "string" => value(key).text()?,
                        _ => self.names.text[key.byte_range()].to_owned(),
                    };
                    entries.push((key, value(given)));
                }
                "shorthand_property_identifier" => {
                    entries.push((self.names.text[child.byte_range()].to_owned(), value(child)));
                }
                "spread_element" => {
                    let spread = child.named_child(0).map(value);
                    entries.extend(
                        spread
                            .and_then(|spread| spread.entries_to(depth - 1))
                            .unwrap_or_default(),
                    );
                }
                _ => {}
            }
        }
        Some(entries)
    }

    /// The value of a key of a table.
    pub(crate) fn get(self, key: &str) -> Option<Js<'t>> {
        let entries = self.entries()?;
        entries
            .into_iter()
            .rev()
            .find_map(|(name, value)| (name == key).then_some(value))
    }

    /// The text under a key of a table.
    pub(crate) fn text_of(self, key: &str) -> Option<String> {
        self.get(key)?.text()
    }
}

fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

fn arguments(call: Node<'_>) -> Vec<Node<'_>> {
    call.child_by_field_name("arguments")
        .map_or_else(Vec::new, children)
}

/// What a function gives, where its last statement says so.
fn returned(function: Node<'_>) -> Option<Node<'_>> {
    let body = function.child_by_field_name("body")?;
    if body.kind() != "statement_block" {
        return Some(body);
    }
    let last = children(body)
        .into_iter()
        .rfind(|node| node.kind() != "comment")?;
    (last.kind() == "return_statement").then(|| last.named_child(0))?
}

/// The character that an escape sequence stands for.
fn unescaped(sequence: &str) -> Option<char> {
    let rest = sequence.strip_prefix('\\')?;
    match rest.chars().next()? {
        'n' => Some('\n'),
        't' => Some('\t'),
        'u' | 'x' => {
            let digits = rest[1..].trim_matches(['{', '}']);
            char::from_u32(u32::from_str_radix(digits, 16).ok()?)
        }
        sign => Some(sign),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The exported value as it would be written as JSON, `…` for what is computed.
    fn shown(path: &str, text: &str) -> String {
        let source = Source::new(path, path, text);
        let script = Script::parse(&source);
        let names = script.names();
        names.exported().map_or_else(|| "none".to_owned(), written)
    }

    fn written(value: Js<'_>) -> String {
        if let Some(text) = value.text() {
            return format!("{text:?}");
        }
        if let Some(items) = value.items() {
            let items: Vec<String> = items.into_iter().map(written).collect();
            return format!("[{}]", items.join(","));
        }
        match value.entries() {
            Some(entries) => {
                let entries: Vec<String> = entries
                    .into_iter()
                    .map(|(key, value)| format!("{key}:{}", written(value)))
                    .collect();
                format!("{{{}}}", entries.join(","))
            }
            None => "…".to_owned(),
        }
    }

    #[test]
    fn what_is_exported_is_read_as_it_is_written() {
        for (text, expected) in [
            (
                "// c\nexport default { a: 'b', \"c-d\": [`e`, 2.0, /* f */ \"\\u00e9\\n\"] };",
                r#"{a:"b",c-d:["e","2.0","é\n"]}"#,
            ),
            ("module.exports = { a: ['b'] }", r#"{a:["b"]}"#),
            (
                "const a = { b: 'c' } satisfies X; export default a as Y",
                r#"{b:"c"}"#,
            ),
            ("export default defineConfig({ a: 'b' })", r#"{a:"b"}"#),
            (
                "export default withMermaid(defineConfig(() => ({ a: 'b' })))",
                r#"{a:"b"}"#,
            ),
            (
                "module.exports = async function make() { const a = 1; return { a } }",
                r#"{a:"1"}"#,
            ),
            (
                "export default { a: b(), ...c }\nfunction b(): X[] { return ['d', ...e] }\nconst c = { f: 'g' }; const e = ['h']",
                r#"{a:["d","h"],f:"g"}"#,
            ),
            (
                "export default extended(made(a)); const a = { b: 'c' }",
                r#"{b:"c"}"#,
            ),
            ("{ a: 'b' }", "none"),
        ] {
            assert_eq!(shown("a.ts", text), expected, "{text}");
        }
        assert_eq!(shown("a.json", "{\"a\": [\"b\\\"c\"]}"), r#"{a:["b\"c"]}"#);
    }

    #[test]
    fn what_is_computed_has_no_value() {
        for text in [
            "export default { a: b }",
            "export default { a: b('c') }",
            "export default { a: `b${c}` }",
            "export default { a: d ? 'b' : 'c' }",
            "const b = b; export default { a: b }",
            "const b = c, c = b; export default { a: b }",
            "export default { a: b() }; function b() { if (c) { return 'd' } }",
        ] {
            assert_eq!(shown("a.ts", text), "{a:…}", "{text}");
        }
        assert_eq!(shown("a.ts", "export default [...b, 'c']"), r#"[…,"c"]"#);
        let endless = shown("a.ts", "const a = [...a, 'c'], b = { ...b, a }; export default b");
        assert!(endless.ends_with("\"c\"]}"), "{endless}");
    }

    #[test]
    fn names_of_the_file_come_before_those_of_its_functions() {
        let text = "function f() { const a = 'b'; return a }\nconst a = ['c']\nexport default a";
        assert_eq!(shown("a.ts", text), r#"["c"]"#);
        let text = "const a = ['c']\nfunction f() { const a = 'b'; return a }\nexport default a";
        assert_eq!(shown("a.ts", text), r#"["c"]"#);
        let deep = "[".repeat(100_000);
        assert_eq!(shown("a.ts", &format!("export default {{ a: {deep}")), "none");
    }

    proptest! {
        #[test]
        fn whatever_is_written_is_read_or_computed(pieces in proptest::collection::vec(prop_oneof![
            Just("export default "), Just("module.exports = "), Just("const a = "), Just("function a() { return "), Just("a"), Just("a()"),
            Just("{"), Just("}"), Just("["), Just("]"), Just("("), Just(")"), Just("...a"), Just("b: "), Just("'é'"), Just("'\\u"), Just("'"),
            Just("`${"), Just(","), Just("\n"), Just("=> "), Just("/*"), Just("as X "),
        ], 0..40)) {
            shown("a.ts", &pieces.concat());
        }
    }
}
