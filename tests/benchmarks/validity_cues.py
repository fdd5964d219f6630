"""Tables of cues on which nothing parts, and on which one cue does: false findings, power, and what was promised."""

import numpy as np
import pandas as pd

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.scores import FRAMING_OF_OTHER_WORDS, TONE_OF_OTHER_WORDS
from gpf_desktop.methods.gpf_livenews.cells import CUES, Condition
from gpf_desktop.methods.gpf_livenews.concluding.cue_power import chance_of_parting
from gpf_desktop.methods.gpf_livenews.concluding.cues import readings

MARGINS = (0.03, 0.1)
MODELS = 3
SPREAD = 0.06
"""By which an article's difference varies on the table of normal articles, as the promise is told."""


def null_page(
    seed: int, *, shift: float = 0.0, articles: int = 12, batches: int = 4, normal: bool = False
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Three models by three cues, *shift* on that of a note: skewed framing of unlike spread, with noise of articles
    and batches in common; or *normal*, alike, and independent."""
    draw = np.random.default_rng(seed)
    rows, cells = [], []
    for model in range(MODELS):
        for article in range(articles):
            news = draw.gamma(1.0, 0.05) + 0.05 * draw.normal() * (article % batches == 0)
            for dimension in ("Religion", "Socioeconomic"):
                for arm in ("main", *map(str, CUES)):
                    spread = 0.02 if arm == "main" else 0.08
                    moved = shift if arm == str(Condition.BY_NOTE) else 0.0
                    # The mean of two questions' differences, two sides of each, then varies by SPREAD.
                    own = draw.normal(0, SPREAD) if normal else draw.gamma(0.5, spread) - 0.5 * spread
                    rows.append(
                        {
                            "bundle_id": len(rows),
                            "batch_id": article if normal else article % batches,
                            "model": f"x/m{model}",
                            "synthetic": False,
                            "arm": arm,
                            "article_id": article,
                            "dimension": dimension,
                            "family": "Impact",
                            "planned": 7,
                            "valid": 7,
                            FRAMING_OF_OTHER_WORDS: news + own + moved,
                            TONE_OF_OTHER_WORDS: draw.standard_t(4) * spread + moved,
                        }
                    )
                    cells.append(
                        {
                            "model": f"x/m{model}",
                            "synthetic": False,
                            "batch_id": article if normal else article % batches,
                            "article_id": article,
                            "dimension": dimension,
                            "family": "Impact",
                            "identity": "a reader",
                            "paraphrase": "0",
                            "condition": "identity" if arm == "main" else arm,
                            "decided": 21,
                            "refused": draw.binomial(21, 0.03 + 0.05 * news),
                            "worded_refusals": 0,
                        }
                    )
    return pd.DataFrame(rows), pd.DataFrame(cells)


def cues(rounds: int) -> None:
    pages = max(60, rounds // 8)
    print(f"\nCues, {MODELS} models by 3 cues: % of {pages} tables that call any apart where none is (promised 5)")
    for articles in (6, 12, 30):
        for batches in (3, articles):
            named = sum(bool(_apart(seed, articles=articles, batches=batches)) for seed in range(pages))
            kind = "one batch each" if batches == articles else f"{batches} batches"
            print(f"  skewed, unlike spread, {articles:2} articles, {kind:14} {100 * named / pages:5.1f}", flush=True)
    print("One model of a table whose note parts so much in words, found in per cent (promised)")
    for articles in (10, 20, 30):
        for size in (0.05, 0.1, 0.2):
            found = sum(
                ("x/m0", Condition.BY_NOTE, "cue_words") in _apart(seed, shift=size, articles=articles, normal=True)
                for seed in range(pages)
            )
            promised = chance_of_parting(size, SPREAD, articles, 3 * MODELS)
            print(f"  {articles:2} articles, {size:<4}: {100 * found / pages:5.1f} ({100 * promised:.1f})", flush=True)


def _apart(seed: int, **kind: float | bool) -> set[tuple[str, Condition, str]]:
    return {
        (each.conclusion.model, each.condition, measure.name)
        for each in readings(*null_page(seed, **kind), MARGINS)  # type: ignore[arg-type]
        if each.conclusion.outcome is ConclusionOutcome.DIFFERS
        for measure in each.conclusion.differing
    }
