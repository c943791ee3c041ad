//! The only module that writes. A new output is written beside the old one and takes its place when it is complete:
//! nobody ever sees half of one. One that is followed is changed in place.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_128;

use crate::embed::Cache;
use crate::site::Site;

/// Marks a folder as one that may be replaced.
const MARKER: &str = ".siftwren-output";
const MANIFEST: &str = "manifest.json";

/// Why nothing was written.
#[derive(Debug)]
pub enum EmitError {
    /// The folder holds something that did not come from here.
    NotOurs(PathBuf),
    /// The system refused.
    Failed {
        /// What was being written.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

impl fmt::Display for EmitError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOurs(path) => write!(
                formatter,
                "{} is not empty and was not written by this program; name an empty or new folder, or delete it",
                path.display()
            ),
            Self::Failed { path, error } => write!(formatter, "cannot write {}: {error}", path.display()),
        }
    }
}

impl std::error::Error for EmitError {}

/// Writes a site to `out`, in place of an earlier output.
pub fn write(site: &Site, out: &Path) -> Result<(), EmitError> {
    write_whole(site, out).map(drop)
}

fn write_whole(site: &Site, out: &Path) -> Result<Marks, EmitError> {
    let exists = may_replace(out)?;
    let new = beside(out, "new");
    let old = beside(out, "old");
    remove(&new)?;
    let mut output = Output {
        folder: &new,
        earlier: exists.then_some(out),
        files: Marks::new(),
    };
    if let Err(error) = write_files(site, &mut output) {
        // The first error is the one to report; what is left of the new folder is in nobody's way.
        let _ = fs::remove_dir_all(&new);
        return Err(error);
    }
    if exists {
        remove(&old)?;
        fs::rename(out, &old).map_err(failed(out))?;
    }
    if let Err(error) = fs::rename(&new, out) {
        if exists {
            fs::rename(&old, out).map_err(failed(out))?;
        }
        return Err(EmitError::Failed {
            path: out.to_owned(),
            error,
        });
    }
    let files = output.files;
    remove(&old)?;
    Ok(files)
}

/// Writes what a cache of vectors holds. A file takes the place of the old one when it is complete.
pub fn write_cache(cache: &Cache, folder: &Path) -> Result<(), EmitError> {
    for (name, bytes) in cache.files() {
        let path = folder.join(name);
        if fs::read(&path).is_ok_and(|old| old == bytes) {
            continue;
        }
        let new = beside(&path, "new");
        put(&new, &bytes)?;
        fs::rename(&new, &path).map_err(failed(&path))?;
    }
    Ok(())
}

fn may_replace(out: &Path) -> Result<bool, EmitError> {
    match fs::read_dir(out) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(EmitError::Failed {
            path: out.to_owned(),
            error,
        }),
        Ok(mut entries) => {
            if entries.next().is_some() && !out.join(MARKER).is_file() {
                return Err(EmitError::NotOurs(out.to_owned()));
            }
            Ok(true)
        }
    }
}

/// An output that stays in its folder while its author is at work.
#[derive(Debug, Default)]
pub struct Standing {
    files: Marks,
}

/// The files of an output, and what they hold where that is known.
type Marks = HashMap<PathBuf, Option<Mark>>;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    length: usize,
    digest: u128,
}

impl Mark {
    fn of(bytes: &[u8]) -> Self {
        Self {
            length: bytes.len(),
            digest: xxh3_128(bytes),
        }
    }
}

impl Standing {
    /// Writes a site to `out`: whole for the first time and after a failure, then the files that are others alone.
    pub fn write(&mut self, site: &Site, out: &Path) -> Result<(), EmitError> {
        // Where this fails, nothing is known of what stands there.
        let before = std::mem::take(&mut self.files);
        if before.is_empty() || !out.join(MARKER).is_file() {
            self.files = write_whole(site, out)?;
            return Ok(());
        }
        let mut change = Change {
            out,
            before: &before,
            files: Marks::new(),
            changed: Vec::new(),
        };
        write_files(site, &mut change)?;
        let Change { files, changed, .. } = change;
        // First, because a folder may take the place of a file.
        for gone in before.keys().filter(|name| !files.contains_key(*name)) {
            remove_file(&out.join(gone), out)?;
        }
        for (name, bytes) in changed {
            // Under another name before, for whoever reads it now.
            let path = out.join(name);
            let new = beside(&path, "new");
            put(&new, &bytes)?;
            fs::rename(&new, &path).map_err(failed(&path))?;
        }
        self.files = files;
        Ok(())
    }
}

/// Where the files of an output go.
trait Files {
    fn put(&mut self, name: PathBuf, bytes: Cow<'_, [u8]>) -> Result<(), EmitError>;

    /// The file `from`, under a name of the output.
    fn copy(&mut self, name: PathBuf, from: &Path) -> Result<(), EmitError>;
}

/// All files of a site, the manifest last, so that a folder with a manifest is a whole output.
fn write_files(site: &Site, out: &mut impl Files) -> Result<(), EmitError> {
    let marker = b"Written by the siftwren indexer, which replaces this folder as a whole.\n";
    out.put(MARKER.into(), marker.into())?;
    for (page, data) in site.manifest.pages.iter().zip(&site.pages) {
        out.put((&page.data).into(), json(data).into())?;
    }
    for file in &site.index {
        out.put(Path::new("search").join(&file.name), (&file.bytes).into())?;
    }
    let mut items = Vec::new();
    for item in &site.items {
        items.extend(json(item));
        items.push(b'\n');
    }
    out.put("items.ndjson".into(), items.into())?;
    if let Some(vectors) = &site.vectors {
        out.put("query-table.fifu".into(), vectors.table.to_bytes().into())?;
    }
    for file in &site.made_files {
        out.put((&file.path).into(), (&file.bytes).into())?;
    }
    for file in &site.root_files {
        out.put(Path::new("root").join(&file.path), file.text.as_bytes().into())?;
    }
    for (path, from) in &site.static_files {
        out.copy(Path::new("root").join(path), from)?;
    }
    for (name, picture) in &site.cards {
        out.put(name.into(), picture.into())?;
    }
    for file in &site.components.files {
        out.copy(
            Path::new("components").join(file),
            &site.components.root.join(file),
        )?;
    }
    for asset in &site.assets {
        out.copy((&asset.output).into(), &asset.from)?;
    }
    out.put(MANIFEST.into(), json(&site.manifest).into())
}

/// A new output.
struct Output<'a> {
    folder: &'a Path,
    /// The output that it replaces.
    earlier: Option<&'a Path>,
    files: Marks,
}

impl Files for Output<'_> {
    /// A file that is the same in the earlier output is linked from there, which costs less than to write it and to remove the
    /// old one afterwards. Nobody writes into a file of an output; whoever did would have another content here.
    fn put(&mut self, name: PathBuf, bytes: Cow<'_, [u8]>) -> Result<(), EmitError> {
        let path = self.folder.join(&name);
        let same = self.earlier.map(|earlier| earlier.join(&name));
        match same.filter(|same| holds(same, &bytes)) {
            Some(same) => {
                make_parent(&path)?;
                // Not every file system has links.
                fs::hard_link(same, &path).or_else(|_| fs::write(&path, &bytes).map_err(failed(&path)))?;
            }
            None => put(&path, &bytes)?,
        }
        self.files.insert(name, Some(Mark::of(&bytes)));
        Ok(())
    }

    fn copy(&mut self, name: PathBuf, from: &Path) -> Result<(), EmitError> {
        let to = self.folder.join(&name);
        make_parent(&to)?;
        fs::copy(from, &to).map_err(failed(&to))?;
        self.files.insert(name, None);
        Ok(())
    }
}

/// What an output that stands needs to be another.
struct Change<'a> {
    out: &'a Path,
    before: &'a Marks,
    files: Marks,
    changed: Vec<(PathBuf, Vec<u8>)>,
}

impl Files for Change<'_> {
    fn put(&mut self, name: PathBuf, bytes: Cow<'_, [u8]>) -> Result<(), EmitError> {
        let path = self.out.join(&name);
        let mark = Mark::of(&bytes);
        let is_same = match self.before.get(&name) {
            // Somebody may have removed it.
            Some(Some(before)) => {
                *before == mark && fs::metadata(path).is_ok_and(|found| found.len() == bytes.len() as u64)
            }
            Some(None) => holds(&path, &bytes),
            None => false,
        };
        if !is_same {
            self.changed.push((name.clone(), bytes.into_owned()));
        }
        self.files.insert(name, Some(mark));
        Ok(())
    }

    fn copy(&mut self, name: PathBuf, from: &Path) -> Result<(), EmitError> {
        let bytes = fs::read(from).map_err(failed(from))?;
        self.put(name, bytes.into())
    }
}

/// Removes a file, and the folders inside of `root` that are empty without it.
fn remove_file(file: &Path, root: &Path) -> Result<(), EmitError> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(file)(error)),
        _ => {}
    }
    let folders = file.ancestors().skip(1).take_while(|folder| *folder != root);
    for folder in folders {
        // Those that are not empty stay.
        if fs::remove_dir(folder).is_err() {
            break;
        }
    }
    Ok(())
}

fn holds(path: &Path, bytes: &[u8]) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.len() == bytes.len() as u64)
        && fs::read(path).is_ok_and(|found| found == bytes)
}

fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("the data has only text keys")
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), EmitError> {
    make_parent(path)?;
    fs::write(path, bytes).map_err(failed(path))
}

fn make_parent(path: &Path) -> Result<(), EmitError> {
    match path.parent() {
        Some(parent) => fs::create_dir_all(parent).map_err(failed(parent)),
        None => Ok(()),
    }
}

fn remove(path: &Path) -> Result<(), EmitError> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(EmitError::Failed {
            path: path.to_owned(),
            error,
        }),
        _ => Ok(()),
    }
}

/// A neighbour of `out` on the same file system, so that it can be renamed into its place.
fn beside(out: &Path, suffix: &str) -> PathBuf {
    let name = out
        .file_name()
        .map_or_else(|| "out".into(), |name| name.to_string_lossy().into_owned());
    out.with_file_name(format!(".{name}.{}.{suffix}", std::process::id()))
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> EmitError {
    let path = path.to_owned();
    move |error| EmitError::Failed { path, error }
}
