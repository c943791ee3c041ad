//! Environments of Python packages below the target folder: made once, in pinned versions, and again when those change.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process::{digest, once, run, run_quietly};
use crate::setup;

/// The Python of an environment that has the packages of a requirements file.
pub(crate) fn environment(name: &str, requirements: &Path) -> Result<PathBuf> {
    let folder = crate::target().join("siftwren/python").join(name);
    let python = folder.join("bin/python");
    let inputs = digest(&[requirements], &[])?;
    once(&folder.join(".siftwren-installed"), &inputs, || {
        if folder.exists() {
            std::fs::remove_dir_all(&folder).with_context(|| format!("cannot clear {}", folder.display()))?;
        }
        let make = || run_quietly(Command::new("python3").args(["-m", "venv"]).arg(&folder));
        // Debian keeps what environments need in a package of its own.
        make().or_else(|_| {
            setup::install_with_apt(&["python3-venv"]).context("Python environments need the module venv")?;
            make()
        })?;
        run(Command::new(&python)
            .args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--requirement",
            ])
            .arg(requirements))
        .with_context(|| format!("pip cannot install what {} names", requirements.display()))
    })?;
    Ok(python)
}
