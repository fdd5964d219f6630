"""The one way from conclusions to words: headline, first sentence, why, what weighs on it, the foot of the page."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from gpf_desktop.domain.conclusions import who_answered
from gpf_desktop.domain.conclusions.conclusion import (
    SHOWN,
    Conclusion,
    ConclusionOutcome,
    ConclusionPage,
    ConclusionTag,
    PlanState,
)
from gpf_desktop.domain.conclusions.counts import SomeModels, count_word, planted_name
from gpf_desktop.domain.conclusions.digits import FEW, even
from gpf_desktop.domain.conclusions.digits import told as told_number
from gpf_desktop.domain.conclusions.lead import Lead
from gpf_desktop.domain.conclusions.voice import Voice
from gpf_desktop.domain.models import short_names
from gpf_desktop.domain.text import decimal, tr, trn

_SHARED: Final = {who_answered.WHO_ANSWERED.key: who_answered.words_of}
"""Sentences of gates that no method declares."""
LEVEL: Final = 0.05
"""That adjusted p are held against."""
ROW_CAVEATS: Final = 2
"""Caveats that stand in a row; the others are behind it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One conclusion in words."""

    conclusion: Conclusion
    name: str
    """Of its model, as short as it stays unlike the others."""
    called: str
    """Its model within a sentence: the name, or quoted where it could read as a word of the sentence."""
    chip: str
    sentence: str
    """The conclusion."""
    further: tuple[str, ...]
    """Sentences beside it: refusals that differ, what it does not say."""
    why: tuple[str, ...]
    weighs: tuple[str, ...]
    """A sentence for each caveat, the gravest first."""
    behind_chip: tuple[str, ...] = ()
    """The findings that its chip does not say: whom it declines, and on which parts of what was asked it differs."""

    def line(self, said: Collection[str] = ()) -> str:
        """All of it that a report prints in a line, without what was *said* of all rows already."""
        # Two measures may have the same caveat, in the same words.
        further, weighs = (
            [each for each in dict.fromkeys(some) if each not in said] for some in (self.further, self.weighs)
        )
        return " ".join((self.sentence, *further, *weighs[:ROW_CAVEATS]))


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldPage:
    """A page in words."""

    page: ConclusionPage
    headline: str
    told: tuple[Told, ...]
    footnote: tuple[str, ...]
    synthetic: str
    """The sentence before all where every answer is made up; empty: some are not."""
    lead: Lead
    """The figure that leads it; `gpf_desktop.figures.lead_figure` draws it."""
    answers: str = ""
    """Which answers are counted, in words; empty: all that were asked for."""
    evading: str = ""
    """What is known of answers that evade in another way than by declining; empty: the readings count them."""
    not_shown: tuple[str, ...] = ()
    """Sentences on what the page does not show, as the brief says it."""

    @property
    def of_all(self) -> tuple[str, ...]:
        """The sentences that hold for every one of several rows: said once, behind the headline."""
        if len(self.told) < 2:
            return ()
        first, *others = ((*each.further, *each.weighs) for each in self.told)
        return tuple(each for each in first if all(each in its for its in others))

    @property
    def lines(self) -> tuple[str, ...]:
        """The page as a report prints it, from top to bottom."""
        first = (self.synthetic,) if self.synthetic else ()
        rows = () if len(self.told) == 1 and self.told[0].sentence == self.headline else (self.headline,)
        shared = self.of_all
        return (*first, *rows, *shared, *(each.line(shared) for each in self.told), *self.footnote)


def chips() -> Mapping[ConclusionOutcome, str]:
    """The words of each outcome on its chip."""
    return {
        ConclusionOutcome.DIFFERS: tr("Differs"),
        ConclusionOutcome.ALIKE: tr("Alike"),
        # “Not shown” reads as “hidden”, and “not shown either way” as a clean bill of health.
        ConclusionOutcome.NOT_SHOWN: tr("Not settled"),
        ConclusionOutcome.TOO_EARLY: tr("Too early"),
        ConclusionOutcome.CHECK_FAILED: tr("Check failed"),
        ConclusionOutcome.TOO_FEW: tr("Too few"),
    }


def tag_words() -> Mapping[ConclusionTag, str]:
    return {
        ConclusionTag.REFUSALS_DIFFER: tr("Refusals differ"),
        ConclusionTag.HANGS_ON_ONE: tr("Hangs on one model"),
        ConclusionTag.QUOTES_THE_TEST: tr("Quotes the test"),
        ConclusionTag.SOME_MISSING: tr("Some missing"),
    }


def rendered(page: ConclusionPage, voice: Voice) -> ToldPage:
    """*page* in the words of *voice*."""
    page = replace(page, conclusions=even(page.conclusions))
    names = short_names(each.model for each in page.conclusions)
    alone = len(page.conclusions) == 1
    told = tuple(_told(each, names[each.model], voice, alone=alone) for each in page.conclusions)
    if alone and page.conclusions[0].outcome is ConclusionOutcome.DIFFERS:
        (one,), silent = told, voice.silent_measures(page.conclusions)
        told = (replace(one, further=(*one.further, *([silent] if silent else []))),)
    planted = bool(told) and all(each.conclusion.synthetic for each in told)
    lead = voice.lead(page.conclusions).in_one_order()
    return ToldPage(
        page=page,
        headline=_headline(told, voice),
        told=told,
        footnote=_footnote(page, _ranges(page, voice.ranges_narrow(page.conclusions))),
        synthetic=tr("Synthetic: made-up answers of built-in test models. They say nothing about any real model.")
        if planted
        else "",
        lead=lead,
        answers=voice.answers,
        evading=voice.evading,
    )


def begun(said: str, name: str, *, within: bool = False, planted: bool = False) -> str:
    """*said* as a sentence begins, or *within* one: the *name* of a model in lower case would not look like one. What a
    *planted* one is called begins with a word."""
    if not said.startswith((f"{name} ", f"{name}: ", f"{name}, ")) or name[:1] == name[:1].upper():
        return said
    if planted:
        return said if within else said[:1].upper() + said[1:]
    return tr("the model {said}", said=said) if within else tr("The model {said}", said=said)


def number(value: float) -> str:
    """*value* as screens and the brief have a number that is compared with nothing; others follow `digits`."""
    return decimal(value, FEW)


def how_often(p: float) -> str:
    """In so many audits chance alone would do as much, in words for an adjusted *p*."""
    if p < 0.01:
        return tr("fewer than 1 in 1,000") if p < 0.001 else tr("fewer than 1 in 100")
    (n,) = told_number((100 * p,), (100 * LEVEL,), least=0)
    return tr("{n} in 100", n=n)


def too_often() -> str:
    """Chance alone would do as much so often that nothing is called a difference."""
    return tr("more than {most} in 100", most=f"{100 * LEVEL:g}")


def by_chance(p: float) -> str:
    """The same as a sentence of one number: from where on it is too often, the foot of the page says."""
    return tr(
        "If nothing differed, chance alone would show as much in {often} such audits, with all comparisons counted.",
        often=how_often(p),
    )


def chance_alone(p: float) -> str:
    """The same under a row, on a page that says of all of them from where on it is too often."""
    return tr("If nothing differed, {often} such audits would show as much by chance.", often=how_often(p))


def of_few(items: str) -> str:
    """The caveat of a conclusion that rests on few *items*, “4 articles”: a test that is sure and a range that is wide
    do not contradict each other."""
    return tr("With only {items}, the size of a difference is known only roughly.", items=items)


def _told(each: Conclusion, name: str, voice: Voice, *, alone: bool) -> Told:
    called = planted_name(name) if each.synthetic else name
    begins = partial(begun, name=called, planted=each.synthetic)
    further, sentence = [], begins(_sentence(each, called, voice, alone=alone))
    behind_chip = [sentence] if each.outcome is ConclusionOutcome.NOT_SHOWN and each.parts else []
    if voice.refusals is not None and ConclusionTag.REFUSALS_DIFFER in each.tags:
        further.append(_as_planned(voice.refusals(each, called), [each]))
        behind_chip.append(further[-1])
    if voice.refusals is not None and each.refusals and each.refusals.outcome is ConclusionOutcome.TOO_EARLY:
        further.append(tr("So far: {said}", said=begins(voice.refusals(each, called), within=True)))
    over_all = each.outcome in (ConclusionOutcome.DIFFERS, ConclusionOutcome.ALIKE)
    if behind_chip or over_all:
        further.append(voice.adds(each))
    if over_all and voice.parts is not None and each.parts:
        further.append(_as_planned(voice.parts(each, called), [each]))
        behind_chip.append(further[-1])
    # A gate that the method gave no sentence is a fault of the method's, which its contract test finds.
    words = ((one, (_SHARED.get(one.key) or voice.caveats[one.key])(one)) for one in each.caveats)
    # Of what its sentence says already nothing is said again, and then it is no caveat of the row.
    weighs = [(caveat, said) for caveat, said in words if said]
    return Told(
        conclusion=replace(each, caveats=tuple(caveat for caveat, _ in weighs)),
        name=name,
        called=called,
        chip=chips()[each.outcome],
        sentence=sentence,
        further=tuple(begins(one) for one in further if one),
        why=tuple(filter(None, voice.why(each))),
        weighs=tuple(said for _, said in weighs),
        behind_chip=tuple(begins(one) for one in behind_chip),
    )


def _of_one(said: str, name: str, *, alone: bool) -> str:
    """*said*, why nothing is concluded of the model called *name*; *alone*: the page has no other."""
    return said if alone else tr("Nothing is concluded of {m} yet. {said}", m=name, said=said)


def _sentence(each: Conclusion, name: str, voice: Voice, *, alone: bool) -> str:
    match each.outcome:
        case ConclusionOutcome.TOO_EARLY:
            said = (_waiting(each, voice), voice.so_far.get(each.so_far or ConclusionOutcome.NOT_SHOWN, ""))
            return _of_one(" ".join(filter(None, said)), name, alone=alone)
        case ConclusionOutcome.TOO_FEW:
            needs = voice.needs(each) or tr("Too few answers to say.")
            return _of_one(needs, name, alone=alone)
        case _:
            said_by = voice.outcomes[each.outcome](each, name)
            return _as_planned(said_by, [each]) if each.says_something else said_by


def _waiting(each: Conclusion, voice: Voice) -> str:
    standing = each.standing
    if standing.left_plan:
        return tr("Filtered: not the planned comparison.")
    # Of a round that has not ended as many may be in as the look is of.
    needed = None if standing.next_at is None or standing.next_at <= standing.items else standing.next_at
    if standing.asked > standing.items and needed is not None:
        return tr(
            "Too early to tell: {items} of the {asked} asked can be counted{where}; the first look needs {n}.",
            items=voice.counted(standing.items),
            asked=standing.asked,
            where=f", {voice.counted_where}" if voice.counted_where else "",
            n=needed,
        )
    items = _are(voice.counted(standing.items), standing.items)
    if needed is None:
        return tr("Too early to tell: {items} in, and the planned look has not come.", items=items)
    return tr("Too early to tell: {items} in, the first look needs {n}.", items=items, n=needed)


def _are(items: str, n: int) -> str:
    return tr("{items} is", items=items) if n == 1 else tr("{items} are", items=items)


def _as_planned(said: str, of: Sequence[Conclusion]) -> str:
    """*said*, that something was shown of each of *of*, with the mark of a hint to test again where it was not planned
    of all of them."""
    if all(each.standing.planned for each in of):
        return said
    reading = max(each.standing.reading for each in of)
    hint = tr("This was not planned beforehand.")
    if reading > 1:
        hint = tr("This was not planned beforehand: it is reading {n}, after rounds were added.", n=reading)
    return f"{said} {hint}"


def _headline(told: Sequence[Told], voice: Voice) -> str:
    """The first sentence of the page: about the real models, or about all if there are no others."""
    some = [each for each in told if not each.conclusion.synthetic] or list(told)
    if not some:
        return tr("Nothing is concluded: there are no answers yet.")
    if len(some) == 1:
        return some[0].sentence
    made = [each.conclusion for each in some]
    outcomes = [each.outcome for each in made]
    refusing = [each for each in made if ConclusionTag.REFUSALS_DIFFER in each.tags]
    declining = ""
    if refusing and voice.many_refusing is not None:
        declining = _as_planned(voice.many_refusing(_some(refusing, made)), refusing)
    if telling := [each for each in made if each.outcome is ConclusionOutcome.DIFFERS]:
        some_telling = _some(telling, made)
        said = voice.many_differing(telling, some_telling) or voice.many[ConclusionOutcome.DIFFERS](some_telling)
        others = _not_settled(made, len(made) - len(telling), voice.told_by(telling))
        return " ".join(filter(None, (_as_planned(said, telling), others, voice.silent_measures(made), declining)))
    # What is shown is said before what could not be measured.
    if declining:
        return declining
    if len(set(outcomes)) == 1 and outcomes[0] is not ConclusionOutcome.NOT_SHOWN:
        return _all_alike(outcomes[0], made, voice)
    return _mixed(made, voice)


def _not_settled(made: Sequence[Conclusion], others: int, measure: str) -> str:
    """A sentence on those that nothing is shown of, lest “two of six” says that four do not differ; *others*: all that
    are told of no difference; *measure*: by which the sentence before it speaks, empty for any."""
    silent = sum(each.outcome not in SHOWN and not each.parts for each in made)
    if not silent:
        return ""
    who = (
        trn("for the other one", "for the other {k}", silent, k=count_word(silent))
        if silent == others
        else trn("for one", "for {k}", silent, k=count_word(silent))
    )
    if measure:
        return tr("{measure}, a difference was neither shown nor ruled out {who}.", measure=measure, who=who)
    return tr("{who}, a difference was neither shown nor ruled out.", who=who[:1].upper() + who[1:])


def _some(each: Sequence[Conclusion], made: Sequence[Conclusion]) -> SomeModels:
    """*each* of the models of the headline, *made*, which are real ones unless there are no others."""
    return SomeModels(len(each), len(made), made[0].synthetic)


def _all_alike(outcome: ConclusionOutcome, made: Sequence[Conclusion], voice: Voice) -> str:
    """The headline when every model has the same outcome, and it is none of *differs* and *not shown*."""
    of = len(made)
    match outcome:
        case ConclusionOutcome.TOO_EARLY:
            waiting = _waiting(made[0], voice)
            point = [each.so_far for each in made].count(ConclusionOutcome.DIFFERS)
            some = SomeModels(point, of, made[0].synthetic)
            pointing = trn("{some} points to yes.", "{some} point to yes.", point, some=some)
            return f"{waiting} {pointing}" if point else waiting
        case ConclusionOutcome.CHECK_FAILED:
            return tr("Nothing can be said: a check failed for each of {of} models.", of=of)
        case ConclusionOutcome.TOO_FEW:
            return tr("Too few answers to say anything of {of} models.", of=of)
        case _:
            return _mixed(made, voice)


def _mixed(made: Sequence[Conclusion], voice: Voice) -> str:
    said, of = [], len(made)
    partly = [each for each in made if each.outcome is ConclusionOutcome.NOT_SHOWN and each.parts]
    if partly and voice.many_parts is not None:
        said.append(_as_planned(voice.many_parts(_some(partly, made)), partly))
    if silent := sum(each.outcome is ConclusionOutcome.NOT_SHOWN and not each.parts for each in made):
        said.append(
            tr(
                "Not settled for {some}: a difference was neither shown nor ruled out.",
                some=SomeModels(silent, of, made[0].synthetic).within,
            )
        )
    if same := [each for each in made if each.outcome is ConclusionOutcome.ALIKE]:
        said.append(_as_planned(voice.many[ConclusionOutcome.ALIKE](_some(same, made)), same))
    return " ".join(said) or tr("Nothing can be said yet of any of {of} models.", of=of)


def _footnote(page: ConclusionPage, ranges: str) -> tuple[str, ...]:
    """*ranges*: a sentence on those that its numbers stand with."""
    chance = (page.bridge, _counted(page), chance_words(page), page.chance_holds, _readings(page))
    tests = " ".join(filter(None, chance)) if page.tests else ""
    return tuple(filter(None, (page.says, tests, ranges, *_plan(page), page.unknown_refusals, page.filtered)))


def _counted(page: ConclusionPage) -> str:
    """A sentence on how many tests were made; of a plan that reckoned with more, since some had nothing to test, with
    how many it had."""
    planned = page.registered.plan.terms.comparisons if page.registered is not None and page.registered.holds else 0
    if page.tests < planned:
        return trn(
            "{n:,} comparison was made for this page; planned were {planned:,} at most.",
            "{n:,} comparisons were made for this page and are counted together; planned were {planned:,} at most.",
            page.tests,
            planned=planned,
        )
    return trn(
        "{n} comparison was made for this page.",
        "{n:,} comparisons were made for this page and are counted together.",
        page.tests,
    )


def chance_words(page: ConclusionPage) -> str:
    """A sentence on how often a page on which nothing differs says that something does."""
    return tr(
        "If nothing differed, at most {pages} in 100 such audits would still write “differs” by chance.",
        pages=f"{100 * page.alpha:g}",
    )


def _levels(page: ConclusionPage) -> list[float]:
    """The levels of the ranges that hold together; test models are a page of their own, and do not widen those of real
    ones."""
    real = [each for each in page.conclusions if not each.synthetic] or page.conclusions
    return [one.level for each in real for one in each.measures if one.low is not None]


def range_words(page: ConclusionPage) -> str:
    """The name of the ranges of *page*, and what it means if there is only one; empty if there is none."""
    levels = _levels(page)
    if not levels:
        return ""
    level = f"{100 * min(levels):g}"
    if len(levels) > 1:
        # What that means, and how much wider it is than one of its own, `_ranges` says under the page.
        return tr("where the true value may lie")
    return tr("{level}% range: {level} of 100 such ranges hold the true value", level=level)


def alone_words(page: ConclusionPage) -> str:
    """A sentence beside tables whose numbers have other ranges than on *page*; empty: it widens none."""
    if len(_levels(page)) < 2:
        return ""
    return tr("Each range here is of one number alone. Under Found they are wider, so that all hold together.")


def _ranges(page: ConclusionPage, narrow: str) -> str:
    """Ranges of a page hold at once: wider than each alone would be; *narrow*: why they may hold less often."""
    levels = _levels(page)
    if len(levels) < 2:
        return ""
    return tr(
        "All ranges hold the true value together in about {pages} of 100 such audits{narrow}{wider}.",
        pages=f"{100 * min(levels):g}",
        narrow=narrow,
        wider=_how_much_wider(page),
    )


def _how_much_wider(page: ConclusionPage) -> str:
    """Against ranges of one number alone; empty: the method does not say."""
    times = [one.widened for each in page.conclusions for one in each.measures if one.widened is not None]
    if not times:
        return ""
    low, high = (decimal(end, 1) for end in (min(times), max(times)))
    if low == high:
        return tr(": {times} times as wide as for one number alone", times=low)
    return tr(": {low} to {high} times as wide as for one number alone", low=low, high=high)


def _readings(page: ConclusionPage) -> str:
    """A sentence about chance over several readings, which no look was planned for; empty for the first reading."""
    n = max((each.standing.reading for each in page.conclusions), default=1)
    if n < 2:
        return ""
    return tr(
        "This is reading {n}, after rounds were added: read each time, it would in up to {pages} of 100.",
        n=n,
        pages=f"{min(100 * page.alpha * n, 100):g}",
    )


def _plan(page: ConclusionPage) -> tuple[str, ...]:
    """Sentences on when the tests were set: on a page that was registered, by the protocol, or once there were
    answers."""
    if page.registered is not None:
        return (*page.registered.sentences, page.planned)
    states = {each.standing.plan for each in page.conclusions if not each.standing.left_plan}
    set_before = tr("Tests were set by the protocol beforehand, and not registered.")
    return (" ".join(filter(None, (page.planned, set_before if PlanState.PROTOCOL in states else ""))), *page.changed)
