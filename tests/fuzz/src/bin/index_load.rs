//! Any bytes as one of the files of an index: refused, or answers that hold together. The first byte chooses the file.
//! Checksums do not count here, so that what lies behind them is reached.
#![no_main]

use std::sync::LazyLock;

use search_core::{Index, IndexFile};

static FILES: LazyLock<Vec<IndexFile>> = LazyLock::new(siftwren_fuzz::small_index);

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else {
        return;
    };
    let mut files = FILES.clone();
    let chosen = usize::from(*choice) % files.len();
    files[chosen].bytes = bytes.to_vec();
    let Ok(mut index) = Index::open(&files[0].bytes) else {
        return;
    };
    for query in ["ranking", "rnaking keys", "検索", "x-api-key th"] {
        siftwren_fuzz::ask(&mut index, &files, query);
    }
});
