//! SQL that is meant to read files, to run for ever or to bring the server down: it costs an answer, never the server.

use std::path::Path;
use std::time::{Duration, Instant};

use platform_sim::server::{Limits, serve};
use platform_sim::{Options, Platform, SqlLimits, build_router};
use serde_json::json;

use super::client::{Api, PROGRAM, film_rows, films};

/// The same server as the binary's, in this process, with tight limits for SQL.
fn start(data_dir: &Path, sql_limits: SqlLimits) -> (Api, tokio::runtime::Runtime) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (addr, keys) = runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let addr = listener.local_addr().unwrap();
        let options = Options {
            data_dir: data_dir.to_owned(),
            public_url: format!("http://{addr}"),
            allowed_origins: Vec::new(),
            text_encoder: None,
            worker_program: PROGRAM.into(),
            sql_limits,
        };
        let (platform, keys) = Platform::open(options).await.unwrap();
        tokio::spawn(serve(
            listener,
            build_router(platform),
            Limits::default(),
            std::future::pending(),
        ));
        (addr, keys.unwrap())
    });
    (
        Api {
            addr,
            admin: keys.admin,
            search: keys.search,
        },
        runtime,
    )
}

const TIGHT: SqlLimits = SqlLimits {
    memory_bytes: 1 << 30,
    cpu_seconds: 10,
    result_bytes: 16 << 20,
    wall_seconds: 5,
    children: 2,
    queue_seconds: 20,
};

fn statements(canary: &str) -> Vec<String> {
    let repeat = |text: &str, count: usize| text.repeat(count);
    let mut statements: Vec<String> = [
        "SELECT 1; SELECT 2",
        "SELECT 1; DROP TABLE f",
        "DROP TABLE f",
        "CREATE TABLE t AS SELECT 1",
        "CREATE VIEW v AS SELECT * FROM f",
        "CREATE SCHEMA s",
        "INSERT INTO f VALUES ('x')",
        "DELETE FROM f",
        "UPDATE f SET id = 'x'",
        "TRUNCATE TABLE f",
        "SET datafusion.execution.batch_size = 1",
        "SET datafusion.sql_parser.recursion_limit = 100000",
        "RESET datafusion.execution.batch_size",
        "SHOW ALL",
        "SHOW TABLES",
        "EXPLAIN SELECT * FROM f",
        "EXPLAIN ANALYZE SELECT * FROM f",
        "DESCRIBE f",
        "PREPARE p AS SELECT 1",
        "EXECUTE p",
        "BEGIN",
        "PRAGMA table_info(f)",
        "ATTACH 'x' AS y",
        "LOAD extension",
        "SELECT * INTO g FROM f",
        "SELECT * FROM information_schema.tables",
        "SELECT * FROM information_schema.df_settings",
        "SELECT load_extension('x')",
        "SELECT read_text('/etc/passwd')",
        "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT * FROM r",
        "SELECT * FROM f WHERE id ~ '(((((a{1,100}){1,100}){1,100}){1,100}){1,100})'",
        "SELECT repeat('x', 2147483647) AS item_id",
        "SELECT repeat(repeat('x', 100000), 100000) AS item_id FROM f",
        "SELECT value AS item_id FROM generate_series(1, 9223372036854775807)",
        "SELECT sum(a.value * b.value * c.value) AS item_id FROM generate_series(1, 100000) a, generate_series(1, 100000) b, generate_series(1, 100000) c",
        "SELECT a.id AS item_id FROM f a, f b, f c, f d, f e, f g, f h, f i, f j, f k, f l, f m, f n, f o, f p, f q, f r",
        "/* nothing */",
        "--",
        "\u{0}",
        "SELECT '\u{202e}' AS item_id FROM f WHERE",
    ]
    .map(str::to_owned)
    .to_vec();
    for template in [
        "SELECT * FROM '{}'",
        "SELECT * FROM \"{}\"",
        "SELECT * FROM read_parquet('{}')",
        "SELECT * FROM read_csv('{}')",
        "COPY (SELECT 1) TO '{}.out'",
        "COPY f FROM '{}'",
        "CREATE EXTERNAL TABLE t STORED AS CSV LOCATION '{}'",
        "SELECT * FROM parquet_metadata('{}')",
        "SELECT pg_read_file('{}') AS item_id",
    ] {
        statements.push(template.replace("{}", canary));
        statements.push(template.replace("{}", &format!("file://{canary}")));
    }
    statements.push(format!(
        "SELECT {}1{} AS item_id",
        repeat("(", 5000),
        repeat(")", 5000)
    ));
    statements.push(format!(
        "SELECT {}1{} AS item_id",
        repeat("(", 45),
        repeat(")", 45)
    ));
    statements.push(format!("SELECT 1{} AS item_id", repeat("+1", 10_000)));
    statements.push(format!("SELECT 1{} AS item_id", repeat("+1", 7_000)));
    statements.push(format!(
        "SELECT 1 AS item_id WHERE {}TRUE",
        repeat("FALSE OR ", 1_500)
    ));
    statements.push(format!("SELECT {}1 AS item_id", repeat("- ", 7_000)));
    statements.push(format!("SELECT {}TRUE AS item_id", repeat("NOT ", 4_000)));
    statements.push(format!(
        "SELECT 1 AS item_id{}",
        repeat(" UNION ALL SELECT 1", 800)
    ));
    statements.push(format!(
        "SELECT {}1{} AS item_id",
        repeat("CASE WHEN TRUE THEN ", 500),
        repeat(" END", 500)
    ));
    statements.push(format!(
        "SELECT * FROM {}f{}",
        repeat("(SELECT * FROM ", 40),
        repeat(")", 40)
    ));
    statements
}

#[test]
fn hostile_statements_cost_an_answer_and_never_the_server() {
    let directory = tempfile::tempdir().unwrap();
    let canary = directory.path().join("canary.parquet");
    std::fs::write(&canary, "c4n4ry").unwrap();
    let (api, runtime) = start(&directory.path().join("data"), TIGHT);
    api.dataset(&films());
    api.post("/v1/datasets/films/insert", &film_rows()).ok();
    let statements = statements(canary.to_str().unwrap());
    let (mut refused, mut failed, mut trained) = (0, 0, 0);
    for (index, sql) in statements.iter().enumerate() {
        let shown: String = sql.chars().take(120).collect();
        let name = format!("m{index}");
        let body = json!({
            "model": {"name": name}, "connectors": [{"type": "Dataset", "id": "f", "name": "films"}],
            "fetch": {
                "events": "SELECT id AS user_id, id AS item_id, 1 AS label, CAST(NULL AS TIMESTAMP) AS created_at FROM f WHERE FALSE",
                "items": sql
            }
        });
        let started = Instant::now();
        let answer = api.post("/v1/models", &body);
        let mut said = answer.text.clone();
        if answer.status == 422 {
            assert_eq!(answer.invalid().0, "body.fetch.items", "{shown}: {said}");
            refused += 1;
        } else {
            answer.ok();
            let view = api.wait_for(&format!("/v1/models/{name}"));
            said = view.to_string();
            if view["status"] == "ERROR" {
                failed += 1;
            } else {
                trained += 1;
            }
        }
        let took = started.elapsed();
        assert!(took < Duration::from_secs(30), "{shown} took {took:?}");
        assert!(!said.contains("c4n4ry"), "{shown} read the file: {said}");
        api.call("GET", "/v1/liveness", &[], b"").ok();
    }
    println!(
        "{} statements: {refused} refused, {failed} ended in ERROR, {trained} were harmless",
        statements.len()
    );
    assert!(statements.len() >= 60 && refused >= 50 && failed >= 3);
    assert!(
        !canary.with_extension("parquet.out").exists(),
        "a statement wrote a file"
    );
    assert_eq!(std::fs::read(&canary).unwrap(), b"c4n4ry");
    // And the server still does its work.
    api.model(&super::client::film_model("after"));
    assert_eq!(api.ids("after", &json!({"text_query": "vienna"})), ["m3", "m1"]);
    runtime.shutdown_background();
}

#[test]
fn set_ups_are_told_to_come_back_while_all_workers_are_taken() {
    let directory = tempfile::tempdir().unwrap();
    let (api, runtime) = start(
        directory.path(),
        SqlLimits {
            children: 1,
            queue_seconds: 1,
            ..TIGHT
        },
    );
    api.dataset(&films());
    api.post("/v1/datasets/films/insert", &film_rows()).ok();
    let mut endless = super::client::film_model("endless");
    endless["fetch"]["items"] = json!(
        "SELECT CAST(sum(a.value * b.value) AS VARCHAR) AS item_id, '' AS title, '' AS plot FROM generate_series(1, 10000000) a, generate_series(1, 10000000) b"
    );
    api.post("/v1/models", &endless).ok();
    let started = Instant::now();
    while api.get("/v1/models/endless").ok()["status"] != "FETCHING" {
        assert!(started.elapsed() < super::client::PATIENCE);
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(300));
    let answer = api.post("/v1/models", &super::client::film_model("m"));
    assert_eq!(answer.problem(503), "urn:siftwren:error:busy");
    assert!(answer.header("retry-after").is_some());
    // The worker is stopped at its deadline, and the next set-up goes through.
    let view = api.wait_for("/v1/models/endless");
    assert_eq!(
        view["error_message"], "fetch.items: the statement did not end within 5 s",
        "{view}"
    );
    api.model(&super::client::film_model("m"));
    runtime.shutdown_background();
}
