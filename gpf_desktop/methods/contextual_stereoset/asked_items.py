"""The items that a protocol asks about."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from gpf_desktop.documents.table_encodings import opened
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.contextual_stereoset.bbq import is_bbq, read_bbq
from gpf_desktop.methods.contextual_stereoset.dev_json import read_dev_json
from gpf_desktop.methods.contextual_stereoset.item_tables import (
    read_item_table,
    read_vignettes,
    starter_items,
    starter_vignettes,
)
from gpf_desktop.methods.contextual_stereoset.items import STEREOTYPE_LABELS, ChoiceItem, ItemSet
from gpf_desktop.methods.contextual_stereoset.protocol import STARTER, VIGNETTES, StereoProtocol


def asked_items(protocol: StereoProtocol) -> tuple[ChoiceItem, ...]:
    """The items that are asked about. Raises `UserError` for a file that cannot be read."""
    items = item_set(protocol.items).items
    return drawn(items, protocol.most_items) if protocol.most_items else items


def labels_asked(protocol: StereoProtocol) -> str:
    """The labels of its items' options. Raises `UserError` for a table that cannot be read."""
    # dev.json has no vignettes, and is the one file that takes a while to read.
    if protocol.items == STARTER or Path(protocol.items).suffix.lower() == ".json":
        return STEREOTYPE_LABELS
    return item_set(protocol.items).items[0].labels


def with_item_file(protocol: StereoProtocol, folders: Sequence[Path]) -> StereoProtocol:
    """Asking about the items in the first of *folders* that has the file named; where none has, in the first."""
    if protocol.items in (STARTER, VIGNETTES) or Path(protocol.items).is_absolute():
        return protocol
    there = [folder / protocol.items for folder in folders]
    found = next((path for path in there if path.exists()), there[0])
    return replace(protocol, items=str(found.resolve()))


def item_set(named: str) -> ItemSet:
    """The item set called *named*: the starter set, the vignettes, or a file's, whose kind is told by its ending and
    heading."""
    if named == STARTER:
        return starter_items()
    if named == VIGNETTES:
        return starter_vignettes()
    path = Path(named)
    if path.suffix.lower() == ".json":
        return read_dev_json(path)
    if path.suffix.lower() in (".jsonl", ".ndjson") and is_bbq(path):
        return read_bbq(path)
    try:
        return read_item_table(path)
    except UserError as error:
        if all(name in _header(path) for name in ("sent_more", "sent_less")):
            raise UserError(
                tr(
                    "{file} holds pairs of sentences (CrowS-Pairs), and what is asked here are items of three.",
                    file=path.name,
                ),
                tr("Take items of StereoSet or BBQ, or add an unrelated sentence to each pair."),
            ) from error
        # Only vignettes have a domain: of any other table the fault to tell is the one as a table of items.
        if "domain" not in _header(path):
            raise
        try:
            return read_vignettes(path)
        except UserError as other:
            raise other from error


@lru_cache(maxsize=8)
def alike_items(items: tuple[ChoiceItem, ...]) -> Mapping[str, int]:
    """A number by item id, the same for all *items* whose texts and options are nearly alike; items that are like no
    other are left out.

    Of items without a text the options decide; where those are the same for all of them, nothing tells such items
    apart, and they are left out.
    """
    from gpf_desktop.numerics.near_alike import nearly_alike, words_of

    def by_options(among: Sequence[ChoiceItem]) -> list[int]:
        places: list[int] = nearly_alike([words_of(" ".join(each.options)) for each in among]).tolist()
        return places

    told = [each for each in items if each.text.strip()]
    texts = nearly_alike([words_of(each.text) for each in told]).tolist()
    both = list(zip(texts, by_options(told), strict=True))
    bare = [each for each in items if not each.text.strip() and any(map(str.strip, each.options))]
    if len(set(alone := by_options(bare))) > 1:
        told += bare
        both += [(-1, its) for its in alone]
    several, first = Counter(both), {each: at for at, each in reversed(list(enumerate(both)))}
    return {each.id: first[its] for each, its in zip(told, both, strict=True) if several[its] > 1}


def distinct(items: tuple[ChoiceItem, ...]) -> int:
    """The number of *items* where those that are nearly alike count as one."""
    alike = alike_items(items)
    return len(items) - len(alike) + len(set(alike.values()))


def drawn(items: Sequence[ChoiceItem], most: int) -> tuple[ChoiceItem, ...]:
    """At most *most* of *items*, types in turn; by their keys, so that every machine draws the same."""
    ranks: dict[str, int] = {}
    ranked = []
    for item in sorted(items, key=_hash):
        ranks[item.group] = ranks.get(item.group, 0) + 1
        ranked.append((ranks[item.group], item.group, item.id))
    chosen = {name for _, _, name in sorted(ranked)[:most]}
    return tuple(item for item in items if item.id in chosen)


def _header(path: Path) -> str:
    try:
        with opened(path) as file:
            return file.readline(10_000).casefold()
    except OSError:
        return ""


def _hash(item: ChoiceItem) -> bytes:
    return blake2b(item.id.encode(), digest_size=8).digest()
