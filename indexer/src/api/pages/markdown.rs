//! The pages of a reference as Markdown, for programs: calls, fields with their types and rules, answers and examples.

use html_escape::decode_html_entities;

use super::{Body, PLACES, Writer};
use crate::api::document::{Key, Operation};
use crate::api::fields::{Fields, MOST_KINDS, discriminating_values, push_rules, variants};
use crate::api::literal::{Syntax, pretty};
use crate::api::reference::Kind;
use crate::api::samples::{Call, content, examples};
use crate::api::texts::plain;
use crate::machines::markdown_file;
use crate::routes;
use crate::yaml::Yaml;

impl Body {
    /// What stands above the first heading.
    pub(crate) fn lead_in_markdown(&mut self, text: &str) {
        push_paragraph(&mut self.markdown, text);
    }

    pub(super) fn heading_in_markdown(&mut self, title: &str) {
        self.markdown.push_str(&format!("\n## {title}\n"));
    }

    /// A heading of the second level with a list of what is HTML on the page.
    pub(crate) fn list_in_markdown(&mut self, title: &str, entries: &[String]) {
        self.heading_in_markdown(title);
        self.markdown.push('\n');
        for entry in entries {
            self.markdown.push_str(&format!("- {}\n", words(entry)));
        }
        if entries.is_empty() {
            self.markdown.push_str("None.\n");
        }
    }
}

impl<'a> Writer<'_, 'a, '_, '_> {
    /// What the first page says above the keys and the errors.
    pub(super) fn index_in_markdown(&mut self) {
        let reference = self.reference;
        let document = reference.document;
        let addresses = self.texts.addresses;
        let page = |path: &str| addresses.of(&markdown_file(path));
        let mut text = String::new();
        push_paragraph(&mut text, &description(document.info().get("description")));
        push_paragraph(&mut text, &format!("Requests go to `{}`.", document.server));
        push_paragraph(
            &mut text,
            &format!(
                "Programs that make clients read [the OpenAPI document]({}).",
                addresses.of(&document.published)
            ),
        );
        if !reference.groups.is_empty() {
            let schemas = page(&reference.path(Kind::SchemaIndex));
            push_paragraph(
                &mut text,
                &format!("Types with a name are listed in [the schemas]({schemas})."),
            );
        }
        if let Some(before) = reference.before {
            let changes = page(&reference.path(Kind::Changes));
            push_paragraph(
                &mut text,
                &format!("[What is different from {}]({changes})", before.label),
            );
        }
        for tag in &reference.tags {
            text.push_str(&format!("\n## {}\n", routes::words(tag.name)));
            push_paragraph(&mut text, &description(tag.description));
            let address = page(&reference.tag_path(tag.name));
            let calls: Vec<String> = tag
                .operations
                .iter()
                .map(|operation| {
                    let method = operation.method.to_uppercase();
                    let summary = one_line(operation.summary);
                    format!("- [{method} `{}`]({address}): {summary}", operation.path)
                })
                .collect();
            push_paragraph(&mut text, &calls.join("\n"));
        }
        self.body.markdown.push_str(&text);
    }

    /// A way to say who asks; `place` is HTML.
    pub(super) fn scheme_in_markdown(&mut self, place: &str, scheme: &Yaml) {
        push_paragraph(&mut self.body.markdown, &words(place));
        push_paragraph(&mut self.body.markdown, &description(scheme.get("description")));
    }

    pub(super) fn operation_in_markdown(&mut self, operation: &Operation<'a>, call: &Call<'_>) {
        let mut text = format!(
            "\n## {}\n\n{} `{}`\n",
            operation.summary,
            operation.method.to_uppercase(),
            operation.path
        );
        push_paragraph(&mut text, &description(operation.description));
        push_paragraph(&mut text, key_words(operation.key));
        for (place, title) in PLACES {
            let is_there = |parameter: &&&Yaml| parameter.text("in") == Some(place);
            let parameters: Vec<&Yaml> = operation.parameters.iter().filter(is_there).copied().collect();
            if !parameters.is_empty() {
                text.push_str(&format!("\n### {title}\n\n"));
            }
            for parameter in parameters {
                let name = parameter.text("name").unwrap_or_default();
                let words = parameter.get("description");
                self.push_field(
                    &mut text,
                    0,
                    name,
                    parameter.get("schema"),
                    words,
                    parameter.is_true("required"),
                );
            }
        }
        if let Some((body, (_, content))) = operation.body.and_then(|body| Some((body, content(body)?)))
            && let Some(schema) = content.get("schema")
        {
            let optional = if body.is_true("required") {
                ""
            } else {
                ", optional"
            };
            text.push_str(&format!("\n### Body{optional}\n\n{}\n", self.type_words(schema)));
            let mut fields = String::new();
            self.push_fields(&mut fields, 0, self.reference.document.resolved(schema));
            push_paragraph(&mut text, fields.trim_end());
        }
        text.push_str("\n### Answers\n\n");
        for (status, answer) in &operation.answers {
            text.push_str(&self.answer_in_markdown(status, answer));
        }
        self.push_examples(&mut text, operation, call);
        self.body.markdown.push_str(&text);
    }

    /// An entry of a list: a status, the type of the answer, and what it means.
    pub(super) fn answer_in_markdown(&mut self, status: &str, answer: &'a Yaml) -> String {
        let kind = content(answer).and_then(|(_, content)| content.get("schema"));
        let kind = kind.map_or_else(String::new, |schema| format!(" ({})", self.type_words(schema)));
        let meaning = one_line(&description(answer.get("description")));
        format!("- `{status}`{kind}: {meaning}\n")
    }

    fn push_examples(&self, text: &mut String, operation: &Operation<'_>, call: &Call<'_>) {
        let [curl, ..] = call.samples();
        text.push_str("\n### Example\n");
        push_code(text, curl.language, &curl.code);
        let mut succeeded = operation
            .answers
            .iter()
            .filter(|(status, _)| status.starts_with('2'));
        let example = succeeded.find_map(|(_, answer)| {
            let (_, content) = content(answer)?;
            examples(self.reference.document, content).into_iter().next()
        });
        if let Some(example) = example {
            push_code(text, "json", &pretty(example.value, Syntax::Json, 0));
        }
    }

    pub(super) fn schema_in_markdown(&mut self, name: &str, schema: &'a Yaml) {
        let mut text = format!("\n## {name}\n");
        push_paragraph(&mut text, &description(schema.get("description")));
        let kind = [self.type_words(schema), rules(schema)];
        let kind: Vec<&str> = kind
            .iter()
            .map(String::as_str)
            .filter(|words| !words.is_empty())
            .collect();
        push_paragraph(&mut text, &kind.join("; "));
        let mut fields = String::new();
        self.push_fields(&mut fields, 0, schema);
        push_paragraph(&mut text, fields.trim_end());
        self.body.markdown.push_str(&text);
    }

    /// What a schema holds, an entry for each of its fields and kinds. Schemas with a name stand on pages of their own.
    fn push_fields(&mut self, text: &mut String, depth: usize, schema: &'a Yaml) {
        let document = self.reference.document;
        let discriminator = schema
            .get("discriminator")
            .and_then(|found| found.text("propertyName"));
        // Those of a few names are all in the words of the type.
        let has_fields = |variant: &Yaml| !variant.table("properties").is_empty();
        let told = variants(schema).filter(|variants| {
            discriminator.is_some() || variants.len() > MOST_KINDS || variants.iter().any(has_fields)
        });
        for variant in told.unwrap_or_default() {
            let values = discriminator
                .and_then(|field| Some((field, discriminating_values(schema, field, variant, document)?)));
            let values = values.map_or_else(String::new, |(field, values)| {
                format!("with `{field}` `{}`: ", values.join("`, `"))
            });
            text.push_str(&format!(
                "{}- {values}{}\n",
                "  ".repeat(depth),
                self.type_words(variant)
            ));
            if variant.text("$ref").is_none() {
                self.push_fields(text, depth + 1, variant);
            }
        }
        for part in schema.list("allOf") {
            self.push_fields(text, depth, document.resolved(part));
        }
        let required: Vec<&str> = schema.list("required").iter().filter_map(Yaml::as_text).collect();
        for property in schema.table("properties") {
            let (name, value) = (property.key.as_str(), &property.value);
            self.push_field(
                text,
                depth,
                name,
                Some(value),
                value.get("description"),
                required.contains(&name),
            );
        }
        for inner in [schema.get("items"), schema.get("additionalProperties")] {
            if let Some(inner) = inner.filter(|inner| inner.text("$ref").is_none()) {
                self.push_fields(text, depth, inner);
            }
        }
    }

    fn push_field(
        &mut self,
        text: &mut String,
        depth: usize,
        name: &str,
        schema: Option<&'a Yaml>,
        words: Option<&'a Yaml>,
        is_required: bool,
    ) {
        let kind = schema.map(|schema| self.type_words(schema)).unwrap_or_default();
        let required = if is_required { ", required" } else { "" };
        text.push_str(&format!("{}- `{name}` ({kind}{required})", "  ".repeat(depth)));
        let told = [
            one_line(&description(words)),
            schema.map(rules).unwrap_or_default(),
        ];
        let told: Vec<&str> = told
            .iter()
            .map(String::as_str)
            .filter(|words| !words.is_empty())
            .collect();
        if !told.is_empty() {
            text.push_str(&format!(": {}", told.join(" ")));
        }
        text.push('\n');
        if let Some(schema) = schema.filter(|schema| schema.text("$ref").is_none()) {
            self.push_fields(text, depth + 1, schema);
        }
    }

    fn type_words(&mut self, schema: &'a Yaml) -> String {
        words(&Fields::new(self.reference, self.texts, 0).type_html(schema))
    }
}

fn key_words(key: Key<'_>) -> &'static str {
    match key {
        Key::None => "No key is needed.",
        Key::Optional(_) => "Takes a key, and may do without one.",
        Key::Required(_) => "",
    }
}

fn rules(schema: &Yaml) -> String {
    let mut html = String::new();
    push_rules(&mut html, schema);
    words(&html)
}

/// A description as it was written. Links in it lead from the document, which programs do not have: then its words.
fn description(description: Option<&Yaml>) -> String {
    match description.and_then(Yaml::as_text) {
        Some(text) if !text.contains("](") => text.trim().to_owned(),
        _ => description.map(plain).unwrap_or_default(),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn push_paragraph(text: &mut String, words: &str) {
    if !words.is_empty() {
        text.push_str(&format!("\n{words}\n"));
    }
}

fn push_code(text: &mut String, language: &str, code: &str) {
    // Longer than every fence in the code.
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    text.push_str(&format!("\n{fence}{language}\n{}\n{fence}\n", code.trim_end()));
}

/// The words of HTML that the pages of references are made of. Code keeps its form, entries of a list are those of one within a list,
/// and links are their texts.
fn words(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    while let Some((before, behind)) = rest.split_once('<') {
        text.push_str(before);
        let (tag, behind) = behind.split_once('>').unwrap_or((behind, ""));
        text.push_str(match tag.split(' ').next() {
            Some("code" | "/code") => "`",
            Some("li") => "\n  - ",
            Some("/p") => "; ",
            Some("/summary") => ": ",
            _ => "",
        });
        rest = behind;
    }
    text.push_str(rest);
    decode_html_entities(text.trim_end_matches("; ")).into_owned()
}
