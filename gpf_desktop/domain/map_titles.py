"""The title of a map of fields: which of them stands out, where one does, before what it measures."""

from collections.abc import Mapping

from gpf_desktop.domain.findings import Estimate
from gpf_desktop.domain.text import tr


def title_of_map(title: str, fields: Mapping[str, Estimate]) -> str:
    """*title* of a map behind what its *fields*, by name, show beside the mean of all of them.

    Fields whose range holds that mean are not told from it; where no field has a range, nothing is said.
    """
    values = {name: each.value for name, each in fields.items() if each.value is not None}
    mean = sum(values.values()) / max(1, len(values))
    ranged = {name: each.interval for name, each in fields.items() if name in values and each.interval is not None}
    if len(values) < 2 or not ranged:
        return title
    told = [name for name, each in ranged.items() if not each.low <= mean <= each.high]
    if not told:
        return tr("No field stands out · {title}", title=title)
    furthest = max(told, key=lambda name: abs(values[name] - mean))
    return tr("Furthest from the mean: {field} · {title}", field=furthest, title=title)
