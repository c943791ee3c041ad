//! What the shortcode `{{< param "version" >}}` of Hugo stands for: a value of the page, of a folder that it is in, or of the site.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::includes::Roots;
use super::shortcodes;
use crate::fields::{Key, Node, Value};
use crate::front_matter;
use crate::source::ReadError;

/// Where a parameter stands in a text, and its name.
#[derive(Debug, PartialEq)]
pub(super) struct Parameter {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) name: String,
}

/// The first one behind `from`.
pub(super) fn next(text: &str, from: usize) -> Option<Parameter> {
    text[from..].match_indices("{{").find_map(|(at, _)| {
        let start = from + at;
        let (length, shortcode) = shortcodes::shortcode(&text[start..])?;
        let name = shortcode.at(0).filter(|_| shortcode.name == "param")?;
        Some(Parameter {
            start,
            end: start + length,
            name: name.to_owned(),
        })
    })
}

/// The value of a parameter for the page `file` with this text, if somebody gives it one. `asked` are the files that say something else another time.
pub(super) fn value(
    name: &str,
    text: &str,
    file: &Path,
    roots: Roots<'_>,
    asked: &mut Vec<PathBuf>,
) -> Result<Option<String>, ReadError> {
    let own = front_matter::all_keys(text);
    if let Some(value) = in_table(&own, name) {
        return Ok(Some(value));
    }
    let folders = file
        .ancestors()
        .skip(1)
        .take_while(|folder| folder.starts_with(roots.content));
    for folder in folders {
        let index = folder.join("_index.md");
        asked.push(index.clone());
        let text = match fs::read_to_string(&index) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(ReadError { path: index, error }),
        };
        let keys = front_matter::all_keys(&text);
        let cascades = keys.iter().filter(|(key, _)| key.name == "cascade");
        let mut value = cascades.filter_map(|(_, node)| match &node.value {
            Value::Table(table) => of_all_pages(table, name),
            Value::List(list) => list.iter().find_map(|node| match &node.value {
                Value::Table(table) => of_all_pages(table, name),
                _ => None,
            }),
            _ => None,
        });
        if let Some(value) = value.next() {
            return Ok(Some(value));
        }
    }
    let of_site = roots.origin.parameters.iter();
    Ok(of_site
        .filter(|(key, _)| key.eq_ignore_ascii_case(name))
        .map(|(_, value)| value.clone())
        .next())
}

/// What a folder says about the pages below it, unless it is about some of them.
fn of_all_pages(table: &[(Key, Node)], name: &str) -> Option<String> {
    let is_of_some = table
        .iter()
        .any(|(key, _)| matches!(key.name.as_str(), "target" | "_target"));
    in_table(table, name).filter(|_| !is_of_some)
}

/// Keys of a page may also stand below `params`.
fn in_table(table: &[(Key, Node)], name: &str) -> Option<String> {
    let of_name = |wanted: &str| {
        table
            .iter()
            .find(|(key, _)| key.name.eq_ignore_ascii_case(wanted))
    };
    match (of_name(name).map(|(_, node)| &node.value), of_name("params")) {
        (Some(Value::String(text)), _) => Some(text.clone()),
        (Some(Value::Boolean(truth)), _) => Some(truth.to_string()),
        (
            _,
            Some((
                _,
                Node {
                    value: Value::Table(inner),
                    ..
                },
            )),
        ) => in_table(inner, name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Origin;

    #[test]
    fn parameters_are_found_in_a_text() {
        let text =
            "é {{< params a >}} {{< param \"b c\" >}} {{</* param d */>}} {{% param e %}} {{< param >}}";
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(parameter) = next(text, at) {
            at = parameter.end;
            found.push((&text[parameter.start..parameter.end], parameter.name));
        }
        assert_eq!(
            found,
            [
                ("{{< param \"b c\" >}}", "b c".to_owned()),
                ("{{% param e %}}", "e".to_owned())
            ]
        );
    }

    #[test]
    fn the_nearest_value_counts() {
        let folder = tempfile::tempdir().unwrap();
        let content = folder.path().join("content");
        let write = |path: &str, text: &str| {
            let file = content.join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        write("../_index.md", "---\ncascade: {outside: 0}\n---\n");
        write(
            "_index.md",
            "---\ntop: 1\ncascade:\n  - target: {path: /x}\n    b: 2\n  - b: 3\n    c: 4\n---\n",
        );
        write(
            "docs/_index.md",
            "+++\n[cascade]\nc = '5'\ntarget = 'all'\n[cascade.params]\nd = '6'\n+++\n",
        );
        write(
            "docs/in/_index.md",
            "---\naliases: [\n  '/a',\n]\ncascade: {b: 7}\n---\n",
        );
        let origin = Origin {
            parameters: [("E".to_owned(), "8".to_owned()), ("b".to_owned(), "9".to_owned())].into(),
            ..Origin::default()
        };
        let roots = Roots {
            content: &content,
            origin: &origin,
        };
        let mut asked = Vec::new();
        let mut value = |name, page| {
            let text = "---\na: own\nparams:\n  f: also\n---\n";
            super::value(name, text, &content.join(page), roots, &mut asked).unwrap()
        };
        for (name, expected) in [
            ("a", Some("own")),
            ("f", Some("also")),
            ("b", Some("3")),
            ("c", Some("4")),
            ("d", None),
            ("e", Some("8")),
            ("top", None),
            ("outside", None),
        ] {
            assert_eq!(value(name, "docs/page.md").as_deref(), expected, "{name}");
        }
        assert_eq!(value("b", "docs/in/page.md").as_deref(), Some("7"));
        let last = &asked[asked.len() - 1..];
        assert_eq!(last, [content.join("docs/in/_index.md")]);
    }
}
