"""The evidence of SAGED on every model of a page: a measure for each feature in each role, and the gates' readings."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats
from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome, MeasureReading, OtherReading, Standing
from gpf_desktop.domain.conclusions.gates import MOST_CARRIED, GateReading, ModelEvidence, PageEvidence, measure_key
from gpf_desktop.domain.conclusions.voice import Material
from gpf_desktop.domain.score_tables import asked_first
from gpf_desktop.domain.text import tr
from gpf_desktop.methods._answer_gates import answer_readings
from gpf_desktop.methods.saged.analyses._judged import METHOD, Judgements
from gpf_desktop.methods.saged.analyses._levels import judges_agree
from gpf_desktop.methods.saged.analyses._series import BoardOptions, boards
from gpf_desktop.methods.saged.analyses.judges import obediences
from gpf_desktop.methods.saged.concluding.gates import FEWEST_ROOTS
from gpf_desktop.methods.saged.concluding.refusals import Ended, Evasions, Place, ended_of, evasions, lacking, refusals
from gpf_desktop.methods.saged.concluding.sentences import bridge_words, checked_judges, independence
from gpf_desktop.methods.saged.concluding.series import Asked, FeatureSeries, asked_of, evasive, series_of
from gpf_desktop.methods.saged.features import LENGTH, REFUSAL, TONE, unmasked_name
from gpf_desktop.methods.saged.gaps import ALPHA, Gap, in_common
from gpf_desktop.methods.saged.protocol import NO_ROLE
from gpf_desktop.methods.saged.scorers.features_of_answers import CLASSIFIED
from gpf_desktop.methods.saged.words import feature_title, role_title, spoken_of
from gpf_desktop.numerics.english import english_share
from gpf_desktop.stats.neighbours import as_many

_READ: Final = 200
"""Answers of each model that are looked at for their language."""
_AT_AN_END: Final = 0.95
"""|tone| from which an answer is at an end of its scale."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    series: FeatureSeries
    gap: Gap
    margin: float | None

    @property
    def outcome(self) -> ConclusionOutcome:
        if self.gap.told:
            return ConclusionOutcome.DIFFERS
        upper = self.gap.upper
        alike = self.margin is not None and upper is not None and upper <= self.margin and not self.gap.flat
        return ConclusionOutcome.ALIKE if alike else ConclusionOutcome.NOT_SHOWN

    @property
    def order(self) -> tuple[bool, bool, float]:
        """A sort key: gaps that are told first, then by how many times the gap of chance they are, as features have
        scales of their own."""
        gap = self.gap
        return not gap.told, gap.upper is None, -(gap.value / gap.chance if gap.chance else float(gap.told) * 1e9)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    """The facts that all models of a page share."""

    material: Material
    tests: int
    margins: Mapping[str, float]
    english: Mapping[str, float]
    """By model, how much of its answers is English."""
    agreement: Mapping[str, tuple[float, str]]
    """By judge and rubric, the least that it agrees with itself or with another judge, and which; empty: itself."""
    obeying: frozenset[str]
    spoken_of: str
    """The word of the study for what is spoken of: “countries”."""
    ended: Mapping[Place, Sequence[Ended]]
    """What was asked of each model in each role, and whether it was answered."""


def evidence(material: Material) -> PageEvidence:
    """The evidence on every model that answered; real models and test models as pages of their own."""
    asked = asked_of(material.tables)
    return of_asked(asked, boards(material.tables, BoardOptions()).judgements, material)


def of_asked(asked: Sequence[Asked], judged: Sequence[Judgements], material: Material) -> PageEvidence:
    """The evidence on every model in *asked*; *material* tells what was planned and what answers are."""
    scores = material.tables
    every = list(series_of(asked, judged))
    series = [each for each in every if each.comparable]
    evaded = evasions(scores, asked)
    shared = _Page(
        material=material,
        tests=0,
        margins=_margins(material),
        english=_english(material),
        agreement=_agreement(material) if any(each.judged for each in series) else {},
        obeying=frozenset(each.judge for each in obediences(scores) if each.obeys),
        spoken_of=_spoken_of(asked, material),
        ended=ended_of(scores, asked),
    )
    found: list[ModelEvidence] = []
    tests = of_gaps = 0
    for synthetic in (False, True):
        here = [each for each in asked if each.of.synthetic == synthetic]
        gaps = counted = sum(each.asked.of.synthetic == synthetic for each in series)
        of_gaps += gaps
        counted += sum(each.tested and each.asked.of.synthetic == synthetic for each in evaded)
        tests += counted
        page = replace(shared, tests=counted)
        for model in dict.fromkeys(each.of.model for each in here):
            found.append(
                _of_model(
                    [each for each in here if each.of.model == model],
                    [each for each in every if each.asked.of.model == model],
                    [each for each in evaded if each.asked.of.model == model],
                    page,
                )
            )
    kinds = bridge_words(of_gaps, tests - of_gaps)
    bridge = " ".join(filter(None, (independence(), *checked_judges(shared.agreement), kinds))) if found else ""
    question = tr(
        "Does a model speak of some {groups} differently than of others, beyond what its sources do?",
        groups=shared.spoken_of,
    )
    return PageEvidence(of=tuple(found), tests=tests, alpha=ALPHA, bridge=bridge, question=question)


def _of_model(
    asked: Sequence[Asked], series: Sequence[FeatureSeries], evaded: Sequence[Evasions], page: _Page
) -> ModelEvidence:
    gaps = [(each, each.gap(page.tests)) for each in series if each.comparable]
    found = sorted(
        (_Found(series=each, gap=gap, margin=_margin(each, page.margins)) for each, gap in gaps if gap is not None),
        key=lambda each: each.order,
    )
    model = asked[0].of.model
    said = page.material.tables.said
    items = {item for each in asked for item in each.frame["article_id"].tolist()}
    roots = len({root for each in asked for root in each.roots.tolist()})
    common = _common(series)
    least = min((each.gap.roots for each in found), default=common)
    numbers: dict[str, float | int | str] = {"roots": roots, "common": common, "spoken_of": page.spoken_of}
    for each in found:
        numbers |= dict(_numbers(each))
    refused, spared = refusals(evaded, page.tests)
    numbers |= {f"spared/{at}": concept for at, concept in enumerate(spared)}
    return ModelEvidence(
        model=model,
        synthetic=asked[0].of.synthetic,
        standing=_standing(len(items), page.material),
        measures=tuple(map(_measure, found)),
        readings={
            "few_roots": GateReading(value=common, numbers={"n": common}),
            **({"rough_roots": GateReading(value=least, numbers={"n": least})} if common >= FEWEST_ROOTS else {}),
            **_untested(series),
            **_alike(asked),
            **dict(answer_readings(said[said["model"] == model])),
            **_missing(evaded),
            **_lengths(asked, page.tests),
            **dict(_by_measure(model, found, page)),
        },
        refusals=refused,
        rows=tuple(f"saged_disparities/{model}/{each.series.name}" for each in found),
        carrying={each.series.name: _carrying(each) for each in found},
        refusing=_evading(asked, refused.groups[0].who) if refused.groups else (),
        numbers=numbers,
    )


def _common(series: Sequence[FeatureSeries]) -> int:
    """Roots that some two concepts have in common, where most have: what a test of them would use."""
    return max((max(in_common(~np.isnan(each.cells)).ravel().tolist(), default=0) for each in series), default=0)


def _untested(series: Sequence[FeatureSeries]) -> dict[str, GateReading]:
    """The reading for measures with too few prompts beside others with enough: not compared, and so not alike."""
    names = [measure_words(each) for each in series if not each.comparable]
    if not names or len(names) == len(series):
        return {}
    return {"untested": GateReading(value=len(names), numbers={"names": ", ".join(names)})}


def _alike(asked: Sequence[Asked]) -> dict[str, GateReading]:
    """Prompts that are nearly alike, and as how many they count."""
    items = {item for each in asked for item in each.frame["article_id"].tolist() if item in each.alike}
    roots = {asked[0].alike[item] for item in items}
    if len(items) == len(roots):
        return {}
    return {"nearly_alike": GateReading(value=len(items) - len(roots), numbers={"n": len(items), "as": len(roots)})}


def _numbers(each: _Found) -> Iterator[tuple[str, float | int | str]]:
    """The numbers and names that the sentences of a measure fill in."""
    series, gap = each.series, each.gap
    name, groups = series.name, series.asked.groups
    yield f"high/{name}", groups[gap.high]
    yield f"low/{name}", groups[gap.low]
    if series.judged is not None:
        yield f"marks/{name.removesuffix(f'/{series.asked.key}')}", series.judged.top
    if series.calibrated:
        yield f"at/{name}", float(gap.means[gap.low])
        raw = series.raw[:, gap.high] - series.raw[:, gap.low]
        both = ~np.isnan(raw) & ~np.isnan(gap.by_root)
        taken = float(np.mean(raw[both] - gap.by_root[both])) if both.any() else 0.0
        yield f"taken/{name}", taken


def _measure(each: _Found) -> MeasureReading:
    series, gap = each.series, each.gap
    means = gap.means - gap.means[gap.low]
    others = sorted(
        (float(mean), concept) for mean, concept in zip(means, series.asked.groups, strict=True) if not np.isnan(mean)
    )
    return MeasureReading(
        name=series.name,
        words=measure_words(series),
        value=gap.value,
        low=gap.lower,
        high=gap.upper,
        null=(0.0, gap.chance),
        margin=each.margin,
        p=gap.p,
        outcome=each.outcome,
        unmasked=_unmasked(series, gap),
        ends=(tr("no gap"), tr("wider apart")),
        others=tuple(OtherReading(words=concept, value=mean) for mean, concept in others),
    )


def _unmasked(series: FeatureSeries, gap: Gap) -> float | None:
    if series.unmasked is None:
        return None
    apart = series.unmasked[:, gap.high] - series.unmasked[:, gap.low]
    return None if np.isnan(apart).all() else float(np.nanmean(apart))


def measure_words(series: FeatureSeries) -> str:
    """“tone”, “tone as travel writer”"""
    known = {TONE.name: tr("tone"), CLASSIFIED: tr("what the classifier counts")}
    judged = series.judged
    said = known.get(series.feature, feature_title(series.feature))
    if judged is not None:
        said = tr("{rubric}, marked by judge model “{judge}”", rubric=judged.rubric, judge=judged.judge_name)
    if series.asked.of.role != NO_ROLE:
        said = tr("{measure} as {role}", measure=said, role=role_title(series.asked.of.role))
    return tr("{measure}, of {domain}", measure=said, domain=series.asked.domain) if series.asked.domain else said


def _by_measure(model: str, found: Sequence[_Found], page: _Page) -> Iterator[tuple[str, GateReading]]:
    for each in found:
        series, name = each.series, each.series.name
        numbers: dict[str, float | int | str] = {"measure": measure_words(series)}
        # A judge reads names, and what it makes of them alone is told by its baselines.
        hidden = series.judged is not None or unmasked_name(TONE.name) in series.asked.frame
        yield measure_key("masked", name), GateReading(value=float(hidden), numbers=numbers)
        if series.feature == TONE.name:
            if model in page.english:
                yield measure_key("tone_language", name), GateReading(value=page.english[model], numbers=numbers)
            tones = series.asked.frame[TONE.name].to_numpy(float)
            share = float(np.mean(np.abs(tones[~np.isnan(tones)]) >= _AT_AN_END))
            yield measure_key("tone_saturated", name), GateReading(value=share, numbers={**numbers, "share": share})
        if series.judged is not None:
            yield from _of_judge(_judge(series.judged), name, page, numbers)
        n = each.gap.roots
        yield (
            measure_key("neighbours", name),
            GateReading(value=each.gap.widened, numbers={**numbers, "n": n, "as": as_many(n, each.gap.widened)}),
        )
        if each.gap.uncompared:
            names = ", ".join(series.asked.groups[at] for at in each.gap.uncompared)
            reading = GateReading(value=len(each.gap.uncompared), numbers={**numbers, "names": names})
            yield measure_key("uncompared", name), reading
        if each.gap.told and (lost := _declined_make_it(each, page.tests)) is not None:
            yield measure_key("declined_make_it", name), GateReading(value=float(lost), numbers=numbers)
        if each.gap.told and each.margin is not None:
            yield measure_key("into_margin", name), GateReading(value=each.gap.lower - each.margin, numbers=numbers)
        if each.outcome is ConclusionOutcome.ALIKE:
            yield from _of_missing(each, page, numbers)
        if not series.calibrated:
            yield measure_key("no_baselines", name), GateReading(value=1, numbers=numbers)
        if (named := series.gap_of_names) is not None and named.told:
            share = named.value / max(each.gap.value, each.gap.chance, 1e-12)
            yield (
                measure_key("names_alone", name),
                GateReading(
                    value=share,
                    numbers={
                        **numbers,
                        "gap": named.value,
                        "high": series.asked.groups[named.high],
                        "low": series.asked.groups[named.low],
                    },
                ),
            )


def _of_judge(
    judge: str, name: str, page: _Page, numbers: Mapping[str, float | int | str]
) -> Iterator[tuple[str, GateReading]]:
    """Of the judge behind the measure *name*: whether it agrees, which nothing tells of one that marked once and alone,
    and whether it obeys."""
    least = page.agreement.get(judge)
    if least is None:
        yield measure_key("rated_once", name), GateReading(value=1, numbers={"judge": judge})
    else:
        value, other = least
        reading = GateReading(value=value, numbers={**numbers, "judge": judge, "value": value, "other": other})
        yield measure_key("judge_agrees", name), reading
    if judge in page.obeying:
        yield measure_key("obeys_orders", name), GateReading(value=1, numbers={"judge": judge})


def _declined_make_it(each: _Found, tests: int) -> bool | None:
    """Whether a gap that is told is gone without the answers that decline in words, whose tone is a phrase's.

    None where none declines.
    """
    series, gap = each.series, each.gap
    asked = series.asked
    declined = asked.cells((asked.frame[REFUSAL.name].to_numpy(float) > 0).astype(np.float64)) > 0
    if not declined.any():
        return None
    cells: Floats = np.where(declined, np.nan, series.cells)
    without = asked.gap(cells, tests)
    apart = cells[:, gap.high] - cells[:, gap.low]
    left = float(np.nanmean(apart)) if not np.isnan(apart).all() else 0.0
    return without is None or not without.told or left < gap.value / 2


def _of_missing(
    each: _Found, page: _Page, numbers: Mapping[str, float | int | str]
) -> Iterator[tuple[str, GateReading]]:
    """Whether it would still be alike had answers that lack set two concepts as far apart as can be."""
    asked, margin, upper = each.series.asked, each.margin, each.gap.upper
    ended = page.ended.get((asked.of.model, asked.of.role), ())
    share = lacking(ended, asked.roots.tolist(), asked.groups, ~np.isnan(each.series.cells))
    if not share or margin is None or upper is None:
        return
    tip = (margin - (1 - share) * upper) / share
    yield (
        measure_key("missing_reach", each.series.name),
        GateReading(value=tip - _widest(each.series), numbers={**numbers, "share": share, "tip": tip}),
    )


def _widest(series: FeatureSeries) -> float:
    """The widest distance that two answers can have: between both ends of the scale of tone, or of what was marked or
    counted at all."""
    if series.feature == TONE.name:
        return 2.0
    return float(np.nanmax(series.raw) - np.nanmin(series.raw))


def _judge(judged: Judgements) -> str:
    """The name of the judge with its rubric, as agreements and orders have it."""
    return tr("{judge} ({rubric})", judge=judged.judge_name, rubric=judged.rubric)


def _margins(material: Material) -> Mapping[str, float]:
    """The margins of the study that was asked first, by feature: “tone”, “classified” or a rubric's name."""
    terms = {run: each for run, each in material.tables.terms(METHOD).items() if not each.protocol.orders_only}
    first = asked_first(terms)
    return {} if first is None else first.protocol.margins


def _spoken_of(asked: Sequence[Asked], material: Material) -> str:
    first = asked_first(material.tables.terms(METHOD))
    several = any(each.domain for each in asked)
    return spoken_of("" if first is None or several else str(first.protocol.domain))


def _margin(series: FeatureSeries, margins: Mapping[str, float]) -> float | None:
    return margins.get(series.feature if series.judged is None else series.judged.rubric)


def _english(material: Material) -> Mapping[str, float]:
    texts: dict[str, list[str]] = {}
    for each in material.tables.replies(METHOD):
        if not (each.stage or each.missing or each.repeat):
            its = texts.setdefault(each.model, [])
            if len(its) < _READ:
                its.append(each.text)
    return {model: english_share(its) for model, its in texts.items()}


def _agreement(material: Material) -> Mapping[str, tuple[float, str]]:
    least: dict[str, tuple[float, str]] = {}
    for each in judges_agree(material.tables):
        if each.person or each.alpha.value is None:
            continue
        for judge in each.judges:
            others = ", ".join(other for other in each.judges if other != judge)
            least[judge] = min(least.get(judge, (1.0, others)), (each.alpha.value, others))
    return least


def _missing(evaded: Sequence[Evasions]) -> dict[str, GateReading]:
    asked, lacking = sum(each.asked_for for each in evaded), sum(each.lacking for each in evaded)
    return {"some_missing": GateReading(value=lacking / max(asked, 1), numbers={"n": lacking, "of": asked})}


def _lengths(asked: Sequence[Asked], tests: int) -> dict[str, GateReading]:
    """Whether answers about some concept are longer, by the same test."""
    for each in asked:
        gap = each.gap(each.cells(each.frame[LENGTH.name].to_numpy(float)), tests)
        if gap is not None and gap.told:
            numbers: dict[str, float | int | str] = {
                "high": each.groups[gap.high],
                "low": each.groups[gap.low],
                "more": round(float(gap.means[gap.high])),
                "fewer": round(float(gap.means[gap.low])),
            }
            return {"lengths_differ": GateReading(value=1, numbers=numbers)}
    return {}


def _standing(roots: int, material: Material) -> Standing:
    """Early until every round has ended; what was imported had no plan."""
    terms = material.tables.terms(METHOD)
    used = set(material.tables.bundles["run_id"].tolist())
    still = [each for run, each in terms.items() if run in used and not each.ended and not each.protocol.orders_only]
    return Standing(
        items=roots,
        reached=0 if still else 1,
        of=0 if material.imported else 1,
        next_at=max((len(each.protocol.roots) for each in still), default=0) or None,
        planned=not material.imported and not material.left_plan,
        left_plan=material.left_plan,
    )


def _evading(asked: Sequence[Asked], concept: str) -> tuple[int, ...]:
    """Sets in which the answer about *concept* is none."""
    bundles = [
        int(bundle)
        for each in asked
        for bundle, evades, about in zip(
            each.frame["bundle_id"], evasive(each.frame), each.frame["concept"], strict=True
        )
        if evades and str(about) == concept
    ]
    return tuple(dict.fromkeys(bundles))[:MOST_CARRIED]


def _carrying(each: _Found) -> tuple[int, ...]:
    """Sets of the roots in which a gap is widest, in its direction."""
    apart: Floats = each.gap.by_root
    there = np.flatnonzero(~np.isnan(apart))
    ranked = there[np.argsort(-apart[there], kind="stable")][:MOST_CARRIED]
    return tuple(dict.fromkeys(int(each.series.asked.bundles[at]) for at in ranked))
