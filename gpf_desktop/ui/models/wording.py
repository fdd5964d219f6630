"""Words of the page Models on keys, tests and prices."""

from collections.abc import Sequence

from gpf_desktop.domain.model_tests import StepName, StepState
from gpf_desktop.domain.models import Endpoint, Price
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.models.model_service import ModelRow
from gpf_desktop.engine.models.price_list import is_stale
from gpf_desktop.settings.keys import Kept
from gpf_desktop.ui.widgets.badge import Tone
from gpf_desktop.ui.wording import ago, day, decimal

STEP_ICONS: dict[StepState, tuple[str, Tone]] = {
    StepState.WAITING: ("open-circle", Tone.NEUTRAL),
    StepState.PASSED: ("check-circle", Tone.SUCCESS),
    StepState.FAILED: ("error", Tone.DANGER),
    StepState.NOT_TRIED: ("remove", Tone.NEUTRAL),
}


def step_title(name: StepName) -> str:
    return {
        StepName.REACH: tr("Reach the server"),
        StepName.AUTHENTICATE: tr("Authenticate"),
        StepName.ANSWER: tr("One tiny answer from this model"),
    }[name]


def step_word(state: StepState, *, running: bool) -> str:
    if state is StepState.WAITING:
        return tr("trying …") if running else tr("not tried yet")
    return {
        StepState.PASSED: tr("works"),
        StepState.FAILED: tr("does not work"),
        StepState.NOT_TRIED: tr("not tried"),
    }[state]


def place_words(endpoint: Endpoint) -> str:
    """Words for the account and address, or provider, that a key is for."""
    place = endpoint.base_url or endpoint.provider
    if endpoint.key_account:
        return tr("“{account}” at {place}", account=endpoint.key_account, place=place)
    return place


def kept_words(
    kept: Kept, store: str, *, locked: bool = False, variable: str = "", accounts: Sequence[str] = ()
) -> str:
    """A sentence on where a key is kept; *store* is the key store's name, *locked* where it has to be opened first;
    *variable* is the one that the audit names, *accounts* those that have a key at this address.
    """
    if variable and kept is Kept.NOWHERE:
        return tr(
            "The variable {variable} that this audit names is not set. A key typed here takes its place.",
            variable=variable,
        )
    if locked and kept is Kept.NOWHERE:
        return tr("A key that is in {store} is found once that is unlocked.", store=store)
    if locked and kept is Kept.SESSION:
        return tr("The key is kept for this session only: {store} is locked.", store=store)
    if kept is Kept.NOWHERE and accounts:
        names = ", ".join(accounts)
        return tr("No key is kept without an account; named here: {names}.", names=names)
    return {
        Kept.STORE: tr("The key is kept in {store}, for all your audits.", store=store),
        Kept.SESSION: tr("The key is kept for this session only: no key store keeps it."),
        Kept.ENVIRONMENT: tr("The key comes from an environment variable."),
        Kept.UNCONFIRMED: tr("The audit names an environment variable; it is not sent before you confirm it."),
        Kept.NOWHERE: tr("No key is kept."),
    }[kept]


def key_word(row: ModelRow, *, locked: bool) -> str:
    """Shortly, for the table; *locked*: the key store has to be opened before anybody knows."""
    if row.model.synthetic:
        return tr("none needed")
    if locked and row.key_kept is Kept.NOWHERE and not row.model.endpoint.key_env:
        return tr("store locked")
    place = {
        Kept.STORE: tr("key store"),
        Kept.SESSION: tr("this session"),
        Kept.ENVIRONMENT: tr("variable {name}", name=row.model.endpoint.key_env),
        Kept.UNCONFIRMED: tr("variable {name}, not confirmed", name=row.model.endpoint.key_env),
        Kept.NOWHERE: tr("none"),
    }[row.key_kept]
    account = row.model.endpoint.key_account
    return tr("{place}, “{account}”", place=place, account=account) if account else place


def test_word(row: ModelRow) -> str:
    if row.tested is None:
        return tr("needs none") if row.model.synthetic else tr("never tested")
    # In little room its end is cut off, which says least.
    return tr("{when}: {words}", when=ago(row.tested), words=row.test_words)


def last_test(row: ModelRow) -> str:
    """When a model was tested, and with what outcome."""
    assert row.tested is not None
    when = ago(row.tested)
    return tr("Answered {when}.", when=when) if row.test_passed else tr("Could not be asked {when}.", when=when)


def listed_words(n: int) -> str:
    """A sentence on the *n* models that a server lists, and on what else can be done."""
    if not n:
        return tr("This server lists no models: type the name.")
    return trn(
        "{n} model is listed; any other name can be typed.", "{n} models are listed; any other name can be typed.", n
    )


def price_words(price: Price | None) -> str:
    """$1.50 in, $6.00 out; the date and the further prices stand in the tool tip."""
    if price is None:
        return tr("price unknown")
    if price.free:
        return tr("free")
    return tr(
        "${prompt} in, ${completion} out", prompt=_per_million(price.prompt), completion=_per_million(price.completion)
    )


def _per_million(dollars: float) -> str:
    """Whole cents where they are; small models cost parts of one."""
    return decimal(dollars, 2 if round(dollars, 2) == dollars else 4)


def price_date(price: Price | None) -> str:
    """Sentences on who gives *price*, and when; on what the cache and batch jobs cost; and that it is old, where it
    is.
    """
    if price is None:
        return ""
    entered = day(price.entered)
    if price.source:
        words = tr("Per million tokens, as of {day}, by {source}.", day=entered, source=price.source)
    else:
        words = tr("Per million tokens, entered by you on {day}.", day=entered)
    if price.cached is not None and not price.free:
        words += " " + tr("Questions in the provider's cache: ${dollars}.", dollars=_per_million(price.cached))
    if price.batch_prompt is not None and price.batch_completion is not None:
        words += " " + tr(
            "In batch jobs: ${prompt} in, ${completion} out.",
            prompt=_per_million(price.batch_prompt),
            completion=_per_million(price.batch_completion),
        )
    return tr("{words} Older than 90 days: check it.", words=words) if is_stale(price) else words
