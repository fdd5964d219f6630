"""The meanings of the signs of a page or of a report."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.scores import Measure
from gpf_desktop.domain.text import tr


def signs(measures: Sequence[Measure], findings: Iterable[Finding], *, plain: bool = False) -> list[tuple[str, str]]:
    """(sign, what it means): scores first, then the columns of *findings* that say what they are, each once.

    *plain*: by the words of screens in place of signs.

    A head that means one thing in one table and another in the next says in which.
    """
    heads: dict[str, dict[str, str]] = defaultdict(dict)
    for finding in findings:
        for column in finding.columns:
            if column.help and column.help not in (column.title, column.label):
                heads[column.label if plain else column.title].setdefault(column.help, finding.title)
    if plain:
        found = [(each.label, _plainly(each)) for each in measures if each.higher or each.about]
    else:
        # A head's own explanation says more than which end is which.
        found = [
            (each.short, _meaning(each))
            for each in measures
            if each.short and each.short not in heads and (each.higher or each.short != each.title)
        ]
    for title, meanings in heads.items():
        for meaning, table in meanings.items():
            found.append((title, meaning if len(meanings) == 1 else f"{meaning} ({table})"))
    return _together(found)


def _together(found: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Signs that mean the same stand in one place."""
    signs_of: dict[str, list[str]] = defaultdict(list)
    for sign, meaning in dict.fromkeys(found):
        signs_of[meaning].append(sign)
    return [(_listed(signs), meaning) for meaning, signs in signs_of.items()]


def _listed(signs: Sequence[str]) -> str:
    """“tone, less the source” has a comma of its own."""
    return ("; " if any("," in each for each in signs) else ", ").join(signs)


def _meaning(measure: Measure) -> str:
    if not measure.higher:
        return f"{measure.title}."
    return tr("{title}. Higher: {higher}.", title=measure.title, higher=measure.higher)


def _plainly(measure: Measure) -> str:
    higher = tr("Higher: {higher}.", higher=measure.higher) if measure.higher else ""
    return " ".join(filter(None, (measure.about, higher)))
