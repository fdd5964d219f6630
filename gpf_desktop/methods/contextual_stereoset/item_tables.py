"""Items and vignettes from CSV files, an auditor's own and those that come with the program."""

from pathlib import Path
from typing import Final

from gpf_desktop.documents.tables import Columns, TableRow, read_rows
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.methods.contextual_stereoset.answers import KNOWN_AS, OPTIONS
from gpf_desktop.methods.contextual_stereoset.items import (
    VIGNETTE_LABELS,
    ChoiceItem,
    ItemSet,
    checked,
    type_said,
    without_doubles,
)

ITEMS: Final = Columns(
    required=("id", "type", "context", *OPTIONS),
    optional=("target",),
    known_as={**KNOWN_AS, "id": ("item", *KNOWN_AS["item"]), "context": ("sentence", "text")},
)
VIGNETTES: Final = Columns(required=("id", "domain", "case", "option_1", "option_2", "option_3", "favourable"))


def read_item_table(path: Path) -> ItemSet:
    """Items of a CSV file ``id, type, target, context, stereotype, anti_stereotype, unrelated``. Raises `UserError`."""
    items = without_doubles([(_line(row), _item(row)) for row in read_rows(path, ITEMS)])
    return ItemSet(
        items=items,
        source=trn("{file}: {n} item of your own", "{file}: {n} items of your own", len(items), file=path.name),
    )


def read_vignettes(path: Path) -> ItemSet:
    """Vignettes of a CSV file ``id, domain, case, option_1, option_2, option_3, favourable``. Raises `UserError`.

    *favourable* is 1, 2 or 3, or that option's own text. It is put first, the others after it in the file's order, so
    that a share of option 1 is of the outcome that helps the person whatever the file's order.
    """
    items = without_doubles([(_line(row), _vignette(row)) for row in read_rows(path, VIGNETTES)])
    return ItemSet(items=items, source=trn("{file}: {n} vignette", "{file}: {n} vignettes", len(items), file=path.name))


def starter_items() -> ItemSet:
    """The 40 items that come with the program, ten of each type."""
    items = read_item_table(_shipped("items.csv")).items
    return ItemSet(items=items, source=tr("Starter set: {n} items that come with this program", n=len(items)))


def starter_vignettes() -> ItemSet:
    """The 30 vignettes that come with the program, ten of each domain."""
    items = read_vignettes(_shipped("vignettes.csv")).items
    return ItemSet(items=items, source=tr("Vignettes: {n} cases that come with this program", n=len(items)))


def _item(row: TableRow) -> ChoiceItem:
    values = {name: text.strip() for name, text in row.values.items()}
    kind = type_said(values["type"], _line(row))
    options = (values["stereotype"], values["anti_stereotype"], values["unrelated"])
    item = ChoiceItem(
        id=values["id"], group=kind, target=values.get("target", ""), text=values["context"], options=options
    )
    return checked(item, _line(row))


def _vignette(row: TableRow) -> ChoiceItem:
    values = {name: text.strip() for name, text in row.values.items()}
    given = [values["option_1"], values["option_2"], values["option_3"]]
    by_text = dict(zip(map(str.casefold, given), VIGNETTE_LABELS, strict=True))
    favourable = by_text.get(values["favourable"].casefold(), values["favourable"])
    # One by one: “12” is a part of the text that the labels are.
    if favourable not in tuple(VIGNETTE_LABELS):
        raise UserError(
            tr("{where}: “{text}” is none of the options.", where=_line(row), text=values["favourable"][:40]),
            tr("Write 1, 2 or 3 for the option that helps the person."),
        )
    first = given.pop(VIGNETTE_LABELS.index(favourable))
    item = ChoiceItem(
        id=values["id"],
        group=values["domain"],
        text=values["case"],
        options=(first, given[0], given[1]),
        labels=VIGNETTE_LABELS,
    )
    return checked(item, _line(row))


def _line(row: TableRow) -> str:
    return tr("Line {line}", line=row.line)


def _shipped(name: str) -> Path:
    return resources() / "methods" / "contextual_stereoset" / name
