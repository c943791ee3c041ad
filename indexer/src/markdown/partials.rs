//! Markdown files that an MDX page imports and shows as components, as in Docusaurus and Starlight:
//!
//! ```text
//! import Install from './_install.mdx';
//!
//! <Install />
//! ```

use std::ops::Range;

use super::imports::{Imports, imports, lines_outside_of_code};
use super::mdx;

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
    let mut imports = imports(text, body_at);
    imports.retain(|_, path| path.ends_with(".md") || path.ends_with(".mdx"));
    if imports.is_empty() {
        return found;
    }
    let mut behind = body_at;
    for line in lines_outside_of_code(text, body_at) {
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

/// The tag at the start of a text, with its end, and the path of the file that it stands for.
fn tag<'a>(text: &str, imports: &'a Imports<'_>) -> Option<(usize, &'a str)> {
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
