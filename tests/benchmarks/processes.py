"""What this process and its scoring workers have used so far, where the system tells (Linux)."""

import multiprocessing
import os
import sys
from pathlib import Path


def bare_workers() -> None:
    """Keep workers from importing the benchmark's own module, with all that it compares with, as they start.

    The program's own start module weighs nothing.
    """
    main = sys.modules["__main__"]
    main.__spec__ = None
    main.__dict__.pop("__file__", None)


def peaks() -> list[float]:
    """Peak resident megabytes, of this process first."""
    found = []
    for folder in _folders():
        lines = dict(line.split(":", 1) for line in (folder / "status").read_text(encoding="utf-8").splitlines())
        found.append(int(lines["VmHWM"].split()[0]) / 1024)
    return found


def processor_seconds() -> float:
    """Of all of them together: unlike the time on the clock, other programs hardly disturb it."""
    ticks = 0
    for folder in _folders():
        fields = (folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK") if ticks else 0.0


def _folders() -> list[Path]:
    names = ("self", *(str(process.pid) for process in multiprocessing.active_children()))
    return [folder for name in names if (folder := Path("/proc") / name).exists()]
