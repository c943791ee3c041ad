//! What a model of version 2 reads: tables and statements over everything that has a name, turned into the statements
//! that feed a model.

use std::collections::BTreeSet;

use super::domain::{
    Column, Connector, FeatureColumn, FeatureType, Fetch, FilterKind, NamedFilter, NewModel, Source,
    ValueType,
};
use super::failure::{Failure, PathPart, Place, Result, Violation};
use super::names;
use super::relations::Catalogue;
use crate::platform::Platform;
use crate::sql::client::SqlError;
use crate::sql::{Planned, Statement};

/// A model as its body asks for it.
#[derive(Debug)]
pub(crate) struct Wanted {
    /// Without connectors and statements.
    pub(crate) new: NewModel,
    pub(crate) sources: Sources,
}

/// What the body says about data.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    pub(crate) interaction: Option<DataSource>,
    pub(crate) user: Option<DataSource>,
    pub(crate) item: Option<DataSource>,
    pub(crate) user_columns: EntityColumns,
    pub(crate) item_columns: EntityColumns,
    pub(crate) interaction_columns: InteractionColumns,
    pub(crate) filters: Vec<FilterSource>,
    /// Columns that have to be there, with their places.
    pub(crate) indexed_item_columns: Vec<(String, Vec<PathPart>)>,
    pub(crate) indexed_user_columns: Vec<(String, Vec<PathPart>)>,
}

/// Rows.
#[derive(Clone, Debug)]
pub(crate) struct DataSource {
    rows: SourceRows,
    /// Where the body has it.
    place: Vec<PathPart>,
}

#[derive(Clone, Debug)]
enum SourceRows {
    Table {
        name: String,
        /// Empty: all.
        columns: Vec<String>,
        condition: Option<String>,
    },
    Query(String),
}

impl DataSource {
    /// Rows of a dataset or transform: all its columns if none are named, all rows without a condition.
    pub(crate) fn table(
        name: String,
        columns: Vec<String>,
        condition: Option<String>,
        place: Vec<PathPart>,
    ) -> DataSource {
        DataSource {
            rows: SourceRows::Table {
                name,
                columns,
                condition,
            },
            place,
        }
    }

    /// The rows of a SELECT.
    pub(crate) fn query(sql: String, place: Vec<PathPart>) -> DataSource {
        DataSource {
            rows: SourceRows::Query(sql),
            place,
        }
    }

    fn inside(&self, part: impl Into<PathPart>) -> Vec<PathPart> {
        let mut place = self.place.clone();
        place.push(part.into());
        place
    }

    /// Where an error of the statement stands.
    fn place_of_sql(&self) -> Vec<PathPart> {
        match &self.rows {
            SourceRows::Query(_) => self.inside("query"),
            SourceRows::Table {
                condition: Some(_), ..
            } => self.inside("where"),
            SourceRows::Table { .. } => self.place.clone(),
        }
    }

    /// A SELECT of these columns, each a piece of SQL.
    fn select(&self, columns: &str) -> String {
        match &self.rows {
            SourceRows::Query(sql) => format!("SELECT {columns} FROM (\n{sql}\n) AS source"),
            SourceRows::Table { name, condition, .. } => {
                let from = quoted(name);
                match condition {
                    // The line breaks end what might be a comment.
                    Some(condition) => format!("SELECT {columns} FROM {from} WHERE (\n{condition}\n)"),
                    None => format!("SELECT {columns} FROM {from}"),
                }
            }
        }
    }

    /// The rows as they are.
    fn as_it_is(&self) -> String {
        match &self.rows {
            SourceRows::Query(sql) => sql.clone(),
            SourceRows::Table { columns, .. } if columns.is_empty() => self.select("*"),
            SourceRows::Table { columns, .. } => {
                let columns: Vec<String> = columns.iter().map(|column| quoted(column)).collect();
                self.select(&columns.join(", "))
            }
        }
    }
}

/// Which columns of users or items are what.
#[derive(Debug, Default)]
pub(crate) struct EntityColumns {
    pub(crate) place: Vec<PathPart>,
    pub(crate) id: Option<String>,
    pub(crate) created_at: Option<String>,
    /// The columns that count, with what they mean; `None`: all.
    pub(crate) features: Option<Vec<ColumnMeaning>>,
}

/// Which columns of interactions are what.
#[derive(Debug, Default)]
pub(crate) struct InteractionColumns {
    pub(crate) place: Vec<PathPart>,
    pub(crate) label: Option<String>,
    pub(crate) created_at: Option<String>,
    pub(crate) session_id: Option<String>,
    pub(crate) interaction_id: Option<String>,
    pub(crate) features: Option<Vec<ColumnMeaning>>,
}

/// A column and what its owner says that it means.
#[derive(Debug)]
pub(crate) struct ColumnMeaning {
    pub(crate) name: String,
    pub(crate) feature_type: Option<FeatureType>,
}

/// Items that answers leave out.
#[derive(Debug)]
pub(crate) struct FilterSource {
    pub(crate) name: String,
    pub(crate) kind: FilterKind,
    pub(crate) source: DataSource,
    /// Of a personal one.
    pub(crate) user_column: Option<String>,
    pub(crate) item_column: String,
    /// Where the body names the columns.
    pub(crate) place: Vec<PathPart>,
}

/// Turns a body into a model: finds the datasets, plans the statements, gives columns their names. What was noticed on
/// the way is told besides.
pub(crate) async fn resolve(platform: &Platform, wanted: Wanted) -> Result<(NewModel, Vec<String>)> {
    let Wanted { mut new, sources } = wanted;
    let catalogue = Catalogue::read(platform).await?;
    let all: Vec<&DataSource> = [&sources.interaction, &sources.item, &sources.user]
        .into_iter()
        .flatten()
        .chain(sources.filters.iter().map(|filter| &filter.source))
        .collect();
    for source in &all {
        check_table(&catalogue, source)?;
    }
    let planned = plan(platform, &catalogue, &all).await?;
    let mut reads = BTreeSet::new();
    for read in planned.iter().flat_map(|planned| &planned.reads) {
        catalogue.readable(read)?;
        reads.insert(read.clone());
    }
    let mut columns = planned.into_iter().map(|planned| planned.columns);
    let mut columns_of = |there: bool| {
        if there {
            columns.next().unwrap_or_default()
        } else {
            Vec::new()
        }
    };
    let interaction = columns_of(sources.interaction.is_some());
    let item = columns_of(sources.item.is_some());
    let user = columns_of(sources.user.is_some());
    let filters: Vec<Vec<Column>> = sources.filters.iter().map(|_| columns_of(true)).collect();

    let mut naming = Naming::default();
    new.config.connectors = reads
        .into_iter()
        .map(|name| Connector {
            id: name.clone(),
            source: Source::Dataset { dataset: name },
        })
        .collect();
    new.config.fetch = Fetch {
        events: match &sources.interaction {
            Some(source) => naming.events(source, &interaction, &sources),
            None => NO_EVENTS.to_owned(),
        },
        items: (sources.item.as_ref())
            .map(|source| naming.entities(source, &item, &sources.item_columns, "item_id")),
        users: (sources.user.as_ref())
            .map(|source| naming.entities(source, &user, &sources.user_columns, "user_id")),
        ..Fetch::default()
    };
    new.config.filters = sources
        .filters
        .iter()
        .zip(&filters)
        .map(|(filter, columns)| naming.filter(filter, columns))
        .collect();
    let meanings = &mut new.config.meanings;
    meanings.interactions = naming.meanings(&sources.interaction_columns.features, &interaction);
    meanings.items = naming.meanings(&sources.item_columns.features, &item);
    meanings.users = naming.meanings(&sources.user_columns.features, &user);
    for (indexed, columns, source) in [
        (&sources.indexed_item_columns, &item, "item_dataset"),
        (&sources.indexed_user_columns, &user, "user_dataset"),
    ] {
        for (column, place) in indexed {
            if !columns.iter().any(|known| known.name == *column) {
                let message = no_column(&format!("the {source}"), column, columns);
                naming.wrong(place.clone(), "unknown_column", message);
            }
        }
    }
    if naming.violations.is_empty() {
        Ok((new, naming.warnings))
    } else {
        Err(Failure::Invalid(naming.violations))
    }
}

/// The events of a model that has none.
const NO_EVENTS: &str =
    "SELECT '' AS user_id, '' AS item_id, 1 AS label, CAST(NULL AS TIMESTAMP) AS created_at WHERE 1 = 0";

/// A table is there and has the columns that are named.
fn check_table(catalogue: &Catalogue, source: &DataSource) -> Result<()> {
    let SourceRows::Table { name, columns, .. } = &source.rows else {
        return Ok(());
    };
    let table = catalogue.readable(name)?;
    let known = &table.schema().columns;
    let missing = columns
        .iter()
        .enumerate()
        .filter(|(_, column)| !known.iter().any(|known| known.name == **column));
    let violations: Vec<Violation> = missing
        .map(|(index, column)| {
            let mut place = source.inside("columns");
            place.push(index.into());
            Violation {
                place: Place::Path(place),
                kind: "unknown_column",
                message: no_column(&format!("'{name}'"), column, known),
            }
        })
        .collect();
    if violations.is_empty() {
        Ok(())
    } else {
        Err(Failure::Invalid(violations))
    }
}

/// Plans the sources as they are: their columns, and what they read.
async fn plan(platform: &Platform, catalogue: &Catalogue, sources: &[&DataSource]) -> Result<Vec<Planned>> {
    let invalid = |source: &DataSource, reason: String| {
        Failure::invalid(Place::Path(source.place_of_sql()), "invalid_sql", reason)
    };
    let statements = sources
        .iter()
        .map(|source| Statement::new(&source.as_it_is(), None).map_err(|reason| invalid(source, reason)))
        .collect::<Result<Vec<_>>>()?;
    let outcomes = platform
        .sql
        .run(catalogue.everything(), statements)
        .await
        .map_err(|error| match error {
            SqlError::Busy => {
                Failure::Busy("other statements are being checked or run; try again in a few seconds")
            }
            SqlError::Internal(cause) => Failure::Internal(cause),
        })?;
    let answered = outcomes.len();
    let planned = outcomes
        .into_iter()
        .zip(sources)
        .map(|(outcome, source)| outcome.map_err(|refusal| invalid(source, refusal.reason)))
        .collect::<Result<Vec<_>>>()?;
    // The worker ends at the first statement that it refuses, and only there.
    if answered < sources.len() {
        return Err(Failure::Internal(anyhow::anyhow!(
            "the SQL worker answered {answered} of {} statements",
            sources.len()
        )));
    }
    Ok(planned)
}

/// Gives columns the names that the platform knows them by.
#[derive(Default)]
struct Naming {
    violations: Vec<Violation>,
    warnings: Vec<String>,
}

impl Naming {
    fn wrong(&mut self, place: Vec<PathPart>, kind: &'static str, message: String) {
        self.violations.push(Violation {
            place: Place::Path(place),
            kind,
            message,
        });
    }

    /// The column that is meant: the one that `schema_override` names at `place`, or the one with the usual name.
    fn pick(
        &mut self,
        named: Option<&String>,
        usual: &str,
        columns: &[Column],
        place: (&[PathPart], &str),
        source: &DataSource,
    ) -> Option<String> {
        let is_there = |name: &str| columns.iter().any(|column| column.name == name);
        match named {
            Some(name) if is_there(name) => Some(name.clone()),
            // A statement may have given the column its usual name already.
            _ if is_there(usual) => Some(usual.to_owned()),
            None => None,
            Some(name) => {
                let mut path = place.0.to_vec();
                path.push(place.1.into());
                let what = source.place.last().map_or_else(String::new, |part| match part {
                    PathPart::Name(name) => format!("the {name}"),
                    PathPart::Index(_) => "the dataset".to_owned(),
                });
                let message = no_column(&what, name, columns);
                self.wrong(path, "unknown_column", message);
                None
            }
        }
    }

    /// The statement of the events.
    fn events(&mut self, source: &DataSource, columns: &[Column], sources: &Sources) -> String {
        let own = &sources.interaction_columns;
        let ids = [
            ("user_id", &sources.user_columns),
            ("item_id", &sources.item_columns),
        ];
        let before = self.violations.len();
        let mut named: Vec<(String, String)> = Vec::new();
        for (usual, entity) in ids {
            match self.pick(entity.id.as_ref(), usual, columns, (&entity.place, "id"), source) {
                Some(column) => named.push((quoted(&column), usual.to_owned())),
                None if self.violations.len() == before => self.no_id(source, usual, columns),
                None => {}
            }
        }
        let mut used: BTreeSet<String> = BTreeSet::new();
        let label = self.pick(
            own.label.as_ref(),
            "label",
            columns,
            (&own.place, "label"),
            source,
        );
        named.push((
            label
                .as_ref()
                .map_or_else(|| "1".to_owned(), |column| quoted(column)),
            "label".to_owned(),
        ));
        let created_at = self.pick(
            own.created_at.as_ref(),
            "created_at",
            columns,
            (&own.place, "created_at"),
            source,
        );
        if created_at.is_none() {
            self.warnings.push(
                "the interactions have no column created_at, so none is newer than another; name it with schema_override.interaction.created_at"
                    .to_owned(),
            );
        }
        named.push((
            created_at
                .as_ref()
                .map_or_else(|| "CAST(NULL AS TIMESTAMP)".to_owned(), |column| quoted(column)),
            "created_at".to_owned(),
        ));
        for (field, column) in [
            ("session_id", &own.session_id),
            ("interaction_id", &own.interaction_id),
        ] {
            if let Some(name) = column
                && let Some(column) = self.pick(Some(name), field, columns, (&own.place, field), source)
            {
                named.push((quoted(&column), field.to_owned()));
            }
        }
        used.extend(named.iter().map(|(column, _)| column.clone()));
        self.statement(
            source,
            columns,
            &named,
            &used,
            own.features.as_deref(),
            &own.place,
        )
    }

    /// The statement of items or users.
    fn entities(
        &mut self,
        source: &DataSource,
        columns: &[Column],
        own: &EntityColumns,
        usual: &str,
    ) -> String {
        let before = self.violations.len();
        let mut named = Vec::new();
        match self.pick(own.id.as_ref(), usual, columns, (&own.place, "id"), source) {
            Some(column) => named.push((quoted(&column), usual.to_owned())),
            None if self.violations.len() == before => self.no_id(source, usual, columns),
            None => {}
        }
        if let Some(name) = &own.created_at
            && let Some(column) = self.pick(
                Some(name),
                "created_at",
                columns,
                (&own.place, "created_at"),
                source,
            )
        {
            named.push((quoted(&column), "created_at".to_owned()));
        }
        let used = named.iter().map(|(column, _)| column.clone()).collect();
        self.statement(
            source,
            columns,
            &named,
            &used,
            own.features.as_deref(),
            &own.place,
        )
    }

    fn no_id(&mut self, source: &DataSource, usual: &str, columns: &[Column]) {
        let entity = usual.trim_end_matches("_id");
        let has: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        let message = format!(
            "there is no column {usual} here, only {}; name it with schema_override.{entity}.id or in the query with AS",
            has.join(", ")
        );
        self.wrong(source.place.clone(), "missing_column", message);
    }

    /// A SELECT of the named columns and of the others that count. Where nothing is renamed, added or left out it is the
    /// source as it is.
    fn statement(
        &mut self,
        source: &DataSource,
        columns: &[Column],
        named: &[(String, String)],
        used: &BTreeSet<String>,
        features: Option<&[ColumnMeaning]>,
        place: &[PathPart],
    ) -> String {
        for (index, feature) in features.unwrap_or_default().iter().enumerate() {
            if !columns.iter().any(|column| column.name == feature.name) {
                let mut path = place.to_vec();
                path.extend(["features".into(), index.into()]);
                let message = no_column("the dataset", &feature.name, columns);
                self.wrong(path, "unknown_column", message);
            }
        }
        let counts = |column: &Column| {
            let wanted = |features: &[ColumnMeaning]| features.iter().any(|one| one.name == column.name);
            features.is_none_or(wanted)
        };
        let others: Vec<String> = columns
            .iter()
            .filter(|column| !named.iter().any(|(_, name)| *name == column.name))
            .filter(|column| !used.contains(&quoted(&column.name)) && counts(column))
            .map(|column| quoted(&column.name))
            .collect();
        let renamed = named.iter().any(|(column, name)| *column != quoted(name));
        if !renamed && named.len() + others.len() == columns.len() {
            return source.as_it_is();
        }
        let named = named
            .iter()
            .map(|(column, name)| format!("{column} AS {}", quoted(name)));
        let all: Vec<String> = named.chain(others).collect();
        source.select(&all.join(", "))
    }

    fn filter(&mut self, filter: &FilterSource, columns: &[Column]) -> NamedFilter {
        let wanted = [
            ("user_id_column", "user_id", filter.user_column.as_ref()),
            ("item_id_column", "item_id", Some(&filter.item_column)),
        ];
        let mut selected = Vec::new();
        for (field, name, column) in wanted {
            let Some(column) = column else { continue };
            if !columns.iter().any(|known| known.name == *column) {
                let mut place = filter.place.clone();
                place.push(field.into());
                let message = no_column("the filter_dataset", column, columns);
                self.wrong(place, "unknown_column", message);
            }
            selected.push(format!("{} AS {}", quoted(column), quoted(name)));
        }
        NamedFilter {
            name: filter.name.clone(),
            kind: filter.kind,
            sql: filter.source.select(&selected.join(", ")),
        }
    }

    /// The meanings that somebody gave, of columns that can have them.
    fn meanings(&mut self, features: &Option<Vec<ColumnMeaning>>, columns: &[Column]) -> Vec<FeatureColumn> {
        let mut meanings = Vec::new();
        for feature in features.iter().flatten() {
            let Some(feature_type) = feature.feature_type else {
                continue;
            };
            let column = columns.iter().find(|column| column.name == feature.name);
            if column.is_some_and(|column| !suits(feature_type, column.value_type)) {
                self.warnings.push(format!(
                    "the column '{}' cannot be read as {}; what it means was inferred",
                    feature.name,
                    feature_type.name()
                ));
                continue;
            }
            meanings.push(FeatureColumn {
                name: feature.name.clone(),
                feature_type,
            });
        }
        meanings
    }
}

/// Whether a column of this type can mean that.
fn suits(feature_type: FeatureType, value_type: ValueType) -> bool {
    use ValueType as V;

    let is_list = matches!(value_type, V::StringArray | V::Int64Array | V::Float64Array);
    let is_number_list = matches!(value_type, V::Int64Array | V::Float64Array);
    match feature_type {
        FeatureType::Unknown => true,
        FeatureType::Vector | FeatureType::NumericalSequence => is_number_list,
        FeatureType::CategorySequence | FeatureType::CategorySet => is_list,
        FeatureType::Numerical | FeatureType::Binary => {
            matches!(value_type, V::Int32 | V::Int64 | V::Float | V::Double | V::Bool)
        }
        FeatureType::Timestamp => {
            matches!(
                value_type,
                V::DateTime | V::Int32 | V::Int64 | V::Double | V::String
            )
        }
        _ => !is_list,
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// That a column is not there, and which ones are.
fn no_column(what: &str, name: &str, columns: &[Column]) -> String {
    let all = || columns.iter().map(|column| column.name.as_str());
    let hint = match names::nearest(name, all()) {
        Some(near) => format!("did you mean '{near}'?"),
        None => format!("its columns are {}", all().collect::<Vec<_>>().join(", ")),
    };
    format!("{what} has no column '{name}'; {hint}")
}
