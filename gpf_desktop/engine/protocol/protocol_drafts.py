"""An edit of a protocol that is no version yet: kept as it stands, right or wrong, until it is saved or discarded."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from gpf_desktop.domain.protocol import (
    Confirmatory,
    Controls,
    Decoding,
    Dimension,
    Family,
    FitScope,
    Identity,
    LabelSet,
    Protocol,
    ScoringSettings,
    Spending,
)

_FORM = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolDraft:
    """What was edited, and from which version."""

    base: str
    """Hash of the version that the edit began with."""
    protocol: Protocol


def write_draft(draft: ProtocolDraft) -> str:
    """*draft* as text for the audit's settings."""
    return json.dumps({"form": _FORM, "base": draft.base, "protocol": asdict(draft.protocol)})


def read_draft(text: str) -> ProtocolDraft | None:
    """The draft in *text*; None where there is none, or one that another version of the program wrote otherwise."""
    try:
        data = json.loads(text) if text else {}
        if data.get("form") != _FORM:
            return None
        return ProtocolDraft(base=str(data["base"]), protocol=_protocol(data["protocol"]))
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def _protocol(data: Mapping[str, Any]) -> Protocol:
    """Unchecked: a draft may be wrong."""
    scoring = dict(data["scoring"])
    return Protocol(
        name=data["name"],
        version=data["version"],
        dimensions=tuple(
            Dimension(
                name=dimension["name"],
                identities=tuple(
                    Identity(label=each["label"], patterns=tuple(each["patterns"]), overlaps=tuple(each["overlaps"]))
                    for each in dimension["identities"]
                ),
            )
            for dimension in data["dimensions"]
        ),
        families=tuple(
            Family(
                name=family["name"],
                templates=tuple(family["templates"]),
                identity_free=tuple(family["identity_free"]),
            )
            for family in data["families"]
        ),
        system_prompt=data["system_prompt"],
        message_layout=data["message_layout"],
        label_sets=tuple(LabelSet(name=each["name"], labels=tuple(each["labels"])) for each in data["label_sets"]),
        decoding=Decoding(**data["decoding"]),
        controls=Controls(**data["controls"]),
        scoring=ScoringSettings(**scoring | {"fit_scope": FitScope(scoring["fit_scope"])}),
        confirmatory=_confirmatory(data.get("confirmatory")),
    )


def _confirmatory(data: Mapping[str, Any] | None) -> Confirmatory:
    """None: the draft is of before there were plans."""
    if data is None:
        return Confirmatory()
    return Confirmatory(**{**data, "scores": tuple(data["scores"]), "spending": Spending(data["spending"])})
