//! `mkdocs.yml`, as far as it says what a site is called and looks like, and in which order its pages are. What extensions and plug-ins write into
//! such a file need not be YAML that anybody else can read, so the rest of it is not looked at.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Format, Found, HIGHEST, List, Translations, bar, jekyll};
use crate::brand::Pictures;
use crate::config::{Generator, Origin, Templates};
use crate::diagnostic::{Diagnostic, Severity};
use crate::languages::Language;
use crate::markdown::slug::HeadingIds;
use crate::redirects::Moved;
use crate::routes::path_below_prefix;
use crate::source::translated::{From, Translated};
use crate::source::{ReadError, Source, is_file, read_file};
use crate::yaml::{self, Value, Yaml};

pub(super) const FILES: [&str; 2] = ["mkdocs.yml", "mkdocs.yaml"];

/// The file of a content folder: one above it whose `docs_dir` is this folder. What is wrong with it is told with it.
pub(super) fn find(content: &Path) -> Result<Option<(Found, Vec<Diagnostic>)>, ReadError> {
    for folder in content.ancestors().skip(1).take(HIGHEST) {
        for name in FILES {
            let file = folder.join(name);
            if !is_file(&file)? {
                continue;
            }
            let (mut source, mut problems) = read_file(&file)?;
            // Its paths start in the content folder.
            source.path = name.to_owned();
            // Before the list is looked at: another folder's may be wrong.
            let (docs_dir, found) = text(&source, "docs_dir");
            problems.extend(found);
            let docs = folder.join(docs_dir.as_deref().unwrap_or("docs"));
            if docs.canonicalize().ok() != content.canonicalize().ok() {
                continue;
            }
            let (site_name, found) = text(&source, "site_name");
            problems.extend(found);
            let is_empty = nav(&source).is_ok_and(|nav| nav.value == Value::Null);
            let (theme, found) = theme(&source);
            problems.extend(found);
            let has_autorefs = has_plugin(&source.text, &["autorefs", "mkdocstrings"]);
            let included_from = snippet_folders(&source.text);
            let has_notebooks = has_plugin(&source.text, &["mkdocs-jupyter"]);
            let language = theme.as_ref().and_then(|theme| theme.get("language")?.as_text());
            let i18n = I18n::read(&source);
            let (repository, found) = text(&source, "repo_url");
            problems.extend(found);
            let (edit_path, found) = text(&source, "edit_uri");
            problems.extend(found);
            // Without it the branch is a guess.
            let edit_url = edit_path.filter(|path| !path.is_empty()).and_then(|path| {
                if path.contains("://") {
                    return Some(bar::folder_of_edit_links(&path, ""));
                }
                Some(bar::folder_of_edit_links(repository.as_deref()?, &path))
            });
            let code = repository.as_deref().and_then(bar::code);
            let redirects = redirects_of(&source);
            let templates = templates(&source.text);
            let parameters = match templates.has_values {
                true => parameters(&source, &mut problems),
                false => BTreeMap::new(),
            };
            let found = Found {
                title: site_name,
                language: i18n.first.or_else(|| language.map(str::to_owned)),
                languages: i18n.languages,
                translated: i18n.translated,
                titles: i18n.titles,
                pictures: pictures(theme.as_ref(), &source, content)?,
                list: (!is_empty).then(|| List::new(Format::MkDocs, source)),
                files: vec![file],
                edit_url,
                heading_ids: Some(HeadingIds::MkDocs),
                notebooks: Some(has_notebooks),
                origin: Origin {
                    generator: Some(Generator::MkDocs),
                    site: folder.to_owned(),
                    pages: String::new(),
                    included_from,
                    has_autorefs,
                    templates,
                    parameters,
                    navbar: code.into_iter().collect(),
                    redirects,
                    ..Origin::default()
                },
                ..Found::default()
            };
            return Ok(Some((found, problems)));
        }
    }
    Ok(None)
}

/// The theme. One that need not be YAML for anybody else is left out, and said so.
fn theme(source: &Source) -> (Option<Yaml>, Vec<Diagnostic>) {
    let problems = match yaml::value(source, "theme") {
        Ok(theme) => return (Some(theme), Vec::new()),
        Err(problems) => problems,
    };
    let problems = problems.into_iter().map(|problem| Diagnostic {
        severity: Severity::Warning,
        message: format!("the theme is left out: {}", problem.message),
        ..problem
    });
    (None, problems.collect())
}

/// The pictures of a theme, whose paths start in the content folder.
fn pictures(theme: Option<&Yaml>, source: &Source, content: &Path) -> Result<Pictures, ReadError> {
    let named = |key: &str| {
        let name = theme?.get(key)?;
        super::named_picture(name.as_text()?, content, source, name.at)
    };
    let favicon = match named("favicon") {
        None => super::usual_picture(content, &["img/favicon.ico"], source)?,
        named => named,
    };
    Ok(Pictures {
        logo: named("logo"),
        favicon,
        ..Pictures::default()
    })
}

/// The `redirect_maps` of mkdocs-redirects: files that were there, with those that are there now. Beside them stands what need not be
/// YAML for anybody else, so they are read from their lines alone.
fn redirects_of(source: &Source) -> Vec<Moved> {
    const KEY: &str = "redirect_maps:";
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut lines = source.text.split_inclusive('\n');
    let mut before = 0;
    let mut line_at = |lines: &mut std::str::SplitInclusive<'_, char>| {
        let at = before;
        before += lines.clone().next().map_or(0, str::len);
        at
    };
    let mut redirects = Vec::new();
    let mut key_indent = None;
    loop {
        let at = line_at(&mut lines);
        let Some(line) = lines.next() else { break };
        let text = line.trim();
        let Some(outer) = key_indent else {
            if text.trim_start_matches(['-', ' ']).starts_with(KEY) {
                key_indent = Some(indent(line));
            }
            continue;
        };
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        if indent(line) <= outer {
            break;
        }
        if let Some((from, to)) = text.split_once(": ") {
            let [from, to] = [from, without_comment(to)].map(|name| name.trim().trim_matches(['"', '\'']));
            let address = match path_below_prefix(from, false) {
                path if path.is_empty() => String::new(),
                path => format!("{path}/"),
            };
            redirects.push(Moved::new(&address, to, (source, at + indent(line))));
        }
    }
    redirects
}

fn without_comment(line: &str) -> &str {
    line.split(" #").next().unwrap_or_default().trim()
}

/// The `base_path` of `pymdownx.snippets`: one folder or a list of them. Beside it stands what need not be YAML for anybody else.
fn snippet_folders(text: &str) -> Vec<String> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let is_extension = |line: &&str| {
        line.trim_start_matches([' ', '-'])
            .starts_with("pymdownx.snippets:")
    };
    let Some(extension) = lines.find(is_extension) else {
        return Vec::new();
    };
    let mut options = lines.take_while(|line| indent(line) > indent(extension));
    let Some(written) = options.find_map(|line| line.trim().strip_prefix("base_path:")) else {
        return Vec::new();
    };
    let in_line = without_comment(written).trim_matches(['[', ']']).split(',');
    let below = options.map_while(|line| line.trim().strip_prefix('-'));
    let folders = in_line
        .chain(below)
        .map(|folder| without_comment(folder).trim_matches(['"', '\'']).to_owned());
    // `!relative $docs_dir` is the content folder, where files are looked for as well.
    folders
        .filter(|folder| !folder.is_empty() && !folder.starts_with('!'))
        .collect()
}

/// Whether one of these plug-ins is used. What is written beside them need not be YAML that anybody else can read.
fn has_plugin(text: &str, names: &[&str]) -> bool {
    let mut lines = text.lines().map(|line| line.trim_start_matches([' ', '-']));
    lines.any(|line| {
        let name = line.split([':', '#']).next().unwrap_or_default().trim();
        names.contains(&name.trim_matches(['"', '\'']))
    })
}

/// The plug-ins that put something into pages, where their tags are written as usual.
fn templates(text: &str) -> Templates {
    let has_key = |keys: &[&str]| {
        let mut lines = text.lines().map(str::trim_start);
        lines.any(|line| keys.iter().any(|key| line.starts_with(key)))
    };
    let has_own_values = has_key(&["j2_", "render_by_default: false"]);
    let has_own_files = has_key(&["opening_tag", "closing_tag"]);
    Templates {
        has_values: has_plugin(text, &["macros"]) && !has_own_values,
        has_files: has_plugin(text, &["include-markdown"]) && !has_own_files,
    }
}

/// What pages can show of the configuration by mkdocs-macros: all that stands below `extra`, and some of the rest.
fn parameters(source: &Source, problems: &mut Vec<Diagnostic>) -> BTreeMap<String, String> {
    const KEYS: [&str; 6] = [
        "copyright",
        "repo_name",
        "repo_url",
        "site_description",
        "site_name",
        "site_url",
    ];
    let mut parameters = BTreeMap::new();
    for key in KEYS {
        if let (Some(value), _) = text(source, key) {
            parameters.insert(format!("config.{key}"), value);
        }
    }
    match yaml::value(source, "extra") {
        Ok(extra) => {
            for (key, value) in jekyll::parameters("", &extra) {
                parameters.insert(format!("config.extra.{key}"), value.clone());
                parameters.insert(key, value);
            }
        }
        Err(wrong) => problems.extend(wrong.into_iter().map(|problem| Diagnostic {
            severity: Severity::Warning,
            message: format!("`extra` is left out: {}", problem.message),
            ..problem
        })),
    }
    parameters
}

/// The languages of `mkdocs-static-i18n`.
#[derive(Default)]
struct I18n {
    first: Option<String>,
    languages: Vec<Language>,
    translated: Vec<Translated>,
    titles: Translations,
}

impl I18n {
    fn read(source: &Source) -> Self {
        const NAME: &str = "i18n";
        let Ok(plugins) = yaml::value(source, "plugins") else {
            return Self::default();
        };
        let mut listed = plugins.items().iter();
        let options = listed
            .find_map(|plugin| plugin.get(NAME))
            .or_else(|| plugins.get(NAME));
        let mut i18n = Self::default();
        if let Some(options) = options {
            for language in options.list("languages") {
                if let Some(name) = language.text("locale") {
                    i18n.add(options, name, language, language.is_true("default"));
                }
            }
            // As it was before its version 1.
            let first = options.text("default_language").unwrap_or_default();
            for entry in options.table("languages") {
                i18n.add(options, &entry.key, &entry.value, entry.key == first);
            }
        }
        i18n
    }

    fn add(&mut self, options: &Yaml, name: &str, language: &Yaml, is_first: bool) {
        let tag = super::tag(name);
        let from = match options.text("docs_structure") {
            Some("folder") => From::Inside(name.to_owned()),
            _ => From::Ending(name.to_owned()),
        };
        let folder = if is_first { "" } else { name };
        self.translated.push(Translated {
            folder: folder.to_owned(),
            from,
        });
        if is_first {
            self.first = Some(tag);
            return;
        }
        for entry in language.table("nav_translations") {
            if let Some(title) = entry.value.as_text() {
                let own = self.titles.entry(entry.key.clone()).or_default();
                own.insert(tag.clone(), title.to_owned());
            }
        }
        let label = language.text("name").or_else(|| language.as_text());
        self.languages.push(Language {
            label: label.map(str::to_owned),
            title: language.text("site_name").map(str::to_owned),
            comes_first: true,
            ..super::language(tag, name)
        });
    }
}

/// The list of the pages; nothing where there is none.
pub(crate) fn nav(source: &Source) -> Result<Yaml, Vec<Diagnostic>> {
    let nav = yaml::value(source, "nav")?;
    match nav.value {
        Value::List(_) | Value::Null => Ok(nav),
        _ => {
            let message = format!("`nav` is a list of pages, not {}", nav.kind());
            Err(vec![Diagnostic::error(source, nav.at, message)])
        }
    }
}

/// The text of a key, and what is wrong with it.
pub(super) fn text(source: &Source, key: &str) -> (Option<String>, Vec<Diagnostic>) {
    match yaml::value(source, key) {
        Ok(found) => (found.as_text().map(str::to_owned), Vec::new()),
        Err(problems) => (None, problems),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snippets_may_come_from_folders() {
        for (written, expected) in [
            ("base_path: [\".\", 'docs/a']  # x", &[".", "docs/a"][..]),
            ("check_paths: true\n      base_path: docs # x", &["docs"]),
            (
                "base_path:\n        - docs\n\n        - !relative $docs_dir\n        - \"b\"\n      check: true",
                &["docs", "b"],
            ),
            (
                "base_path:\n      - docs\n  - other:\n      base_path: no",
                &["docs"],
            ),
            ("check_paths: true\n  - other:\n      base_path: no", &[]),
        ] {
            let text = format!(
                "markdown_extensions:\n  - a: !!python/name:b\n  - pymdownx.snippets:\n      {written}\nnav:\n"
            );
            assert_eq!(snippet_folders(&text), expected, "{text}");
        }
        assert_eq!(
            snippet_folders("markdown_extensions:\n- pymdownx.snippets\n"),
            [""; 0]
        );
    }
}
