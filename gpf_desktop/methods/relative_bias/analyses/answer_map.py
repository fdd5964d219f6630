"""A map of answers: the first two principal components of their vectors."""

from collections.abc import Iterator
from typing import Any, Final

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import score, text
from gpf_desktop.domain.figures import PointMap
from gpf_desktop.domain.findings import BundleFilter, Finding, Row, Value
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, percent, tr, trn
from gpf_desktop.methods.relative_bias.analyses._stored import METHOD, StoredStudy, stored_study
from gpf_desktop.methods.relative_bias.study import EmbeddedAnswers

MOST: Final = 4_000
"""Points of one map: beyond that nobody tells them apart, and a window would not answer while it draws them."""
_BEGINNING: Final = 160


class AnswerMap(TableAnalysis):
    """A point for each answer, by encoder."""

    name = "relative_bias_map"
    title = Translated("Map of answers")
    closed = Translated(
        "A point for every answer, for each measure of likeness: made when you ask for it, and left out of reports."
    )

    def analyse(self, scores: ScoreTables, _options: object) -> Finding:
        stored = stored_study(scores)
        places: dict[tuple[str, str], int] = {}
        for each in scores.replies(METHOD):
            places.setdefault((each.stratum or tr("(no theme)"), each.title), each.item_id)
        rows: list[Row] = []
        figures: list[PointMap] = []
        left_out = 0
        for encoder, embedded in {} if stored is None else stored.study.embeddings.items():
            assert stored is not None
            drawn, shares, without = _drawn(stored, encoder, embedded, places)
            rows += drawn
            left_out = max(left_out, without)
            figures.append(_figure(encoder, shares))
        return self.finding(
            columns=(
                text("encoder", tr("Likeness by")),
                text("model", tr("Model")),
                text("theme", tr("Theme")),
                text("question", tr("Question")),
                text("answer", tr("Answer begins")),
                score("x", tr("First direction")),
                score("y", tr("Second direction")),
            ),
            rows=rows,
            reading=tr("Answers that lie together are worded alike; places and distances on the map have no unit."),
            notes=_notes(left_out),
            figures=figures,
        )


def _drawn(
    stored: StoredStudy, encoder: str, embedded: EmbeddedAnswers, places: dict[tuple[str, str], int]
) -> tuple[list[Row], tuple[float, float], int]:
    """The rows of one encoder, the components' shares of the variance, and the answers that are not drawn."""
    from gpf_desktop.methods.relative_bias.principal import principal_components

    where, shares = principal_components(embedded.vectors)
    chosen = list(_chosen(stored, embedded))
    rows = []
    for place in chosen:
        at = int(embedded.rows[place])
        theme, question, model, _ = stored.study.answers.key(at)
        item = places.get((theme, question))
        words = " ".join(stored.study.answers.texts[at].split())
        values: dict[str, Value] = {
            "encoder": encoder,
            "model": model,
            "theme": theme,
            "question": question,
            "answer": words if len(words) <= _BEGINNING else f"{words[:_BEGINNING].rstrip()}…",
            "x": float(where[place, 0]),
            "y": float(where[place, 1]),
        }
        rows.append(Row(values=values, bundles=BundleFilter(article_id=item), synthetic=model in stored.synthetic))
    return rows, (float(shares[0]), float(shares[1])), len(embedded.rows) - len(chosen)


def _chosen(stored: StoredStudy, embedded: EmbeddedAnswers) -> Iterator[int]:
    """Places of the answers that are drawn, by model and then as asked: all, or those of questions spread evenly."""
    answers: Any = stored.study.answers
    questions = sorted({int(answers.question[at]) for at in embedded.rows})
    room = max(1, MOST * len(questions) // max(len(embedded.rows), 1))
    # At least 1: with room for more questions than there are, the last ones would be left out.
    step = max(1.0, len(questions) / room)
    kept = {questions[int(number * step)] for number in range(min(room, len(questions)))}
    order = sorted(range(len(embedded.rows)), key=lambda place: (int(answers.model[embedded.rows[place]]), place))
    return (place for place in order if int(answers.question[embedded.rows[place]]) in kept)


def _figure(encoder: str, shares: tuple[float, float]) -> PointMap:
    return PointMap(
        title=tr("Answers by {encoder}", encoder=encoder),
        x="x",
        y="y",
        group="model",
        label=("model", "theme", "question", "answer"),
        x_title=tr("first direction, {share} of the spread", share=percent(shares[0])),
        y_title=tr("second direction, {share} of the spread", share=percent(shares[1])),
        where=("encoder", encoder),
    )


def _notes(left_out: int) -> tuple[str, ...]:
    if not left_out:
        return ()
    words = trn(
        "{n} answer is not drawn: the map has those of questions spread evenly over the set.",
        "{n} answers are not drawn: the map has those of questions spread evenly over the set.",
        left_out,
    )
    return (words,)


ANALYSIS = AnswerMap()
