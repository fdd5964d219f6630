"""Reads plans and protocols, which anybody may have written: bounded in size, in depth, in what they stand for."""

import tomllib
from pathlib import Path
from typing import Any, Final

import yaml
from yaml.composer import ComposerError

from gpf_desktop.documents.targets import check_path, not_read
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr

LARGEST: Final = 500_000
"""Bytes or characters; the shipped protocol has 27,483. Reading more would take minutes."""

_DEEPEST: Final = 50
# libyaml's loader takes a tenth of the time; PyYAML's wheels carry it, a build without it has the other.
_LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_bytes(path: Path) -> bytes:
    """The bytes of the file at *path*. Raises `UserError` if it is too large, no file, or cannot be read."""
    # Named in a plan it was looked at by nobody: a pipe is waited at for ever.
    check_path(path)
    try:
        with path.open("rb") as file:
            body = file.read(LARGEST + 1)
    except OSError as error:
        raise not_read(path, error) from error
    check_size(len(body), path.name)
    return body


def check_size(size: int, where: str) -> None:
    """Raises `UserError` where a text of *size* bytes or characters is too large to be a plan or a protocol."""
    if size > LARGEST:
        raise UserError(
            tr("{where} is larger than {most:,} bytes.", where=where, most=LARGEST),
            tr("A plan or a protocol is much smaller; check that it is the right file."),
        )


def toml_data(text: str, where: str, remedy: str) -> dict[str, Any]:
    """The tables in *text*. Raises `UserError`, with *remedy*."""
    check_size(len(text), where)
    try:
        return tomllib.loads(text)
    except RecursionError:
        why = tr("it is nested too deeply")
    except ValueError as error:
        # Not only TOMLDecodeError: Python refuses numbers of many thousand digits by itself.
        why = str(error)
    raise UserError(tr("{where} is not valid TOML: {error}.", where=where, error=why), remedy)


def yaml_tree(text: str, where: str) -> tuple[Any, yaml.Node | None]:
    """The plain data in *text*, and the nodes that it was made from, each of them once. Raises `UserError`."""
    check_size(len(text), where)
    try:
        _refuse_bombs(text)
        root = yaml.compose(text, Loader=_LOADER)
        _refuse_repeats(root)
        # Made from the nodes: reading the text a second time would take as long again.
        return (None if root is None else yaml.SafeLoader("").construct_document(root)), root
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = tr(", line {n}", n=mark.line + 1) if mark is not None else ""
        why = getattr(error, "problem", None) or tr("it cannot be read")
    except RecursionError:
        line, why = "", tr("it is nested too deeply")
    except ValueError as error:
        line, why = "", str(error)
    raise UserError(
        tr("{where}{line} is not valid YAML: {problem}.", where=where, line=line, problem=why),
        tr("Check the indentation and the quotation marks there."),
    )


def _refuse_repeats(root: yaml.Node | None) -> None:
    """Raises `yaml.YAMLError` for a name that stands twice in one place: only the last would count, without a word."""
    left = [] if root is None else [root]
    while left:
        node = left.pop()
        if isinstance(node, yaml.SequenceNode):
            left += node.value
        if isinstance(node, yaml.MappingNode):
            seen: set[str] = set()
            for name, value in node.value:
                left.append(value)
                if isinstance(name, yaml.ScalarNode) and name.value in seen:
                    words = tr("“{name}” stands there twice; take one of them out", name=name.value)
                    raise ComposerError(None, None, words, name.start_mark)
                seen.add(str(name.value))


def _refuse_bombs(text: str) -> None:
    """Raises `yaml.YAMLError` for nesting that no protocol has, and for aliases: nine lines of them are gigabytes."""
    depth = 0
    # Events come one by one, however deep they nest; nodes are composed by recursion, and come after this look.
    for event in yaml.parse(text, Loader=_LOADER):
        mark: Any = event.start_mark
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if isinstance(event, yaml.AliasEvent):
            raise ComposerError(None, None, tr("aliases (*name) are not read; write the text out"), mark)
        if depth > _DEEPEST:
            raise ComposerError(None, None, tr("it is nested too deeply"), mark)
