"""The set-up of a study of GPF-LiveNews: the words on its card."""

from gpf_desktop.domain.ports.set_up import SetUp
from gpf_desktop.domain.text import Translated


class GpfLiveNewsSetUp(SetUp):
    """Its rounds are about news, so it begins on Sources."""

    name = "gpf-livenews"
    needs = Translated(
        "Needs news (feeds, addresses or a table) and one model or more. The same articles are asked about for"
        " different readers."
    )


SET_UP = GpfLiveNewsSetUp()
