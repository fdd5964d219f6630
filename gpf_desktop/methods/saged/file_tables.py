"""The tables of `gpf-desktop score ANSWERS.csv --method saged -o DIR`."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats
from gpf_desktop.documents.answer_files import check_table
from gpf_desktop.domain.cells import cell_seed
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.imports import name_in_table
from gpf_desktop.domain.judging import generation_name
from gpf_desktop.domain.ports.file_tables import FileTables
from gpf_desktop.domain.ports.scorer import HowFar
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.tables import CellValue, ScoredAnswers, Table, TableOption
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.methods.saged import distances, features
from gpf_desktop.methods.saged.answers import (
    BASELINE_FEATURE,
    COLUMNS,
    FEATURE,
    KEYS,
    GivenFeature,
    SagedAnswer,
    SagedAnswers,
)
from gpf_desktop.methods.saged.benchmark import BenchmarkRow
from gpf_desktop.methods.saged.chance import Matched
from gpf_desktop.methods.saged.diagnosis import Diagnosis, Disparity, Options, Series, diagnose
from gpf_desktop.methods.saged.given_options import EACH, Given, checked
from gpf_desktop.methods.saged.group_statistics import STATISTICS, WITH_BASELINE
from gpf_desktop.methods.saged.importing import MADE, SET
from gpf_desktop.methods.saged.masking import masked, names_of
from gpf_desktop.methods.saged.method import METHOD
from gpf_desktop.methods.saged.protocol import NO_ROLE
from gpf_desktop.methods.saged.scorers.distances_of_answers import LONGEST
from gpf_desktop.methods.saged.theme_words import ClusterTheme
from gpf_desktop.numerics.language_models import load
from gpf_desktop.numerics.tfidf import weights

CALIBRATED: Final = "calibrated_feature:"
STATISTICS_COLUMNS: Final = ("model", "role", "feature", "calibrated", "concept", "statistic", "value", "n")
DISPARITY_COLUMNS: Final = (
    *STATISTICS_COLUMNS[:4],
    *("statistic", "disparity", "value", "expected_by_chance", "p", "max_concept", "min_concept"),
)
BASELINE_COLUMNS: Final = ("feature", *DISPARITY_COLUMNS[4:])
TONE_TOLERANCE: Final = 0.1
TOLERANCE_SHARE: Final = 0.1
"""Of the standard deviation of a feature's numbers, where nobody says how near is near."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A feature of every answer, in the order of the answers."""

    name: str
    values: Floats
    baselines: Floats | None
    tolerance: float

    @property
    def calibrated(self) -> Floats | None:
        return None if self.baselines is None else self.values - self.baselines


def _stored(scores: ScoreTables) -> SagedAnswers:
    """The answers of an imported study, in an order that is the same however the rows of its file stood."""
    (terms,) = scores.terms(METHOD.name).values()
    again = terms.controls.repeats > 1
    made: defaultdict[str, dict[tuple[object, ...], float]] = defaultdict(dict)
    answers: list[tuple[SagedAnswer, tuple[object, ...]]] = []
    for each in scores.replies(METHOD.name):
        at, model = each.coordinates, name_in_table(each.model)
        if each.arm == MADE:
            made[model][each.item_id, at["concept"], at["role_play"], at["answer_of"]] = float(each.text)
            continue
        asked = terms.protocol.roots[each.key][at["concept"]]
        role = "" if at["role_play"] == NO_ROLE else at["role_play"]
        told = (asked.domain, asked.concept, asked.keyword, asked.source_tag, asked.root.partition(SET)[0])
        answer = SagedAnswer(
            keys=(*told, asked.prompt.partition(SET)[0], model, role),
            repeat=str(each.repeat) if again else "",
            baseline=asked.baseline,
            response="" if each.missing else each.text,
        )
        of = generation_name(each.model, each.repeat)
        answers.append((answer, (each.item_id, at["concept"], at["role_play"], of)))
    # Draws go by place: in one order, the same answers give the same p however the rows of a file stand.
    answers.sort(key=lambda each: (each[0].keys[6:], each[0].root, each[0].keys, each[0].repeat))
    given = {name: np.array([its.get(key, np.nan) for _, key in answers]) for name, its in made.items()}
    return SagedAnswers(
        [answer for answer, _ in answers],
        {
            name.removeprefix(FEATURE): GivenFeature(values, given.get(BASELINE_FEATURE + name.removeprefix(FEATURE)))
            for name, values in given.items()
            if name.startswith(FEATURE)
        },
    )


def _measure(
    read: SagedAnswers, options: Given, told: HowFar
) -> tuple[list[Measured], dict[str, tuple[ClusterTheme, ...]]]:
    """Every feature of *read*, ours where there are texts, and those made elsewhere, which go before ours.

    Beside them the themes of the clusters, where some were asked for, by the concept that they are of.
    """
    found = {name: (made.values, made.baselines) for name, made in read.made.items()}
    themes: dict[str, tuple[ClusterTheme, ...]] = {}
    responses = [answer.response for answer in read.rows]
    if any(map(str.strip, responses)):
        ours, themes = _ours(read, responses, options, told)
        found = {**ours, **found}
    measured = []
    for name, (values, baselines) in found.items():
        none = baselines is None or bool(np.isnan(baselines).all())
        kept = None if none else baselines
        measured.append(Measured(name, values, kept, options.tolerance or _tolerance(name, values, kept)))
    if options.normalise:
        measured += [_normalised(each) for each in measured]
    return measured, themes


def _ours(
    read: SagedAnswers, responses: list[str], options: Given, told: HowFar
) -> tuple[dict[str, tuple[Floats, Floats | None]], dict[str, tuple[ClusterTheme, ...]]]:
    n = len(responses)
    # Together: the distance of an answer from its baseline needs one tf-idf over both.
    plain = [*responses, *(answer.baseline for answer in read.rows)]
    texts = _with_names_masked(read, plain)
    encoded, named = features.encoded(texts), features.encoded(plain).of_text
    found: dict[str, tuple[Floats, Floats | None]] = {
        name: (values[:n], values[n:]) for name, values in encoded.of_text.items()
    }
    for kept in features.WITH_NAMES:
        found[features.unmasked_name(kept.name)] = named[kept.name][:n], named[kept.name][n:]
    # Each model reads a text once, however often it stands there.
    distinct, models = len(set(texts)), len(options.classifiers) + bool(options.encoder)

    def reading(place: int) -> HowFar:
        return lambda done, _of: told(place * distinct + done, models * distinct)

    for place, each in enumerate(options.classifiers):
        found |= {name: (values[:n], values[n:]) for name, values in each.of_texts(texts, reading(place)).items()}
    vectors = None
    if options.encoder:
        encoder = load(options.encoder, "", "", LONGEST)
        vectors = distances.encoder_rows(encoder, texts, reading(models - 1))
    if vectors is None:
        weighted = weights(encoded.counts, np.zeros(2 * n, np.int64))
        answers, baselines = weighted.of_texts(np.arange(n)), weighted.of_texts(np.arange(n, 2 * n))
        apart = distances.baseline_distances(answers, baselines, options.metric)
    else:
        rows, there = vectors
        far = distances.row_distances(rows[:n], rows[n:], options.metric)
        apart = np.where(there[:n] & there[n:], far, np.nan)
    if not np.isnan(apart).all():
        found[features.BASELINE_DISTANCE.name] = apart, None
    if not options.clusters:
        return found, {}
    themes: dict[str, tuple[ClusterTheme, ...]] = {}
    about = np.array([answer.concept for answer in read.rows])
    each_by_itself = options.cluster_of == EACH and EACH not in about
    for concept in sorted(set(about.tolist())) if each_by_itself else [options.cluster_of]:
        of = np.flatnonzero(about == concept) if concept else np.arange(n)
        made = distances.clusters(
            encoded.counts.of_texts(of),
            encoded.word,
            seed=options.seed,
            k=options.clusters,
            metric=options.cluster_metric,
            vectors=None if vectors is None else (vectors[0][of], vectors[1][of]),
        )
        themes[concept] = made.themes
        for number, column in enumerate(made.distances.T, start=1):
            name = f"{'own_' if each_by_itself else ''}cluster_distance_{number}"
            far, _ = found.setdefault(name, (np.full(n, np.nan), None))
            far[of] = column
    return found, themes


def _with_names_masked(read: SagedAnswers, texts: Sequence[str]) -> list[str]:
    prompts = dict.fromkeys((answer.keys[:6], answer.baseline) for answer in read.rows)
    names = names_of(
        BenchmarkRow(domain=domain, concept=concept, keyword=keyword, root=root, prompt=prompt, baseline=baseline)
        for (domain, concept, keyword, _, root, prompt), baseline in prompts
    )
    distinct = list(dict.fromkeys(texts))
    told = dict(zip(distinct, masked(distinct, names), strict=True))
    return [told[text] for text in texts]


def _tolerance(name: str, values: Floats, baselines: Floats | None) -> float:
    if name == features.TONE.name:
        return TONE_TOLERANCE
    pooled = values if baselines is None else np.concatenate([values, baselines])
    there = pooled[~np.isnan(pooled)]
    return TOLERANCE_SHARE * float(there.std(ddof=1)) if len(there) > 1 else 0.0


def _normalised(each: Measured) -> Measured:
    """The numbers put on 0 … 1 over answers and baselines together; z-scores first would give the same."""
    pooled = each.values if each.baselines is None else np.concatenate([each.values, each.baselines])
    low, high = np.nanmin(pooled), np.nanmax(pooled)
    # Where no number differs all become 0, and nothing is divided by 0.
    apart = float(high - low) or 1.0
    return replace(
        each,
        name=f"{each.name} (0 … 1)",
        values=(each.values - low) / apart,
        baselines=None if each.baselines is None else (each.baselines - low) / apart,
        tolerance=each.tolerance / apart,
    )


@dataclass(frozen=True, slots=True)
class _Diagnosed:
    model: str
    role: str
    feature: str
    calibrated: bool
    found: Diagnosis

    @property
    def keys(self) -> tuple[CellValue, ...]:
        return self.model, self.role, self.feature, "true" if self.calibrated else "false"


def _diagnosed(
    read: SagedAnswers, measured: Sequence[Measured], concepts: Sequence[str], options: Given
) -> Iterator[_Diagnosed]:
    asked: dict[tuple[str, str], list[int]] = {}
    for place, answer in enumerate(read.rows):
        asked.setdefault(answer.asked, []).append(place)
    for (model, role), places in asked.items():
        which = np.array(places)
        matched = _matched([read.rows[place] for place in places], concepts, options)
        # One seed for all features of a model in a role, so that they share their permutations (`Matched.permuted`).
        seed = (cell_seed(options.seed, model, role),)
        for each in measured:
            how = Options(
                selection=options.selection, tolerance=each.tolerance, replicates=options.replicates, seed=seed
            )
            baselines = None if each.baselines is None else each.baselines[which]
            series = Series(matched=matched, values=each.values[which], baselines=baselines)
            yield _Diagnosed(model, role, each.name, False, diagnose(series, how))
            if each.calibrated is not None:
                series = replace(series, values=each.calibrated[which], calibrated=True)
                yield _Diagnosed(model, role, each.name, True, diagnose(series, how))


def _of_baselines(
    read: SagedAnswers, measured: Sequence[Measured], concepts: Sequence[str], options: Given
) -> Iterator[tuple[CellValue, ...]]:
    """Disparities of the baselines themselves, each taken once however many answers are held against it."""
    first = {answer.keys[:6]: place for place, answer in reversed(list(enumerate(read.rows)))}
    places = sorted(first.values())
    matched = _matched([read.rows[place] for place in places], concepts, options)
    for each in measured:
        if each.baselines is not None:
            how = Options(
                selection=options.selection,
                tolerance=each.tolerance,
                replicates=options.replicates,
                seed=(cell_seed(options.seed),),
            )
            found = diagnose(Series(matched=matched, values=each.baselines[np.array(places)]), how)
            for one in found.disparities:
                if one.statistic not in WITH_BASELINE:
                    yield each.name, *_told(one, concepts)


def _matched(rows: Sequence[SagedAnswer], concepts: Sequence[str], options: Given) -> Matched:
    number = {concept: place for place, concept in enumerate(concepts)}
    roots = {root: place for place, root in enumerate(sorted({answer.root for answer in rows}))}
    return Matched(
        np.array([roots[answer.root] for answer in rows]),
        np.array([number[options.group(answer)] for answer in rows]),
        len(concepts),
    )


def features_table(read: SagedAnswers, measured: Sequence[Measured]) -> Table:
    """Every answer's features, its baseline's and the calibrated ones; an unavailable one is an empty cell."""
    columns: list[str] = [*KEYS, "repeat"]
    numbers: list[Sequence[CellValue]] = []
    for each in measured:
        for prefix, values in (
            (FEATURE, each.values),
            (BASELINE_FEATURE, each.baselines),
            (CALIBRATED, each.calibrated),
        ):
            if values is not None:
                columns.append(prefix + each.name)
                numbers.append([_cell(value) for value in values.tolist()])
    rows = [(*answer.keys, answer.repeat) for answer in read.rows]
    return Table(
        tuple(columns), [(*row, *cells) for row, *cells in zip(rows, *numbers, strict=True)] if numbers else rows
    )


def _statistics(diagnosed: Sequence[_Diagnosed], concepts: Sequence[str]) -> Iterator[tuple[CellValue, ...]]:
    for each in diagnosed:
        for place, concept in enumerate(concepts):
            for name in STATISTICS:
                n = each.found.n_paired if name in WITH_BASELINE else each.found.n
                value = _cell(float(each.found.statistics[name][place]))
                yield (*each.keys, concept, name, value, int(n[place]))


def _disparities(diagnosed: Sequence[_Diagnosed], concepts: Sequence[str]) -> Iterator[tuple[CellValue, ...]]:
    for each in diagnosed:
        for found in each.found.disparities:
            yield (*each.keys, *_told(found, concepts))


def _told(found: Disparity, concepts: Sequence[str]) -> tuple[CellValue, ...]:
    ends = (
        None if group is None or found.value is None else concepts[group]
        for group in (found.max_group, found.min_group)
    )
    return found.statistic, found.name, found.value, found.expected, found.p, *ends


def _said(
    read: SagedAnswers,
    measured: Sequence[Measured],
    concepts: Sequence[str],
    diagnosed: Sequence[_Diagnosed],
    options: Given,
) -> Iterator[str]:
    roots = len({answer.root for answer in read.rows})
    yield trn(
        "{n} answer about {concepts} concepts from {roots} sentences.",
        "{n} answers about {concepts} concepts from {roots} sentences.",
        len(read.rows),
        concepts=len(concepts),
        roots=roots,
    )
    if any(answer.response.strip() for answer in read.rows):
        yield tr("Names of concepts are taken out before any feature; features “…_unmasked” have them left in.")
    near = "; ".join(f"{each.name} {each.tolerance:.3g}" for each in measured if each.tolerance)
    if near:
        yield tr("An answer is near its source within: {near}.", near=near)
    for each in measured:
        missing = int(np.isnan(each.values).sum())
        if missing:
            yield trn(
                "{feature}: {n} answer is unavailable.",
                "{feature}: {n} answers are unavailable.",
                missing,
                feature=each.name,
            )
    without = sum(not answer.baseline.strip() for answer in read.rows)
    if without:
        yield trn(
            "{n} answer has no source (baseline), so nothing can be taken off.",
            "{n} answers have no source (baseline), so nothing can be taken off.",
            without,
        )
    if not options.replicates or not any(found.p is not None for each in diagnosed for found in each.found.disparities):
        yield tr("What chance would show is not known: no sentence was asked of two groups.")
    else:
        yield tr("By chance: concepts dealt anew within each sentence's prompts, {n} times.", n=options.replicates)


def _said_of(themes: Mapping[str, Sequence[ClusterTheme]]) -> Iterator[str]:
    for concept, its in themes.items():
        for number, theme in enumerate(its, start=1):
            yield tr(
                "Cluster {k}, {n} answers: {words}.",
                k=f"{concept} {number}".strip(),
                n=theme.answers,
                words=", ".join(theme.words) or tr("no words of its own"),
            )


def _cell(value: float) -> float | None:
    return None if np.isnan(value) else value


class SagedTables(FileTables):
    """Scores tables of answers by the features of SAGED."""

    name = "saged"
    writes = ("features.csv", "statistics.csv", "disparity.csv", "baselines.csv")

    @property
    def does(self) -> str:
        return tr(
            "Reads a table of answers (columns: {columns}; and, where numbers were made elsewhere, "
            "feature:NAME with baseline_feature:NAME). It writes features.csv, statistics.csv and "
            "disparity.csv into a folder, and baselines.csv, what the same tools make of the source "
            "sentences. Asks no model.",
            columns=", ".join(COLUMNS.required),
        )

    @property
    def takes(self) -> tuple[TableOption, ...]:
        return (
            TableOption("seed", "N", tr("of permutations and clusters (1)")),
            TableOption(
                "replicates", "N", tr("how often concepts are dealt anew within each sentence's prompts (499)")
            ),
            TableOption("tolerance", "T", tr("how near to its source an answer is to be (by feature)")),
            TableOption(
                "standard", "WHAT", tr("of the selection rate: mean, median, mode, quantile=Q, fixed=X (mean)")
            ),
            TableOption("select", "HOW", tr("larger, smaller, within=X or percentage=P of the standard (larger)")),
            TableOption("clusters", "K", tr("distances to the middles of K clusters of answers (0: none)")),
            TableOption(
                "cluster-of", f"CONCEPT|{EACH}", tr("whose answers are clustered; each: every concept's apart (all)")
            ),
            TableOption(
                "metric", "cosine|L1|L2", tr("of the encoder's distances (cosine to baselines, L2 to clusters)")
            ),
            TableOption(
                "by",
                "concept|source_tag|keyword|concept,source_tag|domain",
                tr("what is compared; groups stand in the column “concept” (concept)"),
            ),
            TableOption(
                "encoder",
                "NAME",
                tr("a folder, package or hub name of a sentence encoder, for all distances (none: tf-idf)"),
            ),
            TableOption("classifiers", "NAMES", tr("presets such as sentiment,regard, or a YAML file (none)")),
            TableOption("normalise", "yes|no", tr("every feature once more, brought to 0 … 1 (no)")),
        )

    def check(self, answers: Path, given: Mapping[str, str]) -> Mapping[str, str]:
        checked(given)
        check_table(answers, COLUMNS, filled=("concept", "root", "model"))
        return {}

    def tables(self, scores: ScoreTables, given: Mapping[str, str], told: HowFar) -> ScoredAnswers:
        options, read = checked(given), _stored(scores)
        concepts = sorted({options.group(answer) for answer in read.rows})
        if len(concepts) < 2:
            raise UserError(
                tr("There is one {group} only, “{name}”.", group=options.by.replace("_", " "), name=concepts[0]),
                tr("A gap is a difference between groups: give answers of two or more."),
            )
        measured, themes = _measure(read, options, told)
        diagnosed = list(_diagnosed(read, measured, concepts, options))
        return ScoredAnswers(
            tables={
                "features.csv": features_table(read, measured),
                "statistics.csv": Table(STATISTICS_COLUMNS, list(_statistics(diagnosed, concepts))),
                "disparity.csv": Table(DISPARITY_COLUMNS, list(_disparities(diagnosed, concepts))),
                "baselines.csv": Table(BASELINE_COLUMNS, list(_of_baselines(read, measured, concepts, options))),
            },
            said=(*_said(read, measured, concepts, diagnosed, options), *_said_of(themes)),
            gaps=any(bool(np.isnan(each.values).any()) for each in measured),
        )


FILE_TABLES = SagedTables()
