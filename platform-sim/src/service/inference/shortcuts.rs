//! What is worked out once for a version that serves, when it is first wanted, and not for every request.

use std::sync::OnceLock;

use recsys::pipeline::ColdItems;

use super::columns::JsonPaths;

/// Belongs to one version: its items and users never change.
#[derive(Debug, Default)]
pub(crate) struct Shortcuts {
    cold: OnceLock<ColdItems>,
    pub(crate) item_paths: JsonPaths,
    pub(crate) user_paths: JsonPaths,
}

impl Shortcuts {
    /// The items by how rarely they were taken; `counts` by item.
    pub(crate) fn cold(&self, counts: &[u32]) -> &ColdItems {
        self.cold.get_or_init(|| ColdItems::new(counts))
    }
}
