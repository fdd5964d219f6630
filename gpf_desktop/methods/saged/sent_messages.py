"""Messages that ask a prompt: of which sentence, concept and role each is."""

from collections.abc import Mapping
from typing import Final

from gpf_desktop.methods._sent_messages import plain
from gpf_desktop.methods.saged.benchmark import BenchmarkRow
from gpf_desktop.methods.saged.protocol import PROMPT, BenchmarkStudy

TELLS: Final = frozenset({"concept", "group", "identity", "root", "root_id", "prompt_id", "baseline", "keyword"})
"""A table with one of these columns says itself what was asked."""


class PromptMessages:
    """The messages that a study makes of its prompts, to find a prompt by a message."""

    def __init__(self, study: BenchmarkStudy) -> None:
        self._roles = study.roles
        self._asked: dict[str, list[tuple[str, BenchmarkRow]]] = {}
        for role in study.roles:
            for row in study.benchmark:
                sent = plain(study.message(role).replace(PROMPT, row.prompt))
                self._asked.setdefault(sent, []).append((role, row))

    def __call__(self, sent: str, system: str) -> Mapping[str, str]:
        """The values that the message *sent* tells, by the names of columns; empty where the study makes no such
        message. Of roles that send the same one it is that of the system prompt, else the one without."""
        places = self._asked.get(plain(sent), ())
        said = [place for place in places if plain(self._roles[place[0]]) == plain(system)]
        for role, row in said or [place for place in places if not self._roles[place[0]]]:
            told = {name: getattr(row, name) for name in ("domain", "concept", "keyword", "source_tag", "root")}
            return told | {"prompt": row.prompt, "baseline": row.baseline, "branch": row.branch, "role": role}
        return {}
