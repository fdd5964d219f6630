"""The set-up of a study of Contextual StereoSet: items, how many of them, and models."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.ports.set_up import StudySetUp
from gpf_desktop.domain.studies import Chosen, Number, Rehearsal, number_of
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.contextual_stereoset.asked_items import item_set
from gpf_desktop.methods.contextual_stereoset.protocol import GridSizes, StereoProtocol

_TARGET = "target"
_MOST_ITEMS = "most_items"
_LOGPROBS = "top_logprobs"


class ContextualStereoSetSetUp(StudySetUp):
    name = "contextual-stereoset"
    needs = Translated(
        "Needs one model or more. Items come with the program, or are StereoSet's dev.json, BBQ's or a "
        "table of your own; places, years, styles and listeners are a grid."
    )
    items_title = Translated("Items and contexts")

    @property
    def files(self) -> str:
        return tr("Items") + " (*.json *.jsonl *.csv)"

    def with_items(self, protocol: StereoProtocol, file: Path) -> StereoProtocol:
        """StereoSet's dev.json, a file of BBQ, or a table of items or vignettes."""
        # Read for what it would refuse, while the file is being chosen: the protocol keeps its path alone.
        item_set(str(file))
        return replace(protocol, items=str(file))

    def said_of_file(self, file: Path) -> Sequence[str]:
        """The source of the file's items: what it is, of which version, how many items of which type, and their
        licence."""
        return (item_set(str(file)).source,)

    @property
    def numbers(self) -> Sequence[Number]:
        return (
            number_of(StereoProtocol, _MOST_ITEMS, title=tr("Items"), none=tr("all")),
            number_of(GridSizes, "repeats", title=tr("How often each question is asked")),
            number_of(
                StereoProtocol,
                _LOGPROBS,
                title=tr("Log-probabilities of the likeliest tokens (OpenAI and compatible, Ollama)"),
                none=tr("not asked for"),
            ),
        )

    @property
    def rehearsal(self) -> Rehearsal:
        return Rehearsal(
            about=tr("Two built-in test models: one that three parts of the context sway, one that none sways."),
            models=[
                (Endpoint(provider="stereoset-calibration", model=name), _TARGET) for name in ("typical", "steady")
            ],
        )

    def asked(
        self, protocol: StereoProtocol, numbers: Mapping[str, int], _chosen: Chosen
    ) -> tuple[StereoProtocol, GridSizes]:
        asked = replace(protocol, most_items=numbers[_MOST_ITEMS], top_logprobs=numbers[_LOGPROBS])
        return asked, GridSizes(repeats=numbers["repeats"])


SET_UP = ContextualStereoSetSetUp()
