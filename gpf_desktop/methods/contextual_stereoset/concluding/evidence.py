"""The evidence on every model of a page: a measure for each contrast, and the readings of the gates."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import numpy as np

from gpf_desktop.arrays import Bools, Ints
from gpf_desktop.domain.conclusions.conclusion import (
    ConclusionOutcome,
    MeasureReading,
    RefusalReading,
    Refused,
    Standing,
)
from gpf_desktop.domain.conclusions.gates import MOST_CARRIED, GateReading, ModelEvidence, PageEvidence, measure_key
from gpf_desktop.domain.conclusions.voice import Material
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.score_tables import asked_first
from gpf_desktop.domain.text import tr
from gpf_desktop.methods._answer_gates import as_they_came
from gpf_desktop.methods.contextual_stereoset.analyses._stored import METHOD, StoredChoices, stored_choices
from gpf_desktop.methods.contextual_stereoset.asked_items import alike_items, asked_items
from gpf_desktop.methods.contextual_stereoset.choices import REFUSED_CODE, Choices
from gpf_desktop.methods.contextual_stereoset.concluding.gates import (
    ALPHA,
    FEWEST_ITEMS,
    GATES,
    ROUGH_ITEMS,
    few_more,
)
from gpf_desktop.methods.contextual_stereoset.concluding.sentences import and_so, bridge_words
from gpf_desktop.methods.contextual_stereoset.concluding.shifts import ItemMean, Shift, same_way, shifts
from gpf_desktop.methods.contextual_stereoset.concluding.types import OfTypes, of_types
from gpf_desktop.methods.contextual_stereoset.contrasts import contrasts_of
from gpf_desktop.methods.contextual_stereoset.grid import Contrast
from gpf_desktop.methods.contextual_stereoset.items import STEREOTYPE_LABELS, ChoiceItem
from gpf_desktop.methods.contextual_stereoset.measures import Measures
from gpf_desktop.methods.contextual_stereoset.position import AdjustedContrast, most_chosen_letter
from gpf_desktop.methods.contextual_stereoset.protocol import StereoProtocol
from gpf_desktop.methods.contextual_stereoset.words import contrast_words, option_title, sides_in_words
from gpf_desktop.stats.clusters import t_quantile
from gpf_desktop.stats.neighbours import as_many


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counted:
    """Contrasts of one model, and how many tests they are."""

    measures: Measures
    contrasts: Sequence[Contrast]
    lacking: bool
    """Some cell has no choice, so that it is asked whether these differ too."""

    @property
    def tests(self) -> int:
        return len(self.contrasts) * (2 if self.lacking else 1)


def evidence(material: Material) -> PageEvidence:
    """The evidence on every model that was asked in contexts; real models and test models as pages of their own."""
    return of_choices(stored_choices(material.tables), _sets(material), material, _alike(material))


def of_choices(
    stored: StoredChoices, sets: Mapping[tuple[str, str], int], material: Material, alike: Mapping[str, int]
) -> PageEvidence:
    """The evidence in *stored*; *material* tells what was planned and what answers are. *sets*: the newest set of
    answers by model and item. Items with the same number in *alike* count as one."""
    found: list[ModelEvidence] = []
    tests = of_shifts = 0
    for synthetic in (False, True):
        some = [_counted(each) for each in stored.models if (each.choices.model in stored.synthetic) == synthetic]
        counted = sum(each.tests for each in some)
        tests += counted
        of_shifts += sum(len(each.contrasts) for each in some)
        found += [_of_model(each, synthetic, ALPHA / max(counted, 1), sets, material, alike) for each in some]
    return PageEvidence(
        of=tuple(found), tests=tests, alpha=ALPHA, bridge=bridge_words(of_shifts, tests - of_shifts) if found else ""
    )


def _counted(its: Measures) -> _Counted:
    choices = its.choices
    lacking = bool((choices.asked & ~choices.valid & choices.in_context).any())
    return _Counted(measures=its, contrasts=contrasts_of(choices), lacking=lacking)


def _of_model(
    counted: _Counted,
    synthetic: bool,
    alpha: float,
    sets: Mapping[tuple[str, str], int],
    material: Material,
    alike: Mapping[str, int],
) -> ModelEvidence:
    its, choices = counted.measures, counted.measures.choices
    chosen = choices.chose(choices.labels[0])
    found = shifts(choices, counted.contrasts, chosen, choices.valid, alpha=alpha, alike=alike)
    adjusted = dict(zip(counted.contrasts, its.adjusted[choices.labels[0]], strict=True))
    taken = [
        {
            each.contrast: each
            for each in shifts(choices, counted.contrasts, way, choices.asked, alpha=alpha, alike=alike)
        }
        for way in (chosen | (choices.asked & ~choices.valid), chosen)
    ]
    margin = _margin(material)
    ordered = sorted(found, key=lambda each: (not each.told, -abs(each.value)))
    typed = {
        name(each.contrast): its_types
        for each in ordered
        if each.told
        and (its_types := of_types(each, choices, (chosen, choices.valid), alpha=alpha, alike=alike)) is not None
    }
    asked = choices.asked & choices.in_context
    missing = int((asked & ~choices.valid).sum())
    used = paired = max((each.items for each in found), default=0)
    if not found and len(choices.items) < FEWEST_ITEMS:
        # Of so few no contrast is taken at all: what there is of them is told.
        used = len(choices.items)
    of_items = GateReading(value=used, numbers={"n": used})
    put = max((each.items for each in taken[0].values()), default=0)
    # More items help nobody where most answers choose no option.
    unread = used < FEWEST_ITEMS and (put >= FEWEST_ITEMS or 2 * missing > asked.sum())
    readings = {
        **({} if unread else {"few_items": of_items}),
        **({"rough_items": of_items} if used >= FEWEST_ITEMS else {}),
        "some_missing": GateReading(
            value=missing / max(int(asked.sum()), 1), numbers={"n": missing, "of": int(asked.sum())}
        ),
        **dict(as_they_came(material.tables.said[material.tables.said["model"] == choices.model])),
        **dict(_by_measure(ordered, adjusted, taken, alpha)),
        **dict(_of_margin(ordered, margin)),
        **dict(_by_types(ordered, typed)),
    }
    parts = {key: tuple(sorted(each.told)) for key, each in typed.items() if each.told and not _barred(readings, key)}
    if together := [alike[item] for item in choices.items if item in alike]:
        readings["nearly_alike"] = GateReading(
            value=len(together) - len(set(together)), numbers={"n": len(together), "as": len(set(together))}
        )
    untested = len(counted.contrasts) - len(found)
    if unread:
        numbers = {"n": missing, "of": int(asked.sum()), "items": paired}
        readings["no_choice"] = GateReading(value=paired, numbers=numbers)
    readings["untested"] = GateReading(value=untested, numbers={"n": untested, "of": len(counted.contrasts)})
    letter, often = most_chosen_letter(choices)
    if often:
        readings["one_letter"] = GateReading(value=often, numbers={"letter": letter, "share": often})
    share = float(chosen[choices.valid & choices.in_context].mean()) if choices.valid.any() else 0.0
    return ModelEvidence(
        model=choices.model,
        synthetic=synthetic,
        about="" if choices.labels == STEREOTYPE_LABELS else tr("cases"),
        standing=_standing(len(choices.items), material),
        measures=(
            *(
                _measure(
                    each,
                    choices,
                    margin,
                    [way[each.contrast] for way in taken if each.contrast in way],
                    typed.get(name(each.contrast)),
                )
                for each in ordered
            ),
            *(_unmeasured(each) for each in counted.contrasts if not found and unread),
        ),
        readings=readings,
        refusals=_refusals(counted, alpha, alike),
        rows=tuple(f"stereoset_contrasts/{choices.model}/{name(each.contrast)}" for each in ordered),
        carrying={
            name(each.contrast): _carrying(each, choices, sets, parts.get(name(each.contrast), ())) for each in ordered
        },
        of_parts=tuple(
            _of_part(part, one, choices, part in parts.get(key, ()))
            for key, each in typed.items()
            for part, one in each.alone.items()
        ),
        parts=parts,
        refusing=_lacking(asked & ~choices.valid, choices, sets),
        numbers={
            "option": option_title(choices.labels[0]),
            "share": round(100 * share),
            "items": used,
            "factors": ", ".join(dict.fromkeys(each.contrast.factor for each in ordered if each.items >= FEWEST_ITEMS)),
            "margin": f"{100 * (margin or 0.0):g}",
            "types": and_so(sorted(filter(None, set(choices.groups)))),
            "of_types": len(set(choices.groups)),
            **_sides(counted.contrasts),
        },
    )


def _sides(contrasts: Sequence[Contrast]) -> Mapping[str, str]:
    """The contexts of each contrast as sentences have them, by what it is called."""
    told: dict[str, str] = {}
    for each in contrasts:
        told[f"when/{contrast_words(each)}"], told[f"than/{contrast_words(each)}"] = sides_in_words(each)
    return told


def name(contrast: Contrast) -> str:
    """Stable: stored in files."""
    return f"{contrast.factor}:{contrast.a}:{contrast.b}"


def _margin(material: Material) -> float | None:
    """The margin stated in the protocol that was asked first; None: none was stated."""
    first = asked_first(material.tables.terms(METHOD))
    return None if first is None else first.protocol.margin or None


def outcome_of(each: ItemMean, margin: float | None, taken: Sequence[ItemMean]) -> ConclusionOutcome:
    """The outcome by the mean's own test. *alike* only where something varies, and only if the mean is within *margin*
    in *taken* too, which holds it with the cells without a choice taken one way and the other."""
    if each.told:
        return ConclusionOutcome.DIFFERS
    within = margin is not None and all(max(-one.low, one.high) <= margin for one in (each, *taken))
    return ConclusionOutcome.ALIKE if within and bool(np.nanstd(each.by_item)) else ConclusionOutcome.NOT_SHOWN


def _measure(
    each: Shift, choices: Choices, margin: float | None, taken: Sequence[Shift], its_types: OfTypes | None
) -> MeasureReading:
    option = option_title(choices.labels[0])
    one_type = its_types is not None and its_types.hangs_on_one
    return MeasureReading(
        name=name(each.contrast),
        words=contrast_words(each.contrast),
        value=each.value,
        low=each.low,
        high=each.high,
        null=(0.0, 0.0),
        margin=margin,
        p=each.p,
        outcome=ConclusionOutcome.NOT_SHOWN if one_type else outcome_of(each, margin, taken),
        scale=(-1.0, 1.0),
        widened=each.times,
        ends=(tr("{option} less often", option=option), tr("{option} more often", option=option)),
    )


def _of_part(part: str, each: Shift, choices: Choices, told: bool) -> MeasureReading:
    """*each* within the items of one type."""
    whole = _measure(each, choices, None, (), None)
    return replace(
        whole,
        name=f"{part}/{whole.name}",
        words=tr("{measure}, {part}", measure=whole.words, part=part),
        outcome=ConclusionOutcome.DIFFERS if told else ConclusionOutcome.NOT_SHOWN,
    )


def _unmeasured(contrast: Contrast) -> MeasureReading:
    return MeasureReading(
        name=name(contrast), words=contrast_words(contrast), value=None, why=tr("no valid answers"), scale=(-1.0, 1.0)
    )


def _of_margin(found: Sequence[Shift], margin: float | None) -> Iterator[tuple[str, GateReading]]:
    """Whether what is told reaches into what was agreed to be too small to matter."""
    for each in found:
        if each.told and margin is not None:
            least = each.low if each.value > 0 else -each.high
            numbers = {"measure": contrast_words(each.contrast)}
            yield measure_key("into_margin", name(each.contrast)), GateReading(value=least - margin, numbers=numbers)


def _by_measure(
    found: Sequence[Shift],
    adjusted: Mapping[Contrast, AdjustedContrast],
    taken: Sequence[Mapping[Contrast, Shift]],
    alpha: float,
) -> Iterator[tuple[str, GateReading]]:
    used = max((each.items for each in found), default=0)
    for each in found:
        numbers: dict[str, float | int | str] = {"measure": contrast_words(each.contrast), "n": each.items}
        # Where no contrast has more it is said once, of all of them.
        for key, enough in (("few_of_contrast", FEWEST_ITEMS), ("rough_contrast", ROUGH_ITEMS)):
            if used >= enough and each.items >= (0 if key == "few_of_contrast" else FEWEST_ITEMS):
                yield measure_key(key, name(each.contrast)), GateReading(value=each.items, numbers=numbers)
        yield (
            measure_key("neighbours", name(each.contrast)),
            GateReading(value=each.widened, numbers={**numbers, "as": as_many(each.items, each.widened)}),
        )
        if not each.told:
            continue
        undoing = each.items * abs(each.value)
        yield (
            measure_key("few_more", name(each.contrast)),
            GateReading(value=undoing / few_more(each.items), numbers={**numbers, "few": ceil(undoing)}),
        )
        held = adjusted[each.contrast]
        if np.isnan(held.estimate):
            # The option changed its place with the contexts: whether the choice followed one or the other is not known.
            yield measure_key("place_held", name(each.contrast)), GateReading(value=0.0, numbers=numbers)
        else:
            left = held.estimate / each.value
            # Its own interval is that of one test alone; the page asks more.
            wider = t_quantile(1 - alpha / 2, each.items - 1) / t_quantile(0.975, each.items - 1)
            low = held.estimate - wider * (held.estimate - held.low)
            high = held.estimate + wider * (held.high - held.estimate)
            shown = low > 0 if each.value > 0 else high < 0
            points = {"points": f"{100 * abs(held.estimate):.0f}", "of": f"{100 * abs(each.value):.0f}"}
            for key, value in (("follows_the_letter", 1.0 if shown else left), ("place_held", float(shown))):
                yield (
                    measure_key(key, name(each.contrast)),
                    GateReading(value=value, numbers={**numbers, **points}),
                )
        others = [way[each.contrast] for way in taken if each.contrast in way]
        yield (
            measure_key("missing_could_make_it", name(each.contrast)),
            GateReading(value=float(not same_way(each, others)), numbers=numbers),
        )


def _by_types(found: Sequence[Shift], typed: Mapping[str, OfTypes]) -> Iterator[tuple[str, GateReading]]:
    """Whether one type of items makes what is told, and whether types turn unlike where none does."""
    for each in found:
        if (of := typed.get(name(each.contrast))) is None:
            continue
        numbers: dict[str, float | int | str] = {"measure": contrast_words(each.contrast), "type": of.most}
        points = {"points": _in_points(of.share * abs(each.value)), "of": _in_points(abs(each.value))}
        yield measure_key("one_type", name(each.contrast)), GateReading(value=of.share, numbers={**numbers, **points})
        if not of.hangs_on_one:
            least, most = sorted(of.means, key=lambda its: of.means[its])[:: len(of.means) - 1]
            ends = {"least": least, "low": _in_points(of.means[least])}
            ends |= {"most": most, "high": _in_points(of.means[most])}
            yield measure_key("types_unlike", name(each.contrast)), GateReading(value=of.unlike, numbers=numbers | ends)


def _in_points(share: float) -> str:
    return f"{round(100 * share)}".replace("-", "−")


def _barred(readings: Mapping[str, GateReading], measure: str) -> bool:
    """Whether some gate says of *measure* that it may not be told, of its parts neither."""
    bars = (gate for gate in GATES if gate.by_measure and (gate.outcome or ConclusionOutcome.DIFFERS in gate.bars))
    return any(not gate.holds(readings.get(measure_key(gate.key, measure))) for gate in bars)


def _standing(items: int, material: Material) -> Standing:
    """Early until every round has ended; what was imported had no plan."""
    terms = material.tables.terms(METHOD)
    used = set(material.tables.bundles["run_id"].tolist())
    still = [each for run, each in terms.items() if run in used and not each.ended]
    planned = 0 if material.imported else max((_planned_items(each.protocol) for each in still), default=0)
    return Standing(
        items=items,
        reached=0 if still else 1,
        of=0 if material.imported else 1,
        next_at=planned or None,
        planned=not material.imported and not material.left_plan,
        left_plan=material.left_plan,
    )


def _planned_items(protocol: StereoProtocol) -> int:
    """0 where the file of its items is gone: what was asked is in the audit."""
    try:
        return len(asked_items(protocol))
    except UserError:
        return 0


def _refusals(counted: _Counted, alpha: float, alike: Mapping[str, int]) -> RefusalReading:
    """Whether some context brings fewer choices; counted with the other tests of the page."""
    choices = counted.measures.choices
    asked = choices.asked & choices.in_context
    lacking = asked & ~choices.valid
    declined, of = int(lacking.sum()), int(asked.sum())
    # What chooses no option may be words without end: only some of it declines.
    outright = (int((asked & (choices.codes == REFUSED_CODE)).sum()), of)
    evaded = declined - outright[0]
    if not counted.lacking:
        outcome = ConclusionOutcome.NOT_SHOWN if of else ConclusionOutcome.TOO_FEW
        return RefusalReading(outcome=outcome, declined=declined, of=of, told=outright, evaded=evaded)
    told = [
        each
        for each in shifts(
            choices, counted.contrasts, choices.asked & ~choices.valid, choices.asked, alpha=alpha, alike=alike
        )
        if each.told and each.items >= FEWEST_ITEMS
    ]
    groups = tuple(_group(each, choices, lacking, asked) for each in sorted(told, key=lambda each: -abs(each.value)))
    outcome = ConclusionOutcome.DIFFERS if groups else ConclusionOutcome.NOT_SHOWN
    return RefusalReading(outcome=outcome, declined=declined, of=of, groups=groups, told=outright, evaded=evaded)


def _group(each: Shift, choices: Choices, lacking: Bools, asked: Bools) -> Refused:
    a, b = (choices.at(each.contrast.factor, level) for level in (each.contrast.a, each.contrast.b))
    return Refused(
        who=contrast_words(each.contrast),
        declined=int(lacking[:, a].sum()),
        of=int(asked[:, a].sum()),
        others=int(lacking[:, b].sum()),
        others_of=int(asked[:, b].sum()),
        p=each.p,
    )


def _sets(material: Material) -> Mapping[tuple[str, str], int]:
    """The bundle of the newest set of answers in contexts, by model and item."""
    from gpf_desktop.methods.contextual_stereoset.scorers.choices import CHOICE

    endings = material.tables.endings(METHOD, CHOICE)
    items = {key: ChoiceItem.of(item).id for key, item in endings.items.items()}
    frame: Any = endings.frame
    sizes: dict[tuple[str, str], dict[int, int]] = {}
    for batch, item, model, bundle in zip(
        frame["batch_id"], frame["item_id"], frame["model"].astype(str), frame["bundle_id"], strict=True
    ):
        of_one = sizes.setdefault((model, items[batch, item]), {})
        of_one[int(bundle)] = of_one.get(int(bundle), 0) + 1
    # The cell without context has a set of its own, and is alone in it.
    return {key: max(found, key=lambda bundle: (found[bundle], bundle)) for key, found in sizes.items()}


def _alike(material: Material) -> Mapping[str, int]:
    """A number by item, the same for items nearly alike in text and options; items like no other are left out."""
    from gpf_desktop.methods.contextual_stereoset.scorers.choices import CHOICE

    asked = map(ChoiceItem.of, material.tables.endings(METHOD, CHOICE).items.values())
    return alike_items(tuple({each.id: each for each in asked}.values()))


def _carrying(
    found: Shift, choices: Choices, sets: Mapping[tuple[str, str], int], types: Sequence[str]
) -> tuple[int, ...]:
    """Sets of the items whose choice moves most by a contrast, in its direction; of *types* alone, where it is told of
    these."""
    moved = found.by_item * (np.sign(found.value) or 1.0)
    there = np.flatnonzero(~np.isnan(moved) & (np.isin(choices.groups, types) if types else True))
    return _sets_of(there[np.argsort(-moved[there], kind="stable")], choices, sets)


def _lacking(lacking: Bools, choices: Choices, sets: Mapping[tuple[str, str], int]) -> tuple[int, ...]:
    """Sets of the items of which most cells have no choice."""
    by_item = lacking.sum(axis=1)
    there = np.flatnonzero(by_item)
    return _sets_of(there[np.argsort(-by_item[there], kind="stable")], choices, sets)


def _sets_of(items: Ints, choices: Choices, sets: Mapping[tuple[str, str], int]) -> tuple[int, ...]:
    keys = [(choices.model, choices.items[at]) for at in items[:MOST_CARRIED]]
    return tuple(sets[key] for key in keys if key in sets)
