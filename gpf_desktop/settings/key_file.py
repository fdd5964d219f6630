"""Keys in one file of the user's, encrypted with a passphrase: for computers without a key store.

The passphrase becomes a key by scrypt (RFC 7914), which AES-256-GCM seals the keys with; what scrypt was told stands in
the open beside them, and is sealed too. Neither passphrase nor keys are ever written.
"""

import base64
import getpass
import json
import os
import sys
import unicodedata
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import platformdirs
from filelock import FileLock

from gpf_desktop.documents.whole_files import whole_file
from gpf_desktop.domain.text import tr

AskPassphrase = Callable[[bool], str]
"""What a person types when asked for the passphrase, empty where they do not; told whether the last one was wrong."""
SHORTEST: Final = 8
"""Characters of a passphrase."""
_LARGEST: Final = 10_000_000
"""Bytes that are read: a key file of anybody's is far smaller."""


@dataclass(frozen=True, slots=True)
class _Stretch:
    """The parameters of scrypt: 128 MB and a third of a second for each guess."""

    salt: str
    n: int = 2**17
    r: int = 8
    p: int = 1

    @classmethod
    def new(cls) -> "_Stretch":
        return cls(_text(os.urandom(16)))

    def key_of(self, passphrase: str) -> bytes:
        from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

        # Keyboards of two systems type an accent in two ways.
        typed = unicodedata.normalize("NFC", passphrase).encode()
        return Scrypt(salt=_bytes(self.salt), length=32, n=self.n, r=self.r, p=self.p).derive(typed)

    @property
    def sealed_with(self) -> bytes:
        return json.dumps(asdict(self), sort_keys=True).encode()


class KeyFile:
    """Keeps keys like a key store of the system; asks for the passphrase once, when the first key is wanted."""

    def __init__(self, path: Path | None = None) -> None:
        """*path* stands for the file in the user's data."""
        self.path = path or platformdirs.user_data_path("gpf-desktop", appauthor=False) / "keys.encrypted"
        self.ask: AskPassphrase = ask_in_terminal
        self._open: tuple[_Stretch, bytes] | None = None

    @property
    def exists(self) -> bool:
        return self.path.is_file()

    def begin(self, passphrase: str) -> None:
        """Make the file, without a key in it, and leave it open. Raises `OSError`, `FileExistsError` where it is."""
        stretch = _Stretch.new()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._lock():
            if self.exists:
                raise FileExistsError(str(self.path))
            self._open = stretch, stretch.key_of(passphrase)
            self._write({})

    def get_password(self, _service: str, name: str) -> str | None:
        """The password kept under *name*. Raises `KeyringLocked` where nobody types the passphrase."""
        return self._read().get(name)

    def set_password(self, _service: str, name: str, text: str) -> None:
        with self._lock():
            self._write({**self._read(), name: text})

    def delete_password(self, _service: str, name: str) -> None:
        with self._lock():
            kept = self._read()
            if kept.pop(name, None) is not None:
                self._write(kept)

    def _lock(self) -> FileLock:
        # Two programs that keep a key at the same moment keep both.
        return FileLock(self.path.with_suffix(".lock"), timeout=10)

    def _read(self) -> dict[str, str]:
        stretch, nonce, sealed = self._taken_apart()
        if self._open is None or self._open[0] != stretch:
            self._open = stretch, self._typed(stretch, nonce, sealed)
        opened = _opened(self._open[1], stretch, nonce, sealed)
        if opened is None:
            raise ValueError(tr("it was changed by somebody else"))
        return opened

    def _typed(self, stretch: _Stretch, nonce: bytes, sealed: bytes) -> bytes:
        """The key that the passphrase makes, once the right one is typed."""
        from keyring.errors import KeyringLocked

        again = False
        while passphrase := self.ask(again):
            key = stretch.key_of(passphrase)
            if _opened(key, stretch, nonce, sealed) is not None:
                return key
            again = True
        raise KeyringLocked(tr("its passphrase was not typed"))

    def _taken_apart(self) -> tuple[_Stretch, bytes, bytes]:
        try:
            with self.path.open("rb") as file:
                said = json.loads(file.read(_LARGEST))
            stretch = _Stretch(**said["scrypt"])
            # What somebody else wrote there may take all memory, or a week.
            if not (2 <= stretch.n <= 2**20 and 1 <= stretch.r <= 16 and 1 <= stretch.p <= 4):
                raise ValueError
            # Nor is it found out only once a passphrase is typed that nothing can be made of it.
            if stretch.n & (stretch.n - 1) or not _bytes(stretch.salt):
                raise ValueError
            return stretch, _bytes(said["nonce"]), _bytes(said["keys"])
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise ValueError(tr("{path} is no key file of this program", path=str(self.path))) from error

    def _write(self, kept: dict[str, str]) -> None:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        assert self._open is not None
        stretch, key = self._open
        nonce = os.urandom(12)
        sealed = AESGCM(key).encrypt(nonce, json.dumps(kept).encode(), stretch.sealed_with)
        said = {"scrypt": asdict(stretch), "nonce": _text(nonce), "keys": _text(sealed)}
        with whole_file(self.path) as beside:
            beside.touch(mode=0o600)
            beside.write_text(json.dumps(said, indent=1), encoding="ascii")


def ask_in_terminal(again: bool) -> str:
    """The passphrase typed without echo; empty where no person sits at a terminal."""
    if not (sys.stdin and sys.stdin.isatty()):
        return ""
    wrong = tr("That is not the passphrase.") + " " if again else ""
    try:
        return getpass.getpass(wrong + tr("Passphrase of your key file (empty: go on without its keys): "))
    except (EOFError, KeyboardInterrupt):
        return ""


def _opened(key: bytes, stretch: _Stretch, nonce: bytes, sealed: bytes) -> dict[str, str] | None:
    """The passwords that were sealed; None where *key* is another, or a byte was changed."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        opened: dict[str, str] = json.loads(AESGCM(key).decrypt(nonce, sealed, stretch.sealed_with))
    except InvalidTag:
        return None
    return opened


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)
