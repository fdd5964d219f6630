"""What SAGED adds to the set-up of its studies: a benchmark of one's own, and the roles in which it is answered."""

from gpf_desktop.ui.methods.saged.own_benchmark import OwnBenchmark
from gpf_desktop.ui.methods.saged.roles_editor import RolesEditor

EDITORS = (OwnBenchmark, RolesEditor)
