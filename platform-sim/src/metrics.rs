//! What the server counts and times, for Prometheus.
//!
//! Names start with `siftwren_`, base units are seconds and bytes. Labels have few values: routes are the patterns of the
//! API, never names that clients choose.

use std::time::Duration;

use axum::Router;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use prometheus::{
    Encoder, Gauge, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts,
    Registry, TextEncoder,
};

/// Upper bounds for the time of answers, in seconds: from a look-up to the longest wait.
const ANSWER_SECONDS: [f64; 13] = [
    0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0,
];

/// Upper bounds for the time of jobs, in seconds: from a deployment to a long training.
const JOB_SECONDS: [f64; 9] = [0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 1800.0, 7200.0];

/// The counters of one server. Clones count into the same numbers.
#[derive(Clone, Debug)]
pub struct Metrics {
    registry: Registry,
    connections: Connections,
    answers: IntCounterVec,
    answer_seconds: HistogramVec,
    requests: IntGauge,
    refused: IntCounterVec,
    rows: IntCounter,
    jobs: IntGaugeVec,
    jobs_ended: IntCounterVec,
    job_seconds: HistogramVec,
    sql_workers: IntGauge,
    sql_ended: IntCounterVec,
    process: Process,
}

/// The counters of an accept loop.
#[derive(Clone, Debug)]
pub struct Connections {
    open: IntGauge,
    gave_way: IntCounter,
    turned_away: IntCounter,
}

impl Default for Connections {
    fn default() -> Connections {
        Connections {
            open: gauge("siftwren_http_connections", "Connections that are open."),
            gave_way: counter(
                "siftwren_http_connections_gave_way_total",
                "Connections without a whole request that were closed because all were taken.",
            ),
            turned_away: counter(
                "siftwren_http_connections_turned_away_total",
                "Connections that were told to come back because all were at work.",
            ),
        }
    }
}

impl Connections {
    pub(crate) fn opened(&self) {
        self.open.inc();
    }

    pub(crate) fn closed(&self) {
        self.open.dec();
    }

    pub(crate) fn gave_way(&self, connections: usize) {
        self.gave_way.inc_by(connections as u64);
    }

    pub(crate) fn turned_away(&self) {
        self.turned_away.inc();
    }
}

impl Default for Metrics {
    fn default() -> Metrics {
        let metrics = Metrics {
            registry: Registry::new(),
            connections: Connections::default(),
            answers: counters(
                "siftwren_http_responses_total",
                "Answers, by method, pattern of the route and status.",
                &["method", "route", "status"],
            ),
            answer_seconds: seconds(
                "siftwren_http_response_duration_seconds",
                "Time from a request's header to its answer.",
                &["method", "route"],
                &ANSWER_SECONDS,
            ),
            requests: gauge(
                "siftwren_http_requests_in_progress",
                "Requests that are being answered.",
            ),
            refused: counters(
                "siftwren_http_requests_refused_total",
                "Requests refused for lack of room, by what there was too much of.",
                &["reason"],
            ),
            rows: counter(
                "siftwren_rows_inserted_total",
                "Rows of inserts that were acknowledged.",
            ),
            jobs: gauges("siftwren_jobs", "Jobs that wait or run, by kind.", &["kind"]),
            jobs_ended: counters(
                "siftwren_jobs_ended_total",
                "Jobs that ended, by kind and outcome.",
                &["kind", "outcome"],
            ),
            job_seconds: seconds(
                "siftwren_job_duration_seconds",
                "Time from the start of a job, its waiting included, to its end.",
                &["kind"],
                &JOB_SECONDS,
            ),
            sql_workers: gauge("siftwren_sql_workers", "SQL workers that run."),
            sql_ended: counters(
                "siftwren_sql_workers_ended_total",
                "SQL workers that ended: of themselves, at a limit, at the deadline, or broken.",
                &["outcome"],
            ),
            process: Process::default(),
        };
        metrics.register();
        metrics
    }
}

impl Metrics {
    /// What the accept loop counts into.
    pub fn connections(&self) -> Connections {
        self.connections.clone()
    }

    /// All numbers in Prometheus' text format.
    pub fn text(&self) -> String {
        self.process.look();
        let mut text = Vec::new();
        TextEncoder::new()
            .encode(&self.registry.gather(), &mut text)
            .expect("every metric has a name and a help text, and memory takes all bytes");
        String::from_utf8_lossy(&text).into_owned()
    }

    /// `GET /metrics`, for a listener of its own: the numbers need no key, so they are only for this machine.
    pub fn router(&self) -> Router {
        let metrics = self.clone();
        let text = move || {
            let text = metrics.text();
            async move { ([(header::CONTENT_TYPE, prometheus::TEXT_FORMAT)], text).into_response() }
        };
        Router::new().route("/metrics", get(text))
    }

    /// A request is being answered until the guard is dropped.
    pub(crate) fn request(&self) -> InProgress {
        InProgress::new(self.requests.clone())
    }

    pub(crate) fn answered(&self, method: &str, route: &str, status: u16, took: Duration) {
        let mut digits = [0; 3];
        let status = status_text(status, &mut digits);
        self.answers.with_label_values(&[method, route, status]).inc();
        self.answer_seconds
            .with_label_values(&[method, route])
            .observe(took.as_secs_f64());
    }

    /// A request was refused for lack of room; `reason` is one of a few words.
    pub(crate) fn refused(&self, reason: &str) {
        self.refused.with_label_values(&[reason]).inc();
    }

    pub(crate) fn inserted(&self, rows: usize) {
        self.rows.inc_by(rows as u64);
    }

    /// A job waits or runs until the guard is dropped.
    pub(crate) fn job(&self, kind: &str) -> InProgress {
        InProgress::new(self.jobs.with_label_values(&[kind]))
    }

    pub(crate) fn job_ended(&self, kind: &str, outcome: &str, took: Duration) {
        self.jobs_ended.with_label_values(&[kind, outcome]).inc();
        self.job_seconds
            .with_label_values(&[kind])
            .observe(took.as_secs_f64());
    }

    /// An SQL worker runs until the guard is dropped.
    pub(crate) fn sql_worker(&self) -> InProgress {
        InProgress::new(self.sql_workers.clone())
    }

    pub(crate) fn sql_worker_ended(&self, outcome: &str) {
        self.sql_ended.with_label_values(&[outcome]).inc();
    }

    fn register(&self) {
        let collectors: [Box<dyn prometheus::core::Collector>; 18] = [
            Box::new(self.connections.open.clone()),
            Box::new(self.connections.gave_way.clone()),
            Box::new(self.connections.turned_away.clone()),
            Box::new(self.answers.clone()),
            Box::new(self.answer_seconds.clone()),
            Box::new(self.requests.clone()),
            Box::new(self.refused.clone()),
            Box::new(self.rows.clone()),
            Box::new(self.jobs.clone()),
            Box::new(self.jobs_ended.clone()),
            Box::new(self.job_seconds.clone()),
            Box::new(self.sql_workers.clone()),
            Box::new(self.sql_ended.clone()),
            Box::new(self.process.seconds.clone()),
            Box::new(self.process.memory.clone()),
            Box::new(self.process.files.clone()),
            Box::new(self.process.threads.clone()),
            build_info(),
        ];
        for collector in collectors {
            self.registry
                .register(collector)
                .expect("no two metrics have the same name");
        }
    }
}

/// Something that is going on: counted from its making to its drop.
pub(crate) struct InProgress(IntGauge);

impl InProgress {
    fn new(gauge: IntGauge) -> InProgress {
        gauge.inc();
        InProgress(gauge)
    }
}

impl Drop for InProgress {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// What the system says of this process, under the names that Prometheus recommends. All are 0 where there is no /proc.
#[derive(Clone, Debug)]
struct Process {
    seconds: Gauge,
    memory: IntGauge,
    files: IntGauge,
    threads: IntGauge,
}

impl Default for Process {
    fn default() -> Process {
        Process {
            seconds: Gauge::new(
                "process_cpu_seconds_total",
                "Processor time of the server, without its SQL workers.",
            )
            .expect(SOUND),
            memory: gauge("process_resident_memory_bytes", "Memory of the server."),
            files: gauge("process_open_fds", "Files and connections that are open."),
            threads: gauge("process_threads", "Threads."),
        }
    }
}

impl Process {
    fn look(&self) {
        // Linux counts processor time in hundredths of a second and memory here in kB, whatever the machine.
        let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
        // The name of the program, in brackets, may contain anything.
        let fields: Vec<&str> = stat
            .rsplit_once(')')
            .map(|(_, rest)| rest.split_ascii_whitespace().collect())
            .unwrap_or_default();
        let field = |number: usize| fields.get(number).and_then(|text| text.parse::<f64>().ok());
        if let (Some(user), Some(system)) = (field(11), field(12)) {
            self.seconds.set((user + system) / 100.0);
        }
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let value = |name: &str| -> Option<i64> {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.trim_start_matches(':')
                .split_ascii_whitespace()
                .next()?
                .parse()
                .ok()
        };
        self.memory.set(value("VmRSS").unwrap_or(0) * 1024);
        self.threads.set(value("Threads").unwrap_or(0));
        let files = std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
        self.files.set(i64::try_from(files).unwrap_or(i64::MAX));
    }
}

/// The three digits of a status, without a trip to the heap.
fn status_text(status: u16, digits: &mut [u8; 3]) -> &str {
    for (place, divisor) in [100, 10, 1].into_iter().enumerate() {
        digits[place] = b'0' + u8::try_from(status / divisor % 10).unwrap_or(0);
    }
    std::str::from_utf8(digits).unwrap_or("000")
}

fn build_info() -> Box<dyn prometheus::core::Collector> {
    let info = gauges(
        "siftwren_build_info",
        "1, with the version as a label.",
        &["version"],
    );
    info.with_label_values(&[env!("CARGO_PKG_VERSION")]).set(1);
    Box::new(info)
}

const SOUND: &str = "names and labels are constants that Prometheus accepts";

fn gauge(name: &str, help: &str) -> IntGauge {
    IntGauge::new(name, help).expect(SOUND)
}

fn gauges(name: &str, help: &str, labels: &[&str]) -> IntGaugeVec {
    IntGaugeVec::new(Opts::new(name, help), labels).expect(SOUND)
}

fn counter(name: &str, help: &str) -> IntCounter {
    IntCounter::new(name, help).expect(SOUND)
}

fn counters(name: &str, help: &str, labels: &[&str]) -> IntCounterVec {
    IntCounterVec::new(Opts::new(name, help), labels).expect(SOUND)
}

fn seconds(name: &str, help: &str, labels: &[&str], bounds: &[f64]) -> HistogramVec {
    let options = HistogramOpts::new(name, help).buckets(bounds.to_vec());
    HistogramVec::new(options, labels).expect(SOUND)
}
