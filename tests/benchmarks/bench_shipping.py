"""What it costs to send answers to a worker and scores back, pickled and as Arrow, beside scoring them.

    python -m tests.benchmarks.bench_shipping                    1,680 bundles, in chunks of a usual size

Seconds are of the processor. Arrow is given the texts alone, which are nearly all that is sent: they are written as
Arrow's stream and read back as the Python texts that scorers take. Needs the extra `parquet`.
"""

import argparse
import pickle
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import TypeVar

import pyarrow as pa

from gpf_desktop.domain.scores import FitGroup
from gpf_desktop.methods.gpf_livenews.scorers.gpf import SCORER, GpfOptions
from tests.benchmarks.answers import articles

T = TypeVar("T")
_AT_ONCE = 7
"""Articles in a chunk: some 2,048 answers."""


def _seconds(work: Callable[[], T], times: int = 5) -> tuple[float, T]:
    used = []
    for _ in range(times):
        begin = time.process_time()
        made = work()
        used.append(time.process_time() - begin)
    return median(used), made


def _as_arrow(chunk: Sequence[FitGroup]) -> bytes:
    texts = pa.array([text for group in chunk for text in group.texts])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, pa.schema([("text", texts.type)])) as stream:
        stream.write_batch(pa.record_batch([texts], names=["text"]))
    return sink.getvalue().to_pybytes()


def _from_arrow(sent: bytes) -> list[str]:
    return pa.ipc.open_stream(sent).read_all()["text"].to_pylist()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bundles", type=int, default=1680)
    groups = list(articles(parser.parse_args().bundles))
    chunks = [groups[first : first + _AT_ONCE] for first in range(0, len(groups), _AT_ONCE)]
    answers = sum(len(group.texts) for group in groups)
    scoring, scored = _seconds(lambda: [SCORER.score(chunk, GpfOptions()) for chunk in chunks], times=2)
    print(f"{len(groups)} articles, {answers:,} answers, {len(chunks)} chunks; scored in {scoring:.2f} s")
    there, pickled = _seconds(lambda: [pickle.dumps(chunk, pickle.HIGHEST_PROTOCOL) for chunk in chunks])
    back, _ = _seconds(lambda: [pickle.loads(each) for each in pickled])
    home, _ = _seconds(lambda: [pickle.loads(pickle.dumps(each)) for each in scored])
    out, sent = _seconds(lambda: [_as_arrow(chunk) for chunk in chunks])
    read, _ = _seconds(lambda: [_from_arrow(each) for each in sent])
    for name, seconds, size in (
        ("pickled: answers out", there + back, sum(map(len, pickled))),
        ("pickled: scores back", home, 0),
        ("Arrow: texts out", out + read, sum(map(len, sent))),
    ):
        print(f"  {name:22} {1000 * seconds:7.1f} ms   {seconds / scoring:7.2%} of scoring   {size / 1e6:6.1f} MB")


if __name__ == "__main__":
    main()
