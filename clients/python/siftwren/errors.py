"""What can go wrong, one class for each way to react.

``SiftwrenError`` catches all of them. ``APIError`` and its subclasses mean that the server answered and refused;
``ConnectionError`` means that no answer came; ``WaitError`` means that something did not become ACTIVE.
"""

from __future__ import annotations

import builtins
from typing import Any


class SiftwrenError(Exception):
    """The base of every error that this package raises on purpose.

    ``rows_sent`` is how many rows were stored before the error, when ``Client.insert`` raised it.
    """

    rows_sent: int = 0


class APIError(SiftwrenError):
    """The server answered with a status that is not a success.

    ``detail`` is the answer's explanation: a sentence, or for a 422 a list of ``{loc, msg, type}``.
    ``retry_after`` is the pause in seconds that the server asks for, 0 where it asks for none.
    """

    def __init__(self, status: int, message: str, detail: Any = None) -> None:
        super().__init__(f"{status}: {message}")
        self.status = status
        self.detail = detail
        self.retry_after = 0


class BadRequestError(APIError):
    """400: the request cannot be served as things stand, such as an insert into a dataset that is not ACTIVE."""


class AuthenticationError(APIError):
    """401: the key has the right form, and nobody knows it."""


class PermissionDeniedError(APIError):
    """403: the key is known, and its scope does not cover this call."""


class NotFoundError(APIError):
    """404: there is no dataset or model of that name."""


class ConflictError(APIError):
    """409: the name is taken."""


class ValidationError(APIError):
    """422: the request has the wrong form; ``detail`` lists each wrong place."""


class ServerError(APIError):
    """5xx: the server could not do it; with 503 a later attempt may succeed."""


class ConnectionError(SiftwrenError, builtins.ConnectionError):
    """No answer: the server is unreachable, the name is unknown, or the time ran out."""


class WaitError(SiftwrenError):
    """A dataset or model ended in ERROR, or was not ACTIVE in time. ``details`` is what the server last said."""

    def __init__(self, message: str, details: dict[str, Any]) -> None:
        super().__init__(message)
        self.details = details


_CLASSES: dict[int, type[APIError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    422: ValidationError,
}


def from_answer(status: int, body: Any, fallback: str) -> APIError:
    """The error for an answer: ``body`` is its JSON, or None where it had none."""
    detail = body.get("detail") if isinstance(body, dict) else None
    if isinstance(detail, list):
        message = "; ".join(_place(entry) for entry in detail)
    elif detail:
        message = str(detail)
    elif isinstance(body, dict) and body.get("title"):
        message = str(body["title"])
    else:
        message = fallback
    error_class = _CLASSES.get(status, ServerError if status >= 500 else APIError)
    return error_class(status, message, detail)


def _place(entry: Any) -> str:
    if not isinstance(entry, dict):
        return str(entry)
    place = ".".join(str(part) for part in entry.get("loc", []))
    return f"{place}: {entry.get('msg')}" if place else str(entry.get("msg"))
