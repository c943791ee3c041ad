//! What is like an item, like a user, or goes with a basket.

use std::collections::HashSet;

use recsys::{Interaction, NumberSet, Query, Scored};
use serde_json::Map;

use super::attributes::Table;
use super::model::policies;
use super::newcomers::Newcomers;
use super::score::{Acquaintance, Taste, fuse};
use super::sieve::{self, Sieve};
use super::{Ask, Engine, Kind, Person, Ranking, best_first};
use crate::service::failure::{Entity, Failure, Place, Result};

/// What likeness counts beside the order of somebody's liking.
const LIKENESS_WEIGHT: f32 = 2.0;

impl Engine<'_> {
    /// Items like one.
    pub(crate) fn similar_items(&self, item: &str, ask: &Ask) -> Result<Ranking> {
        let number = self
            .model
            .items()
            .number(item)
            .ok_or_else(|| Failure::NotFound(Entity::Item, item.to_owned()))?;
        self.neighbouring(ask, &[number], |taste, wanted, sieve, forbidden| {
            let mut names = vec![policies::ITEM_CONTENT, policies::USER_ITEM_CONTENT];
            // The vector of an item that nobody has taken is where chance put it.
            let counts = self.model.interaction_counts();
            if counts.get(number as usize).copied().unwrap_or(0) > 0 {
                names.splice(..0, [policies::NEIGHBOURS, policies::FACTORS]);
            }
            let policies = names.iter().filter_map(|name| self.model.policy(name));
            policies
                .map(|policy| {
                    sieve::best(sieve, wanted, forbidden, |wanted, eligible| {
                        let like = policy.similar_items(taste.query(), number, wanted, eligible);
                        Ok(like.unwrap_or_default())
                    })
                })
                .collect()
        })
    }

    /// Items that go with those of a basket.
    pub(crate) fn complement_items(&self, items: &[String], ask: &Ask) -> Result<Ranking> {
        let basket: Vec<u32> = items
            .iter()
            .filter_map(|item| self.model.items().number(item))
            .collect();
        let Some(first) = items.first() else {
            return Err(Failure::invalid(
                Place::Path(vec!["item_ids".into()]),
                "empty",
                "item_ids names the items to complement: at least one",
            ));
        };
        if basket.is_empty() {
            return Err(Failure::NotFound(Entity::Item, first.clone()));
        }
        let history: Vec<Interaction> = basket
            .iter()
            .map(|item| Interaction::new(*item, self.now))
            .collect();
        self.neighbouring(ask, &basket, |_, wanted, sieve, forbidden| {
            let names = [
                policies::NEIGHBOURS,
                policies::FACTORS,
                policies::USER_ITEM_CONTENT,
            ];
            let query = Query::new(None, &history, self.now);
            let taste = Taste::new(self.model, query, Acquaintance::Known);
            let policies = names.iter().filter_map(|name| self.model.policy(name));
            policies
                .map(|policy| {
                    sieve::best(sieve, wanted, forbidden, |wanted, eligible| {
                        taste.retrieve(policy, wanted, eligible)
                    })
                })
                .collect()
        })
    }

    /// Ranks what `find` finds: several lists, each better than the next. None of `around` is in the answer.
    fn neighbouring(
        &self,
        ask: &Ask,
        around: &[u32],
        find: impl FnOnce(&Taste<'_>, usize, Option<&Sieve>, &NumberSet) -> Result<Vec<Vec<Scored>>>,
    ) -> Result<Ranking> {
        let settings = self.settings(ask);
        let limit = settings.limit.unwrap_or(self.defaults.slate_size);
        let nobody = Newcomers::read(self.model, &Map::new(), &[])?;
        let person = self.person(ask.user.as_deref(), &Map::new(), &[], &nobody)?;
        let table = Table {
            known: self.model.item_columns(),
            new: None,
        };
        let reader = self.reader(ask, Kind::Items)?;
        let mut forbidden = self.forbidden_items(ask, reader.as_ref(), &nobody)?;
        around.iter().for_each(|item| forbidden.insert(*item));
        let sieve = self.item_sieve(ask, table)?;
        let sieve = sieve.as_ref();
        let taste = Taste::new(self.model, person.query(self.now, None), person.acquaintance);
        let wanted = settings.retrieval_k.max(limit);
        let mut seen = HashSet::new();
        let mut found: Vec<u32> = find(&taste, wanted, sieve, &forbidden)?
            .into_iter()
            .flatten()
            .map(|one| one.id)
            .collect();
        found.retain(|item| seen.insert(*item));
        found.truncate(wanted);
        let mut orders = vec![(LIKENESS_WEIGHT, found.clone())];
        if person.acquaintance == Acquaintance::Known {
            let scores = taste.score(&found)?;
            let liking = best_first(
                found
                    .iter()
                    .zip(scores)
                    .map(|(id, score)| Scored { id: *id, score })
                    .collect(),
            );
            orders.push((1.0, liking.into_iter().map(|one| one.id).collect()));
        }
        let fused = fuse(&orders);
        let ranked = best_first(
            found
                .into_iter()
                .map(|id| Scored {
                    id,
                    score: fused[&id],
                })
                .collect(),
        );
        let pool = if settings.exploration_factor > 0.0 {
            let items = self.cold_items(limit, sieve, &forbidden)?;
            items.into_iter().map(|id| Scored { id, score: 0.0 }).collect()
        } else {
            Vec::new()
        };
        self.finish(
            ask,
            &settings,
            table,
            self.factor_vectors(Kind::Items),
            ranked,
            &pool,
            limit,
            reader,
            |item| {
                let id = self.model.items().id(item).unwrap_or_default().to_owned();
                let metadata = ask.with_metadata.then(|| self.model.item_metadata(item));
                (id, metadata.unwrap_or_default())
            },
        )
    }

    /// Users like the one of the request. The cold-start pool is one of items: nobody is explored here.
    pub(crate) fn similar_users(&self, ask: &Ask) -> Result<Ranking> {
        let settings = self.settings(ask);
        let limit = settings.limit.unwrap_or(self.defaults.slate_size);
        let person = self.known_person(ask.user.as_deref().unwrap_or_default())?;
        let table = Table {
            known: self.model.user_columns(),
            new: None,
        };
        let reader = self.reader(ask, Kind::Users)?;
        let mut forbidden = NumberSet::new(person.user);
        if let Some(reader) = &reader {
            let served = self.pages.served(reader, self.now)?;
            let served = served.iter().filter_map(|id| self.model.users().number(id));
            served.for_each(|user| forbidden.insert(user));
        }
        let paths = self.model.shortcuts().map(|shortcuts| &shortcuts.user_paths);
        let sieve = Sieve::new(ask.filter.as_deref(), table, paths)?;
        let query = person.query(self.now, None);
        let wanted = settings.retrieval_k.max(limit);
        let names = match person.acquaintance {
            Acquaintance::Known => [policies::FACTORS, policies::USER_CONTENT],
            _ => [policies::USER_CONTENT, policies::FACTORS],
        };
        let mut seen = HashSet::new();
        let mut ranked: Vec<Scored> = Vec::new();
        for policy in names.iter().filter_map(|name| self.model.policy(name)) {
            ranked.extend(sieve::best(
                sieve.as_ref(),
                wanted,
                &forbidden,
                |wanted, eligible| {
                    let like = policy.similar_users(&query, wanted, eligible);
                    Ok(like.unwrap_or_default())
                },
            )?);
        }
        ranked.retain(|one| seen.insert(one.id));
        // Two policies have two scales: the order is what counts.
        for (rank, one) in (1..).zip(&mut ranked) {
            one.score = 1.0 / rank as f32;
        }
        self.finish(
            ask,
            &settings,
            table,
            self.factor_vectors(Kind::Users),
            ranked,
            &[],
            limit,
            reader,
            |user| {
                let id = self.model.users().id(user).unwrap_or_default().to_owned();
                let metadata = ask.with_metadata.then(|| self.model.user_metadata(user));
                (id, metadata.unwrap_or_default())
            },
        )
    }

    /// A user of whom something is known.
    pub(super) fn known_person(&self, user: &str) -> Result<Person> {
        let nobody = Newcomers::read(self.model, &Map::new(), &[])?;
        let person = self.person(Some(user), &Map::new(), &[], &nobody)?;
        if person.acquaintance == Acquaintance::Stranger {
            return Err(Failure::NotFound(Entity::User, user.to_owned()));
        }
        Ok(person)
    }
}
