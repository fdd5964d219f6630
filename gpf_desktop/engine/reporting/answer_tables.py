"""The table of answers of a method that has one, kept run by run: in the audit, or beside it where it is only read.

Every text of a run is read to make its part, a fifth of a millisecond for each answer: without what is kept, each
report, export and artifact of a large audit would spend most of its time on this one table.
"""

from __future__ import annotations

import io
import zlib
from collections import deque
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final
from zipfile import BadZipFile

from gpf_desktop import __version__
from gpf_desktop.domain import checkpoints
from gpf_desktop.domain.answer_profiles import AnswerProfile
from gpf_desktop.domain.errors import StorageError
from gpf_desktop.domain.ids import FitGroupId
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.method_abilities import ProfilesAnswers
from gpf_desktop.engine.core._scoring_worker import profiled
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.reporting.score_frame import Orders, in_order
from gpf_desktop.storage import cached_tables, responses, run_tables
from gpf_desktop.storage.connections import LARGEST_VALUE
from gpf_desktop.storage.run_tables import ANSWERS, RunTable

if TYPE_CHECKING:
    import pandas as pd

_OF_BUNDLE: Final = ("model", "synthetic", "article_id")
_FEW_GROUPS: Final = 48
"""Of a run that is not worth starting workers for: some 15,000 answers, three seconds."""
_Row = tuple[Any, ...]


def answer_table(context: EngineContext, method: Method, bundles: pd.DataFrame, orders: Orders) -> pd.DataFrame:
    """The frame of `domain.score_tables.ScoreTables.answers` over *bundles*; empty where *method* has none."""
    import pandas as pd

    if not isinstance(method, ProfilesAnswers):
        return pd.DataFrame()
    profile = method.answer_profile(bundles)
    # Before any answer is read: what comes in between makes a kept part stale, and never wrongly current.
    now = context.audit.read(lambda connection: run_tables.stamps(connection, ANSWERS))
    kept = context.audit.read(lambda connection: run_tables.kept(connection, ANSWERS, now))
    # An empty part first: nothing at all cannot be joined, and it gives the columns their types.
    parts = [_frame(profile, [])]
    for run, some in bundles.groupby("run_id", sort=True):
        run_id, digest = int(str(run)), _digest(method, some)
        rests_on = (ANSWERS, run_id, now[run_id], digest)
        part = _unpacked(kept.get(run_id, b""), digest, profile)
        if part is None:
            part = _unpacked(cached_tables.kept(context.audit, rests_on), digest, profile)
        if part is None:
            part = _frame(profile, _read(context, method, some))
            data = _packed(part, digest, profile)
            _keep(context, RunTable(run_id=run_id, content=ANSWERS, stamp=now[run_id], data=data))
            cached_tables.keep(context.audit, rests_on, data)
        parts.append(part)
    frame = pd.concat(parts, ignore_index=True)
    known = bundles.set_index("bundle_id").loc[frame["bundle_id"]]
    for name in _OF_BUNDLE:
        frame[name] = known[name].astype(object if name == "model" else known[name].dtype).to_numpy()
    for name in ("model", *profile.factors):
        frame[name] = in_order(frame[name].astype(object), orders.of(name))
    return frame[["bundle_id", *_OF_BUNDLE, *profile.factors, *profile.numbers]]


def _digest(method: Method, bundles: pd.DataFrame) -> bytes:
    """A digest of what a round's part depends on beside its answers: program, method and bundles."""
    told = blake2b(repr((__version__, method.name, method.version)).encode(), digest_size=16)
    told.update(bundles["bundle_id"].to_numpy("int64").tobytes())
    return told.digest()


def _read(context: EngineContext, method: ProfilesAnswers, bundles: pd.DataFrame) -> list[_Row]:
    """The part of one run, group by group; that of a large run in the scoring workers."""
    rows: list[_Row] = []
    waiting: deque[Future[list[_Row]]] = deque()
    groups = bundles.groupby("fit_group_id", sort=False)
    pool = context.scoring if len(groups) > _FEW_GROUPS else None
    try:
        for number, some in groups:
            checkpoints.passed()
            # Of this group's bundles alone: a worker is sent all that a profile holds with each call.
            profile = method.answer_profile(some)
            group = context.audit.read(partial(responses.fit_group, group=FitGroupId(int(str(number)))))
            if pool is None:
                rows += profile.rows(group)
                continue
            waiting.append(pool.call(profiled, profile, group))
            # One more than workers, so that none waits while the next is read.
            if len(waiting) > pool.workers:
                rows += waiting.popleft().result()
        while waiting:
            checkpoints.passed()
            rows += waiting.popleft().result()
    finally:
        for each in waiting:
            each.cancel()
    return rows


def _frame(profile: AnswerProfile, rows: list[tuple[Any, ...]]) -> pd.DataFrame:
    import pandas as pd

    frame = pd.DataFrame.from_records(rows, columns=["bundle_id", *profile.factors, *profile.numbers])
    return frame.astype({"bundle_id": "int64", **dict.fromkeys(profile.numbers, "float64")})


def _packed(part: pd.DataFrame, digest: bytes, profile: AnswerProfile) -> bytes:
    import numpy as np
    import pandas as pd

    columns: dict[str, Any] = {name: part[name].to_numpy() for name in ("bundle_id", *profile.numbers)}
    for name in profile.factors:
        codes, words = pd.factorize(part[name])
        # As numpy's own text: an array of objects would have to be pickled, and what is pickled runs when it is read.
        columns[f"{name} words"], columns[name] = np.array(words, np.str_), codes.astype(np.int16)
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, of=np.frombuffer(digest, np.uint8), **columns)
    return file.getvalue()


def _unpacked(data: bytes, digest: bytes, profile: AnswerProfile) -> pd.DataFrame | None:
    """None for what is no such table, or one of other bundles: it is then made from the answers."""
    import numpy as np
    import pandas as pd

    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            if file["of"].tobytes() != digest:
                return None
            words = {name: file[f"{name} words"].astype(object)[file[name]] for name in profile.factors}
            return pd.DataFrame({name: file[name] for name in ("bundle_id", *profile.numbers)} | words)
    # What is damaged may be met by the reader of arrays, of the zip or of what is packed in it (RuntimeError: by a way
    # of packing that it does not know, or a password).
    except (OSError, ValueError, KeyError, EOFError, IndexError, RuntimeError, BadZipFile, zlib.error):
        return None


def _keep(context: EngineContext, table: RunTable) -> None:
    """Keep *table* in the audit if it can be; nobody waits for it, and nothing depends on it."""
    if len(table.data) <= LARGEST_VALUE:
        with suppress(RuntimeError, StorageError):  # the audit is being closed, or is only read
            context.audit.write(partial(run_tables.keep, table=table))
