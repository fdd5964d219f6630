"""The sentences of GPF-LiveNews' conclusions."""

from collections.abc import Callable, Sequence

from gpf_desktop.domain.conclusions.conclusion import Caveat, Conclusion, ConclusionOutcome
from gpf_desktop.domain.conclusions.counts import SomeModels, count_word
from gpf_desktop.domain.conclusions.digits import exact, with_range
from gpf_desktop.domain.conclusions.rendering import chance_alone, number, of_few
from gpf_desktop.domain.conclusions.voice import Voice
from gpf_desktop.domain.text import grouped, percent, tr, trn
from gpf_desktop.methods._answer_gates import answer_caveats
from gpf_desktop.methods.gpf_livenews.concluding.gates import CONTENT, TONE
from gpf_desktop.methods.gpf_livenews.concluding.lead_figure import lead
from gpf_desktop.methods.gpf_livenews.concluding.lengths import LENGTHS


def voice() -> Voice:
    """The sentences of the conclusions, in the user's language, whichever that is when they are asked for."""
    return Voice(
        outcomes={
            ConclusionOutcome.DIFFERS: _differs,
            ConclusionOutcome.ALIKE: lambda _, m: tr("{m} told different readers much the same on average.", m=m),
            ConclusionOutcome.NOT_SHOWN: lambda _, m: tr(
                "Not settled: for {m}, a difference in words or tone between readers was neither shown nor ruled out.",
                m=m,
            ),
            ConclusionOutcome.CHECK_FAILED: lambda _, m: tr("Nothing can be said of {m}: a check failed.", m=m),
        },
        so_far={
            ConclusionOutcome.DIFFERS: tr(
                "So far, its answers moved with the reader by more than asking twice explains."
            ),
            ConclusionOutcome.ALIKE: tr("So far, its answers hardly moved with the reader on average."),
            ConclusionOutcome.NOT_SHOWN: tr("So far, no such movement is shown."),
        },
        many={
            ConclusionOutcome.DIFFERS: lambda some: trn(
                "{some} told the news differently to different readers, in words or in tone.",
                "{some} told the news differently to different readers, in words or in tone.",
                some.k,
                some=some,
            ),
            ConclusionOutcome.ALIKE: lambda some: tr(
                "{some} told different readers much the same on average.", some=some
            ),
        },
        many_differing=_many_differing,
        told_by=_told_by,
        silent_measures=_silent_measures,
        ranges_narrow=_ranges_narrow,
        many_refusing=lambda some: tr("{some} declined some readers more or less often than others.", some=some),
        caveats=_caveats(),
        counted=counted,
        answers=counted_answers(),
        counted_where=tr("those of which a question was asked again"),
        counted_with=tr("with the controls, so that questions are asked again"),
        refusals=_refusals,
        why=_why,
        needs=_needs,
        lead=lead,
    )


def _differs(each: Conclusion, m: str) -> str:
    by = _measures([each])
    if by == {TONE}:
        return tr("{m} told the news in a different tone to different readers, in much the same words.", m=m)
    if by == {CONTENT}:
        return tr("{m} told the news in different words to different readers.", m=m)
    return tr("{m} told the news in different words and in a different tone to different readers.", m=m)


def _measures(some: Sequence[Conclusion]) -> set[str]:
    return {one.name for each in some for one in each.differing}


def _many_differing(telling: Sequence[Conclusion], some: SomeModels) -> str:
    by = _measures(telling)
    if by == {CONTENT}:
        return trn(
            "{some} told the news in different words to different readers.",
            "{some} told the news in different words to different readers.",
            some.k,
            some=some,
        )
    if by == {TONE}:
        return trn(
            "{some} told the news in a different tone to different readers.",
            "{some} told the news in a different tone to different readers.",
            some.k,
            some=some,
        )
    return ""


def _told_by(telling: Sequence[Conclusion]) -> str:
    by = _measures(telling)
    return tr("In words") if by == {CONTENT} else tr("In tone") if by == {TONE} else ""


def _silent_measures(conclusions: Sequence[Conclusion]) -> str:
    """A headline on words says nothing of tone, whose ranges stand beside it."""
    tones = [one for each in conclusions if (one := each.measure(TONE)) is not None and one.value is not None]
    if not tones or TONE in _measures(conclusions):
        return ""
    n = len(conclusions)
    if {one.outcome for one in tones} == {ConclusionOutcome.ALIKE}:
        return trn("In tone its answers were alike on average.", "In tone all were alike on average.", n)
    # Not “no difference”, which a harsh quotation beside it would contradict.
    return trn(
        "In tone, a difference was neither shown nor ruled out.",
        "In tone, a difference was neither shown nor ruled out for any of the {k}.",
        n,
        k=count_word(n),
    )


def _ranges_narrow(conclusions: Sequence[Conclusion]) -> str:
    batches = [int(c.numbers["n"]) for each in conclusions for c in each.caveats if c.key == "few_batches"]
    few = [n for n in batches if n > 1]
    return (
        tr(", in fewer if news differs from time to time, for it was collected at only {n} times", n=min(few))
        if few
        else ""
    )


def _needs(each: Conclusion) -> str:
    n = each.standing.items
    if not n:
        return tr("Too few answers to say: no question was asked twice, so that chance can't be told.")
    return trn(
        "{n} article is too few for a range: three are needed, and ten to find a small difference.",
        "{n} articles are too few for a range: three are needed, and ten to find a small difference.",
        n,
    )


def _refusals(each: Conclusion, m: str) -> str:
    assert each.refusals is not None, "the tag stands only where there is a reading"
    first, *others = each.refusals.groups
    said = (
        tr("{m} declined {who} readers more often than others: ")
        if first.more
        else tr("{m} declined {who} readers less often than others: ")
    )
    counts = tr(
        "{n} of {of} times, others of their group {k} of {k_of}.",
        n=first.declined,
        of=grouped(first.of),
        k=first.others,
        k_of=grouped(first.others_of),
    )
    further = trn("{n} further group differs too.", "{n} further groups differ too.", len(others)) if others else ""
    return " ".join(filter(None, (said.format(m=m, who=first.who) + counts, further)))


def _why(each: Conclusion) -> Sequence[str]:
    numbers, said = each.numbers, []
    if {"s", "n"} <= numbers.keys():
        apart = tr(
            "Across readers {s} apart; asked again, {n}",
            s=number(float(numbers["s"])),
            n=number(float(numbers["n"])),
        )
        labels = numbers.get("labels_s")
        made_up = "" if labels is None else tr("; with made-up labels, {x}", x=number(float(labels)))
        said.append(f"{apart}{made_up}.")
    for measure in each.measures:
        # A tone that nothing is shown of has its number and its margin in the row.
        silent = measure.name == TONE and measure.outcome is ConclusionOutcome.NOT_SHOWN
        if measure.value is not None and not silent:
            words = (
                # Who has the two distances before can reckon it, but for the names.
                tr(
                    "Of the way from asked again to 1, nothing shared, readers go {value} with their names left out;"
                    " below {margin} does not matter."
                )
                if measure.name == CONTENT
                else tr("Tone: readers add {value}; below {margin} does not matter.")
            )
            said.append(words.format(value=with_range(measure), margin=exact(measure.margin or 0)))
    if told_apart := [one.p for one in each.differing if one.p is not None]:
        said.append(chance_alone(min(told_apart)))
    return said


def counted(n: int) -> str:
    return trn("{n:,} article", "{n:,} articles", n)


def counted_answers() -> str:
    """Which answers the page counts; the brief says the same beside their number."""
    return tr("first answers to named readers")


def planned_words(sizes: Sequence[int]) -> str:
    """When the audit set out to judge."""
    if len(sizes) == 1:
        return tr("It was planned beforehand to conclude once, after {n} articles.", n=sizes[0])
    listed = ", ".join(map(str, sizes[:-1]))
    return tr(
        "It was planned beforehand to conclude after {n} and {last} articles; chance is counted over all of these looks"
        " together.",
        n=listed,
        last=sizes[-1],
    )


def bridge_words(first: int, of_framing: int, of_refusals: int) -> str:
    """The sentences that lead from answers to comparisons, by kind; *first*: answers to named readers that were not
    asked again."""
    counted = tr(
        "Counted are the {first} first answers to named readers; those asked again, with made-up labels or with no"
        " reader are for comparison.",
        first=grouped(first),
    )
    kinds = tr("{n} comparisons are of words and of tone, one of each for a model.", n=grouped(of_framing))
    declined = (
        trn(
            "{n} is of how often a reader was declined, in answers asked again too.",
            "{n:,} are of how often a reader was declined, in answers asked again too.",
            of_refusals,
        )
        if of_refusals
        else tr("None is of how often a reader was declined: nobody was.")
    )
    return f"{counted} {kinds} {declined}"


def _caveats() -> dict[str, Callable[[Caveat], str]]:
    def labels(caveat: Caveat) -> str:
        if TONE in caveat.measures:
            return tr("Its tone is not counted: made-up labels moved it as much as real ones.")
        return tr("Made-up labels moved its answers as much as real ones.")

    def beaten(caveat: Caveat) -> str:
        if not caveat.numbers:
            return tr("No made-up labels were asked twice: what readers add can't be told from what any label adds.")
        if TONE in caveat.measures:
            return tr("That readers move its tone more than made-up labels do is not shown.")
        return tr("That readers move its answers more than made-up labels do is not shown.")

    def by_plan(caveat: Caveat) -> str:
        what = tr("its tone") if TONE in caveat.measures else tr("it")
        return tr("By the planned score, with readers' names left in, {what} is not shown to move.", what=what)

    def missing_reach(caveat: Caveat) -> str:
        said = tr("{n} of its {of} answers ({share}) are missing; with them its words might not be alike.")
        if TONE in caveat.measures:
            said = tr("{n} of its {of} answers ({share}) are missing; with them its tone might not be alike.")
        return said.format(**_counts(caveat))

    def some_missing(caveat: Caveat) -> str:
        numbers, counts = caveat.numbers, _counts(caveat)
        if "low" in numbers:
            return tr(
                "{n} of its {of} answers ({share}) are missing. With them, readers could add {low} to {high}.",
                **counts,
                low=number(float(numbers["low"])),
                high=number(float(numbers["high"])),
            )
        if "tip" not in numbers:
            return tr("{n} of its {of} answers ({share}) are missing.", **counts)
        return tr("{n} of its {of} answers ({share}) are missing; with them it could be “differs”.", **counts)

    def too_small(_caveat: Caveat) -> str:
        return tr("The difference may be too small to matter.")

    return {
        **answer_caveats(tr("answers to named readers"), as_shares=True),
        # Of none the sentence before says that no question was asked twice.
        "few_articles": lambda caveat: (
            trn("{n} article.", "{n} articles.", n) if (n := int(caveat.numbers["n"])) else ""
        ),
        "masked": lambda _: tr("Readers' own names are still in these scores: measure them again."),
        "tone_language": lambda _: tr(
            "Tone is not counted: these answers have too few common English words for its English lexicon."
        ),
        "tone_saturated": lambda caveat: tr(
            "Tone is not counted: {share} of answers lie at an end of its scale. Measure again by sentence.",
            share=percent(_share(caveat)),
        ),
        **{f"labels_move_{name}": labels for name in (CONTENT, TONE)},
        **{f"beats_labels_{name}": beaten for name in (CONTENT, TONE)},
        **{f"by_plan_{name}": by_plan for name in (CONTENT, TONE)},
        **{f"missing_reach_{name}": missing_reach for name in (CONTENT, TONE)},
        f"no_spread_{TONE}": lambda _: tr("Its tone is the same number throughout, which shows nothing."),
        "some_missing": some_missing,
        "declines_make_it": lambda caveat: tr(
            "Without {n} of {of} sets of answers in which it declined a reader, other words are not shown.",
            n=grouped(int(caveat.numbers["n"])),
            of=grouped(int(caveat.numbers["of"])),
        ),
        LENGTHS: _lengths,
        "own_name": lambda caveat: tr(
            "{share} of this difference comes from repeating who the reader is.", share=percent(_share(caveat))
        ),
        **{f"into_margin_{name}": too_small for name in (CONTENT, TONE)},
        "rough": lambda caveat: of_few(counted(int(caveat.numbers["n"]))),
        "few_batches": lambda caveat: trn(
            "All news counts as collected at one time: later news may give otherwise.",
            "News was collected at only {n} times: the ranges may be too narrow.",
            int(caveat.numbers["n"]),
        ),
    }


def _lengths(caveat: Caveat) -> str:
    words, others, more = (int(caveat.numbers[name]) for name in ("words", "others", "further"))
    said = (
        tr("Answers to {who} readers are longer than to others of their group, {n} words against {k}.")
        if words > others
        else tr("Answers to {who} readers are shorter than to others of their group, {n} words against {k}.")
    )
    further = trn("{n} further reader differs too.", "{n} further readers differ too.", more) if more else ""
    told = said.format(who=caveat.numbers["who"], n=grouped(words), k=grouped(others))
    return " ".join(filter(None, (told, further)))


def _counts(caveat: Caveat) -> dict[str, str]:
    n, of = (int(caveat.numbers[name]) for name in ("n", "of"))
    return {"n": grouped(n), "of": grouped(of), "share": percent(n / of)}


def _share(caveat: Caveat) -> float:
    return float(caveat.numbers["share"])
