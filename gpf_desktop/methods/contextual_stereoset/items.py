"""Items: a sentence of StereoSet with its labelled options, or a short case (vignette) with three fixed answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.text import tr

STEREOTYPE_LABELS: Final = "SAU"
"""Stereotype, anti-stereotype, unrelated."""
VIGNETTE_LABELS: Final = "123"
LONGEST_OPTION: Final = 400
"""Characters; what a round costs at most rests on it."""
LONGEST_TYPE: Final = 60
"""Characters of the name of a type."""
ITEM_KIND: Final = "stereotype-item"
VIGNETTE_KIND: Final = "vignette"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceItem:
    """One question with three options; what varies is the context it is put in."""

    id: str
    group: str
    """An item's type, a vignette's domain."""
    target: str = ""
    """Of whom it speaks; a vignette names nobody."""
    text: str
    """The sentence before the options; of an intrasentence item the one with the blank."""
    options: tuple[str, str, str]
    """In the order of *labels*; of a vignette, the outcome that helps the person is the first."""
    labels: str = STEREOTYPE_LABELS

    @property
    def option(self) -> Mapping[str, str]:
        """The options by label."""
        return dict(zip(self.labels, self.options, strict=True))

    @property
    def study_item(self) -> StudyItem:
        kind = ITEM_KIND if self.labels == STEREOTYPE_LABELS else VIGNETTE_KIND
        return StudyItem(
            kind=kind,
            key=self.id,
            title=self.target or self.id,
            text=self.text,
            stratum=self.group,
            data={"options": list(self.options)},
        )

    @classmethod
    def of(cls, item: StudyItem) -> "ChoiceItem":
        """The inverse of `study_item`. Raises `UserError` for one that this method did not store."""
        options = item.data.get("options")
        if not isinstance(options, list) or len(options) != 3:
            raise UserError(
                tr("Item {item} has no three options: another program wrote this.", item=item.key),
                tr("Go back to a copy from before."),
            )
        first, second, third = map(str, options)
        return cls(
            id=item.key,
            group=item.stratum,
            target="" if item.title == item.key else item.title,
            text=item.text,
            options=(first, second, third),
            labels=STEREOTYPE_LABELS if item.kind == ITEM_KIND else VIGNETTE_LABELS,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemSet:
    """Items of one file, and what it says of itself."""

    items: tuple[ChoiceItem, ...]
    source: str
    """File, version, counts and licence, in a sentence."""


def checked(item: ChoiceItem, where: str) -> ChoiceItem:
    """*item*; raises `UserError` naming *where* it stands, if it cannot be asked about."""
    empty = next((each for each in ("id", "text") if not getattr(item, each).strip()), None)
    if empty or not all(option.strip() for option in item.options):
        what = tr("its {field} is empty", field=empty) if empty else tr("one of its three options is empty")
        raise _wrong(where, what, tr("Give each item an id, a text and three options."))
    if any(len(option) > LONGEST_OPTION for option in item.options):
        what = tr("one of its options is longer than {most} characters", most=LONGEST_OPTION)
        raise _wrong(where, what, tr("Shorten it."))
    if len({" ".join(option.casefold().split()) for option in item.options}) < 3:
        raise _wrong(
            where, tr("two of its options are the same"), tr("An answer could not be told apart: change one of them.")
        )
    return item


def type_said(said: str, where: str) -> str:
    """A type of bias as the items name it, in small letters; raises `UserError` naming *where* it stands."""
    kind = " ".join(said.split()).casefold()
    if not kind or len(kind) > LONGEST_TYPE:
        raise _wrong(
            where,
            tr("its type is empty") if not kind else tr("“{type}…” is too long for a type", type=kind[:40]),
            tr("Name what the item is about in a word or two, such as gender or age."),
        )
    return kind


def without_doubles(placed: Sequence[tuple[str, ChoiceItem]]) -> tuple[ChoiceItem, ...]:
    """The items of (where, item) pairs; raises `UserError` where two have one id, or where there are none."""
    if not placed:
        raise UserError(tr("The file has no items, only what stands above them."), tr("Choose another file."))
    seen: dict[str, str] = {}
    for where, item in placed:
        if item.id in seen:
            raise UserError(
                tr("{first} and {second} have the same id, “{id}”.", first=seen[item.id], second=where, id=item.id),
                tr("Give each item an id of its own."),
            )
        seen[item.id] = where
    return tuple(item for _, item in placed)


def _wrong(where: str, what: str, remedy: str) -> UserError:
    return UserError(tr("{where}: {what}.", where=where, what=what), remedy)
