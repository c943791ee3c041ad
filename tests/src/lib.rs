//! What the cross-component tests share: a platform-sim of their own, and the samples of the documentation.

pub mod platform;
pub mod samples;

use std::path::PathBuf;

/// The repository's root.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the package lies in the repository")
        .to_owned()
}

/// One of our programs, as `cargo test --workspace` has built it.
///
/// # Panics
/// If it is not there: these tests run as part of the workspace, not alone.
pub fn program(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a running test has a path");
    let folder = test
        .parent()
        .and_then(|deps| deps.parent())
        .expect("tests lie in target/PROFILE/deps");
    let path = folder.join(name);
    assert!(
        path.is_file(),
        "{} is not built: run cargo xtask test, or cargo build -p {name}",
        path.display()
    );
    path
}
