"""Conclusions about an audit, one object from the gate to the brief (docs/conclusions.md).

conclusion   the object, and the page of them
gates        what a method declares, what it hands over, and the one evaluator
voice        the sentences that a method gives
lead         the figure that leads the page, before anything has a place
rendering    headline, sentences, caveats and footnote
plain        the same as plain data, for JSON
"""
