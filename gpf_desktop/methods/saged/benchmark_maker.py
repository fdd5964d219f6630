"""`gpf-desktop benchmark SENTENCES.csv --branch REPLACEMENTS.yaml -o BENCHMARK.csv`."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from gpf_desktop.domain.tables import MadeBenchmark, TableOption
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.saged.benchmark import (
    BenchmarkRow,
    benchmark_table,
    is_benchmark,
    read_benchmark,
    read_sentences,
    sentence_table,
)
from gpf_desktop.methods.saged.branching import Branching
from gpf_desktop.methods.saged.gathering import gather, wanted_of
from gpf_desktop.methods.saged.making import branch_rows, make_benchmark
from gpf_desktop.methods.saged.protocol import Study, problems_of
from gpf_desktop.methods.saged.replacements import read_replacements


class SagedBenchmarks:
    """Splits sentences into prompts and baselines, and branches them."""

    name = "saged"

    @property
    def does(self) -> str:
        return tr(
            "Reads a table of sentences (columns: concept, keyword, sentence; domain, source_tag and root may be left"
            " out), splits each into a prompt and its baseline, puts other concepts in its concept's place, and writes"
            " the benchmark as CSV, or, where -o ends in .yaml, as a protocol for rounds. A table that is a benchmark"
            " already (columns: domain, concept, keyword, source_tag, prompt, baseline) is taken as it is. Asks no"
            " model."
        )

    @property
    def takes(self) -> tuple[TableOption, ...]:
        return (
            TableOption("branch", "REPLACEMENTS.yaml", tr("which words stand for which (no branches)")),
            TableOption("name", "NAME", tr("of the protocol, where -o ends in .yaml (the table's name)")),
            TableOption("language", "XX", tr("of the sentences: en, de, nl, or what spaCy has a model of (en)")),
        )

    def make(self, sentences: Path, given: Mapping[str, str]) -> MadeBenchmark:
        replacements = read_replacements(Path(given["branch"])) if given.get("branch") else None
        if is_benchmark(sentences):
            made = branch_rows(read_benchmark(sentences), replacements)
        else:
            language = given.get("language") or "en"
            made = make_benchmark(read_sentences(sentences), replacements, Branching(), language=language)
        domain = made.rows[0].domain or (replacements.domain if replacements else "") or sentences.stem
        study = Study(name=given.get("name") or sentences.stem, domain=domain, benchmark=_in(domain, made.rows))
        twice = [problem.words for problem in problems_of(study)]
        return MadeBenchmark(
            table=benchmark_table(study.benchmark),
            said=(*made.sentences(), *(tr("No protocol can be made of it: {why}.", why=why) for why in twice[:1])),
            protocol=None if twice else study,
        )

    @property
    def gathers(self) -> tuple[TableOption, ...]:
        return (
            TableOption("concept", "NAME", tr("what the sentences are about"), required=True),
            TableOption("keywords", "A,B,…", tr("words of which a sentence holds one, as a whole (the concept)")),
            TableOption("domain", "NAME", tr("what the concept is one of")),
            TableOption("any-case", "yes|no", tr("capitals are as good as small letters (no)")),
            TableOption("inflected", "yes|no", tr("endings of up to three letters belong to a keyword (no)")),
            TableOption("language", "XX", tr("of the texts, and of Wikipedia (en)")),
            TableOption("also", "XX,YY", tr("languages of Wikipedia in which the same page is read too")),
            TableOption("depth", "N", tr("follow links of a page of Wikipedia so far (0)")),
            TableOption("pages", "N", tr("pages of Wikipedia at most (20)")),
            TableOption("backlinks", "yes|no", tr("follow the links that lead to a page in place of its own (no)")),
        )

    async def gather(
        self, places: Sequence[str], given: Mapping[str, str], fetch: Callable[[str], Awaitable[bytes]]
    ) -> MadeBenchmark:
        found = await gather(places, wanted_of(given), fetch)
        return MadeBenchmark(table=sentence_table(found.sentences), said=tuple(found.said()))


def _in(domain: str, rows: Sequence[BenchmarkRow]) -> tuple[BenchmarkRow, ...]:
    """*rows*, those that say nothing of a domain put into *domain*."""
    return tuple(row if row.domain else replace(row, domain=domain) for row in rows)


BENCHMARK_MAKER = SagedBenchmarks()
