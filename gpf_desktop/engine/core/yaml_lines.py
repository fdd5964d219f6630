"""Line numbers of the values in a YAML text, so that a message can say where."""

from collections.abc import Iterable, Mapping

import yaml

Path = tuple[str | int, ...]


class Lines:
    """Looks up a field's line; falls back to the nearest enclosing field that stands in the file."""

    def __init__(self, by_path: Mapping[Path, int]) -> None:
        self._by_path = by_path

    def of(self, path: Iterable[str | int]) -> int | None:
        """Line, from 1; None where nothing of *path* stands in the file."""
        path = tuple(path)
        while path:
            if path in self._by_path:
                return self._by_path[path]
            path = path[:-1]
        return None


def lines_of(root: yaml.Node | None) -> Lines:
    """Lines of every mapping value and sequence entry under *root*, which holds no node twice."""
    found: dict[Path, int] = {}
    todo: list[tuple[Path, yaml.Node]] = [] if root is None else [((), root)]
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
    return Lines(found)
