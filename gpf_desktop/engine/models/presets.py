"""Services that are reached as OpenAI-compatible servers, to choose from instead of typing addresses."""

from dataclasses import dataclass
from functools import cache
from urllib.parse import urlsplit

from gpf_desktop.domain.resources import resources

PROVIDER = "openai-compatible"
"""The provider that the presets are of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A service that models can be added from."""

    title: str
    base_url: str
    """Words in CAPITALS are the auditor's to replace."""
    note: str
    """What to know about it, for people."""
    key_url: str = ""
    """Where a key is had; empty where none is needed."""
    local: bool = False
    """On a computer of the auditor's own, which bills nothing."""

    def is_at(self, address: str) -> bool:
        """Whether *address* is this service's, whatever was put in the place of words in capitals."""
        own, other = _place(self.base_url), _place(address)
        if own is None or other is None:
            return False
        return _same_host(own[0], other[0]) and own[1] == other[1]


@cache
def presets() -> tuple[Preset, ...]:
    """Every preset of ``resources/providers/presets.yaml``, in its order."""
    import yaml

    read = yaml.safe_load((resources() / "providers" / "presets.yaml").read_text(encoding="utf-8"))
    return tuple(Preset(**preset) for preset in read["presets"])


def preset_at(address: str) -> Preset | None:
    """The preset whose address this is."""
    return next((preset for preset in presets() if preset.is_at(address)), None)


def is_local(address: str) -> bool:
    """Whether this is the address of a preset that bills nothing."""
    preset = preset_at(address)
    return preset is not None and preset.local


def _place(address: str) -> tuple[str, int | None] | None:
    try:
        parts = urlsplit(address)
        return parts.netloc.rpartition("@")[2].partition(":")[0], parts.port
    except ValueError:
        return None


def _same_host(pattern: str, host: str) -> bool:
    own, other = pattern.split("."), host.split(".")
    return len(own) == len(other) and all(
        a.isupper() or a.lower() == b.lower() for a, b in zip(own, other, strict=True)
    )
