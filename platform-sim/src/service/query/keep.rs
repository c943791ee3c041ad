//! The second stage: which candidates stay.

use datafusion::arrow::array::RecordBatch;
use expressions::ErrorKind;
use recsys::NumberSet;
use serde_json::json;

use super::bind::{Condition, wrong_expression};
use super::document::Keep;
use super::engine::{Run, stage, step};
use super::explain::{Stage, Step};
use super::model::PrebuiltFilter;
use super::universe::rows_at;
use crate::service::failure::{Failure, Result};
use crate::service::inference::columns::{Readable, with_json_paths};

impl Run<'_> {
    pub(crate) fn filter(&mut self, found: &[u32]) -> Result<(Vec<u32>, Stage)> {
        let began = (self.engine.clock)();
        let mut places = found.to_vec();
        let mut stage = stage("filter", places.len());
        for (index, filter) in self.query().filter.iter().enumerate() {
            let began = (self.engine.clock)();
            let before = places.len();
            let note = self.keep(index, &filter.keep, &mut places)?;
            let mut explained = Step {
                filter_type: Some(filter.keep.name().to_owned()),
                items_filtered: Some(before - places.len()),
                expression: match &filter.keep {
                    Keep::Where(text) => Some(text.clone()),
                    _ => None,
                },
                ..step(
                    &filter.name,
                    filter.keep.name(),
                    before,
                    places.len(),
                    self.engine.since(began),
                )
            };
            match &filter.keep {
                Keep::NotIn { filter, .. } => {
                    explained.metadata.insert("filter_ref".to_owned(), json!(filter));
                }
                Keep::First(count) => {
                    explained.metadata.insert("max_length".to_owned(), json!(count));
                }
                Keep::Where(_) => {}
            }
            if let Some(note) = note {
                explained.metadata.insert("note".to_owned(), json!(note));
            }
            stage.steps.push(explained);
        }
        stage.output_count = places.len();
        stage.execution_time_ms = self.engine.since(began);
        Ok((places, stage))
    }

    /// Leaves out what one step leaves out; says why it does nothing where that is odd.
    fn keep(&self, index: usize, keep: &Keep, places: &mut Vec<u32>) -> Result<Option<String>> {
        match keep {
            Keep::NotIn { filter, user } => {
                let gone = match (self.model().prebuilt_filter(filter), user) {
                    (Some(PrebuiltFilter::Global(items)), _) => items.clone(),
                    (Some(PrebuiltFilter::Personal(of)), Some(user)) => NumberSet::new(of(user)),
                    (Some(PrebuiltFilter::Personal(_)), None) => {
                        return Ok(Some(
                            "the filter is personal and nobody asks: give input_user_id".to_owned(),
                        ));
                    }
                    (None, _) => return Ok(Some("the model has no such filter any more".to_owned())),
                };
                places.retain(|place| !gone.contains(self.universe.number(*place)));
            }
            Keep::Where(_) => {
                if let Some(Some(condition)) = self.plan.filters.get(index) {
                    *places = self.passing(condition, Some(places))?;
                }
            }
            Keep::First(count) => places.truncate(*count),
        }
        Ok(None)
    }

    /// Which of some places no retrieve step found may be shown all the same, in their order: they meet all filters
    /// but truncations, and the `where` of a step unless a step has none.
    pub(crate) fn admitted(&self, places: Vec<u32>) -> Result<Vec<u32>> {
        let mut places = places;
        let conditions: Option<Vec<&Condition>> = self.plan.conditions.iter().map(Option::as_ref).collect();
        if let Some(conditions) = conditions {
            let mut any = NumberSet::default();
            for condition in conditions {
                for place in self.passing(condition, Some(&places))? {
                    any.insert(place);
                }
            }
            places.retain(|place| any.contains(*place));
        }
        for (index, filter) in self.query().filter.iter().enumerate() {
            if !matches!(filter.keep, Keep::First(_)) {
                self.keep(index, &filter.keep, &mut places)?;
            }
        }
        Ok(places)
    }

    /// The places that meet a condition: of some, in their order, or of all.
    pub(crate) fn passing(&self, condition: &Condition, among: Option<&[u32]>) -> Result<Vec<u32>> {
        let rows = &self.universe.columns;
        let prefix = self.universe.subject.noun();
        let dotted = format!("{prefix}.");
        let names: Vec<String> = condition
            .parsed
            .column_names()
            .into_iter()
            .map(|name| name.strip_prefix(&dotted).map(str::to_owned).unwrap_or(name))
            .collect();
        let in_json = names.iter().any(|name| rows.column_by_name(name).is_none());
        // What is inside of the JSON of a catalogue is read once; else for the candidates only, unless none has it.
        let paths = match self.universe.is_catalogue() {
            true => self.model().shortcuts().map(|shortcuts| &shortcuts.item_paths),
            false => None,
        };
        let passed = match among {
            among if !in_json => selected(rows, prefix, condition, among),
            Some(places) if paths.is_none() => {
                let some = with_json_paths(&rows_at(rows, places)?, &names, None);
                match selected(&some, prefix, condition, None) {
                    Err(error) if error.kind() == ErrorKind::UnknownName => {
                        selected(&with_json_paths(rows, &names, None), prefix, condition, among)
                    }
                    found => found,
                }
            }
            among => selected(&with_json_paths(rows, &names, paths), prefix, condition, among),
        };
        let passed = passed.map_err(|error| match error.kind() {
            ErrorKind::Data => {
                Failure::Internal(anyhow::anyhow!("a filter was bound to other columns: {error}"))
            }
            _ => Failure::Invalid(vec![wrong_expression(&condition.place, &error)]),
        })?;
        Ok(match among {
            Some(among) => passed.into_iter().map(|row| among[row as usize]).collect(),
            None => passed,
        })
    }
}

/// The rows that meet a condition, or the places in `among` of those that do.
fn selected(
    rows: &RecordBatch,
    prefix: &str,
    condition: &Condition,
    among: Option<&[u32]>,
) -> std::result::Result<Vec<u32>, expressions::Error> {
    let readable = Readable::new(rows);
    let filter = condition
        .parsed
        .bind(&readable.schema(prefix), &condition.parameters)?;
    let columns: Vec<usize> = filter.columns().iter().map(|column| column.index).collect();
    readable.lend(&columns, |columns| match among {
        Some(among) => {
            let columns: Vec<_> = columns.iter().map(|column| column.at_rows(among)).collect();
            filter.select(&columns, among.len())
        }
        None => filter.select(columns, rows.num_rows()),
    })
}
