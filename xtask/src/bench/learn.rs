//! `cargo xtask learn`: the weights of the ranking, learnt from judged queries by the tool `relevance`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use clap::Args;

use super::{release, search};
use crate::process::{cargo, run, step};

#[derive(Args)]
pub(crate) struct Options {
    /// A judged site that is not ours: a folder with content/ and queries.jsonl; may be given several times
    #[arg(long, value_name = "DIR")]
    judged: Vec<PathBuf>,
    /// Learns from the test half and judges on the dev half: what is learnt should be much the same
    #[arg(long)]
    swap: bool,
    /// Writes the weights into search-core, with this date
    #[arg(long, value_name = "DATE")]
    write: Option<String>,
}

pub(crate) fn learn(options: &Options) -> Result<()> {
    step("indexer and relevance, optimised", || {
        run(&mut cargo(&[
            "build",
            "--release",
            "-p",
            "indexer",
            "-p",
            "relevance",
        ]))
    })?;
    let folder = crate::target().join("siftwren/learn");
    let vectors = folder.join("vectors");
    if std::env::var_os("SIFTWREN_ENCODER").is_some_and(|encoder| !encoder.is_empty()) {
        for site in &options.judged {
            step(&format!("vectors of {}", site.display()), || {
                encode(site, &vectors, &folder)
            })?;
        }
    } else if !options.judged.is_empty() {
        eprintln!(
            "SKIPPED: vectors of judged sites; name an encoder in SIFTWREN_ENCODER (cargo xtask encoder)"
        );
    }
    let mut command = search::relevance(&["learn"]);
    for site in &options.judged {
        command.arg("--judged").arg(site);
    }
    command.arg("--vectors").arg(&vectors);
    if options.swap {
        command.arg("--swap");
    }
    if let Some(date) = &options.write {
        command.args(["--write", date]);
    }
    run(&mut command)
}

/// Fills the cache of vectors that `relevance` then reads.
fn encode(site: &Path, vectors: &Path, folder: &Path) -> Result<()> {
    let name = site.file_name().unwrap_or_default();
    run(Command::new(release("indexer"))
        .arg("build")
        .arg("--content")
        .arg(site.join("content"))
        .arg("--out")
        .arg(folder.join("pages"))
        .arg("--vector-cache")
        .arg(vectors.join(name)))
}
