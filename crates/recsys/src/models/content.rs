//! What items and users are about, from their columns.
//!
//! A row becomes a sparse vector: words of texts and labels of categories weigh tf · idf (Salton, Buckley, 1988), and
//! the numbers of given vectors stand beside them with the same total weight. A feature is a hash of its name
//! (Weinberger et al., ICML 2009), so rows that the training has not seen have vectors too. Likeness is the cosine.
//!
//! Three models read such vectors: items like the last one of a history, users like the one who asks, and items like
//! those that a user took lately.

use std::collections::HashMap;
use std::sync::OnceLock;

use rayon::prelude::*;

use crate::codec::{Reader, Writer};
use crate::data::{Dataset, Interaction};
use crate::error::{Error, Result};
use crate::features::{Column, Features};
use crate::matrix::{Matrix, Sparse};
use crate::model::{
    Capabilities, Family, ModelSpec, ModelWriter, Parameter, Query, Recommender, Resolved, Training,
    check_lengths,
};
use crate::models::prior::Prior;
use crate::models::weights::Weights;
use crate::random::hash_bytes;
use crate::scan::{Eligible, Scored, top_k_of};

pub(crate) static ITEM_SPEC: ModelSpec = ModelSpec {
    id: "item_content_similarity",
    name: "Item content similarity",
    family: Family::Content,
    choose_when: "for items like the one on the screen, new ones included, when nobody has interacted yet",
    paper: "Salton, Buckley, 1988; Weinberger et al., ICML 2009",
    parameters: &[COLUMNS, DIMENSION],
    can: Capabilities {
        personal: true,
        item_vectors: true,
        similar_items: true,
        new_items: true,
        item_features: true,
        ..Capabilities::NONE
    },
    version: 1,
    fit: |settings, dataset, _| {
        Ok(Box::new(ByItems::new(
            settings,
            dataset,
            &ITEM_SPEC,
            1,
            Pooling::Mean,
        )))
    },
    read: |reader| Ok(Box::new(ByItems::read(reader, &ITEM_SPEC)?)),
};

pub(crate) static USER_SPEC: ModelSpec = ModelSpec {
    id: "user_content_similarity",
    name: "User content similarity",
    family: Family::Content,
    choose_when: "for people with a like profile and for what they like, when the users have columns",
    paper: "Salton, Buckley, 1988; Weinberger et al., ICML 2009",
    parameters: &[
        COLUMNS,
        DIMENSION,
        Parameter::int(
            "neighbours",
            50,
            (1, 10_000),
            "the items of so many like users are scored",
        ),
    ],
    can: Capabilities {
        personal: true,
        user_vectors: true,
        similar_users: true,
        user_features: true,
        ..Capabilities::NONE
    },
    version: 1,
    fit: fit_users,
    read: |reader| ByUsers::read(reader),
};

pub(crate) static USER_ITEM_SPEC: ModelSpec = ModelSpec {
    id: "user_item_content_similarity",
    name: "User-item content similarity",
    family: Family::Content,
    choose_when: "for new items, by the topics that a user took lately",
    paper: "Salton, Buckley, 1988; Weinberger et al., ICML 2009",
    parameters: &[
        COLUMNS,
        DIMENSION,
        Parameter::int(
            "history",
            10,
            (1, 1000),
            "so many of the last items describe a user",
        ),
        Parameter::choice(
            "pooling",
            "mean",
            &["mean", "max"],
            "likeness to the mean of these items, or to the nearest of them",
        ),
    ],
    can: Capabilities {
        personal: true,
        item_vectors: true,
        similar_items: true,
        new_items: true,
        item_features: true,
        ..Capabilities::NONE
    },
    version: 1,
    fit: |settings, dataset, _| {
        let pooling = if settings.text("pooling") == "max" {
            Pooling::Max
        } else {
            Pooling::Mean
        };
        let reach = settings.int("history");
        Ok(Box::new(ByItems::new(
            settings,
            dataset,
            &USER_ITEM_SPEC,
            reach,
            pooling,
        )))
    },
    read: |reader| Ok(Box::new(ByItems::read(reader, &USER_ITEM_SPEC)?)),
};

const COLUMNS: Parameter = Parameter::text(
    "columns",
    "",
    "the columns to read, separated by commas; empty for all texts, categories and vectors",
);
const DIMENSION: Parameter = Parameter::int(
    "dimension",
    128,
    (1, 4096),
    "the length of the dense vectors given out, which keep the cosines about",
);

/// Hashes of features are numbers below it.
const BUCKETS: usize = 1 << 20;

/// A sparse vector of length 1, ascending by bucket; empty where a row says nothing.
type SparseVector = Vec<(u32, f32)>;

/// Turns rows of columns into vectors.
#[derive(Debug, Clone, PartialEq)]
struct Encoder {
    columns: Vec<String>,
    dimension: usize,
    /// How many rows were counted.
    rows: usize,
    /// In how many rows a bucket occurs, ascending by bucket.
    frequencies: Vec<(u32, u32)>,
}

impl Encoder {
    fn new(settings: &Resolved, features: &Features) -> Self {
        let mut encoder = Self {
            columns: settings
                .text("columns")
                .split(',')
                .map(|name| name.trim().to_owned())
                .filter(|name| !name.is_empty())
                .collect(),
            dimension: settings.int("dimension"),
            rows: features.rows(),
            frequencies: Vec::new(),
        };
        let mut counts: HashMap<u32, u32> = HashMap::new();
        for row in 0..features.rows() {
            for bucket in encoder.terms(features, row).into_keys() {
                *counts.entry(bucket).or_default() += 1;
            }
        }
        encoder.frequencies = counts.into_iter().collect();
        encoder.frequencies.sort_unstable();
        encoder
    }

    fn reads(&self, column: &str) -> bool {
        self.columns.is_empty() || self.columns.iter().any(|name| name == column)
    }

    /// How often each word and label occurs in a row, by bucket.
    fn terms(&self, features: &Features, row: usize) -> HashMap<u32, f32> {
        let mut terms = HashMap::new();
        for (name, column) in features.columns().filter(|(name, _)| self.reads(name)) {
            match column {
                Column::Text(texts) => {
                    if let Some(text) = texts.get(row).and_then(Option::as_deref) {
                        for word in words(text) {
                            *terms.entry(bucket("", &word)).or_default() += 1.0;
                        }
                    }
                }
                Column::Category(_) | Column::CategoryList(_) => {
                    for label in column.labels(row) {
                        *terms.entry(bucket(name, label)).or_default() += 1.0;
                    }
                }
                _ => {}
            }
        }
        terms
    }

    fn encode(&self, features: &Features, row: usize) -> SparseVector {
        let mut vector: SparseVector = self
            .terms(features, row)
            .into_iter()
            .map(|(bucket, count)| (bucket, (1.0 + count.ln()) * self.idf(bucket)))
            .collect();
        vector.sort_unstable_by_key(|entry| entry.0);
        normalise(&mut vector);
        for (name, column) in features.columns().filter(|(name, _)| self.reads(name)) {
            if let Column::Vector(vectors) = column
                && let Some(given) = vectors.get(row).and_then(Option::as_deref)
            {
                let mut part: SparseVector = given
                    .iter()
                    .enumerate()
                    .filter(|(_, value)| value.is_finite())
                    .map(|(place, value)| (bucket(name, &place.to_string()), *value))
                    .collect();
                normalise(&mut part);
                vector.extend(part);
            }
        }
        vector.sort_by_key(|entry| entry.0);
        merge(&mut vector);
        normalise(&mut vector);
        vector
    }

    fn encode_all(&self, features: &Features) -> Sparse {
        let rows: Vec<SparseVector> = (0..features.rows())
            .into_par_iter()
            .map(|row| self.encode(features, row))
            .collect();
        Sparse::from_rows(BUCKETS, rows)
    }

    fn idf(&self, bucket: u32) -> f32 {
        let count = match self.frequencies.binary_search_by_key(&bucket, |entry| entry.0) {
            Ok(place) => self.frequencies[place].1,
            Err(_) => 0,
        };
        // Never zero: a word that every row has still counts a little.
        (((1.0 + self.rows as f64) / (1.0 + f64::from(count))).ln() + 1.0) as f32
    }

    /// A dense vector whose inner products are about those of the sparse one: entries are added with the sign and at
    /// the place that their hash says.
    fn sketch(&self, vector: impl Iterator<Item = (u32, f32)>, out: &mut [f32]) {
        out.fill(0.0);
        for (bucket, weight) in vector {
            let hash = hash_bytes(1, &bucket.to_le_bytes());
            let sign = if hash >> 63 == 0 { 1.0 } else { -1.0 };
            out[(hash % self.dimension as u64) as usize] += sign * weight;
        }
    }

    fn sketch_all(&self, vectors: &Sparse) -> Matrix {
        let mut sketches = Matrix::zeros(vectors.rows(), self.dimension);
        for row in 0..vectors.rows() {
            self.sketch(vectors.row_pairs(row), sketches.row_mut(row));
        }
        sketches
    }

    fn write(&self, writer: &mut Writer) {
        writer.u64(self.columns.len() as u64);
        for column in &self.columns {
            writer.text(column);
        }
        writer.u64(self.dimension as u64);
        writer.u64(self.rows as u64);
        let (buckets, counts): (Vec<u32>, Vec<u32>) = self.frequencies.iter().copied().unzip();
        writer.u32s(&buckets);
        writer.u32s(&counts);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let columns = reader.usize()?;
        let columns = (0..columns).map(|_| reader.text()).collect::<Result<_>>()?;
        let dimension = reader.usize()?;
        let rows = reader.usize()?;
        let (buckets, counts) = (reader.u32s()?, reader.u32s()?);
        if buckets.len() != counts.len() || !buckets.is_sorted() || !(1..=4096).contains(&dimension) {
            return Err(damaged());
        }
        Ok(Self {
            columns,
            dimension,
            rows,
            frequencies: buckets.into_iter().zip(counts).collect(),
        })
    }
}

fn damaged() -> Error {
    Error::artefact("a saved content model is damaged")
}

/// Runs of letters and digits, in lower case.
fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// Words of all texts share one space; labels and vectors have one per column.
fn bucket(column: &str, term: &str) -> u32 {
    let seed = hash_bytes(0, column.as_bytes());
    (hash_bytes(seed, term.as_bytes()) % BUCKETS as u64) as u32
}

fn normalise(vector: &mut SparseVector) {
    let length = vector
        .iter()
        .map(|(_, weight)| weight * weight)
        .sum::<f32>()
        .sqrt();
    if length > 0.0 && length.is_finite() {
        for (_, weight) in vector.iter_mut() {
            *weight /= length;
        }
    } else {
        vector.clear();
    }
}

/// Adds up neighbouring entries of one bucket.
fn merge(vector: &mut SparseVector) {
    vector.dedup_by(|later, first| {
        let same = later.0 == first.0;
        if same {
            first.1 += later.1;
        }
        same
    });
}

fn inner_product(a: &[(u32, f32)], b: (&[u32], &[f32])) -> f32 {
    let mut sum = 0.0;
    let mut place = 0;
    for (bucket, weight) in b.0.iter().zip(b.1) {
        while place < a.len() && a[place].0 < *bucket {
            place += 1;
        }
        if place < a.len() && a[place].0 == *bucket {
            sum += a[place].1 * weight;
        }
    }
    sum
}

/// The vectors of the rows of a training, from either side.
#[derive(Debug)]
struct Catalogue {
    encoder: Encoder,
    rows: Sparse,
    /// By bucket: the rows that hold it.
    postings: Sparse,
    /// Dense vectors are larger than all the rest, and made when somebody wants them.
    sketches: OnceLock<Matrix>,
}

impl Catalogue {
    fn new(encoder: Encoder, rows: Sparse) -> Self {
        Self {
            postings: rows.transposed(),
            sketches: OnceLock::new(),
            encoder,
            rows,
        }
    }

    fn sketches(&self) -> &Matrix {
        self.sketches.get_or_init(|| self.encoder.sketch_all(&self.rows))
    }

    fn fit(settings: &Resolved, features: &Features, rows: usize) -> Self {
        let encoder = Encoder::new(settings, features);
        let vectors = if features.is_empty() {
            Sparse::from_rows(BUCKETS, (0..rows).map(|_| Vec::new()))
        } else {
            encoder.encode_all(features)
        };
        Self::new(encoder, vectors)
    }

    /// Row `row` of the training, or of `new` from there on.
    fn vector(&self, row: usize, new: Option<&Features>) -> SparseVector {
        match row.checked_sub(self.rows.rows()) {
            None => self.rows.row_pairs(row).collect(),
            Some(row) => match new {
                Some(new) if row < new.rows() => self.encoder.encode(new, row),
                _ => Vec::new(),
            },
        }
    }

    /// The cosine of `profile` with each candidate; NaN where a candidate says nothing.
    fn cosines(&self, profile: &SparseVector, candidates: &[u32], new: Option<&Features>, out: &mut [f32]) {
        let known = self.rows.rows();
        if candidates.len().saturating_mul(8) < known {
            for (score, candidate) in out.iter_mut().zip(candidates) {
                let row = *candidate as usize;
                *score = if row >= known {
                    self.new_cosine(profile, row, new)
                } else if self.rows.row_len(row) == 0 {
                    f32::NAN
                } else {
                    inner_product(profile, self.rows.row(row))
                };
            }
            return;
        }
        let sums = self.sums(profile);
        for (score, candidate) in out.iter_mut().zip(candidates) {
            let row = *candidate as usize;
            *score = if row >= known {
                self.new_cosine(profile, row, new)
            } else if self.rows.row_len(row) == 0 {
                f32::NAN
            } else {
                sums.get(*candidate)
            };
        }
    }

    fn new_cosine(&self, profile: &SparseVector, row: usize, new: Option<&Features>) -> f32 {
        let vector = self.vector(row, new);
        if vector.is_empty() {
            return f32::NAN;
        }
        let (buckets, weights): (Vec<u32>, Vec<f32>) = vector.into_iter().unzip();
        inner_product(profile, (&buckets, &weights))
    }

    fn sums(&self, profile: &SparseVector) -> Weights {
        let rows = self.rows.rows();
        let mut sums = Weights::new(rows, rows);
        for &(bucket, weight) in profile {
            for (row, other) in self.postings.row_pairs(bucket as usize) {
                sums.add(row, weight * other);
            }
        }
        sums
    }

    /// The rows with the largest cosines, without `except`.
    fn nearest(
        &self,
        profile: &SparseVector,
        except: Option<u32>,
        limit: usize,
        eligible: Eligible<'_>,
    ) -> Vec<Scored> {
        let sums = self.sums(profile);
        let rows = (0..self.rows.rows() as u32)
            .filter(|row| {
                Some(*row) != except && self.rows.row_len(*row as usize) > 0 && eligible.allows(*row)
            })
            .map(|row| Scored {
                id: row,
                score: sums.get(row),
            });
        top_k_of(rows, limit)
    }

    fn write(&self, writer: &mut Writer) {
        self.encoder.write(writer);
        self.rows.write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let encoder = Encoder::read(reader)?;
        let rows = Sparse::read(reader)?;
        if rows.columns() != BUCKETS {
            return Err(damaged());
        }
        Ok(Self::new(encoder, rows))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pooling {
    Mean,
    Max,
}

/// Items like the last ones of a history.
#[derive(Debug)]
struct ByItems {
    spec: &'static ModelSpec,
    reach: usize,
    pooling: Pooling,
    prior: Prior,
    items: Catalogue,
}

impl ByItems {
    fn new(
        settings: &Resolved,
        dataset: &Dataset,
        spec: &'static ModelSpec,
        reach: usize,
        pooling: Pooling,
    ) -> Self {
        Self {
            spec,
            reach,
            pooling,
            prior: Prior::new(dataset),
            items: Catalogue::fit(settings, dataset.item_features(), dataset.items().len()),
        }
    }

    fn read(reader: &mut Reader<'_>, spec: &'static ModelSpec) -> Result<Self> {
        let reach = reader.usize()?;
        let pooling = if reader.u32()? == 1 {
            Pooling::Max
        } else {
            Pooling::Mean
        };
        let prior = Prior::read(reader)?;
        let items = Catalogue::read(reader)?;
        if items.rows.rows() != prior.len() {
            return Err(damaged());
        }
        Ok(Self {
            spec,
            reach,
            pooling,
            prior,
            items,
        })
    }

    /// The vectors that a user stands for: of the last items, or of the user's own columns if there are none.
    fn profiles(&self, query: &Query<'_>) -> Vec<SparseVector> {
        let liked = |one: &&Interaction| one.label > 0.0;
        let mut vectors: Vec<SparseVector> = query
            .history
            .iter()
            .rev()
            .filter(liked)
            .map(|one| self.items.vector(one.item as usize, query.new_items))
            .filter(|vector| !vector.is_empty())
            .take(self.reach)
            .collect();
        if vectors.is_empty()
            && let Some(user) = query.user_features.filter(|user| user.rows() > 0)
        {
            vectors.push(self.items.encoder.encode(user, 0));
            vectors.retain(|vector| !vector.is_empty());
        }
        if self.pooling == Pooling::Mean && vectors.len() > 1 {
            let mut mean: SparseVector = vectors.into_iter().flatten().collect();
            mean.sort_by_key(|entry| entry.0);
            merge(&mut mean);
            normalise(&mut mean);
            vectors = vec![mean];
            vectors.retain(|vector| !vector.is_empty());
        }
        vectors
    }
}

impl Recommender for ByItems {
    fn spec(&self) -> &'static ModelSpec {
        self.spec
    }

    fn items(&self) -> usize {
        self.prior.len()
    }

    /// The cosine with what the user took lately. Without anything to compare with, the popularity of known items.
    fn score(&self, query: &Query<'_>, candidates: &[u32], out: &mut [f32]) -> Result<()> {
        check_lengths(candidates, out)?;
        let profiles = self.profiles(query);
        let Some((first, others)) = profiles.split_first() else {
            for (score, candidate) in out.iter_mut().zip(candidates) {
                *score = self.prior.get(*candidate);
            }
            return Ok(());
        };
        self.items.cosines(first, candidates, query.new_items, out);
        let mut scores = vec![0.0; if others.is_empty() { 0 } else { out.len() }];
        for profile in others {
            self.items
                .cosines(profile, candidates, query.new_items, &mut scores);
            for (best, score) in out.iter_mut().zip(&scores) {
                *best = best.max(*score);
            }
        }
        Ok(())
    }

    fn item_vectors(&self) -> Option<&Matrix> {
        Some(self.items.sketches())
    }

    /// The mean of the profile, as long as the item vectors.
    fn user_vector(&self, query: &Query<'_>) -> Option<Vec<f32>> {
        let profiles = self.profiles(query);
        if profiles.is_empty() {
            return None;
        }
        let share = 1.0 / profiles.len() as f32;
        let mut vector = vec![0.0; self.items.encoder.dimension];
        let entries = profiles
            .into_iter()
            .flatten()
            .map(|(bucket, weight)| (bucket, share * weight));
        self.items.encoder.sketch(entries, &mut vector);
        Some(vector)
    }

    fn new_item_vectors(&self, items: &Features) -> Option<Matrix> {
        Some(
            self.items
                .encoder
                .sketch_all(&self.items.encoder.encode_all(items)),
        )
    }

    fn similar_items(
        &self,
        query: &Query<'_>,
        item: u32,
        limit: usize,
        eligible: Eligible<'_>,
    ) -> Option<Vec<Scored>> {
        let vector = self.items.vector(item as usize, query.new_items);
        (!vector.is_empty()).then(|| self.items.nearest(&vector, Some(item), limit, eligible))
    }

    fn write(&self, writer: &mut ModelWriter) {
        let writer = &mut writer.0;
        writer.u64(self.reach as u64);
        writer.u32(u32::from(self.pooling == Pooling::Max));
        self.prior.write(writer);
        self.items.write(writer);
    }
}

/// What users with a like profile took.
#[derive(Debug)]
struct ByUsers {
    neighbours: usize,
    prior: Prior,
    users: Catalogue,
    /// Users by items.
    taken: Sparse,
}

fn fit_users(
    settings: &Resolved,
    dataset: &Dataset,
    _training: &Training<'_>,
) -> Result<Box<dyn Recommender>> {
    Ok(Box::new(ByUsers {
        neighbours: settings.int("neighbours"),
        prior: Prior::new(dataset),
        users: Catalogue::fit(settings, dataset.user_features(), dataset.users().len()),
        taken: dataset.preferences(),
    }))
}

/// How much popularity is added: it orders the items that no neighbour took.
const POPULARITY: f32 = 1e-3;

impl ByUsers {
    fn read(reader: &mut Reader<'_>) -> Result<Box<dyn Recommender>> {
        let neighbours = reader.usize()?;
        let prior = Prior::read(reader)?;
        let users = Catalogue::read(reader)?;
        let taken = Sparse::read(reader)?;
        if taken.rows() != users.rows.rows() || taken.columns() != prior.len() {
            return Err(damaged());
        }
        Ok(Box::new(Self {
            neighbours,
            prior,
            users,
            taken,
        }))
    }

    /// The features in the query, else those of the training.
    fn profile(&self, query: &Query<'_>) -> SparseVector {
        match (query.user_features, query.user) {
            (Some(features), _) if features.rows() > 0 => self.users.encoder.encode(features, 0),
            (_, Some(user)) => self.users.vector(user as usize, None),
            _ => Vec::new(),
        }
    }
}

impl Recommender for ByUsers {
    fn spec(&self) -> &'static ModelSpec {
        &USER_SPEC
    }

    fn items(&self) -> usize {
        self.prior.len()
    }

    /// The mean likeness of the like users who took the item; without columns of the user, the popularity.
    fn score(&self, query: &Query<'_>, candidates: &[u32], out: &mut [f32]) -> Result<()> {
        check_lengths(candidates, out)?;
        let profile = self.profile(query);
        let near = if profile.is_empty() {
            Vec::new()
        } else {
            self.users
                .nearest(&profile, query.user, self.neighbours, Eligible::default())
        };
        let popularity = if near.is_empty() { 1.0 } else { POPULARITY };
        let share = 1.0 / near.len().max(1) as f32;
        let mut sums = Weights::new(self.items(), candidates.len());
        for neighbour in near.iter().filter(|neighbour| neighbour.score > 0.0) {
            for &item in self.taken.row(neighbour.id as usize).0 {
                sums.add(item, share * neighbour.score);
            }
        }
        for (score, &candidate) in out.iter_mut().zip(candidates) {
            *score = sums.get(candidate) + popularity * self.prior.get(candidate);
        }
        Ok(())
    }

    fn user_vectors(&self) -> Option<&Matrix> {
        Some(self.users.sketches())
    }

    fn user_vector(&self, query: &Query<'_>) -> Option<Vec<f32>> {
        let profile = self.profile(query);
        if profile.is_empty() {
            return None;
        }
        let mut vector = vec![0.0; self.users.encoder.dimension];
        self.users.encoder.sketch(profile.into_iter(), &mut vector);
        Some(vector)
    }

    fn similar_users(&self, query: &Query<'_>, limit: usize, eligible: Eligible<'_>) -> Option<Vec<Scored>> {
        let profile = self.profile(query);
        (!profile.is_empty()).then(|| self.users.nearest(&profile, query.user, limit, eligible))
    }

    fn write(&self, writer: &mut ModelWriter) {
        let writer = &mut writer.0;
        writer.u64(self.neighbours as u64);
        self.prior.write(writer);
        self.users.write(writer);
        self.taken.write(writer);
    }
}
