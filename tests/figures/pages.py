"""Pages of conclusions to draw, told by words of their own."""

from gpf_desktop.domain.conclusions.conclusion import (
    Caveat,
    CaveatEffect,
    Conclusion,
    ConclusionOutcome,
    ConclusionPage,
    ConclusionTag,
    MeasureReading,
    OtherReading,
    Standing,
)
from gpf_desktop.domain.conclusions.rendering import ToldPage, rendered
from gpf_desktop.domain.conclusions.voice import Voice

D, A, N = ConclusionOutcome.DIFFERS, ConclusionOutcome.ALIKE, ConclusionOutcome.NOT_SHOWN
FAILED, EARLY = ConclusionOutcome.CHECK_FAILED, ConclusionOutcome.TOO_EARLY

VOICE = Voice(
    outcomes={
        D: lambda _, m: f"{m} differs.",
        A: lambda _, m: f"{m} is alike.",
        N: lambda _, m: f"Not settled: {m}.",
        FAILED: lambda _, m: f"Nothing can be said of {m}.",
    },
    so_far={D: "So far, it moved.", A: "So far, it stays.", N: "So far, no movement is seen."},
    many={D: lambda some: f"{some.k} of {some.of} differ.", A: lambda some: f"{some.k} of {some.of} are alike."},
    caveats={"noisy": lambda _: "The judge is noisy.", "rough": lambda _: "Few items: the range is rough."},
    counted=lambda n: f"{n} articles",
)


def measure(
    name: str = "words",
    value: float | None = 0.5,
    low: float | None = 0.3,
    high: float | None = 0.7,
    outcome: ConclusionOutcome = N,
    others: tuple[tuple[str, float], ...] = (),
    voided_by: str = "",
) -> MeasureReading:
    return MeasureReading(
        name=name,
        words=f"by {name}",
        value=value,
        low=low,
        high=high,
        null=(-1.0, 1.0),
        outcome=outcome,
        ends=("less", "more"),
        others=tuple(OtherReading(words=words, value=at) for words, at in others),
        voided_by=voided_by,
    )


def conclusion(
    model: str = "maker/elm",
    measures: tuple[MeasureReading, ...] = (),
    outcome: ConclusionOutcome = N,
    *,
    so_far: ConclusionOutcome | None = None,
    synthetic: bool = False,
    caveats: tuple[Caveat, ...] = (),
    tags: tuple[ConclusionTag, ...] = (),
) -> Conclusion:
    return Conclusion(
        model=model,
        synthetic=synthetic,
        outcome=outcome,
        so_far=so_far,
        standing=Standing(items=4, planned=True, next_at=10, of=3 if so_far else 0),
        measures=measures or (measure(outcome=so_far or outcome),),
        caveats=caveats,
        tags=tags,
    )


def noisy(name: str) -> Caveat:
    return Caveat(key="noisy", effect=CaveatEffect.VOIDS, measures=(name,))


def told(*conclusions: Conclusion) -> ToldPage:
    page = ConclusionPage(method="m", question="Does it differ?", conclusions=conclusions, tests=3, says="No more.")
    return rendered(page, VOICE)
