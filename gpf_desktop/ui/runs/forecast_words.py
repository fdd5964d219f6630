"""A round's forecast in words: a line for each thing it takes, with how much of it."""

from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.runs import Spread
from gpf_desktop.domain.text import tr, within
from gpf_desktop.engine.rounds.forecast import Forecast, JobOffer
from gpf_desktop.engine.rounds.planning import REPEATS
from gpf_desktop.ui.wording import count, decimal, duration_range, money

Line = tuple[str, str]


def summary_lines(method: Method, forecast: Forecast) -> list[Line]:
    """Calls by what they are for and by stage, tokens, time and cost."""
    calls = forecast.calls
    lines = [(tr("Calls"), count(calls.total))]
    uses = [*method.arms.items(), (REPEATS, tr("Asked again"))]
    if sum(bool(calls.of(use)) for use, _ in uses) > 1:
        lines += [(f"   {within(title)}", count(calls.of(use))) for use, title in uses if calls.of(use)]
    if forecast.further is not None and forecast.further.calls:
        lines.append((", ".join(method.stages[1:]), tr("about {n}", n=count(forecast.further.calls))))
    if forecast.prompt_tokens.high:
        lines.append((tr("Prompt tokens"), tokens(forecast.prompt_tokens)))
        lines.append((tr("Answer tokens"), tokens(forecast.completion_tokens)))
    if not calls.total:
        return lines
    return [*lines, (tr("Time"), duration_range(forecast.seconds)), *_costs(method, forecast)]


def _costs(method: Method, forecast: Forecast) -> list[Line]:
    lines = []
    if forecast.cost is not None:
        lines.append((tr("Cost"), dollars(forecast.cost)))
    if forecast.further is not None and forecast.further.cost is not None:
        lines.append(
            (tr("Likely cost of {stages}", stages=", ".join(method.stages[1:])), dollars(forecast.further.cost))
        )
    if forecast.unpriced:
        lines.append((tr("Cost of others") if forecast.cost is not None else tr("Cost"), tr("price unknown")))
    return lines


def remarks(forecast: Forecast) -> list[str]:
    """Remarks that must be known to read the summary."""
    found = []
    if forecast.assumed and forecast.calls.total:
        found.append(
            tr(
                "Answer length and speed are assumed for models that have not answered yet. A small part tried first"
                " tells both."
            )
        )
    if forecast.unpriced:
        found.append(tr("The price of {models} is unknown: enter it on Models.", models=", ".join(forecast.unpriced)))
    if forecast.stale:
        found.append(tr("The price of {models} is older than 90 days.", models=", ".join(forecast.stale)))
    if forecast.cached:
        found.append(
            tr(
                "The lower cost counts on as much of {models}'s questions being in the provider's cache as before.",
                models=", ".join(forecast.cached),
            )
        )
    return found


def cap_words(forecast: Forecast | None, *, chosen: bool) -> str:
    """Where the spend cap comes from; empty where the auditor has *chosen* it, or nothing was proposed."""
    if forecast is None or not forecast.likely or chosen:
        return ""
    return tr("Proposed: twice the likely cost of {cost}.", cost=money(forecast.likely))


def cap_warning(forecast: Forecast | None, cap: float | None) -> str:
    """What the spend *cap* cannot stop, and whether the round is going to pass it; empty: nothing to tell."""
    if forecast is None or cap is None:
        return ""
    words = []
    if forecast.unpriced:
        words.append(
            tr("This sum cannot stop {models}, whose price is not known.", models=", ".join(forecast.unpriced))
        )
    if forecast.cost is not None and cap < forecast.cost.low:
        words.append(
            tr("The round costs {cost} at least and will pause before its end.", cost=money(forecast.cost.low))
        )
    return " ".join(words)


def job_words(offer: JobOffer) -> str:
    """A sentence on what batch jobs would save, in money."""
    models = ", ".join(offer.models)
    if offer.ordinary is None or offer.by_jobs is None:
        return tr("For {models}. Enter a price on the Models page to see the difference.", models=models)
    return tr(
        "For {models}: {cheap} instead of {dear}. The provider takes all questions at once and answers them when it"
        " has room; the program may be closed meanwhile.",
        models=models,
        cheap=dollars(offer.by_jobs),
        dear=dollars(offer.ordinary),
    )


def dollars(spread: Spread) -> str:
    return tr("{low} to {high}", low=_money(spread.low), high=_money(spread.high))


def _money(amount: float) -> str:
    """Cents tell nothing of a forecast of hundreds."""
    return money(amount) if amount < 100 else f"${count(round(amount))}"


def tokens(spread: Spread) -> str:
    if spread.low >= 1e6:
        low, high = (_rounded(each) / 1e6 for each in (spread.low, spread.high))
        digits = 0 if low >= 10 else 1
        return tr("{low} to {high} million", low=decimal(low, digits), high=decimal(high, digits))
    least, most = count(_rounded(spread.low)), count(_rounded(spread.high))
    return least if least == most else tr("{low} to {high}", low=least, high=most)


def _rounded(number: float) -> int:
    """Two significant digits: more would claim a precision that a forecast has not."""
    whole = round(number)
    step: int = 10 ** max(0, len(str(whole)) - 2)
    return round(whole / step) * step
