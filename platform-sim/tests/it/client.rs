//! A server to test and a client that talks to it in plain HTTP/1.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_platform-sim");

/// How long anything in the background may take before a test gives up. Generous: machines may be busy.
pub(crate) const PATIENCE: Duration = Duration::from_secs(90);

/// A running server process with a data directory.
pub(crate) struct Server {
    child: Child,
    /// What it printed before it listened.
    printed: Vec<String>,
    pub(crate) api: Api,
    pub(crate) data_dir: PathBuf,
}

impl Server {
    /// Starts the real binary on a free port.
    pub(crate) fn start(data_dir: &Path) -> Server {
        Server::start_with(data_dir, &[])
    }

    /// The same with further arguments.
    pub(crate) fn start_with(data_dir: &Path, arguments: &[&Path]) -> Server {
        let mut command = Command::new(PROGRAM);
        command
            .args(["--addr", "127.0.0.1:0", "--log", "warn", "--data-dir"])
            .arg(data_dir)
            .args(arguments)
            // What the person at the keyboard has set is no matter of these tests.
            .env_remove("SIFTWREN_TEXT_ENCODER");
        Server::start_command(command, data_dir)
    }

    /// Starts a command that ends up as the server.
    pub(crate) fn start_command(mut command: Command, data_dir: &Path) -> Server {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut printed = Vec::new();
        let addr = loop {
            let line = lines
                .next()
                .expect("the server ended before it listened")
                .unwrap();
            if let Some(rest) = line.strip_prefix("platform-sim listens on http://") {
                break rest.split('/').next().unwrap().parse().unwrap();
            }
            printed.push(line);
        };
        let api = Api {
            addr,
            admin: key(data_dir, "admin"),
            search: key(data_dir, "search"),
        };
        Server {
            child,
            printed,
            api,
            data_dir: data_dir.to_owned(),
        }
    }

    /// The rest of a line that it printed before it listened.
    pub(crate) fn said(&self, start: &str) -> Option<&str> {
        self.printed.iter().find_map(|line| line.strip_prefix(start))
    }

    /// The process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until no job is recorded any more. What a model or dataset says comes a moment earlier, and a kill in that
    /// moment has the next start do the work once more.
    pub(crate) fn settle(&self) {
        let started = Instant::now();
        let metadata = rusqlite::Connection::open(self.data_dir.join("metadata.sqlite")).unwrap();
        metadata.busy_timeout(PATIENCE).unwrap();
        let jobs = || metadata.query_row("SELECT count(*) FROM jobs", [], |row| row.get::<_, i64>(0));
        while jobs().unwrap() > 0 {
            assert!(started.elapsed() < PATIENCE, "a job does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// SIGKILL: no destructor, no flush, no goodbye.
    pub(crate) fn kill(mut self) -> PathBuf {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        std::mem::take(&mut self.data_dir)
    }

    pub(crate) fn kill_and_restart(self) -> Server {
        Server::start(&self.kill())
    }

    /// Sends a signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        let status = Command::new("kill")
            .args([&format!("-{name}"), &self.child.id().to_string()])
            .status()
            .unwrap();
        assert!(status.success());
    }

    /// Waits for the end and gives the exit code.
    pub(crate) fn wait(mut self) -> Option<i32> {
        let started = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(started.elapsed() < PATIENCE, "the server does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Already gone after `kill` and `wait`; then there is nothing to end.
        if self.child.kill().is_ok() {
            self.child.wait().ok();
        }
    }
}

fn key(data_dir: &Path, scope: &str) -> String {
    let keys: Value =
        serde_json::from_str(&std::fs::read_to_string(data_dir.join("keys.json")).unwrap()).unwrap();
    keys[scope].as_str().unwrap().to_owned()
}

/// A server's address and keys.
#[derive(Clone)]
pub(crate) struct Api {
    pub(crate) addr: SocketAddr,
    pub(crate) admin: String,
    pub(crate) search: String,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    /// The body of a success.
    #[track_caller]
    pub(crate) fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{self:?}");
        self.json()
    }

    /// The first wrong place of a 422, as `body.data.0.price`, with its type.
    #[track_caller]
    pub(crate) fn invalid(&self) -> (String, String) {
        assert_eq!(self.status, 422, "{self:?}");
        assert_eq!(self.header("content-type"), Some("application/json"));
        let body = self.json();
        let detail = &body["detail"][0];
        assert!(
            detail["msg"].as_str().is_some_and(|msg| !msg.is_empty()),
            "{self:?}"
        );
        let loc: Vec<String> = detail["loc"]
            .as_array()
            .unwrap()
            .iter()
            .map(|part| part.as_str().map_or_else(|| part.to_string(), str::to_owned))
            .collect();
        (loc.join("."), detail["type"].as_str().unwrap().to_owned())
    }

    /// The type of a problem document, after a check of its form.
    #[track_caller]
    pub(crate) fn problem(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(
            self.header("content-type"),
            Some("application/problem+json"),
            "{self:?}"
        );
        let body = self.json();
        assert_eq!(body["status"], status);
        for field in ["title", "detail", "type", "instance"] {
            assert!(
                body[field].as_str().is_some_and(|text| !text.is_empty()),
                "{field}: {self:?}"
            );
        }
        assert!(
            !self.text.contains("src/") && !self.text.contains("panicked"),
            "internals leak: {self:?}"
        );
        body["type"].as_str().unwrap().to_owned()
    }
}

impl Api {
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.call("GET", path, &[("x-api-key", &self.admin)], b"")
    }

    pub(crate) fn delete(&self, path: &str) -> Answer {
        self.call("DELETE", path, &[("x-api-key", &self.admin)], b"")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.post_text(path, &body.to_string())
    }

    pub(crate) fn patch(&self, path: &str, body: &Value) -> Answer {
        self.call(
            "PATCH",
            path,
            &[("x-api-key", &self.admin), ("content-type", "application/json")],
            body.to_string().as_bytes(),
        )
    }

    pub(crate) fn post_text(&self, path: &str, body: &str) -> Answer {
        self.call(
            "POST",
            path,
            &[("x-api-key", &self.admin), ("content-type", "application/json")],
            body.as_bytes(),
        )
    }

    /// Any request; panics when no answer comes.
    #[track_caller]
    pub(crate) fn call(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        self.try_call(method, path, headers, body)
            .unwrap_or_else(|error| panic!("{method} {path}: {error}"))
    }

    #[track_caller]
    pub(crate) fn try_call(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> std::io::Result<Answer> {
        self.call_on(TcpStream::connect(self.addr)?, method, path, headers, body)
    }

    /// The one request of a connection.
    pub(crate) fn call_on(
        &self,
        mut stream: TcpStream,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> std::io::Result<Answer> {
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n",
            self.addr
        );
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        request.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(request.as_bytes())?;
        // The server may answer and close before it read everything.
        let sent = stream.write_all(body);
        let mut bytes = Vec::new();
        let read = stream.read_to_end(&mut bytes);
        if bytes.is_empty() {
            sent?;
            read?;
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let incomplete = || std::io::Error::new(std::io::ErrorKind::UnexpectedEof, "the answer broke off");
        let (head, text) = text.split_once("\r\n\r\n").ok_or_else(incomplete)?;
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|code| code.parse().ok())
            .ok_or_else(incomplete)?;
        let answer = Answer {
            status,
            head: head.to_owned(),
            text: text.to_owned(),
        };
        match answer
            .header("content-length")
            .and_then(|length| length.parse::<usize>().ok())
        {
            Some(length) if length != answer.text.len() => Err(incomplete()),
            _ => {
                crate::contract::check(method, path, &answer);
                Ok(answer)
            }
        }
    }

    /// Makes a dataset and waits until it is ACTIVE.
    #[track_caller]
    pub(crate) fn dataset(&self, body: &Value) {
        self.post("/v1/datasets/", body).ok();
        let name = body["name"].as_str().unwrap();
        let details = self.wait_for(&format!("/v1/datasets/{name}"));
        assert_eq!(details["status"], "ACTIVE", "{details}");
    }

    /// Polls until the status is ACTIVE or ERROR.
    #[track_caller]
    pub(crate) fn wait_for(&self, path: &str) -> Value {
        let started = Instant::now();
        loop {
            let details = self.get(path).ok();
            if details["status"] == "ACTIVE" || details["status"] == "ERROR" {
                return details;
            }
            assert!(started.elapsed() < PATIENCE, "{path} is stuck: {details}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Makes a transform and waits until it is ACTIVE.
    #[track_caller]
    pub(crate) fn transform(&self, body: &Value) {
        self.post("/v1/transforms", body).ok();
        let name = body["name"].as_str().unwrap();
        let details = self.wait_for(&format!("/v1/transforms/{name}"));
        assert_eq!(details["status"], "ACTIVE", "{details}");
    }

    /// Polls until a condition holds.
    #[track_caller]
    pub(crate) fn wait_until(&self, path: &str, holds: impl Fn(&Value) -> bool) -> Value {
        let started = Instant::now();
        loop {
            let details = self.get(path).ok();
            if holds(&details) {
                return details;
            }
            assert!(started.elapsed() < PATIENCE, "{path} is stuck: {details}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Makes a model and waits until it is ACTIVE.
    #[track_caller]
    pub(crate) fn model(&self, body: &Value) {
        self.post("/v1/models", body).ok();
        let name = body["model"]["name"].as_str().unwrap();
        let view = self.wait_for(&format!("/v1/models/{name}"));
        assert_eq!(view["status"], "ACTIVE", "{view}");
    }

    /// The ids that a model retrieves.
    #[track_caller]
    pub(crate) fn ids(&self, model: &str, body: &Value) -> Vec<String> {
        let answer = self.post(&format!("/v1/models/{model}/retrieve"), body).ok();
        answer["ids"]
            .as_array()
            .unwrap()
            .iter()
            .map(|id| id.as_str().unwrap().to_owned())
            .collect()
    }
}

/// The counts in scores of popular items: what is behind the point says which of equal ones came later.
#[track_caller]
pub(crate) fn counts(scores: &Value) -> Vec<f64> {
    let scores = scores.as_array().unwrap().iter();
    scores.map(|score| score.as_f64().unwrap().floor()).collect()
}

/// A dataset of films with declared columns.
pub(crate) fn films() -> Value {
    json!({
        "name": "films", "schema_type": "CUSTOM", "deployment_type": "CUSTOM", "unique_keys": ["id"],
        "column_schema": {"id": "String", "title": "String", "plot": "String", "year": "Int32", "tags": "Array(String)", "extra": "Json"}
    })
}

pub(crate) fn film_rows() -> Value {
    json!({"data": [
        {"id": "m1", "title": "The Third Man", "plot": "A writer looks for a friend in Vienna", "year": 1949, "tags": ["noir"]},
        {"id": "m2", "title": "Metropolis", "plot": "A city above and workers below", "year": 1927, "tags": ["silent", "city"]},
        {"id": "m3", "title": "Vienna waits", "plot": "A short film", "year": 2001, "extra": {"a": [1, null, 2.5]}},
    ]})
}

/// A model over films with a text index.
pub(crate) fn film_model(name: &str) -> Value {
    json!({
        "model": {"name": name, "text_index": {"item_fields": ["title", "plot"]}},
        "connectors": [{"type": "Dataset", "id": "f", "name": "films"}],
        "fetch": {
            "events": "SELECT id AS user_id, id AS item_id, 1 AS label, CAST(NULL AS TIMESTAMP) AS created_at FROM f WHERE FALSE",
            "items": "SELECT id AS item_id, title, plot, year, tags, extra FROM f"
        }
    })
}
