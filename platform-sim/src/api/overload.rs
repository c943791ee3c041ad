//! How much is done at once, and what is said to whoever comes when that is too much.
//!
//! | too much of | answer |
//! |---|---|
//! | requests at once | wait a moment, then 503 |
//! | bodies in memory | wait a moment, then 503 |
//! | connections (`crate::server`) | 503 |
//! | unknown keys from one address | 429 instead of 401; keys that are known go on working |
//!
//! Every one of them carries `Retry-After`. Probes are always answered.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{ApiError, Code};

/// How much is done at once.
#[derive(Clone, Copy, Debug)]
pub struct RequestLimits {
    /// Requests that are answered at once.
    pub requests: usize,
    /// Bodies in memory, in bytes.
    pub body_bytes: usize,
    /// How long a request waits for its turn, or its body for room.
    pub wait: Duration,
    /// Unknown keys from one address before it is told to slow down.
    pub unknown_keys: u32,
    /// The time after which an address may try one more unknown key.
    pub unknown_key_pause: Duration,
}

impl Default for RequestLimits {
    fn default() -> RequestLimits {
        RequestLimits {
            requests: 256,
            body_bytes: 256 << 20,
            wait: Duration::from_secs(1),
            unknown_keys: 200,
            unknown_key_pause: Duration::from_millis(200),
        }
    }
}

/// Marks the requests of a connection that came when all others were at work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overloaded;

/// The room that requests share.
#[derive(Debug)]
pub(crate) struct Room {
    limits: RequestLimits,
    requests: Arc<Semaphore>,
    /// One permit a KiB.
    bodies: Arc<Semaphore>,
    unknown_keys: Mutex<HashMap<IpAddr, Tries>>,
}

/// The unknown keys that an address has tried; they fade.
#[derive(Clone, Copy, Debug)]
struct Tries {
    count: f64,
    at: Instant,
}

/// Addresses that are remembered at most. More at once are not told to slow down.
const ADDRESSES: usize = 10_000;

impl Room {
    pub(crate) fn new(limits: RequestLimits) -> Room {
        Room {
            limits,
            requests: Arc::new(Semaphore::new(limits.requests)),
            bodies: Arc::new(Semaphore::new(limits.body_bytes >> 10)),
            unknown_keys: Mutex::default(),
        }
    }

    /// A turn for one request, until it is dropped.
    pub(crate) async fn enter(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        let turn = Arc::clone(&self.requests).acquire_owned();
        match tokio::time::timeout(self.limits.wait, turn).await {
            Ok(Ok(turn)) => Ok(turn),
            _ => Err(busy()),
        }
    }

    /// The room for one request's body; it is taken as the body arrives.
    pub(crate) fn body(self: &Arc<Room>) -> BodyRoom {
        BodyRoom {
            room: Arc::clone(self),
            taken: Arc::default(),
        }
    }

    /// Counts an unknown key; false when the address has tried too many.
    pub(crate) fn may_try_another_key(&self, address: IpAddr, now: Instant) -> bool {
        let mut addresses = self.unknown_keys.lock().unwrap_or_else(PoisonError::into_inner);
        let pause = self.limits.unknown_key_pause.as_secs_f64().max(1e-3);
        let left = |tries: &Tries| {
            let faded = now.saturating_duration_since(tries.at).as_secs_f64() / pause;
            (tries.count - faded).max(0.0)
        };
        if addresses.len() >= ADDRESSES {
            addresses.retain(|_, tries| left(tries) > 0.0);
        }
        let address = network(address);
        let before = addresses.get(&address).map_or(0.0, left);
        let most = f64::from(self.limits.unknown_keys);
        let allowed = before + 1.0 <= most;
        if addresses.len() < ADDRESSES || addresses.contains_key(&address) {
            let count = if allowed { before + 1.0 } else { before };
            addresses.insert(address, Tries { count, at: now });
        }
        allowed
    }
}

/// Whoever has one address of IPv6 has 2^64 of them.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::from([a, b, c, d, 0, 0, 0, 0])
        }
        v4 => v4,
    }
}

/// The room that the body of one request has taken, until the last clone is dropped.
#[derive(Clone, Debug)]
pub(crate) struct BodyRoom {
    room: Arc<Room>,
    taken: Arc<Mutex<Taken>>,
}

#[derive(Debug, Default)]
struct Taken {
    kibibytes: usize,
    permits: Option<OwnedSemaphorePermit>,
}

impl BodyRoom {
    /// Takes room for so many bytes in all.
    pub(crate) async fn take(&self, bytes: usize) -> Result<(), ApiError> {
        let wanted = bytes.div_ceil(1 << 10);
        let more = wanted.saturating_sub(self.taken().kibibytes);
        let Ok(more @ 1..) = u32::try_from(more) else {
            return Ok(());
        };
        let permits = Arc::clone(&self.room.bodies).acquire_many_owned(more);
        let Ok(Ok(permits)) = tokio::time::timeout(self.room.limits.wait, permits).await else {
            return Err(busy());
        };
        let mut taken = self.taken();
        taken.kibibytes = wanted;
        match &mut taken.permits {
            Some(before) => before.merge(permits),
            none => *none = Some(permits),
        }
        Ok(())
    }

    fn taken(&self) -> std::sync::MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is said to whoever comes when there is too much to do.
pub(crate) fn busy() -> ApiError {
    ApiError::problem(
        Code::Busy,
        "the server has too much to do at this moment; try again in a few seconds",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_keys_are_counted_by_address_and_fade() {
        let room = Room::new(RequestLimits {
            unknown_keys: 3,
            unknown_key_pause: Duration::from_secs(10),
            ..RequestLimits::default()
        });
        let start = Instant::now();
        let from = |address: &str, seconds: u64| {
            let address = address.parse().expect("the test's own address");
            room.may_try_another_key(address, start + Duration::from_secs(seconds))
        };
        assert!((0..3).all(|_| from("192.0.2.1", 0)));
        assert!(!from("192.0.2.1", 0), "the fourth at once");
        assert!(!from("::ffff:192.0.2.1", 9), "the same address in another form");
        assert!(from("192.0.2.2", 0), "another address");
        assert!(from("192.0.2.1", 11), "one more after the pause");
        assert!(!from("192.0.2.1", 11));
        assert!((0..3).all(|last| from(&format!("2001:db8::{last}"), 0)));
        assert!(!from("2001:db8::ffff", 0), "the same network");
    }

    #[tokio::test]
    async fn room_for_bodies_comes_back_when_they_go() {
        let room = Arc::new(Room::new(RequestLimits {
            body_bytes: 10 << 10,
            wait: Duration::from_millis(5),
            ..RequestLimits::default()
        }));
        let first = room.body();
        assert!(first.take(4 << 10).await.is_ok());
        assert!(first.take(8 << 10).await.is_ok(), "4 KiB more");
        assert!(first.take(100).await.is_ok(), "has that already");
        let second = room.body();
        assert!(second.take(2 << 10).await.is_ok());
        assert!(second.take((2 << 10) + 1).await.is_err());
        drop(first);
        assert!(second.take(10 << 10).await.is_ok());
        assert!(room.body().take(1).await.is_err());
    }
}
