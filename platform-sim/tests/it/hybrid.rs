//! Text search by meaning: a server with a text encoder, models with vectors.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::Command;

use finalfusion::embeddings::Embeddings;
use finalfusion::io::WriteEmbeddings;
use finalfusion::norms::NdNorms;
use finalfusion::storage::NdArray;
use finalfusion::vocab::SimpleVocab;
use ndarray::{Array1, Array2};
use serde_json::{Value, json};

use super::client::{PROGRAM, Server, film_model};

/// Three directions of meaning: cities, films, machines.
const TABLE: [(&str, [f32; 3]); 7] = [
    ("vienna", [1.0, 0.0, 0.0]),
    ("austria", [0.9, 0.1, 0.0]),
    ("capital", [1.0, 0.0, 0.1]),
    ("film", [0.0, 1.0, 0.0]),
    ("movie", [0.1, 1.0, 0.0]),
    ("robot", [0.0, 0.0, 1.0]),
    ("##s", [0.0, 0.0, 0.0]),
];

fn write_table(path: &Path, rows: &[(&str, [f32; 3])]) {
    let words = rows
        .iter()
        .map(|(word, _)| (*word).to_owned())
        .collect::<Vec<_>>();
    let values = rows.iter().flat_map(|(_, row)| *row).collect();
    let matrix = Array2::from_shape_vec((rows.len(), 3), values).unwrap();
    let norms = NdNorms::new(Array1::from_elem(rows.len(), 1.0));
    let table = Embeddings::new(None, SimpleVocab::new(words), NdArray::new(matrix), norms);
    let mut bytes = Cursor::new(Vec::new());
    table.write_embeddings(&mut bytes).unwrap();
    std::fs::write(path, bytes.into_inner()).unwrap();
}

struct Place {
    _directory: tempfile::TempDir,
    data_dir: PathBuf,
    table: PathBuf,
}

impl Place {
    fn new() -> Place {
        let directory = tempfile::tempdir().unwrap();
        let table = directory.path().join("table.fifu");
        write_table(&table, &TABLE);
        Place {
            data_dir: directory.path().join("data"),
            _directory: directory,
            table,
        }
    }

    fn server(&self) -> Server {
        Server::start_with(&self.data_dir, &[Path::new("--text-encoder"), &self.table])
    }
}

fn create_films(server: &Server, embeddings: [Value; 3]) {
    server.api.dataset(&json!({
        "name": "films", "schema_type": "CUSTOM", "unique_keys": ["id"],
        "column_schema": {"id": "String", "title": "String", "plot": "String", "embedding": "Array(Float64)"}
    }));
    let [man, metropolis, waits] = embeddings;
    let data = json!({"data": [
        {"id": "m1", "title": "The Third Man", "plot": "A writer looks for a friend in Vienna", "embedding": man},
        {"id": "m2", "title": "Metropolis", "plot": "Workers below and a woman of metal", "embedding": metropolis},
        {"id": "m3", "title": "Vienna waits", "plot": "A short one", "embedding": waits},
    ]});
    server.api.post("/v1/datasets/films/insert", &data).ok();
}

/// m1 is about a city, m2 about machines, and m3 has no vector.
fn good() -> [Value; 3] {
    [json!([4, 0.5, 0]), json!([0, 0.1, 3]), Value::Null]
}

fn model(embedding_field: &str) -> Value {
    let mut model = film_model("m");
    model["model"]["text_index"]["embedding_field"] = json!(embedding_field);
    model["fetch"]["items"] = json!("SELECT id AS item_id, title, plot, embedding FROM f");
    model
}

#[test]
fn texts_are_matched_by_words_and_by_meaning() {
    let place = Place::new();
    let server = place.server();
    create_films(&server, good());
    let api = &server.api;
    api.model(&model("embedding"));
    let ids = |text: &str| api.ids("m", &json!({"text_query": text}));
    // No item has these words.
    assert_eq!(ids("robots"), ["m2"]);
    assert_eq!(ids("Austrias capital"), ["m1"]);
    // A word in the title weighs more than a near vector.
    assert_eq!(ids("vienna"), ["m3", "m1"]);
    // A text that the encoder knows nothing of is searched by its words.
    assert_eq!(ids("waits"), ["m3"]);
    assert_eq!(ids("zzz"), Vec::<String>::new());
    let answer = api
        .post(
            "/v1/models/m/retrieve",
            &json!({"text_query": "robot", "return_metadata": true}),
        )
        .ok();
    assert_eq!(
        answer["metadata"][0],
        json!({"item_id": "m2", "title": "Metropolis", "plot": "Workers below and a woman of metal"}),
        "nobody reads vectors"
    );
    assert_eq!(
        api.get("/v1/models/m").ok()["schema"]["items"]["embedding"],
        "Array(Float64)"
    );

    // The same after a power cut.
    let server = Server::start_with(&server.kill(), &[Path::new("--text-encoder"), &place.table]);
    assert_eq!(server.api.ids("m", &json!({"text_query": "robots"})), ["m2"]);
}

#[test]
fn an_embedding_of_texts_is_what_the_encoder_makes_of_columns() {
    let place = Place::new();
    let server = place.server();
    let api = &server.api;
    create_films(&server, good());
    let body = json!({
        "version": "v2", "name": "meanings",
        "data": {
            "item_dataset": {"type": "query", "query": "SELECT id AS item_id, title, plot FROM films"},
            "index": {"embeddings": [{"name": "meaning", "encoder":
                {"type": "hugging_face", "model_name": "wordpieces", "item_fields": ["title", "plot"]}}]},
        },
    });
    api.post("/v1/models", &body).ok();
    let details = api.wait_for("/v1/models/meanings");
    assert_eq!(details["status"], "ACTIVE", "{details}");
    let query = json!({"query": {"type": "rank_items", "model": "meanings", "retrieve": [
        {"type": "item_text_search", "input_text_query": "austria", "mode": {"type": "vector", "text_embedding_ref": "meaning"}}]}});
    let found = |server: &Server| {
        let answer = server.api.post("/v1/query", &query);
        (answer.status, answer.json()["results"].clone())
    };
    let (_, results) = found(&server);
    let mut ids: Vec<&str> = results
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["id"].as_str().unwrap())
        .collect();
    ids.sort_unstable();
    // Both speak of Vienna, and neither of Austria.
    assert_eq!(ids, ["m1", "m3"], "{results}");

    let mut wrong = body.clone();
    wrong["data"]["index"]["embeddings"][0]["encoder"]["item_fields"] = json!(["title", "plto"]);
    wrong["name"] = json!("wrong");
    let (loc, kind) = api.post("/v1/models", &wrong).invalid();
    assert_eq!(
        (loc.as_str(), kind.as_str()),
        (
            "body.data.index.embeddings.0.encoder.item_fields.1",
            "unknown_column"
        )
    );
    // Without its encoder the model still serves; what needs the encoder is refused, and a training says why it fails.
    server.settle();
    let server = Server::start(&server.kill());
    assert!((400..500).contains(&found(&server).0));
    server.api.patch("/v1/models", &body).invalid();
}

#[test]
fn a_wrong_embedding_field_is_refused_at_set_up() {
    let place = Place::new();
    let server = place.server();
    create_films(&server, good());
    let api = &server.api;
    let refused = |model: &Value| {
        let answer = api.post("/v1/models", model);
        let (loc, kind) = answer.invalid();
        assert_eq!(loc, "body.model.text_index.embedding_field", "{}", answer.text);
        kind
    };
    assert_eq!(refused(&model("vector")), "unknown_column");
    assert_eq!(refused(&model("")), "unknown_column");
    assert_eq!(refused(&model("title")), "wrong_type");
    let mut other_type = model("embedding");
    other_type["model"]["text_index"]["embedding_field"] = json!(["embedding"]);
    assert_eq!(refused(&other_type), "wrong_type");
    let mut not_selected = model("embedding");
    not_selected["fetch"]["items"] = json!("SELECT id AS item_id, title, plot FROM f");
    assert_eq!(refused(&not_selected), "unknown_column");
    let mut texts = model("tags");
    texts["fetch"]["items"] = json!("SELECT id AS item_id, title, plot, [title] AS tags FROM f");
    assert_eq!(refused(&texts), "wrong_type");
    // Both lists of wrong places come at once.
    let mut several = model("vector");
    several["model"]["text_index"]["item_fields"] = json!(["titel"]);
    let answer = api.post("/v1/models", &several);
    assert_eq!(
        answer.json()["detail"].as_array().unwrap().len(),
        2,
        "{}",
        answer.text
    );

    // Without an encoder no model can have vectors; the sentence says what to start the server with.
    let server = Server::start(&server.kill());
    let answer = server.api.post("/v1/models", &model("embedding"));
    assert_eq!(
        answer.invalid(),
        (
            "body.model.text_index.embedding_field".to_owned(),
            "no_text_encoder".to_owned()
        )
    );
    assert!(answer.text.contains("--text-encoder"), "{}", answer.text);
}

#[test]
fn vectors_that_cannot_be_compared_end_a_model_in_error_with_the_item() {
    for (wrong, said) in [
        (
            json!([1, 2]),
            "the embedding of item 'm2' has 2 numbers; the server's text encoder makes vectors of 3",
        ),
        (json!([1, 2, 3, 4]), "has 4 numbers"),
        (json!([]), "has 0 numbers"),
        (
            json!([1, null, 2]),
            "the embedding of item 'm2' has no finite number at position 1",
        ),
    ] {
        let place = Place::new();
        let server = place.server();
        create_films(&server, [json!([1, 0, 0]), wrong, Value::Null]);
        server.api.post("/v1/models", &model("embedding")).ok();
        let view = server.api.wait_for("/v1/models/m");
        assert_eq!(view["status"], "ERROR", "{view}");
        assert!(view["error_message"].as_str().unwrap().contains(said), "{view}");
    }
}

#[test]
fn a_server_that_lost_its_encoder_searches_by_words() {
    let place = Place::new();
    let server = place.server();
    create_films(&server, good());
    server.api.model(&model("embedding"));
    // A kill before the job is recorded as ended would make the next start train again.
    server.settle();
    let by_words = |server: &Server| {
        assert_eq!(server.api.wait_for("/v1/models/m")["status"], "ACTIVE");
        let ids = |text: &str| server.api.ids("m", &json!({"text_query": text}));
        assert_eq!(ids("robots"), Vec::<String>::new());
        assert_eq!(ids("vienna"), ["m3", "m1"]);
    };
    let server = Server::start(&server.kill());
    by_words(&server);
    // Vectors of another encoder would compare silently and wrongly.
    let data_dir = server.kill();
    let other = place.data_dir.with_file_name("other.fifu");
    write_table(&other, &TABLE[..5]);
    let server = Server::start_with(&data_dir, &[Path::new("--text-encoder"), &other]);
    by_words(&server);
    let server = Server::start_with(&server.kill(), &[Path::new("--text-encoder"), &place.table]);
    assert_eq!(server.api.ids("m", &json!({"text_query": "robots"})), ["m2"]);
}

#[test]
fn damaged_vectors_are_noticed_and_made_anew_from_the_dataset() {
    let place = Place::new();
    let mut server = place.server();
    create_films(&server, good());
    server.api.model(&model("embedding"));
    for (version, damage) in [(1, "a bit"), (2, "cut short"), (3, "gone"), (4, "not ours")] {
        server.settle();
        let data_dir = server.kill();
        let file = data_dir.join(format!("models/1/{version}/vectors.arrow"));
        let mut bytes = std::fs::read(&file).unwrap();
        match damage {
            "a bit" => {
                let middle = bytes.len() / 2;
                bytes[middle] ^= 1;
                std::fs::write(&file, bytes).unwrap();
            }
            "cut short" => std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap(),
            "gone" => std::fs::remove_file(&file).unwrap(),
            _ => std::fs::write(&file, "[1, 2, 3]").unwrap(),
        }
        server = place.server();
        let view = server.api.wait_for("/v1/models/m");
        assert_eq!(view["status"], "ACTIVE", "{damage}: {view}");
        assert_eq!(
            server.api.ids("m", &json!({"text_query": "robots"})),
            ["m2"],
            "{damage}"
        );
    }
    // Nothing to make it from: the model says so, and the server stands.
    server.settle();
    server.api.delete("/v1/datasets/films").ok();
    let data_dir = server.kill();
    std::fs::write(data_dir.join("models/1/5/vectors.arrow"), "").unwrap();
    let server = place.server();
    let view = server.api.wait_for("/v1/models/m");
    assert_eq!(view["status"], "ERROR", "{view}");
    assert_eq!(view["error_message"], "the dataset 'films' is gone");
}

#[test]
fn a_wrong_encoder_ends_the_start_with_3_and_touches_nothing() {
    let place = Place::new();
    let whole = std::fs::read(&place.table).unwrap();
    for (content, said) in [
        (None, "cannot read the text encoder"),
        (Some(&b"PK\x03\x04"[..]), "no finalfusion file"),
        (Some(&whole[..whole.len() - 5]), "damaged or not complete"),
    ] {
        let file = place.data_dir.with_file_name("wrong.fifu");
        match content {
            Some(content) => std::fs::write(&file, content).unwrap(),
            None => assert!(!file.exists()),
        }
        for by_variable in [false, true] {
            let mut command = Command::new(PROGRAM);
            command
                .args(["--addr", "127.0.0.1:0", "--data-dir"])
                .arg(&place.data_dir);
            if by_variable {
                command.env("SIFTWREN_TEXT_ENCODER", &file);
            } else {
                command.arg("--text-encoder").arg(&file);
            }
            let output = command.output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(3), "{stderr}");
            assert!(stderr.contains(said) && stderr.contains("wrong.fifu"), "{stderr}");
            assert!(!place.data_dir.exists());
        }
    }
}
