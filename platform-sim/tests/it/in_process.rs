//! The binary's server in this process, for tests that need other limits than the binary's.

use std::path::Path;

use platform_sim::server::{Limits, serve};
use platform_sim::{Metrics, Options, Platform, build_router};

use super::client::{Api, PROGRAM};

/// A server; it ends with the value.
pub(crate) struct InProcess {
    pub(crate) api: Api,
    pub(crate) metrics: Metrics,
    runtime: Option<tokio::runtime::Runtime>,
}

impl InProcess {
    /// Starts a server with the options that `choose` leaves.
    pub(crate) fn start(data_dir: &Path, limits: Limits, choose: impl FnOnce(&mut Options)) -> InProcess {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let (addr, keys, metrics) = runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let addr = listener.local_addr().unwrap();
            let mut options = Options::new(data_dir.to_owned(), format!("http://{addr}"), PROGRAM.into());
            choose(&mut options);
            let (platform, keys) = Platform::open(options).await.unwrap();
            let metrics = platform.metrics().clone();
            let counters = metrics.connections();
            let router = build_router(platform);
            tokio::spawn(serve(listener, router, limits, counters, std::future::pending()));
            (addr, keys.unwrap(), metrics)
        });
        InProcess {
            api: Api {
                addr,
                admin: keys.admin,
                search: keys.search,
            },
            metrics,
            runtime: Some(runtime),
        }
    }

    /// The value of a line of the metrics that starts so.
    pub(crate) fn metric(&self, start: &str) -> Option<f64> {
        let text = self.metrics.text();
        let line = text.lines().find_map(|line| line.strip_prefix(start))?;
        line.rsplit(' ').next()?.parse().ok()
    }
}

impl Drop for InProcess {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
