"""Files that a protocol names."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class NamesFiles(Protocol):
    """Beside `domain.methods.Method`: its protocols may name files."""

    def with_files(self, protocol: Any, folders: Sequence[Path]) -> Any:
        """*protocol* with its relative files in the first of *folders* that has them; where none has, in the first."""
        ...
