"""What one finding is called, so that a reply to it finds it again."""

from gpf_desktop.domain.conclusions.conclusion import Conclusion

WHOLE = "answer"
"""The report as a whole."""


def conclusion_key(each: Conclusion) -> str:
    """Of what is concluded of one model."""
    return "/".join(filter(None, ("conclusion", each.model, each.about)))


def auditor_key(number: int) -> str:
    """Of the auditor's finding of that number, from 1, in the order of the report."""
    return f"finding/{number}"
