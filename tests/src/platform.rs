//! A real platform-sim process with its own data directory and port.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;

const PATIENCE: Duration = Duration::from_secs(60);

/// A running platform-sim; ends when dropped.
pub struct Platform {
    child: Child,
    /// `http://127.0.0.1:PORT/v1`
    pub url: String,
    /// The key that may do everything.
    pub admin_key: String,
    /// The key that may only search.
    pub search_key: String,
}

impl Platform {
    /// Starts one over a data directory, new or used, and waits until it answers.
    pub fn start(data_dir: &Path) -> Result<Platform> {
        Self::start_with(data_dir, None)
    }

    /// The same with the table that turns text queries into vectors.
    pub fn start_with(data_dir: &Path, text_encoder: Option<&Path>) -> Result<Platform> {
        let mut command = Command::new(crate::program("platform-sim"));
        // What the person at the keyboard has set is no matter of the tests.
        command.env_remove("SIFTWREN_TEXT_ENCODER");
        if let Some(file) = text_encoder {
            command.arg("--text-encoder").arg(file);
        }
        let mut child = command
            .args(["--addr", "127.0.0.1:0", "--log", "warn", "--data-dir"])
            .arg(data_dir)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start platform-sim")?;
        let output = child.stdout.take().context("it has no standard output")?;
        let Some(address) = address_of(output) else {
            child.kill()?;
            bail!("platform-sim ended before it listened: {}", child.wait()?);
        };
        let keys: Value = serde_json::from_str(&std::fs::read_to_string(data_dir.join("keys.json"))?)?;
        let key = |scope: &str| {
            keys[scope]
                .as_str()
                .map(str::to_owned)
                .with_context(|| format!("no key {scope}"))
        };
        Ok(Platform {
            child,
            url: format!("http://{address}/v1"),
            admin_key: key("admin")?,
            search_key: key("search")?,
        })
    }

    /// Sends a request with a JSON body; the status and the JSON of the answer.
    pub fn post(&self, path: &str, key: &str, body: &Value) -> Result<(u16, Value)> {
        let request = agent()
            .post(format!("{}{path}", self.url))
            .header("x-api-key", key);
        decode(request.send_json(body)?)
    }

    /// Sends a request without a body; the status and the JSON of the answer.
    pub fn get(&self, path: &str, key: &str) -> Result<(u16, Value)> {
        decode(
            agent()
                .get(format!("{}{path}", self.url))
                .header("x-api-key", key)
                .call()?,
        )
    }

    /// Waits for the status ACTIVE of a dataset or a model.
    pub fn wait_until_active(&self, path: &str) -> Result<()> {
        let started = Instant::now();
        loop {
            let (_, details) = self.get(path, &self.admin_key)?;
            match details["status"].as_str() {
                Some("ACTIVE") => return Ok(()),
                Some("ERROR") => bail!("{path}: {details}"),
                _ if started.elapsed() > PATIENCE => bail!("{path} is still {details}"),
                _ => std::thread::sleep(Duration::from_millis(20)),
            }
        }
    }

    /// The power goes: no signal that the process could handle.
    pub fn kill(mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Platform {
    fn drop(&mut self) {
        let pid = nix::unistd::Pid::from_raw(self.child.id().cast_signed());
        // Has it been killed and reaped already, there is nothing left to stop.
        if self.child.try_wait().is_ok_and(|status| status.is_none())
            && nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGTERM).is_ok()
        {
            self.child.wait().expect("a child of ours can be waited for");
        }
    }
}

/// Where a platform-sim listens, as it says when it is ready; nothing if it ends first.
fn address_of(output: ChildStdout) -> Option<String> {
    let mut lines = BufReader::new(output).lines().map_while(|line| line.ok());
    let address = lines.find_map(|line| {
        let rest = line.strip_prefix("platform-sim listens on http://")?;
        Some(rest.split('/').next()?.to_owned())
    })?;
    // Somebody has to read what else it says, or it stops when the pipe is full.
    std::thread::spawn(move || lines.for_each(drop));
    Some(address)
}

fn agent() -> ureq::Agent {
    ureq::Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(PATIENCE))
        .build()
        .new_agent()
}

fn decode(mut response: ureq::http::Response<ureq::Body>) -> Result<(u16, Value)> {
    let status = response.status().as_u16();
    Ok((
        status,
        response.body_mut().read_json().context("the answer is no JSON")?,
    ))
}
