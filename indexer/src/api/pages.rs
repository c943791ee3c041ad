//! The pages of a reference as HTML, and what the search knows of them.

mod markdown;

use std::collections::{BTreeMap, BTreeSet};

use crate::html::{escaped, push_escaped};
use crate::routes::words;
use crate::sections::Section;

use super::changes;
use super::console::{self, MadeFile};
use super::document::{Key, Operation};
use super::fields::{Fields, push_rules};
use super::literal::{Syntax, compact, pretty};
use super::reference::{Kind, Reference, references};
use super::samples::{Call, content, examples};
use super::texts::{Texts, first_sentence, plain};
use crate::yaml::Yaml;

/// How many levels of schemas unfold on the page of an operation; the pages of schemas have links instead.
const LEVELS: usize = 2;
/// Where parameters stand, and what a list of them is called.
const PLACES: [(&str, &str); 3] = [
    ("path", "Path parameters"),
    ("query", "Query parameters"),
    ("header", "Headers"),
];
/// The most words of an example that the search reads.
const SEARCHED_FIELDS: usize = 40;

/// A heading of a page.
#[derive(Debug)]
pub(crate) struct Heading {
    pub(crate) id: String,
    pub(crate) title: String,
}

/// A page without its address and title.
#[derive(Debug, Default)]
pub(crate) struct Body {
    pub(crate) description: String,
    pub(crate) html: String,
    /// The same for programs, without the title. Empty: what the search reads is all of it.
    pub(crate) markdown: String,
    pub(crate) headings: Vec<Heading>,
    pub(crate) sections: Vec<Section>,
    pub(crate) files: Vec<MadeFile>,
}

impl Body {
    /// A heading of the second level, with what the search reads below it.
    pub(crate) fn push_heading(&mut self, id: &str, title: &str, searched: String) {
        self.html.push_str(&format!(
            "<h2 id=\"{id}\"><a href=\"#{id}\">{}</a></h2>",
            escaped(title)
        ));
        self.headings.push(Heading {
            id: id.to_owned(),
            title: title.to_owned(),
        });
        self.sections.push(Section {
            anchor: id.to_owned(),
            headings: [title.to_owned(), String::new(), String::new()],
            body: searched,
        });
    }
}

/// Writes a page.
pub(crate) fn write(reference: &Reference<'_>, page: Kind, section: &str, texts: &mut Texts<'_>) -> Body {
    let mut writer = Writer {
        reference,
        section,
        texts,
        body: Body::default(),
    };
    match page {
        Kind::Index => writer.index(),
        Kind::Tag(tag) => writer.tag(tag),
        Kind::SchemaIndex => writer.schema_index(),
        Kind::Schemas(group) => writer.schemas(group),
        Kind::Changes => {
            if let Some(before) = reference.before {
                changes::write(&mut writer.body, before, reference, writer.texts.base);
            }
        }
    }
    writer.body
}

struct Writer<'r, 'a, 't, 'u> {
    reference: &'r Reference<'a>,
    section: &'r str,
    texts: &'t mut Texts<'u>,
    body: Body,
}

impl<'a> Writer<'_, 'a, '_, '_> {
    fn href(&self, path: &str) -> String {
        format!("{}{path}", self.texts.base.trim_end_matches('/'))
    }

    /// The text above the first heading.
    fn lead(&mut self, description: Option<&Yaml>, otherwise: String) {
        let searched = description.map(plain).filter(|text| !text.is_empty());
        let first = first_sentence(description);
        self.body.description = if first.is_empty() {
            otherwise.clone()
        } else {
            first
        };
        if let Some(description) = description {
            self.body.html.push_str(&self.texts.html(description));
        }
        self.body.sections.insert(
            0,
            Section {
                body: searched.unwrap_or(otherwise),
                ..Section::default()
            },
        );
    }

    fn index(&mut self) {
        let document = self.reference.document;
        self.lead(document.info().get("description"), document.title().to_owned());
        self.body.html.push_str(&format!(
            "<p>Requests go to <code>{}</code>. Programs that make clients read <a href=\"{}\" download>the OpenAPI document</a>.</p>",
            escaped(&document.server),
            self.href(&format!("/{}", document.published))
        ));
        let lines: Vec<String> = self
            .reference
            .tags
            .iter()
            .flat_map(|tag| &tag.operations)
            .map(call_words)
            .collect();
        self.body
            .push_heading("operations", "Operations", lines.join("\n"));
        self.index_in_markdown();
        for tag in &self.reference.tags {
            let path = self.reference.tag_path(tag.name);
            let href = self.href(&path);
            self.body.html.push_str(&format!(
                "<h3><a href=\"{href}\">{}</a></h3>",
                escaped(&words(tag.name))
            ));
            if let Some(description) = tag.description {
                let html = self.texts.html(description);
                self.body.html.push_str(&html);
            }
            self.body.html.push_str("<ul class=\"calls\">");
            for operation in &tag.operations {
                self.body.html.push_str(&format!(
                    "<li>{} <a href=\"{href}#{}\">{}</a></li>",
                    call_html(operation),
                    operation.id,
                    escaped(operation.summary)
                ));
            }
            self.body.html.push_str("</ul>");
        }
        self.authentication();
        self.errors();
        if let Some(before) = self.reference.before {
            let href = self.href(&self.reference.path(Kind::Changes));
            self.body.html.push_str(&format!(
                "<p><a href=\"{href}\">What is different from {}</a></p>",
                escaped(&before.label)
            ));
        }
    }

    fn authentication(&mut self) {
        let schemes: Vec<&Yaml> = self.reference.document.security_schemes().collect();
        if schemes.is_empty() {
            return;
        }
        let searched: Vec<String> = schemes
            .iter()
            .map(|scheme| {
                let words = scheme.get("description").map(plain).unwrap_or_default();
                format!("{} {words}", scheme.text("name").unwrap_or_default())
            })
            .collect();
        self.body
            .push_heading("authentication", "Authentication", searched.join("\n"));
        self.body.heading_in_markdown("Authentication");
        for scheme in schemes {
            let place = match (scheme.text("type"), scheme.text("in"), scheme.text("name")) {
                (Some("apiKey"), Some(place), Some(name)) => {
                    format!("A key in the {} <code>{}</code>.", escaped(place), escaped(name))
                }
                (Some("http"), ..) => format!(
                    "The header <code>Authorization</code> with the scheme <code>{}</code>.",
                    escaped(scheme.text("scheme").unwrap_or_default())
                ),
                (kind, ..) => format!("Of the type {}.", escaped(kind.unwrap_or_default())),
            };
            self.body.html.push_str(&format!("<p>{place}</p>"));
            self.scheme_in_markdown(&place, scheme);
            if let Some(description) = scheme.get("description") {
                let html = self.texts.html(description);
                self.body.html.push_str(&html);
            }
        }
    }

    /// Every error that some operation answers with, once.
    fn errors(&mut self) {
        let mut errors: BTreeMap<&str, Vec<(&str, &Yaml)>> = BTreeMap::new();
        let operations = self.reference.tags.iter().flat_map(|tag| &tag.operations);
        for (status, answer) in operations.flat_map(|operation| operation.answers.iter().copied()) {
            if !status.starts_with(['4', '5']) {
                continue;
            }
            let words = answer.text("description").unwrap_or_default();
            let known = errors.entry(status).or_default();
            if known.iter().all(|(other, _)| *other != words) {
                known.push((words, answer));
            }
        }
        let searched: Vec<String> = errors
            .iter()
            .map(|(status, answers)| {
                let words = answers.iter().filter_map(|(_, answer)| answer.get("description"));
                let words: Vec<String> = words.map(plain).collect();
                format!("{status} {}", words.join(" "))
            })
            .collect();
        self.body.push_heading("errors", "Errors", searched.join("\n"));
        if !errors.is_empty() {
            self.body.heading_in_markdown("Errors");
            self.body.markdown.push('\n');
        }
        for (status, answers) in errors {
            for (_, answer) in answers {
                self.answer(status, answer, false);
                let line = self.answer_in_markdown(status, answer);
                self.body.markdown.push_str(&line);
            }
        }
    }

    fn tag(&mut self, tag: usize) {
        let tag = &self.reference.tags[tag];
        let names: Vec<&str> = tag.operations.iter().map(|operation| operation.summary).collect();
        self.lead(tag.description, format!("{}.", names.join(", ")));
        let lead = self.body.sections[0].body.clone();
        self.body.lead_in_markdown(&lead);
        if !self.reference.groups.is_empty() {
            let schemas = self.href(&self.reference.path(Kind::SchemaIndex));
            self.body
                .lead_in_markdown(&format!("Types with a name are listed in `{schemas}.md`."));
        }
        for operation in &tag.operations {
            self.operation(operation);
        }
    }

    fn operation(&mut self, operation: &Operation<'a>) {
        let document = self.reference.document;
        let (call, file) = (
            Call::of(document, operation),
            console::file(document, self.section, operation),
        );
        self.body
            .html
            .push_str("<section class=\"operation\"><div class=\"operation-words\">");
        let searched = self.searched_words(operation);
        self.body.push_heading(operation.id, operation.summary, searched);
        self.body
            .html
            .push_str(&format!("<p class=\"call\">{}</p>", call_html(operation)));
        if let Some(description) = operation.description {
            let html = self.texts.html(description);
            self.body.html.push_str(&html);
        }
        self.body.html.push_str(match operation.key {
            Key::None => "<p class=\"rules\">No key is needed.</p>",
            Key::Optional(_) => "<p class=\"rules\">Takes a key, and may do without one.</p>",
            Key::Required(_) => "",
        });
        for (place, title) in PLACES {
            let parameters = operation
                .parameters
                .iter()
                .copied()
                .filter(|parameter| parameter.text("in") == Some(place));
            let parameters: Vec<&Yaml> = parameters.collect();
            if parameters.is_empty() {
                continue;
            }
            self.body
                .html
                .push_str(&format!("<h3>{title}</h3><ul class=\"fields\">"));
            for parameter in parameters {
                Fields::new(self.reference, self.texts, LEVELS)
                    .push_parameter(&mut self.body.html, parameter);
            }
            self.body.html.push_str("</ul>");
        }
        if let Some((body, (_, content))) = operation.body.and_then(|body| Some((body, content(body)?))) {
            let optional = if body.is_true("required") {
                ""
            } else {
                " <small>optional</small>"
            };
            self.body.html.push_str(&format!("<h3>Body{optional}</h3>"));
            if let Some(schema) = content.get("schema") {
                Fields::new(self.reference, self.texts, LEVELS).push_schema(
                    &mut self.body.html,
                    None,
                    schema,
                );
            }
        }
        self.body.html.push_str("<h3>Answers</h3>");
        for (status, answer) in &operation.answers {
            self.answer(status, answer, true);
        }
        self.body.html.push_str("</div><div class=\"operation-samples\">");
        self.samples(operation, &call);
        self.body
            .html
            .push_str(&console::button(self.texts.base, &file, operation.summary));
        self.further_examples(operation);
        self.body.html.push_str("</div></section>");
        self.body.files.push(file);
        self.operation_in_markdown(operation, &call);
    }

    /// The samples, as tabs that are readable one below the other without a script.
    fn samples(&mut self, operation: &Operation<'_>, call: &Call<'_>) {
        let samples = call.samples();
        let id = |index: usize| format!("tabs-{}-{}", operation.id, index + 1);
        let mut html =
            "<div class=\"tabs\" data-group=\"language\"><div role=\"tablist\" data-needs-js=\"\">"
                .to_owned();
        for (index, sample) in samples.iter().enumerate() {
            let state = if index == 0 {
                "aria-selected=\"true\""
            } else {
                "aria-selected=\"false\" tabindex=\"-1\""
            };
            html.push_str(&format!(
                "<button type=\"button\" role=\"tab\" id=\"{0}-tab\" aria-controls=\"{0}\" {state} data-tab=\"{1}\">{2}</button>",
                id(index),
                sample.id,
                sample.label
            ));
        }
        html.push_str("</div>");
        for (index, sample) in samples.iter().enumerate() {
            html.push_str(&format!(
                "<section class=\"tab\" role=\"tabpanel\" id=\"{0}\" aria-labelledby=\"{0}-tab\" data-tab=\"{1}\"><p class=\"tab-title\" data-only-without-js=\"\">{2}</p>{3}</section>",
                id(index),
                sample.id,
                sample.label,
                self.texts.code_block(sample.language, true, &sample.code)
            ));
        }
        html.push_str("</div>");
        self.body.html.push_str(&html);
    }

    /// The bodies of the other examples; the first one is in the samples.
    fn further_examples(&mut self, operation: &Operation<'_>) {
        let document = self.reference.document;
        let Some((_, content)) = operation.body.and_then(content) else {
            return;
        };
        for example in examples(document, content).iter().skip(1) {
            let code = pretty(example.value, Syntax::Json, 0);
            let block = self.texts.code_block("json", false, &code);
            self.body.html.push_str(&format!(
                "<details class=\"answer\"><summary>Body: {}</summary>{block}</details>",
                escaped(example.summary.unwrap_or("another example"))
            ));
        }
    }

    /// A status with what it means and its example.
    fn answer(&mut self, status: &str, answer: &'a Yaml, has_type: bool) {
        let document = self.reference.document;
        let class = status.chars().next().unwrap_or('x');
        let words = answer.text("description").unwrap_or_default();
        let is_open = if status.starts_with('2') && has_type {
            " open=\"\""
        } else {
            ""
        };
        let line = self.texts.line(answer.get("description"));
        self.body.html.push_str(&format!(
            "<details class=\"answer\"{is_open}><summary><code class=\"status-{class}\">{}</code> {line}</summary>",
            escaped(status),
        ));
        if words.trim().lines().count() > 1
            && let Some(description) = answer.get("description")
        {
            let html = self.texts.html(description);
            self.body.html.push_str(&html);
        }
        let headers = answer.table("headers");
        if !headers.is_empty() {
            let listed: Vec<String> = headers
                .iter()
                .map(|header| {
                    let words = document
                        .resolved(&header.value)
                        .text("description")
                        .unwrap_or_default();
                    format!("header <code>{}</code>: {}", escaped(&header.key), escaped(words))
                })
                .collect();
            self.body
                .html
                .push_str(&format!("<p class=\"rules\">{}</p>", listed.join(" · ")));
        }
        if let Some((media_type, content)) = content(answer) {
            if let Some(schema) = content.get("schema") {
                let kind = Fields::new(self.reference, self.texts, 0).type_html(schema);
                self.body.html.push_str(&format!(
                    "<p class=\"rules\">{kind} as <code>{}</code></p>",
                    escaped(media_type)
                ));
            }
            for example in examples(document, content) {
                if let Some(summary) = example.summary {
                    self.body
                        .html
                        .push_str(&format!("<p class=\"rules\">{}</p>", escaped(summary)));
                }
                let code = pretty(example.value, Syntax::Json, 0);
                let block = self.texts.code_block("json", status.starts_with('2'), &code);
                self.body.html.push_str(&block);
            }
        }
        self.body.html.push_str("</details>");
    }

    fn schema_index(&mut self) {
        let label = &self.reference.document.label;
        self.lead(None, format!("Every schema of {label}, by name, and what it is."));
        let lead = "What requests and answers are made of, by name.";
        self.body.html.push_str(&format!("<p>{lead}</p>"));
        let mut schemas: Vec<(&str, &Yaml)> = self.reference.document.schemas().collect();
        schemas.sort_by_key(|(name, _)| name.to_lowercase());
        let listed = schemas.iter().map(|(name, schema)| {
            let words = first_sentence(schema.get("description"));
            format!("<code>{name}</code> {}", escaped(&words))
        });
        self.body.lead_in_markdown(lead);
        let listed: Vec<String> = listed.collect();
        self.body.list_in_markdown("Schemas", &listed);
        let mut letter = None;
        for (name, schema) in schemas {
            let first = name.chars().next().map(|c| c.to_ascii_uppercase());
            if first != letter {
                self.body
                    .html
                    .push_str(if letter.is_some() { "</dl>" } else { "" });
                let shown = first.unwrap_or_default();
                self.body.html.push_str(&format!(
                    "<h2 id=\"letter-{0}\">{shown}</h2><dl class=\"index\">",
                    shown.to_ascii_lowercase()
                ));
                self.body.headings.push(Heading {
                    id: format!("letter-{}", shown.to_ascii_lowercase()),
                    title: shown.to_string(),
                });
                letter = first;
            }
            let path = self.reference.schema_paths.get(name).map_or("", String::as_str);
            let href = self.href(path);
            self.body.html.push_str(&format!(
                "<dt><a href=\"{href}#{name}\">{name}</a></dt><dd>{}</dd>",
                escaped(&first_sentence(schema.get("description")))
            ));
        }
        if letter.is_some() {
            self.body.html.push_str("</dl>");
        }
    }

    fn schemas(&mut self, group: usize) {
        let (group_name, schemas) = &self.reference.groups[group];
        let label = &self.reference.document.label;
        let lead = format!("What {group_name} of {label} are made of.");
        self.body.lead_in_markdown(&lead);
        self.lead(None, lead);
        let users = self.users();
        let is_tag = self
            .reference
            .tags
            .iter()
            .any(|tag| tag.name.eq_ignore_ascii_case(group_name));
        self.body.html.push_str(&if is_tag {
            format!(
                "<p>What requests and answers of <a href=\"{}\">{}</a> are made of.</p>",
                self.href(&self.reference.tag_path(group_name)),
                escaped(&words(group_name))
            )
        } else {
            "<p>The schemas that no operation of the reference needs.</p>".to_owned()
        });
        for (name, schema) in schemas {
            self.body.html.push_str("<section class=\"schema\">");
            let searched = schema_words(schema);
            self.body.push_heading(name, name, searched);
            if let Some(description) = schema.get("description") {
                let html = self.texts.html(description);
                self.body.html.push_str(&html);
            }
            let kind = Fields::new(self.reference, self.texts, 1).type_html(schema);
            self.body.html.push_str(&format!("<p class=\"rules\">{kind}</p>"));
            push_rules(&mut self.body.html, schema);
            Fields::new(self.reference, self.texts, 1).push_schema(&mut self.body.html, Some(name), schema);
            if let Some(users) = users.get(name) {
                self.body
                    .html
                    .push_str(&format!("<p class=\"rules\">Used by {}</p>", users.join(", ")));
            }
            self.body.html.push_str("</section>");
            self.schema_in_markdown(name, schema);
        }
    }

    /// Links to the operations and schemas that name a schema.
    fn users(&self) -> BTreeMap<&'a str, Vec<String>> {
        let mut users: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for tag in &self.reference.tags {
            let href = self.href(&self.reference.tag_path(tag.name));
            for operation in &tag.operations {
                let mut names = BTreeSet::new();
                for part in operation.parts() {
                    references(part, &mut names);
                }
                for name in names {
                    let link = format!(
                        "<a href=\"{href}#{}\">{}</a>",
                        operation.id,
                        escaped(operation.summary)
                    );
                    users.entry(name).or_default().push(link);
                }
            }
        }
        for (user, schema) in self.reference.document.schemas() {
            let mut names = BTreeSet::new();
            references(schema, &mut names);
            let path = self.reference.schema_paths.get(user).map_or("", String::as_str);
            for name in names.into_iter().filter(|name| *name != user) {
                let link = format!("<a href=\"{}#{user}\">{user}</a>", self.href(path));
                users.entry(name).or_default().push(link);
            }
        }
        // What every answer names says nothing.
        users.retain(|_, links| links.len() <= 12);
        users
    }

    fn searched_words(&self, operation: &Operation<'_>) -> String {
        let mut words = call_words(operation);
        if let Some(description) = operation.description {
            words.push('\n');
            words.push_str(&plain(description));
        }
        for parameter in &operation.parameters {
            words.push('\n');
            words.push_str(parameter.text("name").unwrap_or_default());
        }
        let schema = operation
            .body
            .and_then(content)
            .and_then(|(_, content)| content.get("schema"));
        if let Some(schema) = schema {
            let schema = self.reference.document.resolved(schema);
            let names: Vec<&str> = schema
                .table("properties")
                .iter()
                .map(|entry| entry.key.as_str())
                .collect();
            words.push('\n');
            words.push_str(&names.join(" "));
        }
        words
    }
}

/// What a reader may search for: the field names of a schema and what they mean.
fn schema_words(schema: &Yaml) -> String {
    let mut lines: Vec<String> = schema.get("description").map(plain).into_iter().collect();
    for entry in schema.table("properties").iter().take(SEARCHED_FIELDS) {
        lines.push(format!(
            "{} {}",
            entry.key,
            first_sentence(entry.value.get("description"))
        ));
    }
    let values: Vec<String> = schema
        .list("enum")
        .iter()
        .map(|value| compact(value, Syntax::Json))
        .collect();
    if !values.is_empty() {
        lines.push(values.join(" "));
    }
    lines.join("\n")
}

fn call_words(operation: &Operation<'_>) -> String {
    format!(
        "{} {} {}",
        operation.method.to_uppercase(),
        operation.path,
        operation.id
    )
}

/// The method and the path. On a narrow screen a line ends before a part of the path, not within it.
pub(crate) fn call_html(operation: &Operation<'_>) -> String {
    let mut html = format!(
        "<span class=\"method\" data-method=\"{0}\">{1}</span> <code>",
        operation.method,
        operation.method.to_uppercase()
    );
    for (index, part) in operation.path.split('/').enumerate() {
        html.push_str(match (index, part) {
            (0, _) => "",
            // Nor does a line begin with the slash at the end.
            (1, _) | (_, "") => "/",
            _ => "<wbr>/",
        });
        push_escaped(&mut html, part);
    }
    html.push_str("</code>");
    html
}
