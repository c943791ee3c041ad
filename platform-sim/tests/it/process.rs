//! The process: its arguments, its exit codes, its data directory, its end.

use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use super::client::{PROGRAM, Server};

fn run(arguments: &[&str]) -> Output {
    Command::new(PROGRAM).args(arguments).output().unwrap()
}

#[track_caller]
fn ends(output: &Output, code: i32, sentence: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    assert!(stderr.contains(sentence), "{stderr}");
}

#[test]
fn wrong_usage_ends_with_2_and_says_what_is_wrong() {
    ends(&run(&["--colour"]), 2, "unknown argument '--colour'");
    ends(
        &run(&["--addr", "somewhere"]),
        2,
        "--addr takes an IP address and a port",
    );
    ends(&run(&["--log", "platform_sim=loud"]), 2, "--log");
    let help = run(&["--help"]);
    assert!(help.status.success() && String::from_utf8_lossy(&help.stdout).contains("--data-dir DIR"));
}

#[test]
fn a_port_in_use_ends_with_3_and_touches_nothing() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = taken.local_addr().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let data_dir = directory.path().join("new");
    let output = run(&[
        "--addr",
        &addr.to_string(),
        "--data-dir",
        data_dir.to_str().unwrap(),
    ]);
    ends(
        &output,
        3,
        &format!("port {} is in use on 127.0.0.1", addr.port()),
    );
    assert!(!data_dir.exists());
}

#[test]
fn a_data_directory_has_one_owner_and_one_format() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    let server = Server::start(directory.path());
    let second = ["--addr", "127.0.0.1:0", "--data-dir", path];
    ends(&run(&second), 3, "is in use by another platform-sim");
    server.api.get("/v1/models").ok();
    // A lock that a killed process held is free at once.
    let server = server.kill_and_restart();
    server.kill();
    std::fs::write(directory.path().join("format"), "siftwren data 2\n").unwrap();
    ends(
        &run(&second),
        3,
        "has the format 'siftwren data 2', this server reads 'siftwren data 1'",
    );
    std::fs::remove_file(directory.path().join("format")).unwrap();
    ends(&run(&second), 3, "has no format file");
    let file = directory.path().join("keys.json");
    ends(
        &run(&["--addr", "127.0.0.1:0", "--data-dir", file.to_str().unwrap()]),
        3,
        "data directory",
    );
}

#[test]
fn keys_are_made_once_kept_private_and_never_stored_in_clear() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let (admin, search) = (server.api.admin.clone(), server.api.search.clone());
    assert_eq!((admin.len(), search.len()), (40, 40));
    assert_ne!(admin, search);
    let mode = std::fs::metadata(directory.path().join("keys.json"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    let server = server.kill_and_restart();
    assert_eq!((&server.api.admin, &server.api.search), (&admin, &search));
    server.kill();
    for entry in std::fs::read_dir(directory.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() && !path.ends_with("keys.json") {
            let bytes = std::fs::read(&path).unwrap();
            for key in [&admin, &search] {
                assert!(
                    !bytes.windows(40).any(|window| window == key.as_bytes()),
                    "{}",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn a_signal_ends_the_server_with_0() {
    for signal in ["TERM", "INT"] {
        let directory = tempfile::tempdir().unwrap();
        let server = Server::start(directory.path());
        server.signal(signal);
        assert_eq!(server.wait(), Some(0), "SIG{signal}");
    }
}
