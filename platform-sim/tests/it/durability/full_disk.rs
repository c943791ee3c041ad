//! A disk without room: 507, whole batches, answers to whoever reads, and health as soon as there is room again.
//!
//! `errors` has the same with a limit on the size of files, for everybody. This one fills a real file system, so it needs
//! root and skips loudly without it.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::load::Numbers;
use super::{is_root, skipped};
use crate::client::{PROGRAM, Server};

/// Room for everything: the log of the metadata alone grows to 4 MiB.
const SIZE: &str = "24m";

#[test]
fn a_full_file_system_refuses_writes_answers_reads_and_heals_without_a_restart() {
    let directory = tempfile::tempdir().unwrap();
    let disk = match Disk::new(directory.path()) {
        Ok(disk) => disk,
        Err(reason) => return skipped("the full disk", &reason),
    };
    let data_dir = disk.0.join("data");
    let mut command = Command::new(PROGRAM);
    // Its log would say of every refusal that the disk is full.
    command
        .args(["--addr", "127.0.0.1:0", "--log", "off", "--data-dir"])
        .arg(&data_dir);
    let server = Server::start_command(command, &data_dir);
    let api = &server.api;
    for name in ["kept", "ballast"] {
        api.dataset(&json!({"name": name, "schema_type": "CUSTOM", "column_schema": {"id": "Int64", "text": "String"}}));
    }
    api.model(&model("before"));
    let mut numbers = Numbers(11);
    let mut insert = |dataset: &str, id: usize| {
        let body = json!({"data": [{"id": id, "text": noise(&mut numbers, 300_000)}]});
        api.post(&format!("/v1/datasets/{dataset}/insert"), &body)
    };
    for id in 0..4 {
        insert("ballast", id).ok();
    }
    let (mut stored, mut refused) = (Vec::new(), 0);
    for id in 0..400 {
        let answer = insert("kept", id);
        if answer.status == 200 {
            stored.push(id);
        } else {
            assert_eq!(answer.problem(507), "urn:siftwren:error:storage-full");
            refused += 1;
        }
        if refused >= 20 {
            break;
        }
    }
    assert!(
        refused >= 20 && stored.len() > 10,
        "{refused} refused, {stored:?} stored"
    );
    // Reading goes on.
    assert_eq!(
        api.get("/v1/datasets").ok()["datasets"].as_array().unwrap().len(),
        2
    );
    api.post("/v1/models/before/retrieve", &json!({})).ok();
    // What needs room says so. A small model may find some: merging files has left a little.
    let answer = api.post("/v1/models", &model("during"));
    if answer.status == 200 {
        let view = api.wait_for("/v1/models/during");
        let message = view["error_message"].as_str().unwrap_or_default();
        assert!(
            view["status"] == "ACTIVE"
                || message.contains("disk is full")
                || message.contains("No space left"),
            "{view}"
        );
    } else {
        answer.problem(507);
    }
    // Deleting needs no room, and makes some.
    api.delete("/v1/datasets/ballast").ok();
    let answer = insert("kept", 1000);
    assert_eq!(answer.status, 200, "after a deletion: {answer:?}");
    stored.push(1000);
    disk.grow("96m");
    for id in 2000..2005 {
        insert("kept", id).ok();
        stored.push(id);
    }
    api.model(&model("after"));
    let answer = api
        .post("/v1/models/after/retrieve", &json!({"config": {"limit": 1000}}))
        .ok();
    let mut found: Vec<usize> = answer["ids"]
        .as_array()
        .unwrap()
        .iter()
        .map(|id| id.as_str().unwrap().parse().unwrap())
        .collect();
    found.sort_unstable();
    assert_eq!(found, stored, "what was acknowledged, no more and no less");
    println!("{} stored, {refused} refused with 507, 0 lost", stored.len());
    server.kill();
}

fn model(name: &str) -> Value {
    json!({
        "model": {"name": name}, "connectors": [{"type": "Dataset", "id": "d", "name": "kept"}],
        "fetch": {
            "events": "SELECT '' AS user_id, '' AS item_id, 1 AS label, CAST(NULL AS TIMESTAMP) AS created_at FROM d WHERE FALSE",
            "items": "SELECT CAST(id AS VARCHAR) AS item_id FROM d"
        }
    })
}

/// Text that does not compress.
fn noise(numbers: &mut Numbers, length: usize) -> String {
    (0..length)
        .map(|_| char::from(b'#' + u8::try_from(numbers.next(57)).unwrap()))
        .collect()
}

/// A file system in memory, of a size.
struct Disk(std::path::PathBuf);

impl Disk {
    fn new(directory: &Path) -> Result<Disk, String> {
        if !is_root() {
            return Err("only root can mount a file system".to_owned());
        }
        let mounted = directory.join("mounted");
        std::fs::create_dir(&mounted).unwrap();
        let output = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={SIZE}"), "tmpfs"])
            .arg(&mounted)
            .output()
            .map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
        }
        Ok(Disk(mounted))
    }

    fn grow(&self, size: &str) {
        let status = Command::new("mount")
            .args(["-o", &format!("remount,size={size}")])
            .arg(&self.0)
            .status()
            .unwrap();
        assert!(status.success());
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        Command::new("umount").arg("--lazy").arg(&self.0).status().ok();
    }
}
