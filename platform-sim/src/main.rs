//! Reads the command line, opens the platform, serves it until a signal.

use std::io;
use std::net::SocketAddr;
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use platform_sim::server::{self, Limits};
use platform_sim::{
    Arguments, Options, Platform, SqlLimits, USAGE, UsageError, WORKER_ARGUMENT, build_router,
};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

const TEXT_ENCODER_VARIABLE: &str = "SIFTWREN_TEXT_ENCODER";

const USAGE_ERROR: u8 = 2;
const OUTSIDE_ERROR: u8 = 3;

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
        Ok(Arguments::Serve {
            addr,
            data_dir,
            log,
            allowed_origins,
            text_encoder,
        }) => {
            let filter = match EnvFilter::try_new(&log) {
                Ok(filter) => filter,
                Err(error) => return usage_error(&format!("--log: {error}")),
            };
            raise_file_limit();
            tracing_subscriber::fmt()
                .with_env_filter(filter)
                .with_writer(io::stderr)
                .init();
            let options = Options {
                data_dir,
                public_url: String::new(),
                allowed_origins,
                text_encoder: text_encoder.or_else(text_encoder_of_environment),
                worker_program: worker_program(),
                sql_limits: SqlLimits::default(),
            };
            match run(addr, options) {
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

/// A connection is a file: takes all that the system grants. With fewer, accepting pauses when they run out.
fn raise_file_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    if let Err(error) = setrlimit(
        Resource::Nofile,
        Rlimit {
            current: limit.maximum,
            maximum: limit.maximum,
        },
    ) {
        eprintln!("platform-sim: the limit of open files stays as it is: {error}");
    }
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

fn run(addr: SocketAddr, options: Options) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let result = runtime.block_on(serve(addr, options));
    // What still runs in the background is resumed by the next start.
    runtime.shutdown_timeout(std::time::Duration::from_millis(500));
    result
}

async fn serve(addr: SocketAddr, mut options: Options) -> anyhow::Result<()> {
    // Before anything is written: a second server by mistake must not even open the data directory.
    let listener = TcpListener::bind(addr)
        .await
        .map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => {
                anyhow!(
                    "port {} is in use on {}; stop what listens there or choose another with --addr",
                    addr.port(),
                    addr.ip()
                )
            }
            _ => anyhow!("cannot listen on {addr}: {error}"),
        })?;
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
    println!("platform-sim listens on http://{addr}/v1 (data in {data_dir})");

    let stop = async {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("stopping; a second signal stops at once");
        tokio::spawn(async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            std::process::exit(0);
        });
    };
    server::serve(listener, build_router(platform), Limits::default(), stop).await;
    Ok(())
}
