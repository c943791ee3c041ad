//! What the tabs of Docusaurus are called where a file of JavaScript says so:
//!
//! ```text
//! import constants from '@site/core/TabsConstants';
//!
//! <Tabs values={constants.platforms} defaultValue={constants.defaultPlatform}>
//! ```
//!
//! The name gives way to what it stands for, as the page could have written it itself.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::expressions;
use super::imports::lines_outside_of_code;
use super::includes::Roots;
use super::mdx;
use crate::javascript::{Modules, Script};
use crate::source::Source;

const ATTRIBUTES: [&str; 2] = ["values", "defaultValue"];

/// The programs in tags of tabs that stand for something in another file, in order, each with what it stands for. `asked` are the files that
/// say something else another time.
pub(super) fn written_out(
    text: &str,
    page: &Path,
    roots: Roots<'_>,
    asked: &mut Vec<PathBuf>,
    missing: &mut Vec<(usize, String)>,
) -> Vec<(Range<usize>, String)> {
    let programs = programs(text);
    if programs.is_empty() {
        return Vec::new();
    }
    let imports = module_of(text, &programs);
    let folder = page.parent().unwrap_or(roots.content);
    let (modules, files, unread) = Modules::of_text(imports, folder, |path| {
        let below = roots.origin.named(path)?;
        Some((roots.origin.site.clone(), format!("./{below}")))
    });
    asked.extend(files);
    missing.extend(unread.map(|error| (programs[0].0.start, error.to_string())));
    let script = Script::parse(&modules);
    let names = script.names();
    let Some(stands_for) = names.exported().and_then(|exported| exported.items()) else {
        return Vec::new();
    };
    let found = programs.into_iter().zip(stands_for);
    let written = found.filter_map(|((place, program), root)| {
        let keys = program.split('.').skip(1);
        let value = keys.map(str::trim).try_fold(root, |value, key| value.get(key))?;
        if let Some(text) = value.text().filter(|text| is_plain(text)) {
            return Some((place, format!("\"{text}\"")));
        }
        let tabs = value.objects().into_iter().filter_map(|tab| {
            let [value, label] = ["value", "label"].map(|key| tab.text_of(key).filter(|text| is_plain(text)));
            Some(format!("{{value: \"{}\", label: \"{}\"}}", value?, label?))
        });
        let tabs: Vec<String> = tabs.collect();
        (!tabs.is_empty()).then(|| (place, format!("{{[{}]}}", tabs.join(", "))))
    });
    written.collect()
}

/// The values in tags that are names, `{constants.platforms}`; of a call, as far as it names what is called.
fn programs(text: &str) -> Vec<(Range<usize>, &str)> {
    let mut found = Vec::new();
    let has_modules = ["import", "export"].iter().any(|word| text.contains(word));
    if !has_modules || !text.contains("<Tabs") {
        return found;
    }
    mdx::tags_outside_of_code(text, |at| {
        let (length, tag) = mdx::tag(&text[at..])?;
        let attributes_at = at + length - 1 - tag.attributes.len();
        if tag.name == "Tabs" && !tag.is_end {
            for (name, value) in expressions::attributes(tag.attributes) {
                let program = expressions::program(&tag.attributes[value.clone()]);
                let named = program.filter(|_| ATTRIBUTES.contains(&name)).and_then(named);
                let place = attributes_at + value.start..attributes_at + value.end;
                found.extend(named.map(|named| (place, named)));
            }
        }
        Some(length)
    });
    found
}

/// The names that a program begins with.
fn named(program: &str) -> Option<&str> {
    let named = program.split('(').next().unwrap_or_default().trim();
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '$'))
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'))
    };
    named.split('.').all(is_name).then_some(named)
}

/// The modules of a page, as a file that exports what the programs begin with.
fn module_of(text: &str, programs: &[(Range<usize>, &str)]) -> Source {
    let roots = programs
        .iter()
        .map(|(_, program)| program.split('.').next().unwrap_or_default());
    let roots: Vec<&str> = roots.collect();
    let mut module = String::new();
    let mut behind = 0;
    for line in lines_outside_of_code(text, 0) {
        let words = ["import", "export const "];
        let is_module = words.iter().any(|word| text[line.clone()].starts_with(word));
        if is_module && line.start >= behind {
            let statements = text[line.start..].split("\n\n").next().unwrap_or_default();
            module.push_str(statements);
            module.push('\n');
            behind = line.start + statements.len();
        }
    }
    module.push_str(&format!("export default [{}];\n", roots.join(", ")));
    Source::new("page.tsx", "page.tsx", &module)
}

/// Whether a text can stand between quotes as it is.
fn is_plain(text: &str) -> bool {
    !text.contains(['"', '\\', '\n', '{', '}'])
}
