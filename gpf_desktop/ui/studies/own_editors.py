"""What a method adds to the set-up of its studies beyond what it declares: `ui/methods/<name>.py` or an entry point.

A module of `gpf_desktop.ui.methods` that is called as its method is (hyphens as underscores) exposes ``EDITORS``.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec

from PySide6.QtWidgets import QWidget

from gpf_desktop.domain.errors import UserError
from gpf_desktop.engine.core.plug_ins import HERE, declared
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods import module_name
from gpf_desktop.ui.studies.study_view_model import StudyViewModel

MakeEditor = Callable[[Context, StudyViewModel], QWidget]
"""Makes what stands in the card of items: it reads `StudyViewModel.protocol`, follows its `changed`, and gives back
what was made of it by `StudyViewModel.take_protocol`."""

GROUP = "gpf_desktop.study_editors"


def own_editors(method: str, tell: Callable[[UserError], object]) -> Sequence[MakeEditor]:
    """The editors of the method called *method*, in the order in which they stand.

    *tell* is given what an installed package declares and cannot be used.
    """
    place = f"gpf_desktop.ui.methods.{module_name(method)}"
    # Asked first: to catch an ImportError would also hide one that comes from inside the module.
    if find_spec(place) is not None:
        found: Sequence[MakeEditor] = import_module(place).EDITORS
        return found
    loaded = [HERE.load(point) for point in declared(GROUP, method)]
    for each in loaded:
        if isinstance(each, UserError):
            tell(each)
    return [each for each in loaded if not isinstance(each, UserError)]
