"""What stands below the box, decided from the state of the page."""

from enum import Enum, auto

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.sources.adding_view_model import AddingViewModel, Stage
from gpf_desktop.ui.sources.sources_view_model import SourcesViewModel
from gpf_desktop.ui.widgets.cards import EmptyState


class SourceStatus(Enum):
    NO_AUDIT = auto()
    NOTHING_YET = auto()
    WAITING = auto()
    LOOKING = auto()
    FOUND = auto()
    CATALOGUE = auto()
    LISTS = auto()


def status(sources: SourcesViewModel, adding: AddingViewModel) -> SourceStatus:
    """The audit first, then what one is doing, then what is there."""
    by_stage = {
        Stage.LOOKING: SourceStatus.LOOKING,
        Stage.FOUND: SourceStatus.FOUND,
        Stage.CATALOGUE: SourceStatus.CATALOGUE,
    }
    if not sources.audit_open:
        return SourceStatus.NO_AUDIT
    if adding.stage in by_stage:
        return by_stage[adding.stage]
    if sources.lines:
        return SourceStatus.LISTS
    return SourceStatus.NOTHING_YET if sources.loaded and adding.stage is Stage.IDLE else SourceStatus.WAITING


def explain(empty: EmptyState, now: SourceStatus, sources: SourcesViewModel, adding: AddingViewModel) -> None:
    """Say in *empty* why there is no list."""
    match now:
        case SourceStatus.NO_AUDIT:
            empty.ask_for_audit(tr("News are kept in an audit, and none is open."), sources.context.actions)
        case SourceStatus.NOTHING_YET:
            empty.explain(
                tr("No source yet: paste an address above, or take one that ships with the program."),
                tr("Open the catalogue"),
                adding.open_catalogue,
                tr("Use the sample news"),
                sources.add_sample,
            )
        case SourceStatus.LOOKING:
            empty.explain(tr("Looking at what stands there …"), "", None, tr("Cancel"), adding.cancel)
        case SourceStatus.WAITING:
            empty.explain(tr("One moment …"))
        case _:
            empty.explain("")
