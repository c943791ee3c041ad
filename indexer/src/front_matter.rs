//! The block at the top of a page: YAML, or TOML as in Zola and Hugo.
//!
//! Our own content has a written schema (`docs/front-matter.md`); a folder that knows nothing of us may have any
//! keys, of which `title`, `description` and those that say where the page stands are read.

use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::diagnostic::{Diagnostic, excerpt};
use crate::fields::{Fields, Key, Node, Text, Value};
use crate::menu::MenuEntry;
use crate::source::Source;

/// What a page says about itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrontMatter {
    /// The title, if the front matter has one.
    pub title: Option<Text>,
    /// One sentence about the page.
    pub description: Option<Text>,
    /// The title of the section that the page says it belongs to.
    pub section: Option<Text>,
    /// tutorial, how-to, reference or explanation.
    pub kind: Option<Text>,
    /// Other names that readers search for.
    pub aliases: Vec<Text>,
    /// Paths of related pages.
    pub related: Vec<Text>,
    /// Ids of the runnable samples.
    pub tested: Vec<Text>,
    /// Where the page stands among its neighbours, as other generators have it; our own content has it in the configuration.
    pub order: Option<f64>,
    /// What the list of pages calls it, as other generators have it.
    pub label: Option<String>,
    /// Whether it is found by its address alone, as Docusaurus has it.
    pub is_unlisted: bool,
    /// The heading that its text begins with is shown in place of the title, as Docusaurus has it.
    pub hides_title: bool,
    /// Its entry in the main menu of Hugo, whose name is empty where it is that of the page.
    pub menu: Option<MenuEntry>,
}

/// What has to be known of a page before any link to it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Publication {
    /// Where it is to be shown, if not where its file is, as the author wrote it.
    pub address: Option<Text>,
    /// What Docusaurus calls it instead of the name of its file.
    pub id: Option<String>,
    /// Where it was before, as the author wrote it.
    pub old_addresses: Vec<Text>,
    /// The same in Hugo. Elsewhere it is something else by that name.
    pub aliases: Vec<Text>,
    /// Where whoever comes to its address is led, as jekyll-redirect-from has it: then it is no page. Elsewhere it may mean anything.
    pub leads_to: Option<Text>,
    /// Nobody is to see it yet.
    pub is_draft: bool,
}

impl Publication {
    /// The keys, as Docusaurus, Starlight, Hugo and Jekyll have them.
    const ADDRESSES: [&str; 3] = ["slug", "permalink", "url"];
    const DRAFTS: [(&str, bool); 2] = [("draft", true), ("published", false)];

    /// As jekyll-redirect-from has it.
    const OLD: &str = "redirect_from";
    const LEADS_TO: &str = "redirect_to";
    /// As Hugo and Zola have it.
    const ALIASES: &str = "aliases";

    /// Our own content has nothing of it but the old addresses. What is wrong with the block is left to [`parse`].
    pub fn read(source: &Source, schema: Schema) -> Self {
        let Some(block) = find_block(&source.text) else {
            return Self::default();
        };
        let inner = &source.text[block.inner.clone()];
        if schema.is_strict() {
            if !inner.contains(Self::OLD) || block.is_toml {
                return Self::default();
            }
            let (entries, _) = block.entries(source, schema);
            let old = entries.iter().find(|(key, _)| key.name == Self::OLD);
            return Self {
                old_addresses: old.map_or_else(Vec::new, |(_, node)| texts(node)),
                ..Self::default()
            };
        }
        let keys = || {
            Self::ADDRESSES
                .into_iter()
                .chain(Self::DRAFTS.map(|(key, _)| key))
                .chain([Self::OLD, Self::ALIASES, Self::LEADS_TO])
        };
        // Most pages say nothing, and their blocks are read once.
        let has_id = inner.lines().any(|line| line.starts_with("id"));
        if !has_id && !block.is_toml && !keys().any(|key| inner.contains(key)) {
            return Self::default();
        }
        let (entries, _) = block.entries(source, schema);
        let mut publication = Self::default();
        for (key, node) in &entries {
            let name = key.name.as_str();
            if name == Self::OLD || name == Self::ALIASES && block.is_toml {
                publication.old_addresses.extend(texts(node));
            } else if name == Self::ALIASES {
                publication.aliases = texts(node);
            } else if name == Self::LEADS_TO {
                publication.leads_to = texts(node).into_iter().next();
            }
            let Value::String(text) = &node.value else {
                continue;
            };
            // What has a scheme is the address of something else.
            if Self::ADDRESSES.contains(&name) && !text.contains("://") {
                publication.address.get_or_insert_with(|| Text {
                    at: node.at,
                    text: text.trim().to_owned(),
                });
            }
            // In Zola, from the root.
            if block.is_toml && name == "path" && !text.trim().is_empty() {
                publication.address = Some(Text {
                    at: node.at,
                    text: format!("/{}", text.trim().trim_start_matches('/')),
                });
            }
            if name == "id" && !text.trim().is_empty() {
                publication.id = Some(text.trim().to_owned());
            }
            publication.is_draft |= boolean(text).is_some_and(|value| Self::DRAFTS.contains(&(name, value)));
        }
        publication
    }
}

/// As YAML 1.1 has it, which most generators read.
fn boolean(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => Some(true),
        "false" | "no" | "off" => Some(false),
        _ => None,
    }
}

/// A text, or the texts of a list.
fn texts(node: &Node) -> Vec<Text> {
    let nodes = match &node.value {
        Value::List(nodes) => nodes.as_slice(),
        _ => std::slice::from_ref(node),
    };
    let texts = nodes.iter().filter_map(|node| match &node.value {
        Value::String(text) => Some(Text {
            at: node.at,
            text: text.clone(),
        }),
        _ => None,
    });
    texts.collect()
}

/// What a folder says about itself in a file `_category_.json` or `_category_.yml`, as in Docusaurus.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Category {
    /// What the list of pages calls it.
    pub label: Option<String>,
    /// Where it stands among its neighbours.
    pub position: Option<f64>,
}

impl Category {
    /// The names of such files.
    pub const FILES: [&str; 3] = ["_category_.json", "_category_.yml", "_category_.yaml"];

    /// Reads such a file. JSON is YAML, too.
    pub fn parse(source: &Source) -> (Self, Vec<Diagnostic>) {
        let (entries, problems) = read_yaml(source, 0, &source.text, Schema::Foreign);
        let value = |name: &str| {
            entries
                .iter()
                .find(|(key, _)| key.name == name)
                .map(|(_, node)| &node.value)
        };
        let category = Self {
            label: value("label").and_then(words),
            position: value("position").and_then(number),
        };
        (category, problems)
    }
}

/// Which rules a content folder is held to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schema {
    /// Any folder of Markdown.
    #[default]
    Foreign,
    /// Our own content: `[content] schema = "siftwren"`.
    Siftwren,
}

impl Schema {
    /// True for our own content.
    pub fn is_strict(self) -> bool {
        self == Self::Siftwren
    }
}

/// The values that `type` takes.
pub const KINDS: [&str; 4] = ["tutorial", "how-to", "reference", "explanation"];
/// The values that `status` takes.
pub const STATUSES: [&str; 3] = ["stable", "bridge", "preview"];
/// The values that `api` lists.
pub const API_VERSIONS: [&str; 2] = ["v1", "v2"];
/// The longest title, in characters.
pub const TITLE_MAX: usize = 60;
/// The shortest and the longest description, in characters.
pub const DESCRIPTION_RANGE: std::ops::RangeInclusive<usize> = 70..=160;
/// The most related pages.
pub const RELATED_MAX: usize = 6;

/// Reads the front matter of `source`. Returns it with the offset at which the body starts.
pub fn parse(source: &Source, schema: Schema) -> (FrontMatter, usize, Vec<Diagnostic>) {
    let Some(block) = find_block(&source.text) else {
        let is_opened = schema.is_strict() && source.text.trim_start().starts_with("---\n");
        let message = match (opened(&source.text).or(is_opened.then_some("---")), schema) {
            (Some(end), Schema::Siftwren) => {
                format!("the front matter is not closed; end it with a line `{end}`")
            }
            (None, Schema::Siftwren) => {
                "the page has no front matter; start the file with a block between two lines `---`".to_owned()
            }
            (Some(end), Schema::Foreign) => {
                format!(
                    "the front matter is not closed, and readers see it as text; end it with a line `{end}`"
                )
            }
            (None, Schema::Foreign) => return (FrontMatter::default(), 0, Vec::new()),
        };
        let problem = match schema {
            Schema::Siftwren => Diagnostic::error(source, 0, message),
            Schema::Foreign => Diagnostic::warning(source, 0, message),
        };
        return (FrontMatter::default(), 0, vec![problem]);
    };
    if block.is_toml && schema.is_strict() {
        let message = "the front matter is YAML here; start the file with a block between two lines `---`";
        let problems = vec![Diagnostic::error(source, 0, message)];
        return (FrontMatter::default(), block.body_at, problems);
    }
    let (entries, mut problems) = block.entries(source, schema);
    let order = listed(&entries, &ORDERS, "order", number);
    let label = listed(&entries, &LABELS, "label", words);
    let is_set = |name: &str| {
        entries.iter().any(|(key, node)| {
            key.name == name && matches!(&node.value, Value::String(text) if boolean(text) == Some(true))
        })
    };
    let told = entries.iter().filter(|_| !schema.is_strict());
    problems.extend(told.filter_map(|(key, node)| unclear(source, key, node)));
    let is_unlisted = is_set("unlisted");
    let hides_title = is_set("hide_title");
    let menu = menu_entry(&entries);
    let mut fields = Fields::new(source, "the front matter", 0, entries);
    let front_matter = match schema {
        Schema::Siftwren => read_siftwren(&mut fields),
        Schema::Foreign => FrontMatter {
            title: fields.text("title").filter(|title| !title.text.trim().is_empty()),
            description: fields.text("description"),
            order,
            label,
            is_unlisted,
            hides_title,
            menu,
            ..FrontMatter::default()
        },
    };
    // After broken YAML the values are a guess: what is missing is missing because of that.
    if !problems.iter().any(Diagnostic::is_error) {
        problems.extend(if schema.is_strict() {
            fields.finish()
        } else {
            fields.finish_lenient()
        });
    }
    (front_matter, block.body_at, problems)
}

/// The problem of a key that says whether a page is shown, and says neither yes nor no.
fn unclear(source: &Source, key: &Key, node: &Node) -> Option<Diagnostic> {
    // `published` is a date with some.
    let is_asked = ["draft", "unlisted"].contains(&key.name.as_str());
    match &node.value {
        Value::String(text) if is_asked && boolean(text).is_none() && !text.trim().is_empty() => {
            let message = format!(
                "`{}` takes true or false, not `{}`; the page is shown",
                key.name,
                excerpt(text)
            );
            Some(Diagnostic::warning(source, node.at, message))
        }
        _ => None,
    }
}

/// The keys for the place and the name of a page in a list, as Docusaurus, Just the Docs and Hugo have them. Starlight has both in a
/// table `sidebar`.
const ORDERS: [&str; 3] = ["sidebar_position", "nav_order", "weight"];
const LABELS: [&str; 2] = ["sidebar_label", "linkTitle"];

/// The value of one of `keys`, or of `inner` in the table `sidebar`. What cannot be read means something else there.
fn listed<T>(
    entries: &[(Key, Node)],
    keys: &[&str],
    inner: &str,
    read: impl Fn(&Value) -> Option<T>,
) -> Option<T> {
    entries
        .iter()
        .find_map(|(key, node)| match (key.name.as_str(), &node.value) {
            (name, value) if keys.contains(&name) => read(value),
            ("sidebar", Value::Table(table)) => table
                .iter()
                .find(|(key, _)| key.name == inner)
                .and_then(|(_, node)| read(&node.value)),
            _ => None,
        })
}

/// What a page says of the main menu of Hugo: that it is in it (`menu: main`, also in a list of menus), or how (`menu: {main: {weight: 2}}`).
fn menu_entry(entries: &[(Key, Node)]) -> Option<MenuEntry> {
    let (_, menus) = entries
        .iter()
        .find(|(key, _)| matches!(key.name.as_str(), "menu" | "menus"))?;
    let is_main = |value: &Value| matches!(value, Value::String(name) if name == "main");
    let table = match &menus.value {
        Value::Table(menus) => match &menus.iter().find(|(key, _)| key.name == "main")?.1.value {
            Value::Table(entry) => entry.as_slice(),
            _ => &[],
        },
        Value::List(menus) if menus.iter().any(|menu| is_main(&menu.value)) => &[],
        menu if is_main(menu) => &[],
        _ => return None,
    };
    let value = |name: &str| {
        let found = table.iter().find(|(key, _)| key.name.eq_ignore_ascii_case(name));
        found.map(|(_, node)| &node.value)
    };
    let text = |name: &str| value(name).and_then(words);
    Some(MenuEntry {
        name: text("name").unwrap_or_default(),
        identifier: text("identifier"),
        parent: text("parent"),
        // That of the page, where it has none in the menu.
        weight: value("weight")
            .and_then(number)
            .or_else(|| listed(entries, &["weight"], "", number))
            .unwrap_or_default() as i64,
        address: None,
    })
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) => text.parse().ok().filter(|number: &f64| number.is_finite()),
        _ => None,
    }
}

fn words(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        _ => None,
    }
}

struct Block {
    /// Without the lines around it.
    inner: Range<usize>,
    body_at: usize,
    is_toml: bool,
}

impl Block {
    fn entries(&self, source: &Source, schema: Schema) -> (Vec<(Key, Node)>, Vec<Diagnostic>) {
        let inner = &source.text[self.inner.clone()];
        if self.is_toml {
            read_toml(source, self.inner.start, inner)
        } else {
            read_yaml(source, self.inner.start, inner, schema)
        }
    }
}

/// Where the text behind the block begins.
pub(crate) fn body_at(text: &str) -> usize {
    find_block(text).map_or(0, |block| block.body_at)
}

/// The keys of the block that a text begins with, whatever they are; none of one that cannot be read.
pub(crate) fn all_keys(text: &str) -> Vec<(Key, Node)> {
    let source = Source::new("", "", text);
    let block = find_block(&source.text);
    block.map_or_else(Vec::new, |block| block.entries(&source, Schema::Foreign).0)
}

/// The line that would end the block that a text opens and does not close. A rule may stand there, with text below it.
fn opened(text: &str) -> Option<&'static str> {
    let mut lines = text.lines().map(str::trim_end).skip_while(|line| line.is_empty());
    let (end, sign) = match lines.next()? {
        "---" => ("---", ':'),
        "+++" => ("+++", '='),
        _ => return None,
    };
    let (key, value) = lines.next()?.split_once(sign)?;
    let is_key = |key: &str| {
        key.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
    };
    let is_entry = !key.is_empty() && is_key(key.trim_end()) && (value.is_empty() || value.starts_with(' '));
    is_entry.then_some(end)
}

/// The block that a text begins with. Empty lines may stand before it.
fn find_block(text: &str) -> Option<Block> {
    let first = text.len() - text.trim_start_matches(['\n', ' ', '\t']).len();
    let first = text[..first].rfind('\n').map_or(0, |end| end + 1);
    let opening = text[first..].split_inclusive('\n').next()?;
    let (is_toml, ends): (_, &[_]) = match opening.trim_end() {
        "---" => (false, &["---", "..."]),
        "+++" => (true, &["+++"]),
        _ => return None,
    };
    let inner = first + opening.len();
    let mut at = inner;
    for line in text[inner..].split_inclusive('\n') {
        if ends.contains(&line.trim_end()) {
            return Some(Block {
                inner: inner..at,
                body_at: at + line.len(),
                is_toml,
            });
        }
        at += line.len();
    }
    None
}

fn read_siftwren(fields: &mut Fields<'_>) -> FrontMatter {
    let title = fields.required_text("title", "nDCG");
    if let Some(title) = &title {
        let length = title.text.chars().count();
        if length == 0 || length > TITLE_MAX {
            fields.error(
                title.at,
                format!("`title` has {length} characters; it takes 1 to {TITLE_MAX}"),
            );
        }
    }
    let description = fields.required_text("description", "One sentence of 70 to 160 characters.");
    if let Some(description) = &description {
        let length = description.text.chars().count();
        if !DESCRIPTION_RANGE.contains(&length) {
            let (least, most) = DESCRIPTION_RANGE.into_inner();
            let message = format!("`description` has {length} characters; it takes {least} to {most}");
            fields.error(description.at, message);
        }
    }
    let section = fields.required_text("section", "Metrics");
    let kind = fields.required_text("type", "reference");
    one_of(fields, "type", kind.as_slice(), &KINDS);
    let api = fields.texts("api");
    one_of(fields, "api", &api, &API_VERSIONS);
    let status = fields.text("status");
    one_of(fields, "status", status.as_slice(), &STATUSES);
    let aliases = fields.texts("aliases");
    // Read by [`Publication`]; here they only have to be texts.
    fields.texts("redirect_from");
    let related = fields.texts("related");
    if let Some(extra) = related.get(RELATED_MAX) {
        fields.error(
            extra.at,
            format!("`related` names more than {RELATED_MAX} pages; keep the closest"),
        );
    }
    // The names are compared with the API description where that is at hand; here they only have to be texts.
    fields.texts("schema");
    let tested = fields.texts("tested");
    if let Some(verified) = fields.text("verified")
        && !is_date(&verified.text)
    {
        fields.error(verified.at, "`verified` takes a date such as 2026-11-21");
    }
    FrontMatter {
        title,
        description,
        section,
        kind,
        aliases,
        related,
        tested,
        order: None,
        label: None,
        is_unlisted: false,
        hides_title: false,
        menu: None,
    }
}

fn one_of(fields: &mut Fields<'_>, key: &str, values: &[Text], allowed: &[&str]) {
    for value in values {
        if !allowed.contains(&value.text.as_str()) {
            let message = format!("`{key}` takes {}, not `{}`", allowed.join(", "), value.text);
            fields.error(value.at, message);
        }
    }
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let digits =
        |part: &str, length: usize| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
    let &[year, month, day] = parts.as_slice() else {
        return false;
    };
    digits(year, 4)
        && digits(month, 2)
        && digits(day, 2)
        && (1..=12).contains(&month.parse().unwrap_or(0))
        && (1..=31).contains(&day.parse().unwrap_or(0))
}

/// Reads a table of TOML, with values as YAML has them: every one that is neither a list nor a table is text.
fn read_toml(source: &Source, at: usize, toml: &str) -> (Vec<(Key, Node)>, Vec<Diagnostic>) {
    let (table, errors) = DeTable::parse_recoverable(toml);
    let problems = errors.iter().map(|error| {
        let place = at + error.span().map_or(0, |span| span.start);
        let message = format!(
            "the front matter is not valid TOML: {}",
            error.message().replace('\n', "; ")
        );
        Diagnostic::error(source, place, message)
    });
    (toml_entries(table.into_inner(), at, toml), problems.collect())
}

fn toml_entries(table: DeTable<'_>, at: usize, toml: &str) -> Vec<(Key, Node)> {
    let entry = |(key, value): (Spanned<DeString<'_>>, Spanned<DeValue<'_>>)| {
        let key_at = at + key.span().start;
        let name = key.into_inner().into_owned();
        (Key { at: key_at, name }, toml_node(value, at, toml))
    };
    table.into_iter().map(entry).collect()
}

fn toml_node(value: Spanned<DeValue<'_>>, at: usize, toml: &str) -> Node {
    let span = value.span();
    let written = toml.get(span.clone()).unwrap_or_default();
    let value = match value.into_inner() {
        DeValue::String(text) => Value::String(text.into_owned()),
        DeValue::Array(nodes) => {
            Value::List(nodes.into_iter().map(|node| toml_node(node, at, toml)).collect())
        }
        DeValue::Table(table) => Value::Table(toml_entries(table, at, toml)),
        _ => Value::String(written.to_owned()),
    };
    Node {
        at: at + span.start,
        value,
    }
}

/// Reads one YAML mapping. Anchors and aliases are not followed, so that a small block cannot grow. What other generators take is a warning
/// in their folders: of a key that stands twice, the last one counts there.
fn read_yaml(
    source: &Source,
    yaml_at: usize,
    yaml: &str,
    schema: Schema,
) -> (Vec<(Key, Node)>, Vec<Diagnostic>) {
    let (first_line, _) = source.position(yaml_at);
    let place = |marker: saphyr_parser::Marker| source.offset(first_line + marker.line() - 1, marker.col());
    let read = |yaml: &str| {
        let mut builder = Builder {
            last_counts: !schema.is_strict(),
            ..Builder::default()
        };
        for event in Parser::new_from_str(yaml) {
            let (event, span) = event?;
            builder.push(event, place(span.start));
        }
        Ok::<_, saphyr_parser::ScanError>(builder)
    };
    // Lists may end where a line begins, for those who read YAML with Go. Nothing else moves by the space before.
    let yaml = yaml.replace("\n]", "\n ]").replace("\n}", "\n }");
    let found = read(&yaml).or_else(|error| match schema {
        Schema::Siftwren => Err(error),
        Schema::Foreign => read(&with_continued_lines(&yaml)).map_err(|_| error),
    });
    let builder = match found {
        Ok(builder) => builder,
        Err(error) => {
            let message = format!("the front matter is not valid YAML: {}", error.info());
            return (
                Vec::new(),
                vec![Diagnostic::error(source, place(*error.marker()), message)],
            );
        }
    };
    let mut problems: Vec<Diagnostic> = builder
        .repeated_keys
        .iter()
        .map(|key| {
            let message = format!("the key `{}` stands here a second time", key.name);
            match schema {
                Schema::Siftwren => Diagnostic::error(source, key.at, format!("{message}; keep one of them")),
                Schema::Foreign => Diagnostic::warning(
                    source,
                    key.at,
                    format!("{message}, which counts; keep one of them"),
                ),
            }
        })
        .collect();
    match builder.root {
        Some(Node {
            value: Value::Table(entries),
            ..
        }) => (entries, problems),
        None
        | Some(Node {
            value: Value::Null, ..
        }) => (Vec::new(), problems),
        Some(node) => {
            let message = "the front matter takes keys and values, such as `title: nDCG`";
            problems.push(Diagnostic::error(source, node.at, message));
            (Vec::new(), problems)
        }
    }
}

/// With a space before lines that go on with a text or a list: the readers of other generators do not ask for it.
fn with_continued_lines(yaml: &str) -> String {
    let begins = |line: &str| {
        let key = line.split(':').next().unwrap_or_default();
        let has_value = line[key.len()..].starts_with(": ") || line[key.len()..].trim_end() == ":";
        has_value && !key.contains(['"', '\'', ',', '[', '{'])
    };
    let mut text = String::with_capacity(yaml.len());
    for line in yaml.split_inclusive('\n') {
        let is_own = line.starts_with([' ', '\t', '\n', '#', '-', '"', '\'']) || begins(line);
        if !is_own {
            text.push(' ');
        }
        text.push_str(line);
    }
    text
}

/// Turns YAML events into nodes with a stack of its own: deep nesting costs memory, not the call stack.
#[derive(Default)]
struct Builder {
    stack: Vec<Open>,
    root: Option<Node>,
    repeated_keys: Vec<Key>,
    /// Of the values of one key.
    last_counts: bool,
}

enum Open {
    List(usize, Vec<Node>),
    Table(usize, Vec<(Key, Node)>, Option<Key>),
}

impl Builder {
    fn push(&mut self, event: Event<'_>, at: usize) {
        match event {
            Event::Scalar(text, style, ..) => {
                let is_null = style == ScalarStyle::Plain && matches!(&*text, "" | "~" | "null");
                let value = if is_null {
                    Value::Null
                } else {
                    Value::String(text.into_owned())
                };
                self.add(Node { at, value });
            }
            Event::Alias(_) => self.add(Node {
                at,
                value: Value::Other("a YAML alias"),
            }),
            Event::SequenceStart(..) => self.stack.push(Open::List(at, Vec::new())),
            Event::MappingStart(..) => self.stack.push(Open::Table(at, Vec::new(), None)),
            Event::SequenceEnd | Event::MappingEnd => match self.stack.pop() {
                Some(Open::List(at, nodes)) => self.add(Node {
                    at,
                    value: Value::List(nodes),
                }),
                Some(Open::Table(at, entries, _)) => self.add(Node {
                    at,
                    value: Value::Table(entries),
                }),
                None => {}
            },
            _ => {}
        }
    }

    fn add(&mut self, node: Node) {
        match self.stack.last_mut() {
            None => self.root = self.root.take().or(Some(node)),
            Some(Open::List(_, nodes)) => nodes.push(node),
            Some(Open::Table(_, entries, waiting)) => match waiting.take() {
                None => {
                    let name = match node.value {
                        Value::String(text) => text,
                        _ => String::new(),
                    };
                    *waiting = Some(Key { at: node.at, name });
                }
                Some(key) => match entries.iter_mut().find(|(known, _)| known.name == key.name) {
                    Some((_, value)) => {
                        if self.last_counts {
                            *value = node;
                        }
                        self.repeated_keys.push(key);
                    }
                    None => entries.push((key, node)),
                },
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_front_matter_is_yaml() {
        let source = Source::new("a.md", "a.md", "+++\ntitle = \"A\"\n+++\n\nText\n");
        let (front_matter, body_at, problems) = parse(&source, Schema::Siftwren);
        assert_eq!(front_matter, FrontMatter::default());
        assert_eq!(&source.text[body_at..], "\nText\n");
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(
            problems,
            ["a.md:1:1: the front matter is YAML here; start the file with a block between two lines `---`"]
        );
    }

    fn problems(text: &str, schema: Schema) -> Vec<String> {
        let (_, _, problems) = parse(&Source::new("a.md", "a.md", text), schema);
        problems.iter().map(ToString::to_string).collect()
    }

    const GOOD: &str = "---\ntitle: nDCG\ndescription: Tells how close a ranked list comes to the best possible order of its items.\nsection: Metrics\ntype: reference\n";

    #[test]
    fn the_body_starts_after_the_block() {
        let source = Source::new("a.md", "a.md", "---\ntitle: 'A: b'\n---\nBody");
        let (front_matter, at, problems) = parse(&source, Schema::Foreign);
        assert_eq!(front_matter.title.unwrap().text, "A: b");
        assert_eq!(&source.text[at..], "Body");
        assert_eq!(problems, []);
    }

    #[test]
    fn a_foreign_page_may_say_where_it_stands() {
        let order = |line: &str| {
            let source = Source::new("a.md", "a.md", &format!("---\n{line}\n---\n"));
            let (front_matter, _, problems) = parse(&source, Schema::Foreign);
            assert_eq!(problems, []);
            front_matter.order
        };
        assert_eq!(order("sidebar_position: 2"), Some(2.0));
        assert_eq!(order("nav_order: -1.5"), Some(-1.5));
        assert_eq!(order("weight: 10"), Some(10.0));
        assert_eq!(order("sidebar:\n  label: A\n  order: 3"), Some(3.0));
        for line in [
            "sidebar: false",
            "sidebar_position: first",
            "weight: [1]",
            "nav_order: .inf",
            "sidebar:\n  label: A",
        ] {
            assert_eq!(order(line), None, "{line}");
        }
    }

    #[test]
    fn a_page_may_have_a_shorter_name_in_lists() {
        let label = |line: &str| {
            let source = Source::new("a.md", "a.md", &format!("---\n{line}\n---\n"));
            let (front_matter, _, problems) = parse(&source, Schema::Foreign);
            assert_eq!(problems, []);
            front_matter.label
        };
        for line in [
            "sidebar_label: ' Short '",
            "linkTitle: Short",
            "sidebar:\n  label: Short",
        ] {
            assert_eq!(label(line).as_deref(), Some("Short"), "{line}");
        }
        for line in [
            "sidebar_label: ''",
            "sidebar_label: [a]",
            "sidebar:\n  order: 1",
            "label: Short",
        ] {
            assert_eq!(label(line), None, "{line}");
        }
    }

    #[test]
    fn a_folder_says_what_it_is_called_and_where_it_stands() {
        let read = |text: &str| {
            let (category, problems) = Category::parse(&Source::new("a/_category_.json", "c", text));
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            (category.label, category.position, problems.join("\n"))
        };
        let label = Some("First steps".to_owned());
        assert_eq!(
            read("{\"label\": \"First steps\", \"position\": 2, \"link\": {\"type\": \"generated-index\"}}"),
            (label.clone(), Some(2.0), String::new())
        );
        assert_eq!(
            read("label: First steps\nposition: 2.5\n"),
            (label, Some(2.5), String::new())
        );
        let (_, _, problem) = read("{\"label\": ");
        assert!(problem.starts_with("c:1:"), "{problem}");
    }

    #[test]
    fn a_rule_at_the_top_of_a_foreign_page_is_not_front_matter() {
        let source = Source::new("a.md", "a.md", "---\n\n# Title\n");
        let (front_matter, at, problems) = parse(&source, Schema::Foreign);
        assert_eq!((front_matter, at, problems), (FrontMatter::default(), 0, vec![]));
    }

    #[test]
    fn every_key_of_the_schema_is_checked() {
        assert_eq!(problems(&format!("{GOOD}---\n"), Schema::Siftwren), [""; 0]);
        insta::assert_snapshot!(
            problems(
                "---\ntitle: \ntype: essay\napi: [v1, v3]\nstatus: done\naliases: one\nrelated: [a, b, c, d, e, f, g]\nverified: 2026-13-01\ncolour: red\nsection: [x]\ndescription: short\n---\n",
                Schema::Siftwren
            )
            .join("\n"),
            @"
        a.md:1:1: the front matter has no `title`; add one, for example `nDCG`
        a.md:11:14: `description` has 5 characters; it takes 70 to 160
        a.md:10:10: `section` takes text, not a list
        a.md:3:7: `type` takes tutorial, how-to, reference, explanation, not `essay`
        a.md:4:11: `api` takes v1, v2, not `v3`
        a.md:5:9: `status` takes stable, bridge, preview, not `done`
        a.md:6:10: `aliases` takes a list of texts, not text
        a.md:7:29: `related` names more than 6 pages; keep the closest
        a.md:8:11: `verified` takes a date such as 2026-11-21
        a.md:9:1: the front matter has no key `colour`; it takes title, description, section, type, api, status, aliases, redirect_from, related, schema, tested, verified
        "
        );
    }

    #[test]
    fn broken_yaml_is_reported_where_it_breaks() {
        insta::assert_snapshot!(problems("---\ntitle: a\nlist: [1, 2\n---\n", Schema::Foreign).join("\n"), @"a.md:4:1: the front matter is not valid YAML: while parsing a flow sequence, expected ',' or ']'");
        insta::assert_snapshot!(problems("---\ntitle: a\ntitle: b\n---\n", Schema::Foreign).join("\n"), @"a.md:3:1: warning: the key `title` stands here a second time, which counts; keep one of them");
        insta::assert_snapshot!(problems(&format!("{GOOD}title: b\n---\n"), Schema::Siftwren).join("\n"), @"a.md:6:1: the key `title` stands here a second time; keep one of them");
        insta::assert_snapshot!(problems("---\ntitle: *a\n---\n", Schema::Foreign).join("\n"), @"a.md:2:8: the front matter is not valid YAML: while parsing node, found unknown anchor");
        insta::assert_snapshot!(problems("---\ntitle: a\n", Schema::Siftwren).join("\n"), @"a.md:1:1: the front matter is not closed; end it with a line `---`");
    }
}
