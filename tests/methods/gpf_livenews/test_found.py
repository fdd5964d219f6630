"""What was found, in the one kind of sentence that scores support."""

from gpf_desktop.domain.findings import BundleFilter, Estimate, Finding, Interval, Row
from gpf_desktop.methods.gpf_livenews.found import told


def row(model: str, value: float | None, *bounds: float, p: float | None = None) -> Row:
    interval = Interval(low=bounds[0], high=bounds[1], level=0.95, method="t") if bounds else None
    why = "" if value is not None else "no repeats"
    mean = Estimate(value=value, n=9, articles=3, interval=interval, why=why)
    return Row(values={"model": f"vendor/{model}", "relative": mean, "p": p}, bundles=BundleFilter())


def test_that_models_are_told_by_what_their_intervals_allow_to_say_and_never_ranked() -> None:
    rows = (
        row("a", 0.1, 0.05, 0.15, p=0.05),
        row("b", 0.9, 0.8, 1.0, p=0.00004),
        row("c", 0.2, 0.1, 0.5, p=0.05004),
        row("less", -0.2, -0.3, -0.1, p=0.01),
        row("d", 0.3),
        row("e", None),
    )
    found = Finding(name="model_table", title="Models", columns=(), rows=rows, reading="")
    varied, not_shown, untold = told({"model_table": found})
    assert varied.endswith("adjusted p ≤ .05 over models: a 0.10 (0.05 to 0.15); b 0.90 (0.80 to 1.00).")
    assert not_shown.endswith("does not show that there is none: c 0.20 (0.10 to 0.50); less −0.20 (−0.30 to −0.10).")
    assert untold.endswith("cannot be told: d (too few articles); e (no repeats).")
    assert all(" over 3 articles " in line for line in (varied, not_shown))
    assert not any(word in line for line in (varied, not_shown, untold) for word in ("bias", "fair"))
