//! Faults planted on purpose, so that the tests of durability can show that they would notice them.
//!
//! Only builds with debug assertions can be sabotaged, by the environment variable `SIFTWREN_SABOTAGE`. In all others the
//! answer is a constant, and the faults are not in the program.

/// A fault that can be planted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sabotage {
    /// Inserts are acknowledged before they are committed: SIGKILL loses some.
    AckBeforeCommit,
    /// Nothing is synchronised: a power cut loses what was acknowledged, SIGKILL loses nothing.
    NoSync,
}

#[cfg(debug_assertions)]
pub(crate) fn planted(fault: Sabotage) -> bool {
    use std::sync::LazyLock;
    static PLANTED: LazyLock<Option<Sabotage>> = LazyLock::new(|| {
        let name = std::env::var("SIFTWREN_SABOTAGE").ok()?;
        let fault = match name.as_str() {
            "ack-before-commit" => Sabotage::AckBeforeCommit,
            "no-sync" => Sabotage::NoSync,
            _ => return None,
        };
        tracing::error!("SIFTWREN_SABOTAGE is set: this server loses data on purpose ({name})");
        Some(fault)
    });
    *PLANTED == Some(fault)
}

#[cfg(not(debug_assertions))]
pub(crate) const fn planted(_fault: Sabotage) -> bool {
    false
}
