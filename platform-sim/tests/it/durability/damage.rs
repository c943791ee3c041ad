//! A data directory that a disk has damaged, and one that several servers want.
//!
//! Every file is flipped and cut at sampled places. The server then refuses to start and names what is wrong, or starts
//! and shows the right rows, or an ERROR; never other rows, and never a panic.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::load::Numbers;
use crate::client::{Api, PATIENCE, PROGRAM, Server, film_model, film_rows, films};

/// How many damages are tried of each kind of file; more by the environment.
const SAMPLES: u64 = 6;
const SEED: u64 = 20_260_221;

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Metadata,
    Rows,
    Model,
    Format,
}

#[test]
fn damage_is_refused_or_mended_and_never_served() {
    let samples = std::env::var("SIFTWREN_DAMAGE_SAMPLES").map_or(SAMPLES, |text| text.parse().unwrap());
    let directory = tempfile::tempdir().unwrap();
    let whole = directory.path().join("whole");
    let (right, api_keys) = make(&whole);
    let files = files(&whole);
    let mut numbers = Numbers(SEED);
    let mut counts = std::collections::BTreeMap::<(Kind, &str), usize>::new();
    for kind in [Kind::Metadata, Kind::Rows, Kind::Model, Kind::Format] {
        let of_kind: Vec<&PathBuf> = files.iter().filter(|path| kind_of(path) == Some(kind)).collect();
        assert!(!of_kind.is_empty(), "{kind:?}: {files:?}");
        for sample in 0..samples {
            let file = of_kind[usize::try_from(numbers.next(of_kind.len() as u64)).unwrap()];
            let copy = directory.path().join("copy");
            copy_tree(&whole, &copy);
            let damage = damage(&copy.join(file), &mut numbers, sample);
            let shown = format!("{}: {damage}", file.display());
            let outcome = open(&copy, kind, &right, &api_keys, &shown);
            *counts.entry((kind, outcome)).or_default() += 1;
            std::fs::remove_dir_all(&copy).unwrap();
        }
    }
    println!(
        "{} damages, 0 wrong rows, 0 panics, seed {SEED}: {counts:?}",
        samples * 4
    );
    let refused: usize = counts
        .iter()
        .filter_map(|((_, outcome), count)| (*outcome == "refused").then_some(count))
        .sum();
    assert!(refused > 0, "no damage was noticed at the start: {counts:?}");
}

/// A small data directory of everything, and what it answers.
fn make(data_dir: &Path) -> (Value, (String, String)) {
    let server = Server::start(data_dir);
    let api = &server.api;
    api.dataset(&films());
    api.post("/v1/datasets/films/insert", &film_rows()).ok();
    api.transform(&json!({
        "name": "titles", "transform_type": "SQL", "sql_transform_type": "MATERIALIZED_VIEW",
        "sql_query": "SELECT id, title, plot FROM films"
    }));
    api.model(&film_model("m"));
    server.settle();
    let right = answer(api, "m").expect("a whole directory answers");
    let keys = (api.admin.clone(), api.search.clone());
    server.signal("TERM");
    assert_eq!(server.wait(), Some(0));
    (right, keys)
}

fn answer(api: &Api, model: &str) -> Option<Value> {
    let query = json!({"text_query": "vienna", "return_metadata": true});
    let answer = api.post(&format!("/v1/models/{model}/retrieve"), &query);
    assert!(answer.status < 500, "{answer:?}");
    (answer.status == 200).then(|| answer.json())
}

/// Starts a server over a damaged directory; what it did.
fn open(data_dir: &Path, kind: Kind, right: &Value, keys: &(String, String), shown: &str) -> &'static str {
    let log = data_dir.join("../log");
    let mut child = spawn(data_dir, &log);
    let said = || std::fs::read_to_string(&log).unwrap();
    let addr = listens(&mut child, data_dir);
    let Some(addr) = addr else {
        let status = child.wait().unwrap();
        let said = said();
        assert_eq!(status.code(), Some(3), "{shown}: {said}");
        assert!(!said.contains("panicked"), "{shown}: {said}");
        assert!(
            said.contains(&data_dir.file_name().unwrap().to_string_lossy().into_owned()),
            "{shown}: does not name the file: {said}"
        );
        return "refused";
    };
    let api = Api {
        addr: addr.parse().unwrap(),
        admin: keys.0.clone(),
        search: keys.1.clone(),
    };
    let outcome = look(&api, kind, right, shown);
    child.kill().unwrap();
    child.wait().unwrap();
    let said = said();
    assert!(!said.contains("panicked"), "{shown}: {said}");
    outcome
}

fn look(api: &Api, kind: Kind, right: &Value, shown: &str) -> &'static str {
    // The keys' digests are metadata too.
    if api.get("/v1/models").status == 401 {
        assert_eq!(kind, Kind::Metadata, "{shown}");
        return "keys gone";
    }
    if kind == Kind::Metadata {
        // SQLite has no checksums: a value in a page may be another one. It must still be a server.
        for path in ["/v1/models", "/v1/datasets", "/v1/transforms"] {
            let answer = api.get(path);
            assert!(
                answer.status == 200 || answer.status == 500,
                "{shown}: {answer:?}"
            );
        }
        return "started";
    }
    // The model that was there: itself, made anew, or in ERROR.
    let view = api.wait_for("/v1/models/m");
    let mut outcome = if view["status"] == "ACTIVE" {
        "right"
    } else {
        "error"
    };
    if let Some(found) = answer(api, "m") {
        assert_eq!(found, *right, "{shown}");
    }
    // One that reads the rows now, and one that reads the transform's.
    for (name, source) in [("n", "films"), ("o", "titles")] {
        let mut model = film_model(name);
        model["connectors"][0]["name"] = json!(source);
        if source == "titles" {
            model["fetch"]["items"] = json!("SELECT id AS item_id, title, plot FROM f");
        }
        let made = api.post("/v1/models", &model);
        if made.status != 200 {
            assert!(made.status < 500 && kind == Kind::Rows, "{shown}: {made:?}");
            outcome = "error";
            continue;
        }
        let view = api.wait_for(&format!("/v1/models/{name}"));
        if view["status"] == "ERROR" {
            assert_eq!(kind, Kind::Rows, "{shown}: {view}");
            outcome = "error";
        } else if let Some(found) = answer(api, name) {
            assert_eq!(found["ids"], right["ids"], "{shown}");
            if source == "films" {
                assert_eq!(found["metadata"], right["metadata"], "{shown}");
            }
        }
    }
    outcome
}

fn spawn(data_dir: &Path, log: &Path) -> Child {
    Command::new(PROGRAM)
        .args(["--addr", "127.0.0.1:0", "--log", "warn", "--data-dir"])
        .arg(data_dir)
        .env_remove("SIFTWREN_TEXT_ENCODER")
        .stdout(Stdio::piped())
        .stderr(std::fs::File::create(log).unwrap())
        .spawn()
        .unwrap()
}

/// The address on which a server listens; `None` when it ended instead.
fn listens(child: &mut Child, data_dir: &Path) -> Option<String> {
    use std::io::{BufRead, BufReader};
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for line in lines {
        let line = line.unwrap();
        if let Some(rest) = line.strip_prefix("platform-sim listens on http://") {
            return rest.split('/').next().map(str::to_owned);
        }
    }
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(started.elapsed() < PATIENCE, "{} hangs", data_dir.display());
        std::thread::sleep(Duration::from_millis(5));
    }
    None
}

fn kind_of(file: &Path) -> Option<Kind> {
    let name = file.to_str().unwrap();
    match name.split('/').next().unwrap() {
        "metadata.sqlite" => Some(Kind::Metadata),
        "rows" => Some(Kind::Rows),
        "models" => Some(Kind::Model),
        "format" => Some(Kind::Format),
        _ => None,
    }
}

/// Flips some bits, cuts the end off, or empties; says what.
fn damage(file: &Path, numbers: &mut Numbers, sample: u64) -> String {
    let mut bytes = std::fs::read(file).unwrap();
    let length = bytes.len() as u64;
    let said = match sample % 3 {
        _ if length == 0 => {
            bytes.push(1);
            "a byte more".to_owned()
        }
        0 | 1 => {
            let place = numbers.next(length);
            let bit = numbers.next(8);
            bytes[usize::try_from(place).unwrap()] ^= 1 << bit;
            format!("bit {bit} of byte {place} of {length}")
        }
        _ => {
            let kept = numbers.next(length);
            bytes.truncate(usize::try_from(kept).unwrap());
            format!("{kept} of {length} bytes")
        }
    };
    std::fs::write(file, bytes).unwrap();
    said
}

/// The files below a directory, by their paths from it.
fn files(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path.strip_prefix(root).unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

fn copy_tree(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_tree(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn of_servers_that_start_together_one_gets_the_directory() {
    let directory = tempfile::tempdir().unwrap();
    for round in 0..5 {
        let data_dir = directory.path().join(format!("d{}", round % 2));
        let mut children: Vec<Child> = (0..6)
            .map(|number| spawn(&data_dir, &directory.path().join(format!("log{number}"))))
            .collect();
        let mut winners = Vec::new();
        for (number, child) in children.iter_mut().enumerate() {
            match listens(child, &data_dir) {
                Some(addr) => winners.push(addr),
                None => {
                    assert_eq!(child.wait().unwrap().code(), Some(3));
                    let said =
                        std::fs::read_to_string(directory.path().join(format!("log{number}"))).unwrap();
                    assert!(said.contains("in use by another platform-sim"), "{said}");
                }
            }
        }
        assert_eq!(winners.len(), 1, "round {round}");
        for child in &mut children {
            child.kill().ok();
            child.wait().unwrap();
        }
    }
}
