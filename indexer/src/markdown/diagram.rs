//! Diagrams of Mermaid as text: which code is one, and what it says.

/// The language of code that is a diagram.
pub(crate) const LANGUAGE: &str = "mermaid";

/// Lines that begin so say nothing that a reader sees.
const STATEMENTS: [&str; 8] = [
    "axisFormat",
    "classDef",
    "click",
    "dateFormat",
    "direction",
    "linkStyle",
    "style",
    "tickInterval",
];

/// Words of the language of diagrams. What has two letters of ours at most is left out as well: most of it names nodes.
const KEYWORDS: [&str; 29] = [
    "accDescr",
    "accTitle",
    "activate",
    "actor",
    "alt",
    "autonumber",
    "class",
    "classDiagram",
    "critical",
    "deactivate",
    "else",
    "end",
    "erDiagram",
    "flowchart",
    "gantt",
    "gitGraph",
    "graph",
    "journey",
    "loop",
    "mindmap",
    "opt",
    "par",
    "participant",
    "pie",
    "sequenceDiagram",
    "stateDiagram",
    "subgraph",
    "timeline",
    "title",
];

/// The words that a diagram shows, for the search, without what its language says of them. Each line that has some ends with a
/// newline.
pub(crate) fn words(diagram: &str) -> String {
    let mut found = String::new();
    for line in diagram.lines() {
        let line = line.trim_start();
        let first = line
            .split(|c: char| !c.is_alphanumeric())
            .next()
            .unwrap_or_default();
        if line.starts_with("%%") || STATEMENTS.contains(&first) {
            continue;
        }
        let words = line.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '\''));
        let words: Vec<&str> = words
            .filter(|word| word.len() > 2 && !KEYWORDS.contains(word))
            .collect();
        if !words.is_empty() {
            found.push_str(&words.join(" "));
            found.push('\n');
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_diagram_the_words_stay() {
        for (diagram, expected) in [
            (
                "flowchart LR\n  %% not this\n  a1[Load balancer] -->|sends it| B{{Server's disk}}\n  style a1 fill:#f96\n  end\n",
                "Load balancer sends Server's disk\n",
            ),
            (
                "sequenceDiagram\n  participant U as 读者\n  U->>+S: press /\n",
                "读者\npress\n",
            ),
            ("pie title Pets\n  \"Dogs\" : 3", "Pets\nDogs\n"),
            ("graph TD\n  A-->B\n", ""),
        ] {
            assert_eq!(words(diagram), expected, "{diagram}");
        }
    }
}
