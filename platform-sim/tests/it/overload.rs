//! More than the server can do: slow clients, many connections, many requests, many bodies, many wrong keys.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use platform_sim::RequestLimits;
use platform_sim::server::Limits;
use serde_json::json;

use super::client::{Api, PATIENCE, Server, film_model, film_rows, films};
use super::in_process::InProcess;

/// The tests hold many connections, and the server is in the same process.
fn raise_file_limit() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let maximum = getrlimit(Resource::Nofile).maximum;
    let wanted = Rlimit {
        current: maximum,
        maximum,
    };
    setrlimit(Resource::Nofile, wanted).ok();
    let current = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    usize::try_from(current).unwrap_or(usize::MAX)
}

/// How long each of some requests took, the shortest first.
fn pings(api: &Api, count: usize) -> Vec<Duration> {
    let mut took: Vec<Duration> = (0..count)
        .map(|_| {
            let started = Instant::now();
            api.get("/v1/datasets").ok();
            started.elapsed()
        })
        .collect();
    took.sort_unstable();
    took
}

#[test]
fn half_sent_requests_keep_nobody_out() {
    let slow = 1500.min(raise_file_limit() / 4);
    let directory = tempfile::tempdir().unwrap();
    let limits = Limits {
        connections: 200,
        ..Limits::default()
    };
    let server = InProcess::start(directory.path(), limits, |_| {});
    let idle = pings(&server.api, 50);
    let key = server.api.admin.clone();
    let kinds = [
        String::new(),
        "GET /v1/datasets HTTP/1.1\r\nhost: x\r\nx-slow: ".to_owned(),
        format!("GET /v1/ping HTTP/1.1\r\nhost: x\r\nx-api-key: {key}\r\n\r\n"),
        format!(
            "POST /v1/datasets/ HTTP/1.1\r\nhost: x\r\nx-api-key: {key}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{{"
        ),
    ];
    // Of four kinds: silent, half a header, kept alive without a further request; bodies are at work, so only a few.
    let mut sockets = Vec::new();
    for number in 0..slow {
        let kind = if number % 50 == 0 { 3 } else { number % 3 };
        let mut stream = TcpStream::connect(server.api.addr).unwrap();
        stream.write_all(kinds[kind].as_bytes()).ok();
        sockets.push(stream);
    }
    // A connection gets a moment before it has to give way.
    std::thread::sleep(Duration::from_millis(200));
    let busy = pings(&server.api, 50);
    let gave_way = server.metric("siftwren_http_connections_gave_way_total").unwrap();
    let open = server.metric("siftwren_http_connections ").unwrap();
    println!(
        "{slow} slow connections for 200 places, {gave_way} gave way, {open} open; p98 of a good client {:?} idle, {:?} then",
        idle[48], busy[48]
    );
    // Not all: some had ended by themselves before their places were wanted.
    assert!(gave_way as usize >= slow / 2, "{gave_way}");
    assert!(open as usize <= 200 + 256, "{open}");
    assert!(busy[48] < Duration::from_secs(2), "{busy:?}");
    drop(sockets);
}

#[test]
fn connections_beyond_those_at_work_are_told_to_come_back() {
    let directory = tempfile::tempdir().unwrap();
    let limits = Limits {
        connections: 4,
        ..Limits::default()
    };
    let server = InProcess::start(directory.path(), limits, |_| {});
    let api = &server.api;
    // At work: their bodies are on the way.
    let head = format!(
        "POST /v1/datasets/ HTTP/1.1\r\nhost: x\r\nx-api-key: {}\r\ncontent-type: application/json\r\ncontent-length: 36\r\n\r\n",
        api.admin
    );
    let mut working: Vec<TcpStream> = (0..4)
        .map(|_| {
            let mut stream = TcpStream::connect(api.addr).unwrap();
            stream.write_all(head.as_bytes()).unwrap();
            stream
        })
        .collect();
    std::thread::sleep(Duration::from_millis(700));
    let answer = api.get("/v1/datasets");
    assert_eq!(answer.problem(503), "urn:siftwren:error:busy");
    assert!(answer.header("retry-after").is_some() && answer.header("connection") == Some("close"));
    api.call("GET", "/v1/liveness", &[], b"").ok();
    assert_eq!(
        server.metric("siftwren_http_connections_turned_away_total"),
        Some(2.0)
    );
    // Those at work are finished as if nothing were.
    for (number, stream) in working.iter_mut().enumerate() {
        let body = format!(r#"{{"name": "{number}","schema_type":"CUSTOM"}}"#);
        stream.write_all(body.as_bytes()).unwrap();
        let mut said = [0; 12];
        stream.read_exact(&mut said).unwrap();
        assert_eq!(&said, b"HTTP/1.1 200");
    }
    drop(working);
    std::thread::sleep(Duration::from_millis(200));
    api.get("/v1/datasets").ok();
}

#[test]
fn requests_and_bodies_beyond_the_room_for_them_get_503_and_probes_are_answered() {
    let directory = tempfile::tempdir().unwrap();
    let server = InProcess::start(directory.path(), Limits::default(), |options| {
        options.request_limits = RequestLimits {
            requests: 3,
            body_bytes: 1 << 20,
            wait: Duration::from_millis(100),
            ..RequestLimits::default()
        };
    });
    let api = &server.api;
    let head = |length: usize| {
        format!(
            "POST /v1/datasets/ HTTP/1.1\r\nhost: x\r\nx-api-key: {}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n",
            api.admin
        )
    };
    let begin = |length: usize| {
        let mut stream = TcpStream::connect(api.addr).unwrap();
        stream.write_all(head(length).as_bytes()).unwrap();
        stream
    };
    // Room for one large body, not for two.
    let first = begin(800_000);
    std::thread::sleep(Duration::from_millis(200));
    let answer = api.post("/v1/datasets/", &json!({"name": "x".repeat(500_000)}));
    assert_eq!(answer.problem(503), "urn:siftwren:error:busy");
    // The third turn was given back with that answer.
    let second = begin(10);
    let third = begin(10);
    std::thread::sleep(Duration::from_millis(200));
    let answer = api.get("/v1/datasets");
    assert_eq!(answer.problem(503), "urn:siftwren:error:busy");
    assert_eq!(answer.header("retry-after"), Some("5"));
    api.call("GET", "/v1/ping", &[], b"").ok();
    assert_eq!(
        server.metric("siftwren_http_requests_refused_total{reason=\"requests\"}"),
        Some(1.0)
    );
    // Whoever breaks off gives back what was taken.
    drop((first, second, third));
    let started = Instant::now();
    while api.get("/v1/datasets").status == 503 {
        assert!(started.elapsed() < PATIENCE);
    }
    api.post(
        "/v1/datasets/",
        &json!({"name": "d", "schema_type": "CUSTOM", "description": "x".repeat(500_000)}),
    );
}

#[test]
fn an_address_that_tries_keys_is_told_to_slow_down_and_known_keys_go_on() {
    let directory = tempfile::tempdir().unwrap();
    let server = InProcess::start(directory.path(), Limits::default(), |options| {
        options.request_limits.unknown_keys = 5;
        options.request_limits.unknown_key_pause = Duration::from_secs(600);
    });
    let api = &server.api;
    let guess = |number: usize| {
        let key = format!("{number:040}");
        api.call("GET", "/v1/models", &[("x-api-key", &key)], b"")
    };
    for number in 0..5 {
        assert_eq!(guess(number).problem(401), "urn:siftwren:error:unknown-key");
    }
    for number in 5..8 {
        let answer = guess(number);
        assert_eq!(answer.problem(429), "urn:siftwren:error:too-many-requests");
        assert!(answer.header("retry-after").is_some());
    }
    api.get("/v1/models").ok();
    // A key of the wrong form is no guess.
    assert_eq!(
        api.call("GET", "/v1/models", &[("x-api-key", "short")], b"")
            .status,
        422
    );
}

/// Clients, a training and an endless statement; then the signal. Every request whose connection stood is answered, what
/// was acknowledged is there, and nothing of the server is left.
#[test]
fn a_shutdown_under_load_answers_everybody_and_ends_in_time() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = server.api.clone();
    api.dataset(&films());
    api.post("/v1/datasets/films/insert", &film_rows()).ok();
    api.model(&film_model("m"));
    let mut endless = film_model("endless");
    endless["fetch"]["items"] = json!(
        "SELECT CAST(sum(a.value * b.value) AS VARCHAR) AS item_id, '' AS title, '' AS plot FROM generate_series(1, 10000000) a, generate_series(1, 10000000) b"
    );
    api.post("/v1/models", &endless).ok();
    api.wait_until("/v1/models/endless", |view| view["status"] == "FETCHING");
    api.dataset(&json!({"name": "log", "schema_type": "CUSTOM", "column_schema": {"id": "String"}}));
    let workers = || workers_of(server.id());
    let started = Instant::now();
    while workers().is_empty() {
        assert!(started.elapsed() < PATIENCE, "no SQL worker was started");
        std::thread::sleep(Duration::from_millis(5));
    }
    let children = workers();
    let (acknowledged, answered, cut) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let told = AtomicBool::new(false);
    let (code, took) = std::thread::scope(|scope| {
        for client in 0..6 {
            let (api, acknowledged, answered, cut, told) = (&api, &acknowledged, &answered, &cut, &told);
            scope.spawn(move || {
                for number in 0.. {
                    let Ok(stream) = TcpStream::connect(api.addr) else {
                        return;
                    };
                    // A connection that stood before the signal has a claim to an answer. A later one may stand for
                    // the system alone: nobody can take what arrives while the address is given up.
                    let has_claim = !told.load(Ordering::SeqCst);
                    let key = [
                        ("x-api-key", api.admin.as_str()),
                        ("content-type", "application/json"),
                    ];
                    let body = json!({"data": [{"id": format!("{client}-{number}")}]}).to_string();
                    let called = if client % 2 == 0 {
                        api.call_on(stream, "POST", "/v1/datasets/log/insert", &key, body.as_bytes())
                    } else {
                        api.call_on(stream, "POST", "/v1/models/m/retrieve", &key, b"{}")
                    };
                    match called {
                        Ok(answer) => {
                            assert_eq!(answer.status, 200, "{answer:?}");
                            answered.fetch_add(1, Ordering::Relaxed);
                            if client % 2 == 0 {
                                acknowledged.fetch_add(1, Ordering::Relaxed);
                            }
                        }
                        Err(_) if !has_claim => return,
                        Err(error) => {
                            eprintln!("cut: {error}");
                            cut.fetch_add(1, Ordering::Relaxed);
                            return;
                        }
                    }
                }
            });
        }
        std::thread::sleep(Duration::from_millis(1000));
        let started = Instant::now();
        told.store(true, Ordering::SeqCst);
        server.signal("TERM");
        (server.wait(), started.elapsed())
    });
    let (acknowledged, answered) = (acknowledged.into_inner(), answered.into_inner());
    println!(
        "{answered} answered, {acknowledged} inserts acknowledged, {} cut, ended in {took:?}",
        cut.load(Ordering::Relaxed)
    );
    assert_eq!(code, Some(0));
    assert!(took < Duration::from_secs(10), "{took:?}");
    assert_eq!(
        cut.into_inner(),
        0,
        "requests on connections that stood were not answered"
    );
    assert!(
        acknowledged > 10,
        "too few inserts to show anything: {acknowledged}"
    );
    let started = Instant::now();
    while children.iter().any(|child| is_alive(*child)) {
        assert!(
            started.elapsed() < Duration::from_secs(5),
            "a worker outlives its server: {children:?}"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    // Everything that was acknowledged is there.
    let server = Server::start(directory.path());
    server.api.delete("/v1/models/endless").ok();
    let rows = super::datasets::rows(
        &server.api,
        "log",
        "SELECT 'n' AS item_id, COUNT(*) AS n, COUNT(DISTINCT id) AS ids FROM d",
    );
    let n = rows[0]["n"].as_u64().unwrap();
    assert!(n >= acknowledged as u64, "{rows:?}, {acknowledged} acknowledged");
    assert_eq!(rows[0]["n"], rows[0]["ids"], "no row twice");
}

/// The SQL workers that a process has started.
fn workers_of(server: u32) -> Vec<u32> {
    let pids = std::fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let name = entry.ok()?.file_name();
        name.to_str()?.parse::<u32>().ok()
    });
    pids.filter(|pid| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let parent = stat
            .rsplit_once(')')
            .and_then(|(_, rest)| rest.split_ascii_whitespace().nth(1)?.parse::<u32>().ok());
        parent == Some(server)
    })
    .collect()
}

fn is_alive(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // A dead one that nobody has asked after yet is no longer at work.
    stat.rsplit_once(')')
        .is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

#[test]
fn metrics_are_served_where_they_were_asked_for_and_nowhere_else() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start_with(
        directory.path(),
        &[
            std::path::Path::new("--metrics-address"),
            std::path::Path::new("127.0.0.1:0"),
        ],
    );
    let api = &server.api;
    api.dataset(&films());
    api.post("/v1/datasets/films/insert", &film_rows()).ok();
    api.post("/v1/datasets/films/insert", &json!({"data": [{"id": 7}]}))
        .invalid();
    api.get("/v1/datasets/absent").problem(404);
    api.get("/v1/whatever/i/like").problem(404);
    let line = server.said("platform-sim shows metrics on http://").unwrap();
    let metrics = Api {
        addr: line.split('/').next().unwrap().parse().unwrap(),
        ..api.clone()
    };
    let answer = metrics.call("GET", "/metrics", &[], b"");
    assert_eq!(answer.status, 200);
    assert!(
        answer
            .header("content-type")
            .unwrap()
            .starts_with("text/plain; version=0.0.4")
    );
    for line in [
        r#"siftwren_http_responses_total{method="POST",route="/v1/datasets/{dataset_name}/insert",status="200"} 1"#,
        r#"siftwren_http_responses_total{method="POST",route="/v1/datasets/{dataset_name}/insert",status="422"} 1"#,
        r#"siftwren_http_responses_total{method="GET",route="other",status="404"} 1"#,
        r#"siftwren_http_response_duration_seconds_count{method="POST",route="/v1/datasets/{dataset_name}/insert"} 2"#,
        r#"siftwren_jobs_ended_total{kind="DEPLOY_DATASET",outcome="done"} 1"#,
        "siftwren_rows_inserted_total 3",
        "siftwren_http_requests_in_progress 0",
    ] {
        assert!(
            answer.text.lines().any(|said| said == line),
            "{line}\n{}",
            answer.text
        );
    }
    for name in ["process_resident_memory_bytes", "process_cpu_seconds_total"] {
        assert!(answer.text.contains(&format!("\n{name} ")), "{name}");
    }
    // Nothing that clients name is in it, so that it stays small and tells nobody anything.
    assert!(!answer.text.contains("films") && !answer.text.contains("absent"));
    assert_eq!(metrics.call("GET", "/", &[], b"").status, 404);
    assert_eq!(api.get("/metrics").status, 404);
}

#[test]
fn a_request_has_one_id_in_its_answer_in_the_problem_and_in_the_log() {
    let directory = tempfile::tempdir().unwrap();
    let data_dir = directory.path().join("data");
    let log = directory.path().join("log");
    let mut command = std::process::Command::new(super::client::PROGRAM);
    command
        .args([
            "--addr",
            "127.0.0.1:0",
            "--log",
            "debug",
            "--log-format",
            "json",
            "--data-dir",
        ])
        .arg(&data_dir)
        .stderr(std::fs::File::create(&log).unwrap());
    let server = Server::start_command(command, &data_dir);
    let api = &server.api;
    let key = ("x-api-key", api.admin.as_str());
    let own = api.call("GET", "/v1/models/m", &[key, ("x-request-id", "from-me.1")], b"");
    assert_eq!(own.header("x-request-id"), Some("from-me.1"));
    assert_eq!(own.json()["instance"], "/v1/models/m#from-me.1");
    let given = api.get("/v1/models/m");
    let id = given.header("x-request-id").unwrap().to_owned();
    assert_eq!(given.json()["instance"], format!("/v1/models/m#{id}"));
    assert_ne!(api.get("/v1/models").header("x-request-id").unwrap(), id);
    // What is no sensible id is not repeated.
    let odd = api.call("GET", "/v1/models", &[key, ("x-request-id", "a b\"c")], b"");
    assert!(odd.header("x-request-id").unwrap().starts_with("req-"));
    let server_admin = api.admin.clone();
    server.signal("TERM");
    assert_eq!(server.wait(), Some(0));
    let log = std::fs::read_to_string(log).unwrap();
    let lines: Vec<serde_json::Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    for id in ["from-me.1", &id] {
        let line = lines
            .iter()
            .find(|line| line["message"] == "answered" && line["span"]["id"] == id)
            .unwrap_or_else(|| panic!("{id} is not in the log: {log}"));
        assert_eq!(
            (&line["status"], &line["span"]["path"]),
            (&json!(404), &json!("/v1/models/m"))
        );
    }
    assert!(!log.contains(&server_admin), "the log has a key");
}
