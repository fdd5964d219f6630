"""Additions of SAGED to the form of its studies: rows of a benchmark keep to their study's domain, even if it is
renamed.
"""

from dataclasses import replace
from typing import Any

from gpf_desktop.domain.protocol_problems import Path
from gpf_desktop.ui.protocol.own_form import OwnForm


def _followed(edited: Any, before: Any, path: Path) -> Any:
    if path != ("domain",):
        return edited
    rows = (replace(row, domain=edited.domain) if row.domain == before.domain else row for row in edited.benchmark)
    return replace(edited, benchmark=tuple(rows))


FORM = OwnForm(followed=_followed)
