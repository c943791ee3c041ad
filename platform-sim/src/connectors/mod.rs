//! Where rows come from besides insert calls: one connector for each kind of source.
//!
//! A connector that is not in [`CONNECTORS`] does not exist: a dataset of its kind is stored, and its status says
//! that nothing reads it. What a connector cannot do, it declares.

pub(crate) mod files;

use datafusion::arrow::array::RecordBatch;

use crate::service::domain::Schema;

/// A row of the table.
#[derive(Debug)]
pub(crate) struct ConnectorSpec {
    /// The schema type of its datasets, or the type of a model's connector.
    pub(crate) id: &'static str,
    pub(crate) delivery: Delivery,
}

/// How rows get here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// The owner sends them: there is nothing to connect to.
    Pushed,
    /// A [`Connector`] reads all of them whenever they are needed.
    ReadWhole,
}

/// Every connector of this server.
pub(crate) static CONNECTORS: &[&ConnectorSpec] = &[&CUSTOM, &files::SPEC];

static CUSTOM: ConnectorSpec = ConnectorSpec {
    id: "CUSTOM",
    delivery: Delivery::Pushed,
};

/// The connector of that kind of source, if there is one.
pub(crate) fn find(id: &str) -> Option<&'static ConnectorSpec> {
    CONNECTORS.iter().copied().find(|spec| spec.id == id)
}

/// A source that rows are read from. Every verb may block.
pub(crate) trait Connector: Send {
    /// Whether the source is there and may be read.
    fn check(&self) -> Result<(), SourceError>;
    /// The columns of its rows.
    fn discover(&self) -> Result<Schema, SourceError>;
    /// Gives all rows to `sink`, in batches with the columns of `schema`, which `discover` gave.
    fn read(
        &self,
        schema: &Schema,
        sink: &mut dyn FnMut(RecordBatch) -> Result<(), SourceError>,
    ) -> Result<(), SourceError>;
}

/// Why a source could not be read.
#[derive(Debug)]
pub(crate) enum SourceError {
    /// The owner of the source can mend it; the sentence says how.
    Owner(String),
    /// A fault of ours or of the machine.
    Internal(anyhow::Error),
}

impl From<anyhow::Error> for SourceError {
    fn from(error: anyhow::Error) -> SourceError {
        SourceError::Internal(error)
    }
}
