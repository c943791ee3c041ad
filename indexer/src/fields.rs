//! Values with places, as read from YAML front matter and from the TOML configuration, and a reader that collects
//! every problem of a table: wrong kinds, missing keys, unknown keys.

use crate::diagnostic::Diagnostic;
use crate::source::Source;

/// A value and the byte offset at which it starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where the value starts.
    pub at: usize,
    /// The value.
    pub value: Value,
}

/// A value of YAML or TOML, as far as our files need them.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Text; in YAML every scalar that is not null.
    String(String),
    /// An ordered list.
    List(Vec<Node>),
    /// Keys and values in the order of the file.
    Table(Vec<(Key, Node)>),
    /// `true` or `false` of TOML.
    Boolean(bool),
    /// Nothing was written.
    Null,
    /// A kind of value that no key takes, by its name: `a number`.
    Other(&'static str),
}

/// A key of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Where the key starts.
    pub at: usize,
    /// The key.
    pub name: String,
}

/// A text and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Where the text starts.
    pub at: usize,
    /// The text.
    pub text: String,
}

/// Takes the values of one table by key.
#[derive(Debug)]
pub struct Fields<'a> {
    source: &'a Source,
    name: &'a str,
    at: usize,
    entries: Vec<(Key, Node)>,
    known: Vec<&'static str>,
    problems: Vec<Diagnostic>,
}

impl<'a> Fields<'a> {
    /// A reader of `entries`; `name` is how messages call the table, `at` where it starts.
    pub fn new(source: &'a Source, name: &'a str, at: usize, entries: Vec<(Key, Node)>) -> Self {
        Self {
            source,
            name,
            at,
            entries,
            known: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// The text at `key`.
    pub fn text(&mut self, key: &'static str) -> Option<Text> {
        let node = self.take(key)?;
        self.expect_text(key, node)
    }

    /// The text at `key`, which must be there.
    pub fn required_text(&mut self, key: &'static str, example: &str) -> Option<Text> {
        if !self
            .entries
            .iter()
            .any(|(found, node)| found.name == key && node.value != Value::Null)
        {
            self.known.push(key);
            self.entries.retain(|(found, _)| found.name != key);
            self.error(
                self.at,
                format!("{} has no `{key}`; add one, for example `{example}`", self.name),
            );
            return None;
        }
        self.text(key)
    }

    /// The text at `key`, in which something is written.
    pub fn filled_text(&mut self, key: &'static str, example: &str) -> Option<Text> {
        let text = self.text(key)?;
        self.refuse_empty(key, &text, example);
        Some(text)
    }

    /// The text at `key`, which must be there with something in it.
    pub fn required_filled_text(&mut self, key: &'static str, example: &str) -> Option<Text> {
        let text = self.required_text(key, example)?;
        self.refuse_empty(key, &text, example);
        Some(text)
    }

    fn refuse_empty(&mut self, key: &str, text: &Text, example: &str) {
        if text.text.trim().is_empty() {
            let message = format!("`{key}` is empty; write one, for example `{example}`");
            self.error(text.at, message);
        }
    }

    /// The `true` or `false` at `key`.
    pub fn boolean(&mut self, key: &'static str) -> Option<bool> {
        self.boolean_at(key).map(|(value, _)| value)
    }

    /// The `true` or `false` at `key`, and where it stands.
    pub fn boolean_at(&mut self, key: &'static str) -> Option<(bool, usize)> {
        let node = self.take(key)?;
        match node.value {
            Value::Boolean(value) => Some((value, node.at)),
            _ => {
                self.wrong_kind(key, &node, "true or false");
                None
            }
        }
    }

    /// The list of texts at `key`; empty if the key is missing.
    pub fn texts(&mut self, key: &'static str) -> Vec<Text> {
        match self.take(key) {
            None => Vec::new(),
            Some(Node {
                value: Value::List(nodes),
                ..
            }) => nodes
                .into_iter()
                .filter_map(|node| self.expect_text(key, node))
                .collect(),
            Some(node) => {
                self.wrong_kind(key, &node, "a list of texts");
                Vec::new()
            }
        }
    }

    /// The table at `key`.
    pub fn table(&mut self, key: &'static str) -> Option<(usize, Vec<(Key, Node)>)> {
        let key_at = self
            .entries
            .iter()
            .find(|(found, _)| found.name == key)
            .map(|(found, _)| found.at);
        let node = self.take(key)?;
        match node.value {
            Value::Table(entries) => Some((key_at.unwrap_or(node.at), entries)),
            _ => {
                self.wrong_kind(key, &node, "a table");
                None
            }
        }
    }

    /// The list of tables at `key`; empty if the key is missing.
    pub fn tables(&mut self, key: &'static str) -> Vec<(usize, Vec<(Key, Node)>)> {
        match self.take(key) {
            None => Vec::new(),
            Some(Node {
                value: Value::List(nodes),
                ..
            }) => nodes
                .into_iter()
                .filter_map(|node| match node.value {
                    Value::Table(entries) => Some((node.at, entries)),
                    _ => {
                        self.wrong_kind(key, &node, "a list of tables");
                        None
                    }
                })
                .collect(),
            Some(node) => {
                self.wrong_kind(key, &node, "a list of tables");
                Vec::new()
            }
        }
    }

    /// The list of tables at `key`, which must have one.
    pub fn required_tables(&mut self, key: &'static str, example: &str) -> Vec<(usize, Vec<(Key, Node)>)> {
        let is_given = self.entries.iter().any(|(found, node)| {
            found.name == key && !matches!(&node.value, Value::List(nodes) if nodes.is_empty())
        });
        if !is_given {
            let message = format!("{} has no `{key}`; add one, for example {example}", self.name);
            self.error(self.at, message);
        }
        self.tables(key)
    }

    /// Reports a problem with a value that was already taken.
    pub fn error(&mut self, at: usize, message: impl Into<String>) {
        self.problems.push(Diagnostic::error(self.source, at, message));
    }

    /// Leaves out the keys that nobody took: what they mean depends on something that is wrong itself.
    pub fn ignore_rest(&mut self) {
        self.entries.clear();
    }

    /// Reports the keys that nobody took and returns every problem of the table.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        for (key, _) in std::mem::take(&mut self.entries) {
            let known = self.known.join(", ");
            self.error(
                key.at,
                format!("{} has no key `{}`; it takes {known}", self.name, key.name),
            );
        }
        self.problems
    }

    /// The problems found so far, without a look at the keys that nobody took.
    pub fn finish_lenient(self) -> Vec<Diagnostic> {
        self.problems
    }

    fn take(&mut self, key: &'static str) -> Option<Node> {
        self.known.push(key);
        let index = self.entries.iter().position(|(found, _)| found.name == key)?;
        let (_, node) = self.entries.remove(index);
        (node.value != Value::Null).then_some(node)
    }

    fn expect_text(&mut self, key: &str, node: Node) -> Option<Text> {
        match node.value {
            Value::String(text) => Some(Text { at: node.at, text }),
            _ => {
                self.wrong_kind(key, &node, "text");
                None
            }
        }
    }

    fn wrong_kind(&mut self, key: &str, node: &Node, wanted: &str) {
        let found = match node.value {
            Value::String(_) => "text",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
            Value::Boolean(_) => "true or false",
            Value::Null => "nothing",
            Value::Other(kind) => kind,
        };
        self.error(node.at, format!("`{key}` takes {wanted}, not {found}"));
    }
}
