"""Additions of Relative Bias to the form of its studies: a rubric that was changed is the next version of it."""

from dataclasses import replace

from gpf_desktop.methods.relative_bias.protocol import BiasStudy, renewed_rubric
from gpf_desktop.ui.protocol.own_form import OwnForm


def _finished(edited: BiasStudy, base: BiasStudy | None) -> BiasStudy:
    return edited if base is None else replace(edited, rubric=renewed_rubric(edited.rubric, base.rubric))


FORM = OwnForm(finished=_finished)
