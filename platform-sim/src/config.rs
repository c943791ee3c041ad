//! What the server can be told, and the command line that tells it.

use std::net::SocketAddr;
use std::path::PathBuf;

use crate::sql::SqlLimits;

/// The text of `--help`.
pub const USAGE: &str = "\
Usage: platform-sim [--addr ADDRESS] [--data-dir DIR] [--log LEVEL] [--allow-origin URL]... [--text-encoder FILE]

The siftwren platform API on this machine.

  --addr ADDRESS       where to listen (default 127.0.0.1:8787)
  --data-dir DIR       where everything is kept (default .siftwren)
  --log LEVEL          error, warn, info, debug, trace, or a filter such as info,platform_sim=debug (default info)
  --allow-origin URL   a web origin that may call the API from a browser, besides http://127.0.0.1:4173 and
                       http://localhost:4173; may be given several times
  --text-encoder FILE  a finalfusion table of wordpieces that turns text queries into vectors, such as the
                       query-table.fifu of `indexer build`; or the environment variable SIFTWREN_TEXT_ENCODER
  --help, --version

The first start creates two API keys, prints them and writes them to DIR/keys.json.
Exit codes: 0 ended by a signal, 2 usage, 3 something outside failed (port in use, data directory locked, ...).
";

/// Origins of the site as `cargo xtask run` serves it.
const DEFAULT_ORIGINS: [&str; 2] = ["http://127.0.0.1:4173", "http://localhost:4173"];

/// What a platform needs to know to work, wherever it runs.
#[derive(Clone, Debug)]
pub struct Options {
    /// The directory that holds everything.
    pub data_dir: PathBuf,
    /// The address by which clients reach the server, for the URLs in answers; no slash at the end.
    pub public_url: String,
    /// Web origins that may call the API.
    pub allowed_origins: Vec<String>,
    /// The table that turns texts into vectors; without one, texts are searched by their words only.
    pub text_encoder: Option<PathBuf>,
    /// The program that runs SQL when given [`crate::WORKER_ARGUMENT`]: this server's own binary.
    pub worker_program: PathBuf,
    /// What such a program may use.
    pub sql_limits: SqlLimits,
}

/// A command line, read.
#[derive(Debug, PartialEq)]
pub enum Arguments {
    /// Serve.
    Serve {
        /// Where to listen.
        addr: SocketAddr,
        /// Where everything is kept.
        data_dir: PathBuf,
        /// What to log.
        log: String,
        /// The web origins that may call, the default ones included.
        allowed_origins: Vec<String>,
        /// The table that turns texts into vectors.
        text_encoder: Option<PathBuf>,
    },
    /// Print the usage.
    Help,
    /// Print the version.
    Version,
}

/// A sentence on what is wrong with a command line.
#[derive(Debug, PartialEq)]
pub struct UsageError(pub String);

impl Arguments {
    /// Reads the arguments after the program's name. A value may follow its option or stand behind `=`.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Arguments, UsageError> {
        let mut addr = SocketAddr::from(([127, 0, 0, 1], 8787));
        let mut data_dir = PathBuf::from(".siftwren");
        let mut log = "info".to_owned();
        let mut allowed_origins: Vec<String> = DEFAULT_ORIGINS.map(str::to_owned).to_vec();
        let mut text_encoder = None;
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let (option, inline) = match argument.split_once('=') {
                Some((option, value)) => (option.to_owned(), Some(value.to_owned())),
                None => (argument, None),
            };
            let mut value = || {
                inline
                    .clone()
                    .or_else(|| arguments.next())
                    .filter(|value| !value.is_empty())
                    .ok_or_else(|| UsageError(format!("{option} needs a value")))
            };
            match option.as_str() {
                "--addr" => {
                    let text = value()?;
                    addr = text.parse().map_err(|_| {
                        UsageError(format!(
                            "--addr takes an IP address and a port such as 127.0.0.1:8787, not '{text}'"
                        ))
                    })?;
                }
                "--data-dir" => data_dir = value()?.into(),
                "--log" => log = value()?,
                "--allow-origin" => allowed_origins.push(origin(&value()?)?),
                "--text-encoder" => text_encoder = Some(value()?.into()),
                "--help" | "-h" => return Ok(Arguments::Help),
                "--version" | "-V" => return Ok(Arguments::Version),
                other => return Err(UsageError(format!("unknown argument '{other}'"))),
            }
        }
        Ok(Arguments::Serve {
            addr,
            data_dir,
            log,
            allowed_origins,
            text_encoder,
        })
    }
}

/// Checks that a text is scheme://host[:port], as browsers send it.
fn origin(text: &str) -> Result<String, UsageError> {
    let host = text
        .strip_prefix("http://")
        .or_else(|| text.strip_prefix("https://"));
    match host {
        Some(host)
            if !host.is_empty()
                && host
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b".-:[]".contains(&b)) =>
        {
            Ok(text.to_ascii_lowercase())
        }
        _ => Err(UsageError(format!(
            "--allow-origin takes scheme and host such as https://docs.example, without a path, not '{text}'"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Arguments, UsageError> {
        Arguments::parse(arguments.iter().map(|argument| (*argument).to_owned()))
    }

    #[test]
    fn everything_has_a_default() {
        let Ok(Arguments::Serve {
            addr,
            data_dir,
            log,
            allowed_origins,
            text_encoder,
        }) = parse(&[])
        else {
            panic!("no arguments mean: serve");
        };
        assert_eq!(addr.to_string(), "127.0.0.1:8787");
        assert_eq!(data_dir, PathBuf::from(".siftwren"));
        assert_eq!(log, "info");
        assert_eq!(allowed_origins, DEFAULT_ORIGINS);
        assert_eq!(text_encoder, None);
    }

    #[test]
    fn values_follow_or_stand_behind_an_equals_sign() {
        let spaced = parse(&["--addr", "127.0.0.1:1", "--allow-origin", "https://a.example"]);
        assert_eq!(
            spaced,
            parse(&["--addr=127.0.0.1:1", "--allow-origin=https://a.example"])
        );
        assert!(spaced.is_ok());
    }

    #[test]
    fn wrong_usage_is_named() {
        for (arguments, said) in [
            (vec!["--port", "1"], "unknown argument '--port'"),
            (vec!["--addr"], "--addr needs a value"),
            (
                vec!["--addr", "localhost"],
                "--addr takes an IP address and a port such as 127.0.0.1:8787, not 'localhost'",
            ),
            (vec!["--data-dir="], "--data-dir needs a value"),
            (vec!["--text-encoder"], "--text-encoder needs a value"),
            (vec!["serve"], "unknown argument 'serve'"),
        ] {
            assert_eq!(parse(&arguments), Err(UsageError(said.to_owned())));
        }
        assert!(parse(&["--allow-origin", "https://a.example/path"]).is_err());
        assert!(parse(&["--allow-origin", "*"]).is_err());
    }
}
