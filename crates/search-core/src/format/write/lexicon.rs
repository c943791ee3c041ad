//! Every term and every word as written, and the words of pages.

use compact_str::CompactString;
use rustc_hash::FxHashMap;

use super::{PAGE_FIELDS, PageField, SECTION_FIELDS, SectionField};
use crate::analysis::{scan, stem};
use crate::format::codec::to_u32;

/// What an occurrence in a title or heading counts beside one in a text, when it is asked how common a word is.
const NAMED_USES: u32 = 16;

/// Every term, and every form that was met; each form is stemmed once.
#[derive(Debug, Clone, Default)]
pub(super) struct Lexicon {
    // Asked for every word of the site, and never in an order that would be seen.
    // Nearly all words are short enough to stand in the table itself, so that a question ends there.
    form_ids: FxHashMap<CompactString, u32>,
    forms: Vec<FormEntry>,
    term_ids: FxHashMap<CompactString, u32>,
    terms: Vec<CompactString>,
    /// Of the forms and terms that were there when it was last asked for it, see [`Lexicon::put_in_order`].
    form_order: Vec<u32>,
    term_order: Vec<u32>,
    /// For each form and each term, where it stands in the list that is being filled.
    form_places: Places,
    term_places: Places,
}

#[derive(Debug, Clone)]
struct FormEntry {
    form: CompactString,
    term: u32,
    /// In the pages that there are.
    uses: u32,
}

/// How often a term occurs in each field, and its first place in the title or heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Occurrence<const FIELDS: usize> {
    pub(super) frequencies: [u16; FIELDS],
    pub(super) position: u8,
}

impl Lexicon {
    /// To be called after the last page, for [`Lexicon::term_order`] and [`Lexicon::sorted_forms`].
    pub(super) fn put_in_order(&mut self) {
        put_in_order(&mut self.form_order, &self.forms, |entry| &entry.form);
        put_in_order(&mut self.term_order, &self.terms, |term| term);
    }

    /// How many terms were ever met.
    pub(super) fn term_count(&self) -> usize {
        self.terms.len()
    }

    /// The numbers of all terms that were ever met, in the order of the terms.
    pub(super) fn term_order(&self) -> &[u32] {
        &self.term_order
    }

    pub(super) fn term(&self, number: u32) -> &str {
        &self.terms[number as usize]
    }

    /// The words of the pages as written, in order, by their numbers, and how often they are used.
    pub(super) fn sorted_forms(&self) -> Vec<(u32, u32)> {
        let forms = self.form_order.iter();
        let forms = forms.map(|form| (*form, self.forms[*form as usize].uses));
        forms.filter(|(_, uses)| *uses > 0).collect()
    }

    pub(super) fn form(&self, number: u32) -> &str {
        &self.forms[number as usize].form
    }

    /// Counts the words of a page that is added.
    pub(super) fn count(&mut self, words: &PageWords) {
        for (form, uses) in &words.uses {
            self.forms[*form as usize].uses += uses;
        }
    }

    /// Takes back what was counted of a page.
    pub(super) fn discount(&mut self, words: &PageWords) {
        for (form, uses) in &words.uses {
            self.forms[*form as usize].uses -= uses;
        }
    }

    fn number_of(&mut self, form: &str) -> u32 {
        if let Some(id) = self.form_ids.get(form) {
            return *id;
        }
        let stem = CompactString::from(stem(form));
        let term = *self.term_ids.entry(stem.clone()).or_insert_with(|| {
            self.terms.push(stem);
            to_u32(self.terms.len() - 1)
        });
        let id = to_u32(self.forms.len());
        let form = CompactString::from(form);
        self.form_ids.insert(form.clone(), id);
        self.forms.push(FormEntry { form, term, uses: 0 });
        id
    }
}

/// Puts the numbers of new entries among those of the others, which are in the order of their texts.
fn put_in_order<E>(numbers: &mut Vec<u32>, entries: &[E], text: impl Fn(&E) -> &str) {
    let text = |number: u32| text(&entries[number as usize]);
    let mut new: Vec<u32> = (to_u32(numbers.len())..to_u32(entries.len())).collect();
    if new.is_empty() {
        return;
    }
    new.sort_unstable_by(|a, b| text(*a).cmp(text(*b)));
    let mut merged = Vec::with_capacity(entries.len());
    let mut rest = numbers.as_slice();
    for number in new {
        let before = rest.partition_point(|other| text(*other) < text(number));
        merged.extend_from_slice(&rest[..before]);
        merged.push(number);
        rest = &rest[before..];
    }
    merged.extend_from_slice(rest);
    *numbers = merged;
}

/// The words of a page and its sections, by their numbers in a lexicon.
#[derive(Debug, Clone, Default)]
pub(super) struct PageWords {
    /// Of each form.
    uses: Vec<(u32, u32)>,
    /// How many words each field of the page has.
    pub(super) lengths: [u32; PAGE_FIELDS],
    /// And each of every section.
    pub(super) section_lengths: Vec<[u32; SECTION_FIELDS]>,
    /// The terms in the fields of the page, by their numbers.
    of_page: Vec<(u32, Occurrence<PAGE_FIELDS>)>,
    /// Those in the sections, by their numbers, then by the section.
    of_sections: Vec<InSection>,
}

/// What a section has of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InSection {
    term: u32,
    /// Which section of its page.
    pub(super) section: u32,
    pub(super) occurrence: Occurrence<SECTION_FIELDS>,
}

/// What a page has of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InPage<'w> {
    pub(super) term: u32,
    /// In its own fields.
    pub(super) own: Option<Occurrence<PAGE_FIELDS>>,
    pub(super) sections: &'w [InSection],
}

impl PageWords {
    /// The terms of the page, by their numbers.
    pub(super) fn terms(&self) -> impl Iterator<Item = InPage<'_>> {
        let mut own = self.of_page.iter().peekable();
        let mut sections = self.of_sections.as_slice();
        std::iter::from_fn(move || {
            let next = [
                own.peek().map(|(term, _)| *term),
                sections.first().map(|section| section.term),
            ];
            let term = next.into_iter().flatten().min()?;
            let count = sections
                .iter()
                .position(|section| section.term != term)
                .unwrap_or(sections.len());
            let (of_term, rest) = sections.split_at(count);
            sections = rest;
            Some(InPage {
                term,
                own: own.next_if(|(other, _)| *other == term).map(|(_, own)| *own),
                sections: of_term,
            })
        })
    }

    pub(super) fn has(&self, term: u32) -> bool {
        let of_sections = self.of_sections.binary_search_by_key(&term, |found| found.term);
        of_sections.is_ok() || self.of_page.binary_search_by_key(&term, |(own, _)| *own).is_ok()
    }

    /// How many fields of a kind have a term, over all terms.
    pub(super) fn postings(&self) -> usize {
        self.of_page.len() + self.of_sections.len()
    }

    /// The terms of the title.
    pub(super) fn title(&self) -> impl Iterator<Item = u32> {
        let has_it = |own: &Occurrence<PAGE_FIELDS>| own.frequencies[PageField::Title as usize] > 0;
        let titled = self.of_page.iter().filter(move |(_, own)| has_it(own));
        titled.map(|(term, _)| *term)
    }

    /// The terms of the headings, with their sections.
    pub(super) fn headings(&self) -> impl Iterator<Item = (u32, u32)> {
        let has_it = |found: &&InSection| found.occurrence.frequencies[SectionField::Heading as usize] > 0;
        let headed = self.of_sections.iter().filter(has_it);
        headed.map(|found| (found.section, found.term))
    }
}

impl InPage<'_> {
    /// How many sections of the page the term reaches: those that hold it, or all if the page itself does.
    pub(super) fn reach(&self, section_count: usize) -> u32 {
        to_u32(match self.own {
            Some(_) => section_count,
            None => self.sections.len(),
        })
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

    pub(super) fn finish(mut self) -> PageWords {
        self.words.of_page.sort_unstable_by_key(|(term, _)| *term);
        self.words
            .of_sections
            .sort_unstable_by_key(|found| (found.term, found.section));
        // Those of all pages are there at once.
        self.words.of_sections.shrink_to_fit();
        self.words.uses.shrink_to_fit();
        self.words
    }

    /// The fields of the page; `named` is its title. Every text is the next words of its field.
    pub(super) fn page<'t>(&mut self, named: usize, texts: impl IntoIterator<Item = (usize, &'t str)>) {
        (self.words.of_page, self.words.lengths) = self.read(named, texts);
    }

    /// The fields of its next section; `named` is its heading.
    pub(super) fn section<'t>(&mut self, named: usize, texts: impl IntoIterator<Item = (usize, &'t str)>) {
        let (occurrences, lengths) = self.read(named, texts);
        let section = to_u32(self.words.section_lengths.len());
        self.words.section_lengths.push(lengths);
        let found = occurrences.into_iter().map(|(term, occurrence)| InSection {
            term,
            section,
            occurrence,
        });
        self.words.of_sections.extend(found);
    }

    /// The terms of some fields, and how many words each of these has.
    fn read<'t, const FIELDS: usize>(
        &mut self,
        named: usize,
        texts: impl IntoIterator<Item = (usize, &'t str)>,
    ) -> (Vec<(u32, Occurrence<FIELDS>)>, [u32; FIELDS]) {
        let Self { lexicon, words } = self;
        lexicon.term_places.begin();
        let mut occurrences = Vec::new();
        let mut lengths = [0; FIELDS];
        for (field, text) in texts {
            let is_named = field == named;
            scan(text, &mut |piece| {
                let form = lexicon.number_of(piece.form);
                let place = lexicon.form_places.of(form, words.uses.len());
                if place == words.uses.len() {
                    words.uses.push((form, 0));
                }
                words.uses[place].1 += if is_named { NAMED_USES } else { 1 };

                let term = lexicon.forms[form as usize].term;
                let place = lexicon.term_places.of(term, occurrences.len());
                if place == occurrences.len() {
                    let none = Occurrence {
                        frequencies: [0; FIELDS],
                        position: u8::MAX,
                    };
                    occurrences.push((term, none));
                }
                let (_, occurrence) = &mut occurrences[place];
                occurrence.frequencies[field] = occurrence.frequencies[field].saturating_add(1);
                if is_named {
                    let position = piece.position.min(u32::from(u8::MAX)) as u8;
                    occurrence.position = occurrence.position.min(position);
                }
                lengths[field] += 1;
            });
        }
        (occurrences, lengths)
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
