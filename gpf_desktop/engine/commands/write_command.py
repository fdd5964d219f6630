"""Has a writer model write what a study asks, without a window and without an audit: ``gpf-desktop write``."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpf_desktop.domain.errors import ProviderError, UserError
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.ports.set_up import StudySetUp, WritesItems
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.domain.writing import Provenance, Written, trouble_of
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import load_protocol, write_protocol
from gpf_desktop.engine.models.model_service import checked
from gpf_desktop.engine.writing.writer import write
from gpf_desktop.settings.keys import KeyRing
from gpf_desktop.storage.files import written_whole


@dataclass(frozen=True, slots=True, kw_only=True)
class WritingWish:
    """A request for a written study: the method, the model that writes, the words and the amounts."""

    method: str
    writer: Endpoint
    words: Mapping[str, str]
    """What is said beside the items, by name, where it is not the protocol's."""
    amounts: Mapping[str, int]
    """Where other than the method's own."""
    begin_with: Path | None = None
    """A table of items, or a protocol, that is there already."""
    spend_cap: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WritingSummary:
    """The result of writing: facts, remarks, the calls made, and trouble."""

    facts: str
    said: tuple[str, ...]
    """What was tidied, what lacks and what stands in it twice."""
    calls: tuple[Provenance, ...]
    trouble: str

    def as_dict(self) -> dict[str, Any]:
        """The summary as plain data for ``--json``."""
        return {
            "facts": self.facts,
            "said": list(self.said),
            "trouble": self.trouble,
            "calls": [each.data() for each in self.calls],
        }

    def sentences(self) -> list[str]:
        """The summary for people, a line each."""
        n = sum(each.calls for each in self.calls)
        unpriced = any(each.dollars is None for each in self.calls)
        cost = tr("price unknown") if unpriced else f"${sum(each.dollars or 0.0 for each in self.calls):.4f}"
        paid = trn("{n} call, {cost}.", "{n} calls, {cost}.", n, cost=cost)
        return [f"{self.facts}.", *self.said, paid, *([self.trouble] if self.trouble else [])]


def writing_set_up(method: str) -> WritesItems:
    """The set-up of *method* whose items can be written. Raises `UserError`."""
    catalogue.method(method)
    set_up = catalogue.set_up(method)
    if not isinstance(set_up, WritesItems):
        able = [name for name in catalogue.methods() if isinstance(catalogue.set_up(name), WritesItems)]
        raise UserError(
            tr("No model writes what {method} asks.", method=method), tr("Use one of: {names}.", names=", ".join(able))
        )
    return set_up


def write_items(wish: WritingWish, target: Path) -> WritingSummary:
    """Every step in turn, each where something lacks; written to *target* as a protocol, or as a table (.csv).

    Raises `UserError`, `StorageError`, and `ProviderError` where nothing at all was written.
    """
    set_up = writing_set_up(wish.method)
    protocol, text = _begun(wish, set_up)
    words = _words(wish, set_up.words(protocol))
    amounts = {each.name: wish.amounts.get(each.name, each.default) for each in set_up.amounts}
    written: list[Written] = []
    for step in set_up.steps:
        try:
            tasks = set_up.tasks(step, text, words, amounts)
        except UserError:
            if not text.strip():
                raise
            continue
        made = _asked(wish, tasks, sum(each.provenance.dollars or 0.0 for each in written))
        written += made
        if not any(each.records for each in made):
            raise ProviderError(trouble_of(made), tr("Nothing was written to {path}.", path=str(target)))
        text = set_up.with_written(text, tasks, made)
    done = set_up.with_text(protocol, text, words, written)
    with written_whole(target) as beside:
        beside.write_text(
            set_up.table(text) if target.suffix.lower() == ".csv" else write_protocol(done, wish.method),
            encoding="utf-8",
            newline="",
        )
    return WritingSummary(
        facts=catalogue.method(wish.method).protocol_facts(done),
        said=tuple(set_up.said_of(text)),
        calls=tuple(each.provenance for each in written),
        trouble=trouble_of(written),
    )


def _begun(wish: WritingWish, set_up: WritesItems) -> tuple[Any, str]:
    """The protocol to begin with, and the text of its items: none where nothing is there already."""
    protocol = load_protocol(catalogue.method(wish.method).default_protocol, method=wish.method)
    if wish.begin_with is None:
        return protocol, ""
    if wish.begin_with.suffix.lower() in {".yaml", ".yml", ".toml"}:
        protocol = load_protocol(str(wish.begin_with), method=wish.method)
    else:
        reads = catalogue.set_up(wish.method)
        assert isinstance(reads, StudySetUp), "whose ability writing is"
        protocol = reads.with_items(protocol, wish.begin_with)
    return protocol, set_up.text(protocol)


def _words(wish: WritingWish, titled: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """The texts beside the items: those of *wish*, else those there are. For a study that begins with nothing, all must
    be given. Raises `UserError` for one that is empty."""
    found = {}
    for name, (title, now) in titled.items():
        found[name] = wish.words.get(name, "" if wish.begin_with is None else now)
        if not found[name].strip():
            raise UserError(
                tr("“{field}” is not given.", field=title), tr("Add --{option}.", option=name.replace("_", "-"))
            )
    return found


def _asked(wish: WritingWish, tasks: Sequence[Any], spent: float) -> list[Written]:
    endpoint = checked(wish.writer)
    provider = catalogue.provider(endpoint.provider)
    key = None if provider.synthetic else KeyRing().find(endpoint)
    cap = None if wish.spend_cap is None else wish.spend_cap - spent
    return asyncio.run(write(tasks, endpoint, key, spend_cap=cap))
