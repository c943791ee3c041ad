//! Probes. They need no key.

use axum::Json;

use super::types::Message;

/// The process runs and answers.
pub(super) async fn liveness() -> Json<Message> {
    Json(Message {
        message: "alive".to_owned(),
    })
}

/// Something answers here.
pub(super) async fn ping() -> Json<Message> {
    Json(Message {
        message: "pong".to_owned(),
    })
}
