//! The only module that writes. A new output is written beside the old one and takes its place when it is complete:
//! nobody ever sees half of one. One that is followed is changed in place.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_128;

use crate::embed::{Cache, QueryTable};
use crate::site::{Manifest, PageData, Site, json};

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
    /// The pages, by the names of their files.
    pages: HashMap<PathBuf, PageData>,
    table: Option<Rc<QueryTable>>,
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

    /// Whether a file is there that may hold it.
    fn fits(self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|found| found.len() == self.length as u64)
    }

    fn text(self) -> String {
        format!("{:032x}", self.digest)
    }
}

impl Standing {
    /// Writes a site to `out`: whole for the first time and after a failure, then the files that are others alone.
    pub fn write(&mut self, site: &Site, out: &Path) -> Result<(), EmitError> {
        // Where this fails, nothing is known of what stands there.
        let before = std::mem::take(self);
        if before.files.is_empty() || !out.join(MARKER).is_file() {
            self.files = write_whole(site, out)?;
            let names = site.manifest.pages.iter().map(|page| PathBuf::from(&page.data));
            self.pages = names.zip(site.pages.iter().cloned()).collect();
            self.table = table_of(site);
            return Ok(());
        }
        let mut change = Change {
            out,
            before: &before,
            files: Marks::new(),
            pages: HashMap::new(),
            changed: Vec::new(),
        };
        write_files(site, &mut change)?;
        let Change {
            files,
            pages,
            changed,
            ..
        } = change;
        // First, because a folder may take the place of a file.
        for gone in before.files.keys().filter(|name| !files.contains_key(*name)) {
            remove_file(&out.join(gone), out)?;
        }
        for (name, bytes) in changed {
            // Under another name before, for whoever reads it now.
            let path = out.join(name);
            let new = beside(&path, "new");
            put(&new, &bytes)?;
            fs::rename(&new, &path).map_err(failed(&path))?;
        }
        *self = Self {
            files,
            pages,
            table: table_of(site),
        };
        Ok(())
    }
}

fn table_of(site: &Site) -> Option<Rc<QueryTable>> {
    site.vectors.as_ref().map(|vectors| Rc::clone(&vectors.table))
}

/// Where the files of an output go.
trait Files {
    fn put(&mut self, name: PathBuf, bytes: Cow<'_, [u8]>) -> Result<Mark, EmitError>;

    fn put_page(&mut self, name: PathBuf, data: &PageData) -> Result<Mark, EmitError> {
        self.put(name, data.to_json().into())
    }

    fn put_table(&mut self, name: PathBuf, table: &Rc<QueryTable>) -> Result<Mark, EmitError> {
        self.put(name, table.to_bytes().into())
    }

    /// The file `from`, under a name of the output.
    fn copy(&mut self, name: PathBuf, from: &Path) -> Result<(), EmitError>;
}

/// All files of a site, the manifest last, so that a folder with a manifest is a whole output.
fn write_files(site: &Site, out: &mut impl Files) -> Result<(), EmitError> {
    let marker = b"Written by the siftwren indexer, which replaces this folder as a whole.\n";
    let mut digests = BTreeMap::new();
    out.put(MARKER.into(), marker.into())?;
    for (page, data) in site.manifest.pages.iter().zip(&site.pages) {
        let mark = out.put_page((&page.data).into(), data)?;
        digests.insert(page.data.clone(), mark.text());
    }
    for file in &site.index {
        out.put(Path::new("search").join(&file.name), (&file.bytes).into())?;
    }
    out.put("items.ndjson".into(), site.items.concat().into())?;
    if let Some(vectors) = &site.vectors {
        out.put_table("query-table.fifu".into(), &vectors.table)?;
    }
    for file in &site.made_files {
        let mark = out.put((&file.path).into(), (&file.bytes).into())?;
        digests.insert(file.path.clone(), mark.text());
    }
    for file in &site.root_files {
        let name = format!("root/{}", file.path);
        let mark = out.put((&name).into(), file.text.as_bytes().into())?;
        digests.insert(name, mark.text());
    }
    for (path, from) in &site.static_files {
        out.copy(Path::new("root").join(path), from)?;
    }
    for (name, picture) in &site.cards {
        let mark = out.put(name.into(), (&**picture).into())?;
        digests.insert(name.clone(), mark.text());
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
    let manifest = ManifestFile {
        manifest: &site.manifest,
        digests,
    };
    out.put(MANIFEST.into(), json(&manifest).into()).map(drop)
}

/// What `manifest.json` holds.
#[derive(Serialize)]
struct ManifestFile<'a> {
    #[serde(flatten)]
    manifest: &'a Manifest,
    /// Of files that were made here, by their names, so that nobody has to read one to find out whether it is what it was. The names
    /// of the others of them say it.
    digests: BTreeMap<String, String>,
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
    fn put(&mut self, name: PathBuf, bytes: Cow<'_, [u8]>) -> Result<Mark, EmitError> {
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
        let mark = Mark::of(&bytes);
        self.files.insert(name, Some(mark));
        Ok(mark)
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
    before: &'a Standing,
    files: Marks,
    pages: HashMap<PathBuf, PageData>,
    changed: Vec<(PathBuf, Vec<u8>)>,
}

impl Change<'_> {
    /// What a file holds that was made before and is there. To be asked for where it is the same now.
    fn standing(&mut self, name: &Path) -> Option<Mark> {
        let mark = self.before.files.get(name).copied().flatten()?;
        mark.fits(&self.out.join(name)).then(|| {
            self.files.insert(name.to_owned(), Some(mark));
            mark
        })
    }
}

impl Files for Change<'_> {
    fn put(&mut self, name: PathBuf, bytes: Cow<'_, [u8]>) -> Result<Mark, EmitError> {
        let mark = Mark::of(&bytes);
        let path = self.out.join(&name);
        let is_same = match self.before.files.get(&name) {
            // Somebody may have removed it.
            Some(Some(before)) => *before == mark && mark.fits(&path),
            Some(None) => holds(&path, &bytes),
            None => false,
        };
        if !is_same {
            self.changed.push((name.clone(), bytes.into_owned()));
        }
        self.files.insert(name, Some(mark));
        Ok(mark)
    }

    fn put_page(&mut self, name: PathBuf, data: &PageData) -> Result<Mark, EmitError> {
        let before = self.before.pages.get(&name);
        let is_same = before.is_some_and(|before| before.is_same(data));
        self.pages.insert(name.clone(), data.clone());
        match self.standing(&name).filter(|_| is_same) {
            Some(mark) => Ok(mark),
            None => self.put(name, data.to_json().into()),
        }
    }

    fn put_table(&mut self, name: PathBuf, table: &Rc<QueryTable>) -> Result<Mark, EmitError> {
        let before = self.before.table.as_ref();
        let is_same = before.is_some_and(|before| Rc::ptr_eq(before, table));
        match self.standing(&name).filter(|_| is_same) {
            Some(mark) => Ok(mark),
            None => self.put(name, table.to_bytes().into()),
        }
    }

    fn copy(&mut self, name: PathBuf, from: &Path) -> Result<(), EmitError> {
        let bytes = fs::read(from).map_err(failed(from))?;
        self.put(name, bytes.into()).map(drop)
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
