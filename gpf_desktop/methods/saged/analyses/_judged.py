"""Levels that judges gave answers and baselines, as features beside the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gpf_desktop.domain.judging import JudgeReply
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import capital, tr
from gpf_desktop.methods.saged.judging import ANSWER_OF, JUDGED, JUDGED_BASELINE, RUBRIC, Rubric
from gpf_desktop.methods.saged.scorers.features_of_answers import calibrated_name

if TYPE_CHECKING:
    import pandas as pd

METHOD = "saged"
_Baseline = tuple[int, int, str]
"""Run, item, concept."""
_Answer = tuple[int, int, str, str, str]
"""Run, item, concept, role, model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgements:
    """One rubric by one judge."""

    name: str
    """As tables call the feature."""
    rubric: str
    judge: str
    """``provider/model``."""
    top: int = 0
    """The highest of its marks, which begin at 1."""
    answers: dict[_Answer, float] = field(default_factory=dict)
    """Of first generations."""
    baselines: dict[_Baseline, float] = field(default_factory=dict)

    @property
    def judge_name(self) -> str:
        return self.judge.rpartition("/")[2]


def levels_given(scores: ScoreTables, *arms: str) -> Iterator[tuple[Any, Rubric, int]]:
    """(reply, rubric, level) of the judgements in *arms*; a reply that cannot be read is left out."""
    rubrics = {(run, each.name): each for run, terms in scores.terms(METHOD).items() for each in terms.protocol.rubrics}
    for reply in scores.replies(METHOD) if rubrics else ():
        rubric = rubrics.get((reply.run_id, reply.coordinates.get(RUBRIC)))
        if rubric is not None and reply.arm in arms and not reply.missing:
            read = rubric.form.read(reply.text)
            if isinstance(read, JudgeReply):
                yield reply, rubric, read.level


def judgements(scores: ScoreTables) -> tuple[Judgements, ...]:
    """The first judgements in an audit's runs, by rubric and judge."""
    found: dict[tuple[str, str], Judgements] = {}
    for reply, rubric, level in levels_given(scores, JUDGED, JUDGED_BASELINE):
        if reply.repeat:
            continue
        its = found.setdefault((rubric.name, reply.model), _named(rubric, reply.model))
        at = (reply.run_id, reply.item_id, reply.coordinates["concept"])
        if reply.arm == JUDGED_BASELINE:
            its.baselines[at] = float(level)
        else:
            role, model = reply.coordinates.get("role_play"), reply.coordinates[ANSWER_OF]
            # A further generation is called "model #2" here, which no row of a first one asks for.
            its.answers[(*at, role, model)] = float(level)
    return tuple(found[key] for key in sorted(found))


def _named(rubric: Rubric, judge: str) -> Judgements:
    words = tr("{rubric}, marked by judge model “{judge}”")
    return Judgements(
        name=words.format(rubric=capital(rubric.name), judge=judge.rpartition("/")[2]),
        rubric=rubric.name,
        judge=judge,
        top=len(rubric.levels),
    )


def with_levels(frame: pd.DataFrame, found: Sequence[Judgements]) -> pd.DataFrame:
    """*frame*, rows of first generations, with the levels of each of *found*, raw and calibrated; NaN: none."""
    baselines = list(
        zip(frame["run_id"].tolist(), frame["article_id"].tolist(), frame["concept"].astype(str), strict=True)
    )
    answers = [
        (*at, role, model)
        for at, role, model in zip(baselines, frame["role_play"].astype(str), frame["model"].astype(str), strict=True)
    ]
    columns: Mapping[str, list[float]] = {
        name: values for each in found for name, values in _columns(each, answers, baselines)
    }
    return frame.assign(**columns)


def _columns(
    its: Judgements, answers: Sequence[_Answer], baselines: Sequence[_Baseline]
) -> list[tuple[str, list[float]]]:
    none = float("nan")
    raw = [its.answers.get(at, none) for at in answers]
    source = [its.baselines.get(at, none) for at in baselines]
    apart = [level - its_own for level, its_own in zip(raw, source, strict=True)]
    return [(its.name, raw), (calibrated_name(its.name), apart)]
