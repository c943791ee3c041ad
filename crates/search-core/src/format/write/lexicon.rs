//! Every term and every word as written, and where they occur.

use std::collections::{BTreeMap, HashMap};

use super::{PAGE_FIELDS, SECTION_FIELDS};
use crate::analysis::{scan, stem};
use crate::format::codec::to_u32;

/// What an occurrence in a title or heading counts beside one in a text, when it is asked how common a word is.
const NAMED_USES: u32 = 16;

/// Every term, and every form that was met; each form is stemmed once.
#[derive(Debug, Clone, Default)]
pub(super) struct Lexicon {
    form_ids: HashMap<String, u32>,
    forms: Vec<FormEntry>,
    term_ids: HashMap<String, u32>,
    pub(super) terms: Vec<TermEntry>,
}

#[derive(Debug, Clone)]
struct FormEntry {
    term: u32,
    uses: u32,
}

#[derive(Debug, Clone, Default)]
pub(super) struct TermEntry {
    pub(super) term: String,
    pub(super) pages: Vec<(u32, Occurrence<PAGE_FIELDS>)>,
    pub(super) sections: Vec<(u32, Occurrence<SECTION_FIELDS>)>,
}

/// How often a term occurs in each field, and its first place in the title or heading.
#[derive(Debug, Clone, Copy)]
pub(super) struct Occurrence<const FIELDS: usize> {
    pub(super) frequencies: [u16; FIELDS],
    pub(super) position: u8,
}

impl Lexicon {
    /// The terms in order.
    pub(super) fn sorted(&self) -> Vec<&TermEntry> {
        let mut sorted: Vec<&TermEntry> = self.terms.iter().collect();
        sorted.sort_unstable_by_key(|entry| entry.term.as_str());
        sorted
    }

    /// The words as written, in order, and how often they are used.
    pub(super) fn sorted_forms(&self) -> Vec<(&str, u32)> {
        let forms = self.form_ids.iter();
        let mut sorted: Vec<(&str, u32)> = forms
            .map(|(form, id)| (form.as_str(), self.forms[*id as usize].uses))
            .collect();
        sorted.sort_unstable();
        sorted
    }

    pub(super) fn note_page(&mut self, page: u32, words: FieldWords<PAGE_FIELDS>) {
        for (term, occurrence) in words.occurrences {
            self.terms[term as usize].pages.push((page, occurrence));
        }
    }

    pub(super) fn note_section(&mut self, section: u32, words: FieldWords<SECTION_FIELDS>) {
        for (term, occurrence) in words.occurrences {
            self.terms[term as usize].sections.push((section, occurrence));
        }
    }

    /// The term of a form; counts the form.
    fn term(&mut self, form: &str, uses: u32) -> u32 {
        if let Some(id) = self.form_ids.get(form) {
            let entry = &mut self.forms[*id as usize];
            entry.uses = entry.uses.saturating_add(uses);
            return entry.term;
        }
        let stem = stem(form);
        let term = *self.term_ids.entry(stem.clone()).or_insert_with(|| {
            self.terms.push(TermEntry {
                term: stem,
                ..TermEntry::default()
            });
            to_u32(self.terms.len() - 1)
        });
        self.form_ids.insert(form.to_owned(), to_u32(self.forms.len()));
        self.forms.push(FormEntry { term, uses });
        term
    }
}

/// The words of one page or section by field.
pub(super) struct FieldWords<const FIELDS: usize> {
    occurrences: BTreeMap<u32, Occurrence<FIELDS>>,
    pub(super) lengths: [u32; FIELDS],
    /// The field that is a title or heading.
    named: usize,
}

impl<const FIELDS: usize> FieldWords<FIELDS> {
    /// No words yet; `named` is the field that is a title or heading.
    pub(super) fn new(named: usize) -> Self {
        Self {
            occurrences: BTreeMap::new(),
            lengths: [0; FIELDS],
            named,
        }
    }

    pub(super) fn add(&mut self, lexicon: &mut Lexicon, field: usize, text: &str) {
        let is_named = field == self.named;
        let uses = if is_named { NAMED_USES } else { 1 };
        scan(text, &mut |piece| {
            let term = lexicon.term(piece.form, uses);
            let occurrence = self.occurrences.entry(term).or_insert(Occurrence {
                frequencies: [0; FIELDS],
                position: u8::MAX,
            });
            occurrence.frequencies[field] = occurrence.frequencies[field].saturating_add(1);
            if is_named {
                let position = piece.position.min(u32::from(u8::MAX)) as u8;
                occurrence.position = occurrence.position.min(position);
            }
            self.lengths[field] += 1;
        });
    }
}
