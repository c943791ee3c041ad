//! What models learn from: ids, interactions in the order of time, and the columns of items and users.

use std::collections::HashMap;

use crate::codec::{Reader, Writer};
use crate::error::{Error, Result};
use crate::features::Features;
use crate::matrix::Sparse;
use crate::random::hash_bytes;

/// Strings and their dense numbers, both ways. Numbers follow the order of the strings, so ties that are broken by
/// number are broken by id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ids {
    texts: String,
    /// Where the text of each number ends.
    ends: Vec<u32>,
    /// A hash table with open addressing: numbers, or [`EMPTY`]. Its length is a power of two.
    slots: Vec<u32>,
}

const EMPTY: u32 = u32::MAX;

impl Default for Ids {
    fn default() -> Self {
        Self::new(Vec::<String>::new())
    }
}

impl Ids {
    /// The distinct ids, sorted.
    ///
    /// # Panics
    /// With 2^32 - 1 distinct ids or more, or with texts of 4 GiB together.
    pub fn new<S: Into<String>>(ids: impl IntoIterator<Item = S>) -> Self {
        let mut ids: Vec<String> = ids.into_iter().map(Into::into).collect();
        ids.sort_unstable();
        ids.dedup();
        Self::from_sorted(ids.iter().map(String::as_str))
    }

    /// Ids that are in order already; `None` unless each is after the one before it.
    ///
    /// # Panics
    /// As [`new`](Self::new).
    pub fn in_order<'a>(ids: impl ExactSizeIterator<Item = &'a str> + Clone) -> Option<Self> {
        ids.clone()
            .is_sorted_by(|one, next| one < next)
            .then(|| Self::from_sorted(ids))
    }

    fn from_sorted<'a>(ids: impl ExactSizeIterator<Item = &'a str> + Clone) -> Self {
        assert!(ids.len() < EMPTY as usize, "ids are numbered with 32 bits");
        let length: usize = ids.clone().map(str::len).sum();
        assert!(
            u32::try_from(length).is_ok(),
            "texts of ids are placed with 32 bits"
        );
        let mut texts = String::with_capacity(length);
        let mut ends = Vec::with_capacity(ids.len());
        for id in ids {
            texts.push_str(id);
            ends.push(texts.len() as u32);
        }
        let mut ids = Self {
            texts,
            ends,
            slots: Vec::new(),
        };
        ids.index();
        ids
    }

    fn index(&mut self) {
        // At most half full, so that a search for an unknown id ends soon.
        let size = (self.len() * 2).next_power_of_two().max(2);
        let mut slots = vec![EMPTY; size];
        for number in 0..self.len() {
            let mut slot = hash_bytes(0, self.text(number).as_bytes()) as usize & (size - 1);
            while slots[slot] != EMPTY {
                slot = (slot + 1) & (size - 1);
            }
            slots[slot] = number as u32;
        }
        self.slots = slots;
    }

    /// How many ids.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of an id.
    pub fn number(&self, id: &str) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut slot = hash_bytes(0, id.as_bytes()) as usize & mask;
        loop {
            match self.slots[slot] {
                EMPTY => return None,
                number if self.text(number as usize) == id => return Some(number),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// The id of a number.
    pub fn id(&self, number: u32) -> Option<&str> {
        ((number as usize) < self.len()).then(|| self.text(number as usize))
    }

    /// All ids, sorted; the place of an id is its number.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|number| self.text(number))
    }

    fn text(&self, number: usize) -> &str {
        let start = match number.checked_sub(1) {
            Some(before) => self.ends[before] as usize,
            None => 0,
        };
        &self.texts[start..self.ends[number] as usize]
    }

    /// The ids as bytes, with a version and a checksum.
    pub fn save(&self) -> Vec<u8> {
        let mut writer = Writer::start("ids", 1);
        writer.text(&self.texts);
        let ends: Vec<u64> = self.ends.iter().map(|end| u64::from(*end)).collect();
        writer.u64s(&ends);
        writer.finish()
    }

    /// Reads what [`save`](Self::save) wrote.
    ///
    /// # Errors
    /// [`ErrorKind::Artefact`](crate::ErrorKind::Artefact) for other or damaged bytes.
    pub fn load(bytes: &[u8]) -> Result<Self> {
        let mut reader = open(bytes, "ids")?;
        let (texts, ends) = (reader.text()?, reader.u64s()?);
        reader.finish()?;
        let ends: Vec<u32> = ends
            .into_iter()
            .map(|end| u32::try_from(end).map_err(|_| Error::artefact("saved ids are damaged")))
            .collect::<Result<_>>()?;
        let mut ids = Self {
            texts,
            ends,
            slots: Vec::new(),
        };
        let sound = ids.ends.len() < EMPTY as usize
            && ids.ends.is_sorted()
            && ids.ends.last().copied().unwrap_or(0) as usize == ids.texts.len()
            && ids
                .ends
                .iter()
                .all(|end| ids.texts.is_char_boundary(*end as usize))
            && ids.iter().is_sorted_by(|a, b| a < b);
        if !sound {
            return Err(Error::artefact("saved ids are damaged"));
        }
        ids.index();
        Ok(ids)
    }
}

/// Somebody's interaction with an item.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interaction {
    /// The number of the item.
    pub item: u32,
    /// How much it says: positive for a liking, stronger if larger; zero or negative for none.
    pub label: f32,
    /// Unix time in seconds.
    pub time: i64,
}

impl Interaction {
    /// An interaction with the label 1.
    pub fn new(item: u32, time: i64) -> Self {
        Self {
            item,
            label: 1.0,
            time,
        }
    }
}

/// An interaction and whose it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Event {
    /// The number of the user.
    pub user: u32,
    /// The number of the item.
    pub item: u32,
    /// See [`Interaction::label`].
    pub label: f32,
    /// Unix time in seconds.
    pub time: i64,
}

/// What a model is fitted on.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Dataset {
    users: Ids,
    items: Ids,
    events: Vec<Event>,
    item_features: Features,
    user_features: Features,
    now: i64,
}

impl Dataset {
    /// A dataset; events are brought into the order of time, where equal times keep the order given.
    ///
    /// Features have one row per id, or no column at all. `now` is the moment of the training in Unix seconds: ages
    /// are measured from it.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if an event names a number without an id, a label is infinite, or
    /// features have another number of rows.
    pub fn new(
        users: Ids,
        items: Ids,
        mut events: Vec<Event>,
        item_features: Features,
        user_features: Features,
        now: i64,
    ) -> Result<Self> {
        for (what, features, ids) in [("item", &item_features, &items), ("user", &user_features, &users)] {
            if !features.is_empty() && features.rows() != ids.len() {
                return Err(Error::data(format!(
                    "{what} features have {} rows for {} ids",
                    features.rows(),
                    ids.len()
                )));
            }
        }
        for event in &mut events {
            if event.user as usize >= users.len() || event.item as usize >= items.len() {
                return Err(Error::data(format!(
                    "an event names user {} of {} and item {} of {}",
                    event.user,
                    users.len(),
                    event.item,
                    items.len()
                )));
            }
            if event.label.is_infinite() {
                return Err(Error::data("an event has an infinite label"));
            }
            if event.label.is_nan() {
                event.label = 1.0;
            }
        }
        if !events.is_sorted_by_key(|event| event.time) {
            events.sort_by_key(|event| event.time);
        }
        Ok(Self {
            users,
            items,
            events,
            item_features,
            user_features,
            now,
        })
    }

    /// The ids of the users.
    pub fn users(&self) -> &Ids {
        &self.users
    }

    /// The ids of the items, those without interactions too.
    pub fn items(&self) -> &Ids {
        &self.items
    }

    /// All events, oldest first.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The columns of the items.
    pub fn item_features(&self) -> &Features {
        &self.item_features
    }

    /// The columns of the users.
    pub fn user_features(&self) -> &Features {
        &self.user_features
    }

    /// The moment of the training, in Unix seconds.
    pub fn now(&self) -> i64 {
        self.now
    }

    /// The events of each user, oldest first.
    pub fn histories(&self) -> Histories {
        Histories::new(self.users.len(), &self.events)
    }

    /// The same ids and features with other events at another moment, for splits.
    pub(crate) fn with_events(&self, events: Vec<Event>, now: i64) -> Self {
        Self {
            users: self.users.clone(),
            items: self.items.clone(),
            events,
            item_features: self.item_features.clone(),
            user_features: self.user_features.clone(),
            now,
        }
    }

    /// The same ids and features with other labels; events without one are left out.
    #[must_use]
    pub fn relabelled(&self, label: impl Fn(&Event) -> Option<f32>) -> Self {
        let events = self.events.iter().filter_map(|event| {
            Some(Event {
                label: label(event)?,
                ..*event
            })
        });
        self.with_events(events.collect(), self.now)
    }

    /// How many events with a positive label each item has.
    pub(crate) fn item_counts(&self) -> Vec<u32> {
        let mut counts = vec![0u32; self.items.len()];
        for event in self.events.iter().filter(|event| event.label > 0.0) {
            counts[event.item as usize] += 1;
        }
        counts
    }

    /// Users by items: the sum of the positive labels of each pair.
    pub(crate) fn preferences(&self) -> Sparse {
        let histories = self.histories();
        Sparse::from_rows(
            self.items.len(),
            (0..self.users.len() as u32).map(|user| preferences(&histories.of(user), self.items.len())),
        )
    }
}

/// The distinct items of a history with the sums of their positive labels, ascending by item; items from `items` on
/// are left out.
pub(crate) fn preferences(history: &[Interaction], items: usize) -> Vec<(u32, f32)> {
    let mut pairs: Vec<(u32, f32)> = history
        .iter()
        .filter(|interaction| interaction.label > 0.0 && (interaction.item as usize) < items)
        .map(|interaction| (interaction.item, interaction.label))
        .collect();
    pairs.sort_by_key(|pair| pair.0);
    pairs.dedup_by(|later, first| {
        let same = later.0 == first.0;
        if same {
            first.1 += later.1;
        }
        same
    });
    pairs
}

/// The interactions of each user, oldest first: what a server looks up before it asks a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Histories {
    offsets: Vec<u64>,
    items: Vec<u32>,
    times: Times,
    /// Empty where every label is 1, as of all that is counted and not rated.
    labels: Vec<f32>,
}

/// Moments in Unix seconds. There are as many as interactions, and most of them lie within a human life.
#[derive(Debug, Clone, PartialEq)]
enum Times {
    Since { first: i64, seconds: Vec<u32> },
    Any(Vec<i64>),
}

impl Times {
    fn new(times: impl ExactSizeIterator<Item = i64> + Clone) -> Self {
        let first = times.clone().min().unwrap_or(0);
        let second = |time: i64| u32::try_from(time.checked_sub(first)?).ok();
        let mut seconds = Vec::with_capacity(times.len());
        for time in times.clone() {
            match second(time) {
                Some(second) => seconds.push(second),
                None => return Self::Any(times.collect()),
            }
        }
        Self::Since { first, seconds }
    }

    fn at(&self, place: usize) -> i64 {
        match self {
            Self::Since { first, seconds } => first + i64::from(seconds[place]),
            Self::Any(times) => times[place],
        }
    }
}

impl Histories {
    fn new(users: usize, events: &[Event]) -> Self {
        let mut offsets = vec![0u64; users + 1];
        for event in events {
            offsets[event.user as usize + 1] += 1;
        }
        for user in 0..users {
            offsets[user + 1] += offsets[user];
        }
        let mut next = offsets.clone();
        let mut items = vec![0; events.len()];
        let mut times = vec![0; events.len()];
        let mut labels = vec![0.0; events.len()];
        for event in events {
            let place = &mut next[event.user as usize];
            items[*place as usize] = event.item;
            times[*place as usize] = event.time;
            labels[*place as usize] = event.label;
            *place += 1;
        }
        Self::of_columns(offsets, items, labels.into_iter(), times.into_iter())
    }

    fn of_columns(
        offsets: Vec<u64>,
        items: Vec<u32>,
        labels: impl Iterator<Item = f32> + Clone,
        times: impl ExactSizeIterator<Item = i64> + Clone,
    ) -> Self {
        let counted = labels.clone().all(|label| label == 1.0);
        Self {
            offsets,
            items,
            times: Times::new(times),
            labels: if counted { Vec::new() } else { labels.collect() },
        }
    }

    /// How many users.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are no users.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The interactions of a user, oldest first; none for an unknown one.
    pub fn of(&self, user: u32) -> Vec<Interaction> {
        let user = user as usize;
        if user >= self.len() {
            return Vec::new();
        }
        let places = self.offsets[user] as usize..self.offsets[user + 1] as usize;
        places.map(|place| self.at(place)).collect()
    }

    fn at(&self, place: usize) -> Interaction {
        Interaction {
            item: self.items[place],
            label: self.labels.get(place).copied().unwrap_or(1.0),
            time: self.times.at(place),
        }
    }

    /// The histories as bytes, with a version and a checksum.
    pub fn save(&self) -> Vec<u8> {
        let mut writer = Writer::start("histories", 1);
        writer.u64s(&self.offsets);
        let all = || (0..self.items.len()).map(|place| self.at(place));
        let labels: Vec<f32> = all().map(|one| one.label).collect();
        let times: Vec<i64> = all().map(|one| one.time).collect();
        writer.u32s(&self.items);
        writer.f32s(&labels);
        writer.i64s(&times);
        writer.finish()
    }

    /// Reads what [`save`](Self::save) wrote.
    ///
    /// # Errors
    /// [`ErrorKind::Artefact`](crate::ErrorKind::Artefact) for other or damaged bytes.
    pub fn load(bytes: &[u8]) -> Result<Self> {
        let mut reader = open(bytes, "histories")?;
        let offsets = reader.u64s()?;
        let (items, labels, times) = (reader.u32s()?, reader.each_f32()?, reader.each_i64()?);
        reader.finish()?;
        let sound = offsets.first() == Some(&0)
            && offsets.is_sorted()
            && offsets.last() == Some(&(items.len() as u64))
            && labels.len() == items.len()
            && times.len() == items.len();
        if !sound {
            return Err(Error::artefact("saved histories are damaged"));
        }
        Ok(Self::of_columns(offsets, items, labels, times))
    }
}

fn open<'a>(bytes: &'a [u8], wanted: &str) -> Result<Reader<'a>> {
    let (id, version, reader) = Reader::open(bytes)?;
    if id == wanted && version == 1 {
        Ok(reader)
    } else {
        Err(Error::artefact(format!(
            "these bytes hold {id} of version {version}, not {wanted} of version 1"
        )))
    }
}

/// Builds a [`Dataset`] from ids as texts, in any order.
#[derive(Debug, Clone, Default)]
pub struct DatasetBuilder {
    users: Interner,
    items: Interner,
    events: Vec<Event>,
    item_rows: Option<(Vec<u32>, Features)>,
    user_rows: Option<(Vec<u32>, Features)>,
}

impl DatasetBuilder {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an interaction. A label of NaN stands for a missing one and counts as 1; `time` is in Unix seconds.
    pub fn event(&mut self, user: &str, item: &str, label: f32, time: i64) -> &mut Self {
        let event = Event {
            user: self.users.number(user),
            item: self.items.number(item),
            label,
            time,
        };
        self.events.push(event);
        self
    }

    /// Sets the catalogue: one row of `features` per id. Of rows with one id the last one counts.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if there are not as many rows as ids.
    pub fn items<S: AsRef<str>>(&mut self, ids: &[S], features: Features) -> Result<&mut Self> {
        self.item_rows = Some(rows(&mut self.items, ids, features)?);
        Ok(self)
    }

    /// Sets the users: one row of `features` per id. Of rows with one id the last one counts.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if there are not as many rows as ids.
    pub fn users<S: AsRef<str>>(&mut self, ids: &[S], features: Features) -> Result<&mut Self> {
        self.user_rows = Some(rows(&mut self.users, ids, features)?);
        Ok(self)
    }

    /// The dataset. `now` is the moment of the training in Unix seconds.
    ///
    /// # Errors
    /// As [`Dataset::new`].
    pub fn finish(self, now: i64) -> Result<Dataset> {
        let (users, user_numbers) = self.users.finish();
        let (items, item_numbers) = self.items.finish();
        let events = self
            .events
            .into_iter()
            .map(|event| Event {
                user: user_numbers[event.user as usize],
                item: item_numbers[event.item as usize],
                ..event
            })
            .collect();
        let item_features = in_order(self.item_rows, &item_numbers);
        let user_features = in_order(self.user_rows, &user_numbers);
        Dataset::new(users, items, events, item_features, user_features, now)
    }
}

fn rows<S: AsRef<str>>(
    interner: &mut Interner,
    ids: &[S],
    features: Features,
) -> Result<(Vec<u32>, Features)> {
    if !features.is_empty() && features.rows() != ids.len() {
        return Err(Error::data(format!(
            "{} rows of features for {} ids",
            features.rows(),
            ids.len()
        )));
    }
    let numbers = ids.iter().map(|id| interner.number(id.as_ref())).collect();
    Ok((numbers, features))
}

/// The rows in the order of the final numbers, empty where there is none.
fn in_order(given: Option<(Vec<u32>, Features)>, final_numbers: &[u32]) -> Features {
    let Some((numbers, features)) = given else {
        return Features::default();
    };
    if features.is_empty() {
        return features;
    }
    let mut source = vec![None; final_numbers.len()];
    for (row, number) in numbers.iter().enumerate() {
        source[final_numbers[*number as usize] as usize] = Some(row);
    }
    features.select(&source)
}

/// Numbers in the order of first appearance.
#[derive(Debug, Clone, Default)]
struct Interner {
    numbers: HashMap<String, u32>,
}

impl Interner {
    fn number(&mut self, id: &str) -> u32 {
        if let Some(number) = self.numbers.get(id) {
            return *number;
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert(id.to_owned(), number);
        number
    }

    /// The sorted ids, and the final number of each number given out.
    fn finish(self) -> (Ids, Vec<u32>) {
        let mut given: Vec<(String, u32)> = self.numbers.into_iter().collect();
        given.sort_unstable();
        let mut final_numbers = vec![0; given.len()];
        for (number, (_, first)) in given.iter().enumerate() {
            final_numbers[*first as usize] = number as u32;
        }
        let ids: Vec<&str> = given.iter().map(|(id, _)| id.as_str()).collect();
        (Ids::from_sorted(ids.iter().copied()), final_numbers)
    }
}
