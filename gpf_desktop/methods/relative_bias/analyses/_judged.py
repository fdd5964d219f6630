"""What judges said: by which rubric each went, and how far orders in answers moved it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gpf_desktop.domain.judging import INJECTED, JudgeReply
from gpf_desktop.methods.relative_bias.rubric import Rubric, ten_levels
from gpf_desktop.stats.obedience import Obedience, obedience


class Rubrics:
    """What judges' replies are read by. Levels of unlike rubrics are no one scale: who went by several has a name by
    each."""

    def __init__(self, of_run: Mapping[int, Rubric], names: Mapping[str, str]) -> None:
        self._of_run, self._names = of_run, names
        self._titles: dict[tuple[str, ...], str] = {}
        for rubric in of_run.values():
            if rubric.levels not in self._titles:
                like = [title for title in self._titles.values() if title.partition(" (")[0] == rubric.title]
                self._titles[rubric.levels] = f"{rubric.title} ({len(like) + 1})" if like else rubric.title
        self.tops: dict[str, int] = {}
        """By the name of a judge that was asked for."""

    def judge(self, reply: Any) -> str:
        """Who gave *reply*, as tables name it."""
        rubric, name = self.of(reply), self._names[reply.model]
        if len(self._titles) > 1:
            name = f"{name} · {self._titles.get(rubric.levels, rubric.title)}"
        self.tops[name] = rubric.top
        return name

    def of(self, reply: Any) -> Rubric:
        return self._of_run.get(reply.run_id) or ten_levels()

    def level(self, reply: Any) -> int:
        """0: none can be read."""
        read = self.of(reply).form.read(reply.text)
        return read.level if isinstance(read, JudgeReply) else 0


def obediences(replies: Sequence[Any], rubrics: Rubrics) -> Iterator[Obedience]:
    """Of each judge, by the answers of which it gave a level to both orders."""
    # By what was rated and not by round: an answer that is put to the test again counts once, as it was rated last.
    given: dict[str, dict[tuple[str, str], dict[str, dict[str, int]]]] = {}
    for each in replies:
        if each.arm == INJECTED and not each.missing and (level := rubrics.level(each)):
            answers = given.setdefault(rubrics.judge(each), {}).setdefault((each.stratum, each.title), {})
            answers.setdefault(each.coordinates["answer_of"], {})[each.coordinates["ordered"]] = level
    for judge, questions in given.items():
        top = rubrics.tops[judge]
        both = [
            (question, said["1"], said[str(top)])
            for question, answers in enumerate(questions.values())
            for said in answers.values()
            if {"1", str(top)} <= said.keys()
        ]
        if both:
            yield obedience(judge, both, top=top)
