"""The page of what is planned beforehand: written into the audit before the first call, under a check code."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from hashlib import sha256
from typing import Any, Final

from gpf_desktop.domain.text import percent, tr, trn

CODE_SHOWN: Final = 16
"""Characters of a check code that stand in sentences; all 64 stand on the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTests:
    """The tests of a design that a method plans, told before there is an answer."""

    groups: tuple[tuple[str, str], ...]
    """What is asked of whom, in words: a name, and what is in it."""
    tests: tuple[str, ...]
    """A sentence each, with the share of the page's level that is its own."""
    comparisons: int
    """Counted together: all that one page can make."""
    alpha: float = 0.05
    """Chance of any false *differs* on a page on which nothing is."""
    looks: tuple[int, ...] = ()
    """Items at each planned look; empty: once, when every question has its end."""
    stopping: str
    """When is judged, in a sentence."""
    margins: Mapping[str, float] = field(default_factory=dict)
    """By name of a measure, what is too small to matter; what has none can't be shown alike."""
    margin_words: tuple[str, ...] = ()
    controls: tuple[str, ...] = ()
    """In words; empty: none is asked."""
    levels: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """What is compared, by kind: its name in the plural, and the names of all that are asked. Kinds keep order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTerms:
    """The terms of a plan, to be compared with what was asked."""

    method: str
    method_version: str
    protocol: str
    protocol_hash: str
    controls: str
    """In force, as JSON."""
    left_out: tuple[str, ...]
    """Of the design, as ``factor: level``."""
    models: tuple[str, ...]
    """That answer, by label."""
    others: tuple[str, ...]
    """Judges, encoders and the like."""
    sources: tuple[str, ...]
    """Where items come from; empty: the protocol brings them."""
    comparisons: int
    alpha: float
    looks: tuple[int, ...]
    margins: tuple[tuple[str, float], ...]
    items: int | None = None
    """How many are asked about, or at the last look; None: the page is older than that it says so."""
    levels: tuple[tuple[str, tuple[str, ...]], ...] | None = None
    """As `PlannedTests.levels`; None as *items*."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSection:
    """A head, and what stands under it."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisteredPlan:
    """The page, as it was written into the audit."""

    at: str
    """When, ISO 8601 in UTC, by the clock of the computer."""
    program: str
    audit: str
    """The audit's UUID."""
    title: str
    terms: PlannedTerms
    sections: tuple[PageSection, ...]
    synthetic: bool = False
    """It plans answers of built-in test models alone."""
    number: int | None = None
    """Which page of its audit it is, from 1; None: it is older than that pages are numbered."""
    before: str | None = None
    """The check code of the page before it; empty: it is the first. None as *number*."""

    @property
    def moment(self) -> datetime:
        return datetime.fromisoformat(self.at)

    @property
    def code(self) -> str:
        """SHA-256 of everything on the page."""
        return sha256(as_text(self).encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedDifference:
    """One point in which an audit departs from its page."""

    words: str
    models: tuple[str, ...] | None = ()
    """Whose conclusions are no more planned beforehand; None: everybody's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """The page in force beside what was asked."""

    plan: RegisteredPlan
    whole: bool
    """Its check code is that of its words."""
    beforehand: bool
    """No answer is older than it."""
    differs: tuple[PlannedDifference, ...] = ()
    earlier: int = 0
    """Pages that it took the place of, before the first answer."""
    asked: str | None = None
    """When the first question was sent, ISO 8601 in UTC; None: none was."""

    @property
    def holds(self) -> bool:
        return self.whole and self.beforehand

    def planned(self, model: str) -> bool:
        """Whether what is concluded of *model* was planned beforehand."""
        return self.holds and all(each.models is not None and model not in each.models for each in self.differs)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The sentences about the registration wherever something is concluded."""
        code = self.plan.code[:CODE_SHOWN]
        if not self.whole:
            return (tr("The page that was registered has been changed: its check code is not that of its words."),)
        if not self.beforehand:
            return (
                tr(
                    "A plan was registered on {day}, after the first answer: nothing was planned beforehand.",
                    day=day_words(self.plan.moment),
                ),
            )
        when = _moment_words(self.plan.moment)
        said = tr("Planned beforehand, {when} UTC. Check code of the plan: {code}.", when=when, code=code)
        if self.asked is not None:
            # Both moments: the day alone would read as if it were planned in hindsight.
            asked = datetime.fromisoformat(self.asked)
            same = asked.date() == self.plan.moment.date()
            said = tr(
                "The plan was written down first: {when} UTC. The first question was sent after it: {asked}. Check code"
                " of the plan: {code}.",
                when=when,
                asked=_time_words(asked) if same else _moment_words(asked),
                code=code,
            )
        differs = tuple(tr("Other than planned: {what}", what=each.words) for each in self.differs)
        return (said, *(differs or (tr("Questions and tests are those that were planned."),)))


def judged_once() -> str:
    """A sentence on when a method that plans no looks draws conclusions."""
    return tr(
        "Conclusions are drawn once: when every question to every model is answered or has failed for good. If more is"
        " asked later, the page says that those conclusions were not planned beforehand."
    )


def comparisons(n: int) -> str:
    """The number *n* of comparisons in words."""
    return trn("{n:,} comparison", "{n:,} comparisons", n)


def day_words(moment: date) -> str:
    """24 November 2026"""
    months = (
        *(tr("January"), tr("February"), tr("March"), tr("April"), tr("May"), tr("June"), tr("July")),
        *(tr("August"), tr("September"), tr("October"), tr("November"), tr("December")),
    )
    return tr("{day} {month} {year}", day=str(moment.day), month=months[moment.month - 1], year=str(moment.year))


def _moment_words(moment: datetime) -> str:
    return tr("{day}, {time}", day=day_words(moment), time=_time_words(moment))


def _time_words(moment: datetime) -> str:
    return f"{moment:%H:%M:%S}"


def as_text(plan: RegisteredPlan) -> str:
    """*plan* as it is stored and sealed: the same page gives the same text."""
    data = asdict(plan)
    # An older page has the check code of what it had.
    data["terms"] = {name: value for name, value in data["terms"].items() if value is not None}
    data = {name: value for name, value in data.items() if value is not None}
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def from_data(data: Mapping[str, Any]) -> RegisteredPlan:
    """The plan that `as_text` held, from its *data*. Raises KeyError, TypeError or ValueError for anything else."""
    terms = dict(data["terms"])
    for name in ("left_out", "models", "others", "sources"):
        terms[name] = tuple(str(each) for each in terms[name])
    terms["looks"] = tuple(int(each) for each in terms["looks"])
    terms["margins"] = tuple((str(name), float(size)) for name, size in terms["margins"])
    if terms.get("items") is not None:
        terms["items"] = int(terms["items"])
    if terms.get("levels") is not None:
        terms["levels"] = tuple((str(kind), tuple(map(str, names))) for kind, names in terms["levels"])
    plan = RegisteredPlan(
        **{name: str(data[name]) for name in ("at", "program", "audit", "title")},
        terms=PlannedTerms(**terms),
        sections=tuple(
            PageSection(title=str(each["title"]), lines=tuple(str(line) for line in each["lines"]))
            for each in data["sections"]
        ),
        synthetic=bool(data["synthetic"]),
        number=None if data.get("number") is None else int(data["number"]),
        before=None if data.get("before") is None else str(data["before"]),
    )
    if plan.moment.tzinfo is None:
        raise ValueError(plan.at)
    return plan


def differences(planned: PlannedTerms, asked: Sequence[PlannedTerms]) -> tuple[PlannedDifference, ...]:
    """The points in which the rounds *asked* together depart from *planned*: what was added, left out or changed so
    far.

    Each of *asked* has the comparisons of all of them together.
    """
    return tuple(_differences(planned, asked)) if asked else ()


def _differences(planned: PlannedTerms, asked: Sequence[PlannedTerms]) -> Iterator[PlannedDifference]:
    models = _new((each.models for each in asked), planned.models)
    if models:
        words = trn("{n} model was added: {names}.", "{n} models were added: {names}.", len(models), names=_all(models))
        yield PlannedDifference(words=words, models=models)
    fewer_models = _lacking((each.models for each in asked), planned.models)
    if n := len(fewer_models):
        names = _all(fewer_models)
        words = trn("{n} model was not asked: {names}.", "{n} models were not asked: {names}.", n, names=names)
        yield PlannedDifference(words=words, models=None)
    if others := _new((each.others for each in asked), planned.others):
        yield PlannedDifference(
            words=tr("judge models or encoders were added: {names}.", names=_all(others)), models=None
        )
    if fewer := _lacking((each.others for each in asked), planned.others):
        yield PlannedDifference(
            words=tr("judge models or encoders were left out: {names}.", names=_all(fewer)), models=None
        )
    if sources := _new((each.sources for each in asked), planned.sources):
        yield PlannedDifference(words=tr("sources were added: {names}.", names=_all(sources)))
    if fewer := _lacking((each.sources for each in asked), planned.sources):
        yield PlannedDifference(words=tr("of some sources nothing was asked: {names}.", names=_all(fewer)))
    yield from _items(planned, max(each.items or 0 for each in asked))
    yield from _levels(planned, asked, frozenset((*models, *fewer_models)))
    yield from _comparisons(planned, max(each.comparisons for each in asked), added=bool(models))
    for name, said in (
        ("method_version", tr("the method's version: {was}, now {is_}.")),
        ("protocol_hash", ""),
        ("controls", tr("sizes of controls: {was}, now {is_}.")),
        ("left_out", tr("what is left out of the design: {was}, now {is_}.")),
        ("alpha", tr("chance of a false finding: {was}, now {is_}.")),
        ("looks", tr("planned looks: after {was}, now after {is_}.")),
        ("margins", tr("what is too small to matter: {was}, now {is_}.")),
    ):
        was = getattr(planned, name)
        for now in dict.fromkeys(value for each in asked if (value := getattr(each, name)) != was):
            if name == "controls" and not any(_sizes(str(was), str(now))):
                continue
            if name == "protocol_hash":
                words = _protocol(planned, next(each for each in asked if each.protocol_hash == now))
            else:
                shown = _sizes(str(was), str(now)) if name == "controls" else (_words(was), _words(now))
                words = said.format(was=shown[0], is_=shown[1])
            yield PlannedDifference(words=words, models=None)


def _items(planned: PlannedTerms, asked: int) -> Iterator[PlannedDifference]:
    was = planned.items
    if was is None or asked == was or (planned.looks and asked < was):
        return
    if planned.looks:
        # At a look those up to it enter, and none that came after the last.
        words = tr("{is_:,} items were asked about; the first {was:,} count, as planned.", is_=asked, was=was)
        yield PlannedDifference(words=words)
    else:
        words = tr("{is_:,} items were asked about, and not {was:,}.", is_=asked, was=was)
        yield PlannedDifference(words=words, models=None)


def _levels(planned: PlannedTerms, asked: Sequence[PlannedTerms], told: frozenset[str]) -> Iterator[PlannedDifference]:
    """*told*: models that are told of already."""
    for at, (kind, every) in enumerate(planned.levels or ()):
        names = [each for each in every if each not in told]
        theirs = [
            [name for name in each.levels[at][1] if name not in told]
            for each in asked
            if each.levels is not None and at < len(each.levels)
        ]
        if more := _new(theirs, names):
            yield PlannedDifference(words=tr("{kind} were added: {names}.", kind=kind, names=_all(more)), models=None)
        if theirs and (fewer := _lacking(theirs, names)):
            words = tr("{kind} were left out: {names}.", kind=kind, names=_all(fewer))
            yield PlannedDifference(words=words, models=None)


def _comparisons(planned: PlannedTerms, asked: int, *, added: bool) -> Iterator[PlannedDifference]:
    # With a model more they are more anyway: those that were planned are then held to more, and not to less.
    if asked < planned.comparisons or (asked > planned.comparisons and not added):
        words = tr("{is_:,} comparisons are counted together, and not {was:,}.", is_=asked, was=planned.comparisons)
        yield PlannedDifference(words=words, models=None)


def _protocol(planned: PlannedTerms, asked: PlannedTerms) -> str:
    if asked.protocol == planned.protocol:
        return tr("the text of the protocol “{title}” was changed.", title=asked.protocol)
    return tr("another protocol was asked: {is_}, and not {was}.", was=planned.protocol, is_=asked.protocol)


def _sizes(was: str, now: str) -> tuple[str, str]:
    """The values, in two sizes given as JSON, that are not the same; one that an earlier program did not know is as if
    off."""
    both = json.loads(was), json.loads(now)
    unlike = [
        name
        for name in dict.fromkeys((*both[0], *both[1]))
        if (both[0].get(name) or None) != (both[1].get(name) or None)
    ]
    first, second = (", ".join(f"{name} {each.get(name)}" for name in unlike) for each in both)
    return first, second


def _new(lists: Iterable[Sequence[str]], known: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for some in lists for each in some if each not in known))


def _lacking(lists: Iterable[Sequence[str]], known: Sequence[str]) -> tuple[str, ...]:
    """The *known* entries that none of *lists* has."""
    there = {each for some in lists for each in some}
    return tuple(each for each in known if each not in there)


def _all(names: Sequence[str]) -> str:
    return ", ".join(names)


def _words(value: object) -> str:
    if isinstance(value, tuple):
        if not value:
            return tr("nothing")
        return ", ".join(f"{each[0]} {each[1]:g}" if isinstance(each, tuple) else str(each) for each in value)
    return percent(value, 1) if isinstance(value, float) else str(value)
