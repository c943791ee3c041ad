//! A page cut at its headings: one section from each H2, H3 or H4 to the next, as plain text for the search.

use pulldown_cmark::{Event, Tag, TagEnd};

use crate::markdown::diagram;
use crate::markdown::raw_html::{self, Piece};
use crate::markdown::titles;
use crate::markdown::{DEEPEST_SECTION, Document, PAGES_BELOW};

/// The text from one heading to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Section {
    /// The id of the heading; empty for the text above the first one.
    pub(crate) anchor: String,
    /// The headings that lead here, H2 to H4; absent ones are empty.
    pub(crate) headings: [String; 3],
    /// The text.
    pub(crate) body: String,
}

/// Cuts a page. The first section is the text above the first heading, even if there is none.
pub(crate) fn split(document: &Document<'_>) -> Vec<Section> {
    let mut sections = vec![Section::default()];
    let mut headings = document.headings.iter().peekable();
    let title_events = document.title.as_ref().map_or(0..0, |title| title.events.clone());
    let mut skip_until = None;
    let mut fences = document.fences.iter();
    let mut in_diagram = false;
    for (index, (event, _)) in document.events.iter().enumerate() {
        if title_events.contains(&index) {
            continue;
        }
        if let Some(heading) = headings.next_if(|heading| heading.event == index)
            && heading.level <= DEEPEST_SECTION
        {
            let previous = &sections.last().expect("there is a first section").headings;
            let mut chain = previous.clone();
            let depth = usize::from(heading.level) - 2;
            chain[depth].clone_from(&heading.text);
            chain[depth + 1..].iter_mut().for_each(String::clear);
            sections.push(Section {
                anchor: heading.id.clone(),
                headings: chain,
                body: String::new(),
            });
            skip_until = Some(());
        }
        if skip_until.is_some() {
            if matches!(event, Event::End(TagEnd::Heading(_))) {
                skip_until = None;
            }
            continue;
        }
        if let Some(title) = document.alert_titles.get(&index).filter(|title| title.is_given) {
            let body = &mut sections.last_mut().expect("there is a first section").body;
            body.push_str(&titles::plain(&title.text));
            body.push('\n');
        }
        if let Event::Start(Tag::CodeBlock(_)) = event {
            in_diagram = fences
                .next()
                .is_some_and(|info| info.language == diagram::LANGUAGE);
        }
        let body = &mut sections.last_mut().expect("there is a first section").body;
        match event {
            Event::Text(text) if in_diagram => body.push_str(&diagram::words(text)),
            _ => push_text(body, event),
        }
        in_diagram &= !matches!(event, Event::End(TagEnd::CodeBlock));
    }
    for section in &mut sections {
        section.body.truncate(section.body.trim_end().len());
    }
    sections
}

fn push_text(body: &mut String, event: &Event<'_>) {
    match event {
        Event::Text(text) | Event::Code(text) => body.push_str(text),
        // LaTeX commands are nothing that anyone searches for; a plain symbol is a word of the sentence.
        Event::InlineMath(formula) if !formula.contains('\\') => body.push_str(formula),
        Event::Html(html) if **html == *PAGES_BELOW => {}
        Event::Html(html) | Event::InlineHtml(html) => {
            for (_, piece) in raw_html::pieces(html) {
                match piece {
                    Piece::Text(text) => body.push_str(&without_entities(text)),
                    Piece::Open("tab", Some(title)) | Piece::OpenTab(title) => {
                        let title = titles::plain(&title);
                        body.push_str(&without_entities(&title));
                        body.push('\n');
                    }
                    _ => {}
                }
            }
        }
        Event::SoftBreak | Event::HardBreak => body.push('\n'),
        Event::Start(Tag::TableCell) if !body.is_empty() && !body.ends_with('\n') => body.push(' '),
        Event::End(
            TagEnd::Paragraph
            | TagEnd::Heading(_)
            | TagEnd::CodeBlock
            | TagEnd::Item
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::HtmlBlock,
        ) if !body.is_empty() && !body.ends_with('\n') => body.push('\n'),
        _ => {}
    }
}

fn without_entities(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Diagnostic;
    use crate::front_matter::Schema;
    use crate::markdown::Reading;
    use crate::source::Source;

    fn parse(source: &Source, schema: Schema) -> (Document<'_>, Vec<Diagnostic>) {
        let reading = Reading {
            schema,
            ..Reading::default()
        };
        crate::markdown::parse(source, 0, reading)
    }

    #[test]
    fn the_title_that_an_author_gave_an_alert_is_text() {
        let markdown = ":::info Given\na\n:::\n\n:::danger\nb\n:::\n";
        let source = Source::new("a.md", "a.md", markdown);
        let (document, _) = parse(&source, Schema::Foreign);
        assert_eq!(split(&document)[0].body, "Given\na\nb");
    }

    #[test]
    fn of_a_diagram_its_words_are_text() {
        let diagram = "flowchart LR\n  %% not this\n  a1[Load balancer] -->|sends it| B{{Server's disk}}\n  style a1 fill:#f96\n  end\n";
        let markdown =
            format!("Before.\n\n```mermaid\n{diagram}```\n\nSo it is, `LR`.\n\n```text\nflowchart LR\n```\n");
        let source = Source::new("a.md", "a.md", &markdown);
        let (document, _) = parse(&source, Schema::Foreign);
        assert_eq!(
            split(&document)[0].body,
            "Before.\nLoad balancer sends Server's disk\nSo it is, LR.\nflowchart LR"
        );
    }

    #[test]
    fn a_page_is_cut_at_its_headings() {
        let markdown = "# T\n\nLead $k$ $\\frac12$.\n\n## A {#a}\n\n- x\n- y <b>z</b>\n\n#### D\n\n| p | q |\n|---|---|\n| 1 | `2` |\n\n##### E\n\n## B\n\n```bash\n# hide-start\nsecret\n# hide-end\nls\n```\n";
        let source = Source::new("a.md", "a.md", markdown);
        let (document, _) = parse(&source, Schema::Foreign);
        let found: Vec<String> = split(&document)
            .iter()
            .map(|section| {
                format!(
                    "#{} {} = {:?}",
                    section.anchor,
                    section.headings.join("/"),
                    section.body
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                "# // = \"Lead k .\"",
                "#a A// = \"x\\ny z\"",
                "#d A//D = \"p q\\n1 2\\nE\"",
                "#b B// = \"ls\"",
            ]
        );
    }

    #[test]
    fn the_titles_of_tabs_are_text() {
        let markdown = "<tabs group=\"os\">\n<tab title=\"Linux &amp; more\">\n\na\n\n</tab>\n<tab title=\"macOS\">\n\nb\n\n</tab>\n</tabs>\n";
        let source = Source::new("a.md", "a.md", markdown);
        let (document, _) = parse(&source, Schema::Siftwren);
        assert_eq!(
            split(&document)[0].body.replace("\n\n", "\n").trim(),
            "Linux & more\na\nmacOS\nb"
        );
    }
}
