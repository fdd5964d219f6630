"""What the signs of a page or of a report mean."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.scores import Measure
from gpf_desktop.domain.text import tr


def signs(measures: Sequence[Measure], findings: Iterable[Finding]) -> list[tuple[str, str]]:
    """(sign, what it means): scores first, then the columns of *findings* that say what they are, each once.

    A head that means one thing in one table and another in the next says in which.
    """
    found = [
        (each.short, _meaning(each)) for each in measures if each.short and (each.higher or each.short != each.title)
    ]
    heads: dict[str, dict[str, str]] = defaultdict(dict)
    for finding in findings:
        for column in finding.columns:
            if column.help and column.help != column.title:
                heads[column.title].setdefault(column.help, finding.title)
    for title, meanings in heads.items():
        for meaning, table in meanings.items():
            found.append((title, meaning if len(meanings) == 1 else f"{meaning} ({table})"))
    return list(dict.fromkeys(found))


def _meaning(measure: Measure) -> str:
    if not measure.higher:
        return f"{measure.title}."
    return tr("{title}. Higher: {higher}.", title=measure.title, higher=measure.higher)
