//! Serves a built site on a local address the way a static host does: see [`preview::app`].

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

/// What a request that is being answered may still take once the program has been asked to end.
const PATIENCE: Duration = Duration::from_millis(300);

/// Serve a built docs site, with its `_headers`, on a local address.
#[derive(Parser)]
struct Arguments {
    /// The folder that `cargo xtask build` wrote.
    #[arg(default_value = "dist")]
    folder: PathBuf,
    /// Address to listen on.
    #[arg(long, default_value = "127.0.0.1:4173")]
    addr: SocketAddr,
    /// The path below which the site is served, as in its `[site] base`.
    #[arg(long, default_value = "/")]
    base: String,
    /// While this file is there, pages are reloaded when its first line changes; the lines that follow are shown as a problem.
    #[arg(long)]
    live_reload: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match serve(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("preview: {error:#}");
            ExitCode::from(3)
        }
    }
}

#[tokio::main]
async fn serve(arguments: &Arguments) -> anyhow::Result<()> {
    let app = preview::app(
        &arguments.folder,
        &arguments.base,
        arguments.live_reload.as_deref(),
    )?;
    let listener = tokio::net::TcpListener::bind(arguments.addr)
        .await
        .map_err(|error| {
            anyhow::anyhow!(
                "cannot listen on {}: {error}; choose another with --addr",
                arguments.addr
            )
        })?;
    println!("preview: http://{}{}", listener.local_addr()?, arguments.base);
    tokio::select! {
        served = axum::serve(listener, app).with_graceful_shutdown(stop_requested()) => served?,
        // Pages that wait for the next build would be waited for.
        () = async { stop_requested().await; tokio::time::sleep(PATIENCE).await } => {}
    }
    Ok(())
}

async fn stop_requested() {
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
        .expect("the runtime's signal driver is on");
    tokio::select! {
        _ = terminate.recv() => {}
        result = tokio::signal::ctrl_c() => result.expect("the runtime's signal driver is on"),
    }
}
