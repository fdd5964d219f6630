"""Sets in which answers are missing, and why each of these did not come."""

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any

from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.coverage import Coverage
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.responses import reason_words
from gpf_desktop.domain.text import grouped, trn
from gpf_desktop.engine.reporting.results_filter import Window
from gpf_desktop.engine.reporting.scope_words import sets_words
from gpf_desktop.storage.answer_facts import missing_in
from gpf_desktop.storage.audit_file import AuditFile


@dataclass(frozen=True, slots=True, kw_only=True)
class IncompleteSets:
    """The sets counted on a page that lack answers."""

    words: str = ""
    """How many answers are missing in how many sets, and why; empty: every set is complete."""
    bundles: tuple[BundleId, ...] = ()


def find_incomplete_sets(audit: AuditFile, frame: Any, window: Window) -> IncompleteSets:
    """The bundles in *frame* that lack answers, of those asked as planned; blocks."""
    main = frame[frame["arm"] == MAIN]
    lacks = main[main["coverage"] != str(Coverage.COMPLETE)]
    bundles = tuple(BundleId(int(each)) for each in sorted(lacks["bundle_id"]))
    if not bundles:
        return IncompleteSets()
    reasons = Counter(audit.read(partial(missing_in, bundles=bundles)))
    told = ", ".join(f"{grouped(n)} {reason_words(reason)}" for reason, n in reasons.most_common())
    sets, missing = sets_words(window), sum(reasons.values())
    words = trn(
        "{sets}: {n} of {of} answers is missing, {reasons}.",
        "{sets}: {n:,} of {of} answers are missing, {reasons}.",
        missing,
        sets=sets,
        of=grouped(int(main["planned"].sum())),
        reasons=told,
    )
    return IncompleteSets(words=words if told else f"{sets}.", bundles=bundles)
