//! What is built: the Markdown, and the generators with their copies of it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::super::search::output;
use super::super::{Usage, cpu, release};
use super::{OURS, Run};
use crate::follower::Follower;
use crate::{build, wasm};

/// Any key of 40 characters: what is measured does not depend on its value.
const KEY: &str = "0000000000000000000000000000000000000000";

/// One folder of Markdown.
pub(super) struct Source {
    pub(super) name: &'static str,
    content: PathBuf,
    /// Only our own site has one.
    config: Option<PathBuf>,
    /// Where the pages are in a site.
    pub(super) prefix: &'static str,
    /// A JSON file with the names of the Markdown files.
    pub(super) list: PathBuf,
    files: Vec<String>,
}

impl Source {
    /// A folder of anybody's Markdown, or a part of it, so that every generator takes it.
    pub(super) fn prepare(
        name: &'static str,
        from: &Path,
        pages: Option<usize>,
        run: &Run,
    ) -> Result<Source> {
        let content = run.work.join(format!("content-{name}"));
        let mut command = run.script("content.mjs");
        command.arg(from).arg(&content);
        if let Some(pages) = pages {
            command.arg(pages.to_string());
        }
        let files = serde_json::from_str(&output(&mut command)?).context("content.mjs prints JSON")?;
        Source {
            name,
            content,
            config: None,
            prefix: "",
            list: run.work.join(format!("files-{name}.json")),
            files,
        }
        .listed()
    }

    /// Our documentation as it is published, with the API reference.
    pub(super) fn ours(run: &Run) -> Result<Source> {
        let build::Source { content, config } = build::Source::ours();
        let mut files = Vec::new();
        for entry in walkdir::WalkDir::new(&content).sort_by_file_name() {
            let entry = entry?;
            if entry
                .path()
                .extension()
                .is_some_and(|extension| extension == "md")
            {
                let name = entry.path().strip_prefix(&content)?;
                files.push(name.to_str().context("names of pages are text")?.to_owned());
            }
        }
        Source {
            name: "our documentation",
            content,
            config,
            prefix: "/docs",
            list: run.work.join("files-ours.json"),
            files,
        }
        .listed()
    }

    fn listed(self) -> Result<Source> {
        std::fs::write(&self.list, serde_json::to_string(&self.files)?)?;
        Ok(self)
    }

    pub(super) fn pages(&self) -> usize {
        self.files.len()
    }

    /// Whether it is our own documentation.
    pub(super) fn is_ours(&self) -> bool {
        self.config.is_some()
    }

    /// A file to change: the middle one.
    pub(super) fn file(&self) -> Result<&str> {
        let middle = self.files.get(self.files.len() / 2);
        Ok(middle.context("the folder has no Markdown")?)
    }

    /// What Lighthouse visits.
    pub(super) fn visits(&self) -> Result<Vec<Visit>> {
        let text = Visit {
            kind: "text page",
            path: format!("{}/{}", self.prefix, self.file()?.trim_end_matches(".md")),
        };
        if !self.is_ours() {
            return Ok(vec![text]);
        }
        let visit = |kind, path: &str| Visit {
            kind,
            path: path.to_owned(),
        };
        Ok(vec![
            visit("start page", "/"),
            text,
            visit("API reference", "/docs/api/datasets"),
            visit(NOT_FOUND, "/docs/no-such-page"),
        ])
    }
}

/// A page of one kind.
pub(super) struct Visit {
    pub(super) kind: &'static str,
    pub(super) path: String,
}

/// The kind that no site has a page for.
pub(super) const NOT_FOUND: &str = "not-found page";

/// A generator with its copy of the Markdown.
pub(super) struct Project {
    commands: Vec<Command>,
    content: PathBuf,
    pub(super) dist: PathBuf,
}

impl Project {
    pub(super) fn new(generator: &str, source: &Source, run: &Run) -> Result<Project> {
        let project = run.work.join(format!("{generator}-{}", source.pages()));
        if generator == OURS {
            return Project::ours(source, &project);
        }
        let printed = output(
            run.script("project.mjs")
                .arg(generator)
                .arg(&source.content)
                .arg(&project),
        )?;
        let Printed {
            command,
            content,
            dist,
        } = serde_json::from_str(&printed).context("project.mjs prints JSON")?;
        let (program, arguments) = command.split_first().context("a generator has a command")?;
        let mut build = Command::new(program);
        build
            .args(arguments)
            .current_dir(&project)
            .env("NODE_ENV", "production")
            // More than Node takes by itself: one of them needs it on 1,400 pages.
            .env("NODE_OPTIONS", "--max-old-space-size=8192")
            .env("ASTRO_TELEMETRY_DISABLED", "1");
        Ok(Project {
            commands: vec![build],
            content,
            dist,
        })
    }

    /// The two programs behind `cargo xtask build`.
    fn ours(source: &Source, project: &Path) -> Result<Project> {
        let (content, pages, dist) = (
            project.join("content"),
            project.join("pages"),
            project.join("dist"),
        );
        copy_folder(&source.content, &content)?;
        let mut indexer = Command::new(release("indexer"));
        indexer.arg("build").arg(build::WITHOUT_ITEMS);
        indexer.arg("--content").arg(&content);
        indexer.arg("--out").arg(&pages).env_remove("SIFTWREN_ENCODER");
        if let Some(config) = &source.config {
            indexer.arg("--config").arg(config);
        }
        let mut site = build::site_builder();
        site.env("SIFTWREN_PAGES", &pages)
            .env("SIFTWREN_DIST", &dist)
            .env("SIFTWREN_WASM", wasm::package())
            .env("SIFTWREN_SEARCH_KEY", KEY);
        Ok(Project {
            commands: vec![indexer, site],
            content,
            dist,
        })
    }

    /// What each of its programs takes.
    pub(super) fn build(&mut self) -> Result<Vec<Usage>> {
        self.commands.iter_mut().map(cpu).collect()
    }

    /// CPU seconds for a page that an author saves while the builders stay, as in `build --watch`: the mean of some. None of the
    /// other generators' builds stays in a way that could be measured alike.
    pub(super) fn follow(&mut self, file: &str) -> Result<f64> {
        const FIRST: usize = 4;
        const SAVED: usize = 12;
        let mut commands = std::mem::take(&mut self.commands);
        commands[0].arg(build::WITHOUT_FULL_TEXT);
        let mut builders: Vec<Follower> = commands
            .into_iter()
            .map(|mut command| {
                command.stdout(Stdio::null());
                Follower::new(command)
            })
            .collect();
        let seconds = |builders: &[Follower]| builders.iter().map(Follower::cpu_seconds).sum::<Result<f64>>();
        // The first build starts them, those after it warm them up: an author saves more often than that.
        let mut before = 0.0;
        for saved in 0..FIRST + SAVED {
            if saved == FIRST {
                before = seconds(&builders)?;
            }
            self.change(file)?;
            let changed = build::paths_line(&BTreeSet::from([self.content.join(file)]));
            for (builder, line) in builders.iter_mut().zip([&*changed, ""]) {
                builder.build(line)?;
            }
        }
        Ok((seconds(&builders)? - before) / SAVED as f64)
    }

    pub(super) fn change(&self, file: &str) -> Result<()> {
        let file = self.content.join(file);
        let text =
            std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        Ok(std::fs::write(
            &file,
            text + "\nOne more sentence, by which this page changed.\n",
        )?)
    }
}

/// Bundles our code as if it never had been.
pub(super) fn bundle() -> Result<Usage> {
    let bundles = crate::root().join("site/node_modules/.siftwren");
    if bundles.exists() {
        std::fs::remove_dir_all(&bundles)?;
    }
    cpu(&mut build::bundler())
}

#[derive(serde::Deserialize)]
struct Printed {
    command: Vec<String>,
    content: PathBuf,
    dist: PathBuf,
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry?;
        let target = to.join(entry.path().strip_prefix(from)?);
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(&target)?;
        } else {
            std::fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}
