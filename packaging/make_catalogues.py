"""Gathers every sentence that the program shows, and brings the catalogues of all languages up to date with them.

    .venv/bin/python packaging/make_catalogues.py           renews each resources/languages/*/LC_MESSAGES/gpf_desktop.po
                                                            and its .mo, and says how much is translated
    .venv/bin/python packaging/make_catalogues.py de        the same, after a catalogue for German was begun

A translator edits the .po file alone (docs/translating.md).
"""

import ast
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

PROJECT: Final = Path(__file__).parents[1]
PACKAGE: Final = PROJECT / "gpf_desktop"
LANGUAGES: Final = PROJECT / "resources" / "languages"
DOMAIN: Final = "gpf_desktop"
WIDTH: Final = 120
_TOLD_BY: Final[Mapping[str, int]] = {"tr": 1, "trn": 2, "Translated": 1}
"""By function, how many of its first arguments are sentences."""
_SHOWN: Final = ("label", "help", "unit", "placeholder", "none", "one", "add")
"""What of a `Shown` is words."""

_AS_STORED: Final = frozenset(
    (
        "Direction",
        "Metric",
        "Missing",
        "Pooling",
        "PreferencePart",
        "Role",
        "RunState",
        "Selects",
        "SpendingFunction",
        "Standard",
        "Starter",
    )
) | {"Stratum", "Unavailable"}
"""Enumerations whose members are shown as they are stored, which is in English."""
_NO_DATE: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""A date would change the file where no sentence did."""

Message = str | tuple[str, str]


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence, and the file that shows it."""

    message: Message
    file: str


def sentences() -> list[Place]:
    """Every sentence of the program, each at the first file that shows it, in the order of the files.

    Raises `ValueError` where two that count differ in their plural alone: gettext knows them by their singular.
    """
    trees = {file.relative_to(PACKAGE).as_posix(): ast.parse(file.read_text("utf-8")) for file in _sources()}
    constants = {name: text for tree in trees.values() for name, text in _constants(tree)}
    found: dict[Message, Place] = {}
    for file, tree in trees.items():
        for message in _messages(tree, constants):
            if message and message not in found:
                found[message] = Place(message, file)
    # A sentence that is counted somewhere stands for the one of the same words that is not.
    counted = {message[0] for message in found if isinstance(message, tuple)}
    if len(counted) < sum(isinstance(message, tuple) for message in found):
        ones = Counter(message[0] for message in found if isinstance(message, tuple))
        raise ValueError(f"two plurals of one singular: {[one for one, n in ones.items() if n > 1]}")
    return [place for message, place in found.items() if isinstance(message, tuple) or message not in counted]


def renewed(catalogue: Catalog, places: list[Place]) -> Catalog:
    """*catalogue* with the sentences of today: what is translated stays, what is no longer shown goes."""
    said = {message.id if isinstance(message.id, str) else message.id[0]: message.string for message in catalogue}
    made = Catalog(
        locale=catalogue.locale,
        domain=DOMAIN,
        header_comment=f"# GPF Desktop in {catalogue.locale.english_name}; renewed by packaging/make_catalogues.py.",
        project="GPF Desktop",
        version="",
        last_translator="The authors of GPF Desktop",
        language_team="",
        msgid_bugs_address="",
        charset="utf-8",
        creation_date=_NO_DATE,
        revision_date=_NO_DATE,
        fuzzy=False,
    )
    for place in places:
        first = place.message if isinstance(place.message, str) else place.message[0]
        before = said.get(first) or ""
        if isinstance(place.message, tuple) != isinstance(before, tuple):
            before = ("",) * made.num_plurals if isinstance(place.message, tuple) else ""
        made.add(place.message, before, locations=[(place.file, None)])
    return made


def translated(catalogue: Catalog) -> tuple[int, int]:
    """How many of the sentences are translated, and how many there are."""
    messages = [message for message in catalogue if message.id]
    return sum(all(each) if isinstance(each := message.string, tuple) else bool(each) for message in messages), len(
        messages
    )


def read(file: Path) -> Catalog:
    """The catalogue in *file*, or an empty one for the language whose folder it is in."""
    if not file.exists():
        return Catalog(locale=file.parent.parent.name, domain=DOMAIN)
    with file.open("rb") as source:
        return read_po(source, locale=file.parent.parent.name, domain=DOMAIN)


def compiled(catalogue: Catalog) -> bytes:
    """What gettext reads."""
    target = BytesIO()
    write_mo(target, catalogue)
    return target.getvalue()


def main(languages: list[str]) -> None:
    places = sentences()
    files = {LANGUAGES / language / "LC_MESSAGES" / f"{DOMAIN}.po" for language in languages}
    for file in sorted(files | set(LANGUAGES.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))):
        catalogue = renewed(read(file), places)
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("wb") as target:
            write_po(target, catalogue, width=WIDTH, include_lineno=False)
        file.with_suffix(".mo").write_bytes(compiled(catalogue))
        done, of = translated(catalogue)
        print(f"{file.relative_to(PROJECT)}: {done:,} of {of:,} sentences translated")
    if not files and not LANGUAGES.exists():
        print(f"{len(places):,} sentences; name a language to begin its catalogue")


def _sources() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def _constants(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in tree.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=value)
            ):
                if (text := _text(value)) and name.isupper():
                    yield name, text


def _messages(tree: ast.Module, constants: Mapping[str, str]) -> Iterator[Message]:
    called = {
        alias.asname: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname
    }
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="Shown"), args=args, keywords=keywords):
                yield from filter(None, map(_text, args[:1]))
                yield from filter(None, (_text(each.value) for each in keywords if each.arg in _SHOWN))
            case ast.Call(func=ast.Name(id=function), args=args) if function in _TOLD_BY:
                said = [_text(each) or _named(each, constants, called) for each in args[: _TOLD_BY[function]]]
                if all(said):
                    yield said[0] if len(said) == 1 else (said[0], said[1])
            case ast.keyword(arg="choices", value=ast.Tuple(elts=pairs)):
                yield from filter(None, (_text(pair.elts[1]) for pair in pairs if _is_pair(pair)))
            case ast.ClassDef(name=name, body=body) if name in _AS_STORED:
                yield from filter(None, (_text(each.value) for each in body if isinstance(each, ast.Assign)))


def _text(node: ast.AST | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _named(node: ast.AST, constants: Mapping[str, str], called: Mapping[str, str]) -> str:
    return constants.get(called.get(node.id, node.id), "") if isinstance(node, ast.Name) else ""


def _is_pair(node: ast.AST) -> bool:
    return isinstance(node, ast.Tuple) and len(node.elts) == 2


if __name__ == "__main__":
    main(sys.argv[1:])
