"""Log-probabilities of an answer's letters, beside the parameters that were sent to have them."""

import json
from collections.abc import Mapping
from typing import Any, Final

from gpf_desktop.domain.responses import LetterToken
from gpf_desktop.storage import stored

LETTERS: Final = "letters"
"""Key in the parameters of a response; not there where no log-probabilities came."""
AS_JSON: Final = "json_extract(p.sent, '$.letters')"
"""SQL: what stands under the key, as JSON; NULL where nothing does."""


def written(letters: tuple[LetterToken, ...] | None) -> Mapping[str, object]:
    """The form in which *letters* are kept with the parameters."""
    return {} if letters is None else {LETTERS: [[each.at, each.token, dict(each.top)] for each in letters]}


def without(sent: str) -> str:
    """The parameters *sent*, as they are stored, without what `written` kept beside them. Raises `BadRowError`."""
    if LETTERS not in sent:
        return sent
    return json.dumps({name: value for name, value in stored.structure(sent).items() if name != LETTERS})


def read(value: Any) -> tuple[LetterToken, ...]:
    """The inverse. Raises `BadRowError`."""
    try:
        return tuple(
            LetterToken(at=int(at), token=str(token), top={str(key): float(each) for key, each in top.items()})
            for at, token, top in value or ()
        )
    except (ValueError, TypeError, AttributeError) as error:
        raise stored.BadRowError(f"no log-probabilities: {error}") from error
