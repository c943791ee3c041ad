//! A platform-sim of our own: started, asked, stopped.

use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

/// How long a start, or a change of status, may take before we say that something is wrong.
const PATIENCE: Duration = Duration::from_secs(60);

/// A child process that is asked to end when this value goes out of scope.
pub(crate) struct Server {
    name: &'static str,
    child: Child,
}

impl Server {
    pub(crate) fn start(name: &'static str, command: &mut Command) -> Result<Server> {
        let child = command
            .stdin(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {name}"))?;
        Ok(Server { name, child })
    }

    /// The id of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// An error once the program has ended, which it should not have.
    pub(crate) fn check(&mut self) -> Result<()> {
        match self.child.try_wait()? {
            Some(status) => bail!("{} ended by itself ({status})", self.name),
            None => Ok(()),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let pid = Pid::from_raw(self.child.id().cast_signed());
        // Fails only where the program has ended already, which is what we want.
        if kill(pid, Signal::SIGTERM).is_ok()
            && let Err(error) = self.child.wait()
        {
            eprintln!("xtask: {} did not end: {error}", self.name);
        }
    }
}

/// One sentence, before minutes of building, when an address that we need is taken.
pub(crate) fn check_free(what: &str, address: SocketAddr) -> Result<()> {
    TcpListener::bind(address).map(drop).with_context(|| {
        format!("{what} needs {address}, and it cannot be had: stop the program that uses it")
    })
}

/// The keys that a platform-sim made at its first start.
pub(crate) struct Keys {
    pub(crate) admin: String,
    pub(crate) search: String,
}

impl Keys {
    pub(crate) fn read(data_dir: &Path) -> Result<Keys> {
        let file = data_dir.join("keys.json");
        let text = std::fs::read_to_string(&file).with_context(|| {
            format!(
                "cannot read {}: remove {} to start anew",
                file.display(),
                data_dir.display()
            )
        })?;
        let keys: Value =
            serde_json::from_str(&text).with_context(|| format!("{} is damaged", file.display()))?;
        let key = |scope: &str| match keys[scope].as_str() {
            Some(key) => Ok(key.to_owned()),
            None => bail!("{} has no key '{scope}'", file.display()),
        };
        Ok(Keys {
            admin: key("admin")?,
            search: key("search")?,
        })
    }
}

/// The platform API of one server, with an admin key.
pub(crate) struct Api {
    base: String,
    key: String,
    agent: ureq::Agent,
}

impl Api {
    pub(crate) fn new(address: SocketAddr, key: String) -> Api {
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(PATIENCE))
            .build()
            .new_agent();
        Api {
            base: format!("http://{address}/v1"),
            key,
            agent,
        }
    }

    pub(crate) fn get(&self, path: &str) -> Result<(u16, Value)> {
        let request = self
            .agent
            .get(format!("{}{path}", self.base))
            .header("x-api-key", &self.key);
        answer(request.call().with_context(|| format!("GET {path}"))?)
    }

    pub(crate) fn delete(&self, path: &str) -> Result<(u16, Value)> {
        let request = self
            .agent
            .delete(format!("{}{path}", self.base))
            .header("x-api-key", &self.key);
        answer(request.call().with_context(|| format!("DELETE {path}"))?)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Result<(u16, Value)> {
        let request = self
            .agent
            .post(format!("{}{path}", self.base))
            .header("x-api-key", &self.key);
        answer(request.send_json(body).with_context(|| format!("POST {path}"))?)
    }

    /// As `post`, for calls that must succeed.
    pub(crate) fn post_ok(&self, path: &str, body: &Value) -> Result<Value> {
        match self.post(path, body)? {
            (200..=299, value) => Ok(value),
            (status, value) => bail!("POST {path} was answered {status}: {value}"),
        }
    }

    /// Waits for the status ACTIVE of a dataset or model.
    pub(crate) fn wait_until_active(&self, path: &str) -> Result<()> {
        let started = Instant::now();
        loop {
            let (code, details) = self.get(path)?;
            match details["status"].as_str() {
                Some("ACTIVE") => return Ok(()),
                Some("ERROR") => bail!("{path} ended in ERROR: {details}"),
                _ if started.elapsed() > PATIENCE => {
                    bail!(
                        "{path} is not ACTIVE after {} s: {code} {details}",
                        PATIENCE.as_secs()
                    )
                }
                _ => std::thread::sleep(Duration::from_millis(50)),
            }
        }
    }
}

fn answer(mut response: ureq::http::Response<ureq::Body>) -> Result<(u16, Value)> {
    let status = response.status().as_u16();
    let text = response
        .body_mut()
        .read_to_string()
        .context("the answer broke off")?;
    let value = if text.is_empty() {
        Value::Null
    } else {
        serde_json::from_str(&text).unwrap_or(Value::String(text))
    };
    Ok((status, value))
}

/// A platform-sim on a free port, and its address.
pub(crate) fn start_anywhere(program: &Path, data_dir: &Path) -> Result<(Server, SocketAddr)> {
    let mut command = Command::new(program);
    command
        .args(["--addr", "127.0.0.1:0", "--log", "error", "--data-dir"])
        .arg(data_dir)
        .stdout(Stdio::piped());
    let mut server = Server::start("platform-sim", &mut command)?;
    let output = server.child.stdout.take().context("it has no standard output")?;
    let mut lines = BufReader::new(output).lines();
    for line in &mut lines {
        let line = line?;
        if let Some(rest) = line.strip_prefix("platform-sim listens on http://") {
            let address = rest.split('/').next().unwrap_or_default().parse()?;
            // Somebody has to read what else it says, or it stops when the pipe is full.
            std::thread::spawn(move || lines.for_each(drop));
            return Ok((server, address));
        }
    }
    bail!("platform-sim ended before it listened")
}

/// Waits until a server answers a request, or has ended. A connection alone says little: the system accepts it as
/// soon as the port is taken, which is before the server has prepared its data.
pub(crate) fn wait_until_up(server: &mut Server, address: SocketAddr) -> Result<()> {
    let agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .build()
        .new_agent();
    let started = Instant::now();
    while agent.get(format!("http://{address}/")).call().is_err() {
        server.check()?;
        if started.elapsed() > PATIENCE {
            bail!(
                "{} does not answer on {address} after {} s",
                server.name,
                PATIENCE.as_secs()
            );
        }
        std::thread::sleep(Duration::from_millis(30));
    }
    Ok(())
}
