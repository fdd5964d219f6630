"""Tables of answers that came from elsewhere: their columns, and what stands in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gpf_desktop.arrays import Floats
from gpf_desktop.documents import column_names
from gpf_desktop.documents.tables import Columns

KEYS: Final = ("domain", "concept", "keyword", "source_tag", "root", "prompt", "model", "role")
KNOWN_AS: Final = {
    "model": column_names.MODEL,
    "domain": ("category",),
    "concept": ("group", "identity"),
    "source_tag": ("source",),
    "root": ("root_id", "prompt_id", "id"),
    "prompt": ("prompts", "question", "input", "messages", "input_messages"),
    "baseline": ("reference", "source_text"),
    "role": ("generation_function", "persona", "role_play"),
    "response": column_names.RESPONSE,
}
COLUMNS: Final = Columns((*KEYS[:6], "baseline", *KEYS[6:], "response"), ("repeat",), known_as=KNOWN_AS)
FEATURE, BASELINE_FEATURE = "feature:", "baseline_feature:"


@dataclass(frozen=True, slots=True)
class SagedAnswer:
    """One row."""

    keys: tuple[str, ...]
    """As in `KEYS`."""
    repeat: str
    baseline: str
    response: str

    @property
    def concept(self) -> str:
        return self.keys[1]

    @property
    def root(self) -> str:
        return self.keys[4]

    @property
    def asked(self) -> tuple[str, str]:
        """Model and role."""
        return self.keys[6], self.keys[7]


@dataclass(frozen=True, slots=True)
class GivenFeature:
    """A feature whose numbers were made elsewhere."""

    values: Floats
    """(answers,); NaN: none."""
    baselines: Floats | None


@dataclass(frozen=True, slots=True)
class SagedAnswers:
    """A table of answers, in an order that is the same however the file's rows stand."""

    rows: Sequence[SagedAnswer]
    made: Mapping[str, GivenFeature]
    """By feature, in the order of the file's columns."""
