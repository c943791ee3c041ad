//! What differs between two documents: operations by method and path, schemas by name, fields by name.

use std::collections::BTreeMap;

use crate::html::escaped;

use super::document::{Document, Operation, schema_name};
use super::fields::variants;
use super::literal::{Syntax, compact};
use super::pages::{Body, call_html};
use super::reference::Reference;
use super::samples::content;
use crate::yaml::{Value, Yaml};

/// Writes the page that leads from `before` to the document of the reference.
pub(crate) fn write(body: &mut Body, before: &Document, after: &Reference<'_>, base: &str) {
    let base = base.trim_end_matches('/');
    let old_reference = Reference::new(before, None);
    let lead = format!(
        "What {} has, and {} has not, and the other way round. Both speak of the same server.",
        after.document.label, before.label
    );
    body.description = format!(
        "What is new and what changed from {0} to {1}, and what {0} alone has: operations, schemas and fields.",
        before.label, after.document.label
    );
    body.html.push_str(&format!("<p>{}</p>", escaped(&lead)));
    body.lead_in_markdown(&lead);
    body.sections.push(crate::sections::Section {
        body: lead,
        ..Default::default()
    });
    let old = operations(&old_reference, base);
    let new = operations(after, base);
    list(
        body,
        "calls",
        "new-operations",
        "New operations",
        missing_in(&new, &old),
    );
    list(
        body,
        "calls",
        "gone-operations",
        &format!("Operations of {} alone", before.label),
        missing_in(&old, &new),
    );
    let changed = old.iter().filter_map(|(call, (_, old))| {
        let (link, new) = new.get(call)?;
        let differences = operation_differences(before, old, after.document, new);
        (!differences.is_empty()).then(|| with_differences(link, &differences))
    });
    list(
        body,
        "calls",
        "changed-operations",
        "Operations that changed",
        changed.collect(),
    );

    let old = schemas(&old_reference, base);
    let new = schemas(after, base);
    list(
        body,
        "changes",
        "changed-schemas",
        "Schemas that changed",
        old.iter()
            .filter_map(|(name, (_, old))| {
                let (link, new) = new.get(name)?;
                let differences = schema_differences(old, new);
                (!differences.is_empty()).then(|| with_differences(link, &differences))
            })
            .collect(),
    );
    list(
        body,
        "changes",
        "new-schemas",
        "New schemas",
        missing_in(&new, &old),
    );
    list(
        body,
        "changes",
        "gone-schemas",
        &format!("Schemas of {} alone", before.label),
        missing_in(&old, &new),
    );
}

/// The operations by method and path, each with its link.
fn operations<'r>(
    reference: &'r Reference<'_>,
    base: &str,
) -> BTreeMap<(String, &'r str), (String, &'r Operation<'r>)> {
    let mut found = BTreeMap::new();
    for tag in &reference.tags {
        let href = format!("{base}{}", reference.tag_path(tag.name));
        for operation in &tag.operations {
            let link = format!(
                "{} <a href=\"{href}#{}\">{}</a>",
                call_html(operation),
                operation.id,
                escaped(operation.summary)
            );
            let call = (operation.path.trim_end_matches('/').to_owned(), operation.method);
            found.insert(call, (link, operation));
        }
    }
    found
}

/// The schemas by name, each with its link.
fn schemas<'a>(reference: &Reference<'a>, base: &str) -> BTreeMap<&'a str, (String, &'a Yaml)> {
    let schemas = reference.groups.iter().flat_map(|(_, schemas)| schemas);
    schemas
        .map(|(name, schema)| {
            let path = reference.schema_paths.get(name).map_or("", String::as_str);
            (
                *name,
                (format!("<a href=\"{base}{path}#{name}\">{name}</a>"), *schema),
            )
        })
        .collect()
}

fn missing_in<K: Ord, V>(here: &BTreeMap<K, (String, V)>, there: &BTreeMap<K, (String, V)>) -> Vec<String> {
    let missing = here.iter().filter(|(key, _)| !there.contains_key(key));
    missing.map(|(_, (link, _))| link.clone()).collect()
}

fn with_differences(link: &str, differences: &[String]) -> String {
    format!("{link}<ul><li>{}</li></ul>", differences.join("</li><li>"))
}

/// A heading and what is below it; `calls` stand as they do in the overview of the operations.
fn list(body: &mut Body, class: &str, id: &str, title: &str, entries: Vec<String>) {
    body.push_heading(id, title, String::new());
    body.list_in_markdown(title, &entries);
    body.html.push_str(&if entries.is_empty() {
        "<p>None.</p>".to_owned()
    } else {
        format!(
            "<ul class=\"{class}\"><li>{}</li></ul>",
            entries.join("</li><li>")
        )
    });
}

fn operation_differences(
    before: &Document,
    old: &Operation<'_>,
    after: &Document,
    new: &Operation<'_>,
) -> Vec<String> {
    let mut found = Vec::new();
    if old.id != new.id {
        found.push(format!(
            "<code>operationId</code> {} is now {}",
            code(old.id),
            code(new.id)
        ));
    }
    let names = |operation: &Operation<'_>| -> BTreeMap<String, String> {
        let named = operation.parameters.iter().map(|parameter| {
            let name = parameter.text("name").unwrap_or_default().to_owned();
            (name, parameter.get("schema").map(shape).unwrap_or_default())
        });
        named.collect()
    };
    push_differences(&mut found, "parameter", &names(old), &names(new));
    let body = |document: &Document, operation: &Operation<'_>| {
        let schema = operation
            .body
            .and_then(content)
            .and_then(|(_, content)| content.get("schema"))?;
        Some((shape(schema), fields(document.resolved(schema))))
    };
    match (body(before, old), body(after, new)) {
        (None, None) => {}
        (None, Some((shape, _))) => found.push(format!("takes a body: {}", code(&shape))),
        (Some(_), None) => found.push("takes no body any more".to_owned()),
        (Some((old_shape, old)), Some((new_shape, new))) => {
            if old_shape != new_shape {
                found.push(format!(
                    "the body is {}, was {}",
                    code(&new_shape),
                    code(&old_shape)
                ));
            }
            push_differences(&mut found, "field of the body", &old, &new);
        }
    }
    let answers = |operation: &Operation<'_>| -> BTreeMap<String, String> {
        let shapes = operation.answers.iter().map(|(status, answer)| {
            let schema = content(answer).and_then(|(_, content)| content.get("schema"));
            ((*status).to_owned(), schema.map(shape).unwrap_or_default())
        });
        shapes.collect()
    };
    push_differences(&mut found, "answer", &answers(old), &answers(new));
    found
}

fn schema_differences(old: &Yaml, new: &Yaml) -> Vec<String> {
    let mut found = Vec::new();
    push_differences(&mut found, "field", &fields(old), &fields(new));
    let values = |schema: &Yaml| -> BTreeMap<String, String> {
        let listed = schema
            .list("enum")
            .iter()
            .map(|value| (compact(value, Syntax::Json), String::new()));
        listed.collect()
    };
    push_differences(&mut found, "value", &values(old), &values(new));
    let kinds = |schema: &Yaml| -> BTreeMap<String, String> {
        let listed = variants(schema)
            .unwrap_or_default()
            .iter()
            .map(|variant| (shape(variant), String::new()));
        listed.collect()
    };
    push_differences(&mut found, "kind", &kinds(old), &kinds(new));
    if found.is_empty() && shape(old) != shape(new) {
        found.push(format!("is {}, was {}", code(&shape(new)), code(&shape(old))));
    }
    found
}

/// The fields of a schema with their types, and whether they must be there.
fn fields(schema: &Yaml) -> BTreeMap<String, String> {
    let required: Vec<&str> = schema.list("required").iter().filter_map(Yaml::as_text).collect();
    let named = schema.table("properties").iter().map(|entry| {
        let is_required = if required.contains(&entry.key.as_str()) {
            ", required"
        } else {
            ""
        };
        (entry.key.clone(), format!("{}{is_required}", shape(&entry.value)))
    });
    named.collect()
}

fn push_differences(
    found: &mut Vec<String>,
    noun: &str,
    old: &BTreeMap<String, String>,
    new: &BTreeMap<String, String>,
) {
    let words = |shape: &str| {
        if shape.is_empty() {
            String::new()
        } else {
            format!(": {}", escaped(shape))
        }
    };
    for (name, shape) in new.iter().filter(|(name, _)| !old.contains_key(*name)) {
        found.push(format!("new {noun} {}{}", code(name), words(shape)));
    }
    for name in old.keys().filter(|name| !new.contains_key(*name)) {
        found.push(format!("no {noun} {} any more", code(name)));
    }
    for (name, shape) in new {
        if let Some(before) = old.get(name).filter(|before| *before != shape) {
            found.push(format!(
                "{noun} {} is {}, was {}",
                code(name),
                escaped(shape),
                escaped(before)
            ));
        }
    }
}

/// A type in a few words, for comparing.
fn shape(schema: &Yaml) -> String {
    if let Some(name) = schema_name(schema) {
        return name.to_owned();
    }
    if let Some(variants) = variants(schema) {
        return variants.iter().map(shape).collect::<Vec<_>>().join(" or ");
    }
    if let Some(items) = schema.get("items") {
        return format!("list of {}", shape(items));
    }
    let kind = match schema.get("type") {
        Some(Yaml {
            value: Value::List(kinds),
            ..
        }) => kinds
            .iter()
            .map(|kind| kind.as_text().unwrap_or("null"))
            .collect::<Vec<_>>()
            .join(" or "),
        Some(kind) => kind.as_text().unwrap_or_default().to_owned(),
        None => "any value".to_owned(),
    };
    match schema.get("default") {
        Some(default) => format!("{kind}, default {}", compact(default, Syntax::Json)),
        None => kind,
    }
}

fn code(text: &str) -> String {
    format!("<code>{}</code>", escaped(text))
}
