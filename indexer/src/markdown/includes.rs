//! Files that a page brings into its text, as other generators have it:
//!
//! ```text
//! {{#include ../listings/main.rs:10:20}}      mdBook, also rustdoc_include, and the name of an anchor in the place of the lines
//! <!--@include: ./parts/start.md-->           VitePress
//! <<< @/snippets/start.js{2} [start.js]       VitePress: as a code block; `@` is the content folder
//! --8<-- "parts/start.md"                     PyMdown Extensions, from the content folder
//! ```
//!
//! Parts of files are named by lines, or by the marks `ANCHOR: name`, `#region name` and `--8<-- [start:name]` in them.

use std::fs;
use std::path::{Path, PathBuf};

use super::reshaped::Reshaped;

/// How deep files may bring in others.
const DEEPEST: usize = 8;

/// A text with what it brings in.
#[derive(Debug, Default)]
pub(crate) struct Included {
    pub(crate) reshaped: Reshaped,
    /// The files.
    pub(crate) files: Vec<PathBuf>,
    /// What is not there, by its place in the text, and how to mend it.
    pub(crate) missing: Vec<(usize, String)>,
}

/// Brings the files in; `None` where a text asks for none. `page` is the file of the text, `root` the content folder.
pub(crate) fn read(text: &str, body_at: usize, page: &Path, root: &Path) -> Option<Included> {
    let body = &text[body_at..];
    if !["{{#", "@include", "<<<", "--8<--"]
        .iter()
        .any(|mark| body.contains(mark))
    {
        return None;
    }
    let mut included = Included::default();
    included.reshaped.copy(text, 0..body_at);
    let mut at = body_at;
    let mut is_used = false;
    while let Some(found) = next(text, at) {
        is_used = true;
        included.reshaped.copy(text, at..found.start);
        let written = match &found.kind {
            Kind::Literal(literal) => (*literal).to_owned(),
            Kind::Part(part) => {
                let Included { files, missing, .. } = &mut included;
                let brought = bring(part, page, root, files, 0);
                brought.unwrap_or_else(|message| {
                    missing.push((found.start, message));
                    String::new()
                })
            }
        };
        included.reshaped.put(&written, found.start);
        at = found.end;
    }
    included.reshaped.copy(text, at..text.len());
    is_used.then_some(included)
}

/// What stands for something else.
struct Found<'a> {
    start: usize,
    end: usize,
    kind: Kind<'a>,
}

enum Kind<'a> {
    /// A text that is written so that it is none.
    Literal(&'a str),
    Part(Part<'a>),
}

/// A file or a part of one.
struct Part<'a> {
    path: &'a str,
    /// Lines or a name; empty: the whole file.
    lines: &'a str,
    /// What it is shown as, for code: the rest of an info string.
    code: Option<String>,
    /// The path begins at the content folder.
    is_from_root: bool,
}

/// The first thing behind `from` that stands for something else.
fn next(text: &str, from: usize) -> Option<Found<'_>> {
    let of_mdbook = mdbook(text, from);
    let of_line = lines(text, from);
    match (of_mdbook, of_line) {
        (Some(one), Some(other)) => Some(if one.start <= other.start { one } else { other }),
        (one, other) => one.or(other),
    }
}

/// `{{#include path:lines}}`, and what it is called for code.
fn mdbook(text: &str, from: usize) -> Option<Found<'_>> {
    let mut at = from;
    loop {
        let start = at + text[at..].find("{{#")?;
        let length = text[start..].find("}}")? + 2;
        let (name, argument) = text[start + 3..start + length - 2]
            .split_once(' ')
            .unwrap_or((&text[start + 3..start + length - 2], ""));
        let end = start + length;
        let is_known = matches!(
            name,
            "include" | "rustdoc_include" | "playground" | "playpen" | "title"
        );
        if is_known && text[from..start].ends_with('\\') {
            let literal = Kind::Literal(&text[start..end]);
            return Some(Found {
                start: start - 1,
                end,
                kind: literal,
            });
        }
        let argument = argument.split_whitespace().next().unwrap_or_default();
        let (path, lines) = argument.split_once(':').unwrap_or((argument, ""));
        let part = |code: Option<String>| {
            Kind::Part(Part {
                path,
                lines,
                code,
                is_from_root: false,
            })
        };
        match name {
            "include" | "rustdoc_include" if !path.is_empty() => {
                return Some(Found {
                    start,
                    end,
                    kind: part(None),
                });
            }
            "playground" | "playpen" if !path.is_empty() => {
                return Some(Found {
                    start,
                    end,
                    kind: part(Some(String::new())),
                });
            }
            // The title of the browser's tab is that of the page.
            "title" if !argument.is_empty() => {
                return Some(Found {
                    start,
                    end,
                    kind: Kind::Literal(""),
                });
            }
            _ => at = start + 3,
        }
    }
}

/// What takes a line of its own.
fn lines(text: &str, from: usize) -> Option<Found<'_>> {
    let mut at = from;
    for line in text[from..].split_inclusive('\n') {
        let start = at;
        at += line.len();
        let is_whole = start == 0 || text[..start].ends_with('\n');
        if let Some(part) = line_part(line.trim()).filter(|_| is_whole) {
            let indent = line.len() - line.trim_start().len();
            return Some(Found {
                start: start + indent,
                end: start + line.trim_end().len(),
                kind: Kind::Part(part),
            });
        }
    }
    None
}

fn line_part(line: &str) -> Option<Part<'_>> {
    if let Some(inner) = line
        .strip_prefix("<!--")
        .and_then(|inner| inner.strip_suffix("-->"))
    {
        let path = inner.trim().strip_prefix("@include:")?.trim();
        let (path, lines) = with_lines(path);
        return Some(Part {
            path: path.trim_start_matches("@/"),
            lines,
            code: None,
            is_from_root: path.starts_with("@/"),
        });
    }
    if let Some(inner) = line.strip_prefix("<<< ") {
        if !inner.trim_start().starts_with(['@', '.']) {
            return None;
        }
        let (inner, title) = inner.trim().split_once('[').unwrap_or((inner.trim(), ""));
        let (inner, marked) = inner.trim().split_once('{').unwrap_or((inner.trim(), ""));
        let (path, lines) = with_lines(inner.trim());
        let mut code = String::new();
        let marked = marked.trim_end_matches('}');
        if marked.starts_with(|c: char| c.is_ascii_digit()) {
            code.push_str(&format!(" {{{}}}", marked.split(' ').next().unwrap_or_default()));
        }
        if let Some(title) = title.strip_suffix(']') {
            code.push_str(&format!(" [{title}]"));
        }
        return Some(Part {
            path: path.trim_start_matches("@/"),
            lines,
            code: Some(code),
            is_from_root: path.starts_with("@/"),
        });
    }
    let inner = line.strip_prefix("--8<-- \"")?.strip_suffix('"')?;
    let (path, lines) = inner.split_once(':').unwrap_or((inner, ""));
    Some(Part {
        path,
        lines,
        code: None,
        is_from_root: true,
    })
}

/// `path#name` and `path{2,4}`.
fn with_lines(path: &str) -> (&str, &str) {
    if let Some((path, lines)) = path.split_once('{') {
        return (path.trim(), lines.trim_end_matches('}'));
    }
    path.split_once('#').unwrap_or((path, ""))
}

/// The text of a part, with what it brings in itself.
fn bring(
    part: &Part<'_>,
    page: &Path,
    root: &Path,
    files: &mut Vec<PathBuf>,
    depth: usize,
) -> Result<String, String> {
    let folder = if part.is_from_root {
        root
    } else {
        page.parent().unwrap_or(root)
    };
    let path = folder.join(part.path);
    if Path::new(part.path).is_absolute() {
        return Err(format!(
            "`{}` is an absolute path; write it from this file",
            part.path
        ));
    }
    files.push(path.clone());
    let text = fs::read_to_string(&path).map_err(|error| {
        format!(
            "cannot include `{}`: {error}; write its path from this file",
            part.path
        )
    })?;
    let text = text.replace("\r\n", "\n");
    let chosen =
        choose(&text, part.lines).ok_or_else(|| format!("`{}` has no part `{}`", part.path, part.lines))?;
    if let Some(code) = &part.code {
        let language = path
            .extension()
            .and_then(|ending| ending.to_str())
            .unwrap_or("text");
        // Tildes, so that a title may hold what quotes code.
        let longest = chosen.split(|c| c != '~').map(str::len).max().unwrap_or_default();
        let fence = "~".repeat(longest.max(2) + 1);
        return Ok(format!("{fence}{language}{code}\n{chosen}\n{fence}"));
    }
    if depth == DEEPEST {
        return Err(format!("`{}` is included by a file that it includes", part.path));
    }
    let mut whole = String::with_capacity(chosen.len());
    let mut at = 0;
    while let Some(found) = next(&chosen, at) {
        whole.push_str(&chosen[at..found.start]);
        match &found.kind {
            Kind::Literal(literal) => whole.push_str(literal),
            Kind::Part(inner) => whole.push_str(&bring(inner, &path, root, files, depth + 1)?),
        }
        at = found.end;
    }
    whole.push_str(&chosen[at..]);
    Ok(whole)
}

/// The lines that are asked for: `2`, `2:4`, `:4`, `2,4` or a name. Marks of parts are none of them.
fn choose(text: &str, wanted: &str) -> Option<String> {
    let kept = |lines: &mut dyn Iterator<Item = &str>| {
        let lines: Vec<&str> = lines.filter(|line| !is_mark(line)).collect();
        lines.join("\n").trim_end().to_owned()
    };
    if wanted.is_empty() {
        return Some(kept(&mut text.lines()));
    }
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, ':' | ',' | '-');
    if wanted.chars().all(is_number) {
        let (first, last) = match wanted.split_once([':', ',', '-']) {
            Some((first, last)) => (first, last),
            None => (wanted, wanted),
        };
        let last = last.split([':', ',']).next().unwrap_or_default();
        let first: usize = if first.is_empty() { 1 } else { first.parse().ok()? };
        let last: usize = if last.is_empty() {
            usize::MAX
        } else {
            last.parse().ok()?
        };
        let first = first.max(1);
        let count = (last + usize::from(last < usize::MAX)).saturating_sub(first);
        return Some(kept(&mut text.lines().skip(first - 1).take(count)));
    }
    let is_at = |line: &str, marks: [&str; 3]| {
        marks.iter().any(|mark| {
            line.split_once(mark).is_some_and(|(_, name)| {
                let name = name.trim_start();
                name.strip_prefix(wanted).is_some_and(|rest| {
                    !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-'))
                })
            })
        })
    };
    let lines: Vec<&str> = text.lines().collect();
    let start = lines
        .iter()
        .position(|line| is_at(line, ["ANCHOR:", "#region", "--8<-- [start:"]))?;
    let inner = &lines[start + 1..];
    let end = inner
        .iter()
        .position(|line| is_at(line, ["ANCHOR_END:", "#endregion", "--8<-- [end:"]))
        .unwrap_or(inner.len());
    Some(kept(&mut inner[..end].iter().copied()))
}

fn is_mark(line: &str) -> bool {
    ["ANCHOR:", "ANCHOR_END:", "#region ", "#endregion", "--8<-- ["]
        .iter()
        .any(|mark| line.contains(mark))
}
