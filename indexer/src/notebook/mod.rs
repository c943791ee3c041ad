//! Notebooks of Jupyter (`.ipynb`, [nbformat 4](https://nbformat.readthedocs.io/)) as Markdown: cells of text as they are, those of
//! code as blocks of code, with what they gave below. Nothing is run.

mod outputs;
mod terminal;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::diagnostic::Diagnostic;
use crate::front_matter;
use crate::html::escaped;
use crate::markdown::fence;
use crate::markdown::myst::labels;
use crate::source::{Source, fnv1a};
use outputs::{Picture, Shown};

/// What a block with the output of a program is called in the place of a language.
pub(crate) const OUTPUT: &str = "output";

/// How the names of such files end.
pub(crate) const ENDING: &str = "ipynb";

/// What the Markdown of a notebook does not say.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Notebook {
    /// The file.
    file: Source,
    /// Where its lines stand in the file, in order.
    places: Vec<Place>,
    /// The pictures in it, by their paths from its folder.
    pub(crate) pictures: BTreeMap<String, Arc<[u8]>>,
    /// What its cells are called, each of which is the id of an element.
    pub(crate) labels: Vec<String>,
    /// What it has that is not shown, by places in the Markdown.
    pub(crate) left_out: Vec<(usize, String)>,
}

/// Where a line of the Markdown comes from.
#[derive(Debug, PartialEq, Eq)]
struct Place {
    /// Its first byte in the Markdown.
    at: usize,
    /// Where it begins in the file.
    from: usize,
    /// Whether what follows stands there as it is.
    is_copy: bool,
}

impl Notebook {
    /// Line and column in the file of a byte of the Markdown, both counted from 1. The column is that of a character whose line
    /// has no escapes of JSON before it.
    pub(crate) fn position(&self, markdown: &str, offset: usize) -> (usize, usize) {
        let next = self.places.partition_point(|place| place.at <= offset);
        let Some(place) = next.checked_sub(1).and_then(|index| self.places.get(index)) else {
            return (1, 1);
        };
        let before = match place.is_copy {
            true => markdown[place.at..offset].chars().count(),
            false => 0,
        };
        let (line, column) = self.file.position(place.from);
        (line, column + before)
    }
}

/// The Markdown of a notebook. The error says where the text is none.
pub(crate) fn read(file: &Source) -> Result<(String, Notebook), Diagnostic> {
    let json = &*file.text;
    let known: File<'_> = serde_json::from_str(json).map_err(|error| {
        let at = file.offset(error.line(), error.column().saturating_sub(1));
        let reason = error.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default();
        let message = format!("this is no notebook that can be read: {reason}; save it again with Jupyter");
        Diagnostic::error(file, at, message)
    })?;
    if known.nbformat < 4 {
        let message = format!(
            "notebooks of format {} are not read; save it with a newer Jupyter, or `jupyter nbconvert --to notebook --nbformat 4`",
            known.nbformat
        );
        return Err(Diagnostic::error(file, 0, message));
    }
    let name = file.path.rsplit('/').next().unwrap_or_default();
    let mut writer = Writer {
        file,
        name,
        language: known.language(),
        markdown: String::new(),
        notebook: Notebook {
            file: file.clone(),
            places: Vec::new(),
            pictures: BTreeMap::new(),
            labels: Vec::new(),
            left_out: Vec::new(),
        },
    };
    for (index, cell) in known.cells.iter().enumerate() {
        writer.cell(cell, index == 0);
    }
    Ok((writer.markdown, writer.notebook))
}

#[derive(Deserialize)]
struct File<'a> {
    nbformat: u64,
    #[serde(borrow, default)]
    cells: Vec<Cell<'a>>,
    #[serde(default)]
    metadata: Value,
}

impl File<'_> {
    /// The language of its code.
    fn language(&self) -> String {
        let of = |part: &str, key: &str| self.metadata.get(part)?.get(key)?.as_str();
        let language = of("language_info", "name").or_else(|| of("kernelspec", "language"));
        match language.unwrap_or("python") {
            "ipython" | "ipython3" => "python".to_owned(),
            language => language.to_ascii_lowercase(),
        }
    }
}

#[derive(Deserialize)]
struct Cell<'a> {
    cell_type: String,
    #[serde(borrow)]
    source: &'a RawValue,
    #[serde(default)]
    metadata: Value,
    #[serde(borrow, default)]
    outputs: Vec<&'a RawValue>,
    #[serde(default)]
    attachments: Map<String, Value>,
}

impl Cell<'_> {
    /// Whether one of the tags that Jupyter Book, nbconvert and nbsphinx know says so.
    fn has(&self, tag: &str) -> bool {
        let tags = self.metadata.get("tags").and_then(Value::as_array);
        tags.is_some_and(|tags| {
            tags.iter()
                .any(|found| found.as_str().is_some_and(|found| found.replace('_', "-") == tag))
        })
    }

    /// Whether Jupyter shows this part of it folded.
    fn is_folded(&self, key: &str) -> bool {
        let part = self.metadata.get("jupyter").and_then(|part| part.get(key));
        part.and_then(Value::as_bool).unwrap_or_default()
    }

    /// Whether a raw cell says that it is written so.
    fn is_raw(&self, kinds: &[&str]) -> bool {
        let of = |key: &str| self.metadata.get(key).and_then(Value::as_str);
        let kind = of("raw_mimetype").or_else(|| of("format"));
        kind.is_some_and(|kind| kinds.contains(&kind))
    }

    /// What links can call it: the first comments of its code say so, or what is beside it.
    fn label<'c>(&'c self, options: &'c [Line]) -> Option<&'c str> {
        let written = options.iter().find_map(|line| {
            let (key, value) = line.text.trim_start_matches("#|").split_once(':')?;
            (key.trim() == "label").then(|| value.trim().trim_matches(['"', '\'']))
        });
        let beside = || self.metadata.get("label").and_then(Value::as_str);
        written.or_else(beside).filter(|label| !label.is_empty())
    }

    fn is_hidden(&self) -> bool {
        let hidden = self.metadata.get("nbsphinx").and_then(Value::as_str);
        self.has("remove-cell") || hidden == Some("hidden")
    }
}

#[derive(Deserialize)]
struct Output {
    output_type: String,
    name: Option<String>,
    #[serde(default)]
    text: Value,
    #[serde(default)]
    data: Map<String, Value>,
    #[serde(default)]
    metadata: Value,
    #[serde(default)]
    ename: String,
    #[serde(default)]
    evalue: String,
    #[serde(default)]
    traceback: Vec<String>,
}

struct Writer<'a> {
    file: &'a Source,
    /// That of the file.
    name: &'a str,
    language: String,
    markdown: String,
    notebook: Notebook,
}

impl Writer<'_> {
    fn cell(&mut self, cell: &Cell<'_>, is_first: bool) {
        let Some(lines) = self.lines(cell.source) else {
            let at = self.offset(cell.source.get());
            self.leave_out(at, "a cell whose `source` is no text is left out");
            return;
        };
        let text: String = lines.iter().map(|line| line.text.as_str()).collect();
        match cell.cell_type.as_str() {
            "markdown" => self.text(cell, lines, &text),
            "raw" if is_first && has_front_matter(&text) => self.text(cell, lines, &text),
            "raw" if !cell.is_hidden() && cell.is_raw(&["text/markdown"]) => self.text(cell, lines, &text),
            "raw" if !cell.is_hidden() && cell.is_raw(&["text/html", "html"]) => {
                self.put(
                    self.offset(cell.source.get()),
                    &format!("\n{}\n\n", outputs::block(&text)),
                );
            }
            "code" if cell.is_hidden() => {}
            "code" => self.code(cell, lines),
            _ if text.trim().is_empty() || cell.is_hidden() => {}
            kind => {
                let message = format!("a cell of the kind `{kind}` is left out: it is for other programs");
                self.leave_out(self.offset(cell.source.get()), &message);
            }
        }
    }

    /// A cell of text. Code that it begins and does not end ends with it.
    fn text(&mut self, cell: &Cell<'_>, mut lines: Vec<Line>, text: &str) {
        if cell.is_hidden() {
            return;
        }
        let start = lines.first().map_or(0, |line| line.at);
        self.put(start, "\n");
        let begins_with_line = matches!(text.lines().next().map(str::trim_end), Some("---" | "+++"));
        if begins_with_line && !has_front_matter(text) && self.markdown.trim().is_empty() {
            // At the start of a file it would begin front matter, up to such a line in another cell.
            self.put(start, "<!-- -->\n\n");
        }
        self.attach(cell, &mut lines);
        let mut code = None;
        for line in lines {
            code = match code {
                Some(marks) => Some(marks).filter(|marks| !fence::ends(&line.text, *marks)),
                None => fence::marks(&line.text),
            };
            self.put_copy(&line);
        }
        if !self.markdown.ends_with('\n') {
            self.put(start, "\n");
        }
        if let Some((sign, length)) = code {
            let end = char::from(sign).to_string().repeat(length);
            self.put(start, &format!("{end}\n"));
        }
    }

    /// Gives the pictures that a cell of text brings with it files of their own.
    fn attach(&mut self, cell: &Cell<'_>, lines: &mut [Line]) {
        for (name, data) in &cell.attachments {
            let Some(picture) = data.as_object().and_then(outputs::attached) else {
                continue;
            };
            let path = self.add(picture.bytes, picture.ending);
            let written = format!("attachment:{name}");
            for line in lines.iter_mut().filter(|line| line.text.contains(&written)) {
                line.text = line.text.replace(&written, &path);
                line.is_alone = false;
            }
        }
    }

    fn code(&mut self, cell: &Cell<'_>, mut lines: Vec<Line>) {
        // What such comments say is for programs (Quarto, MyST).
        let options = lines
            .iter()
            .take_while(|line| line.text.starts_with("#|"))
            .count();
        let options: Vec<Line> = lines.drain(..options).collect();
        let code: String = lines.iter().map(|line| line.text.as_str()).collect();
        let start = lines
            .first()
            .map_or_else(|| self.offset(cell.source.get()), |line| line.at);
        if let Some(label) = cell.label(&options) {
            self.put(
                start,
                &format!("\n<a id=\"{}\"></a>\n\n", escaped(&labels::id(label))),
            );
            self.notebook.labels.push(label.to_owned());
        }
        let hides = |part: &str| cell.has(part) || cell.has("hide-cell");
        if !cell.has("remove-input") && !code.trim().is_empty() {
            let is_folded = hides("hide-input") || cell.is_folded("source_hidden");
            self.open(start, is_folded, "Code");
            let marks = "`".repeat(longest_run(&code).max(2) + 1);
            let language = magic(&code).unwrap_or_else(|| self.language.clone());
            self.put(start, &format!("\n{marks}{language}\n"));
            for line in &lines {
                self.put_copy(line);
            }
            let end = if code.ends_with('\n') { "" } else { "\n" };
            self.put(start, &format!("{end}{marks}\n"));
            self.close(start, is_folded);
        }
        if cell.has("remove-output") || cell.outputs.is_empty() {
            return;
        }
        let is_folded = hides("hide-output") || cell.is_folded("outputs_hidden");
        self.open(start, is_folded, "Output");
        self.outputs(&cell.outputs, cell);
        self.close(start, is_folded);
    }

    fn open(&mut self, at: usize, is_folded: bool, summary: &str) {
        if is_folded {
            self.put(at, &format!("\n<details>\n<summary>{summary}</summary>\n"));
        }
    }

    fn close(&mut self, at: usize, is_folded: bool) {
        if is_folded {
            self.put(at, "\n</details>\n");
        }
    }

    fn outputs(&mut self, outputs: &[&RawValue], cell: &Cell<'_>) {
        // What is written to one stream in pieces is one text.
        let mut stream: Option<(usize, String, String)> = None;
        for raw in outputs {
            let at = self.offset(raw.get());
            let Ok(output) = serde_json::from_str::<Output>(raw.get()) else {
                self.leave_out(at, "an output that is not as nbformat 4 has it is left out");
                continue;
            };
            if output.output_type == "stream" {
                let name = output.name.unwrap_or_default();
                if name == "stderr" && cell.has("remove-stderr")
                    || name == "stdout" && cell.has("remove-stdout")
                {
                    continue;
                }
                let text = outputs::text(&output.text).unwrap_or_default();
                match &mut stream {
                    Some((_, of, written)) if *of == name => written.push_str(&text),
                    _ => {
                        self.end_stream(stream.take());
                        stream = Some((at, name, text));
                    }
                }
                continue;
            }
            self.end_stream(stream.take());
            if output.output_type == "error" {
                let mut text = output.traceback.join("\n");
                if text.trim().is_empty() {
                    text = format!("{}: {}", output.ename, output.evalue);
                }
                self.show_text(at, &terminal::shown(&text));
                continue;
            }
            let (shown, note) = outputs::choose(&output.data, &output.metadata);
            if let Some(note) = note {
                self.leave_out(at, note);
            }
            match shown {
                Some(Shown::Text(text)) => self.show_text(at, &text),
                Some(Shown::Markdown(markdown)) => self.put(at, &format!("\n{}\n\n", markdown.trim_end())),
                Some(Shown::Picture(picture)) => self.show_picture(at, picture),
                None => {}
            }
        }
        self.end_stream(stream);
    }

    fn end_stream(&mut self, stream: Option<(usize, String, String)>) {
        if let Some((at, _, written)) = stream {
            self.show_text(at, &terminal::shown(&written));
        }
    }

    fn show_text(&mut self, at: usize, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        let marks = "`".repeat(longest_run(text).max(2) + 1);
        let end = if text.ends_with('\n') { "" } else { "\n" };
        self.put(at, &format!("\n{marks}{OUTPUT}\n{text}{end}{marks}\n"));
    }

    fn show_picture(&mut self, at: usize, picture: Picture) {
        let path = self.add(picture.bytes, picture.ending);
        let text = picture.text.as_deref().unwrap_or("Output of the code above");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let width = picture
            .width
            .map(|width| format!(" width=\"{width}\""))
            .unwrap_or_default();
        self.put(
            at,
            &format!("\n<img src=\"{path}\" alt=\"{}\"{width}>\n\n", escaped(&text)),
        );
    }

    /// The path of a picture from the folder of the notebook, as an address.
    fn add(&mut self, bytes: Vec<u8>, ending: &str) -> String {
        let file = format!("{:016x}.{ending}", fnv1a(&bytes));
        self.notebook
            .pictures
            .insert(format!("{}/{file}", self.name), bytes.into());
        format!("{}/{file}", address(self.name))
    }

    fn leave_out(&mut self, at: usize, message: &str) {
        self.notebook
            .left_out
            .push((self.markdown.len(), message.to_owned()));
        self.put(at, "\n");
    }

    /// Writes lines that are made for what stands at `at` in the file.
    fn put(&mut self, at: usize, lines: &str) {
        self.place(at, false);
        self.markdown.push_str(&with_plain_ends(lines));
    }

    fn put_copy(&mut self, line: &Line) {
        self.place(line.at, line.is_alone);
        self.markdown.push_str(&line.text);
    }

    fn place(&mut self, at: usize, is_copy: bool) {
        self.notebook.places.push(Place {
            at: self.markdown.len(),
            from: at,
            is_copy,
        });
    }

    /// Where a part of the file stands in it.
    fn offset(&self, part: &str) -> usize {
        part.as_ptr() as usize - self.file.text.as_ptr() as usize
    }

    /// The lines of a `multiline_string`; `None` for what is none.
    fn lines(&self, source: &RawValue) -> Option<Vec<Line>> {
        let start = self.offset(source.get());
        if let Ok(text) = serde_json::from_str::<String>(source.get()) {
            let text = with_plain_ends(&text);
            let lines = text.split_inclusive('\n').map(|line| Line {
                at: start + 1,
                is_alone: false,
                text: line.to_owned(),
            });
            return Some(lines.collect());
        }
        let parts: Vec<&RawValue> = serde_json::from_str(source.get()).ok()?;
        let mut lines = Vec::new();
        for part in parts {
            let text: String = serde_json::from_str(part.get()).ok()?;
            let at = self.offset(part.get()) + 1;
            let text = with_plain_ends(&text);
            lines.extend(text.split_inclusive('\n').enumerate().map(|(index, line)| Line {
                at,
                is_alone: index == 0,
                text: line.to_owned(),
            }));
        }
        Some(lines)
    }
}

/// A line of a cell.
struct Line {
    /// Where its text, or that which it is a line of, begins in the file.
    at: usize,
    /// Whether it begins there itself, and is as it is there.
    is_alone: bool,
    text: String,
}

fn has_front_matter(text: &str) -> bool {
    front_matter::body_at(text) > 0
}

/// A text with the line ends of a [`Source`].
fn with_plain_ends(text: &str) -> Cow<'_, str> {
    match text.contains('\r') {
        true => text.replace("\r\n", "\n").replace('\r', "\n").into(),
        false => text.into(),
    }
}

/// How many backticks stand beside each other at most.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

/// The language of a cell that says it has another one: `%%bash`. Most of such words are about how the code is run.
fn magic(code: &str) -> Option<String> {
    let name = code.strip_prefix("%%")?.split_whitespace().next()?;
    let name = name.to_ascii_lowercase();
    match fence::canonical(&name) {
        Some(language) => Some(language.to_owned()),
        None => ["latex", "perl", "pypy"].contains(&name.as_str()).then_some(name),
    }
}

/// A name as it stands in an address, also in Markdown.
fn address(name: &str) -> String {
    let mut address = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'-' | b'.' | b'_' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => address.push(char::from(byte)),
            byte => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;
    use serde_json::json;

    use super::*;

    const PIECES: [&str; 25] = [
        "é",
        " ",
        "\n",
        "\n\n",
        "---\n",
        "```",
        "````\n",
        "~~~python\n",
        "# a",
        "{note}",
        "$$",
        "<b>",
        "</b>",
        "<style>",
        "</style>",
        "<table><tr><td>1",
        "<script>",
        "\u{1b}[31m",
        "\r",
        "\r\n",
        "#| label: é\n",
        "%%bash\n",
        "attachment:é.png",
        "\\",
        "\"",
    ];

    fn text() -> impl Strategy<Value = String> {
        prop::collection::vec(select(&PIECES[..]), 0..12).prop_map(|pieces| pieces.concat())
    }

    /// As Jupyter writes it, or in one piece.
    fn multiline() -> impl Strategy<Value = Value> {
        (text(), any::<bool>()).prop_map(|(text, is_list)| match is_list {
            true => text.split_inclusive('\n').collect(),
            false => text.into(),
        })
    }

    fn output() -> impl Strategy<Value = Value> {
        let kind = select(vec![
            "text/plain",
            "text/html",
            "text/markdown",
            "text/latex",
            "image/png",
            "image/svg+xml",
            "application/json",
        ]);
        prop_oneof![
            multiline().prop_map(|text| json!({"output_type": "stream", "name": "stdout", "text": text})),
            (kind, multiline())
                .prop_map(|(kind, text)| json!({"output_type": "display_data", "data": {kind: text}})),
            text().prop_map(|text| json!({"output_type": "error", "ename": text, "traceback": [text]})),
        ]
    }

    fn cell() -> impl Strategy<Value = Value> {
        let kind = select(vec!["markdown", "code", "raw"]);
        let tag = select(vec!["", "hide-input", "hide-output", "remove-input"]);
        (kind, multiline(), prop::collection::vec(output(), 0..3), tag).prop_map(
            |(kind, source, outputs, tag)| {
                json!({
                    "cell_type": kind,
                    "source": source,
                    "outputs": outputs,
                    "metadata": {"tags": [tag], "format": "text/html"},
                    "attachments": {"é.png": {"image/png": "AAAA"}},
                })
            },
        )
    }

    proptest! {
        #[test]
        fn every_place_is_one_of_the_file(cells in prop::collection::vec(cell(), 0..5)) {
            let json = serde_json::to_string_pretty(&json!({"nbformat": 4, "cells": cells})).unwrap();
            let file = Source::new("é é.ipynb", "a.ipynb", &json);
            let (markdown, notebook) = read(&file).unwrap();
            // The places are those in a text that nobody changes any more.
            prop_assert_eq!(&*Source::new("a", "a", &markdown).text, &markdown);
            let lines: Vec<&str> = json.split('\n').collect();
            for (at, character) in markdown.char_indices() {
                let (line, column) = notebook.position(&markdown, at);
                prop_assert!(line <= lines.len() && column <= lines[line - 1].chars().count() + 1, "{at} {character:?}");
            }
            for (at, _) in &notebook.left_out {
                prop_assert!(markdown.is_char_boundary(*at));
            }
        }
    }

    #[test]
    fn code_is_in_the_language_of_the_notebook() {
        let check = |metadata: Value, code: &str, expected: &str| {
            let cell = json!({"cell_type": "code", "source": code});
            let json = json!({"nbformat": 4, "metadata": metadata, "cells": [cell]}).to_string();
            let (markdown, _) = read(&Source::new("a.ipynb", "a.ipynb", &json)).unwrap();
            assert_eq!(markdown, format!("\n```{expected}\n```\n"));
        };
        check(json!({}), "x\n", "python\nx");
        check(json!({"kernelspec": {"language": "R"}}), "x", "r\nx");
        let other = json!({"kernelspec": {"language": "R"}, "language_info": {"name": "julia"}});
        check(other.clone(), "x", "julia\nx");
        check(json!({"language_info": {"name": "ipython"}}), "x", "python\nx");
        check(other.clone(), "%%LaTeX\n$x$", "latex\n%%LaTeX\n$x$");
        check(other.clone(), "%%sh -e\nls", "bash\n%%sh -e\nls");
        check(other, "%%time\nx", "julia\n%%time\nx");
    }

    #[test]
    fn a_character_that_is_copied_is_found_where_it_stands() {
        let json = "{\"nbformat\": 4, \"cells\": [{\"cell_type\": \"markdown\", \"source\": [\n  \"é ab\\n\",\n\"x\\nvy\"]},\n{\"cell_type\": \"code\", \"source\": \"z\\nw\"}]}";
        let (markdown, notebook) = read(&Source::new("a.ipynb", "a.ipynb", json)).unwrap();
        let place = |text: &str| notebook.position(&markdown, markdown.find(text).unwrap());
        assert_eq!(place("é"), (2, 4));
        assert_eq!(place("b"), (2, 7));
        assert_eq!(place("x"), (3, 2));
        assert_eq!(place("y"), (3, 2));
        assert_eq!(place("```"), (4, 34));
        assert_eq!(place("w"), (4, 34));
        assert_eq!(notebook.position(&markdown, markdown.len()), (4, 34));
    }
}
