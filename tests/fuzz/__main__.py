"""``python -m tests.fuzz [--first SEED] [--count N] [--only WORDS]``: further seeds by hand; prints what goes wrong."""

import argparse
import shutil
import tempfile
from pathlib import Path

from tests.fuzz import bases
from tests.fuzz.complaints import complaints
from tests.fuzz.targets import without_audits
from tests.support.surroundings import use_throwaway_home


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--first", type=int, default=1000)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--only", default="", help="targets whose names hold these words")
    given = parser.parse_args()
    use_throwaway_home()
    with tempfile.TemporaryDirectory() as folder:
        every = [*without_audits().values(), *bases.targets_in(Path(folder)).values()]
        chosen = [target for target in every if given.only in target.name]
        found = 0
        for seed in range(given.first, given.first + given.count):
            place = Path(folder) / "now"
            place.mkdir()
            for complaint in complaints(chosen[seed % len(chosen)], place, seed):
                found += 1
                print(complaint, flush=True)
            shutil.rmtree(place)
        print(f"{given.count} damaged files of {len(chosen)} kinds, {found} complaints")


# Workers that score import this module again.
if __name__ == "__main__":
    main()
