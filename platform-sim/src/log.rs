//! The log as one JSON object a line: `timestamp`, `level`, `target`, `message`, the fields of the event beside them, and
//! under `span` the fields of what it happened in (the request, the job).

use std::fmt::{self, Write};

use chrono::{SecondsFormat, Utc};
use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::{FormatEvent, FormatFields, Writer};
use tracing_subscriber::fmt::{FmtContext, FormattedFields};
use tracing_subscriber::registry::LookupSpan;

/// Writes events as JSON. To be used together with [`JsonFields`].
#[derive(Clone, Copy, Debug)]
pub struct JsonLines;

/// Writes the fields of spans as JSON objects.
#[derive(Clone, Copy, Debug)]
pub struct JsonFields;

impl<S> FormatEvent<S, JsonFields> for JsonLines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, JsonFields>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut line = Fields::default();
        let now = Utc::now().to_rfc3339_opts(SecondsFormat::Micros, true);
        line.put("timestamp", now.into());
        line.put("level", event.metadata().level().as_str().into());
        line.put("target", event.metadata().target().into());
        event.record(&mut line);
        let mut span = Map::new();
        for around in context
            .event_scope()
            .into_iter()
            .flat_map(|scope| scope.from_root())
        {
            span.insert("name".to_owned(), around.name().into());
            let extensions = around.extensions();
            let fields = extensions
                .get::<FormattedFields<JsonFields>>()
                .and_then(|fields| serde_json::from_str::<Map<String, Value>>(&fields.fields).ok());
            span.extend(fields.into_iter().flatten());
        }
        if !span.is_empty() {
            line.put("span", span.into());
        }
        writeln!(writer, "{}", Value::from(line.0))
    }
}

impl<'writer> FormatFields<'writer> for JsonFields {
    fn format_fields<R: tracing_subscriber::field::RecordFields>(
        &self,
        mut writer: Writer<'writer>,
        fields: R,
    ) -> fmt::Result {
        let mut object = Fields::default();
        fields.record(&mut object);
        write!(writer, "{}", Value::from(object.0))
    }
}

/// Fields as they are met; the first of a name stays.
#[derive(Default)]
struct Fields(Map<String, Value>);

impl Fields {
    fn put(&mut self, name: &str, value: Value) {
        self.0.entry(name).or_insert(value);
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let mut text = String::new();
        // Writing into a text fails only where the value's own writing does; what there is of it is shown.
        write!(text, "{value:?}").ok();
        self.put(field.name(), text.into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field.name(), value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field.name(), value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field.name(), value.into());
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field.name(), value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field.name(), value.into());
    }
}
