//! The program as its users meet it: real folders, the real binary, its messages and exit codes.

#![forbid(unsafe_code)]
// In a test a panic is a failure with a place; the helpers are not marked as tests themselves.
#![allow(clippy::unwrap_used)]

mod building;
mod following;
mod foreign_bars;
mod foreign_blocks;
mod foreign_brands;
mod foreign_lists;
mod foreign_pages;
mod language_texts;
mod languages;
mod machines;
mod mdx;
mod myst;
mod notebooks;
mod other_generators;
mod properties;
mod querying;
mod redirects;
mod refusing;
#[cfg(feature = "encoder")]
mod tiny_encoder;
#[cfg(feature = "encoder")]
mod vectors;
mod wiki;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// Builds what most tests have: pages and a configuration.
const BUILD: [&str; 7] = [
    "build",
    "--content",
    "content",
    "--config",
    "siftwren.toml",
    "--out",
    "out",
];

/// The same into another folder.
fn build_into(out: &str) -> [&str; 7] {
    let mut arguments = BUILD;
    arguments[6] = out;
    arguments
}

/// A folder of its own for one test.
struct Folder {
    root: TempDir,
}

impl Folder {
    /// A folder with these files.
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = Self {
            root: tempfile::tempdir().unwrap(),
        };
        for (path, text) in files {
            folder.write(path, text.as_bytes());
        }
        folder
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    fn json(&self, path: &str) -> serde_json::Value {
        serde_json::from_str(&self.read(path)).unwrap()
    }

    /// What the page of this name is for programs.
    fn markdown(&self, page: &str) -> String {
        let page = self.json(&format!("out/pages/{page}.json"));
        page["markdown"].as_str().unwrap().to_owned()
    }

    /// What whoever follows the last build looks at, of what is there.
    fn inputs(&self) -> Vec<String> {
        let manifest = self.json("out/manifest.json");
        let inputs = manifest["inputs"].as_array().unwrap().iter();
        let inputs = inputs.map(|path| path.as_str().unwrap().to_owned());
        inputs.filter(|path| self.path(path).exists()).collect()
    }

    /// Runs the program in this folder.
    fn run(&self, arguments: &[&str]) -> Run {
        Run::new(
            Command::new(env!("CARGO_BIN_EXE_indexer"))
                .args(arguments)
                .current_dir(self.root.path())
                // Set while a git hook runs the tests.
                .env_remove("GIT_DIR")
                // Tests say themselves when they want one.
                .env_remove("SIFTWREN_ENCODER")
                .output()
                .unwrap(),
        )
    }

    /// A build in which links that lead nowhere are errors, whatever the folder is.
    fn build_strictly(&self) -> Run {
        self.write("siftwren.toml", b"[content]\nbroken_links = \"error\"\n");
        self.run(&BUILD)
    }

    /// Runs git, whose commits are of a day.
    fn git(&self, day: &str, arguments: &[&str]) {
        let date = format!("{day}T12:00:00Z");
        let output = Command::new("git")
            .args(["-c", "user.name=A", "-c", "user.email=a@example.com"])
            .args(["-c", "commit.gpgsign=false"])
            .args(arguments)
            .env("GIT_COMMITTER_DATE", &date)
            .env("GIT_AUTHOR_DATE", &date)
            .env_remove("GIT_DIR")
            .env_remove("GIT_INDEX_FILE")
            .current_dir(self.path("."))
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    /// Every file below `path` with its bytes, in order.
    fn all_bytes(&self, path: &str) -> Vec<(PathBuf, Vec<u8>)> {
        fn walk(folder: &Path, root: &Path, found: &mut Vec<(PathBuf, Vec<u8>)>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    walk(&path, root, found);
                } else {
                    found.push((
                        path.strip_prefix(root).unwrap().to_owned(),
                        fs::read(&path).unwrap(),
                    ));
                }
            }
        }
        let root = self.path(path);
        let mut found = Vec::new();
        walk(&root, &root, &mut found);
        found.sort();
        found
    }
}

/// What a run of the program gave.
#[derive(Debug)]
struct Run {
    code: i32,
    stdout: String,
    stderr: String,
}

impl Run {
    fn new(output: Output) -> Self {
        Self {
            code: output.status.code().expect("the program was not killed"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    #[track_caller]
    fn assert_ok(self) -> Self {
        assert_eq!(self.code, 0, "{self:?}");
        self
    }
}
