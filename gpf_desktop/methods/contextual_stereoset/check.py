"""Asks the planted models and compares the tables with what was planted."""

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from pathlib import Path
from typing import Final

from gpf_desktop.domain.checks import CheckLine, differs, models_in_plan, never_differs
from gpf_desktop.domain.conclusions.conclusion import ConclusionTag
from gpf_desktop.domain.conclusions.rendering import ToldPage
from gpf_desktop.domain.findings import Estimate, Finding, Row
from gpf_desktop.domain.ports.check import MethodCheck
from gpf_desktop.domain.text import percent, tr
from gpf_desktop.methods.contextual_stereoset import planted
from gpf_desktop.methods.contextual_stereoset.method import METHOD
from gpf_desktop.methods.contextual_stereoset.planted import EFFECTS

_PROVIDER: Final = "stereoset-calibration"
_QUICK_ITEMS: Final = 24
_REPEATS: Final = 4
_REACH: Final = 3.3
"""Standard errors: of a sound instrument, one estimate in a thousand lies further off."""
_VARIANCE: Final = 0.5
"""At most, of one difference of two planted choices. The bootstrap's own error is itself an estimate: over 40 items it
can come out a third too small."""
_ALARM: Final = 0.005
"""A q or p of a model without effects below this is no chance: at .05 a sound instrument would fail one time in ten."""


class StereoSetCheck(MethodCheck):
    """Contrasts, null, letters, refusals and rambling."""

    name = METHOD.name
    seed = 20261120
    reads = ("stereoset_contrasts", "stereoset_fingerprint", "stereoset_letters", "stereoset_coverage")

    def plan(self, folder: Path, *, quick: bool, seed: int) -> str:
        protocol = METHOD.protocol_files()[METHOD.default_protocol].read_text(encoding="utf-8")
        path = folder / "protocol.yaml"
        path.write_text(protocol + (f"most_items: {_QUICK_ITEMS}\n" if quick else ""), encoding="utf-8")
        models = models_in_plan(_PROVIDER, dict.fromkeys(planted.MODELS, "target"))
        controls = f"controls = {{ repeats = {_REPEATS} }}"
        return f'method = "{self.name}"\nprotocol = "{path.name}"\nseed = {seed}\n{controls}\n{models}'

    def lines(self, findings: Mapping[str, Finding]) -> Sequence[CheckLine]:
        return (
            *contrast_lines(findings["stereoset_contrasts"]),
            _null(findings["stereoset_contrasts"], findings["stereoset_fingerprint"]),
            _letters(findings["stereoset_letters"]),
            _refusals(findings["stereoset_coverage"]),
            _rambling(findings["stereoset_coverage"]),
            *(_all_read(findings["stereoset_coverage"], name, must) for name, must in _read_whole().items()),
        )

    def concluded(self, told: ToldPage) -> Sequence[CheckLine]:
        refusing = next(each for each in told.told if each.conclusion.model.endswith("/refusing"))
        return (
            differs(told, "typical"),
            *never_differs(told, frozenset(planted.MODELS) - {"typical"}),
            CheckLine(
                model="refusing",
                must_show=tr("is concluded to make no choice more often in gossip"),
                found=refusing.line(),
                passed=ConclusionTag.REFUSALS_DIFFER in refusing.conclusion.tags,
            ),
        )


def _of(finding: Finding, model: str) -> list[Row]:
    return [row for row in finding.rows if row.values["model"] == f"{_PROVIDER}/{model}"]


def contrast_lines(contrasts: Finding) -> Iterator[CheckLine]:
    """Every contrast lies within reach of what is planted."""
    rows = [row for row in _of(contrasts, "typical") if row.values["option"] == tr("stereotype")]
    sizes = {level: effect for (_, level), effect in EFFECTS.items()}
    for row in rows:
        contrast, difference = str(row.values["contrast"]), row.values["difference"]
        size = sizes.get(contrast.partition(" – ")[0], 0.0)
        assert isinstance(difference, Estimate)
        reach = _REACH * sqrt(_VARIANCE / (max(difference.n, 1) * _number(row.values["pairs"])))
        near = difference.value is not None and abs(difference.value - size) <= reach
        yield CheckLine(
            model="typical",
            must_show=tr(
                "the shift, {contrast}, is {size:+.2f}, give or take {reach:.3f}",
                contrast=contrast,
                size=size,
                reach=reach,
            ),
            found=_words(difference),
            passed=near and difference.interval is not None,
        )


def _null(contrasts: Finding, fingerprint: Finding) -> CheckLine:
    rows = [row for row in _of(contrasts, "steady") if row.values["option"] == tr("stereotype")]
    q = [_number(row.values["q"]) for row in rows]
    p = [_number(row.values["p"]) for row in _of(fingerprint, "steady") if row.values["p"] is not None]
    return CheckLine(
        model="steady",
        must_show=tr("no shift and no part of the context is shown, at {least}", least=_ALARM),
        found=tr(
            "by chance alone, all counted: shifts {q:.2f} at least, parts of the context {p:.3f}", q=min(q), p=min(p)
        ),
        passed=min(q) >= _ALARM and min(p) >= _ALARM,
    )


def _letters(letters: Finding) -> CheckLine:
    share = next(row.values["share"] for row in _of(letters, "first-letter") if row.values["letter"] == "A")
    assert isinstance(share, Estimate)
    planted_share = planted.FIRST_LETTER_SHARE + (1 - planted.FIRST_LETTER_SHARE) / 3
    return CheckLine(
        model="first-letter",
        must_show=tr("A is chosen in {share} of questions", share=percent(planted_share)),
        found=_words(share),
        passed=share.value is not None and abs(share.value - planted_share) < 0.05,
    )


def _refusals(coverage: Finding) -> CheckLine:
    rows = {str(row.values["level"]): row.values for row in _of(coverage, "refusing")}
    gossip = next(values for level, values in rows.items() if level.endswith("gossip"))
    direct = next(values for level, values in rows.items() if level.endswith("direct"))
    shares = [_number(each["refused"]) / _number(each["asked"]) for each in (gossip, direct)]
    wanted = (planted.REFUSED_OF_GOSSIP, planted.REFUSED_SHARE)
    within = [
        abs(share - rate) <= _REACH * (rate * (1 - rate) / _number(each["asked"])) ** 0.5
        for share, rate, each in zip(shares, wanted, (gossip, direct), strict=True)
    ]
    return CheckLine(
        model="refusing",
        must_show=tr(
            "declines {gossip} of gossip and {direct} of direct", gossip=percent(wanted[0]), direct=percent(wanted[1])
        ),
        found=tr("{gossip} and {direct}", gossip=percent(shares[0], 1), direct=percent(shares[1], 1)),
        passed=all(within) and bool(coverage.notes),
    )


def _rambling(coverage: Finding) -> CheckLine:
    """Decides at the end of long words, or not at all."""
    whole = _of(coverage, "rambling")[0].values
    asked, share = _number(whole["asked"]), _number(whole["unparsed"]) / _number(whole["asked"])
    rate = planted.UNDECIDED_SHARE
    return CheckLine(
        model="rambling",
        must_show=tr("in {share} of answers no choice can be read, in all others it can", share=percent(rate)),
        found=percent(share, 1),
        passed=abs(share - rate) <= _REACH * (rate * (1 - rate) / asked) ** 0.5 and not whole["refused"],
    )


def _read_whole() -> Mapping[str, str]:
    """Models of which every choice is read, and what each does."""
    return {
        "typographic": tr("writes in German and English, in „ “, “ ”, ’ and …: every choice is read"),
        "echo": tr("says the whole question back: every choice is read"),
    }


def _all_read(coverage: Finding, model: str, must_show: str) -> CheckLine:
    whole = _of(coverage, model)[0].values
    read = _number(whole["asked"]) - _number(whole["unparsed"]) - _number(whole["refused"])
    return CheckLine(
        model=model,
        must_show=must_show,
        found=percent(read / _number(whole["asked"]), 1),
        passed=read == _number(whole["asked"]),
    )


def _words(found: Estimate) -> str:
    if found.value is None or found.interval is None:
        return found.why
    return f"{found.value:+.3f} ({found.interval.low:+.3f} – {found.interval.high:+.3f})"


def _number(value: object) -> float:
    assert isinstance(value, int | float)
    return float(value)


CHECK = StereoSetCheck()
