//! Stages of the ranking that can be left out, to see what each brings.

/// A set of stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stages(u16);

impl Stages {
    /// None of them.
    pub const NONE: Self = Self(0);
    /// How much of the query is in the title.
    pub const TITLE_OVERLAP: Self = Self(1);
    /// How much of the query is in the heading.
    pub const HEADING_OVERLAP: Self = Self(1 << 1);
    /// Corrections of misspelt words.
    pub const FUZZY: Self = Self(1 << 2);
    /// Completions of the word that is being typed.
    pub const PREFIX: Self = Self(1 << 3);
    /// Two words that were written as one.
    pub const RUN_TOGETHER: Self = Self(1 << 4);
    /// Neighbours in the query that are neighbours in a title or heading.
    pub const ADJACENCY: Self = Self(1 << 5);
    /// What a section earns by its page.
    pub const PAGE: Self = Self(1 << 6);
    /// Vectors.
    pub const SEMANTIC: Self = Self(1 << 7);

    /// The names of all stages, for command lines and tables. What a field brings is not here: it is part of the postings, and
    /// seen by an index that was written with a weight of 0.
    pub const NAMES: [&'static str; 8] = [
        "title-overlap",
        "heading-overlap",
        "fuzzy",
        "prefix",
        "run-together",
        "adjacency",
        "page",
        "semantic",
    ];

    /// The stage of a name.
    pub fn named(name: &str) -> Option<Self> {
        let index = Self::NAMES.iter().position(|known| *known == name)?;
        Some(Self(1 << index))
    }

    /// Both sets together.
    pub fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all stages of `other` are in this set.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}
