"""The models that were asked for, and who answered, as their servers say."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from gpf_desktop.domain.models import ANSWERING, short_names
from gpf_desktop.domain.served import versions as served_versions
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.storage import models, served
from gpf_desktop.storage.run_stamps import RunStamp

_LISTED: Final = 8


def versions(context: EngineContext, stamps: Sequence[RunStamp], main: Any) -> str:
    """“gpt-x: asked for gpt-x, answered by gpt-x-2026-10-01; …”, of the models whose answers are in *main*."""
    there = set(main["model"].astype(str))
    asked: dict[str, bool] = {}
    for stamp in stamps:
        for model in context.audit.read(partial(models.of_run, run_id=int(stamp.id))):
            # Where models stand side by side in a bundle, the rounds alone say who they are.
            if model.role in ANSWERING and (model.label in there or (model.label not in asked and _aside(there))):
                asked[model.label] = model.synthetic
    called = short_names(asked)
    rounds = context.audit.read(partial(served.by_round, runs=[int(stamp.id) for stamp in stamps]))
    real = []
    for name, synthetic in asked.items():
        if not synthetic:
            told = served_versions([each for each in rounds if each.model == name and each.answering])
            real.append(f"{name}: {told or tr('the server did not say who answered')}")
    planted = [called[name] for name, synthetic in asked.items() if synthetic]
    said = [*real[:_LISTED]]
    if len(real) > _LISTED:
        said.append(tr("{n} more", n=len(real) - _LISTED))
    if planted:
        said.append(tr("built-in test models: {names}", names=", ".join(planted)))
    return "; ".join(said)


def _aside(there: set[str]) -> bool:
    return not any("/" in name for name in there)
