"""Notes on who answered: the server's word, compared with the name that was asked for and from round to round.

An alias that resolves to a dated version is how providers work, and is told. Another name, and a name, fingerprint or
host that changes, weigh on what is concluded: the numbers of one model may then be those of two.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import pairwise
from typing import Final

from gpf_desktop.domain.text import kept_apart, tr, trn

_LISTED: Final = 3
"""Names of one change that a sentence has room for."""
_TOO_MANY: Final = 10
"""Fingerprints from which one that is new with most answers says nothing of who answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A server's word on who answered; empty if it says nothing."""

    model: str = ""
    fingerprint: str = ""
    """Of the set-up that the model ran in."""
    host: str = ""
    """The company behind a gateway."""

    @property
    def told(self) -> bool:
        return bool(self.model or self.fingerprint or self.host)


NOT_SAID: Final = Served()


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedAnswers:
    """Answers of one model in one round for which the server said the same."""

    served: Served
    answers: int
    first: datetime
    last: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundAnswered:
    """One model in one round, where its server said who answers."""

    run: int
    round: str
    model: str
    """As tables name it."""
    asked: str
    """The name that was sent."""
    answering: bool
    """It answered questions; else it judged or encoded answers."""
    imported: bool = False
    """Another program asked it: *asked* is what the file calls it."""
    told: tuple[ServedAnswers, ...]
    """In the order of their first answers."""


class ServedKind(StrEnum):
    """The kind of a note on who answered."""

    VERSION = "version"
    """An alias that was asked for, and the version that answered: how providers work."""
    OTHER_NAME = "other_name"
    WITHIN_ROUND = "within_round"
    BETWEEN_ROUNDS = "between_rounds"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedNote:
    """One thing to tell of who answered for one model."""

    kind: ServedKind
    model: str
    answering: bool
    runs: tuple[int, ...]
    words: str
    """A sentence; the model's name is not in it where it stands beside it already."""

    @property
    def weighs(self) -> bool:
        return self.kind is not ServedKind.VERSION

    @property
    def sentence(self) -> str:
        """The words with the model's name before them."""
        return tr("{m}: {said}", m=self.model, said=self.words)


def notes(rounds: Sequence[RoundAnswered]) -> tuple[ServedNote, ...]:
    """The notes on *rounds*, the oldest first: model by model, changes before names."""
    found: list[ServedNote] = []
    for model in dict.fromkeys(each.model for each in rounds):
        its = [each for each in rounds if each.model == model]
        found += (note for each in its if (note := _within(each)) is not None)
        found += _between(its)
        found += _names(its)
    return tuple(found)


def notes_of(run: int, rounds: Sequence[RoundAnswered]) -> tuple[ServedNote, ...]:
    """The notes on *run*, by itself and compared with those of *rounds* before it."""
    own = notes([each for each in rounds if each.run == run])
    since = [each for each in notes([each for each in rounds if each.run <= run]) if each.runs[-1] == run]
    return (*own, *(each for each in since if each.kind is ServedKind.BETWEEN_ROUNDS))


def versions(rounds: Sequence[RoundAnswered]) -> str:
    """“asked for a, answered by b; fingerprints c, d; run by e”, of one model; of names that differ alone; empty where
    nothing was said."""
    names = _distinct(rounds, lambda served: served.model)
    prints = [] if any(map(_meaningless, rounds)) else _distinct(rounds, lambda served: served.fingerprint)
    hosts = _distinct(rounds, lambda served: served.host)
    asked = ", ".join(dict.fromkeys(each.asked for each in rounds))
    words = []
    if names and {*map(_plain, names)} == {_plain(each.asked) for each in rounds}:
        words.append(tr("its server named the same model"))
    elif names:
        told = {"asked": asked, "names": _listed(names)}
        imported = all(each.imported for each in rounds)
        words.append(
            tr("named {asked} in the file, answered by {names}", **told)
            if imported
            else tr("asked for {asked}, answered by {names}", **told)
        )
    if prints:
        words.append(trn("fingerprint {names}", "fingerprints {names}", len(prints), names=_listed(prints)))
    if hosts:
        words.append(tr("run by {names}", names=_listed(hosts)))
    return "; ".join(words)


_ALIAS: Final = re.compile(r"-(?:latest|stable|default|free|nitro|floor|online|0)$")
_VERSION: Final = re.compile(
    r"(?:-(?:latest|stable|preview|exp|experimental|beta|snapshot|free|\d{4}-\d\d-\d\d|\d\d-\d\d(?:-\d{4})?|\d\d-\d{4}"
    r"|\d{3,8}|v\d{1,2}(?:-\d)?))+"
)
_BETWEEN: Final = re.compile(r"[\s._:@-]+")


def is_version_of(asked: str, served: str) -> bool:
    """Whether *served* is the name *asked*, or a version of it: dated, numbered or tagged, behind any publisher's name.

    gpt-4o-2024-08-06 is one of gpt-4o and of openai/gpt-4o; gpt-4o-mini and gpt-4.1 are others.
    """
    return any(_same_line(one, other) for one, other in _spellings(asked, served))


def _spellings(asked: str, served: str) -> Iterator[tuple[str, str]]:
    whole = (_plain(asked), _plain(served))
    yield whole
    # A publisher or a folder may stand before one of the names; two publishers are two models.
    if not all("/" in each for each in whole) or re.match(r"\s*(?:[a-z]:)?[/\\]", served, re.IGNORECASE):
        one, other = (each.rpartition("/")[2] for each in whole)
        yield one, other
    # Programs that ask for others write their way to a model before its name: openai:chat:gpt-4o.
    yield _plain(asked.rpartition(":")[2]), whole[1]


def _plain(name: str) -> str:
    told = name.strip().lower().replace("\\", "/").removesuffix(".gguf")
    return "/".join(_BETWEEN.sub("-", part).strip("-") for part in told.removeprefix("models/").split("/") if part)


def _same_line(asked: str, served: str) -> bool:
    base = _ALIAS.sub("", asked)
    return served in (asked, base) or (
        bool(base) and served.startswith(base) and _VERSION.fullmatch(served[len(base) :]) is not None
    )


@dataclass(frozen=True, slots=True)
class _Aspect:
    """One thing that may change, and its sentences with fields to fill."""

    of: Callable[[Served], str]
    switched: str
    mixed: str
    between: str


def _aspects() -> tuple[_Aspect, ...]:
    """The gravest first: of a change the first that changed is told."""
    return (
        _Aspect(
            lambda served: served.model,
            tr("Within “{name}” the model that answered changed: {before}, then {after}."),
            tr("Within “{name}” more than one model answered: {told}."),
            tr("Between “{first}” and “{second}” the model that answered changed from {before} to {after}."),
        ),
        _Aspect(
            lambda served: served.host,
            tr("Within “{name}” another company took over running the model: {before}, then {after}."),
            tr("Within “{name}” more than one company ran the model: {told}."),
            tr("Between “{first}” and “{second}” the company that ran the model changed from {before} to {after}."),
        ),
        _Aspect(
            lambda served: served.fingerprint,
            tr("Within “{name}” the provider changed the model's set-up: fingerprint {before}, then {after}."),
            tr("Within “{name}” the model ran in more than one set-up: fingerprints {told}."),
            tr("Between “{first}” and “{second}” the model's set-up changed: fingerprint {before}, then {after}."),
        ),
    )


def _filled(sentence: str, **values: str) -> str:
    return sentence.format(**kept_apart(values))


def _within(one: RoundAnswered) -> ServedNote | None:
    for aspect in _aspects():
        spans = _spans(one, aspect)
        if len(spans) < 2:
            continue
        counted = [tr("{name} ({n})", name=name, n=_answers(each.answers)) for name, each in spans]
        # One after the other, with no answer of the first behind one of the second.
        if len(spans) == 2 and spans[0][1].last < spans[1][1].first:
            words = _filled(aspect.switched, name=one.round, before=counted[0], after=counted[1])
        else:
            words = _filled(aspect.mixed, name=one.round, told=_listed(counted))
        return _note(ServedKind.WITHIN_ROUND, one, (one.run,), words)
    return None


def _between(rounds: Sequence[RoundAnswered]) -> list[ServedNote]:
    found: dict[int, ServedNote] = {}
    for aspect in _aspects():
        # Rounds of which it was not said stand between no two others.
        saying = [(each, names) for each in rounds if (names := [name for name, _ in _spans(each, aspect)])]
        for (first, before), (second, after) in pairwise(saying):
            # What both have in common went on; a change within one of them is told there.
            if second.run not in found and set(before).isdisjoint(after):
                words = _filled(
                    aspect.between, first=first.round, second=second.round, before=_listed(before), after=_listed(after)
                )
                found[second.run] = _note(ServedKind.BETWEEN_ROUNDS, second, (first.run, second.run), words)
    return [found[run] for run in sorted(found)]


def _names(rounds: Sequence[RoundAnswered]) -> Iterator[ServedNote]:
    """Notes on each name that was asked for: the versions that answered, and names that are none of its versions."""
    for asked in dict.fromkeys(each.asked for each in rounds):
        its = [each for each in rounds if each.asked == asked]
        names = [name for name in _distinct(its, lambda served: served.model) if _plain(name) != _plain(asked)]
        runs = tuple(each.run for each in its)
        others = [name for name in names if not is_version_of(asked, name)]
        if others:
            told = {"asked": asked, "names": _listed(others)}
            words = (
                tr("The file names {asked}, but its server says that {names} answered.", **told)
                if its[-1].imported
                else tr("Asked for {asked}, but the server says that {names} answered.", **told)
            )
            yield _note(ServedKind.OTHER_NAME, its[-1], runs, words)
        if same := [name for name in names if name not in others]:
            words = tr("Asked for {asked}, answered by {names}.", asked=asked, names=_listed(same))
            yield _note(ServedKind.VERSION, its[-1], runs, words)


def _note(kind: ServedKind, of: RoundAnswered, runs: tuple[int, ...], words: str) -> ServedNote:
    return ServedNote(kind=kind, model=of.model, answering=of.answering, runs=runs, words=words)


def _spans(one: RoundAnswered, aspect: _Aspect) -> list[tuple[str, ServedAnswers]]:
    """The names that the server gave for *aspect*, with the answers of each, in the order of their first."""
    found: dict[str, ServedAnswers] = {}
    for each in one.told:
        name = aspect.of(each.served)
        if not name or (name == each.served.fingerprint and _meaningless(one)):
            continue
        there = found.get(name)
        found[name] = each if there is None else _joined(there, each)
    return list(found.items())


def _joined(one: ServedAnswers, other: ServedAnswers) -> ServedAnswers:
    return ServedAnswers(
        served=one.served,
        answers=one.answers + other.answers,
        first=min(one.first, other.first),
        last=max(one.last, other.last),
    )


def _meaningless(one: RoundAnswered) -> bool:
    """Whether nearly every answer has a fingerprint of its own, as some servers write a number of the call there."""
    prints = {each.served.fingerprint for each in one.told} - {""}
    answers = sum(each.answers for each in one.told if each.served.fingerprint)
    return len(prints) > _TOO_MANY and 2 * len(prints) > answers


def _distinct(rounds: Iterable[RoundAnswered], of: Callable[[Served], str]) -> list[str]:
    return list(dict.fromkeys(name for each in rounds for told in each.told if (name := of(told.served))))


def _listed(names: Sequence[str]) -> str:
    some = ", ".join(names[:_LISTED])
    more = len(names) - _LISTED
    return trn("{some} and {n} more", "{some} and {n} more", more, some=some) if more > 0 else some


def _answers(n: int) -> str:
    return trn("{n:,} answer", "{n:,} answers", n)
