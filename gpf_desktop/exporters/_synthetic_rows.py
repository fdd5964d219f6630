"""Marks for the rows of an audit's relations that are of calibration models: each sheet says it of its own rows."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from gpf_desktop.domain.relations import FieldKind, Relation, RelationField, Row
from gpf_desktop.domain.scores import UnitKind
from gpf_desktop.domain.text import tr

_SYNTHETIC: Final = "synthetic"
_REMEMBERED: Final = {"models": ("model_id",), "bundles": ("bundle_id",), "answers": ("cell_id", "bundle_id")}
"""By relation, numbers that later ones go by."""
_CELL_BITS: Final = 31
"""Of the number of a pair those that its second cell takes."""


class SyntheticRows:
    """Goes by what the relations say that came before: models, then bundles, then answers, then what is about them."""

    def __init__(self) -> None:
        self._known: dict[str, set[object]] = {"model_id": set(), "bundle_id": set(), "cell_id": set()}

    def told(self, relation: Relation) -> Relation:
        """*relation*, whose last field says it where none did. Its rows are looked at as they are gone through."""
        names = [field.name for field in relation.fields]
        of_row = self._of_row(names)
        if of_row is None:
            return relation
        fields = relation.fields
        if _SYNTHETIC not in names:
            words = tr("Of a built-in test model: its answers are made up")
            fields = (*fields, RelationField(name=_SYNTHETIC, kind=FieldKind.FLAG, words=words))
        rows = self._rows(relation, of_row, added=fields is not relation.fields)
        # Of the key, since that stands in every row in which a long text goes on.
        return replace(relation, fields=fields, rows=rows, key=(*relation.key, _SYNTHETIC))

    def _rows(self, relation: Relation, of_row: Callable[[Row], bool], *, added: bool) -> Iterator[Row]:
        names = [field.name for field in relation.fields]
        remembered = [(names.index(each), self._known[each]) for each in _REMEMBERED.get(relation.name, ())]
        for row in relation.rows:
            synthetic = of_row(row)
            if synthetic:
                for place, known in remembered:
                    known.add(row[place])
            yield (*row, synthetic) if added else row

    def _of_row(self, names: list[str]) -> Callable[[Row], bool] | None:
        if _SYNTHETIC in names:
            own = names.index(_SYNTHETIC)
            return lambda row: bool(row[own])
        for name in ("model_id", "bundle_id"):
            if name in names:
                at, known = names.index(name), self._known[name]
                return lambda row: row[at] in known
        if "unit_kind" in names:
            kind, unit = names.index("unit_kind"), names.index("unit_id")
            return lambda row: self._of_unit(str(row[kind]), int(str(row[unit])))
        return None

    def _of_unit(self, kind: str, number: int) -> bool:
        if kind == UnitKind.BUNDLE:
            return number in self._known["bundle_id"]
        return (number if kind == UnitKind.ANSWER else number >> _CELL_BITS) in self._known["cell_id"]
