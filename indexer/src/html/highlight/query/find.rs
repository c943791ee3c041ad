//! Finds what patterns describe: each node is tried as the beginning of the patterns that can begin with its kind.

use super::tree::{Node, Tree};
use super::{Condition, Item, Kind, NodePattern, Pattern, Query, Repeat, Text, What};

/// So many nodes may be compared with parts of patterns, for each node and at least. Files of all languages take ten for each at most.
const TRIES_PER_NODE: usize = 100;
const LEAST_TRIES: usize = 100_000;

/// What `(ERROR)` is for.
const MISTAKE: u16 = u16::MAX;

/// The nodes that a pattern captures at one place.
pub(in crate::html::highlight) struct Found<'a> {
    pub(in crate::html::highlight) pattern: usize,
    captured: &'a [(usize, usize)],
    nodes: &'a [Node],
}

impl<'a> Found<'a> {
    /// The captures, by their places in [`Query::captures`], and their nodes.
    pub(in crate::html::highlight) fn captures(&self) -> impl Iterator<Item = (usize, &'a Node)> {
        self.captured
            .iter()
            .map(|(capture, node)| (*capture, &self.nodes[*node]))
    }
}

impl Query {
    /// Calls `found` with all that the patterns describe. False where it would take out of all proportion to find everything: what was
    /// found till then is not the whole.
    pub(in crate::html::highlight) fn find(
        &self,
        tree: &Tree,
        code: &[u8],
        found: &mut dyn FnMut(&Found<'_>),
    ) -> bool {
        let nodes = tree.nodes.as_slice();
        let mut search = Search {
            nodes,
            captured: Vec::new(),
            ends: 0,
            tries: LEAST_TRIES + TRIES_PER_NODE * nodes.len(),
        };
        for (at, node) in nodes.iter().enumerate() {
            let kind = usize::from(node.kind).min(self.beginnings.len() - 1);
            let parent = &nodes[node.parent];
            for index in &self.beginnings[kind] {
                let pattern = &self.patterns[*index];
                // In what is not understood siblings are not what they would be elsewhere.
                if pattern.items.len() > 1 && at > 0 && parent.kind == MISTAKE {
                    continue;
                }
                let end = if at == 0 { node.next } else { parent.next };
                search.sequence(
                    &pattern.items,
                    Place { at, end, exact: true },
                    &mut |search, _| {
                        search.ends += 1;
                        if pattern.holds(&search.captured, nodes, code) {
                            found(&Found {
                                pattern: *index,
                                captured: &search.captured,
                                nodes,
                            });
                        }
                        false
                    },
                );
            }
            if search.tries == 0 {
                return false;
            }
        }
        true
    }
}

impl Pattern {
    fn holds(&self, captured: &[(usize, usize)], nodes: &[Node], code: &[u8]) -> bool {
        let text = |node: usize| code.get(nodes[node].start..nodes[node].end).unwrap_or_default();
        let of = |capture: usize| {
            let captured = captured.iter().filter(move |captured| captured.0 == capture);
            captured.map(|captured| text(captured.1))
        };
        self.conditions
            .iter()
            .all(|Condition { capture, text }| match text {
                Text::OneOf(texts) => of(*capture).all(|text| texts.iter().any(|one| one.as_bytes() == text)),
                Text::Same(other) => of(*capture).eq(of(*other)),
                Text::Matches(regex) => of(*capture).all(|text| regex.is_match(text)),
            })
    }
}

/// Where the rest of a pattern goes on.
#[derive(Clone, Copy)]
struct Place {
    /// The next sibling, and the end of the siblings.
    at: usize,
    end: usize,
    /// It is the next sibling or none.
    exact: bool,
}

struct Search<'a> {
    nodes: &'a [Node],
    /// The places of captures and of their nodes.
    captured: Vec<(usize, usize)>,
    /// How many times the end of a pattern was reached.
    ends: usize,
    /// How many nodes may still be compared.
    tries: usize,
}

/// What is to be done behind a part of a pattern, from the sibling with this place on. True where one such part is enough.
type Then<'t, 'a> = &'t mut dyn FnMut(&mut Search<'a>, usize) -> bool;

impl<'a> Search<'a> {
    /// Goes on behind each row of siblings that is such a sequence.
    fn sequence(&mut self, items: &[Item], place: Place, then: Then<'_, 'a>) -> bool {
        let Some((item, rest)) = items.split_first() else {
            return then(self, place.at);
        };
        let mut go_on = |search: &mut Self, at: usize| {
            let place = Place {
                at,
                exact: place.exact && at == place.at,
                ..place
            };
            search.sequence(rest, place, then)
        };
        match item.repeat {
            Repeat::Once => self.once(item, place, &mut go_on),
            Repeat::Optional => self.longest(item, place, 0..=1, &mut go_on),
            Repeat::Many(least) => self.longest(item, place, least..=usize::MAX, &mut go_on),
        }
    }

    /// Goes on behind each place at which an item is once.
    fn once(&mut self, item: &Item, place: Place, then: Then<'_, 'a>) -> bool {
        match &item.what {
            What::Node(node) => self.node(node, place, then),
            What::OneOf(sequences) => sequences
                .iter()
                .any(|sequence| self.sequence(sequence, place, &mut *then)),
        }
    }

    /// Goes on behind as many of an item as there are, or behind fewer where the rest of the pattern needs one of them.
    fn longest(
        &mut self,
        item: &Item,
        place: Place,
        times: std::ops::RangeInclusive<usize>,
        then: Then<'_, 'a>,
    ) -> bool {
        let mut ends = vec![(place.at, self.captured.len())];
        while ends.len() <= *times.end() {
            let mut next = None;
            let place = Place {
                at: ends[ends.len() - 1].0,
                exact: place.exact && ends.len() == 1,
                ..place
            };
            self.once(item, place, &mut |_, at| {
                next = Some(at);
                true
            });
            match next {
                Some(next) if next > place.at => ends.push((next, self.captured.len())),
                _ => break,
            }
        }
        let reached = self.ends;
        while ends.len() > *times.start() {
            let Some((at, captured)) = ends.pop() else { break };
            self.captured.truncate(captured);
            if then(self, at) {
                return true;
            }
            if self.ends > reached {
                break;
            }
        }
        if let Some((_, captured)) = ends.first() {
            self.captured.truncate(*captured);
        }
        false
    }

    fn node(&mut self, pattern: &NodePattern, place: Place, then: Then<'_, 'a>) -> bool {
        let nodes = self.nodes;
        let captured = self.captured.len();
        let mut at = place.at;
        while at < place.end && self.tries > 0 {
            self.tries -= 1;
            let node = &nodes[at];
            if pattern.is(node) {
                self.captured
                    .extend(pattern.captures.iter().map(|capture| (*capture, at)));
                let inside = Place {
                    at: at + 1,
                    end: node.next,
                    exact: false,
                };
                let enough = self.sequence(&pattern.children, inside, &mut |search, rest| {
                    if pattern.closed && search.named_between(rest, node.next) {
                        return false;
                    }
                    then(search, node.next)
                });
                if enough {
                    return true;
                }
                self.captured.truncate(captured);
            }
            if place.exact || (pattern.immediate && node.named) {
                break;
            }
            at = node.next;
        }
        false
    }

    fn named_between(&self, mut at: usize, end: usize) -> bool {
        while at < end {
            if self.nodes[at].named {
                return true;
            }
            at = self.nodes[at].next;
        }
        false
    }
}

impl NodePattern {
    fn is(&self, node: &Node) -> bool {
        let kind = match &self.kind {
            Kind::Among(kinds) => kinds.binary_search(&node.kind).is_ok(),
            Kind::Named => node.named && node.kind != MISTAKE,
            Kind::Any => node.kind != MISTAKE,
        };
        kind && self.field.is_none_or(|field| node.field == Some(field))
    }
}
