"""What a protocol would cost, in words."""

from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.protocol.protocol_outlook import Outlook
from gpf_desktop.ui.wording import count, money


def cost_words(outlook: Outlook | None, articles: int) -> tuple[str, str]:
    """A sentence with the cost of asking every model of the audit, and what must be known to read it."""
    if outlook is None:
        return "", ""
    if not outlook.models:
        return tr("No cost can be told: this audit has no model yet."), ""
    whom = tr(
        "{models} of this audit, {articles}: {calls} calls",
        models=trn("The {n} model", "The {n} models", outlook.models),
        articles=trn("{n} article", "{n} articles", articles),
        calls=count(outlook.calls),
    )
    remarks = []
    if outlook.cost is not None:
        low, high = money(outlook.cost.low), money(outlook.cost.high)
        cost = low if low == high else tr("{low} to {high}", low=low, high=high)
    elif outlook.synthetic:
        cost = tr("nothing, they are calibration models")
    else:
        cost = tr("price unknown")
    if outlook.unpriced:
        remarks.append(tr("The price of {models} is unknown: enter it on Models.", models=", ".join(outlook.unpriced)))
    if outlook.assumed and outlook.cost is not None:
        remarks.append(tr("The length of answers is assumed for models that have not answered yet."))
    return tr("{whom}, {cost}.", whom=whom, cost=cost), " ".join(remarks)
