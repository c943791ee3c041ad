//! Vectors as the index holds them: rows of signed bytes.

use std::sync::Arc;

use crate::vector::dot_f32;

/// Section vectors and the table that turns queries into vectors, as floats: the builder makes bytes of them.
#[derive(Debug, Clone, Copy)]
pub struct Vectors<'a> {
    /// What made them: `all-MiniLM-L6-v2+pca128`.
    pub embedder: &'a str,
    /// Numbers in a row.
    pub dimensions: usize,
    /// One row for each section, in the order in which sections were added.
    pub sections: &'a [f32],
    /// Wordpieces by falling use (`##ing` inside of words).
    pub pieces: &'a [&'a str],
    /// One row for each piece.
    pub table: &'a [f32],
}

#[derive(Debug, Clone)]
pub(super) struct QuantisedVectors {
    pub(super) embedder: String,
    pub(super) dimensions: usize,
    pub(super) sections: Vec<Vec<i8>>,
    pub(super) pieces: Vec<String>,
    pub(super) table: Arc<QuantisedTable>,
    pub(super) clusters: Vec<Cluster>,
}

/// The rows of the pieces, with what they were made from.
#[derive(Debug)]
pub(super) struct QuantisedTable {
    values: Vec<f32>,
    dimensions: usize,
    pub(super) rows: Vec<(f32, Vec<i8>)>,
}

impl QuantisedTable {
    /// The table of these values, which may be one that is known.
    fn of(values: &[f32], dimensions: usize, known: Option<&Arc<Self>>) -> Arc<Self> {
        if let Some(known) = known
            && known.dimensions == dimensions
            && known.values == values
        {
            return Arc::clone(known);
        }
        Arc::new(Self {
            values: values.to_vec(),
            dimensions,
            rows: values.chunks_exact(dimensions).map(quantised).collect(),
        })
    }
}

/// A centre, and the numbers of the sections around it, the most central first.
pub(super) type Cluster = (Vec<i8>, Vec<u32>);

/// Groups at most.
const MAX_CLUSTERS: usize = 64;
/// Sections for which a group is made.
const SECTIONS_PER_CLUSTER: usize = 24;
/// Of more sections than this, groups keep only their most central ones.
const FEW_SECTIONS: usize = 1024;
const CENTRAL_SECTIONS: usize = 8;
/// Sections that take part in making groups.
const MAX_SAMPLE: usize = 4096;
const ROUNDS: usize = 8;

impl QuantisedVectors {
    /// `known` is the table of an earlier index.
    pub(super) fn new(vectors: Vectors<'_>, known: Option<&Arc<QuantisedTable>>) -> Self {
        let Vectors {
            embedder,
            dimensions,
            sections,
            pieces,
            table,
        } = vectors;
        assert!(dimensions > 0, "vectors have dimensions");
        assert!(
            pieces.len() <= usize::from(u16::MAX),
            "pieces are counted in 16 bits"
        );
        assert_eq!(table.len(), pieces.len() * dimensions, "one row for each piece");
        let rows = sections.chunks_exact(dimensions);
        Self {
            embedder: embedder.to_owned(),
            dimensions,
            sections: rows.map(|row| quantised(row).1).collect(),
            pieces: pieces.iter().map(|piece| (*piece).to_owned()).collect(),
            table: QuantisedTable::of(table, dimensions, known),
            clusters: clusters(sections, dimensions),
        }
    }
}

/// A row as signed bytes, and what they are multiplied by.
fn quantised(row: &[f32]) -> (f32, Vec<i8>) {
    let largest = row
        .iter()
        .filter(|value| value.is_finite())
        .fold(0f32, |most, value| most.max(value.abs()));
    if largest == 0.0 {
        return (0.0, vec![0; row.len()]);
    }
    let scale = largest / 127.0;
    // A number that is none becomes 0.
    let values = row
        .iter()
        .map(|value| (value / scale).round().clamp(-127.0, 127.0) as i8);
    (scale, values.collect())
}

/// Groups by the direction of the vectors (spherical k-means). It starts from sections at equal distances, so that the same vectors
/// always give the same groups.
fn clusters(sections: &[f32], dimensions: usize) -> Vec<Cluster> {
    let count = sections.len() / dimensions;
    let step = count.div_ceil(MAX_SAMPLE).max(1);
    let sample: Vec<(u32, &[f32])> = sections
        .chunks_exact(dimensions)
        .enumerate()
        .step_by(step)
        .map(|(section, row)| (section as u32, row))
        .collect();
    let cluster_count = sample.len().div_ceil(SECTIONS_PER_CLUSTER).min(MAX_CLUSTERS);
    let mut centres: Vec<Vec<f32>> = (0..cluster_count)
        .map(|cluster| sample[cluster * sample.len() / cluster_count].1.to_vec())
        .collect();
    let mut nearest: Vec<(usize, f32)> = Vec::new();
    for _ in 0..ROUNDS {
        nearest = sample
            .iter()
            .map(|(_, row)| nearest_centre(&centres, row))
            .collect();
        for (cluster, centre) in centres.iter_mut().enumerate() {
            let members = sample
                .iter()
                .zip(&nearest)
                .filter(|(_, (other, _))| *other == cluster);
            let mut sum = vec![0f32; dimensions];
            for ((_, row), _) in members {
                sum.iter_mut().zip(*row).for_each(|(sum, value)| *sum += value);
            }
            let norm = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
            if norm > 0.0 {
                *centre = sum.iter().map(|value| value / norm).collect();
            }
        }
    }
    let most = if count <= FEW_SECTIONS {
        usize::MAX
    } else {
        CENTRAL_SECTIONS
    };
    let cluster = |(cluster, centre): (usize, Vec<f32>)| {
        let members = sample
            .iter()
            .zip(&nearest)
            .filter(|(_, (other, _))| *other == cluster);
        let mut members: Vec<(f32, u32)> = members
            .map(|((section, _), (_, similarity))| (*similarity, *section))
            .collect();
        members.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
        let sections = members.into_iter().take(most).map(|(_, section)| section);
        (quantised(&centre).1, sections.collect())
    };
    centres.into_iter().enumerate().map(cluster).collect()
}

fn nearest_centre(centres: &[Vec<f32>], row: &[f32]) -> (usize, f32) {
    let mut best = (0, f32::NEG_INFINITY);
    for (cluster, centre) in centres.iter().enumerate() {
        let similarity = dot_f32(centre, row);
        if similarity > best.1 {
            best = (cluster, similarity);
        }
    }
    best
}
