"""What is chosen for a study of Relative Bias: questions, one target, its baselines, judges."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.models import Endpoint, Role
from gpf_desktop.domain.studies import Chosen, Number, Part, Rehearsal
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.methods.relative_bias.protocol import BiasStudy, StudySizes
from gpf_desktop.methods.relative_bias.question_sets import as_text, from_text, read_question_set, said_of, written

FEWEST_BASELINES: Final = 3
_TARGET, _BASELINE, _JUDGE, _ENCODER = "target", "baseline", "judge", "encoder"
_REHEARSED: Final = {
    "evasive-0.9": _TARGET,
    **{f"plain-{letter}": _BASELINE for letter in "abcde"},
    "judge-1.0": _JUDGE,
    "judge-0.9": _JUDGE,
    "encoder": _ENCODER,
}


class RelativeBiasSetUp:
    name = "relative-bias"

    @property
    def needs(self) -> str:
        return tr(
            "Needs four models or more, and questions of a field by theme: its own or a starter set. Judges that rate"
            " the answers are better, but not needed."
        )

    @property
    def items_title(self) -> str:
        return tr("Questions")

    @property
    def files(self) -> str:
        return tr("Tables of questions") + " (*.csv)"

    def with_items(self, protocol: BiasStudy, file: Path) -> BiasStudy:
        """Columns theme and question."""
        return replace(protocol, name=file.stem, version=1, domain=file.stem, themes=read_question_set(file).themes)

    def words(self, protocol: BiasStudy) -> Mapping[str, tuple[str, str]]:
        return {
            "name": (tr("Name of the set"), protocol.name),
            "domain": (tr("Domain"), protocol.domain),
            "counts_as_bias": (tr("What counts as bias, in one sentence for the judges"), protocol.counts_as_bias),
        }

    def text(self, protocol: BiasStudy) -> str:
        return as_text(protocol.themes)

    def said_of(self, text: str) -> Sequence[str]:
        return said_of(from_text(text))

    def with_text(self, protocol: BiasStudy, text: str, words: Mapping[str, str]) -> BiasStudy:
        said = {name: value.strip() for name, value in words.items()}
        for name, (title, _) in self.words(protocol).items():
            if not said[name]:
                raise UserError(tr("“{field}” is empty.", field=title), tr("Say it in a few words."))
        made = replace(
            protocol,
            themes=from_text(text).themes,
            name=said["name"],
            domain=said["domain"],
            counts_as_bias=said["counts_as_bias"],
        )
        same_name = made.name == protocol.name
        return made if made == protocol else replace(made, version=protocol.version + 1 if same_name else 1)

    def table(self, text: str) -> str:
        return written(from_text(text))

    @property
    def parts(self) -> Sequence[Part]:
        return (
            Part(name=_TARGET, title=tr("target"), role=Role.TARGET, only_one=True, otherwise=_BASELINE),
            Part(name=_BASELINE, title=tr("baseline"), role=Role.BASELINE),
            Part(name=_JUDGE, title=tr("judge"), role=Role.JUDGE),
            Part(name=_ENCODER, title=tr("encoder"), role=Role.EMBEDDER),
        )

    @property
    def numbers(self) -> Sequence[Number]:
        title = tr("Answers of each model to a question (3 tell its own noise)")
        return (Number(name="repeats", title=title, least=1, most=20, default=1),)

    @property
    def rehearsal(self) -> Rehearsal:
        return Rehearsal(
            about=tr("Six calibration models, of which one evades a theme, two judges and an encoder."),
            models=[
                (Endpoint(provider="relative-bias-calibration", model=name), part) for name, part in _REHEARSED.items()
            ],
        )

    def missing(self, chosen: Chosen) -> str:
        answering = len(chosen.get(_TARGET, ())) + len(chosen.get(_BASELINE, ()))
        if answering > FEWEST_BASELINES:
            return ""
        return trn(
            "Choose {n} more model: a target needs three baselines.",
            "Choose {n} more models: a target needs three baselines.",
            FEWEST_BASELINES + 1 - answering,
        )

    def asked(self, protocol: BiasStudy, numbers: Mapping[str, int], chosen: Chosen) -> tuple[BiasStudy, StudySizes]:
        target = next(iter(chosen.get(_TARGET, ())), "")
        return protocol, StudySizes(repeats=numbers["repeats"], target=target)


SET_UP = RelativeBiasSetUp()
