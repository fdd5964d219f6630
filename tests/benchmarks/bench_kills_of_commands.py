"""Kills commands of every shape at random moments, and counts what that cost.

    python -m tests.benchmarks.bench_kills_of_commands                     176 kills, over all shapes in turn
    python -m tests.benchmarks.bench_kills_of_commands --kills 20 --only judges,export

The moment is a drawn share of the time that the command takes, or a drawn change of its folder. After each kill every
audit is held against SQLite's own check and what was stored before, and every output against the one of a run that
nobody killed; then the same command is run again, up to the end, and `gpf-desktop doctor` looks at the audit. Rounds by
live providers and batch jobs are killed by `bench_kills`.
"""

import argparse
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from gpf_desktop.engine.commands.sample import unpack_sample
from gpf_desktop.storage import archived_texts, schema
from gpf_desktop.storage.archived_texts import TEXT
from gpf_desktop.storage.migrations import migrations
from tests.support.answer_tables import write_answers
from tests.support.warm_program import Program

LONGEST = 300
"""Seconds after which a command is taken to hang."""
_HOUSEHOLD = re.compile(r"(home|tmp)(/.*)?$|\.[\w.]+\.lock$|.*\.backup-format-\d+$|round-\d+-\w{12}\.parquet$")
"""What may lie there besides inputs and outputs: texts of old rounds, and in the folders for temporary files those that
Qt keeps."""
_MODEL = '[[models]]\nprovider = "{}"\nmodel = "{}"\n'
_STUDY = "relative-bias-calibration"
_PLANS = {
    "judges": f'method = "relative-bias"\ncontrols = {{ repeats = 1, target = "{_STUDY}/evasive-0.9" }}\n'
    + "".join(_MODEL.format(_STUDY, name) for name in ("evasive-0.9", "plain-a", "plain-b", "plain-c"))
    + _MODEL.format(_STUDY, "judge-1.0")
    + 'role = "judge"\n',
    "saged": 'method = "saged"\n'
    + _MODEL.format("saged-calibration", "tilted")
    + _MODEL.format("saged-calibration", "judge")
    + 'role = "judge"\n',
    "stereoset": 'method = "contextual-stereoset"\n' + _MODEL.format("stereoset-calibration", "typical"),
}
_OUT = Path("out")
_COMMANDS: Mapping[str, str] = {
    **{name: f"run {name}.toml --audit out/a.gpf --json" for name in _PLANS},
    "import": "import answers.csv -o out/a.gpf",
    "scoring an import": "tables unscored.gpf -o out --force",
    "testing": "test sample.gpf",
    "artifact": "artifact sample.gpf -o out/a.zip --force",
    "export": "export sample.gpf -o out --format csv,jsonl --force",
    "report": "report sample.gpf -o out/a.html --force",
    "migration": "export old.gpf -o out --what runs,models --format csv --force",
    "open": "open sample.zip -o out/a.gpf",
    "archive": "archive sample.gpf --before 2099-01-01",
    "restore": "archive moved.gpf --restore",
}
SHAPES = tuple(_COMMANDS)
_MADE_ONCE = ("import", "open")
"""Commands that refuse to make again what is there."""


@dataclass(slots=True)
class Tally:
    """Of one shape."""

    kills: int = 0
    faults: Counter[str] = field(default_factory=Counter)

    def words(self, shape: str) -> str:
        told = "; ".join(f"{count} × {what}" for what, count in sorted(self.faults.items())) or "no fault"
        return f"{shape:18} {self.kills:4} kills  {told}"


def stock(folder: Path, shapes: Collection[str] = SHAPES) -> None:
    """Make what the commands of *shapes* read, in *folder*."""
    sample = unpack_sample(folder / "sample.gpf")
    write_answers(folder, "gpf-livenews").rename(folder / "answers.csv")
    for name, plan in _PLANS.items():
        (folder / f"{name}.toml").write_text(plan, encoding="utf-8")
    _older(folder / "old.gpf", 8)
    made = {
        "open": f"artifact {sample.name} -o sample.zip",
        "scoring an import": "import answers.csv -o unscored.gpf --no-scores",
        "restore": "archive moved.gpf --before 2099-01-01",
    }
    if "restore" in shapes:
        shutil.copy(sample, folder / "moved.gpf")
    for words in (made[each] for each in shapes if each in made):
        with _started(words, folder) as process:
            process.communicate(timeout=LONGEST)


def _older(path: Path, version: int) -> None:
    """An audit as the program of *version* left it, large enough that its backup takes a moment."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for sql in migrations()[:version]:
            schema._run(connection, sql)
        connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {version}")
        rows = [(n, "2026-11-20T12:00:00+00:00", "0.1.0") for n in range(1, version + 1)]
        connection.executemany("INSERT INTO schema_history VALUES (?, ?, ?)", rows)
        connection.execute("INSERT INTO audit VALUES (1, 'an-id', 'Old audit', '2026-11-20T12:00:00+00:00', 0)")
        named = [(n, f"u-{n}", "Ana" * 1_000, "2026-11-20T12:00:00+00:00") for n in range(1, 3_000)]
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO reviewer VALUES (?, ?, ?, ?)", named)
        connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode = WAL")


def _started(words: str, folder: Path) -> Program:
    home = {name: str(folder / "home") for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")}
    for each in ("home", "tmp", _OUT):
        (folder / each).mkdir(exist_ok=True)
    return Program(
        words.split(),
        cwd=folder,
        env={**os.environ, **home, "TMPDIR": str(folder / "tmp"), "PYTHONPATH": str(Path.cwd())},
        stderr=subprocess.STDOUT,
        text=False,
        start_new_session=True,
    )


def _listed(folder: Path) -> dict[str, tuple[int, int]]:
    found = {}
    for each in folder.rglob("*"):
        with suppress(OSError):
            if each.is_file() and not each.is_symlink():
                found[str(each.relative_to(folder))] = (each.stat().st_size, each.stat().st_mtime_ns)
    return found


class Victim:
    """One folder, in which one command is started and killed."""

    def __init__(self, shape: str, stocked: Path, folder: Path, tally: Tally) -> None:
        self.shape, self.folder, self.tally = shape, folder, tally
        self.words = _COMMANDS[shape]
        self.groups: list[int] = []
        shutil.copytree(stocked, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("home", "tmp", "out"))
        self.given = set(_listed(folder))

    def dies(self, *, after: float = 0.0, changes: int = 0) -> bool:
        """Start the command and kill it *after* seconds or that many *changes*; False: it ended before."""
        seen, begun, changed = _listed(self.folder), monotonic(), 0
        with _started(self.words, self.folder) as process:
            self.groups.append(process.pid)
            while (changed < changes) if changes else (monotonic() - begun < after):
                if process.poll() is not None:
                    return False
                now = _listed(self.folder) if changes else seen
                changed, seen = changed + (now != seen), now
                sleep(0.001)
            process.send_signal(signal.SIGKILL)
            # Its workers hold the other end of the pipe until they end.
            process.wait()
        self.tally.kills += 1
        return True

    def ends(self) -> float:
        """Run the command to its end; the seconds that took."""
        begun, there = monotonic(), self.shape in _MADE_ONCE and (self.folder / _OUT / "a.gpf").exists()
        if self._run(self.words, allowed=(2,) if there else (0, 1)) == 2:
            # It is there, and killed: the next command that opens it for writing clears up beside it.
            self._run("test out/a.gpf", allowed=(0, 1, 2))
        return monotonic() - begun

    def _run(self, words: str, *, allowed: tuple[int, ...]) -> int:
        with _started(words, self.folder) as process:
            said = process.communicate(timeout=LONGEST)[0].decode(errors="replace")
        if process.returncode not in allowed:
            self.tally.faults[f"{words}: rc {process.returncode}: {said[-500:]}"] += 1
        return process.returncode

    def answers(self) -> dict[str, dict[int, str]]:
        """What every audit holds, each held against SQLite's check."""
        found = {}
        for path in (*self.folder.glob("[!.]*.gpf"), *(self.folder / _OUT).glob("[!.]*.gpf")):
            if not path.stat().st_size:
                continue
            # In a copy: closing an audit that was killed folds its -wal file in, which is for the next command to do.
            with TemporaryDirectory() as name, closing(sqlite3.connect(Path(name) / path.name)) as connection:
                for each in filter(Path.is_file, path.parent.glob(f"{path.name}*")):
                    shutil.copy(each, name)
                if connection.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                    self.tally.faults["file damaged"] += 1
                if connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'response'").fetchone():
                    archived_texts.let_read(connection, path)
                    stored = connection.execute(f"SELECT p.cell_id, {TEXT} || p.received_at FROM response AS p")
                    found[path.name] = dict(stored.fetchall())
                    twice = "SELECT count(*) FROM call WHERE attempt > 1 AND NOT EXISTS (SELECT 1 FROM call b WHERE"
                    twice += " b.cell_id = call.cell_id AND b.attempt < call.attempt AND b.outcome = 'outcome unknown')"
                    if connection.execute(twice).fetchone() != (0,):
                        self.tally.faults["asked twice"] += 1
        return found

    def outputs(self) -> dict[str, str]:
        """What lies in the folder for outputs, told by what it holds; audits by their answers."""
        found = {}
        for name in _listed(self.folder / _OUT):
            path = self.folder / _OUT / name
            if not name.startswith(".") and ".gpf" not in name:
                body = path.read_bytes()
                # A report tells when it was written.
                found[name] = sha256(body[-20:] if path.suffix == ".html" else body).hexdigest()
        return found

    def lived(self, before: dict[str, dict[int, str]], whole: dict[str, str]) -> dict[str, dict[int, str]]:
        """What is stored now; faults where something of *before* is gone, or an output is not as in *whole*."""
        now = self.answers()
        for name, stored in before.items():
            if any(now.get(name, {}).get(cell) != text for cell, text in stored.items()):
                self.tally.faults["answers lost"] += 1
        for name, digest in self.outputs().items():
            if whole.get(name) != digest:
                self.tally.faults[f"half of {name}"] += 1
        return now

    def looked_over(self) -> None:
        """Once it ended: nothing lies about, nothing lives on, and the doctor finds nothing."""
        for path in (self.folder / _OUT).glob("[!.]*.gpf"):
            self._run(f"doctor {_OUT / path.name} --json", allowed=(0,))
        for name in set(_listed(self.folder)) - self.given:
            inside = name.startswith(f"{_OUT}/") and not Path(name).name.startswith(".")
            left = name.startswith("tmp/") or name.endswith((".part", "-wal", "-shm", "-journal"))
            if left or not (inside or _HOUSEHOLD.match(Path(name).name if "home/" not in name else name)):
                self.tally.faults[f"left {re.sub(r'[0-9a-z_]{8}', '…', name)}"] += 1
        for group in self.groups:
            until = monotonic() + LONGEST
            with suppress(ProcessLookupError):
                while monotonic() < until:
                    os.killpg(group, 0)
                    sleep(0.01)
                self.tally.faults["worker lives on"] += 1


def victims(shape: str, stocked: Path, tally: Tally) -> Callable[[random.Random, int], None]:
    """What makes one victim of *shape*, lets it die up to so many times, and end."""
    with TemporaryDirectory() as name:
        first = Victim(shape, stocked, Path(name), tally)
        seconds, whole = first.ends(), first.outputs()

    def one(draw: random.Random, deaths: int) -> None:
        with TemporaryDirectory() as name:
            victim = Victim(shape, stocked, Path(name), tally)
            before = victim.answers()
            for _ in range(deaths):
                by_change = draw.random() < 0.5
                died = victim.dies(
                    after=draw.uniform(0.1, 0.95) * seconds, changes=draw.randint(1, 12) if by_change else 0
                )
                before = victim.lived(before, whole)
                if not died:
                    break
            victim.ends()
            victim.lived(before, whole)
            victim.looked_over()

    return one


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=176)
    parser.add_argument("--seed", type=int, default=20261128)
    parser.add_argument("--only", default=",".join(SHAPES), help="shapes, separated by commas")
    given = parser.parse_args()
    draw, tallies = random.Random(given.seed), {shape: Tally() for shape in given.only.split(",")}
    with TemporaryDirectory() as name:
        stock(Path(name), tuple(tallies))
        made = {shape: victims(shape, Path(name), tally) for shape, tally in tallies.items()}
        while (killed := sum(tally.kills for tally in tallies.values())) < given.kills:
            for one in made.values():
                one(draw, 4)
            # After each turn: who ends it early has what was found until then.
            for shape, tally in tallies.items():
                print(tally.words(shape))
            print(f"{sum(tally.kills for tally in tallies.values())} kills", flush=True)
            if sum(tally.kills for tally in tallies.values()) == killed:
                break


if __name__ == "__main__":
    main()
