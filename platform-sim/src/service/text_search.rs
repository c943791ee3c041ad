//! Searching items by a text, as the use cases see it.

/// How a text is matched with items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextMode {
    /// By its words.
    Lexical,
    /// By its meaning: the cosine of vectors.
    Vector,
    /// By both, in one score.
    Hybrid,
}

/// The items of a model, searchable. Items go by their rows: their places in the order of item ids.
pub(crate) trait TextSearch: Send + Sync {
    /// The modes that there are; the first one serves texts that come without a mode.
    fn modes(&self) -> &'static [TextMode];

    /// The best rows with their scores, best first, equal ones by row. In a mode that there is not: nothing.
    fn search(&self, text: &str, mode: TextMode, limit: usize) -> anyhow::Result<Vec<(usize, f32)>>;

    /// By words, of which unknown ones stand for known ones up to `edit_distance` letters away: 0 for none.
    fn search_words(&self, text: &str, edit_distance: u8, limit: usize) -> anyhow::Result<Vec<(usize, f32)>>;
}
