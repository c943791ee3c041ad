//! The schema types of datasets: for each its fields, what they take, their defaults, and which are secret.
//!
//! Everything that knows a field of a dataset's configuration reads [`SCHEMA_TYPES`]: validation, the effective
//! configuration in answers, the check of the OpenAPI document.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::domain::{Column, NewDataset, Schema, ValueType};
use super::failure::{PathPart, Place, Violation};
use super::names;
use crate::connectors::{self, Delivery};

/// The longest text of a field, in bytes. Certificates and private keys fit.
const MAX_TEXT_BYTES: usize = 32 * 1024;

/// The most entries of a list field.
const MAX_LIST_ENTRIES: usize = 1000;

/// A row of the table.
#[derive(Debug)]
pub(crate) struct SchemaType {
    /// As bodies spell it.
    pub(crate) name: &'static str,
    /// How rows arrive; the first is the default.
    pub(crate) deployment: &'static [&'static str],
    /// In groups, so that types share what they have in common.
    fields: &'static [&'static [Field]],
}

impl SchemaType {
    /// The type of that name.
    pub(crate) fn find(name: &str) -> Option<&'static SchemaType> {
        SCHEMA_TYPES.iter().find(|schema_type| schema_type.name == name)
    }

    /// Every field, `name` and `schema_type` included.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &'static Field> {
        self.fields.iter().copied().flatten()
    }

    fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields().find(|field| field.name == name)
    }

    /// Rows come by insert calls.
    pub(crate) fn takes_inserts(&self) -> bool {
        connectors::find(self.name).is_some_and(|connector| connector.delivery == Delivery::Pushed)
    }
}

/// A field of a configuration.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) required: bool,
    pub(crate) default: Option<Default>,
}

/// What a field takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// The name of the dataset.
    Name,
    /// The name of the schema type.
    SchemaType,
    /// One of the type's own ways to deploy.
    Deployment,
    Text,
    /// A text that no answer and no log shows.
    Secret,
    /// A whole number from one bound to the other.
    Whole(i64, i64),
    /// Names of columns, each once.
    Columns,
    /// Names of columns and their types.
    ColumnSchema,
    /// `@once`, `@hourly`, `@daily`, `@weekly`, `@monthly` or five cron fields.
    Schedule,
    /// A day, or a moment, in ISO 8601.
    Date,
}

/// The value of a field that is left out.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Default {
    Text(&'static str),
    Whole(i64),
}

impl Default {
    pub(crate) fn value(self) -> Value {
        match self {
            Default::Text(text) => json!(text),
            Default::Whole(number) => json!(number),
        }
    }
}

const fn required(name: &'static str, kind: Kind) -> Field {
    Field {
        name,
        kind,
        required: true,
        default: None,
    }
}

const fn optional(name: &'static str, kind: Kind) -> Field {
    Field {
        name,
        kind,
        required: false,
        default: None,
    }
}

const fn defaulting(name: &'static str, kind: Kind, default: Default) -> Field {
    Field {
        name,
        kind,
        required: false,
        default: Some(default),
    }
}

const PORT: Kind = Kind::Whole(1, 65_535);
const BATCH: &[&str] = &["MELTANO_SYNC"];
const STREAM: &[&str] = &["REALTIME"];

/// What every type has.
const COMMON: &[Field] = &[
    required("name", Kind::Name),
    required("schema_type", Kind::SchemaType),
    optional("description", Kind::Text),
    optional("deployment_type", Kind::Deployment),
];

const HOURLY: &[Field] = &[defaulting(
    "schedule_interval",
    Kind::Schedule,
    Default::Text("@hourly"),
)];

/// What types have that read a table again and again.
const READING: &[Field] = &[
    optional("columns", Kind::Columns),
    optional("unique_keys", Kind::Columns),
    optional("batch_size", Kind::Whole(1, 10_000_000)),
];

const REPLICATION: &[Field] = &[optional("replication_key", Kind::Text)];

/// A database server; the port follows, because each kind of server has its own.
const SERVER: &[Field] = &[
    required("host", Kind::Text),
    required("user", Kind::Text),
    required("password", Kind::Secret),
    required("table", Kind::Text),
    required("database", Kind::Text),
    required("replication_key", Kind::Text),
    optional("database_schema", Kind::Text),
];

const TUNNEL: &[Field] = &[
    optional("ssh_tunnel_host", Kind::Text),
    optional("ssh_tunnel_port", PORT),
    optional("ssh_tunnel_user", Kind::Text),
    optional("ssh_tunnel_private_key", Kind::Secret),
    optional("ssh_tunnel_private_key_password", Kind::Secret),
    optional("ssl_certificate_authority", Kind::Text),
    optional("ssl_client_certificate", Kind::Text),
    optional("ssl_client_private_key", Kind::Secret),
];

const KEYS: &[Field] = &[optional("unique_keys", Kind::Columns)];
const DECLARED: &[Field] = &[optional("column_schema", Kind::ColumnSchema)];
const SINCE: &[Field] = &[optional("start_date", Kind::Date)];
const AWS: &[Field] = &[
    optional("aws_role_arn", Kind::Text),
    optional("aws_region", Kind::Text),
];
const S3: &[Field] = &[optional("s3_path", Kind::Text), optional("s3_format", Kind::Text)];

/// The table, in the order in which the reference lists the types.
pub(crate) static SCHEMA_TYPES: [SchemaType; 19] = [
    SchemaType {
        name: "BIGQUERY",
        deployment: BATCH,
        fields: &[
            COMMON,
            &[
                required("table", Kind::Text),
                required("columns", Kind::Columns),
                required("datetime_key", Kind::Text),
                optional("unique_keys", Kind::Columns),
                optional("batch_size", Kind::Whole(1, 10_000_000)),
            ],
            REPLICATION,
            HOURLY,
        ],
    },
    SchemaType {
        name: "MONGODB",
        deployment: BATCH,
        fields: &[
            COMMON,
            &[
                // The password stands inside.
                required("mongodb_connection_string", Kind::Secret),
                required("database", Kind::Text),
                required("collection", Kind::Text),
            ],
            READING,
            REPLICATION,
            HOURLY,
        ],
    },
    SchemaType {
        name: "SNOWFLAKE",
        deployment: BATCH,
        fields: &[
            COMMON,
            &[
                required("account", Kind::Text),
                required("warehouse", Kind::Text),
                required("user", Kind::Text),
                required("password", Kind::Secret),
                required("database", Kind::Text),
                required("table", Kind::Text),
                optional("role", Kind::Text),
                optional("database_schema", Kind::Text),
            ],
            READING,
            REPLICATION,
            HOURLY,
        ],
    },
    SchemaType {
        name: "AWS_PINPOINT",
        deployment: STREAM,
        fields: &[COMMON, AWS, KEYS],
    },
    SchemaType {
        name: "CUSTOM",
        deployment: &["CUSTOM"],
        fields: &[COMMON, DECLARED, KEYS],
    },
    SchemaType {
        name: "REDSHIFT",
        deployment: BATCH,
        fields: &[COMMON, SERVER, &[required("port", PORT)], READING, HOURLY],
    },
    SchemaType {
        name: "POSTGRES",
        deployment: BATCH,
        fields: &[
            COMMON,
            SERVER,
            &[defaulting("port", PORT, Default::Whole(5432))],
            TUNNEL,
            READING,
            HOURLY,
        ],
    },
    SchemaType {
        name: "MYSQL",
        deployment: BATCH,
        fields: &[COMMON, SERVER, &[required("port", PORT)], TUNNEL, READING, HOURLY],
    },
    SchemaType {
        name: "MSSQL",
        deployment: BATCH,
        fields: &[
            COMMON,
            SERVER,
            &[defaulting("port", PORT, Default::Whole(1433))],
            READING,
            HOURLY,
        ],
    },
    SchemaType {
        name: "AMPLITUDE",
        deployment: &["MELTANO_SYNC", "REALTIME"],
        fields: &[
            COMMON,
            &[
                optional("api_key", Kind::Secret),
                optional("secret_key", Kind::Secret),
            ],
            SINCE,
            READING,
            HOURLY,
        ],
    },
    SchemaType {
        name: "SEGMENT",
        deployment: STREAM,
        fields: &[COMMON, KEYS],
    },
    SchemaType {
        name: "RUDDERSTACK",
        deployment: STREAM,
        fields: &[COMMON, KEYS],
    },
    SchemaType {
        name: "ICEBERG",
        deployment: BATCH,
        fields: &[
            COMMON,
            &[
                required("catalog_type", Kind::Text),
                required("catalog_name", Kind::Text),
                required("table_name", Kind::Text),
            ],
            S3,
            AWS,
            READING,
            REPLICATION,
            HOURLY,
        ],
    },
    SchemaType {
        name: "DYNAMODB",
        deployment: BATCH,
        fields: &[
            COMMON,
            &[
                required("table", Kind::Text),
                required("aws_role_arn", Kind::Text),
                required("aws_region", Kind::Text),
                defaulting("schedule_interval", Kind::Schedule, Default::Text("@once")),
            ],
            S3,
            READING,
            REPLICATION,
        ],
    },
    SchemaType {
        name: "SHOPIFY",
        deployment: BATCH,
        fields: &[
            COMMON,
            &[
                required("access_token", Kind::Secret),
                required("store", Kind::Text),
                required("stream", Kind::Text),
            ],
            SINCE,
            READING,
            REPLICATION,
            HOURLY,
        ],
    },
    SchemaType {
        name: "KINESIS",
        deployment: STREAM,
        fields: &[COMMON, DECLARED, KEYS],
    },
    SchemaType {
        name: "POSTHOG",
        deployment: BATCH,
        fields: &[
            COMMON,
            &[
                optional("host", Kind::Text),
                optional("access_token", Kind::Secret),
            ],
            SINCE,
            READING,
            REPLICATION,
            HOURLY,
        ],
    },
    SchemaType {
        name: "CLICKHOUSE",
        deployment: BATCH,
        fields: &[
            COMMON,
            SERVER,
            &[defaulting("port", PORT, Default::Whole(8123))],
            READING,
            HOURLY,
        ],
    },
    SchemaType {
        name: "KAFKA",
        deployment: STREAM,
        fields: &[
            COMMON,
            &[
                required("topic", Kind::Text),
                required("bootstrap_server", Kind::Text),
                optional("username", Kind::Text),
                optional("password", Kind::Secret),
            ],
            KEYS,
        ],
    },
];

/// Values of secret fields. They can be stored and used, and not be printed.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Secrets(pub(crate) BTreeMap<String, String>);

impl fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.keys().map(String::as_str).collect();
        write!(formatter, "Secrets{names:?}")
    }
}

/// Reads a dataset's configuration, or says everything that is wrong with it.
pub(crate) fn read(body: &Map<String, Value>) -> Result<NewDataset, Vec<Violation>> {
    let mut reader = Reader {
        violations: Vec::new(),
    };
    let schema_type = reader.schema_type(body);
    let Some(schema_type) = schema_type else {
        // Which other fields there are depends on it; the name is needed whatever it is.
        if !body.contains_key("name") {
            reader.violations.insert(0, missing("name"));
        }
        return Err(reader.violations);
    };
    let mut new = NewDataset {
        name: String::new(),
        description: None,
        schema_type,
        schema: Schema::default(),
        unique_keys: Vec::new(),
        config: Map::new(),
        secrets: Secrets::default(),
    };
    for field in schema_type.fields() {
        match body.get(field.name) {
            None | Some(Value::Null) if field.required => reader.violations.push(missing(field.name)),
            None | Some(Value::Null) => {}
            Some(value) => reader.field(schema_type, field, value, &mut new),
        }
    }
    for name in body.keys() {
        if schema_type.field(name).is_none() {
            reader.unknown_field(schema_type, name);
        }
    }
    if new.schema.declared {
        for (index, key) in new.unique_keys.iter().enumerate() {
            if new.schema.column(key).is_none() {
                reader.wrong(
                    vec!["unique_keys".into(), index.into()],
                    "unknown_column",
                    format!("'{key}' is not a column of column_schema"),
                );
            }
        }
    }
    if reader.violations.is_empty() {
        Ok(new)
    } else {
        Err(reader.violations)
    }
}

/// The name in a configuration or in changes to one.
pub(crate) fn read_name(body: &Map<String, Value>) -> Result<String, Vec<Violation>> {
    let mut reader = Reader {
        violations: Vec::new(),
    };
    let field = &COMMON[0];
    let name = match body.get(field.name) {
        None | Some(Value::Null) => return Err(vec![missing(field.name)]),
        Some(value) => reader.text(field, value),
    };
    match name {
        None => Err(reader.violations),
        Some(name) => match names::check(&name) {
            Ok(()) => Ok(name),
            Err(message) => {
                reader.wrong(vec![field.name.into()], "invalid_name", message);
                Err(reader.violations)
            }
        },
    }
}

/// The configuration as answers show it: what was given and the defaults of what was not; no secrets.
pub(crate) fn effective(
    schema_type: &'static SchemaType,
    given: &Map<String, Value>,
    unique_keys: &[String],
) -> Map<String, Value> {
    let mut shown = Map::new();
    for field in schema_type.fields() {
        let value = match field.kind {
            // Shown elsewhere in the answer, or never.
            Kind::Name | Kind::SchemaType | Kind::ColumnSchema | Kind::Secret => continue,
            Kind::Deployment => given
                .get(field.name)
                .cloned()
                .or_else(|| Some(json!(schema_type.deployment[0]))),
            _ if field.name == "description" => continue,
            _ if field.name == "unique_keys" => (!unique_keys.is_empty()).then(|| json!(unique_keys)),
            _ => given
                .get(field.name)
                .cloned()
                .or_else(|| field.default.map(Default::value)),
        };
        if let Some(value) = value {
            shown.insert(field.name.to_owned(), value);
        }
    }
    shown
}

fn missing(name: &str) -> Violation {
    Violation {
        place: Place::Path(vec![name.into()]),
        kind: "missing",
        message: format!("missing field `{name}`"),
    }
}

struct Reader {
    violations: Vec<Violation>,
}

impl Reader {
    fn wrong(&mut self, path: Vec<PathPart>, kind: &'static str, message: impl Into<String>) {
        self.violations.push(Violation {
            place: Place::Path(path),
            kind,
            message: message.into(),
        });
    }

    fn schema_type(&mut self, body: &Map<String, Value>) -> Option<&'static SchemaType> {
        let place = || vec![PathPart::from("schema_type")];
        match body.get("schema_type") {
            None | Some(Value::Null) => {
                self.violations.push(missing("schema_type"));
                None
            }
            Some(Value::String(name)) => {
                let found = SchemaType::find(name);
                if found.is_none() {
                    let all: Vec<&str> = SCHEMA_TYPES.iter().map(|known| known.name).collect();
                    self.wrong(
                        place(),
                        "unknown_value",
                        format!(
                            "'{}' is no schema type; it is one of {}",
                            name.chars().take(60).collect::<String>(),
                            all.join(", ")
                        ),
                    );
                }
                found
            }
            Some(_) => {
                self.wrong(place(), "wrong_type", "schema_type is a string");
                None
            }
        }
    }

    fn unknown_field(&mut self, schema_type: &SchemaType, name: &str) {
        let known: Vec<&str> = schema_type.fields().map(|field| field.name).collect();
        let hint = match names::nearest(name, known.iter().copied()) {
            Some(near) => format!("; did you mean `{near}`?"),
            None => format!("; its fields are {}", known.join(", ")),
        };
        let shown: String = name.chars().take(60).collect();
        self.wrong(
            vec![name.into()],
            "unknown_field",
            format!("unknown field `{shown}` in a {} dataset{hint}", schema_type.name),
        );
    }

    fn field(&mut self, schema_type: &SchemaType, field: &Field, value: &Value, new: &mut NewDataset) {
        let place = || vec![PathPart::from(field.name)];
        match field.kind {
            Kind::SchemaType => {}
            Kind::Name => {
                if let Some(name) = self.text(field, value) {
                    match names::check(&name) {
                        Ok(()) => new.name = name,
                        Err(message) => self.wrong(place(), "invalid_name", message),
                    }
                }
            }
            Kind::Text => {
                if let Some(text) = self.text(field, value) {
                    if field.name == "description" {
                        new.description = Some(text);
                    } else if text.is_empty() && field.required {
                        self.wrong(place(), "empty", format!("{} must not be empty", field.name));
                    } else {
                        new.config.insert(field.name.to_owned(), json!(text));
                    }
                }
            }
            Kind::Secret => {
                if let Some(text) = self.text(field, value) {
                    if text.is_empty() && field.required {
                        self.wrong(place(), "empty", format!("{} must not be empty", field.name));
                    } else {
                        new.secrets.0.insert(field.name.to_owned(), text);
                    }
                }
            }
            Kind::Deployment => {
                if let Some(text) = self.text(field, value) {
                    if schema_type.deployment.contains(&text.as_str()) {
                        new.config.insert(field.name.to_owned(), json!(text));
                    } else {
                        let known = ["MELTANO_SYNC", "REALTIME", "CUSTOM"].contains(&text.as_str());
                        self.wrong(
                            place(),
                            if known { "not_supported" } else { "unknown_value" },
                            format!(
                                "a {} dataset has the deployment_type {}",
                                schema_type.name,
                                schema_type.deployment.join(" or ")
                            ),
                        );
                    }
                }
            }
            Kind::Whole(least, most) => match whole_number(value) {
                Some(number) if (least..=most).contains(&number) => {
                    new.config.insert(field.name.to_owned(), json!(number));
                }
                Some(_) => self.wrong(
                    place(),
                    "out_of_range",
                    format!("{} is a whole number from {least} to {most}", field.name),
                ),
                None => self.wrong(
                    place(),
                    "wrong_type",
                    format!("{} is a whole number from {least} to {most}", field.name),
                ),
            },
            Kind::Columns => {
                if let Some(columns) = self.columns(field, value) {
                    if field.name == "unique_keys" {
                        new.unique_keys = columns;
                    } else {
                        new.config.insert(field.name.to_owned(), json!(columns));
                    }
                }
            }
            Kind::ColumnSchema => {
                if let Some(schema) = self.column_schema(field, value) {
                    new.schema = schema;
                }
            }
            Kind::Schedule => {
                if let Some(text) = self.text(field, value) {
                    if is_schedule(&text) {
                        new.config.insert(field.name.to_owned(), json!(text));
                    } else {
                        self.wrong(
                            place(),
                            "invalid_schedule",
                            format!(
                                "{} is @once, @hourly, @daily, @weekly, @monthly or five cron fields such as '0 3 * * *'",
                                field.name
                            ),
                        );
                    }
                }
            }
            Kind::Date => {
                if let Some(text) = self.text(field, value) {
                    if super::rows::timestamp(value).is_some() {
                        new.config.insert(field.name.to_owned(), json!(text));
                    } else {
                        self.wrong(
                            place(),
                            "invalid_date",
                            format!(
                                "{} is a day such as 2026-01-31, or a moment in ISO 8601",
                                field.name
                            ),
                        );
                    }
                }
            }
        }
    }

    fn text(&mut self, field: &Field, value: &Value) -> Option<String> {
        let place = || vec![PathPart::from(field.name)];
        match value {
            Value::String(text) if text.len() > MAX_TEXT_BYTES => {
                self.wrong(
                    place(),
                    "too_long",
                    format!("{} has at most {MAX_TEXT_BYTES} bytes", field.name),
                );
                None
            }
            Value::String(text) if text.contains('\0') => {
                self.wrong(
                    place(),
                    "invalid_value",
                    format!("{} must not contain the character U+0000", field.name),
                );
                None
            }
            Value::String(text) => Some(text.clone()),
            _ => {
                self.wrong(place(), "wrong_type", format!("{} is a string", field.name));
                None
            }
        }
    }

    fn columns(&mut self, field: &Field, value: &Value) -> Option<Vec<String>> {
        let Some(entries) = value
            .as_array()
            .filter(|entries| entries.len() <= MAX_LIST_ENTRIES)
        else {
            self.wrong(
                vec![field.name.into()],
                "wrong_type",
                format!(
                    "{} is a list of at most {MAX_LIST_ENTRIES} column names",
                    field.name
                ),
            );
            return None;
        };
        if entries.is_empty() && field.required {
            self.wrong(
                vec![field.name.into()],
                "empty",
                format!("{} must name a column", field.name),
            );
            return None;
        }
        let before = self.violations.len();
        let mut columns: Vec<String> = Vec::with_capacity(entries.len());
        for (index, entry) in entries.iter().enumerate() {
            let place = || vec![field.name.into(), index.into()];
            match entry.as_str() {
                None => self.wrong(place(), "wrong_type", "a column's name is a string"),
                Some(name) => match names::check_column(name) {
                    Err(message) => self.wrong(place(), "invalid_name", message),
                    Ok(()) if columns.iter().any(|column| column == name) => {
                        self.wrong(place(), "repeated", format!("'{name}' is named twice"));
                    }
                    Ok(()) => columns.push(name.to_owned()),
                },
            }
        }
        (self.violations.len() == before).then_some(columns)
    }

    fn column_schema(&mut self, field: &Field, value: &Value) -> Option<Schema> {
        let Some(entries) = value.as_object() else {
            self.wrong(
                vec![field.name.into()],
                "wrong_type",
                format!("{} is an object of column names and their types", field.name),
            );
            return None;
        };
        if entries.is_empty() || entries.len() > MAX_LIST_ENTRIES {
            let (kind, message) = if entries.is_empty() {
                (
                    "empty",
                    "column_schema must declare a column; leave it out to have the columns inferred from the rows".to_owned(),
                )
            } else {
                (
                    "too_long",
                    format!("column_schema declares at most {MAX_LIST_ENTRIES} columns"),
                )
            };
            self.wrong(vec![field.name.into()], kind, message);
            return None;
        }
        let before = self.violations.len();
        let mut columns = Vec::with_capacity(entries.len());
        for (name, value_type) in entries {
            let place = || vec![field.name.into(), name.as_str().into()];
            if let Err(message) = names::check_column(name) {
                self.wrong(place(), "invalid_name", message);
                continue;
            }
            match value_type.as_str().and_then(parse_value_type) {
                Some(value_type) => columns.push(Column {
                    name: name.clone(),
                    value_type,
                }),
                None => {
                    let known: Vec<&str> = ValueType::ALL.iter().map(|known| known.name()).collect();
                    self.wrong(
                        place(),
                        "unknown_value",
                        format!("a column's type is one of {}", known.join(", ")),
                    );
                }
            }
        }
        (self.violations.len() == before).then_some(Schema {
            declared: true,
            columns,
        })
    }
}

/// A column's type by its name. The lists have two names.
pub(crate) fn parse_value_type(name: &str) -> Option<ValueType> {
    match name {
        "ArrayOfString" => Some(ValueType::StringArray),
        "ArrayOfInteger" => Some(ValueType::Int64Array),
        "ArrayOfDouble" => Some(ValueType::Float64Array),
        _ => ValueType::ALL
            .into_iter()
            .find(|value_type| value_type.name() == name),
    }
}

/// JSON has one kind of number: 5.0 is a whole one.
fn whole_number(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| {
        value
            .as_f64()
            .filter(|number| number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0)
            .map(|number| number as i64)
    })
}

fn is_schedule(text: &str) -> bool {
    if let Some(name) = text.strip_prefix('@') {
        return ["once", "hourly", "daily", "weekly", "monthly"].contains(&name);
    }
    let bounds = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 7)];
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    fields.len() == bounds.len()
        && fields
            .iter()
            .zip(bounds)
            .all(|(field, (least, most))| field.split(',').all(|part| is_cron_part(part, least, most)))
}

/// `*`, `n`, `n-m`, each with an optional `/step`.
fn is_cron_part(part: &str, least: u32, most: u32) -> bool {
    let (range, step) = match part.split_once('/') {
        Some((range, step)) => (range, Some(step)),
        None => (part, None),
    };
    let number = |text: &str| {
        let digits = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        let parsed: Option<u32> = digits.then(|| text.parse().ok()).flatten();
        parsed.filter(|number| (least..=most).contains(number))
    };
    let range_is_good = range == "*"
        || match range.split_once('-') {
            None => number(range).is_some(),
            Some((from, to)) => matches!((number(from), number(to)), (Some(from), Some(to)) if from <= to),
        };
    let step_is_good =
        step.is_none_or(|step| step.len() <= 3 && step.parse::<u32>().is_ok_and(|step| step >= 1));
    range_is_good && step_is_good
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_type_names_a_field_twice_and_every_name_is_there_once() {
        for (index, schema_type) in SCHEMA_TYPES.iter().enumerate() {
            assert!(
                SCHEMA_TYPES[..index]
                    .iter()
                    .all(|earlier| earlier.name != schema_type.name)
            );
            let mut seen = std::collections::BTreeSet::new();
            for field in schema_type.fields() {
                assert!(
                    seen.insert(field.name),
                    "{} has {} twice",
                    schema_type.name,
                    field.name
                );
            }
            assert!(!schema_type.deployment.is_empty());
        }
    }

    #[test]
    fn schedules_are_names_or_five_cron_fields() {
        for good in [
            "@once",
            "@hourly",
            "@monthly",
            "0 3 * * *",
            "*/15 8-18 1,15 * 1-5",
            "5/10 0 31 12 7",
        ] {
            assert!(is_schedule(good), "{good}");
        }
        for bad in [
            "",
            "@never",
            "hourly",
            "* * * *",
            "60 * * * *",
            "* * 0 * *",
            "5-1 * * * *",
            "*/0 * * * *",
            "a * * * *",
            "* * * * * *",
            "1- * * * *",
        ] {
            assert!(!is_schedule(bad), "{bad}");
        }
    }

    #[test]
    fn secrets_do_not_print() {
        let secrets = Secrets(BTreeMap::from([("password".to_owned(), "c4n4ry".to_owned())]));
        let printed = format!("{secrets:?}");
        assert!(
            printed.contains("password") && !printed.contains("c4n4ry"),
            "{printed}"
        );
    }
}
