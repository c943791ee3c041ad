//! What Python-Markdown has beside Markdown and pages for MkDocs use: blocks of indented lines below a line that says what they are.
//!
//! ```text
//! !!! note "Title"
//!     Markdown
//!
//! === "Tab"
//!     Markdown
//!
//! /// note | Title
//! Markdown
//! ///
//! ```
//!
//! They are written anew as the containers and tabs that the engine knows: admonitions and details of Python-Markdown and
//! PyMdown Extensions, its tabs, and its blocks between slashes. A line of colons right behind HTML, which for CommonMark would be part
//! of it, gets an empty line before it. `[](){#id}`, a place to link to, becomes an element of HTML with that id, and
//! `::: package.name`, where mkdocstrings writes the documentation of a program, is left out. The tabs of vitepress-plugin-tabs, lines such as
//! `== Title` between `::: tabs` and `:::`, are tabs too.

use super::reshaped::Reshaped;
use super::{containers, fence, line_at, mdx, titles};
use crate::html::escaped;

/// A text as Markdown.
pub(super) struct Blocks {
    pub(super) reshaped: Reshaped,
    /// The programs whose documentation is left out, and where.
    pub(super) programs: Vec<(usize, String)>,
}

/// The text as Markdown; `None` where it has no such block. What stands before `body_at` stays. `has_programs`: lines of colons with a
/// name behind them stand for the documentation of a program. `is_own`: it was written for MkDocs, so what begins a block is one with
/// nothing in it, too.
pub(super) fn markdown(text: &str, body_at: usize, has_programs: bool, is_own: bool) -> Option<Blocks> {
    let starts = ["!!!", "???", "===", "/// ", ":::"];
    let mut lines = text[body_at..].lines().map(str::trim_start);
    let is_start = |line: &str| starts.iter().any(|start| line.starts_with(start)) || lone_id(line).is_some();
    if !lines.any(is_start) && !text[body_at..].contains(EMPTY_LINK) {
        return None;
    }
    let mut reader = Reader {
        text,
        has_programs,
        is_own,
        reshaped: Reshaped::default(),
        open: Vec::new(),
        containers: Vec::new(),
        ends_outermost: ends_outermost(&text[body_at..]),
        is_used: false,
        programs: Vec::new(),
    };
    reader.reshaped.copy(text, 0..body_at);
    reader.read(body_at);
    reader.is_used.then_some(Blocks {
        reshaped: reader.reshaped,
        programs: reader.programs,
    })
}

/// What a list of attributes gives an id to.
const EMPTY_LINK: &str = "[](){";

/// A block that has not ended.
struct Block {
    /// Of the line that starts it.
    indent: usize,
    is_tab: bool,
    /// How many slashes end it; without any, a line that is indented less.
    slashes: Option<usize>,
}

/// What a line starts.
enum Start {
    Container {
        name: &'static str,
        title: String,
    },
    /// `is_new`: not beside the one before.
    Tab {
        title: String,
        is_new: bool,
    },
}

/// What a line of colons has begun.
struct Container {
    colons: usize,
    tabs: Tabs,
}

#[derive(Clone, Copy, PartialEq)]
enum Tabs {
    None,
    /// No tab has begun.
    Empty,
    Begun,
}

struct Reader<'a> {
    text: &'a str,
    has_programs: bool,
    is_own: bool,
    reshaped: Reshaped,
    open: Vec<Block>,
    containers: Vec<Container>,
    /// A line of colons ends the first container that it can end, and those in it.
    ends_outermost: bool,
    is_used: bool,
    programs: Vec<(usize, String)>,
}

impl Reader<'_> {
    fn read(&mut self, body_at: usize) {
        let mut at = body_at;
        while at < self.text.len() {
            let line = line_at(self.text, at);
            let end = at + line.len();
            if line.trim().is_empty() {
                self.reshaped.copy(self.text, at..end);
                at = end;
                continue;
            }
            let start = self.start(at, line);
            self.end_indented(at, indent(line), &start);
            if let Some(opened) = fence::marks(line) {
                at = self.read_fence(at, opened);
                continue;
            }
            if start.is_none()
                && line.trim_start().starts_with(":::")
                && mdx::is_behind_html(&self.text[..at])
            {
                self.is_used = true;
                self.reshaped.put("\n", at);
            }
            match start {
                Some((start, slashes)) => {
                    self.begin(at, line, start, slashes);
                    // What a block between slashes says about itself.
                    at = if slashes.is_some() {
                        self.behind_options(end)
                    } else {
                        end
                    };
                    continue;
                }
                None if self.ends(line) => self.end(at, false),
                None if self.has_programs && program(line).is_some() => {
                    self.is_used = true;
                    let name = program(line).unwrap_or_default().to_owned();
                    self.programs.push((at + indent(line), name));
                    at = self.behind_indented(end, indent(line));
                    continue;
                }
                None if self.read_container(at, line) => {}
                None if line.contains(EMPTY_LINK) => self.copy_anchors(at, end),
                None if self.has_text_before(at) && lone_id(line).is_some() => {
                    self.is_used = true;
                    let id = lone_id(line).unwrap_or_default();
                    let space = " ".repeat(self.shown_indent(indent(line)));
                    self.reshaped.put(&format!("{space}<a id=\"{id}\"></a>\n"), at);
                }
                None => self.copy_line(at, end),
            }
            at = end;
        }
        while !self.open.is_empty() {
            self.end(self.text.len(), false);
        }
    }

    /// Reads a line of colons, or the title of a tab between two of them. False: it stays as it is.
    fn read_container(&mut self, at: usize, line: &str) -> bool {
        let trimmed = line.trim();
        let colons = colons(trimmed);
        if colons < 3 {
            return self.read_tab_title(at, line);
        }
        let space = " ".repeat(self.shown_indent(indent(line)));
        let name = trimmed[colons..].trim();
        if name.is_empty() {
            let ended = |open: &Container| open.colons <= colons;
            let last = if self.ends_outermost {
                self.containers.iter().position(ended)
            } else {
                self.containers.iter().rposition(ended)
            };
            let Some(last) = last else { return false };
            self.end_containers(at, last + 1, &space);
            let ended = self.containers.pop().map(|open| open.tabs);
            return ended.is_some_and(|tabs| self.end_tabs(at, tabs, &space));
        }
        let Some((name, title)) = containers::begun(name) else {
            return false;
        };
        let key = match title.trim() {
            "" => Some(""),
            title => title.strip_prefix("key:"),
        };
        let key = key
            .filter(|_| name == "tabs")
            .filter(|_| self.has_tab_title(at + line.len()));
        self.containers.push(Container {
            colons,
            tabs: key.map_or(Tabs::None, |_| Tabs::Empty),
        });
        let Some(key) = key else { return false };
        self.is_used = true;
        let group = match key.trim() {
            "" => String::new(),
            key => format!(" group=\"{}\"", escaped(key)),
        };
        self.reshaped.put(&format!("\n{space}<tabs{group}>\n"), at);
        true
    }

    fn read_tab_title(&mut self, at: usize, line: &str) -> bool {
        let Some(title) = tab_title(line) else {
            return false;
        };
        let is_tabs = |open: &Container| open.tabs != Tabs::None;
        let Some(last) = self.containers.iter().rposition(is_tabs) else {
            return false;
        };
        if last + 1 < self.containers.len() && !self.ends_outermost {
            return false;
        }
        let space = " ".repeat(self.shown_indent(indent(line)));
        self.end_containers(at, last + 1, &space);
        let has_begun = self.containers[last].tabs == Tabs::Begun;
        self.containers[last].tabs = Tabs::Begun;
        if has_begun {
            self.reshaped.put(&format!("\n{space}</tab>\n"), at);
        }
        let title = escaped(title);
        self.reshaped
            .put(&format!("\n{space}<tab title=\"{title}\">\n\n"), at);
        true
    }

    /// Ends all containers but the first `count`.
    fn end_containers(&mut self, at: usize, count: usize, space: &str) {
        while self.containers.len() > count
            && let Some(open) = self.containers.pop()
        {
            self.is_used = true;
            if !self.end_tabs(at, open.tabs, space) {
                let colons = ":".repeat(open.colons);
                self.reshaped.put(&format!("\n{space}{colons}\n"), at);
            }
        }
    }

    /// False: there are none.
    fn end_tabs(&mut self, at: usize, tabs: Tabs, space: &str) -> bool {
        if tabs == Tabs::Begun {
            self.reshaped.put(&format!("\n{space}</tab>\n"), at);
        }
        if tabs != Tabs::None {
            self.reshaped.put(&format!("\n{space}</tabs>\n\n"), at);
        }
        tabs != Tabs::None
    }

    /// Whether the next line with a text is the title of a tab.
    fn has_tab_title(&self, behind: usize) -> bool {
        let mut lines = self.text[behind..].lines();
        lines
            .find(|line| !line.trim().is_empty())
            .is_some_and(|line| tab_title(line).is_some())
    }

    fn has_text_before(&self, at: usize) -> bool {
        let before = self.text[..at].lines().next_back();
        before.is_some_and(|line| !line.trim().is_empty())
    }

    /// What a line starts, and the number of its slashes.
    fn start(&self, at: usize, line: &str) -> Option<(Start, Option<usize>)> {
        let trimmed = line.trim();
        let mark = trimmed.split(' ').next().unwrap_or_default();
        // The name may stand right behind it: `!!!note`.
        let is_mark = |mark: &&str| {
            let name = trimmed.strip_prefix(mark).unwrap_or_default();
            name.starts_with(|c: char| c.is_ascii_alphabetic())
        };
        let mark = ["!!!", "???+", "???"].into_iter().find(is_mark).unwrap_or(mark);
        let rest = trimmed[mark.len()..].trim();
        let behind = at + line.len();
        match mark {
            "!!!" | "???" | "???+" => {
                let (name, title) = rest.split_once('"').unwrap_or((rest, ""));
                let name = name.split_whitespace().next()?;
                let is_name = name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
                let is_alone = || self.is_own && is_start_of_empty(rest);
                if !is_name || !(self.is_indented(behind, indent(line)) || is_alone()) {
                    return None;
                }
                let title = title.strip_suffix('"').unwrap_or(title);
                let (container, own) = container(name);
                let container = if mark == "???" { "details" } else { container };
                let title = if title.is_empty() { own } else { title.to_owned() };
                Some((
                    Start::Container {
                        name: container,
                        title,
                    },
                    None,
                ))
            }
            "===" | "===!" | "===+" => {
                let title = rest.strip_prefix('"')?.strip_suffix('"')?.to_owned();
                let is_new = mark == "===!";
                let is_block = self.is_indented(behind, indent(line));
                is_block.then_some((Start::Tab { title, is_new }, None))
            }
            _ => {
                let slashes = mark.len();
                if slashes < 3 || mark.bytes().any(|byte| byte != b'/') || rest.is_empty() {
                    return None;
                }
                let has_end = self.text[behind..].lines().any(|other| other.trim() == mark);
                let (name, title) = rest.split_once('|').unwrap_or((rest, ""));
                let (name, title) = (name.trim(), title.trim().to_owned());
                let start = match name {
                    "tab" => Start::Tab { title, is_new: false },
                    "admonition" => Start::Container { name: "note", title },
                    _ if KNOWN.iter().any(|(names, _)| names.contains(&name)) => {
                        let (name, own) = container(name);
                        let title = if title.is_empty() { own } else { title };
                        Start::Container { name, title }
                    }
                    _ => return None,
                };
                has_end.then_some((start, Some(slashes)))
            }
        }
    }

    /// Whether the next line with a text is further to the right by a step.
    fn is_indented(&self, behind: usize, than: usize) -> bool {
        let mut lines = self.text[behind..].lines();
        lines
            .find(|line| !line.trim().is_empty())
            .is_some_and(|line| indent(line) >= than + STEP)
    }

    fn begin(&mut self, at: usize, line: &str, start: Start, slashes: Option<usize>) {
        self.is_used = true;
        let space = " ".repeat(self.shown_indent(indent(line)));
        let is_tab = matches!(start, Start::Tab { .. });
        match start {
            Start::Container { name, title } if title.is_empty() => {
                self.reshaped.put(&format!("{space}:::{name}\n"), at);
            }
            Start::Container { name, title } => {
                self.reshaped.put(&format!("{space}:::{name}[{title}]\n"), at);
            }
            Start::Tab { title, .. } => {
                let is_beside = self.reshaped.text.trim_end().ends_with("</tab>");
                if !is_beside {
                    self.reshaped.put(&format!("\n{space}<tabs>\n"), at);
                }
                let title = escaped(&titles::marked(&title));
                self.reshaped
                    .put(&format!("\n{space}<tab title=\"{title}\">\n\n"), at);
            }
        }
        self.open.push(Block {
            indent: indent(line),
            is_tab,
            slashes,
        });
    }

    /// Whether the line ends the last block, which stands between slashes.
    fn ends(&self, line: &str) -> bool {
        let line = line.trim();
        let slashes = self.open.last().and_then(|block| block.slashes);
        slashes == Some(line.len()) && line.bytes().all(|byte| byte == b'/')
    }

    /// Ends the blocks that a line with this indent is no part of.
    fn end_indented(&mut self, at: usize, indent: usize, next: &Option<(Start, Option<usize>)>) {
        while let Some(block) = self.open.last()
            && block.slashes.is_none()
            && indent < block.indent + STEP
        {
            let is_beside = matches!(next, Some((Start::Tab { is_new: false, .. }, None)));
            let stays = block.is_tab && is_beside && block.indent == indent;
            self.end(at, stays);
        }
    }

    /// Ends the last block. `stays`: another tab follows.
    fn end(&mut self, at: usize, stays: bool) {
        let Some(block) = self.open.pop() else { return };
        let space = " ".repeat(self.shown_indent(block.indent));
        if !block.is_tab {
            self.reshaped.put(&format!("{space}:::\n"), at);
            return;
        }
        self.reshaped.put(&format!("\n{space}</tab>\n"), at);
        let follows = block.slashes.is_some() && self.tab_follows(at);
        if !stays && !follows {
            self.reshaped.put(&format!("\n{space}</tabs>\n\n"), at);
        }
    }

    /// Whether the line behind the one at `at` starts a tab between slashes.
    fn tab_follows(&self, at: usize) -> bool {
        let behind = at + line_at(self.text, at).len();
        let mut next = behind;
        while next < self.text.len() {
            let line = line_at(self.text, next);
            if !line.trim().is_empty() {
                return matches!(self.start(next, line), Some((Start::Tab { .. }, Some(_))));
            }
            next += line.len();
        }
        false
    }

    /// Behind the lines that say more about a block between slashes: `    open: True`.
    fn behind_options(&self, mut at: usize) -> usize {
        while at < self.text.len() {
            let line = line_at(self.text, at);
            let is_option = indent(line) >= STEP
                && line
                    .split_once(':')
                    .is_some_and(|(key, _)| key.trim().bytes().all(|byte| byte.is_ascii_lowercase()));
            if !is_option {
                break;
            }
            at += line.len();
        }
        at
    }

    /// Behind the lines that are indented by a step more than the one before `at`.
    fn behind_indented(&self, mut at: usize, than: usize) -> usize {
        while at < self.text.len() && self.is_indented(at, than) {
            at += line_at(self.text, at).len();
        }
        at
    }

    /// Copies a line with an element of HTML in the place of each empty link that has an id.
    fn copy_anchors(&mut self, at: usize, end: usize) {
        let own = indent(&self.text[at..end]);
        let mut from = at + own - self.shown_indent(own);
        while let Some(found) = self.text[from..end].find(EMPTY_LINK) {
            let start = from + found;
            let inner = &self.text[start + EMPTY_LINK.len()..end];
            let id = inner.split_once('}').and_then(|(list, _)| {
                let id = list.trim_start_matches(':').trim().strip_prefix('#')?;
                (!id.is_empty() && id.chars().all(is_id_character)).then(|| (id, list.len() + 1))
            });
            let Some((id, length)) = id else {
                self.reshaped.copy(self.text, from..start + EMPTY_LINK.len());
                from = start + EMPTY_LINK.len();
                continue;
            };
            self.is_used = true;
            self.reshaped.copy(self.text, from..start);
            self.reshaped.put(&format!("<a id=\"{id}\"></a>"), start);
            from = start + EMPTY_LINK.len() + length;
        }
        self.reshaped.copy(self.text, from..end);
    }

    fn read_fence(&mut self, mut at: usize, opened: (u8, usize)) -> usize {
        let mut is_first = true;
        while at < self.text.len() {
            let line = line_at(self.text, at);
            let end = at + line.len();
            let is_end = !is_first && fence::ends(line, opened);
            self.copy_line(at, end);
            at = end;
            if is_end {
                break;
            }
            is_first = false;
        }
        at
    }

    fn copy_line(&mut self, at: usize, end: usize) {
        let own = indent(&self.text[at..end]);
        let by = own - self.shown_indent(own);
        self.reshaped.copy(self.text, at + by..end);
    }

    /// How far to the right a line stands that had this indent.
    fn shown_indent(&self, indent: usize) -> usize {
        let steps = self.open.iter().filter(|block| block.slashes.is_none()).count();
        indent.saturating_sub(steps * STEP)
    }
}

/// What a block is indented by.
const STEP: usize = 4;

/// The names of blocks, and the container that each is.
const KNOWN: [(&[&str], &str); 8] = [
    (
        &[
            "note", "abstract", "summary", "tldr", "todo", "question", "help", "faq", "example", "quote",
            "cite",
        ],
        "note",
    ),
    (&["info"], "info"),
    (&["tip", "hint", "success", "check", "done"], "tip"),
    (&["important"], "important"),
    (&["warning", "attention"], "warning"),
    (&["caution"], "caution"),
    (
        &["danger", "error", "failure", "fail", "missing", "bug"],
        "danger",
    ),
    (&["details"], "details"),
];

/// The container of a block, and the title that it has without one of its own.
fn container(name: &str) -> (&'static str, String) {
    let found = KNOWN.iter().find(|(names, _)| names.contains(&name));
    let container = found.map_or("note", |(_, container)| container);
    (container, crate::routes::words(name))
}

fn colons(line: &str) -> usize {
    line.bytes().take_while(|byte| *byte == b':').count()
}

/// The title of a tab between lines of colons, `== Title`.
fn tab_title(line: &str) -> Option<&str> {
    let line = line.trim();
    let title = line.trim_start_matches('=');
    (line.len() >= title.len() + 2 && title.starts_with(' ')).then(|| title.trim())
}

/// Whether a line of colons ends the outermost container, as for VitePress and Docusaurus: where the lines of a text are as many as the
/// containers, nothing depends on it, and the innermost is meant.
fn ends_outermost(text: &str) -> bool {
    let mut open: Vec<usize> = Vec::new();
    let mut code = None;
    for line in text.lines() {
        match code {
            Some(opened) if fence::ends(line, opened) => code = None,
            Some(_) => {}
            None => {
                code = fence::marks(line);
                let line = line.trim();
                let colons = colons(line);
                if colons >= 3 && containers::begun(line[colons..].trim()).is_some() {
                    open.push(colons);
                } else if colons >= 3 && line.len() == colons {
                    let last = open.iter().rposition(|open| *open <= colons);
                    open.truncate(last.unwrap_or(open.len()));
                }
            }
        }
    }
    !open.is_empty()
}

/// The id in a line that holds nothing else, as Python-Markdown has it below a block: `{#id}` or `{: #id .class }`.
fn lone_id(line: &str) -> Option<&str> {
    let list = line.trim().strip_prefix('{')?.strip_suffix('}')?;
    let id = list.trim_start_matches(':').trim().strip_prefix('#')?;
    let id = id.split_whitespace().next()?;
    id.chars().all(is_id_character).then_some(id)
}

fn is_id_character(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':')
}

/// Whether what stands behind `!!!` begins a block for Python-Markdown also where nothing is in it: names, and a title in quotes.
fn is_start_of_empty(rest: &str) -> bool {
    let (names, title) = rest
        .split_once('"')
        .map_or((rest, None), |(names, title)| (names, Some(title)));
    let is_name = |name: &str| {
        name.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    names.split_whitespace().all(is_name)
        && title.is_none_or(|title| title.find('"') == title.len().checked_sub(1))
}

/// The name of a program, `package.module`, behind three colons.
fn program(line: &str) -> Option<&str> {
    let name = line.trim().strip_prefix("::: ")?.trim();
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':'));
    is_name.then_some(name)
}

fn indent(line: &str) -> usize {
    line.bytes().take_while(|byte| *byte == b' ').count()
}
