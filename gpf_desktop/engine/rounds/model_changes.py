"""Tells while a round is asked that another model answers than was asked for, or than before."""

from collections.abc import Awaitable, Callable
from typing import Final

from gpf_desktop.domain.models import TargetModel
from gpf_desktop.domain.served import Served, is_version_of
from gpf_desktop.domain.text import tr

_MOST: Final = 5
"""Names that are told of: a gateway may send every call elsewhere."""


class ModelChanges:
    """Tells who answers for one model in one execution; each name once. What is stored tells all of it
    (`domain.served`)."""

    def __init__(self, model: TargetModel, note: Callable[[str], Awaitable[None]]) -> None:
        self._model = model
        self._note = note
        self._names: list[str] = []

    async def heard(self, served: Served) -> None:
        """Note the name that gave the newest answer, if it is new and not the expected one."""
        name, before, asked = served.model, self._names[-1:], self._model.endpoint.model
        if not name or name in self._names or len(self._names) > _MOST:
            return
        self._names.append(name)
        told = {"m": self._model.label, "name": name}
        if before:
            await self._note(tr("{m}: the server says that {name} answers now, no more {old}.", old=before[0], **told))
        elif not is_version_of(asked, name):
            await self._note(
                tr("{m}: {asked} is asked for, but the server says that {name} answers.", asked=asked, **told)
            )
