//! What survives: SIGKILL, the cut of the power, a full disk, damage to the files.

mod damage;
mod full_disk;
mod kills;
mod load;
mod power_cut;

use std::io::Write;

pub(crate) use load::Numbers;

/// Says that a test did not run.
#[expect(
    clippy::explicit_write,
    reason = "the harness hides what tests that pass print with eprintln"
)]
fn skipped(test: &str, reason: &str) {
    writeln!(std::io::stderr(), "SKIPPED {test}: {reason}").unwrap();
}

/// Whether this process may mount file systems.
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}
