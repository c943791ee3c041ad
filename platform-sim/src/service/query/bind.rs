//! A query meets the names of a model: every reference and every expression is checked before anything runs.

use expressions::{Schema, Type, filter, suggestion, value};
use serde_json::{Map, Value, json};

use super::document::{Encoder, Find, Keep, Mix, Query, QueryType, Score};
use super::fields::is_open;
use super::model::Subject;
use super::names::Names;
use crate::service::domain::{self, Column, ValueType};
use crate::service::failure::{PathPart, Place, Violation};
use crate::service::inference::columns::expression_type;
use crate::service::rows::arrow_schema;

/// The list of a user's newest items, in value models.
pub(crate) const RECENT_INTERACTIONS: &str = "recent_interactions";

/// A query that a model can answer.
pub(crate) struct Plan {
    pub(crate) query: Query,
    /// The `where` of each retrieve step.
    pub(crate) conditions: Vec<Option<Condition>>,
    /// The expression of each filter step.
    pub(crate) filters: Vec<Option<Condition>>,
    pub(crate) value_model: Option<value::Model>,
}

/// A filter that was checked. It binds once more to the rows that it reads: only they know what is inside of JSON.
pub(crate) struct Condition {
    pub(crate) parsed: filter::Parsed,
    pub(crate) parameters: Map<String, Value>,
    /// Where the query has it.
    pub(crate) place: Vec<PathPart>,
}

/// The values of a query's parameters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parameters {
    pub(crate) values: Map<String, Value>,
    /// Those of a draft that have no value yet.
    pub(crate) open: Vec<String>,
}

/// Checks a query against the names of a model. Places begin at the query.
pub(crate) fn bind(query: Query, names: &Names, parameters: &Parameters) -> Result<Plan, Vec<Violation>> {
    let mut binder = Binder {
        names,
        parameters,
        subject: query.query_type.subject(),
        violations: Vec::new(),
    };
    let (conditions, filters, value_model) = binder.query(&query);
    if binder.violations.is_empty() {
        Ok(Plan {
            query,
            conditions,
            filters,
            value_model,
        })
    } else {
        Err(binder.violations)
    }
}

/// A violation for an expression.
pub(crate) fn wrong_expression(place: &[PathPart], error: &expressions::Error) -> Violation {
    Violation {
        place: Place::Path(place.to_vec()),
        kind: error.kind().code(),
        message: error.to_string(),
    }
}

struct Binder<'b> {
    names: &'b Names,
    parameters: &'b Parameters,
    subject: Subject,
    violations: Vec<Violation>,
}

/// The way to a field of a query.
macro_rules! path {
    ($($part:expr),+) => { vec![$(PathPart::from($part)),+] };
}

impl Binder<'_> {
    fn report(&mut self, place: Vec<PathPart>, kind: &'static str, message: impl Into<String>) {
        self.violations.push(Violation {
            place: Place::Path(place),
            kind,
            message: message.into(),
        });
    }

    fn query(
        &mut self,
        query: &Query,
    ) -> (
        Vec<Option<Condition>>,
        Vec<Option<Condition>>,
        Option<value::Model>,
    ) {
        let mut conditions = Vec::with_capacity(query.retrieve.len());
        for (index, step) in query.retrieve.iter().enumerate() {
            self.find(&step.find, index);
            let condition = step.condition.as_deref();
            conditions
                .push(condition.and_then(|text| self.condition(text, path!["retrieve", index, "where"])));
        }
        let mut filters = Vec::with_capacity(query.filter.len());
        for (index, step) in query.filter.iter().enumerate() {
            filters.push(match &step.keep {
                Keep::Where(text) => self.condition(text, path!["filter", index, "expression"]),
                Keep::NotIn { filter, .. } => {
                    self.prebuilt(filter, path!["filter", index, "filter_ref"]);
                    None
                }
                Keep::First(_) => None,
            });
        }
        let value_model = match &query.score {
            Score::Ensemble(ensemble) => self.value_model(query, &ensemble.value_model),
            Score::Passthrough => None,
        };
        for (index, step) in query.reorder.iter().enumerate() {
            if let Mix::Diversity {
                attributes,
                embedding,
                ..
            } = &step.mix
            {
                for (number, name) in attributes.iter().enumerate() {
                    let place = path!["reorder", index, "diversity_attributes", number];
                    self.label_column(self.subject, name, place);
                }
                if let Some(name) = embedding {
                    let place = path!["reorder", index, "text_encoding_embedding_ref"];
                    self.embedding(name, self.subject == Subject::User, false, place);
                }
            }
        }
        for (index, name) in query.columns.iter().flatten().enumerate() {
            self.column(self.subject, name, path!["columns", index]);
        }
        for (index, name) in query.embeddings.iter().enumerate() {
            self.embedding(
                name,
                self.subject == Subject::User,
                false,
                path!["embeddings", index],
            );
        }
        if let Some(attribute) = &query.attribute {
            self.label_column(Subject::Item, &attribute.column, path!["input_attribute"]);
        }
        (conditions, filters, value_model)
    }

    fn find(&mut self, find: &Find, index: usize) {
        match find {
            Find::ColumnOrder(columns) => {
                for (number, column) in columns.iter().enumerate() {
                    let place = path!["retrieve", index, "columns", number, "name"];
                    if let Some(found) = self.column(self.subject, &column.name, place.clone())
                        && !is_sortable(found)
                    {
                        let message = format!(
                            "'{}' is a column of {} and has no order; sort by a column of numbers, texts, times or booleans",
                            column.name,
                            found.name()
                        );
                        self.report(place, "wrong_type", message);
                    }
                }
            }
            Find::Words { .. } => {
                if !self.names.has_text(self.subject) {
                    let noun = self.subject.noun();
                    let message = format!(
                        "the model's {noun}s have no text index; name {noun}_fields in data.index.lexical_search (or model.text_index) when the model is set up"
                    );
                    self.report(path!["retrieve", index, "mode"], "no_text_index", message);
                }
            }
            Find::Meaning { embedding, .. } => {
                let place = path!["retrieve", index, "mode", "text_embedding_ref"];
                self.embedding(embedding, self.subject == Subject::User, true, place);
            }
            Find::Similarity { embedding, encoder } => {
                let _: &Encoder = encoder;
                let place = path!["retrieve", index, "embedding_ref"];
                self.embedding(embedding, self.subject == Subject::User, false, place);
            }
            Find::Ids(_) | Find::Attributes(_) => {}
        }
    }

    fn unknown<'n>(
        &mut self,
        place: Vec<PathPart>,
        kind: &'static str,
        what: &str,
        name: &str,
        known: impl Iterator<Item = &'n str>,
    ) {
        let help = suggestion(name, known).unwrap_or_else(|| "it has none".to_owned());
        let name: String = name.chars().take(60).collect();
        self.report(place, kind, format!("the model has no {what} '{name}': {help}"));
    }

    /// The type of a column, if it is known what is meant and there is such a column.
    fn column(&mut self, subject: Subject, name: &str, place: Vec<PathPart>) -> Option<ValueType> {
        if is_open(name) {
            return None;
        }
        let names = self.names;
        let columns = names.columns(subject);
        let found = columns.iter().find(|column| column.name == name);
        if found.is_none() {
            let what = format!("{} column", subject.noun());
            let known = columns.iter().map(|column| column.name.as_str());
            self.unknown(place, "unknown_column", &what, name, known);
        }
        found.map(|column| column.value_type)
    }

    fn label_column(&mut self, subject: Subject, name: &str, place: Vec<PathPart>) {
        let found = self.column(subject, name, place.clone());
        if found.is_some_and(|found| !has_labels(found)) {
            let message = format!(
                "'{name}' has no labels: an attribute is a column of texts, whole numbers, booleans or lists of these"
            );
            self.report(place, "wrong_type", message);
        }
    }

    fn embedding(&mut self, name: &str, users: bool, text: bool, place: Vec<PathPart>) {
        if is_open(name) {
            return;
        }
        let names = self.names;
        let Some(found) = names.embedding(name) else {
            let known = names.embeddings.iter().map(|one| one.name.as_str());
            return self.unknown(place, "unknown_embedding", "embedding", name, known);
        };
        if users && !found.users {
            let message = format!("the embedding '{name}' has no vectors of users");
            self.report(place, "wrong_embedding", message);
        } else if text && !found.text {
            let message = format!(
                "the embedding '{name}' is not made of texts: a text has no vector in it; name one with an encoder of texts"
            );
            self.report(place, "wrong_embedding", message);
        }
    }

    fn prebuilt(&mut self, name: &str, place: Vec<PathPart>) {
        if self.subject == Subject::User {
            let message = "prebuilt filters are lists of items; leave users out by an expression";
            return self.report(place, "wrong_type", message);
        }
        let names = self.names;
        if !is_open(name) && !names.filters.iter().any(|filter| filter == name) {
            let known = names.filters.iter().map(String::as_str);
            self.unknown(place, "unknown_filter", "filter", name, known);
        }
    }

    fn condition(&mut self, text: &str, place: Vec<PathPart>) -> Option<Condition> {
        if is_open(text) {
            return None;
        }
        let parsed = match filter::parse(text, &expressions::Limits::default()) {
            Ok(parsed) => parsed,
            Err(error) => {
                self.violations.push(wrong_expression(&place, &error));
                return None;
            }
        };
        if !self.knows_parameters(&parsed.parameters(), &place) {
            return None;
        }
        let columns = self.names.columns(self.subject);
        let schema = schema(columns).with_prefix(self.subject.noun());
        let dotted = parsed
            .column_names()
            .iter()
            .any(|name| leads_into_json(name, self.subject, columns));
        if !dotted && let Err(error) = self.tried(|values| parsed.bind(&schema, values).map(drop)) {
            self.violations.push(wrong_expression(&place, &error));
            return None;
        }
        Some(Condition {
            parsed,
            parameters: self.parameters.values.clone(),
            place,
        })
    }

    fn value_model(&mut self, query: &Query, text: &str) -> Option<value::Model> {
        if is_open(text) {
            return None;
        }
        let place = path!["score", "value_model"];
        let parsed = match value::parse(text, &expressions::Limits::default()) {
            Ok(parsed) => parsed,
            Err(error) => {
                self.violations.push(wrong_expression(&place, &error));
                return None;
            }
        };
        if !self.knows_parameters(&parsed.parameters(), &place) {
            return None;
        }
        let names = value_names(self.names, query);
        match self.tried(|values| parsed.bind(&names, values)) {
            Ok(model) => model,
            Err(error) => {
                self.violations.push(wrong_expression(&place, &error));
                None
            }
        }
    }

    fn knows_parameters(&mut self, used: &[String], place: &[PathPart]) -> bool {
        let parameters = self.parameters;
        let unknown = used
            .iter()
            .find(|name| !parameters.values.contains_key(*name) && !parameters.open.contains(name));
        if let Some(name) = unknown {
            let known = parameters
                .values
                .keys()
                .chain(&parameters.open)
                .map(String::as_str);
            let help = suggestion(name, known).map_or(String::new(), |help| format!(": {help}"));
            let message = format!("the parameter '{name}' has neither a value nor a default{help}");
            self.report(place.to_vec(), "missing_parameter", message);
        }
        unknown.is_none()
    }

    /// Binds with the values of the parameters. In a draft some have none: then with values of each kind in turn, and
    /// only names that no value could make right are wrong. Nothing then if it depends on the values.
    fn tried<T>(
        &self,
        bind: impl Fn(&Map<String, Value>) -> Result<T, expressions::Error>,
    ) -> Result<Option<T>, expressions::Error> {
        if self.parameters.open.is_empty() {
            return bind(&self.parameters.values).map(Some);
        }
        let mut wrong_name = None;
        for value in [json!(1), json!("a"), json!(["a"]), json!([1]), json!(true)] {
            let mut values = self.parameters.values.clone();
            values.extend(
                self.parameters
                    .open
                    .iter()
                    .map(|name| (name.clone(), value.clone())),
            );
            match bind(&values) {
                Ok(bound) => return Ok(Some(bound)),
                Err(error) if error.kind() == expressions::ErrorKind::UnknownName => wrong_name = Some(error),
                Err(_) => {}
            }
        }
        wrong_name.map_or(Ok(None), Err)
    }
}

/// What a value model of a query may name.
pub(crate) fn value_names(names: &Names, query: &Query) -> value::Names {
    let subject = query.query_type.subject();
    let mut user = typed(&names.users);
    user.retain(|(name, _)| name != RECENT_INTERACTIONS);
    user.push((
        RECENT_INTERACTIONS.to_owned(),
        Type::List(expressions::data::Element::Utf8),
    ));
    let of_items = subject == Subject::Item;
    value::Names {
        // Policies score items.
        policies: if of_items {
            names.policies.clone()
        } else {
            Vec::new()
        },
        item: if of_items { typed(&names.items) } else { Vec::new() },
        user,
        retrieve_steps: query.retrieve.iter().map(|step| step.name.clone()).collect(),
        embeddings: names.embeddings.iter().map(|one| one.name.clone()).collect(),
    }
}

/// Columns as expressions know them.
pub(crate) fn typed(columns: &[Column]) -> Vec<(String, Type)> {
    let schema = arrow_schema(&domain::Schema {
        declared: false,
        columns: columns.to_vec(),
    });
    let fields = schema.fields().iter();
    fields
        .filter_map(|field| Some((field.name().clone(), expression_type(field.data_type())?)))
        .collect()
}

fn schema(columns: &[Column]) -> Schema {
    Schema::new(typed(columns))
}

/// Whether a name is a way into a column of JSON, whose content only its rows know.
fn leads_into_json(name: &str, subject: Subject, columns: &[Column]) -> bool {
    let prefix = format!("{}.", subject.noun());
    let path = name.strip_prefix(&prefix).unwrap_or(name);
    path.split_once('.').is_some_and(|(column, _)| {
        let found = columns.iter().find(|known| known.name == column);
        found.is_some_and(|found| found.value_type == ValueType::Json)
    })
}

fn is_sortable(value_type: ValueType) -> bool {
    !matches!(
        value_type,
        ValueType::StringArray | ValueType::Int64Array | ValueType::Float64Array | ValueType::Json
    )
}

fn has_labels(value_type: ValueType) -> bool {
    !matches!(
        value_type,
        ValueType::Float | ValueType::Double | ValueType::Float64Array | ValueType::DateTime
    )
}

impl QueryType {
    /// What the rows of the answer are.
    pub(crate) fn entity_type(self) -> &'static str {
        match self {
            QueryType::RankUsers => "user",
            QueryType::RankAttributes => "attribute",
            _ => "item",
        }
    }
}
