"""One damaged file, and what its commands made of it."""

import random
from pathlib import Path

from tests.fuzz.mutations import audit_changed
from tests.fuzz.running import ran
from tests.fuzz.targets import Target


def complaints(target: Target, folder: Path, seed: int) -> list[str]:
    """What is wrong with how the commands of *target* end that read its file as damaged by *seed*."""
    chance = random.Random(seed)
    place, out = folder / str(seed), folder / f"{seed}-out"
    place.mkdir()
    out.mkdir()
    path, what = target.damaged(place, chance)
    # Some commands bring an audit up to date, which is no input then.
    inputs = [] if target.changed is audit_changed else list(place.iterdir())
    tried = [ran(argv, inputs=inputs) for argv in target.tried(path, out, chance)]
    return [f"{target.name}, {what}, seed {seed}: {each.argv}: {each.complaint}" for each in tried if each.complaint]
