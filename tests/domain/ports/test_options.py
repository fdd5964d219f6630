"""Every option says how a form shows it."""

from dataclasses import fields
from typing import Annotated

import pytest

from gpf_desktop.domain.options import Shown, shown_in
from gpf_desktop.domain.ports.plug_in import WithOptions
from gpf_desktop.engine.core import catalogue
from gpf_desktop.ui.widgets.editors import editor_for

WITH_OPTIONS = {
    f"{kind.__name__} {name}": each
    for kind in (
        catalogue.sources,
        catalogue.providers,
        catalogue.embedders,
        catalogue.scorers,
        catalogue.analyses,
        catalogue.exporters,
    )
    for name, each in kind().items()
}


@pytest.mark.parametrize("name", WITH_OPTIONS)
def test_that_every_option_of_every_plug_in_has_a_label(name: str) -> None:
    plug_in = WITH_OPTIONS[name]
    assert isinstance(plug_in, WithOptions)
    shown = shown_in(plug_in.options)
    assert [*shown] == [each.name for each in fields(plug_in.options)]
    for each in shown.values():
        assert each.label.strip() == each.label != ""
        assert "_" not in each.label
    for field in fields(plug_in.options):
        assert not field.metadata, "the form reads `Shown` alone"


def test_that_bounds_of_shown_are_those_of_the_editor(qtbot: object) -> None:
    box = editor_for(Annotated[int, Shown(label="Count", least=2, most=9)], Shown(label="Count")).widget
    assert (box.minimum(), box.maximum()) == (2, 9)  # type: ignore[attr-defined]
