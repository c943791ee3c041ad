//! MyST, the Markdown of Jupyter Book and of Sphinx: blocks and words that say what they are.
//!
//! ````text
//! (a-label)=
//! ## A heading
//!
//! ```{note} A title
//! See {ref}`the next part <another-label>`, and [](./page.md).
//! ```
//! ````

mod block;
mod directive;
mod equation;
mod glossary;
pub(crate) mod labels;
pub(super) mod naming;
mod roles;
mod tables;

use std::collections::BTreeSet;
use std::ops::Range;

use super::reshaped::Reshaped;
use super::{fence, line_at, mdx};
use crate::front_matter;
use block::Block;
pub(crate) use directive::Directive;
use directive::{Opened, closes};
use equation::Environments;

/// A text as Markdown.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) reshaped: Reshaped,
    /// The blocks of which nothing is known.
    pub(super) left_out: BTreeSet<String>,
    /// Those that only a program could show, and where.
    pub(super) programs: Vec<(usize, String)>,
}

/// How deep blocks are read in others.
const DEEPEST: usize = 12;

/// The text as Markdown; `None` where it has nothing of these. What stands before `body_at` stays.
pub(super) fn markdown(text: &str, body_at: usize) -> Option<Shown> {
    let mut reader = Reader::new(text);
    reader.read(body_at..text.len(), 0);
    reader.copy_to(text.len());
    reader.reshaped.copy(text, text.len()..text.len());
    reader.is_used.then_some(Shown {
        reshaped: reader.reshaped,
        left_out: reader.left_out,
        programs: reader.programs,
    })
}

/// The blocks of some names that a page has, also in others, and where they begin.
pub(crate) fn directives<'a>(text: &'a str, names: &[&str]) -> Vec<(usize, Directive<'a>)> {
    let mut found = Vec::new();
    let mut open = Vec::new();
    let mut code = None;
    let mut at = front_matter::body_at(text);
    while at < text.len() {
        let line = line_at(text, at);
        let start = at;
        at += line.len();
        if let Some(marks) = code {
            code = Some(marks).filter(|marks| !closes(line, *marks));
        } else if open.last().is_some_and(|marks| closes(line, *marks)) {
            open.pop();
        } else if let Some(opened) = Opened::of(line) {
            if names.contains(&opened.name) {
                if let Some(directive) = Directive::at(text, start, text.len()) {
                    at = directive.end;
                    found.push((start, directive));
                }
            } else if block::holds_code(opened.name) {
                code = Some(opened.marks);
            } else {
                open.push(opened.marks);
            }
        } else {
            code = fence::marks(line).and_then(|_| directive::marks(line));
        }
    }
    found
}

struct Reader<'a> {
    text: &'a str,
    reshaped: Reshaped,
    left_out: BTreeSet<String>,
    programs: Vec<(usize, String)>,
    /// What leads to the block that begins next.
    pending: Vec<&'a str>,
    environments: Environments<'a>,
    /// How far the text has been taken over.
    copied: usize,
    is_used: bool,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            reshaped: Reshaped::default(),
            left_out: BTreeSet::new(),
            programs: Vec::new(),
            pending: Vec::new(),
            environments: Environments::new(text),
            copied: 0,
            is_used: false,
        }
    }

    fn read(&mut self, part: Range<usize>, depth: usize) {
        let text = self.text;
        let mut code = None;
        let mut at = part.start;
        while at < part.end {
            let line = line_at(&text[..part.end], at);
            let end = at + line.len();
            if let Some(marks) = code {
                code = Some(marks).filter(|marks| !fence::ends(line, *marks));
            } else if depth < DEEPEST
                && let Some(directive) = Directive::at(text, at, part.end)
            {
                self.read_directive(at, &directive, depth);
                at = directive.end;
                continue;
            } else if fence::marks(line).is_some() {
                code = fence::marks(line);
            } else if lone_label(line).is_some() {
                at = self.read_labels(at..part.end);
                continue;
            } else if let Some(formula) = equation::formula(&text[at..part.end]) {
                let whole = at..at + formula.end;
                let label = self.name_equation(whole.clone(), formula.label);
                self.read_formula(whole.start..whole.end - 2);
                self.replace(whole.end - 2..whole.end - 2, &label);
                if formula.label.is_some() {
                    self.replace(whole.end..at + formula.label_end, "");
                }
                at += formula.label_end;
                continue;
            } else if is_comment(line) || is_break(line, depth) {
                self.replace(at..end, "\n");
            } else if let Some(length) = self.environments.length_at(at..part.end) {
                let indent = &line[..line.len() - line.trim_start().len()];
                let label = self.name_equation(at..at + length, None);
                self.replace(at..at, &format!("\n{indent}$$\n"));
                self.replace(at + length..at + length, &format!("{label}\n{indent}$$\n\n"));
                at += length;
                continue;
            } else {
                at = self.read_line(at..end, part.end);
                continue;
            }
            at = end;
        }
    }

    /// Up to the end of a line, or of what begins in it and goes on behind it, which ends before `limit`.
    fn read_line(&mut self, line: Range<usize>, limit: usize) -> usize {
        let mut at = line.start;
        while at < line.end {
            let Some(found) = self.text[at..line.end].find(['{', '`', '\\']) else {
                return line.end;
            };
            at += found;
            let rest = &self.text[at..limit];
            at += match rest.as_bytes()[0] {
                b'`' => mdx::code_length(rest).unwrap_or(1),
                // What stands behind it is meant as it is.
                b'\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
                _ => match roles::Role::at(rest) {
                    Some(role) => {
                        self.replace(at..at + role.length, &role.markdown());
                        role.length
                    }
                    None => 1,
                },
            };
        }
        at
    }

    /// Puts what leads to an equation before it. Gives what its formula has to say of it, by which it is numbered.
    fn name_equation(&mut self, formula: Range<usize>, own: Option<&'a str>) -> String {
        let text = &self.text[formula.clone()];
        let inner = equation::label(text);
        let pending = std::mem::take(&mut self.pending).into_iter();
        let labels: Vec<&str> = pending.chain(own).chain(inner).collect();
        let indent = &text[..text.len() - text.trim_start().len()];
        let place: String = labels.iter().map(|label| anchor(indent, label)).collect();
        if !place.is_empty() {
            self.replace(formula.start..formula.start, &format!("\n{place}"));
        }
        match labels.first() {
            Some(label) if inner.is_none() => equation::labelled(label),
            _ => String::new(),
        }
    }

    /// A formula goes on behind an empty line here.
    fn read_formula(&mut self, formula: Range<usize>) {
        let mut at = formula.start;
        while at < formula.end {
            let line = line_at(&self.text[..formula.end], at);
            if line.trim().is_empty() {
                self.replace(at..at + line.len(), "");
            }
            at += line.len();
        }
    }

    /// Reads places to link to, one below the other, up to what they name.
    fn read_labels(&mut self, part: Range<usize>) -> usize {
        let mut lines = Vec::new();
        let mut at = part.start;
        let mut next = "";
        while at < part.end {
            let line = line_at(&self.text[..part.end], at);
            match lone_label(line) {
                Some(label) => lines.push((at..at + line.len(), label)),
                None if line.trim().is_empty() => {}
                None => {
                    next = line.trim();
                    break;
                }
            }
            at += line.len();
        }
        for (line, label) in lines {
            if Opened::of(next).is_some() || next.starts_with("$$") || next.starts_with("\\begin{") {
                self.pending.push(label);
                self.replace(line, "\n");
            } else {
                let text = &self.text[line.clone()];
                let anchor = anchor(&text[..text.len() - text.trim_start().len()], label);
                self.replace(line, &anchor);
            }
        }
        at
    }

    fn read_directive(&mut self, at: usize, directive: &Directive<'a>, depth: usize) {
        let text = self.text;
        let indent = directive.indent;
        let body = directive.body.clone();
        let mut labels: Vec<&str> = std::mem::take(&mut self.pending);
        labels.extend(directive.label());
        if directive.name == "math" {
            labels.extend(equation::label(&text[body.clone()]));
        }
        let place: String = labels.iter().map(|label| anchor(indent, label)).collect();
        let number = match labels.first() {
            Some(label) if directive.is_counted() => format!("[](<number:{}>) ", labels::id(label)),
            _ => String::new(),
        };
        match block::of(directive) {
            Block::Code | Block::Source => self.read_code(at, directive, &place),
            Block::Math => self.read_math(at, directive, &place, labels.first().copied()),
            Block::Glossary => {
                self.replace(at..body.start, &format!("\n{place}\n"));
                self.read_glossary(body.clone());
                self.replace(body.end..directive.end, "\n\n");
            }
            Block::ListTable => {
                let caption = block::caption(directive);
                self.replace(at..body.start, &format!("\n{place}{indent}{number}{caption}\n\n"));
                self.read_list_table(body.clone(), directive, depth);
                self.replace(body.end..directive.end, "\n\n");
            }
            Block::Csv => {
                let header = directive.one_of(&["header"]);
                let table = tables::of_csv(header, &text[body], directive.option("header-rows"));
                let caption = block::caption(directive);
                let shown = format!("\n{place}{indent}{number}{caption}\n\n{table}\n\n");
                self.replace(at..directive.end, &shown);
            }
            Block::Medium => {
                let link = block::link(directive, &text[body]);
                self.replace(at..directive.end, &format!("\n{place}{indent}{link}\n\n"));
            }
            Block::Html if directive.argument == "html" => {
                self.replace(at..body.start, &format!("\n{place}"));
                self.replace(body.end..directive.end, "\n\n");
            }
            Block::Nothing | Block::Html => self.replace(at..directive.end, &format!("\n{place}")),
            Block::Program => {
                self.programs.push((at + indent.len(), directive.name.to_owned()));
                self.replace(at..directive.end, &format!("\n{place}"));
            }
            holder => {
                if matches!(holder, Block::Unknown) {
                    self.left_out.insert(directive.name.to_owned());
                }
                let is_empty = text[body.clone()].trim().is_empty();
                let is_figure = matches!(directive.name, "figure" | "figure-md");
                let of_table = if directive.name == "table" { &*number } else { "" };
                let (opening, closing) = block::around(&holder, directive, (&place, of_table), is_empty);
                self.replace(at..body.start, &opening);
                if is_figure && !number.is_empty() {
                    let caption = caption_at(&text[body.clone()], directive.name == "figure-md");
                    let caption = body.start + caption;
                    self.read(body.start..caption, depth + 1);
                    self.replace(caption..caption, &number);
                    self.read(caption..body.end, depth + 1);
                } else {
                    self.read(body.clone(), depth + 1);
                }
                self.replace(body.end..directive.end, &closing);
            }
        }
    }

    fn read_math(&mut self, at: usize, directive: &Directive<'a>, place: &str, label: Option<&str>) {
        let Directive { argument, indent, .. } = *directive;
        let body = directive.body.clone();
        let text = &self.text[body.clone()];
        let is_empty = text.trim().is_empty();
        let has_end = is_empty || text.ends_with('\n');
        let whole = if is_empty { argument } else { "" };
        let newline = if whole.is_empty() { "" } else { "\n" };
        self.replace(at..body.start, &format!("\n{place}{indent}$$\n{whole}{newline}"));
        self.read_formula(body.clone());
        let newline = if has_end { "" } else { "\n" };
        let says = match label {
            _ if !directive.is_counted() => "\\notag".to_owned(),
            Some(label) if equation::label(text).is_none() => equation::labelled(label),
            _ => String::new(),
        };
        self.replace(body.end..directive.end, &format!("{newline}{indent}{says}$$\n\n"));
    }

    fn read_code(&mut self, at: usize, directive: &Directive<'a>, place: &str) {
        let body = directive.body.clone();
        let code = &self.text[body.clone()];
        let has_tag = |tag: &str| directive.option("tags").is_some_and(|tags| tags.contains(tag));
        if has_tag("remove-cell") || has_tag("remove-input") {
            self.replace(at..directive.end, "\n");
            return;
        }
        let language = match (directive.name, directive.argument.split_whitespace().next()) {
            ("myst" | "myst-example", _) => "markdown",
            ("mermaid", _) => "mermaid",
            (_, Some("ipython" | "ipython3")) => "python",
            (_, Some("none" | "default")) | (_, None) => directive.one_of(&["language"]).unwrap_or_default(),
            (_, Some(language)) => language,
        };
        let info = format!("{language}{}", directive.info());
        let longest = code.split(|c| c != '~').map(str::len).max().unwrap_or_default();
        let marks = "~".repeat(longest.max(2) + 1);
        let indent = directive.indent;
        self.replace(at..body.start, &format!("\n{place}{indent}{marks}{info}\n"));
        let newline = if code.is_empty() || code.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        self.replace(body.end..directive.end, &format!("{newline}{indent}{marks}\n\n"));
    }

    fn read_glossary(&mut self, body: Range<usize>) {
        let space = " ".repeat(glossary::own_indent(&self.text[body.clone()]));
        for (line, kind) in glossary::lines(&self.text[body.clone()]) {
            let line = body.start + line.start..body.start + line.end;
            let text = &self.text[line.clone()];
            let at = line.end - text.trim_start().len();
            let before = match kind {
                glossary::Line::Term => {
                    Some(format!("\n{space}<a id=\"{}\"></a>", labels::term(text.trim())))
                }
                glossary::Line::Explains { is_first } => {
                    Some(format!("{space}{}", if is_first { ": " } else { "  " }))
                }
                glossary::Line::Other => None,
            };
            if let Some(before) = before {
                self.replace(line.start..at, &before);
            }
            self.read_line(at..line.end, line.end);
        }
    }

    /// A list of lists, each of them a row.
    fn read_list_table(&mut self, body: Range<usize>, directive: &Directive<'a>, depth: usize) {
        let headers = directive
            .one_of(&["header-rows"])
            .and_then(|rows| rows.parse().ok())
            .unwrap_or(0);
        let cells = tables::cells(&self.text[body.clone()]);
        let last = cells.len();
        for (index, cell) in cells.into_iter().enumerate() {
            let marked = body.start + cell.marked.start..body.start + cell.marked.end;
            let mut opening = String::new();
            if index == 0 {
                opening.push_str("<table>\n");
            }
            if cell.is_first {
                opening.push_str("<tr>\n");
            }
            let tag = if cell.row < headers { "th" } else { "td" };
            opening.push_str(&format!("<{tag}>\n\n"));
            self.replace(marked.clone(), &opening);
            let text = body.start + cell.text.start..body.start + cell.text.end;
            // What stands as far to the right as the text of a cell is at its left.
            let inner = tables::moved_left(&self.text[text.clone()], cell.text.start - cell.line_start);
            let mut reader = Reader::new(&inner);
            reader.read(0..inner.len(), depth + 1);
            reader.copy_to(inner.len());
            self.replace(text.clone(), &reader.reshaped.text);
            self.left_out.extend(reader.left_out);
            self.programs
                .extend(reader.programs.into_iter().map(|(_, name)| (text.start, name)));
            let mut closing = format!("\n\n</{tag}>\n");
            if cell.is_last {
                closing.push_str("</tr>\n");
            }
            if index + 1 == last {
                closing.push_str("</table>\n");
            }
            self.replace(text.end..text.end, &closing);
        }
    }

    fn replace(&mut self, place: Range<usize>, by: &str) {
        self.copy_to(place.start);
        self.reshaped.put(by, place.start);
        self.copied = self.copied.max(place.end);
        self.is_used = true;
    }

    fn copy_to(&mut self, end: usize) {
        if end > self.copied {
            self.reshaped.copy(self.text, self.copied..end);
            self.copied = end;
        }
    }
}

/// `(label)=`, alone in its line.
fn lone_label(line: &str) -> Option<&str> {
    let label = line.trim().strip_prefix('(')?.strip_suffix(")=")?;
    (!label.is_empty() && !label.contains(['(', ')'])).then_some(label)
}

fn is_comment(line: &str) -> bool {
    line.starts_with('%')
}

/// What stands between blocks, and between the parts of a card.
fn is_break(line: &str, depth: usize) -> bool {
    let text = line.trim_end();
    let marks = text.split([' ', '{']).next().unwrap_or_default();
    marks == "+++" || depth > 0 && text.trim_start() == "^^^"
}

/// Where the text below a figure begins, in what its block holds; the picture is its first part in one kind.
fn caption_at(body: &str, has_picture: bool) -> usize {
    let mut is_behind = !has_picture;
    let mut has_text = false;
    let mut at = 0;
    while at < body.len() {
        let line = line_at(body, at);
        let text = line.trim_start();
        if text.trim_end().is_empty() {
            is_behind |= has_text;
        } else if is_behind {
            return at + line.len() - text.len();
        } else {
            has_text = true;
        }
        at += line.len();
    }
    body.len()
}

/// What leads to a block, before it.
fn anchor(indent: &str, label: &str) -> String {
    format!("{indent}<a id=\"{}\"></a>\n\n", labels::id(label))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::source::Source;

    /// The text without repeated empty lines, and the names of what is left out.
    fn read(text: &str) -> (String, String) {
        let Some(shown) = markdown(text, 0) else {
            return (text.trim().to_owned(), String::new());
        };
        shown.reshaped.assert_places(text);
        let mut lines: Vec<&str> = shown.reshaped.text.split('\n').map(str::trim_end).collect();
        lines.dedup_by(|line, before| line.is_empty() && before.is_empty());
        let programs = shown
            .programs
            .into_iter()
            .map(|(at, name)| format!("{at}:{name}"));
        let names: Vec<String> = shown.left_out.into_iter().chain(programs).collect();
        (lines.join("\n").trim().to_owned(), names.join(" "))
    }

    fn check(text: &str, expected: &str) {
        assert_eq!(read(text), (expected.to_owned(), String::new()), "{text}");
    }

    #[test]
    fn alerts_have_their_kinds_and_titles() {
        for (first, alert) in [
            ("{note}", ":::note"),
            ("{tip} A {kbd}`B`", ":::tip[A B]"),
            ("{hint}", ":::tip[Hint]"),
            ("{error} Oh", ":::danger[Oh]"),
            ("{seealso}", ":::info[See also]"),
            ("{admonition} A\n:class: warning", ":::warning[A]"),
            ("{admonition} A", ":::note[A]"),
            ("{prf:theorem}", ":::note[Theorem]"),
            ("{prf:theorem} Of A", ":::note[Theorem: Of A]"),
            ("{versionadded} 1.2", ":::info[Added in version 1.2]"),
            ("{note}\n:class: dropdown", ":::details[Note]"),
            ("{dropdown} More", ":::details[More]"),
            ("{tip .dropdown} More", ":::details[More]"),
        ] {
            check(
                &format!(":::{first}\nText\n:::"),
                &format!("{alert}\n\nText\n\n:::"),
            );
        }
        check("```{note} All of it.\n```", ":::note\n\nAll of it.\n\n:::");
        check(
            "```{note} It begins,\nand ends.\n```",
            ":::note\n\nIt begins,\n\nand ends.\n\n:::",
        );
        check(
            ":::{deprecated} 2 Use {ref}`a`\n:::",
            ":::warning[Deprecated since version 2]\n\nUse [](<#a>)\n\n:::",
        );
    }

    #[test]
    fn blocks_stand_in_others() {
        check(
            "- a\n\n  ::::{tip}\n  :::{note}\n  b\n  :::\n  ::::\n",
            "- a\n\n  :::tip\n\n  :::note\n\n  b\n\n  :::\n\n  :::",
        );
        check(
            "::::{tab-set}\n:sync-group: os\n(a)=\n:::{tab-item} A {sub}`1`\nOne\n:::\n:::{tab-item} B\n:name: b\nTwo\n:::\n::::",
            "<tabs group=\"os\">\n\n<tab title=\"A 1\">\n\n<a id=\"a\"></a>\n\nOne\n\n</tab>\n\n<tab title=\"B\">\n\n<a id=\"b\"></a>\n\nTwo\n\n</tab>\n\n</tabs>",
        );
        check(
            "::::{grid} 2\n:::{grid-item-card} One *two*\n:link: a\n:link-type: ref\nHead\n^^^\nBody\n+++\nFoot\n:::\n:::{card}\n:link: b.md\n:::\n::::",
            "**[One *two*](<#a>)**\n\nHead\n\nBody\n\nFoot\n\n[](<b.md>)",
        );
        let deep = format!("{}a\n", ":::{note}\n".repeat(DEEPEST + 1));
        assert!(
            read(&deep).0.contains(":::note\n\n:::{note}\na"),
            "{}",
            read(&deep).0
        );
    }

    #[test]
    fn code_is_code() {
        check(
            "```{code-block} python\n:caption: A \"b\"\n:emphasize-lines: 1, 3-4\n:linenos:\n:name: c\n{ref}`x`\n~~~~\n```",
            "<a id=\"c\"></a>\n\n~~~~~python title=\"A 'b'\" highlight=1,3-4 numbers=1\n{ref}`x`\n~~~~\n~~~~~",
        );
        check("```{code-cell} ipython3\n1\n```", "~~~python\n1\n~~~");
        check("```{code-cell}\n---\ntags: [remove-input]\n---\n1\n```", "");
        check("```{code}\n:lineno-start: 7\n1", "~~~ numbers=7\n1\n~~~");
        check(
            "````{myst}\n```{note}\n```\n````",
            "~~~markdown\n```{note}\n```\n~~~",
        );
        check("```{mermaid}\na --> b\n```", "~~~mermaid\na --> b\n~~~");
        for text in [
            "```\n{ref}`a`\n(b)=\n% c\n```",
            "~~~{.python}\n{ref}`a`\n~~~",
            "`{ref}`a",
            "\\{ref}`a`",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn formulas_are_formulas() {
        check(
            "```{math}\n:label: e\na\n\nb\n```",
            "<a id=\"e\"></a>\n\n$$\na\nb\n\\label{e}$$",
        );
        check("```{math} a = b\n```", "$$\na = b\n$$");
        check(
            "$$ a $$ (My_E)\nb",
            "<a id=\"my-e\"></a>\n\n$$ a \\label{my-e}$$\nb",
        );
        check("$$\na\n\nb\n$$\nc", "$$\na\nb\n$$\nc");
        check("$$ a $$ b (c)", "$$ a $$ b (c)");
        check(
            "$$\na\n$$\n\n{sub}`b`\n\n$$\nc\n$$",
            "$$\na\n$$\n\n<sub>b</sub>\n\n$$\nc\n$$",
        );
        check(
            "- a\n\n  $$ b $$ (c)\n",
            "- a\n\n  <a id=\"c\"></a>\n\n  $$ b \\label{c}$$",
        );
        check(
            "(a)=\n$$ a \\label{B} $$\n\n(c)=\n\\begin{align}b\\end{align}",
            "<a id=\"a\"></a>\n\n<a id=\"b\"></a>\n\n$$ a \\label{B} $$\n\n<a id=\"c\"></a>\n\n$$\n\\begin{align}b\\end{align}\\label{c}\n$$",
        );
        check(
            "```{math}\n:enumerated: false\na \\label{b}\n```",
            "<a id=\"b\"></a>\n\n$$\na \\label{b}\n\\notag$$",
        );
        check(
            "- a\n\n  \\begin{align}b\\end{align}\n",
            "- a\n\n  $$\n  \\begin{align}b\\end{align}\n  $$",
        );
        check("$$\n\n# a\n\n$$", "$$\n\n# a\n\n$$");
        check(
            "a\n\\begin{align*}\nb\n\\end{align*}\nc",
            "a\n\n$$\n\\begin{align*}\nb\n\\end{align*}\n$$\n\nc",
        );
        check("\\begin{align}\na", "\\begin{align}\na");
        check(
            "\\begin{align}\n\\begin{gather}a\\end{gather}",
            "\\begin{align}\n\n$$\n\\begin{gather}a\\end{gather}\n$$",
        );
        check(
            "\\begin{tabular}a\\end{tabular}",
            "\\begin{tabular}a\\end{tabular}",
        );
    }

    #[test]
    fn pictures_have_texts_and_widths() {
        check(
            "```{figure} ./a.png\n:alt: A \"b\"\n:width: 300px\n:name: fig\nThe {ref}`c`\n```",
            "<a id=\"fig\"></a>\n\n<img src=\"./a.png\" alt=\"A &quot;b&quot;\" width=\"300\">\n\n[](<number:fig>) The [](<#c>)",
        );
        check(
            "(b)=\n:::{figure-md} F\n\n![](a.png)\n\n*All* of it.\n:::",
            "<a id=\"b\"></a>\n\n<a id=\"f\"></a>\n\n![](a.png)\n\n[](<number:b>) *All* of it.",
        );
        check(
            ":::{figure} a.png\n:name: f\n:::",
            "<a id=\"f\"></a>\n\n<img src=\"a.png\" alt=\"\">\n\n[](<number:f>)",
        );
        check(
            ":::{figure} a.png\n:name: f\n:enumerated: false\nA\n:::",
            "<a id=\"f\"></a>\n\n<img src=\"a.png\" alt=\"\">\n\nA",
        );
        check(
            ":::{table} All\n:name: t\n| a |\n|---|\n:::",
            "<a id=\"t\"></a>\n\n[](<number:t>) **All**\n\n| a |\n|---|",
        );
        check(":::{rubric} All\n:name: t\n:::", "<a id=\"t\"></a>\n\n**All**");
        check(
            ":::{figure} a.png\n| a |\n:::",
            "<img src=\"a.png\" alt=\"\">\n\n| a |",
        );
        check(
            "```{image} a.png\n:width: 50%\n```",
            "<img src=\"a.png\" alt=\"\">",
        );
        check("```{figure} b/a.mp4\n```", "[a.mp4](<b/a.mp4>)");
        check(
            "```{youtube} ab\n```",
            "[https://www.youtube.com/watch?v=ab](<https://www.youtube.com/watch?v=ab>)",
        );
        check(
            "```{iframe} https://a.example\nThe *a*\n```",
            "[The *a*](<https://a.example>)",
        );
        check("```{button-ref} a\n:ref-type: doc\nGo\n```", "[Go](<a>)");
        check(
            "```{button-link} https://a.example\n```",
            "[https://a.example](<https://a.example>)",
        );
    }

    #[test]
    fn labels_are_places() {
        check(
            "(My_Label)=\n(b)=\n\n## A\n",
            "<a id=\"my-label\"></a>\n\n<a id=\"b\"></a>\n\n## A",
        );
        check(
            "(top)=\n# A\n\n(c)=\nText\n",
            "<a id=\"top\"></a>\n\n# A\n\n<a id=\"c\"></a>\n\nText",
        );
        check("(toc)=\n```{toctree}\na\n```\nb", "<a id=\"toc\"></a>\n\nb");
        check("(a (b)=\n()=", "(a (b)=\n()=");
    }

    #[test]
    fn what_nobody_sees_is_left_out() {
        check("a\n% b\nc\n+++\nd\n\n```{index} e\n```\n", "a\n\nc\n\nd");
        check("100\n  % a", "100\n  % a");
        check("```{raw} html\n<b>a</b>\n```\n```{raw} latex\nb\n```", "<b>a</b>");
        assert_eq!(
            read("a\n\n```{autoclass} b\n```\n```{eval-rst}\nc\n```\n```{mine} d\ne\n```"),
            ("a\n\ne".to_owned(), "mine 3:autoclass 24:eval-rst".to_owned())
        );
    }

    #[test]
    fn tables_are_tables() {
        check(
            "```{list-table} Caption\n:header-rows: 1\n* - A\n  - B\n* - :::{tip}\n    c\n    :::\n  - {kbd}`d`\n    e\n```",
            "**Caption**\n\n<table>\n<tr>\n<th>\n\nA\n\n</th>\n<th>\n\nB\n\n</th>\n</tr>\n<tr>\n<td>\n\n:::tip\n\nc\n\n:::\n\n</td>\n<td>\n\n<kbd>d</kbd>\ne\n\n</td>\n</tr>\n</table>",
        );
        check(
            "```{csv-table} C\n:header: \"a, b\", c\n1, \"say \"\"x|y\"\"\"\n2\n```",
            "**C**\n\n| a, b | c |\n| --- | --- |\n| 1 | say \"x\\|y\" |\n| 2 |  |",
        );
        check("```{csv-table}\n1,2\n```", "|  |  |\n| --- | --- |\n| 1 | 2 |");
        check(
            ":::{table} {term}`A` b\n| c |\n| - |\n:::",
            "**[A](<term:A>) b**\n\n| c |\n| - |",
        );
    }

    #[test]
    fn words_are_explained() {
        check(
            "```{glossary}\nA b\n: c {sub}`d`\n\nE\n  f\n  g\n\n  h\n```",
            "<a id=\"term-a-b\"></a>A b\n: c <sub>d</sub>\n\n<a id=\"term-e\"></a>E\n: f\n  g\n\n  h",
        );
        check(
            "- a\n\n  ```{glossary}\n  B\n    c\n  ```",
            "- a\n\n  <a id=\"term-b\"></a>B\n  : c",
        );
    }

    proptest! {
        #[test]
        fn any_text_is_read(pieces in prop::collection::vec(select(vec![
            "```{note}", ":::{tab-set}", "::::{tab-item} é", "```", ":::", "::::", "\n", "\n\n", "  ", "{ref}`", "{kbd}`é`", "`", "{", "}",
            "(é)=", "% é", "+++", "$$", " (e)", "\\begin{align}", "\\end{align}", "* - é", "  - ", ":name: é", "---", "é", "\\", "<é>",
            "```{list-table}", "```{glossary}", "```{csv-table} é", "```{code} é", ",", "\"", "```{figure} é.png", ":::{card} é", "```{math}", "~~~",
        ]), 0..40)) {
            let text = pieces.concat();
            read(&text);
            labels::PageLabels::of(&Source::new("a.md", "a.md", &text));
            directives(&text, &["note"]);
        }
    }
}
