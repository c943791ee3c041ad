//! The documentation's own search: the search items of the site as a dataset, and a model over them.
//!
//! Only the public API is used, with the calls that any integrator would make.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::platform::Api;
use crate::process::digest;

/// The specification's name of the model (website, section 9).
pub(crate) const MODEL: &str = "siftwren_docs_search_model";
const DATASET: &str = "siftwren_docs";
/// Rows of one insert call.
const BATCH: usize = 500;
/// In the order of their weight in the text index.
const TEXT_COLUMNS: [&str; 6] = ["header_1", "header_4", "header_3", "header_2", "folder", "body"];

/// Makes the dataset and the model hold exactly these items. `data_dir` remembers which items are loaded, so that
/// an unchanged site costs one call.
pub(crate) fn load(api: &Api, items: &Path, data_dir: &Path) -> Result<()> {
    let loaded = data_dir.join("docs-items");
    let digest = digest(&[items], &[])?;
    let (status, details) = api.get(&format!("/models/{MODEL}"))?;
    if status == 200
        && details["status"] == "ACTIVE"
        && std::fs::read_to_string(&loaded).is_ok_and(|text| text == digest)
    {
        eprintln!("  up to date");
        return Ok(());
    }
    api.delete(&format!("/models/{MODEL}"))?;
    api.delete(&format!("/datasets/{DATASET}"))?;
    wait_until_gone(api, &format!("/models/{MODEL}"))?;
    wait_until_gone(api, &format!("/datasets/{DATASET}"))?;

    api.post_ok("/datasets/", &dataset())?;
    api.wait_until_active(&format!("/datasets/{DATASET}"))?;
    let text = std::fs::read_to_string(items).with_context(|| format!("cannot read {}", items.display()))?;
    let rows: Vec<Value> = text
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()
        .with_context(|| format!("{} is no NDJSON", items.display()))?;
    for batch in rows.chunks(BATCH) {
        api.post_ok(&format!("/datasets/{DATASET}/insert"), &json!({ "data": batch }))?;
    }
    api.post_ok("/models", &model())?;
    api.wait_until_active(&format!("/models/{MODEL}"))?;
    std::fs::write(&loaded, digest).with_context(|| format!("cannot write {}", loaded.display()))
}

fn wait_until_gone(api: &Api, path: &str) -> Result<()> {
    for _ in 0..400 {
        if api.get(path)?.0 == 404 {
            return Ok(());
        }
        std::thread::sleep(std::time::Duration::from_millis(25));
    }
    anyhow::bail!("{path} was deleted and is still there after 10 s")
}

fn dataset() -> Value {
    let columns = [
        "item_id", "url", "folder", "header_1", "header_2", "header_3", "header_4", "body",
    ];
    let schema: serde_json::Map<String, Value> = columns
        .iter()
        .map(|column| ((*column).to_owned(), json!("String")))
        .collect();
    json!({
        "name": DATASET,
        "schema_type": "CUSTOM",
        "deployment_type": "CUSTOM",
        "description": "Sections of the documentation",
        "column_schema": schema,
        "unique_keys": ["item_id"],
    })
}

fn model() -> Value {
    json!({
        "model": {
            "name": MODEL,
            "description": "Search in the documentation",
            "text_index": { "item_fields": TEXT_COLUMNS },
        },
        "connectors": [{ "type": "Dataset", "id": "docs", "name": DATASET }],
        "fetch": {
            // Nobody's reading is recorded, so the interactions are an empty table of the right shape.
            "events": "SELECT item_id AS user_id, item_id, 1 AS label, CAST(NULL AS TIMESTAMP) AS created_at \
                       FROM docs WHERE FALSE",
            "items": "SELECT item_id, url, folder, header_1, header_2, header_3, header_4, body FROM docs",
        },
    })
}
