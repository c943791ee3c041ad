"""Python client for the siftwren API.

``Client`` has one method for each call; refusals arrive as the exceptions of ``siftwren.errors``.
"""

from .client import Client
from .errors import (
    APIError,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    ConnectionError,
    NotFoundError,
    PermissionDeniedError,
    ServerError,
    SiftwrenError,
    ValidationError,
    WaitError,
)
from .version import VERSION as __version__

__all__ = [
    "APIError",
    "AuthenticationError",
    "BadRequestError",
    "Client",
    "ConflictError",
    "ConnectionError",
    "NotFoundError",
    "PermissionDeniedError",
    "ServerError",
    "SiftwrenError",
    "ValidationError",
    "WaitError",
    "__version__",
]
