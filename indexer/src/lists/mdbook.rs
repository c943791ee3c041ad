//! `book.toml` of mdBook, as far as it says what a book is called, and the picture of its tab. The order of its pages stands in
//! `SUMMARY.md`.

use std::path::Path;

use super::{Found, bar};
use crate::brand::Pictures;
use crate::config::Origin;
use crate::diagnostic::Diagnostic;
use crate::redirects::Moved;
use crate::source::{ReadError, Source, joined_path, read_file};

pub(super) const FILES: [&str; 1] = ["book.toml"];
/// In the folder of a theme.
const ICONS: [&str; 2] = ["favicon.svg", "favicon.png"];

pub(super) fn find(content: &Path) -> Result<Option<(Found, Vec<Diagnostic>)>, ReadError> {
    for file in super::above(content, &FILES)? {
        let (source, mut problems) = read_file(&file)?;
        let folder = file.parent().unwrap_or(Path::new(""));
        let table = match super::toml(&source) {
            Ok(table) => table,
            Err(problem) => {
                problems.push(problem);
                return Ok(Some((Found::default(), problems)));
            }
        };
        let text = |path: &[&str]| {
            let (first, rest) = path.split_first()?;
            let value = rest
                .iter()
                .try_fold(table.get(*first)?, |value, key| value.get(key))?;
            value.as_str()
        };
        let pages = text(&["book", "src"]).unwrap_or("src");
        if !super::is_same_folder(&folder.join(pages), content) {
            continue;
        }
        let theme = folder.join(text(&["output", "html", "theme"]).unwrap_or("theme"));
        let code = text(&["output", "html", "git-repository-url"]).and_then(bar::code);
        let template = text(&["output", "html", "edit-url-template"]);
        let edit_url = template.and_then(|template| template.strip_suffix("{path}"));
        let redirects = redirects_of(&table, &source);
        let found = Found {
            title: text(&["book", "title"]).map(str::to_owned),
            language: text(&["book", "language"]).map(str::to_owned),
            pictures: Pictures {
                favicon: super::usual_picture(&theme, &ICONS, &source)?,
                ..Pictures::default()
            },
            files: vec![file],
            edit_url: edit_url.map(|before| bar::folder_of_edit_links(before, pages)),
            origin: Origin {
                navbar: code.into_iter().collect(),
                redirects,
                ..Origin::default()
            },
            ..Found::default()
        };
        return Ok(Some((found, problems)));
    }
    Ok(None)
}

/// The table `[output.html.redirect]`. What it leads to is named from the old address, as a browser does.
fn redirects_of(table: &toml::Table, source: &Source) -> Vec<Moved> {
    let options = table
        .get("output")
        .and_then(|output| output.get("html")?.get("redirect")?.as_table());
    let redirects = options.into_iter().flatten().filter_map(|(from, to)| {
        let to = to.as_str()?;
        let from = from.trim_start_matches('/');
        let is_whole = to.contains("://") || to.starts_with('/');
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        let joined = joined_path(folder, to).filter(|_| !is_whole);
        let to = joined.map_or_else(|| to.to_owned(), |path| format!("/{path}"));
        // The table has no places.
        let at = source.text.find(from).unwrap_or_default();
        Some(Moved::new(from, &to, (source, at)))
    });
    redirects.collect()
}
