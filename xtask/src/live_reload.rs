//! What the pages that an author has open are told of builds; `preview --live-reload` passes it on.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};

use crate::process::{Failed, digest};

pub(crate) struct LiveReload {
    file: PathBuf,
}

impl LiveReload {
    /// For the site in a folder. Nothing is told before the first build.
    pub(crate) fn new(out: &Path) -> Result<LiveReload> {
        let name = digest(&[], &[&out.to_string_lossy()])?;
        let file = crate::target()
            .join("siftwren")
            .join(format!("live-{}", &name[..8]));
        let live = LiveReload { file };
        live.end()?;
        Ok(live)
    }

    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// Builds, while an author is at work. What is wrong is said here and in the pages, and the site stays as it was until it is
    /// mended.
    pub(crate) fn build(&self, build: impl FnOnce() -> Result<()>) -> Result<bool> {
        let problem = build().err();
        let said = problem
            .as_ref()
            .map(|error| match error.downcast_ref::<Failed>() {
                Some(failed) if !failed.said.trim().is_empty() => failed.said.clone(),
                _ => format!("{error:#}"),
            });
        if let Some(error) = &problem {
            // The program has named the places already.
            eprintln!("{error:#}: the site stays as it was");
        }
        self.tell(said.as_deref().unwrap_or_default())?;
        Ok(problem.is_none())
    }

    /// Pages are those of readers again.
    pub(crate) fn end(&self) -> Result<()> {
        match std::fs::remove_file(&self.file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot remove {}", self.file.display()))
            }
            _ => Ok(()),
        }
    }

    /// The name of a build is another than those of earlier runs too, whose pages may still be open.
    fn tell(&self, problem: &str) -> Result<()> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos();
        let partial = self.file.with_extension("partial");
        let write = || {
            std::fs::write(&partial, format!("{now:x}\n{problem}"))?;
            std::fs::rename(&partial, &self.file)
        };
        write().with_context(|| format!("cannot write {}", self.file.display()))
    }
}

impl Drop for LiveReload {
    fn drop(&mut self) {
        if let Err(error) = self.end() {
            eprintln!("xtask: {error:#}");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use crate::process::run_listening;

    use super::*;

    #[test]
    fn pages_are_told_of_each_build_and_of_what_keeps_one_from_being_made() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let live = LiveReload {
            file: folder.path().join("live"),
        };
        let told = || -> Result<(String, String)> {
            let text = std::fs::read_to_string(live.file())?;
            let (name, problem) = text.split_once('\n').context("a name and the rest")?;
            Ok((name.to_owned(), problem.to_owned()))
        };

        assert!(live.build(|| Ok(()))?);
        let (first, problem) = told()?;
        assert_eq!(problem, "");
        assert!(!live.build(|| run_listening(
            Command::new("sh").args(["-c", "echo page.md:1:1: no title >&2; exit 1"])
        ))?);
        let (second, problem) = told()?;
        assert_ne!(first, second);
        assert_eq!(problem, "page.md:1:1: no title\n");
        assert!(!live.build(|| anyhow::bail!("the disk is full"))?);
        assert_eq!(told()?.1, "the disk is full");
        live.end()?;
        assert!(!live.file().exists());
        live.end()
    }
}
