//! Filters that are meant to exhaust the server or to reach what is not theirs: each costs a 422 or an answer, soon.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::{Api, Server};
use super::durability::Numbers;

const GENERATED: usize = 600;
const SEED: u64 = 20_260_301;

/// No filter may take longer. The longest ones do take a while where nothing is optimised.
const DEADLINE: Duration = Duration::from_secs(5);

const ITEMS: usize = 400;

/// A model over items of every type of column.
fn model(api: &Api) {
    api.dataset(&json!({
        "name": "items", "schema_type": "CUSTOM",
        "column_schema": {
            "id": "String", "name": "String", "price": "Double", "stock": "Int64", "tags": "Array(String)",
            "sold": "Bool", "made": "DateTime", "note": "Json"
        }
    }));
    let rows: Vec<Value> = (0..ITEMS)
        .map(|item| {
            json!({
                "id": format!("i{item}"), "name": "ab".repeat(item % 50), "price": item as f64 / 7.0,
                "stock": (item % 9 > 0).then_some(item), "tags": ["a".repeat(item % 7), "b"],
                "sold": item % 2 == 0, "made": 1_700_000_000 + item, "note": {"deep": {"er": item}}
            })
        })
        .collect();
    api.post("/v1/datasets/items/insert", &json!({"data": rows})).ok();
    api.model(&json!({
        "model": {"name": "m"}, "connectors": [{"type": "Dataset", "id": "d", "name": "items"}],
        "fetch": {
            "events": "SELECT 'u' AS user_id, id AS item_id, 1 AS label, made AS created_at FROM d",
            "items": "SELECT id AS item_id, name, price, stock, tags, sold, made, note FROM d"
        }
    }));
}

/// Filters that somebody thought of.
fn written() -> Vec<String> {
    let repeat = |text: &str, count: usize| text.repeat(count);
    let mut filters: Vec<String> = [
        "",
        " ",
        "(",
        ")",
        "()",
        "'",
        "\"",
        "'a",
        "\\",
        "\u{0}",
        "\u{feff}price > 1",
        "\u{202e}",
        "--",
        "/* */ TRUE",
        ";",
        "TRUE; DROP TABLE items",
        "price > 1; SELECT 1",
        "1 = 1 --",
        "' OR '1'='1",
        "1 OR 1 = 1",
        "NULL",
        "TRUE",
        "1",
        "'x'",
        "SELECT 1",
        "(SELECT id FROM items)",
        "EXISTS (SELECT 1)",
        "price IN (SELECT 1)",
        "price > (SELECT max(price) FROM items)",
        "load_extension('x')",
        "readfile('/etc/passwd')",
        "read_text('/etc/passwd') = ''",
        "pg_sleep(10) IS NULL",
        "sleep(10)",
        "system('id') = 0",
        "eval('1')",
        "__import__('os')",
        "${jndi:ldap://127.0.0.1/a}",
        "{{7*7}}",
        "%s%s%s%n",
        "../../etc/passwd",
        "price.__class__ = 1",
        "note.deep.er.lower.still = 1",
        "note.'x' = 1",
        "note. = 1",
        ".price = 1",
        "items.price > 1",
        "price = 9223372036854775808",
        "price = 1e400",
        "price = -1e400",
        "price = 1e-400",
        "stock = -9223372036854775808",
        "stock / 0 = 1",
        "stock % 0 = 1",
        "stock * 9223372036854775807 > 0",
        "-stock - 9223372036854775807 < 0",
        "CAST(name AS BIGINT) > 0",
        "CAST(price AS NOTHING) = 1",
        "CAST('x' AS BIGINT) = 1",
        "CAST(stock AS TIMESTAMP) IS NULL",
        "made > '99999-99-99'",
        "made = '-1'",
        "price BETWEEN 2 AND",
        "price BETWEEN 2",
        "NOT",
        "AND",
        "price AND",
        "name LIKE",
        "tags = 'a'",
        "name = 1",
        "sold = 'yes'",
        "array_has(name, 'a')",
        "array_has(tags)",
        "array_has_any(tags, 'a')",
        "array_has_all(tags, [1, 2])",
        "array_has_any(tags, [])",
        "price IN ()",
        "price IN (NULL)",
        "name IN (1, 'a')",
        "unknown = 1",
        "Price > 1",
        "regexp_match(name, '(')",
        "regexp_match(name, '[')",
        "regexp_match(name, '(?P<a')",
        "regexp_match(name, '\\')",
        "regexp_match(name, '(a+)+$')",
        "regexp_match(name, '(a|aa)+$')",
        "regexp_match(name, '(.*)*x')",
        "regexp_match(name, '(?=a)')",
        "regexp_match(name, '(a)\\1')",
        "regexp_match(name, '(((((a{1,100}){1,100}){1,100}){1,100}){1,100})')",
        "regexp_match(name, '\\pL{1000}{1000}')",
        "regexp_match(name, 'a{0,99999999}')",
        "regexp_match(name, name)",
        "price > $param.x",
        "price > $param.",
        "$param.x",
        "price > ?",
        "price > :x",
        "price > @x",
    ]
    .map(str::to_owned)
    .to_vec();
    filters.extend([
        repeat("(", 10_000),
        format!("{}TRUE{}", repeat("(", 30), repeat(")", 30)),
        format!("{}TRUE{}", repeat("(", 3_000), repeat(")", 3_000)),
        format!("{}TRUE", repeat("NOT ", 50_000)),
        format!("{}TRUE", repeat("NOT ", 20)),
        format!("price > {}1", repeat("-", 20_000)),
        format!("price > {}1", repeat("- ", 100)),
        format!("price > 1{}", repeat(" + 1", 50_000)),
        format!("price > 1{}", repeat(" + 1", 200)),
        format!("price > 1{}", repeat(" OR price > 1", 10_000)),
        format!("price > 1{}", repeat(" OR price > 1", 100)),
        format!("price IN (1{})", repeat(", 1", 100_000)),
        format!("price IN (1{})", repeat(", 2", 500)),
        format!("array_has_any(tags, ['a'{}])", repeat(", 'a'", 50_000)),
        format!("name LIKE '{}'", repeat("%a", 5_000)),
        format!("name LIKE '{}b'", repeat("%a", 100)),
        format!("name LIKE '{}'", repeat("_", 10_000)),
        format!("name = '{}'", repeat("x", 1 << 20)),
        format!("name = '{}", repeat("''", 100_000)),
        format!("regexp_match(name, '{}')", repeat("a?", 5_000)),
        format!("regexp_match(name, '{}')", repeat("(a", 2_000)),
        format!("regexp_match(name, '{}{}')", repeat("(", 200), repeat(")*", 200)),
        format!(
            "{}price > 1{}",
            repeat("CAST(", 1_000),
            repeat(" AS BOOLEAN)", 1_000)
        ),
        format!("note{} = 1", repeat(".a", 5_000)),
        format!("{} = 1", repeat("a", 100_000)),
        repeat("price > 1 AND ", 20_000),
        repeat("\u{1f600}", 10_000),
        repeat("e\u{301}", 10_000),
    ]);
    filters
}

/// Pieces that make sense, put together without any.
fn generated(numbers: &mut Numbers) -> String {
    const PIECES: [&str; 48] = [
        "price",
        "stock",
        "name",
        "tags",
        "sold",
        "made",
        "note.deep.er",
        "note",
        "item_id",
        "nothing",
        "1",
        "-1",
        "0",
        "2.5",
        "1e308",
        "'a'",
        "''",
        "\"b\"",
        "NULL",
        "TRUE",
        "FALSE",
        "(",
        ")",
        "[",
        "]",
        ",",
        "=",
        "!=",
        "<>",
        "<",
        "<=",
        ">",
        ">=",
        "+",
        "-",
        "*",
        "/",
        "%",
        "AND",
        "OR",
        "NOT",
        "IS",
        "IN",
        "BETWEEN",
        "LIKE",
        "CAST(price AS BIGINT)",
        "array_has(tags, 'b')",
        "regexp_match(name, 'a+b')",
    ];
    let length = 1 + numbers.next(24);
    let pieces: Vec<&str> = (0..length)
        .map(|_| PIECES[usize::try_from(numbers.next(PIECES.len() as u64)).unwrap()])
        .collect();
    pieces.join(" ")
}

#[test]
fn hostile_filters_cost_an_answer_and_never_the_server() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    model(api);
    let mut filters = written();
    let mut numbers = Numbers(SEED);
    filters.extend((0..GENERATED).map(|_| generated(&mut numbers)));
    let (mut refused, mut answered, mut longest) = (0, 0, Duration::ZERO);
    for (index, filter) in filters.iter().enumerate() {
        let shown: String = filter.chars().take(100).collect();
        // Each way in takes the same language.
        let (path, body) = match index % 3 {
            0 => ("/v1/models/m/rank", json!({"filter_predicate": filter})),
            1 => ("/v1/models/m/retrieve", json!({"filter_predicate": filter})),
            _ => (
                "/v1/models/m/similar_items",
                json!({"item_id": "i1", "filter_predicate": filter}),
            ),
        };
        let started = Instant::now();
        let answer = api.post(path, &body);
        let took = started.elapsed();
        longest = longest.max(took);
        assert!(took < DEADLINE, "{shown}: {took:?}");
        match answer.status {
            200 => answered += 1,
            422 => {
                assert_eq!(answer.invalid().0, "body.filter_predicate", "{shown}: {answer:?}");
                assert!(answer.text.len() < 20_000, "{shown}: {} bytes", answer.text.len());
                refused += 1;
            }
            status => panic!("{shown}: {status}: {answer:?}"),
        }
        assert!(!answer.text.contains("root:"), "{shown}: {answer:?}");
    }
    println!(
        "{} filters: {refused} refused, {answered} answered, 0 over the deadline, 0 restarts, longest {longest:?}, seed {SEED}",
        filters.len()
    );
    assert!(filters.len() >= 700 && refused > 400 && answered > 20);
    // The same process still, and sound.
    assert_eq!(
        api.post("/v1/models/m/retrieve", &json!({"config": {"limit": 3}}))
            .ok()["ids"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
}

/// Many of the worst at once hold up neither a probe nor a simple request.
#[test]
fn the_worst_filters_at_once_leave_room_for_others() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(directory.path());
    let api = &server.api;
    model(api);
    let worst = json!({
        "filter_predicate": format!("regexp_match(name, '(a|b)*(ab|ba)*$'){}", " OR regexp_match(name, '(ba)+c')".repeat(20)),
        "config": {"limit": 1}
    });
    api.post("/v1/models/m/rank", &worst).ok();
    let (mut pings, mut ranks) = (Vec::new(), Vec::new());
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..32)
            .map(|_| {
                scope.spawn(|| {
                    for _ in 0..3 {
                        let answer = api.post("/v1/models/m/rank", &worst);
                        assert!([200, 503].contains(&answer.status), "{answer:?}");
                    }
                })
            })
            .collect();
        while clients.iter().any(|client| !client.is_finished()) {
            let started = Instant::now();
            api.call("GET", "/v1/ping", &[], b"").ok();
            pings.push(started.elapsed());
            let started = Instant::now();
            let answer = api.post("/v1/models/m/rank", &json!({"config": {"limit": 1}}));
            assert!([200, 503].contains(&answer.status), "{answer:?}");
            ranks.push(started.elapsed());
        }
    });
    pings.sort_unstable();
    ranks.sort_unstable();
    let (ping, rank) = (pings[pings.len() - 1], ranks[ranks.len() - 1]);
    println!(
        "{} pings, longest {ping:?}; {} ranks, longest {rank:?}",
        pings.len(),
        ranks.len()
    );
    assert!(
        ping < Duration::from_secs(5) && rank < Duration::from_secs(20),
        "{ping:?} {rank:?}"
    );
}
