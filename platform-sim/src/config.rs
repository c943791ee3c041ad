//! What the server can be told, and the command line that tells it.

use std::net::SocketAddr;
use std::path::PathBuf;

use crate::api::overload::RequestLimits;
use crate::service::enrichment::Endpoint;
use crate::sql::SqlLimits;

/// The text of `--help`.
pub const USAGE: &str = "\
Usage: platform-sim [--addr ADDRESS] [--data-dir DIR] [--files-dir DIR] [--log LEVEL] [--allow-origin URL]...
                    [--text-encoder FILE] [--open-queries]
                    [--text-encoder FILE] [--log-format FORMAT] [--metrics-address ADDRESS]

The siftwren platform API on this machine.

  --addr ADDRESS       where to listen (default 127.0.0.1:8787)
  --data-dir DIR       where everything is kept (default .siftwren)
  --files-dir DIR      the folder whose files connectors of type File may read (default: none may be read)
  --enrichment-url URL, --enrichment-model NAME
                       an endpoint with OpenAI's chat completions, such as http://127.0.0.1:11434/v1, and the model to
                       ask there: it writes the columns of AI_ENRICHMENT transforms. Its key, if it wants one, is read
                       from the environment variable SIFTWREN_ENRICHMENT_KEY. Default: no endpoint; columns are made
                       from the words of the row itself, and the server opens no connection to anywhere
  --log LEVEL          error, warn, info, debug, trace, or a filter such as info,platform_sim=debug (default info)
  --log-format FORMAT  text, or json for one object a line (default text); either way on standard error
  --metrics-address ADDRESS
                       where to serve the metrics for Prometheus at /metrics, such as 127.0.0.1:9464: an address of
                       this machine, since they need no key (default: nowhere)
  --allow-origin URL   a web origin that may call the API from a browser, besides http://127.0.0.1:4173 and
                       http://localhost:4173; may be given several times
  --text-encoder FILE  a finalfusion table of wordpieces that turns text queries into vectors, such as the
                       query-table.fifu of `indexer build`; or the environment variable SIFTWREN_TEXT_ENCODER
  --open-queries       queries (/query, /queries) need no key, whatever the address; without it they need none on a
                       loopback address only
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
    /// The folder whose files connectors may read; without one they read none.
    pub files_dir: Option<PathBuf>,
    /// What writes the columns of AI_ENRICHMENT transforms; without one the row's own words do.
    pub enrichment: Option<Endpoint>,
    /// Queries need no key: for an address that only this machine can reach, or where their owner says so.
    pub open_queries: bool,
    /// How much is done at once.
    pub request_limits: RequestLimits,
}

impl Options {
    /// What a platform cannot do without; everything else has its default.
    pub fn new(data_dir: PathBuf, public_url: String, worker_program: PathBuf) -> Options {
        Options {
            data_dir,
            public_url,
            allowed_origins: Vec::new(),
            text_encoder: None,
            worker_program,
            sql_limits: SqlLimits::default(),
            files_dir: None,
            enrichment: None,
            open_queries: false,
            request_limits: RequestLimits::default(),
        }
    }
}

/// How the log is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// A command line, read.
#[derive(Debug, PartialEq)]
pub enum Arguments {
    /// Serve.
    Serve(Box<ServeArguments>),
    /// Print the usage.
    Help,
    /// Print the version.
    Version,
}

/// How to serve.
#[derive(Debug, PartialEq)]
pub struct ServeArguments {
    /// Where to listen.
    pub addr: SocketAddr,
    /// Where everything is kept.
    pub data_dir: PathBuf,
    /// The folder whose files connectors may read.
    pub files_dir: Option<PathBuf>,
    /// The endpoint that enriches, and its model.
    pub enrichment: Option<(String, String)>,
    /// What to log.
    pub log: String,
    /// How to write it.
    pub log_format: LogFormat,
    /// Where to serve the metrics.
    pub metrics_address: Option<SocketAddr>,
    /// The web origins that may call, the default ones included.
    pub allowed_origins: Vec<String>,
    /// The table that turns texts into vectors.
    pub text_encoder: Option<PathBuf>,
    /// Queries need no key, whatever the address.
    pub open_queries: bool,
}

/// A sentence on what is wrong with a command line.
#[derive(Debug, PartialEq)]
pub struct UsageError(pub String);

impl Arguments {
    /// Reads the arguments after the program's name. A value may follow its option or stand behind `=`.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Arguments, UsageError> {
        let mut addr = SocketAddr::from(([127, 0, 0, 1], 8787));
        let mut data_dir = PathBuf::from(".siftwren");
        let mut files_dir = None;
        let (mut enrichment_url, mut enrichment_model) = (None, None);
        let mut log = "info".to_owned();
        let mut log_format = LogFormat::default();
        let mut metrics_address = None;
        let mut allowed_origins: Vec<String> = DEFAULT_ORIGINS.map(str::to_owned).to_vec();
        let mut text_encoder = None;
        let mut open_queries = false;
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
                "--enrichment-url" => enrichment_url = Some(http_url(value()?)?),
                "--enrichment-model" => enrichment_model = Some(value()?),
                "--files-dir" => files_dir = Some(value()?.into()),
                "--log" => log = value()?,
                "--log-format" => log_format = self::log_format(&value()?)?,
                "--metrics-address" => metrics_address = Some(local_address(&value()?)?),
                "--allow-origin" => allowed_origins.push(origin(&value()?)?),
                "--text-encoder" => text_encoder = Some(value()?.into()),
                "--open-queries" => {
                    if inline.is_some() {
                        return Err(UsageError("--open-queries takes no value".to_owned()));
                    }
                    open_queries = true;
                }
                "--help" | "-h" => return Ok(Arguments::Help),
                "--version" | "-V" => return Ok(Arguments::Version),
                other => return Err(UsageError(format!("unknown argument '{other}'"))),
            }
        }
        let enrichment = match (enrichment_url, enrichment_model) {
            (Some(url), Some(model)) => Some((url, model)),
            (None, None) => None,
            _ => {
                return Err(UsageError(
                    "--enrichment-url and --enrichment-model need each other".to_owned(),
                ));
            }
        };
        Ok(Arguments::Serve(Box::new(ServeArguments {
            addr,
            data_dir,
            files_dir,
            enrichment,
            log,
            log_format,
            metrics_address,
            allowed_origins,
            text_encoder,
            open_queries,
        })))
    }
}

fn log_format(text: &str) -> Result<LogFormat, UsageError> {
    match text {
        "text" => Ok(LogFormat::Text),
        "json" => Ok(LogFormat::Json),
        other => Err(UsageError(format!(
            "--log-format takes text or json, not '{other}'"
        ))),
    }
}

/// An address that only this machine reaches.
fn local_address(text: &str) -> Result<SocketAddr, UsageError> {
    let address: Option<SocketAddr> = text.parse().ok();
    address
        .filter(|address| address.ip().to_canonical().is_loopback())
        .ok_or_else(|| {
            UsageError(format!(
                "--metrics-address takes an address of this machine and a port such as 127.0.0.1:9464, not '{text}'"
            ))
        })
}

/// Checks that a text is an address of the web.
fn http_url(text: String) -> Result<String, UsageError> {
    let rest = text
        .strip_prefix("http://")
        .or_else(|| text.strip_prefix("https://"));
    if rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(['@', ' ', '?', '#'])) {
        Ok(text)
    } else {
        Err(UsageError(format!(
            "--enrichment-url takes an address such as http://127.0.0.1:11434/v1, without a key in it, not '{text}'"
        )))
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
        let Ok(Arguments::Serve(arguments)) = parse(&[]) else {
            panic!("no arguments mean: serve");
        };
        assert_eq!(arguments.addr.to_string(), "127.0.0.1:8787");
        assert_eq!(arguments.data_dir, PathBuf::from(".siftwren"));
        assert_eq!(arguments.files_dir, None);
        assert_eq!(arguments.enrichment, None);
        assert_eq!(
            (arguments.log.as_str(), arguments.log_format),
            ("info", LogFormat::Text)
        );
        assert_eq!(arguments.metrics_address, None);
        assert_eq!(arguments.allowed_origins, DEFAULT_ORIGINS);
        assert_eq!(arguments.text_encoder, None);
        assert!(!arguments.open_queries);
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
            (
                vec!["--log-format", "xml"],
                "--log-format takes text or json, not 'xml'",
            ),
            (
                vec!["--metrics-address", "0.0.0.0:9464"],
                "--metrics-address takes an address of this machine and a port such as 127.0.0.1:9464, not '0.0.0.0:9464'",
            ),
            (vec!["serve"], "unknown argument 'serve'"),
        ] {
            assert_eq!(parse(&arguments), Err(UsageError(said.to_owned())));
        }
        assert!(parse(&["--allow-origin", "https://a.example/path"]).is_err());
        assert!(parse(&["--allow-origin", "*"]).is_err());
    }
}
