//! Schemas as trees of fields. What a schema refers to is a link, and a few levels of it unfold on demand; a schema
//! that holds itself is a link the second time, so that every tree ends.

use std::collections::HashMap;

use crate::html::{escaped, push_escaped};

use super::document::{Document, schema_name};
use super::literal::{Syntax, compact};
use super::reference::Reference;
use super::texts::Texts;
use crate::yaml::{Value, Yaml};

/// More values of an enumeration than this are folded away.
const SHOWN_VALUES: usize = 12;

/// Where each schema is explained.
pub(crate) type SchemaPaths<'a> = HashMap<&'a str, String>;

/// Kinds that the words of a type name one by one.
pub(crate) const MOST_KINDS: usize = 4;

/// Writes the fields of schemas.
pub(crate) struct Fields<'r, 'a, 't, 'u> {
    document: &'a Document,
    paths: &'r SchemaPaths<'a>,
    texts: &'t mut Texts<'u>,
    /// How many levels of references unfold; deeper ones are links only.
    levels: usize,
    /// The references that are open, outermost first.
    open: Vec<&'a str>,
}

impl<'r, 'a, 't, 'u> Fields<'r, 'a, 't, 'u> {
    pub(crate) fn new(reference: &'r Reference<'a>, texts: &'t mut Texts<'u>, levels: usize) -> Self {
        Self {
            document: reference.document,
            paths: &reference.schema_paths,
            texts,
            levels,
            open: Vec::new(),
        }
    }

    /// A parameter of a path or a query, as an entry of a list of fields.
    pub(crate) fn push_parameter(&mut self, html: &mut String, parameter: &'a Yaml) {
        let name = parameter.text("name").unwrap_or_default();
        let schema = parameter.get("schema");
        let is_required = parameter.is_true("required");
        self.push_entry(html, name, schema, parameter.get("description"), is_required);
    }

    /// What a schema holds: its fields, its variants, or its type and its rules. `name` is that of the schema itself.
    pub(crate) fn push_schema(&mut self, html: &mut String, name: Option<&'a str>, schema: &'a Yaml) {
        let count = self.open.len();
        self.open.extend(name);
        self.push_inside(html, schema);
        self.open.truncate(count);
    }

    /// The type of a schema in words, with links.
    pub(crate) fn type_html(&self, schema: &'a Yaml) -> String {
        if let Some(name) = schema_name(schema) {
            return self.link(name);
        }
        if let Some(variants) = variants(schema) {
            let shown: Vec<String> = variants.iter().map(|variant| self.type_html(variant)).collect();
            return if shown.len() <= MOST_KINDS {
                shown.join(" or ")
            } else {
                format!("one of {} kinds", shown.len())
            };
        }
        if let Some(value) = schema.get("const") {
            return format!("<code>{}</code>", escaped(&compact(value, Syntax::Json)));
        }
        if let Some(items) = schema.get("items") {
            return format!("list of {}", self.type_html(items));
        }
        let types: Vec<&str> = match schema.get("type") {
            Some(Yaml {
                value: Value::List(types),
                ..
            }) => types
                .iter()
                .map(|kind| kind.as_text().unwrap_or("null"))
                .collect(),
            Some(kind) => kind.as_text().into_iter().collect(),
            None if schema.get("properties").is_some() => vec!["object"],
            None if schema.get("enum").is_some() => vec!["string"],
            None => vec!["any value"],
        };
        let values = schema
            .get("additionalProperties")
            .filter(|values| !values.entries().is_empty());
        if let (Some(values), None) = (values, schema.get("properties")) {
            return format!("map to {}", self.type_html(values));
        }
        let mut words = escaped(&types.join(" or "));
        if let Some(format) = schema.text("format") {
            words.push_str(&format!(" ({})", escaped(format)));
        }
        words
    }

    fn push_inside(&mut self, html: &mut String, schema: &'a Yaml) {
        if let Some(name) = schema_name(schema) {
            self.push_referenced(html, name, schema);
            return;
        }
        if let Some(variants) = variants(schema) {
            self.push_variants(html, schema, variants);
        }
        for part in schema.list("allOf") {
            self.push_inside(html, part);
        }
        let properties = schema.table("properties");
        if !properties.is_empty() {
            let required: Vec<&str> = schema.list("required").iter().filter_map(Yaml::as_text).collect();
            html.push_str("<ul class=\"fields\">");
            for property in properties {
                let is_required = required.contains(&property.key.as_str());
                let description = property.value.get("description");
                self.push_entry(
                    html,
                    &property.key,
                    Some(&property.value),
                    description,
                    is_required,
                );
            }
            html.push_str("</ul>");
        }
        for inner in [schema.get("items"), schema.get("additionalProperties")]
            .into_iter()
            .flatten()
        {
            self.push_inside(html, inner);
        }
    }

    fn push_entry(
        &mut self,
        html: &mut String,
        name: &str,
        schema: Option<&'a Yaml>,
        description: Option<&'a Yaml>,
        is_required: bool,
    ) {
        html.push_str("<li><p><code>");
        push_escaped(html, name);
        html.push_str("</code> ");
        if let Some(schema) = schema {
            html.push_str(&format!("<span>{}</span>", self.type_html(schema)));
        }
        if is_required {
            html.push_str(" <strong>required</strong>");
        }
        html.push_str("</p>");
        if let Some(description) = description {
            html.push_str(&self.texts.html(description));
        }
        if let Some(schema) = schema {
            push_rules(html, schema);
            if self.has_more(schema) {
                let mut inside = String::new();
                self.push_inside(&mut inside, schema);
                if !inside.is_empty() {
                    html.push_str(&format!(
                        "<details><summary>Fields of <code>{}</code></summary>{inside}</details>",
                        escaped(name)
                    ));
                }
            }
        }
        html.push_str("</li>");
    }

    /// Whether there are fields below a schema that may unfold here.
    fn has_more(&self, schema: &'a Yaml) -> bool {
        if let Some(name) = schema_name(schema) {
            let is_open = self.open.contains(&name) || self.open.len() >= self.levels;
            return !is_open && self.has_more_inside(self.document.resolved(schema));
        }
        self.has_more_inside(schema)
    }

    fn has_more_inside(&self, schema: &'a Yaml) -> bool {
        !schema.table("properties").is_empty()
            || schema.get("items").is_some_and(|items| self.has_more(items))
            || schema
                .get("additionalProperties")
                .is_some_and(|values| self.has_more(values))
            || variants(schema).is_some_and(|variants| variants.iter().any(|variant| self.has_more(variant)))
            || schema.list("allOf").iter().any(|part| self.has_more(part))
    }

    fn push_referenced(&mut self, html: &mut String, name: &'a str, reference: &'a Yaml) {
        if self.open.contains(&name) || self.open.len() >= self.levels {
            return;
        }
        let schema = self.document.resolved(reference);
        self.open.push(name);
        self.push_inside(html, schema);
        self.open.pop();
    }

    fn push_variants(&mut self, html: &mut String, schema: &'a Yaml, variants: &'a [Yaml]) {
        let discriminator = schema
            .get("discriminator")
            .and_then(|found| found.text("propertyName"));
        html.push_str("<p class=\"fields-note\">");
        match discriminator {
            Some(field) => html.push_str(&format!("One of these, by <code>{}</code>:", escaped(field))),
            None => html.push_str("One of these:"),
        }
        html.push_str("</p><ul class=\"variants\">");
        for variant in variants {
            html.push_str("<li>");
            let values =
                discriminator.and_then(|field| discriminating_values(schema, field, variant, self.document));
            let value = values.map_or_else(String::new, |values| {
                format!("<code>{}</code> ", escaped(&values.join(", ")))
            });
            let kind = self.type_html(variant);
            let mut inside = String::new();
            if self.has_more(variant) {
                self.push_inside(&mut inside, variant);
            }
            if inside.is_empty() {
                html.push_str(&format!("{value}{kind}"));
            } else {
                // A link has no place in a summary: both are for pressing.
                let name = schema_name(variant).unwrap_or("fields");
                html.push_str(&format!(
                    "<details><summary>{value}{name}</summary><p class=\"rules\">{kind}</p>{inside}</details>"
                ));
            }
            html.push_str("</li>");
        }
        html.push_str("</ul>");
    }

    fn link(&self, name: &str) -> String {
        let base = self.texts.base.trim_end_matches('/');
        match self.paths.get(name) {
            Some(path) => format!("<a href=\"{base}{path}#{name}\">{name}</a>"),
            None => escaped(name),
        }
    }
}

/// The schemas of which a value has one.
pub(crate) fn variants(schema: &Yaml) -> Option<&[Yaml]> {
    let variants = schema.get("oneOf").or_else(|| schema.get("anyOf"))?.items();
    (!variants.is_empty()).then_some(variants)
}

/// What the discriminating field says for one of the variants.
pub(crate) fn discriminating_values(
    schema: &Yaml,
    field: &str,
    variant: &Yaml,
    document: &Document,
) -> Option<Vec<String>> {
    let reference = variant.text("$ref")?;
    let mapping = schema
        .get("discriminator")
        .map_or(&[][..], |found| found.table("mapping"));
    let mapped: Vec<String> = mapping
        .iter()
        .filter(|entry| entry.value.as_text() == Some(reference))
        .map(|entry| entry.key.clone())
        .collect();
    if !mapped.is_empty() {
        return Some(mapped);
    }
    let property = document.resolved(variant).get("properties")?.get(field)?;
    let values: Vec<&Yaml> = match property.get("const") {
        Some(value) => vec![value],
        None => property.list("enum").iter().collect(),
    };
    let values: Option<Vec<String>> = values
        .into_iter()
        .map(|value| value.as_text().map(str::to_owned))
        .collect();
    values.filter(|values| !values.is_empty())
}

/// The rules of a value that its type does not say: bounds, patterns, defaults.
pub(crate) fn push_rules(html: &mut String, schema: &Yaml) {
    let mut rules: Vec<String> = Vec::new();
    let written = |value: &Yaml| format!("<code>{}</code>", escaped(&compact(value, Syntax::Json)));
    let plain = |value: &Yaml| escaped(&compact(value, Syntax::Json));
    if let Some(value) = schema.get("default") {
        rules.push(format!("default {}", written(value)));
    }
    let bounds = [
        ("minimum", "at least"),
        ("exclusiveMinimum", "above"),
        ("maximum", "at most"),
        ("exclusiveMaximum", "below"),
    ];
    for (key, words) in bounds {
        rules.extend(schema.get(key).map(|value| format!("{words} {}", plain(value))));
    }
    let counts = [
        ("minLength", "maxLength", ["character", "characters"]),
        ("minItems", "maxItems", ["entry", "entries"]),
        ("minProperties", "maxProperties", ["entry", "entries"]),
    ];
    for (least, most, [one, many]) in counts {
        let counted = |count: &Yaml| match plain(count) {
            count if count == "1" => format!("1 {one}"),
            count => format!("{count} {many}"),
        };
        match (schema.get(least), schema.get(most)) {
            (Some(least), Some(most)) if least.value == most.value => {
                rules.push(format!("exactly {}", counted(least)));
            }
            (Some(least), Some(most)) => rules.push(format!("{} to {}", plain(least), counted(most))),
            (Some(least), None) => rules.push(format!("at least {}", counted(least))),
            (None, Some(most)) => rules.push(format!("at most {}", counted(most))),
            (None, None) => {}
        }
    }
    if schema.is_true("uniqueItems") {
        rules.push("no entry twice".to_owned());
    }
    if let Some(pattern) = schema.text("pattern") {
        rules.push(format!("pattern <code>{}</code>", escaped(pattern)));
    }
    if schema.is_true("writeOnly") {
        rules.push("never shown in answers".to_owned());
    }
    if schema.is_true("readOnly") {
        rules.push("only in answers".to_owned());
    }
    if schema.is_true("deprecated") {
        rules.push("deprecated".to_owned());
    }
    if !rules.is_empty() {
        html.push_str(&format!("<p class=\"rules\">{}</p>", rules.join(" · ")));
    }
    let values = schema.list("enum");
    let values = if values.is_empty() {
        schema.get("items").map_or(&[][..], |items| items.list("enum"))
    } else {
        values
    };
    if !values.is_empty() {
        let listed: Vec<String> = values
            .iter()
            .map(|value| format!("<code>{}</code>", escaped(&bare(value))))
            .collect();
        let listed = listed.join(" ");
        html.push_str(&if values.len() <= SHOWN_VALUES {
            format!("<p class=\"rules\">one of {listed}</p>")
        } else {
            format!(
                "<details><summary>{} values</summary><p class=\"rules\">{listed}</p></details>",
                values.len()
            )
        });
    }
}

/// Text without quotes, other values as JSON has them.
fn bare(value: &Yaml) -> String {
    value
        .as_text()
        .map_or_else(|| compact(value, Syntax::Json), str::to_owned)
}
