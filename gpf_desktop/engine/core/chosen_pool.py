"""Chooses where scores are computed: on this machine, or on the cluster that was chosen."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

from gpf_desktop.engine.core.scoring_pool import ScoringPool, usual_workers
from gpf_desktop.engine.core.worker_pool import WorkerPool
from gpf_desktop.settings.preferences import HERE

_asked: list[str] = []
"""Clusters asked for by the commands under way, which go before the preference."""


def chosen_pool(*, beside_window: bool) -> WorkerPool:
    """A new pool, of the cluster that a command asked for or the user prefers, else of processes of this machine."""
    if address := (_asked or [HERE.get("work.cluster")])[-1]:
        from gpf_desktop.engine.core.cluster_pool import ClusterPool

        return ClusterPool(address)
    return ScoringPool(usual_workers(beside_window=beside_window))


@contextmanager
def computing_on(address: str) -> Iterator[None]:
    """Pools made in the block are of the cluster at *address*, which is looked for first. Raises `GpfError`."""
    from gpf_desktop.engine.core.cluster_pool import ClusterPool

    with closing(ClusterPool(address)) as pool:
        pool.reach()
    _asked.append(address)
    try:
        yield
    finally:
        _asked.pop()
