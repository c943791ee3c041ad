//! `cargo xtask bench site`: our site and those that others make of the same Markdown.
//!
//! Builds are whole processes, user and system CPU together. What a site costs its readers is measured in Chromium, from one static server
//! for all. The others' packages are pinned in `xtask/bench/site` and installed below `target/`.

mod measure;
mod projects;
mod table;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;
use clap::Args;

use super::{copy_scripts, install_packages};
use crate::process::{cargo, once, run, step};
use crate::{setup, wasm};
use measure::Site;
use projects::Source;

#[derive(Args)]
pub(crate) struct Options {
    /// A large folder of Markdown; a part of it is the small site. Without it our own documentation is measured, and no other generator
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// How many pages the small part has
    #[arg(long, default_value_t = 142, value_name = "PAGES", requires = "corpus")]
    pages: usize,
    /// Only these generators
    #[arg(long, value_name = "NAME", requires = "corpus", value_parser = ALL)]
    only: Vec<String>,
    /// Only this site of the two
    #[arg(long, value_name = "SIZE", requires = "corpus", value_parser = ["small", "large"])]
    size: Option<String>,
    /// Without the four categories of Lighthouse, which take a minute a page
    #[arg(long)]
    without_lighthouse: bool,
}

const OURS: &str = "siftwren";
/// The others are names in `xtask/bench/site/project.mjs`; their versions are in its package.json, that of mdBook is below.
const ALL: [&str; 5] = [OURS, "docusaurus", "vitepress", "starlight", "mdbook"];
const MDBOOK: &str = "0.5.4";

pub(crate) fn site(options: &Options) -> Result<()> {
    let folder = crate::target().join("siftwren/bench-site");
    std::fs::create_dir_all(&folder)?;
    let mut chosen = ALL.to_vec();
    chosen.retain(|name| match &options.corpus {
        Some(_) => options.only.is_empty() || options.only.iter().any(|only| only == name),
        None => *name == OURS,
    });
    step("tools of this machine", setup::node)?;
    let chromium = step("Chromium", setup::chromium)?;
    step("npm packages of the site", || setup::npm_packages("site"))?;
    step("WebAssembly target", setup::wasm_target)?;
    step("WebAssembly module", wasm::build)?;
    step("indexer, optimised", || {
        run(&mut cargo(&["build", "--release", "-p", "indexer"]))
    })?;
    copy_scripts("site", &folder)?;
    step("generators and browser tools from npm", || {
        install_packages(&folder)
    })?;
    if chosen.contains(&"mdbook") {
        step("mdBook from crates.io", || install_mdbook(&folder))?;
    }

    let run = Run::new(folder)?;
    let sources = match &options.corpus {
        Some(corpus) => {
            let corpus = corpus.canonicalize()?;
            [("small", Some(options.pages)), ("large", None)]
                .into_iter()
                .filter(|(name, _)| options.size.as_deref().is_none_or(|size| size == *name))
                .map(|(name, pages)| Source::prepare(name, &corpus, pages, &run))
                .collect::<Result<Vec<_>>>()?
        }
        None => {
            eprintln!("SKIPPED: the others; name a folder of Markdown with --corpus DIR");
            vec![Source::ours(&run)?]
        }
    };
    let mut text = String::new();
    for source in &sources {
        let mut sites = Vec::new();
        for &generator in &chosen {
            let name = format!("{generator}, {}: {} pages", source.name, source.pages());
            sites.push(step(&name, || {
                Site::measure(generator, source, &chromium, options, &run)
            })?);
        }
        text += &table::table(source, &sites)?;
    }
    println!("{text}");
    run.remove()
}

/// Where everything is.
///
/// What builds read and write is in a folder of this run alone, and nothing is removed before the last of them: for minutes after
/// thousands of files were removed, ext4 looks past each of them wherever a new one is made, and a build of 1,400 pages
/// took up to 1.5 times its CPU time.
struct Run {
    /// The scripts, with the packages of the generators.
    scripts: PathBuf,
    work: PathBuf,
}

impl Run {
    const PREFIX: &str = "run-";

    fn new(scripts: PathBuf) -> Result<Run> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
        let work = scripts.join(format!("{}{}", Run::PREFIX, now.as_secs()));
        std::fs::create_dir_all(&work)?;
        Ok(Run { scripts, work })
    }

    fn script(&self, name: &str) -> Command {
        let mut command = Command::new("node");
        command.arg(self.scripts.join(name));
        command
    }

    /// Also what runs left that did not come to their end.
    fn remove(&self) -> Result<()> {
        for entry in std::fs::read_dir(&self.scripts)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with(Run::PREFIX) {
                std::fs::remove_dir_all(entry.path())?;
            }
        }
        Ok(())
    }
}

fn install_mdbook(folder: &Path) -> Result<()> {
    let root = folder.join("mdbook");
    once(&root.join(".siftwren-installed"), MDBOOK, || {
        // Removed with what the run makes, when nothing is measured any more.
        let scratch = folder.join(format!("{}mdbook", Run::PREFIX));
        run(cargo(&["install", "mdbook", "--locked", "--no-track", "--force"])
            .args(["--version", MDBOOK, "--root"])
            .arg(&root)
            .arg("--target-dir")
            .arg(&scratch))
    })
}
