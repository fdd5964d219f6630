"""Whether an error is a provider's block: what it will not answer is a refusal, and refusals are results.

Providers report a block of the prompt or of the answer as HTTP 400, some as 403 or 422. Taken for errors, a provider
that blocks one religion would show a fault of the network.
"""

import re
from typing import Final, Protocol

_CODES: Final = frozenset(
    {
        "content_filter",
        "content_policy_violation",
        "content_violation",
        "invalid_prompt",
        "moderation_blocked",
        "prohibited_content",
        "responsibleaipolicyviolation",
        "safety",
        "blocklist",
    }
)
_WORDS: Final = re.compile(
    r"PROHIBITED_CONTENT|content[ _](?:filter(?:ing)?|management|usage) polic|"
    r"violat\w+ (?:\w+ ){0,3}(?:usage|content|safety|acceptable use) (?:polic|guideline)|"
    r"(?:input|prompt|content|message) (?:was|is|has been) (?:flagged|blocked)"
)
_NEVER: Final = frozenset({401, 402, 404, 408, 409, 413, 429})
"""Statuses of an account, an address or a limit, whatever the words."""


class _Said(Protocol):
    @property
    def message(self) -> str: ...
    @property
    def code(self) -> str: ...
    @property
    def kind(self) -> str: ...


def is_block(status: int, said: _Said) -> bool:
    """Whether an error under *status* says that the content was blocked, by its code, else by its words."""
    if status in _NEVER or status >= 500:
        return False
    named = {said.code.lower(), said.kind.lower()}
    return not _CODES.isdisjoint(named) or _WORDS.search(said.message) is not None
