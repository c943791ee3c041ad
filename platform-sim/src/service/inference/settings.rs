//! How an answer is put together: what a model says, and what a request says instead.

use serde::{Deserialize, Serialize};

/// The settings that somebody gave; the others are taken from elsewhere. All are in their ranges.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Overrides {
    pub(crate) exploration_factor: Option<f32>,
    pub(crate) diversity_factor: Option<f32>,
    pub(crate) boosting_factor: Option<f32>,
    pub(crate) diversity_attributes: Option<Vec<String>>,
    pub(crate) diversity_window: Option<usize>,
    pub(crate) retrieval_k: Option<usize>,
    pub(crate) retriever_k: RetrieverOverrides,
    pub(crate) limit: Option<usize>,
}

/// How many candidates single retrievers give.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct RetrieverOverrides {
    pub(crate) knn: Option<usize>,
    pub(crate) chronological: Option<usize>,
    pub(crate) toplist: Option<usize>,
    pub(crate) trending: Option<usize>,
    pub(crate) random: Option<usize>,
    pub(crate) cold_start: Option<usize>,
}

/// The settings of one answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Settings {
    pub(crate) exploration_factor: f32,
    pub(crate) diversity_factor: f32,
    pub(crate) boosting_factor: f32,
    pub(crate) diversity_attributes: Vec<String>,
    pub(crate) diversity_window: usize,
    pub(crate) retrieval_k: usize,
    pub(crate) retriever_k: RetrieverCounts,
    /// How many results; nothing where neither the request nor the model says.
    pub(crate) limit: Option<usize>,
}

/// How many candidates each retriever gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RetrieverCounts {
    pub(crate) knn: usize,
    pub(crate) chronological: usize,
    pub(crate) toplist: usize,
    pub(crate) trending: usize,
    pub(crate) random: usize,
    pub(crate) cold_start: usize,
}

pub(crate) const DEFAULT_RETRIEVAL_K: usize = 300;
pub(crate) const DEFAULT_COLD_START_K: usize = 50;
pub(crate) const DEFAULT_DIVERSITY_WINDOW: usize = 30;

impl Settings {
    /// The request's settings, else the model's, else the defaults.
    ///
    /// `retrieval_k` is the count of every retriever that has no count of its own. The cold-start retriever gives
    /// 50 at most unless told otherwise, and the random one nothing.
    pub(crate) fn resolve(model: &Overrides, request: &Overrides) -> Settings {
        let number = |of: fn(&Overrides) -> Option<f32>| of(request).or(of(model)).unwrap_or(0.0);
        let count = |of: fn(&Overrides) -> Option<usize>| of(request).or(of(model));
        let retrieval_k = count(|given| given.retrieval_k).unwrap_or(DEFAULT_RETRIEVAL_K);
        Settings {
            exploration_factor: number(|given| given.exploration_factor),
            diversity_factor: number(|given| given.diversity_factor),
            boosting_factor: number(|given| given.boosting_factor),
            diversity_attributes: request
                .diversity_attributes
                .clone()
                .or_else(|| model.diversity_attributes.clone())
                .unwrap_or_default(),
            diversity_window: count(|given| given.diversity_window).unwrap_or(DEFAULT_DIVERSITY_WINDOW),
            retrieval_k,
            retriever_k: RetrieverCounts {
                knn: count(|given| given.retriever_k.knn).unwrap_or(retrieval_k),
                chronological: count(|given| given.retriever_k.chronological).unwrap_or(retrieval_k),
                toplist: count(|given| given.retriever_k.toplist).unwrap_or(retrieval_k),
                trending: count(|given| given.retriever_k.trending).unwrap_or(retrieval_k),
                random: count(|given| given.retriever_k.random).unwrap_or(0),
                cold_start: count(|given| given.retriever_k.cold_start)
                    .unwrap_or(DEFAULT_COLD_START_K.min(retrieval_k)),
            },
            limit: count(|given| given.limit),
        }
    }

    /// Whether an answer is the best candidates in the order of their scores, with nothing mixed in.
    pub(crate) fn keeps_order(&self) -> bool {
        [
            self.exploration_factor,
            self.diversity_factor,
            self.boosting_factor,
        ] == [0.0; 3]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_request_stands_before_the_model_and_the_model_before_the_defaults() {
        let nobody = Overrides::default();
        let defaults = Settings::resolve(&nobody, &nobody);
        assert_eq!(
            (defaults.retrieval_k, defaults.diversity_window, defaults.limit),
            (300, 30, None)
        );
        let counts = RetrieverCounts {
            knn: 300,
            chronological: 300,
            toplist: 300,
            trending: 300,
            random: 0,
            cold_start: 50,
        };
        assert_eq!(defaults.retriever_k, counts);
        let mut model = Overrides {
            retrieval_k: Some(20),
            limit: Some(7),
            diversity_factor: Some(0.5),
            ..Overrides::default()
        };
        model.retriever_k.trending = Some(3);
        let mut request = Overrides {
            limit: Some(2),
            ..Overrides::default()
        };
        request.retriever_k.random = Some(9);
        let settings = Settings::resolve(&model, &request);
        assert_eq!((settings.limit, settings.diversity_factor), (Some(2), 0.5));
        let counts = RetrieverCounts {
            knn: 20,
            chronological: 20,
            toplist: 20,
            trending: 3,
            random: 9,
            cold_start: 20,
        };
        assert_eq!(settings.retriever_k, counts);
    }
}
