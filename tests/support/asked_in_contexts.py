"""A small audit of Contextual StereoSet: four starter items in the 74 contexts and without one, of two models."""

from pathlib import Path

from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.run_command import run_plan
from gpf_desktop.engine.rounds.plans import read_plan
from gpf_desktop.methods.contextual_stereoset.method import METHOD

PLAN = """
method = "contextual-stereoset"
protocol = "{protocol}"
[[models]]
provider = "stereoset-calibration"
model = "typical"
[[models]]
provider = "stereoset-calibration"
model = "rambling"
"""


def ask_in_contexts(folder: Path) -> Path:
    """The path of its file, closed."""
    text = METHOD.protocol_files()[METHOD.default_protocol].read_text(encoding="utf-8")
    protocol = folder / "small.yaml"
    protocol.write_text(text.replace("items: starter", "items: starter\nmost_items: 4"), encoding="utf-8")
    with Headless(quiet=True) as headless:
        audit = headless.engine.create(folder / "audit.gpf", title="Contexts")
        run_plan(headless, audit, read_plan(PLAN.format(protocol=protocol), where="plan"), beside=folder)
        audit.auto_rescoring.settle().result()
    return folder / "audit.gpf"
