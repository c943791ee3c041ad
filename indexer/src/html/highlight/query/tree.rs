//! The nodes of a tree in a list, in which those behind a node and beside it are found without asking the library again.

use arborium::tree_sitter;

/// What is known of a node: where it is, and what.
#[derive(Clone, Copy, Debug)]
pub(in crate::html::highlight) struct Node {
    pub(in crate::html::highlight) start: usize,
    pub(in crate::html::highlight) end: usize,
    pub(super) kind: u16,
    pub(super) field: Option<u16>,
    pub(super) named: bool,
    pub(super) parent: usize,
    /// The place of the first node that is not in this one.
    pub(super) next: usize,
}

/// The nodes of a tree, each before those in it.
pub(in crate::html::highlight) struct Tree {
    pub(super) nodes: Vec<Node>,
}

impl Tree {
    pub(in crate::html::highlight) fn new(tree: &tree_sitter::Tree) -> Self {
        let mut cursor = tree.walk();
        let mut nodes = Vec::with_capacity(tree.root_node().descendant_count());
        let mut parents = Vec::new();
        loop {
            let node = cursor.node();
            parents.push(nodes.len());
            nodes.push(Node {
                start: node.start_byte(),
                end: node.end_byte(),
                kind: node.kind_id(),
                field: cursor.field_id().map(Into::into),
                named: node.is_named(),
                parent: parents.iter().rev().nth(1).copied().unwrap_or_default(),
                next: 0,
            });
            if cursor.goto_first_child() {
                continue;
            }
            loop {
                if let Some(left) = parents.pop() {
                    nodes[left].next = nodes.len();
                }
                if cursor.goto_next_sibling() {
                    break;
                }
                if !cursor.goto_parent() {
                    return Self { nodes };
                }
            }
        }
    }
}
