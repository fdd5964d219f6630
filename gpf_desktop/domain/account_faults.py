"""What is wrong with the account or the model, by the words that providers use for it, under whatever status.

What one question meets is data. What every question would meet stops the model, whose open questions stay open.
"""

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Final


class AccountFault(StrEnum):
    """What is to be put right before the model is asked again."""

    KEY = "key"
    CREDIT = "credit"
    SHUT = "shut"
    """The provider has suspended or closed the account."""
    PLACE = "place"
    """The provider does not serve where the call came from."""
    MODEL = "model"


_CODES: Final = {
    "accountoverdueerror": AccountFault.CREDIT,
    "account_deactivated": AccountFault.SHUT,
    "arrearage": AccountFault.CREDIT,
    "billing_hard_limit_reached": AccountFault.CREDIT,
    "billing_not_active": AccountFault.CREDIT,
    "credit_balance_exhausted": AccountFault.CREDIT,
    "insufficient_balance": AccountFault.CREDIT,
    "insufficient_quota": AccountFault.CREDIT,
    "invalid_api_key": AccountFault.KEY,
    "invalidapikey": AccountFault.KEY,
    "model_decommissioned": AccountFault.MODEL,
    "model_not_found": AccountFault.MODEL,
    "modelnotopen": AccountFault.MODEL,
    "no_model_loaded": AccountFault.MODEL,
    "unsupported_country_region_territory": AccountFault.PLACE,
}
_SHUTS: Final = (
    r"(?:block(?:s|ed)?|den(?:y|ies|ied)|disabled?|restrict(?:s|ed)?|prohibit(?:s|ed)?|forbid(?:s|den)?|"
    r"not (?:allowed|permitted|enabled))"
)
_WHO_SHUTS: Final = (
    r"(?:administrators?|admins?|firewall|web[ -]?filter|proxy|vpc service controls|it department|"
    r"your (?:organi[sz]ation|company|employer)|organi[sz]ation(?:['’]s|al)? polic(?:y|ies)|"
    r"(?:network|company|corporate|ip) polic(?:y|ies))"
)
"""Who shuts a door that is no filter of content: an administrator, a firewall, a network."""
_WORDS: Final = {
    AccountFault.CREDIT: r"credit balance|(?:out of|no) credits?\b|insufficient (?:credits?|balance|funds|quota)|"
    r"balance (?:is )?(?:too low|not enough|insufficient)|not enough (?:credits?|balance|funds)|payment required|"
    r"arrear|overdue|good standing|spend(?:ing)? limit|billing .{0,30}(?:not|disabled|inactive|required)|"
    r"account .{0,30}(?:not active|inactive)|exceeded your current quota",
    AccountFault.SHUT: r"\b(?:account|organi[sz]ation|workspace|project)\b.{0,40}?\b(?:is|was|been) (?:\w+ly )?"
    r"(?:banned|blocked|closed|deactivated|disabled|flagged|restricted|suspended|terminated)\b|"
    r"\baccount (?:banned|closed|deactivated|disabled|suspended|terminated)\b|"
    # Within one sentence: behind its end stands whom to turn to.
    rf"\b{_SHUTS}\b[^.!?]{{0,60}}\b{_WHO_SHUTS}\b|\b{_WHO_SHUTS}\b[^.!?]{{0,60}}\b{_SHUTS}\b|"
    rf"\b{_SHUTS} (?:for|in|on) (?:this|your) (?:account|api key|organi[sz]ation|project|tenant|workspace)\b|"
    rf"\bip\b(?: address(?:es)?)?[^.!?]{{0,40}}\b{_SHUTS}\b|\b{_SHUTS} ip\b|you have been blocked",
    AccountFault.PLACE: r"(?:location|country|region|territory)\b.{0,40}\bnot (?:supported|available|allowed|served)|"
    r"not (?:supported|available|allowed) in your (?:location|country|region|territory)",
    AccountFault.MODEL: r"decommissioned|not a valid model|invalid model (?:id|name|identifier)|no such model|"
    r"(?:unknown|unrecogni[sz]ed) model|no models? (?:(?:is|are|has been|have been) )?loaded|load a model|"
    r"model .{0,60}not loaded|model\b.{0,80}\b(?:does not exist|not found|could not be found|no longer (?:available|"
    r"supported|served)|has been (?:retired|removed|discontinued|shut down))",
    AccountFault.KEY: r"(?:invalid|incorrect|expired|wrong|revoked|missing|no) api[ _-]?key|"
    r"api[ _-]?key\b.{0,30}\b(?:not valid|invalid|incorrect|expired|missing|revoked|required|not found)",
}
_PATTERNS: Final = {fault: re.compile(words, re.IGNORECASE) for fault, words in _WORDS.items()}
_QUOTED: Final = re.compile(r"""(?<!\w)["“„«`](?:[^\s"”«»`]+\s+){3}[^"”»`]*(?:["”»`]|$)""")
"""Four words and more between quotation marks: of a question, not of the server."""
_READ: Final = 500
"""Characters: further down a server may quote the question."""


def account_fault(message: str, codes: Iterable[str] = ()) -> AccountFault | None:
    """What *message*, an error of a server with its *codes*, says of the account or the model; None: nothing."""
    for code in codes:
        if (fault := _CODES.get(code.lower())) is not None:
            return fault
    head = _QUOTED.sub("…", message[:_READ])
    return next((fault for fault, pattern in _PATTERNS.items() if pattern.search(head)), None)
