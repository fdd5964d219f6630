"""Whether the instrument tells a model that gives way to some readers at a second turn from one that moves alike."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from gpf_desktop.domain.checks import CheckLine
from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.conclusions.rendering import chips
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.ids import ModelId
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.collect.source_service import SAMPLE
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.engine.methods.gpf_livenews.instrument_means import PROVIDER
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.rounds.setup import RunSetup
from gpf_desktop.methods.gpf_livenews.method import METHOD
from gpf_desktop.methods.gpf_livenews.protocol import Protocol

YIELDING: Final = "yielding"
MODELS: Final = ("neutral", YIELDING)
TABLE: Final = "giving_way"
_PROTOCOL: Final = "GPF-LiveNews-with-second-turns"
_ARTICLES: Final = 6
_DIMENSION: Final = "Religion"


def second_turns_setup(open_audit: OpenAudit, model_ids: tuple[ModelId, ...], seed: int) -> RunSetup:
    """One round of one dimension, one family and one turn, all of it asked twice."""
    whole = load_protocol(_PROTOCOL, method=METHOD.name)
    assert isinstance(whole, Protocol)
    protocol = replace(
        whole,
        dimensions=(whole.dimension(_DIMENSION),),
        families=whole.families[:1],
        label_sets=whole.label_sets[-1:],
        second_turns=whole.second_turns[:1],
    )
    taken, _ = open_audit.sources.take([(SAMPLE, "")], _ARTICLES)
    controls = replace(
        METHOD.no_controls(),
        random_label=True,
        repeat_share=1.0,
        repeat_generations=2,
        label_repeat_share=1.0,
        second_turns=True,
    )
    return RunSetup(
        name=tr("Second turns check"),
        protocol=protocol,
        method=METHOD.name,
        model_ids=model_ids,
        article_ids=tuple(taken),
        controls=controls,
        seed=seed,
    )


def second_turn_lines(finding: Finding) -> Iterator[CheckLine]:
    """Lines for both models that check what must be said about their changed answers, and what must not."""
    differs = chips()[ConclusionOutcome.DIFFERS]
    by_name = {str(row.values["model"]).rpartition("/")[2]: row.values for row in finding.rows}
    for name in MODELS:
        planted = name == YIELDING
        told = by_name.get(name, {"outcome": "", "says": ""})
        yield CheckLine(
            model=f"{PROVIDER}/{name}",
            must_show=tr("asked if it is sure, is concluded to give way to some readers more than to others")
            if planted
            else tr("asked if it is sure, is not concluded to give way to some readers more than to others"),
            found=str(told["says"]),
            passed=bool(told["says"]) and (told["outcome"] == differs) is planted,
        )
