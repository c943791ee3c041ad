//! A version as queries read it: by the names of its configuration.

use std::collections::HashMap;

use recsys::Recommender;

use super::{EmbeddingVectors, LeftOut, ServingModel};
use crate::service::query::model::{Embedding, PrebuiltFilter, QueryModel, Subject, TextEncoding};
use crate::service::text_search::TextSearch;

/// The names of the filters of a model of version 1.
const GLOBAL: &str = "global_filters";
const PERSONAL: &str = "personal_filters";

fn of_users(users: &HashMap<String, Vec<u32>>) -> PrebuiltFilter<'_> {
    PrebuiltFilter::Personal(Box::new(move |user: &str| {
        users.get(user).cloned().unwrap_or_default()
    }))
}

impl QueryModel for ServingModel {
    fn policies(&self) -> Vec<&str> {
        let policies = self.policies.iter();
        let trained = policies.filter_map(|policy| policy.name.as_deref());
        trained.chain(self.ensembles.keys().map(String::as_str)).collect()
    }

    fn ensemble(&self, name: &str) -> Option<&str> {
        self.ensembles.get(name).map(String::as_str)
    }

    fn named_policy(&self, name: &str) -> Option<&dyn Recommender> {
        let mut policies = self.policies.iter();
        let policy = policies.find(|policy| policy.name.as_deref() == Some(name))?;
        Some(&*policy.policy)
    }

    fn embeddings(&self) -> Vec<&str> {
        self.embeddings
            .iter()
            .map(|embedding| embedding.name.as_str())
            .collect()
    }

    fn embedding(&self, name: &str) -> Option<Embedding<'_>> {
        let mut embeddings = self.embeddings.iter();
        let embedding = embeddings.find(|embedding| embedding.name == name)?;
        Some(match &embedding.vectors {
            EmbeddingVectors::OfPolicy(place) => {
                let policy = &*self.policies.get(*place)?.policy;
                Embedding {
                    items: policy.item_vectors()?,
                    users: policy.user_vectors(),
                    policy: Some(policy),
                    text: None,
                }
            }
            EmbeddingVectors::OfTexts { items, users } => Embedding {
                items,
                users: users.as_ref(),
                policy: None,
                text: self
                    .encoder
                    .as_deref()
                    .map(|encoder| encoder as &dyn TextEncoding),
            },
        })
    }

    fn prebuilt_filters(&self) -> Vec<&str> {
        let named = self.filters.iter().map(|filter| filter.name.as_str());
        let of_fetch = [
            (GLOBAL, self.hidden.is_some()),
            (PERSONAL, !self.personal.is_empty()),
        ];
        let of_fetch = of_fetch.into_iter().filter(|(_, there)| *there);
        named.chain(of_fetch.map(|(name, _)| name)).collect()
    }

    fn prebuilt_filter(&self, name: &str) -> Option<PrebuiltFilter<'_>> {
        let Some(filter) = self.filters.iter().find(|filter| filter.name == name) else {
            return match name {
                GLOBAL => self.hidden.as_ref().map(PrebuiltFilter::Global),
                PERSONAL if !self.personal.is_empty() => Some(of_users(&self.personal)),
                _ => None,
            };
        };
        Some(match &filter.items {
            LeftOut::Global { set, .. } => PrebuiltFilter::Global(set),
            LeftOut::Personal(users) => of_users(users),
        })
    }

    fn text_index(&self, entity: Subject) -> Option<&dyn TextSearch> {
        let index = match entity {
            Subject::Item => &self.text,
            Subject::User => &self.user_text,
        };
        index.as_ref().map(|index| index as &dyn TextSearch)
    }

    fn user_interaction_counts(&self) -> Vec<u32> {
        (0..self.histories.len() as u32)
            .map(|user| u32::try_from(self.histories.of(user).len()).unwrap_or(u32::MAX))
            .collect()
    }
}
