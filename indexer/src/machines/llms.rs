//! `llms.txt`, a list of the pages for language models, and `llms-full.txt`, all of their text.

use std::rc::Rc;

use super::{Addresses, Entry, markdown_file};
use crate::mark::MarkedText;

/// The pages by section, each with a line about it, the OpenAPI documents, and where the same is in other languages.
pub(super) fn index(
    addresses: Addresses<'_>,
    entries: &[Entry<'_>],
    documents: &[(&str, &str)],
    others: &[(&str, &str)],
) -> String {
    let mut text = heading(addresses);
    let mut section = None;
    for entry in entries {
        if section != Some(entry.section) {
            section = Some(entry.section);
            let name = match entry.section {
                "" => "More",
                name => name,
            };
            text.push_str(&format!("\n## {name}\n\n"));
        }
        let address = match entry.markdown {
            Some(_) => addresses.of(&markdown_file(entry.path)),
            None => addresses.of(entry.path),
        };
        text.push_str(&format!("- [{}]({address})", label(entry.title)));
        if !entry.description.is_empty() {
            text.push_str(&format!(": {}", one_line(entry.description)));
        }
        text.push('\n');
    }
    for (title, links) in [("OpenAPI documents", documents), ("Other languages", others)] {
        if !links.is_empty() {
            text.push_str(&format!("\n## {title}\n\n"));
        }
        for (name, path) in links {
            text.push_str(&format!("- [{}]({})\n", label(name), addresses.of(path)));
        }
    }
    text
}

/// The Markdown of all pages in the order of reading, in parts.
pub(super) fn full(addresses: Addresses<'_>, entries: &[Entry<'_>]) -> Vec<Rc<MarkedText>> {
    let pages = entries.iter().filter_map(|entry| {
        let source = format!("\n---\nSource: {}\n\n", addresses.of(entry.path));
        Some([MarkedText::new(source), Rc::clone(entry.markdown?)])
    });
    [MarkedText::new(heading(addresses))]
        .into_iter()
        .chain(pages.flatten())
        .collect()
}

fn heading(Addresses { site }: Addresses<'_>) -> String {
    let mut text = format!("# {}\n", one_line(&site.title));
    if let Some(tagline) = &site.tagline {
        text.push_str(&format!("\n> {}\n", one_line(tagline)));
    }
    text
}

fn label(title: &str) -> String {
    one_line(title).replace('[', "\\[").replace(']', "\\]")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machines::tests::{entries, site, texts};

    #[test]
    fn pages_are_listed_by_section_and_given_whole() {
        let site = site();
        let addresses = Addresses { site: &site };
        insta::assert_snapshot!(index(addresses, &entries(&texts()), &[("API [v1]", "docs/api/openapi.yaml")], &[]), @r"
        # Site & co

        > All of it

        ## A

        - [X <1>](https://docs.example/sub/docs/a/x.md): What X is.
        - [Y](https://docs.example/sub/docs/a/gr%C3%B6%C3%9Fe%20y.md)

        ## More

        - [A to Z](https://docs.example/sub/docs/a-z): Every page.

        ## OpenAPI documents

        - [API \[v1\]](https://docs.example/sub/docs/api/openapi.yaml)
        ");
        let parts = full(addresses, &entries(&texts()));
        let text: String = parts.iter().map(|part| part.text.as_str()).collect();
        insta::assert_snapshot!(text, @r"
        # Site & co

        > All of it

        ---
        Source: https://docs.example/sub/docs/a/x

        # X <1>

        Text.

        ---
        Source: https://docs.example/sub/docs/a/gr%C3%B6%C3%9Fe%20y

        # Y
        ");
    }
}
