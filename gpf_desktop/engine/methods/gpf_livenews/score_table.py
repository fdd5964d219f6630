"""Scores answers that came from elsewhere: the command ``gpf-desktop score``.

A table of answers in, a table of bundles out. Rows of one (model, article) may stand anywhere in the file.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

from gpf_desktop.documents.answer_cells import answer_in
from gpf_desktop.documents.csv_cells import CsvWriter
from gpf_desktop.documents.rows_to_score import rows_to_score
from gpf_desktop.documents.tables import Columns, TableRow, same_cell
from gpf_desktop.documents.targets import guard
from gpf_desktop.domain import scores as names
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.imports import ImportedStudy
from gpf_desktop.domain.protocol import FitScope
from gpf_desktop.domain.scores import BundleAnswers, FitGroup, ScoredChunk, Unavailable
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.chosen_pool import chosen_pool
from gpf_desktop.engine.core.worker_pool import WorkerPool
from gpf_desktop.methods.gpf_livenews.cells import Condition, Factors
from gpf_desktop.methods.gpf_livenews.column_names import KNOWN_AS
from gpf_desktop.methods.gpf_livenews.method import METHOD
from gpf_desktop.storage.files import written_whole

COLUMNS: Final = Columns(
    required=("model", "article", "dimension", "identity", "family", "response"),
    optional=("condition", "paraphrase", "repeat"),
    known_as=KNOWN_AS,
)
KEY_COLUMNS: Final = ("model", "article", "condition", "dimension", "family", "paraphrase")
OUTPUT_COLUMNS: Final = (*KEY_COLUMNS, "planned", names.VALID, *names.BUNDLE_SCORES)
SCORER: Final = "gpf"
POOL_FROM: Final = 20_000
"""Answers; below, starting worker processes costs more than scoring."""
_GROUPS_AT_ONCE: Final = 8

ScoreRow = dict[str, str | int | float | None]
BundleKey = tuple[str, str, str, str, str, int]
FitKey = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Answer:
    """One checked row."""

    line: int
    bundle: BundleKey
    identity: str
    repeat: int
    text: str


@dataclass(slots=True)
class _Bundle:
    lines: dict[tuple[str, int], int] = field(default_factory=dict)
    """Where each (identity, repeat) stood."""
    answers: list[_Answer] = field(default_factory=list)
    """Answers with text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredTable:
    """The result of `score_file`, for the command's summary."""

    answers: int
    bundles: int
    unscored: int
    """Bundles with fewer than two valid answers."""
    scope: FitScope
    rarefy: int
    said: tuple[str, ...] = ()
    """What an import made of a file without the columns that are asked for."""
    left_out: bool = False
    """Whether it left out any row."""

    def as_dict(self) -> dict[str, int | str]:
        """The result as plain data for programs."""
        return {
            "answers": self.answers,
            "bundles": self.bundles,
            "unscored": self.unscored,
            "scope": self.scope.value,
            "rarefy": self.rarefy,
        }

    def sentences(self) -> list[str]:
        """The result as sentences for people."""
        said = [
            *self.said,
            trn(
                "Scored {n} set of {answers} answers.",
                "Scored {n} sets of {answers} answers.",
                self.bundles,
                answers=self.answers,
            ),
        ]
        if self.unscored:
            said.append(
                trn(
                    "{n} set has fewer than two valid answers and no scores.",
                    "{n} sets have fewer than two valid answers and no scores.",
                    self.unscored,
                )
            )
        said.append(
            tr(
                "Scores: by words (tf-idf), weighed over {scope}; spread of tone of {m} answers.",
                scope=self.scope.words,
                m=self.rarefy,
            )
        )
        said.append(METHOD.statement.short)
        return said


def score_file(source: Path, target: Path, *, scope: FitScope, rarefy: int, framing: bool = False) -> ScoredTable:
    """Score the answers in *source* (CSV or JSON lines) and write one CSV row per bundle to *target*.

    The file is read twice, so that a group is scored and forgotten as soon as its last row was read. *target* is
    written whole (beside, then renamed). With *framing* it has `domain.scores.FRAMING_SCORES` too. Raises `UserError`
    for the input, `StorageError` for the output.
    """
    guard(target, [source])
    # The first reading checks every row, so that a fault in the last one is told before anything is scored.
    read = rows_to_score(source, COLUMNS, catalogue.importer(METHOD.name), rows_of)
    expected = Counter(_fit_key(check(row).bundle, scope) for row in read.again())
    bundles = unscored = 0
    with ExitStack() as stack:
        pool = stack.enter_context(chosen_pool(beside_window=False)) if expected.total() >= POOL_FROM else None
        scored = score_rows(read.again(), scope=scope, rarefy=rarefy, expected=expected, pool=pool)
        with written_whole(target) as beside, beside.open("w", encoding="utf-8", errors="replace", newline="") as file:
            writer = CsvWriter(file)
            columns = (*OUTPUT_COLUMNS, *(names.FRAMING_SCORES if framing else ()))
            writer.row(columns)
            for row in scored:
                writer.row(row[name] for name in columns)
                bundles += 1
                unscored += row[names.SEMANTIC_DISPERSION] is None
    return ScoredTable(
        answers=expected.total(),
        bundles=bundles,
        unscored=unscored,
        scope=scope,
        rarefy=rarefy,
        said=read.said,
        left_out=read.left_out,
    )


def rows_of(study: ImportedStudy) -> Iterator[TableRow]:
    """The answers of *study* in `COLUMNS`; news goes by its headline, or by its number too where others have the same
    one."""
    titles = Counter(item.title for item in study.items)
    named = [item.title if titles[item.title] == 1 else f"{item.title} ({item.key})" for item in study.items]
    for line, each in enumerate(study.answers, start=2):
        its = Factors.of(each.answer.coordinates, each.answer.repeat)
        yield TableRow(
            line,
            {
                "model": each.model,
                "article": named[each.item],
                "condition": str(its.condition),
                "dimension": its.dimension,
                "identity": its.identity,
                "family": its.family,
                "paraphrase": str(its.paraphrase),
                "repeat": str(its.repeat),
                "response": "" if each.missing else each.text,
            },
        )


def check(row: TableRow) -> _Answer:
    """*row* with defaults filled in. Raises `UserError` for what is missing or no coordinate."""
    values = {name: text.strip() for name, text in row.values.items()}
    condition = values.get("condition") or Condition.IDENTITY.value
    if condition not in set(Condition):
        raise UserError(
            tr("Line {line}: “{condition}” is no way of asking (condition).", line=row.line, condition=condition),
            tr(
                "Use {conditions}, or leave the column out. To ask again is no condition.",
                conditions=", ".join(Condition),
            ),
        )
    for name in COLUMNS.required:
        may_be_empty = name == "response" or (name == "dimension" and condition == Condition.IDENTITY_FREE)
        if not values.get(name) and not may_be_empty:
            raise row.empty(name, tr("Only a response may be empty; it then counts as missing."))
    from_0 = tr("Number wordings and repeats from 0.")
    key = (
        values["model"],
        values["article"],
        condition,
        values["dimension"],
        values["family"],
        row.number("paraphrase", from_0),
    )
    text = answer_in(row.values.get("response", ""))
    return _Answer(row.line, key, values["identity"], row.number("repeat", from_0), text)


def _fit_key(bundle: BundleKey, scope: FitScope) -> FitKey:
    """The key of what is fitted together: everything in a run, else one model's answers to one article."""
    return () if scope is FitScope.RUN else bundle[:2]


def score_rows(
    rows: Iterable[TableRow],
    *,
    scope: FitScope,
    rarefy: int,
    expected: Counter[FitKey] | None = None,
    pool: WorkerPool | None = None,
) -> Iterator[ScoreRow]:
    """One row per bundle, `OUTPUT_COLUMNS` and more, None: unavailable; fit group by fit group, in the order of their
    first rows. *expected*: how many rows each group has; then it comes once all of them were read."""
    scorer = catalogue.scorers()[SCORER]
    options = scorer.options(fit_scope=scope, rarefy=rarefy)
    groups = _gathered(rows, scope, expected)
    waiting: list[tuple[list[_Group], Future[ScoredChunk]]] = []
    while some := list(islice(groups, _GROUPS_AT_ONCE)):
        chunk = [group.fit for group in some]
        if pool is None:
            yield from _rows(some, scorer.score(chunk, options))
            continue
        waiting.append((some, pool.submit(SCORER, chunk, options)))
        # The oldest is waited for: rows keep the groups' order, and no more texts are held than workers need.
        if len(waiting) > 2 * pool.workers:
            first, outcome = waiting.pop(0)
            yield from _rows(first, outcome.result())
    for some, outcome in waiting:
        yield from _rows(some, outcome.result())


@dataclass(frozen=True, slots=True)
class _Group:
    """A fit group with the keys of its bundles, in the same order."""

    keys: tuple[BundleKey, ...]
    fit: FitGroup


def _gathered(rows: Iterable[TableRow], scope: FitScope, expected: Counter[FitKey] | None) -> Iterator[_Group]:
    """Groups as soon as all their rows were read (where *expected* says how many), else at the end."""
    open_groups: dict[FitKey, dict[BundleKey, _Bundle]] = {}
    seen: Counter[FitKey] = Counter()
    for row in rows:
        answer = check(row)
        key = _fit_key(answer.bundle, scope)
        bundle = open_groups.setdefault(key, {}).setdefault(answer.bundle, _Bundle())
        earlier = bundle.lines.setdefault((answer.identity, answer.repeat), answer.line)
        if earlier != answer.line:
            raise same_cell(earlier, answer.line)
        # An empty answer stays among the lines, so that it is planned and missing.
        if answer.text.strip():
            bundle.answers.append(answer)
        seen[key] += 1
        # The last row of the group was read: its texts need not be held while others are read.
        if expected is not None and seen[key] == expected[key]:
            yield _group(open_groups.pop(key))
    for bundles in open_groups.values():
        yield _group(bundles)


def _group(bundles: Mapping[BundleKey, _Bundle]) -> _Group:
    texts: list[str] = []
    made: list[BundleAnswers] = []
    main: list[int] = []
    for number, (key, bundle) in enumerate(bundles.items()):
        first = len(texts)
        if key[2] == Condition.IDENTITY and key[5] == 0:
            # The answers that fit scope *main* weighs by (method, "Fit scope").
            main += [first + place for place, answer in enumerate(bundle.answers) if answer.repeat == 0]
        texts.extend(answer.text for answer in bundle.answers)
        made.append(
            BundleAnswers(
                bundle=number,
                planned=sum(repeat == 0 for _, repeat in bundle.lines),
                rows=tuple(range(first, len(texts))),
                levels=tuple(answer.identity for answer in bundle.answers),
                repeats=tuple(answer.repeat for answer in bundle.answers),
            )
        )
    return _Group(tuple(bundles), FitGroup(texts=tuple(texts), bundles=tuple(made), main=tuple(main)))


def _rows(groups: Iterable[_Group], scored: ScoredChunk) -> Iterator[ScoreRow]:
    columns = {column.name: column.values for column in scored.columns}
    place = 0
    for group in groups:
        for key, bundle in zip(group.keys, group.fit.bundles, strict=True):
            row: ScoreRow = dict(zip(KEY_COLUMNS, key, strict=True))
            valid = columns[names.VALID][place]
            row |= {"planned": bundle.planned, names.VALID: 0 if isinstance(valid, Unavailable) else int(valid)}
            for name in names.ALL_SCORES:
                value = columns[name][place]
                row[name] = None if isinstance(value, Unavailable) else value
            yield row
            place += 1
