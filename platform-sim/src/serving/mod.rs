//! The files of a trained version: how they are made ([`build`]) and how they answer ([`ServingModel`]).
//!
//! ```text
//! manifest.json       what is here, with digests; checked before anything else is opened
//! items.arrow         one row per item in the order of item ids: the id, the columns of the items, DERIVED_COLUMNS
//! users.arrow         one row per user in the order of user ids: the id, the columns of the users
//! histories.bin       the interactions of each user
//! policy-N.policy     a trained policy
//! hidden.arrow        the items of fetch.global_filters, if there is such a statement
//! personal.arrow      the users and items of fetch.personal_filters, if there is such a statement
//! filter-N.arrow      the same of a filter with a name
//! text/, user-text/   the text indexes, if the model has any: document n is row n of items.arrow or users.arrow
//! vectors.arrow       the vectors of the text index, if it has them: row n is that of row n of items.arrow
//! embedding-NAME-items.arrow, embedding-NAME-users.arrow   the vectors of texts, in the order of the rows
//! ```

mod build;
pub(crate) mod columns;
mod ensemble;
pub(crate) mod evaluate;
mod fit;
pub(crate) mod online;
mod prepare;
mod query;
mod text_vectors;
pub(crate) mod tune;

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use datafusion::arrow::array::{Array, AsArray, RecordBatch};
use datafusion::arrow::compute::concat_batches;
use datafusion::arrow::datatypes::Int32Type;
use datafusion::arrow::ipc::reader::FileReader;
use datafusion::arrow::ipc::writer::FileWriter;
use recsys::{Features, Histories, Ids, Interaction, Matrix, NumberSet, Recommender};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub(crate) use self::build::{UnusableRows, build};
use self::columns::text_column;
pub(crate) use self::fit::Chosen;
use self::online::OnlineUsers;
pub(crate) use self::prepare::{Fetched, Prepared};
use crate::hybrid::HybridSearch;
use crate::item_vectors::ItemVectors;
use crate::service::domain::{Embedding, EmbeddingEncoder, FilterKind, ModelFeatures, Tokenizer};
use crate::service::inference::model::{DERIVED_COLUMNS, INTERACTION_COUNT, InferenceModel};
use crate::service::inference::shortcuts::Shortcuts;
use crate::service::rows::{Row, cell};
use crate::service::text_search::TextSearch;
use crate::text_encoder::TextEncoder;
use crate::text_index::TextIndex;

const FORMAT: &str = "siftwren model 5";
const MANIFEST: &str = "manifest.json";
const ITEMS: &str = "items.arrow";
const USERS: &str = "users.arrow";
const HISTORIES: &str = "histories.bin";
const HIDDEN: &str = "hidden.arrow";
const PERSONAL: &str = "personal.arrow";
const VECTORS: &str = "vectors.arrow";
const ITEM_TEXT: &str = "text";
const USER_TEXT: &str = "user-text";

#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    format: String,
    /// The rules by which texts were cut into words; an index of other rules answers wrongly.
    analyzer_version: u32,
    text_fields: Vec<String>,
    user_text_fields: Vec<String>,
    tokenizer: Tokenizer,
    /// The SHA-256 of each file.
    files: BTreeMap<String, String>,
    policies: Vec<PolicyEntry>,
    /// Value models over the policies, by name.
    ensembles: BTreeMap<String, String>,
    embeddings: Vec<Embedding>,
    /// The encoder of the embeddings of texts, if there are any.
    text_encoder: Option<String>,
    filters: Vec<FilterEntry>,
    features: ModelFeatures,
    vectors: Option<VectorsManifest>,
}

#[derive(Debug, Serialize, Deserialize)]
struct PolicyEntry {
    /// `None` for what no configuration names.
    name: Option<String>,
    policy_type: String,
    /// Whether it learnt from some of the events only.
    partial: bool,
    file: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct FilterEntry {
    name: String,
    kind: FilterKind,
    file: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct VectorsManifest {
    sha256: String,
    /// The encoder whose vectors these can be compared with. Vectors of two encoders compare silently and wrongly.
    encoder_sha256: String,
}

/// A version that answers.
pub(crate) struct ServingModel {
    items: RecordBatch,
    item_ids: Ids,
    users: RecordBatch,
    user_ids: Ids,
    histories: Histories,
    /// The number of interactions of each item.
    counts: Vec<u32>,
    policies: Vec<ServingPolicy>,
    ensembles: BTreeMap<String, String>,
    embeddings: Vec<ServingEmbedding>,
    encoder: Option<Arc<TextEncoder>>,
    features: ModelFeatures,
    hidden: Option<NumberSet>,
    personal: HashMap<String, Vec<u32>>,
    filters: Vec<ServingFilter>,
    text: Option<HybridSearch>,
    user_text: Option<HybridSearch>,
    lacks_vectors: Option<&'static str>,
    online: Arc<OnlineUsers>,
    shortcuts: Shortcuts,
}

struct ServingPolicy {
    name: Option<String>,
    policy_type: String,
    partial: bool,
    policy: Box<dyn Recommender>,
}

struct ServingEmbedding {
    name: String,
    vectors: EmbeddingVectors,
}

enum EmbeddingVectors {
    /// Those of the policy at this place of [`ServingModel::policies`].
    OfPolicy(usize),
    OfTexts {
        items: Matrix,
        users: Option<Matrix>,
    },
}

struct ServingFilter {
    name: String,
    items: LeftOut,
}

/// Items that a filter leaves out.
enum LeftOut {
    Global { set: NumberSet, numbers: Vec<u32> },
    Personal(HashMap<String, Vec<u32>>),
}

impl ServingModel {
    /// Opens a version. Without the encoder that it was built with it searches by words only: see
    /// [`ServingModel::lacks_vectors`]. `online` is what came in since, of the same model.
    pub(crate) fn open(
        directory: &Path,
        encoder: Option<&Arc<TextEncoder>>,
        online: Arc<OnlineUsers>,
    ) -> anyhow::Result<ServingModel> {
        let manifest = fs::read(directory.join(MANIFEST)).context("cannot read manifest.json")?;
        // The format first: other formats have other fields.
        let format: serde_json::Value =
            serde_json::from_slice(&manifest).context("manifest.json does not read")?;
        if format["format"] != FORMAT {
            bail!(
                "the files have the format {}, this server reads '{FORMAT}'",
                format["format"]
            );
        }
        let manifest: Manifest = serde_json::from_slice(&manifest).context("manifest.json does not read")?;
        let analyzer_version = search_core::analysis::ANALYZER_VERSION;
        if manifest.analyzer_version != analyzer_version {
            bail!(
                "the texts were analysed by version {}, this server has {analyzer_version}",
                manifest.analyzer_version
            );
        }
        for (file, expected) in &manifest.files {
            if digest(&directory.join(file))? != *expected {
                bail!("{file} is damaged");
            }
        }
        let items = read_rows(&directory.join(ITEMS))?;
        let users = read_rows(&directory.join(USERS))?;
        let item_ids = ids_of(&items, "item_id")?;
        let user_ids = ids_of(&users, "user_id")?;
        let counts = items
            .column_by_name(INTERACTION_COUNT)
            .and_then(|column| column.as_primitive_opt::<Int32Type>())
            .context("items.arrow has no counts")?
            .values()
            .iter()
            .map(|count| u32::try_from(*count).unwrap_or(u32::MAX))
            .collect();
        let mut buffer = FileBuffer::default();
        let histories = Histories::load(buffer.read(&directory.join(HISTORIES))?)?;
        if histories.len() != user_ids.len() {
            bail!(
                "{HISTORIES} is of {} users, there are {}",
                histories.len(),
                user_ids.len()
            );
        }
        let policies = open_policies(directory, &manifest, item_ids.len(), &mut buffer)?;
        drop(buffer);
        let embeddings = open_embeddings(directory, &manifest, &policies, item_ids.len(), user_ids.len())?;
        let own_encoder = match (&manifest.text_encoder, encoder) {
            (Some(wanted), Some(encoder)) if encoder.digest() == wanted => Some(Arc::clone(encoder)),
            _ => None,
        };
        let mut filters = Vec::new();
        for entry in &manifest.filters {
            let rows = read_rows(&directory.join(&entry.file))?;
            filters.push(ServingFilter {
                name: entry.name.clone(),
                items: match entry.kind {
                    FilterKind::Global => {
                        let numbers = build::numbers(&rows)?;
                        let set = NumberSet::new(numbers.iter().copied());
                        LeftOut::Global { set, numbers }
                    }
                    FilterKind::Personal => LeftOut::Personal(build::by_user(&rows)?),
                },
            });
        }
        let hidden = if manifest.files.contains_key(HIDDEN) {
            let rows = read_rows(&directory.join(HIDDEN))?;
            Some(NumberSet::new(build::numbers(&rows)?))
        } else {
            None
        };
        let personal = if manifest.files.contains_key(PERSONAL) {
            build::by_user(&read_rows(&directory.join(PERSONAL))?)?
        } else {
            HashMap::new()
        };
        let index = |name: &str, fields: &[String]| -> anyhow::Result<Option<TextIndex>> {
            if fields.is_empty() {
                return Ok(None);
            }
            let index = TextIndex::open(&directory.join(name), fields.len(), &manifest.tokenizer)?;
            Ok(Some(index))
        };
        let mut lacks_vectors = match (&manifest.text_encoder, &own_encoder) {
            (Some(_), None) => {
                Some("its embeddings of texts belong to another text encoder, or there is none")
            }
            _ => None,
        };
        let text = match index(ITEM_TEXT, &manifest.text_fields)? {
            None => None,
            Some(words) => {
                let meaning = match (&manifest.vectors, encoder) {
                    (None, _) => None,
                    (Some(vectors), Some(encoder)) if vectors.encoder_sha256 == encoder.digest() => {
                        let vectors =
                            read_vectors(directory, vectors, items.num_rows(), encoder.dimensions())?;
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
            }
        };
        let user_text =
            index(USER_TEXT, &manifest.user_text_fields)?.map(|words| HybridSearch::new(words, None));
        Ok(ServingModel {
            items,
            item_ids,
            users,
            user_ids,
            histories,
            counts,
            policies,
            ensembles: manifest.ensembles,
            embeddings,
            encoder: own_encoder,
            features: manifest.features,
            hidden,
            personal,
            filters,
            text,
            user_text,
            lacks_vectors,
            online,
            shortcuts: Shortcuts::default(),
        })
    }

    /// Why a model that was trained with vectors searches without them.
    pub(crate) fn lacks_vectors(&self) -> Option<&'static str> {
        self.lacks_vectors
    }
}

impl InferenceModel for ServingModel {
    fn items(&self) -> &Ids {
        &self.item_ids
    }

    fn users(&self) -> &Ids {
        &self.user_ids
    }

    fn item_columns(&self) -> &RecordBatch {
        &self.items
    }

    fn user_columns(&self) -> &RecordBatch {
        &self.users
    }

    fn interaction_counts(&self) -> &[u32] {
        &self.counts
    }

    fn shortcuts(&self) -> Option<&Shortcuts> {
        Some(&self.shortcuts)
    }

    fn policy(&self, name: &str) -> Option<&dyn Recommender> {
        // What knows everything first, and what has a name before what the platform added.
        let of_type = self.policies.iter().filter(|policy| policy.policy_type == name);
        let best = of_type.min_by_key(|policy| policy.partial);
        best.map(|policy| &*policy.policy)
    }

    fn history(&self, user: &str) -> Vec<Interaction> {
        let number = self.user_ids.number(user);
        let trained = number.map_or_else(Vec::new, |number| self.histories.of(number));
        let mut history = trained.clone();
        let online = self.online.of(user);
        for event in &online {
            let Some(replaces) = event.replaces else { continue };
            let item = self.item_ids.number(&event.item);
            history.retain(|seen| {
                let equal = (!replaces.same_item || item == Some(seen.item))
                    && (!replaces.same_time || seen.time == event.time)
                    && (!replaces.same_label || seen.label == given_label(event.label));
                !equal
            });
        }
        for event in online {
            let Some(item) = self.item_ids.number(&event.item) else {
                continue;
            };
            if event.replaces.is_some() {
                history.push(Interaction {
                    item,
                    label: given_label(event.label),
                    time: event.time,
                });
                continue;
            }
            // The training may have seen it by now.
            let known = trained
                .iter()
                .rev()
                .take_while(|seen| seen.time >= event.time)
                .any(|seen| seen.time == event.time && seen.item == item);
            if !known {
                history.push(Interaction {
                    item,
                    label: given_label(event.label),
                    time: event.time,
                });
            }
        }
        history.sort_by_key(|interaction| interaction.time);
        history
    }

    fn hidden(&self) -> Option<&NumberSet> {
        self.hidden.as_ref()
    }

    fn hidden_from(&self, user: &str) -> Vec<u32> {
        self.personal.get(user).cloned().unwrap_or_default()
    }

    fn left_out(&self, user: Option<&str>) -> Vec<u32> {
        let named = self.filters.iter().filter_map(|filter| match &filter.items {
            LeftOut::Global { numbers, .. } => Some(numbers),
            LeftOut::Personal(users) => users.get(user?),
        });
        named.flatten().copied().collect()
    }

    fn item_metadata(&self, item: u32) -> Row {
        let mut row = metadata(&self.items, item);
        for derived in DERIVED_COLUMNS {
            row.remove(derived);
        }
        row
    }

    fn user_metadata(&self, user: u32) -> Row {
        metadata(&self.users, user)
    }

    fn text_search(&self) -> Option<&dyn TextSearch> {
        self.text.as_ref().map(|text| text as &dyn TextSearch)
    }

    fn item_features(&self, rows: &RecordBatch) -> Features {
        read_features(rows, &self.features.items)
    }

    fn user_features(&self, rows: &RecordBatch) -> Features {
        read_features(rows, &self.features.users)
    }
}

/// A missing label counts as 1, as in a training.
fn given_label(label: f32) -> f32 {
    if label.is_nan() { 1.0 } else { label }
}

/// Columns of other types than the training's have no meaning to it: such rows are as good as empty ones.
fn read_features(rows: &RecordBatch, types: &[crate::service::domain::FeatureColumn]) -> Features {
    columns::features(rows, types).unwrap_or_else(|error| {
        tracing::warn!(%error, "features of a request do not read");
        Features::new(rows.num_rows())
    })
}

/// Holds one file after the other. Buffers of tens of megabytes that come and go leave holes that the allocator of
/// glibc keeps: at a million items a twenty-fifth of the memory of the server.
#[derive(Default)]
struct FileBuffer(Vec<u8>);

impl FileBuffer {
    fn read(&mut self, path: &Path) -> anyhow::Result<&[u8]> {
        let mut file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
        self.0.clear();
        let length = usize::try_from(file.metadata()?.len())?;
        self.0.reserve_exact(length);
        file.read_to_end(&mut self.0)
            .with_context(|| format!("cannot read {}", path.display()))?;
        Ok(&self.0)
    }
}

fn metadata(rows: &RecordBatch, number: u32) -> Row {
    let number = number as usize;
    if number >= rows.num_rows() {
        return Row::new();
    }
    let schema = rows.schema_ref();
    let columns = schema.fields().iter().zip(rows.columns());
    columns
        .map(|(field, column)| (field.name().clone(), cell(field, column, number)))
        .collect()
}

fn open_policies(
    directory: &Path,
    manifest: &Manifest,
    items: usize,
    buffer: &mut FileBuffer,
) -> anyhow::Result<Vec<ServingPolicy>> {
    let entries = manifest.policies.iter();
    entries
        .map(|entry| {
            let policy = recsys::load(buffer.read(&directory.join(&entry.file))?)?;
            if policy.items() != items {
                bail!("{} knows {} items, there are {items}", entry.file, policy.items());
            }
            Ok(ServingPolicy {
                name: entry.name.clone(),
                policy_type: entry.policy_type.clone(),
                partial: entry.partial,
                policy,
            })
        })
        .collect()
}

fn open_embeddings(
    directory: &Path,
    manifest: &Manifest,
    policies: &[ServingPolicy],
    items: usize,
    users: usize,
) -> anyhow::Result<Vec<ServingEmbedding>> {
    let vectors = |name: &str, whose: &str, rows: usize| -> anyhow::Result<Option<Matrix>> {
        let file = text_vectors::file(name, whose);
        if !manifest.files.contains_key(&file) {
            return Ok(None);
        }
        let vectors = text_vectors::read(&read_rows(&directory.join(&file))?)?;
        if vectors.rows() != rows {
            bail!("{file} has {} vectors, wanted are {rows}", vectors.rows());
        }
        Ok(Some(vectors))
    };
    let embeddings = manifest.embeddings.iter();
    embeddings
        .map(|embedding| {
            let name = &embedding.name;
            let vectors = match &embedding.encoder {
                EmbeddingEncoder::Policy(policy) => {
                    let place = policies
                        .iter()
                        .position(|known| known.name.as_ref() == Some(policy));
                    EmbeddingVectors::OfPolicy(
                        place.with_context(|| format!("the policy {policy} is not among the files"))?,
                    )
                }
                EmbeddingEncoder::Text { .. } => {
                    let users = vectors(name, "users", users)?;
                    let width = users.as_ref().map_or(0, Matrix::columns);
                    EmbeddingVectors::OfTexts {
                        // Without columns of items no item has a vector.
                        items: vectors(name, "items", items)?.unwrap_or_else(|| Matrix::zeros(items, width)),
                        users,
                    }
                }
            };
            Ok(ServingEmbedding {
                name: name.clone(),
                vectors,
            })
        })
        .collect()
}

fn ids_of(rows: &RecordBatch, name: &str) -> anyhow::Result<Ids> {
    let column = text_column(rows, name)?;
    // Else the number of an id would not be that of its row.
    let given = (0..column.len()).map(|row| column.value(row));
    Ids::in_order(given)
        .filter(|_| column.null_count() == 0)
        .with_context(|| format!("the rows are not in the order of {name}"))
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

/// A label as models take it: NaN for a missing one.
pub(crate) fn finite_label(label: Option<f64>) -> f32 {
    label
        .map(|label| label as f32)
        .filter(|label| label.is_finite())
        .unwrap_or(f32::NAN)
}

fn digest(path: &Path) -> anyhow::Result<String> {
    let mut hasher = Sha256::new();
    let mut file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    std::io::copy(&mut file, &mut hasher)?;
    Ok(crate::hex(&hasher.finalize()))
}
