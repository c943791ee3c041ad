//! Any text as a query.
#![no_main]

use std::cell::RefCell;

use search_core::{Index, IndexFile};

thread_local! {
    static INDEX: RefCell<(Vec<IndexFile>, Index)> = RefCell::new({
        let files = siftwren_fuzz::small_index();
        let index = Index::open(&files[0].bytes).expect("the writer's own bytes");
        (files, index)
    });
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let query = String::from_utf8_lossy(data);
    INDEX.with_borrow_mut(|(files, index)| {
        siftwren_fuzz::ask(index, files, &query);
        // Now and then everything is to be loaded anew.
        index.keep_at_most(data.len() * 16);
    });
});
