//! What the fuzzing programs share.

use indexer::config::{Config, Content};
use indexer::front_matter::Schema;
use indexer::site::{Input, build};
use indexer::source::{Files, Folder, Source};
use search_core::hits::{Display, map};
use search_core::{Index, IndexBuilder, IndexFile, Layout, Page, SearchOptions, Section, Step, Vectors};

/// Builds a site of one page; whatever the text is, there is a page or a problem with a place.
pub fn build_page(text: &str, schema: Schema) {
    let input = Input {
        folder: Folder {
            sources: vec![Source::new("page.md", "page.md", text)],
            files: Files::default(),
            summary: None,
            titles: std::collections::BTreeMap::new(),
            list_files: Vec::new(),
        },
        config: Config {
            content: Content {
                schema,
                ..Content::default()
            },
            ..Config::default()
        },
        config_source: Source::new("siftwren.toml", "siftwren.toml", ""),
        last_changes: std::rc::Rc::default(),
        embedding: indexer::embed::Embedding::default(),
        api_documents: Vec::new(),
        components: indexer::components::Components::default(),
        brand: indexer::brand::Brand::default(),
        extras: indexer::site::Extras::default(),
    };
    let (site, problems) = build(&input);
    assert!(
        !site.pages.is_empty() || problems.iter().any(|problem| problem.is_error()),
        "no page and no error"
    );
    for problem in &problems {
        assert!(
            problem.line >= 1 && problem.column >= 1,
            "a problem without a place"
        );
    }
}

/// The files of a small index with everything that an index can have, the core first. Always the same.
pub fn small_index() -> Vec<IndexFile> {
    const WORDS: [&str; 12] = [
        "ranking",
        "nDCG",
        "x-api-key",
        "themeConfig.navbar",
        "größe",
        "検索エンジン",
        "don't",
        "--dry-run",
        "v2.1",
        "@scope/pkg",
        "the",
        "similarity",
    ];
    let mut builder = IndexBuilder::new();
    let mut sections = 0;
    for page in 0..9 {
        let title = format!("{} and {}", WORDS[page], WORDS[page + 2]);
        let path = format!("/docs/p{page}");
        let body = WORDS[..page + 3].join(" ");
        let heading = format!("About {}", WORDS[page + 1]);
        let own = [
            Section {
                body: &body,
                ..Section::default()
            },
            Section {
                anchor: "about",
                headings: [&heading, "", ""],
                body: &title,
                ..Section::default()
            },
        ];
        sections += own.len();
        builder.add_page(&Page {
            path: &path,
            title: &title,
            folder: "Docs",
            sections: &own,
            ..Page::default()
        });
    }
    const DIMENSIONS: usize = 8;
    let unit =
        |row: usize| (0..DIMENSIONS).map(move |column| if column == row % DIMENSIONS { 1.0 } else { 0.0 });
    let rows: Vec<f32> = (0..sections).flat_map(unit).collect();
    let pieces = ["rank", "##ing", "key", "x", "-", "api"];
    let table: Vec<f32> = (0..pieces.len()).flat_map(unit).collect();
    builder.set_vectors(Vectors {
        embedder: "fuzz",
        dimensions: DIMENSIONS,
        sections: &rows,
        pieces: &pieces,
        table: &table,
    });
    builder.finish(Layout::Sharded)
}

/// Asks an index everything that can be asked, with the files that it names. Whatever it answers must hold together.
pub fn ask(index: &mut Index, files: &[IndexFile], query: &str) {
    for semantic in [false, true] {
        let options = SearchOptions {
            semantic,
            ..SearchOptions::default()
        };
        if let Some(answer) = rounds(index, files, |index| index.search(query, &options)) {
            assert!(answer.hits.len() <= options.limit, "more hits than asked for");
            for hit in &answer.hits {
                assert!(hit.score.is_finite(), "a score that is no number");
            }
            let display = Display::new(query, "/", 10);
            for (number, hit) in answer.hits.iter().enumerate() {
                let shown = map(&hit.metadata(), number, &display);
                in_text(&shown.content, &shown.marks.content);
                in_text(&shown.hierarchy.lvl1, &shown.marks.lvl1);
            }
        }
    }
    rounds(index, files, |index| index.alternatives(query, true));
}

/// Asks until nothing is missing; nothing if a file is refused.
fn rounds<T>(
    index: &mut Index,
    files: &[IndexFile],
    mut ask: impl FnMut(&mut Index) -> Step<T>,
) -> Option<T> {
    for _ in 0..8 {
        match ask(index) {
            Step::Ready(answer) => return Some(answer),
            Step::Needs(names) => {
                for name in names {
                    let file = files.iter().find(|file| file.name == name)?;
                    index.load(&file.name, &file.bytes).ok()?;
                }
            }
        }
    }
    panic!("an answer that needs more and more files");
}

fn in_text(text: &str, ranges: &[std::ops::Range<usize>]) {
    let mut end = 0;
    for range in ranges {
        assert!(
            range.start >= end && range.start < range.end,
            "marks out of order"
        );
        assert!(text.get(range.clone()).is_some(), "a mark outside of the text");
        end = range.end;
    }
}
