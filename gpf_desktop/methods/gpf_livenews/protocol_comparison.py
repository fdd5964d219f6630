"""What two versions of a protocol say differently, field by field, in the order of the file."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass

from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.protocol import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolDifference:
    """One field of a protocol that two versions fill differently."""

    field: str
    """Its place, in words: ``Impact › paraphrase 1``."""
    before: str | None
    """None: the field is not there."""
    after: str | None


def differences(before: Protocol, after: Protocol) -> list[ProtocolDifference]:
    """Every field in which *after* differs; names that only one of them has stand as added or removed."""
    old, new = dict(_fields(before)), dict(_fields(after))
    return [
        ProtocolDifference(field=field, before=old.get(field), after=new.get(field))
        for field in (*old, *(field for field in new if field not in old))
        if old.get(field) != new.get(field)
    ]


def _fields(protocol: Protocol) -> Iterator[tuple[str, str]]:
    for name, part in ((each.name, getattr(protocol, each.name)) for each in fields(protocol)):
        if isinstance(part, str):
            yield name.replace("_", " "), part
        elif is_dataclass(part):
            for each in fields(part):
                yield f"{name} › {each.name}", str(getattr(part, each.name))
    for label_set in protocol.label_sets:
        yield tr("label set {name}", name=label_set.name), " · ".join(label_set.labels)
    for family in protocol.families:
        for number, template in enumerate(family.templates):
            yield f"{family.name} › {_wording(number)}", template
        for number, template in enumerate(family.identity_free):
            yield f"{family.name} › {_wording(number)}, {tr('identity-free')}", template
    for dimension in protocol.dimensions:
        yield dimension.name, " · ".join(identity.label for identity in dimension.identities)
        for identity in dimension.identities:
            place = f"{dimension.name} › {identity.label}"
            yield f"{place} › {tr('patterns')}", "\n".join(identity.patterns)
            yield f"{place} › {tr('overlaps')}", ", ".join(identity.overlaps)


def _wording(number: int) -> str:
    return tr("paraphrase {n}", n=number) if number else tr("canonical")
