"""In which order the tables of GPF-LiveNews are read."""

from typing import Final

from gpf_desktop.domain.results_order import ResultsOrder

ORDER: Final = ResultsOrder(
    found=("model_table", "interaction", "refusals"),
    comparisons=(
        "model_comparison",
        "sides_compared",
        "variance",
        "controls",
        "masked_controls",
        "identity_test",
        "label_test",
        "cue_agreement",
        "giving_way",
        "giving_way_readers",
        "identity_profile",
        "stability",
        "streaming",
    ),
    two_batches=frozenset({"stability", "streaming"}),
    two_models=frozenset({"model_comparison"}),
    two_vendors=frozenset({"vendor_summary", "family_by_vendor"}),
    brief={
        "controls": ("models", "control", "pairs", "main_s", "control_s", "delta_s", "delta_r"),
        "model_table": ("model", "cfs", "relative", "tone", "s", "words", "refused", "pairs"),
        "sides_compared": ("kind", "first", "second", "score", "difference", "margin", "pairs", "p", "outcome"),
    },
)
