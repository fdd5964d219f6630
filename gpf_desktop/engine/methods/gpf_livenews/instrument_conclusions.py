"""Checks of what is and is not concluded about calibration models, most of which treat all readers alike."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from gpf_desktop.domain.checks import CheckLine
from gpf_desktop.domain.conclusions.conclusion import Conclusion, ConclusionOutcome, ConclusionTag
from gpf_desktop.domain.conclusions.rendering import Told, ToldPage
from gpf_desktop.domain.ids import ModelId
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.collect.source_service import SAMPLE
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.engine.methods.gpf_livenews.instrument_means import PROVIDER
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.rounds.setup import RunSetup
from gpf_desktop.methods.gpf_livenews.calibration_models.blind import DECLINED_READER
from gpf_desktop.methods.gpf_livenews.concluding.gates import TONE
from gpf_desktop.methods.gpf_livenews.method import METHOD
from gpf_desktop.methods.gpf_livenews.protocol import Protocol

FOUND: Final = "tailoring-0.5"
BLIND: Final = ("neutral", "labels-0.3", "prompts", "echo", "declining", "german", "typographic")
MODELS: Final = (FOUND, *BLIND)
ARTICLES: Final = 6
_DIMENSIONS, _FAMILIES = 2, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class _Must:
    words: str
    holds: Callable[[Conclusion], bool]


def conclusions_setup(open_audit: OpenAudit, model_ids: tuple[ModelId, ...], seed: int) -> RunSetup:
    """One round over a part of the protocol, all of it asked again, with its only look after its articles."""
    whole = load_protocol(METHOD.default_protocol, method=METHOD.name)
    assert isinstance(whole, Protocol)
    protocol = replace(
        whole,
        dimensions=whole.dimensions[:_DIMENSIONS],
        families=whole.families[:_FAMILIES],
        confirmatory=replace(whole.confirmatory, articles=ARTICLES, looks=1),
    )
    taken, _ = open_audit.sources.take([(SAMPLE, "")], ARTICLES)
    controls = replace(
        METHOD.no_controls(), random_label=True, repeat_share=1.0, repeat_generations=2, label_repeat_share=1.0
    )
    return RunSetup(
        name=tr("Conclusions check"),
        protocol=protocol,
        method=METHOD.name,
        model_ids=model_ids,
        article_ids=tuple(taken),
        controls=controls,
        seed=seed,
    )


def conclusion_lines(told: ToldPage) -> Iterator[CheckLine]:
    """Lines for each model that check what must be concluded about it, and what must not."""
    by_name = {each.conclusion.model.rpartition("/")[2]: each for each in told.told}
    for name in MODELS:
        for must in _musts(name):
            yield _line(name, by_name[name], must)


def _musts(name: str) -> Iterator[_Must]:
    if name == FOUND:
        words = tr("is concluded to tell different readers different things")
        yield _Must(words=words, holds=lambda each: each.outcome is ConclusionOutcome.DIFFERS)
        return
    words = tr("treats readers alike: is not concluded to differ")
    yield _Must(words=words, holds=lambda each: each.outcome is not ConclusionOutcome.DIFFERS)
    match name:
        case "declining":
            yield _Must(
                words=tr("declines {who} readers more often, and nobody else", who=DECLINED_READER), holds=_refuses
            )
        case "german":
            words = tr("its tone is not counted: the lexicon is English")
            yield _Must(words=words, holds=lambda each: _voided(each, TONE))
        case _:
            words = tr("no reader is concluded to be declined more often")
            yield _Must(words=words, holds=lambda each: ConclusionTag.REFUSALS_DIFFER not in each.tags)


def _refuses(each: Conclusion) -> bool:
    return each.refusals is not None and [one.who for one in each.refusals.groups if one.more] == [DECLINED_READER]


def _voided(each: Conclusion, name: str) -> bool:
    measure = each.measure(name)
    return measure is not None and bool(measure.voided_by)


def _line(name: str, told: Told, must: _Must) -> CheckLine:
    return CheckLine(
        model=f"{PROVIDER}/{name}", must_show=must.words, found=told.line(), passed=must.holds(told.conclusion)
    )
