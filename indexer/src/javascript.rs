//! What is written out in files of JavaScript or TypeScript: texts, lists and tables, and the names that stand for them, also those that
//! a file imports from another one. Nothing of it is run, so whatever is computed has no value.

mod modules;

use std::collections::{HashMap, VecDeque};

use arborium::tree_sitter::{Node, Parser, Tree};

use self::modules::Module;
pub(crate) use self::modules::Modules;
use crate::source::Source;
use crate::syntax;

/// Names that stand for each other end here.
const DEEPEST: usize = 32;
/// So many elements has no list; those of lists that are spread in themselves, or twice each in the next one, would never end.
const MOST: usize = 100_000;

/// A parsed file, with those that it imports.
pub(crate) struct Script<'a> {
    modules: &'a Modules,
    trees: Vec<Tree>,
}

impl<'a> Script<'a> {
    /// Parses all files; JSON is read, too. What is no JavaScript is stepped over.
    pub(crate) fn parse(modules: &'a Modules) -> Self {
        let trees = modules.all().iter().map(|module| parsed(&module.source));
        Self {
            modules,
            trees: trees.collect(),
        }
    }

    /// The names of the files.
    pub(crate) fn names(&self) -> Names<'_> {
        let modules = self.modules.all().iter().zip(&self.trees);
        Names {
            modules: self.modules,
            files: modules.map(|(module, tree)| File::new(module, tree)).collect(),
        }
    }
}

/// The tree of a file; of one that nobody can read, that of an empty one.
fn parsed(source: &Source) -> Tree {
    read(source, &source.text)
        .or_else(|| read(source, ""))
        .expect("a parser with a language reads nothing")
}

fn read(source: &Source, text: &str) -> Option<Tree> {
    let language = match source.path.rsplit_once('.') {
        Some((_, "json")) => "json",
        // Elements in it are no comparisons.
        Some((_, "jsx" | "tsx")) => "tsx",
        _ => "typescript",
    };
    let mut parser = Parser::new();
    let language = arborium::get_language(language).expect("the grammar is a feature of this crate");
    parser
        .set_language(&language)
        .expect("the grammars are of the same release as the parser");
    syntax::parse(&mut parser, text)
}

/// The paths that a file names behind `from` or gives to `require`; `None` where nobody can read it.
fn imported_paths(source: &Source) -> Option<Vec<String>> {
    let tree = read(source, &source.text)?;
    let text = |node: Node<'_>| {
        source.text[node.byte_range()]
            .trim_matches(['"', '\'', '`'])
            .to_owned()
    };
    let paths = all_of(tree.root_node()).filter_map(|node| match node.kind() {
        "import_statement" | "export_statement" => node.child_by_field_name("source").map(text),
        "call_expression" => {
            let function = node.child_by_field_name("function")?;
            (&source.text[function.byte_range()] == "require")
                .then(|| arguments(node).first().copied().map(text))
                .flatten()
        }
        _ => None,
    });
    Some(paths.collect())
}

/// The values of files, by the names that they give them.
pub(crate) struct Names<'t> {
    modules: &'t Modules,
    files: Vec<File<'t>>,
}

struct File<'t> {
    module: &'t Module,
    root: Node<'t>,
    values: HashMap<&'t str, Node<'t>>,
    /// The names that are of other files, also those that it passes on.
    imports: HashMap<&'t str, (usize, Export<'t>)>,
}

/// What another file gives.
#[derive(Clone, Copy)]
enum Export<'t> {
    Default,
    Named(&'t str),
}

/// A value of a file.
#[derive(Clone, Copy)]
pub(crate) struct Js<'t> {
    names: &'t Names<'t>,
    file: usize,
    /// Without the names and the brackets around it.
    node: Node<'t>,
    /// Where it was named first, as [`Modules::place`] counts.
    pub(crate) at: usize,
}

impl<'t> File<'t> {
    fn new(module: &'t Module, tree: &'t Tree) -> Self {
        let mut file = Self {
            module,
            root: tree.root_node(),
            values: HashMap::new(),
            imports: HashMap::new(),
        };
        // Those of the file come before those of the functions in it.
        let mut open = VecDeque::from([file.root]);
        while let Some(node) = open.pop_front() {
            file.note(node);
            open.extend(children(node));
        }
        file
    }

    fn text(&self, node: Node<'_>) -> &'t str {
        &self.module.source.text[node.byte_range()]
    }

    fn note(&mut self, node: Node<'t>) {
        let named = match node.kind() {
            "variable_declarator" => node.child_by_field_name("value"),
            "function_declaration" => Some(node),
            "import_statement" | "export_statement" => {
                self.note_imports(node);
                None
            }
            _ => None,
        };
        if let (Some(name), Some(value)) = (node.child_by_field_name("name"), named) {
            self.values.entry(self.text(name)).or_insert(value);
        }
    }

    /// `import a, { b as c } from './d'`, and the same with `export`.
    fn note_imports(&mut self, statement: Node<'t>) {
        let from = statement.child_by_field_name("source");
        let Some(from) = from.and_then(|path| self.imported(path)) else {
            return;
        };
        let mut open = children(statement);
        while let Some(node) = open.pop() {
            match node.kind() {
                "import_clause" | "named_imports" | "export_clause" => open.extend(children(node)),
                "identifier" => {
                    self.imports.insert(self.text(node), (from, Export::Default));
                }
                "import_specifier" | "export_specifier" => {
                    let name = node.child_by_field_name("name").map(|name| self.text(name));
                    let here = node.child_by_field_name("alias").map(|name| self.text(name));
                    if let Some(name) = name {
                        let export = match name {
                            "default" => Export::Default,
                            name => Export::Named(name),
                        };
                        self.imports.insert(here.unwrap_or(name), (from, export));
                    }
                }
                _ => {}
            }
        }
    }

    /// The file that is named by a path.
    fn imported(&self, path: Node<'_>) -> Option<usize> {
        let path = self.text(path).trim_matches(['"', '\'', '`']);
        let mut imports = self.module.imports.iter();
        imports.find_map(|(name, file)| (name == path).then_some(*file))
    }

    /// What the file exports by default, or as `module.exports`; all of a file of JSON.
    fn exported(&self) -> Option<Node<'t>> {
        children(self.root)
            .into_iter()
            .find_map(|statement| match statement.kind() {
                "export_statement" if self.text(statement).starts_with("export default") => statement
                    .child_by_field_name("value")
                    .or_else(|| statement.child_by_field_name("declaration")),
                "expression_statement" => {
                    let assignment = statement.named_child(0)?;
                    let to = assignment.child_by_field_name("left")?;
                    (self.text(to) == "module.exports")
                        .then(|| assignment.child_by_field_name("right"))
                        .flatten()
                }
                "object" | "array" => Some(statement),
                _ => None,
            })
    }
}

impl<'t> Names<'t> {
    /// What the first file exports.
    pub(crate) fn exported(&'t self) -> Option<Js<'t>> {
        self.exported_by(0)
    }

    /// What a file exports, by its place among them.
    pub(crate) fn exported_by(&'t self, file: usize) -> Option<Js<'t>> {
        let (file, node) = self.exported_of(file)?;
        let mut value = self.value(file, node);
        // What a configuration is given to, whatever its name, most likely gives it with more.
        for _ in 0..DEEPEST {
            match arguments(value.node).first() {
                Some(given) => value = self.value(value.file, *given),
                None => break,
            }
        }
        Some(value)
    }

    /// What a file exports by default, itself or from another one.
    fn exported_of(&self, file: usize) -> Option<(usize, Node<'t>)> {
        let own = self.files[file].exported();
        own.map_or_else(|| self.named(file, "default"), |node| Some((file, node)))
    }

    /// What a name stands for.
    fn named(&self, mut file: usize, mut name: &'t str) -> Option<(usize, Node<'t>)> {
        for _ in 0..DEEPEST {
            let names = &self.files[file];
            if let Some(node) = names.values.get(name) {
                return Some((file, *node));
            }
            let (from, export) = names.imports.get(name)?;
            file = *from;
            match export {
                Export::Named(there) => name = there,
                Export::Default => {
                    if let Some(node) = self.files[file].exported() {
                        return Some((file, node));
                    }
                    name = "default";
                }
            }
        }
        None
    }

    /// The tables that have a key, wherever they stand.
    pub(crate) fn tables_with(&'t self, key: &str) -> Vec<Js<'t>> {
        self.all("object")
            .map(|(file, node)| self.value(file, node))
            .filter(|table| table.get(key).is_some())
            .collect()
    }

    /// What functions of a name are given first.
    pub(crate) fn given_to(&'t self, function: &str) -> Vec<Js<'t>> {
        self.all("call_expression")
            .filter(|(file, call)| self.called(*file, *call) == Some(function))
            .filter_map(|(file, call)| Some((file, *arguments(call).first()?)))
            .map(|(file, node)| self.value(file, node))
            .collect()
    }

    fn all(&'t self, kind: &'static str) -> impl Iterator<Item = (usize, Node<'t>)> {
        let files = self.files.iter().enumerate();
        files.flat_map(move |(file, names)| {
            let found = all_of(names.root).filter(move |node| node.kind() == kind);
            found.map(move |node| (file, node))
        })
    }

    fn called(&self, file: usize, call: Node<'t>) -> Option<&'t str> {
        let function = call.child_by_field_name("function")?;
        Some(self.files[file].text(function))
    }

    fn value(&'t self, file: usize, node: Node<'t>) -> Js<'t> {
        let at = self.files[file].module.start + node.start_byte();
        let mut value = (file, node);
        for _ in 0..DEEPEST {
            let (file, node) = value;
            let inside = |node: Option<Node<'t>>| node.map(|node| (file, node));
            let inner = match node.kind() {
                "identifier" | "shorthand_property_identifier" => {
                    self.named(file, self.files[file].text(node))
                }
                "parenthesized_expression"
                | "as_expression"
                | "satisfies_expression"
                | "non_null_expression"
                | "await_expression" => inside(node.named_child(0)),
                "arrow_function" | "function_declaration" | "function_expression" => inside(returned(node)),
                "call_expression" => self.result(file, node),
                _ => None,
            };
            match inner {
                Some(inner) => value = inner,
                None => break,
            }
        }
        let (file, node) = value;
        Js {
            names: self,
            file,
            node,
            at,
        }
    }

    /// What a call gives, where that is written out: of a function of these files, of one that gives what it is given, or a whole file.
    fn result(&self, file: usize, call: Node<'t>) -> Option<(usize, Node<'t>)> {
        let name = self.called(file, call)?;
        let first = || arguments(call).first().copied();
        if name == "require" {
            return self.exported_of(self.files[file].imported(first()?)?);
        }
        if let Some(function) = self.named(file, name) {
            return Some(function);
        }
        let is_plain = name.starts_with("define") || name.starts_with("with") || name == "require.resolve";
        is_plain.then(|| Some((file, first()?))).flatten()
    }
}

impl<'t> Js<'t> {
    /// The file in which it was named first, and where.
    pub(crate) fn place(self) -> (&'t Source, usize) {
        self.names.modules.place(self.at)
    }

    fn written(self, node: Node<'t>) -> &'t str {
        self.names.files[self.file].text(node)
    }

    fn inner(self, node: Node<'t>) -> Js<'t> {
        self.names.value(self.file, node)
    }

    /// A text that is written out.
    pub(crate) fn text(self) -> Option<String> {
        self.read_text(|_| None)
    }

    /// A text, with `computed` for each part of it that is not written out.
    fn read_text(self, computed: impl Fn(Node<'t>) -> Option<String>) -> Option<String> {
        match self.node.kind() {
            "number" => Some(self.written(self.node).to_owned()),
            "string" | "template_string" => {
                let mut text = String::new();
                for part in children(self.node) {
                    match part.kind() {
                        "string_fragment" | "string_content" => text.push_str(self.written(part)),
                        "escape_sequence" => text.push(unescaped(self.written(part))?),
                        _ => text.push_str(&computed(part)?),
                    }
                }
                Some(text)
            }
            _ => None,
        }
    }

    /// `true` or `false`.
    pub(crate) fn truth(self) -> Option<bool> {
        self.node.kind().parse().ok()
    }

    /// A path that is written out, also as the last part of a call such as `path.resolve(__dirname, './a')`.
    pub(crate) fn path(self) -> Option<String> {
        let last = arguments(self.node).last().map(|node| self.inner(*node));
        self.text().or_else(|| last?.text())
    }

    /// What a list holds, with the lists that are spread in it; nothing where this is no list.
    pub(crate) fn items(self) -> Option<Vec<Js<'t>>> {
        let mut items = Vec::new();
        self.push_items(&mut items, DEEPEST, &mut { MOST })
            .then_some(items)
    }

    /// Whether this is a list. Of one that is spread deeper than `depth`, or beyond `left` elements, the rest is left out.
    fn push_items(self, items: &mut Vec<Js<'t>>, depth: usize, left: &mut usize) -> bool {
        if self.node.kind() != "array" {
            return false;
        }
        for child in children(self.node) {
            if depth == 0 || *left == 0 {
                break;
            }
            *left -= 1;
            let value = |node| self.inner(node);
            match child.kind() {
                "comment" => {}
                "spread_element" => {
                    let spread = value(child.named_child(0).unwrap_or(child));
                    if !spread.push_items(items, depth - 1, left) {
                        items.push(spread);
                    }
                }
                _ => items.push(value(child)),
            }
        }
        true
    }

    /// What a list holds; of what is no list, the tables that are written in it, whatever is made of them.
    pub(crate) fn objects(self) -> Vec<Js<'t>> {
        self.items().unwrap_or_else(|| {
            let tables = all_of(self.node).filter(|node| node.kind() == "object");
            tables.map(|node| self.inner(node)).collect()
        })
    }

    /// The keys and the values of a table, with the tables that are spread in it; nothing where this is no table.
    pub(crate) fn entries(self) -> Option<Vec<(String, Js<'t>)>> {
        let mut entries = Vec::new();
        self.push_entries(&mut entries, DEEPEST, &mut { MOST })?;
        Some(entries)
    }

    /// As [`Js::push_items`]; nothing where this is no table that can be read.
    fn push_entries(self, entries: &mut Vec<(String, Js<'t>)>, depth: usize, left: &mut usize) -> Option<()> {
        if self.node.kind() != "object" {
            return None;
        }
        for child in children(self.node) {
            if depth == 0 || *left == 0 {
                break;
            }
            *left -= 1;
            let value = |node| self.inner(node);
            match child.kind() {
                "pair" => {
                    let (key, given) = child
                        .child_by_field_name("key")
                        .zip(child.child_by_field_name("value"))?;
                    let key = match key.kind() {
                        "string" => value(key).text()?,
                        _ => self.written(key).to_owned(),
                    };
                    entries.push((key, value(given)));
                }
                "shorthand_property_identifier" => {
                    entries.push((self.written(child).to_owned(), value(child)));
                }
                "spread_element" => {
                    let before = entries.len();
                    let spread = child.named_child(0).map(value);
                    let read = spread.and_then(|spread| spread.push_entries(entries, depth - 1, left));
                    if read.is_none() {
                        entries.truncate(before);
                    }
                }
                _ => {}
            }
        }
        Some(())
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

    /// The name under a key of a table, without what is computed in it, such as the number of a version.
    pub(crate) fn name_of(self, key: &str) -> Option<String> {
        let name = self.get(key)?.read_text(|_| Some(String::new()))?;
        Some(name.trim().to_owned()).filter(|name| !name.is_empty())
    }
}

fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

/// A node and all in it, in the order of the text.
fn all_of(root: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut open = vec![root];
    std::iter::from_fn(move || {
        let node = open.pop()?;
        open.extend(children(node).into_iter().rev());
        Some(node)
    })
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
        let modules = Modules::of_all(vec![Source::new(path, path, text)]);
        let script = Script::parse(&modules);
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
    fn lists_that_are_spread_twice_in_each_other_end() {
        for text in [
            "const a = [...a, ...a, 'c']; export default a",
            "const a = { ...a, ...a, b: 'c' }; export default a",
        ] {
            assert!(shown("a.ts", text).contains("\"c\""));
        }
        let twice = |level: usize| format!("const a{level} = [...a{}, ...a{}];\n", level + 1, level + 1);
        let lists: String = (0..30).map(twice).collect();
        assert!(shown("a.ts", &format!("{lists}const a30 = ['c']; export default a0")).contains("\"c\""));
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

    #[test]
    fn a_file_that_nobody_can_read_says_nothing() {
        assert_eq!(shown("a.ts", syntax::tests::TANGLED), "none");
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
