"""Cells of answers in tables that are scored as they stand: read as importers read them."""

from typing import Final

from gpf_desktop.documents.mapped_rows import ended
from gpf_desktop.domain.responses import Missing

BLOCKED: Final = '{"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]}'
"""A cell that `is_blocked`."""


def answer_in(cell: str) -> str:
    """The answer in *cell*, without reasoning and what a program wrapped around it; empty where it holds none, such as
    an error or a reply that was blocked."""
    came = ended({"response": cell})
    return "" if came.missing else came.text


def is_blocked(cell: str) -> bool:
    """Whether *cell* holds a reply that its provider blocked."""
    return ended({"response": cell}).missing == Missing.REFUSED
