//! The cut of the power: an ext4 file system in a file is told to drop everything that it has not written, as a machine
//! does that loses its power. Needs root; skips loudly without it.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::load::{Failures, Findings, Numbers, Oracle, compare, conclude, prepare, work};
use super::{is_root, skipped};
use crate::client::{PATIENCE, PROGRAM, Server};

const CUTS: usize = 10;
const SEED: u64 = 20_260_211;

/// Opens a directory, says so, and at a word sends EXT4_IOC_SHUTDOWN with NOLOGFLUSH: not even the journal is written.
const SHUTDOWN: &str = "
import fcntl, os, struct, sys
directory = os.open(sys.argv[1], os.O_RDONLY)
print(flush=True)
sys.stdin.readline()
fcntl.ioctl(directory, 0x8004587D, struct.pack('I', 2))
";

#[test]
fn what_was_acknowledged_survives_a_power_cut() {
    let Some(findings) = run("power cut", CUTS, None) else {
        return;
    };
    println!(
        "{CUTS} cuts, {} acknowledged, {} lost, seed {SEED}; {} batches, {} torn, {} stuck",
        findings.acknowledged,
        findings.lost.len(),
        findings.batches,
        findings.torn.len(),
        findings.stuck.len()
    );
    assert!(
        findings.lost.is_empty(),
        "acknowledged and lost: {:?}",
        findings.lost
    );
    assert!(findings.torn.is_empty(), "not whole: {:?}", findings.torn);
    assert!(findings.stuck.is_empty(), "stuck: {:?}", findings.stuck);
    assert!(
        findings.batches >= CUTS,
        "too few inserts to show anything: {findings:?}"
    );
}

#[test]
fn the_power_cut_would_notice_a_server_that_does_not_synchronise() {
    if !cfg!(debug_assertions) {
        return skipped("the saboteur of the power cut", "this build cannot be sabotaged");
    }
    // One cut: what it loses may be all, the files that say what the directory is included.
    let Some(findings) = run("the saboteur of the power cut", 1, Some("no-sync")) else {
        return;
    };
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

fn run(test: &str, cuts: usize, sabotage: Option<&str>) -> Option<Findings> {
    let directory = tempfile::tempdir().unwrap();
    let disk = match Disk::new(directory.path()) {
        Ok(disk) => disk,
        Err(reason) => {
            skipped(test, &reason);
            return None;
        }
    };
    let data_dir = disk.mounted.join("data");
    let server = start(&data_dir, None);
    prepare(&server.api);
    server.settle();
    server.kill();
    // What was there before is on the disk; from here on the server is on its own.
    assert!(Command::new("sync").status().unwrap().success());
    let oracle = Oracle::new(&directory.path().join("oracle.txt"));
    let mut findings = Findings::default();
    let mut numbers = Numbers(SEED);
    let mut server = start(&data_dir, sabotage);
    for _ in 0..cuts {
        let knife = disk.knife();
        let life = Duration::from_millis(150 + numbers.next(600));
        work(
            &server.api,
            &oracle,
            &mut numbers,
            life,
            Failures::NoPromise,
            || {
                knife.cut();
                server.signal("KILL");
            },
        );
        server.kill();
        disk.unmount();
        disk.mount().unwrap();
        server = start(&data_dir, sabotage);
        compare(&server.api, &oracle, &mut findings);
    }
    conclude(&server, &oracle, &mut findings);
    server.kill();
    Some(findings)
}

/// A file system in a file.
struct Disk {
    image: PathBuf,
    mounted: PathBuf,
}

impl Disk {
    fn new(directory: &Path) -> Result<Disk, String> {
        if !is_root() {
            return Err("only root can mount a file system".to_owned());
        }
        let disk = Disk {
            image: directory.join("disk"),
            mounted: directory.join("mounted"),
        };
        std::fs::create_dir(&disk.mounted).unwrap();
        std::fs::File::create(&disk.image)
            .unwrap()
            .set_len(256 << 20)
            .unwrap();
        quietly(Command::new("mkfs.ext4").arg("-q").arg(&disk.image))?;
        disk.mount()?;
        quietly(Command::new("python3").arg("--version"))?;
        Ok(disk)
    }

    fn mount(&self) -> Result<(), String> {
        quietly(
            Command::new("mount")
                .args(["-o", "loop"])
                .args([&self.image, &self.mounted]),
        )
    }

    /// What cuts the power at once: a program that has started already. The load goes on until the very moment.
    fn knife(&self) -> Knife {
        let mut program = Command::new("python3")
            .args(["-c", SHUTDOWN])
            .arg(&self.mounted)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let ready = program.stdout.as_mut().unwrap().read(&mut [0]);
        assert_eq!(ready.unwrap(), 1, "the program that cuts the power did not start");
        Knife(program)
    }

    fn unmount(&self) {
        // An SQL worker of the server that was killed ends a moment after it.
        let started = Instant::now();
        while let Err(error) = quietly(Command::new("umount").arg(&self.mounted)) {
            assert!(started.elapsed() < PATIENCE, "{error}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

struct Knife(Child);

impl Knife {
    /// From here on the file system takes nothing, and what it had not written is gone.
    fn cut(mut self) {
        self.0.stdin.take().unwrap().write_all(b"\n").unwrap();
        assert!(self.0.wait().unwrap().success(), "the power was not cut");
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Lazily: a server that a failing test leaves behind may have files open.
        quietly(Command::new("umount").arg("--lazy").arg(&self.mounted)).ok();
    }
}

fn quietly(command: &mut Command) -> Result<(), String> {
    let output = command
        .output()
        .map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(format!(
            "{}: {}",
            command.get_program().display(),
            String::from_utf8_lossy(&output.stderr).trim()
        ))
    }
}
