//! Where other generators have the pages of a language, if not in a folder of its own that addresses show: in files whose names end with
//! it (`start.fr.md`), in a folder that addresses leave out, or beside the content folder. Each is read as if it was in the folder of its
//! language; what its links name is also looked for among the files of the first language.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::{Files, Folder, KnownFolder, ReadError, Source, joined_path};
use crate::diagnostic::Diagnostic;

/// Where a generator has the pages of a language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translated {
    /// The folder that they are read as being in; empty for that of the content.
    pub folder: String,
    /// Where they are.
    pub from: From,
}

/// Where files are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum From {
    /// Anywhere; their names end with this: `start.fr.md`.
    Ending(String),
    /// In a folder of the content.
    Inside(String),
    /// In a folder beside that of the content.
    Beside(PathBuf),
}

/// Where the file of a source is, if that is not where its path says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    /// From the content folder.
    file: String,
    /// The folder of its language.
    folder: Arc<str>,
}

impl Source {
    /// The path of its file from the content folder. That of a translated page is another than [`Source::path`].
    pub(crate) fn file(&self) -> &str {
        self.placed.as_ref().map_or(&self.path, |placed| &placed.file)
    }

    /// The folder of its language, where what is not in it is looked for in that of the first.
    pub(crate) fn language_folder(&self) -> Option<&str> {
        let placed = self.placed.as_ref()?;
        Some(&*placed.folder).filter(|folder| !folder.is_empty())
    }

    /// The paths inside the content folder that a path in this file can mean, the likeliest first: in its language, in the first one,
    /// and as the file itself is named.
    pub(crate) fn meant(&self, path: &str) -> impl Iterator<Item = String> {
        let is_from_root = path.starts_with('/');
        let joined = |file: &str| {
            let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
            joined_path(if is_from_root { "" } else { folder }, path)
        };
        let own = match &self.way {
            Some(way) if !is_from_root => {
                let below = |path: String| Some(path.strip_prefix(&**way)?.strip_prefix('/')?.to_owned());
                joined(&self.path).and_then(below)
            }
            _ => joined(&self.path),
        };
        let language = self.language_folder();
        let translated = language.filter(|_| is_from_root);
        let translated = translated.and_then(|language| joined_path(language, path));
        let of_first = language
            .zip(own.as_deref())
            .and_then(|(language, own)| own.strip_prefix(language)?.strip_prefix('/').map(str::to_owned));
        let real = self.placed.as_ref().and_then(|placed| joined(&placed.file));
        translated.into_iter().chain(own).chain(of_first).chain(real)
    }

    fn place(&mut self, (folder, path): (Arc<str>, String)) {
        let file = std::mem::replace(&mut self.path, path);
        self.placed = Some(Placed { file, folder });
    }
}

impl Translated {
    /// The path of a file of the content folder in that of the language, if it is one of its files.
    fn place(&self, path: &str) -> Option<String> {
        match &self.from {
            From::Inside(folder) => {
                let below = path.strip_prefix(folder.as_str())?.strip_prefix('/')?;
                joined_path(&self.folder, below)
            }
            From::Ending(language) => {
                let (stem, ending) = path.rsplit_once('.')?;
                let (stem, own) = stem.rsplit_once('.')?;
                let is_named = !stem.is_empty() && !stem.ends_with('/');
                (is_named && own.eq_ignore_ascii_case(language))
                    .then(|| joined_path(&self.folder, &format!("{stem}.{ending}")))
                    .flatten()
            }
            From::Beside(_) => None,
        }
    }
}

/// Where a file of the content folder stands, with the folder of its language.
pub(crate) fn place(path: &str, translated: &[Translated]) -> Option<(Arc<str>, String)> {
    let mut places = translated.iter();
    places.find_map(|language| Some((language.folder.as_str().into(), language.place(path)?)))
}

impl Files {
    /// Where the file at a path is.
    pub(super) fn file_at(&self, path: &str) -> PathBuf {
        let placed = self.placed.get(path).cloned();
        placed.unwrap_or_else(|| self.root.join(path))
    }

    /// Where the file of a page is.
    pub(super) fn file_of(&self, source: &Source) -> PathBuf {
        match &source.placed {
            Some(_) => PathBuf::from(&source.display),
            None => self.root.join(&source.path),
        }
    }

    /// A file that pages include, for what links in it mean.
    pub(crate) fn part(&self, file: &Path) -> Option<Source> {
        if let Some(path) = file.strip_prefix(&self.root).ok().and_then(Path::to_str) {
            let Some(inner) = joined_path("", path) else {
                return self.part_above(path);
            };
            let mut source = Source::new(inner, path, "");
            if let Some(placed) = place(&source.path, &self.translated) {
                source.place(placed);
            }
            return Some(source);
        }
        self.translated.iter().find_map(|language| match &language.from {
            From::Beside(root) => {
                let path = file.strip_prefix(root).ok()?.to_str()?;
                Some(beside(Source::new(path, path, ""), &language.folder, ""))
            }
            From::Ending(_) | From::Inside(_) => None,
        })
    }

    /// The same of one in a folder above that of the content, by its path from there.
    fn part_above(&self, path: &str) -> Option<Source> {
        let mut names = Vec::new();
        let mut up = 0;
        for name in path.split('/') {
            match name {
                "" | "." => {}
                ".." if names.pop().is_none() => up += 1,
                ".." => {}
                name => names.push(name),
            }
        }
        let root = self.root.canonicalize().ok()?;
        let way = root.iter().rev().take(up).map(|name| name.to_str());
        let mut way: Vec<&str> = way.collect::<Option<_>>()?;
        way.reverse();
        let mut source = Source::new(names.join("/"), path, "");
        source.way = Some(way.join("/").into());
        Some(source)
    }
}

/// A source of a folder beside the content, which is reached from there by `way`.
fn beside(mut source: Source, language: &str, way: &str) -> Source {
    let path = format!("{language}/{}", source.path);
    source.path = format!("{way}{}", source.path);
    source.place((language.into(), path));
    source
}

impl KnownFolder {
    /// Puts the files of other languages into the folders of these.
    pub fn add_translated(
        &mut self,
        folder: &mut Folder,
        translated: Vec<Translated>,
    ) -> Result<Vec<Diagnostic>, ReadError> {
        let mut problems = Vec::new();
        let files = &mut folder.files;
        for source in &mut folder.sources {
            if let Some(placed) = place(&source.path, &translated) {
                source.place(placed);
            }
        }
        let placed = files.paths.iter().filter_map(|path| {
            let (_, to) = place(path, &translated)?;
            Some((to, files.root.join(path)))
        });
        let mut placed: BTreeMap<String, PathBuf> = placed.collect();
        for language in &translated {
            let From::Beside(root) = &language.from else {
                continue;
            };
            let (inner, found) = self.beside.entry(root.clone()).or_default().read(root)?;
            problems.extend(found);
            let language = language.folder.as_str();
            let way = way(&files.root, root).map_or_else(String::new, |way| format!("{way}/"));
            let sources = inner.sources.into_iter();
            folder
                .sources
                .extend(sources.map(|source| beside(source, language, &way)));
            let others = inner.files.paths.into_iter();
            placed.extend(others.map(|path| (format!("{language}/{path}"), root.join(path))));
            folder.list_files.push(root.clone());
        }
        files.placed = placed;
        files.translated = translated;
        folder.sources.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(problems)
    }
}

/// How a folder is reached from another one: `../i18n/fr` from `docs`.
pub fn way(from: &Path, to: &Path) -> Option<String> {
    // The folder above a relative path has no name.
    let [from, to] = [from, to].map(|path| Path::new(".").join(path).canonicalize().ok());
    let (from, to) = (from?, to?);
    let common = from.components().zip(to.components());
    let common = common.take_while(|(one, other)| one == other).count();
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    let way: PathBuf = up.chain(to.components().skip(common)).collect();
    Some(way.to_str()?.replace('\\', "/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(folder: &str, from: From) -> Translated {
        Translated {
            folder: folder.to_owned(),
            from,
        }
    }

    #[test]
    fn a_file_has_its_place_in_the_folder_of_its_language() {
        let ending = |tag: &str| From::Ending(tag.to_owned());
        let endings = [
            translated("fr", ending("fr")),
            translated("pt-BR", ending("pt-BR")),
            translated("", ending("en")),
        ];
        let folders = [
            translated("", From::Inside("en".to_owned())),
            translated("fa", From::Inside("fa".to_owned())),
        ];
        for (languages, path, expected) in [
            (&endings[..], "guide/start.fr.md", Some("fr/guide/start.md")),
            (&endings, "start.pt-br.mdx", Some("pt-BR/start.mdx")),
            (&endings, "guide/start.en.md", Some("guide/start.md")),
            (&endings, "flow.fr.png", Some("fr/flow.png")),
            (&endings, "v0.10.fr.md", Some("fr/v0.10.md")),
            (&endings, "start.de.md", None),
            (&endings, "start.md", None),
            (&endings, ".fr.md", None),
            (&endings, "guide/.fr.md", None),
            (&endings, "fr.md", None),
            (&folders, "en/guide/start.md", Some("guide/start.md")),
            (&folders, "fa/start.md", Some("fa/start.md")),
            (&folders, "enough/start.md", None),
        ] {
            let found = place(path, languages).map(|(_, path)| path);
            assert_eq!(found.as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn a_path_can_mean_a_file_of_the_first_language() {
        let mut source = Source::new("en/guide/start.fr.md", "start.fr.md", "");
        source.place(("fr".into(), "fr/guide/start.md".to_owned()));
        for (path, expected) in [
            ("b.md", &["fr/guide/b.md", "guide/b.md", "en/guide/b.md"][..]),
            ("/a/b.md", &["fr/a/b.md", "a/b.md", "a/b.md"]),
            ("../../c.png", &["c.png", "c.png"]),
            ("../../../d.png", &[]),
        ] {
            assert_eq!(source.meant(path).collect::<Vec<_>>(), expected, "{path}");
        }
        let own = Source::new("guide/start.md", "start.md", "");
        assert_eq!(own.meant("../b.md").collect::<Vec<_>>(), ["b.md"]);
        assert_eq!(own.meant("../../b.md").count(), 0);
    }
}
