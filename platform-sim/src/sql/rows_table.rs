//! Row files as a table that streams: only the columns that a statement needs are read, batch by batch.
//!
//! Of rows with equal unique keys only the last one counts. Which rows those are takes a pass over the key columns
//! of all files, once a process; the rows themselves are never held.

use std::fs::File;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use datafusion::arrow::array::{ArrayRef, BooleanArray, RecordBatch, new_null_array};
use datafusion::arrow::compute::{concat, filter_record_batch};
use datafusion::arrow::datatypes::{Schema as ArrowSchema, SchemaRef};
use datafusion::arrow::row::{RowConverter, SortField};
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::DataFusionError;
use datafusion::error::Result;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableType};
use datafusion::parquet::arrow::ProjectionMask;
use datafusion::parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};

use crate::service::rows::widen;

/// A table over Parquet files, oldest first.
#[derive(Clone, Debug)]
pub(crate) struct RowsTable {
    schema: SchemaRef,
    files: Arc<[PathBuf]>,
    unique_keys: Arc<[String]>,
    /// For every row of all files whether it counts.
    kept: Arc<OnceLock<BooleanArray>>,
}

impl RowsTable {
    pub(crate) fn new(schema: SchemaRef, files: &[PathBuf], unique_keys: &[String]) -> RowsTable {
        RowsTable {
            schema,
            files: files.into(),
            unique_keys: unique_keys.into(),
            kept: Arc::default(),
        }
    }

    /// The rows, with the columns of `schema` only.
    pub(crate) fn batches(
        &self,
        schema: &SchemaRef,
    ) -> Result<impl Iterator<Item = Result<RecordBatch>> + Send + use<>> {
        let kept = if self.unique_keys.is_empty() {
            None
        } else {
            Some(self.kept()?)
        };
        let mut position = 0;
        let rows = Batches {
            schema: Arc::clone(schema),
            files: Arc::clone(&self.files),
            next: 0,
            open: None,
        };
        Ok(rows.map(move |batch| {
            let batch = batch?;
            let Some(kept) = &kept else { return Ok(batch) };
            let mask = kept.slice(position, batch.num_rows());
            position += batch.num_rows();
            Ok(filter_record_batch(&batch, &mask)?)
        }))
    }

    fn kept(&self) -> Result<BooleanArray> {
        if let Some(kept) = self.kept.get() {
            return Ok(kept.clone());
        }
        let keys = self.unique_keys.iter().map(|key| {
            self.schema
                .field_with_name(key)
                .cloned()
                .map_err(|_| DataFusionError::Internal(format!("the key column {key} is missing")))
        });
        let key_schema: SchemaRef = Arc::new(ArrowSchema::new(keys.collect::<Result<Vec<_>>>()?));
        let rows = Batches {
            schema: Arc::clone(&key_schema),
            files: Arc::clone(&self.files),
            next: 0,
            open: None,
        };
        let batches = rows.collect::<Result<Vec<_>>>()?;
        let columns = (0..key_schema.fields().len())
            .map(|index| {
                let parts: Vec<&dyn datafusion::arrow::array::Array> =
                    batches.iter().map(|batch| batch.column(index).as_ref()).collect();
                Ok(if parts.is_empty() {
                    new_null_array(key_schema.field(index).data_type(), 0)
                } else {
                    concat(&parts)?
                })
            })
            .collect::<Result<Vec<ArrayRef>>>()?;
        let kept = last_of_each_key(&columns)?;
        Ok(self.kept.get_or_init(|| kept).clone())
    }
}

/// For every row whether no later one has the same key.
fn last_of_each_key(keys: &[ArrayRef]) -> Result<BooleanArray> {
    let fields = keys
        .iter()
        .map(|column| SortField::new(column.data_type().clone()))
        .collect();
    let encoded = RowConverter::new(fields)?.convert_columns(keys)?;
    let count = encoded.num_rows();
    let mut seen = std::collections::HashSet::with_capacity(count);
    let mut kept: Vec<bool> = (0..count)
        .rev()
        .map(|index| seen.insert(encoded.row(index)))
        .collect();
    kept.reverse();
    Ok(BooleanArray::from(kept))
}

#[async_trait]
impl TableProvider for RowsTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        _session: &dyn Session,
        projection: Option<&Vec<usize>>,
        _filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let schema = match projection {
            Some(columns) => Arc::new(self.schema.project(columns)?),
            None => Arc::clone(&self.schema),
        };
        let rows = Rows {
            table: self.clone(),
            schema: Arc::clone(&schema),
        };
        Ok(Arc::new(StreamingTableExec::try_new(
            schema,
            vec![Arc::new(rows)],
            None,
            None,
            false,
            limit,
        )?))
    }
}

/// The rows of a table for one scan.
#[derive(Debug)]
struct Rows {
    table: RowsTable,
    schema: SchemaRef,
}

impl PartitionStream for Rows {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _context: Arc<TaskContext>) -> SendableRecordBatchStream {
        let schema = Arc::clone(&self.schema);
        let batches: Box<dyn Iterator<Item = Result<RecordBatch>> + Send> = match self.table.batches(&schema)
        {
            Ok(batches) => Box::new(batches),
            Err(error) => Box::new(std::iter::once(Err(error))),
        };
        Box::pin(RecordBatchStreamAdapter::new(
            schema,
            futures_util::stream::iter(batches),
        ))
    }
}

/// Reads one file after the other.
struct Batches {
    schema: SchemaRef,
    files: Arc<[PathBuf]>,
    next: usize,
    open: Option<ParquetRecordBatchReader>,
}

impl Batches {
    fn open(&self, path: &PathBuf) -> Result<ParquetRecordBatchReader> {
        let file = File::open(path)
            .map_err(|error| DataFusionError::Internal(format!("cannot open {}: {error}", path.display())))?;
        let builder = ParquetRecordBatchReaderBuilder::try_new(file)?;
        let columns: Vec<usize> = self
            .schema
            .fields()
            .iter()
            .filter_map(|field| builder.schema().index_of(field.name()).ok())
            .collect();
        let mask = ProjectionMask::roots(builder.parquet_schema(), columns);
        Ok(builder.with_projection(mask).build()?)
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        loop {
            if let Some(reader) = &mut self.open {
                match reader.next() {
                    Some(Ok(batch)) => {
                        return Some(widen(&batch, &self.schema).map_err(DataFusionError::from));
                    }
                    Some(Err(error)) => return Some(Err(error.into())),
                    None => self.open = None,
                }
            }
            let path = self.files.get(self.next)?;
            self.next += 1;
            match self.open(path) {
                Ok(reader) => self.open = Some(reader),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
