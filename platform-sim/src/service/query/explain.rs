//! What a query did, stage by stage.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a query did. Times are milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Explanation {
    /// Of a saved query.
    pub(crate) query_name: Option<String>,
    pub(crate) query_type: String,
    /// As they were used, defaults filled in.
    pub(crate) parameters: Map<String, Value>,
    pub(crate) pagination_id: Option<String>,
    pub(crate) retrieve_stage: Stage,
    pub(crate) filter_stage: Stage,
    pub(crate) score_stage: Stage,
    pub(crate) reorder_stage: Stage,
    pub(crate) total_execution_time_ms: f64,
    pub(crate) final_result_count: usize,
    pub(crate) limit_applied: usize,
    /// What was odd, such as values that counted as 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<String>,
}

/// What one stage did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stage {
    pub(crate) stage_name: String,
    pub(crate) execution_time_ms: f64,
    pub(crate) input_count: usize,
    pub(crate) output_count: usize,
    pub(crate) steps: Vec<Step>,
}

/// What one step did. The fields behind the metadata belong to some kinds of steps each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    pub(crate) step_name: String,
    pub(crate) step_type: String,
    pub(crate) input_count: usize,
    pub(crate) output_count: usize,
    pub(crate) execution_time_ms: f64,
    pub(crate) metadata: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) retrieved_count: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) limit: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) filter_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) expression: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) items_filtered: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) value_model: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) score_distribution: Option<Distribution>,
    /// By the name of the policy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) policy_scores: Option<std::collections::BTreeMap<String, Distribution>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) user_interaction_count: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) strength: Option<f32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) items_reordered: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) diversity_lookback_window: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) diversity_lookforward_window: Option<usize>,
}

/// How scores lie. Numbers are missing where nothing was scored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Distribution {
    /// How many candidates have a score.
    pub(crate) count: usize,
    pub(crate) min: Option<f64>,
    pub(crate) max: Option<f64>,
    pub(crate) mean: Option<f64>,
    /// The standard deviation.
    pub(crate) std: Option<f64>,
    pub(crate) median: Option<f64>,
}

impl Distribution {
    /// Of the finite ones among some scores.
    pub(crate) fn of(scores: impl Iterator<Item = f64>) -> Distribution {
        let mut scores: Vec<f64> = scores.filter(|score| score.is_finite()).collect();
        scores.sort_by(f64::total_cmp);
        let count = scores.len();
        let (Some(min), Some(max)) = (scores.first(), scores.last()) else {
            return Distribution::default();
        };
        let finite = |value: f64| Some(value).filter(|value| value.is_finite());
        let mean = scores.iter().map(|score| score / count as f64).sum::<f64>();
        let variance = scores
            .iter()
            .map(|score| (score - mean).powi(2) / count as f64)
            .sum::<f64>();
        let middle = scores[count / 2];
        let median = if count.is_multiple_of(2) {
            (scores[count / 2 - 1] + middle) / 2.0
        } else {
            middle
        };
        Distribution {
            count,
            min: Some(*min),
            max: Some(*max),
            mean: finite(mean),
            std: finite(variance.sqrt()),
            median: finite(median),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distribution_is_that_of_the_finite_scores() {
        let found = Distribution::of([4.0, f64::NAN, 1.0, 3.0, f64::INFINITY, 8.0].into_iter());
        assert_eq!((found.count, found.min, found.max), (4, Some(1.0), Some(8.0)));
        assert_eq!((found.mean, found.median), (Some(4.0), Some(3.5)));
        // The squares of 3, 1, 0 and 4 over four.
        assert_eq!(found.std, Some(6.5_f64.sqrt()));
        assert_eq!(Distribution::of(std::iter::empty()), Distribution::default());
    }
}
