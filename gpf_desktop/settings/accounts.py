"""Names of accounts at providers, shared by every audit of this user; their keys are the key store's.

Where one person has several keys for one address, each belongs to an account with a name of its own.
"""

import json
from contextlib import suppress
from pathlib import Path

import platformdirs

from gpf_desktop.documents.whole_files import whole_file
from gpf_desktop.domain.models import Endpoint

_LONGEST = 80


class Accounts:
    """A list of (provider, address, name) in the user's settings; it holds no key."""

    def __init__(self, path: Path | None = None) -> None:
        """*path* stands for the file in the user's settings."""
        self._path = path or platformdirs.user_config_path("gpf-desktop", appauthor=False) / "accounts.json"

    def names(self, provider: str, base_url: str) -> tuple[str, ...]:
        """The accounts known at an address, in the order of the alphabet."""
        return tuple(sorted(name for at, address, name in self._read() if (at, address) == (provider, base_url)))

    def remember(self, endpoint: Endpoint) -> None:
        """A key was kept for the account that *endpoint* names."""
        if endpoint.key_account:
            self._write(self._read() | {_row(endpoint)})

    def forget(self, endpoint: Endpoint) -> None:
        self._write(self._read() - {_row(endpoint)})

    def _read(self) -> frozenset[tuple[str, str, str]]:
        """The accounts in the file; none where it is missing or is not what `_write` writes."""
        try:
            rows = json.loads(self._path.read_bytes())
            return frozenset((str(at), str(address), str(name)[:_LONGEST]) for at, address, name in rows)
        except (OSError, ValueError, TypeError, RecursionError):
            return frozenset()

    def _write(self, rows: frozenset[tuple[str, str, str]]) -> None:
        # Where the settings cannot be written the name has to be typed again; the key is kept all the same.
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(self._path) as beside:
                beside.write_text(json.dumps(sorted(rows), indent=1), encoding="utf-8")


def _row(endpoint: Endpoint) -> tuple[str, str, str]:
    return endpoint.provider, endpoint.base_url, endpoint.key_account
