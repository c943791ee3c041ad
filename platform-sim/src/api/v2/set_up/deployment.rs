//! `deployment`: what this server can act on, and what it keeps to show.

use super::fields::Fields;
use crate::service::domain::{ModelConfig, OnlineLimits};

/// The longest that pages are remembered: thirty days, in seconds.
const MAX_PAGE_SECONDS: i64 = 30 * 86_400;

pub(super) fn read(deployment: &mut Fields<'_, '_>, config: &mut ModelConfig) {
    deployment.choice("data_tier", &[("cold_tier", ()), ("fast_tier", ())], false);
    deployment.object_or_default("rollout", |rollout| {
        rollout.object_or_default("strategy", |strategy| {
            let kinds = [("canary", true), ("recreate", false)];
            if strategy.choice("type", &kinds, false) == Some(true) {
                strategy.count("evaluation_period_minutes", 10, 1..=10_080);
            }
        });
    });
    deployment.object_or_default("autoscaling", |scaling| {
        let least = scaling.count("min_replicas", 1, 1..=1_000);
        let most = scaling.count("max_replicas", least.max(20), 1..=1_000);
        if most < least {
            scaling.report(
                "max_replicas",
                "out_of_range",
                format!("max_replicas {most} is less than min_replicas {least}"),
            );
        }
        scaling.object_or_default("policy", |policy| {
            let kinds = [("latency", true), ("requests_per_second", false)];
            match policy.choice("type", &kinds, false) {
                Some(true) => {
                    policy.positive("target_seconds", 0.5, 60.0);
                }
                Some(false) => {
                    policy.positive("target_requests", 10.0, 1e6);
                }
                None => {}
            }
        });
    });
    deployment.object_or_default("server", |server| {
        server.count("worker_count", 1, 1..=1_000);
    });
    deployment.object_or_default("pagination", |pagination| {
        let seconds = pagination.count("page_expiration_in_seconds", 0, 0..=MAX_PAGE_SECONDS);
        config.pagination_store_ttl = u64::try_from(seconds).unwrap_or(0);
    });
    deployment.object_or_default("online_store", |store| {
        let most = store.count("interaction_max_per_user", 30, 0..=10_000);
        config.online = OnlineLimits {
            most_per_user: usize::try_from(most).unwrap_or(0),
            days: store.count("interaction_expiration_days", 90, 0..=3_650),
        };
    });
}
