"""Pages stay within a small window, also with text of twice the size."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gpf_desktop.ui.context import Context
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.models.models_page import ModelsPage
from gpf_desktop.ui.models.models_view_model import Place
from gpf_desktop.ui.widgets.side_by_side import SideBySide


@pytest.mark.parametrize("scale", [100, 150, 200])
def test_that_sources_models_and_protocol_fit_a_window_of_1280_by_720(
    window: MainWindow, context: Context, audit: Path, settle: Callable[[], None], scale: int
) -> None:
    session = context.workshop.session
    session.sources.add_sample().result()
    session.models.add_calibration(["neutral"]).result()
    context.theme.set_text_scale(scale)
    for page in ("sources", "models", "protocol"):
        context.navigator.go(page)
        settle()
        assert window.minimumSizeHint().width() <= 1280, page
        assert window.minimumSizeHint().height() <= 720, page
    models = window.findChild(ModelsPage, "page.models")
    assert models is not None
    context.navigator.go("models")
    models.editing.start(models.model.providers[0])
    settle()
    assert models.model.place is Place.EDITOR
    assert window.minimumSizeHint().width() <= 1280
    assert {part.stacked for part in models.findChildren(SideBySide)} == {scale > 100}
