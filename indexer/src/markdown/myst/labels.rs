//! What the pages of a folder call themselves and their parts: links name it from anywhere, and are called as it is.

use std::collections::{BTreeMap, HashMap};

use pulldown_cmark::Parser;

use super::directive::{Directive, Marks, Opened, closes, marks};
use super::equation::{self, Environments};
use super::{block, glossary, lone_label, roles};
use crate::front_matter;
use crate::markdown::slug::HeadingIds;
use crate::markdown::{fence, line_at, plain_text};
use crate::source::Source;

/// The titles of pages, and what has a name of its own on them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Labels {
    by_id: HashMap<String, Label>,
    titles: Vec<Option<String>>,
    references: BTreeMap<String, String>,
}

/// What has a name of its own.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Label {
    pub(crate) page: usize,
    /// It is the whole page.
    pub(crate) is_page: bool,
    /// What links to it are called that have no text.
    pub(crate) text: String,
    /// Of a figure, a table or an equation: how many there have been on the page, or what its author says.
    pub(crate) number: Option<String>,
}

impl Labels {
    /// Of the pages of a folder, and of other sites by the names that they have there. Of two that have one name the first is meant.
    pub(crate) fn of<'p>(
        pages: impl IntoIterator<Item = &'p PageLabels>,
        references: &BTreeMap<String, String>,
    ) -> Self {
        let mut labels = Self {
            references: references.clone(),
            ..Self::default()
        };
        for (page, found) in pages.into_iter().enumerate() {
            for own in &found.labels {
                labels.by_id.entry(own.id.clone()).or_insert_with(|| Label {
                    page,
                    is_page: own.is_page,
                    text: own.text.clone(),
                    number: own.number.clone(),
                });
            }
            labels.titles.push(found.title.clone());
        }
        labels
    }

    /// What is called so, wherever it is.
    pub(crate) fn get(&self, name: &str) -> Option<&Label> {
        self.by_id.get(&id(name))
    }

    /// The address of another site that has a name here.
    pub(super) fn reference(&self, name: &str) -> Option<&str> {
        self.references.get(name).map(String::as_str)
    }

    pub(crate) fn title(&self, page: usize) -> Option<&str> {
        self.titles.get(page)?.as_deref()
    }
}

/// What a page calls itself and its parts.
#[derive(Debug, Default)]
pub(crate) struct PageLabels {
    title: Option<String>,
    labels: Vec<PageLabel>,
}

#[derive(Debug, Default)]
struct PageLabel {
    id: String,
    is_page: bool,
    text: String,
    number: Option<String>,
}

impl PageLabels {
    pub(crate) fn of(source: &Source) -> Self {
        let mut scan = Scan::new(&source.text);
        scan.read();
        for label in source.notebook().iter().flat_map(|notebook| &notebook.labels) {
            scan.add(label, "Code");
        }
        scan.found
    }
}

/// The id by which pages have what is called so: that of docutils, where the name is in ASCII. Others keep their letters, so that no two are
/// one.
pub(crate) fn id(name: &str) -> String {
    if name.is_ascii() {
        return HeadingIds::Sphinx.id(name);
    }
    let lower = name.to_lowercase();
    let words = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

/// The id of a word that a glossary explains.
pub(super) fn term(name: &str) -> String {
    id(&format!("term-{name}"))
}

/// Looks through a page.
struct Scan<'a> {
    text: &'a str,
    body_at: usize,
    found: PageLabels,
    /// Those that name what comes next.
    pending: Vec<&'a str>,
    environments: Environments<'a>,
    /// How many there have been that can be linked to.
    figures: usize,
    tables: usize,
    equations: usize,
}

impl<'a> Scan<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            body_at: front_matter::body_at(text),
            found: PageLabels::default(),
            pending: Vec::new(),
            environments: Environments::new(text),
            figures: 0,
            tables: 0,
            equations: 0,
        }
    }

    fn read(&mut self) {
        self.read_front_matter();
        let text = self.text;
        let mut open: Vec<Marks> = Vec::new();
        let mut code = None;
        let mut at = self.body_at;
        while at < text.len() {
            let line = line_at(text, at);
            let end = at + line.len();
            if let Some(marks) = code {
                code = Some(marks).filter(|marks| !closes(line, *marks));
            } else if open.last().is_some_and(|marks| closes(line, *marks)) {
                open.pop();
            } else if let Some(opened) = Opened::of(line) {
                if let Some(end) = self.add_directive(at, &opened) {
                    at = end;
                    continue;
                }
                if block::holds_code(opened.name) {
                    code = Some(opened.marks);
                } else {
                    open.push(opened.marks);
                }
            } else if fence::marks(line).is_some() {
                code = marks(line);
                for label in std::mem::take(&mut self.pending) {
                    self.add(label, "Code");
                }
            } else if let Some(label) = lone_label(line) {
                self.pending.push(label);
            } else if let Some(formula) = equation::formula(&text[cell_at(line, at)..]) {
                at = cell_at(line, at);
                self.add_equation(formula.label, &text[at..at + formula.end], true);
                at += formula.label_end;
                continue;
            } else if let Some(length) = self.environments.length_at(at..text.len()) {
                self.add_equation(None, &text[at..at + length], true);
                at += length;
                continue;
            } else if !line.trim().is_empty() {
                self.add_text(line, end);
            }
            at = end;
        }
        for label in std::mem::take(&mut self.pending) {
            self.add(label, label);
        }
    }

    /// Of the keys those that stand alone in a line.
    fn read_front_matter(&mut self) {
        for line in self.text[..self.body_at].lines() {
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            let value = value.trim().trim_matches(['"', '\'']);
            match key {
                "title" if !value.is_empty() => self.found.title = Some(plain(value)),
                "label" if !value.is_empty() => {
                    self.found.labels.push(PageLabel {
                        id: id(value),
                        is_page: true,
                        ..PageLabel::default()
                    });
                }
                _ => {}
            }
        }
    }

    /// Gives where a block ends that has been read as a whole.
    fn add_directive(&mut self, at: usize, opened: &Opened<'a>) -> Option<usize> {
        let behind = at + line_at(self.text, at).len();
        let (own, is_counted) = opened.label_with(&self.text[behind..]);
        if opened.name == "math" {
            let directive = Directive::at(self.text, at, self.text.len())?;
            self.add_equation(own, &self.text[directive.body.clone()], directive.is_counted());
            return Some(directive.end);
        }
        let pending = std::mem::take(&mut self.pending);
        let labels: Vec<&str> = pending.into_iter().chain(own).collect();
        if labels.is_empty() && opened.name != "glossary" {
            return None;
        }
        let kind = match opened.name {
            "figure" | "image" | "figure-md" => "Figure",
            "table" | "list-table" | "csv-table" => "Table",
            "code" | "code-block" | "code-cell" | "literalinclude" => "Code",
            _ => "",
        };
        let number = match (kind, is_counted && opened.name != "image") {
            ("Figure", true) => next(&mut self.figures),
            ("Table", true) => next(&mut self.tables),
            _ => None,
        };
        for label in labels {
            let text = match (kind, opened.argument) {
                ("", "") => label,
                ("", argument) => argument,
                (kind, _) => kind,
            };
            match &number {
                Some(number) => self.add_numbered(label, format!("{text} {number}"), number),
                None => self.add(label, text),
            }
        }
        if opened.name != "glossary" {
            return None;
        }
        let glossary = Directive::at(self.text, at, self.text.len())?;
        for term in glossary::terms(&self.text[glossary.body]) {
            self.found.labels.push(PageLabel {
                id: self::term(term),
                text: plain(term),
                ..PageLabel::default()
            });
        }
        Some(glossary.end)
    }

    /// Adds an equation, which has a name before it, of its own or in its formula.
    fn add_equation(&mut self, own: Option<&'a str>, formula: &'a str, is_counted: bool) {
        let pending = std::mem::take(&mut self.pending).into_iter();
        let labels: Vec<&str> = pending.chain(own).chain(equation::label(formula)).collect();
        if labels.is_empty() {
            return;
        }
        let number = match equation::tag(formula) {
            Some(tag) => Some(tag.to_owned()),
            None if is_counted && equation::is_counted(formula) => next(&mut self.equations),
            None => None,
        };
        for label in labels {
            match &number {
                Some(number) => self.add_numbered(label, format!("({number})"), number),
                None => self.add(label, "Equation"),
            }
        }
    }

    /// Adds what is called so, which is no page.
    fn add(&mut self, label: &str, text: &str) {
        self.found.labels.push(PageLabel {
            id: id(label),
            text: plain(text),
            ..PageLabel::default()
        });
    }

    fn add_numbered(&mut self, label: &str, text: String, number: &str) {
        self.found.labels.push(PageLabel {
            id: id(label),
            is_page: false,
            text,
            number: Some(number.to_owned()),
        });
    }

    /// Reads a line with a text: a heading has a name, and gives those that stand before it their own.
    fn add_text(&mut self, line: &'a str, end: usize) {
        let Some((level, heading)) = self.heading(line, end) else {
            for label in std::mem::take(&mut self.pending) {
                self.add(label, label);
            }
            return;
        };
        if self.pending.is_empty() && (level > 1 || self.found.title.is_some()) {
            return;
        }
        let text = plain(heading);
        let is_title = level == 1 && self.found.title.as_ref().is_none_or(|title| *title == text);
        for label in std::mem::take(&mut self.pending) {
            self.found.labels.push(PageLabel {
                id: id(label),
                is_page: is_title,
                text: text.clone(),
                number: None,
            });
        }
        if is_title {
            self.found.title = Some(text);
        }
    }

    /// The level and the text of the heading that begins with a line.
    fn heading(&self, line: &'a str, end: usize) -> Option<(usize, &'a str)> {
        let text = line.trim();
        let level = text.bytes().take_while(|byte| *byte == b'#').count();
        if (1..=6).contains(&level) && text[level..].starts_with([' ', '\t']) {
            return Some((level, text[level..].trim().trim_end_matches('#').trim_end()));
        }
        let below = line_at(self.text, end).trim();
        match below.bytes().next()? {
            sign @ (b'=' | b'-') if below.len() > 2 && below.bytes().all(|byte| byte == sign) => {
                Some((if sign == b'=' { 1 } else { 2 }, text))
            }
            _ => None,
        }
    }
}

/// Where the text of a line begins that may be a cell of a table, which is a list of lists.
fn cell_at(line: &str, at: usize) -> usize {
    at + line.len() - line.trim_start_matches(['*', '-', ' ']).len()
}

fn next(count: &mut usize) -> Option<String> {
    *count += 1;
    Some(count.to_string())
}

/// A text in a line of Markdown as readers see it.
fn plain(text: &str) -> String {
    let text = roles::plain(text);
    let events: Vec<_> = Parser::new(&text).into_offset_iter().collect();
    plain_text(&events)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_is_found() {
        let pages = [
            "(start)=\n(begin)=\n# The *start*\n\n(Part_1)=\n## Part {kbd}`A`\n\n(par)=\nA text.\n\n(last)=\n",
            "---\ntitle: \"Own\"\nlabel: page-2\n---\n(h)=\n# Other\n\n```{figure} a.png\n:name: fig:a\nA caption\n```\n\n```{math}\n:label: eq\nx\n```\n\n\
             (adm)=\n:::{note} A *title*\n(inner)=\nInner\n-----\n:::\n\n:::{tip}\n:name: tip1\n:::\n\n```\n(code)=\n```\n\n```{hint}\n```\n\n```\n(code)=\n```\n\n```{code-block} python\n(code)=\n```\n\
             \n(before-code)=\n```\n```\n\n(start)=\n### Again\n",
            "(t)=\nSet below\n=======\n\n:::{glossary}\nOne *term*\n: means this\n\nTwo\n  means that\n:::\n",
        ];
        let pages = pages.map(|text| PageLabels::of(&Source::new("a.md", "a.md", text)));
        let labels = Labels::of(&pages, &BTreeMap::new());
        let mut shown: Vec<String> = labels
            .by_id
            .iter()
            .map(|(id, label)| {
                format!(
                    "{id}: {}{} {}",
                    label.page,
                    if label.is_page { " page" } else { "" },
                    label.text
                )
            })
            .collect();
        shown.sort();
        assert_eq!(
            shown,
            [
                "adm: 1 A title",
                "before-code: 1 Code",
                "begin: 0 page The start",
                "eq: 1 (1)",
                "fig-a: 1 Figure 1",
                "h: 1 Other",
                "inner: 1 Inner",
                "last: 0 last",
                "page-2: 1 page ",
                "par: 0 par",
                "part-1: 0 Part A",
                "start: 0 page The start",
                "t: 2 page Set below",
                "term-one-term: 2 One term",
                "term-two: 2 Two",
                "tip1: 1 tip1",
            ]
        );
        let titles: Vec<_> = (0..4).map(|page| labels.title(page)).collect();
        assert_eq!(titles, [Some("The start"), Some("Own"), Some("Set below"), None]);
        assert_eq!(labels.get("Part_1"), labels.get("part 1"));
    }

    #[test]
    fn what_can_be_linked_to_is_counted() {
        let page = "(a)=\n(a2)=\n```{figure} a.png\n```\n```{figure} b.png\nNobody links to it.\n```\n\
            :::{figure-md} c\n![](c.png)\n:::\n```{figure} d.png\n:name: d\n:enumerated: false\n```\n\
            ```{image} e.png\n:name: e\n```\n```{list-table} T\n:name: f\n```\n(g)=\n```{table} T\n```\n\
            $$ a $$\n\n$$\na\n\nb\n$$ (h)\n(i)=\n$$ a \\label{j} $$\n```{math}\n:label: k\n:nonumber:\na\n```\n\
            ```{math}\na\\label{l}\n```\n\\begin{align}\n\\label{m} a\n\\end{align}\n\n$$ a \\tag{5b} $$ (n)\n\n$$ a \\notag $$ (o)\n\n\
            ```\n$$ a $$ (x)\n```\n```{code-block} a\n:name: p\n```\n\n$$ a $$ (q)\n\n\
            $$ a \\nonumber $$ (r)\n\n$$ a \\label{ } $$\n\n```{figure} s.png\n:name: s\n:numbered: false\n```\n\n\
            ```{list-table}\n* - $$ a $$ (t)\n  - $$ a $$\n```\n";
        let labels = Labels::of(
            [&PageLabels::of(&Source::new("a.md", "a.md", page))],
            &BTreeMap::new(),
        );
        let shown = |label: &str| {
            let label = labels.get(label).expect(label);
            format!("{} {}", label.text, label.number.as_deref().unwrap_or("-"))
        };
        let all = "a a2 c d e f g h i j k l m n o p q r s t".split(' ');
        let all: Vec<String> = all.map(|label| format!("{label}: {}", shown(label))).collect();
        assert_eq!(
            all,
            [
                "a: Figure 1 1",
                "a2: Figure 1 1",
                "c: Figure 2 2",
                "d: Figure -",
                "e: Figure -",
                "f: Table 1 1",
                "g: Table 2 2",
                "h: (1) 1",
                "i: (2) 2",
                "j: (2) 2",
                "k: Equation -",
                "l: (3) 3",
                "m: (4) 4",
                "n: (5b) 5b",
                "o: Equation -",
                "p: Code -",
                "q: (5) 5",
                "r: Equation -",
                "s: Figure -",
                "t: (6) 6",
            ]
        );
        for nothing in ["x", ""] {
            assert_eq!(labels.get(nothing), None);
        }
    }
}
