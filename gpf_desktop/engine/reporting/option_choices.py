"""Options of a method's tables that a reader chooses: by what answers are compared, for one.

An option of an analysis is such a choice where its field says so: `Shown.choice`. What is chosen is kept in the audit:
for the window, reports and exports.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, cast

from gpf_desktop.domain.options import Shown, shown_in
from gpf_desktop.domain.text import capital, tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.storage import audits
from gpf_desktop.storage.writer import Connection

ChosenOptions = tuple[tuple[str, str], ...]
"""(option, value) pairs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionChoice:
    """An option of a method's analyses with a list of values."""

    name: str
    title: str
    values: tuple[tuple[str, str], ...]
    """(value, words), the one first that holds where nothing is chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionNumber:
    """An option of a method's analyses that is a number between 0 and 1."""

    name: str
    title: str
    usual: float
    """What holds where nothing is stated."""


def option_choices(method: str) -> tuple[OptionChoice, ...]:
    """The options of *method* with a list of values, each once however many of its analyses have it."""
    return tuple(
        OptionChoice(name=name, title=tr(shown.label), values=tuple((each.value, each.words) for each in kind))
        for name, shown in _shown(method).items()
        if (kind := cast("Any", shown.choice)) is not float
    )


def option_numbers(method: str) -> tuple[OptionNumber, ...]:
    """The options of *method* that are numbers, each once as in `option_choices`."""
    usual: dict[str, Any] = {
        field.name: field.default for each in catalogue.analyses_of(method).values() for field in fields(each.options)
    }
    return tuple(
        OptionNumber(name=name, title=tr(shown.label), usual=float(usual[name]))
        for name, shown in _shown(method).items()
        if shown.choice is float
    )


def typed(method: str, chosen: ChosenOptions) -> dict[str, object]:
    """The *chosen* values as analyses take them."""
    kinds: dict[str, Any] = {name: shown.choice for name, shown in _shown(method).items()}
    return {name: kinds[name](value) for name, value in known(method, dict(chosen))}


def share_of(text: str) -> float | None:
    """A number between 0 and 1, neither of them; None: *text* is none."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 < value < 1 else None


def option_words(method: str, chosen: ChosenOptions) -> tuple[str, ...]:
    """The *chosen* values that are not the usual ones, a sentence each."""
    picked = dict(chosen)
    return tuple(
        tr("{what}: {value}.", what=capital(each.title), value=dict(each.values)[picked[each.name]])
        for each in option_choices(method)
        if picked.get(each.name, each.values[0][0]) != each.values[0][0]
    )


def known(method: str, chosen: Mapping[str, str]) -> ChosenOptions:
    """The *chosen* values that *method* still offers."""
    offered = {each.name: dict(each.values) for each in option_choices(method)}
    numbers = {each.name for each in option_numbers(method)}
    return tuple(
        (name, value)
        for name, value in sorted(chosen.items())
        if value in offered.get(name, ()) or (name in numbers and share_of(value) is not None)
    )


def kept(connection: Connection, method: str) -> ChosenOptions:
    """The values chosen last in this audit."""
    return audits.kept(connection, _key(method), partial(known, method), ())


def keep(connection: Connection, method: str, chosen: ChosenOptions) -> None:
    """Have *chosen* hold the next time."""
    audits.set_setting(connection, _key(method), json.dumps(dict(chosen)))


def _key(method: str) -> str:
    return f"results.options.{method}"


def _shown(method: str) -> Mapping[str, Shown]:
    return {
        name: shown
        for each in catalogue.analyses_of(method).values()
        for name, shown in shown_in(each.options).items()
        if shown.choice is not None
    }
