"""The client: how a request is made and repeated, and one method for each call of the API."""

from __future__ import annotations

import http.client
import json
import os
import random
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator
from typing import Any, Optional
from urllib.parse import quote, urlsplit

from .errors import APIError, ConnectionError, SiftwrenError, WaitError, from_answer
from .version import VERSION

DEFAULT_API_URL = "http://127.0.0.1:8787/v1"
#: A request body stays below this, well under the 16 MiB that the server takes.
MAX_BATCH_BYTES = 8 * 1024 * 1024
#: The longest pause between two attempts, in seconds.
MAX_PAUSE = 30.0


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the key to another address, so it is reported instead of followed."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Client:
    """Calls one siftwren API with one key.

    Without arguments the address comes from ``SIFTWREN_API_URL`` (else the local platform-sim) and the key from
    ``SIFTWREN_API_KEY``. ``timeout`` is in seconds and counts for connecting and for each read. ``retries`` is how
    often a call is repeated after a lost connection or a 503; only calls that change nothing are repeated.
    """

    def __init__(
        self,
        api_url: Optional[str] = None,
        api_key: Optional[str] = None,
        timeout: float = 10,
        retries: int = 2,
    ) -> None:
        url = (api_url or os.environ.get("SIFTWREN_API_URL") or DEFAULT_API_URL).rstrip("/")
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"api_url must be an address such as {DEFAULT_API_URL}, not {url!r}")
        key = api_key if api_key is not None else os.environ.get("SIFTWREN_API_KEY", "")
        if not (key.isascii() and key.isprintable()):
            raise ValueError("api_key holds characters that no key has; was it copied with a line break?")
        self._url = url
        self._key = key
        self._timeout = timeout
        self._retries = retries
        self._opener = urllib.request.build_opener(_NoRedirects)

    def __repr__(self) -> str:
        return f"Client(api_url={self._url!r})"

    def ping(self) -> Any:
        """Asks whether the API answers; needs no key."""
        return self._call("GET", "/ping", retry=True)

    def liveness(self) -> Any:
        """Asks whether the server process is alive; needs no key."""
        return self._call("GET", "/liveness", retry=True)

    def create_dataset(self, config: dict[str, Any]) -> dict[str, Any]:
        """Starts the creation of a dataset; ``wait_for_dataset`` says when it takes rows."""
        return self._call("POST", "/datasets/", config)

    def list_datasets(self) -> list[dict[str, Any]]:
        """The datasets, as summaries."""
        return self._call("GET", "/datasets/", retry=True)["datasets"]

    def get_dataset(self, name: str) -> dict[str, Any]:
        """The details of a dataset, its status among them."""
        return self._call("GET", _path("datasets", name), retry=True)

    def insert(self, name: str, rows: Iterable[dict[str, Any]], batch_size: int = 500, retry: bool = False) -> int:
        """Sends rows in batches and returns how many were stored.

        Each batch is stored whole or not at all. Pass ``retry=True`` for a dataset with ``unique_keys``: there,
        sending a batch twice does no harm. An error says in ``rows_sent`` how many rows were stored before it.
        """
        if batch_size < 1:
            raise ValueError("batch_size must be at least 1")
        sent = 0
        try:
            for count, body in _batches(rows, batch_size):
                self._call("POST", _path("datasets", name, "insert"), body, retry=retry)
                sent += count
        except SiftwrenError as error:
            error.rows_sent = sent
            raise
        return sent

    def delete_dataset(self, name: str) -> dict[str, Any]:
        """Deletes a dataset with its rows."""
        return self._call("DELETE", _path("datasets", name))

    def wait_for_dataset(self, name: str, timeout: float = 300, interval: float = 0.5) -> dict[str, Any]:
        """Waits until the dataset is ACTIVE and returns its details."""
        return self._wait(_path("datasets", name), f"dataset {name!r}", timeout, interval)

    def create_model(self, config: dict[str, Any]) -> dict[str, Any]:
        """Starts the training of a model; ``wait_for_model`` says when it answers."""
        return self._call("POST", "/models", config)

    def list_models(self) -> list[dict[str, Any]]:
        """The models, as summaries."""
        return self._call("GET", "/models", retry=True)["models"]

    def get_model(self, name: str) -> dict[str, Any]:
        """The details of a model, its status among them."""
        return self._call("GET", _path("models", name), retry=True)

    def delete_model(self, name: str) -> dict[str, Any]:
        """Deletes a model."""
        return self._call("DELETE", _path("models", name))

    def wait_for_model(self, name: str, timeout: float = 300, interval: float = 0.5) -> dict[str, Any]:
        """Waits until the model is ACTIVE and returns its details."""
        return self._wait(_path("models", name), f"model {name!r}", timeout, interval)

    def retrieve(
        self, model: str, text_query: str, limit: Optional[int] = None, return_metadata: bool = False
    ) -> dict[str, Any]:
        """The best items for a text: ``ids`` and ``scores`` in parallel, and ``metadata`` on request."""
        body: dict[str, Any] = {"text_query": text_query, "return_metadata": return_metadata}
        if limit is not None:
            body["config"] = {"limit": limit}
        return self._call("POST", _path("models", model, "retrieve"), body, retry=True)

    def _wait(self, path: str, noun: str, timeout: float, interval: float) -> dict[str, Any]:
        deadline = time.monotonic() + timeout
        while True:
            details = self._call("GET", path, retry=True)
            status = details.get("status")
            if status == "ACTIVE":
                return details
            if status == "ERROR":
                raise WaitError(f"{noun} failed: {details.get('error_message') or 'no reason given'}", details)
            if time.monotonic() >= deadline:
                raise WaitError(f"{noun} is still {status} after {timeout:g} seconds", details)
            time.sleep(interval)

    def _call(self, method: str, path: str, body: Any = None, retry: bool = False) -> Any:
        data = body if body is None or isinstance(body, bytes) else _encode(body)
        attempts = 1 + (self._retries if retry else 0)
        for attempt in range(1, attempts + 1):
            try:
                return self._send(method, path, data)
            except ConnectionError:
                if attempt == attempts:
                    raise
                pause = _pause(attempt)
            except APIError as error:
                if error.status != 503 or attempt == attempts:
                    raise
                pause = max(_pause(attempt), min(MAX_PAUSE, error.retry_after))
            time.sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    def _send(self, method: str, path: str, data: Optional[bytes]) -> Any:
        headers = {"accept": "application/json", "user-agent": f"siftwren-python/{VERSION}"}
        if self._key:
            headers["x-api-key"] = self._key
        if data is not None:
            headers["content-type"] = "application/json"
        request = urllib.request.Request(self._url + path, data=data, headers=headers, method=method)
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                status, content = response.status, response.read()
        except urllib.error.HTTPError as answer:
            with answer:
                refusal = from_answer(answer.code, _decode(_read_error(answer)), answer.reason or "no explanation")
            wish = answer.headers.get("retry-after", "")
            refusal.retry_after = int(wish) if wish.isdecimal() else 0
            raise refusal from None
        except urllib.error.URLError as error:
            raise ConnectionError(f"{self._url} does not answer: {error.reason}") from error
        except (OSError, http.client.HTTPException) as error:
            raise ConnectionError(f"{self._url} broke off: {error or type(error).__name__}") from error
        decoded = _decode(content)
        if decoded is None:
            raise APIError(status, f"{self._url}{path} did not answer with JSON; is this the address of the API?")
        return decoded


def _path(*parts: str) -> str:
    return "".join("/" + quote(part, safe="") for part in parts)


def _pause(attempt: int) -> float:
    """Doubles from half a second; the random part keeps many clients from coming back at the same moment."""
    return min(MAX_PAUSE, 0.5 * 2 ** (attempt - 1)) * random.uniform(0.5, 1.0)


def _encode(value: Any) -> bytes:
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()


def _decode(content: bytes) -> Any:
    """The JSON of an answer, or None where it is something else."""
    try:
        return json.loads(content)
    except ValueError:
        return None


def _read_error(answer: urllib.error.HTTPError) -> bytes:
    """The body of a refusal. The status is known already, so a body that breaks off costs only the explanation."""
    try:
        return answer.read()
    except (OSError, http.client.HTTPException):
        return b""


def _batches(rows: Iterable[dict[str, Any]], batch_size: int) -> Iterator[tuple[int, bytes]]:
    """Request bodies with the number of rows in each, limited by rows and by bytes."""
    encoded: list[bytes] = []
    size = 0
    for row in rows:
        item = _encode(row)
        if encoded and (len(encoded) == batch_size or size + len(item) > MAX_BATCH_BYTES):
            yield len(encoded), _body(encoded)
            encoded, size = [], 0
        encoded.append(item)
        size += len(item) + 1
    if encoded:
        yield len(encoded), _body(encoded)


def _body(encoded: list[bytes]) -> bytes:
    return b'{"data":[' + b",".join(encoded) + b"]}"
