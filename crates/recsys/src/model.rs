//! The one verb of every model, and the table of them all.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::codec::{Reader, Writer};
use crate::data::{Dataset, Interaction};
use crate::error::{Error, ErrorKind, Result};
use crate::features::Features;
use crate::matrix::Matrix;
use crate::models;
use crate::scan::{Eligible, Scored, top_k};

/// Every model, in the order in which the documentation lists them.
pub static MODELS: &[&ModelSpec] = &[
    &models::als::SPEC,
    &models::chronological::SPEC,
    &models::ease::SPEC,
    &models::content::ITEM_SPEC,
    &models::item_knn::SPEC,
    &models::ngram::SPEC,
    &models::no_op::SPEC,
    &models::popularity::POPULAR,
    &models::random::SPEC,
    &models::popularity::RECENTLY_POPULAR,
    &models::popularity::RISING_POPULARITY,
    &models::svd::SPEC,
    &models::content::USER_SPEC,
    &models::content::USER_ITEM_SPEC,
];

/// A model by its id, such as `als`.
pub fn model(id: &str) -> Option<&'static ModelSpec> {
    MODELS.iter().find(|spec| spec.id == id).copied()
}

/// Reads any saved model.
///
/// # Errors
/// [`ErrorKind::Artefact`] for bytes that are damaged, of another version, or of a model that is not in [`MODELS`].
pub fn load(bytes: &[u8]) -> Result<Box<dyn Recommender>> {
    let (id, version, mut reader) = Reader::open(bytes)?;
    let spec = model(&id).ok_or_else(|| Error::artefact(format!("there is no model named {id}")))?;
    if version != spec.version {
        return Err(Error::artefact(format!(
            "{id} was saved in version {version}; this library reads version {}",
            spec.version
        )));
    }
    let model = (spec.read)(&mut reader)?;
    reader.finish()?;
    Ok(model)
}

/// A fitted model: it gives scores and the vectors behind them. Which items are candidates, which of them a user
/// may see and how a list is mixed are decided elsewhere, see [`pipeline`](crate::pipeline).
///
/// Items are numbered as in the [`Dataset`] of the training. Every method answers at once for users and items that
/// the training has not seen; none of them panics on a number that it does not know.
pub trait Recommender: Send + Sync {
    /// The row of [`MODELS`] that this model belongs to.
    fn spec(&self) -> &'static ModelSpec;

    /// How many items the model knows; their numbers are below it.
    fn items(&self) -> usize;

    /// Writes one score per candidate, in order; NaN where the model has no opinion.
    ///
    /// A candidate `items() + n` stands for row `n` of [`Query::new_items`]. Scores of one call compare with each
    /// other; their scale is the model's own.
    ///
    /// # Errors
    /// [`ErrorKind::Argument`] unless `out` is as long as `candidates`.
    fn score(&self, query: &Query<'_>, candidates: &[u32], out: &mut [f32]) -> Result<()>;

    /// The best known items for a query, best first: [`score`](Self::score) over the whole catalogue, or quicker.
    ///
    /// # Errors
    /// As [`score`](Self::score).
    fn retrieve(&self, query: &Query<'_>, limit: usize, eligible: Eligible<'_>) -> Result<Vec<Scored>> {
        let candidates: Vec<u32> = (0..self.items() as u32).collect();
        let mut scores = vec![0.0; candidates.len()];
        self.score(query, &candidates, &mut scores)?;
        Ok(top_k(&scores, limit, eligible))
    }

    /// One vector per known item. In models with [`Capabilities::factors`] the score of an item is the inner product
    /// of its vector with [`user_vector`](Self::user_vector).
    fn item_vectors(&self) -> Option<&Matrix> {
        None
    }

    /// The known items whose [`item_vectors`](Self::item_vectors) have the largest inner products with `vector`, best
    /// first; `None` for a model without such vectors. Quicker than a scan where there are many.
    ///
    /// # Errors
    /// [`ErrorKind::Argument`](crate::ErrorKind::Argument) if `vector` has another dimension.
    fn nearest_items(
        &self,
        vector: &[f32],
        limit: usize,
        eligible: Eligible<'_>,
    ) -> Option<Result<Vec<Scored>>> {
        Some(crate::scan::scan(self.item_vectors()?, vector, limit, eligible))
    }

    /// One vector per user of the training.
    fn user_vectors(&self) -> Option<&Matrix> {
        None
    }

    /// The vector of whoever asks, from the history and the features in the query: nothing is trained again.
    fn user_vector(&self, query: &Query<'_>) -> Option<Vec<f32>> {
        let _ = query;
        None
    }

    /// The vectors of items that the training has not seen, from their features.
    fn new_item_vectors(&self, items: &Features) -> Option<Matrix> {
        let _ = items;
        None
    }

    /// The known items most like one item, best first, without itself; `None` where the model has no such notion or
    /// knows nothing of the item. A number from `items()` on stands for a row of [`Query::new_items`].
    fn similar_items(
        &self,
        query: &Query<'_>,
        item: u32,
        limit: usize,
        eligible: Eligible<'_>,
    ) -> Option<Vec<Scored>> {
        let _ = (query, item, limit, eligible);
        None
    }

    /// The users of the training most like whoever asks, best first, without [`Query::user`]; `None` where the model
    /// has no such notion or knows nothing of the user.
    fn similar_users(&self, query: &Query<'_>, limit: usize, eligible: Eligible<'_>) -> Option<Vec<Scored>> {
        let _ = (query, limit, eligible);
        None
    }

    /// Writes the content of the model; [`save`](dyn Recommender::save) adds the header.
    #[doc(hidden)]
    fn write(&self, writer: &mut ModelWriter);
}

impl dyn Recommender {
    /// The model as bytes, with a version and a checksum; [`load`] reads them.
    pub fn save(&self) -> Vec<u8> {
        let spec = self.spec();
        let mut writer = ModelWriter(Writer::start(spec.id, spec.version));
        self.write(&mut writer);
        writer.0.finish()
    }
}

/// What a model writes itself to. Models outside this library cannot be saved by it.
#[derive(Debug)]
pub struct ModelWriter(pub(crate) Writer);

/// Who asks, and when.
#[derive(Debug, Clone, Copy, Default)]
pub struct Query<'a> {
    /// The number of a user of the training.
    pub user: Option<u32>,
    /// All that is known of the user, oldest first: the stored history, then the session. What was inserted a moment
    /// ago belongs here, and changes the answer.
    pub history: &'a [Interaction],
    /// The moment of the question, in Unix seconds.
    pub now: i64,
    /// One row of columns of the user; stands before what the training knows of the user.
    pub user_features: Option<&'a Features>,
    /// Columns of items that the training has not seen, one row each.
    pub new_items: Option<&'a Features>,
}

impl<'a> Query<'a> {
    /// A query of a user with a history.
    pub fn new(user: Option<u32>, history: &'a [Interaction], now: i64) -> Self {
        Self {
            user,
            history,
            now,
            ..Self::default()
        }
    }
}

/// What goes with a training besides settings and data.
#[derive(Debug, Clone, Copy, Default)]
pub struct Training<'a> {
    /// Where random numbers start: one seed, one model.
    pub seed: u64,
    /// Set from elsewhere to end the training early, with [`ErrorKind::Stopped`].
    pub stop: Option<&'a AtomicBool>,
}

impl Training<'_> {
    /// A training that nobody stops.
    pub fn seeded(seed: u64) -> Self {
        Self { seed, stop: None }
    }

    pub(crate) fn check(&self) -> Result<()> {
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(Error::new(ErrorKind::Stopped, "the training was stopped"));
        }
        Ok(())
    }
}

/// A row of [`MODELS`]: all that an API, a documentation and a test need to know of a model.
#[derive(Debug)]
pub struct ModelSpec {
    /// The name in configurations, such as `als`.
    pub id: &'static str,
    /// The name in sentences.
    pub name: &'static str,
    /// What it is akin to.
    pub family: Family,
    /// When to choose it, and over what.
    pub choose_when: &'static str,
    /// Where it comes from.
    pub paper: &'static str,
    /// The settings, each with its default.
    pub parameters: &'static [Parameter],
    /// What it needs and what it offers.
    pub can: Capabilities,
    /// The version of its saved form.
    pub(crate) version: u32,
    pub(crate) fit: fn(&Resolved, &Dataset, &Training<'_>) -> Result<Box<dyn Recommender>>,
    pub(crate) read: fn(&mut Reader<'_>) -> Result<Box<dyn Recommender>>,
}

impl ModelSpec {
    /// Trains the model. The result depends on the arguments alone, not on the machine's number of threads.
    ///
    /// Data without events, items or users make a model that knows nothing, not an error.
    ///
    /// # Errors
    /// [`ErrorKind::Settings`] as [`resolve`](Self::resolve), [`ErrorKind::Numeric`] and [`ErrorKind::Stopped`].
    pub fn fit(
        &self,
        settings: &Settings,
        dataset: &Dataset,
        training: &Training<'_>,
    ) -> Result<Box<dyn Recommender>> {
        (self.fit)(&self.resolve(settings)?, dataset, training)
    }

    /// All settings of the model, the given ones checked, the others at their defaults.
    ///
    /// # Errors
    /// [`ErrorKind::Settings`] for an unknown name, a wrong type, or a value outside its range.
    pub fn resolve(&self, settings: &Settings) -> Result<Resolved> {
        for name in settings.values.keys() {
            if !self.parameters.iter().any(|parameter| parameter.name == name) {
                let known: Vec<&str> = self.parameters.iter().map(|parameter| parameter.name).collect();
                let known = if known.is_empty() {
                    "it has none".to_owned()
                } else {
                    format!("it has {}", known.join(", "))
                };
                return Err(Error::settings(format!(
                    "{} has no setting {name}; {known}",
                    self.id
                )));
            }
        }
        let mut values = BTreeMap::new();
        for parameter in self.parameters {
            let value = match settings.values.get(parameter.name) {
                Some(given) => parameter
                    .check(given)
                    .map_err(|error| Error::settings(format!("{}.{}: {error}", self.id, parameter.name)))?,
                None => parameter.kind.default(),
            };
            values.insert(parameter.name, value);
        }
        Ok(Resolved { values })
    }
}

/// What a model is akin to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Family {
    /// Learns nothing from interactions.
    Rule,
    /// Counts interactions of everybody.
    Popularity,
    /// A vector per user and per item.
    Factors,
    /// A weight per pair of items.
    Neighbours,
    /// Reads the order of a history.
    Sequence,
    /// Reads columns of items or users.
    Content,
}

/// What a model needs and what it offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Capabilities {
    /// Learns what goes together from who interacted with what.
    pub collaborative: bool,
    /// Different people get different scores.
    pub personal: bool,
    /// Its scores are inner products of [`Recommender::user_vector`] and [`Recommender::item_vectors`].
    pub factors: bool,
    /// Has [`Recommender::item_vectors`].
    pub item_vectors: bool,
    /// Has [`Recommender::user_vectors`].
    pub user_vectors: bool,
    /// Has [`Recommender::similar_items`].
    pub similar_items: bool,
    /// Has [`Recommender::similar_users`].
    pub similar_users: bool,
    /// Scores items that the training has not seen, from their features.
    pub new_items: bool,
    /// Reads the columns of items.
    pub item_features: bool,
    /// Reads the columns of users.
    pub user_features: bool,
}

impl Capabilities {
    /// None of all: the start of a row.
    pub(crate) const NONE: Self = Self {
        collaborative: false,
        personal: false,
        factors: false,
        item_vectors: false,
        user_vectors: false,
        similar_items: false,
        similar_users: false,
        new_items: false,
        item_features: false,
        user_features: false,
    };
}

/// A setting of a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// Its name in configurations.
    pub name: &'static str,
    /// Type, default and range.
    pub kind: ParameterKind,
    /// What it does, in a sentence.
    pub help: &'static str,
}

/// Type, default and range of a setting. Ranges include their ends.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ParameterKind {
    /// A whole number.
    Int {
        /// Without a setting.
        default: i64,
        /// The smallest allowed.
        min: i64,
        /// The largest allowed.
        max: i64,
    },
    /// A number.
    Float {
        /// Without a setting.
        default: f64,
        /// The smallest allowed.
        min: f64,
        /// The largest allowed.
        max: f64,
    },
    /// One of some names.
    Choice {
        /// Without a setting.
        default: &'static str,
        /// The names.
        options: &'static [&'static str],
    },
    /// Any text, such as the name of a column.
    Text {
        /// Without a setting.
        default: &'static str,
    },
}

impl ParameterKind {
    fn default(self) -> Setting {
        match self {
            Self::Int { default, .. } => Setting::Int(default),
            Self::Float { default, .. } => Setting::Float(default),
            Self::Choice { default, .. } | Self::Text { default } => Setting::Text(default.to_owned()),
        }
    }
}

impl Parameter {
    pub(crate) const fn int(
        name: &'static str,
        default: i64,
        (min, max): (i64, i64),
        help: &'static str,
    ) -> Self {
        let kind = ParameterKind::Int { default, min, max };
        Self { name, kind, help }
    }

    pub(crate) const fn float(
        name: &'static str,
        default: f64,
        (min, max): (f64, f64),
        help: &'static str,
    ) -> Self {
        let kind = ParameterKind::Float { default, min, max };
        Self { name, kind, help }
    }

    pub(crate) const fn choice(
        name: &'static str,
        default: &'static str,
        options: &'static [&'static str],
        help: &'static str,
    ) -> Self {
        let kind = ParameterKind::Choice { default, options };
        Self { name, kind, help }
    }

    pub(crate) const fn text(name: &'static str, default: &'static str, help: &'static str) -> Self {
        let kind = ParameterKind::Text { default };
        Self { name, kind, help }
    }

    /// The value in the type of this parameter, or the sentence that says what is wrong with it.
    fn check(&self, given: &Setting) -> std::result::Result<Setting, String> {
        match (self.kind, given) {
            (ParameterKind::Int { min, max, .. }, Setting::Int(value)) => {
                if (min..=max).contains(value) {
                    return Ok(given.clone());
                }
                Err(format!("{value} is not between {min} and {max}"))
            }
            (ParameterKind::Float { min, max, .. }, Setting::Int(_) | Setting::Float(_)) => {
                let value = match given {
                    Setting::Int(value) => *value as f64,
                    Setting::Float(value) => *value,
                    Setting::Text(_) => f64::NAN,
                };
                // False for NaN too.
                if value >= min && value <= max {
                    return Ok(Setting::Float(value));
                }
                Err(format!("{value} is not between {min} and {max}"))
            }
            (ParameterKind::Choice { options, .. }, Setting::Text(value)) => {
                if options.contains(&value.as_str()) {
                    return Ok(given.clone());
                }
                Err(format!("{value} is not one of {}", options.join(", ")))
            }
            (ParameterKind::Text { .. }, Setting::Text(_)) => Ok(given.clone()),
            (ParameterKind::Int { .. }, _) => Err("a whole number is wanted".to_owned()),
            (ParameterKind::Float { .. }, _) => Err("a number is wanted".to_owned()),
            (ParameterKind::Choice { .. } | ParameterKind::Text { .. }, _) => {
                Err("a text is wanted".to_owned())
            }
        }
    }
}

/// The value of a setting.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Setting {
    /// A whole number; stands for a [`Float`](Self::Float) too.
    Int(i64),
    /// A number.
    Float(f64),
    /// A text or one of some names.
    Text(String),
}

impl From<i64> for Setting {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<f64> for Setting {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}

impl From<&str> for Setting {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

/// Settings as somebody wrote them: only those that differ from the defaults, unchecked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settings {
    values: BTreeMap<String, Setting>,
}

impl Settings {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// With one more setting.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<Setting>) -> Self {
        self.values.insert(name.into(), value.into());
        self
    }
}

/// All settings of a model, checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    values: BTreeMap<&'static str, Setting>,
}

impl Resolved {
    /// Every setting and its value, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Setting)> {
        self.values.iter().map(|(name, value)| (*name, value))
    }

    pub(crate) fn int(&self, name: &str) -> usize {
        match self.values.get(name) {
            Some(Setting::Int(value)) => usize::try_from(*value).unwrap_or(0),
            other => unreachable!("{name} is a whole number in the table of models, not {other:?}"),
        }
    }

    pub(crate) fn float(&self, name: &str) -> f64 {
        match self.values.get(name) {
            Some(Setting::Float(value)) => *value,
            other => unreachable!("{name} is a number in the table of models, not {other:?}"),
        }
    }

    pub(crate) fn text(&self, name: &str) -> &str {
        match self.values.get(name) {
            Some(Setting::Text(value)) => value,
            other => unreachable!("{name} is a text in the table of models, not {other:?}"),
        }
    }
}

/// Says that there is a place for each score.
pub(crate) fn check_lengths(candidates: &[u32], out: &[f32]) -> Result<()> {
    if candidates.len() == out.len() {
        Ok(())
    } else {
        Err(Error::argument(format!(
            "{} candidates and places for {} scores",
            candidates.len(),
            out.len()
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::DatasetBuilder;
    use crate::features::Column;
    use crate::random::{below, bits};

    /// A model whose checksum is right and whose content is not: what a bug of a writer would leave. Reading it may
    /// fail or give another model, and neither that nor asking the model may panic.
    #[test]
    fn wrong_content_under_a_right_checksum_does_not_panic() {
        let mut builder = DatasetBuilder::new();
        for (user, item, time) in [
            ("a", "x", 1),
            ("a", "y", 2),
            ("b", "y", 3),
            ("b", "z", 4),
            ("c", "x", 5),
        ] {
            builder.event(user, item, 1.0, time);
        }
        let titles = ["red tea", "red cup", "pot"].map(|title| Some(title.to_owned()));
        let features = Features::new(3)
            .with("title", Column::Text(titles.to_vec()))
            .expect("one column");
        builder
            .items(&["x", "y", "z"], features.clone())
            .expect("three rows");
        builder.users(&["a", "b", "c"], features).expect("three rows");
        let dataset = builder.finish(9).expect("sound data");
        let mut read = 0;
        for spec in MODELS {
            let fitted = spec
                .fit(&Settings::new(), &dataset, &Training::seeded(1))
                .expect("defaults fit");
            let saved = fitted.save();
            for round in 0..400 {
                let mut content = saved[24..].to_vec();
                for change in 0..1 + round % 3 {
                    let place = below(1, round, change * 2, content.len() as u64) as usize;
                    content[place] = bits(1, round, change * 2 + 1) as u8;
                }
                let mut writer = Writer::default();
                writer.raw(&[0; 24]);
                writer.raw(&content);
                // A model of a rule is no more than a number of items: any number is sound, and some are too many to
                // ask for.
                if let Ok(model) = load(&writer.finish())
                    && model.items() < 1_000
                {
                    read += 1;
                    let history = [Interaction::new(0, 1), Interaction::new(1, 2)];
                    let query = Query::new(Some(1), &history, 9);
                    let _ = model.retrieve(&query, 5, Eligible::default());
                    let _ = model.score(&query, &[0, 2, 5], &mut [0.0; 3]);
                    let _ = model.similar_items(&query, 1, 3, Eligible::default());
                    let _ = model.similar_users(&query, 3, Eligible::default());
                    let _ = model.user_vector(&query);
                    let _ = model.save();
                }
            }
        }
        assert!(read > 1_000, "most of the changes reach a model: {read}");
    }
}
