"""Review packs: what reviewers said, as one file that goes to another machine and back. Holds no key and no answer.

A pack is a zip with one file, `reviews.json`. With the readings go codes and memos, and the groups that a reviewer
says they belong to (`study_packs`). Each reviewer's history is sealed (`domain.reviews.SealedEntry`), so a
change made on the way is found out, and nothing of that history is taken; who made an entry is told by its signature
(`signatures`). A history that somebody continued on two
machines is joined: nothing that they said is lost, the later of two readings of one bundle holds, and it is told.
"""

import json
import zipfile
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from gpf_desktop.documents.targets import not_read
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reviews import (
    BundleKey,
    ReviewAction,
    Reviewer,
    SealedEntry,
    canonical,
    first_break,
    join,
    judgement_from_json,
)
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.review import study_packs
from gpf_desktop.engine.review.signatures import first_doubt
from gpf_desktop.storage import audits, bundle_keys, reviewers, reviews
from gpf_desktop.storage.files import written_whole
from gpf_desktop.storage.times import as_text, now
from gpf_desktop.storage.writer import Connection

SUFFIX: Final = "gpfreviews"
FORMAT: Final = "gpf-review-pack"
VERSION: Final = 1
_INSIDE: Final = "reviews.json"
LARGEST: Final = 256 * 2**20
"""Bytes, unpacked: some 300,000 entries."""
SKEW: Final = timedelta(hours=1)
"""How far the clock of another machine may be ahead of this one's."""
_ENTRY_FIELDS: Final = {field.name for field in fields(SealedEntry)} - {"reviewer"}


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """One reviewer's history in a pack."""

    uuid: str
    name: str
    entries: tuple[SealedEntry, ...]
    study: tuple[SealedEntry, ...] = ()
    """Their codes and memos."""
    groups: tuple[str, ...] = ()
    """What they say that they belong to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedHistory:
    """The result of merging one reviewer's history."""

    name: str
    added: int
    known: int
    """Entries that the audit held already, those about codes and memos too."""
    problem: str = ""
    """Why nothing of it was taken; empty where it was."""
    joined: bool = False
    """The pack and this audit had each gone on from where the other did not."""
    to_confirm: str = ""
    """The reviewer's uuid, where nothing was taken and the auditor's word is enough to take it."""
    both: tuple[BundleId, ...] = ()
    """Bundles that the reviewer judged in both places since; the later reading holds."""
    corrects: bool = False
    """What is new corrects what answers come to."""
    study: int = 0
    """New entries about codes, and memos."""


def export_pack(connection: Connection, target: Path, *, login: str = "") -> int:
    """Write everybody's history to *target*, whole or not at all; how many entries, of codes and memos too.

    The groups in it are those of who sits here as *login* alone: others gave theirs to this audit, not to its reader.
    """
    seated = reviewers.at_this_machine(connection, login)
    histories = [
        {
            "uuid": reviewer.uuid,
            "name": reviewer.name,
            "entries": [
                {name: value for name, value in asdict(entry).items() if name != "reviewer"}
                for entry in reviews.sealed(connection, reviewer)
            ],
            **study_packs.written(connection, reviewer.uuid, groups=reviewer == seated),
        }
        for reviewer in reviewers.every(connection)
    ]
    text = canonical(
        {
            "format": FORMAT,
            "version": VERSION,
            "audit": audits.facts(connection).uuid,
            "made": now(),
            "reviewers": histories,
        }
    )
    with written_whole(target) as beside, zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED) as pack:
        pack.writestr(_INSIDE, text)
    return sum(len(each["entries"]) + len(each.get("study", ())) for each in histories)


def read_pack(path: Path) -> tuple[History, ...]:
    """The histories in the pack at *path*. Raises `UserError` for anything that is not a pack of ours."""
    try:
        with zipfile.ZipFile(path) as pack:
            text = pack.read(_only_member(path, pack))
        data = json.loads(text)
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise _no_pack(path, tr("it does not say that it is one"))
        if data["version"] != VERSION:
            raise UserError(
                tr("{file} was made by a newer version of GPF Desktop.", file=path.name),
                tr("Install the newest version, then import it again."),
            )
        return tuple(_history(each) for each in data["reviewers"])
    except FileNotFoundError:
        raise UserError(tr("There is no file {file}.", file=str(path))) from None
    except OSError as error:
        raise not_read(path, error) from error
    # `zipfile` raises a RuntimeError for an encrypted file, and for a compression that it does not know.
    except (EOFError, zipfile.BadZipFile, zlib.error, RuntimeError) as error:
        raise _no_pack(path, str(error)) from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise _no_pack(path, tr("its content is not as it should be")) from error


def merge(
    connection: Connection, histories: tuple[History, ...], *, login: str = "", confirmed: Collection[str] = ()
) -> tuple[MergedHistory, ...]:
    """Take what is new in *histories*. The same pack again changes nothing.

    *confirmed* are the uuids of reviewers whose entries the auditor takes though they are not certainly their own:
    unsigned ones of who sits here as *login*, those without a signature or with a new key where a history is signed.
    """
    seated = reviewers.at_this_machine(connection, login)
    me = "" if seated is None else seated.uuid
    return tuple(_merge_one(connection, history, me=me, confirmed=confirmed) for history in histories)


def _merge_one(connection: Connection, history: History, *, me: str, confirmed: Collection[str]) -> MergedHistory:
    damaged = _damaged(history)
    if damaged is not None:
        return damaged
    known = reviewers.by_uuid(connection, history.uuid)
    held = [] if known is None else reviews.sealed(connection, known)
    here = {entry.hash for entry in held}
    new = [entry for entry in history.entries if entry.hash not in here]
    doubtful = _doubtful(connection, history, held, new, me=me, confirmed=confirmed)
    if doubtful is not None:
        return doubtful
    found = [(bundle_keys.bundle_called(connection, entry.subject), entry) for entry in new]
    about = [(bundle, entry) for bundle, entry in found if bundle is not None]
    strangers = len(found) - len(about)
    # All or nothing: each entry seals those before it, and a chain with gaps could not be told from one that was cut.
    if strangers:
        return _refused(
            history, tr("{n} of its entries are about sets of answers that this audit does not hold", n=strangers)
        )
    # Both sides went on: one entry that names the ends of both makes the strands one history again.
    there = {entry.hash for entry in history.entries}
    own = [entry for entry in held if entry.hash not in there]
    if new and own:
        joining = join(history.uuid, (held[-1], history.entries[-1]))
        bundle = bundle_keys.bundle_called(connection, joining.subject)
        # Both ends are about bundles of this audit: of entries that it holds, or of new ones that were found above.
        assert bundle is not None
        about.append((bundle, joining))
    reviewer: Reviewer = known or reviewers.add(connection, history.name, known_as=history.uuid)
    reviews.merge(connection, reviewer.id, about)
    study = study_packs.merge(connection, history.uuid, history.study, history.groups)
    return MergedHistory(
        name=history.name,
        added=len(new),
        known=len(history.entries) - len(new) + len(history.study) - study,
        joined=bool(new and own),
        both=_judged_in_both(connection, new, own),
        corrects=any(entry.action == ReviewAction.CORRECT for entry in new),
        study=study,
    )


def _damaged(history: History) -> MergedHistory | None:
    """The refusal of a *history* that was changed or is dated in the future, whoever brings it; None if it is sound."""
    broken = first_break(list(history.entries))
    if broken is not None:
        return _refused(history, tr("entry {n} of this history was changed after its check code was made", n=broken))
    broken = study_packs.broken_at(history.study)
    if broken is not None:
        return _refused(
            history, tr("entry {n} of its codes and memos was changed after its check code was made", n=broken)
        )
    # An entry dated tomorrow would win over all that is said until then, and the later entries of
    # its reviewer would take its date.
    latest = as_text(datetime.now(UTC) + SKEW)
    for n, entry in (*enumerate(history.entries, start=1), *enumerate(history.study, start=1)):
        if entry.at > latest:
            return _refused(
                history,
                tr(
                    "entry {n} is dated {moment}, which is still to come by this machine's clock",
                    n=n,
                    moment=entry.at,
                ),
            )
    return None


def _doubtful(
    connection: Connection,
    history: History,
    held: Sequence[SealedEntry],
    new: Sequence[SealedEntry],
    *,
    me: str,
    confirmed: Collection[str],
) -> MergedHistory | None:
    """The refusal of a *history* until the auditor says that its *new* entries are its reviewer's own; a forged one is
    always refused; None if there is no doubt."""
    keys = {entry.key for entry in held if entry.key}
    doubt = first_doubt(history.entries, keys, {entry.hash for entry in new})
    signing = keys | {entry.key for entry in history.entries if entry.key}
    doubts = [each for each in (doubt, study_packs.doubt(connection, history.uuid, history.study, signing)) if each]
    forged = next((each for each in doubts if each.forged), None)
    if forged is not None:
        return _refused(history, forged.why)
    if history.uuid in confirmed:
        return None
    if doubts:
        return _refused(history, doubts[0].why, to_confirm=history.uuid)
    new = [*new, *study_packs.new_of(connection, history.uuid, history.study)]
    if new and history.uuid == me and not keys:
        mine = tr("it adds {n} entries that are not signed to your own history", n=len(new))
        return _refused(history, mine, to_confirm=history.uuid)
    return None


def _judged_in_both(
    connection: Connection, new: Sequence[SealedEntry], own: Sequence[SealedEntry]
) -> tuple[BundleId, ...]:
    judging = (ReviewAction.SUBMIT, ReviewAction.WITHDRAW, ReviewAction.ADJUDICATE)
    elsewhere = {entry.subject for entry in new if entry.action in judging}
    subjects = dict.fromkeys(entry.subject for entry in own if entry.action in judging and entry.subject in elsewhere)
    found = (bundle_keys.bundle_called(connection, subject) for subject in subjects)
    return tuple(bundle for bundle in found if bundle is not None)


def _refused(history: History, problem: str, *, to_confirm: str = "") -> MergedHistory:
    return MergedHistory(name=history.name, added=0, known=0, problem=problem, to_confirm=to_confirm)


def _only_member(path: Path, pack: zipfile.ZipFile) -> zipfile.ZipInfo:
    """The one file of a pack. Nothing is ever unpacked to the disk, whatever its name says."""
    members = pack.infolist()
    if [member.filename for member in members] != [_INSIDE]:
        raise _no_pack(path, tr("it should hold one file, {name}, and nothing else", name=_INSIDE))
    (member,) = members
    # Unix's mode stands in the upper 16 bits; 0o120000 is that of a symbolic link.
    if member.is_dir() or (member.external_attr >> 16) & 0o170000 == 0o120000:
        raise _no_pack(path, tr("{name} in it is no plain file", name=_INSIDE))
    # What the file says of itself, which is also the most that `zipfile` gives out of it.
    if member.file_size > LARGEST:
        raise _no_pack(path, tr("it is larger than any pack can be"))
    return member


def _history(data: Mapping[str, Any]) -> History:
    uuid, name = data["uuid"], data["name"]
    if not isinstance(uuid, str) or not isinstance(name, str) or not uuid or len(name) > 200:
        raise ValueError("reviewer")
    return History(
        uuid=uuid,
        name=" ".join(name.split()) or tr("Reviewer"),
        entries=tuple(_entry(uuid, e) for e in data["entries"]),
        study=study_packs.entries_of(uuid, data),
        groups=study_packs.groups_of(data),
    )


def _entry(uuid: str, data: Mapping[str, Any]) -> SealedEntry:
    if set(data) != _ENTRY_FIELDS or not all(isinstance(value, str) for value in data.values()):
        raise ValueError("entry")
    judgement_from_json(data["judgement"])
    ReviewAction(data["action"])
    BundleKey(**json.loads(data["subject"]))
    # Read without the bounds of stored moments: one from the last year of all is told as one from the future.
    moment = datetime.fromisoformat(data["at"])
    if moment.utcoffset() != timedelta() or as_text(moment) != data["at"]:
        # Entries are put in order by these letters: another zone or another way of writing would jump the queue.
        raise ValueError("moment")
    return SealedEntry(reviewer=uuid, **data)


def _no_pack(path: Path, why: str) -> UserError:
    return UserError(
        tr("{file} is not a review pack: {why}.", file=path.name, why=why),
        tr("Ask for the file that “Export review pack” wrote."),
    )
