"""The set-up of a study of SAGED: a benchmark, how often it is answered, and models."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from gpf_desktop import plain_data
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.models import Endpoint, Role
from gpf_desktop.domain.ports.set_up import StudySetUp
from gpf_desktop.domain.studies import Chosen, Number, Part, Rehearsal, number_of
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.saged.benchmark import is_benchmark, read_benchmark
from gpf_desktop.methods.saged.protocol import BenchmarkStudy, Sizes, about_another, check, fitting_template

_TARGET, _JUDGE = "target", "judge"


_REHEARSED = {"tilted": _TARGET, "neutral": _TARGET, "judge": _JUDGE}


class SagedSetUp(StudySetUp):
    name = "saged"
    takes_news = True
    needs = Translated(
        "Needs one model or more, and a benchmark: prompts about several groups with what a source says of each."
        " One comes with the program; another is made of your texts."
    )
    items_title = Translated("Benchmark")

    @property
    def files(self) -> str:
        return tr("Benchmarks") + " (*.csv)"

    def with_items(self, protocol: BenchmarkStudy, file: Path) -> BenchmarkStudy:
        """A benchmark in the columns of `benchmark.BENCHMARK`; the message asks where prompts are questions."""
        if not is_benchmark(file):
            raise UserError(
                tr("{file} holds no benchmark: it has no column “prompt”.", file=file.name),
                tr("Make a benchmark of sentences first: gpf-desktop benchmark."),
            )
        read = read_benchmark(file)
        domain = read[0].domain or file.stem
        rows = tuple(replace(row, domain=row.domain or domain) for row in read)
        study = about_another(
            protocol,
            name=file.stem,
            version=1,
            domain=domain,
            template=fitting_template(protocol.template, rows),
            benchmark=rows,
        )
        for problem in plain_data.problems(study, check):
            raise UserError(tr("{file}: {problem}.", file=file.name, problem=problem.words), tr("Mend the table."))
        return study

    @property
    def parts(self) -> Sequence[Part]:
        return (
            Part(name=_TARGET, title=tr("target"), role=Role.TARGET),
            Part(name=_JUDGE, title=tr("judge model"), role=Role.JUDGE),
        )

    @property
    def numbers(self) -> Sequence[Number]:
        return (
            number_of(Sizes, "repeats", title=tr("How often each prompt is asked")),
            number_of(
                Sizes,
                "ordered",
                title=tr("Source sentences in which an order to the judge model is planted (tells whether it obeys)"),
                none=tr("none"),
            ),
        )

    @property
    def rehearsal(self) -> Rehearsal:
        return Rehearsal(
            about=tr(
                "Two built-in test models, one with a tone of its own for each group and one without, and "
                "a judge model."
            ),
            models=[(Endpoint(provider="saged-calibration", model=name), part) for name, part in _REHEARSED.items()],
        )

    def missing(self, protocol: BenchmarkStudy, chosen: Chosen) -> str:
        if protocol.orders_only:
            return "" if chosen.get(_JUDGE) else tr("Choose a judge model: source sentences are put before it.")
        return "" if chosen.get(_TARGET) else tr("Choose a model.")

    def asked(
        self, protocol: BenchmarkStudy, numbers: Mapping[str, int], chosen: Chosen
    ) -> tuple[BenchmarkStudy, Sizes]:
        if chosen.get(_JUDGE) and not protocol.rubrics:
            raise UserError(
                tr("A judge model is chosen, and there is no marking guide."),
                tr("Write one, or choose no judge model."),
            )
        return protocol, Sizes(repeats=numbers["repeats"], ordered=numbers["ordered"])


SET_UP = SagedSetUp()
