//! SQL that is meant to read files, to reach other machines, to run for ever or to bring the server down: it costs an
//! answer, never the server.
//!
//! Most statements only have to be refused, so they come as views, which are checked and not run. Those that are meant to
//! exhaust something come as models, which run them.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use platform_sim::SqlLimits;
use platform_sim::server::Limits;
use serde_json::json;

use super::client::{Api, film_rows, films};
use super::in_process::InProcess;

const TIGHT: SqlLimits = SqlLimits {
    memory_bytes: 1 << 30,
    cpu_seconds: 10,
    result_bytes: 16 << 20,
    wall_seconds: 5,
    children: 2,
    queue_seconds: 20,
};

/// What no statement may open: a file, and a socket that listens.
struct Canary {
    file: PathBuf,
    address: String,
}

/// Statements that are meant to be run.
fn exhausting() -> Vec<String> {
    let repeat = |text: &str, count: usize| text.repeat(count);
    let mut statements: Vec<String> = [
        "SELECT * FROM f WHERE id ~ '(((((a{1,100}){1,100}){1,100}){1,100}){1,100})'",
        "SELECT regexp_replace(repeat('a', 1000000), '(a|aa)+$', 'x', 'g') AS item_id FROM f",
        "SELECT lpad('x', 2147483647) AS item_id FROM f",
        "SELECT array_repeat(1, 2000000000) AS item_id FROM f",
        "SELECT range(0, 9000000000) AS item_id FROM f",
        "SELECT string_agg(a.value, ',') AS item_id FROM generate_series(1, 100000000) a",
        "SELECT repeat('x', 2147483647) AS item_id",
        "SELECT repeat(repeat('x', 100000), 100000) AS item_id FROM f",
        "SELECT value AS item_id FROM generate_series(1, 9223372036854775807)",
        "SELECT sum(a.value * b.value * c.value) AS item_id FROM generate_series(1, 100000) a, generate_series(1, 100000) b, generate_series(1, 100000) c",
        "SELECT a.id AS item_id FROM f a, f b, f c, f d, f e, f g, f h, f i, f j, f k, f l, f m, f n, f o, f p, f q, f r",
    ]
    .map(str::to_owned)
    .to_vec();
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

/// Statements that are to be refused, whatever disguise they come in.
fn forbidden(canary: &Canary) -> Vec<String> {
    const NOT_A_SELECT: [&str; 44] = [
        "DROP TABLE f",
        "DROP VIEW f",
        "CREATE TABLE t AS SELECT 1",
        "CREATE OR REPLACE TABLE f AS SELECT 1",
        "CREATE TABLE t (a INT)",
        "CREATE VIEW v AS SELECT * FROM f",
        "CREATE SCHEMA s",
        "CREATE DATABASE d",
        "CREATE INDEX i ON f (id)",
        "CREATE FUNCTION g() RETURNS INT RETURN 1",
        "DROP FUNCTION g",
        "CREATE EXTENSION x",
        "INSERT INTO f VALUES ('x')",
        "INSERT INTO f SELECT * FROM f",
        "DELETE FROM f",
        "UPDATE f SET id = 'x'",
        "MERGE INTO f USING f ON TRUE WHEN MATCHED THEN DELETE",
        "TRUNCATE TABLE f",
        "ALTER TABLE f ADD COLUMN x INT",
        "ALTER TABLE f RENAME TO g",
        "SET datafusion.execution.batch_size = 1",
        "SET datafusion.sql_parser.recursion_limit = 100000",
        "RESET datafusion.execution.batch_size",
        "SHOW ALL",
        "SHOW TABLES",
        "SHOW COLUMNS FROM f",
        "SHOW CREATE TABLE f",
        "EXPLAIN SELECT * FROM f",
        "EXPLAIN ANALYZE SELECT * FROM f",
        "DESCRIBE f",
        "PREPARE p AS SELECT 1",
        "EXECUTE p",
        "DEALLOCATE p",
        "BEGIN",
        "COMMIT",
        "ROLLBACK",
        "PRAGMA table_info(f)",
        "ATTACH 'x' AS y",
        "DETACH y",
        "LOAD extension",
        "CALL p()",
        "GRANT ALL ON f TO x",
        "VACUUM",
        "USE d",
    ];
    let disguises: [fn(&str) -> String; 5] = [
        str::to_owned,
        |sql| {
            sql.chars()
                .enumerate()
                .map(|(at, c)| if at % 2 == 0 { c.to_ascii_lowercase() } else { c })
                .collect()
        },
        |sql| format!("/* SELECT 1 */ -- SELECT\n\t {sql}"),
        |sql| format!("SELECT 1 AS a; {sql}"),
        |sql| format!("{sql};;"),
    ];
    let mut statements = Vec::new();
    for sql in NOT_A_SELECT {
        statements.extend(disguises.iter().map(|disguise| disguise(sql)));
    }
    let file = canary.file.to_str().unwrap();
    let folder = canary.file.parent().unwrap().to_str().unwrap();
    let places = [
        file.to_owned(),
        format!("file://{file}"),
        format!("file://localhost{file}"),
        format!("{folder}/../{}/*.parquet", folder.rsplit('/').next().unwrap()),
        folder.to_owned(),
        "/etc/passwd".to_owned(),
        "/proc/self/environ".to_owned(),
        format!("http://{}/x.parquet", canary.address),
        format!("s3://{}/x.parquet", canary.address),
    ];
    for template in [
        "SELECT * FROM '{}'",
        "SELECT * FROM \"{}\"",
        "SELECT * FROM `{}`",
        "SELECT * FROM datafusion.public.\"{}\"",
        "SELECT * FROM read_parquet('{}')",
        "SELECT * FROM read_csv('{}')",
        "SELECT * FROM read_json('{}')",
        "SELECT * FROM TABLE(read_csv('{}'))",
        "SELECT * FROM parquet_metadata('{}')",
        "SELECT * FROM f, LATERAL (SELECT * FROM '{}')",
        "SELECT (SELECT count(*) FROM '{}') AS item_id",
        "SELECT * FROM f WHERE id IN (SELECT id FROM '{}')",
        "WITH c AS (SELECT * FROM '{}') SELECT * FROM c",
        "SELECT * FROM f UNION ALL SELECT * FROM '{}'",
        "SELECT pg_read_file('{}') AS item_id",
        "SELECT read_text('{}') AS item_id",
        "COPY (SELECT 1) TO '{}.out'",
        "COPY f TO '{}.out' STORED AS CSV",
        "COPY f FROM '{}'",
        "CREATE EXTERNAL TABLE t STORED AS CSV LOCATION '{}'",
        "SELECT * INTO OUTFILE '{}.out' FROM f",
    ] {
        statements.extend(places.iter().map(|place| template.replace("{}", place)));
    }
    for function in [
        "load_extension('x')",
        "readfile('x')",
        "writefile('x', 'y')",
        "pg_ls_dir('/')",
        "pg_sleep(60)",
        "pg_stat_file('/')",
        "lo_import('x')",
        "lo_export(1, 'x')",
        "dblink('x', 'y')",
        "system('id')",
        "shell('id')",
        "exec('id')",
        "xp_cmdshell('id')",
        "sys_exec('id')",
        "load_file('x')",
        "getenv('HOME')",
        "current_setting('x')",
        "set_config('x', 'y', false)",
        "query_to_xml('SELECT 1', true, true, '')",
        "url_get('http://127.0.0.1')",
        "http_get('http://127.0.0.1')",
        "sleep(60)",
        "benchmark(1000000000, md5('x'))",
        "glob('/*')",
        "parquet_scan('x')",
        "sniff_csv('x')",
        "read_blob('x')",
        "pragma_database_list()",
        "version_file()",
        "sqlite_version_file()",
    ] {
        statements.push(format!("SELECT {function} AS item_id FROM f"));
        statements.push(format!("SELECT * FROM {function}"));
    }
    for table in [
        "information_schema.tables",
        "information_schema.columns",
        "information_schema.df_settings",
        "information_schema.schemata",
        "information_schema.routines",
        "information_schema.views",
        "information_schema.parameters",
        "pg_catalog.pg_tables",
        "pg_shadow",
        "sqlite_master",
        "sys.tables",
        "duckdb_settings()",
        "datafusion.information_schema.tables",
        "other.public.f",
        "public.films",
        "films",
        "metadata",
        "keys",
        "datasets",
    ] {
        statements.push(format!("SELECT * FROM {table}"));
    }
    for broken in [
        "",
        " ",
        ";",
        "--",
        "/* nothing */",
        "/* never closed",
        "'",
        "\"",
        "(",
        ")",
        "SELECT",
        "SELECT *",
        "SELECT FROM f",
        "SELECT * FROM",
        "SELECT '",
        "SELECT \"",
        "SELECT ((1)",
        "SELECT 1)",
        "SELECT $1 AS a",
        "SELECT ? AS a",
        "SELECT :x AS a",
        "SELECT @x AS a",
        "SELECT {fn now()} AS a",
        "SELECT 1 AS a FROM f WHERE",
        "SELECT id AS a, id AS a FROM f",
        "\u{0}",
        "SELECT '\u{0}' AS a FROM g",
        "SELECT '\u{202e}' AS a FROM f WHERE",
        "\u{feff}DROP TABLE f",
        "ＳＥＬＥＣＴ 1",
        "SELECT * FROM f TABLESAMPLE (x)",
        "SELECT * FROM f LIMIT -1",
        "SELECT * FROM f FETCH FIRST x ROWS",
        "SELECT f.* EXCEPT (nothing) FROM f",
        "VALUES (1), (1, 2)",
        "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT * FROM r",
        "SELECT * FROM f FOR UPDATE WAIT x",
    ] {
        statements.push(broken.to_owned());
    }
    statements
}

#[test]
fn hostile_statements_cost_an_answer_and_never_the_server() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path().join("canary");
    std::fs::create_dir(&folder).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let canary = Canary {
        file: folder.join("canary.parquet"),
        address: listener.local_addr().unwrap().to_string(),
    };
    std::fs::write(&canary.file, "c4n4ry").unwrap();
    let server = InProcess::start(&directory.path().join("data"), Limits::default(), |options| {
        options.sql_limits = TIGHT;
    });
    let api = &server.api;
    api.dataset(&json!({"name": "f", "schema_type": "CUSTOM", "column_schema": {"id": "String"}}));
    api.dataset(&films());
    api.post("/v1/datasets/films/insert", &film_rows()).ok();
    let opened = Opened::watch(&[&canary.file, &folder]);

    let views = forbidden(&canary);
    let models = exhausting();
    let total = views.len() + models.len();
    let counts = Counts::default();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    match (models.get(number), views.get(number.wrapping_sub(models.len()))) {
                        (Some(sql), _) => run_model(api, number, sql, &counts),
                        (_, Some(sql)) => check_view(api, number, sql, &counts),
                        _ => break,
                    }
                }
            });
        }
    });
    let opens = opened.count();
    let connections = std::iter::from_fn(|| listener.accept().ok()).count();
    let [refused, failed, harmless] =
        [&counts.refused, &counts.failed, &counts.harmless].map(|n| n.load(Ordering::Relaxed));
    println!(
        "{total} statements: {refused} refused, {failed} ended in ERROR, {harmless} were harmless; {opens:?} file reads, {connections} connections, 0 over the deadline, 0 restarts, longest {:?}",
        counts.longest.lock().unwrap()
    );
    assert!(
        total >= 500 && refused >= 450 && failed >= 3,
        "{total} {refused} {failed}"
    );
    assert!(
        opens.is_none_or(|opens| opens == 0),
        "files were opened: {opens:?}"
    );
    assert_eq!(connections, 0, "connections were made");
    assert_eq!(
        std::fs::read_dir(&folder).unwrap().count(),
        1,
        "a statement wrote a file"
    );
    assert_eq!(std::fs::read(&canary.file).unwrap(), b"c4n4ry");
    // And the server still does its work.
    api.model(&super::client::film_model("after"));
    assert_eq!(api.ids("after", &json!({"text_query": "vienna"})), ["m3", "m1"]);
}

/// What came of the statements.
#[derive(Default)]
struct Counts {
    refused: AtomicUsize,
    failed: AtomicUsize,
    harmless: AtomicUsize,
    longest: Mutex<Duration>,
}

impl Counts {
    fn note(&self, counter: &AtomicUsize, sql: &str, said: &str, started: Instant, api: &Api) {
        counter.fetch_add(1, Ordering::Relaxed);
        let shown: String = sql.chars().take(120).collect();
        let took = started.elapsed();
        let mut longest = self.longest.lock().unwrap();
        *longest = took.max(*longest);
        assert!(took < Duration::from_secs(60), "{shown} took {took:?}");
        assert!(
            !said.contains("c4n4ry") && !said.contains("root:"),
            "{shown} read a file: {said}"
        );
        api.call("GET", "/v1/liveness", &[], b"").ok();
    }
}

fn check_view(api: &Api, number: usize, sql: &str, counts: &Counts) {
    let started = Instant::now();
    let body = json!({"name": format!("v{number}"), "transform_type": "SQL", "sql_transform_type": "VIEW", "sql_query": sql});
    let answer = api.post("/v1/transforms", &body);
    let counter = if answer.status == 422 {
        assert_eq!(answer.invalid().0, "body.sql_query", "{sql}: {}", answer.text);
        &counts.refused
    } else {
        answer.ok();
        &counts.harmless
    };
    counts.note(counter, sql, &answer.text, started, api);
}

fn run_model(api: &Api, number: usize, sql: &str, counts: &Counts) {
    let started = Instant::now();
    let name = format!("m{number}");
    let body = json!({
        "model": {"name": name}, "connectors": [{"type": "Dataset", "id": "f", "name": "films"}],
        "fetch": {
            "events": "SELECT id AS user_id, id AS item_id, 1 AS label, CAST(NULL AS TIMESTAMP) AS created_at FROM f WHERE FALSE",
            "items": sql
        }
    });
    let answer = api.post("/v1/models", &body);
    if answer.status == 422 {
        assert_eq!(answer.invalid().0, "body.fetch.items", "{sql}: {}", answer.text);
        return counts.note(&counts.refused, sql, &answer.text, started, api);
    }
    answer.ok();
    let view = api.wait_for(&format!("/v1/models/{name}"));
    let counter = if view["status"] == "ERROR" {
        &counts.failed
    } else {
        &counts.harmless
    };
    counts.note(counter, sql, &view.to_string(), started, api);
}

/// Counts how often files are opened, by whomever.
#[cfg(target_os = "linux")]
struct Opened(rustix::fd::OwnedFd);

#[cfg(target_os = "linux")]
impl Opened {
    fn watch(paths: &[&Path]) -> Opened {
        use rustix::fs::inotify;
        let watcher = inotify::init(inotify::CreateFlags::NONBLOCK).unwrap();
        for path in paths {
            inotify::add_watch(&watcher, *path, inotify::WatchFlags::OPEN).unwrap();
        }
        let opened = Opened(watcher);
        // It must be able to see what it is there for.
        std::fs::read(paths[0]).unwrap();
        assert!(opened.count().is_some_and(|count| count > 0));
        opened
    }

    /// The opens since the last call.
    fn count(&self) -> Option<usize> {
        use rustix::fs::inotify;
        let mut buffer = [std::mem::MaybeUninit::uninit(); 4096];
        let mut events = inotify::Reader::new(&self.0, &mut buffer);
        let mut count = 0;
        loop {
            match events.next() {
                Ok(_) => count += 1,
                Err(rustix::io::Errno::AGAIN) => return Some(count),
                Err(error) => panic!("{error}"),
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
struct Opened;

#[cfg(not(target_os = "linux"))]
impl Opened {
    fn watch(_: &[&Path]) -> Opened {
        Opened
    }

    fn count(&self) -> Option<usize> {
        None
    }
}

#[test]
fn set_ups_are_told_to_come_back_while_all_workers_are_taken() {
    let directory = tempfile::tempdir().unwrap();
    let server = InProcess::start(directory.path(), Limits::default(), |options| {
        options.sql_limits = SqlLimits {
            children: 1,
            queue_seconds: 1,
            ..TIGHT
        };
    });
    let api = &server.api;
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
}
