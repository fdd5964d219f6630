"""Lines under "What happened" of a run."""

from datetime import UTC, datetime

from gpf_desktop.domain.events import RunNoted
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.runs import NoteKind
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.storage import runs


class RunNotes:
    """Keeps them, then announces them."""

    def __init__(self, context: EngineContext, run_id: RunId) -> None:
        self._context = context
        self._run_id = run_id

    async def add(self, sentence: str, kind: NoteKind = NoteKind.PLAIN) -> None:
        """*sentence* is durable when this returns. Raises `StorageError`."""
        await self._context.write(lambda connection: runs.note(connection, self._run_id, sentence, kind))
        self._context.emit(RunNoted(run_id=self._run_id, at=datetime.now(UTC), sentence=sentence, kind=kind))

    async def once(self, sentence: str) -> None:
        """Add *sentence* as `add` does, unless the round has it already."""
        said = await self._context.read(lambda connection: runs.notes(connection, self._run_id))
        if all(each.sentence != sentence for each in said):
            await self.add(sentence)
