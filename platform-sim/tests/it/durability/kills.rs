//! SIGKILL at random moments. `cargo xtask crash --kills N --seed S` runs the first test for longer.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::json;

use super::load::{Failures, Findings, Numbers, Oracle, compare, conclude, prepare, work};
use super::skipped;
use crate::client::{PATIENCE, PROGRAM, Server};

const KILLS: u64 = 100;
const SEED: u64 = 20_260_131;

/// A number of the environment, as `cargo xtask crash` gives it.
fn given(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).map_or(otherwise, |text| {
        text.parse()
            .unwrap_or_else(|_| panic!("{variable} takes a number, not '{text}'"))
    })
}

#[test]
fn what_was_acknowledged_survives_kill_9_and_every_batch_is_whole() {
    let kills = given("SIFTWREN_CRASH_KILLS", KILLS);
    let seed = given("SIFTWREN_CRASH_SEED", SEED);
    let findings = run(kills, seed, None);
    let lost = findings.lost.len();
    println!(
        "{kills} kills, {} acknowledged, {lost} lost, seed {seed}",
        findings.acknowledged
    );
    println!(
        "  of them {} batches; {} torn, {} stuck; 95 % bound {:.2e} a promise",
        findings.batches,
        findings.torn.len(),
        findings.stuck.len(),
        3.0 / findings.acknowledged as f64
    );
    assert!(
        findings.lost.is_empty(),
        "acknowledged and lost: {:?}",
        findings.lost
    );
    assert!(findings.torn.is_empty(), "not whole: {:?}", findings.torn);
    assert!(findings.stuck.is_empty(), "stuck: {:?}", findings.stuck);
    assert!(
        findings.batches as u64 >= kills,
        "too few inserts to show anything: {findings:?}"
    );
}

#[test]
fn the_kills_would_notice_a_server_that_acknowledges_before_the_commit() {
    if !cfg!(debug_assertions) {
        return skipped("the saboteur of the kills", "this build cannot be sabotaged");
    }
    let findings = run(12, SEED, Some("ack-before-commit"));
    println!(
        "sabotaged: {} acknowledged, {} lost",
        findings.acknowledged,
        findings.lost.len()
    );
    assert!(!findings.lost.is_empty(), "{findings:?}");
}

fn start(data_dir: &Path, sabotage: Option<&str>) -> Server {
    let mut command = Command::new(PROGRAM);
    command
        .args(["--addr", "127.0.0.1:0", "--log", "off", "--data-dir"])
        .arg(data_dir)
        .env_remove("SIFTWREN_TEXT_ENCODER");
    if let Some(fault) = sabotage {
        command.env("SIFTWREN_SABOTAGE", fault);
    }
    Server::start_command(command, data_dir)
}

fn run(kills: u64, seed: u64, sabotage: Option<&str>) -> Findings {
    let directory = tempfile::tempdir().unwrap();
    let data_dir = directory.path().join("data");
    let mut server = start(&data_dir, None);
    prepare(&server.api);
    server.api.transform(&json!({
        "name": "sizes", "transform_type": "SQL", "sql_transform_type": "MATERIALIZED_VIEW",
        "sql_query": "SELECT batch AS item_id, COUNT(*) AS all_rows FROM log GROUP BY batch"
    }));
    server.kill();
    let oracle = Oracle::new(&directory.path().join("oracle.txt"));
    let mut findings = Findings::default();
    let mut numbers = Numbers(seed);
    server = start(&data_dir, sabotage);
    for _ in 0..kills {
        let life = Duration::from_millis(20 + numbers.next(480));
        work(&server.api, &oracle, &mut numbers, life, Failures::Panic, || {
            server.signal("KILL");
        });
        server.kill();
        server = start(&data_dir, sabotage);
        compare(&server.api, &oracle, &mut findings);
    }
    conclude(&server, &oracle, &mut findings);
    if sabotage.is_none() {
        nothing_is_left_over(&server);
    }
    findings
}

/// Files of inserts that never were acknowledged are gone, and those that were merged.
fn nothing_is_left_over(server: &Server) {
    let started = std::time::Instant::now();
    let metadata = rusqlite::Connection::open(server.data_dir.join("metadata.sqlite")).unwrap();
    metadata.busy_timeout(PATIENCE).unwrap();
    loop {
        let named: i64 = metadata
            .query_row("SELECT COUNT(*) FROM row_files WHERE dataset = 1", [], |row| {
                row.get(0)
            })
            .unwrap();
        let there = std::fs::read_dir(server.data_dir.join("rows/1")).unwrap().count();
        if usize::try_from(named).unwrap() == there && named < 64 {
            return;
        }
        assert!(
            started.elapsed() < PATIENCE,
            "{there} files, {named} of them named"
        );
        std::thread::sleep(Duration::from_millis(100));
    }
}
