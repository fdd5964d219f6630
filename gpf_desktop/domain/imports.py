"""Answers that came from elsewhere, on their way into an audit as a finished round."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from gpf_desktop.domain.coordinates import PlannedAnswer
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.models import IMPORTED, Endpoint
from gpf_desktop.domain.served import NOT_SAID, Served
from gpf_desktop.domain.text import tr, trn

CHATGPT_APP: Final = "ChatGPT app"
CLAUDE_APP: Final = "Claude app"
GEMINI_APP: Final = "Gemini app"
AI_STUDIO: Final = "AI Studio"
GROK_APP: Final = "Grok app"
DEEPSEEK_APP: Final = "DeepSeek app"
COPILOT_APP: Final = "Copilot app"
OPEN_WEBUI: Final = "Open WebUI"
LIBRECHAT: Final = "LibreChat"
LM_STUDIO: Final = "LM Studio"
TRANSCRIPT: Final = "pasted chat"
APPS: Final = (
    *(CHATGPT_APP, CLAUDE_APP, GEMINI_APP, AI_STUDIO, GROK_APP, DEEPSEEK_APP, COPILOT_APP),
    *(OPEN_WEBUI, LIBRECHAT, LM_STUDIO, TRANSCRIPT),
)
"""Who gave an answer (`Served.host`) that somebody had in a chat app and not by an API."""

_SHOWN: Final = 20
_MAKER: Final = re.compile(r"[A-Za-z0-9][\w.-]{0,60}")


def imported_model(name: str) -> Endpoint:
    """The endpoint under which answers of the model called *name* are kept; its vendor is the maker before a slash."""
    maker, slash, _ = name.partition("/")
    return Endpoint(provider=IMPORTED, model=name, vendor=maker if slash and _MAKER.fullmatch(maker) else "")


def name_in_table(label: str) -> str:
    """The name that the table has of the model that is kept under *label*."""
    return label.partition("/")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedAnswer:
    """One cell and how it ended."""

    model: str
    """Name as the table has it."""
    item: int
    """Its place among the items."""
    answer: PlannedAnswer
    text: str
    reasoning: str = ""
    """The reasoning of the model beforehand; kept apart and never scored."""
    missing: str = ""
    """Why there is no text, in the words of `domain.responses.Missing`; empty for an answer."""
    detail: str = ""
    """The words of the table about that."""
    about: int | None = None
    """Of a later stage, the place of the answer that it rests on among the study's answers."""
    finish: str = ""
    """Why the model stopped, in the provider's words."""
    truncated: bool = False
    vector: bytes = field(default=b"", repr=False)
    """Of an encoder, in place of words: float32, little-endian, as `domain.embeddings.packed` gives it."""
    served: Served = NOT_SAID
    """Who answered, where the table says it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowProblem:
    """A row that is left out."""

    file: str
    line: int
    why: str
    """The end of a sentence."""


Told = Callable[[str, int, int | None], object]
"""Told what is being done, with how many rows so far, and of how many; what it raises ends the work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedStudy:
    """A round that was asked elsewhere, as a method makes it from tables."""

    name: str
    protocol: Any
    items: Sequence[StudyItem]
    answers: Sequence[ImportedAnswer]
    controls: Any = None
    """Of the method's own type, as its protocol is; None: it asked none."""
    problems: Sequence[RowProblem] = ()
    """Rows that are left out."""
    said: tuple[str, ...] = ()
    """Sentences on what was read and what was passed over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedColumn:
    """Something that rows are asked for, to be found in a column of any name."""

    name: str
    title: str
    required: bool = False


def problem_words(problems: Sequence[RowProblem]) -> list[str]:
    """Lines that say which rows were left out and why: the first few, each by its line in the file."""
    if not problems:
        return []
    said = [trn("{n:,} row was left out:", "{n:,} rows were left out:", len(problems))]
    said += [tr("  {file}, line {line}: {why}", file=e.file, line=e.line, why=e.why) for e in problems[:_SHOWN]]
    return [*said, *([tr("  and {n:,} more", n=len(problems) - _SHOWN)] if len(problems) > _SHOWN else [])]


MAPPED = "columns"
"""Of the options given to an importer, the one that holds what is found where: JSON, by the names of `AskedColumn`."""
OWN = "own"
"""Of the options given to an importer, the one that says that the file stands in the columns of `score`: no answer
stands there twice, and what is empty was blocked or not given, as the method has it."""
