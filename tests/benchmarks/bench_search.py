"""Searches an audit of many answers in full text, beside the plain way of doing the same, in the same run.

    python -m tests.benchmarks.bench_search                    700,000 answers of 14 words
    python -m tests.benchmarks.bench_search --answers 100000

Words are drawn so that the k-th commonest is 1/k as frequent as the first. The plain way: LIKE over every answer.
"""

import argparse
import random
import tempfile
import time
from functools import partial
from itertools import accumulate
from pathlib import Path

from gpf_desktop.storage import search
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.writer import Connection
from tests.benchmarks.bench_review import timed
from tests.support.filled_audit import fill

VOCABULARY = 20_000
WORDS = 14
RARE = "zeppelin"


def synthetic(path: Path, answers: int) -> AuditFile:
    audit = AuditFile.create(path, title="Many answers")
    fill(audit, models_asked=("tailoring-0.6",), dimensions=("Socioeconomic",), families=("Impact",))
    audit.write(lambda connection: _multiply(connection, answers)).result()
    audit.close()
    # Opened anew, so that no write that is measured pays for moving all of this out of the -wal file.
    return AuditFile.open(path)


def _multiply(connection: Connection, wanted: int) -> None:
    chance = random.Random(7)
    vocabulary = [f"word{number}" for number in range(VOCABULARY)]
    weights = list(accumulate(1 / (number + 1) for number in range(VOCABULARY)))
    pool = [" ".join(chance.choices(vocabulary, cum_weights=weights, k=WORDS)) for _ in range(20_000)]
    first = connection.execute("SELECT max(id) FROM cell").fetchone()[0] + 1
    connection.execute("CREATE TEMP TABLE one AS SELECT * FROM cell ORDER BY id LIMIT 1")
    connection.executemany(
        "INSERT INTO cell SELECT ?, run_id, bundle_id, model_id, item_id, coordinates_id, ?, stage, parent_cell_id,"
        " seed, position, state FROM one",
        ((first + number, 2 + number) for number in range(wanted)),
    )
    connection.executemany(
        "INSERT INTO response (cell_id, text, received_at) VALUES (?, ?, '')",
        ((first + n, f"{pool[n % len(pool)]}{f' {RARE}' if n % 50_000 == 0 else ''}") for n in range(wanted)),
    )


def _index(audit: AuditFile, seconds: float) -> tuple[int, float]:
    """Answers that were indexed within *seconds* chunk by chunk, and the longest time that a chunk held the writer."""
    begin, done, longest = time.perf_counter(), 0, 0.0
    while time.perf_counter() - begin < seconds:
        start = time.perf_counter()
        some = audit.write(search.index_some).result()
        longest = max(longest, time.perf_counter() - start)
        done += some
        if not some:
            break
    return done, longest


def _ours(audit: AuditFile, words: list[str]) -> list[search.AnswerHit]:
    return audit.read(lambda c: search.answers(c, words, begun=True))


def _plain(audit: AuditFile, words: list[str]) -> list[object]:
    sql = "SELECT cell_id FROM response WHERE text LIKE ? LIMIT 5000"
    return audit.read(lambda c: c.execute(sql, (f"%{' '.join(words)}%",)).fetchall())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=700_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        audit = synthetic(Path(folder) / "many.gpf", asked.answers)
        print(f"made in {time.perf_counter() - begin:.0f} s")
        begin = time.perf_counter()
        done, longest = _index(audit, 3.0)
        rate = done / (time.perf_counter() - begin)
        print(f"  index, {search.CHUNK} a write      {rate:7.0f} answers/s, a write at most {1000 * longest:.0f} ms")
        audit.write(lambda c: search.index_some(c, asked.answers + 1000)).result()
        for name, words in (
            ("in few answers", [RARE]),
            ("in a hundredth of them", ["word70"]),
            ("in most answers", ["word0"]),
            ("two words", ["word0", "word1"]),
            ("in none", ["nowhere"]),
        ):
            ours = timed(partial(_ours, audit, words))
            plain = timed(partial(_plain, audit, words), times=1)
            print(f"  {name:24s} {1000 * ours:7.1f} ms   plain {1000 * plain:7.0f} ms")
        audit.close()


if __name__ == "__main__":
    main()
