//! Markdown files that an MDX page imports and shows as components, as in Docusaurus and Starlight, and files that Fumadocs includes:
//!
//! ```text
//! import Install from './_install.mdx';
//!
//! <Install />
//!
//! <include cwd lang="ts" meta='title="a.ts"'>src/a.ts#region</include>
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
    /// How Fumadocs includes it, if it does.
    pub(super) include: Option<Include>,
}

/// The attributes of `<include>`.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Include {
    /// The path begins in the folder of the program.
    pub(super) is_from_program: bool,
    /// It is code, whatever it is, in this language.
    pub(super) language: Option<String>,
    /// What stands behind the language.
    pub(super) info: String,
}

/// The tags of such components in a text, in order.
pub(super) fn tags(text: &str, body_at: usize, is_fumadocs: bool) -> Vec<PartialTag> {
    let mut found = Vec::new();
    let mut imports = imports(text, body_at);
    imports.retain(|_, path| is_markdown(path));
    let has_includes = is_fumadocs && text[body_at..].contains("<include");
    if imports.is_empty() && !has_includes {
        return found;
    }
    let mut behind = body_at;
    for line in lines_outside_of_code(text, body_at) {
        let mut at = line.start.max(behind);
        while at < line.end {
            let rest = &text[at..];
            let length = match rest.as_bytes()[0] {
                b'`' => mdx::code_length(rest),
                b'<' if has_includes && let Some((length, path, include)) = include(rest) => {
                    found.push(PartialTag {
                        range: at..at + length,
                        path,
                        include: Some(include),
                    });
                    Some(length)
                }
                b'<' => tag(rest, &imports).map(|(length, path)| {
                    found.push(PartialTag {
                        range: at..at + length,
                        path: path.to_owned(),
                        include: None,
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

/// An `<include>` at the start of a text, with its end.
fn include(text: &str) -> Option<(usize, String, Include)> {
    let (length, tag) = mdx::any_tag(text).filter(|(_, tag)| !tag.is_end && tag.name == "include")?;
    // Up to the next tag, not to an end that may be far away.
    let inner = text[length..].split('<').next().unwrap_or_default();
    if !text[length + inner.len()..].starts_with(INCLUDE_END) {
        return None;
    }
    let path = inner.trim();
    let include = Include {
        is_from_program: tag.is_set("cwd"),
        language: tag.value(&["lang"]).map(str::to_owned),
        info: tag
            .value(&["meta"])
            .map_or_else(String::new, |meta| format!(" {meta}")),
    };
    let is_path = !path.is_empty() && !path.contains('\n');
    is_path.then(|| (length + inner.len() + INCLUDE_END.len(), path.to_owned(), include))
}

const INCLUDE_END: &str = "</include>";

pub(super) fn is_markdown(path: &str) -> bool {
    path.ends_with(".md") || path.ends_with(".mdx")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str)]) {
        let found = tags(text, 0, true);
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

    #[test]
    fn an_include_is_found_with_what_it_says() {
        check(
            "<include>./a.mdx#b</include> `<include>x.md</include>` <include cwd\n  meta='title=\"x\"'>\n  ../c.ts\n</include>",
            &[
                ("<include>./a.mdx#b</include>", "./a.mdx#b"),
                (
                    "<include cwd\n  meta='title=\"x\"'>\n  ../c.ts\n</include>",
                    "../c.ts",
                ),
            ],
        );
        check(
            "<include>a.md <include></include> <include/> <include>a\nb</include>",
            &[],
        );
        let found = tags(
            "<include cwd lang=\"md\" meta='title=\"x\"'>a.md</include>",
            0,
            true,
        );
        let expected = Include {
            is_from_program: true,
            language: Some("md".to_owned()),
            info: " title=\"x\"".to_owned(),
        };
        assert_eq!(found[0].include.as_ref(), Some(&expected));
        assert_eq!(tags("<include>a.md</include>", 0, false), []);
    }
}
