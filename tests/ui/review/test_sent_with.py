"""What stands below a prompt: what was sent with it, that it was asked elsewhere, or that nobody asked it yet."""

from typing import Any

import pytest

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.ids import ArticleId, CellId
from gpf_desktop.storage.responses import Answer
from gpf_desktop.ui.review.panels import sent_with


def answer(**told: Any) -> Answer:
    usual: dict[str, Any] = dict.fromkeys(("model", "level", "text", "missing", "detail", "reasoning", "finish"), "")
    numbers = dict.fromkeys(("prompt_tokens", "completion_tokens", "seconds", "status"))
    return Answer(
        cell_id=CellId(1),
        item_id=ArticleId(1),
        given=(),
        coordinates=Coordinates.of(),
        flags=(),
        **{**usual, **numbers, "repeat": 0, "truncated": False, "request_id": "", "sent": {}, **told},
    )


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({}, "Nothing was sent yet."),
        ({"text": "Rents rise."}, "Asked elsewhere: what was sent with it is not known."),
        ({"text": "Rents rise.", "finish": "stop"}, "Sent: ended with “stop”"),
        (
            {"text": "Rents rise.", "sent": {"seed": 7, "not_supported": ["top_p"]}, "request_id": "r1"},
            "Sent: seed 7 · left out or changed, as the provider does not take it: top_p · r1",
        ),
    ],
)
def test_that_what_was_sent_is_told_or_that_nobody_knows(told: dict[str, Any], words: str) -> None:
    assert sent_with(answer(**told)) == words
