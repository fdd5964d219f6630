"""People's declarations about an audit: who made it for whom, what is kept, what should be done, what is replied."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from gpf_desktop.domain.text import tr


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """The form without which a report is a draft. Who has nothing to declare in a field says “none”."""

    auditor: str = ""
    client: str = ""
    paid_by: str = ""
    relations: str = ""
    """To the vendors of the models."""
    access: str = ""
    """What was given: keys, logs, people."""
    withheld: str = ""
    """What was asked for and not given."""
    purpose: str = ""
    """What the answer is for. May stay empty, like all below."""
    appointment: str = ""
    """By whom, when, for which period, by which criteria."""
    interface: str = ""
    """How the system was reached, where that was not the API that the rounds name."""
    groups: str = ""
    """Who has a stake in it, and why just these labels."""
    out_of_scope: str = ""
    """What was not tested, or could not be."""
    earlier: str = ""
    """What became of the recommendations of earlier audits."""
    next_audit: str = ""
    """When it is due."""
    final: bool = False
    """Its auditor says that this is no draft any more."""

    @property
    def open_fields(self) -> tuple[str, ...]:
        """Names of required fields that say nothing."""
        return tuple(name for name in REQUIRED if not getattr(self, name).strip())

    @property
    def draft(self) -> str:
        """The reason why a report with it is a draft, in a sentence; empty: it is final."""
        if len(self.open_fields) == len(REQUIRED):
            return tr("This is a draft: nobody has filled in the declarations.")
        if self.open_fields:
            titles = ", ".join(field_title(name).lower() for name in self.open_fields)
            return tr("This is a draft: the declarations do not say yet: {fields}.", fields=titles)
        return "" if self.final else tr("This is a draft: its auditor has not declared it final.")


REQUIRED: Final = ("auditor", "client", "paid_by", "relations", "access", "withheld")
"""Fields of a declaration that a final report has."""
OPTIONAL: Final = ("purpose", "appointment", "interface", "groups", "out_of_scope", "earlier", "next_audit")


def field_title(name: str) -> str:
    """The title of the field *name* of a declaration."""
    return {
        "auditor": tr("Auditor"),
        "client": tr("Client"),
        "paid_by": tr("Who paid"),
        "relations": tr("Relations to the vendors"),
        "access": tr("Access that the auditor had"),
        "withheld": tr("What was withheld"),
        "purpose": tr("What the answer is for"),
        "appointment": tr("Appointment, period, criteria"),
        "interface": tr("How the system was reached"),
        "groups": tr("Who has a stake, and why these labels"),
        "out_of_scope": tr("What was not tested"),
        "earlier": tr("Follow-up of earlier audits"),
        "next_audit": tr("Next audit due"),
    }[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionLine:
    """One thing that is kept, or was destroyed, with its term."""

    what: str
    where: str = ""
    until: str = ""
    rule: str = ""
    """By which it is kept so long."""
    destroyed: str = ""
    """When and how; empty: it is there."""
    asks: str = ""
    """Who may ask for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommendation:
    """A recommendation: what somebody should do."""

    text: str
    owner: str = ""
    due: str = ""
    finding: int | None = None
    """Number of the auditor's finding that it follows from; None: of the audit as a whole."""
    done: str = ""
    """What became of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartyReply:
    """The audited party's reply to one finding, as it came."""

    about: str
    """Key of the finding (`finding_key`)."""
    text: str
    who: str = ""
    at: str = ""
    code: str = ""
    """Check code of what it answers: the finding as it was in the package."""


class ClauseState(StrEnum):
    """The state of an audit with respect to a clause; whether it complies is nobody's word here."""

    MET = "met"
    NOT_APPLICABLE = "not_applicable"
    OPEN = "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseAnswer:
    """The auditor's answer to one clause."""

    clause: str
    """Id of the clause in its data file."""
    state: ClauseState
    why: str = ""
