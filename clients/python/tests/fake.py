"""A server that gives prepared answers and remembers what it was asked."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Optional

#: An answer that never comes: the connection is closed instead.
HANG_UP = (0, None)


class Request(NamedTuple):
    """What arrived."""

    method: str
    path: str
    key: Optional[str]
    body: Any


class FakeApi:
    """Answers one request after the other with ``answers``, pairs of status and body; the last one repeats."""

    def __init__(self, *answers: tuple[int, Any]) -> None:
        self.answers = list(answers)
        self.requests: list[Request] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                content = self.rfile.read(int(self.headers.get("content-length", 0)))
                outer.requests.append(
                    Request(self.command, self.path, self.headers.get("x-api-key"), json.loads(content or b"null"))
                )
                status, body = outer.answers.pop(0) if len(outer.answers) > 1 else outer.answers[0]
                if (status, body) == HANG_UP:
                    self.close_connection = True
                    return
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                if status == 503:
                    self.send_header("retry-after", str(body.get("wish", "soon")))
                if 300 <= status < 400:
                    self.send_header("location", "/elsewhere")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_DELETE = answer

            def log_message(self, *_: Any) -> None:
                """The tests read ``requests`` instead."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    def __enter__(self) -> FakeApi:
        self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
