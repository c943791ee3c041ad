//! The only module that writes. A new output is written beside the old one and takes its place when it is complete:
//! nobody ever sees half of one. One that is followed is changed in place.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs;
use std::io::{self, IoSlice, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::SystemTime;

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use crate::embed::{Cache, QueryTable};
use crate::mark::Mark;
use crate::site::{Manifest, PageData, Site, root_file};
use crate::source::{AssetFrom, OUTPUT_MARKER};

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

fn write_whole(site: &Site, out: &Path) -> Result<HashMap<String, Known>, EmitError> {
    let exists = may_replace(out)?;
    let new = beside(out, "new");
    let old = beside(out, "old");
    remove(&new)?;
    let mut output = Output {
        folder: &new,
        earlier: exists.then_some(out),
        folders: HashSet::new(),
        files: HashMap::new(),
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
        put(&new, &vec![bytes.into()])?;
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
            if entries.next().is_some() && !out.join(OUTPUT_MARKER).is_file() {
                return Err(EmitError::NotOurs(out.to_owned()));
            }
            Ok(true)
        }
    }
}

/// An output that stays in its folder while its author is at work.
#[derive(Debug, Default)]
pub struct Standing {
    /// By name.
    files: HashMap<String, Known>,
    /// When something came into a folder or went, as it was left.
    folders: HashMap<String, SystemTime>,
    /// How many builds there were.
    builds: u64,
}

/// What is known of a file of an output.
#[derive(Debug)]
struct Known {
    /// None where it was copied.
    mark: Option<Mark>,
    made_from: Option<MadeFrom>,
    /// The last build that has it.
    build: u64,
}

/// What a file is made from, where that tells more quickly than its bytes whether it is the same.
#[derive(Debug)]
enum MadeFrom {
    Page(PageData),
    Items(Vec<Rc<[u8]>>),
    Table(Rc<QueryTable>),
    /// The name is made of the content.
    ItsName,
}

impl MadeFrom {
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Page(one), Self::Page(other)) => one.is_same(other),
            (Self::Items(one), Self::Items(other)) => {
                one.len() == other.len() && one.iter().zip(other).all(|(one, other)| Rc::ptr_eq(one, other))
            }
            (Self::Table(one), Self::Table(other)) => Rc::ptr_eq(one, other),
            (Self::ItsName, Self::ItsName) => true,
            _ => false,
        }
    }
}

impl Standing {
    /// Writes a site to `out`: whole for the first time and after a failure, then the files that are others alone.
    pub fn write(&mut self, site: &Site, out: &Path) -> Result<(), EmitError> {
        // Where this fails, nothing is known of what stands there.
        let mut before = std::mem::take(self);
        if before.files.is_empty() || !out.join(OUTPUT_MARKER).is_file() {
            self.files = write_whole(site, out)?;
            return Ok(());
        }
        before.builds += 1;
        let Self {
            files,
            folders,
            builds,
        } = &mut before;
        let mut change = Change {
            out,
            files,
            build: *builds,
            folders: FoundFolders::new(out, folders),
            changed: Vec::new(),
        };
        write_files(site, &mut change)?;
        let Change { folders, changed, .. } = change;
        let folders = folders.found;
        // First, because a folder may take the place of a file.
        for (gone, _) in files.extract_if(|_, file| file.build != *builds) {
            remove_file(&out.join(gone), out)?;
        }
        let mut written: HashSet<String> = HashSet::new();
        for (name, parts) in changed {
            // Under another name before, for whoever reads it now.
            let path = out.join(&*name);
            let new = beside(&path, "new");
            put(&new, &parts)?;
            fs::rename(&new, &path).map_err(failed(&path))?;
            written.insert(folder_of(&name).to_owned());
        }
        let folders = folders.into_iter().filter_map(|(folder, found)| {
            let time = if written.contains(&folder) {
                changed_at(&out.join(&folder))
            } else {
                found.time
            };
            Some((folder, time?))
        });
        before.folders = folders.collect();
        *self = before;
        Ok(())
    }
}

/// The folder of a file, by their names.
fn folder_of(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// When something came into a folder or went.
fn changed_at(folder: &Path) -> Option<SystemTime> {
    fs::metadata(folder).and_then(|found| found.modified()).ok()
}

/// What a file is to hold, in parts.
type Parts<'a> = Vec<Cow<'a, [u8]>>;

/// The name of a file in an output.
type Name<'a> = Cow<'a, str>;

/// Where the files of an output go.
trait Files<'a> {
    /// A file of these bytes.
    fn put(&mut self, name: impl Into<Name<'a>>, bytes: impl Into<Cow<'a, [u8]>>) -> Result<Mark, EmitError> {
        let bytes = bytes.into();
        let mark = Mark::of(&bytes);
        self.put_marked(name.into(), mark, || vec![bytes])?;
        Ok(mark)
    }

    /// A file of some parts, for which this mark stands.
    fn put_marked(
        &mut self,
        name: Name<'a>,
        mark: Mark,
        parts: impl FnOnce() -> Parts<'a>,
    ) -> Result<(), EmitError>;

    /// A file that is made of something, of its mark and its parts.
    fn put_made(
        &mut self,
        name: Name<'a>,
        made_from: MadeFrom,
        make: impl FnOnce() -> (Mark, Parts<'a>),
    ) -> Result<Mark, EmitError>;

    /// The file `from`, under a name of the output.
    fn copy(&mut self, name: String, from: &Path) -> Result<(), EmitError>;
}

fn whole<'a>(bytes: impl Into<Cow<'a, [u8]>>) -> (Mark, Parts<'a>) {
    let bytes = bytes.into();
    (Mark::of(&bytes), vec![bytes])
}

fn of_items(items: &[Rc<[u8]>]) -> (Mark, Parts<'_>) {
    let length = items.iter().map(|lines| lines.len()).sum();
    let parts = items.iter().map(|lines| Cow::from(&**lines));
    (Mark::of_length(length), parts.collect())
}

/// All files of a site, the manifest last, so that a folder with a manifest is a whole output.
fn write_files<'a>(site: &'a Site, out: &mut impl Files<'a>) -> Result<(), EmitError> {
    let marker: &[u8] = b"Written by the siftwren indexer, which replaces this folder as a whole.\n";
    let mut digests = Digests::with_capacity(site.pages.len());
    out.put(OUTPUT_MARKER, marker)?;
    for page in &site.pages {
        let name = page.file();
        let made_from = MadeFrom::Page(page.clone());
        let mark = out.put_made(name.into(), made_from, || whole(page.to_json()))?;
        digests.add(name, mark);
    }
    for file in &site.index {
        let name = format!("search/{}", file.name);
        out.put_made(name.into(), MadeFrom::ItsName, || whole(&file.bytes))?;
    }
    if let Some(items) = &site.items {
        let made_from = MadeFrom::Items(items.clone());
        out.put_made("items.ndjson".into(), made_from, || of_items(items))?;
    }
    if let Some(vectors) = &site.vectors {
        let made_from = MadeFrom::Table(Rc::clone(&vectors.table));
        out.put_made("query-table.fifu".into(), made_from, || {
            whole(vectors.table.to_bytes())
        })?;
    }
    for file in &site.made_files {
        let mark = out.put(&file.path, &file.bytes)?;
        digests.add(&file.path, mark);
    }
    for file in &site.root_files {
        let name = Name::from(root_file(&file.path));
        let mark = Mark::of_parts(&file.parts);
        let parts = || file.parts.iter().map(|part| part.text.as_bytes().into());
        out.put_marked(name.clone(), mark, || parts().collect())?;
        digests.add(name, mark);
    }
    for (path, from) in &site.static_files {
        out.copy(root_file(path), from)?;
    }
    for (name, picture) in &site.cards {
        let mark = out.put(name, &**picture)?;
        digests.add(name, mark);
    }
    for file in &site.components.files {
        out.copy(format!("components/{file}"), &site.components.root.join(file))?;
    }
    for asset in &site.assets {
        match &asset.from {
            AssetFrom::File(file) => out.copy(asset.output.clone(), file)?,
            AssetFrom::Notebook(bytes) => out.put(&asset.output, &**bytes).map(drop)?,
        }
    }
    let manifest = ManifestFile {
        manifest: &site.manifest,
        digests,
    };
    out.put(MANIFEST, field_by_line(&manifest)).map(drop)
}

/// As JSON with each field of the value on a line of its own, so that who knows the last manifest need not read all of this one.
fn field_by_line(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, FieldByLine { depth: 0 });
    value
        .serialize(&mut serializer)
        .expect("the data has only text keys");
    bytes
}

struct FieldByLine {
    depth: usize,
}

impl Formatter for FieldByLine {
    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth += 1;
        writer.write_all(b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth -= 1;
        writer.write_all(if self.depth == 0 { b"\n}" } else { b"}" })
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, is_first: bool) -> io::Result<()> {
        if !is_first {
            writer.write_all(b",")?;
        }
        writer.write_all(if self.depth == 1 { b"\n" } else { b"" })
    }
}

/// What `manifest.json` holds.
#[derive(Serialize)]
struct ManifestFile<'a> {
    #[serde(flatten)]
    manifest: &'a Manifest,
    #[serde(flatten)]
    digests: Digests<'a>,
}

/// Of files that were made here, so that nobody has to read one to find out whether it is what it was. The names of the others of
/// them say it. A list of names, which is the same build after build, and one of what stands for each of the files.
#[derive(Serialize)]
struct Digests<'a> {
    #[serde(rename = "digest_names")]
    names: Vec<Name<'a>>,
    #[serde(rename = "digests")]
    marks: Vec<Mark>,
}

impl<'a> Digests<'a> {
    fn with_capacity(files: usize) -> Self {
        Self {
            names: Vec::with_capacity(files),
            marks: Vec::with_capacity(files),
        }
    }

    fn add(&mut self, name: impl Into<Name<'a>>, mark: Mark) {
        self.names.push(name.into());
        self.marks.push(mark);
    }
}

/// A new output.
struct Output<'a> {
    folder: &'a Path,
    /// The output that it replaces.
    earlier: Option<&'a Path>,
    /// Those that were made in it.
    folders: HashSet<String>,
    files: HashMap<String, Known>,
}

impl Output<'_> {
    /// A file that is the same in the earlier output is linked from there, which costs less than to write it and to remove the
    /// old one afterwards. Nobody writes into a file of an output; whoever did would have another content here.
    fn write(&mut self, name: &str, mark: Mark, parts: &Parts<'_>) -> Result<(), EmitError> {
        let path = self.place(name)?;
        let same = self.earlier.map(|earlier| earlier.join(name));
        match same.filter(|same| mark.fits(same) && holds(same, parts)) {
            // Not every file system has links.
            Some(same) => fs::hard_link(same, &path).or_else(|_| write_parts(&path, parts)),
            None => write_parts(&path, parts),
        }
        .map_err(failed(&path))
    }

    /// The path of a file, whose folder is there then.
    fn place(&mut self, name: &str) -> Result<PathBuf, EmitError> {
        let path = self.folder.join(name);
        let folder = folder_of(name);
        if !self.folders.contains(folder) {
            make_parent(&path)?;
            self.folders.insert(folder.to_owned());
        }
        Ok(path)
    }

    fn remember(&mut self, name: String, mark: Option<Mark>, made_from: Option<MadeFrom>) {
        let known = Known {
            mark,
            made_from,
            build: 0,
        };
        self.files.insert(name, known);
    }
}

impl<'a> Files<'a> for Output<'_> {
    fn put_marked(
        &mut self,
        name: Name<'a>,
        mark: Mark,
        parts: impl FnOnce() -> Parts<'a>,
    ) -> Result<(), EmitError> {
        self.write(&name, mark, &parts())?;
        self.remember(name.into_owned(), Some(mark), None);
        Ok(())
    }

    fn put_made(
        &mut self,
        name: Name<'a>,
        made_from: MadeFrom,
        make: impl FnOnce() -> (Mark, Parts<'a>),
    ) -> Result<Mark, EmitError> {
        let (mark, parts) = make();
        self.write(&name, mark, &parts)?;
        self.remember(name.into_owned(), Some(mark), Some(made_from));
        Ok(mark)
    }

    fn copy(&mut self, name: String, from: &Path) -> Result<(), EmitError> {
        let to = self.place(&name)?;
        fs::copy(from, &to).map_err(failed(&to))?;
        self.remember(name, None, None);
        Ok(())
    }
}

/// What an output that stands needs to be another.
struct Change<'a, 'b> {
    out: &'b Path,
    files: &'b mut HashMap<String, Known>,
    /// The number of this build.
    build: u64,
    folders: FoundFolders<'b>,
    changed: Vec<(Name<'a>, Parts<'a>)>,
}

/// The folders of the files of an output that stands.
struct FoundFolders<'b> {
    out: &'b Path,
    /// As they were left.
    before: &'b HashMap<String, SystemTime>,
    found: HashMap<String, FoundFolder>,
    /// The one that was asked for last, and whether it is as it was left: most files follow one of their folder.
    last: Option<(String, bool)>,
}

/// A folder of an output that stands.
struct FoundFolder {
    time: Option<SystemTime>,
    /// Whether nothing came or went since the last build. Who takes a file away in the same moment is seen by the next whole one.
    is_as_left: bool,
}

impl<'b> FoundFolders<'b> {
    fn new(out: &'b Path, before: &'b HashMap<String, SystemTime>) -> Self {
        Self {
            out,
            before,
            found: HashMap::new(),
            last: None,
        }
    }

    /// Whether somebody may not have taken a file away that was made before.
    fn may_hold(&mut self, name: &str, mark: Mark) -> bool {
        self.is_as_left(folder_of(name)) || mark.fits(&self.out.join(name))
    }

    fn is_as_left(&mut self, folder: &str) -> bool {
        if let Some((last, is_as_left)) = &self.last
            && last == folder
        {
            return *is_as_left;
        }
        let found = self.found.entry(folder.to_owned()).or_insert_with(|| {
            let time = changed_at(&self.out.join(folder));
            FoundFolder {
                time,
                is_as_left: time.is_some() && time.as_ref() == self.before.get(folder),
            }
        });
        self.last = Some((folder.to_owned(), found.is_as_left));
        found.is_as_left
    }
}

impl<'a> Change<'a, '_> {
    /// Notes that the output has a file. The answer is what it was made from before, where it is there.
    fn keep(&mut self, name: &str) -> Option<&mut Known> {
        let known = self.files.get_mut(name)?;
        if !self.folders.may_hold(name, known.mark?) {
            return None;
        }
        known.build = self.build;
        Some(known)
    }

    /// Makes it known what a file holds that was copied, if it is this.
    fn compare(&mut self, name: &str, mark: Mark, parts: &Parts<'_>) {
        if let Some(known) = self.files.get_mut(name)
            && known.mark.is_none()
            && holds(&self.out.join(name), parts)
        {
            known.mark = Some(mark);
        }
    }

    /// Keeps a file for which this mark stands.
    fn has_kept(&mut self, name: &str, mark: Mark) -> bool {
        let known = self.keep(name);
        known.is_some_and(|known| known.mark.is_some_and(|before| before.is_same(mark)))
    }

    fn replace(&mut self, name: Name<'a>, mark: Mark, made_from: Option<MadeFrom>, parts: Parts<'a>) {
        let known = Known {
            mark: Some(mark),
            made_from,
            build: self.build,
        };
        self.files.insert(name.clone().into_owned(), known);
        self.changed.push((name, parts));
    }
}

impl<'a> Files<'a> for Change<'a, '_> {
    fn put_marked(
        &mut self,
        name: Name<'a>,
        mark: Mark,
        parts: impl FnOnce() -> Parts<'a>,
    ) -> Result<(), EmitError> {
        if self.has_kept(&name, mark) {
            return Ok(());
        }
        let parts = parts();
        self.compare(&name, mark, &parts);
        if !self.has_kept(&name, mark) {
            self.replace(name, mark, None, parts);
        }
        Ok(())
    }

    fn put_made(
        &mut self,
        name: Name<'a>,
        made_from: MadeFrom,
        make: impl FnOnce() -> (Mark, Parts<'a>),
    ) -> Result<Mark, EmitError> {
        let is_same = |known: &&mut Known| {
            let before = known.made_from.as_ref();
            before.is_some_and(|before| before.is_same(&made_from))
        };
        if let Some(mark) = self.keep(&name).filter(is_same).and_then(|known| known.mark) {
            return Ok(mark);
        }
        let (mark, parts) = make();
        self.compare(&name, mark, &parts);
        if self.has_kept(&name, mark) {
            if let Some(known) = self.files.get_mut(&*name) {
                known.made_from = Some(made_from);
            }
        } else {
            self.replace(name, mark, Some(made_from), parts);
        }
        Ok(mark)
    }

    fn copy(&mut self, name: String, from: &Path) -> Result<(), EmitError> {
        let bytes = fs::read(from).map_err(failed(from))?;
        self.put(name, bytes).map(drop)
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

fn holds(path: &Path, parts: &Parts<'_>) -> bool {
    let Ok(found) = fs::read(path) else { return false };
    let mut rest = found.as_slice();
    let mut parts = parts.iter();
    parts.all(|part| match rest.strip_prefix(&**part) {
        Some(behind) => {
            rest = behind;
            true
        }
        None => false,
    }) && rest.is_empty()
}

fn put(path: &Path, parts: &Parts<'_>) -> Result<(), EmitError> {
    make_parent(path)?;
    write_parts(path, parts).map_err(failed(path))
}

/// Writes a file of several parts without putting them together before.
fn write_parts(path: &Path, parts: &Parts<'_>) -> io::Result<()> {
    /// As many as Linux takes at once.
    const MOST: usize = 1024;
    let mut file = fs::File::create(path)?;
    let slices = parts.iter().map(|part| IoSlice::new(part));
    let mut slices: Vec<IoSlice<'_>> = slices.filter(|slice| !slice.is_empty()).collect();
    let mut rest = slices.as_mut_slice();
    while !rest.is_empty() {
        match file.write_vectored(&rest[..rest.len().min(MOST)]) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => IoSlice::advance_slices(&mut rest, count),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
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
