//! `cargo xtask crash`: the server killed at random moments, for longer than the tests do it.

use anyhow::Result;
use clap::Args;

use crate::process::{cargo, run, step};

/// The test that kills; see `platform-sim/tests/it/durability`.
const TEST: &str = "durability::kills::what_was_acknowledged_survives_kill_9_and_every_batch_is_whole";

#[derive(Args)]
pub(crate) struct Options {
    /// How often the server is killed
    #[arg(long, default_value_t = 1000)]
    kills: u64,
    /// Where the times of the kills and the sizes of the batches start from
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(crate) fn crash(options: &Options) -> Result<()> {
    step(&format!("{} kills, seed {}", options.kills, options.seed), || {
        run(
            cargo(&["test", "--locked", "-p", "platform-sim", "--test", "it", TEST])
                .args(["--", "--exact", "--nocapture"])
                .env("SIFTWREN_CRASH_KILLS", options.kills.to_string())
                .env("SIFTWREN_CRASH_SEED", options.seed.to_string()),
        )
    })
}
