"""Between the page of a round and the files of protocols and plans."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gpf_desktop.domain.models import Role
from gpf_desktop.domain.ports.set_up import SetUp
from gpf_desktop.engine.core.protocols import load_protocol

_PROTOCOLS = {".yaml", ".yml", ".toml"}


def numbers_of(set_up: SetUp, protocol: Any, sizes: Any) -> Mapping[str, int]:
    """The numbers of the page as *sizes* have them, the method's controls, or else the *protocol*."""
    return {each.name: getattr(sizes, each.name, getattr(protocol, each.name, each.default)) for each in set_up.numbers}


def part_of(set_up: SetUp, role: Role) -> str:
    """The part of a model that has *role*."""
    return next(part.name for part in set_up.parts if part.role is role)


def protocol_in(file: Path, method: str, set_up: SetUp, protocol: Any) -> tuple[Any, str, Sequence[str]]:
    """A whole protocol that *file* is, or *protocol* about the items in it; the file's name; and what was tidied in
    its items, in sentences. Raises `UserError`."""
    if file.suffix.lower() in _PROTOCOLS:
        return load_protocol(str(file), method=method), file.name, ()
    said = set_up.said_of_file(file)
    return set_up.with_items(protocol, file), file.name, said
