"""A preference: its type, default and help, from which the page of preferences and `config` are made.

A further one is a further file of `settings/options`, which declares an `OPTION`. What changes a number is none of
them (docs/adding-a-setting.md).
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.text import as_typed, in_quotes, plain_number, tr

Value = str | int | float | None
NONE: Final = "none"
"""What an optional value that is not set is called where it is typed."""


class PreferencePart(StrEnum):
    """The part of the page on which a preference stands; the value is the heading."""

    LOOK = "Appearance"
    REVIEW = "Review"
    FOLDERS = "Folders"
    NETWORK = "Network"
    ROUNDS = "Rounds"
    WORK = "Work on this computer"

    @property
    def words(self) -> str:
        return tr(self.value)


class Names(StrEnum):
    """The kind of thing that a text names, so that it can be looked for on the disk."""

    NOTHING = "nothing"
    FILE = "file"
    FOLDER = "folder"


def no_folder(text: str) -> str:
    """The fault of the path of a folder, as a sentence; empty: none, or no path."""
    return "" if not text or Path(text).is_dir() else tr("There is no folder {path}.", path=text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """One preference."""

    name: str
    """Stable, ``part.what``; kept under it, and typed after `config`."""
    part: PreferencePart
    kind: type[str] | type[int] | type[float]
    default: Value
    """None: it need not be set."""
    shown: Shown
    """Its words and bounds."""
    begins: int | float | None = None
    """Of a number that need not be set: the one that is offered first."""
    choices: tuple[tuple[str, str], ...] = ()
    """(what is kept, its words), where nothing else is taken."""
    names: Names = Names.NOTHING
    why_not: Callable[[Any], str] = lambda _: ""
    """What is wrong with a value of the right type, in a sentence; empty: nothing."""

    def accepted(self, value: object) -> Value:
        """*value* as it is kept. Raises `UserError` with what would be taken."""
        fitting = self.fitting(value)
        if fitting is not None and (why := self.why_not(fitting)):
            raise UserError(why)
        return fitting

    def fitting(self, value: object) -> Value:
        """*value* as `accepted` takes it, by its type, bounds and choices alone, without a look at the disk."""
        if value is None and self.default is None:
            return None
        if self.kind is float and isinstance(value, int) and not isinstance(value, bool):
            try:
                value = float(value)
            except OverflowError as error:
                raise self._refused(value) from error
        if not isinstance(value, self.kind) or isinstance(value, bool):
            raise self._refused(value)
        if self.choices and value not in dict(self.choices):
            raise self._refused(value)
        if isinstance(value, int | float):
            least, most = self.shown.least, self.shown.most
            # Turned round, so that what is no number is refused too.
            if not (least is None or value >= least) or not (most is None or value <= most):
                raise self._refused(value)
        return value

    def read(self, text: str) -> Value:
        """*text* as it is typed. Raises `UserError`."""
        text = text.strip()
        if self.default is None and text in ("", NONE):
            return None
        try:
            # A number of thousands of digits is a ValueError too.
            return self.accepted(self.kind(as_typed(text) if self.kind is float else text))
        except ValueError as error:
            raise self._refused(text) from error

    def written(self, value: Value) -> str:
        """*value* as it would be typed."""
        return NONE if value is None else f"{value:g}" if isinstance(value, float) else str(value)

    @property
    def takes(self) -> str:
        """The values that are taken, in words."""
        if self.choices:
            return tr("one of {names}", names=", ".join(in_quotes(str(value)) for value, _ in self.choices))
        least, most = self.shown.least, self.shown.most
        if self.kind is str:
            words = {Names.FILE: tr("the path of a file"), Names.FOLDER: tr("the path of a folder")}
            return words.get(self.names, tr("a text"))
        number = tr("a whole number") if self.kind is int else tr("a number")
        if most is not None:
            number = tr(
                "{number} from {least} to {most}",
                number=number,
                least=plain_number(least or 0),
                most=plain_number(most),
            )
        elif least is not None:
            number = tr("{number} from {least}", number=number, least=plain_number(least))
        return tr("{number}, or none", number=number) if self.default is None else number

    def _refused(self, value: object) -> UserError:
        return UserError(
            tr("“{value}” is no value of {name}.", value=str(value)[:80], name=self.name),
            tr("It takes {what}.", what=self.takes),
        )
