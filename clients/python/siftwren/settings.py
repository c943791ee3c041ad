"""The configuration file of the command line: an address and a key, readable by its owner only."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

from .errors import SiftwrenError


class SettingsError(SiftwrenError):
    """The file cannot be used; the text says why and how to mend it."""


def path() -> Path:
    """``SIFTWREN_CONFIG``, else ``siftwren/config.json`` in the user's configuration directory."""
    named = os.environ.get("SIFTWREN_CONFIG")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CONFIG_HOME")
    return (Path(base) if base else Path.home() / ".config") / "siftwren" / "config.json"


def load() -> dict[str, str]:
    """``api_url`` and ``api_key`` where the file has them; nothing where there is no file."""
    file = path()
    try:
        mode = file.stat().st_mode
        text = file.read_text("utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"cannot read {file}: {error}") from error
    if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise SettingsError(f"{file} holds a key and others may open it; run: chmod 600 {file}")
    try:
        values = json.loads(text)
    except ValueError as error:
        raise SettingsError(f"{file} is not JSON: {error}; run siftwren init to write it anew") from error
    known = ("api_url", "api_key")
    if not isinstance(values, dict) or not all(k in known and isinstance(v, str) for k, v in values.items()):
        raise SettingsError(f"{file} must be an object with the strings api_url and api_key; run siftwren init")
    return values


def save(api_url: str, api_key: str) -> Path:
    """Writes the file with mode 600, whole or not at all."""
    file = path()
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_name(f"{file.name}.{os.getpid()}.new")
    # The mode is given at creation, so that the key is never readable by others, not even for a moment.
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as output:
            json.dump({"api_url": api_url, "api_key": api_key}, output, indent=2)
            output.write("\n")
        os.replace(temporary, file)
    except BaseException:
        temporary.unlink()
        raise
    return file
