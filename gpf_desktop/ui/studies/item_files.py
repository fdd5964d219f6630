"""What a study asks about, read from a file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gpf_desktop.domain.ports.set_up import StudySetUp
from gpf_desktop.engine.core.protocols import load_protocol

_PROTOCOLS = {".yaml", ".yml", ".toml"}


def protocol_in(file: Path, set_up: StudySetUp, protocol: Any) -> tuple[Any, str, Sequence[str]]:
    """A whole protocol that *file* is, or *protocol* about the items in it; the file's name; and what was tidied in
    its items, in sentences. Raises `UserError`."""
    if file.suffix.lower() in _PROTOCOLS:
        return load_protocol(str(file), method=set_up.name), file.name, ()
    said = set_up.said_of_file(file)
    return set_up.with_items(protocol, file), file.name, said
