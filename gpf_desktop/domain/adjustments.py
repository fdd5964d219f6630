"""Adjustments for a model that refused the ordinary way, as words that are kept with it.

seed                                     left out
max_tokens as max_completion_tokens      sent under another name
max_tokens up to 2048                    never more than this
max_tokens up to 300 for this question   the same, of one long question alone
system as user                           the system text stands at the head of the user's
"""

from collections.abc import Collection, Iterable
from typing import Final

from gpf_desktop.domain.cells import Prompt

_AS: Final = " as "
_UP_TO: Final = " up to "
_HERE: Final = " for this question"
SYSTEM_AS_USER: Final = f"system{_AS}user"
MOST_AT_ONCE: Final = 8
"""That are learnt from one question: a server might for ever ask for something else."""


def renamed(parameter: str, name: str) -> str:
    """*parameter*, one of our names, is called *name* there."""
    return f"{parameter}{_AS}{name}"


def limited(parameter: str, most: int) -> str:
    """*parameter* may be *most* there."""
    return f"{parameter}{_UP_TO}{most}"


def limited_here(parameter: str, most: int) -> str:
    """*parameter* may be *most* beside one long question."""
    return limited(parameter, most) + _HERE


def is_of_one_question(adjustment: str) -> bool:
    """Whether *adjustment* says nothing of how others are asked."""
    return adjustment.endswith(_HERE)


def name_of(parameter: str, ordinary: str, adjusted: Collection[str]) -> str:
    """The name of *parameter* on the wire: *ordinary*, unless an entry of *adjusted* says that it was found under
    another name."""
    found = sorted(each.partition(_AS)[2] for each in adjusted if each.startswith(parameter + _AS))
    return found[0] if found else ordinary


def most_of(parameter: str, adjusted: Iterable[str]) -> int | None:
    """The largest value of *parameter* that is taken; None where that is not known."""
    told = (each.removesuffix(_HERE).partition(_UP_TO)[2] for each in adjusted if each.startswith(parameter + _UP_TO))
    return min((int(each) for each in told if each.isdecimal()), default=None)


def prompt_of(prompt: Prompt, adjusted: Collection[str]) -> Prompt:
    """*prompt*, with all of it in the user's text where the model takes no system text."""
    if not prompt.system or SYSTEM_AS_USER not in adjusted:
        return prompt
    if not prompt.earlier:
        return Prompt(system="", user=f"{prompt.system}\n\n{prompt.user}")
    (asked, answered), *others = prompt.earlier
    first = (f"{prompt.system}\n\n{asked}", answered)
    return Prompt(system="", user=prompt.user, earlier=(first, *others))


def tidied(adjusted: Iterable[str]) -> list[str]:
    """The *adjusted* entries in order, without limits that a smaller one has replaced, of one question or of all; what
    one long question asks for does not replace what all others are asked with."""
    every = set(adjusted)
    of_all = [each for each in every if not is_of_one_question(each)]
    return sorted(each for each in every if not _replaced(each, every if is_of_one_question(each) else of_all))


def _replaced(adjustment: str, among: Collection[str]) -> bool:
    parameter, limit, most = adjustment.removesuffix(_HERE).partition(_UP_TO)
    if not limit or not most.isdecimal():
        return False
    least = most_of(parameter, among)
    if least is not None and least < int(most):
        return True
    # The same limit of all questions says it of this one too.
    return is_of_one_question(adjustment) and limited(parameter, int(most)) in among
