"""`audits.json`: where an audit's reports are, what they are about and which rules ask for them.

As draft-dkg-audits-json (an Internet-Draft of 2025) has it, for an organisation to put on its website at
``/.well-known/audits.json``.
"""

import json
from typing import Any, Final

from gpf_desktop.documents.addresses import web_address
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.exchange.artifact.contents import ArtifactChoices
from gpf_desktop.engine.exchange.artifact.croissant import CROISSANT
from gpf_desktop.engine.exchange.artifact.sealed_zip import SealedZip
from gpf_desktop.engine.exchange.artifact.verifying import ArtifactCheck

AUDITS: Final = "audits.json"


def audits_text(uuid: str, title: str, published: str, choices: ArtifactChoices) -> str:
    """The summary of one audit, called by its *uuid*; *published* is its day."""
    return json.dumps(_summary(uuid, title, published, choices), indent=1, ensure_ascii=False) + "\n"


def _summary(uuid: str, title: str, published: str, choices: ArtifactChoices) -> dict[str, Any]:
    # An audit has one address at least. Before anybody has published it, its name stands for it.
    addresses = list(choices.addresses) or [f"urn:uuid:{uuid}"]
    about = {"urls": list(choices.operations), "regs": list(choices.rules), "audits": [uuid]}
    return {
        "operations": [about] if choices.operations else [],
        "audits": {uuid: {"title": " ".join(title.split()), "date": published, "urls": addresses}},
    }


def check_addresses(choices: ArtifactChoices) -> None:
    """Raises `UserError` where one of the addresses in *choices* is none, or what the audit is about has no rule."""
    for address in (*choices.addresses, *choices.operations, *choices.rules):
        if web_address(address) != address:
            raise UserError(
                tr("“{address}” is no whole web address.", address=address[:100]),
                tr("Begin it with https://, and leave no space in it."),
            )
    if bool(choices.operations) != bool(choices.rules):
        raise UserError(
            tr("audits.json names what was audited only together with a rule that asks for the audit."),
            tr("Give addresses of both, or of neither."),
        )


def audits_checked(artifact: SealedZip, uuid: str, title: str, choices: ArtifactChoices) -> tuple[ArtifactCheck, ...]:
    """`audits.json` beside what the other files say of the audit; none where an artifact of before has none."""
    if AUDITS not in artifact.members:
        return ()
    try:
        theirs, published = json.loads(artifact.text(AUDITS)), json.loads(artifact.text(CROISSANT))["datePublished"]
        same = theirs == _summary(uuid, title, published, choices)
    except (ValueError, KeyError, TypeError, RecursionError):
        same = False
    words = tr("audits.json names this audit, its day and its addresses")
    return (ArtifactCheck(passed=same, words=words),)
