"""Details of a bug that may be copied into a mail: what went wrong and where, without secrets or home folders."""

import os
import platform
import traceback
from pathlib import Path

from gpf_desktop import __version__
from gpf_desktop.domain.patterns import regex

_HIDDEN = "[removed]"
_SECRETS = (
    regex(
        r"(?i)(?P<keep>\b(?:authorization|x-api-key|x-goog-api-key|api[-_]?key|token|secret|password)\b"
        r"[\"']?\s*[:=]\s*[\"']?(?:bearer\s+)?)[^\s\"',;&)}\]]+"
    ),
    regex(r"(?i)(?P<keep>\bbearer\s+)[\w.~+/=-]{8,}"),
    regex(r"(?P<keep>)\b(?:sk|pk|rk|gsk|xai|hf|ghp)[-_][\w-]{12,}"),
    regex(r"(?P<keep>)\bAIza[\w-]{20,}"),
    regex(r"(?P<keep>\b\w+://)[^/\s:@]+:[^/\s@]+(?=@)"),
    regex(r"(?i)(?P<keep>[?&](?:key|token|api_key|access_token)=)[^\s&#\"']+"),
)


_COULD_BE_A_KEY = regex(r"(?!/)[^\s:]{12,}")
"""A value of the environment; paths and lists of them begin with or hold other signs."""


def redact(text: str) -> str:
    """*text* without keys, passwords, values of the environment and the name of the user's home folder."""
    values = (value.strip() for value in os.environ.values())
    # The longest first: a value within another, taken out before, would leave the rest of the other standing.
    for value in sorted(filter(_COULD_BE_A_KEY.fullmatch, values), key=len, reverse=True):
        text = text.replace(value, _HIDDEN)
    for pattern in _SECRETS:
        text = pattern.sub(lambda found: found["keep"] + _HIDDEN, text)
    home = str(Path.home())
    # A home of “/”, as bare containers have, stands in every path.
    return text.replace(home, "~") if len(home) > 1 else text


def details_of(error: BaseException) -> str:
    """The traceback of *error* with the versions that matter, redacted."""
    head = f"GPF Desktop {__version__}, Python {platform.python_version()}, {platform.platform()}"
    return redact(head + "\n\n" + "".join(traceback.format_exception(error)))
