//! How a version is made from the rows that the fetch statements gave.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use datafusion::arrow::array::{Array, ArrayRef, Int32Array, RecordBatch, StringArray, UInt32Array};
use datafusion::arrow::datatypes::{Field, Schema};
use recsys::{Dataset, Ids, Query, Recommender};

use super::columns::text_column;
use super::fit::{self, Chosen, Plan};
use super::prepare::{Prepared, column};
use super::text_vectors;
use super::{
    DERIVED_COLUMNS, FORMAT, FilterEntry, HIDDEN, HISTORIES, ITEM_TEXT, ITEMS, MANIFEST, Manifest, PERSONAL,
    PolicyEntry, USER_TEXT, USERS, VECTORS, VectorsManifest, digest, write_rows,
};
use crate::item_vectors::ItemVectors;
use crate::service::domain::{
    Embedding, EmbeddingEncoder, FilterKind, ModelConfig, PolicyKind, Tokenizer, TrainingReport,
};
use crate::service::inference::model::policies;
use crate::text_encoder::TextEncoder;
use crate::text_index;

/// The rows cannot make a model; the sentence is for its owner.
#[derive(Debug)]
pub(crate) struct UnusableRows(pub(crate) String);

impl std::fmt::Display for UnusableRows {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for UnusableRows {}

/// Builds a version in an empty directory. Fails with [`UnusableRows`] when the data cannot make a model, and with
/// recsys' own error of the kind `Stopped` once `stop` is set.
pub(crate) fn build(
    directory: &Path,
    prepared: &Prepared,
    chosen: &Chosen,
    encoder: Option<&Arc<TextEncoder>>,
    report: &mut TrainingReport,
    stop: &AtomicBool,
) -> anyhow::Result<()> {
    let Prepared { config, dataset, .. } = prepared;
    let ids = dataset.items();
    let mut files = Files::new(directory);
    let Trained {
        policies,
        embeddings,
        derived,
    } = train(&mut files, prepared, chosen, report, stop)?;
    let shown = with_derived(&prepared.shown, dataset, derived)?;
    files.rows(ITEMS, &shown)?;
    files.rows(USERS, &prepared.users)?;
    let plain = prepared.labels.learnt(dataset, &[]);
    let histories = plain.as_ref().unwrap_or(dataset).histories();
    files.bytes(HISTORIES, &histories.save())?;
    if let Some(rows) = &prepared.filters.global {
        files.rows(HIDDEN, &hidden(rows, ids)?)?;
    }
    if let Some(rows) = &prepared.filters.personal {
        files.rows(PERSONAL, &personal(rows, ids)?)?;
    }
    let mut filters = Vec::new();
    for (number, (filter, rows)) in config.filters.iter().zip(&prepared.filters.named).enumerate() {
        let file = format!("filter-{number}.arrow");
        let rows = match filter.kind {
            FilterKind::Global => hidden(rows, ids)?,
            FilterKind::Personal => personal(rows, ids)?,
        };
        files.rows(&file, &rows)?;
        filters.push(FilterEntry {
            name: filter.name.clone(),
            kind: filter.kind,
            file,
        });
    }
    write_texts(
        directory,
        ITEM_TEXT,
        &prepared.items,
        &config.text_fields,
        &config.tokenizer,
    )?;
    write_texts(
        directory,
        USER_TEXT,
        &prepared.users,
        &config.user_text_fields,
        &config.tokenizer,
    )?;
    let vectors = match &config.embedding_field {
        Some(field) => Some(write_vectors(directory, prepared, field, wanted(encoder)?)?),
        None => None,
    };
    let mut text_encoder = None;
    for embedding in &config.embeddings {
        if let EmbeddingEncoder::Text {
            item_fields,
            user_fields,
        } = &embedding.encoder
        {
            let encoder = wanted(encoder)?;
            text_encoder = Some(encoder.digest().to_owned());
            for (whose, rows, fields) in [
                ("items", &prepared.items, item_fields),
                ("users", &prepared.users, user_fields),
            ] {
                if !fields.is_empty() {
                    let rows = text_vectors::write(rows, fields, encoder)?;
                    files.rows(&text_vectors::file(&embedding.name, whose), &rows)?;
                }
            }
        }
    }
    let manifest = Manifest {
        format: FORMAT.to_owned(),
        analyzer_version: search_core::analysis::ANALYZER_VERSION,
        text_fields: config.text_fields.clone(),
        user_text_fields: config.user_text_fields.clone(),
        tokenizer: config.tokenizer.clone(),
        files: files.digests,
        policies,
        ensembles: ensembles(config),
        embeddings,
        text_encoder,
        filters,
        features: prepared.features.clone(),
        vectors,
    };
    fs::write(directory.join(MANIFEST), serde_json::to_vec_pretty(&manifest)?)?;
    Ok(())
}

/// The value models under the names of their policies.
fn ensembles(config: &ModelConfig) -> BTreeMap<String, String> {
    let policies = config.policies.iter().flatten();
    policies
        .filter_map(|policy| match &policy.kind {
            PolicyKind::Ensemble { value_model } => Some((policy.name.clone(), value_model.clone())),
            PolicyKind::Trained { .. } => None,
        })
        .collect()
}

/// The files of a version and their digests, as they are written.
struct Files<'a> {
    directory: &'a Path,
    digests: BTreeMap<String, String>,
}

impl Files<'_> {
    fn new(directory: &Path) -> Files<'_> {
        Files {
            directory,
            digests: BTreeMap::new(),
        }
    }

    fn rows(&mut self, name: &str, rows: &RecordBatch) -> anyhow::Result<()> {
        write_rows(&self.directory.join(name), rows)?;
        self.done(name)
    }

    fn bytes(&mut self, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        fs::write(self.directory.join(name), bytes)?;
        self.done(name)
    }

    fn done(&mut self, name: &str) -> anyhow::Result<()> {
        self.digests
            .insert(name.to_owned(), digest(&self.directory.join(name))?);
        Ok(())
    }
}

/// The encoder, which was there when the model was set up; the server may have been started anew since.
fn wanted(encoder: Option<&Arc<TextEncoder>>) -> anyhow::Result<&Arc<TextEncoder>> {
    encoder.ok_or_else(|| {
        let reason = "the server has no text encoder any more: start it with --text-encoder FILE";
        UnusableRows(reason.to_owned()).into()
    })
}

/// What the training of the policies leaves.
struct Trained {
    policies: Vec<PolicyEntry>,
    embeddings: Vec<Embedding>,
    derived: Derived,
}

/// The ranks that become columns of the items.
#[derive(Default)]
pub(super) struct Derived {
    popular: Vec<i32>,
    chronological: Vec<i32>,
}

impl Derived {
    /// Takes the ranks of a policy if it is one that they are of; the first one counts.
    pub(super) fn learn(&mut self, plan: &Plan, fitted: &dyn Recommender, now: i64) -> anyhow::Result<()> {
        let ranks = match plan.policy_type.as_str() {
            policies::POPULAR => &mut self.popular,
            policies::CHRONOLOGICAL => &mut self.chronological,
            _ => return Ok(()),
        };
        if ranks.is_empty() {
            *ranks = ranks_by(fitted, now)?;
        }
        Ok(())
    }
}

/// Trains the policies one after the other and saves them: only one is in memory at a time.
fn train(
    files: &mut Files<'_>,
    prepared: &Prepared,
    chosen: &Chosen,
    report: &mut TrainingReport,
    stop: &AtomicBool,
) -> anyhow::Result<Trained> {
    let mut entries = Vec::new();
    let mut embeddings = prepared.config.embeddings.clone();
    let mut derived = Derived::default();
    let plans = fit::plans(&prepared.config, &prepared.features, chosen);
    for (number, plan) in plans.into_iter().enumerate() {
        let fitted = fit::fit(&plan, &prepared.labels, &prepared.dataset, stop)?;
        check_vectors(&prepared.config, &plan, fitted.as_ref())?;
        // Where nobody names policies and embeddings, all have the names of their types.
        if prepared.config.policies.is_none() && fitted.item_vectors().is_some() {
            embeddings.push(Embedding {
                name: plan.policy_type.clone(),
                encoder: EmbeddingEncoder::Policy(plan.policy_type.clone()),
            });
        }
        report.warnings.extend(empty(prepared, &plan));
        derived.learn(&plan, fitted.as_ref(), prepared.now)?;
        let file = format!("policy-{number}.policy");
        files.bytes(&file, &fitted.save())?;
        entries.push(PolicyEntry {
            partial: !plan.event_values.is_empty(),
            name: plan.name,
            policy_type: plan.policy_type,
            file,
        });
    }
    Ok(Trained {
        policies: entries,
        embeddings,
        derived,
    })
}

/// An embedding needs vectors, and whether a policy has them may depend on the columns.
fn check_vectors(config: &ModelConfig, plan: &Plan, fitted: &dyn Recommender) -> anyhow::Result<()> {
    let refers = config
        .embeddings
        .iter()
        .find(|embedding| matches!(&embedding.encoder, EmbeddingEncoder::Policy(name) if plan.name.as_ref() == Some(name)));
    match refers {
        Some(embedding) if fitted.item_vectors().is_none() => Err(UnusableRows(format!(
            "the embedding '{}' has no vectors: the policy '{}' gives none over these columns",
            embedding.name,
            plan.name.as_deref().unwrap_or_default()
        ))
        .into()),
        _ => Ok(()),
    }
}

/// Says that a policy has learnt nothing, where that shows from the outside.
fn empty(prepared: &Prepared, plan: &Plan) -> Option<String> {
    let name = plan.name.as_ref()?;
    let spec = recsys::model(&plan.policy_type)?;
    if spec.can.item_features
        && spec.family == recsys::Family::Content
        && !fit::has_content(&prepared.features.items)
    {
        return Some(format!(
            "the policy '{name}' reads texts, categories and vectors of items, and there is no such column"
        ));
    }
    if plan.event_values.is_empty() {
        return None;
    }
    let learnt = prepared.labels.learnt(&prepared.dataset, &plan.event_values)?;
    learnt.events().is_empty().then(|| {
        let values = plan.event_values.join(", ");
        format!("the policy '{name}' learns from labels {values} only, and no interaction has one of them")
    })
}

fn ranks_by(model: &dyn Recommender, now: i64) -> anyhow::Result<Vec<i32>> {
    let candidates: Vec<u32> = (0..model.items()).map(|row| row as u32).collect();
    let mut scores = vec![f32::NAN; candidates.len()];
    model.score(&Query::new(None, &[], now), &candidates, &mut scores)?;
    let ranks = recsys::pipeline::ranks(&scores);
    let ranks = ranks
        .into_iter()
        .map(|rank| i32::try_from(rank).unwrap_or(i32::MAX));
    Ok(ranks.collect())
}

/// The items with the columns that the platform derives.
pub(super) fn with_derived(
    items: &RecordBatch,
    dataset: &Dataset,
    derived: Derived,
) -> anyhow::Result<RecordBatch> {
    let mut counts = vec![0_i32; items.num_rows()];
    for event in dataset.events() {
        counts[event.item as usize] += 1;
    }
    let schema = items.schema();
    let mut fields: Vec<_> = schema.fields().iter().cloned().collect();
    let mut columns = items.columns().to_vec();
    for (name, values) in DERIVED_COLUMNS
        .into_iter()
        .zip([counts, derived.popular, derived.chronological])
    {
        let column: ArrayRef = Arc::new(Int32Array::from(values));
        // Rows of items that nobody knows may join these, and they have none.
        fields.push(Arc::new(Field::new(name, column.data_type().clone(), true)));
        columns.push(column);
    }
    Ok(RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)?)
}

/// The numbers of the items that nobody is shown.
fn hidden(rows: &RecordBatch, items: &Ids) -> anyhow::Result<RecordBatch> {
    let ids = text_column(rows, "item_id")?;
    let numbers: UInt32Array = ids
        .iter()
        .flatten()
        .filter_map(|id| items.number(id))
        .map(Some)
        .collect();
    let numbers: ArrayRef = Arc::new(numbers);
    Ok(RecordBatch::try_from_iter([("item", numbers)])?)
}

/// Users with the numbers of the items that they are not shown.
fn personal(rows: &RecordBatch, items: &Ids) -> anyhow::Result<RecordBatch> {
    let users = text_column(rows, "user_id")?;
    let ids = text_column(rows, "item_id")?;
    let pairs: Vec<(&str, u32)> = users
        .iter()
        .zip(ids.iter())
        .filter_map(|(user, item)| Some((user?, items.number(item?)?)))
        .collect();
    let users: ArrayRef = Arc::new(StringArray::from_iter_values(pairs.iter().map(|(user, _)| user)));
    let numbers: ArrayRef = Arc::new(UInt32Array::from_iter_values(pairs.iter().map(|(_, item)| *item)));
    Ok(RecordBatch::try_from_iter([
        ("user_id", users),
        ("item", numbers),
    ])?)
}

/// Indexes the texts of some columns, if there are any to index.
fn write_texts(
    directory: &Path,
    name: &str,
    rows: &RecordBatch,
    fields: &[String],
    tokenizer: &Tokenizer,
) -> anyhow::Result<()> {
    if fields.is_empty() {
        return Ok(());
    }
    let texts: Vec<StringArray> = fields
        .iter()
        .map(|field| text_column(rows, field))
        .collect::<anyhow::Result<_>>()?;
    let text_directory = directory.join(name);
    fs::create_dir(&text_directory)?;
    let documents = (0..rows.num_rows()).map(|row| {
        let texts = texts.iter();
        texts
            .map(|column| {
                if column.is_null(row) {
                    ""
                } else {
                    column.value(row)
                }
            })
            .collect()
    });
    text_index::build(&text_directory, fields.len(), tokenizer, documents)?;
    Ok(())
}

fn write_vectors(
    directory: &Path,
    prepared: &Prepared,
    field: &str,
    encoder: &TextEncoder,
) -> anyhow::Result<VectorsManifest> {
    let ids = prepared.dataset.items();
    let column = column(&prepared.items, field)?;
    let id = |row: usize| {
        let number = u32::try_from(row).ok();
        number
            .and_then(|number| ids.id(number))
            .unwrap_or_default()
            .to_owned()
    };
    let vectors = ItemVectors::from_column(column, id, encoder.dimensions())?;
    let path = directory.join(VECTORS);
    write_rows(&path, &vectors.to_batch()?)?;
    Ok(VectorsManifest {
        sha256: digest(&path)?,
        encoder_sha256: encoder.digest().to_owned(),
    })
}

/// The numbers of the items that [`hidden`] wrote.
pub(super) fn numbers(rows: &RecordBatch) -> anyhow::Result<Vec<u32>> {
    use datafusion::arrow::array::AsArray;
    use datafusion::arrow::datatypes::UInt32Type;

    let items = column(rows, "item")?
        .as_primitive_opt::<UInt32Type>()
        .context("the items of a filter are not numbers")?;
    Ok(items.iter().flatten().collect())
}

/// The inverse of [`personal`].
pub(super) fn by_user(rows: &RecordBatch) -> anyhow::Result<HashMap<String, Vec<u32>>> {
    let users = text_column(rows, "user_id")?;
    let mut map: HashMap<String, Vec<u32>> = HashMap::new();
    for (user, item) in users.iter().zip(numbers(rows)?) {
        if let Some(user) = user {
            map.entry(user.to_owned()).or_default().push(item);
        }
    }
    Ok(map)
}
