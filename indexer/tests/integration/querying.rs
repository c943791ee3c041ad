//! Queries against an index.

use serde_json::Value;

use crate::Folder;

fn built() -> Folder {
    let folder = Folder::new(&[
        (
            "content/fruit/apples.md",
            "# Apples\n\nThey grow on trees.\n\n## Storing apples\n\nKeep them cool in the cellar.\n",
        ),
        (
            "content/fruit/pears.md",
            "# Pears\n\nThey bruise easily. Unlike [apples](apples.md), they ripen late.\n",
        ),
        (
            "queries.jsonl",
            "{\"id\": \"q1\", \"query\": \"storing apples\", \"gold\": []}\n\n{\"query\": \"pears\"}\n",
        ),
    ]);
    folder
        .run(&["build", "--content", "content", "--out", "out"])
        .assert_ok();
    folder
}

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn a_query_gives_its_best_sections_first() {
    let run = built()
        .run(&["query", "--index", "out", "storing apples"])
        .assert_ok();
    let answers = lines(&run.stdout);
    assert_eq!(
        (answers.len(), &answers[0]["id"], &answers[0]["query"]),
        (1, &"1".into(), &"storing apples".into())
    );
    let best = &answers[0]["hits"][0];
    assert_eq!(
        (&best["path"], &best["anchor"], &best["title"]),
        (
            &"/fruit/apples".into(),
            &"storing-apples".into(),
            &"Apples".into()
        )
    );
    assert!(best["score"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_file_of_queries_is_answered_line_by_line() {
    let folder = built();
    let run = folder
        .run(&[
            "query",
            "--index",
            "out",
            "--queries",
            "queries.jsonl",
            "--limit",
            "1",
        ])
        .assert_ok();
    let answers = lines(&run.stdout);
    let found: Vec<(&str, &str, usize)> = answers
        .iter()
        .map(|answer| {
            let hits = answer["hits"].as_array().unwrap();
            (
                answer["id"].as_str().unwrap(),
                hits[0]["path"].as_str().unwrap(),
                hits.len(),
            )
        })
        .collect();
    assert_eq!(found, [("q1", "/fruit/apples", 1), ("3", "/fruit/pears", 1)]);
}

#[test]
fn wrong_queries_and_a_damaged_index_are_wrong_input() {
    let folder = built();
    folder.write(
        "queries.jsonl",
        b"{\"query\": \"a\"}\n{\"query\": 4}\n{\"text\": \"a\"}\n",
    );
    let run = folder.run(&["query", "--index", "out", "--queries", "queries.jsonl"]);
    assert_eq!(run.code, 1);
    insta::assert_snapshot!(run.stderr, @r#"
    queries.jsonl:2:11: not a query: invalid type: integer `4`, expected a string; write {"id": "1", "query": "…"}
    queries.jsonl:3:13: not a query: missing field `query`; write {"id": "1", "query": "…"}
    indexer: 2 problems found
    "#);

    folder.write("damaged.bin", b"not an index");
    let run = folder.run(&["query", "--index", "damaged.bin", "a"]);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.starts_with("damaged.bin:1:1: "), "{run:?}");
}
