"""Sets in which answers are missing, and why each of these did not come."""

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any

from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.coverage import Coverage
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.models import short_names
from gpf_desktop.domain.responses import reason_words
from gpf_desktop.domain.text import grouped, tr
from gpf_desktop.engine.reporting.results_filter import Window
from gpf_desktop.engine.reporting.scope_words import sets_words
from gpf_desktop.storage.answer_facts import missing_in
from gpf_desktop.storage.audit_file import AuditFile


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingAnswers:
    """The answers asked as planned that cannot be counted; page and brief tell them by the same words."""

    n: int = 0
    of: int = 0
    why: str = ""
    """“93 declined, 49 empty”; empty: nobody knows."""
    model: str = ""
    """The one that lacks more than half of them, by its short name; empty: none does."""
    every: bool = False
    """All of them are of *model*."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IncompleteSets:
    """The sets counted on a page that lack answers."""

    words: str = ""
    """How many answers are missing in how many sets, and why; empty: every set is complete."""
    bundles: tuple[BundleId, ...] = ()
    missing: MissingAnswers = MissingAnswers()


def find_incomplete_sets(audit: AuditFile, frame: Any, window: Window, answers: str) -> IncompleteSets:
    """The bundles in *frame* that lack answers, of those asked as planned; *answers*: what is counted, in words.
    Blocks."""
    main = frame[frame["arm"] == MAIN]
    lacks = main[main["coverage"] != str(Coverage.COMPLETE)]
    bundles = tuple(BundleId(int(each)) for each in sorted(lacks["bundle_id"]))
    if not bundles:
        return IncompleteSets()
    missing = missing_answers(main, Counter(audit.read(partial(missing_in, bundles=bundles))))
    words = tr(
        "Missing: {n} of {of} {answers} ({reasons}), in {k} of {all} sets of answers.",
        n=grouped(missing.n),
        of=grouped(missing.of),
        answers=answers,
        reasons=missing.why,
        k=grouped(window.bundles - window.complete),
        all=grouped(window.bundles),
    )
    return IncompleteSets(words=words if missing.why else f"{sets_words(window)}.", bundles=bundles, missing=missing)


def missing_answers(main: Any, reasons: Counter[str]) -> MissingAnswers:
    """The missing answers of the sets *main*, which lack answers for *reasons*; what came and counts for nothing is
    unreadable."""
    lacks = (main["planned"] - main["valid"]).groupby(main["model"].astype(str)).sum()
    n = int(lacks.sum())
    told = [f"{grouped(count)} {reason_words(reason)}" for reason, count in reasons.most_common()]
    if unread := max(0, n - reasons.total()):
        told.append(tr("{n} unreadable", n=grouped(unread)))
    worst = str(lacks.idxmax())
    most = int(lacks.max())
    return MissingAnswers(
        n=n,
        of=int(main["planned"].sum()),
        why=", ".join(told),
        model=short_names(map(str, lacks.index))[worst] if most * 2 > n else "",
        every=most == n,
    )
