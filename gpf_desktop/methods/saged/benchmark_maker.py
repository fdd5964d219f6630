"""`gpf-desktop benchmark SENTENCES.csv --branch REPLACEMENTS.yaml -o BENCHMARK.csv`."""

from collections.abc import Mapping
from pathlib import Path

from gpf_desktop.domain.tables import MadeBenchmark, TableOption
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.saged.benchmark import benchmark_table, read_sentences
from gpf_desktop.methods.saged.branching import Branching
from gpf_desktop.methods.saged.making import make_benchmark
from gpf_desktop.methods.saged.replacements import read_replacements


class SagedBenchmarks:
    """Splits sentences into prompts and baselines, and branches them."""

    name = "saged"

    @property
    def does(self) -> str:
        return tr(
            "Reads a table of sentences (columns: concept, keyword, sentence; domain, source_tag and root may be left"
            " out), splits each into a prompt and its baseline, puts other concepts in its concept's place, and writes"
            " the benchmark as CSV. Asks no model."
        )

    @property
    def takes(self) -> tuple[TableOption, ...]:
        return (
            TableOption("branch", "REPLACEMENTS.yaml", tr("which words stand for which (no branches)")),
            TableOption("language", "XX", tr("of the sentences: en, de, nl, or what spaCy has a model of (en)")),
        )

    def make(self, sentences: Path, given: Mapping[str, str]) -> MadeBenchmark:
        replacements = read_replacements(Path(given["branch"])) if given.get("branch") else None
        language = given.get("language") or "en"
        made = make_benchmark(read_sentences(sentences), replacements, Branching(), language=language)
        return MadeBenchmark(table=benchmark_table(made.rows), said=tuple(made.sentences()))


BENCHMARK_MAKER = SagedBenchmarks()
