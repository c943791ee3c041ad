//! What counts how much.

use crate::format::codec::Reader;
#[cfg(feature = "write")]
use crate::format::codec::put_varint;

macro_rules! weights {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// What counts how much. [`Weights::LEARNT`] are those in use.
        ///
        /// Those of fields and of BM25 become part of the postings when an index is written; the others are written into the
        /// core and used as a query comes. So new weights need a new index, but no new program.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Weights {
            $($(#[$doc])* pub $name: f64,)*
        }

        impl Weights {
            /// How many there are.
            pub const COUNT: usize = Self::NAMES.len();
            /// Their names, in the order of [`Weights::to_array`].
            pub const NAMES: [&'static str; [$(stringify!($name)),*].len()] = [$(stringify!($name)),*];

            /// All of them in order.
            pub fn to_array(&self) -> [f64; Self::COUNT] {
                [$(self.$name),*]
            }

            /// The inverse of [`Weights::to_array`].
            pub fn from_array(array: [f64; Self::COUNT]) -> Self {
                let [$($name),*] = array;
                Self { $($name),* }
            }
        }
    };
}

weights! {
    /// A word in the page's title.
    page_title,
    /// A word in the page's path.
    page_url,
    /// A word in the description or in an alias.
    page_about,
    /// A word in links to the page.
    page_links,
    /// A word in the bodies of all sections of the page together.
    page_body,
    /// A word in the section's body.
    section_body,
    /// A word in the section's own heading.
    section_heading,
    /// A word in the headings above it.
    section_path,
    /// A word in links to the section.
    section_links,
    /// BM25's saturation: how fast a repeated word stops counting.
    k1,
    /// BM25's length normalisation for texts.
    b_text,
    /// The same for fields of a few words, where length says less.
    b_short,
    /// How much of the query is in the title, and how much of the title in the query.
    title_overlap,
    /// The same for the section's own heading.
    heading_overlap,
    /// A query that is the page's title, and next to nothing where it is only a part of it.
    whole_title,
    /// The same for the section's own heading.
    whole_heading,
    /// Neighbouring words of the query that are neighbours in the title or heading.
    adjacency,
    /// What a completion is worth beside a word typed to its end, at the most.
    completion,
    /// What a corrected word is worth after one edit.
    one_edit,
    /// What a corrected word is worth after two edits.
    two_edits,
    /// What the two words are worth that somebody wrote as one.
    run_together,
    /// How much the nearness of the section's vector counts.
    semantic,
}

/// The weights that a query needs, as the core holds them.
#[derive(Debug, Clone)]
pub(crate) struct QueryWeights {
    pub(crate) title_overlap: f64,
    pub(crate) heading_overlap: f64,
    pub(crate) whole_title: f64,
    pub(crate) whole_heading: f64,
    pub(crate) adjacency: f64,
    pub(crate) completion: f64,
    pub(crate) edits: [f64; 3],
    pub(crate) run_together: f64,
    pub(crate) semantic: f64,
}

impl QueryWeights {
    /// How many the first writers had. Those that came later count nothing in an index of these.
    const FIRST: usize = 8;

    /// Reads what [`Weights::write`] wrote; further weights, of a newer writer, are passed over.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let mut weights = [0.0; 10];
        let count = reader.count()?;
        for index in 0..count {
            let weight = reader.f32().filter(|weight| weight.abs() < 1e6)?;
            if let Some(place) = weights.get_mut(index) {
                *place = f64::from(weight);
            }
        }
        let [
            title_overlap,
            heading_overlap,
            adjacency,
            completion,
            one_edit,
            two_edits,
            run_together,
            semantic,
            whole_title,
            whole_heading,
        ] = weights;
        (count >= Self::FIRST && reader.remaining() == 0).then_some(Self {
            title_overlap,
            heading_overlap,
            whole_title,
            whole_heading,
            adjacency,
            completion,
            edits: [1.0, one_edit, two_edits],
            run_together,
            semantic,
        })
    }
}

#[cfg(feature = "write")]
impl Weights {
    /// The part of the core.
    pub(crate) fn write(&self) -> Vec<u8> {
        let weights = [
            self.title_overlap,
            self.heading_overlap,
            self.adjacency,
            self.completion,
            self.one_edit,
            self.two_edits,
            self.run_together,
            self.semantic,
            self.whole_title,
            self.whole_heading,
        ];
        let mut bytes = Vec::new();
        put_varint(&mut bytes, weights.len() as u32);
        for weight in weights {
            bytes.extend((weight as f32).to_bits().to_le_bytes());
        }
        bytes
    }
}

#[cfg(all(test, feature = "write"))]
mod tests {
    use super::*;

    /// The weights in a core that holds so many of them.
    fn read(count: u8) -> Option<QueryWeights> {
        let mut bytes = Weights::LEARNT.write();
        bytes[0] = count;
        bytes.resize(1 + 4 * usize::from(count), 0);
        QueryWeights::read(&mut Reader::new(&bytes))
    }

    #[test]
    fn weights_that_a_writer_did_not_know_count_nothing_and_those_of_a_newer_one_are_passed_over() {
        let whole = |weights: QueryWeights| [weights.semantic, weights.whole_title, weights.whole_heading];
        assert_eq!(read(10).map(whole), Some([0.5, 3.0, 2.0]));
        assert_eq!(read(8).map(whole), Some([0.5, 0.0, 0.0]));
        assert_eq!(read(12).map(whole), Some([0.5, 3.0, 2.0]));
        assert!(read(7).is_none());
    }
}
