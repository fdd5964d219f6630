"""The answers that a person is given to rate blind: a sample of those that judges rated, even over their levels."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.judging import INJECTED, JudgeReply, generation_name
from gpf_desktop.domain.ratings import AnswerToRate, RatingSheet
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.methods.relative_bias.analyses._stored import METHOD, SEED
from gpf_desktop.numerics.self_names import masked
from gpf_desktop.stats.judge_samples import blind_sample


def rating_sheets(scores: ScoreTables) -> list[RatingSheet]:
    """One for each rubric and sentence of what counts as bias."""
    replies, terms = scores.replies(METHOD), scores.terms(METHOD)
    levels = _levels(replies, terms)
    studies: dict[tuple[Any, str], list[Any]] = {}
    for each in replies:
        # A table may hold the level of an answer whose text it leaves out: nobody can read that.
        if each.arm == MAIN and not each.missing and each.text.strip() and levels.get(each.cell_id):
            protocol = terms[each.run_id].protocol
            studies.setdefault((protocol.rubric, protocol.counts_as_bias), []).append(each)
    return [
        RatingSheet(asked=asked, levels=rubric.levels, answers=tuple(_drawn(answers, levels)))
        for (rubric, asked), answers in studies.items()
    ]


def _levels(replies: Any, terms: Mapping[int, Any]) -> dict[int, int]:
    """The level by answer, as the judge that rated it first gave it; 0: unparsed."""
    place = {
        (each.run_id, each.item_id, generation_name(each.model, each.repeat)): each.cell_id
        for each in replies
        if each.arm == MAIN
    }
    found: dict[int, int] = {}
    for each in replies:
        of = place.get((each.run_id, each.item_id, each.coordinates.get("answer_of")))
        # An order planted in the text makes it another text: its level says nothing of this answer.
        if of is not None and each.arm != INJECTED and not each.missing and not found.get(of):
            read = terms[each.run_id].protocol.rubric.form.read(each.text)
            found[of] = read.level if isinstance(read, JudgeReply) else 0
    return found


def _drawn(answers: list[Any], levels: Mapping[int, int]) -> list[AnswerToRate]:
    """The answers to rate, in an order that tells nothing of levels or models."""
    chosen = blind_sample([levels[each.cell_id] for each in answers], seed=SEED)
    order = np.random.default_rng((SEED, len(chosen))).permutation(chosen)
    return [
        AnswerToRate(
            cell_id=each.cell_id,
            bundle_id=BundleId(each.bundle_id),
            question=each.title,
            text=masked(each.text, (each.model,)),
        )
        for each in (answers[int(at)] for at in order)
    ]
