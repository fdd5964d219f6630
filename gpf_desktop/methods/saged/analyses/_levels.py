"""All levels that judges gave texts: what tells how far judges agree, and what a person rates beside them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.judging import generation_name
from gpf_desktop.domain.ratings import AnswerToRate, RatingSheet
from gpf_desktop.domain.score_tables import RunTerms, ScoreTables
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.saged.analyses._judged import METHOD, levels_given
from gpf_desktop.methods.saged.judging import ANSWER_OF, CONCEPT, JUDGED, JUDGED_BASELINE, Rubric
from gpf_desktop.methods.saged.protocol import BASELINES
from gpf_desktop.numerics.self_names import masked
from gpf_desktop.stats.judge_agreement import JudgeAgreement, agreements, with_persons
from gpf_desktop.stats.judge_samples import blind_sample

SEED = 1
_Text = tuple[int, int, str, str, str]
"""Run, item, concept, role and who answered; of a baseline the last two are empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedText:
    """An answer or a baseline, as judges rated it by one rubric."""

    first: Any
    """The reply of its first judgement, with whose cell a person's rating is kept: several rubrics may rate a text."""
    text: str
    levels: dict[tuple[str, int], int] = field(default_factory=dict)
    """By judge and judging."""

    @property
    def concept(self) -> str:
        return str(self.first.coordinates["concept"])


def rated_texts(scores: ScoreTables) -> dict[Rubric, list[RatedText]]:
    """The texts that judges rated, by rubric, in the order asked."""
    given = list(levels_given(scores, JUDGED, JUDGED_BASELINE))
    answers = {
        _about(each, generation_name(each.model, each.repeat)): each.text
        for each in (scores.replies(METHOD) if given else ())
        if not (each.stage or each.missing)
    }
    found: dict[Rubric, dict[_Text, RatedText]] = {}
    for each, rubric, level in given:
        about = _about(each, each.coordinates.get(ANSWER_OF))
        text = answers.get(about) or each.data.get(BASELINES, {}).get(each.coordinates["concept"], "")
        rated = found.setdefault(rubric, {}).setdefault(about, RatedText(first=each, text=text))
        rated.levels[each.model.rpartition("/")[2], each.repeat] = level
    return {rubric: list(texts.values()) for rubric, texts in found.items()}


def _about(reply: Any, answer_of: str) -> _Text:
    at = reply.coordinates
    return reply.run_id, reply.item_id, at["concept"], at.get("role_play"), answer_of


def judges_agree(scores: ScoreTables) -> list[JudgeAgreement]:
    """The agreement of each judge, by each rubric, with itself, with each other judge, and with each person.

    Texts of one root prompt go together.
    """
    ratings, found = scores.ratings(METHOD), []
    for rubric, texts in rated_texts(scores).items():
        judges = list(dict.fromkeys(judge for each in texts for judge, _ in each.levels))
        times = 1 + max(judging for each in texts for _, judging in each.levels)
        levels = np.zeros((len(texts), len(judges), times), np.int64)
        persons: dict[str, Any] = {}
        for place, each in enumerate(texts):
            for (judge, judging), level in each.levels.items():
                levels[place, judges.index(judge), judging] = level
            for person, level in ratings.get(each.first.cell_id, {}).items():
                persons.setdefault(person, np.zeros(len(texts), np.int64))[place] = level
        named = tuple(tr("{judge} ({rubric})", judge=judge, rubric=rubric.name) for judge in judges)
        items, top = np.array([each.first.item_id for each in texts], np.int64), len(rubric.levels)
        found += agreements(named, levels, items, scale=top, seed=SEED)
        found += with_persons(named, levels, persons, items, scale=top, seed=SEED)
    return found


def rating_sheets(scores: ScoreTables) -> list[RatingSheet]:
    """A sheet for each rubric and each concept in its sample of texts, which is as even over levels as can be."""
    return [
        RatingSheet(asked=rubric.asks.replace(CONCEPT, concept), levels=rubric.levels, answers=tuple(answers))
        for rubric, texts in rated_texts(scores).items()
        for concept, answers in _drawn(texts, scores.terms(METHOD)).items()
    ]


def _author(rated: RatedText) -> str:
    return str(rated.first.coordinates.get(ANSWER_OF)).partition(" #")[0]


def _drawn(texts: Sequence[RatedText], terms: Mapping[int, RunTerms]) -> Mapping[str, list[AnswerToRate]]:
    """The answers to rate by concept, in an order that tells nothing of levels, models or what is a baseline."""
    chosen = blind_sample([next(iter(each.levels.values())) for each in texts], seed=SEED)
    drawn: dict[str, list[AnswerToRate]] = {}
    for at in np.random.default_rng((SEED, len(chosen))).permutation(chosen):
        each = texts[int(at)]
        # The root's title has the concept of its source in it, and not the one that this text is about.
        row = terms[each.first.run_id].protocol.row(each.first.key, each.concept)
        answer = AnswerToRate(
            cell_id=each.first.cell_id,
            bundle_id=BundleId(each.first.bundle_id),
            question=each.first.title if row is None else row.prompt,
            text=masked(each.text, (_author(each),)),
        )
        drawn.setdefault(each.concept, []).append(answer)
    return drawn
