//! Brings what a machine lacks, or says in one sentence what to install.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{npm, once, run, run_quietly};

/// The oldest Node that the site's tools run on.
const NODE: (u32, u32) = (20, 19);

/// Node and npm, new enough.
pub(crate) fn node() -> Result<()> {
    let wanted = format!("Node {}.{} or newer", NODE.0, NODE.1);
    let how = "install it with your package manager or from nodejs.org, then run this again";
    let Ok(output) = Command::new("node").arg("--version").output() else {
        bail!("{wanted} is needed and `node` is not on the PATH: {how}");
    };
    let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if !new_enough(&version) {
        bail!("{wanted} is needed, this machine has {version}: {how}");
    }
    if Command::new("npm").arg("--version").output().is_err() {
        bail!("npm is needed and is not on the PATH: it comes with Node; {how}");
    }
    Ok(())
}

fn new_enough(version: &str) -> bool {
    let mut numbers = version
        .trim_start_matches('v')
        .split('.')
        .map(|part| part.parse::<u32>().ok());
    match (numbers.next().flatten(), numbers.next().flatten()) {
        (Some(major), Some(minor)) => (major, minor) >= NODE,
        _ => false,
    }
}

/// A C compiler, for the crates that contain C (SQLite, zstd, the code grammars).
pub(crate) fn c_compiler() -> Result<()> {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    if Command::new(&compiler)
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
    {
        return Ok(());
    }
    bail!(
        "a C compiler is needed and `{compiler}` does not run: install gcc or clang \
         (Debian and Ubuntu: apt-get install gcc libc6-dev; macOS: xcode-select --install)"
    )
}

/// The standard library for wasm32-unknown-unknown, for exactly this compiler.
pub(crate) fn wasm_target() -> Result<()> {
    let script = crate::root().join("xtask/wasm-target.sh");
    run_quietly(Command::new("bash").arg(&script).arg("--check"))
        .or_else(|_| run(Command::new("bash").arg(&script)))
        .context("the WebAssembly target is missing: `rustup target add wasm32-unknown-unknown` brings it where rustup has a network")
}

/// The npm packages of one folder, in the locked versions.
pub(crate) fn npm_packages(folder: &str) -> Result<()> {
    let folder_path = crate::root().join(folder);
    let lock = folder_path.join("package-lock.json");
    let inputs = crate::process::digest(&[&lock], &[])?;
    once(
        &folder_path.join("node_modules/.siftwren-installed"),
        &inputs,
        || {
            // Not `npm ci`: it refuses a lock file that lacks the binaries of other systems, and npm leaves those out
            // where a registry does not carry them. `--no-save` never changes the lock file.
            // Browsers come from the system's package manager, never from a package's own download.
            run(npm(
                folder,
                &[
                    "install",
                    "--no-save",
                    "--no-audit",
                    "--no-fund",
                    "--loglevel=error",
                ],
            )
            .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"))
        },
    )
}

const CHROMIUM: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];
/// Chromium without what is around its pages.
const HEADLESS_SHELL: &str = "chromium-headless-shell";

/// The path of the Chromium that journeys run in: one without a window of its own where there is one, since it takes half of the
/// processor time.
pub(crate) fn chromium_for_journeys() -> Result<PathBuf> {
    if std::env::var_os("SIFTWREN_CHROMIUM").is_some() {
        return chromium();
    }
    if on_path(HEADLESS_SHELL).is_none() && any_chromium().is_none() {
        // Debian's lacks files that it shares with Chromium itself. Not every system has it.
        if let Err(error) = install_with_apt(&[HEADLESS_SHELL, "chromium"]) {
            println!("  no {HEADLESS_SHELL} here, so Chromium itself: {error:#}");
        }
    }
    match on_path(HEADLESS_SHELL) {
        Some(path) if shows_pages(&path)? => Ok(path),
        Some(_) => {
            println!("  {HEADLESS_SHELL} does not start here, so Chromium itself");
            chromium()
        }
        None => chromium(),
    }
}

fn shows_pages(browser: &Path) -> Result<bool> {
    let shown = Command::new(browser)
        .args(["--no-sandbox", "--disable-gpu", "--dump-dom", "about:blank"])
        .output()
        .with_context(|| format!("cannot run {}", browser.display()))?;
    Ok(shown.status.success() && String::from_utf8_lossy(&shown.stdout).contains("<html"))
}

fn any_chromium() -> Option<PathBuf> {
    CHROMIUM.iter().find_map(|name| on_path(name))
}

/// The path of a Chromium; installed with apt where it is missing and that can be done.
pub(crate) fn chromium() -> Result<PathBuf> {
    if let Some(path) = std::env::var_os("SIFTWREN_CHROMIUM") {
        return Ok(path.into());
    }
    if let Some(path) = any_chromium() {
        return Ok(path);
    }
    install_with_apt(&["chromium"]).context(
        "the browser tests need Chromium: install it with your system's package manager, \
         or name one that you have in SIFTWREN_CHROMIUM",
    )?;
    any_chromium().context("chromium was installed but is not on the PATH: name it in SIFTWREN_CHROMIUM")
}

/// Python 3, which runs the samples of the docs.
pub(crate) fn python() -> Result<()> {
    if on_path("python3").is_none() {
        install_with_apt(&["python3"])
            .context("the samples in the docs need Python 3.9 or newer as `python3`: install it")?;
    }
    Ok(())
}

/// curl, which runs the samples of the docs.
pub(crate) fn curl() -> Result<()> {
    if on_path("curl").is_none() {
        install_with_apt(&["curl"]).context("the samples in the docs need `curl`: install it")?;
    }
    Ok(())
}

pub(crate) fn install_with_apt(packages: &[&str]) -> Result<()> {
    if on_path("apt-get").is_none() {
        bail!("it is missing, and this system has no apt-get to install it with");
    }
    let apt = |arguments: &[&str]| {
        let mut command = if nix::unistd::geteuid().is_root() {
            Command::new("apt-get")
        } else {
            Command::new("sudo")
        };
        if !nix::unistd::geteuid().is_root() {
            command.args(["-n", "apt-get"]);
        }
        run_quietly(command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    apt(&["-qq", "update"])?;
    apt(&[&["-qq", "install", "--yes", "--no-install-recommends"], packages].concat())
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::new_enough;

    #[test]
    fn node_versions_compare_as_numbers() {
        for (version, expected) in [
            ("v20.19.0", true),
            ("v20.20.2", true),
            ("v22.1.0", true),
            ("v20.9.0", false),
            ("v18.20.1", false),
            ("", false),
        ] {
            assert_eq!(new_enough(version), expected, "{version:?}");
        }
    }
}
