"""One measured round, in a process of its own: the engine with or without its window, or the plain way of asking.

`measure_ours` and `measure_plain` are run by `bench_rounds` in spawned processes, so that memory and processor time
are those of one way alone; the server runs in a further process.
"""

import asyncio
import os
import random
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from gpf_desktop.domain.events import Event, RunProgressed, RunRested
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.models import Endpoint, Limits
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.rounds.setup import RunSetup
from gpf_desktop.methods.gpf_livenews.protocol import Controls
from gpf_desktop.storage import models
from tests.benchmarks.bench_sources import feed_of
from tests.support.protocols import shipped_protocol
from tests.support.surroundings import use_throwaway_home

CELLS = 294
BEAT_MS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What is asked of which server."""

    base_url: str
    articles: int
    in_flight: int | None = None
    window: bool = True
    watch_memory: int = 0
    """Calls after which memory is noted for the first time; 0: not at all."""

    @property
    def calls(self) -> int:
        return self.articles * CELLS


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What one way took."""

    calls: int
    seconds: float
    """From the start until everything is stored and scored."""
    asked: float
    """Seconds until the last answer was stored."""
    processor: float
    """Seconds of processor time of the asking process."""
    workers: float
    """Seconds of processor time of the scoring processes."""
    stall: float
    """Seconds that the window was late for its heartbeat at most."""
    stalls: int
    """Beats that were more than 50 ms late."""
    early_megabytes: float
    late_megabytes: float


@contextmanager
def stranger(port: int, *arguments: str) -> Iterator[str]:
    """llmock in a process of its own; yields its base URL."""
    command = [sys.executable, "-m", "llmock.cli", "serve", "--host", "127.0.0.1", "--port", str(port), *arguments]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while True:
            with suppress(httpx.HTTPError):
                httpx.get(f"http://127.0.0.1:{port}/health", trust_env=False)
                break
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.wait()


@contextmanager
def server(*arguments: str) -> Iterator[str]:
    """The loopback server in a process of its own; yields its base URL."""
    command = [sys.executable, "-m", "tests.support.openai_server", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()


def stats(base_url: str) -> dict[str, Any]:
    """Requests received, answered and refused so far."""
    found: dict[str, Any] = httpx.get(base_url.removesuffix("/v1") + "/stats", trust_env=False).json()
    return found


def measure_plain(load: Load) -> Measured:
    """One httpx client, a semaphore, answers kept in a list: neither stored nor scored."""
    return asyncio.run(_plain(load))


async def _plain(load: Load) -> Measured:
    answers: list[str] = []
    protocol = shipped_protocol()
    slots = asyncio.Semaphore(load.in_flight or 50)
    before, started = time.process_time(), time.perf_counter()
    async with httpx.AsyncClient(trust_env=False, timeout=250, limits=httpx.Limits(max_connections=None)) as client:

        async def ask(number: int) -> None:
            chat = {
                "model": "some-model",
                "messages": [
                    {"role": "system", "content": protocol.system_prompt},
                    {"role": "user", "content": f"Question {number} about a news article. " * 12},
                ],
                "temperature": 0.2,
                "seed": number,
            }
            reply = await _posted(client, f"{load.base_url}/chat/completions", chat, slots)
            answers.append(reply.json()["choices"][0]["message"]["content"])

        await asyncio.gather(*(ask(number) for number in range(load.calls)))
    seconds = time.perf_counter() - started
    return Measured(
        calls=load.calls,
        seconds=seconds,
        asked=seconds,
        processor=time.process_time() - before,
        workers=0.0,
        stall=0.0,
        stalls=0,
        early_megabytes=0.0,
        late_megabytes=0.0,
    )


async def _posted(client: httpx.AsyncClient, url: str, chat: object, slots: asyncio.Semaphore) -> httpx.Response:
    """Asked again after a refusal, as one would write it first: after Retry-After, else after 1, 2, 4 … s, jittered."""
    tries = 0
    while True:
        async with slots:
            reply = await client.post(url, json=chat, headers={"Authorization": "Bearer sk-any"})
        if reply.status_code not in {429, 500, 503}:
            return reply.raise_for_status()
        after = reply.headers.get("retry-after")
        await asyncio.sleep(float(after) if after else random.uniform(0, min(60.0, 2.0**tries)))
        tries += 1


class _Ear:
    """Listens to the engine for when a run rests, and for memory on the way."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self.asked = 0.0
        self.early = self.late = 0.0

    def hear(self, event: Event) -> None:
        match event:
            case RunProgressed(progress=progress):
                done = progress.answered + progress.missing
                if not self.early and self._load.watch_memory and done >= self._load.watch_memory:
                    self.early = megabytes()
                if not self.asked and done == progress.planned:
                    self.asked = time.perf_counter()
            case RunRested():
                self.late = megabytes()


def measure_ours(load: Load) -> Measured:
    """The round through the program's own engine, everything stored and scored."""
    use_throwaway_home()
    with TemporaryDirectory() as folder:
        return _with_window(load, Path(folder)) if load.window else _without_window(load, Path(folder))


def _without_window(load: Load, folder: Path) -> Measured:
    ear = _Ear(load)
    engine = Engine(ear.hear)
    run_id = _prepared(engine, load, folder)
    before, started = time.process_time(), time.perf_counter()
    engine.open_audit.rounds.start(run_id).result()
    taken, seconds = time.process_time() - before, time.perf_counter() - started
    engine.close()
    return _measured(load, ear, started, seconds, taken, [])


def _with_window(load: Load, folder: Path) -> Measured:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtCore import QSettings, Qt, QTimer

    from gpf_desktop.app import Desktop, make_application

    application = make_application()
    desktop = Desktop(application, QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat), Engine)
    ear = _Ear(load)
    desktop.bridge.subscribe(desktop.window, ear.hear, RunProgressed, RunRested)
    run_id = _prepared(desktop.engine, load, folder)
    desktop.window.show()
    desktop.window.context.navigator.go("runs")
    _turn(application, 0.5)
    desktop.window.stack.currentWidget().model.show_run(run_id)
    _turn(application, 0.5)
    late: list[float] = []
    last = time.perf_counter()

    def beat() -> None:
        nonlocal last
        now = time.perf_counter()
        late.append(now - last - BEAT_MS / 1000)
        last = now

    heart = QTimer()
    heart.setTimerType(Qt.TimerType.PreciseTimer)
    heart.setInterval(BEAT_MS)
    heart.timeout.connect(beat)
    heart.start()
    before, started = time.process_time(), time.perf_counter()
    resting = desktop.engine.open_audit.rounds.start(run_id)
    desktop.bridge.follow(resting, then=lambda _: application.quit(), failed=lambda _: application.quit(), owner=heart)
    application.exec()
    assert resting.result() is RunState.FINISHED
    taken, seconds = time.process_time() - before, time.perf_counter() - started
    heart.stop()
    desktop.close()
    return _measured(load, ear, started, seconds, taken, late)


def _turn(application: Any, seconds: float) -> None:
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        application.processEvents()


def _measured(load: Load, ear: _Ear, started: float, seconds: float, taken: float, late: list[float]) -> Measured:
    return Measured(
        calls=load.calls,
        seconds=seconds,
        asked=ear.asked - started,
        processor=taken,
        workers=resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime,
        stall=max(late, default=0.0),
        stalls=sum(one > 0.05 for one in late),
        early_megabytes=ear.early,
        late_megabytes=ear.late,
    )


def _prepared(engine: Engine, load: Load, folder: Path) -> RunId:
    """An audit with a planned run of *load*'s calls."""
    feed = folder / "feed.xml"
    feed.write_bytes(feed_of(load.articles))
    open_audit = engine.create(folder / "audit.gpf", title="Benchmark")
    taken, _ = open_audit.sources.take([(str(feed), "")], load.articles)
    assert len(taken) == load.articles, len(taken)
    endpoint = Endpoint(
        provider="openai-compatible",
        model="some-model",
        base_url=load.base_url,
        limits=replace(Limits(), in_flight=load.in_flight),
    )
    model_id = open_audit.context.audit.write(
        lambda connection: models.keep(connection, endpoint, synthetic=False)
    ).result()
    setup = RunSetup(
        method="gpf-livenews",
        name="Benchmark",
        protocol=shipped_protocol(),
        model_ids=(model_id,),
        article_ids=tuple(taken),
        controls=Controls.none(),
    )
    return open_audit.rounds.plan(setup).result()


def megabytes() -> float:
    """Memory that this process holds now."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return int(found.group(1)) / 1024 if found else 0.0
