"""Times the commands that read a whole audit, each in a process of its own, beside scoring the same answers.

    python -m tests.benchmarks.bench_commands                    10,080 sets of answers
    python -m tests.benchmarks.bench_commands --bundles 100800   some twenty minutes

Seconds are of the processor, of a command and of its workers together, which a loaded machine lengthens less than the
clock's; memory is the peak of the largest process. The ratio is to `score`: every score of the audit computed anew.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from gpf_desktop.engine.commands.artifact_commands import doubted, scored_anew
from gpf_desktop.engine.engine import Engine
from gpf_desktop.storage.audit_file import AuditFile
from tests.benchmarks import big_store
from tests.benchmarks.processes import bare_workers


def _seconds(*who: int) -> float:
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, who))


def make(place: Path, bundles: int) -> float:
    """An audit at *place* with real scores; the seconds that scoring took in all processes."""
    engine = Engine(lambda _event: None)
    try:
        big_store.fill(engine.create(place, title="Commands").context.audit, bundles, with_answers=True)
    finally:
        engine.close()
    audit = AuditFile.open(place)
    audit.write(doubted).result()
    audit.close()
    begin = _seconds(resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    with scored_anew(place, lambda *_: None):
        pass
    return _seconds(resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN) - begin


def run(folder: Path, *command: str) -> float:
    """The processor's seconds of a command and its workers. Raises `CalledProcessError` where it fails."""
    # A folder for what commands keep that nothing was kept in before, and a home without preferences.
    own = {"HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache"), "XDG_CONFIG_HOME": str(folder / "config")}
    begin = _seconds(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "gpf_desktop", *command],
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, **own},
    )
    return _seconds(resource.RUSAGE_CHILDREN) - begin


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bundles", type=int, default=10_080)
    wanted = parser.parse_args(argv)
    bare_workers()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        audit, artifact = str(folder / "big.gpf"), str(folder / "shared.zip")
        scored = make(Path(audit), wanted.bundles)
        print(f"{wanted.bundles} sets of answers, {Path(audit).stat().st_size / 2**20:.0f} MB")
        print(f"{'score':28} {scored:7.1f} s", flush=True)
        for title, command in (
            ("tables, nothing kept", ("tables", audit, "-o", str(folder / "first"))),
            ("tables, once kept", ("tables", audit, "-o", str(folder / "second"))),
            ("export", ("export", audit, "-o", str(folder / "export"))),
            ("artifact", ("artifact", audit, "-o", artifact)),
            ("open", ("open", artifact, "-o", str(folder / "opened.gpf"))),
            ("verify", ("verify", artifact)),
        ):
            seconds = run(folder, *command)
            print(f"{title:28} {seconds:7.1f} s   {seconds / scored:5.2f} times score", flush=True)
        print(f"the largest process {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**10:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
