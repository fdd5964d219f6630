"""The tables of `gpf-desktop score ANSWERS.csv --method relative-bias --target MODEL -o DIR`."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Final

import numpy as np

from gpf_desktop.documents.answer_files import check_table
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ports.file_tables import FileTables
from gpf_desktop.domain.ports.scorer import HowFar
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.tables import ScoredAnswers, Table, TableOption, seed_in
from gpf_desktop.domain.text import Translated, tr, trn
from gpf_desktop.methods.relative_bias import tables
from gpf_desktop.methods.relative_bias.analyses._stored import stored_answers
from gpf_desktop.methods.relative_bias.answers import COLUMNS
from gpf_desktop.methods.relative_bias.comparing import Comparison, K, compare
from gpf_desktop.methods.relative_bias.protocol import FEWEST_BASELINES
from gpf_desktop.methods.relative_bias.sentences import summary, warnings
from gpf_desktop.methods.relative_bias.study import TFIDF, MeasuredStudy, judges_agree, study_of

SEED: Final = 1
BLOCKED_AS_TOP: Final = ".blocked-as-10.csv"


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedModels:
    """The models to compare: targets, and the baselines of each."""

    targets: tuple[str, ...]
    baselines: Mapping[str, tuple[str, ...]]
    """Of each target."""
    models: tuple[str, ...]
    """All of them, in the file's order."""
    k: float = K
    seed: int = SEED


def compared(study: MeasuredStudy, asked: ComparedModels) -> list[list[Comparison]]:
    """A list for each score, with a comparison for each target."""
    number = {name: place for place, name in enumerate(asked.models)}
    return [
        [
            compare(score, number[target], [number[b] for b in asked.baselines[target]], k=asked.k, seed=asked.seed)
            for target in asked.targets
        ]
        for score in study.scores
    ]


def what_is_asked(models: Sequence[str], given: Mapping[str, str]) -> ComparedModels:
    """The comparison that the options name among *models*. Raises `UserError`."""
    targets = _named(given.get("target", ""), models)
    if not targets:
        raise UserError(
            tr("No model under study is named: which model is held against the others?"),
            tr("Name one with --target: {models}.", models=", ".join(models)),
        )
    listed = _named(given.get("baselines", ""), models)
    both = [target for target in targets if target in listed]
    # Several targets may be each other's baselines; a single one cannot be its own.
    if both and len(targets) == 1:
        raise UserError(
            tr("{model} is named both as model under study and as model compared.", model=both[0]),
            tr("Leave it out of --baselines."),
        )
    among = [each for each in models if each in listed] or models
    baselines = {target: tuple(each for each in among if each != target) for target in targets}
    fewest = min(map(len, baselines.values()))
    if fewest < FEWEST_BASELINES:
        raise UserError(
            trn(
                "There is {n} model to compare with, and {least} are needed.",
                "There are {n} models to compare with, and {least} are needed.",
                fewest,
                least=FEWEST_BASELINES,
            ),
            tr("Their spread says what is too small to matter; give answers of more models."),
        )
    # Models that are neither are left out of the study too: tf-idf is fitted on what is compared and nothing else.
    taken = {*targets, *(each for some in baselines.values() for each in some)}
    return ComparedModels(
        targets=tuple(targets),
        baselines=baselines,
        models=tuple(each for each in models if each in taken),
        k=_positive(given.get("k", "")),
        seed=seed_in(given),
    )


def _tables(study: MeasuredStudy, asked: ComparedModels, comparisons: list[list[Comparison]]) -> dict[str, Table]:
    found = {
        "equivalence.csv": tables.equivalence(study, comparisons),
        "leave_one_out.csv": tables.leave_one_out(study, comparisons),
        "models.csv": tables.models(study, asked.targets, seed=asked.seed),
        "themes.csv": tables.by_theme(study),
        "questions.csv": tables.by_question(study),
        "embedding_and_judge.csv": tables.rank_correlations(study),
    }
    if TFIDF in study.embeddings:
        found["map.csv"] = tables.answer_map(study.answers, study.embeddings[TFIDF])
    return found


def _named(text: str, models: Sequence[str]) -> list[str]:
    """The models that *text* names: one whose name has commas, or several parted by commas."""
    if text.strip() in models:
        return [text.strip()]
    names = list(dict.fromkeys(each.strip() for each in text.split(",") if each.strip()))
    for name in names:
        if name not in models:
            near = difflib.get_close_matches(name, models, n=1)
            raise UserError(
                tr("The table has no answers of a model “{name}”.", name=name),
                tr("Did you mean {name}?", name=near[0])
                if near
                else tr("It has answers of {models}.", models=", ".join(models)),
            )
    return names


def _positive(text: str) -> float:
    if not text:
        return K
    try:
        k = float(text)
    except ValueError:
        k = 0.0
    # `float` reads "nan" and "inf" as well.
    if not (isfinite(k) and k > 0):
        raise UserError(tr("k is “{text}”, not a number above 0.", text=text[:40]), tr("The paper's is {k}.", k=K))
    return k


class RelativeBiasTables(FileTables):
    """The method's door for `gpf-desktop score`."""

    name = "relative-bias"
    writes = ("equivalence.csv", "models.csv", "themes.csv", "questions.csv", "judges.csv")
    does = Translated(
        "Reads answers of several models to the same questions, with marks of judge models where "
        "there are any. It writes a table for each result, among them equivalence.csv. Columns: "
        "model, theme, question, response. Where they are needed: judge and level (a row for each "
        "answer and judge; a response may then be empty), repeat (answers asked again, from 0) and "
        "judging (a judge's repeats, from 0). Asks no model."
    )

    @property
    def takes(self) -> tuple[TableOption, ...]:
        return (
            TableOption("target", "MODEL", tr("held against the others; several are parted by commas"), required=True),
            TableOption("baselines", "A,B,…", tr("three models or more (all but the target)")),
            TableOption(
                "k", "K", tr("too small to matter: K standard deviations of the means of the models compared (2.81)")
            ),
            TableOption("seed", "N", tr("of bootstrap ranges (1)")),
        )

    def check(self, answers: Path, given: Mapping[str, str]) -> Mapping[str, str]:
        _positive(given.get("k", ""))
        seed_in(given)
        check_table(answers, COLUMNS, filled=COLUMNS.required[:3], numbers=("repeat", "judging"))
        return {}

    def tables(self, scores: ScoreTables, given: Mapping[str, str], told: HowFar) -> ScoredAnswers:  # noqa: ARG002
        read, vectors = stored_answers(scores)
        asked = what_is_asked(read.models, given)
        study = study_of(read, asked.models, vectors=vectors)
        comparisons, agreements = compared(study, asked), judges_agree(study, seed=asked.seed)
        made = dict(_tables(study, asked, comparisons))
        made["judges.csv"] = tables.judges(agreements)
        # Only levels change where blocked answers get the highest one: without any, these would be the first again.
        if study.answers.blocked.any() and study.levels:
            with_top = study_of(read, asked.models, vectors=vectors, blocked_as_top=True)
            again = _tables(with_top, asked, compared(with_top, asked))
            made |= {name.removesuffix(".csv") + BLOCKED_AS_TOP: table for name, table in again.items()}
        return ScoredAnswers(
            tables=made,
            said=(summary(study), *warnings(study, comparisons, agreements)),
            gaps=any(np.isnan(values).any() for values, _ in study.values().values()) or not study.scores,
        )


FILE_TABLES = RelativeBiasTables()
