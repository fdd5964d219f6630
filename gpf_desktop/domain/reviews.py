"""A reviewer's judgements on bundles. Entries are appended, never overwritten."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from gpf_desktop.domain.ids import BundleId, ReviewerId
from gpf_desktop.domain.protocol import LATER


class Verdict(StrEnum):
    """A person's reading of a bundle; the instrument itself gives none."""

    HARMFUL = "stereotyping or harmful framing"
    CONTEXT = "fitting context"
    LEGITIMATE = "legitimate difference in material impact"
    ARTEFACT = "instrument artefact"
    UNSURE = "unsure"


class ReviewStatus(StrEnum):
    """The status of one bundle for one reviewer."""

    TO_DO = "to do"
    DRAFT = "draft"
    DONE = "done"


class Signer(Protocol):
    """Signs for one reviewer."""

    key: str
    """The public key, in hexadecimal digits."""

    def sign(self, seal: str) -> str:
        """The signature of *seal*, in hexadecimal digits."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewer:
    """A person who reads bundles. The *uuid* stays when the name is edited, and across machines."""

    id: ReviewerId
    uuid: str
    name: str
    signer: Callable[[], Signer | None] = field(default=lambda: None, compare=False, repr=False)
    """Who signs for them; None for who does not sit at this machine, or where it has no key store. A key store may take
    its time, so it is asked when there is something to sign."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedPassage:
    """A stretch of one answer with its own comment; offsets in characters of the stored text."""

    cell_id: int
    start: int
    end: int
    comment: str = ""
    codes: tuple[str, ...] = field(default=(), metadata=LATER)
    """Ids of codes of the code book, in the order in which they were given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """The category of an answer as a person reads it, in place of what the scorer's rules made of it."""

    cell_id: int
    measure: str
    """A score of answers that has categories."""
    category: str
    """Empty: what the rules say holds again."""
    rules: str = ""
    """What the rules had said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The whole form at one moment; a draft may be incomplete, a submitted one has a verdict.

    A further field is marked `LATER`, and read in `judgement_from_json`: what is sealed already keeps its words.
    """

    verdict: Verdict | None = None
    severity: int | None = None
    """1 to 4; None where the verdict is no harm or nothing was chosen."""
    affected: tuple[str, ...] = ()
    """Levels whose answers are concerned."""
    passages: tuple[MarkedPassage, ...] = ()
    tags: tuple[str, ...] = ()
    note: str = ""
    flagged: bool = False
    corrections: tuple[Correction, ...] = field(default=(), metadata=LATER)
    """Of an entry that corrects or rates, what it says of answers; of no other."""
    letters: tuple[str, ...] = field(default=(), metadata=LATER)
    """Levels in the order in which the author, reading blind, saw A, B, …; empty: names were in sight."""


class ReviewAction(StrEnum):
    """The action that an entry of the history records."""

    SUBMIT = "submit"
    WITHDRAW = "withdraw"
    """A submission was undone; what it said is a draft again."""
    FLAG = "flag"
    """Flagged for another look, or not any more: `Judgement.flagged` says which."""
    REVEAL = "reveal"
    """Names and model were shown after a blind reading."""
    ADJUDICATE = "adjudicate"
    """Settles a disagreement; what each reviewer said stays."""
    CORRECT = "correct"
    """Answers come to something else than the scorer made of them: `Judgement.corrections` says what."""
    RATE = "rate"
    """Rated answers by the method's rubric, blind: `Judgement.corrections` says how. Says nothing of the bundle."""
    JOIN = "join"
    """The history was continued in two places; from here on it is one again. Says nothing of the bundle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewEntry:
    """One line of a reviewer's history of a bundle."""

    bundle_id: BundleId
    reviewer_id: ReviewerId
    reviewer: str
    action: ReviewAction
    judgement: Judgement
    reason: str
    at: datetime
    hash: str = ""
    """Seals this entry and, through the one before, all of this reviewer's earlier ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedEntry:
    """An entry in the words that its hash was made from; what a review pack carries."""

    reviewer: str
    """The reviewer's uuid."""
    subject: str
    """The bundle in portable words: canonical JSON of `BundleKey`."""
    action: str
    judgement: str
    """Canonical JSON of `Judgement`."""
    reason: str
    at: str
    previous_hash: str
    """Hash of the entry before; empty for a reviewer's first, both continuations' with a space between for a join."""
    hash: str = ""
    key: str = ""
    """The reviewer's public key; empty where the entry was not signed."""
    signature: str = ""
    """Of the hash, by that key."""

    def seal(self) -> str:
        """The hash that this entry must have."""
        # Key and signature come behind the seal: what is signed is the seal.
        words = {name: value for name, value in _words(self).items() if name not in {"hash", "key", "signature"}}
        return hashlib.sha256(canonical(words).encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleKey:
    """Names a bundle on any machine that holds the same run."""

    run: str
    """The run's plan hash and the moment it was set up."""
    method: str
    model: str
    """Empty where models vary within the bundle; *item* likewise."""
    base_url: str
    item: str
    arm: str
    coordinates: str
    """As `Coordinates.text` gives them."""

    def text(self) -> str:
        return canonical(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """Whether one reviewer's history is whole."""

    reviewer: Reviewer
    entries: int
    head: str
    """The last entry's hash, to be printed and kept elsewhere; empty while there is none."""
    broken_at: int | None
    """Number (from 1) of the first entry that does not fit; None: the history is whole."""
    signed: int = 0
    """Entries signed by their reviewer; a join needs no signature and counts as signed where the others are."""

    @property
    def whole(self) -> bool:
        return self.broken_at is None


def canonical(value: object) -> str:
    """*value*, perhaps with dataclasses in it, as JSON with one spelling, so that equal content has equal hashes."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=_words)


def _words(value: Any) -> dict[str, object]:
    # `asdict` copies all that is in it, and was more than half the time of a decision about 1,000 bundles.
    return {each.name: getattr(value, each.name) for each in fields(value)}


def judgement_to_json(judgement: Judgement) -> str:
    """The judgement as JSON, as it is sealed; without empty fields that are `LATER`, as before there were any."""
    return canonical(_without_later(judgement) | {"passages": [_without_later(each) for each in judgement.passages]})


def _without_later(value: Judgement | MarkedPassage) -> dict[str, object]:
    said = _words(value)
    return {each.name: said[each.name] for each in fields(value) if said[each.name] or "later" not in each.metadata}


def judgement_from_json(text: str) -> Judgement:
    """Raises `ValueError`, `KeyError` or `TypeError` where *text* is none of ours."""
    data: Mapping[str, Any] = json.loads(text)
    verdict = data["verdict"]
    severity = data["severity"]
    if severity is not None and severity not in (1, 2, 3, 4):
        raise ValueError(f"severity {severity!r}")
    return Judgement(
        verdict=None if verdict is None else Verdict(verdict),
        severity=severity,
        affected=tuple(str(level) for level in data["affected"]),
        passages=tuple(
            MarkedPassage(
                cell_id=int(p["cell_id"]),
                start=int(p["start"]),
                end=int(p["end"]),
                comment=str(p["comment"]),
                codes=tuple(str(code) for code in p.get("codes", ())),
            )
            for p in data["passages"]
        ),
        tags=tuple(str(tag) for tag in data["tags"]),
        note=str(data["note"]),
        flagged=bool(data["flagged"]),
        corrections=tuple(
            Correction(cell_id=int(c["cell_id"]), **{name: str(c[name]) for name in ("measure", "category", "rules")})
            for c in data.get("corrections", ())
        ),
        letters=tuple(str(level) for level in data.get("letters", ())),
    )


def blocking_field(judgement: Judgement) -> str | None:
    """The field that keeps *judgement* from being submitted, or None."""
    if judgement.verdict is None:
        return "verdict"
    if judgement.verdict is Verdict.HARMFUL and judgement.severity is None:
        return "severity"
    return None


def first_break(entries: Sequence[SealedEntry]) -> int | None:
    """The number (from 1) of the first of *entries*, oldest first, that was changed, removed or put in later.

    A history that was continued in two places runs as two strands until an entry joins them; a strand that the last
    entry does not seal was put in later.
    """
    seen: set[str] = set()
    unsealed: dict[str, int] = {}
    for number, entry in enumerate(entries, start=1):
        before = entry.previous_hash.split()
        if entry.seal() != entry.hash or not seen.issuperset(before):
            return number
        for each in before:
            unsealed.pop(each, None)
        seen.add(entry.hash)
        # What no later entry seals is an end, and a whole history has one.
        unsealed[entry.hash] = number
    strands = sorted(unsealed.values())
    return strands[0] if len(strands) > 1 else None


def join(reviewer: str, ends: tuple[SealedEntry, SealedEntry]) -> SealedEntry:
    """The entry that makes two continuations of *reviewer*'s history one; the same on every machine that joins them."""
    first, last = sorted(ends, key=lambda entry: (entry.at, entry.hash))
    entry = SealedEntry(
        reviewer=reviewer,
        subject=last.subject,
        action=ReviewAction.JOIN.value,
        judgement=judgement_to_json(Judgement()),
        reason="",
        # Not the moment of joining: two machines would make two different entries of it.
        at=last.at,
        previous_hash=f"{first.hash} {last.hash}",
    )
    return replace(entry, hash=entry.seal())
