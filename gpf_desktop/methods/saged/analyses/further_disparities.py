"""The disparities of all statistics but those that the disparity board compares."""

from gpf_desktop.domain.text import Translated
from gpf_desktop.methods.saged.analyses._series import COMPARED
from gpf_desktop.methods.saged.analyses.disparities import DisparityBoard
from gpf_desktop.methods.saged.group_statistics import STATISTICS


class FurtherDisparities(DisparityBoard):
    """The columns of the disparity board for medians, spreads, shapes and what is held against baselines."""

    name = "saged_further_disparities"
    version = "2"
    _statistics = tuple(name for name in STATISTICS if name not in COMPARED)
    title = Translated("Gaps by further statistics")
    closed = Translated("A long table: gaps by ten further statistics, beside what chance shows of each.")


ANALYSIS = FurtherDisparities()
