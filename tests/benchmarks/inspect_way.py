"""Asks a server as many questions by inspect_ai; run by `bench_pace` with a Python that has inspect_ai and openai.

python tests/benchmarks/inspect_way.py BASE_URL CALLS
Prints a line of JSON: how many were answered, in how many seconds, with how many seconds of processor time.
"""

import json
import sys
import tempfile
import time

import inspect_ai
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import get_model
from inspect_ai.solver import generate

IN_FLIGHT = 50


def main(base_url: str, calls: int) -> None:
    samples = [Sample(input=f"Question {number} about a news article. " * 12) for number in range(calls)]
    model = get_model("openai/some-model", base_url=base_url, api_key="sk-any", responses_api=False)
    with tempfile.TemporaryDirectory() as folder:
        before, started = time.process_time(), time.perf_counter()
        (log,) = inspect_ai.eval(
            inspect_ai.Task(dataset=MemoryDataset(samples), solver=generate()),
            model=model,
            log_dir=folder,
            display="none",
            max_connections=IN_FLIGHT,
            max_samples=4 * IN_FLIGHT,
        )
        took, processor = time.perf_counter() - started, time.process_time() - before
        # Samples are read from the log as they are looked at.
        answered = sum(bool(sample.output and sample.output.completion) for sample in log.samples or ())
    print(json.dumps({"answered": answered, "seconds": took, "processor": processor}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
