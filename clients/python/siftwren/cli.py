"""The ``siftwren`` command: JSON on standard output, messages on standard error.

Exit codes: 0 done, 1 the request was refused, 2 wrong usage or input, 3 no connection.
"""

from __future__ import annotations

import argparse
import getpass
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Optional, TextIO

from . import settings
from .client import DEFAULT_API_URL, Client
from .errors import ConnectionError, SiftwrenError
from .version import VERSION

REFUSED = 1
USAGE = 2
NO_CONNECTION = 3


class InputError(SiftwrenError):
    """A file or an argument is wrong; the text says where."""


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the command and returns its exit code."""
    options = _parser().parse_args(arguments)
    try:
        answer = _init() if options.command == "init" else options.run(_client(options), options)
    except SiftwrenError as error:
        if error.rows_sent:
            print(f"siftwren: {error.rows_sent} rows were stored before the error", file=sys.stderr)
        codes = {ConnectionError: NO_CONNECTION, InputError: USAGE, settings.SettingsError: USAGE}
        return _fail(error, codes.get(type(error), REFUSED))
    except (ValueError, OSError) as error:
        return _fail(error, USAGE)
    except KeyboardInterrupt:
        return 130
    if answer is not None:
        print(json.dumps(answer, indent=2, ensure_ascii=False))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="siftwren",
        description="Work with a siftwren API from the shell. Answers are JSON.",
        epilog="The key comes from SIFTWREN_API_KEY or from the file that 'siftwren init' writes, never from an "
        "argument. Exit codes: 0 done, 1 request refused, 2 wrong usage or input, 3 no connection.",
    )
    parser.add_argument("--version", action="version", version=f"siftwren {VERSION}")
    parser.add_argument("--api-url", help="address of the API, before SIFTWREN_API_URL and the configuration file")
    parser.add_argument("--timeout", type=float, default=10, help="seconds to wait for an answer (default: 10)")
    parser.add_argument("--retries", type=int, default=2, help="repeats of a call that changes nothing (default: 2)")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    commands.add_parser("init", help="ask for address and key, and store both with file mode 600")
    ping = commands.add_parser("ping", help="ask whether the API answers")
    ping.set_defaults(run=lambda client, _: client.ping())

    datasets = commands.add_parser("datasets", help="create, fill and delete datasets")
    actions = datasets.add_subparsers(dest="action", required=True, metavar="ACTION")
    _action(actions, "list", "all datasets", lambda client, _: client.list_datasets())
    _action(actions, "get", "one dataset", lambda client, o: client.get_dataset(o.name), "name")
    _action(actions, "create", "create from a JSON file", lambda client, o: client.create_dataset(_config(o.file)), "file")
    insert = _action(actions, "insert", "insert rows from .json, .ndjson or - (NDJSON)", _insert, "name", "file")
    insert.add_argument("--batch-size", type=int, default=500, help="rows in a request (default: 500)")
    insert.add_argument("--retry", action="store_true", help="repeat lost batches; needs unique_keys in the dataset")
    _wait_action(actions, "dataset", lambda client, o: client.wait_for_dataset(o.name, timeout=o.seconds))
    _action(actions, "delete", "delete with all rows", lambda client, o: client.delete_dataset(o.name), "name")

    models = commands.add_parser("models", help="create and delete models")
    actions = models.add_subparsers(dest="action", required=True, metavar="ACTION")
    _action(actions, "list", "all models", lambda client, _: client.list_models())
    _action(actions, "get", "one model", lambda client, o: client.get_model(o.name), "name")
    _action(actions, "create", "create from a JSON file", lambda client, o: client.create_model(_config(o.file)), "file")
    _wait_action(actions, "model", lambda client, o: client.wait_for_model(o.name, timeout=o.seconds))
    _action(actions, "delete", "delete", lambda client, o: client.delete_model(o.name), "name")

    retrieve = commands.add_parser("retrieve", help="ask a model for the items that fit a text")
    retrieve.add_argument("model")
    retrieve.add_argument("--text", required=True, help="what to look for")
    retrieve.add_argument("--limit", type=int, help="number of results (default: the model's)")
    retrieve.add_argument("--metadata", action="store_true", help="add the columns of each item")
    retrieve.set_defaults(
        run=lambda client, o: client.retrieve(o.model, o.text, limit=o.limit, return_metadata=o.metadata)
    )
    return parser


def _action(actions: Any, name: str, text: str, run: Any, *positional: str) -> argparse.ArgumentParser:
    action = actions.add_parser(name, help=text)
    for argument in positional:
        action.add_argument(argument)
    action.set_defaults(run=run)
    return action


def _wait_action(actions: Any, noun: str, run: Any) -> None:
    action = _action(actions, "wait", f"wait until the {noun} is ACTIVE", run, "name")
    action.add_argument("--seconds", type=float, default=300, help="give up after this time (default: 300)")


def _client(options: argparse.Namespace) -> Client:
    environment = os.environ
    url, key = options.api_url or environment.get("SIFTWREN_API_URL"), environment.get("SIFTWREN_API_KEY")
    if not url or not key:
        stored = settings.load()
        if not key and (not url or url.rstrip("/") == stored.get("api_url")):
            # A stored key belongs to the stored address and is sent nowhere else.
            key = stored.get("api_key")
        url = url or stored.get("api_url")
    return Client(url, key or "", timeout=options.timeout, retries=options.retries)


def _init() -> dict[str, str]:
    interactive = sys.stdin.isatty()
    url = input(f"API address [{DEFAULT_API_URL}]: ") if interactive else sys.stdin.readline()
    key = getpass.getpass("API key (not shown): ") if interactive else sys.stdin.readline()
    url, key = url.strip().rstrip("/") or DEFAULT_API_URL, key.strip()
    if len(key) != 40:
        raise InputError(f"an API key has 40 characters, this one has {len(key)}; nothing was written")
    Client(url, key)  # refuses an address or a key that no request could carry
    return {"written": str(settings.save(url, key))}


def _insert(client: Client, options: argparse.Namespace) -> dict[str, int]:
    return {"rows": client.insert(options.name, _rows(options.file), options.batch_size, options.retry)}


def _config(file: str) -> dict[str, Any]:
    value = _json(Path(file).read_text("utf-8"), file)
    if not isinstance(value, dict):
        raise InputError(f"{file}: expected one JSON object")
    return value


def _rows(file: str) -> Iterator[dict[str, Any]]:
    if file == "-":
        yield from _lines(sys.stdin, "standard input")
    elif file.endswith((".ndjson", ".jsonl")):
        with open(file, encoding="utf-8") as lines:
            yield from _lines(lines, file)
    elif file.endswith(".json"):
        value = _json(Path(file).read_text("utf-8"), file)
        rows = value.get("data") if isinstance(value, dict) else value
        if not isinstance(rows, list):
            raise InputError(f"{file}: expected a list of rows, or an object with the list in 'data'")
        yield from rows
    else:
        raise InputError(f"{file}: the name must end in .json, .ndjson or .jsonl, or be - for standard input")


def _lines(lines: TextIO, name: str) -> Iterator[Any]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _json(line, name, number)


def _json(text: str, name: str, line: int = 1) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{name}:{line + error.lineno - 1}:{error.colno}: not JSON: {error.msg}") from error


def _fail(error: BaseException, code: int) -> int:
    print(f"siftwren: {error}", file=sys.stderr)
    return code
