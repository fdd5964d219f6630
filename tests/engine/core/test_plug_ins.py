"""Plug-ins that a package on the path declares stand beside the program's own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gpf_desktop import exporters, methods
from gpf_desktop.cli import main
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ports.exporter import Exporter
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.scorer import Scorer
from gpf_desktop.domain.program import in_safe_mode
from gpf_desktop.domain.scores import VALID
from gpf_desktop.engine.commands.method_check import check_of
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.catalogue import GROUPS, misspelt_groups
from gpf_desktop.engine.core.plug_ins import PlugIns, Port
from tests.methods.gpf_livenews.scorers.bundles import by_name, group_of, plain
from tests.support.packages import install

SCORERS = Port(Scorer, methods, "SCORER", "gpf_desktop.scorers", ".scorers")
EXPORTERS = Port(Exporter, exporters, "EXPORTER", "gpf_desktop.exporters")

LAB = """
from gpf_desktop.methods.gpf_livenews.scorers.gpf import SCORER

class Ours(type(SCORER)):
    name = "ours"

class Bare:
    name, version, title = "bare", "1", "No options"

    def score(self, chunk, options): ...

class Loose(Ours):
    name, options = "loose", dict

class Twin(Ours):
    name = "gpf"

OURS, BARE, LOOSE, TWIN = Ours(), Bare(), Loose(), Twin()
"""
DECLARED = """
[gpf_desktop.scorers]
a-bare = lab_scorers:BARE
b-gone = lab_scorers.gone:SCORER
c-loose = lab_scorers:LOOSE
d-twin = lab_scorers:TWIN
e-ends = lab_scorers:NOTHING
works = lab_scorers:OURS
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    install(tmp_path, "lab-scorers", "0.3", {"lab_scorers/__init__.py": LAB}, DECLARED)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.mark.usefixtures("site")
def test_that_in_safe_mode_no_package_is_asked_for_anything(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # Set and taken away again by the fixture, for the option sets it for good.
    monkeypatch.setenv("GPF_DESKTOP_SAFE", "")
    seen: list[bool] = []
    assert main(["--safe"], show_window=lambda _: seen.append(in_safe_mode()) or 0, show_demo=lambda _: 1) == 0
    assert seen == [True]
    plug_ins = PlugIns()
    assert "ours" not in plug_ins.of(SCORERS)
    assert plug_ins.broken == ()
    assert main(["methods", "--safe"], show_window=lambda _: 1, show_demo=lambda _: 1) == 0
    assert "lab" not in capsys.readouterr().err


@pytest.mark.usefixtures("site")
def test_that_a_package_brings_a_scorer_and_what_is_broken_in_it_is_told_in_sentences() -> None:
    plug_ins = PlugIns()
    found = plug_ins.of(SCORERS)
    assert {"gpf", "ours"} <= set(found)
    assert not {"bare", "loose"} & set(found)
    assert type(found["gpf"]).__module__ == "gpf_desktop.methods.gpf_livenews.scorers.gpf"
    counting = found["ours"]
    assert by_name(counting.score([group_of([plain(["one", "two"])])], counting.options()))[VALID] == 2
    said = [str(error) for error in plug_ins.broken]
    whys = (
        "it is not derived from Scorer (gpf_desktop/domain/ports/scorer.py)",
        "ModuleNotFoundError",
        "no dataclass",
        "gpf, is taken",
        "AttributeError",
    )
    assert len(said) == len(whys)
    for sentence, name, why in zip(said, ("a-bare", "b-gone", "c-loose", "d-twin", "e-ends"), whys, strict=True):
        assert f"“{name}” of the installed package lab-scorers 0.3 cannot be used: " in sentence
        assert why in sentence
    plug_ins.of(EXPORTERS)
    assert len(plug_ins.broken) == len(whys)


def test_that_a_method_whose_table_is_called_as_another_method_s_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    twin = """
from gpf_desktop.methods.saged.method import METHOD as SAGED

class Twin(type(SAGED)):
    name, analyses = "twin", ("ours", "saged_board", "giving_way")

METHOD = Twin()
"""
    install(
        tmp_path,
        "lab-method",
        "0.1",
        {"lab_method/__init__.py": twin},
        "[gpf_desktop.methods]\ntwin = lab_method:METHOD\n",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    plug_ins = PlugIns()
    assert "twin" not in plug_ins.of(Port(Method, methods, "METHOD", "gpf_desktop.methods", ".method"))
    (said,) = plug_ins.broken
    assert "its table giving_way is called as one of gpf-livenews" in str(said)


@pytest.mark.slow
def test_that_a_command_goes_on_without_a_broken_plug_in_and_says_so(tmp_path: Path) -> None:
    install(tmp_path, "lab-sources", "1.0", {}, "[gpf_desktop.sources]\nours = lab_sources:SOURCE\n")
    feed = tmp_path / "feed.csv"
    feed.write_text("headline,description\nBridge opens,The river can be crossed again.\n", encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), *sys.path])
    done = subprocess.run(
        [sys.executable, "-m", "gpf_desktop", "fetch", str(feed)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert "Bridge opens" in done.stdout
    assert done.returncode == 0, done.stderr
    assert "“ours” of the installed package lab-sources 1.0 cannot be used: ModuleNotFoundError" in done.stderr


@pytest.mark.slow
def test_that_the_contract_tests_take_a_package_s_plug_ins_and_name_the_fix(tmp_path: Path) -> None:
    code = """
from gpf_desktop.domain.options import NoOptions
from gpf_desktop.providers.openai import PROVIDER
from gpf_desktop.methods.gpf_livenews.scorers.gpf import SCORER

class Provider(type(PROVIDER)):
    name = "ours"

class Scorer(type(SCORER)):
    name, options = "ours", NoOptions

PROVIDER, SCORER = Provider(), Scorer()
"""
    declared = "[gpf_desktop.providers]\nx = lab:PROVIDER\n[gpf_desktop.scorers]\nx = lab:SCORER\n"
    install(tmp_path, "lab", "1.0", {"lab.py": code}, declared)
    tests = Path(__file__).parents[2]
    contracts = ("providers/test_provider_contract.py", "methods/gpf_livenews/scorers/test_scorer_contract.py")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "-k", "own_api or names_itself"]
        + [str(tests / each) for each in contracts],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
        cwd=tests.parent,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert "add a dialect for ours to DIALECTS in tests/support/provider_servers.py" in done.stdout
    assert "1 failed" in done.stdout, done.stdout
    assert "test_that_it_names_itself_and_declares_its_options[ours]" not in done.stdout


def test_that_a_group_that_nothing_reads_is_told_with_the_likeliest(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(
        site,
        "typo",
        "1",
        {"typo.py": "CHECK = 1"},
        "[gpf_desktop.check]\nours = typo:CHECK\n[other.check]\nx = typo:CHECK\n",
    )
    (error,) = misspelt_groups()
    assert str(error) == (
        "“ours” of the installed package typo 1 cannot be used: nothing reads the group gpf_desktop.check,"
        " only gpf_desktop.checks. Tell whoever made the package, or uninstall it."
    )
    assert main(["methods"], show_window=lambda _: 1, show_demo=lambda _: 1) == 0
    assert str(error) in capsys.readouterr().err
    assert {"gpf_desktop.pages", "gpf_desktop.study_editors", "gpf_desktop.protocol_forms"} < GROUPS


def test_that_no_other_methods_check_stands_in_for_one_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "checks", dict)
    with pytest.raises(UserError, match="The method saged says that it has a check, and brings none"):
        check_of("saged", quick=True, tell=lambda *_: None)
