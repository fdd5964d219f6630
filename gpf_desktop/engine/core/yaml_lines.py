"""Line numbers of the values in a YAML text, so that a message can say where."""

from collections.abc import Iterable, Mapping

import yaml

Lines = Mapping[tuple[str | int, ...], int]
"""By the path of a field, its line, from 1."""


def line_of(path: Iterable[str | int], lines: Lines) -> int | None:
    """That of the field at *path*, else of the nearest one around it; None where nothing of it stands in the file."""
    parts = tuple(path)
    return next((lines[parts[:n]] for n in range(len(parts), 0, -1) if parts[:n] in lines), None)


def lines_of(root: yaml.Node | None) -> Lines:
    """Of every mapping value and sequence entry under *root*, which holds no node twice."""
    found: dict[tuple[str | int, ...], int] = {}
    todo: list[tuple[tuple[str | int, ...], yaml.Node]] = [] if root is None else [((), root)]
    while todo:
        path, node = todo.pop()
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                found[(*path, key.value)] = key.start_mark.line + 1
                todo.append(((*path, key.value), value))
        elif isinstance(node, yaml.SequenceNode):
            for index, value in enumerate(node.value):
                found[(*path, index)] = value.start_mark.line + 1
                todo.append(((*path, index), value))
    return found
