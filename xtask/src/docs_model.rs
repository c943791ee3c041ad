//! The documentation's own search: the search items of the site as a dataset, and a model over them.
//!
//! Only the public API is used, with the calls that any integrator would make.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::platform::Api;
use crate::process::digest;

/// The specification's name of the model (website, section 9).
pub(crate) const MODEL: &str = "siftwren_docs_search_model";
const DATASET: &str = "siftwren_docs";
/// Rows of one insert call.
const BATCH: usize = 500;
/// The columns that every item has.
const COLUMNS: [&str; 8] = [
    "item_id", "url", "folder", "header_1", "header_2", "header_3", "header_4", "body",
];
/// The `item_fields` of the text index, in the order of their weight: the title, the headings from the deepest on, what
/// the page says about itself, where it stands, the text. A file, because the tests of the search read it too.
const ITEM_FIELDS: &str = include_str!("../docs-item-fields.json");
/// Description and aliases of the page.
const ABOUT: &str = "about";
/// The vector of the section, where the site was built with vectors.
const EMBEDDING: &str = "embedding";

/// What an indexer's output has for the server: the table that turns queries into the vectors of its items, if the
/// site was built with vectors.
pub(crate) fn text_encoder(pages: &Path) -> Option<PathBuf> {
    Some(pages.join("query-table.fifu")).filter(|table| table.is_file())
}

/// Makes the dataset and the model hold exactly the items of an indexer's output; the server has to be started with
/// the [`text_encoder`] of the same output. `data_dir` remembers which items are loaded, so that an unchanged site
/// costs one call.
pub(crate) fn load(api: &Api, pages: &Path, data_dir: &Path) -> Result<()> {
    let items = pages.join("items.ndjson");
    let encoder = text_encoder(pages);
    let text = std::fs::read_to_string(&items).with_context(|| format!("cannot read {}", items.display()))?;
    let rows: Vec<Value> = text
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()
        .with_context(|| format!("{} is no NDJSON", items.display()))?;
    let has = |column: &str| {
        rows.iter()
            .any(|row| row.get(column).is_some_and(|value| !value.is_null()))
    };
    let shape = Shape {
        has_about: has(ABOUT),
        has_vectors: has(EMBEDDING) && encoder.is_some(),
    };
    let loaded = data_dir.join("docs-items");
    let inputs: Vec<&Path> = [Some(items.as_path()), encoder.as_deref()]
        .into_iter()
        .flatten()
        .collect();
    let digest = digest(
        &inputs,
        &[&shape.dataset().to_string(), &shape.model().to_string()],
    )?;
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

    api.post_ok("/datasets/", &shape.dataset())?;
    api.wait_until_active(&format!("/datasets/{DATASET}"))?;
    let columns = shape.columns();
    for batch in rows.chunks(BATCH) {
        let known = |row: &Value| -> Value {
            let cells = row.as_object().into_iter().flatten();
            cells
                .filter(|(column, _)| columns.contains(&column.as_str()))
                .map(|(column, value)| (column.clone(), value.clone()))
                .collect()
        };
        let data: Vec<Value> = batch.iter().map(known).collect();
        api.post_ok(&format!("/datasets/{DATASET}/insert"), &json!({ "data": data }))?;
    }
    api.post_ok("/models", &shape.model())?;
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

/// Which of the columns that an item may have are there.
struct Shape {
    has_about: bool,
    has_vectors: bool,
}

impl Shape {
    fn columns(&self) -> Vec<&'static str> {
        let mut columns = COLUMNS.to_vec();
        columns.extend(self.has_about.then_some(ABOUT));
        columns.extend(self.has_vectors.then_some(EMBEDDING));
        columns
    }

    fn dataset(&self) -> Value {
        let value_type = |column: &str| match column {
            EMBEDDING => "Array(Float64)",
            _ => "String",
        };
        let schema: serde_json::Map<String, Value> = self
            .columns()
            .into_iter()
            .map(|column| (column.to_owned(), json!(value_type(column))))
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

    fn model(&self) -> Value {
        let columns = self.columns();
        let mut texts: Vec<&str> =
            serde_json::from_str(ITEM_FIELDS).expect("docs-item-fields.json is a list of texts");
        texts.retain(|column| columns.contains(column));
        let mut text_index = json!({ "item_fields": texts });
        if self.has_vectors {
            text_index["embedding_field"] = json!(EMBEDDING);
        }
        json!({
            "model": {
                "name": MODEL,
                "description": "Search in the documentation",
                "text_index": text_index,
            },
            "connectors": [{ "type": "Dataset", "id": "docs", "name": DATASET }],
            "fetch": {
                // Nobody's reading is recorded, so the interactions are an empty table of the right shape.
                "events": "SELECT item_id AS user_id, item_id, 1 AS label, CAST(NULL AS TIMESTAMP) AS created_at \
                           FROM docs WHERE FALSE",
                "items": format!("SELECT {} FROM docs", columns.join(", ")),
            },
        })
    }
}
