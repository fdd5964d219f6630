"""The study that an audit's stored answers and judgements make, made once for all tables of a window."""

import math
import operator
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any, Final

from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.embeddings import EMBEDDED
from gpf_desktop.domain.findings import BundleFilter, Estimate, Interval, Row, Value
from gpf_desktop.domain.imports import name_in_table
from gpf_desktop.domain.judging import INJECTED, JudgeReply, generation_name
from gpf_desktop.domain.models import short_names
from gpf_desktop.domain.reasoning import split_thinking
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.score_tables import RunTerms, ScoreTables, asked_first
from gpf_desktop.domain.text import in_quotes, tr
from gpf_desktop.methods.relative_bias.answers import AnswerToPlace, Key, StudyAnswers, in_arrays
from gpf_desktop.methods.relative_bias.comparing import LEVEL, Comparison, K, compare, theme_interval
from gpf_desktop.methods.relative_bias.protocol import FEWEST_BASELINES, items_of, studied
from gpf_desktop.methods.relative_bias.rubric import Rubric, ten_levels
from gpf_desktop.methods.relative_bias.study import (
    MeasuredStudy,
    Vectors,
    blocked_as,
    judges_agree,
    persons_agree,
    study_of,
    with_blocked,
)
from gpf_desktop.stats.judge_agreement import JudgeAgreement, judges_in_words
from gpf_desktop.stats.obedience import Obedience, obedience, orders_in_words


class Rubrics:
    """The rubrics by which judges' replies are read. Levels of unlike rubrics are no one scale: a judge that rated by
    several has a name for each."""

    def __init__(self, of_run: Mapping[int, Rubric], names: Mapping[str, str]) -> None:
        self._of_run, self._names = of_run, names
        self._titles: dict[tuple[str, ...], str] = {}
        for rubric in of_run.values():
            if rubric.levels not in self._titles:
                like = [title for title in self._titles.values() if title.partition(" (")[0] == rubric.title]
                self._titles[rubric.levels] = f"{rubric.title} ({len(like) + 1})" if like else rubric.title
        self.tops: dict[str, int] = {}
        """By the name of a judge that was asked for."""

    def judge(self, reply: Any) -> str:
        """The name in tables of the judge that gave *reply*."""
        rubric, name = self.of(reply), self._names[reply.model]
        if len(self._titles) > 1:
            name = f"{name} · {self._titles.get(rubric.levels, rubric.title)}"
        self.tops[name] = rubric.top
        return name

    def of(self, reply: Any) -> Rubric:
        return self._of_run.get(reply.run_id) or ten_levels()

    def level(self, reply: Any) -> int:
        """0: none can be read."""
        read = self.of(reply).form.read(reply.text)
        return read.level if isinstance(read, JudgeReply) else 0


def obediences(replies: Sequence[Any], rubrics: Rubrics) -> Iterator[Obedience]:
    """The obedience of each judge, by the answers for which it gave a level to both orders."""
    # By what was rated and not by round: an answer that is put to the test again counts once, as it was rated last.
    given: dict[str, dict[tuple[str, str], dict[str, dict[str, int]]]] = {}
    for each in replies:
        if each.arm == INJECTED and not each.missing and (level := rubrics.level(each)):
            answers = given.setdefault(rubrics.judge(each), {}).setdefault((each.stratum, each.title), {})
            answers.setdefault(each.coordinates["answer_of"], {})[each.coordinates["ordered"]] = level
    for judge, questions in given.items():
        top = rubrics.tops[judge]
        both = [
            (question, said["1"], said[str(top)])
            for question, answers in enumerate(questions.values())
            for said in answers.values()
            if {"1", str(top)} <= said.keys()
        ]
        if both:
            yield obedience(judge, both, top=top)


METHOD: Final = "relative-bias"
SEED: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StoredStudy:
    """A study with whom its round set out to compare; itself and no other, so that rows made of it can be kept."""

    study: MeasuredStudy
    targets: tuple[str, ...]
    """The round's target, or every model in turn."""
    k: float
    synthetic: frozenset[str]
    """Calibration models."""
    comparisons: tuple[tuple[Comparison, ...], ...]
    """By score, a comparison for each target; empty with fewer than three baselines."""
    agreements: tuple[JudgeAgreement, ...]
    """Of the judges, with themselves, with each other and with persons."""
    cells: Mapping[int, Key]
    """By cell, the answer that it holds."""
    written: tuple[tuple[str, str], ...]
    """Writer models of the questions, each with the last day on which it wrote."""
    tops: Mapping[str, int]
    """By judge, the highest level of the rubric that it went by."""
    obediences: tuple[Obedience, ...]
    """Of judges that rated answers with orders."""
    labels: Mapping[str, str]
    """By short name of a model, the one that it is stored under."""
    bundles: Mapping[tuple[str, str], int]
    """By theme and wording of a question, the newest set of answers to it."""
    questions_open: int
    """Planned, while a round is asked; 0: every round has ended."""
    margin_levels: float
    """Stated beforehand to be too small to matter; 0: none was."""

    def top_of(self, score: str) -> int:
        """The highest level that *score*, by a judge, can have."""
        return next(top for judge, top in self.tops.items() if score in (judge, blocked_as(judge, top)))

    def with_every_target(self) -> "StoredStudy":
        """This study with each model in turn as the target, whatever the round set out to compare."""
        models = self.study.answers.models
        return replace(self, targets=models, comparisons=_compared(self.study, models, self.k))

    def rated(self, ratings: Mapping[int, Mapping[str, int]]) -> "StoredStudy":
        """This study with persons' *ratings*, by cell and reviewer, in place of those that it has."""
        persons: dict[str, dict[Key, int]] = {}
        for cell, said in ratings.items():
            if cell in self.cells:
                for reviewer, level in said.items():
                    persons.setdefault(reviewer, {})[self.cells[cell]] = level
        others = tuple(each for each in self.agreements if not each.person)
        return replace(self, agreements=(*others, *persons_agree(self.study, persons, seed=SEED)))

    @property
    def accent(self) -> tuple[str, str] | None:
        """Rows of the model under study, for figures with a line for each model; None where each is in turn."""
        alone = len(self.targets) == 1 and len(self.study.answers.models) > 1
        return ("model", self.targets[0]) if alone else None

    def row(self, model: str, values: dict[str, Value], *, theme: str | None = None) -> Row:
        """Numbers of *model*; behind them stand whole questions, since all models answer in one bundle."""
        bundles = BundleFilter(levels=() if theme is None else (("theme", theme),))
        return Row(values=values, bundles=bundles, synthetic=model in self.synthetic)


_KEPT: "deque[tuple[Sequence[Any], Mapping[int, Mapping[str, int]], StoredStudy | None]]" = deque(maxlen=4)
"""Replies and ratings with what was made of them, the newest first."""
_LOCK: Final = Lock()


def stored_study(scores: ScoreTables) -> StoredStudy | None:
    """The study in *scores*; None where nothing was answered."""
    replies, ratings = scores.replies(METHOD), scores.ratings(METHOD)
    # Held while the study is made: threads may share the tables, and each would make the same study for itself.
    with _LOCK:
        for at, (of, rated, made) in enumerate(_KEPT):
            # Replies that were read again may say something else: only the very same ones make the same study.
            if len(of) == len(replies) and all(map(operator.is_, of, replies)):
                if made is None or rated == ratings:
                    return made
                del _KEPT[at]
                break
        else:
            made = _made(scores)
        found = None if made is None else made.rated(ratings)
        _KEPT.appendleft((replies, ratings, found))
        return found


def stored_answers(scores: ScoreTables) -> tuple[StudyAnswers, Vectors]:
    """The answers of an imported study by the names that its file has, and vectors of them by encoder."""
    replies, terms = scores.replies(METHOD), scores.terms(METHOD)
    names = {each.model: name_in_table(each.model) for each in replies}
    answers = _answers(replies, names, Rubrics({run: each.protocol.rubric for run, each in terms.items()}, names))
    return in_arrays(answers), _vectors(scores.vectors(METHOD), answers, names)


def _made(scores: ScoreTables) -> StoredStudy | None:
    replies, terms = scores.replies(METHOD), scores.terms(METHOD)
    names = short_names(each.model for each in replies)
    answering = dict.fromkeys(names[each.model] for each in replies if each.stage == 0)
    by_judge = Rubrics({run: each.protocol.rubric for run, each in terms.items()}, names)
    answers = _answers(replies, names, by_judge)
    if not answers:
        return None
    there = {model for _, _, model, _ in answers}
    vectors = _vectors(scores.vectors(METHOD), answers, names)
    first = asked_first(terms)
    gathered = study_of(in_arrays(answers), [model for model in answering if model in there], vectors=vectors)
    study = with_blocked(gathered, by_judge.tops)
    models = study.answers.models
    wanted = (names.get(target, "") for each in terms.values() for target in studied(each.controls, each.roles))
    named = tuple(dict.fromkeys(target for target in wanted if target in models))
    targets, k = named or models, K if first is None else first.protocol.margin_k
    return StoredStudy(
        study=study,
        targets=targets,
        k=k,
        synthetic=frozenset(names[each.model] for each in replies if each.synthetic),
        comparisons=_compared(study, targets, k),
        agreements=tuple(judges_agree(study, seed=SEED)),
        cells={answer.line: key for key, answer in answers.items()},
        written=_written(terms),
        tops=by_judge.tops,
        obediences=tuple(obediences(replies, by_judge)),
        labels={short: model for model, short in names.items()},
        bundles={
            (each.stratum or tr("(no theme)"), each.title): each.bundle_id
            for each in replies
            if each.arm == MAIN and each.bundle_id is not None
        },
        questions_open=_planned(replies, terms),
        margin_levels=0.0 if first is None else first.protocol.margin_levels,
    )


def _planned(replies: Sequence[Any], terms: Mapping[int, RunTerms]) -> int:
    """Questions of the runs that *replies* are of, where one has not ended."""
    of = [terms[run] for run in {each.run_id for each in replies} & terms.keys()]
    if all(each.ended for each in of):
        return 0
    return len({item.key for each in of for item in items_of(each.protocol)})


def _compared(study: MeasuredStudy, targets: Sequence[str], k: float) -> tuple[tuple[Comparison, ...], ...]:
    """The comparisons of each of *targets* with all other models, by score; empty where these are too few."""
    models = study.answers.models
    if len(models) <= FEWEST_BASELINES:
        return ()
    number = {model: place for place, model in enumerate(models)}
    return tuple(
        tuple(
            compare(score, number[target], [b for b in range(len(models)) if b != number[target]], k=k, seed=SEED)
            for target in targets
        )
        for score in study.scores
    )


def _written(terms: Mapping[int, RunTerms]) -> tuple[tuple[str, str], ...]:
    days: dict[str, str] = {}
    for run in terms.values():
        for each in run.protocol.written:
            days[each.model] = max(days.get(each.model, ""), each.at[:10])
    return tuple(days.items())


def _vectors(
    found: Sequence[Any], answers: Mapping[Key, AnswerToPlace], names: Mapping[str, str]
) -> dict[str, dict[Key, bytes]]:
    """The vectors of answers by encoder; an encoder with another instruction, or vectors of another length, is another
    one."""
    key_of = {answer.line: key for key, answer in answers.items()}
    by_encoder: dict[tuple[str, str, int], dict[Key, bytes]] = {}
    for each in found:
        if each.about in key_of:
            encoder = names.get(each.encoder, each.encoder), each.instruction.strip(), len(each.data) // 4
            by_encoder.setdefault(encoder, {})[key_of[each.about]] = each.data
    lengths = Counter((model, told) for model, told, _ in by_encoder)
    return {
        " · ".join(
            filter(None, (model, in_quotes(told) if told else "", str(length) if lengths[model, told] > 1 else ""))
        ): vectors
        for (model, told, length), vectors in by_encoder.items()
    }


def _answers(replies: Sequence[Any], names: Mapping[str, str], rubrics: Rubrics) -> dict[Key, AnswerToPlace]:
    """Every answer with its judgements and the number of its cell; generations of all runs are counted through."""
    generations: Counter[tuple[str, str, str]] = Counter()
    found: dict[Key, AnswerToPlace] = {}
    place: dict[tuple[int, int, str], AnswerToPlace] = {}
    for each in replies:
        # An answer that the interface refused is there, without text; what is lacking otherwise was never given.
        if each.stage or each.missing not in ("", Missing.REFUSED):
            continue
        question = each.stratum or tr("(no theme)"), each.title, names[each.model]
        text = "" if each.missing else split_thinking(each.text)[0].strip()
        answer = found[(*question, generations[question])] = AnswerToPlace(each.cell_id, text)
        generations[question] += 1
        of = generation_name(each.model, each.repeat)
        place[each.run_id, each.item_id, of] = answer
    for each in replies:
        # What a judge says of an answer with a planted order is no level of the answer.
        if each.arm in (MAIN, EMBEDDED, INJECTED) or each.missing:
            continue
        judged = place.get((each.run_id, each.item_id, each.coordinates["answer_of"]))
        if judged is not None:
            judged.judged[rubrics.judge(each), each.repeat] = (rubrics.level(each), each.cell_id)
    return found


def judged(stored: StoredStudy | None) -> tuple[str, ...]:
    """The notes below every table of judges' levels: how far these can be relied on."""
    if stored is None:
        return ()
    return (*judges_in_words(stored.study.answers.judges, stored.agreements), *orders_in_words(stored.obediences))


def mean_over_questions(values: Any, theme_of: Any, *, least: float = -math.inf) -> Value:
    """An estimate of the mean of *values* (n,) that has an interval over themes, which ends at *least*, below which no
    mean lies; NaN is left out."""
    import numpy as np

    there = ~np.isnan(values)
    n = int(there.sum())
    if not n:
        return Estimate.unavailable(tr("no values"))
    low, high = theme_interval(values[there], theme_of[there], seed=SEED)
    return estimate(float(values[there].mean()), None if low is None else max(low, least), high, n=n)


def estimate(value: float, low: float | None, high: float | None, *, n: int) -> Estimate:
    """*value* over *n* questions, with its interval where there is one."""
    interval = None
    if low is not None and high is not None:
        interval = Interval(low=low, high=high, level=LEVEL, method=tr("over themes"))
    return Estimate(value=value, n=n, articles=n, interval=interval)
