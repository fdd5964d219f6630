"""Writing for a study by a writer model: what it is asked, what it wrote, and how that came about.

A method describes each thing that it wants written as a `WritingTask`:

    instruction   what the writer is told, as data with a name and a version (a YAML file of the method's); a place
                  such as ``{domain}`` in it is filled from *filled*, as it is and never interpreted
    form          the JSON that the reply is to be; a provider that holds models to a schema is given it, and every
                  writer is told it in words

Whoever has an audit open asks it through `OpenAudit.writing` (`engine.writing.writing_service`), a command without an
audit through `engine.writing.writer`. Both read replies strictly, ask once more with the reason where one cannot be
read, count what was paid, and return a `Written` for every task, whatever went wrong. Nothing that was written is taken
into a study by itself: it is shown, and an auditor edits it.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from typing import Any, Final

from gpf_desktop.domain.cells import Prompt
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.reasoning import split_thinking, unfenced
from gpf_desktop.domain.text import tr

_PLACE: Final = re.compile(r"\{(\w+)\}")
_TOKENS: Final = 4_000
"""Of a reply, where the task says nothing else."""

Record = Mapping[str, str]
"""Texts by name of their field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """The instruction that a writer is given."""

    name: str
    version: int
    system: str
    user: str

    @classmethod
    def of(cls, name: str, data: Mapping[str, Any]) -> "Instruction":
        """The instruction that plain *data* holds: version, system and user."""
        return cls(name=name, version=int(data["version"]), system=data["system"], user=data["user"])

    @property
    def title(self) -> str:
        """The title as it is kept with what was written."""
        return f"{self.name}, version {self.version}"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadReply:
    """A reply that cannot be read; *why* is a clause for the writer and for people."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One record of texts or, under *several*, a list of such records."""

    fields: tuple[str, ...]
    several: str = ""
    """The name of the list; empty: the reply is one record."""
    most: int = 500
    """Records in a reply at most."""
    longest: int = 20_000
    """Characters of one text at most."""

    def schema(self) -> Mapping[str, Any]:
        """The form as a JSON schema."""
        record = _object({name: {"type": "string"} for name in self.fields})
        return _object({self.several: {"type": "array", "items": record}}) if self.several else record

    def example(self) -> str:
        """A reply of this form."""
        record = dict.fromkeys(self.fields, "…")
        return json.dumps({self.several: [record]} if self.several else record, ensure_ascii=False)

    def read(self, reply: str) -> tuple[Record, ...] | UnreadReply:
        """The records in *reply*, one at least; strictly: a field too many or too few is not guessed at."""
        try:
            data = json.loads(unfenced(split_thinking(reply)[0]))
        except (ValueError, RecursionError):
            return UnreadReply(why=tr("it is not valid JSON"))
        if self.several:
            if not isinstance(data, dict) or not isinstance(data.get(self.several), list):
                return UnreadReply(why=tr("there is no list “{name}”", name=self.several))
            records = data[self.several]
        else:
            records = [data]
        if not 1 <= len(records) <= self.most:
            return UnreadReply(
                why=tr("the list has {n} entries, from 1 to {most} are asked for", n=len(records), most=self.most)
            )
        for each in records:
            if why := self._wrong(each):
                return UnreadReply(why=why)
        return tuple({name: each[name].strip() for name in self.fields} for each in records)

    def _wrong(self, record: object) -> str:
        if not isinstance(record, dict) or set(record) != set(self.fields):
            return tr("an entry has other fields than {names}", names=", ".join(self.fields))
        for name in self.fields:
            text = record[name]
            if not isinstance(text, str) or not text.strip():
                return tr("“{name}” of an entry is no text, or empty", name=name)
            if len(text) > self.longest:
                return tr("“{name}” of an entry is longer than {n} characters", name=name, n=self.longest)
        return ""


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class WritingTask:
    """One call of a writer, two where its first reply cannot be read."""

    instruction: Instruction
    filled: Mapping[str, str]
    """By name of a place in the instruction, what stands there."""
    form: Form
    likely_tokens: int = 800
    """Of a reply, for the cost beforehand."""
    decoding: Decoding = field(default_factory=lambda: Decoding(temperature=None, top_p=None, max_tokens=_TOKENS))
    seed: int = 1

    @property
    def prompt(self) -> Prompt:
        """The message, with the form in words. Raises `KeyError` for a place that nothing fills."""
        asked = f"Reply with JSON of this form and nothing else: {self.form.example()}"
        system = f"{self._fill(self.instruction.system)}\n\n{asked}".strip()
        return Prompt(system=system, user=self._fill(self.instruction.user))

    @property
    def coordinates(self) -> Mapping[str, str | int]:
        """The task as a calibration model is told it."""
        return {"writing": self.instruction.name, **self.filled}

    def again(self, unread: UnreadReply) -> Prompt:
        """The same message with a sentence that says why the first reply could not be read."""
        prompt = self.prompt
        said = f"Your last reply could not be read: {unread.why}. Reply with the JSON alone."
        return Prompt(system=prompt.system, user=f"{prompt.user}\n\n{said}")

    def _fill(self, text: str) -> str:
        # By a function and in one pass: what fills a place is not looked at again, whatever braces or backslashes it
        # holds.
        return _PLACE.sub(lambda place: self.filled[place[1]], text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """The origin of a text of a study: kept in the audit, and by the method with what it took from it."""

    model: str
    """As `Endpoint.label`."""
    instruction: str
    """Name and version."""
    system: str
    prompt: str
    at: str
    """ISO 8601, UTC."""
    calls: int = 0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    """None where the provider counted none."""
    dollars: float | None = None
    """None where the model has no price."""
    synthetic: bool = False

    @property
    def asked(self) -> str:
        """A digest of the model and the question: equal for equal questions to one model."""
        return asked_of(self.model, Prompt(system=self.system, user=self.prompt))

    def data(self) -> dict[str, Any]:
        """The provenance as plain data that `provenance_of` reads back."""
        return asdict(self)


def asked_of(model: str, prompt: Prompt) -> str:
    """`Provenance.asked` of *prompt*, asked of the model with the label *model*."""
    return blake2b("\x1f".join((model, prompt.system, prompt.user)).encode(), digest_size=16).hexdigest()


def provenance_of(data: object) -> Provenance:
    """Raises `TypeError` for what `Provenance.data` does not write."""
    words = ("model", "instruction", "system", "prompt", "at")
    if not isinstance(data, Mapping) or not all(isinstance(data.get(name), str) for name in words):
        raise TypeError(tr("what a writer was asked is missing"))
    return Provenance(**data)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The result of a task."""

    records: tuple[Record, ...]
    """Empty where nothing usable came."""
    trouble: str
    """Why there is none, in the provider's words or ours; empty where there is."""
    provenance: Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class WritingCost:
    """The likely cost of tasks."""

    calls: int
    """Without those that are asked again."""
    low: float | None
    """US dollars; None where the model has no price."""
    high: float | None
    at_most: float | None
    """Every reply as long as it may be, and each asked for twice."""


def trouble_of(written: Sequence[Written]) -> str:
    """The first trouble among *written*, with the model that had it, as a sentence; empty: none."""
    return next((f"{each.provenance.model}: {each.trouble.rstrip('.')}." for each in written if each.trouble), "")
