"""The sentences of Contextual StereoSet's conclusions."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from gpf_desktop.domain.conclusions.conclusion import Caveat, Conclusion, ConclusionOutcome, MeasureReading
from gpf_desktop.domain.conclusions.counts import SomeModels, count_word
from gpf_desktop.domain.conclusions.digits import decimals_of, measure_number, with_range
from gpf_desktop.domain.conclusions.lead import Lead, LeadPanel, LeadRow, measure_cell, measures_lead
from gpf_desktop.domain.conclusions.rendering import chance_alone, of_few
from gpf_desktop.domain.conclusions.voice import Voice
from gpf_desktop.domain.text import grouped, percent, range_ends, tr, trn
from gpf_desktop.methods._answer_gates import CUT_OFF, QUOTES, answer_caveats, shown_of_itself
from gpf_desktop.methods.contextual_stereoset.concluding.gates import FEWEST_ITEMS


def voice() -> Voice:
    """The sentences of the conclusions, in the user's language, whichever that is when they are asked for."""
    return Voice(
        outcomes={
            ConclusionOutcome.DIFFERS: _differs,
            ConclusionOutcome.ALIKE: lambda each, m: tr(
                "{m} chose {option} about equally often in contexts that differ in {factors}.",
                m=m,
                option=_option(each),
                factors=each.numbers["factors"],
            ),
            ConclusionOutcome.NOT_SHOWN: _not_shown,
            ConclusionOutcome.CHECK_FAILED: _failed,
        },
        so_far={
            ConclusionOutcome.DIFFERS: tr("So far, its choice moved with the context."),
            ConclusionOutcome.ALIKE: tr("So far, its choice hardly moved with the context."),
            ConclusionOutcome.NOT_SHOWN: tr("So far, no such movement is seen."),
        },
        many={
            ConclusionOutcome.DIFFERS: lambda some: tr("Some contexts moved the choice of {some}.", some=some.within),
            ConclusionOutcome.ALIKE: lambda some: tr(
                "The context hardly moved the choice of {some}.", some=some.within
            ),
        },
        many_differing=_many_differing,
        many_refusing=lambda some: tr("{some} made no choice more often in some contexts than in others.", some=some),
        caveats=_caveats(),
        counted=lambda n: trn("{n:,} item", "{n:,} items", n),
        refusals=_refusals,
        parts=_on_types,
        many_parts=lambda some: tr("On items of some types, contexts moved the choice of {some}.", some=some.within),
        why=_why,
        needs=lambda each: tr(
            "Too few items to say: {n}, and a range needs {need}.", n=each.numbers["items"], need=FEWEST_ITEMS
        ),
        adds=_adds,
        lead=_lead,
    )


def independence() -> str:
    """The sentence on what every test of the page takes for granted: items are independent cases."""
    return tr(
        "Items that are worded nearly alike, or turn alike in a row, count together as fewer cases; any other is a case"
        " of its own. Where many are of one kind, what is found is of that kind."
    )


def bridge_words(of_shifts: int, of_lacking: int) -> str:
    """From items to so many tests: *of_shifts*, and *of_lacking* choices."""
    # Of one kind alone each has its row in the figure.
    if not of_lacking:
        return independence()
    kinds = tr(
        "{n} comparisons are of shifts between two contexts, {k} of how often no choice was made.",
        n=of_shifts,
        k=of_lacking,
    )
    return f"{independence()} {kinds}"


def and_so(names: Sequence[str]) -> str:
    """“a, b and c”."""
    *some, last = names or ("",)
    return tr("{some} and {last}", some=", ".join(some), last=last) if some else last


def _adds(each: Conclusion) -> str:
    said = tr(
        "Over all contexts it chose {option} {share} times in 100.", option=_option(each), share=each.numbers["share"]
    )
    if each.parts and each.outcome is ConclusionOutcome.NOT_SHOWN:
        return " ".join((said, tr("Over all types of items, a difference was neither shown nor ruled out.")))
    if each.outcome is not ConclusionOutcome.DIFFERS:
        return said
    condition = tr("Items that are nearly alike count together as one case.")
    return " ".join(filter(None, (said, _types(each), condition)))


def _types(each: Conclusion) -> str:
    """What kinds of items a shift is told of; empty: they have none."""
    types = str(each.numbers["types"])
    if not types:
        return ""
    if each.numbers["of_types"] == 1:
        return tr("All of it is about one type of items: {types}.", types=types)
    return tr("The shift is an average over items of {k} types: {types}.", k=each.numbers["of_types"], types=types)


def _lead(conclusions: Sequence[Conclusion]) -> Lead:
    """A line for each contrast, in points of 100, under the model's name."""
    ends = next((one.ends for each in conclusions for one in each.measures), ("", ""))
    panel = LeadPanel(title=tr("Shift, in points of 100"), ends=ends, null=0.0)
    made = measures_lead(conclusions, panel=panel, factor=100.0, least=1)
    rows = tuple(each for row in made.rows for each in (row, *_type_rows(conclusions[row.conclusion], row)))
    return replace(made, rows=rows, mark=tr("how far the choice moved"), null=tr("the context changes nothing"))


def _type_rows(each: Conclusion, row: LeadRow) -> Iterator[LeadRow]:
    """A line for each type of items by itself, below that of a contrast that hangs on one: its sentence names it."""
    for one in each.of_parts:
        if one.name.endswith(tuple(f"/{name}" for name in row.measures)):
            label = one.words[:1].upper() + one.words[1:]
            cell = measure_cell(one, 100.0, 1)
            yield LeadRow(conclusion=row.conclusion, label=label, measures=(one.name,), cells=(cell,))


def _option(each: Conclusion) -> str:
    option = str(each.numbers["option"])
    return tr("the {option}", option=option) if each.about == "" else option


def _differs(each: Conclusion, m: str) -> str:
    first = each.differing[0]
    said = (
        tr("{m} chose {option} more often {where}: {points} points of 100 ({low} to {high}).")
        if (first.value or 0) > 0
        else tr("{m} chose {option} less often {where}: {points} points of 100 ({low} to {high}).")
    )
    return said.format(m=m, option=_option(each), where=_where(each, first), **_points(first))


def _not_shown(each: Conclusion, m: str) -> str:
    return _on_types(each, m) or tr(
        "Not settled: for {m}, a shift with the context was neither shown nor ruled out.", m=m
    )


def _on_types(each: Conclusion, m: str) -> str:
    """The largest shift that is told of one type of items, and how many further; empty: there is none."""
    told = sorted(
        (
            (part, whole, one)
            for part in each.parts
            for whole in each.measures
            for one in each.of_parts
            if one.name == f"{part}/{whole.name}" and one.outcome is ConclusionOutcome.DIFFERS
        ),
        key=lambda its: -abs(its[2].value or 0.0),
    )
    if not told:
        return ""
    (part, whole, one), further = told[0], len(told) - 1
    said = (
        tr("On items of type {part}, {m} chose {option} more often {where}: {points} points of 100 ({low} to {high}).")
        if (one.value or 0) > 0
        else tr(
            "On items of type {part}, {m} chose {option} less often {where}: {points} points of 100 ({low} to {high})."
        )
    ).format(part=part, m=m, option=_option(each), where=_where(each, whole), **_points(one))
    more = trn("{n} further shift of one type is told.", "{n} further shifts of one type are told.", further)
    return f"{said} {more}" if further else said


def _where(each: Conclusion, one: MeasureReading) -> str:
    """The two contexts of *one*, the second less than the first."""
    when, than = _sides(each, one.words)
    return tr("when {a} than when {b}", a=when, b=than)


def _sides(each: Conclusion, contrast: str) -> tuple[str, str]:
    return str(each.numbers[f"when/{contrast}"]), str(each.numbers[f"than/{contrast}"])


def _many_differing(telling: Sequence[Conclusion], some: SomeModels) -> str:
    """Names the context where it is one and the same for all that differ; empty: it is not."""
    firsts = {(each.differing[0].name, (each.differing[0].value or 0) > 0, _option(each)) for each in telling}
    if len(firsts) > 1 or any(len(each.differing) > 1 for each in telling):
        return ""
    (_, more, option), first = next(iter(firsts)), telling[0]
    named = {"some": some, "option": option, "where": _where(first, first.differing[0])}
    if more:
        return trn(
            "{some} chose {option} more often {where}.",
            "{some} chose {option} more often {where}.",
            some.k,
            **named,
        )
    return trn(
        "{some} chose {option} less often {where}.",
        "{some} chose {option} less often {where}.",
        some.k,
        **named,
    )


def _failed(each: Conclusion, m: str) -> str:
    unread = next((caveat for caveat in each.caveats if caveat.key == "no_choice"), None)
    if unread is None:
        return tr("Nothing can be said of {m}: it follows the place of a letter more than what it says.", m=m)
    return tr(
        "Nothing can be said of {m}: {n} of {of} answers choose no option.",
        m=m,
        n=grouped(int(unread.numbers["n"])),
        of=grouped(int(unread.numbers["of"])),
    )


def _points(one: MeasureReading) -> dict[str, str]:
    """The value and its range in points of 100, positive in the direction that the sentence names."""
    way = 1 if (one.value or 0) > 0 else -1
    low, high = sorted((way * (one.low or 0.0), way * (one.high or 0.0)))
    first, last = range_ends(100 * low, 100 * high, decimals_of(one, factor=100.0, least=0))
    number = measure_number(one, factor=100.0, least=0)
    return {"points": number(way * (one.value or 0.0)), "low": first, "high": last}


def _refusals(each: Conclusion, m: str) -> str:
    assert each.refusals is not None, "the tag stands only where there is a reading"
    first, *others = each.refusals.groups
    when, than = _sides(each, first.who)
    said = tr(
        "{m} made no choice in {a} of {n} cases when {when}, in {b} of {of} when {than}.",
        m=m,
        a=first.declined,
        n=grouped(first.of),
        when=when,
        than=than,
        b=first.others,
        of=grouped(first.others_of),
    )
    further = trn("{n} further pair of contexts differs too.", "{n} further pairs of contexts differ too.", len(others))
    return shown_of_itself(each, f"{said} {further}" if others else said)


def _why(each: Conclusion) -> Sequence[str]:
    said = []
    if each.outcome is ConclusionOutcome.ALIKE:
        said.append(
            tr(
                "None of these alone moves it by more than {margin} points of 100, on average over all else.",
                margin=each.numbers["margin"],
            )
        )
    if widest := next((one for one in each.measures if not one.voided_by), None):
        said.append(
            # As it stands in its row: to turn it round would make another number of it.
            tr(
                "The largest is {measure}: {points} points of 100.",
                measure=widest.words,
                points=with_range(widest, factor=100.0, least=1),
            )
        )
    if further := each.differing[1:]:
        said.append(
            trn(
                "{n} further shift is told too: {names}.",
                "{n} further shifts are told too: {names}.",
                len(further),
                names="; ".join(one.words for one in further),
            )
        )
    if least := [one.p for one in each.differing if one.p is not None]:
        said.append(chance_alone(min(least)))
    return said


def _caveats() -> dict[str, Callable[[Caveat], str]]:
    return {
        **{gate.key: answer_caveats()[gate.key] for gate in (QUOTES, CUT_OFF)},
        "few_items": lambda caveat: trn("{n} item.", "{n} items.", int(caveat.numbers["n"])),
        "no_choice": lambda caveat: trn(
            "{n} item with a choice in both contexts; {need} are needed.",
            "{n} items with a choice in both contexts; {need} are needed.",
            int(caveat.numbers["items"]),
            need=FEWEST_ITEMS,
        ),
        "nearly_alike": lambda caveat: tr(
            "{n} items are nearly alike; they count as {few}.", n=caveat.numbers["n"], few=caveat.numbers["as"]
        ),
        "few_of_contrast": lambda caveat: tr(
            "{measure}: too few items have both contexts, {n}.", measure=_capital(caveat), n=caveat.numbers["n"]
        ),
        "follows_the_letter": lambda caveat: tr(
            "{measure}: with the option's place held, {points} of {of} points are left.",
            measure=_capital(caveat),
            points=caveat.numbers["points"],
            of=caveat.numbers["of"],
        ),
        "place_held": lambda caveat: tr(
            "{measure}: with the option's place held, the shift is not shown.", measure=_capital(caveat)
        ),
        "into_margin": lambda caveat: tr("{measure}: the shift may be too small to matter.", measure=_capital(caveat)),
        "untested": lambda caveat: tr(
            "{n} of {of} shifts have too few items to test.", n=caveat.numbers["n"], of=caveat.numbers["of"]
        ),
        "one_letter": lambda caveat: tr(
            "{share} of its choices are the letter {letter}: it follows the place more than what stands there.",
            share=percent(float(caveat.numbers["share"])),
            letter=caveat.numbers["letter"],
        ),
        "missing_could_make_it": lambda caveat: tr(
            "{measure}: questions without a choice could make this shift by themselves.", measure=_capital(caveat)
        ),
        "few_more": lambda caveat: trn(
            "{measure}: {few} more item that turned wholly the other way would undo the shift.",
            "{measure}: {few} more items that turned wholly the other way would undo the shift.",
            int(caveat.numbers["few"]),
            measure=_capital(caveat),
            few=count_word(int(caveat.numbers["few"])),
        ),
        "one_type": lambda caveat: tr(
            "{measure}: without items of type {type}, {points} of {of} points are left.",
            measure=_capital(caveat),
            **{key: caveat.numbers[key] for key in ("type", "points", "of")},
        ),
        "types_unlike": lambda caveat: tr(
            "{measure}: types turn unlike, from {low} points ({least}) to {high} ({most}).",
            measure=_capital(caveat),
            **{key: caveat.numbers[key] for key in ("low", "least", "high", "most")},
        ),
        "neighbours": lambda caveat: tr(
            "{measure}: neighbouring items turn partly alike, so {n} items tell no more than {few} unrelated ones.",
            measure=_capital(caveat),
            n=caveat.numbers["n"],
            few=caveat.numbers["as"],
        ),
        "some_missing": lambda caveat: tr(
            "{n} of {of} questions have no choice.", n=caveat.numbers["n"], of=caveat.numbers["of"]
        ),
        "rough_items": lambda caveat: of_few(trn("{n:,} item", "{n:,} items", int(caveat.numbers["n"]))),
        "rough_contrast": lambda caveat: tr(
            "{measure}: {n} items have both contexts, and the range is rough.",
            measure=_capital(caveat),
            n=caveat.numbers["n"],
        ),
    }


def _capital(caveat: Caveat) -> str:
    words = str(caveat.numbers["measure"])
    return words[:1].upper() + words[1:]
