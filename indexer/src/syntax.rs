//! Parses code with the grammars of the highlighter.

use std::ops::ControlFlow;

use arborium::tree_sitter::{ParseOptions, ParseState, Parser, Tree};

/// A parser tells how far it is after so many operations each; code takes less than one such part per byte.
const PARTS_PER_BYTE: usize = 8;
const LEAST_PARTS: usize = 10_000;

/// The tree of a text in the language of the parser. `None` where it takes out of all proportion to find one: a mistake can be mended in
/// many ways, and of 150 bytes of broken TypeScript parsers of GLR grammars have tried out more of them than any memory holds.
pub(crate) fn parse(parser: &mut Parser, text: &str) -> Option<Tree> {
    let bytes = text.as_bytes();
    let most = LEAST_PARTS + PARTS_PER_BYTE * bytes.len();
    let mut parts = 0;
    let mut progress = |_: &ParseState| {
        parts += 1;
        if parts > most {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let mut read = |at: usize, _| bytes.get(at..).unwrap_or_default();
    let tree = parser.parse_with_options(&mut read, None, Some(options));
    if tree.is_none() {
        // Else the next text would go on where this one ended.
        parser.reset();
    }
    tree
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// For the grammar of TypeScript, to mend it takes memory without end.
    pub(crate) const TANGLED: &str = "'\\u[(module.exports = `${)'\\u]\nexport default ,function a() { return const a = [module.exports = [b: aa()]`${const a = ('\\uexport default ...a}...a}b: `${";

    #[test]
    fn what_is_out_of_all_proportion_ends() {
        let mut parser = Parser::new();
        let language = arborium::get_language("typescript").unwrap();
        parser.set_language(&language).unwrap();
        assert!(parse(&mut parser, TANGLED).is_none());
        let tree = parse(&mut parser, "let a = 1;").unwrap();
        assert_eq!(
            tree.root_node().to_sexp(),
            "(program (lexical_declaration (variable_declarator name: (identifier) value: (number))))"
        );
        assert!(parse(&mut parser, &"let a = [1, 'é'];\n".repeat(20_000)).is_some());
    }
}
