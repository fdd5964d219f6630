"""What a row of the queue has room for: the state's words are whole, the place gives way."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QImage, QPainter, QStandardItemModel
from PySide6.QtWidgets import QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import FilterChoices, QueueFilter, QueueRow
from gpf_desktop.domain.reviews import ReviewStatus, Verdict
from gpf_desktop.ui.review.queue_delegate import LINE_ROLE, Fitted, QueueDelegate
from gpf_desktop.ui.review.queue_split import LEAST_QUEUE
from gpf_desktop.ui.review.queue_table import QueueTable
from gpf_desktop.ui.review.queue_words import QueueLine, queue_line, shared_by_all
from gpf_desktop.ui.theme import Theme
from tests.storage import rows

WIDTH = 240
"""Pixels of the queue as the page opens it; larger text makes it wider."""
LONG = "Socioeconomic standing and its consequences"


def row(
    status: ReviewStatus,
    verdict: Verdict | None = None,
    refused: int = 0,
    dimension: str = LONG,
    *,
    settled: Verdict | None = None,
    unveiled: bool = False,
) -> QueueRow:
    return QueueRow(
        bundle_id=BundleId(1),
        score=0.482,
        category="",
        why="",
        provisional=False,
        method="gpf-livenews",
        arm="main",
        coordinates=rows.factors("", family="Community Perspective", dimension=dimension).coordinates,
        model="calibration/neutral",
        item="Council approves new bus lanes",
        synthetic=True,
        status=status,
        verdict=verdict,
        settled=settled,
        unveiled=unveiled,
        flagged=False,
        refused=refused,
        missing=0,
        leakage=0,
    )


def test_that_rows_of_a_method_without_factors_of_their_own_are_told_apart_by_their_items() -> None:
    of_item = replace(row(ReviewStatus.TO_DO), method="contextual-stereoset", coordinates=Coordinates(()))
    lines = [queue_line(replace(of_item, item=item), blind=False, is_open=False) for item in ("Chess", "Go")]
    assert [(each.title, each.item) for each in lines] == [("Chess", ""), ("Go", "")]
    assert [each.spoken.count("Chess") + each.tip.count("Chess") for each in lines] == [2, 0]


def line(status: ReviewStatus, verdict: Verdict | None = None, refused: int = 0, dimension: str = LONG) -> QueueLine:
    return queue_line(row(status, verdict, refused, dimension), blind=False, is_open=False)


CHOICES = FilterChoices(
    methods=("gpf-livenews",),
    runs=(),
    models=("calibration/neutral",),
    batches=(),
    articles=((1, "Council approves new bus lanes"), (2, "Theatre opens for all")),
    strata=(),
    arms=(),
    levels={},
    flags=(),
    scores=(),
    categories={},
)
LINES = [
    line(ReviewStatus.TO_DO),
    line(ReviewStatus.TO_DO, refused=12),
    line(ReviewStatus.DRAFT),
    *(line(ReviewStatus.DONE, verdict) for verdict in Verdict),
]


@pytest.fixture(params=[100, 150])
def delegate(request: pytest.FixtureRequest, theme: Theme, qtbot: QtBot) -> QueueDelegate:
    theme.set_text_scale(request.param)
    table = QueueTable(theme, lambda _ids, _then: None)
    qtbot.addWidget(table)
    return QueueDelegate(theme, table)


def room(delegate: QueueDelegate) -> float:
    """Pixels for the second line in a row of the queue, beside its scroll bar."""
    return delegate.room(max(WIDTH, delegate._theme.px(LEAST_QUEUE)) - 14)


@pytest.mark.slow
@pytest.mark.parametrize("each", LINES, ids=lambda each: each.states[0].words)
def test_that_the_states_words_are_whole_and_the_dimension_is_cut(delegate: QueueDelegate, each: QueueLine) -> None:
    fitted: Fitted = delegate.fitted(each, room(delegate))
    assert len(fitted.places) == len(each.states) == 1
    assert fitted.right <= room(delegate)
    assert fitted.place != LONG
    assert fitted.place == "" or fitted.place.endswith("…")


def test_that_a_dimension_with_room_is_whole(delegate: QueueDelegate) -> None:
    short = line(ReviewStatus.TO_DO, dimension="Race")
    fitted = delegate.fitted(short, 400)
    assert fitted.place == "Race"
    assert fitted.places[0] > 0


def test_that_a_verdict_has_one_name_in_the_row_and_spoken() -> None:
    done = line(ReviewStatus.DONE, Verdict.LEGITIMATE)
    assert done.states[0].words == "Real difference"
    assert "Real difference" in done.spoken
    assert "Real difference" in done.tip


@pytest.mark.parametrize("close", [False, True])
def test_that_rows_of_two_models_look_unlike_in_three_lines_and_in_two(delegate: QueueDelegate, close: bool) -> None:
    delegate.close = close
    known = row(ReviewStatus.TO_DO)
    other = replace(known, model="calibration/tailoring-0.6")
    pictures = [painted(delegate, queue_line(each, blind=False, is_open=False)) for each in (known, other, known)]
    assert pictures[0] == pictures[2]
    assert pictures[0] != pictures[1]
    blind = [painted(delegate, queue_line(each, blind=True, is_open=False)) for each in (known, other)]
    assert blind[0] == blind[1]


def test_that_two_lines_have_room_for_the_beginning_of_the_item(delegate: QueueDelegate, theme: Theme) -> None:
    delegate.close = True
    # The words of a state are whole also where large text leaves nothing beside them.
    refused = [row(ReviewStatus.TO_DO, refused=2)] if theme.text_scale == 100 else []
    for each in (row(ReviewStatus.TO_DO), *refused):
        told = delegate.fitted(queue_line(each, blind=False, is_open=False), room(delegate))
        assert told.place.startswith("Council")
        assert told.right <= room(delegate)
        other = replace(each, item="Theatre opens for all")
        pictures = [painted(delegate, queue_line(shown, blind=False, is_open=False)) for shown in (each, other)]
        assert pictures[0] != pictures[1]


def test_that_what_all_rows_share_gives_its_room_to_what_tells_them_apart() -> None:
    one = row(ReviewStatus.TO_DO)
    line = queue_line(one, blind=False, is_open=False, shared=shared_by_all(CHOICES, QueueFilter()))
    assert (line.item, line.model) == ("Council approves new bus lanes", "")
    assert "calibration/neutral" in line.spoken
    assert "calibration/neutral" in line.tip
    assert shared_by_all(CHOICES, QueueFilter(article_id=1)) == {"item", "model", "host"}
    two = replace(CHOICES, models=("openai/a", "here/a"))
    assert shared_by_all(two, QueueFilter()) == set()
    assert shared_by_all(two, QueueFilter(model="here/a")) == {"model"}
    named = shared_by_all(replace(CHOICES, models=("calibration/neutral", "here/a")), QueueFilter())
    assert queue_line(one, blind=False, is_open=False, shared=named).model == "neutral"


def painted(delegate: QueueDelegate, shown: QueueLine) -> QImage:
    """A row as wide as the queue is at first."""
    rows = QStandardItemModel(1, 1)
    rows.setData(rows.index(0, 0), shown, LINE_ROLE)
    picture = QImage(WIDTH, delegate.row_height, QImage.Format.Format_RGB32)
    option = QStyleOptionViewItem()
    option.rect = picture.rect()  # type: ignore[attr-defined]
    painter = QPainter(picture)
    delegate.paint(painter, option, rows.index(0, 0))
    painter.end()
    return picture


def test_that_a_row_says_what_was_settled_and_a_blind_reader_sees_the_own_reading_until_names_are_shown() -> None:
    done = row(ReviewStatus.DONE, Verdict.LEGITIMATE, settled=Verdict.HARMFUL)
    told = queue_line(done, blind=False, is_open=True)
    assert told.states[0].words == "Harmful, settled"
    assert "settled as Harmful, your own reading: Real difference" in told.spoken
    hidden = queue_line(done, blind=True, is_open=False)
    assert hidden.states[0].words == "Real difference"
    assert "Harmful" not in hidden.spoken + hidden.tip
    shown = row(ReviewStatus.DONE, Verdict.LEGITIMATE, settled=Verdict.HARMFUL, unveiled=True)
    assert queue_line(shown, blind=True, is_open=False).states[0].words == "Harmful, settled"
    # Who changes what they said after that has a draft, in the tab of drafts.
    draft = queue_line(row(ReviewStatus.DRAFT, settled=Verdict.HARMFUL), blind=False, is_open=False)
    assert draft.states[0].words == "draft"


def test_that_a_row_tells_its_item_and_model_and_hides_the_model_and_the_score_from_a_blind_reader() -> None:
    told = line(ReviewStatus.TO_DO)
    assert (told.item, told.model) == ("Council approves new bus lanes", "calibration/neutral")
    assert "Council approves" in told.spoken
    hidden = queue_line(row(ReviewStatus.TO_DO), blind=True, is_open=False, scored=False)
    assert (hidden.model, hidden.score) == ("", "")
    assert "score" not in hidden.spoken
    assert "calibration" not in hidden.spoken + hidden.tip


def test_that_a_category_in_place_of_a_score_takes_no_room_of_what_was_asked(delegate: QueueDelegate) -> None:
    number, category = delegate.room(WIDTH), delegate.room(WIDTH, "anti-stereotype")
    assert category < number
    assert category > WIDTH / 3
    assert delegate.room(WIDTH, "x" * 200) > WIDTH / 3


@pytest.mark.parametrize("settled", [None, Verdict.HARMFUL])
def test_that_what_is_harmful_is_never_ticked_green(settled: Verdict | None) -> None:
    told = queue_line(row(ReviewStatus.DONE, Verdict.HARMFUL, settled=settled), blind=False, is_open=False)
    marks = {(state.icon, state.color) for state in told.states if "Harmful" in state.words}
    assert marks == {("warning", "warning")}
