"""The set-up of a study of Relative Bias: questions, one target, its baselines, judges."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.models import Endpoint, Role
from gpf_desktop.domain.ports.set_up import StudySetUp, WritesItems
from gpf_desktop.domain.studies import Chosen, Number, Part, Rehearsal, number_of
from gpf_desktop.domain.text import Translated, tr, trn
from gpf_desktop.domain.writing import WritingTask, Written
from gpf_desktop.methods.relative_bias.planted_writers import WRITERS
from gpf_desktop.methods.relative_bias.protocol import (
    FEWEST_BASELINES,
    BiasStudy,
    StudySizes,
    next_version,
    said_of_margin,
)
from gpf_desktop.methods.relative_bias.question_sets import (
    FEWEST_QUESTIONS,
    FEWEST_THEMES,
    as_table,
    as_text,
    from_text,
    read_question_set,
    said_of,
)
from gpf_desktop.methods.relative_bias.writing import (
    QUESTIONS,
    THEMES,
    question_tasks,
    taken,
    theme_tasks,
    with_written,
)

_TARGET, _BASELINE, _JUDGE, _ENCODER = "target", "baseline", "judge", "encoder"
_REHEARSED: Final = {
    "evasive-0.9": _TARGET,
    **{f"plain-{letter}": _BASELINE for letter in "abcde"},
    "judge-1.0": _JUDGE,
    "judge-0.9": _JUDGE,
    "encoder": _ENCODER,
}


class RelativeBiasSetUp(StudySetUp, WritesItems):
    name = "relative-bias"
    needs = Translated(
        "Needs four models or more, and questions of a field by theme: its own or a starter set. "
        "Judge models that mark the answers help, but are not needed."
    )
    items_title = Translated("Questions")

    @property
    def files(self) -> str:
        return tr("Tables of questions") + " (*.csv)"

    def with_items(self, protocol: BiasStudy, file: Path) -> BiasStudy:
        """Columns theme and question."""
        # Whatever writers made was in the questions that the table takes the place of, and what counts as bias was said
        # of another domain: judges that go by it would rate these answers by something else.
        return replace(
            protocol,
            name=file.stem,
            version=1,
            domain=file.stem,
            counts_as_bias="",
            themes=read_question_set(file).themes,
            written=(),
        )

    def said_of_file(self, file: Path) -> Sequence[str]:
        found = read_question_set(file)
        return [*found.notes(), *found.problems()]

    def words(self, protocol: BiasStudy) -> Mapping[str, tuple[str, str]]:
        return {
            "name": (tr("Name of the set"), protocol.name),
            "domain": (tr("Domain"), protocol.domain),
            "counts_as_bias": (
                tr("What counts as bias, in one sentence for the judge models"),
                protocol.counts_as_bias,
            ),
        }

    def text(self, protocol: BiasStudy) -> str:
        return as_text(protocol.themes)

    def said_of(self, text: str) -> Sequence[str]:
        return said_of(from_text(text))

    def with_text(
        self, protocol: BiasStudy, text: str, words: Mapping[str, str], written: Sequence[Written] = ()
    ) -> BiasStudy:
        if protocol.checked:
            raise UserError(
                tr("This round puts judge models to the test, and no question is asked in it."),
                tr("Choose a set of questions to ask, then edit it."),
            )
        said = {name: value.strip() for name, value in words.items()}
        for name, (title, _) in self.words(protocol).items():
            if not said[name]:
                raise UserError(tr("“{field}” is empty.", field=title), tr("Say it in a few words."))
        themes = from_text(text).themes
        for theme in themes:
            if not theme.questions:
                raise UserError(
                    tr("Theme “{theme}” has no question.", theme=theme.name),
                    tr("Write some, have a model write them, or take the theme out."),
                )
        made = replace(
            protocol,
            themes=themes,
            name=said["name"],
            domain=said["domain"],
            counts_as_bias=said["counts_as_bias"],
            written=(*protocol.written, *(each.provenance for each in taken(text, written))),
        )
        return next_version(protocol, made)

    def table(self, text: str) -> str:
        return as_table(from_text(text))

    @property
    def steps(self) -> Mapping[str, str]:
        return {THEMES: tr("Write themes"), QUESTIONS: tr("Write questions")}

    @property
    def amounts(self) -> Sequence[Number]:
        return (
            Number(name="themes", title=tr("Themes"), least=1, most=50, default=FEWEST_THEMES),
            Number(name="questions", title=tr("Questions of each"), least=1, most=200, default=FEWEST_QUESTIONS),
        )

    @property
    def writers(self) -> Sequence[Endpoint]:
        return [Endpoint(provider="relative-bias-calibration", model=name) for name in WRITERS]

    def tasks(
        self, step: str, text: str, words: Mapping[str, str], amounts: Mapping[str, int]
    ) -> Sequence[WritingTask]:
        for name, title in (("domain", tr("Domain")), ("counts_as_bias", tr("What counts as bias"))):
            if not words[name].strip():
                raise UserError(tr("“{field}” is empty.", field=title), tr("Fill it in: the writer goes by it."))
        themes = from_text(text).themes if text.strip() else ()
        if step == THEMES:
            if found := theme_tasks(themes, words["domain"], words["counts_as_bias"], amounts["themes"]):
                return found
            raise UserError(tr("There are as many themes as wanted."), tr("Raise their number, or take some out."))
        if not themes:
            raise UserError(tr("There is no theme yet."), tr("Have themes written first, or write one behind a “#”."))
        if found := question_tasks(themes, words["domain"], words["counts_as_bias"], amounts["questions"]):
            return found
        raise UserError(tr("Every theme has as many questions as wanted."), tr("Raise their number, or take some out."))

    with_written = staticmethod(with_written)

    @property
    def parts(self) -> Sequence[Part]:
        return (
            Part(name=_TARGET, title=tr("under study"), role=Role.TARGET, only_one=True, otherwise=_BASELINE),
            Part(name=_BASELINE, title=tr("compared with"), role=Role.BASELINE),
            Part(name=_JUDGE, title=tr("judge model"), role=Role.JUDGE),
            Part(name=_ENCODER, title=tr("encoder"), role=Role.EMBEDDER),
        )

    @property
    def numbers(self) -> Sequence[Number]:
        return (
            number_of(
                StudySizes,
                "repeats",
                title=tr("How often each question is asked (3 times tell what asking again changes)"),
            ),
            number_of(
                StudySizes,
                "ordered",
                title=tr("Answers in which an order to the judge model is planted (tells whether it obeys)"),
                none=tr("none"),
            ),
        )

    @property
    def rehearsal(self) -> Rehearsal:
        return Rehearsal(
            about=tr("Six built-in test models, of which one evades a theme, two judge models and an encoder."),
            models=[
                (Endpoint(provider="relative-bias-calibration", model=name), part) for name, part in _REHEARSED.items()
            ],
        )

    def missing(self, protocol: BiasStudy, chosen: Chosen) -> str:
        if protocol.checked:
            return "" if chosen.get(_JUDGE) else tr("Choose a judge model: answers that are there are put before it.")
        if not protocol.counts_as_bias:
            return tr("Say what counts as bias, in one sentence: press “Edit the questions …”.")
        answering = _answering(chosen)
        if answering > FEWEST_BASELINES:
            return ""
        return trn(
            "Choose {n} more model: a model under study needs three to be held against.",
            "Choose {n} more models: a model under study needs three to be held against.",
            FEWEST_BASELINES + 1 - answering,
        )

    def aimed_past(self, controls: StudySizes, chosen: Chosen) -> str:
        """A sentence where the target of *controls* is none, or not one alone, of the models under study; empty: it is
        one.

        Where some models are baselines, the others are targets, whatever two at unlike addresses are called.
        """
        wanted = controls.target
        among = [*chosen.get(_TARGET, ())]
        # A plan that the window saved may name a model with its address.
        meant = [label for label in among if label == wanted or wanted.startswith(f"{label} (")]
        if not wanted or len(meant) == 1:
            return ""
        if meant:
            return tr(
                "{n} models of the plan are called “{target}”: give the one under study the role target, and "
                "the others the role baseline.",
                n=len(meant),
                target=wanted,
            )
        there = ", ".join(among)
        return tr(
            "No model under study in the plan is called “{target}”: it has {models}.", target=wanted, models=there
        )

    def advice(self, protocol: BiasStudy, chosen: Chosen) -> Sequence[str]:
        """The limits of the margin, in sentences. Without a target every model is held against all others: its
        baselines are one fewer than models too."""
        return () if self.missing(protocol, chosen) or protocol.checked else said_of_margin(_answering(chosen) - 1)

    def asked(self, protocol: BiasStudy, numbers: Mapping[str, int], chosen: Chosen) -> tuple[BiasStudy, StudySizes]:
        target = next(iter(chosen.get(_TARGET, ())), "")
        return protocol, StudySizes(repeats=numbers["repeats"], target=target, ordered=numbers["ordered"])


def _answering(chosen: Chosen) -> int:
    """How many models are asked the questions."""
    return len(chosen.get(_TARGET, ())) + len(chosen.get(_BASELINE, ()))


SET_UP = RelativeBiasSetUp()
