"""Words that hold sentences together and tell no answer from another: they are never marked."""

from typing import Final

_LISTED: Final = """
a about above across after again against all almost along already also although always am among an and another any
anybody anyone anything are aren't around as at away back be became because become been before behind being below
beside besides between beyond both but by can can't cannot could couldn't did didn't do does doesn't doing don't
done down during each either else enough etc even ever every everybody everyone everything few first for from
further get gets getting given go goes going got had has hasn't have haven't having he he's her here hers herself
him himself his how however i i'd i'll i'm i've if in into is isn't it it'll it's its itself just keep kept last
least less let like likely made make makes many may maybe me might mine more most much must my myself near need
needs neither never next no nobody none nor not nothing now of off often on once one ones only onto or other others
our ours ourselves out over own per perhaps quite rather really s same see seem seems several shall she she's should
shouldn't since so some somebody someone something sometimes soon still such t take takes than that that's the their
theirs them themselves then there there's therefore these they they'll they're they've thing things this those
though three through thus to together too toward towards two under until up upon us use used uses using usually very
via was wasn't way we we'll we're we've well were weren't what what's when where whether which while who who's whole
whom whose why will with within without won't would wouldn't yes yet you you'd you'll you're you've your yours
yourself yourselves
"""
FUNCTION_WORDS: Final = frozenset(_LISTED.split())


def tells(word: str) -> bool:
    """Whether *word*, folded, may tell one answer from another: no function word, no bare number."""
    return word not in FUNCTION_WORDS and not word.isdecimal()
