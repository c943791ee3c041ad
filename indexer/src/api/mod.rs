//! API references: pages, sidebar, search sections and console files from OpenAPI documents.
//!
//! [`read`] checks the documents, [`References`] knows which pages they become, and [`References::page`] writes one.
//! A reference is complete without a script; the console is an extra.

mod changes;
mod console;
mod document;
mod fields;
pub(crate) mod literal;
mod pages;
mod reference;
mod samples;
mod settings;
mod texts;

use serde::Serialize;

use crate::config::{self, Config};
use crate::diagnostic::Diagnostic;
use crate::html::CodeRenderer;
use crate::links::{Link, Surroundings};
use crate::machines::{Addresses, RootFile};
use crate::mark::MarkedText;
use crate::sections::Section;
use crate::sidebar::SidebarSection;
use crate::source::Source;

pub use console::MadeFile;
pub use settings::Api;
pub(crate) use settings::read as read_settings;

use document::Document;
use reference::{Kind, Reference};

/// The documents of a site that could be read.
#[derive(Debug)]
pub(crate) struct Documents {
    documents: Vec<Document>,
}

impl Documents {
    /// The documents themselves, as the site has them beside their pages.
    pub(crate) fn files(&self) -> impl Iterator<Item = RootFile> {
        self.documents.iter().map(|document| RootFile {
            path: document.published.clone(),
            parts: vec![MarkedText::new(document.source.text.to_string())],
        })
    }

    /// What readers call each, and where it is itself.
    pub(crate) fn published(&self) -> Vec<(&str, &str)> {
        let documents = self.documents.iter();
        documents
            .map(|document| (document.label.as_str(), document.published.as_str()))
            .collect()
    }
}

/// Reads the documents, in the order of the configuration. `None` stands for a file that is not there.
pub(crate) fn read(
    sources: &[Option<Source>],
    config: &Config,
    config_source: &Source,
) -> (Documents, Vec<Diagnostic>) {
    let search_api = config.search.api_url.as_deref();
    let mut documents = Vec::new();
    let mut problems = Vec::new();
    for (settings, source) in config.api.iter().zip(sources) {
        match source {
            None => {
                let message = format!("there is no file `{}`", settings.document.text);
                problems.push(Diagnostic::error(config_source, settings.document.at, message));
            }
            Some(source) => match Document::read(settings, source, search_api) {
                Ok(document) => documents.push(document),
                Err(found) => problems.extend(found),
            },
        }
    }
    (Documents { documents }, problems)
}

/// A reference in the manifest.
#[derive(Clone, Debug, Serialize)]
pub struct ManifestApi {
    route: String,
    label: String,
    /// Where the consoles send requests.
    server: String,
}

/// The plan of the pages of all documents.
pub(crate) struct References<'a> {
    references: Vec<Reference<'a>>,
    prefix: String,
    pages: Vec<(usize, Kind)>,
}

/// A page before it is written.
pub(crate) struct Planned {
    pub(crate) path: String,
    pub(crate) title: String,
    /// The id and the title of its section.
    pub(crate) section: (String, String),
    /// The file that it is made from.
    pub(crate) document: String,
}

/// A written page.
pub(crate) struct Written {
    pub(crate) description: String,
    pub(crate) html: String,
    /// The page for programs, without its title.
    pub(crate) markdown: String,
    /// The ids and texts of its headings.
    pub(crate) headings: Vec<(String, String)>,
    pub(crate) sections: Vec<Section>,
    pub(crate) links: Vec<Link>,
    pub(crate) files: Vec<MadeFile>,
    pub(crate) problems: Vec<Diagnostic>,
}

impl<'a> References<'a> {
    pub(crate) fn new(documents: &'a Documents, config: &Config) -> Self {
        let documents = &documents.documents;
        let references: Vec<Reference<'_>> = documents
            .iter()
            .enumerate()
            .map(|(index, document)| {
                let before = index.checked_sub(1).map(|before| &documents[before]);
                Reference::new(document, before)
            })
            .collect();
        let pages = references
            .iter()
            .enumerate()
            .flat_map(|(index, reference)| reference.pages().into_iter().map(move |page| (index, page)));
        Self {
            pages: pages.collect(),
            references,
            prefix: config.content.route_prefix.clone(),
        }
    }

    /// How many pages there are.
    pub(crate) fn len(&self) -> usize {
        self.pages.len()
    }

    pub(crate) fn planned(&self, index: usize) -> Planned {
        let (reference, page) = self.pages[index];
        let reference = &self.references[reference];
        Planned {
            path: reference.path(page),
            title: reference.title(page),
            section: (
                reference.section_id(&self.prefix),
                reference.document.label.clone(),
            ),
            document: reference.document.source.path.clone(),
        }
    }

    /// How the site lays a page out.
    pub(crate) fn layout(&self, index: usize) -> &'static str {
        match self.pages[index].1 {
            Kind::Tag(_) => "operations",
            _ => "reference",
        }
    }

    /// Writes a page. `page` is its index among all pages of the site.
    pub(crate) fn write(
        &self,
        index: usize,
        page: usize,
        site: &config::Site,
        surroundings: Surroundings<'_>,
        code: &mut CodeRenderer,
    ) -> Written {
        let (reference, kind) = self.pages[index];
        let reference = &self.references[reference];
        let mut texts = texts::Texts {
            source: &reference.document.source,
            page,
            base: &site.base,
            addresses: Addresses { site },
            surroundings,
            code,
            links: Vec::new(),
            problems: Vec::new(),
        };
        let section = reference.section_id(&self.prefix);
        let body = pages::write(reference, kind, &section, &mut texts);
        Written {
            description: body.description,
            html: body.html,
            markdown: body.markdown,
            headings: body
                .headings
                .into_iter()
                .map(|heading| (heading.id, heading.title))
                .collect(),
            sections: body.sections,
            links: texts.links,
            files: body.files,
            problems: texts.problems,
        }
    }

    /// The file of a page, for the places of problems.
    pub(crate) fn source(&self, index: usize) -> &Source {
        &self.references[self.pages[index].0].document.source
    }

    pub(crate) fn manifest(&self) -> Vec<ManifestApi> {
        let entries = self.references.iter().map(|reference| ManifestApi {
            route: reference.document.route.clone(),
            label: reference.document.label.clone(),
            server: reference.document.server.clone(),
        });
        entries.collect()
    }

    /// The sections of the sidebar.
    pub(crate) fn sidebar(&self) -> Vec<SidebarSection> {
        let sections = self.references.iter().map(|reference| SidebarSection {
            id: reference.section_id(&self.prefix),
            title: reference.document.label.clone(),
            language: None,
            path: Some(reference.path(Kind::Index)),
            items: reference.sidebar(),
        });
        sections.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fields::Text;

    /// A document with a title, a server and what is given.
    pub(crate) fn document(yaml: &str) -> Document {
        let text = format!(
            "openapi: 3.1.0\ninfo: {{title: Test API}}\nservers: [{{url: 'https://api.example/v1/'}}]\n{yaml}"
        );
        read_document(&text, None).unwrap()
    }

    pub(crate) fn read_document(text: &str, search_api: Option<&str>) -> Result<Document, String> {
        let word = |text: &str| Text {
            at: 0,
            text: text.to_owned(),
        };
        let settings = Api {
            route: word("/api"),
            document: word("api.yaml"),
            label: None,
            server: None,
        };
        let source = Source::new("api.yaml", "api.yaml", text);
        Document::read(&settings, &source, search_api).map_err(|problems| {
            let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
            lines.join("\n")
        })
    }

    #[test]
    fn what_is_wrong_in_a_document_is_named_with_its_place() {
        insta::assert_snapshot!(
            read_document(
                "openapi: 3.1.0
info: {version: '1'}
tags: [{name: pets}]
paths:
  /pets:
    get:
      operationId: list
      tags: [dogs]
      responses:
        '200': {$ref: '#/components/responses/Pets'}
    post:
      operationId: list
      tags: [pets]
      parameters: [{in: query}]
    put: {tags: [pets], responses: {'200': {description: Fine}}}
components:
  schemas:
    A: {$ref: '#/components/schemas/B'}
    B: {$ref: '#/components/schemas/A'}
    C: {$ref: 'other.yaml#/C'}
",
                None
            )
            .unwrap_err(),
            @r##"
        api.yaml:1:1: the document has no `info` with a `title`
        api.yaml:1:1: the document names no server by its whole address; add `servers: [{url: 'https://…'}]`, or `server` to its `[[api]]`
        api.yaml:10:23: `#/components/responses/Pets` leads to nothing in this document
        api.yaml:18:15: `#/components/schemas/B` leads back to itself
        api.yaml:19:15: `#/components/schemas/A` leads back to itself
        api.yaml:20:15: `other.yaml#/C` lies outside of this document; references start with `#/`
        api.yaml:6:5: `tags` of the document does not list `dogs`; it has pets
        api.yaml:11:5: /pets has the `operationId` `list`, too
        api.yaml:14:20: a parameter has a `name` and an `in`
        api.yaml:11:5: POST /pets has no `responses`
        api.yaml:15:5: PUT /pets has no `operationId`; its address on the page is made of it
        "##
        );
        insta::assert_snapshot!(read_document("swagger: '2.0'\n", None).unwrap_err(), @"api.yaml:1:1: the document is none of OpenAPI 3; it starts with a line such as `openapi: 3.1.0`");
    }

    #[test]
    fn the_server_is_that_of_the_search_where_the_configuration_names_none() {
        let text = "openapi: 3.1.0\ninfo: {title: T}\nservers: [{url: 'https://api.example/v2/'}]\n";
        let server = |search: Option<&str>| read_document(text, search).unwrap().server;
        assert_eq!(server(None), "https://api.example/v2");
        assert_eq!(
            server(Some("http://127.0.0.1:8787/v1")),
            "http://127.0.0.1:8787/v2"
        );
    }

    #[test]
    fn samples_say_the_same_in_three_languages() {
        let document = document(
            "tags: [{name: pets}]
security: [{key: []}]
paths:
  /pets/{name}:
    parameters: [{name: name, in: path, required: true, example: a b}]
    post:
      operationId: feed
      tags: [pets]
      parameters: [{name: at, in: query, required: true, schema: {default: 12:00}}, {name: slow, in: query}]
      requestBody: {content: {application/json: {example: {food: \"fish 'n' chips\", warm: true, with: null}}}}
      responses: {'200': {description: Fed}}
components: {securitySchemes: {key: {type: apiKey, in: header, name: x-key}}}
",
        );
        let tags = document.tags();
        let samples = samples::Call::of(&document, &tags[0].operations[0]).samples();
        insta::assert_snapshot!(samples.map(|sample| sample.code).join("\n"), @r##"
        curl -sS -X POST 'https://api.example/v1/pets/a%20b?at=12%3A00' \
          -H "x-key: $SIFTWREN_API_KEY" \
          -H 'content-type: application/json' \
          --data-binary '{
          "food": "fish '\''n'\'' chips",
          "warm": true,
          "with": null
        }'

        import json
        import os
        import urllib.request

        request = urllib.request.Request(
            "https://api.example/v1/pets/a%20b?at=12%3A00",
            method="POST",
            headers={
                "x-key": os.environ["SIFTWREN_API_KEY"],
                "content-type": "application/json",
            },
            data=json.dumps({"food": "fish 'n' chips", "warm": True, "with": None}).encode(),
        )
        with urllib.request.urlopen(request) as answer:
            print(json.load(answer))

        const answer = await fetch("https://api.example/v1/pets/a%20b?at=12%3A00", {
          method: "POST",
          headers: {
            "x-key": process.env.SIFTWREN_API_KEY,
            "content-type": "application/json",
          },
          body: JSON.stringify({
            "food": "fish 'n' chips",
            "warm": true,
            "with": null
          }),
        });
        console.log(await answer.json());
        "##);
    }

    /// What is made of a document where its descriptions can be written.
    fn with_texts<T>(document: &Document, make: impl FnOnce(&mut texts::Texts<'_>) -> T) -> T {
        let (routes, folder) = (crate::routes::Routes::default(), crate::source::Files::default());
        let site = config::Site {
            base: "/base/".to_owned(),
            ..config::Site::default()
        };
        let mut code = CodeRenderer::new();
        make(&mut texts::Texts {
            source: &document.source,
            page: 0,
            base: &site.base,
            addresses: Addresses { site: &site },
            surroundings: Surroundings {
                routes: &routes,
                files: &folder,
                content: &crate::config::Content::default(),
            },
            code: &mut code,
            links: Vec::new(),
            problems: Vec::new(),
        })
    }

    /// A page of a reference for programs.
    fn in_markdown(document: &Document, before: Option<&Document>, page: Kind) -> String {
        let reference = Reference::new(document, before);
        with_texts(document, |texts| {
            pages::write(&reference, page, "api", texts).markdown
        })
    }

    #[test]
    fn programs_get_calls_with_types_answers_and_examples() {
        const PETS: &str = "tags: [{name: pets, description: Those that live here.}]
paths:
  /pets/{name}:
    parameters: [{name: name, in: path, required: true, description: Which <one>, schema: {type: string, maxLength: 8}}]
    post:
      operationId: feed
      summary: Feed a pet
      description: |
        Takes `food`.

        See [the food](food.md).
      tags: [pets]
      requestBody:
        required: true
        content:
          application/json:
            example: {kind: DRY, grams: 20}
            schema: {$ref: '#/components/schemas/Food'}
      responses:
        '200':
          description: Fed
          content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}, example: [{name: Kit}]}}
        '404': {description: No such pet}
components:
  schemas:
    Food:
      oneOf: [{$ref: '#/components/schemas/Dry'}, {$ref: '#/components/schemas/Wet'}]
      discriminator: {propertyName: kind, mapping: {DRY: '#/components/schemas/Dry', WET: '#/components/schemas/Wet'}}
    Dry:
      description: From a bag.
      type: object
      required: [kind]
      properties:
        kind: {type: string, enum: [DRY]}
        grams: {type: [integer, 'null'], minimum: 1, default: 20, description: How much.}
        bag: {type: object, properties: {of: {oneOf: [{$ref: '#/components/schemas/Pet'}, {type: 'null'}]}}}
    Wet: {type: object}
    Pet: {type: object, properties: {name: {type: string, pattern: '^[a-z<>]+$'}}}
";
        let document = document(PETS);
        insta::assert_snapshot!(in_markdown(&document, None, Kind::Tag(0)), @r##"
        Those that live here.

        Types with a name are listed in `/base/api/schemas.md`.

        ## Feed a pet

        POST `/pets/{name}`

        Takes food.
        See the food.

        No key is needed.

        ### Path parameters

        - `name` (string, required): Which <one> at most 8 characters

        ### Body

        Food

        - with `kind` `DRY`: Dry
        - with `kind` `WET`: Wet

        ### Answers

        - `200` (list of Pet): Fed
        - `404`: No such pet

        ### Example

        ```bash
        curl -sS -X POST https://api.example/v1/pets/NAME \
          -H 'content-type: application/json' \
          --data-binary '{
          "kind": "DRY",
          "grams": 20
        }'
        ```

        ```json
        [{"name": "Kit"}]
        ```
        "##);
        insta::assert_snapshot!(in_markdown(&document, None, Kind::Schemas(0)), @r##"
        What pets of Test API are made of.

        ## Food

        Dry or Wet

        - with `kind` `DRY`: Dry
        - with `kind` `WET`: Wet

        ## Dry

        From a bag.

        object

        - `kind` (string, required): one of `DRY`
        - `grams` (integer or null): How much. default `20` · at least 1
        - `bag` (object)
          - `of` (Pet or null)

        ## Wet

        object

        ## Pet

        object

        - `name` (string): pattern `^[a-z<>]+$`
        "##);
        let before = PETS
            .replace("post:", "put:")
            .replace("grams:", "grains:")
            .replace("    Wet:", "    Damp: {type: object}\n    Wet:");
        let before = super::tests::document(&before);
        insta::assert_snapshot!(in_markdown(&document, Some(&before), Kind::Changes), @r##"
        What Test API has, and Test API has not, and the other way round. Both speak of the same server.

        ## New operations

        - POST `/pets/{name}` Feed a pet

        ## Operations of Test API alone

        - PUT `/pets/{name}` Feed a pet

        ## Operations that changed

        None.

        ## Schemas that changed

        - Dry
          - new field `grams`: integer or null, default 20
          - no field `grains` any more

        ## New schemas

        None.

        ## Schemas of Test API alone

        - Damp
        "##);
    }

    #[test]
    fn programs_get_an_overview_with_the_ways_to_the_rest() {
        let document = document(
            "tags: [{name: pets, description: Those that live here.}, {name: food}]
security: [{key: []}]
paths:
  /pets/{name}:
    get: {operationId: find_pet, summary: Find a pet, tags: [pets], responses: {'200': {description: It}, '404': {description: No such pet}}}
    put: {operationId: feed, summary: Feed a pet, tags: [pets], responses: {'404': {description: No such pet}, '422': {$ref: '#/components/responses/Wrong'}}}
  /food:
    get: {operationId: list_food, summary: List all food, tags: [food], responses: {'404': {description: There is none}}}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: x-key, description: One for each team.}}
  responses: {Wrong: {description: Not read, content: {application/json: {schema: {$ref: '#/components/schemas/Error'}}}}}
  schemas: {Error: {type: object}}
",
        );
        insta::assert_snapshot!(in_markdown(&document, Some(&document), Kind::Index), @r"
        Requests go to `https://api.example/v1`.

        Programs that make clients read [the OpenAPI document](/base/api/openapi.yaml).

        Types with a name are listed in [the schemas](/base/api/schemas.md).

        [What is different from Test API](/base/api/changes.md)

        ## Pets

        Those that live here.

        - [GET `/pets/{name}`](/base/api/pets.md): Find a pet
        - [PUT `/pets/{name}`](/base/api/pets.md): Feed a pet

        ## Food

        - [GET `/food`](/base/api/food.md): List all food

        ## Authentication

        A key in the header `x-key`.

        One for each team.

        ## Errors

        - `404`: No such pet
        - `404`: There is none
        - `422` (Error): Not read
        ");
        let reference = Reference::new(&document, None);
        let body = with_texts(&document, |texts| {
            pages::write(&reference, Kind::Index, "api", texts)
        });
        let searched: Vec<&str> = body
            .sections
            .iter()
            .map(|section| section.body.as_str())
            .collect();
        assert_eq!(
            searched,
            [
                "Test API",
                "GET /pets/{name} find_pet\nPUT /pets/{name} feed\nGET /food list_food",
                "x-key One for each team.",
                "404 No such pet There is none\n422 Not read",
            ]
        );
    }

    #[test]
    fn a_schema_that_holds_itself_ends_in_a_link() {
        let document = document(
            "components:
  schemas:
    Tree:
      type: object
      required: [name]
      properties:
        name: {type: string, maxLength: 8, description: Its *name*.}
        children: {type: array, minItems: 1, items: {$ref: '#/components/schemas/Tree'}}
",
        );
        let reference = Reference::new(&document, None);
        let body = with_texts(&document, |texts| {
            pages::write(&reference, Kind::Schemas(0), "api", texts)
        });
        insta::assert_snapshot!(body.html, @r##"<p>The schemas that no operation of the reference needs.</p><section class="schema"><h2 id="Tree"><a href="#Tree">Tree</a></h2><p class="rules">object</p><ul class="fields"><li><p><code>name</code> <span>string</span> <strong>required</strong></p><p>Its <em>name</em>.</p><p class="rules">at most 8 characters</p></li><li><p><code>children</code> <span>list of <a href="/base/api/schemas/other#Tree">Tree</a></span></p><p class="rules">at least 1 entry</p></li></ul></section>"##);
        assert_eq!(body.sections[1].body, "name Its name.\nchildren ");

        for (words, expected) in [
            (
                "Too much: `retry-after` says\n\nhow long.",
                "Too much: <code>retry-after</code> says",
            ),
            ("- one & two", "- one &amp; two"),
            ("", ""),
        ] {
            let value = crate::yaml::Value::Text(words.to_owned());
            let words = crate::yaml::Yaml { at: 0, value };
            assert_eq!(with_texts(&document, |texts| texts.line(Some(&words))), expected);
        }
        assert_eq!(with_texts(&document, |texts| texts.line(None)), "");
    }
}
