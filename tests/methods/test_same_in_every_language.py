"""Models are asked the same whatever language the auditor reads, or what is measured would hang on it."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from itertools import islice
from typing import Any

import pytest

from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.methods import EndedCell
from gpf_desktop.domain.models import Role
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.tables import Table
from gpf_desktop.domain.text import in_english, speaking, tr
from gpf_desktop.domain.writing import UnreadReply, WritingTask
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import load_protocol, write_protocol
from gpf_desktop.methods.relative_bias.question_sets import QuestionTheme
from gpf_desktop.methods.relative_bias.writing import question_tasks, theme_tasks
from gpf_desktop.methods.saged.writing import ARTICLE, KEYWORDS, WORDS, tasks

NEWS = StudyItem(key="k", title="Council approves bus lanes", text="They open in spring.")
MOST = 300
"""Calls of each stage that are looked at."""
SHIPPED = [(name, each) for name, method in catalogue.methods().items() for each in method.protocol_files()]


def in_german() -> AbstractContextManager[None]:
    return speaking(resources() / "languages", "de")


def asked(method: Method, protocol: Any) -> Iterator[object]:
    """What models of each role are told about one item, stage by stage."""
    item = next(iter(method.items(protocol)), NEWS)
    controls = method.controls_of(protocol)
    planned = list(islice(method.expand(item, protocol, controls, 1), MOST))
    ended = [
        EndedCell(
            cell=at,
            model="calibration/neutral",
            role=Role.TARGET,
            item=1,
            item_key=item.key,
            coordinates=each.coordinates,
            repeat=each.repeat,
            arm=each.arm,
            stage=0,
            parent=None,
            seed=1,
            text="An answer.",
        )
        for at, each in enumerate(planned)
    ]
    for each in planned:
        yield method.compose(protocol, each.coordinates, item)
    for stage, _ in enumerate(method.stages_of(protocol)[1:], 1):
        for cell in islice(method.next_stage(stage, ended, protocol, controls, 1), MOST):
            prompt = method.compose(protocol, cell.answer.coordinates, item, ["An answer."] * stage)
            yield prompt
            with in_english():
                yield method.ask_again(protocol, prompt, "No level stands here.")
            yield method.reply_form(protocol, stage)


@pytest.mark.parametrize(("name", "shipped"), SHIPPED)
def test_that_a_round_asks_the_same_in_every_language(name: str, shipped: str) -> None:
    method = catalogue.method(name)

    def told() -> list[object]:
        protocol = load_protocol(shipped, method=name)
        return [write_protocol(protocol, name), *asked(method, protocol)]

    here = told()
    assert len(here) > 1
    with in_german():
        assert told() == here


def written() -> list[WritingTask]:
    theme = QuestionTheme(name="Trams", description="Rails in towns.", questions=("Do trams pay?",))
    words = Table(columns=("concept", "people", "place"), rows=(("Peru", "Peruvians", "Lima"), ("Chad", "", "")))
    given = {"concept": "Peru", "keywords": "coffee"}
    return [
        *theme_tasks([theme], "transport", "", 2),
        *question_tasks([theme], "transport", "", 2),
        *tasks(KEYWORDS, given, words),
        *tasks(ARTICLE, given, words),
        *tasks(WORDS, given, words),
    ]


def test_that_writers_are_asked_the_same_in_every_language() -> None:
    def told() -> list[object]:
        return [prompt for task in written() for prompt in (task.prompt, task.again(UnreadReply(why="why")))]

    here = told()
    assert len(here) == 10
    with in_german():
        assert tr("Language") == "Sprache"
        assert told() == here
