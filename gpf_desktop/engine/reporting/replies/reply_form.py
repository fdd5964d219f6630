"""The form that the audited party fills in: an entry for each finding, and what they say to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import tomlkit

from gpf_desktop.documents import encodings
from gpf_desktop.domain.articles import Document
from gpf_desktop.domain.check_codes import check_code
from gpf_desktop.domain.declarations import PartyReply
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.finding_keys import WHOLE, auditor_key, conclusion_key
from gpf_desktop.domain.reports import Report
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.capped_files import read_bytes, toml_data

FORM: Final = "reply.toml"
_MOST: Final = 20_000
"""Characters of one reply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepliedFinding:
    """Something that may be replied to."""

    about: str
    says: str

    @property
    def code(self) -> str:
        return check_code(self.says)


def findings_of(report: Report) -> tuple[RepliedFinding, ...]:
    """The report as a whole, what is concluded of each model, and what its auditor found."""
    headline = report.found[0] if report.concluded is None and report.found else report.title
    whole = headline if report.concluded is None else report.concluded.headline
    told = () if report.concluded is None else report.concluded.told
    found = [each for part in report.parts for each in part.findings]
    return (
        RepliedFinding(about=WHOLE, says=whole),
        *(RepliedFinding(about=conclusion_key(each.conclusion), says=each.sentence) for each in told),
        *(
            RepliedFinding(about=auditor_key(number), says=" ".join((each.title, *each.paragraphs)).strip())
            for number, each in enumerate(found, start=1)
        ),
    )


def reply_words(reply: PartyReply) -> str:
    """*reply* as it stands under the finding that it answers."""
    who = ", ".join(filter(None, (reply.who, reply.at))) or tr("the audited party")
    return tr("Reply of {who}: “{text}”", who=who, text=reply.text)


def form(report: Report, audit: str) -> str:
    """The form as TOML, for the audit whose UUID is *audit*."""
    document = tomlkit.document()
    for line in (
        tr("Write your reply between the quotes of “reply”; what stays empty was not replied to."),
        tr("Three quotes in a row begin and end a text of several lines. Send this file back as it is."),
    ):
        document.add(tomlkit.comment(line))
    document.add("audit", audit)
    document.add("who", "")
    document.add("date", "")
    entries = tomlkit.aot()
    for each in findings_of(report):
        entries.append(tomlkit.item({"about": each.about, "says": each.says, "code": each.code, "reply": ""}))
    document.add("findings", entries)
    return tomlkit.dumps(document)


def read_replies(path: Path, audit: str) -> tuple[PartyReply, ...]:
    """The replies in the form at *path*. Raises `UserError` if it is no form, or one of another audit."""
    text = encodings.text(Document(body=read_bytes(path), address=str(path)))
    data = toml_data(text, path.name, tr("Mend that place, or ask for the form again."))
    if str(data.get("audit", "")) != audit:
        raise UserError(
            tr("{where} replies to another audit.", where=path.name),
            tr("Open that audit, or ask who sent it for the form of this one."),
        )
    who, at = (str(data.get(name, "")).strip() for name in ("who", "date"))
    entries = data.get("findings")
    if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
        raise UserError(
            tr("{where} holds no findings.", where=path.name), tr("Use the form of the package: {name}.", name=FORM)
        )
    replies = tuple(_reply(each, who, at) for each in entries if str(each.get("reply", "")).strip())
    if not replies:
        raise UserError(tr("{where} replies to nothing.", where=path.name), tr("Fill in “reply” of a finding."))
    if too_long := next((each for each in replies if len(each.text) > _MOST), None):
        raise UserError(
            tr("The reply to “{about}” has {n:,} characters.", about=too_long.about, n=len(too_long.text)),
            tr("Shorten it to {n:,}; what is longer can stand in a paper of its own that it names.", n=_MOST),
        )
    return replies


def _reply(entry: Mapping[str, Any], who: str, at: str) -> PartyReply:
    about, code = (str(entry.get(name, "")).strip() for name in ("about", "code"))
    return PartyReply(about=about or WHOLE, text=str(entry["reply"]).strip(), who=who, at=at, code=code)


def with_replies(kept: Sequence[PartyReply], new: Sequence[PartyReply]) -> tuple[PartyReply, ...]:
    """*kept* with *new*; a party that replies to a finding again replaces what it said."""
    again = {(each.who, each.about) for each in new}
    return (*(each for each in kept if (each.who, each.about) not in again), *new)
