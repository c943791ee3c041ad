//! A file of JavaScript with the files beside it that it imports.

use std::path::{Component, Path, PathBuf};

use crate::diagnostic::Diagnostic;
use crate::source::{ReadError, Source, is_file, read_file};

/// A configuration has its parts in a few files; of the code that it may bring with them, no more than this is read.
const MOST: usize = 64;
/// What stands in place of an ending that is left out, or instead of one of JavaScript.
const ENDINGS: [&str; 13] = [
    "",
    ".ts",
    ".tsx",
    ".mts",
    ".js",
    ".jsx",
    ".mjs",
    ".cjs",
    ".json",
    "/index.ts",
    "/index.mts",
    "/index.js",
    "/index.mjs",
];

/// A file and those that it imports, directly or not, in the order in which they are named. They stand behind each other, so that a place in
/// any of them is one number.
#[derive(Debug)]
pub(crate) struct Modules {
    modules: Vec<Module>,
}

#[derive(Debug)]
pub(super) struct Module {
    pub(super) source: Source,
    /// Where its places begin.
    pub(super) start: usize,
    /// The files that it imports, as it names them.
    pub(super) imports: Vec<(String, usize)>,
}

impl Modules {
    /// These files, without those that they import.
    pub(crate) fn of_all(sources: Vec<Source>) -> Self {
        let mut start = 0;
        let modules = sources.into_iter().map(|source| {
            let length = source.text.len() + 1;
            let module = Module {
                source,
                start,
                imports: Vec::new(),
            };
            start += length;
            module
        });
        Self {
            modules: modules.collect(),
        }
    }

    /// How many files there are.
    pub(crate) fn len(&self) -> usize {
        self.modules.len()
    }

    /// The files, each of which begins one place behind the one before.
    pub(crate) fn sources(&self) -> impl Iterator<Item = &Source> {
        self.modules.iter().map(|module| &module.source)
    }

    /// The path of a file.
    pub(crate) fn path_of(&self, file: usize) -> &str {
        &self.modules[file].source.path
    }

    /// Reads a file, and those that it imports by a path; their paths too. What is not there is as if it was computed.
    pub(crate) fn read(file: &Path) -> Result<(Self, Vec<PathBuf>, Vec<Diagnostic>), ReadError> {
        Self::follow(Vec::new(), vec![file.to_owned()], &|_| None)
    }

    /// A text as a file of this folder, with those that it imports; their paths too. A file may be named by something else than its path:
    /// `named` gives the folder and the path in it. Where one of them cannot be read, the text is alone, and why is told.
    pub(crate) fn of_text(
        source: Source,
        folder: &Path,
        named: impl Fn(&str) -> Option<(PathBuf, String)>,
    ) -> (Self, Vec<PathBuf>, Option<ReadError>) {
        let path = folder.join(&source.path);
        match Self::follow(vec![source.clone()], vec![path], &named) {
            Ok((modules, mut paths, _)) => (modules, paths.split_off(1), None),
            Err(error) => (Self::of_all(vec![source]), vec![error.path.clone()], Some(error)),
        }
    }

    /// Reads the files at `paths`, whose first ones are known by their text, and those that they import.
    fn follow(
        known: Vec<Source>,
        mut paths: Vec<PathBuf>,
        named: &dyn Fn(&str) -> Option<(PathBuf, String)>,
    ) -> Result<(Self, Vec<PathBuf>, Vec<Diagnostic>), ReadError> {
        let mut known = known.into_iter();
        let mut modules: Vec<Module> = Vec::new();
        let mut problems = Vec::new();
        let mut start = 0;
        while let Some(path) = paths.get(modules.len()).cloned() {
            let source = match known.next() {
                Some(source) => source,
                None => {
                    let (mut source, found) = read_file(&path)?;
                    problems.extend(found);
                    source.path = path
                        .file_name()
                        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
                    source
                }
            };
            let folder = path.parent().unwrap_or(Path::new(""));
            let mut imports = Vec::new();
            let imported = super::imported_paths(&source);
            if imported.is_none() {
                let message = "this is so tangled that it cannot be read; what it says is left out";
                problems.push(Diagnostic::warning(&source, 0, message));
            }
            for name in imported.unwrap_or_default() {
                let target = match named(&name) {
                    Some((folder, path)) => resolve(&folder, &path),
                    None => resolve(folder, &name),
                };
                let Some(target) = target else {
                    continue;
                };
                let known = paths.iter().position(|path| *path == target);
                if known.is_none() && paths.len() == MOST {
                    continue;
                }
                imports.push((name, known.unwrap_or(paths.len())));
                if known.is_none() {
                    paths.push(target);
                }
            }
            let length = source.text.len() + 1;
            modules.push(Module {
                source,
                start,
                imports,
            });
            start += length;
        }
        Ok((Self { modules }, paths, problems))
    }

    /// The file that imports the others.
    pub(crate) fn source(&self) -> &Source {
        &self.modules[0].source
    }

    /// The file of a place, and where in it that is.
    pub(crate) fn place(&self, at: usize) -> (&Source, usize) {
        let behind = self.modules.partition_point(|module| module.start <= at);
        let module = &self.modules[behind.saturating_sub(1)];
        (&module.source, at - module.start)
    }

    pub(super) fn all(&self) -> &[Module] {
        &self.modules
    }
}

/// The file that is meant by a path such as `./en`, as Node and bundlers find it.
fn resolve(folder: &Path, name: &str) -> Option<PathBuf> {
    if !matches!(name.split('/').next(), Some("." | "..")) {
        return None;
    }
    // TypeScript names the files of JavaScript that it will have become.
    let without_ending = name.strip_suffix(".js").or_else(|| name.strip_suffix(".mjs"));
    let names = [Some(name), without_ending];
    let candidates = names
        .into_iter()
        .flatten()
        .flat_map(|name| ENDINGS.map(|ending| format!("{name}{ending}")));
    let mut files = candidates.map(|name| plain(&folder.join(name)));
    files.find(|file| {
        let ending = file.extension().and_then(|ending| ending.to_str());
        let is_script = ending.is_some_and(|ending| {
            ENDINGS
                .iter()
                .any(|known| known.strip_prefix('.') == Some(ending))
        });
        // One that cannot be asked for is read, which says why.
        is_script && is_file(file).unwrap_or(true)
    })
}

/// The path without `.` and `..`, as far as it says what these are.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        let is_named = matches!(plain.components().next_back(), Some(Component::Normal(_)));
        match component {
            Component::CurDir => {}
            Component::ParentDir if is_named => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_is_read_once_and_of_many_some() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        let names = |text: &str| {
            write("a.ts", text);
            let (modules, paths, problems) = Modules::read(&folder.path().join("a.ts")).unwrap();
            assert_eq!((modules.all().len(), problems.len()), (paths.len(), 0));
            let names = modules.all().iter().map(|module| module.source.path.clone());
            names.collect::<Vec<_>>().join(" ")
        };
        write("b.js", "import a from './a'; import '.'; import './b'\n");
        write("c.json", "{}");
        write("d.css", "import './b'");
        assert_eq!(
            names(
                "export { b } from './b'; const c = require('./c'); import './d.css'; import 'e'; import './f'"
            ),
            "a.ts b.js c.json"
        );
        let many: String = (0..2 * MOST)
            .map(|number| format!("import './n{number}';"))
            .collect();
        for number in 0..2 * MOST {
            write(&format!("n{number}.ts"), "");
        }
        assert_eq!(names(&many).split(' ').count(), MOST);
    }

    #[test]
    fn a_path_is_plain() {
        for (path, expected) in [
            ("a/./b/../c", "a/c"),
            ("../a/../../b", "../../b"),
            ("/a/../b", "/b"),
            ("./a", "a"),
        ] {
            assert_eq!(plain(Path::new(path)), Path::new(expected), "{path}");
        }
    }
}
