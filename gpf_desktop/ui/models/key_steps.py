"""Storing, testing and removing keys from the form of a model, and the messages about it."""

from collections.abc import Callable

from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.models.model_service import ModelService
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.messages import KEY_TOPIC, Message, Remedy
from gpf_desktop.ui.models.wording import place_words
from gpf_desktop.ui.page import ViewModel

_MINUTE = 60
Failed = Callable[[BaseException], object]


def forget_key(
    model: ViewModel,
    service: ModelService,
    endpoint: Endpoint,
    *,
    gone: Callable[[], object],
    back: Callable[[], object],
    failed: Failed,
) -> None:
    """Have the key of *endpoint* gone from this machine, and say for whom it is, with a way back.

    *gone* is called when it is, while *model* lives; *back* when it was brought back.
    """
    context: Context = model.context

    def forgotten(key: Secret | None) -> None:
        gone()
        if key is not None:
            words = tr("The key for {place} is forgotten, for all your audits.", place=place_words(endpoint))
            undo = Remedy(text=tr("Undo"), do=lambda: restore(key))
            context.messages.say(Message(text=words, remedies=(undo,), topic=KEY_TOPIC, seconds=_MINUTE))

    def restore(key: Secret) -> None:
        context.messages.clear(KEY_TOPIC)
        context.bridge.follow(service.save_key(endpoint, key.reveal()), then=lambda _: back(), failed=failed)

    context.bridge.follow(service.forget_key(endpoint), then=forgotten, failed=failed, owner=model, anywhere=True)


def unlock_store(model: ViewModel, service: ModelService, *, then: Callable[[], object], failed: Failed) -> None:
    """Have the key store ask for its password; *then* is called whether it opened or not, while *model* lives."""
    messages = model.context.messages

    def unlocked(is_open: bool) -> None:
        if is_open:
            messages.clear("unlock")
            messages.clear(KEY_TOPIC)
        else:
            messages.warning(
                tr("The key store stays locked. Keys that you type last for this session until it is unlocked."),
                topic="unlock",
            )
        then()

    model.context.bridge.follow(service.unlock_store(), then=unlocked, failed=failed, owner=model, anywhere=True)
