"""The columns of a table of answers, a row for each cell."""

from typing import Final

from gpf_desktop.documents import column_names
from gpf_desktop.documents.tables import Columns
from gpf_desktop.methods.contextual_stereoset.protocol import WORDING

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
