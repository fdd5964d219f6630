"""Scores what is stored once more, under another setting, without asking any model; earlier scores stay."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import asdict, is_dataclass
from functools import partial
from typing import Any, Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.scores import ScoreVariant
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.followed_task import OneAtATime, Tell
from gpf_desktop.engine.core.protocols import frozen_protocol
from gpf_desktop.engine.scoring.score_variants import MASKED, variants
from gpf_desktop.engine.scoring.stored_scoring import score_again
from gpf_desktop.numerics.weights import identify
from gpf_desktop.storage import fit_groups, protocols, scores
from gpf_desktop.storage.fit_groups import StoredGroup
from gpf_desktop.storage.run_stamps import run_stamps
from gpf_desktop.storage.writer import Connection

RESCORE_TASK: Final = "rescore"


class Rescoring:
    """The rescoring of one open audit, one at a time. *changed* is called, on the engine's loop, after scores were
    added."""

    def __init__(self, context: EngineContext, changed: Callable[[], object]) -> None:
        self._context = context
        self._changed = changed
        self._task = OneAtATime(context, RESCORE_TASK)

    def close(self) -> None:
        """End what is being computed; the scores that it stored stay."""
        self._task.close()

    def cancel(self) -> None:
        """Stop; what was computed so far stays, and the same setting started again completes it."""
        self._task.cancel()

    def variants(self, method: str) -> tuple[ScoreVariant, ...]:
        """The variants to choose from, each differing from the primary setting in one thing. Reads the store."""

        def read(connection: Connection) -> tuple[ScoreVariant, ...]:
            used = dict.fromkeys(run.protocol_id for run in run_stamps(connection) if run.method == method)
            rows = [protocols.get(connection, protocol_id) for protocol_id in used]
            stored = scores.settings(connection, method)
            used_protocols = [frozen_protocol(row.method, row.text) for row in rows]
            return variants(stored[0] if stored else None, catalogue.method(method), used_protocols)

        return self._context.audit.read(read)

    def keep_masked(self, method: str) -> None:
        """Take scores of *method* with the words that tell a level masked into use for every run.

        `auto_rescoring` keeps them current. Waits for the store.

        Raises `UserError` where nothing of *method* is scored yet: its first setting is its primary one.
        """
        if not self._context.audit.read(partial(scores.primary, method=method)):
            raise _nothing_scored()
        masked = next(variant for variant in self.variants(method) if variant.name == MASKED)

        def use(connection: Connection) -> None:
            scores.use_everywhere(connection, _setting(connection, masked.scorer, masked.options, method))

        self._context.audit.write(use).result()

    def start(self, scorer: str, options: Any, run_ids: Sequence[RunId] | None = None, *, method: str) -> "Future[int]":
        """Score the bundles of *run_ids* (None: every run) of *method* with *scorer* and *options*.

        The future holds the setting.
        Scored for every run, the setting is kept current in new runs too (`auto_rescoring`); else in these.
        Told as the task `RESCORE_TASK`, which counts bundles. Raises `UserError` where nothing is scored yet, for
        options that cannot be used, and while one is under way.
        """
        self._task.check_free(
            tr("Scores are being computed already."), tr("Wait until they are, or cancel that first.")
        )
        if not self._context.audit.read(partial(scores.primary, method=method)):
            raise _nothing_scored()
        _check(scorer, options)

        async def rescore(tell: Tell) -> tuple[int, str]:
            try:
                setting_id, bundles = await self._rescore(scorer, options, run_ids, method, tell)
            finally:
                # After a stop and a failure too: what was scored by then is stored, and shown.
                self._changed()
            return setting_id, trn(
                "Measured {n} set in the chosen way; earlier scores are kept beside it.",
                "Measured {n} sets in the chosen way; earlier scores are kept beside it.",
                bundles,
            )

        return self._task.start(rescore, trouble=tr("The scores could not be computed."))

    async def _rescore(
        self, scorer: str, options: Any, run_ids: Sequence[RunId] | None, method: str, tell: Tell
    ) -> tuple[int, int]:
        context = self._context
        # Which weights those are belongs to the setting; reading them takes a moment.
        options = await context.loop.loop.run_in_executor(context.threads, identify, options)
        groups = await context.read(lambda connection: _groups(connection, run_ids, method))

        def begin(connection: Connection) -> int:
            setting_id = _setting(connection, scorer, options, method)
            if run_ids is None:
                scores.use_everywhere(connection, setting_id)
            return setting_id

        setting_id = await context.write(begin)
        bundles = sum(group.bundles for group in groups)
        done = 0
        tell(0, bundles)

        def count(more: int) -> None:
            nonlocal done
            done += more
            tell(done, bundles)

        await score_again(context, setting_id, scorer, options, groups, count)
        return setting_id, bundles


def _setting(connection: Connection, scorer: str, options: Any, method: str) -> int:
    found = catalogue.scorers()[scorer]
    return scores.setting(connection, scorer, found.version, asdict(options), method=method, measures=found.measures)


def _groups(connection: Connection, run_ids: Sequence[RunId] | None, method: str) -> list[StoredGroup]:
    of_method = {run.id for run in run_stamps(connection) if run.method == method}
    return fit_groups.groups(connection, of_method if run_ids is None else of_method.intersection(run_ids))


def _nothing_scored() -> UserError:
    return UserError(tr("Nothing is scored yet."), tr("Run a round first: it scores as it goes."))


def _check(scorer: str, options: Any) -> None:
    """Raises `UserError` where *options* are not those of *scorer*, or name no model where one is needed."""
    found = catalogue.scorers().get(scorer)
    if found is None:
        raise UserError(
            tr("There is no scorer called “{name}”.", name=scorer),
            tr("Use one of: {names}.", names=", ".join(sorted(catalogue.scorers()))),
        )
    if not is_dataclass(options) or not isinstance(options, found.options):
        raise UserError(tr("These are no options of the scorer “{name}”.", name=scorer))
    if getattr(options, "model", "named").strip() == "":
        raise UserError(
            tr("No model is named."),
            tr("Name a folder, an installed package that carries a model, or a model on huggingface.co."),
        )
