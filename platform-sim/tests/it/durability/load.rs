//! A mixed load on a server that is about to lose its life, and the record of what it promised.
//!
//! The record is an oracle: it lies outside the data directory and knows what was asked for and what was acknowledged.
//! What was acknowledged must be there afterwards; what was only asked for may be there, but whole.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Answer, Api, PATIENCE, Server};

const WRITERS: usize = 4;

/// Things that stand at the same time, of each kind; more are deleted first.
const STANDING: usize = 3;

/// Reproducible numbers: the same seed gives the same kill times and batch sizes.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self, below: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

/// What is known of a dataset, transform or model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// Its making was sent: it may be there.
    Asked,
    /// Its making was acknowledged: it must be there.
    Made,
    /// Its removal was sent: it may be gone.
    Doomed,
    /// Its removal was acknowledged: it must be gone.
    Gone,
}

/// What was asked for and what was acknowledged, in memory and, for whoever looks into a failure, in a file.
pub(crate) struct Oracle {
    file: Mutex<File>,
    /// Batches that were sent, with their numbers of rows.
    sent: Mutex<BTreeMap<String, u64>>,
    acknowledged: Mutex<BTreeSet<String>>,
    /// The numbers of the last edit that was sent and of the last one that was acknowledged.
    edits: [AtomicU64; 2],
    things: Mutex<BTreeMap<(Kind, String), Fate>>,
    promises: AtomicUsize,
    next: AtomicUsize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Dataset,
    Transform,
    Model,
}

impl Kind {
    const ALL: [Kind; 3] = [Kind::Dataset, Kind::Transform, Kind::Model];

    fn path(self) -> &'static str {
        match self {
            Kind::Dataset => "/v1/datasets",
            Kind::Transform => "/v1/transforms",
            Kind::Model => "/v1/models",
        }
    }

    /// The names of the list and of the name in it.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Kind::Dataset => ("datasets", "dataset_name"),
            Kind::Transform => ("transforms", "transform_name"),
            Kind::Model => ("models", "model_name"),
        }
    }

    fn body(self, name: &str, number: usize) -> Value {
        match self {
            Kind::Dataset => {
                json!({"name": name, "schema_type": "CUSTOM", "column_schema": {"id": "Int64"}})
            }
            Kind::Transform => json!({
                "name": name, "transform_type": "SQL",
                "sql_transform_type": if number.is_multiple_of(2) { "VIEW" } else { "MATERIALIZED_VIEW" },
                "sql_query": "SELECT user, COUNT(*) AS events FROM events GROUP BY user"
            }),
            Kind::Model => json!({
                "model": {"name": name},
                "connectors": [{"type": "Dataset", "id": "e", "name": "events"}],
                "fetch": {"events": "SELECT user AS user_id, item AS item_id, 1 AS label, created_at FROM e"}
            }),
        }
    }
}

/// How a run ended.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// Acknowledged batches, edits, makings and removals.
    pub(crate) acknowledged: usize,
    pub(crate) batches: usize,
    /// What of them is not so.
    pub(crate) lost: Vec<String>,
    /// Batches that are there in part.
    pub(crate) torn: Vec<String>,
    /// Things that end neither ACTIVE nor in ERROR.
    pub(crate) stuck: Vec<String>,
}

impl Oracle {
    pub(crate) fn new(file: &Path) -> Oracle {
        Oracle {
            file: Mutex::new(File::create(file).unwrap()),
            sent: Mutex::default(),
            acknowledged: Mutex::default(),
            edits: Default::default(),
            things: Mutex::default(),
            promises: AtomicUsize::new(0),
            next: AtomicUsize::new(0),
        }
    }

    fn note(&self, line: std::fmt::Arguments<'_>) {
        writeln!(self.file.lock().unwrap(), "{line}").unwrap();
    }

    fn promised(&self, line: std::fmt::Arguments<'_>) {
        self.promises.fetch_add(1, Ordering::Relaxed);
        self.note(line);
    }

    fn fate(&self, kind: Kind, name: &str, fate: Fate) {
        match fate {
            Fate::Made | Fate::Gone => self.promised(format_args!("{fate:?} {kind:?} {name}")),
            Fate::Asked | Fate::Doomed => self.note(format_args!("{fate:?} {kind:?} {name}")),
        }
        self.things.lock().unwrap().insert((kind, name.to_owned()), fate);
    }

    fn made(&self, kind: Kind) -> Vec<String> {
        let things = self.things.lock().unwrap();
        let made = |((of, name), fate): (&(Kind, String), &Fate)| {
            (*of == kind && *fate == Fate::Made).then(|| name.clone())
        };
        things.iter().filter_map(made).collect()
    }
}

/// The datasets that the load works on.
pub(crate) fn prepare(api: &Api) {
    api.dataset(&json!({"name": "log", "schema_type": "CUSTOM", "column_schema": {"batch": "String", "row": "Int64"}}));
    api.dataset(&json!({
        "name": "events", "schema_type": "CUSTOM",
        "column_schema": {"user": "String", "item": "String", "created_at": "DateTime"}
    }));
    let rows: Vec<Value> = (0..60_u32)
        .map(|row| {
            let (user, item) = (row % 10, row * row % 17);
            json!({"user": format!("u{user}"), "item": format!("i{item}"), "created_at": 1_700_000_000 + row})
        })
        .collect();
    api.post("/v1/datasets/events/insert", &json!({"data": rows}))
        .ok();
}

/// What the load does about an answer that is no success.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failures {
    /// There should be none.
    Panic,
    /// The disk is gone: they are no promises, and that is all. Nor is a success that arrives after the end began: a
    /// machine without power answers nobody, but this one still runs, and an fsync that was under way when its file
    /// system was shut down may report success (ext4 takes a transaction that was given up for one that was written).
    NoPromise,
}

/// Works on the server with several clients until `life` is over, then calls `end`. What is under way then is on its own.
pub(crate) fn work(
    api: &Api,
    oracle: &Oracle,
    numbers: &mut Numbers,
    life: Duration,
    failures: Failures,
    end: impl FnOnce(),
) {
    let [over, dark] = [const { AtomicBool::new(false) }; 2];
    let load = Load {
        api,
        oracle,
        over: &over,
        dark: &dark,
        failures,
    };
    let load = &load;
    let seeds: Vec<u64> = (0..WRITERS + 1).map(|_| numbers.next(1 << 30)).collect();
    std::thread::scope(|scope| {
        for seed in &seeds[..WRITERS] {
            scope.spawn(|| load.insert(Numbers(*seed)));
        }
        scope.spawn(|| load.edit());
        scope.spawn(|| load.make_and_remove(Numbers(seeds[WRITERS])));
        std::thread::sleep(life);
        if failures == Failures::NoPromise {
            dark.store(true, Ordering::SeqCst);
        }
        end();
        over.store(true, Ordering::Relaxed);
    });
}

struct Load<'a> {
    api: &'a Api,
    oracle: &'a Oracle,
    over: &'a AtomicBool,
    /// From here on no answer is a promise.
    dark: &'a AtomicBool,
    failures: Failures,
}

impl Load<'_> {
    /// `None` when the server died under the request, or failed where it may.
    fn call(&self, method: &str, path: &str, body: &str) -> Option<Answer> {
        if self.over.load(Ordering::Relaxed) {
            return None;
        }
        let headers = [
            ("x-api-key", self.api.admin.as_str()),
            ("content-type", "application/json"),
        ];
        let answer = self.api.try_call(method, path, &headers, body.as_bytes()).ok()?;
        if self.dark.load(Ordering::SeqCst) {
            return None;
        }
        match (answer.status, self.failures) {
            (500.., Failures::NoPromise) => None,
            (500.., Failures::Panic) => panic!("{method} {path}: {answer:?}"),
            _ => Some(answer),
        }
    }

    fn insert(&self, mut numbers: Numbers) {
        let oracle = self.oracle;
        loop {
            let batch = format!("b{}", oracle.next.fetch_add(1, Ordering::Relaxed));
            let size = 1 + numbers.next(60);
            let rows: Vec<Value> = (0..size).map(|row| json!({"batch": batch, "row": row})).collect();
            oracle.sent.lock().unwrap().insert(batch.clone(), size);
            oracle.note(format_args!("send {batch} {size}"));
            let body = json!({"data": rows}).to_string();
            let Some(answer) = self.call("POST", "/v1/datasets/log/insert", &body) else {
                return;
            };
            assert_eq!(answer.status, 200, "{answer:?}");
            oracle.promised(format_args!("stored {batch}"));
            oracle.acknowledged.lock().unwrap().insert(batch);
        }
    }

    fn edit(&self) {
        loop {
            let number = self.oracle.edits[0].fetch_add(1, Ordering::Relaxed) + 1;
            let body = json!({"name": "log", "description": number.to_string()}).to_string();
            let Some(answer) = self.call("PATCH", "/v1/datasets", &body) else {
                return;
            };
            assert_eq!(answer.status, 200, "{answer:?}");
            self.oracle.promised(format_args!("edited {number}"));
            self.oracle.edits[1].store(number, Ordering::Relaxed);
        }
    }

    fn make_and_remove(&self, mut numbers: Numbers) {
        loop {
            let kind = Kind::ALL[usize::try_from(numbers.next(3)).unwrap()];
            let standing = self.oracle.made(kind);
            let went_on = if standing.len() >= STANDING {
                let choice = usize::try_from(numbers.next(standing.len() as u64)).unwrap();
                self.remove(kind, &standing[choice])
            } else {
                self.make(kind)
            };
            if went_on.is_none() {
                return;
            }
        }
    }

    fn make(&self, kind: Kind) -> Option<()> {
        let number = self.oracle.next.fetch_add(1, Ordering::Relaxed);
        let name = format!("x{number}");
        self.oracle.fate(kind, &name, Fate::Asked);
        let answer = self.call("POST", kind.path(), &kind.body(&name, number).to_string())?;
        match answer.status {
            200 => self.oracle.fate(kind, &name, Fate::Made),
            // All SQL workers are taken: nothing was made.
            503 => {}
            _ => panic!("{answer:?}"),
        }
        Some(())
    }

    fn remove(&self, kind: Kind, name: &str) -> Option<()> {
        self.oracle.fate(kind, name, Fate::Doomed);
        let answer = self.call("DELETE", &format!("{}/{name}", kind.path()), "")?;
        assert_eq!(answer.status, 200, "{answer:?}");
        self.oracle.fate(kind, name, Fate::Gone);
        Some(())
    }
}

/// Compares what a server has right after its start with what was promised.
pub(crate) fn compare(api: &Api, oracle: &Oracle, findings: &mut Findings) {
    let description = api.get("/v1/datasets/log").ok()["description"].clone();
    let found: u64 = description.as_str().map_or(0, |text| text.parse().unwrap());
    let [sent, acknowledged] = [0, 1].map(|index: usize| oracle.edits[index].load(Ordering::Relaxed));
    if !(acknowledged..=sent).contains(&found) {
        findings
            .lost
            .push(format!("edit {acknowledged}: {found} is there, {sent} were sent"));
    }
    // The next edits start from what is there.
    oracle.edits[1].store(found, Ordering::Relaxed);
    let mut things = oracle.things.lock().unwrap();
    for kind in Kind::ALL {
        let there = listed(api, kind);
        things.retain(|(of, name), fate| {
            if *of != kind {
                return true;
            }
            let status = there.get(name).map(String::as_str);
            match (&fate, status) {
                (Fate::Made, None) => findings
                    .lost
                    .push(format!("{kind:?} {name} was made and is not there")),
                (Fate::Gone, Some(_)) => findings
                    .lost
                    .push(format!("{kind:?} {name} was removed and is back")),
                _ => {}
            }
            match (&fate, status) {
                // On its way out still: it may stay or go.
                (_, Some("DESTROYING")) => *fate = Fate::Doomed,
                (_, Some(_)) => *fate = Fate::Made,
                (_, None) => *fate = Fate::Gone,
            }
            true
        });
    }
}

fn listed(api: &Api, kind: Kind) -> BTreeMap<String, String> {
    let (list, name) = kind.words();
    let answer = api.get(kind.path()).ok();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let entries = answer[list].as_array().unwrap();
    entries
        .iter()
        .map(|entry| (text(&entry[name]), text(&entry["status"])))
        .collect()
}

/// The end of a run: everything comes to rest, and every batch is compared.
pub(crate) fn conclude(server: &Server, oracle: &Oracle, findings: &mut Findings) {
    let started = Instant::now();
    loop {
        let all = Kind::ALL.into_iter().flat_map(|kind| {
            listed(&server.api, kind)
                .into_iter()
                .map(move |(name, status)| (kind, name, status))
        });
        findings.stuck = all
            .filter(|(_, _, status)| !["ACTIVE", "ERROR"].contains(&status.as_str()))
            .map(|(kind, name, status)| format!("{kind:?} {name} is {status}"))
            .collect();
        if findings.stuck.is_empty() || started.elapsed() > PATIENCE {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let (sent, acknowledged) = (oracle.sent.lock().unwrap(), oracle.acknowledged.lock().unwrap());
    let found = batches(&server.api, sent.len());
    let lost = acknowledged.iter().filter(|batch| !found.contains_key(*batch));
    findings.lost.extend(lost.map(|batch| format!("batch {batch}")));
    for (batch, rows) in &found {
        if sent.get(batch) != Some(rows) {
            findings
                .torn
                .push(format!("{batch}: {rows} rows of {:?}", sent.get(batch)));
        }
    }
    findings.batches = acknowledged.len();
    findings.acknowledged = oracle.promises.load(Ordering::Relaxed);
}

/// The batches that are in the dataset and their numbers of rows, by way of models over it.
fn batches(api: &Api, at_most: usize) -> BTreeMap<String, u64> {
    const PAGE: usize = 1000;
    let mut batches = BTreeMap::new();
    for page in 0..=at_most / PAGE {
        let name = format!("batches-{page}");
        api.model(&json!({
            "model": {"name": name}, "connectors": [{"type": "Dataset", "id": "log", "name": "log"}],
            "fetch": {
                "events": "SELECT '' AS user_id, '' AS item_id, 1 AS label, CAST(NULL AS TIMESTAMP) AS created_at FROM log WHERE FALSE",
                "items": format!(
                    "SELECT batch AS item_id, COUNT(DISTINCT row) AS distinct_rows, COUNT(*) AS all_rows FROM log GROUP BY batch ORDER BY batch LIMIT {PAGE} OFFSET {}",
                    page * PAGE
                )
            }
        }));
        let body = json!({"return_metadata": true, "config": {"limit": PAGE}});
        let answer = api.post(&format!("/v1/models/{name}/retrieve"), &body).ok();
        let rows = answer["metadata"].as_array().unwrap();
        for row in rows {
            assert_eq!(row["distinct_rows"], row["all_rows"], "no row twice: {row}");
            batches.insert(
                row["item_id"].as_str().unwrap().to_owned(),
                row["all_rows"].as_u64().unwrap(),
            );
        }
        if rows.len() < PAGE {
            break;
        }
    }
    batches
}
