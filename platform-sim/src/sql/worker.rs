//! The child's side: gives up every right it does not need, then parses, plans and runs what it was given.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use datafusion::arrow::array::{RecordBatch, RecordBatchOptions};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field, Schema as ArrowSchema, SchemaRef};
use datafusion::arrow::ipc::writer::FileWriter;
use datafusion::catalog::TableProvider;
use datafusion::common::TableReference;
use datafusion::datasource::ViewTable;
use datafusion::error::DataFusionError;
use datafusion::execution::disk_manager::{DiskManagerBuilder, DiskManagerMode};
use datafusion::execution::memory_pool::GreedyMemoryPool;
use datafusion::execution::object_store::{DefaultObjectStoreRegistry, ObjectStoreRegistry};
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::logical_expr::{Expr, LogicalPlan};
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::prelude::{SQLOptions, SessionConfig, SessionContext};
use datafusion::sql::parser::Statement as ParsedStatement;
use datafusion::sql::sqlparser::ast::Statement as SqlStatement;

use super::rows_table::RowsTable;
use super::{Output, Planned, Refusal, Reply, Rows, SqlLimits, Statement, Tables, Task};
use crate::service::domain::{Cell, Column, Schema};
use crate::service::names::nearest;
use crate::service::rows::{arrow_schema, plain_type, value_type};
use crate::store::parquet::properties as parquet_properties;

/// The planner recurses over expressions; this many levels of stack let every accepted length of statement that
/// is not built to overflow it through. Address space, not memory: pages that are not touched cost nothing.
const STACK_BYTES: usize = 256 << 20;

/// What the process runs when it was started as a worker. Answers on standard output.
pub fn run() -> anyhow::Result<()> {
    let mut input = Vec::new();
    io::stdin().read_to_end(&mut input)?;
    let task: Task = serde_json::from_slice(&input).context("the task does not read")?;
    limit_resources(&task.limits)?;
    end_with(task.server)?;
    let work = move || -> anyhow::Result<()> {
        let sandboxed = sandbox(&task);
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        runtime.block_on(answer(&task, sandboxed))
    };
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work)?;
    match thread.join() {
        Ok(result) => result,
        Err(_) => say(&Reply::Refused(Refusal {
            reason: "the statement broke the query engine; write it in another way".to_owned(),
            reads: Vec::new(),
        })),
    }
}

async fn answer(task: &Task, sandboxed: bool) -> anyhow::Result<()> {
    let session = Session::new(&task.limits)?;
    let context = match session.context(&task.tables).await {
        Ok(context) => context,
        Err(error) => {
            return say(&Reply::Refused(Refusal {
                reason: message(&error),
                reads: Vec::new(),
            }));
        }
    };
    for statement in &task.statements {
        let mut reads = Vec::new();
        let reply = match run_statement(&context, statement, &task.tables.names, &mut reads).await {
            Ok(result) => Reply::Done { result, sandboxed },
            Err(error) => Reply::Refused(Refusal {
                reason: missing_tables(message(&error), &reads, &task.tables.names),
                reads,
            }),
        };
        say(&reply)?;
        if matches!(reply, Reply::Refused(_)) {
            break;
        }
    }
    Ok(())
}

/// Adds to the reason of a refusal what the statement may have meant by a table that is not there.
fn missing_tables(reason: String, reads: &[String], names: &[(String, usize)]) -> String {
    let known = || names.iter().map(|(name, _)| name.as_str());
    let Some(missing) = reads.iter().find(|read| known().all(|name| name != *read)) else {
        return reason;
    };
    match nearest(missing, known()) {
        Some(near) => format!("{reason}; did you mean '{near}'?"),
        None => reason,
    }
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
pub(super) struct Session {
    config: SessionConfig,
    runtime: Arc<RuntimeEnv>,
}

impl Session {
    pub(super) fn new(limits: &SqlLimits) -> anyhow::Result<Session> {
        let mut config = SessionConfig::new()
            .with_target_partitions(1)
            .with_information_schema(false);
        let options = config.options_mut();
        options.execution.enable_recursive_ctes = false;
        // Its planner says NOT NULL of some booleans that its operators call nullable, and refuses its own plan then.
        options.execution.skip_physical_aggregate_schema_check = true;
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
        Ok(Session { config, runtime })
    }

    /// A context in which the relations can be read by their names.
    pub(super) async fn context(&self, tables: &Tables) -> datafusion::error::Result<SessionContext> {
        let mut providers: Vec<Arc<dyn TableProvider>> = Vec::with_capacity(tables.relations.len());
        for relation in &tables.relations {
            let provider: Arc<dyn TableProvider> = match &relation.rows {
                Rows::Files { files, unique_keys } => {
                    Arc::new(RowsTable::new(arrow_schema(&relation.schema), files, unique_keys))
                }
                Rows::View {
                    transform,
                    sql,
                    names,
                } => {
                    let planned = match self.named(names, &providers) {
                        Ok(context) => plan(&context, sql, &mut Vec::new()).await,
                        Err(error) => Err(error),
                    };
                    let plan = planned.map_err(|error| {
                        DataFusionError::Plan(format!("the transform '{transform}': {}", message(&error)))
                    })?;
                    Arc::new(ViewTable::new(plan, None))
                }
            };
            providers.push(provider);
        }
        self.named(&tables.names, &providers)
    }

    fn named(
        &self,
        names: &[(String, usize)],
        providers: &[Arc<dyn TableProvider>],
    ) -> datafusion::error::Result<SessionContext> {
        let context = SessionContext::new_with_config_rt(self.config.clone(), Arc::clone(&self.runtime));
        for (name, position) in names {
            let provider = providers.get(*position).ok_or_else(|| {
                DataFusionError::Internal(format!("'{name}' names a relation that does not come before it"))
            })?;
            context.register_table(TableReference::bare(name.as_str()), Arc::clone(provider))?;
        }
        Ok(context)
    }
}

/// Plans one SELECT. The names that it reads are added to `reads`.
async fn plan(
    context: &SessionContext,
    sql: &str,
    reads: &mut Vec<String>,
) -> datafusion::error::Result<LogicalPlan> {
    let state = context.state();
    let dialect = state.config_options().sql_parser.dialect;
    let parsed = state.sql_to_statement(sql, &dialect)?;
    let ParsedStatement::Statement(inner) = &parsed else {
        return Err(not_a_select());
    };
    if !matches!(inner.as_ref(), SqlStatement::Query(_)) {
        return Err(not_a_select());
    }
    for reference in state.resolve_table_references(&parsed)? {
        if !reads.iter().any(|read| read == reference.table()) {
            reads.push(reference.table().to_owned());
        }
    }
    let plan = state.statement_to_plan(parsed).await?;
    SQLOptions::new()
        .with_allow_ddl(false)
        .with_allow_dml(false)
        .with_allow_statements(false)
        .verify_plan(&plan)?;
    Ok(plan)
}

pub(super) async fn run_statement(
    context: &SessionContext,
    statement: &Statement,
    names: &[(String, usize)],
    reads: &mut Vec<String>,
) -> datafusion::error::Result<Planned> {
    let plan = plan(context, &statement.sql, reads).await?;
    let planned = plan.schema().as_arrow().clone();
    let taken_over = taken_over(&plan);
    let mut result_schema = plain_schema(&planned)?;
    let columns: Vec<Column> = result_schema
        .fields()
        .iter()
        .map(|field| Column {
            name: field.name().clone(),
            value_type: value_type(field),
        })
        .collect();
    if let Some(Output::Parquet(_)) = &statement.output {
        // To be read again by these types.
        result_schema = arrow_schema(&Schema {
            declared: true,
            columns: columns.clone(),
        });
    }
    let mut rows = 0;
    if let Some(output) = &statement.output {
        let mut stream = context.execute_logical_plan(plan).await?.execute_stream().await?;
        let mut writer = Writer::create(output, &result_schema)?;
        while let Some(batch) = futures_util::StreamExt::next(&mut stream).await {
            let batch = plain_batch(&batch?, &result_schema)?;
            rows += batch.num_rows();
            writer.write(&batch)?;
        }
        writer.finish()?;
    }
    let known = |read: &String| names.iter().any(|(name, _)| name == read);
    Ok(Planned {
        columns,
        reads: reads.iter().filter(|read| known(read)).cloned().collect(),
        rows,
        taken_over,
    })
}

/// See [`Planned::taken_over`].
fn taken_over(plan: &LogicalPlan) -> Vec<(String, Cell)> {
    fn is_table(plan: &LogicalPlan) -> bool {
        match plan {
            LogicalPlan::TableScan(scan) => scan.filters.is_empty() && scan.fetch.is_none(),
            LogicalPlan::SubqueryAlias(alias) => is_table(&alias.input),
            _ => false,
        }
    }
    fn cell(expression: &Expr) -> Option<Cell> {
        match expression {
            Expr::Alias(alias) => cell(&alias.expr),
            Expr::Column(column) => Some(Cell::Column(column.name.clone())),
            Expr::Literal(value, _) if !value.is_null() => {
                let text = value.cast_to(&DataType::Utf8).ok()?;
                Some(Cell::Constant(text.to_string()))
            }
            _ => None,
        }
    }
    let LogicalPlan::Projection(projection) = plan else {
        return Vec::new();
    };
    if !is_table(&projection.input) {
        return Vec::new();
    }
    let columns = projection.expr.iter().zip(projection.schema.fields());
    columns
        .filter_map(|(expression, field)| Some((field.name().clone(), cell(expression)?)))
        .collect()
}

enum Writer {
    Arrow(Box<FileWriter<BufWriter<File>>>),
    Parquet(Box<ArrowWriter<File>>),
}

impl Writer {
    fn create(output: &Output, schema: &SchemaRef) -> datafusion::error::Result<Writer> {
        let file = File::create(output.path())?;
        Ok(match output {
            Output::Arrow(_) => Writer::Arrow(Box::new(FileWriter::try_new(BufWriter::new(file), schema)?)),
            Output::Parquet(_) => Writer::Parquet(Box::new(ArrowWriter::try_new(
                file,
                Arc::clone(schema),
                Some(parquet_properties()),
            )?)),
        })
    }

    fn write(&mut self, batch: &RecordBatch) -> datafusion::error::Result<()> {
        match self {
            Writer::Arrow(writer) => writer.write(batch)?,
            Writer::Parquet(writer) => writer.write(batch)?,
        }
        Ok(())
    }

    fn finish(self) -> datafusion::error::Result<()> {
        match self {
            Writer::Arrow(mut writer) => writer.finish()?,
            Writer::Parquet(writer) => {
                writer.close()?;
            }
        }
        Ok(())
    }
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
    Ok(())
}

/// Nobody reads the answer of a worker whose server is gone.
#[cfg(target_os = "linux")]
fn end_with(server: u32) -> anyhow::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    // A server that ended before the signal was asked for sends none.
    let parent = rustix::process::getppid().map(|parent| parent.as_raw_nonzero().get().unsigned_abs());
    anyhow::ensure!(parent == Some(server), "the server that asked is gone");
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn end_with(_server: u32) -> anyhow::Result<()> {
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
    let inputs: Vec<&PathBuf> = task
        .tables
        .relations
        .iter()
        .flat_map(|relation| match &relation.rows {
            Rows::Files { files, .. } => files.as_slice(),
            Rows::View { .. } => &[],
        })
        .collect();
    let outputs: Vec<PathBuf> = task
        .statements
        .iter()
        .filter_map(|statement| statement.output.as_ref()?.path().parent().map(PathBuf::from))
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
