"""API keys: in the operating system's key store; where there is none, in a sealed file if the user wants one.

store       Secret Service, macOS Keychain or Windows Credential Manager, chosen by name: keyring's own choice
            may fall on a backend that stores nothing or stores plain text
sealed file encrypted with a passphrase (`key_file`), where there is no store and the user began one
session     in memory until the program ends, where there is neither or it does not keep what it is given
environment a variable that a plan names, for runs without a window; sent only where a plan of this machine, or its
            user in the window, said that it may be
"""

import os
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.text import tr
from gpf_desktop.settings.accounts import Accounts
from gpf_desktop.settings.key_file import SHORTEST, AskPassphrase, KeyFile
from gpf_desktop.settings.pairings import Pairings, pairing_of

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

SERVICE: Final = "GPF Desktop"
"""Under which the key store files our keys."""
_PROBE: Final = "-"
"""Asked for where nothing but an answer is wanted; no key is filed under it."""


class Kept(StrEnum):
    """The place where a key lives."""

    STORE = "key store"
    SESSION = "this session"
    ENVIRONMENT = "environment variable"
    UNCONFIRMED = "environment variable, not confirmed"
    """An audit names a variable; nobody on this machine has said that it may be sent there."""
    NOWHERE = "nowhere"


class Backend(Protocol):
    """A store that keys are kept in, as keyring's backends and `KeyFile` are."""

    def get_password(self, service: str, username: str, /) -> str | None: ...

    def set_password(self, service: str, username: str, password: str, /) -> None: ...

    def delete_password(self, service: str, username: str, /) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyStore:
    """An open key store of the operating system, or the file in place of one."""

    backend: Backend
    title: str


class KeyRing:
    """Finds, saves and forgets keys. Usable from any thread; talking to a key store may block on its prompt."""

    def __init__(
        self,
        environment: Mapping[str, str] | None = None,
        find_store: Callable[[str], "KeyStore"] | None = None,
        pairings: Pairings | None = None,
        file: KeyFile | None = None,
    ) -> None:
        """*environment* stands for the process's own, *find_store* for `open_store`, the others for the user's own."""
        self._environment = os.environ if environment is None else environment
        self._find_store = find_store or open_store
        self._pairings = pairings or Pairings()
        self._file = file or KeyFile()
        # Reentrant: whoever holds it to read or write a key asks `_store`, which takes it again.
        self._lock = threading.RLock()
        self._open_audit: dict[str, Secret] = {}
        self._places: dict[str, Kept] = {}
        self._opened: KeyStore | None = None
        self._looked = False
        self._trouble = ""
        self._locked = False
        self._told = False
        self.on_change: Callable[[], object] = lambda: None
        """Called, from any thread, when the store is found locked or is unlocked."""
        self.accounts = Accounts()

    @property
    def backend_title(self) -> str:
        """The words in the status strip: the key store's name, or that keys last for this session only."""
        store = self._store()
        return tr("this session only") if store is None else store.title

    @property
    def persistent(self) -> bool:
        """Whether keys outlive the program."""
        return self._store() is not None

    @property
    def file_path(self) -> Path:
        """The path where the key file is, or would be."""
        return self._file.path

    @property
    def trouble(self) -> str:
        """Why the key store could not be used the last time, in a sentence; empty where it could."""
        return self._trouble

    @property
    def locked(self) -> bool:
        """The key store was found locked: keys in it are not to be had before `unlock`."""
        return self._locked

    def ask_passphrase_with(self, ask: AskPassphrase) -> None:
        """Have *ask* called from now on when the key file is to be opened, from any thread, in
        place of the terminal's."""
        self._file.ask = ask

    def begin_file(self, passphrase: str) -> None:
        """Keep keys in a file that *passphrase* seals, those of this session too. Raises `UserError`."""
        with self._lock:
            if self._store() is not None:
                return
            if len(passphrase) < SHORTEST:
                raise UserError(
                    tr("This passphrase is too short."), tr("Take {n} characters or more.", n=str(SHORTEST))
                )
            try:
                self._file.begin(passphrase)
            except OSError as error:
                raise UserError(
                    tr("The key file cannot be written: {why}", why=error.strerror or str(error)),
                    tr("Make room there, then try again."),
                ) from error
            self._opened = _in_file(self._file)
            self._trouble = ""
            self._move_in()
            self.on_change()

    def _move_in(self) -> None:
        # Values change under names that are there: a dictionary may be gone through meanwhile.
        for name, place in self._places.items():
            if place is Kept.SESSION and self._write(name, self._open_audit[name].reveal()):
                self._places[name] = Kept.STORE

    def unlock(self) -> bool:
        """Have the key store ask for its password, and move this session's keys into it; whether it is open now.

        Blocks while the key store asks.
        """
        store = self._store()
        if store is None:
            return False
        with self._lock:
            # Reading has the store ask for its password; `_stumbled` sets this again where it stays locked.
            self._locked = False
            self._read(_PROBE)
            if self._locked:
                return False
            self._tell()
            self._move_in()
            return True

    def unlock_for(self, endpoints: Iterable[Endpoint]) -> None:
        """Have a store that was found locked ask once more, where keys of *endpoints* may be in it.

        For what somebody has asked for that cannot be done without them. Blocks while the store asks.
        """
        missing = (not each.key_env and self.name_of(each) not in self._open_audit for each in endpoints)
        if self._locked and any(missing):
            self.unlock()

    @staticmethod
    def name_of(endpoint: Endpoint) -> str:
        """The name under which the key of *endpoint* is kept: one for each provider and address, and each account
        there."""
        place = f"{endpoint.provider} {endpoint.base_url}".strip()
        return f"{place} as {endpoint.key_account}" if endpoint.key_account else place

    def find(self, endpoint: Endpoint) -> Secret | None:
        """The key for *endpoint*: from the variable that it names, else from this session, else from the store.

        None where it names a variable that may not be sent there (`may_send`), or where the store is locked.
        """
        if endpoint.key_env:
            if not self.may_send(endpoint):
                return None
            # A variable that was filled from a file may end in a line break, which no header may hold.
            text = self._environment.get(endpoint.key_env, "").strip()
            return Secret(text) if text else None
        return self.kept(self.name_of(endpoint))

    def kept(self, name: str) -> Secret | None:
        """The secret that `save` keeps under *name*: from this session, else from the store."""
        with self._lock:
            if name in self._open_audit:
                return self._open_audit[name]
            text = self._read(name)
            if not text:
                return None
            self._open_audit[name] = Secret(text)
            self._places[name] = Kept.STORE
            return self._open_audit[name]

    def may_send(self, endpoint: Endpoint) -> bool:
        """Whether the variable that *endpoint* names may be sent to its address; true where it names none."""
        return not endpoint.key_env or pairing_of(endpoint) in self._pairings

    def allow(self, endpoint: Endpoint) -> None:
        """A plan of this machine names the variable and the address: it may be sent until the program ends."""
        self._pairings.allow(pairing_of(endpoint))

    def confirm(self, endpoint: Endpoint) -> None:
        """The user says that the variable may be sent to the address, now and later."""
        self._pairings.confirm(pairing_of(endpoint))

    def where(self, endpoint: Endpoint) -> Kept:
        """The place where the key of *endpoint* lives now."""
        if not self.may_send(endpoint):
            return Kept.UNCONFIRMED
        if self.find(endpoint) is None:
            return Kept.NOWHERE
        return Kept.ENVIRONMENT if endpoint.key_env else self._places[self.name_of(endpoint)]

    def save(self, name: str, secret: Secret) -> Kept:
        """Keep *secret* under *name* (`name_of`), read it back, and say where it is kept now.

        Where the store is missing, locked or forgetful the key lasts for this session. Raises `UserError` for what
        cannot be a key.
        """
        text = secret.reveal().strip()
        # Keys travel in headers, which hold nothing else.
        if not text or not text.isascii() or not text.isprintable():
            raise UserError(
                tr("This is not a key: a key is one line of plain letters, digits and signs."), tr("Paste it again.")
            )
        with self._lock:
            kept = Kept.STORE if self._write(name, text) else Kept.SESSION
            self._open_audit[name] = Secret(text)
            self._places[name] = kept
            return kept

    def forget(self, name: str) -> None:
        """Remove the key from the session and from the store; nothing happens where there is none."""
        with self._lock:
            self._open_audit.pop(name, None)
            self._places.pop(name, None)
            store = self._store()
            if store is None:
                return
            from keyring.errors import PasswordDeleteError

            try:
                store.backend.delete_password(SERVICE, name)
            except PasswordDeleteError:
                return
            except Exception as error:
                self._stumbled(store, error)

    def _read(self, name: str) -> str:
        store = self._store()
        # Once it was left locked it is let be: it would ask for its password at every letter of an address.
        if store is None or self._locked:
            return ""
        try:
            text = store.backend.get_password(SERVICE, name) or ""
        except Exception as error:
            # Backends raise errors of D-Bus, of Windows or of their own: none of them may end a round.
            self._stumbled(store, error)
            return ""
        self._trouble = ""
        return text

    def _write(self, name: str, text: str) -> bool:
        """Whether the store really has it: some accept a key and keep nothing."""
        store = self._store()
        if store is None or self._locked:
            return False
        try:
            store.backend.set_password(SERVICE, name, text)
            kept = store.backend.get_password(SERVICE, name) == text
        except Exception as error:
            self._stumbled(store, error)
            return False
        self._trouble = "" if kept else tr("The key was not kept by {store}.", store=store.title)
        return kept

    def _stumbled(self, store: KeyStore, error: Exception) -> None:
        from keyring.errors import KeyringLocked

        self._locked = isinstance(error, KeyringLocked)
        self._tell()
        why = str(error) or type(error).__name__
        self._trouble = tr("Keys cannot be had from {store}: {why}", store=store.title, why=why)

    def _tell(self) -> None:
        if self._told is not self._locked:
            self._told = self._locked
            self.on_change()

    def _store(self) -> KeyStore | None:
        # Without the lock once it is known: who holds it may wait for a passphrase that the window is to show.
        if self._looked:
            return self._opened
        with self._lock:
            if not self._looked:
                try:
                    self._opened = self._find_store(sys.platform)
                except Exception as error:
                    if self._file.exists:
                        self._opened = _in_file(self._file)
                    else:
                        self._trouble = tr("No key store was found: {why}", why=str(error) or type(error).__name__)
                # Also where it failed: each key that is asked for would only meet the same failure again.
                self._looked = True
            return self._opened


def _in_file(file: KeyFile) -> KeyStore:
    return KeyStore(backend=file, title=tr("your key file"))


def open_store(platform: str) -> KeyStore:
    """The key store of *platform* (as `sys.platform` names it). Raises whatever keeps it from being used."""
    match platform:
        case "darwin":
            from keyring.backends import macOS

            return _usable(macOS.Keyring, tr("macOS Keychain"))
        case "win32":
            from keyring.backends import Windows

            return _usable(Windows.WinVaultKeyring, tr("Windows Credential Manager"))
        case _:
            from keyring.backends import SecretService

            return _usable(SecretService.Keyring, tr("Secret Service"))


def _usable(kind: "type[KeyringBackend]", title: str) -> KeyStore:
    # Reading the priority makes a backend check its surroundings; it raises where they do not do.
    if kind.priority <= 0:
        raise RuntimeError(tr("{store} is not available here.", store=title))
    return KeyStore(backend=kind(), title=title)
