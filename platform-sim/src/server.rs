//! The accept loop: HTTP/1 over TCP, bounded in every way that a client could stretch.
//!
//! | what | bound |
//! |---|---|
//! | connections at once | [`Limits::connections`]; see below for more |
//! | a request's header, from the first byte (on a new connection: from the start) | [`Limits::header`] |
//! | a connection without a request, or an answer that nobody reads | [`Limits::idle`] |
//! | a request's body, in time and size; requests at once; bodies in memory | `api::extract`, `api::overload` |
//! | the end after a signal | [`Limits::shutdown`], whatever clients do |
//!
//! When all connections are taken, those that have waited longest without a whole request give way, so slow clients
//! never keep others out. Where every connection is at work, the next ones are told to come back (503), and more than
//! that wait in the kernel's queue.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderValue, Request, header};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tower::ServiceExt;

use crate::api::Overloaded;
use crate::metrics::Connections;

/// The pause after an accept that failed for lack of resources, such as file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Connections over the bound that are told to come back.
const TURNED_AWAY: usize = 256;

/// How many connections give way at a time: finding them means looking at all.
const GIVE_WAY: usize = 64;

/// A new connection gets this long before it can be made to give way.
const FIRST_CHANCE: Duration = Duration::from_millis(50);

/// After the signal, how long connections that the kernel had already accepted are taken over.
const LAST_ACCEPTS: Duration = Duration::from_millis(200);

/// The bounds of the accept loop.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connections at once.
    pub connections: usize,
    /// Time for a request's header.
    pub header: Duration,
    /// Time without anything moving.
    pub idle: Duration,
    /// Time after the signal in which a connection may still bring a request that was on its way.
    pub linger: Duration,
    /// Time from the signal to the end.
    pub shutdown: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 4096,
            header: Duration::from_secs(5),
            idle: Duration::from_secs(60),
            linger: Duration::from_secs(1),
            shutdown: Duration::from_secs(7),
        }
    }
}

impl Limits {
    /// The default bounds for a process that may have so many files open: most of them may be connections.
    pub fn for_files(files: u64) -> Limits {
        let connections = files.saturating_sub(files / 8 + 256).clamp(64, 16_384);
        Limits {
            connections: usize::try_from(connections).unwrap_or(64),
            ..Limits::default()
        }
    }
}

/// Serves until `stop` completes; then finishes the requests under way and returns, within [`Limits::shutdown`].
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    counters: Connections,
    stop: impl Future<Output = ()>,
) {
    let (stopping, stopped) = watch::channel(false);
    let server = Server {
        router,
        limits,
        counters,
        slots: Arc::new(Semaphore::new(limits.connections + TURNED_AWAY)),
        open: Arc::default(),
        stopped,
    };
    let mut connections = JoinSet::new();
    let mut out_of_resources = false;
    tokio::pin!(stop);
    loop {
        let accepted = tokio::select! {
            () = &mut stop => break,
            accepted = server.accept(&listener) => accepted,
            Some(_) = connections.join_next() => continue,
        };
        match accepted {
            Ok((stream, peer, slot)) => {
                out_of_resources = false;
                connections.spawn(server.connection(stream, peer, slot));
            }
            Err(error) if is_of_the_connection(&error) => {}
            Err(error) => {
                if !out_of_resources {
                    tracing::warn!(%error, "cannot accept connections for the moment");
                    out_of_resources = true;
                }
                tokio::select! {
                    () = &mut stop => break,
                    () = tokio::time::sleep(ACCEPT_PAUSE) => {}
                }
            }
        }
    }
    // Clients whose connection stands do not know that the server has not taken it yet.
    let last = Instant::now() + LAST_ACCEPTS;
    while let Ok(Ok((stream, peer, slot))) = tokio::time::timeout_at(last, server.accept(&listener)).await {
        connections.spawn(server.connection(stream, peer, slot));
    }
    // And those that came since: closing the listener resets what is in its queue.
    match listener.into_std() {
        Ok(listener) => {
            while let Some((stream, peer, slot)) = server.accept_now(&listener) {
                connections.spawn(server.connection(stream, peer, slot));
            }
        }
        Err(error) => tracing::warn!(%error, "connections that were not accepted yet are reset"),
    }
    drop(server);
    stopping.send_replace(true);
    let drained = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(limits.shutdown, drained).await.is_err() {
        tracing::warn!(
            connections = connections.len(),
            "connections were cut at the end of the shutdown"
        );
    }
}

struct Server {
    router: Router,
    limits: Limits,
    counters: Connections,
    slots: Arc<Semaphore>,
    open: Arc<Open>,
    stopped: watch::Receiver<bool>,
}

impl Server {
    async fn accept(
        &self,
        listener: &TcpListener,
    ) -> io::Result<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
        let slot = Arc::clone(&self.slots)
            .acquire_owned()
            .await
            .map_err(io::Error::other)?;
        let (stream, peer) = listener.accept().await?;
        stream.set_nodelay(true)?;
        Ok((stream, peer, slot))
    }

    /// The next connection of the queue, if there is one and a slot for it. Does not wait.
    fn accept_now(
        &self,
        listener: &std::net::TcpListener,
    ) -> Option<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
        let slot = Arc::clone(&self.slots).try_acquire_owned().ok()?;
        let (stream, peer) = listener.accept().ok()?;
        stream.set_nonblocking(true).ok()?;
        Some((TcpStream::from_std(stream).ok()?, peer, slot))
    }

    /// Counts a connection in; what serves it.
    fn connection(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        slot: OwnedSemaphorePermit,
    ) -> impl Future<Output = ()> + Send + use<> {
        let full = self.open.len() >= self.limits.connections;
        let gave_way = if full { self.open.make_room() } else { 0 };
        self.counters.gave_way(gave_way);
        let overloaded = full && gave_way == 0;
        if overloaded {
            self.counters.turned_away();
        }
        let clock = Clock::new();
        let number = self.open.add(clock.clone());
        let connection = Connection {
            router: self.router.clone(),
            limits: self.limits,
            clock,
            peer,
            overloaded,
            stopped: self.stopped.clone(),
        };
        let (open, counters) = (Arc::clone(&self.open), self.counters.clone());
        counters.opened();
        async move {
            connection.serve(stream).await;
            open.remove(number);
            counters.closed();
            drop(slot);
        }
    }
}

/// Errors of one connection that ended before it was accepted; the next accept may succeed at once.
fn is_of_the_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::InvalidInput
    )
}

/// The connections that are open.
#[derive(Default)]
struct Open {
    clocks: Mutex<(u64, HashMap<u64, Clock>)>,
}

impl Open {
    fn add(&self, clock: Clock) -> u64 {
        let mut clocks = self.clocks.lock().unwrap_or_else(PoisonError::into_inner);
        clocks.0 += 1;
        let number = clocks.0;
        clocks.1.insert(number, clock);
        number
    }

    fn remove(&self, number: u64) {
        let mut clocks = self.clocks.lock().unwrap_or_else(PoisonError::into_inner);
        clocks.1.remove(&number);
    }

    fn len(&self) -> usize {
        self.clocks.lock().unwrap_or_else(PoisonError::into_inner).1.len()
    }

    /// Closes the connections that have waited longest without a whole request; how many.
    fn make_room(&self) -> usize {
        let mut clocks = self.clocks.lock().unwrap_or_else(PoisonError::into_inner);
        let mut waiting: Vec<(Instant, u64)> = clocks
            .1
            .iter()
            .filter_map(|(number, clock)| match clock.get() {
                Phase::Header(since) | Phase::Idle(since) => {
                    (since.elapsed() >= FIRST_CHANCE).then_some((since, *number))
                }
                Phase::Serving => None,
            })
            .collect();
        waiting.sort_unstable();
        waiting.truncate(GIVE_WAY);
        for (_, number) in &waiting {
            // No longer among the open ones, so that nobody asks it twice.
            if let Some(clock) = clocks.1.remove(number) {
                clock.give_way();
            }
        }
        waiting.len()
    }
}

struct Connection {
    router: Router,
    limits: Limits,
    clock: Clock,
    peer: SocketAddr,
    /// All others are at work: its request is told to come back.
    overloaded: bool,
    stopped: watch::Receiver<bool>,
}

impl Connection {
    async fn serve(self, stream: TcpStream) {
        let Connection {
            router,
            limits,
            clock,
            peer,
            overloaded,
            mut stopped,
        } = self;
        let service = service_fn({
            let (clock, stopped) = (clock.clone(), stopped.clone());
            move |request: Request<Incoming>| {
                let (router, clock, stopped) = (router.clone(), clock.clone(), stopped.clone());
                async move {
                    clock.set(Phase::Serving);
                    let mut request = request.map(Body::new);
                    request.extensions_mut().insert(ConnectInfo(peer));
                    if overloaded {
                        request.extensions_mut().insert(Overloaded);
                    }
                    let mut answered = router.oneshot(request).await;
                    // The last answer of this connection says so: a client that sees it sends the next request
                    // elsewhere, instead of into a socket that is about to close.
                    if let Ok(response) = &mut answered
                        && (overloaded || *stopped.borrow())
                    {
                        let close = HeaderValue::from_static("close");
                        response.headers_mut().insert(header::CONNECTION, close);
                    }
                    clock.set(Phase::Idle(Instant::now()));
                    answered.map_err(|never: Infallible| match never {})
                }
            }
        });
        let io = TokioIo::new(Timed {
            stream,
            clock: clock.clone(),
        });
        let http = http1::Builder::new()
            .max_headers(64)
            .serve_connection(io, service);
        tokio::pin!(http);
        let mut told = false;
        let mut lingers_until = None;
        loop {
            let lingered = async {
                match lingers_until {
                    Some(until) => tokio::time::sleep_until(until).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                // Errors here are the client's: it broke off, or sent what is not HTTP and got a 400.
                _ = &mut http => return,
                () = clock.overdue(limits) => return,
                () = clock.gives_way() => return,
                _ = stopped.changed(), if !told => {
                    told = true;
                    lingers_until = Some(Instant::now() + limits.linger);
                }
                () = lingered => {
                    // Half a header has nothing to lose. The others finish what they are writing.
                    if matches!(clock.get(), Phase::Header(_)) {
                        return;
                    }
                    lingers_until = None;
                    http.as_mut().graceful_shutdown();
                }
            }
        }
    }
}

/// What a connection is doing, and since when.
#[derive(Clone, Copy)]
enum Phase {
    /// A header is on its way.
    Header(Instant),
    Serving,
    /// Between requests.
    Idle(Instant),
}

#[derive(Clone)]
struct Clock(Arc<ClockState>);

struct ClockState {
    phase: Mutex<Phase>,
    gives_way: Notify,
}

impl Clock {
    fn new() -> Clock {
        Clock(Arc::new(ClockState {
            phase: Mutex::new(Phase::Header(Instant::now())),
            gives_way: Notify::new(),
        }))
    }

    fn get(&self) -> Phase {
        *self.0.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, phase: Phase) {
        *self.0.phase.lock().unwrap_or_else(PoisonError::into_inner) = phase;
    }

    /// Tells the connection to close.
    fn give_way(&self) {
        self.0.gives_way.notify_one();
    }

    /// Completes when the connection was told to close, and is not at work since.
    async fn gives_way(&self) {
        loop {
            self.0.gives_way.notified().await;
            if !matches!(self.get(), Phase::Serving) {
                return;
            }
        }
    }

    /// Completes when the connection has been in its phase for too long.
    async fn overdue(&self, limits: Limits) {
        loop {
            let due = match self.get() {
                Phase::Header(since) => since + limits.header,
                Phase::Idle(since) => since + limits.idle,
                // The body has its own timeout; look again when a header could be overdue.
                Phase::Serving => {
                    tokio::time::sleep(limits.header.min(limits.idle)).await;
                    continue;
                }
            };
            let now = Instant::now();
            if due <= now {
                return;
            }
            // Short naps notice a phase that began in between.
            tokio::time::sleep((due - now).min(limits.header.min(limits.idle))).await;
        }
    }
}

/// A stream that tells the clock when bytes move.
struct Timed {
    stream: TcpStream,
    clock: Clock,
}

impl AsyncRead for Timed {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let result = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before
            && let Phase::Idle(_) = self.clock.get()
        {
            self.clock.set(Phase::Header(Instant::now()));
        }
        result
    }
}

impl AsyncWrite for Timed {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(context, bytes);
        if let (Poll::Ready(Ok(1..)), Phase::Idle(_)) = (&result, self.clock.get()) {
            self.clock.set(Phase::Idle(Instant::now()));
        }
        result
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
