"""The common rooms have no word of a method's factors: what they say of a level they read from a declaration."""

import re
from collections import defaultdict
from pathlib import Path

import gpf_desktop
from gpf_desktop.methods.gpf_livenews.method import METHOD

ROOT = Path(gpf_desktop.__file__).parent
NO_FACTORS = {"condition", "paraphrase"}
"""The field's words for parts of any design."""
OTHER_MEANINGS = (
    r"\bfamil(y|ies) without an effect|Of the family: bounds|p-values of a family",  # of tests
    r"\.family\(\)|font-family",  # of fonts
    r"[\"'](identity|concept)[\"'][,})]",  # an encoding of HTTP; a column in other languages
    r"[\"']dimensions[\"'](: \(|,)|options\.dimensions|^    dimensions: Annotated",  # of vectors
    r"identity-based",  # of permissions
    r"\b(check)?_identity\(",  # of files and entries of feeds
    r"<dimension ref=",  # of a sheet in a workbook
    r"readers\|identities\|groups",  # what an answer calls those whom a test asked about
)


def test_that_no_factor_of_a_method_is_named_outside_folders_of_methods() -> None:
    words = {"identity", "identities", "dimension", "dimensions", "family", "families"}
    assert {each.name for each in METHOD.factors if each.name not in NO_FACTORS} == words & {
        "identity",
        "dimension",
        "family",
    }
    # Of SAGED; themes and locations are also words of windows and files.
    words |= {"identities", "dimensions", "families", "concept", "concepts"}
    factor = re.compile(rf"(\b|_)({'|'.join(words)})(\b|_)", re.IGNORECASE)
    other = re.compile("|".join(OTHER_MEANINGS))
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in sorted(ROOT.rglob("*.py"))
        if "methods" not in path.relative_to(ROOT).parts
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if factor.search(line) and factor.search(other.sub("", line))
    ]
    assert found == []


MEASURED = r"\bCFS\b|COUNTERFACTUAL_FRAMING|framing above noise|identity-free"
"""What GPF-LiveNews measures, and against what."""
OF_ITS_OWN = ("engine/commands/sample.py", "engine/commands/sample_summary.py", "ui/results/results_actions.py")
"""The sample is of GPF-LiveNews; a command is found by the signs that people look for."""


def test_that_no_measure_of_a_method_is_named_in_engine_and_window() -> None:
    found = [
        f"{place}:{number}: {line.strip()}"
        for room in ("engine", "ui")
        for path in sorted((ROOT / room).rglob("*.py"))
        if "methods" not in (place := path.relative_to(ROOT)).parts and place.as_posix() not in OF_ITS_OWN
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if re.search(MEASURED, line)
    ]
    assert found == []


SHARED = {"Behaviour", "CoverageTable", "PlantedModels", "Rubric"}
"""What methods that never meet each have of their own: the same thing of each."""


def test_that_a_public_class_name_means_one_thing_in_the_whole_program() -> None:
    places = defaultdict(list)
    for path in ROOT.rglob("*.py"):
        for name in re.findall(r"^class ([A-Za-z]\w*)", path.read_text(encoding="utf-8"), re.MULTILINE):
            places[name].append(path.relative_to(ROOT))
    assert {name for name, found in places.items() if len(found) > 1} == SHARED
