//! The child's side: gives up every right it does not need, then parses, plans and runs what it was given.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use datafusion::arrow::array::{BooleanArray, RecordBatch, RecordBatchOptions, new_null_array};
use datafusion::arrow::compute::{cast, concat_batches, filter_record_batch};
use datafusion::arrow::datatypes::{Field, Schema as ArrowSchema, SchemaRef};
use datafusion::arrow::ipc::writer::FileWriter;
use datafusion::arrow::row::{RowConverter, SortField};
use datafusion::datasource::MemTable;
use datafusion::error::DataFusionError;
use datafusion::execution::disk_manager::{DiskManagerBuilder, DiskManagerMode};
use datafusion::execution::memory_pool::GreedyMemoryPool;
use datafusion::execution::object_store::{DefaultObjectStoreRegistry, ObjectStoreRegistry};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use datafusion::prelude::{SQLOptions, SessionConfig, SessionContext};
use datafusion::sql::parser::Statement as ParsedStatement;
use datafusion::sql::sqlparser::ast::Statement as SqlStatement;

use super::{Reply, SqlLimits, Statement, Table, Task};
use crate::service::domain::Column;
use crate::service::rows::{arrow_schema, plain_type, value_type};

/// The planner recurses over expressions; this many levels of stack let every accepted length of statement that
/// is not built to overflow it through. Address space, not memory: pages that are not touched cost nothing.
const STACK_BYTES: usize = 256 << 20;

/// What the process runs when it was started as a worker. Answers on standard output.
pub fn run() -> anyhow::Result<()> {
    let mut input = Vec::new();
    io::stdin().read_to_end(&mut input)?;
    let task: Task = serde_json::from_slice(&input).context("the task does not read")?;
    limit_resources(&task.limits)?;
    let work = move || -> anyhow::Result<()> {
        let sandboxed = sandbox(&task);
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        runtime.block_on(answer(&task, sandboxed))
    };
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work)?;
    match thread.join() {
        Ok(result) => result,
        Err(_) => say(&Reply::Refused(
            "the statement broke the query engine; write it in another way".to_owned(),
        )),
    }
}

async fn answer(task: &Task, sandboxed: bool) -> anyhow::Result<()> {
    let context = session(&task.limits)?;
    for table in &task.tables {
        let (schema, batch) = read_table(table)?;
        context.register_table(
            datafusion::common::TableReference::bare(table.id.as_str()),
            Arc::new(MemTable::try_new(schema, vec![vec![batch]])?),
        )?;
    }
    for statement in &task.statements {
        let reply = match run_statement(&context, statement).await {
            Ok(columns) => Reply::Done { columns, sandboxed },
            Err(error) => Reply::Refused(message(&error)),
        };
        say(&reply)?;
        if matches!(reply, Reply::Refused(_)) {
            break;
        }
    }
    Ok(())
}

fn say(reply: &Reply) -> anyhow::Result<()> {
    let mut line = serde_json::to_vec(reply)?;
    line.push(b'\n');
    let mut stdout = io::stdout().lock();
    stdout.write_all(&line)?;
    stdout.flush()?;
    Ok(())
}

/// An engine that knows the functions of SQL and nothing of this machine: no object store, no spilling to disk.
fn session(limits: &SqlLimits) -> anyhow::Result<SessionContext> {
    let mut config = SessionConfig::new()
        .with_target_partitions(1)
        .with_information_schema(false);
    let options = config.options_mut();
    options.execution.enable_recursive_ctes = false;
    // Names mean what is written: columns of a dataset are case-sensitive.
    options.sql_parser.enable_ident_normalization = false;
    options.sql_parser.map_string_types_to_utf8view = false;
    let stores = DefaultObjectStoreRegistry::new();
    let local = datafusion::datasource::listing::ListingTableUrl::parse("file:///")?.object_store();
    stores.deregister_store(local.as_ref())?;
    let memory = usize::try_from(limits.memory_bytes / 2)?;
    let runtime = RuntimeEnvBuilder::new()
        .with_memory_pool(Arc::new(GreedyMemoryPool::new(memory)))
        .with_disk_manager_builder(DiskManagerBuilder::default().with_mode(DiskManagerMode::Disabled))
        .with_object_store_registry(Arc::new(stores))
        .build_arc()?;
    Ok(SessionContext::new_with_config_rt(config, runtime))
}

async fn run_statement(
    context: &SessionContext,
    statement: &Statement,
) -> datafusion::error::Result<Vec<Column>> {
    let state = context.state();
    let dialect = state.config_options().sql_parser.dialect;
    let parsed = state.sql_to_statement(&statement.sql, &dialect)?;
    let ParsedStatement::Statement(inner) = &parsed else {
        return Err(not_a_select());
    };
    if !matches!(inner.as_ref(), SqlStatement::Query(_)) {
        return Err(not_a_select());
    }
    let plan = state.statement_to_plan(parsed).await?;
    SQLOptions::new()
        .with_allow_ddl(false)
        .with_allow_dml(false)
        .with_allow_statements(false)
        .verify_plan(&plan)?;
    let planned = plan.schema().as_arrow().clone();
    let result_schema = plain_schema(&planned)?;
    if let Some(output) = &statement.output {
        let mut stream = context.execute_logical_plan(plan).await?.execute_stream().await?;
        let mut writer = FileWriter::try_new(BufWriter::new(File::create(output)?), &result_schema)?;
        while let Some(batch) = futures_util::StreamExt::next(&mut stream).await {
            writer.write(&plain_batch(&batch?, &result_schema)?)?;
        }
        writer.finish()?;
    }
    Ok(result_schema
        .fields()
        .iter()
        .map(|field| Column {
            name: field.name().clone(),
            value_type: value_type(field),
        })
        .collect())
}

fn not_a_select() -> DataFusionError {
    DataFusionError::Plan("only one SELECT statement is accepted".to_owned())
}

/// The result's columns in the few Arrow types that the server reads; names must be there once each.
fn plain_schema(schema: &ArrowSchema) -> datafusion::error::Result<SchemaRef> {
    let mut fields: Vec<Field> = Vec::new();
    for field in schema.fields() {
        if fields.iter().any(|earlier| earlier.name() == field.name()) {
            return Err(DataFusionError::Plan(format!(
                "the statement selects two columns with the name '{}'; name one of them anew with AS",
                field.name()
            )));
        }
        let plain = Field::new(field.name(), plain_type(field.data_type()), true);
        fields.push(plain.with_metadata(field.metadata().clone()));
    }
    Ok(Arc::new(ArrowSchema::new(fields)))
}

fn plain_batch(batch: &RecordBatch, schema: &SchemaRef) -> datafusion::error::Result<RecordBatch> {
    let columns = batch
        .columns()
        .iter()
        .zip(schema.fields())
        .map(|(column, field)| cast(column, field.data_type()))
        .collect::<Result<Vec<_>, _>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    Ok(RecordBatch::try_new_with_options(
        Arc::clone(schema),
        columns,
        &options,
    )?)
}

/// All rows of a dataset; of rows with equal unique keys the one that was inserted last.
fn read_table(table: &Table) -> anyhow::Result<(SchemaRef, RecordBatch)> {
    let schema = arrow_schema(&table.schema);
    let mut batches = Vec::new();
    for path in &table.files {
        let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
        for batch in ParquetRecordBatchReaderBuilder::try_new(file)?.build()? {
            batches.push(widen(&batch?, &schema)?);
        }
    }
    let all = concat_batches(&schema, &batches)?;
    let all = if table.unique_keys.is_empty() {
        all
    } else {
        last_of_each_key(&all, &table.unique_keys)?
    };
    Ok((schema, all))
}

/// Adds the columns that the dataset gained after this batch was written.
fn widen(batch: &RecordBatch, schema: &SchemaRef) -> anyhow::Result<RecordBatch> {
    let columns = schema
        .fields()
        .iter()
        .map(|field| match batch.column_by_name(field.name()) {
            Some(column) => column.clone(),
            None => new_null_array(field.data_type(), batch.num_rows()),
        })
        .collect();
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    Ok(RecordBatch::try_new_with_options(
        Arc::clone(schema),
        columns,
        &options,
    )?)
}

fn last_of_each_key(batch: &RecordBatch, keys: &[String]) -> anyhow::Result<RecordBatch> {
    let columns = keys
        .iter()
        .map(|key| {
            batch
                .column_by_name(key)
                .cloned()
                .with_context(|| format!("the key column {key} is missing"))
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    let fields = columns
        .iter()
        .map(|column| SortField::new(column.data_type().clone()))
        .collect();
    let encoded = RowConverter::new(fields)?.convert_columns(&columns)?;
    let mut seen = std::collections::HashSet::with_capacity(batch.num_rows());
    let mut keep: Vec<bool> = (0..batch.num_rows())
        .rev()
        .map(|index| seen.insert(encoded.row(index)))
        .collect();
    keep.reverse();
    Ok(filter_record_batch(batch, &BooleanArray::from(keep))?)
}

/// The engine's own words on what is wrong, without its traces.
fn message(error: &DataFusionError) -> String {
    // The engine's own name for the place of all tables means nothing to the statement's author.
    let text = error.strip_backtrace().replace("datafusion.public.", "");
    text.chars().take(600).collect()
}

fn limit_resources(limits: &SqlLimits) -> anyhow::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    for (resource, value) in [
        // Elsewhere the limit cannot be set below what the process has mapped already.
        #[cfg(target_os = "linux")]
        (Resource::As, limits.memory_bytes + STACK_BYTES as u64),
        (Resource::Cpu, limits.cpu_seconds),
        (Resource::Fsize, limits.result_bytes),
        (Resource::Nofile, 64),
        (Resource::Core, 0),
    ] {
        // A limit that was set on the server itself may be lower, and cannot be raised.
        let value = getrlimit(resource)
            .maximum
            .map_or(value, |maximum| maximum.min(value));
        setrlimit(
            resource,
            Rlimit {
                current: Some(value),
                maximum: Some(value),
            },
        )?;
    }
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    Ok(())
}

/// Restricts this thread to reading the task's row files and writing its results; no network. True if the kernel
/// enforces it.
#[cfg(target_os = "linux")]
fn sandbox(task: &Task) -> bool {
    use landlock::{
        ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus,
        path_beneath_rules,
    };
    let inputs: Vec<&PathBuf> = task.tables.iter().flat_map(|table| &table.files).collect();
    let outputs: Vec<PathBuf> = task
        .statements
        .iter()
        .filter_map(|statement| statement.output.as_ref()?.parent().map(PathBuf::from))
        .collect();
    let abi = ABI::V5;
    let restrict = || -> Result<RulesetStatus, landlock::RulesetError> {
        let status = Ruleset::default()
            .handle_access(AccessFs::from_all(abi))?
            .handle_access(AccessNet::from_all(abi))?
            .create()?
            .add_rules(path_beneath_rules(inputs, AccessFs::ReadFile))?
            .add_rules(path_beneath_rules(
                outputs,
                AccessFs::MakeReg | AccessFs::WriteFile | AccessFs::Truncate,
            ))?
            .restrict_self()?;
        Ok(status.ruleset)
    };
    !matches!(restrict(), Err(_) | Ok(RulesetStatus::NotEnforced))
}

#[cfg(not(target_os = "linux"))]
fn sandbox(_task: &Task) -> bool {
    false
}
