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
//! of it, gets an empty line before it.

use super::fence;
use super::reshaped::Reshaped;

/// The text as Markdown; `None` where it has no such block. What stands before `body_at` stays.
pub(super) fn markdown(text: &str, body_at: usize) -> Option<Reshaped> {
    let starts = ["!!! ", "???", "===", "/// ", ":::"];
    let mut lines = text[body_at..].lines().map(str::trim_start);
    if !lines.any(|line| starts.iter().any(|start| line.starts_with(start))) {
        return None;
    }
    let mut reader = Reader {
        text,
        reshaped: Reshaped::default(),
        open: Vec::new(),
        is_used: false,
    };
    reader.reshaped.copy(text, 0..body_at);
    reader.read(body_at);
    reader.is_used.then_some(reader.reshaped)
}

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

struct Reader<'a> {
    text: &'a str,
    reshaped: Reshaped,
    open: Vec<Block>,
    is_used: bool,
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
                None if line.trim_start().starts_with(":::") && self.is_behind_html(at) => {
                    self.is_used = true;
                    self.reshaped.put("\n", at);
                    self.copy_line(at, end);
                }
                None => self.copy_line(at, end),
            }
            at = end;
        }
        while !self.open.is_empty() {
            self.end(self.text.len(), false);
        }
    }

    /// What a line starts, and the number of its slashes.
    fn start(&self, at: usize, line: &str) -> Option<(Start, Option<usize>)> {
        let trimmed = line.trim();
        let mark = trimmed.split(' ').next().unwrap_or_default();
        let rest = trimmed[mark.len()..].trim();
        let behind = at + line.len();
        match mark {
            "!!!" | "???" | "???+" => {
                let (name, title) = rest.split_once('"').unwrap_or((rest, ""));
                let name = name.split_whitespace().next()?;
                let is_name = name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
                if !is_name || !self.is_indented(behind, indent(line)) {
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
                let title = html_escape::encode_double_quoted_attribute(&title).into_owned();
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

    fn is_behind_html(&self, at: usize) -> bool {
        let before = self.text[..at].lines().next_back().unwrap_or_default();
        before.trim_start().starts_with('<')
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

fn line_at(text: &str, at: usize) -> &str {
    let rest = &text[at..];
    &rest[..rest.find('\n').map_or(rest.len(), |end| end + 1)]
}

fn indent(line: &str) -> usize {
    line.bytes().take_while(|byte| *byte == b' ').count()
}
