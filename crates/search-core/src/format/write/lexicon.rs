//! Every term and every word as written, and where they occur.

use rustc_hash::FxHashMap;

use super::{PAGE_FIELDS, SECTION_FIELDS};
use crate::analysis::{scan, stem};
use crate::format::codec::to_u32;

/// What an occurrence in a title or heading counts beside one in a text, when it is asked how common a word is.
const NAMED_USES: u32 = 16;

/// Every term, and every form that was met; each form is stemmed once.
#[derive(Debug, Clone, Default)]
pub(super) struct Lexicon {
    // Asked for every word of the site, and never in an order that would be seen.
    form_ids: FxHashMap<String, u32>,
    forms: Vec<FormEntry>,
    term_ids: FxHashMap<String, u32>,
    terms: Vec<TermEntry>,
    /// Of the forms and terms that were there when it was last asked for it, see [`Lexicon::put_in_order`].
    form_order: Vec<u32>,
    term_order: Vec<u32>,
    /// For each form and each term, where it stands in the list that is being filled.
    form_places: Places,
    term_places: Places,
}

#[derive(Debug, Clone)]
struct FormEntry {
    form: String,
    term: u32,
    /// In the pages that were noted.
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
    /// To be called after the last page, for [`Lexicon::sorted`] and [`Lexicon::sorted_forms`].
    pub(super) fn put_in_order(&mut self) {
        order(&mut self.form_order, &self.forms, |entry| &entry.form);
        order(&mut self.term_order, &self.terms, |entry| &entry.term);
    }

    /// The terms of the pages that were noted, in order, with their numbers.
    pub(super) fn sorted(&self) -> Vec<(u32, &TermEntry)> {
        let terms = self.term_order.iter().map(|id| (*id, &self.terms[*id as usize]));
        terms
            .filter(|(_, entry)| !(entry.pages.is_empty() && entry.sections.is_empty()))
            .collect()
    }

    /// Their words as written, in order, and how often they are used.
    pub(super) fn sorted_forms(&self) -> Vec<(&str, u32)> {
        let forms = self.form_order.iter().map(|id| &self.forms[*id as usize]);
        forms
            .filter(|entry| entry.uses > 0)
            .map(|entry| (entry.form.as_str(), entry.uses))
            .collect()
    }

    /// Notes a page, whose first section has this number.
    pub(super) fn note(&mut self, page: u32, first_section: u32, words: &PageWords) {
        for (form, uses) in &words.uses {
            let entry = &mut self.forms[*form as usize];
            entry.uses = entry.uses.saturating_add(*uses);
        }
        for (term, occurrence) in &words.page.occurrences {
            self.terms[*term as usize].pages.push((page, *occurrence));
        }
        for (section, words) in (first_section..).zip(&words.sections) {
            for (term, occurrence) in &words.occurrences {
                self.terms[*term as usize].sections.push((section, *occurrence));
            }
        }
    }

    /// Forgets the pages, but not the numbers of forms and terms.
    pub(super) fn forget_pages(&mut self) {
        self.forms.iter_mut().for_each(|form| form.uses = 0);
        for term in &mut self.terms {
            term.pages.clear();
            term.sections.clear();
        }
    }

    fn form(&mut self, form: &str) -> u32 {
        if let Some(id) = self.form_ids.get(form) {
            return *id;
        }
        let stem = stem(form);
        let term = *self.term_ids.entry(stem.clone()).or_insert_with(|| {
            self.terms.push(TermEntry {
                term: stem,
                ..TermEntry::default()
            });
            to_u32(self.terms.len() - 1)
        });
        let id = to_u32(self.forms.len());
        self.form_ids.insert(form.to_owned(), id);
        self.forms.push(FormEntry {
            form: form.to_owned(),
            term,
            uses: 0,
        });
        id
    }
}

/// Puts the numbers of entries in the order of their texts. Those that are in order already cost little.
fn order<E>(numbers: &mut Vec<u32>, entries: &[E], text: impl Fn(&E) -> &str) {
    numbers.extend(to_u32(numbers.len())..to_u32(entries.len()));
    numbers.sort_by(|a, b| text(&entries[*a as usize]).cmp(text(&entries[*b as usize])));
}

/// The words of a page and its sections, by their numbers in a lexicon.
#[derive(Debug, Clone, Default)]
pub(super) struct PageWords {
    /// Of each form.
    uses: Vec<(u32, u32)>,
    pub(super) page: FieldWords<PAGE_FIELDS>,
    pub(super) sections: Vec<FieldWords<SECTION_FIELDS>>,
}

impl PageWords {
    /// The numbers of all terms; of some more than once.
    pub(super) fn terms(&self) -> impl Iterator<Item = u32> {
        let of_page = self.page.occurrences.iter().map(|(term, _)| *term);
        let of_sections = self.sections.iter().flat_map(|section| &section.occurrences);
        of_page.chain(of_sections.map(|(term, _)| *term))
    }
}

/// The words of one page or section by field.
#[derive(Debug, Clone)]
pub(super) struct FieldWords<const FIELDS: usize> {
    occurrences: Vec<(u32, Occurrence<FIELDS>)>,
    pub(super) lengths: [u32; FIELDS],
}

impl<const FIELDS: usize> Default for FieldWords<FIELDS> {
    fn default() -> Self {
        Self {
            occurrences: Vec::new(),
            lengths: [0; FIELDS],
        }
    }
}

/// Fills [`PageWords`].
pub(super) struct PageReader<'l> {
    lexicon: &'l mut Lexicon,
    words: PageWords,
}

impl<'l> PageReader<'l> {
    pub(super) fn new(lexicon: &'l mut Lexicon) -> Self {
        lexicon.form_places.begin();
        Self {
            lexicon,
            words: PageWords::default(),
        }
    }

    pub(super) fn finish(self) -> PageWords {
        self.words
    }

    /// The fields of the page; `named` is its title. Every text is the next words of its field.
    pub(super) fn page<'t>(&mut self, named: usize, texts: impl IntoIterator<Item = (usize, &'t str)>) {
        self.words.page = self.read(named, texts);
    }

    /// The fields of its next section; `named` is its heading.
    pub(super) fn section<'t>(&mut self, named: usize, texts: impl IntoIterator<Item = (usize, &'t str)>) {
        let words = self.read(named, texts);
        self.words.sections.push(words);
    }

    fn read<'t, const FIELDS: usize>(
        &mut self,
        named: usize,
        texts: impl IntoIterator<Item = (usize, &'t str)>,
    ) -> FieldWords<FIELDS> {
        let Self { lexicon, words } = self;
        lexicon.term_places.begin();
        let mut read = FieldWords::default();
        for (field, text) in texts {
            let is_named = field == named;
            scan(text, &mut |piece| {
                let form = lexicon.form(piece.form);
                let place = lexicon.form_places.of(form, words.uses.len());
                if place == words.uses.len() {
                    words.uses.push((form, 0));
                }
                let (_, uses) = &mut words.uses[place];
                *uses = uses.saturating_add(if is_named { NAMED_USES } else { 1 });

                let term = lexicon.forms[form as usize].term;
                let place = lexicon.term_places.of(term, read.occurrences.len());
                if place == read.occurrences.len() {
                    let none = Occurrence {
                        frequencies: [0; FIELDS],
                        position: u8::MAX,
                    };
                    read.occurrences.push((term, none));
                }
                let (_, occurrence) = &mut read.occurrences[place];
                occurrence.frequencies[field] = occurrence.frequencies[field].saturating_add(1);
                if is_named {
                    let position = piece.position.min(u32::from(u8::MAX)) as u8;
                    occurrence.position = occurrence.position.min(position);
                }
                read.lengths[field] += 1;
            });
        }
        read
    }
}

/// Where each number stands in a list that is being filled. To begin another list costs nothing.
#[derive(Debug, Clone, Default)]
struct Places {
    list: u32,
    /// By number, the last list that it stands in, and where.
    places: Vec<(u32, u32)>,
}

impl Places {
    fn begin(&mut self) {
        self.list += 1;
    }

    /// The place of a number, which is `next` where it is not in the list yet.
    fn of(&mut self, number: u32, next: usize) -> usize {
        let number = number as usize;
        if number >= self.places.len() {
            self.places.resize(number + 1, (0, 0));
        }
        let (list, place) = &mut self.places[number];
        if *list != self.list {
            (*list, *place) = (self.list, to_u32(next));
        }
        *place as usize
    }
}
