//! What an MDX page imports by one name: `import Install from './_install.mdx';`.

use std::collections::HashMap;
use std::ops::Range;

use super::fence;

/// The path of what each name stands for, as the page has it.
pub(super) type Imports<'a> = HashMap<&'a str, String>;

/// All of them in `text`, whose front matter ends at `body_at`.
pub(super) fn imports(text: &str, body_at: usize) -> Imports<'_> {
    if !text[body_at..].contains("import ") {
        return Imports::new();
    }
    let lines = lines_outside_of_code(text, body_at);
    lines.into_iter().filter_map(|line| import(&text[line])).collect()
}

/// Each line with its end.
pub(super) fn lines_outside_of_code(text: &str, body_at: usize) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut open = None;
    let mut at = body_at;
    for line in text[body_at..].split_inclusive('\n') {
        match open {
            Some(opened) if fence::ends(line, opened) => open = None,
            Some(_) => {}
            None => match fence::marks(line) {
                opened @ Some(_) => open = opened,
                None => lines.push(at..at + line.len()),
            },
        }
        at += line.len();
    }
    lines
}

/// The name and the path. Formatters of Markdown write `\_` for `_`.
fn import(line: &str) -> Option<(&str, String)> {
    let (name, path) = line.strip_prefix("import ")?.split_once(" from ")?;
    let name = name.trim();
    let path = path.trim().trim_end_matches(';').trim_end().replace("\\_", "_");
    let path = path
        .strip_prefix('\'')
        .and_then(|path| path.strip_suffix('\''))
        .or_else(|| path.strip_prefix('"')?.strip_suffix('"'))?;
    let is_name = name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name.then(|| (name, path.to_owned()))
}
