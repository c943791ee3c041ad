//! Models over files: what is read, what is refused.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Int32Array, RecordBatch, StringArray};
use datafusion::parquet::arrow::ArrowWriter;
use serde_json::{Value, json};

use super::client::{PROGRAM, Server};

fn start(directory: &Path) -> Server {
    let mut command = Command::new(PROGRAM);
    command
        .args(["--addr", "127.0.0.1:0", "--log", "warn", "--files-dir"])
        .arg(directory.join("files"))
        .arg("--data-dir")
        .arg(directory.join("data"));
    std::fs::create_dir_all(directory.join("files")).unwrap();
    Server::start_command(command, &directory.join("data"))
}

fn write(directory: &Path, name: &str, content: &str) {
    let path = directory.join("files").join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

fn model(name: &str, connectors: Value, items: &str) -> Value {
    json!({
        "model": {"name": name}, "connectors": connectors,
        "fetch": {"events": "SELECT user_id, item_id, label, created_at FROM ev", "items": items}
    })
}

#[test]
fn a_model_is_trained_on_csv_ndjson_and_parquet_files() {
    let directory = tempfile::tempdir().unwrap();
    let server = start(directory.path());
    let api = &server.api;
    let today = chrono_day(0);
    let yesterday = chrono_day(1);
    let header = "user_id,item_id,label,created_at\n";
    write(
        directory.path(),
        &format!("ev/{today}.csv"),
        &format!("{header}u1,m1,1,2026-01-31T12:00:00Z\nu2,m1,1,\n"),
    );
    write(
        directory.path(),
        &format!("ev/{yesterday}.csv"),
        &format!("{header}u1,\"m,2\",0.5,2026-01-30\n"),
    );
    write(
        directory.path(),
        "items.ndjson",
        "{\"item_id\": \"m,2\", \"title\": \"Comma\", \"tags\": [\"a\", \"b\"], \"deep\": {\"k\": [1]}}\n\n{\"item_id\": \"m1\", \"n\": 7}\n",
    );
    let columns: [(&str, ArrayRef); 2] = [
        ("id", Arc::new(StringArray::from(vec![Some("m1"), None]))),
        ("year", Arc::new(Int32Array::from(vec![Some(1949), Some(1)]))),
    ];
    let batch = RecordBatch::try_from_iter_with_nullable(
        columns.into_iter().map(|(name, column)| (name, column, true)),
    )
    .unwrap();
    let file = std::fs::File::create(directory.path().join("files/years.parquet")).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();

    api.model(&model(
        "m",
        json!([
            {"type": "File", "id": "ev", "path": {"path": "ev/%Y-%m-%d.csv", "day_lookback": 1}},
            {"type": "File", "id": "items", "path": "items.ndjson"},
            {"type": "File", "id": "years", "path": "years.parquet"},
        ]),
        "SELECT i.*, y.year FROM items i LEFT JOIN years y ON i.item_id = y.id",
    ));
    let answer = api
        .post("/v1/models/m/retrieve", &json!({"return_metadata": true}))
        .ok();
    assert_eq!(answer["ids"], json!(["m1", "m,2"]));
    assert_eq!(super::client::counts(&answer["scores"]), [2.0, 1.0]);
    assert_eq!(
        answer["metadata"],
        json!([
            {"item_id": "m1", "title": null, "tags": null, "deep": null, "n": 7, "year": 1949},
            {"item_id": "m,2", "title": "Comma", "tags": ["a", "b"], "deep": {"k": [1]}, "n": null, "year": null},
        ])
    );
    let view = api.get("/v1/models/m").ok();
    assert_eq!(
        view["schema"]["events"],
        json!({"user_id": "String", "item_id": "String", "label": "Double", "created_at": "DateTime"})
    );
    // Copies of the files are gone with the training.
    assert_eq!(
        std::fs::read_dir(server.data_dir.join("work")).unwrap().count(),
        0
    );
    // A model over files is trained anew after a restart, too: its configuration reads back.
    let data_dir = server.kill();
    std::fs::write(data_dir.join("models/1/1/items.arrow"), "").unwrap();
    let server = start(directory.path());
    assert_eq!(server.api.wait_for("/v1/models/m")["status"], "ACTIVE");
    assert_eq!(server.api.ids("m", &json!({})), ["m1", "m,2"]);
}

/// A day of this moment in UTC, as file names have it.
fn chrono_day(back: u64) -> String {
    let output = Command::new("date")
        .args(["-u", "-d", &format!("{back} days ago"), "+%Y-%m-%d"])
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn a_file_that_cannot_be_read_is_a_422_at_set_up_and_an_error_at_training() {
    let directory = tempfile::tempdir().unwrap();
    let server = start(directory.path());
    let api = &server.api;
    std::fs::write(directory.path().join("outside.csv"), "user_id\nc4n4ry\n").unwrap();
    std::os::unix::fs::symlink(directory.path(), directory.path().join("files/up")).unwrap();
    write(directory.path(), "bad.csv", "a,b\n1\n");
    write(directory.path(), "notes.txt", "a\n");
    write(directory.path(), "empty/readme.txt", "");
    for (path, sentence) in [
        (json!("/etc/passwd"), "not below"),
        (json!("../outside.csv"), "not below"),
        (json!("up/outside.csv"), "symbolic link"),
        (json!("absent.csv"), "no file"),
        (json!("notes.txt"), "no ending"),
        (json!("empty"), "has no file"),
        (json!("bad.csv"), "line 2"),
        (json!(""), "empty"),
        (json!({"path": "bad.csv", "day_lookback": 3}), "day_lookback"),
    ] {
        let connectors = json!([{"type": "File", "id": "ev", "path": path}]);
        let answer = api.post("/v1/models", &model("m", connectors, "SELECT 'a' AS item_id"));
        assert_eq!(
            answer.invalid(),
            ("body.connectors.0.path".to_owned(), "unreadable_file".to_owned()),
            "{path}"
        );
        assert!(answer.text.contains(sentence), "{path}: {}", answer.text);
        assert!(!answer.text.contains("c4n4ry"));
        let machine = directory.path().to_str().unwrap();
        assert!(
            !answer.text.contains(machine),
            "no paths of the machine: {}",
            answer.text
        );
    }
    // A statement cannot name a file itself.
    write(
        directory.path(),
        "good.csv",
        "user_id,item_id,label,created_at\nu,i,1,2026-01-31\n",
    );
    let connectors = json!([{"type": "File", "id": "ev", "path": "good.csv"}]);
    let answer = api.post(
        "/v1/models",
        &model("m", connectors.clone(), "SELECT * FROM 'good.csv'"),
    );
    assert_eq!(answer.invalid().0, "body.fetch.items");

    // Gone between set-up and training: many set-ups keep the training waiting.
    write(directory.path(), "late.csv", "item_id\ni\n");
    let mut slow = model("slow", connectors, "SELECT item_id FROM ev");
    slow["connectors"]
        .as_array_mut()
        .unwrap()
        .push(json!({"type": "File", "id": "late", "path": "late.csv"}));
    api.post("/v1/models", &slow).ok();
    api.wait_for("/v1/models/slow");
    std::fs::remove_file(directory.path().join("files/late.csv")).unwrap();
    let data_dir = server.kill();
    std::fs::write(data_dir.join("models/1/1/items.arrow"), "").unwrap();
    let server = start(directory.path());
    let view = server.api.wait_for("/v1/models/slow");
    assert_eq!(view["status"], "ERROR");
    let message = view["error_message"].as_str().unwrap();
    assert!(
        message.starts_with("connector 'late': there is no file"),
        "{message}"
    );
}
