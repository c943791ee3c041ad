//! An OpenAPI document: its operations, tags and schemas, checked as far as the pages rely on it.

use std::collections::BTreeMap;

use super::settings::Api;
use crate::diagnostic::Diagnostic;
use crate::source::Source;

use crate::yaml::{self, Value, Yaml};

/// The methods of a path, in the order in which the pages show them.
pub(crate) const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];
/// How many references may follow each other.
const LONGEST_CHAIN: usize = 16;

/// A document with what the configuration says of it.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) source: Source,
    /// Where its pages are: `/docs/api`.
    pub(crate) route: String,
    /// What readers call it: `API v1`.
    pub(crate) label: String,
    /// Where the API answers, without a slash at the end.
    pub(crate) server: String,
    /// Where the site has the document itself: `docs/api/openapi.yaml`.
    pub(crate) published: String,
    root: Yaml,
}

/// An operation: a method of a path.
#[derive(Debug)]
pub(crate) struct Operation<'a> {
    pub(crate) id: &'a str,
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    pub(crate) summary: &'a str,
    pub(crate) description: Option<&'a Yaml>,
    /// Those of the path and its own, with references followed.
    pub(crate) parameters: Vec<&'a Yaml>,
    /// The body of the request, with references followed.
    pub(crate) body: Option<&'a Yaml>,
    /// The statuses and what they mean, with references followed.
    pub(crate) answers: Vec<(&'a str, &'a Yaml)>,
    pub(crate) key: Key<'a>,
}

impl<'a> Operation<'a> {
    /// Everything of it that can name a schema.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &'a Yaml> {
        let answers = self.answers.iter().map(|(_, answer)| *answer);
        self.parameters.iter().copied().chain(self.body).chain(answers)
    }
}

/// Whether an operation takes a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key<'a> {
    None,
    /// In the header of this name.
    Optional(&'a str),
    /// In the header of this name.
    Required(&'a str),
}

impl<'a> Key<'a> {
    /// The name of the header, if there is one.
    pub(crate) fn header(self) -> Option<&'a str> {
        match self {
            Self::None => None,
            Self::Optional(header) | Self::Required(header) => Some(header),
        }
    }
}

/// A tag with its operations.
#[derive(Debug)]
pub(crate) struct Tag<'a> {
    pub(crate) name: &'a str,
    pub(crate) description: Option<&'a Yaml>,
    pub(crate) operations: Vec<Operation<'a>>,
}

impl Document {
    /// Reads a document. `search_api` is the address that the site's search asks: where the document names no other
    /// place, that server has the rest of the API as well.
    pub(crate) fn read(
        settings: &Api,
        source: &Source,
        search_api: Option<&str>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let root = yaml::read(source)?;
        let title = root
            .get("info")
            .and_then(|info| info.text("title"))
            .unwrap_or_default();
        let listed = root
            .list("servers")
            .first()
            .and_then(|server| server.text("url"))
            .unwrap_or_default();
        let server = match (&settings.server, search_api) {
            (Some(server), _) => server.clone(),
            (None, Some(address)) => with_origin_of(listed, address),
            (None, None) => listed.to_owned(),
        };
        let document = Self {
            label: settings.label.clone().unwrap_or_else(|| title.to_owned()),
            route: settings.route.text.clone(),
            server: server.trim_end_matches('/').to_owned(),
            published: settings.published(),
            source: source.clone(),
            root,
        };
        let mut problems = Vec::new();
        document.check(&mut problems);
        if problems.is_empty() {
            Ok(document)
        } else {
            Err(problems)
        }
    }

    /// What the document says of itself.
    pub(crate) fn info(&self) -> &Yaml {
        self.root.get("info").expect("checked when the document was read")
    }

    pub(crate) fn title(&self) -> &str {
        self.info().text("title").unwrap_or_default()
    }

    /// The tags in the order of the document, with their operations.
    pub(crate) fn tags(&self) -> Vec<Tag<'_>> {
        let mut tags: Vec<Tag<'_>> = self
            .root
            .list("tags")
            .iter()
            .map(|tag| Tag {
                name: tag.text("name").unwrap_or_default(),
                description: tag.get("description"),
                operations: Vec::new(),
            })
            .collect();
        for (name, operation) in self.tagged_operations() {
            if let Some(tag) = tags.iter_mut().find(|tag| tag.name == name) {
                tag.operations.push(operation);
            }
        }
        tags.retain(|tag| !tag.operations.is_empty());
        tags
    }

    /// The schemas by name, in the order of the document.
    pub(crate) fn schemas(&self) -> impl Iterator<Item = (&str, &Yaml)> {
        let schemas = self
            .root
            .get("components")
            .map_or(&[][..], |components| components.table("schemas"));
        schemas.iter().map(|entry| (entry.key.as_str(), &entry.value))
    }

    /// The ways in which a key is given.
    pub(crate) fn security_schemes(&self) -> impl Iterator<Item = &Yaml> {
        let schemes = self
            .root
            .get("components")
            .map_or(&[][..], |components| components.table("securitySchemes"));
        schemes.iter().map(|entry| self.resolved(&entry.value))
    }

    /// The value itself, or what its `$ref` leads to.
    pub(crate) fn resolved<'a>(&'a self, value: &'a Yaml) -> &'a Yaml {
        let mut value = value;
        for _ in 0..LONGEST_CHAIN {
            match value.text("$ref").and_then(|target| self.target(target)) {
                Some(next) => value = next,
                None => break,
            }
        }
        value
    }

    fn tagged_operations(&self) -> impl Iterator<Item = (&str, Operation<'_>)> {
        let paths = self.root.table("paths");
        paths.iter().flat_map(move |path| {
            let methods = path.value.entries().iter();
            methods
                .filter(|method| METHODS.contains(&method.key.as_str()))
                .map(move |method| {
                    let tag = method.value.list("tags").first().and_then(Yaml::as_text);
                    (tag.unwrap_or_default(), self.operation(path, method))
                })
        })
    }

    fn operation<'a>(&'a self, path: &'a yaml::Entry, method: &'a yaml::Entry) -> Operation<'a> {
        let own = method
            .value
            .list("parameters")
            .iter()
            .map(|parameter| self.resolved(parameter));
        let mut parameters: Vec<&Yaml> = own.collect();
        let place = |parameter: &Yaml| {
            (
                parameter.text("name").unwrap_or_default().to_owned(),
                parameter.text("in").unwrap_or_default().to_owned(),
            )
        };
        let of_path = path
            .value
            .list("parameters")
            .iter()
            .map(|parameter| self.resolved(parameter));
        let of_path: Vec<&Yaml> = of_path
            .filter(|shared| parameters.iter().all(|own| place(own) != place(shared)))
            .collect();
        parameters.splice(0..0, of_path);
        let id = method.value.text("operationId").unwrap_or_default();
        Operation {
            id,
            method: &method.key,
            path: &path.key,
            summary: method.value.text("summary").unwrap_or(id),
            description: method.value.get("description"),
            parameters,
            body: method.value.get("requestBody").map(|body| self.resolved(body)),
            answers: method
                .value
                .table("responses")
                .iter()
                .map(|answer| (answer.key.as_str(), self.resolved(&answer.value)))
                .collect(),
            key: self.key(method.value.get("security").or_else(|| self.root.get("security"))),
        }
    }

    fn key<'a>(&'a self, security: Option<&'a Yaml>) -> Key<'a> {
        let ways = security.map_or(&[][..], Yaml::items);
        let header = self
            .security_schemes()
            .filter(|scheme| scheme.text("type") == Some("apiKey") && scheme.text("in") == Some("header"))
            .find_map(|scheme| scheme.text("name"));
        match header {
            Some(header) if ways.iter().any(|way| way.entries().is_empty()) => Key::Optional(header),
            Some(header) if !ways.is_empty() => Key::Required(header),
            _ => Key::None,
        }
    }

    /// What `#/components/schemas/Name` leads to.
    fn target(&self, reference: &str) -> Option<&Yaml> {
        let mut value = &self.root;
        for part in reference.strip_prefix("#/")?.split('/') {
            let key = part.replace("~1", "/").replace("~0", "~");
            value = match &value.value {
                Value::List(items) => items.get(key.parse::<usize>().ok()?)?,
                _ => value.get(&key)?,
            };
        }
        Some(value)
    }

    fn check(&self, problems: &mut Vec<Diagnostic>) {
        let mut complain = |at: usize, message: String| {
            problems.push(Diagnostic::error(&self.source, at, message));
        };
        let version = self.root.text("openapi").unwrap_or_default();
        if !version.starts_with("3.") {
            let message = "the document is none of OpenAPI 3; it starts with a line such as `openapi: 3.1.0`";
            complain(self.root.at, message.to_owned());
            return;
        }
        if self
            .root
            .get("info")
            .and_then(|info| info.text("title"))
            .is_none()
        {
            complain(
                self.root.at,
                "the document has no `info` with a `title`".to_owned(),
            );
        }
        if !self.server.starts_with("https://") && !self.server.starts_with("http://") {
            let message = "the document names no server by its whole address; add `servers: [{url: 'https://…'}]`, or `server` to its `[[api]]`";
            complain(self.root.at, message.to_owned());
        }
        self.check_references(&self.root, &mut complain);
        let tags: Vec<&str> = self
            .root
            .list("tags")
            .iter()
            .filter_map(|tag| tag.text("name"))
            .collect();
        let mut ids: BTreeMap<&str, &str> = BTreeMap::new();
        for path in self.root.table("paths") {
            for method in path
                .value
                .entries()
                .iter()
                .filter(|entry| METHODS.contains(&entry.key.as_str()))
            {
                let name = format!("{} {}", method.key.to_uppercase(), path.key);
                match method.value.text("operationId") {
                    None => complain(
                        method.at,
                        format!("{name} has no `operationId`; its address on the page is made of it"),
                    ),
                    Some(id) if !is_word(id) => {
                        complain(
                            method.at,
                            format!("the `operationId` `{id}` takes letters, digits, `-`, `_` and `.`"),
                        );
                    }
                    Some(id) => {
                        if let Some(other) = ids.insert(id, &path.key) {
                            complain(method.at, format!("{other} has the `operationId` `{id}`, too"));
                        }
                    }
                }
                match method.value.list("tags").first().and_then(Yaml::as_text) {
                    Some(tag) if tags.contains(&tag) => {}
                    Some(tag) => complain(
                        method.at,
                        format!(
                            "`tags` of the document does not list `{tag}`; it has {}",
                            tags.join(", ")
                        ),
                    ),
                    None => complain(
                        method.at,
                        format!("{name} has no tag; the page on which it stands is that of its first"),
                    ),
                }
                for parameter in method
                    .value
                    .list("parameters")
                    .iter()
                    .chain(path.value.list("parameters"))
                {
                    let parameter = self.resolved(parameter);
                    if parameter.text("name").is_none() || parameter.text("in").is_none() {
                        complain(parameter.at, "a parameter has a `name` and an `in`".to_owned());
                    }
                }
                if method.value.table("responses").is_empty() {
                    complain(method.at, format!("{name} has no `responses`"));
                }
            }
        }
        for tag in tags.iter().filter(|tag| !is_word(tag)) {
            complain(
                self.root.at,
                format!("the tag `{tag}` takes letters, digits, `-`, `_` and `.`; its page has this name"),
            );
        }
        for (name, schema) in self.schemas().filter(|(name, _)| !is_word(name)) {
            complain(
                schema.at,
                format!("the schema `{name}` takes letters, digits, `-`, `_` and `.` in its name"),
            );
        }
    }

    fn check_references(&self, value: &Yaml, complain: &mut impl FnMut(usize, String)) {
        for item in value.items() {
            self.check_references(item, complain);
        }
        for entry in value.entries() {
            match entry.value.as_text().filter(|_| entry.key == "$ref") {
                None => self.check_references(&entry.value, complain),
                Some(target) if !target.starts_with("#/") => complain(
                    entry.value.at,
                    format!("`{target}` lies outside of this document; references start with `#/`"),
                ),
                Some(target) => match self.target(target) {
                    None => complain(
                        entry.value.at,
                        format!("`{target}` leads to nothing in this document"),
                    ),
                    Some(_) if self.resolved(value).get("$ref").is_some() => {
                        complain(entry.value.at, format!("`{target}` leads back to itself"));
                    }
                    Some(_) => {}
                },
            }
        }
    }
}

/// The name of the schema that a reference leads to.
pub(crate) fn schema_name(schema: &Yaml) -> Option<&str> {
    schema.text("$ref")?.strip_prefix("#/components/schemas/")
}

/// A name that may stand in an address as it is.
fn is_word(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// The path of `listed` at the origin of `address`.
fn with_origin_of(listed: &str, address: &str) -> String {
    let after_scheme = |url: &str| url.find("://").map(|at| at + 3);
    let path_at = |url: &str| after_scheme(url).and_then(|from| url[from..].find('/').map(|at| from + at));
    let origin = path_at(address).map_or(address, |at| &address[..at]);
    let path = match after_scheme(listed) {
        Some(_) => path_at(listed).map_or("", |at| &listed[at..]),
        // A path without a server is meant for whichever server has the document.
        None => listed,
    };
    format!("{origin}{path}")
}
