"""The editor of the grid of contexts, in the set-up of a study."""

from gpf_desktop.ui.methods.contextual_stereoset.grid_dialog import GridButton

EDITORS = (GridButton,)
