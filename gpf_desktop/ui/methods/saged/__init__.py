"""What SAGED adds to the set-up of its studies: a benchmark of one's own, roles, and rubrics of judges."""

from gpf_desktop.ui.methods.saged.benchmark_dialog import OwnBenchmark
from gpf_desktop.ui.methods.saged.roles_editor import RolesEditor
from gpf_desktop.ui.methods.saged.rubrics_editor import RubricsEditor

EDITORS = (OwnBenchmark, RolesEditor, RubricsEditor)
