"""Outputs of a command: declared with its arguments, and looked at in one place before it runs.

A command declares its outputs by `Parser.writes_file` and its like; whatever else is typed and names a file or a folder
that is there is taken for something that it reads. So a new command cannot forget the check.
"""

import argparse
import os
from collections.abc import Collection, Iterator, Mapping
from enum import Enum, auto
from pathlib import Path
from typing import Any

from gpf_desktop.documents.targets import check_audit, check_folder, check_path, check_target, there
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr


class Output(Enum):
    """The kind of output that an argument names."""

    FILE = auto()
    FOLDER = auto()
    AUDITS = auto()
    """A folder in which audits are made, none over a file that is there."""
    NEW_AUDIT = auto()
    """An audit that is made and must not be there, with --force neither."""
    OWN_AUDIT = auto()
    """An audit that is gone on with where it is there, and made where not."""


def check_targets(
    outputs: Mapping[str, Output], given: argparse.Namespace, read_in_folders: Collection[str] | None = None
) -> None:
    """Raises `GpfError` where an output of *given* cannot be written, or would take the place of what must stay.

    *outputs*: by the name of the argument. *read_in_folders*: endings of the files that are read in
    a folder; None: all.
    """
    typed = {name: list(_texts(value)) for name, value in vars(given).items()}
    for name, texts in typed.items():
        for text in texts:
            # An address or a name is no path, and then nothing is there by it.
            if name not in outputs and text and (isinstance(text, Path) or there(Path(text))):
                check_path(Path(text))
            elif not isinstance(text, Path) and any("\ud800" <= letter <= "\udfff" for letter in text):
                # Of a name of a file they are what the disk has; of words nothing could be kept.
                shown = text.encode(errors="replace").decode()
                raise UserError(tr("“{text}” holds bytes that are no text.", text=shown), tr("Type it anew."))
    others = [Path(text) for name, texts in typed.items() if name not in outputs for text in texts if str(text)]
    reads = [path for path in others if there(path)]
    replaces = bool(getattr(given, "force", False))
    taken: list[str] = []
    for name, kind in outputs.items():
        for target in map(Path, typed.get(name, ())):
            match kind:
                case Output.FILE:
                    skipped = read_in_folders is not None and target.suffix.lower() not in read_in_folders
                    read = [each for each in reads if not (skipped and each.is_dir())]
                    check_target(target, reads=read, replaces=replaces)
                    if os.path.realpath(target) in taken:
                        raise UserError(tr("{path} is to be written twice.", path=str(target)), tr("Choose two names."))
                    taken.append(os.path.realpath(target))
                case Output.FOLDER | Output.AUDITS:
                    check_folder(target)
                case Output.NEW_AUDIT:
                    check_audit(target)
                case Output.OWN_AUDIT:
                    check_path(target)
                    if not there(target):
                        check_audit(target)


def said(text: str) -> str:
    """*text* as it was typed. Raises `argparse.ArgumentTypeError` where a variable of the shell held nothing."""
    if not text.strip():
        raise argparse.ArgumentTypeError(tr("it is empty, and a name is needed"))
    return text


def named(text: str) -> Path:
    """The path that was typed. Raises `argparse.ArgumentTypeError`."""
    return Path(said(text))


def output(text: str) -> Path:
    """The path typed in the place of an output. Raises `argparse.ArgumentTypeError`."""
    path = named(text)
    if text == "-":
        raise argparse.ArgumentTypeError(tr("nothing is written to standard output; a file of this name is ./-"))
    return path


def file_output(text: str) -> Path:
    """The path typed in the place of a file to write. Raises `argparse.ArgumentTypeError`."""
    # `Path` would drop the end, and a file would lie where a folder was meant.
    if text.endswith(("/", os.sep)):
        raise argparse.ArgumentTypeError(tr("“{path}” is a folder; give the name of a file in it", path=text))
    return output(text)


def _texts(value: Any) -> Iterator[str | Path]:
    match value:
        case str() | Path():
            yield value
        case list() | tuple():
            for each in value:
                yield from _texts(each)
