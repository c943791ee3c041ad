//! What an MDX page imports by one name: `import Install from './_install.mdx';`.

use std::collections::HashMap;
use std::ops::Range;

use super::fence;

/// The path of what each name stands for, as the page has it.
pub(super) type Imports<'a> = HashMap<&'a str, String>;

/// All of them in `text`, whose front matter ends at `body_at`.
pub(super) fn imports(text: &str, body_at: usize) -> Imports<'_> {
    let mut imports = Imports::new();
    if !text[body_at..].contains("import") {
        return imports;
    }
    let mut behind = body_at;
    for line in lines_outside_of_code(text, body_at) {
        let mut at = line.start;
        // One may go on over several lines, and be followed by others in its last line.
        while at >= behind
            && let Some((length, import)) = import(&text[at..])
        {
            imports.extend(import);
            at += length;
            behind = at;
        }
    }
    imports
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

/// The import at the start of a text, with the space behind it: its length, and its name and path if it has one name for all of a file.
/// Formatters of Markdown write `\_` for `_`.
fn import(text: &str) -> Option<(usize, Option<(&str, String)>)> {
    let inner = text.strip_prefix("import")?;
    let names_length = inner.find(['"', '\''])?;
    let (names, from) = inner.split_at(names_length);
    let is_names = |c: char| c.is_alphanumeric() || c.is_whitespace() || "_${},*".contains(c);
    if !names.starts_with([' ', '\n', '{']) || names.contains("\n\n") || !names.chars().all(is_names) {
        return None;
    }
    let quote = &from[..1];
    let (path, behind) = from[1..]
        .split_once(quote)
        .filter(|(path, _)| !path.contains('\n'))?;
    let behind = behind.trim_start_matches([' ', ';']);
    let name = names
        .trim()
        .strip_suffix("from")
        .map(|names| names.split(',').next().unwrap_or(names).trim());
    let is_name = |name: &&str| {
        let mut bytes = name.bytes();
        !name.is_empty() && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let import = name.filter(is_name).map(|name| (name, path.replace("\\_", "_")));
    Some((text.len() - behind.len(), import))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_found_wherever_their_lines_end() {
        let text = "import A from './a.md'; import B from \"./\\_b.md\";import C from './c.md'\nimport\nD from './d.md'\n\
                    import E, {\n  f,\n} from\n  './e'\nimport { G } from './g'; import * as h from 'h'; import 'i.css'; import J from './j'\n\
                    Text. import K from './k'\nimport it's b\nimportL from './l'\nimport M\n\nfrom './m'\n\n```js\nimport N from './n'\n```\n\
                    import things with \"O\" from 'P'\nimport Q from './q";
        let found = imports(text, 0);
        let mut found: Vec<_> = found
            .iter()
            .map(|(name, path)| format!("{name} {path}"))
            .collect();
        found.sort();
        assert_eq!(
            found,
            ["A ./a.md", "B ./_b.md", "C ./c.md", "D ./d.md", "E ./e", "J ./j"]
        );
    }
}
