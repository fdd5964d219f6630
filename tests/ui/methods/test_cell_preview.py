"""The cell whose message stands beside a protocol that is edited."""

from dataclasses import replace

from gpf_desktop.methods.gpf_livenews.cells import Condition
from gpf_desktop.ui.methods.gpf_livenews.cell_preview import CellPreview
from tests.support.protocols import shipped_protocol


def test_that_a_family_whose_wordings_were_all_removed_has_no_message() -> None:
    protocol, preview = shipped_protocol(), CellPreview()
    preview.follow(protocol)
    assert preview.prompt is not None
    first, *others = protocol.families
    emptied = replace(first, templates=(), identity_free=())
    preview.follow(replace(protocol, families=(emptied, *others)))
    for condition in (Condition.IDENTITY, Condition.IDENTITY_FREE, Condition.RANDOM_LABEL):
        preview.choose(condition=condition)
        assert (preview.wordings, preview.prompt) == ([], None)
