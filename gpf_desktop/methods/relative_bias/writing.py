"""The tasks of a writer model: themes first, then questions of each theme, avoiding those that are there."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final

import yaml

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.writing import Form, Instruction, WritingTask, Written
from gpf_desktop.methods.relative_bias.question_sets import QuestionTheme, as_text, from_text

THEMES: Final = "relative-bias themes"
QUESTIONS: Final = "relative-bias questions"
_TOKENS_OF_A_THEME: Final = 40
_TOKENS_OF_A_QUESTION: Final = 35
_THEME_FORM: Final = Form(fields=("name", "description"), several="themes", most=100, longest=1_000)
_QUESTION_FORM: Final = Form(fields=("question",), several="questions", most=500, longest=2_000)


@cache
def writer_data() -> Mapping[str, Any]:
    """Instructions by name, and what the calibration writer's words are."""
    data: Mapping[str, Any] = yaml.safe_load(
        (resources() / "methods" / "relative_bias" / "writer.yaml").read_text(encoding="utf-8")
    )
    return data


def theme_tasks(themes: Sequence[QuestionTheme], domain: str, bias: str, wanted: int) -> list[WritingTask]:
    """One task, for as many themes as lack to *wanted*; none where none lack."""
    lacking = wanted - len(themes)
    if lacking <= 0:
        return []
    having = _having("These are there already; name others:", [theme.name for theme in themes])
    filled = {"domain": domain, "bias": bias, "n": str(lacking), "having": having}
    return [_task(THEMES, filled, _THEME_FORM, lacking * _TOKENS_OF_A_THEME)]


def question_tasks(themes: Sequence[QuestionTheme], domain: str, bias: str, wanted: int) -> list[WritingTask]:
    """A task for each theme that has fewer than *wanted* questions."""
    tasks = []
    for theme in themes:
        lacking = wanted - len(theme.questions)
        if lacking > 0:
            filled = {
                "domain": domain,
                "bias": bias,
                "theme": theme.name,
                "description": theme.description or theme.name,
                "n": str(lacking),
                "having": _having("These are there already; ask others:", theme.questions),
            }
            tasks.append(_task(QUESTIONS, filled, _QUESTION_FORM, lacking * _TOKENS_OF_A_QUESTION))
    return tasks


def with_written(text: str, tasks: Sequence[WritingTask], written: Sequence[Written]) -> str:
    """*text*, which may have changed since *tasks* were asked, with what was *written* for them in its place.

    As it was written: numbering and doubles are found, and told, where the text is read.
    """
    try:
        there = from_text(text).themes if text.strip() else ()
        before = ""
    except UserError:
        # Somebody is in the middle of a line: what was paid for goes below it, whole.
        there, before = (), text.rstrip() + "\n\n"
    themes = {theme.name.casefold(): theme for theme in there}
    for task, each in zip(tasks, written, strict=True):
        for record in each.records[: int(task.filled["n"])]:
            asked = task.instruction.name == QUESTIONS
            # Where the text is read, a colon in the name of a theme would begin its description.
            name = _line(task.filled["theme"] if asked else record["name"]).replace(":", " –")
            about = "" if asked else _line(record["description"])
            theme = themes.get(name.casefold(), QuestionTheme(name=name, description=about, questions=()))
            more = (_line(record["question"]),) if asked else ()
            themes[name.casefold()] = replace(theme, questions=(*theme.questions, *more))
    return before + as_text(tuple(themes.values()))


def taken(text: str, written: Sequence[Written]) -> list[Written]:
    """The passages in *written* of which at least one record still stands in *text*."""
    return [each for each in written if any(_line(next(iter(record.values()))) in text for record in each.records)]


def _task(name: str, filled: Mapping[str, str], form: Form, tokens: int) -> WritingTask:
    instruction = Instruction.of(name, writer_data()[name])
    return WritingTask(instruction=instruction, filled=filled, form=form, likely_tokens=max(50, tokens))


def _having(words: str, lines: Sequence[str]) -> str:
    return "\n\n" + "\n".join((words, *(f"- {each}" for each in lines))) if lines else ""


def _line(text: str) -> str:
    """*text* in one line, without the mark of a theme's head."""
    return " ".join(text.split()).lstrip("# ")
