//! Reads the command line, opens the platform, serves it until a signal.

use std::io;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, anyhow};
use platform_sim::log::{JsonFields, JsonLines};
use platform_sim::server::{self, Limits};
use platform_sim::{
    Arguments, Connections, Endpoint, LogFormat, Options, Platform, ServeArguments, USAGE, UsageError,
    WORKER_ARGUMENT, build_router,
};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

const TEXT_ENCODER_VARIABLE: &str = "SIFTWREN_TEXT_ENCODER";

/// How long jobs that were told to stop may take to note where they stand.
const JOBS_PATIENCE: std::time::Duration = std::time::Duration::from_secs(1);

const USAGE_ERROR: u8 = 2;
const OUTSIDE_ERROR: u8 = 3;

/// A few scrapers, and nothing of theirs to wait for.
const METRICS_LIMITS: Limits = Limits {
    connections: 16,
    header: Duration::from_secs(5),
    idle: Duration::from_secs(60),
    linger: Duration::ZERO,
    shutdown: Duration::ZERO,
};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments == [WORKER_ARGUMENT] {
        return match platform_sim::run_sql_worker() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{error:#}");
                ExitCode::FAILURE
            }
        };
    }
    match Arguments::parse(arguments) {
        Ok(Arguments::Help) => {
            print!("{USAGE}");
            ExitCode::SUCCESS
        }
        Ok(Arguments::Version) => {
            println!("platform-sim {}", env!("CARGO_PKG_VERSION"));
            ExitCode::SUCCESS
        }
        Ok(Arguments::Serve(serve)) => {
            let ServeArguments {
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
            } = *serve;
            let filter = match EnvFilter::try_new(&log) {
                Ok(filter) => filter,
                Err(error) => return usage_error(&format!("--log: {error}")),
            };
            write_log(filter, log_format);
            let limits = Limits::for_files(raise_file_limit());
            let options = Options {
                allowed_origins,
                text_encoder: text_encoder.or_else(text_encoder_of_environment),
                files_dir,
                enrichment: enrichment.map(|(url, model)| Endpoint {
                    url,
                    model,
                    key: std::env::var("SIFTWREN_ENRICHMENT_KEY").ok(),
                }),
                open_queries: open_queries || addr.ip().is_loopback(),
                ..Options::new(data_dir, String::new(), worker_program())
            };
            match run(addr, metrics_address, limits, options) {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => {
                    eprintln!("platform-sim: {error:#}");
                    ExitCode::from(OUTSIDE_ERROR)
                }
            }
        }
        Err(UsageError(message)) => usage_error(&message),
    }
}

/// What the command line leaves open. An empty variable is one that is not set.
fn text_encoder_of_environment() -> Option<std::path::PathBuf> {
    let file = std::env::var_os(TEXT_ENCODER_VARIABLE)?;
    (!file.is_empty()).then(|| file.into())
}

fn usage_error(message: &str) -> ExitCode {
    eprintln!("platform-sim: {message}\n\n{USAGE}");
    ExitCode::from(USAGE_ERROR)
}

fn write_log(filter: EnvFilter, format: LogFormat) {
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr);
    match format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.fmt_fields(JsonFields).event_format(JsonLines).init(),
    }
}

/// A connection is a file: takes all that the system grants, and says how many that are.
fn raise_file_limit() -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    if let Err(error) = setrlimit(
        Resource::Nofile,
        Rlimit {
            current: limit.maximum,
            maximum: limit.maximum,
        },
    ) {
        tracing::warn!(%error, "the limit of open files stays as it is");
    }
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

/// This very binary, even if a build replaces its file while the server runs.
fn worker_program() -> std::path::PathBuf {
    let own = std::path::Path::new("/proc/self/exe");
    if own.exists() {
        own.to_owned()
    } else {
        std::env::current_exe().unwrap_or_else(|_| "platform-sim".into())
    }
}

fn run(
    addr: SocketAddr,
    metrics_address: Option<SocketAddr>,
    limits: Limits,
    options: Options,
) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let result = runtime.block_on(serve(addr, metrics_address, limits, options));
    // What still runs in the background is resumed by the next start.
    runtime.shutdown_timeout(Duration::from_millis(500));
    result
}

async fn bind(addr: SocketAddr, option: &str) -> anyhow::Result<TcpListener> {
    TcpListener::bind(addr).await.map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => {
            anyhow!(
                "port {} is in use on {}; stop what listens there or choose another with {option}",
                addr.port(),
                addr.ip()
            )
        }
        _ => anyhow!("cannot listen on {addr}: {error}"),
    })
}

async fn serve(
    addr: SocketAddr,
    metrics_address: Option<SocketAddr>,
    limits: Limits,
    mut options: Options,
) -> anyhow::Result<()> {
    // Before anything is written: a second server by mistake must not even open the data directory.
    let listener = bind(addr, "--addr").await?;
    let metrics_listener = match metrics_address {
        Some(address) => Some(bind(address, "--metrics-address").await?),
        None => None,
    };
    let addr = listener.local_addr()?;
    options.public_url = format!("http://{addr}");
    let data_dir = options.data_dir.display().to_string();
    let mut terminate = signal(SignalKind::terminate()).context("cannot listen for signals")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("cannot listen for signals")?;

    let (platform, new_keys) = Platform::open(options).await?;
    if let Some(keys) = new_keys {
        println!("API keys, made now and kept in {}:", keys.path.display());
        println!("  admin   {}", keys.admin);
        println!("  search  {}   (may only search; safe to publish)", keys.search);
    }
    if let Some(listener) = metrics_listener {
        println!(
            "platform-sim shows metrics on http://{}/metrics",
            listener.local_addr()?
        );
        // Until the very end: what a shutdown does is worth seeing.
        tokio::spawn(server::serve(
            listener,
            platform.metrics().router(),
            METRICS_LIMITS,
            Connections::default(),
            std::future::pending(),
        ));
    }
    println!("platform-sim listens on http://{addr}/v1 (data in {data_dir})");

    let stopping = platform.clone();
    let stop = async {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("stopping; a second signal stops at once");
        stopping.stop();
        tokio::spawn(async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            std::process::exit(0);
        });
    };
    let jobs = platform.clone();
    let counters = platform.metrics().connections();
    server::serve(listener, build_router(platform), limits, counters, stop).await;
    if tokio::time::timeout(JOBS_PATIENCE, jobs.jobs_ended())
        .await
        .is_err()
    {
        tracing::info!("jobs are cut off; the next start takes them up again");
    }
    Ok(())
}
