"""Roles, domains and features with too few prompts, beside others that have enough."""

from dataclasses import replace

import numpy as np
import pytest

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.conclusions.gates import concluded
from gpf_desktop.methods.saged.concluding import evidence
from gpf_desktop.methods.saged.concluding.gates import GATES
from gpf_desktop.methods.saged.concluding.series import Asked
from gpf_desktop.methods.saged.method import METHOD
from tests.benchmarks.validity_groups import Answered, _asked
from tests.benchmarks.validity_pages import bare_material


def asked(roots: int, role: int) -> Asked:
    """Of two concepts that are written of alike, but for little."""
    return _asked(Answered(tone=np.random.default_rng(role + 7).normal(0, 0.01, (roots, 2))), 0, role)


@pytest.mark.parametrize(
    ("roots", "outcome", "said"),
    [
        (8, ConclusionOutcome.ALIKE, []),
        (7, ConclusionOutcome.NOT_SHOWN, ["Too few prompts to compare: tone as r1."]),
    ],
)
def test_that_what_has_too_few_prompts_is_named_and_not_alike(
    roots: int, outcome: ConclusionOutcome, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evidence, "_margins", lambda _material: {"tone": 0.5})
    page = evidence.of_asked([asked(20, 0), asked(roots, 1)], [], replace(bare_material(), imported=False))
    found = concluded(page.of[0], GATES)
    assert found.outcome is outcome
    assert [METHOD.voice.caveats[each.key](each) for each in found.caveats if each.key == "untested"] == said
