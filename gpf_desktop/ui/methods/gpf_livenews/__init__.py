"""GPF-LiveNews has no study to set up beyond its round: it brings the page of its protocols (`pages`)."""

EDITORS = ()
