//! What components of MDX become, by their names: those of Docusaurus, Starlight, Nextra, Fumadocs and Mintlify that say something that
//! pages here can say.

use super::expressions::{self, Addresses};
use super::mdx::{Tag, image, plain, with_attribute};

/// Lists the pages below a page, in Docusaurus. What it becomes is known when all pages are: it stays what it is. In Fumadocs its name is
/// `DocsCategory`.
pub(super) const PAGES_BELOW: &str = "DocCardList";

/// A component that has begun and not ended.
#[derive(Debug, Default)]
pub(super) struct Open<'a> {
    pub(super) name: &'a str,
    /// By how much what stands in it is indented more than its tag.
    pub(super) indent: usize,
    /// What stands for its end.
    pub(super) end: String,
    pub(super) form: Form,
    /// The titles that a tag has for the tabs in it.
    titles: Vec<&'a str>,
    /// What it calls them by their values.
    labels: Vec<(&'a str, &'a str)>,
    /// The value of the tab that is shown first.
    shown: Option<&'a str>,
    /// How many of its tabs or steps have begun.
    count: usize,
}

/// How something stands in the text around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Form {
    /// A block by itself.
    #[default]
    Block,
    /// A part of its line.
    Inline,
    /// An item of a list.
    Item,
}

/// What stands for the start of a component.
#[derive(Debug, Default)]
pub(super) struct Start<'a> {
    pub(super) text: String,
    pub(super) open: Open<'a>,
}

impl<'a> Start<'a> {
    /// Nothing, for a component that is not known.
    pub(super) fn unknown(tag: &Tag<'a>) -> Self {
        Self {
            text: String::new(),
            open: Open {
                name: tag.name,
                ..Open::default()
            },
        }
    }
}

/// What the start of a component becomes that stands in those in `around`; `None` for one that is not known.
pub(super) fn start<'a>(
    tag: &Tag<'a>,
    around: &mut [Open<'a>],
    addresses: &Addresses<'_>,
) -> Option<Start<'a>> {
    let mut open = Open {
        name: tag.name,
        ..Open::default()
    };
    if let Some(picture) = picture(tag, addresses) {
        open.form = Form::Inline;
        return Some(Start { text: picture, open });
    }
    if let Some((text, end)) = inline(tag, addresses) {
        (open.form, open.end) = (Form::Inline, end.to_owned());
        return Some(Start { text, open });
    }
    let title = || tag.value(&["title", "label", "summary"]);
    let (text, end) = match tag.name {
        "Tabs" => {
            let items = tag.written(&["items"]).and_then(expressions::program);
            open.titles = items.map_or_else(Vec::new, expressions::texts);
            let values = tag.written(&["values"]).and_then(expressions::program);
            open.labels = values.map_or_else(Vec::new, expressions::labels);
            open.shown = tag.value(&["defaultValue"]);
            let group = tag.value(&["groupId", "syncKey", "storageKey"]);
            (with_attribute("tabs", "group", group), "</tabs>")
        }
        "TabItem" | "Tab" | "Tabs.Tab" => {
            let tabs = innermost(around, "Tabs");
            let given = tabs.and_then(|tabs| {
                tabs.count += 1;
                tabs.titles
                    .get(tabs.count - 1)
                    .copied()
                    .filter(|title| !title.is_empty())
            });
            let value = tag.value(&["value"]);
            let tabs = innermost(around, "Tabs");
            let is_shown = tag.is_set("default")
                || value.is_some() && value == tabs.as_ref().and_then(|tabs| tabs.shown);
            let labelled = tabs.and_then(|tabs| {
                let mut labels = tabs.labels.iter();
                labels.find_map(|(of, label)| (value == Some(of)).then_some(*label))
            });
            let title = labelled.or_else(|| tag.value(&["label", "title"]));
            let tab = with_attribute("tab", "title", title.or(value).or(given));
            let tab = match tab.strip_suffix('>').filter(|_| is_shown && tab.contains('=')) {
                Some(tab) => format!("{tab} open>"),
                None => tab,
            };
            (tab, "</tab>")
        }
        // Below the picture that it is for.
        "Frame" => {
            let caption = tag.value(&["caption"]);
            open.end = caption.map_or_else(String::new, |caption| format!("*{}*", plain(caption)));
            return Some(Start {
                text: String::new(),
                open,
            });
        }
        "CodeGroup" | "RequestExample" | "ResponseExample" => ("::: code-group".to_owned(), ":::"),
        "Accordion" | "Collapse" | "Expandable" => (container("details", title()), ":::"),
        "Step" | "Steps.Step" => {
            let number = innermost(around, "Steps").map_or(1, |steps| {
                steps.count += 1;
                steps.count
            });
            let title = title().map(|title| format!("**{number}. {}**", plain(title)));
            (title.unwrap_or_default(), "")
        }
        "Card" | "Cards.Card" | "Tile" => (card(tag, addresses, "**"), ""),
        "LinkCard" => (card(tag, addresses, ""), ""),
        "Update" => (
            title().map_or_else(String::new, |title| format!("## {}", plain(title))),
            "",
        ),
        "ParamField" | "ResponseField" => (field(tag)?, ""),
        "File" | "FileTree.File" | "Tree.File" | "Folder" | "FileTree.Folder" | "Tree.Folder" => {
            open.form = Form::Item;
            let depth = around.iter().filter(|open| open.form == Form::Item).count();
            let name = plain(tag.value(&["name"])?);
            (format!("{}- {name}", "  ".repeat(depth)), "")
        }
        PAGES_BELOW | "DocsCategory" => (format!("<{PAGES_BELOW} />"), ""),
        // Each page has the list of its headings.
        "TOCInline" => (String::new(), ""),
        // These say nothing beside what they hold.
        "AccordionGroup" | "Accordions" | "CardGrid" | "CardGroup" | "Cards" | "Column" | "Columns"
        | "FileTree" | "Files" | "Fragment" | "Steps" | "Tiles" | "Tree" => (String::new(), ""),
        name => (alert(name, tag)?, ":::"),
    };
    open.end = end.to_owned();
    Some(Start { text, open })
}

/// Whether the code in these components is a tab each.
pub(super) fn are_code_tabs(around: &[Open<'_>]) -> bool {
    around
        .iter()
        .any(|open| matches!(open.name, "CodeGroup" | "RequestExample" | "ResponseExample"))
}

fn innermost<'b, 'a>(around: &'b mut [Open<'a>], name: &str) -> Option<&'b mut Open<'a>> {
    around.iter_mut().rev().find(|open| open.name == name)
}

/// What a component becomes that is a part of its line, and what stands for its end.
fn inline(tag: &Tag<'_>, addresses: &Addresses<'_>) -> Option<(String, &'static str)> {
    Some(match tag.name {
        "Badge" => (format!("<sup>{}</sup>", plain(tag.value(&["text"])?)), ""),
        "LinkButton" => {
            let to = addresses.of_value(tag.written(&["href"])?)?;
            (format!("<a href=\"{to}\">"), "</a>")
        }
        "Kbd" => ("<kbd>".to_owned(), "</kbd>"),
        "Tooltip" => {
            let tip = tag
                .value(&["tip", "content"])
                .filter(|tip| !tip.contains(['"', '\n']))?;
            (format!("<abbr title=\"{tip}\">"), "</abbr>")
        }
        // They decorate, or answer with yes or no.
        "Icon" => {
            let icon = tag.value(&["icon", "name"]).unwrap_or_default();
            (super::emoji::sign(icon).to_owned(), "")
        }
        _ => return None,
    })
}

/// What a component that is a picture, or shows one, becomes: an element, which stands in blocks of HTML as well.
pub(super) fn picture(tag: &Tag<'_>, addresses: &Addresses<'_>) -> Option<String> {
    let alt = tag.value(&["alt", "title", "aria-label"]).unwrap_or_default();
    let image = |address: &str| image(address, alt);
    if let Some(path) = addresses.picture(tag.name) {
        return Some(image(path));
    }
    match tag.name {
        "Image" | "IdealImage" | "Img" => {
            let shown = tag.written(&["src", "img"])?;
            Some(image(addresses.of_value(shown)?))
        }
        // Of Docusaurus.
        "ThemedImage" => {
            let sources = expressions::program(tag.written(&["sources"])?)?;
            let sources = addresses.of_object(sources).into_iter();
            let themed = sources.filter(|(theme, _)| matches!(*theme, "light" | "dark"));
            Some(
                themed
                    .map(|(theme, address)| image(&format!("{address}#only-{theme}")))
                    .collect(),
            )
            .filter(|images: &String| !images.is_empty())
        }
        _ => None,
    }
}

/// The line that begins an alert; `None` where a component is none. One whose tag does not say what it is is a note.
fn alert(name: &str, tag: &Tag<'_>) -> Option<String> {
    let kind = match name {
        "Admonition" | "Aside" | "Callout" => tag
            .value(&["type", "intent"])
            .filter(|kind| !kind.is_empty() && kind.chars().all(char::is_alphanumeric))
            .unwrap_or("note"),
        "Caution" | "Check" | "Danger" | "Error" | "Important" | "Info" | "Note" | "Success" | "Tip"
        | "Warning" => name,
        _ => return None,
    };
    let kind = kind.to_ascii_lowercase();
    // Those that containers do not have, and the words that say them.
    let (kind, usual) = match kind.as_str() {
        "default" => ("note", None),
        "warn" => ("warning", None),
        "error" => ("danger", Some("Error")),
        "success" | "check" => ("tip", Some("Success")),
        "idea" => ("tip", Some("Idea")),
        other => (other, None),
    };
    Some(container(kind, tag.value(&["title"]).or(usual)))
}

/// The line that begins a container.
fn container(name: &str, title: Option<&str>) -> String {
    let title = title.filter(|title| !title.contains([']', '\n']));
    let title = title.map_or_else(String::new, |title| format!("[{title}]"));
    format!(":::{name}{title}")
}

/// The title of a card between marks, which may lead somewhere, and what it says of itself.
fn card(tag: &Tag<'_>, addresses: &Addresses<'_>, mark: &str) -> String {
    let title = tag.value(&["title"]).map(plain);
    let to = tag.written(&["href"]).and_then(|to| addresses.of_value(to));
    let to = to.filter(|to| !to.contains(['<', '>', '\n']));
    let title = match (title, to) {
        (Some(title), Some(to)) => format!("{mark}[{title}](<{to}>){mark}"),
        (Some(title), None) => format!("{mark}{title}{mark}"),
        (None, Some(to)) => format!("<{to}>"),
        (None, None) => String::new(),
    };
    match tag.value(&["description"]) {
        Some(description) => format!("{title}: {}", plain(description)),
        None => title,
    }
}

/// A field of a request or an answer: its name, its type, whether it must be there, and what it is without a word.
fn field(tag: &Tag<'_>) -> Option<String> {
    let name = tag.value(&["path", "query", "body", "header", "name"])?;
    let mut shown = format!("**{}**", plain(name));
    if let Some(kind) = tag.value(&["type"]) {
        shown.push_str(&format!(" *{}*", plain(kind)));
    }
    if tag.is_set("required") {
        shown.push_str(", required");
    }
    if let Some(otherwise) = tag.value(&["default"]) {
        shown.push_str(&format!(", default {}", plain(otherwise)));
    }
    Some(shown)
}

#[cfg(test)]
mod tests {
    use super::super::mdx::tests::{check, read};

    #[test]
    fn alerts_and_cards_are_what_they_say() {
        check(
            "<Aside type=\"caution\" title='Take care'>\n  One *two*\n</Aside>\n",
            "\n:::caution[Take care]\n\nOne *two*\n\n:::\n",
        );
        check("<Admonition>One</Admonition>\n", "\n:::note\n\nOne\n\n:::\n");
        check("<Aside type={kind} title=\"a]\">b", "\n:::note\n\nb");
        check(
            "<Card title=\"One *\" icon=\"x\">\n  Two\n</Card>\n",
            "\n**One \\***\n\nTwo\n",
        );
        check(
            "<LinkCard title=\"One\" href=\"/two/\" description=\"Three.\" />\n",
            "\n[One](</two/>): Three.\n",
        );
        check("<LinkCard title=\"One\" />\n", "\nOne\n");
        check(
            "A <Badge text=\"new_\" /> <LinkButton href=\"/two/\" icon=\"x\">Two</LinkButton>\n",
            "A <sup>new\\_</sup> <a href=\"/two/\">Two</a>\n",
        );
        assert_eq!(
            read("<Steps>\n1. One\n</Steps>\n"),
            ("\n1. One\n".to_owned(), String::new())
        );
    }

    #[test]
    fn alerts_have_names_of_their_own() {
        for (tag, expected) in [
            ("<Callout type='warn' title='A'>", ":::warning[A]"),
            ("<Callout>", ":::note"),
            ("<Callout type=\"default\">", ":::note"),
            ("<Callout type={'error'}>", ":::danger[Error]"),
            ("<Note>", ":::note"),
            ("<Check title=\"Done\">", ":::tip[Done]"),
            ("<Warning>", ":::warning"),
        ] {
            let name: String = tag[1..].chars().take_while(|c| c.is_alphabetic()).collect();
            check(
                &format!("{tag}\n  One\n</{name}>\n"),
                &format!("\n{expected}\n\nOne\n\n:::\n"),
            );
        }
    }

    #[test]
    fn tabs_have_the_titles_that_are_given_to_them() {
        check(
            "<Tabs items={['a, b', \"c\"]} storageKey='d'>\n  <Tabs.Tab>One</Tabs.Tab>\n  <Tab>Two</Tab>\n  <Tab>Three</Tab>\n</Tabs>\n",
            "\n<tabs group=\"d\">\n\n<tab title=\"a, b\">\n\nOne\n\n</tab>\n\n<tab title=\"c\">\n\nTwo\n\n</tab>\n\n<tab>\n\nThree\n\n</tab>\n\n</tabs>\n",
        );
        check(
            "<Tabs items={names}>\n<Tab title='A' value='b'>",
            "\n<tabs>\n\n<tab title=\"A\">\n",
        );
    }

    #[test]
    fn code_in_a_group_is_a_tab_each() {
        check(
            "<CodeGroup>\n  ```bash npm install\n  a\n  ```\n\n  ```js {1} wrap\n  ```\n  ```js\n  ```\n  ```ts a.ts title=\"b\"\n  ```\n</CodeGroup>\n\n``` js c\n```\n",
            "\n::: code-group\n\n```bash title=\"npm install\"\na\n```\n\n```js {1} wrap\n```\n```js\n```\n```ts title=\"a.ts\" title=\"b\"\n```\n\n:::\n\n``` js c\n```\n",
        );
    }

    #[test]
    fn steps_are_numbered() {
        check(
            "<Steps>\n  <Step title=\"A *\">\n    One\n  </Step>\n  <Step>\n    Two\n  </Step>\n  <Step title='C' />\n</Steps>\n<Step title=\"D\">",
            "\n**1. A \\***\n\nOne\n\nTwo\n\n**3. C**\n\n**1. D**\n",
        );
    }

    #[test]
    fn cards_lead_somewhere() {
        check(
            "<CardGroup cols={2}>\n  <Card title=\"One\" href=\"/one\" icon=\"x\">\n    Two\n  </Card>\n  <Cards.Card href='/b' />\n  <Card title='C' href={\"/c\"} description=\"D.\"/>\n</CardGroup>\n",
            "\n**[One](</one>)**\n\nTwo\n\n</b>\n\n**[C](</c>)**: D.\n",
        );
    }

    #[test]
    fn what_unfolds_holds_alerts() {
        check(
            "<AccordionGroup>\n<Accordion title=\"A\">\n  <Tip>One</Tip>\n</Accordion>\n</AccordionGroup>\n",
            "\n:::details[A]\n\n:::tip\n\nOne\n\n:::\n\n:::\n",
        );
    }

    #[test]
    fn fields_say_what_they_take() {
        check(
            "<ParamField path=\"user_id\" type=\"string\" required>\n  The user.\n</ParamField>\n<ResponseField name=\"n\" required={false} default=\"3\">",
            "\n**user\\_id** *string*, required\n\nThe user.\n\n**n**, default 3\n",
        );
        assert_eq!(read("<ParamField>"), (String::new(), "ParamField".to_owned()));
    }

    #[test]
    fn files_are_a_list() {
        check(
            "<FileTree>\n  <FileTree.Folder name=\"a\" defaultOpen>\n    <FileTree.File name=\"b.md\" />\n  </FileTree.Folder>\n  <FileTree.File name=\"c\" /> <File name='d'/>\n</FileTree>\n",
            "\n- a\n  - b.md\n\n- c\n- d\n",
        );
    }

    #[test]
    fn a_caption_stands_below_its_picture() {
        check(
            "<Frame caption=\"A *\">\n  ![](a.png)\n</Frame>\n<Frame>\nb\n</Frame>\n",
            "\n![](a.png)\n\n*A \\**\n\nb\n",
        );
    }

    #[test]
    fn parts_of_a_line_stay_in_it() {
        check(
            "Press <Kbd>Esc</Kbd> in a <Tooltip tip=\"b c\">d</Tooltip>: <Icon icon=\"circle-check\" size={3} /><Icon icon='bolt'/>.\n",
            "Press <kbd>Esc</kbd> in a <abbr title=\"b c\">d</abbr>: ✓.\n",
        );
    }

    #[test]
    fn an_end_is_that_of_its_start() {
        check(
            "</Note>\n<Note>\n<Accordion title='a'>\nb\n</Note>\n</Accordion>\nc\n",
            "\n:::note\n\n:::details[a]\n\nb\n\n:::\n\nc\n",
        );
    }
}
