//! Any text as a page of a site, under both schemas: diagnostics at worst.
#![no_main]

use indexer::front_matter::Schema;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((choice, text)) = data.split_first() else {
        return;
    };
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    let schema = if choice & 1 == 0 {
        Schema::Siftwren
    } else {
        Schema::Foreign
    };
    siftwren_fuzz::build_page(text, schema);
});
