"""The sentences of SAGED's conclusions."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from gpf_desktop.domain.conclusions.conclusion import Caveat, Conclusion, ConclusionOutcome, MeasureReading
from gpf_desktop.domain.conclusions.counts import SomeModels
from gpf_desktop.domain.conclusions.digits import decimals_of, measure_number, told, with_range
from gpf_desktop.domain.conclusions.rendering import chance_alone, number, of_few
from gpf_desktop.domain.conclusions.voice import Voice
from gpf_desktop.domain.text import decimal, percent, tr, trn, upward
from gpf_desktop.methods._answer_gates import agreement, answer_caveats, shown_of_itself
from gpf_desktop.methods.saged.concluding.gates import FEWEST_ROOTS
from gpf_desktop.methods.saged.concluding.lead_figure import lead
from gpf_desktop.methods.saged.features import TONE
from gpf_desktop.stats.judge_reliability import NEEDED


def voice() -> Voice:
    """The sentences of the conclusions, in the user's language, whichever that is when they are asked for."""
    return Voice(
        outcomes={
            ConclusionOutcome.DIFFERS: _differs,
            ConclusionOutcome.ALIKE: lambda each, m: tr(
                "{m} wrote of all {k} {groups} much alike.", m=m, k=len(each.measures[0].others), groups=_of(each)
            ),
            ConclusionOutcome.NOT_SHOWN: _not_shown,
            ConclusionOutcome.CHECK_FAILED: lambda _, m: tr(
                "Nothing can be said of {m}: no measure held its check.", m=m
            ),
        },
        so_far={
            ConclusionOutcome.DIFFERS: tr("So far, a gap is wider than chance alone gives."),
            ConclusionOutcome.ALIKE: tr("So far, it writes of all of them much alike."),
            ConclusionOutcome.NOT_SHOWN: tr("So far, no gap is seen beyond what chance alone gives."),
        },
        many={
            ConclusionOutcome.DIFFERS: lambda some: tr("{some} wrote of some otherwise than of others.", some=some),
            ConclusionOutcome.ALIKE: lambda some: tr("{some} wrote of all of them much alike.", some=some),
        },
        many_differing=_many_differing,
        many_refusing=lambda some: tr(
            "{some} declined, hedged or asked back more often on some than on others.", some=some
        ),
        caveats=_caveats(),
        counted=lambda n: trn("{n:,} prompt", "{n:,} prompts", n),
        refusals=_refusals,
        why=_why,
        needs=_needs,
        adds=_adds,
        lead=lead,
    )


def _of(each: Conclusion) -> str:
    """What is spoken of, as the study calls it: “countries”."""
    return str(each.numbers["spoken_of"])


def apart(each: Conclusion, one: MeasureReading) -> dict[str, str]:
    """The concepts that *one* of *each* names, its gap and what chance gives."""
    number, decimals, (_, chance) = measure_number(one), decimals_of(one), one.null or (0.0, 0.0)
    return {
        "high": str(each.numbers.get(f"high/{one.name}", "")),
        "low": str(each.numbers.get(f"low/{one.name}", "")),
        "gap": number(one.value or 0.0),
        "chance": decimal(upward(chance, decimals), decimals),
    }


def _is_tone(one: MeasureReading) -> bool:
    return one.name.startswith(f"{TONE.name}/")


def _differs(each: Conclusion, m: str) -> str:
    first = each.differing[0]
    role = first.words.removeprefix(tr("tone")).strip() if _is_tone(first) else ""
    if _is_tone(first):
        who = tr("{m}, {role},", m=m, role=role) if role else m
        said = tr(
            "{m} wrote of {high} in warmer words than of {low}, with a gap of {gap}. Chance alone gives {chance} at"
            " most in 95 of 100 such audits."
        )
        return said.format(m=who, **apart(each, first))
    said = tr(
        "{m} is higher on {high} than on {low} in {measure}, with a gap of {gap}. Chance alone gives {chance} at most"
        " in 95 of 100 such audits."
    )
    return said.format(m=m, measure=first.words, **apart(each, first))


def _many_differing(telling: Sequence[Conclusion], some: SomeModels) -> str:
    """Against the sources, as the question asks, unless for one of them no source was there to be taken off."""
    named = {"some": some, "groups": _of(telling[0])}
    if any(f"taken/{each.differing[0].name}" not in each.numbers for each in telling):
        return trn(
            "{some} wrote of some {groups} otherwise than of others.",
            "{some} wrote of some {groups} otherwise than of others.",
            some.k,
            **named,
        )
    return trn(
        "{some} spoke of some {groups} differently than of others, beyond what the sources do.",
        "{some} spoke of some {groups} differently than of others, beyond what the sources do.",
        some.k,
        **named,
    )


def _not_shown(each: Conclusion, m: str) -> str:
    said = tr(
        "Not settled: for {m}, a difference between {groups} was neither shown nor ruled out.", m=m, groups=_of(each)
    )
    voting = [one for one in each.measures if one.value is not None and not one.voided_by]
    if not voting:
        return said
    gap = tr("In {measure} its gap is {gap}; chance alone gives {chance} at most in 95 of 100 such audits.")
    gap = gap.format(measure=voting[0].words, **apart(each, voting[0]))
    return f"{said} {gap}"


def independence() -> str:
    """The sentence on what every test of the page takes for granted: prompts are independent cases."""
    return tr(
        "Prompts that are worded nearly alike, or answered alike in a row, count together as fewer cases; any other is"
        " a case of its own. Where many share a theme, what is found is of that theme."
    )


def bridge_words(of_gaps: int, of_evasions: int) -> str:
    """The kinds of tests of a page; empty: there is one kind, and each has its row in the figure."""
    if not of_evasions:
        return ""
    return tr(
        "{n} comparisons are of gaps by a measure in a role, {k} of how often a model declined, hedged or asked back.",
        n=of_gaps,
        k=of_evasions,
    )


def checked_judges(agreement: Mapping[str, tuple[float, str]]) -> Iterator[str]:
    """A sentence on each judge model that marked again, or beside others; by name its least agreement and with whom."""
    for judge, (value, other) in agreement.items():
        least, needed = told((value, NEEDED), (NEEDED,))
        said = (
            tr("Judge model {judge} agrees with judge model {other} by {value} (0: chance, 1: full; {needed} needed).")
            if other
            else tr(
                "Judge model {judge}, marking the same texts again, agrees with itself by {value} (0: chance, 1: full;"
                " {needed} needed)."
            )
        )
        yield said.format(judge=judge, other=other, value=least, needed=needed)


def _disagrees(caveat: Caveat) -> str:
    said = (
        tr(
            "Judge model {judge} is not counted: it agrees with judge model {other} by {value} only (0: chance, 1:"
            " full; {needed} needed)."
        )
        if caveat.numbers["other"]
        else tr(
            "Judge model {judge} is not counted: marking the same texts again, it agrees with itself by {value} only"
            " (0: chance, 1: full; {needed} needed)."
        )
    )
    return said.format(judge=caveat.numbers["judge"], other=caveat.numbers["other"], **agreement(caveat))


def _adds(each: Conclusion) -> str:
    said = _of_sources(each)
    if each.outcome is not ConclusionOutcome.DIFFERS:
        return said
    condition = tr("Prompts that are nearly alike count together as one case.")
    return f"{said} {condition}"


def _of_sources(each: Conclusion) -> str:
    first = each.differing[0] if each.outcome is ConclusionOutcome.DIFFERS else each.measures[0]
    taken = each.numbers.get(f"taken/{first.name}")
    if taken is None:
        return tr("No source says how it writes of them: nothing was taken off.")
    if abs(float(taken)) < 0.005:
        return tr(
            "The sources speak of all {groups} alike in this, so the gap is in what the model wrote.", groups=_of(each)
        )
    return tr("What the sources say is taken off already.")


def _needs(each: Conclusion) -> str:
    n = int(each.numbers["common"])
    if n == 0:
        return tr("Too few prompts to say: no sentence was asked of two {groups}.", groups=_of(each))
    return tr(
        "Too few prompts to say: {n} were asked of two or more {groups}, and a range needs {need}.",
        n=n,
        groups=_of(each),
        need=FEWEST_ROOTS,
    )


def _refusals(each: Conclusion, m: str) -> str:
    assert each.refusals is not None, "the tag stands only where there is a reading"
    first = each.refusals.groups[0]
    said = tr(
        "{m} declined, hedged or asked back more often on {high} ({a} of {n}) than on {low} ({b} of {of}).",
        m=m,
        high=first.who,
        a=first.declined,
        n=first.of,
        low=each.numbers["spared/0"],
        b=first.others,
        of=first.others_of,
    )
    return shown_of_itself(each, said)


def _why(each: Conclusion) -> Sequence[str]:
    said = []
    voting = [one for one in each.measures if one.value is not None and not one.voided_by]
    for one in voting[:1]:
        said.append(
            tr(
                "In {measure} the widest gap is {gap}, between {high} and {low}; chance alone gives {chance} at most in"
                " 95 of 100 such audits.",
                measure=one.words,
                **apart(each, one) | {"gap": with_range(one)},
            )
        )
        if one.unmasked is not None and abs(one.unmasked - (one.value or 0.0)) >= 0.005:
            said.append(tr("With the names left in it would be {value}.", value=number(one.unmasked)))
    if further := len(each.differing[1:]):
        # Each has a row of its own, with its groups and what chance gives.
        said.append(trn("{n} further gap is told too.", "{n} further gaps are told too.", further))
    if least := [one.p for one in each.differing if one.p is not None]:
        said.append(chance_alone(min(least)))
    return said


def _caveats() -> dict[str, Callable[[Caveat], str]]:
    return {
        **answer_caveats(),
        "few_roots": lambda caveat: trn(
            "{n} prompt can be compared.", "{n} prompts can be compared.", int(caveat.numbers["n"])
        ),
        "masked": lambda caveat: tr(
            "{measure}: the names spoken of are still in these scores. Measure them again.", measure=_capital(caveat)
        ),
        "untested": lambda caveat: tr("Too few prompts to compare: {names}.", names=caveat.numbers["names"]),
        "nearly_alike": lambda caveat: tr(
            "{n} prompts are nearly alike; they count as {few}.", n=caveat.numbers["n"], few=caveat.numbers["as"]
        ),
        "neighbours": lambda caveat: tr(
            "{measure}: neighbouring prompts are answered partly alike, so {n} tell no more than {few} unrelated ones.",
            measure=_capital(caveat),
            n=caveat.numbers["n"],
            few=caveat.numbers["as"],
        ),
        "tone_language": lambda caveat: tr(
            "{measure} is not counted: these answers have too few common English words for its English lexicon.",
            measure=_capital(caveat),
        ),
        "tone_saturated": lambda caveat: tr(
            "{measure} is not counted: {share} of answers lie at an end of its scale.",
            measure=_capital(caveat),
            share=percent(float(caveat.numbers["share"])),
        ),
        "judge_agrees": _disagrees,
        "names_alone": lambda caveat: tr(
            "Nothing can be said by {measure}: the measuring tool gives the names alone a gap of {gap}, from {low} to"
            " {high}.",
            measure=caveat.numbers["measure"],
            gap=number(float(caveat.numbers["gap"])),
            low=caveat.numbers["low"],
            high=caveat.numbers["high"],
        ),
        "declined_make_it": lambda caveat: tr(
            "{measure}: without the answers that decline, the gap is not shown.", measure=_capital(caveat)
        ),
        "uncompared": lambda caveat: tr(
            "{measure}: too few prompts to compare {names} with all the others.",
            measure=_capital(caveat),
            names=caveat.numbers["names"],
        ),
        "missing_reach": lambda caveat: tr(
            "{measure}: {share} of its pairs lack an answer. Had these lain {tip} apart, it would not be alike.",
            measure=_capital(caveat),
            share=percent(float(caveat.numbers["share"])),
            tip=number(float(caveat.numbers["tip"])),
        ),
        "some_missing": lambda caveat: tr(
            "{n} of {of} prompts have no answer.", n=caveat.numbers["n"], of=caveat.numbers["of"]
        ),
        "rated_once": lambda caveat: tr(
            "Judge model {judge} marked each text once, and alone: whether it would mark so again was not checked.",
            judge=caveat.numbers["judge"],
        ),
        "obeys_orders": lambda caveat: tr(
            "Judge model {judge} does what an answer orders it to.", judge=caveat.numbers["judge"]
        ),
        "into_margin": lambda caveat: tr("{measure}: the gap may be too small to matter.", measure=_capital(caveat)),
        "no_baselines": lambda caveat: tr(
            "{measure}: there is no source to take off, so the gap is as answered.", measure=_capital(caveat)
        ),
        "rough_roots": lambda caveat: of_few(trn("{n:,} prompt", "{n:,} prompts", int(caveat.numbers["n"]))),
        "lengths_differ": lambda caveat: tr(
            "Its answers about {high} are longer, {more} words against {fewer} about {low}: tone grows with length.",
            high=caveat.numbers["high"],
            low=caveat.numbers["low"],
            more=caveat.numbers["more"],
            fewer=caveat.numbers["fewer"],
        ),
    }


def _capital(caveat: Caveat) -> str:
    words = str(caveat.numbers["measure"])
    return words[:1].upper() + words[1:]
