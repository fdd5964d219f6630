"""Regular expressions that are compiled when they are first used: of the hundreds that replies and answers are read by,
a start of the program and most of its commands use none, and compiling them took a fifth of it."""

import re
from typing import Any, cast

_ASKED = (
    "search",
    "match",
    "fullmatch",
    "split",
    "findall",
    "finditer",
    "sub",
    "subn",
    "flags",
    "groups",
    "groupindex",
)


class _Uncompiled:
    """Becomes as fast as a compiled one with its first use: what is asked of it is the compiled one's from then on."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name not in _ASKED:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        for each in _ASKED:
            setattr(self, each, getattr(compiled, each))
        return getattr(self, name)


def regex(words: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern of `re.compile` for *words*, made later; errors of *words* come then. For constants of a module that
    call its methods: functions of `re` do not take it in place of a pattern.
    """
    return cast("re.Pattern[str]", _Uncompiled(words, flags))
