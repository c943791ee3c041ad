//! The accept loop: HTTP/1 over TCP, bounded in every way that a client could stretch.
//!
//! | what | bound |
//! |---|---|
//! | connections at once | [`Limits::connections`]; more wait in the kernel's queue |
//! | a request's header, from the first byte (on a new connection: from the start) | [`Limits::header`] |
//! | a connection without a request, or an answer that nobody reads | [`Limits::idle`] |
//! | a request's body, in time and size | `api::extract` |
//! | the end after a signal | [`Limits::shutdown`], whatever clients do |

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tower::ServiceExt;

/// The pause after an accept that failed for lack of resources, such as file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The bounds of the accept loop.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connections at once.
    pub connections: usize,
    /// Time for a request's header.
    pub header: Duration,
    /// Time without anything moving.
    pub idle: Duration,
    /// Time from the signal to the end.
    pub shutdown: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 4096,
            header: Duration::from_secs(5),
            idle: Duration::from_secs(60),
            shutdown: Duration::from_secs(8),
        }
    }
}

/// Serves until `stop` completes; then finishes the requests under way and returns, within [`Limits::shutdown`].
pub async fn serve(listener: TcpListener, router: Router, limits: Limits, stop: impl Future<Output = ()>) {
    let slots = Arc::new(Semaphore::new(limits.connections));
    let (stopping, stopped) = watch::channel(false);
    let mut connections = JoinSet::new();
    let mut out_of_resources = false;
    tokio::pin!(stop);
    loop {
        let accepted = tokio::select! {
            () = &mut stop => break,
            accepted = accept(&listener, &slots) => accepted,
            Some(_) = connections.join_next() => continue,
        };
        match accepted {
            Ok((stream, slot)) => {
                out_of_resources = false;
                let connection = connection(stream, router.clone(), limits, stopped.clone());
                connections.spawn(async move {
                    connection.await;
                    drop(slot);
                });
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
    drop(listener);
    // Every connection still holds a receiver or is gone; either way there is nobody else to tell.
    stopping.send_replace(true);
    let drained = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(limits.shutdown, drained).await.is_err() {
        tracing::warn!(
            connections = connections.len(),
            "connections were cut at the end of the shutdown"
        );
    }
}

async fn accept(
    listener: &TcpListener,
    slots: &Arc<Semaphore>,
) -> io::Result<(TcpStream, tokio::sync::OwnedSemaphorePermit)> {
    let slot = Arc::clone(slots)
        .acquire_owned()
        .await
        .map_err(io::Error::other)?;
    let (stream, _) = listener.accept().await?;
    stream.set_nodelay(true)?;
    Ok((stream, slot))
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

async fn connection(stream: TcpStream, router: Router, limits: Limits, mut stopped: watch::Receiver<bool>) {
    let clock = Clock::new();
    let service = service_fn({
        let clock = clock.clone();
        move |request: Request<Incoming>| {
            let (router, clock) = (router.clone(), clock.clone());
            async move {
                clock.set(Phase::Serving);
                let answered = router.oneshot(request.map(Body::new)).await;
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
    let mut draining = false;
    loop {
        let overdue = clock.overdue(limits);
        tokio::select! {
            // Errors here are the client's: it broke off, or sent what is not HTTP and got a 400.
            _ = &mut http => return,
            () = overdue => return,
            changed = stopped.changed(), if !draining => {
                // A header that is only half there has nothing to lose. The others finish what they are writing.
                if changed.is_err() || matches!(clock.get(), Phase::Header(_)) {
                    return;
                }
                draining = true;
                http.as_mut().graceful_shutdown();
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
struct Clock(Arc<Mutex<Phase>>);

impl Clock {
    fn new() -> Clock {
        Clock(Arc::new(Mutex::new(Phase::Header(Instant::now()))))
    }

    fn get(&self) -> Phase {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, phase: Phase) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = phase;
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
