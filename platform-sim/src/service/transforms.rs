//! Transforms: made, shown, described, removed. Their rows are made by `crate::jobs::refresh`.

use super::domain::{Column, Enrichment, NewTransform, Recipe, Schema, Transform, ValueType};
use super::failure::{Entity, Failure, Place, Result, Violation};
use super::relations::{Catalogue, Named};
use super::{names, relations::Unreadable};
use crate::jobs;
use crate::platform::Platform;
use crate::sql::Statement;
use crate::sql::client::SqlError;
use crate::store::{Doomed, TransformCreated};

/// What a caller says to make a transform.
#[derive(Debug)]
pub(crate) struct Wanted {
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) recipe: Recipe,
}

/// Makes a transform; it becomes ACTIVE, or ERROR with a reason, in the background.
pub(crate) async fn create(platform: &Platform, wanted: Wanted) -> Result<()> {
    let catalogue = Catalogue::read(platform).await?;
    match catalogue.find(&wanted.name) {
        Some(Named::Dataset(_)) => return Err(Failure::AlreadyExists(Entity::Dataset, wanted.name)),
        Some(Named::Transform(_)) => return Err(Failure::AlreadyExists(Entity::Transform, wanted.name)),
        None => {}
    }
    let (schema, sources) = match &wanted.recipe {
        Recipe::View { sql } | Recipe::Materialized { sql } => {
            check_sql(platform, &catalogue, &wanted.name, sql).await?
        }
        Recipe::Enrichment(enrichment) => check_enrichment(&catalogue, enrichment)?,
    };
    let name = wanted.name.clone();
    let new = NewTransform {
        name: wanted.name,
        description: wanted.description,
        recipe: wanted.recipe,
        schema,
        sources,
    };
    match platform.transforms.create_transform(new).await? {
        TransformCreated::Stored(job) => {
            jobs::start(platform, job);
            Ok(())
        }
        TransformCreated::NameTaken(entity) => Err(Failure::AlreadyExists(entity, name)),
        TransformCreated::SourceGone(source) => Err(Failure::NotFound(Entity::Dataset, source)),
    }
}

/// Plans the statement over all columns that there are; its columns and what it reads.
async fn check_sql(
    platform: &Platform,
    catalogue: &Catalogue,
    name: &str,
    sql: &str,
) -> Result<(Schema, Vec<String>)> {
    let invalid =
        |reason: String| Failure::invalid(Place::Path(vec!["sql_query".into()]), "invalid_sql", reason);
    let statement = Statement::new(sql, None).map_err(invalid)?;
    let outcome = platform
        .sql
        .run(catalogue.everything(), vec![statement])
        .await
        .map_err(busy)?
        .into_iter()
        .next()
        .ok_or_else(|| Failure::Internal(anyhow::anyhow!("the SQL worker did not answer")))?;
    let planned = outcome.map_err(|refusal| {
        // The others were there before it and none can be changed, so the only way round is through itself.
        if refusal.reads.iter().any(|read| read == name) {
            let message = format!("the transform would read itself: {name} -> {name}");
            return Failure::invalid(Place::Path(vec!["sql_query".into()]), "cycle", message);
        }
        invalid(refusal.reason)
    })?;
    for read in &planned.reads {
        match catalogue.readable(read) {
            Ok(_) => {}
            // Its columns are known, and the backfill waits for its rows.
            Err(Unreadable {
                entity: Entity::Transform,
                soon: true,
                ..
            }) => {}
            Err(unreadable) => return Err(unreadable.into()),
        }
    }
    let schema = Schema {
        declared: true,
        columns: planned.columns,
    };
    Ok((schema, planned.reads))
}

/// The transform's refusal of SQL that waits too long.
fn busy(error: SqlError) -> Failure {
    match error {
        SqlError::Busy => {
            Failure::Busy("other statements are being checked or run; try again in a few seconds")
        }
        SqlError::Internal(cause) => Failure::Internal(cause),
    }
}

fn check_enrichment(catalogue: &Catalogue, enrichment: &Enrichment) -> Result<(Schema, Vec<String>)> {
    let source = match catalogue.readable(&enrichment.source) {
        Ok(named) => named,
        Err(unreadable) if unreadable.soon && unreadable.entity == Entity::Transform => catalogue
            .find(&enrichment.source)
            .ok_or_else(|| Failure::NotFound(Entity::Dataset, enrichment.source.clone()))?,
        Err(unreadable) => return Err(unreadable.into()),
    };
    let known = source.schema();
    let mut violations = Vec::new();
    for (field, columns) in [
        ("source_columns", &enrichment.columns),
        ("source_columns_in_output", &enrichment.kept),
    ] {
        for (index, column) in columns.iter().enumerate() {
            if known.column(column).is_none() {
                let all = || known.columns.iter().map(|column| column.name.as_str());
                let hint = match names::nearest(column, all()) {
                    Some(near) => format!("did you mean '{near}'?"),
                    None => format!("its columns are {}", all().collect::<Vec<_>>().join(", ")),
                };
                violations.push(Violation {
                    place: Place::Path(vec![field.into(), index.into()]),
                    kind: "unknown_column",
                    message: format!("'{}' has no column '{column}'; {hint}", enrichment.source),
                });
            }
        }
    }
    for (index, output) in enrichment.outputs.iter().enumerate() {
        if enrichment.kept.contains(output) {
            violations.push(Violation {
                place: Place::Path(vec!["enriched_output_columns".into(), index.into()]),
                kind: "repeated",
                message: format!("'{output}' is one of source_columns_in_output, too"),
            });
        }
    }
    if !violations.is_empty() {
        return Err(Failure::Invalid(violations));
    }
    let kept = enrichment
        .kept
        .iter()
        .filter_map(|name| known.column(name))
        .cloned();
    let written = enrichment.outputs.iter().map(|name| Column {
        name: name.clone(),
        value_type: ValueType::String,
    });
    let schema = Schema {
        declared: true,
        columns: kept.chain(written).collect(),
    };
    Ok((schema, vec![enrichment.source.clone()]))
}

/// All transforms, by name.
pub(crate) async fn list(platform: &Platform) -> Result<Vec<Transform>> {
    Ok(platform.transforms.transforms().await?)
}

/// One transform.
pub(crate) async fn get(platform: &Platform, name: &str) -> Result<Transform> {
    platform
        .transforms
        .transform(name)
        .await?
        .ok_or_else(|| Failure::NotFound(Entity::Transform, name.to_owned()))
}

/// Gives a transform another description.
pub(crate) async fn describe(platform: &Platform, name: &str, description: Option<String>) -> Result<()> {
    if platform.transforms.describe_transform(name, description).await? {
        Ok(())
    } else {
        Err(Failure::NotFound(Entity::Transform, name.to_owned()))
    }
}

/// Removes a transform and its rows. Models that were trained on it go on serving.
pub(crate) async fn delete(platform: &Platform, name: &str) -> Result<()> {
    let transform = get(platform, name).await?;
    match platform.transforms.doom_transform(name).await? {
        // Another request is at it: the same outcome.
        Doomed::Gone => Ok(()),
        Doomed::Read(readers) => Err(Failure::InUse {
            entity: Entity::Transform,
            name: name.to_owned(),
            readers,
        }),
        Doomed::By(job) => {
            jobs::start(platform, job)
                .await
                .map_err(|panic| Failure::Internal(panic.into()))?;
            match platform.transforms.transform_by_id(transform.id).await? {
                None => Ok(()),
                Some(kept) => Err(Failure::Internal(anyhow::anyhow!(
                    "the transform could not be removed: {}",
                    kept.error_message.unwrap_or_default()
                ))),
            }
        }
    }
}
