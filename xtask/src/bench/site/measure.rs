//! What one generator made of one folder of Markdown, and what that costs.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use super::super::Usage;
use super::super::search::output;
use super::projects::{self, NOT_FOUND, Project, Source};
use super::{OURS, Options, Run};

/// What could not be measured is `None` or null.
pub(super) struct Site {
    pub(super) generator: String,
    pub(super) build: Option<Usage>,
    /// CPU seconds of the indexer in it: what is ours and not the rendering of pages.
    pub(super) indexer: Option<f64>,
    /// What is done once with the programs of ours, for all sites: the code of browsers is bundled. The others do it in each build.
    pub(super) bundling: Option<Usage>,
    /// The build after a change of one page, with whatever the generator kept from the one before.
    pub(super) again: Option<Usage>,
    /// CPU seconds of such a build by the builders of `build --watch`, which stay.
    pub(super) followed: Option<f64>,
    pub(super) megabytes: Option<f64>,
    pub(super) browser: Value,
    /// A list, an entry a visit of the source.
    pub(super) lighthouse: Value,
    /// What could not be measured, and why.
    pub(super) failures: Vec<String>,
}

impl Site {
    /// Fails for our own site alone: another generator's failure leaves everything else that is measured.
    pub(super) fn measure(
        generator: &str,
        source: &Source,
        chromium: &Path,
        options: &Options,
        run: &Run,
    ) -> Result<Site> {
        let mut site = Site {
            generator: generator.to_owned(),
            build: None,
            indexer: None,
            bundling: None,
            again: None,
            followed: None,
            megabytes: None,
            browser: Value::Null,
            lighthouse: Value::Null,
            failures: Vec::new(),
        };
        let filled = site.fill(source, chromium, options, run);
        site.attempt("build", filled);
        anyhow::ensure!(
            generator != OURS || site.failures.is_empty(),
            "{generator}: {}",
            site.failures.join("\n")
        );
        Ok(site)
    }

    fn fill(&mut self, source: &Source, chromium: &Path, options: &Options, run: &Run) -> Result<()> {
        if self.generator == OURS {
            self.bundling = Some(projects::bundle()?);
        }
        let mut project = Project::new(&self.generator, source, run)?;
        let programs = project.build()?;
        if let (OURS, Some(indexer)) = (self.generator.as_str(), programs.first()) {
            self.indexer = Some(indexer.seconds);
        }
        self.build = Some(Usage::of_all(&programs));
        self.megabytes = Some(megabytes(&project.dist)?);
        project.change(source.file()?)?;
        let again = project.build().map(|programs| Usage::of_all(&programs));
        self.again = self.attempt("build after one changed page", again);

        let browser = measured(
            run.script("browser.mjs")
                .arg(&project.dist)
                .arg(&source.list)
                .arg(source.prefix)
                .env("SIFTWREN_CHROMIUM", chromium),
        );
        self.browser = self.attempt("browser", browser).unwrap_or_default();
        if let Some(failures) = self.browser["failures"].as_array() {
            let lines = failures.iter().map(|failure| {
                let text = |key: &str| failure[key].as_str().unwrap_or_default();
                format!("{}: {}", text("what"), text("reason"))
            });
            self.failures.extend(lines);
        }

        if !options.without_lighthouse {
            let mut command = run.script("lighthouse.mjs");
            command.arg(&project.dist).env("SIFTWREN_CHROMIUM", chromium);
            for visit in source.visits()? {
                if visit.kind == NOT_FOUND {
                    command.arg("--not-found");
                }
                command.arg(visit.path);
            }
            self.lighthouse = self
                .attempt("Lighthouse", measured(&mut command))
                .unwrap_or_default();
        }
        // At the end: such builds spend less on small files.
        if self.generator == OURS {
            let followed = project.follow(source.file()?);
            self.followed = self.attempt("a page that is saved", followed);
        }
        Ok(())
    }

    /// One figure. Where it cannot be had, all that is known is shown at once, and the first line of it goes below the table.
    fn attempt<T>(&mut self, what: &str, result: Result<T>) -> Option<T> {
        match result {
            Ok(figure) => Some(figure),
            Err(error) => {
                let all = format!("{error:#}");
                eprintln!("  {what}: {all}");
                let first = all.lines().next().unwrap_or_default();
                self.failures.push(format!("{what}: {first}"));
                None
            }
        }
    }
}

fn measured(command: &mut Command) -> Result<Value> {
    serde_json::from_str(&output(command)?).context("a script of the bench prints JSON")
}

fn megabytes(folder: &Path) -> Result<f64> {
    let mut bytes = 0;
    for entry in walkdir::WalkDir::new(folder) {
        let entry = entry?;
        if entry.file_type().is_file() {
            bytes += entry.metadata()?.len();
        }
    }
    Ok(bytes as f64 / 1e6)
}
