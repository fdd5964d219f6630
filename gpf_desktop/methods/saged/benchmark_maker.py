"""`gpf-desktop benchmark SENTENCES.csv --branch REPLACEMENTS.yaml -o BENCHMARK.csv`."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gpf_desktop import plain_data
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.ports.benchmark_maker import BenchmarkMaker
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.tables import PAGE_COLUMNS, MadeBenchmark, Table, TableOption, TopicWords
from gpf_desktop.domain.text import Translated, tr, trn
from gpf_desktop.domain.writing import WritingTask
from gpf_desktop.methods.saged import questions, texts, writing
from gpf_desktop.methods.saged.assembling import BuiltBenchmark, branch_rows, make_benchmark
from gpf_desktop.methods.saged.benchmark import (
    BENCHMARK,
    SENTENCES,
    BenchmarkRow,
    Sentence,
    benchmark_table,
    is_benchmark,
    lines_of,
    prompts_of,
    read_benchmark,
    read_sentences,
    sentence_table,
    sentences_of,
)
from gpf_desktop.methods.saged.branching import branching_of
from gpf_desktop.methods.saged.gathering import MEANING, NAMES, NEAREST, WIKIPEDIA, gather, hits, proposed, wanted_of
from gpf_desktop.methods.saged.planted import WRITER
from gpf_desktop.methods.saged.protocol import (
    CONTINUATION,
    PROMPT,
    QUESTION,
    TEMPLATES,
    BenchmarkStudy,
    about_another,
    check,
    fitting_template,
)
from gpf_desktop.methods.saged.replacements import PAIR_COLUMNS, Replacements, read_replacements, words_in
from gpf_desktop.methods.saged.replacements import replacements as replacements_of


class SagedBenchmarks(BenchmarkMaker):
    """Splits sentences into prompts and baselines, and branches them."""

    name = "saged"
    reads = texts.ENDINGS
    does = Translated(
        "Reads a table of sentences. Columns: concept, keyword, sentence; domain, source_tag and "
        "root may be left out. It splits each into a prompt and its source sentence (baseline), and "
        "puts other concepts in its concept's place. It writes the benchmark as CSV, or, where -o "
        "ends in .yaml, as a protocol for rounds. A table that is a benchmark already (columns: "
        "domain, concept, keyword, source_tag, prompt, baseline) is taken as it is. Asks no model."
    )

    @property
    def takes(self) -> tuple[TableOption, ...]:
        return (
            TableOption("branch", "REPLACEMENTS.yaml", tr("which words stand for which (no branches)")),
            TableOption(
                "direction", "all|root|A>B,…", tr("which concepts are put for which (all pairs; from the root; these)")
            ),
            TableOption("tags", "TAG,…", tr("source tags whose sentences are branched (all)")),
            TableOption("name", "NAME", tr("of the protocol, where -o ends in .yaml (the table's name)")),
            TableOption(
                "template",
                "TEXT",
                tr(
                    "the protocol's message, with {prompt} in it, or {names} ({prompt} alone)",
                    prompt=PROMPT,
                    names=", ".join(TEMPLATES),
                ),
            ),
            TableOption("language", "XX", tr("of the sentences: en, de, nl, or what spaCy has a model of (en)")),
        )

    def make(self, sentences: Path, given: Mapping[str, str]) -> MadeBenchmark:
        branch = read_replacements(Path(given["branch"])) if given.get("branch") else None
        if is_benchmark(sentences):
            made = branch_rows(read_benchmark(sentences), branch, branching_of(given))
        else:
            made = _split(read_sentences(sentences), branch, given)
        return _told(made, branch, given.get("name") or sentences.stem, given.get("template") or PROMPT)

    @property
    def sentence_columns(self) -> tuple[str, ...]:
        return SENTENCES.all

    @property
    def prompt_columns(self) -> tuple[str, ...]:
        return BENCHMARK.all

    def make_of(self, rows: Table, replacements: Mapping[str, Any] | None, given: Mapping[str, str]) -> MadeBenchmark:
        branch = None if replacements is None else replacements_of(replacements, tr("The words to be replaced"))
        lines = lines_of(rows)
        if not lines:
            raise UserError(tr("There are no rows yet."), tr("Gather sentences, or open a table of them."))
        if "prompt" in rows.columns:
            made = branch_rows(prompts_of(lines), branch, branching_of(given))
        else:
            made = _split(sentences_of(lines), branch, given)
        template = fitting_template(given.get("template") or PROMPT, made.rows)
        return _told(made, branch, given.get("name") or tr("My benchmark"), template)

    def about(self, study: BenchmarkStudy, made: BenchmarkStudy, version: int) -> BenchmarkStudy:
        return about_another(
            study,
            name=made.name,
            version=version,
            domain=made.domain,
            template=made.template,
            benchmark=made.benchmark,
        )

    @property
    def templates(self) -> Mapping[str, str]:
        return {tr("for questions"): TEMPLATES[QUESTION], tr("for continuations"): TEMPLATES[CONTINUATION]}

    def words_in(self, file: Path | None) -> TopicWords:
        return words_in(resources() / "methods" / "saged" / "countries.yaml" if file is None else file)

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

    @property
    def writers(self) -> Sequence[Endpoint]:
        return [Endpoint(provider="saged-calibration", model=WRITER)]

    @property
    def writing(self) -> Mapping[str, str]:
        return writing.titles()

    def writing_tasks(self, step: str, given: Mapping[str, str], words: Table) -> Sequence[WritingTask]:
        return writing.tasks(step, given, words)

    @property
    def question_columns(self) -> tuple[str, ...]:
        return questions.COLUMNS

    @property
    def most_tries(self) -> int:
        return questions.TRIES

    def questions(self, sentences: Table, replacements: Mapping[str, Any] | None) -> questions.Questions:
        return questions.questions_about(sentences, replacements)

    @property
    def keyword_columns(self) -> tuple[str, ...]:
        return ("concept", "keyword", "kind", "nearness", "sentences")

    @property
    def keyword_finders(self) -> Mapping[str, str]:
        return {
            NEAREST: tr("Nearest words in the texts"),
            NAMES: tr("Names in the texts"),
            MEANING: tr("Nearest in meaning"),
        }

    async def find_keywords(
        self, finder: str, places: Sequence[str], given: Mapping[str, str], fetch: Callable[[str], Awaitable[bytes]]
    ) -> MadeBenchmark:
        found, looked_in = await proposed(finder, places, wanted_of(given), fetch)
        how = {
            NEAREST: tr("nearness is the correlation with the concept over sentences"),
            MEANING: tr("nearness is the cosine of the encoder's vectors"),
            NAMES: tr("by how often each stands there"),
        }
        looked = trn("{n} text", "{n} texts", looked_in.texts)
        said = tr("Nothing was found in {texts}.", texts=looked)
        if found:
            said = tr("Of {texts}: {how}. Take out what does not fit.", texts=looked, how=how[finder])
        rows = [(each.word, finder, each.nearness, each.sentences) for each in found]
        return MadeBenchmark(table=Table(self.keyword_columns[1:], rows), said=(said, *looked_in.said_of_unread()))

    @property
    def pair_columns(self) -> tuple[str, ...]:
        return PAIR_COLUMNS

    async def find_pages(
        self, words: str, given: Mapping[str, str], fetch: Callable[[str], Awaitable[bytes]]
    ) -> MadeBenchmark:
        found = await hits(words, given.get("language", ""), fetch)
        rows = [(f"{WIKIPEDIA}{each.language}:{each.title}", each.title, each.extract, each.licence) for each in found]
        said = trn("{n} page about “{words}”.", "{n} pages about “{words}”.", len(rows), words=words.strip())
        return MadeBenchmark(table=Table(PAGE_COLUMNS, rows), said=(said,))

    async def gather(
        self,
        places: Sequence[str],
        given: Mapping[str, str],
        fetch: Callable[[str], Awaitable[bytes]],
        told: Callable[[int], object] = lambda _: None,
    ) -> MadeBenchmark:
        found = await gather(places, wanted_of(given), fetch, told)
        return MadeBenchmark(table=sentence_table(found.sentences), said=tuple(found.said()))


def _split(sentences: Sequence[Sentence], branch: Replacements | None, given: Mapping[str, str]) -> BuiltBenchmark:
    return make_benchmark(sentences, branch, branching_of(given), language=given.get("language") or "en")


def _told(made: BuiltBenchmark, branch: Replacements | None, name: str, template: str) -> MadeBenchmark:
    """*made* as a table and as a study called *name* with the message *template*."""
    domain = made.rows[0].domain or (branch.domain if branch else "") or name
    study = BenchmarkStudy(name=name, domain=domain, template=template, benchmark=_in(domain, made.rows))
    wrong = [problem.words for problem in plain_data.problems(study, check)]
    return MadeBenchmark(
        table=benchmark_table(study.benchmark),
        said=(*made.sentences(), *(tr("No protocol can be made of it: {why}.", why=why) for why in wrong[:1])),
        protocol=None if wrong else study,
    )


def _in(domain: str, rows: Sequence[BenchmarkRow]) -> tuple[BenchmarkRow, ...]:
    """*rows*, those that say nothing of a domain put into *domain*."""
    return tuple(row if row.domain else replace(row, domain=domain) for row in rows)


BENCHMARK_MAKER = SagedBenchmarks()
