//! Markdown files that an MDX page imports and shows as components, as in Docusaurus and Starlight:
//!
//! ```text
//! import Install from './_install.mdx';
//!
//! <Install />
//! ```

use std::collections::HashMap;
use std::ops::Range;

use super::{fence, mdx};

/// The tag of a component that is a file.
#[derive(Debug, PartialEq)]
pub(super) struct PartialTag {
    /// With what stands between it and its end.
    pub(super) range: Range<usize>,
    /// The path of the file, as the page has it.
    pub(super) path: String,
}

/// The tags of such components in a text, in order.
pub(super) fn tags(text: &str, body_at: usize) -> Vec<PartialTag> {
    let mut found = Vec::new();
    if !text[body_at..].contains("import ") {
        return found;
    }
    let lines = lines_outside_of_code(text, body_at);
    let imports: HashMap<&str, String> = lines
        .iter()
        .filter_map(|range| import(&text[range.clone()]))
        .collect();
    if imports.is_empty() {
        return found;
    }
    let mut behind = body_at;
    for line in lines {
        let mut at = line.start.max(behind);
        while at < line.end {
            let rest = &text[at..];
            let length = match rest.as_bytes()[0] {
                b'`' => mdx::code_length(rest),
                b'<' => tag(rest, &imports).map(|(length, path)| {
                    found.push(PartialTag {
                        range: at..at + length,
                        path: path.to_owned(),
                    });
                    length
                }),
                _ => None,
            };
            at += length.unwrap_or_else(|| rest.chars().next().map_or(1, char::len_utf8));
        }
        behind = at;
    }
    found
}

fn lines_outside_of_code(text: &str, body_at: usize) -> Vec<Range<usize>> {
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

/// `import Name from './file.mdx'`: the name and the path. Formatters of Markdown write `\_` for `_`.
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
    let is_markdown = path.ends_with(".md") || path.ends_with(".mdx");
    (is_name && is_markdown).then(|| (name, path.to_owned()))
}

/// The tag at the start of a text, with its end, and the path of the file that it stands for.
fn tag<'a>(text: &str, imports: &'a HashMap<&str, String>) -> Option<(usize, &'a str)> {
    let (length, tag) = mdx::tag(text).filter(|(_, tag)| !tag.is_end)?;
    let path = imports.get(tag.name)?;
    if tag.attributes.ends_with('/') {
        return Some((length, path));
    }
    let end = format!("</{}>", tag.name);
    let inner = text[length..].find(&end)?;
    Some((length + inner + end.len(), path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str)]) {
        let found = tags(text, 0);
        let found: Vec<(&str, &str)> = found
            .iter()
            .map(|tag| (&text[tag.range.clone()], tag.path.as_str()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_component_that_is_a_file_is_found_outside_of_code() {
        let import = "import A from './_a.mdx';\nimport B from \"../\\_b.md\"\nimport C from './c';\nimport { D } from './d.mdx';\n\n";
        check(&format!("{import}<A />"), &[("<A />", "./_a.mdx")]);
        check(
            &format!("{import}x <B\n  of=\"x\"\n/> y <A>é</A>\n<C /> <D />\n"),
            &[("<B\n  of=\"x\"\n/>", "../_b.md"), ("<A>é</A>", "./_a.mdx")],
        );
        check(
            &format!("{import}`<A />` ``<A /> ` ``\n```jsx\n<A />\n```\n"),
            &[],
        );
        check(&format!("{import}</A> x </A> <A> <Ab />"), &[]);
        check("```js\nimport A from './_a.mdx'\n```\n<A />", &[]);
        check("<A />", &[]);
    }
}
