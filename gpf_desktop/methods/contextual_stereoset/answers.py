"""Reads a table of answers, a row for each cell, and decodes it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpf_desktop.documents import column_names
from gpf_desktop.documents.answer_cells import answer_in, is_blocked
from gpf_desktop.documents.tables import Columns, TableRow, same_cell
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.contextual_stereoset.choices import NOT_ASKED, SEPARATE, Choices, code_of
from gpf_desktop.methods.contextual_stereoset.decoding import REFUSED, UNPARSED, decode
from gpf_desktop.methods.contextual_stereoset.items import STEREOTYPE_LABELS
from gpf_desktop.methods.contextual_stereoset.protocol import WORDING, Context

OPTIONS: Final = ("stereotype", "anti_stereotype", "unrelated")
"""Columns of the options, in the order of their labels."""
KNOWN_AS: Final = {
    "model": column_names.MODEL,
    "item": ("item_id", "example_id", "id"),
    "type": ("bias_type", "domain", "category", "topic", "kind_of_bias", "type_of_bias"),
    "stereotype": ("option_s",),
    "anti_stereotype": ("antistereotype", "anti-stereotype", "option_a"),
    "unrelated": ("option_u",),
    "order": ("option_order",),
    "response": column_names.RESPONSE,
}
COLUMNS: Final = Columns(
    ("model", "item", "type", *OPTIONS, "order", "response"),
    ("location", "year", "style", "observer", WORDING, "repeat"),
    known_as=KNOWN_AS,
)
NO_FACTORS: Final = frozenset({*COLUMNS.required, "target", "context", "prompt", ""})
"""Any other column is a factor."""
MOST_LEVELS: Final = 1000
MOST_CELLS: Final = 200_000_000
"""Items × contexts of one model that arrays are made for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredCell:
    """One row, decoded."""

    line: int
    model: str
    item: str
    group: str
    context: Context
    order: str
    choice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredCells:
    """The rows of a table, in its order."""

    factors: tuple[str, ...]
    rows: Sequence[AnsweredCell]

    def counts(self) -> dict[str, int]:
        """How many are valid, refused and unparsed."""
        choices = Counter(row.choice for row in self.rows)
        refused, unparsed = choices[REFUSED], choices[UNPARSED]
        return {"valid": len(self.rows) - refused - unparsed, "refused": refused, "unparsed": unparsed}

    def by_model(self) -> Iterator[Choices]:
        """Models in the order of their first rows."""
        models: dict[str, list[AnsweredCell]] = {}
        for row in self.rows:
            models.setdefault(row.model, []).append(row)
        return (_choices(self.factors, rows) for rows in models.values())


def read_answered(table: Iterable[TableRow]) -> AnsweredCells:
    """The cells in the rows of *table*. Raises `UserError` naming the line."""
    rows: list[AnsweredCell] = []
    factors: tuple[str, ...] | None = None
    seen: dict[tuple[str, str, Context], int] = {}
    groups: dict[str, tuple[str, int]] = {}
    for row in table:
        if factors is None:
            factors = tuple(name for name in row.values if name not in NO_FACTORS)
        cell = _cell(row, factors)
        _check_double(cell, seen)
        _check_group(cell, groups)
        rows.append(cell)
    if factors is None:
        raise UserError(tr("The table has a header and no rows."), COLUMNS.needed())
    for place, name in enumerate(factors):
        _check_levels(name, {row.context[place] for row in rows if row.context})
    return AnsweredCells(factors=factors, rows=rows)


def _cell(row: TableRow, factors: tuple[str, ...]) -> AnsweredCell:
    values = row.values
    for name in ("model", "item", *OPTIONS):
        if not values[name].strip():
            raise row.empty(name, tr("Only a response, a type and the context of a question without one may be empty."))
    order, said = _order(row), values["response"]
    options = dict(zip(STEREOTYPE_LABELS, (values[name] for name in OPTIONS), strict=True))
    return AnsweredCell(
        line=row.line,
        model=values["model"].strip(),
        item=values["item"].strip(),
        group=values.get("type", "").strip(),
        context=_context(row.line, {name: values.get(name, "").strip() for name in factors}),
        order=order,
        choice=REFUSED if is_blocked(said) else decode(answer_in(said), order, options).choice,
    )


def _order(row: TableRow) -> str:
    written = row.values["order"]
    # With signs between the labels too, as other programs write lists: U, A, S.
    order = written if len(written) == len(STEREOTYPE_LABELS) else "".join(filter(str.isalnum, written))
    order = order.upper()
    if sorted(order) != sorted(STEREOTYPE_LABELS):
        raise UserError(
            tr("Line {line}: “{order}” is no order of the options.", line=row.line, order=written[:40]),
            tr("Write the labels S, A and U, each once, in the order in which they were shown, such as UAS."),
        )
    return order


def _context(line: int, levels: dict[str, str]) -> Context:
    """Empty where no factor but the question's wording has a level."""
    needed = {name: level for name, level in levels.items() if name not in {WORDING, *SEPARATE}}
    if not any(needed.values()):
        return tuple(levels.values()) if not needed and any(levels.values()) else ()
    if empty := next((name for name, level in needed.items() if not level), None):
        raise UserError(
            tr("Line {line}: “{column}” is empty, and other factors are not.", line=line, column=empty),
            tr("Fill all columns of the context, or none of them for a question without context."),
        )
    return tuple(levels.values())


def _check_double(cell: AnsweredCell, seen: dict[tuple[str, str, Context], int]) -> None:
    earlier = seen.setdefault((cell.model, cell.item, cell.context), cell.line)
    if earlier != cell.line:
        raise same_cell(earlier, cell.line)


def _check_group(cell: AnsweredCell, groups: dict[str, tuple[str, int]]) -> None:
    group, line = groups.setdefault(cell.item, (cell.group, cell.line))
    if group != cell.group:
        raise UserError(
            tr(
                "Line {line}: item “{item}” is of type “{type}”, and on line {first} of type “{other}”.",
                line=cell.line,
                item=cell.item[:40],
                type=cell.group[:40],
                first=line,
                other=group[:40],
            ),
            tr("Give each item one type."),
        )


def _check_levels(name: str, levels: set[str]) -> None:
    if len(levels) > MOST_LEVELS:
        raise UserError(
            tr("The column “{column}” has {n} different values: it is no factor.", column=name, n=len(levels)),
            tr("Leave out columns that are neither asked for nor factors."),
        )


def _choices(factors: tuple[str, ...], rows: Sequence[AnsweredCell]) -> Choices:
    items = {item: number for number, item in enumerate(dict.fromkeys(row.item for row in rows))}
    contexts = {context: number for number, context in enumerate(dict.fromkeys(row.context for row in rows))}
    if len(items) * len(contexts) > MOST_CELLS:
        raise UserError(
            tr(
                "{model}: {items} items in {contexts} contexts are too many for one table.",
                model=rows[0].model,
                items=len(items),
                contexts=len(contexts),
            ),
            tr("Leave out columns that are no factors."),
        )
    labels = STEREOTYPE_LABELS if set(rows[0].order) == set(STEREOTYPE_LABELS) else "".join(sorted(rows[0].order))
    codes = np.full((len(items), len(contexts)), NOT_ASKED, dtype=np.int8)
    places = np.zeros((len(items), len(contexts), 3), dtype=np.int8)
    groups = [""] * len(items)
    shown = {}
    for row in rows:
        at = items[row.item], contexts[row.context]
        codes[at] = code_of(row.choice, labels)
        if row.order not in shown:
            shown[row.order] = np.array([row.order.index(label) for label in labels], dtype=np.int8)
        places[at] = shown[row.order]
        groups[at[0]] = row.group
    return Choices(
        model=rows[0].model,
        items=tuple(items),
        groups=tuple(groups),
        factors=factors,
        contexts=tuple(contexts),
        codes=codes,
        places=places,
        labels=labels,
    )
