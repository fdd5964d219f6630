"""The names by which tables call what every method asks for: declared once, read by `import` and by `score` alike.

Lower-case, the likeliest first. What one method alone asks for is declared beside its `Columns`.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

MODEL: Final = ("model_name", "model_id", "provider", "llm", "engine", "generator")
RESPONSE: Final = (
    "answer",
    "output",
    "completion",
    "generated_text",
    "reply",
    "actual_output",
    "actualoutput",
    "outputs",
    "agent_answer",
    "output_message",
    "responses",
)
REPEAT: Final = ("generation", "epoch", "sample", "repetition")

ELSEWHERE: Final = {
    **dict.fromkeys(("modell", "modèle", "modele", "modelo", "modello", "модель", "모델", "模型"), "model"),
    **dict.fromkeys(("antwort", "réponse", "reponse", "respuesta", "risposta", "resposta"), "response"),
    **dict.fromkeys(("відповідь", "ответ", "回答", "model_response", "response_text", "answer_text"), "response"),
    "assistant": "response",
    **dict.fromkeys(("providedmodelname", "ls_model_name", "request_model"), "model"),
    **dict.fromkeys(("frage", "pregunta", "domanda", "pergunta", "питання", "вопрос", "question_text"), "question"),
    **dict.fromkeys(("schlagzeile", "überschrift", "titre", "titular", "titolo", "título"), "headline"),
    **dict.fromkeys(("identität", "leser", "identité", "identidad", "identità", "identidade", "reader"), "identity"),
    **dict.fromkeys(("konzept", "concepto", "concetto", "conceito"), "concept"),
    **dict.fromkeys(("thema", "thème", "tema"), "theme"),
    **dict.fromkeys(("richter", "prüfer", "juge", "juez", "giudice", "суддя"), "judge"),
    **dict.fromkeys(("bewertung", "puntuación", "valutazione", "оцінка"), "level"),
}
"""Names in other languages and longer ones, looked for where no column has a name of its own."""
OF_ANSWERS: Final = ("scored by ", "explanation of ", "namedscores.", "filter.")
"""How columns begin that hold what another program made of an answer; none says how it was asked."""

COUNTED: Final = re.compile(r"(?:^|\.)(?:(?:token_?)?usage(?:_?details)?|(?:cost|pricing)_?details|tokens)\.")
"""Within whose names columns are numbers of tokens or money, whatever their last part says: ``usagedetails.input``."""

INDEX: Final = re.compile(r"|index|(?:unnamed: ?|level_)\d+(?:\.\d+)?")
"""How pandas calls a column that numbers the rows."""

_ANSWERS_OF: Final = re.compile(r"(?:(.+?)(?<!\.)[ _-]?)?responses?", re.IGNORECASE)
_NOBODY: Final = frozenset(
    {"model", "llm", "ai", "raw", "full", "final", "the", "generated", "assistant", "chatbot", "first", "second"}
)
"""What stands before "response" and names no model."""

_OF_HEADS: Final = frozenset(
    {
        *("model", "response", "question", "prompt", "prompts", "theme", "item", "headline"),
        *MODEL,
        *RESPONSE,
    }
)
_TOGETHER: Final = 2
_SECOND_HEAD: Final = frozenset({"response", "open-ended response"})
"""What SurveyMonkey writes below the names of the columns."""


@lru_cache(maxsize=4096)
def answerer(column: str) -> str | None:
    """Whose answers a *column* that is called ``<Model>_Response``, ``<Model>Responses`` or so holds: empty where it
    does not say, None where it is called otherwise."""
    if not (named := _ANSWERS_OF.fullmatch(column.strip())):
        return None
    whose = (named[1] or "").strip()
    return "" if whose.lower() in _NOBODY else whose


def is_head(cells: Iterable[str]) -> bool:
    """Whether *cells* of a row are surely names of a table of answers; notes beside it may have one such word."""
    names = [cell.strip().lower() for cell in cells]
    return sum(name in _OF_HEADS or name.endswith("response") for name in names) >= _TOGETHER


def is_second_head(cells: Iterable[str]) -> bool:
    """Whether *cells* of a row below the names of their columns go on with these."""
    said = {text for cell in cells if (text := cell.strip().lower())}
    return bool(said) and said <= _SECOND_HEAD
