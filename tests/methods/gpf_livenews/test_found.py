"""What was found, in the one kind of sentence that scores support."""

from gpf_desktop.domain.findings import BundleFilter, Estimate, Finding, Interval, Row
from gpf_desktop.methods.gpf_livenews.found import told


def mean(value: float | None, *bounds: float) -> Estimate:
    interval = Interval(low=bounds[0], high=bounds[1], level=0.95, method="t") if bounds else None
    why = "" if value is not None else "no repeats"
    return Estimate(value=value, n=9, articles=3, interval=interval, why=why)


def row(model: str, value: float | None, *bounds: float, p: float | None = None, tone: float | None = None) -> Row:
    """*tone*: p of a mean tone framing of .4."""
    in_tone = mean(None) if tone is None else mean(0.4, 0.3, 0.5)
    values = {"model": f"vendor/{model}", "relative": mean(value, *bounds), "p": p, "tone": in_tone, "p_tone": tone}
    return Row(values=values, bundles=BundleFilter())


def findings(*rows: Row) -> dict[str, Finding]:
    return {"model_table": Finding(name="model_table", title="Models", columns=(), rows=rows, reading="")}


def test_that_models_are_told_by_what_their_intervals_allow_to_say_and_never_ranked() -> None:
    varied, not_shown, untold = told(
        findings(
            row("a", 0.1, 0.05, 0.15, p=0.05),
            row("b", 0.9, 0.8, 1.0, p=0.00004),
            row("c", 0.2, 0.1, 0.5, p=0.05004),
            row("less", -0.2, -0.3, -0.1, p=0.01),
            row("d", 0.3),
            row("e", None),
        )
    )
    assert varied.endswith(
        "adjusted p ≤ .05 over models and both scores: a 0.10 (0.05 to 0.15); b 0.90 (0.80 to 1.00)."
    )
    # The one of “c” leaves out 0, its adjusted p being over .05.
    assert "the intervals are not adjusted" in not_shown
    assert not_shown.endswith("does not show that there is none: c 0.20 (0.10 to 0.50); less −0.20 (−0.30 to −0.10).")
    assert untold.endswith("cannot be told: d (too few articles); e (no repeats).")
    assert all(" over 3 articles" in line for line in (varied, not_shown))
    assert not any(word in line for line in (varied, not_shown, untold) for word in ("bias", "fair"))


def test_that_a_model_whose_tone_alone_varied_is_not_told_as_one_that_did_not_vary() -> None:
    tone_alone = row("tone", 0.01, -0.01, 0.03, p=0.6, tone=0.001)
    both, neither = row("both", 0.5, 0.4, 0.6, p=0.001, tone=0.001), row("neither", 0.0, -0.1, 0.1, p=1.0, tone=0.9)
    varied, in_tone, not_shown = told(findings(tone_alone, both, neither))
    assert "by relative framing" in varied
    assert varied.endswith(": both 0.50 (0.40 to 0.60).")
    assert in_tone == (
        "Their tone varied too, by tone framing over 3 articles, adjusted likewise: tone 0.40 (0.30 to 0.50);"
        " both 0.40 (0.30 to 0.50)."
    )
    assert not_shown.endswith(": neither 0.00 (−0.10 to 0.10), tone 0.40 (0.30 to 0.50).")
    (alone,) = told(findings(tone_alone))
    assert alone.startswith("The tone of answers varied across identities beyond the noise of repeats, by tone framing")
    assert alone.endswith("adjusted p ≤ .05 over models and both scores: tone 0.40 (0.30 to 0.50).")
