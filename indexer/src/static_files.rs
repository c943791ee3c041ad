//! Files that stand on the site under the names that they have: what other programs look for, and what has an address already.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::diagnostic::Diagnostic;
use crate::machines::markdown_file;
use crate::source::{Asset, AssetFrom, ReadError, Source, all_files_below, file_size};

/// The files of a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StaticFiles {
    /// The folder; empty if there is none.
    pub root: PathBuf,
    /// From the folder, and from the root of the site.
    paths: BTreeSet<String>,
    /// Those in folders that the site has itself. They cannot keep their names, and are there as far as pages use them.
    renamed: BTreeSet<String>,
}

/// What the site writes itself, besides its pages.
const OWN_FILES: [&str; 12] = [
    "404.html",
    "_headers",
    "base.html",
    "favicon.svg",
    "feed.xml",
    "index.html",
    "llms-full.txt",
    "llms.txt",
    "manifest.webmanifest",
    "offline.html",
    "search.json",
    "sw.js",
];
const OWN_FOLDERS: [&str; 3] = ["assets", "cards", "fragments"];
/// What systems and programs leave behind.
const NEVER: [&str; 3] = [".DS_Store", ".git", "Thumbs.db"];

impl StaticFiles {
    /// Reads the names of a folder, those that start with a dot too.
    pub fn read(root: &Path) -> Result<Self, ReadError> {
        let paths = all_files_below(root)?;
        let is_wanted = |path: &String| !path.split('/').any(|name| NEVER.contains(&name));
        Ok(Self {
            root: root.to_owned(),
            paths: paths.into_iter().filter(is_wanted).collect(),
            renamed: BTreeSet::new(),
        })
    }

    /// Reads the folder that another generator has for such files. What the site has itself is left out, with a warning unless the site
    /// has it of this folder: the picture of its tab. What lies in its folders has another name where pages use it.
    pub fn read_found(root: &Path, icon: Option<&Path>) -> Result<(Self, Vec<Diagnostic>), ReadError> {
        let mut found = Self::read(root)?;
        found.renamed = found
            .paths
            .extract_if(.., |path| is_in_own_folder(path))
            .collect();
        let left_out: Vec<String> = found.paths.extract_if(.., |path| is_own(path)).collect();
        let is_used = |path: &String| icon == Some(&*root.join(path));
        let missed = left_out.into_iter().filter(|path| !is_used(path));
        let warnings = missed.map(|path| found.left_out(&path)).collect();
        Ok((found, warnings))
    }

    fn left_out(&self, path: &str) -> Diagnostic {
        let message = format!("the site has a file of its own at /{path}; this one is left out");
        Diagnostic::warning(&self.source(path), 0, message)
    }

    /// The file that an address of the site stands for that has another name here.
    pub(crate) fn renamed(&self, address: &str) -> Option<PathBuf> {
        let path = self.renamed.get(address.strip_prefix('/')?)?;
        Some(self.root.join(path))
    }

    /// Those of them that no page uses.
    pub(crate) fn unused(&self, used: &[Asset]) -> Vec<Diagnostic> {
        let used: BTreeSet<&Path> = used
            .iter()
            .filter_map(|asset| match &asset.from {
                AssetFrom::File(from) => Some(from.as_path()),
                AssetFrom::Notebook(_) => None,
            })
            .collect();
        let unused = self
            .renamed
            .iter()
            .filter(|path| !used.contains(&*self.root.join(path)));
        unused.map(|path| self.left_out(path)).collect()
    }

    fn source(&self, path: &str) -> Source {
        Source::new(path, self.root.join(path).to_string_lossy().into_owned(), "")
    }

    /// The files, with where they come from.
    pub fn files(&self) -> impl Iterator<Item = (&str, PathBuf)> {
        self.paths
            .iter()
            .map(|path| (path.as_str(), self.root.join(path)))
    }

    /// Whether there is a file of this path, from the root of the site.
    pub fn contains(&self, path: &str) -> bool {
        self.paths.contains(path)
    }

    /// The file at an address of the site, such as `/img/flow.png`.
    pub(crate) fn at(&self, address: &str) -> Option<Asset> {
        let path = address.strip_prefix('/')?;
        let from = self.contains(path).then(|| self.root.join(path))?;
        Some(Asset {
            size: file_size(&from),
            output: path.to_owned(),
            from: AssetFrom::File(from),
        })
    }

    /// Files that would take the place of one that the site makes: a page of `routes`, or one of its own.
    pub(crate) fn check<'a>(&self, routes: impl Iterator<Item = &'a str>) -> Vec<Diagnostic> {
        let pages: BTreeSet<String> = routes
            .flat_map(|path| {
                let folder = path.trim_matches('/');
                [format!("{folder}/index.html"), markdown_file(path)]
            })
            .collect();
        self.paths
            .iter()
            .filter(|path| is_own(path) || pages.contains(*path))
            .map(|path| {
                let message = format!("the site has a file of its own at /{path}; rename this one");
                Diagnostic::error(&self.source(path), 0, message)
            })
            .collect()
    }
}

/// Whether the site writes a file of this path, besides its pages.
pub(crate) fn is_own(path: &str) -> bool {
    OWN_FILES.contains(&path) || is_in_own_folder(path)
}

fn is_in_own_folder(path: &str) -> bool {
    path.split_once('/')
        .is_some_and(|(folder, _)| OWN_FOLDERS.contains(&folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[&str]) -> (tempfile::TempDir, StaticFiles) {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let file = folder.path().join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, r#"<svg viewBox="0 0 6 4"></svg>"#).unwrap();
        }
        let found = StaticFiles::read(folder.path()).unwrap();
        (folder, found)
    }

    #[test]
    fn all_names_count_but_what_nobody_wants() {
        let (_folder, files) = folder(&[
            ".nojekyll",
            ".well-known/a.txt",
            "CNAME",
            ".git/HEAD",
            "img/.DS_Store",
            "img/a.svg",
        ]);
        let names: Vec<&str> = files.files().map(|(path, _)| path).collect();
        assert_eq!(names, [".nojekyll", ".well-known/a.txt", "CNAME", "img/a.svg"]);
        let asset = files.at("/img/a.svg").unwrap();
        assert_eq!((asset.output.as_str(), asset.size), ("img/a.svg", Some((6, 4))));
        assert_eq!(files.at("img/a.svg"), None, "it has one address");
        assert_eq!(files.at("/img/b.svg"), None);
    }

    #[test]
    fn none_takes_the_place_of_what_the_site_makes() {
        let (_folder, files) = folder(&[
            "sw.js",
            "assets/x.png",
            "docs/guide/index.html",
            "docs/guide.md",
            "docs/other.html",
            "index.md",
            "robots.txt",
        ]);
        let problems = files.check(["/docs/guide", "/docs", "/"].into_iter());
        let named: Vec<String> = problems
            .iter()
            .map(|problem| problem.message.replace("the site has a file of its own at ", ""))
            .collect();
        assert_eq!(
            named,
            [
                "/assets/x.png; rename this one",
                "/docs/guide.md; rename this one",
                "/docs/guide/index.html; rename this one",
                "/index.md; rename this one",
                "/sw.js; rename this one"
            ]
        );
        assert!(problems[0].file.ends_with("assets/x.png"));
    }
}
