//! Making the rows of an AI_ENRICHMENT transform: every row of its source once more, with the columns that a provider
//! writes. Answers that cost something are kept by what was asked, so only new and changed rows are asked for again,
//! and a crash loses none that was paid for.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use anyhow::anyhow;
use datafusion::arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, StringArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::ipc::reader::FileReader;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::JobError;
use crate::platform::Platform;
use crate::service::domain::{Enrichment, Schema, Transform, TransformStatus};
use crate::service::enrichment::{Outputs, Provider, provider};
use crate::service::rows::{arrow_schema, cell};
use crate::store::parquet::BatchFile;

/// Rows that are enriched, and whose answers are kept, at a time.
const BATCH_ROWS: usize = 64;

/// The statement that reads what an enrichment needs.
pub(super) fn statement(enrichment: &Enrichment) -> String {
    let quoted = |name: &String| format!("\"{}\"", name.replace('"', "\"\""));
    let mut columns: Vec<String> = Vec::new();
    for column in enrichment.kept.iter().chain(&enrichment.columns) {
        let column = quoted(column);
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    format!(
        "SELECT {} FROM {}",
        columns.join(", "),
        quoted(&enrichment.source)
    )
}

/// Writes the enriched rows of the Arrow file `input` to the row file `output`; their number, or `None` when the
/// transform went away meanwhile. Blocks.
pub(super) fn run(
    platform: &Platform,
    transform: &Transform,
    enrichment: &Enrichment,
    input: &Path,
    output: &Path,
) -> Result<Option<usize>, JobError> {
    let provider = provider(&platform.options);
    let reader = FileReader::try_new(BufReader::new(File::open(input)?), None)
        .map_err(|error| JobError::Internal(error.into()))?;
    let mut file = BatchFile::create(output, &transform.schema)?;
    let mut rows = 0;
    for batch in reader {
        let batch = batch.map_err(|error| JobError::Internal(error.into()))?;
        let mut start = 0;
        while start < batch.num_rows() {
            let part = batch.slice(start, BATCH_ROWS.min(batch.num_rows() - start));
            start += part.num_rows();
            if is_gone(platform, transform.id)? {
                return Ok(None);
            }
            let written = enrich(platform, transform.id, enrichment, provider.as_ref(), &part)?;
            file.write(&with_outputs(&part, &transform.schema, enrichment, &written)?)?;
            rows += part.num_rows();
        }
    }
    file.finish()?;
    Ok(Some(rows))
}

fn is_gone(platform: &Platform, id: i64) -> Result<bool, JobError> {
    let transform = wait(platform.transforms.transform_by_id(id))?;
    Ok(transform.is_none_or(|transform| transform.status == TransformStatus::Destroying))
}

fn wait<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Handle::current().block_on(work)
}

fn enrich(
    platform: &Platform,
    id: i64,
    enrichment: &Enrichment,
    provider: &dyn Provider,
    batch: &RecordBatch,
) -> Result<Vec<Outputs>, JobError> {
    let rows: Vec<Map<String, Value>> = (0..batch.num_rows())
        .map(|row| values(batch, row, &enrichment.columns))
        .collect();
    let Some(identity) = provider.identity() else {
        return provider.enrich(enrichment, &rows).map_err(JobError::Owner);
    };
    let digests: Vec<[u8; 32]> = rows
        .iter()
        .map(|row| digest(&identity, enrichment, row))
        .collect();
    let mut known: HashMap<[u8; 32], Outputs> = wait(platform.transforms.enriched(id, digests.clone()))?
        .into_iter()
        .collect();
    // Equal rows are asked for once.
    let mut asked: Vec<usize> = Vec::new();
    for (index, digest) in digests.iter().enumerate() {
        if !known.contains_key(digest) && asked.iter().all(|earlier| digests[*earlier] != *digest) {
            asked.push(index);
        }
    }
    let unknown: Vec<Map<String, Value>> = asked.iter().map(|index| rows[*index].clone()).collect();
    if !unknown.is_empty() {
        let answers = provider.enrich(enrichment, &unknown).map_err(JobError::Owner)?;
        let new: Vec<([u8; 32], Outputs)> = asked.iter().map(|index| digests[*index]).zip(answers).collect();
        known.extend(new.iter().cloned());
        wait(platform.transforms.keep_enriched(id, new))?;
    }
    digests
        .iter()
        .map(|digest| known.get(digest).cloned())
        .collect::<Option<Vec<Outputs>>>()
        .ok_or_else(|| JobError::Internal(anyhow!("the provider answered fewer rows than it was asked for")))
}

fn values(batch: &RecordBatch, row: usize, columns: &[String]) -> Map<String, Value> {
    let schema = batch.schema_ref();
    columns
        .iter()
        .filter_map(|name| {
            let index = schema.index_of(name).ok()?;
            let value = cell(schema.field(index), batch.column(index), row);
            Some((name.clone(), value))
        })
        .collect()
}

/// What decides on an answer.
fn digest(identity: &str, enrichment: &Enrichment, row: &Map<String, Value>) -> [u8; 32] {
    let asked = serde_json::json!([identity, enrichment.prompt, enrichment.outputs, row]);
    Sha256::digest(asked.to_string()).into()
}

fn with_outputs(
    batch: &RecordBatch,
    schema: &Schema,
    enrichment: &Enrichment,
    written: &[Outputs],
) -> Result<RecordBatch, JobError> {
    let target = arrow_schema(schema);
    let columns = target
        .fields()
        .iter()
        .enumerate()
        .map(|(position, field)| -> anyhow::Result<ArrayRef> {
            match position.checked_sub(enrichment.kept.len()) {
                None => {
                    let column = batch
                        .column_by_name(field.name())
                        .ok_or_else(|| anyhow!("the column {} is missing", field.name()))?;
                    Ok(cast(column, field.data_type())?)
                }
                Some(output) => {
                    let column: StringArray = written
                        .iter()
                        .map(|outputs| outputs.get(output).and_then(Option::as_deref))
                        .collect();
                    Ok(Arc::new(column))
                }
            }
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(target, columns, &options)
        .map_err(|error| JobError::Internal(error.into()))
}
