"""Keys of single findings, by which a reply to one finds it again."""

from gpf_desktop.domain.conclusions.conclusion import Conclusion

WHOLE = "answer"
"""The report as a whole."""


def conclusion_key(each: Conclusion) -> str:
    """The key of the conclusion about one model."""
    return "/".join(filter(None, ("conclusion", each.model, each.about)))


def auditor_key(number: int) -> str:
    """The key of the auditor's finding of that *number*, from 1, in the order of the report."""
    return f"finding/{number}"
