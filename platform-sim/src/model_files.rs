//! The files of a trained version: how they are made and how they answer.
//!
//! ```text
//! manifest.json   what is here, with digests; checked before anything else is opened
//! items.arrow     one row per item in the order of item ids; the first column is the number of its events
//! text/           the text index, if the model has one: document n is row n of items.arrow
//! vectors.arrow   the vectors of the text index, if it has them: row n is that of row n of items.arrow
//! ```

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use anyhow::{Context, bail};
use datafusion::arrow::array::{Array, ArrayRef, AsArray, Int64Array, RecordBatch, StringArray, UInt32Array};
use datafusion::arrow::compute::{cast, concat_batches, take_record_batch};
use datafusion::arrow::datatypes::{DataType, Field, Int64Type, Schema};
use datafusion::arrow::ipc::reader::FileReader;
use datafusion::arrow::ipc::writer::FileWriter;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::sync::Arc;

use crate::hybrid::HybridSearch;
use crate::item_vectors::ItemVectors;
use crate::service::rows::cell;
use crate::service::text_search::TextSearch;
use crate::text_encoder::TextEncoder;
use crate::text_index::{self, TextIndex};

const VECTORS: &str = "vectors.arrow";

const FORMAT: &str = "siftwren model 2";

#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    format: String,
    /// The rules by which texts were cut into words; an index of other rules answers wrongly.
    analyzer_version: u32,
    text_fields: Vec<String>,
    items_sha256: String,
    vectors: Option<VectorsManifest>,
}

#[derive(Debug, Serialize, Deserialize)]
struct VectorsManifest {
    sha256: String,
    /// The encoder whose vectors these can be compared with. Vectors of two encoders compare silently and wrongly.
    encoder_sha256: String,
}

/// Builds a version in an empty directory from the rows that the fetch statements gave.
/// Fails with [`UnusableRows`] when the data cannot make a model.
pub(crate) fn build(
    directory: &Path,
    events: &RecordBatch,
    items: Option<&RecordBatch>,
    text_fields: &[String],
    embedding: Option<&(String, Arc<TextEncoder>)>,
) -> anyhow::Result<()> {
    let mut event_counts: HashMap<String, i64> = HashMap::new();
    for item in text_column(events, "item_id")?.iter().flatten() {
        *event_counts.entry(item.to_owned()).or_default() += 1;
    }
    let items = match items {
        Some(items) => distinct_items(items)?,
        None => items_of_events(&event_counts)?,
    };
    let ids = text_column(&items, "item_id")?;
    let counts: Int64Array = ids
        .iter()
        .map(|id| id.and_then(|id| event_counts.get(id)).copied().or(Some(0)))
        .collect();

    let mut fields = vec![Arc::new(Field::new("events", DataType::Int64, false))];
    let mut columns: Vec<ArrayRef> = vec![Arc::new(counts)];
    let items_schema = items.schema();
    for (field, column) in items_schema.fields().iter().zip(items.columns()) {
        // Vectors have a file of their own: in the metadata of a hit nobody could read them.
        if embedding.is_none_or(|(name, _)| field.name() != name) {
            fields.push(Arc::clone(field));
            columns.push(Arc::clone(column));
        }
    }
    let stored = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)?;
    let path = directory.join("items.arrow");
    write_rows(&path, &stored)?;

    if !text_fields.is_empty() {
        let texts: Vec<StringArray> = text_fields
            .iter()
            .map(|field| text_column(&items, field))
            .collect::<anyhow::Result<_>>()?;
        let text_directory = directory.join("text");
        fs::create_dir(&text_directory)?;
        let documents = (0..items.num_rows()).map(|row| {
            texts
                .iter()
                .map(|column| {
                    if column.is_null(row) {
                        ""
                    } else {
                        column.value(row)
                    }
                })
                .collect()
        });
        text_index::build(&text_directory, text_fields.len(), documents)?;
    }

    let vectors = embedding
        .map(|(field, encoder)| write_vectors(directory, &items, &ids, field, encoder))
        .transpose()?;
    let manifest = Manifest {
        format: FORMAT.to_owned(),
        analyzer_version: search_core::analysis::ANALYZER_VERSION,
        text_fields: text_fields.to_vec(),
        items_sha256: digest(&path)?,
        vectors,
    };
    fs::write(
        directory.join("manifest.json"),
        serde_json::to_vec_pretty(&manifest)?,
    )?;
    Ok(())
}

fn write_vectors(
    directory: &Path,
    items: &RecordBatch,
    ids: &StringArray,
    field: &str,
    encoder: &TextEncoder,
) -> anyhow::Result<VectorsManifest> {
    let column = items
        .column_by_name(field)
        .with_context(|| format!("the column {field} is missing"))?;
    let vectors = ItemVectors::from_column(column, |row| ids.value(row).to_owned(), encoder.dimensions())?;
    let path = directory.join(VECTORS);
    write_rows(&path, &vectors.to_batch()?)?;
    Ok(VectorsManifest {
        sha256: digest(&path)?,
        encoder_sha256: encoder.digest().to_owned(),
    })
}

/// The rows cannot make a model; the sentence is for its owner.
#[derive(Debug)]
pub(crate) struct UnusableRows(pub(crate) String);

impl std::fmt::Display for UnusableRows {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for UnusableRows {}

/// A version that answers.
pub(crate) struct ServingModel {
    items: RecordBatch,
    ids: StringArray,
    /// Rows of `items`, those with the most events first, equal ones by item id.
    by_popularity: Vec<usize>,
    text: Option<HybridSearch>,
    lacks_vectors: Option<&'static str>,
}

impl ServingModel {
    /// Opens a version. Without the encoder that it was built with it searches by words only: see
    /// [`ServingModel::lacks_vectors`].
    pub(crate) fn open(directory: &Path, encoder: Option<&Arc<TextEncoder>>) -> anyhow::Result<ServingModel> {
        let manifest = fs::read(directory.join("manifest.json")).context("cannot read manifest.json")?;
        let manifest: Manifest = serde_json::from_slice(&manifest).context("manifest.json does not read")?;
        if manifest.format != FORMAT {
            bail!(
                "the files have the format '{}', this server reads '{FORMAT}'",
                manifest.format
            );
        }
        let analyzer_version = search_core::analysis::ANALYZER_VERSION;
        if manifest.analyzer_version != analyzer_version {
            bail!(
                "the texts were analysed by version {}, this server has {analyzer_version}",
                manifest.analyzer_version
            );
        }
        let path = directory.join("items.arrow");
        if digest(&path)? != manifest.items_sha256 {
            bail!("items.arrow is damaged");
        }
        let items = read_rows(&path)?;
        let ids = text_column(&items, "item_id")?;
        let counts = items.column(0).as_primitive::<Int64Type>();
        let mut by_popularity: Vec<usize> = (0..items.num_rows()).collect();
        by_popularity.sort_by_key(|row| std::cmp::Reverse(counts.value(*row)));
        let mut lacks_vectors = None;
        let text = if manifest.text_fields.is_empty() {
            None
        } else {
            let words = TextIndex::open(&directory.join("text"), manifest.text_fields.len())?;
            let meaning = match (&manifest.vectors, encoder) {
                (None, _) => None,
                (Some(vectors), Some(encoder)) if vectors.encoder_sha256 == encoder.digest() => {
                    let vectors = read_vectors(directory, vectors, items.num_rows(), encoder.dimensions())?;
                    Some((vectors, Arc::clone(encoder)))
                }
                (Some(_), Some(_)) => {
                    lacks_vectors = Some("its vectors belong to another text encoder");
                    None
                }
                (Some(_), None) => {
                    lacks_vectors = Some("the server was started without --text-encoder");
                    None
                }
            };
            Some(HybridSearch::new(words, meaning))
        };
        Ok(ServingModel {
            items,
            ids,
            by_popularity,
            text,
            lacks_vectors,
        })
    }

    /// The items with the most events and their numbers of events.
    pub(crate) fn popular(&self, limit: usize) -> Vec<(usize, f32)> {
        let counts = self.items.column(0).as_primitive::<Int64Type>();
        self.by_popularity
            .iter()
            .take(limit)
            .map(|row| (*row, counts.value(*row) as f32))
            .collect()
    }

    /// The search in its texts; `None` if the model has no text index.
    pub(crate) fn text_search(&self) -> Option<&dyn TextSearch> {
        self.text.as_ref().map(|text| text as &dyn TextSearch)
    }

    /// Why a model that was trained with vectors searches without them.
    pub(crate) fn lacks_vectors(&self) -> Option<&'static str> {
        self.lacks_vectors
    }

    pub(crate) fn id(&self, row: usize) -> &str {
        self.ids.value(row)
    }

    /// The item's columns.
    pub(crate) fn metadata(&self, row: usize) -> Map<String, Value> {
        let schema = self.items.schema_ref();
        let columns = schema.fields().iter().zip(self.items.columns()).skip(1);
        columns
            .map(|(field, column)| (field.name().clone(), cell(field, column, row)))
            .collect()
    }
}

fn read_vectors(
    directory: &Path,
    manifest: &VectorsManifest,
    rows: usize,
    dimensions: usize,
) -> anyhow::Result<ItemVectors> {
    let path = directory.join(VECTORS);
    if digest(&path)? != manifest.sha256 {
        bail!("{VECTORS} is damaged");
    }
    let batch = read_rows(&path)?;
    let vectors = ItemVectors::from_batch(&batch)?;
    if batch.num_rows() != rows || vectors.dimensions() != dimensions {
        bail!(
            "{VECTORS} has {} vectors of {} dimensions; there are {rows} items and the encoder has {dimensions}",
            batch.num_rows(),
            vectors.dimensions()
        );
    }
    Ok(vectors)
}

fn write_rows(path: &Path, rows: &RecordBatch) -> anyhow::Result<()> {
    let mut writer = FileWriter::try_new_buffered(File::create(path)?, &rows.schema())?;
    writer.write(rows)?;
    writer.finish()?;
    Ok(())
}

/// All rows of an Arrow file.
pub(crate) fn read_rows(path: &Path) -> anyhow::Result<RecordBatch> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let reader = FileReader::try_new(BufReader::new(file), None)?;
    let schema = reader.schema();
    let batches = reader.collect::<Result<Vec<_>, _>>()?;
    Ok(concat_batches(&schema, &batches)?)
}

/// A column as text, whatever its type; list cells read as their elements with spaces between.
fn text_column(rows: &RecordBatch, name: &str) -> anyhow::Result<StringArray> {
    // The events column of a stored version stands before the items' own, so the last of that name is the item's.
    let schema = rows.schema_ref();
    let index = schema.fields().iter().rposition(|field| field.name() == name);
    let column = rows.column(index.with_context(|| format!("the column {name} is missing"))?);
    if let DataType::List(_) = column.data_type() {
        let lists = column.as_list::<i32>();
        return lists
            .iter()
            .map(|list| -> anyhow::Result<Option<String>> {
                let Some(list) = list else { return Ok(None) };
                let words = cast(&list, &DataType::Utf8)?;
                Ok(Some(
                    words
                        .as_string::<i32>()
                        .iter()
                        .flatten()
                        .collect::<Vec<_>>()
                        .join(" "),
                ))
            })
            .collect();
    }
    Ok(cast(column, &DataType::Utf8)?.as_string::<i32>().clone())
}

/// Items in the order of their ids, each id once: of several rows the last.
fn distinct_items(items: &RecordBatch) -> anyhow::Result<RecordBatch> {
    let ids = text_column(items, "item_id")?;
    let mut last_rows: HashMap<&str, u32> = HashMap::with_capacity(ids.len());
    for (row, id) in ids.iter().enumerate() {
        let id = id.ok_or_else(|| {
            let row = row + 1;
            UnusableRows(format!(
                "fetch.items gives no item_id in row {row}; leave such rows out with WHERE item_id IS NOT NULL"
            ))
        })?;
        last_rows.insert(
            id,
            u32::try_from(row).context("fetch.items gives more rows than this server holds")?,
        );
    }
    let mut order: Vec<(&str, u32)> = last_rows.into_iter().collect();
    order.sort_unstable();
    let rows: UInt32Array = order.into_iter().map(|(_, row)| row).collect();
    Ok(take_record_batch(items, &rows)?)
}

fn items_of_events(event_counts: &HashMap<String, i64>) -> anyhow::Result<RecordBatch> {
    let mut ids: Vec<&str> = event_counts.keys().map(String::as_str).collect();
    ids.sort_unstable();
    let column: ArrayRef = Arc::new(StringArray::from(ids));
    Ok(RecordBatch::try_from_iter_with_nullable([(
        "item_id", column, true,
    )])?)
}

fn digest(path: &Path) -> anyhow::Result<String> {
    let mut hasher = Sha256::new();
    let mut file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    std::io::copy(&mut file, &mut hasher)?;
    Ok(crate::hex(&hasher.finalize()))
}
