"""Commands of the queue as a whole: filters, samples, and decisions about the bundles that are selected."""

from dataclasses import replace

from gpf_desktop.domain.reviews import Verdict
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.verdict_words import SEVERITIES, judged, verdict_called
from gpf_desktop.ui.actions import ActionSpec, Fact, Menu
from gpf_desktop.ui.review.wording import VERDICT_ACTIONS

_GROUP = 5
"""In the menu Review, behind the commands about the open bundle."""
SEVERAL = "review.bulk_"
"""What the ids of commands about all selected bundles begin with."""


def queue_actions() -> tuple[ActionSpec, ...]:
    """Filters and samples, then what is done to all selected bundles."""
    return (
        _queue("filter", tr("Filter the queue"), words=tr("saved filters"), icon="filter"),
        _queue("save_filter", tr("Save this filter and order …"), words=tr("saved filters name keep")),
        _queue("saved_filters", tr("Saved filters …"), words=tr("choose rename delete replace")),
        _queue("sample", tr("Draw a sample …"), words=tr("stratified random top calibration overlap seed")),
        replace(
            _queue("test_sample", tr("Draw sets to test the conclusions …"), words=tr("sample reading plan hours")),
            page="",
            home="review",
            at_home=True,
        ),
        _queue("all_bundles", tr("Clear the filter and the sample"), words=tr("every bundle set reset")),
        _queue("select_all", tr("Select every set of this tab"), words=tr("bulk")),
        _several("flag", tr("Flag"), icon="flag"),
        _several("unflag", tr("Take the flag off")),
        _several("tag", tr("Add a tag …")),
        *(
            _several(
                VERDICT_ACTIONS[verdict].removeprefix("review."), tr("Verdict: {name}", name=verdict_called(verdict))
            )
            for verdict in Verdict
            if verdict is not Verdict.HARMFUL
        ),
        *(
            _several(
                f"harmful{severity}",
                tr("Verdict: {name}", name=judged(Verdict.HARMFUL, severity)),
            )
            for severity in SEVERITIES
        ),
        _several("submit", tr("Submit complete drafts"), icon="check"),
    )


def _queue(action_id: str, text: str, *, words: str = "", icon: str = "") -> ActionSpec:
    return ActionSpec(
        id=f"review.{action_id}",
        text=text,
        menu=Menu.REVIEW,
        group=_GROUP,
        submenu=tr("&Queue"),
        icon=icon,
        needs=frozenset({Fact.AUDIT_OPEN}),
        page="review",
        words=words,
    )


def _several(action_id: str, text: str, *, icon: str = "") -> ActionSpec:
    return ActionSpec(
        id=f"{SEVERAL}{action_id}",
        text=text,
        menu=Menu.REVIEW,
        group=_GROUP,
        submenu=tr("All selected sets"),
        icon=icon,
        needs=frozenset({Fact.SEVERAL_SELECTED}),
        page="review",
        words=tr("bulk selected bundles sets several"),
    )
