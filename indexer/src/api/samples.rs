//! How an operation is called, in the languages that the pages show.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::document::{Document, Operation};
use super::literal::{Syntax, pretty, quoted};
use crate::yaml::Yaml;

/// The variable of the environment that samples take the key from.
const KEY_VARIABLE: &str = "SIFTWREN_API_KEY";

/// A call of an operation with all that it needs.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    method: String,
    url: String,
    key_header: Option<&'a str>,
    /// The media type of the body and the body.
    body: Option<(&'a str, &'a Yaml)>,
}

/// A sample in one language.
#[derive(Debug)]
pub(crate) struct Sample {
    /// Names the language in addresses and in what the site remembers.
    pub(crate) id: &'static str,
    pub(crate) label: &'static str,
    /// The name by which the highlighter knows it.
    pub(crate) language: &'static str,
    pub(crate) code: String,
}

impl<'a> Call<'a> {
    /// The call that the first example of the operation makes.
    pub(crate) fn of(document: &'a Document, operation: &Operation<'a>) -> Self {
        let mut path = operation.path.to_owned();
        let mut query = Vec::new();
        for parameter in &operation.parameters {
            let name = parameter.text("name").unwrap_or_default();
            let example = parameter_example(document, parameter);
            match parameter.text("in") {
                Some("path") => {
                    path = path.replace(
                        &format!("{{{name}}}"),
                        &encoded(&example.unwrap_or_else(|| name.to_uppercase())),
                    )
                }
                Some("query") => {
                    let example = example
                        .filter(|_| parameter.get("example").is_some() || parameter.is_true("required"));
                    query.extend(example.map(|example| format!("{}={}", encoded(name), encoded(&example))));
                }
                _ => {}
            }
        }
        let query = if query.is_empty() {
            String::new()
        } else {
            format!("?{}", query.join("&"))
        };
        Self {
            method: operation.method.to_uppercase(),
            url: format!("{}{path}{query}", document.server),
            key_header: operation.key.header(),
            body: operation.body.and_then(|body| {
                let (media_type, content) = content(body)?;
                Some((media_type, examples(document, content).into_iter().next()?.value))
            }),
        }
    }

    /// The call in every language.
    pub(crate) fn samples(&self) -> [Sample; 3] {
        [
            Sample {
                id: "curl",
                label: "curl",
                language: "bash",
                code: self.curl(),
            },
            Sample {
                id: "python",
                label: "Python",
                language: "python",
                code: self.python(),
            },
            Sample {
                id: "javascript",
                label: "JavaScript",
                language: "javascript",
                code: self.javascript(),
            },
        ]
    }

    fn curl(&self) -> String {
        let mut code = "curl -sS".to_owned();
        if self.method != "GET" {
            code.push_str(&format!(" -X {}", self.method));
        }
        code.push(' ');
        code.push_str(&shell_quoted(&self.url));
        if let Some(header) = self.key_header {
            code.push_str(&format!(" \\\n  -H \"{header}: ${KEY_VARIABLE}\""));
        }
        if let Some((media_type, body)) = self.body {
            code.push_str(&format!(" \\\n  -H 'content-type: {media_type}'"));
            let json = pretty(body, Syntax::Json, 0);
            code.push_str(&format!(" \\\n  --data-binary {}", shell_quoted(&json)));
        }
        code.push('\n');
        code
    }

    fn python(&self) -> String {
        let mut code = "import json\n".to_owned();
        if self.key_header.is_some() {
            code.push_str("import os\n");
        }
        code.push_str(&format!(
            "import urllib.request\n\nrequest = urllib.request.Request(\n    {},\n    method={},\n",
            quoted(&self.url),
            quoted(&self.method)
        ));
        let key = format!("os.environ[{}]", quoted(KEY_VARIABLE));
        let headers = self.header_lines("        ", &key);
        if !headers.is_empty() {
            code.push_str(&format!("    headers={{\n{headers}    }},\n"));
        }
        if let Some((_, body)) = self.body {
            let body = pretty(body, Syntax::Python, 4);
            code.push_str(&format!("    data=json.dumps({body}).encode(),\n"));
        }
        code.push_str(")\nwith urllib.request.urlopen(request) as answer:\n    print(json.load(answer))\n");
        code
    }

    /// The headers as entries of a table, which both languages write alike; `key` is where the key comes from.
    fn header_lines(&self, indent: &str, key: &str) -> String {
        let mut lines = String::new();
        if let Some(header) = self.key_header {
            lines.push_str(&format!("{indent}{}: {key},\n", quoted(header)));
        }
        if let Some((media_type, _)) = self.body {
            lines.push_str(&format!("{indent}\"content-type\": {},\n", quoted(media_type)));
        }
        lines
    }

    fn javascript(&self) -> String {
        let mut options = String::new();
        if self.method != "GET" {
            options.push_str(&format!("  method: {},\n", quoted(&self.method)));
        }
        let headers = self.header_lines("    ", &format!("process.env.{KEY_VARIABLE}"));
        if !headers.is_empty() {
            options.push_str(&format!("  headers: {{\n{headers}  }},\n"));
        }
        if let Some((_, body)) = self.body {
            options.push_str(&format!(
                "  body: JSON.stringify({}),\n",
                pretty(body, Syntax::Json, 2)
            ));
        }
        let arguments = if options.is_empty() {
            quoted(&self.url)
        } else {
            format!("{}, {{\n{options}}}", quoted(&self.url))
        };
        format!("const answer = await fetch({arguments});\nconsole.log(await answer.json());\n")
    }
}

/// An example of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Example<'a> {
    pub(crate) summary: Option<&'a str>,
    pub(crate) value: &'a Yaml,
}

/// The media type and the content of a request or an answer: JSON if it has it, else what stands first.
pub(crate) fn content(message: &Yaml) -> Option<(&str, &Yaml)> {
    let contents = message.table("content");
    let json = contents.iter().find(|entry| entry.key.contains("json"));
    let entry = json.or(contents.first())?;
    Some((&entry.key, &entry.value))
}

/// The examples of a content.
pub(crate) fn examples<'a>(document: &'a Document, content: &'a Yaml) -> Vec<Example<'a>> {
    let only = content
        .get("example")
        .map(|value| Example { summary: None, value });
    let named = content.table("examples").iter().filter_map(|entry| {
        let example = document.resolved(&entry.value);
        Some(Example {
            summary: Some(example.text("summary").unwrap_or(&entry.key)),
            value: example.get("value")?,
        })
    });
    only.into_iter().chain(named).collect()
}

/// What a parameter is filled with in a sample.
pub(crate) fn parameter_example(document: &Document, parameter: &Yaml) -> Option<String> {
    let schema = parameter.get("schema").map(|schema| document.resolved(schema));
    let value = parameter
        .get("example")
        .or_else(|| schema.and_then(|schema| schema.get("example")))
        .or_else(|| schema.and_then(|schema| schema.list("examples").first()))
        .or_else(|| schema.and_then(|schema| schema.get("default")))?;
    Some(match value.as_text() {
        Some(text) => text.to_owned(),
        None => super::literal::compact(value, Syntax::Json),
    })
}

/// All but the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// A value as a part of a path or a query.
fn encoded(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// Text that a shell takes as it is.
fn shell_quoted(text: &str) -> String {
    let is_plain = text
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-_./:%@".contains(&byte));
    if is_plain {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}
