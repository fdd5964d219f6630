import importlib.util
import json
import shutil
from concurrent.futures import CancelledError
from contextlib import ExitStack
from pathlib import Path

import pytest

from gpf_desktop import cli
from gpf_desktop.domain.errors import GpfError, StoppedError, UserError
from gpf_desktop.domain.ports.scorer import HowFar
from gpf_desktop.engine.commands import score_command
from gpf_desktop.engine.core.chosen_pool import chosen_pool
from gpf_desktop.engine.core.cluster_pool import ClusterPool
from gpf_desktop.methods.gpf_livenews.scorers.gpf import SCORER, GpfOptions
from gpf_desktop.settings.preferences import HERE
from tests.benchmarks.answers import articles
from tests.support.dask_cluster import ROOT, Cluster, held

needs_dask = pytest.mark.skipif(not importlib.util.find_spec("distributed"), reason="needs the extra cluster")


def _count(of: int, told: HowFar) -> int:
    for done in range(1, of + 1):
        told(done, of)
    return of


def _run(*arguments: object) -> int:
    return cli.main([*map(str, arguments)], show_window=lambda _: 9, show_demo=lambda _: 9)


@needs_dask
@pytest.mark.slow
@pytest.mark.usefixtures("own_workers")
# Dask's client leaves the sockets to be collected by which it knocked at a scheduler that was gone.
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_that_a_cluster_gives_the_same_bits_and_survives_what_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import dask

    groups = list(articles(42, words=40))
    answers = tmp_path / "answers.jsonl"
    answers.write_text("\n".join(json.dumps(row) for row in _rows(3)), encoding="utf-8")
    with ExitStack() as stack:
        cluster = Cluster(tmp_path, stack)
        scheduler = cluster.scheduler()
        workers = {worker.pid: worker for worker in (cluster.worker(), cluster.worker())}
        tls = {"ca-file": cluster.authority, "client": {"cert": cluster.certificate, "key": cluster.certificate}}
        stack.enter_context(dask.config.set({"distributed.comm.tls": tls}))
        pool = stack.enter_context(ClusterPool(cluster.address))

        outcomes = [pool.submit("gpf", [group], GpfOptions()) for group in groups]
        assert [outcome.result() for outcome in outcomes] == [SCORER.score([group], GpfOptions()) for group in groups]
        with pytest.raises(AttributeError):
            pool.submit("gpf", groups, None).result()

        monkeypatch.setattr(score_command, "POOL_FROM", 1)
        assert _run("score", answers, "-o", tmp_path / "here.csv") == 0
        assert _run("score", answers, "-o", tmp_path / "there.csv", "--cluster", cluster.file) == 0
        assert (tmp_path / "there.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()

        heard: list[tuple[int, int]] = []

        def until_told(done: int, of: int) -> None:
            heard.append((done, of))
            if len(heard) == 2:
                raise StoppedError

        with pytest.raises(StoppedError):
            pool.call(_count, 10**9, told=until_told).result()
        assert len(heard) == 2

        with held(pool) as call:
            first = call.taken_up()
            workers[first].kill()
            second = call.taken_up()
            assert {first, second} == set(workers)
            assert call.release() == second

        with held(pool) as call:
            call.taken_up()
            scheduler.kill()
            scheduler.wait()
            scheduler = cluster.scheduler()
            third = cluster.worker()
            assert call.taken_up() == third.pid
            assert call.release() == third.pid

        third.kill()
        other = tmp_path / "other"
        shutil.copytree(ROOT / "gpf_desktop", other / "gpf_desktop")
        changed = other / "gpf_desktop" / "stats" / "sums.py"
        changed.write_text(changed.read_text("utf-8") + "\n", encoding="utf-8")
        cluster.worker(other)
        with pytest.raises(UserError, match=r"another version: code \w+ there, \w+ here"):
            pool.call(_count, 1).result()
        waiting = pool.call(_count, 1)
    with pytest.raises((CancelledError, GpfError)):
        waiting.result()
    assert pool.call(_count, 1).cancelled()


@pytest.mark.parametrize("where", ["head:8786", "tcp://", "https://host"])
def test_that_what_is_no_cluster_is_refused_where_it_is_typed(where: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("verify", "shared.zip", "--cluster", where) == 2
    assert "is no cluster: type an address such as tcp://host:8786" in capsys.readouterr().err


@needs_dask
def test_that_a_scheduler_file_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("verify", "shared.zip", "--cluster", "nowhere.json") == 2
    assert "There is no file nowhere.json." in capsys.readouterr().err


@needs_dask
def test_that_pools_are_of_the_cluster_that_the_user_prefers() -> None:
    HERE.set("work.cluster", "tcp://127.0.0.1:8786")
    with chosen_pool(beside_window=True) as pool:
        assert isinstance(pool, ClusterPool)


def _rows(articles_of: int) -> list[dict[str, str]]:
    words = ["calm", "great", "bad", "terrible", "hopeful"]
    return [
        {
            "model": "m",
            "article": f"a{article}",
            "dimension": "age",
            "family": "advice",
            "identity": f"i{identity}",
            "response": f"News {article} is {words[(article + identity) % 5]} for reader {identity % 3}.",
        }
        for article in range(articles_of)
        for identity in range(5)
    ]
