//! Any text as the front matter of a page, under both schemas.
#![no_main]

use indexer::front_matter::{Schema, parse};
use indexer::source::Source;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let source = Source::new("page.md", "page.md", &format!("---\n{text}\n---\n"));
    for schema in [Schema::Siftwren, Schema::Foreign] {
        let (_, body_at, problems) = parse(&source, schema);
        assert!(
            source.text.is_char_boundary(body_at),
            "the body starts inside of a character"
        );
        for problem in problems {
            assert!(!problem.to_string().is_empty());
        }
    }
});
