"""The editor of the grid of contexts, in the set-up of a study."""

from gpf_desktop.ui.methods.contextual_stereoset.grid_button import GridButton

EDITORS = (GridButton,)
