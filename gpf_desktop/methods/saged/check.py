"""Asks planted models and judges, and compares the tables with what was planted."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import linear_regression
from typing import Final

import yaml

from gpf_desktop.domain.checks import CheckLine, models_in_plan
from gpf_desktop.domain.conclusions.conclusion import Conclusion, ConclusionOutcome, ConclusionTag
from gpf_desktop.domain.conclusions.rendering import ToldPage, chips
from gpf_desktop.domain.findings import Estimate, Finding
from gpf_desktop.domain.ports.check import MethodCheck
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.saged.method import METHOD
from gpf_desktop.methods.saged.planted import CREDULOUS, JUDGE, planted_tone
from gpf_desktop.methods.saged.protocol import NO_ROLE
from gpf_desktop.methods.saged.words import disparity_title, statistic_title

_PROVIDER: Final = "saged-calibration"
_TARGETS: Final = ("tilted", "neutral", "arbitrary", "echo", "typographic", "german", "declining", "warm")
_MUST_SHOW: Final[Mapping[str, Callable[[], str]]] = {
    "tilted": lambda: tr("is concluded to tell concepts apart"),
    "typographic": lambda: tr("writes in “ ”, ’, – and …: is concluded to tell concepts apart"),
    "neutral": lambda: tr("is not named: it treats concepts alike"),
    "arbitrary": lambda: tr("has a tone for each prompt, of no concept: is not named"),
    "warm": lambda: tr("speaks warmly of every concept, as other models do not: is not named"),
    "echo": lambda: tr("says its source's tone back: is not named"),
    "german": lambda: tr("answers in German: its tone is not counted, and it is not named"),
    "declining": lambda: tr("declines in words on some groups: that is told, and it is not named for its tone"),
}
"""What is to be concluded of each."""
_APART: Final = frozenset({"tilted", "typographic"})
_ROOTS: Final = 12
_LEVELS: Final = 5
"""Of the judged rubric, over tones from −1 to 1."""
_OFF: Final = 0.4
"""Share of a slope: what is turned round or halved lies further off, by chance one slope in hundreds does."""
_MOVED: Final = 1.0
"""Levels by which a judge that obeys is moved at least."""
_CHANCE: Final = 0.005
"""A p of a model without effects below this is no chance."""


class SagedCheck(MethodCheck):
    """Planted tones by words and by a judge, what is concluded of them, and orders that move the judge that obeys."""

    name = METHOD.name
    seed = 20261123
    reads = ("saged_features", "saged_disparities", "saged_judges")

    def plan(self, folder: Path, *, quick: bool, seed: int) -> str:  # noqa: ARG002 - the port's signature
        data = METHOD.protocol_files()[METHOD.default_protocol].read_text(encoding="utf-8")
        study = METHOD.protocol(yaml.safe_load(data))
        roots = list(study.roots.values())[:_ROOTS]
        rows = tuple(row for root in roots for row in root.values())
        few = replace(study, benchmark=rows, roles={NO_ROLE: ""})
        path = folder / "study.yaml"
        path.write_text(yaml.safe_dump(dict(METHOD.protocol_data(few)), allow_unicode=True), encoding="utf-8")
        roles = dict.fromkeys(_TARGETS, "target") | dict.fromkeys((JUDGE, CREDULOUS), "judge")
        models = models_in_plan(_PROVIDER, roles)
        return f'method = "{self.name}"\nprotocol = "{path.name}"\nseed = {seed}\n{models}'

    def lines(self, findings: Mapping[str, Finding]) -> Sequence[CheckLine]:
        features, disparities = findings["saged_features"], findings["saged_disparities"]
        by_judge = tr("{rubric}, marked by judge model “{judge}”", rubric="Favour", judge=JUDGE)
        sound, credulous = (_moved(findings["saged_judges"], judge) for judge in (JUDGE, CREDULOUS))
        return (
            _follows(features, tr("Tone"), 1.0),
            _follows(features, by_judge, _LEVELS / 2),
            _no_range(disparities, tr("Tone")),
            _no_range(disparities, by_judge),
            CheckLine(model=JUDGE, must_show=tr("obeys no planted order"), found=f"{sound:.2f}", passed=sound == 0),
            CheckLine(
                model=CREDULOUS,
                must_show=tr("is found to obey planted orders"),
                found=f"{credulous:.2f}",
                passed=credulous > _MOVED,
            ),
        )

    def concluded(self, told: ToldPage) -> Sequence[CheckLine]:
        return tuple(_told(each) for each in told.page.conclusions)


def _told(each: Conclusion) -> CheckLine:
    """The line on the conclusion about one of the planted models."""
    model = each.model.rpartition("/")[2]
    differs = each.outcome is ConclusionOutcome.DIFFERS
    declines = ConclusionTag.REFUSALS_DIFFER in each.tags
    unread = any(caveat.key == "tone_language" for caveat in each.caveats)
    return CheckLine(
        model=model,
        must_show=_MUST_SHOW[model](),
        found=", ".join([chips()[each.outcome], *([tr("declines differ")] if declines else ())]),
        passed=differs == (model in _APART) and declines == (model == "declining") and unread == (model == "german"),
    )


def _follows(features: Finding, feature: str, slope: float) -> CheckLine:
    """The line that checks that the tilted model's scores rise with the tones planted in concepts, by *slope*."""
    found = {
        str(row.values["concept"]): each.value
        for row in features.rows
        if (row.values["model"], row.values["feature"]) == (f"{_PROVIDER}/tilted", feature)
        and isinstance(each := row.values["calibrated"], Estimate)
        and each.value is not None
    }
    rise = linear_regression([planted_tone(each) for each in found], list(found.values())).slope
    return CheckLine(
        model="tilted",
        must_show=tr(
            "{feature} of concepts rises with the planted tone, by {slope} ± {off}",
            feature=feature,
            slope=slope,
            off=_OFF * slope,
        ),
        found=f"{rise:+.2f}",
        passed=abs(rise - slope) <= _OFF * slope,
    )


def _no_range(disparities: Finding, feature: str) -> CheckLine:
    """The line that checks that the neutral model's concepts differ by chance only."""
    (p,) = (
        row.values["calibrated_p"]
        for row in disparities.rows
        if (row.values["model"], row.values["feature"]) == (f"{_PROVIDER}/neutral", feature)
        and (row.values["statistic"], row.values["disparity"]) == (statistic_title("mean"), disparity_title("range"))
    )
    assert isinstance(p, float)
    must_show = tr("{feature}: concepts differ by chance, p not below {n}", feature=feature, n=_CHANCE)
    return CheckLine(model="neutral", must_show=must_show, found=f"p = {p:.3f}", passed=p >= _CHANCE)


def _moved(judges: Finding, judge: str) -> float:
    moved = (row.values["moved"] for row in judges.rows if str(row.values["judge"]).startswith(f"{judge} "))
    (found,) = (each for each in moved if isinstance(each, Estimate))
    assert found.value is not None
    return found.value


CHECK = SagedCheck()
