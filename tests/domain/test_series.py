"""Lines of a control chart: what is drawn, what is a gap, and what each line says of itself."""

import pytest

from gpf_desktop.domain.series import SeriesBook, SeriesLine
from tests.support.series import CALM, GAPPED, LEAVING, batch_view_of, streaming_of


def line(values: tuple[float | None, ...], *, track: str = "raw") -> SeriesLine:
    """The only model's line, as measured."""
    finding, figure = streaming_of({"openai/gpt-x": values, "other/y": CALM[: len(values)]})
    chosen = next(each for each in figure.tracks if each.value == track)
    return next(
        each
        for each in SeriesBook(finding, figure).lines(chosen, "How far apart, in words")
        if each.name == "openai/gpt-x"
    )


@pytest.mark.parametrize(
    ("count", "says"),
    [
        (1, "One batch of news so far: a series begins with the second."),
        (2, "2 of 8 batches: too early for limits."),
        (7, "7 of 8 batches: too early for limits."),
        (8, "8 batches set the limits; the next one is the first to be judged."),
        (9, "The smoothed series stayed inside its limits at the 1 batch judged."),
        (14, "The smoothed series stayed inside its limits at all 6 batches judged."),
    ],
)
def test_that_a_line_says_how_it_stands_to_its_limits(count: int, says: str) -> None:
    assert line(CALM[:count]).says == says


def test_that_a_line_that_left_its_limits_says_where_and_that_the_chart_does_not_say_why() -> None:
    gone = line(LEAVING)
    first = gone.signals[0]
    assert gone.says == (
        f"The smoothed series left its limits at {len(gone.signals)} of 6 batches judged, first at "
        f"Round {first.place + 1}; the chart does not say why."
    )
    assert [len(run) for run in gone.signal_runs()] == [len(gone.signals)]


def test_that_batches_without_answers_are_gaps_and_no_data() -> None:
    gapped = line(GAPPED)
    assert [point.place for point in gapped.points] == [0, 1, 2, 4, 5, 6, 7, 8, 9, 12, 13]
    assert [[point.place for point in stretch] for stretch in gapped.stretches()] == [
        [0, 1, 2],
        [4, 5, 6, 7, 8, 9],
        [12, 13],
    ]
    assert gapped.last_setting == 8, "the eighth batch that the model was asked about"
    assert [point.place for point in gapped.points if point.low is not None] == [9, 12, 13]


def test_that_a_model_without_peers_has_no_line_and_says_why() -> None:
    finding, figure = streaming_of({"openai/gpt-x": CALM})
    book = SeriesBook(finding, figure)
    (alone,) = book.lines(figure.tracks[0], "How far apart, in words")
    assert alone.points == ()
    assert alone.says == "No values: no other model on these articles."
    assert alone.centre is None
    assert [book.has_values(track, "How far apart, in words") for track in figure.tracks] == [False, True]


def test_that_first_batches_that_do_not_differ_set_no_limits() -> None:
    flat = line((0.3,) * 10)
    assert flat.says == "The first 8 batches do not differ, so they set no limits."
    assert flat.signals == ()


def test_that_the_rows_of_a_line_are_those_of_its_model_and_score() -> None:
    finding, figure = streaming_of({"openai/gpt-x": CALM, "other/y": CALM[:5]})
    book = SeriesBook(finding, figure)
    assert book.splits == ("How far apart, in words",)
    assert len(book.rows("other/y", "How far apart, in words")) == 5
    assert book.rows("other/y", "Spread of tone, fair to small groups") == ()


def test_that_vendors_stand_together_without_limits() -> None:
    finding, figure = batch_view_of({"a/one": CALM, "a/two": CALM, "b/three": GAPPED})
    (of_s,) = (track for track in figure.tracks if track.value == "s")
    found = SeriesBook(finding, figure).lines(of_s)
    assert [each.name for each in found] == ["a", "b"]
    assert found[0].says == "14 batches."
    assert all(point.low is None and not point.outside for each in found for point in each.points)
