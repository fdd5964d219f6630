"""An edit of a protocol that is no version yet: kept as it stands, right or wrong, until it is saved or discarded."""

import json
from dataclasses import dataclass
from typing import Any

from gpf_desktop import plain_data

_FORM = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolDraft:
    """An edited protocol, and the version with which the edit began."""

    base: str
    """Hash of the version that the edit began with."""
    protocol: Any
    """A dataclass of the method's own."""


def write_draft(draft: ProtocolDraft) -> str:
    """*draft* as text for the audit's settings."""
    return json.dumps({"form": _FORM, "base": draft.base, "protocol": plain_data.unchecked(draft.protocol)})


def read_draft(text: str, kind: type) -> ProtocolDraft | None:
    """The draft in *text*, a protocol of type *kind*; None where there is none, or one that another version of the
    program wrote otherwise. Nothing but types is checked: a draft may be wrong."""
    try:
        data = json.loads(text) if text else {}
        if data.get("form") != _FORM:
            return None
        return ProtocolDraft(base=str(data["base"]), protocol=plain_data.rebuild(kind, data["protocol"]))
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
