"""Pairs of an environment variable and the address it may be sent to, as the user of this machine said.

An audit names a variable and an address too, but an audit may come from anybody: by itself it gets nothing sent.
"""

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from gpf_desktop.documents.whole_files import whole_file
from gpf_desktop.domain.models import Endpoint


@dataclass(frozen=True, slots=True, order=True)
class Pairing:
    """One variable and the one address that it is for."""

    variable: str
    provider: str
    base_url: str
    """Empty: the provider's own."""


def pairing_of(endpoint: Endpoint) -> Pairing:
    """The pairing needed for *endpoint*'s key to be sent to it."""
    return Pairing(endpoint.key_env, endpoint.provider, endpoint.base_url)


class Pairings:
    """The pairings that a plan named, for as long as the program runs, and those confirmed in the window, for good."""

    def __init__(self, path: Path | None = None) -> None:
        """*path* stands for the file in the user's settings."""
        self._path = path or platformdirs.user_config_path("gpf-desktop", appauthor=False) / "key-variables.json"
        self._allowed: frozenset[Pairing] = frozenset()

    def __contains__(self, pairing: Pairing) -> bool:
        return pairing in self._allowed or pairing in self._confirmed()

    def allow(self, pairing: Pairing) -> None:
        """Allow *pairing* until the program ends."""
        self._allowed |= {pairing}

    def confirm(self, pairing: Pairing) -> None:
        """Allow *pairing* for good; where the settings cannot be written, until the program ends."""
        self.allow(pairing)
        rows = [[each.variable, each.provider, each.base_url] for each in sorted(self._confirmed() | {pairing})]
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(self._path) as beside:
                beside.write_text(json.dumps(rows, indent=1), encoding="utf-8")

    def _confirmed(self) -> frozenset[Pairing]:
        """The pairings in the file; none where it is missing or is not what `confirm` writes."""
        try:
            return frozenset(Pairing(*map(str, row)) for row in json.loads(self._path.read_bytes()))
        except (OSError, ValueError, TypeError, RecursionError):
            return frozenset()
