"""GPF-LiveNews has no study to set up beyond its round: it adds to the form of its protocols (`protocol_form`)."""

EDITORS = ()
