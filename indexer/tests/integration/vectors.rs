//! Vectors: with an encoder, from the cache, with neither, and with a cache that is broken.

use crate::{Folder, Run, build_into, tiny_encoder};

const START: &str = "# Start\n\nHow to begin with all of it.\n\n## Setting up\n\nTake the box and open it.\n";
const END: &str = "# End\n\nWhat comes last. See [start](start.md).\n";

fn folder() -> Folder {
    let folder = Folder::new(&[
        ("content/start.md", START),
        ("content/end.md", END),
        ("siftwren.toml", "[site]\ntitle = \"T\"\n"),
    ]);
    tiny_encoder::write(&folder.path("encoder"), 1);
    folder
}

fn build(folder: &Folder, out: &str, more: &[&str]) -> Run {
    folder.run(&[&build_into(out), more].concat())
}

fn encoded() -> Folder {
    let folder = folder();
    let run = build(&folder, "out", &["--encoder", "encoder"]).assert_ok();
    assert!(
        run.stdout
            .contains("vectors of 3 sections kept in search-vectors"),
        "{run:?}"
    );
    folder
}

#[test]
fn a_build_with_vectors_says_so_everywhere() {
    let folder = encoded();
    let manifest = folder.json("out/manifest.json");
    assert_eq!(manifest["search"]["vectors"], true);
    for row in folder.read("out/items.ndjson").lines() {
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        let embedding: Vec<f64> = row["embedding"]
            .as_array()
            .unwrap()
            .iter()
            .map(|value| value.as_f64().unwrap())
            .collect();
        assert_eq!(embedding.len(), 8);
        let length: f64 = embedding.iter().map(|value| value * value).sum();
        assert!((length - 1.0).abs() < 1e-3, "{length}");
    }
    let table = std::fs::read(folder.path("out/query-table.fifu")).unwrap();
    assert!(table.starts_with(b"FiFu"));
    let arguments = ["query", "--index", "out", "begin"];
    let with = folder.run(&arguments).assert_ok().stdout;
    let without = folder
        .run(&[&arguments[..], &["--no-vectors"]].concat())
        .assert_ok()
        .stdout;
    assert_ne!(with, without);
    let left_out = folder
        .run(&[&arguments[..], &["--without", "semantic"]].concat())
        .assert_ok()
        .stdout;
    assert_eq!(left_out, without);
    let run = folder.run(&[&arguments[..], &["--without", "magic"]].concat());
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("the stages are title-overlap"), "{run:?}");
}

#[test]
fn a_build_from_the_cache_gives_the_same_bytes() {
    let folder = encoded();
    let run = build(&folder, "again", &[]).assert_ok();
    assert!(run.stdout.contains("+pca8"), "{run:?}");
    assert_eq!(folder.all_bytes("again"), folder.all_bytes("out"));
    let cache = folder.all_bytes("search-vectors");
    let run = build(&folder, "again", &["--encoder", "encoder"]).assert_ok();
    assert!(!run.stdout.contains("kept"), "{run:?}");
    assert_eq!(folder.all_bytes("again"), folder.all_bytes("out"));
    assert_eq!(folder.all_bytes("search-vectors"), cache);
}

#[test]
fn new_sections_without_an_encoder_are_counted_and_the_cache_is_left_alone() {
    let folder = encoded();
    let cache = folder.all_bytes("search-vectors");
    folder.write(
        "content/end.md",
        b"# End\n\nAnother last word.\n\n## More\n\nAnd more.\n",
    );
    let run = build(&folder, "out", &[]).assert_ok();
    assert!(
        run.stdout
            .contains("warning: 2 of 4 sections are new to the cache"),
        "{run:?}"
    );
    assert_eq!(folder.json("out/manifest.json")["search"]["vectors"], true);
    assert_eq!(folder.all_bytes("search-vectors"), cache);
    // Changed back, everything is known again; with the encoder, the old ones are pruned.
    let run = build(&folder, "out", &["--encoder", "encoder"]).assert_ok();
    assert!(run.stdout.contains("vectors of 4 sections kept"), "{run:?}");
}

#[test]
fn without_a_cache_and_an_encoder_the_search_goes_by_words() {
    let folder = folder();
    let run = build(&folder, "out", &[]).assert_ok();
    assert!(run.stdout.contains("no vectors"), "{run:?}");
    assert_eq!(folder.json("out/manifest.json")["search"]["vectors"], false);
    assert!(!folder.path("out/query-table.fifu").exists());
    assert!(!folder.read("out/items.ndjson").contains("embedding"));
    assert!(!folder.path("search-vectors").exists());
}

#[test]
fn vectors_can_be_switched_off_and_the_cache_can_be_elsewhere() {
    let folder = encoded();
    folder.write("siftwren.toml", b"[search]\nvectors = false\n");
    build(&folder, "out", &["--encoder", "encoder"]).assert_ok();
    assert_eq!(folder.json("out/manifest.json")["search"]["vectors"], false);
    folder.write("siftwren.toml", b"[search]\nvector_cache = \"kept/here\"\n");
    build(&folder, "out", &["--encoder", "encoder"]).assert_ok();
    assert!(folder.path("kept/here/query-table.fifu").exists());
}

#[test]
fn a_broken_cache_is_wrong_input() {
    let folder = encoded();
    for (file, damage, expected) in [
        ("sections.bin", &b"swvecs\0\x01 and nothing"[..], "is damaged"),
        (
            "sections.bin",
            b"version https://example.com/spec",
            "this is no file of a vector cache",
        ),
        ("projection.bin", b"", "this is no file of a vector cache"),
        ("query-table.fifu", b"FiFu", "the table is damaged"),
    ] {
        let path = format!("search-vectors/{file}");
        let good = std::fs::read(folder.path(&path)).unwrap();
        folder.write(&path, damage);
        let run = build(&folder, "again", &[]);
        assert_eq!(run.code, 1, "{run:?}");
        let line = run.stderr.lines().next().unwrap();
        assert!(
            line.starts_with(&format!("{path}:1:1: ")) && line.contains(expected),
            "{run:?}"
        );
        assert!(line.contains("restore the file"), "{run:?}");
        folder.write(&path, &good);
    }
    std::fs::remove_file(folder.path("search-vectors/projection.bin")).unwrap();
    let run = build(&folder, "again", &[]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr
            .contains("search-vectors/projection.bin:1:1: this file of the vector cache is missing"),
        "{run:?}"
    );
}

#[test]
fn a_folder_that_is_no_encoder_is_named() {
    let folder = folder();
    let run = build(&folder, "out", &["--encoder", "content"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("content/config.json") && run.stderr.contains("cargo xtask encoder"),
        "{run:?}"
    );
    folder.write("encoder/model.safetensors", b"\x08\0\0\0\0\0\0\0{}      ");
    let run = build(&folder, "out", &["--encoder", "encoder"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.starts_with("encoder/model.safetensors:1:1: "),
        "{run:?}"
    );
    assert!(!folder.path("out").exists());
}
