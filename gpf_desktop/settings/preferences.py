"""The user's preferences, in one file that the window and `gpf-desktop config` share; never a key."""

import importlib
import json
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import RLock
from typing import Any, Final

import platformdirs

from gpf_desktop.documents.targets import not_read, of_the_disk
from gpf_desktop.documents.whole_files import whole_file
from gpf_desktop.domain.errors import StorageError, StorageFault, UserError
from gpf_desktop.domain.text import tr
from gpf_desktop.settings import options
from gpf_desktop.settings.option import Preference, PreferencePart, Value

_PROGRAM: Final = "gpf-desktop settings"
"""By which a file of settings is known."""


@cache
def declared() -> Mapping[str, Preference]:
    """Every preference by its name, in the order of the page."""
    names = [each.name for each in pkgutil.iter_modules(options.__path__)]
    found = [importlib.import_module(f"{options.__name__}.{name}").OPTION for name in names]
    parts = list(PreferencePart)
    return {each.name: each for each in sorted(found, key=lambda each: (parts.index(each.part), each.name))}


def option(name: str) -> Preference:
    """Raises `UserError` for a name that no preference has."""
    if name not in declared():
        import difflib

        near = difflib.get_close_matches(name, list(declared()), n=1)
        raise UserError(
            tr("There is no setting “{name}”.", name=name[:80]),
            tr("Did you mean {name}?", name=near[0]) if near else tr("They are: {names}.", names=", ".join(declared())),
        )
    return declared()[name]


class Preferences:
    """Usable from any thread. What the file holds that cannot be used counts as its default, and stays in the file."""

    def __init__(self, path: Path | None = None) -> None:
        """*path* stands for the file in the user's settings."""
        self._own_path = path
        self._lock = RLock()
        self._kept: dict[str, Any] | None = None
        self._followers: list[Callable[[str], object]] = []
        self.version = 0
        """Another number after each change."""

    @property
    def path(self) -> Path:
        return self._own_path or platformdirs.user_config_path("gpf-desktop", appauthor=False) / "settings.json"

    def get(self, name: str) -> Any:
        """The value in force; the type is the option's."""
        one = option(name)
        with self._lock:
            kept = self._values()
            if name not in kept:
                return one.default
            with suppress(UserError):
                return one.fitting(kept[name])
            return one.default

    def is_set(self, name: str) -> bool:
        """Whether it was chosen, and is not the default because nobody chose."""
        with self._lock:
            return name in self._values()

    def set(self, name: str, value: object) -> None:
        """Keep *value*, in force at once. Raises `UserError` for one that is not taken, `StorageError` for the disk."""
        accepted = option(name).accepted(value)
        self._change({name: accepted}, ())

    def reset(self, *names: str) -> None:
        """Back to the default. Raises as `set` does."""
        self._change({}, [option(each).name for each in names])

    def follow(self, told: Callable[[str], object]) -> Callable[[], None]:
        """Call *told* with the name of each that changes, on the thread that changes it; what is returned ends that."""
        self._followers.append(told)
        return lambda: self._followers.remove(told)

    def forget(self) -> None:
        """Delete the file, as if nobody had ever chosen anything."""
        with self._lock:
            self.path.unlink(missing_ok=True)
            self._kept = None
            self.version += 1

    def put_back(self, chosen: Mapping[str, Value]) -> None:
        """Exactly what `chosen` gave. Raises as `set` does."""
        self._change(chosen, [name for name in declared() if name not in chosen])

    def chosen(self) -> dict[str, Value]:
        """The preferences that somebody chose, by name."""
        return {name: self.get(name) for name in declared() if self.is_set(name)}

    def write_to(self, target: Path, keys: Mapping[str, str] | None = None) -> None:
        """Write what was chosen as one file, with the *keys* of commands where they are given.

        Raises `StorageError` and `UserError`.
        """
        told = {} if keys is None else {"keys": dict(keys)}
        _write(target, {"file": _PROGRAM, "settings": self.chosen(), **told})

    def read_from(self, source: Path) -> dict[str, str] | None:
        """Take over what a file of `write_to` holds, all of it or nothing; the keys of commands in it are returned,
        None where it tells nothing of them.

        What it does not hold goes back to its default. Raises `UserError`.
        """
        try:
            data = json.loads(source.read_bytes())
        except OSError as error:
            raise not_read(source, error) from error
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict) or data.get("file") != _PROGRAM or not isinstance(data.get("settings"), dict):
            raise UserError(
                tr("{name} is no file of settings of this program.", name=source.name),
                tr("Choose one that was written by Export settings."),
            )
        # A newer program's are passed over, not refused.
        values = {name: option(name).accepted(each) for name, each in data["settings"].items() if name in declared()}
        self._change(values, [name for name in declared() if name not in values])
        keys = data.get("keys")
        return {str(each): str(of) for each, of in keys.items()} if isinstance(keys, dict) else None

    def _change(self, values: Mapping[str, Value], reset: Iterable[str]) -> None:
        with self._lock:
            before = {name: self.get(name) for name in declared()}
            # Read anew: another program may have changed another one meanwhile.
            self._kept = None
            kept = {**self._values(to_change=True), **values}
            for name in reset:
                kept.pop(name, None)
            _write(self.path, {"file": _PROGRAM, "settings": kept})
            self._kept = kept
            self.version += 1
            changed = [name for name in declared() if self.get(name) != before[name]]
        for name in changed:
            for told in tuple(self._followers):
                told(name)

    def _values(self, *, to_change: bool = False) -> dict[str, Any]:
        """Raises `StorageError` where what stands there cannot be read and is *to_change*: it would be written over."""
        if self._kept is None:
            try:
                text = self.path.read_bytes()
            except OSError as error:
                if to_change and not isinstance(error, FileNotFoundError):
                    raise _not_written(self.path, error) from error
                self._kept = {}
                return self._kept
            self._kept = {}
            try:
                self._kept = dict(json.loads(text)["settings"])
            except (ValueError, TypeError, KeyError, RecursionError):
                # Kept beside, since the next change writes the file anew.
                with suppress(OSError):
                    self.path.replace(self.path.with_suffix(".damaged.json"))
        return self._kept


def _write(target: Path, data: object) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(target) as beside:
            # With escapes: half a pair of surrogates, which a file by hand may have, is nothing in UTF-8.
            beside.write_text(json.dumps(data, indent=1) + "\n", encoding="ascii")
    except OSError as error:
        raise _not_written(target, error) from error


def _not_written(target: Path, error: OSError) -> StorageError:
    found = of_the_disk(error, target)
    return StorageError(
        tr("The settings cannot be written: {why}.", why=error.strerror or str(error)),
        tr("Check the disk and who may write to {path}.", path=str(target.parent)),
        fault=found.fault if isinstance(found, StorageError) else StorageFault.READ_ONLY,
    )


HERE: Final = Preferences()
"""Those of this user, in force in this process."""
