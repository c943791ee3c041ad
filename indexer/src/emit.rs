//! The only module that writes. A new output is written beside the old one and takes its place when it is complete:
//! nobody ever sees half of one.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::embed::Cache;
use crate::site::Site;

/// Marks a folder as one that may be replaced.
const MARKER: &str = ".siftwren-output";

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
    let exists = may_replace(out)?;
    let new = beside(out, "new");
    let old = beside(out, "old");
    remove(&new)?;
    let output = Output {
        folder: &new,
        earlier: exists.then_some(out),
    };
    let written = output.write(site);
    if written.is_err() {
        // The first error is the one to report; what is left of the new folder is in nobody's way.
        let _ = fs::remove_dir_all(&new);
        return written;
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
    remove(&old)
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

/// A new output.
struct Output<'a> {
    folder: &'a Path,
    /// The output that it replaces.
    earlier: Option<&'a Path>,
}

impl Output<'_> {
    fn write(&self, site: &Site) -> Result<(), EmitError> {
        let out = self.folder;
        self.put(
            MARKER,
            b"Written by the siftwren indexer, which replaces this folder as a whole.\n",
        )?;
        for (page, data) in site.manifest.pages.iter().zip(&site.pages) {
            self.put(&page.data, &json(data))?;
        }
        for file in &site.index {
            self.put(Path::new("search").join(&file.name), &file.bytes)?;
        }
        let mut items = Vec::new();
        for item in &site.items {
            items.extend(json(item));
            items.push(b'\n');
        }
        self.put("items.ndjson", &items)?;
        if let Some(vectors) = &site.vectors {
            self.put("query-table.fifu", &vectors.table.to_bytes())?;
        }
        for file in &site.made_files {
            self.put(&file.path, &file.bytes)?;
        }
        for file in &site.root_files {
            self.put(Path::new("root").join(&file.path), file.text.as_bytes())?;
        }
        for (path, from) in &site.static_files {
            let to = out.join("root").join(path);
            make_parent(&to)?;
            fs::copy(from, &to).map_err(failed(&to))?;
        }
        for (name, picture) in &site.cards {
            self.put(name, picture)?;
        }
        for file in &site.components.files {
            let to = out.join("components").join(file);
            make_parent(&to)?;
            fs::copy(site.components.root.join(file), &to).map_err(failed(&to))?;
        }
        for asset in &site.assets {
            let to = out.join(&asset.output);
            make_parent(&to)?;
            fs::copy(&asset.from, &to).map_err(failed(&to))?;
        }
        // Last, so that a folder with a manifest is a whole output.
        self.put("manifest.json", &json(&site.manifest))
    }

    /// A file that is the same in the earlier output is linked from there, which costs less than to write it and to remove the
    /// old one afterwards. Nobody writes into a file of an output; whoever did would have another content here.
    fn put(&self, name: impl AsRef<Path>, bytes: &[u8]) -> Result<(), EmitError> {
        let path = self.folder.join(&name);
        let same = self.earlier.map(|earlier| earlier.join(&name));
        match same.filter(|same| holds(same, bytes)) {
            Some(same) => {
                make_parent(&path)?;
                // Not every file system has links.
                fs::hard_link(same, &path).or_else(|_| fs::write(&path, bytes).map_err(failed(&path)))
            }
            None => put(&path, bytes),
        }
    }
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
