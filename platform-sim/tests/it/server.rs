//! The accept loop: slow, silent, broken and foreign clients.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::client::{Api, PATIENCE, Server};

fn connect(api: &Api, bytes: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(api.addr).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(bytes).unwrap();
    stream
}

/// Reads until the server closes; what it said and how long it took.
fn read_to_close(mut stream: TcpStream) -> (String, Duration) {
    let started = Instant::now();
    let mut bytes = Vec::new();
    // A reset is a close, too.
    stream.read_to_end(&mut bytes).ok();
    (String::from_utf8_lossy(&bytes).into_owned(), started.elapsed())
}

#[test]
fn a_shutdown_does_not_wait_for_half_sent_headers_or_idle_connections() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let half = connect(&server.api, b"GET /v1/ping HTTP/1.1\r\nhost: x\r\nx-half");
    let silent = connect(&server.api, b"");
    let mut idle = connect(&server.api, b"GET /v1/ping HTTP/1.1\r\nhost: x\r\n\r\n");
    let mut answer = [0; 12];
    idle.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200");
    let body = connect(
        &server.api,
        format!(
            "POST /v1/datasets/ HTTP/1.1\r\nhost: x\r\nx-api-key: {}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{{",
            server.api.admin
        )
        .as_bytes(),
    );
    std::thread::sleep(Duration::from_millis(200));
    let started = Instant::now();
    server.signal("TERM");
    assert_eq!(server.wait(), Some(0));
    let took = started.elapsed();
    assert!(took < Duration::from_secs(10), "{took:?}");
    drop((half, silent, idle, body));
}

#[test]
fn a_request_under_way_is_answered_before_the_end() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let head = format!(
        "POST /v1/datasets/ HTTP/1.1\r\nhost: x\r\nx-api-key: {}\r\ncontent-type: application/json\r\ncontent-length: 36\r\n\r\n",
        server.api.admin
    );
    let mut stream = connect(&server.api, head.as_bytes());
    std::thread::sleep(Duration::from_millis(200));
    server.signal("TERM");
    std::thread::sleep(Duration::from_millis(200));
    stream
        .write_all(br#"{"name": "d","schema_type":"CUSTOM"}"#)
        .unwrap();
    let (said, _) = read_to_close(stream);
    assert!(said.starts_with("HTTP/1.1 200"), "{said}");
    assert_eq!(server.wait(), Some(0));
}

#[test]
fn a_header_that_does_not_come_costs_its_sender_the_connection() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let silent = connect(&server.api, b"");
    let half = connect(&server.api, b"GET /v1/ping HTTP/1.1\r\nx-a: ");
    // A second request on a connection that was good for the first.
    let second = connect(&server.api, b"GET /v1/ping HTTP/1.1\r\nhost: x\r\n\r\n");
    std::thread::sleep(Duration::from_millis(300));
    let mut second = second;
    second.write_all(b"GET /v1/ping HT").unwrap();
    for (name, stream) in [("silent", silent), ("half", half), ("second", second)] {
        let (_, took) = read_to_close(stream);
        assert!(took < Duration::from_secs(12), "{name}: {took:?}");
    }
    server.api.get("/v1/models").ok();
}

#[test]
fn a_body_that_does_not_come_is_a_408_and_one_that_breaks_off_costs_nobody_anything() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let head = format!(
        "POST /v1/datasets/ HTTP/1.1\r\nhost: x\r\nx-api-key: {}\r\ncontent-type: application/json\r\ncontent-length: 36\r\n\r\n{{",
        server.api.admin
    );
    drop(connect(&server.api, head.as_bytes()));
    let (said, took) = read_to_close(connect(&server.api, head.as_bytes()));
    assert!(
        said.starts_with("HTTP/1.1 408") && said.contains("urn:siftwren:error:slow-body"),
        "{said}"
    );
    assert!(
        took > Duration::from_secs(9) && took < Duration::from_secs(15),
        "{took:?}"
    );
    assert_eq!(
        server.api.get("/v1/datasets").ok()["datasets"],
        serde_json::json!([])
    );
}

#[test]
fn what_is_not_http_is_refused_and_the_server_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let long = format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "a".repeat(1 << 20));
    let many = format!("GET /v1/ping HTTP/1.1\r\n{}\r\n", "x-a: b\r\n".repeat(100_000));
    for bytes in [
        b"\x16\x03\x01\x02\x00\x01".as_slice(),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET /v1/ping\r\n\r\n",
        b"GET /v1/ping HTTP/1.1\r\nhost: x\r\nx-\xff\x00: 1\r\n\r\n",
        b"POST /v1/datasets/ HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\n{}",
        b"POST /v1/datasets/ HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n{}",
        long.as_bytes(),
        many.as_bytes(),
    ] {
        let mut stream = TcpStream::connect(server.api.addr).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        // The server may close before it read everything.
        stream.write_all(bytes).ok();
        let (said, took) = read_to_close(stream);
        assert!(said.is_empty() || said.starts_with("HTTP/1.1 4"), "{said}");
        assert!(took < Duration::from_secs(12), "{took:?}");
    }
    server.api.get("/v1/models").ok();
}

#[test]
fn a_page_of_an_allowed_origin_may_call_and_another_may_not() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    let preflight = |origin: &str| {
        let headers = [
            ("origin", origin),
            ("access-control-request-method", "POST"),
            ("access-control-request-headers", "content-type,x-api-key"),
        ];
        api.call("OPTIONS", "/v1/models/m/retrieve", &headers, b"")
    };
    for origin in ["http://127.0.0.1:4173", "http://localhost:4173"] {
        let answer = preflight(origin);
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.header("access-control-allow-origin"), Some(origin));
        let allowed = answer.header("access-control-allow-headers").unwrap();
        assert!(
            allowed.contains("x-api-key") && allowed.contains("content-type"),
            "{allowed}"
        );
        assert!(
            answer
                .header("access-control-allow-methods")
                .unwrap()
                .contains("POST")
        );
    }
    assert_eq!(
        preflight("http://evil.example").header("access-control-allow-origin"),
        None
    );
    // Errors carry the header too, or a page could not read them.
    let answer = api.call("GET", "/v1/models", &[("origin", "http://127.0.0.1:4173")], b"");
    assert_eq!(answer.status, 422);
    assert_eq!(
        answer.header("access-control-allow-origin"),
        Some("http://127.0.0.1:4173")
    );
}
