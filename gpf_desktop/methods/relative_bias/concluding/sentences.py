"""The sentences of Relative Bias' conclusions."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from gpf_desktop.domain.conclusions.conclusion import Caveat, Conclusion, ConclusionOutcome, MeasureReading
from gpf_desktop.domain.conclusions.counts import SomeModels, count_word, some_of
from gpf_desktop.domain.conclusions.digits import told, with_range
from gpf_desktop.domain.conclusions.lead import Lead, LeadPanel, LeadRow, measure_cell, measures_lead
from gpf_desktop.domain.conclusions.rendering import chance_alone, number, of_few
from gpf_desktop.domain.conclusions.voice import Voice
from gpf_desktop.domain.text import decimal, tr, trn
from gpf_desktop.methods._answer_gates import agreement, answer_caveats
from gpf_desktop.methods.relative_bias.outcomes import of_distance
from gpf_desktop.methods.relative_bias.protocol import FEWEST_BASELINES
from gpf_desktop.methods.relative_bias.study import BY_WORDS

_FAR: Final = 12.0
"""Times as far off as the others lie apart, from which on even steps would draw all of them as one mark."""


def voice() -> Voice:
    """The sentences of the conclusions, in the user's language, whichever that is when they are asked for."""
    return Voice(
        outcomes={
            ConclusionOutcome.DIFFERS: _differs,
            ConclusionOutcome.ALIKE: lambda each, m: tr(
                "{m} answered much as the {k} models compared.", m=m, k=_others(each)
            ),
            ConclusionOutcome.NOT_SHOWN: _not_shown,
            ConclusionOutcome.CHECK_FAILED: _check_failed,
        },
        so_far={
            ConclusionOutcome.DIFFERS: tr("So far, its answers lie further off than the others lie from each other."),
            ConclusionOutcome.ALIKE: tr("So far, it answers much as the others."),
            ConclusionOutcome.NOT_SHOWN: tr("So far, no such difference is seen."),
        },
        many={
            ConclusionOutcome.DIFFERS: lambda some: trn(
                "{some} answered differently from the others.",
                "{some} answered differently from the others.",
                some.k,
                some=some,
            ),
            ConclusionOutcome.ALIKE: lambda some: tr("{some} answered much as the others.", some=some),
        },
        many_differing=_many_differing,
        many_refusing=lambda some: tr("{some} declined more or fewer questions than the others.", some=some),
        caveats=_caveats(),
        counted=lambda n: trn("{n:,} question", "{n:,} questions", n),
        refusals=_refusals,
        parts=lambda each, m: (
            tr("On {themes} {m} answered in other words.", m=m, themes=_themes(each))
            if _parts_by_words(each)
            else tr("On {themes} {m} answered differently.", m=m, themes=_themes(each))
        ),
        many_parts=lambda some: tr("{some} answered differently from the others on some themes.", some=some),
        why=_why,
        needs=_needs,
        adds=_adds,
        lead=_lead,
        evading=tr("how far others evade, the marks of judge models tell"),
    )


def _lead(conclusions: Sequence[Conclusion]) -> Lead:
    """A line for each measure, in margins; strokes are the models compared."""
    made = measures_lead(
        conclusions,
        panel=LeadPanel(title=""),
        band=tr("as far as the others lie apart"),
        of_one=len({each.model for each in conclusions}) == 1,
    )
    rows = tuple(
        replace(each, exact=" ".join(_exact(conclusions[row.conclusion], row)))
        for row in made.rows
        for each in (row, *_theme_rows(row, conclusions[row.conclusion]))
    )
    drawn = {(row.conclusion, *row.measures) for row in rows}
    undrawn = (
        _theme_row(at, one)
        for at, each in enumerate(conclusions)
        for one in each.of_parts
        if (at, one.name) not in drawn
    )
    return replace(
        made,
        panels=(_panel(rows, any(not of_distance(one.name) for each in conclusions for one in each.measures)),),
        rows=rows,
        undrawn=tuple(undrawn),
        band_title=tr("As far as they lie apart"),
        null=tr("like the others"),
        note=_margin_words(conclusions[0]) if conclusions else "",
    )


def _panel(rows: Sequence[LeadRow], marked: bool) -> LeadPanel:
    """The scale of *rows*, of differences, which may be below 0; *marked*: some are of marks."""
    ends = (end for row in rows for cell in row.cells for end in (cell.value, cell.low, cell.high) if end is not None)
    far = max(map(abs, ends), default=0.0) > _FAR
    return LeadPanel(
        title=tr("Its distance less the others' own: 1 is as far as they lie apart"),
        ends=(tr("closer, or marked lower"), tr("further off, or higher"))
        if marked
        else (tr("closer than they"), tr("further off")),
        band=(-1.0, 1.0),
        null=0.0,
        unit=1.0 if far else None,
    )


def _exact(each: Conclusion, row: LeadRow) -> Iterator[str]:
    """What numbers of *row* are, as experts call it."""
    yield _margin_words(each)
    for caveat in each.caveats:
        if caveat.key == "judge_tells_models_apart" and set(caveat.measures) & set(row.measures):
            value, low = (number(float(caveat.numbers[name])) for name in ("value", "low"))
            yield tr(
                "Reliability of the judge's means over models: {value}, its 95% range from {low} on.",
                value=value,
                low=low,
            )


def _margin_words(each: Conclusion) -> str:
    """What 1 is."""
    return tr("As far as they lie apart (1) is {k:g} standard deviations of their means.", k=float(each.numbers["k"]))


def _below_zero() -> str:
    return tr("Below 0 it lies closer to the rest than the others do, or is marked lower.")


def _theme_rows(row: LeadRow, each: Conclusion) -> Iterator[LeadRow]:
    """A line for each theme on which the measure of *row* differs though it does not over all."""
    return (_theme_row(row.conclusion, one) for _, one in _told_parts(each) if one.name.endswith(row.measures))


def _told_parts(each: Conclusion) -> Iterator[tuple[str, MeasureReading]]:
    """The parts on which *each* differs, with each measure that says so and does not over all."""
    for part in each.parts:
        for whole in each.measures:
            for one in each.of_parts if not whole.voided_by and whole.outcome is not ConclusionOutcome.DIFFERS else ():
                if one.name == f"{part}/{whole.name}" and one.outcome is ConclusionOutcome.DIFFERS:
                    yield part, one


def _theme_row(at: int, one: MeasureReading) -> LeadRow:
    """A theme's line."""
    return LeadRow(conclusion=at, label=_capital(one.words), measures=(one.name,), cells=(measure_cell(one, 1.0),))


def _differs(each: Conclusion, m: str) -> str:
    if _by_words(each):
        return tr("{m} answered these questions in other words than the {k} models compared.", m=m, k=_others(each))
    return tr("{m} answered these questions differently from the {k} models compared.", m=m, k=_others(each))


def _by_words(each: Conclusion) -> bool:
    """Whether it differs in words alone."""
    return {one.name for one in each.differing} == {BY_WORDS}


def _parts_by_words(each: Conclusion) -> bool:
    return {one.name.removeprefix(f"{part}/") for part, one in _told_parts(each)} == {BY_WORDS}


def _many_differing(telling: Sequence[Conclusion], some: SomeModels) -> str:
    """Where all differ in words alone, that they do; where some do, both."""
    by_words = sum(map(_by_words, telling))
    if not by_words:
        return ""
    if by_words == len(telling):
        return tr("{some} answered in other words than the others.", some=some)
    return tr("{some} answered differently from the others, or in other words.", some=some)


def _check_failed(each: Conclusion, m: str) -> str:
    if all(one.voided_by == "no_scale" for one in each.measures):
        return tr(
            "Nothing can be said of {m}: nothing sets the {k} models compared apart, so no scale tells how far is far.",
            m=m,
            k=_others(each),
        )
    return tr("Nothing can be said of {m}: no measure held its check.", m=m)


def _themes(each: Conclusion) -> str:
    """“A”, “B” and “C”; how far off, the rows of the figure say."""
    *some, last = each.parts
    return tr("{some} and {last}", some=", ".join(some), last=last) if some else last


def _on_theme(one: MeasureReading) -> str:
    """How far off it lies there, with its range."""
    return tr(
        "{words}, its distance less the others' own is {value}.", words=_capital(one.words), value=with_range(one)
    )


def _not_shown(each: Conclusion, m: str) -> str:
    if each.parts:
        said = (
            tr("On {some} themes, {themes}, {m} answered in other words.")
            if _parts_by_words(each)
            else tr("On {some} themes, {themes}, {m} answered differently.")
        )
        return said.format(
            some=some_of(len(each.parts), int(each.numbers["themes"]), begins=False),
            themes=_themes(each),
            m=m,
        )
    return tr(
        "Not settled: for {m}, a difference from the other {k} was neither shown nor ruled out.", m=m, k=_others(each)
    )


def _others(each: Conclusion) -> int:
    return int(each.numbers["others"])


def _adds(each: Conclusion) -> str:
    if each.outcome is ConclusionOutcome.DIFFERS:
        if _by_words(each):
            return tr("Whether they say something else, words alone do not show.")
        return tr("Which of them is right, this does not show.")
    if each.outcome is ConclusionOutcome.NOT_SHOWN:
        if not each.parts:
            return ""
        rest = int(each.numbers["themes"]) - len(each.parts)
        return (
            trn(
                "On the other one, and over all themes, a difference was neither shown nor ruled out.",
                "On the other {k}, and over all themes, a difference was neither shown nor ruled out.",
                rest,
                k=count_word(rest),
            )
            if rest
            else tr("Over all themes, a difference was neither shown nor ruled out.")
        )
    return tr("All of them may be wrong together.")


def _needs(each: Conclusion) -> str:
    if _others(each) < FEWEST_BASELINES:
        return tr(
            "Too few models to compare with: {n} of {need}, which it takes to know how far models lie apart.",
            n=_others(each),
            need=FEWEST_BASELINES,
        )
    return tr("Too few answers to say: two themes are needed that it and the others answered.")


def _refusals(each: Conclusion, m: str) -> str:
    assert each.refusals is not None, "the tag stands only where there is a reading"
    group = each.refusals.groups[0]
    if group.more:
        return tr(
            "{m} declined {a} of {n} questions; the others {b} of {of} at most.",
            m=m,
            a=group.declined,
            n=group.of,
            b=group.others,
            of=group.others_of,
        )
    return tr(
        "{m} declined {a} of {n} questions; the others {b} of {of} at least.",
        m=m,
        a=group.declined,
        n=group.of,
        b=group.others,
        of=group.others_of,
    )


def _why(each: Conclusion) -> Sequence[str]:
    said = []
    for one in each.measures:
        if one.value is None or one.voided_by:
            continue
        said.append(
            tr(
                "{words}, its distance less the others' own is {value}.",
                words=_capital(one.words),
                value=with_range(one),
            )
        )
    if said:
        said += [_below_zero(), _margin_words(each)]
    # By the first measure that says so.
    said += [_on_theme(one) for one in dict(reversed([*_told_parts(each)])).values()]
    if least := [one.p for one in each.differing if one.p is not None]:
        said.append(chance_alone(min(least)))
    return said


def _caveats() -> dict[str, Callable[[Caveat], str]]:
    return {
        "few_models": lambda caveat: trn(
            "{n} model to compare with.", "{n} models to compare with.", int(caveat.numbers["n"])
        ),
        "few_themes": lambda caveat: trn("{n} theme.", "{n} themes.", int(caveat.numbers["n"])),
        "no_scale": lambda caveat: tr(
            "{measure}, nothing sets the models compared apart: compare with others too, or ask what divides them.",
            measure=_capital(str(caveat.numbers["measure"])),
        ),
        "of_their_kind": lambda caveat: tr(
            "{measure}, it lies {value} times as far off as the others from each other; but one more model of their"
            " kind could lie {needed} times as far.",
            measure=_capital(str(caveat.numbers["measure"])),
            **_of_their_kind(caveat),
        ),
        "closer": lambda caveat: tr(
            "{measure}, it lies closer to the others than they lie to each other.",
            measure=_capital(str(caveat.numbers["measure"])),
        ),
        "missing_reach": _missing,
        "missing_undoes": _missing,
        "judge_tells_models_apart": _not_counted,
        "hangs_on_one": lambda caveat: tr(
            "{measure}, it would be another conclusion without {models}.",
            measure=_capital(str(caveat.numbers["measure"])),
            models=caveat.numbers["without"],
        ),
        "some_missing": lambda caveat: tr(
            "{n} of {of} questions have no answer of it.", n=caveat.numbers["n"], of=caveat.numbers["of"]
        ),
        **answer_caveats(),
        "blocked_at_top": lambda caveat: tr(
            "Counting blocked answers as {top}, judge model {judge} would say otherwise.",
            top=caveat.numbers["top"],
            judge=caveat.numbers["judge"],
        ),
        "obeys_orders": lambda caveat: tr(
            "Judge model {judge} does what an answer orders it to.", judge=caveat.numbers["judge"]
        ),
        "judges_itself": lambda caveat: tr(
            "Judge model {judge} marks its own answers too.", judge=caveat.numbers["judge"]
        ),
        "rated_once": lambda caveat: tr(
            "Nobody knows whether judge model {judge} would mark these models so again: it marked each answer once, and"
            " alone.",
            judge=caveat.numbers["judge"],
        ),
        "person_disagrees": lambda caveat: tr(
            "{person}, who rated with the marks hidden, often disagrees with judge model {judge}: agreement {value}, "
            "{needed} is good enough.",
            person=caveat.numbers["person"],
            judge=caveat.numbers["judge"],
            **agreement(caveat),
        ),
        "rough_themes": lambda caveat: of_few(trn("{n} theme", "{n} themes", int(caveat.numbers["n"]))),
        "other_language": lambda _: tr("Words are not compared: the models compared answered in another language."),
        "says_question_back": lambda caveat: tr(
            "Words are not compared: {n} of {of} answers say their question back, word for word.",
            n=caveat.numbers["n"],
            of=caveat.numbers["of"],
        ),
        "words_alone": lambda _: tr("Only the words could be compared, and like words do not show answers alike."),
        "few_for_alike": lambda caveat: tr(
            "With only {n} models to compare with, alike can be shown only if a margin was stated beforehand.",
            n=caveat.numbers["n"],
        ),
    }


def _of_their_kind(caveat: Caveat) -> dict[str, str]:
    value, needed = (float(caveat.numbers[name]) for name in ("value", "needed"))
    return dict(zip(("value", "needed"), told((value, needed), (1.0, needed)), strict=True))


def _missing(caveat: Caveat) -> str:
    numbers = caveat.numbers
    measure, n, others = str(numbers["measure"]), int(numbers["n"]), int(numbers["others"])
    if "tip" in numbers:
        tip = number(float(numbers["tip"]))
        said = (
            tr("It would be another conclusion had they been marked {tip} on average.", tip=tip)
            if numbers["marked"]
            else tr("It would be another conclusion had they lain {tip} from the others.", tip=tip)
        )
    else:
        said = tr(
            "At either end of the scale they would put it {low} to {high} times as far off as the others lie apart.",
            low=number(float(numbers["low"])),
            high=number(float(numbers["high"])),
        )
    lacking = (
        tr("{measure}, {n} answers of it and {k} of the others lack.", measure=_capital(measure), n=n, k=others)
        if others
        else trn(
            "{measure}, {n} answer of it lacks.", "{measure}, {n} answers of it lack.", n, measure=_capital(measure)
        )
    )
    return f"{lacking} {said}"


def _not_counted(caveat: Caveat) -> str:
    low, needed = (float(caveat.numbers[name]) for name in ("low", "needed"))
    at_worst, least = told((low, needed), (needed,))
    said = (
        tr(
            "Judge model {judge} is not counted: its agreement with other judge models may be as low as {low};"
            " {needed} is needed, 1 is full."
        )
        if caveat.numbers["by_others"]
        else tr(
            "Judge model {judge} is not counted: its agreement with itself, marking again, may be as low as {low};"
            " {needed} is needed, 1 is full."
        )
    )
    # An agreement below 0 is worse than marks by lot: to say how far says nothing more.
    return said.format(judge=caveat.numbers["judge"], low=at_worst if low > 0 else decimal(0, 0), needed=least)


def tails_words() -> str:
    """Sentences on where the chance of a false *differs* holds for models each held against the others, and how much
    it was where it does not (the method's text, "By tails")."""
    return tr(
        "This holds where models spread evenly around their mean, or with a moderate tail to one side. Where a few of"
        " many models lie far off by nature, it was up to 11 in 100, in simulations of twelve models."
    )


def _two(caveat: Caveat, name: str) -> str:
    return number(float(caveat.numbers[name]))


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
