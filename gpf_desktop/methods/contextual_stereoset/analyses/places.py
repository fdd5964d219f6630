"""How often each option is chosen at each place: closed until somebody opens it."""

from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated
from gpf_desktop.methods.contextual_stereoset.analyses._rows import ChoicesTable
from gpf_desktop.methods.contextual_stereoset.analyses._stored import stored_choices
from gpf_desktop.methods.contextual_stereoset.analyses.shares import share_columns, share_rows
from gpf_desktop.methods.contextual_stereoset.grid import NOT_CONTRASTED
from gpf_desktop.methods.contextual_stereoset.words import places_warning


class Places(ChoicesTable):
    """The paper's own warning stands in its place, and under it."""

    name = "stereoset_places"
    title = Translated("Place by place")

    @property
    def closed(self) -> str:
        return places_warning()

    def analyse(self, scores: ScoreTables, _options: object) -> Finding:
        stored = stored_choices(scores)
        return self.table(
            stored,
            share_columns(stored.labels),
            share_rows(stored, lambda factor: factor in NOT_CONTRASTED),
            reading=places_warning(),
        )


ANALYSIS = Places()
