"""`gpf-desktop score`: a row of scores for each bundle of answers that came from elsewhere."""

from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import Any, Final

from gpf_desktop.documents.answer_files import check_table
from gpf_desktop.documents.tables import Columns
from gpf_desktop.domain import scores as names
from gpf_desktop.domain.imports import name_in_table
from gpf_desktop.domain.ports.file_tables import FileTables
from gpf_desktop.domain.ports.scorer import HowFar
from gpf_desktop.domain.protocol import FitScope
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.tables import ScoredAnswers, Table, TableOption
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.methods.gpf_livenews.column_names import KNOWN_AS
from gpf_desktop.methods.gpf_livenews.method import METHOD
from gpf_desktop.methods.gpf_livenews.scorers.gpf import SCORER, GpfOptions

COLUMNS: Final = Columns(
    required=("model", "article", "dimension", "identity", "family", "response"),
    optional=("condition", "paraphrase", "repeat"),
    known_as=KNOWN_AS,
)
KEY_COLUMNS: Final = ("model", "article", "condition", "dimension", "family", "paraphrase")
OUTPUT_COLUMNS: Final = (*KEY_COLUMNS, "planned", names.VALID, *names.BUNDLE_SCORES)
TABLE: Final = "scores.csv"


class GpfTables(FileTables):
    """The method's door for `gpf-desktop score`."""

    name = METHOD.name
    writes = (TABLE,)

    @property
    def does(self) -> str:
        return tr(
            "Columns: model, article, dimension, identity, family, response; and, where they are needed, condition"
            " (left out: identity), paraphrase and repeat (left out: 0)."
        )

    @property
    def takes(self) -> tuple[TableOption, ...]:
        # The command line declares its own, since one has no value.
        return ()

    def check(self, answers: Path, given: Mapping[str, str]) -> Mapping[str, str]:
        self.settings(given)
        filled = tuple(name for name in COLUMNS.required if name not in ("dimension", "response"))
        check_table(answers, COLUMNS, filled=filled, numbers=("paraphrase", "repeat"))
        return {}

    def settings(self, given: Mapping[str, str]) -> Sequence[tuple[str, Any]]:
        return ((SCORER.name, _options(given)),)

    def tables(self, scores: ScoreTables, given: Mapping[str, str], told: HowFar) -> ScoredAnswers:  # noqa: ARG002
        columns = (*OUTPUT_COLUMNS, *(names.FRAMING_SCORES if given.get("framing") else ()))
        rows = list(_rows(scores.bundles, columns))
        place = columns.index(names.SEMANTIC_DISPERSION)
        answers, unscored = int(scores.cells["n"].sum()), sum(row[place] is None for row in rows)
        options = _options(given)
        return ScoredAnswers(
            tables={TABLE: Table(columns, rows)},
            said=tuple(_said(answers, len(rows), unscored, options)),
            gaps=bool(unscored) or not rows,
            counted={
                "answers": answers,
                "bundles": len(rows),
                "unscored": unscored,
                "scope": options.fit_scope.value,
                "rarefy": options.rarefy,
            },
        )


def _options(given: Mapping[str, str]) -> GpfOptions:
    return GpfOptions(fit_scope=FitScope(given.get("scope") or FitScope.MAIN), rarefy=int(given.get("rarefy") or 5))


def _rows(bundles: Any, columns: Sequence[str]) -> Iterator[list[Any]]:
    """A row for each of *bundles*: those of one model and article together, in the order of the file."""
    first = bundles.groupby(["model", "article_id"], observed=True)["bundle_id"].transform("min")
    ordered = bundles.assign(first=first).sort_values(["first", "bundle_id"])
    its = {
        **{name: ordered[name].tolist() for name in columns if name not in ("model", "article", "paraphrase")},
        "model": [name_in_table(str(model)) for model in ordered["model"]],
        "article": ordered["headline"].tolist(),
        "paraphrase": [int(wording) for wording in ordered["paraphrase"]],
    }
    for row in zip(*(its[name] for name in columns), strict=True):
        yield [None if isinstance(value, float) and isnan(value) else value for value in row]


def _said(answers: int, bundles: int, unscored: int, options: GpfOptions) -> Iterator[str]:
    yield trn("Scored {n} set of {answers} answers.", "Scored {n} sets of {answers} answers.", bundles, answers=answers)
    if unscored:
        yield trn(
            "{n} set has fewer than two valid answers and no scores.",
            "{n} sets have fewer than two valid answers and no scores.",
            unscored,
        )
    yield tr(
        "Scores: by words (tf-idf), weighed over {scope}; spread of tone of {m} answers.",
        scope=options.fit_scope.words,
        m=options.rarefy,
    )
    yield METHOD.statement.short


FILE_TABLES = GpfTables()
