"""What the bootstrap decides from the facts of a machine, without touching one."""

import ast
import re
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import distributions
from pathlib import Path

import bootstrap
import pytest
from bootstrap import LOWEST
from bootstrapping.environment import Stamp, Step, Way, decide, no_way, reason, ways
from bootstrapping.machine import Machine, has_display
from bootstrapping.progress import Progress
from bootstrapping.start import IN_PARALLEL, PIN, Command, Request, asked, hand_over, is_settled
from bootstrapping.system import NEEDS, Group, Need, advice, install_commands, missing, present
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
BARE = Machine(system="linux", python=(3, 11), venv=True, ensurepip=False, pip=False, apt=False, root=False, sudo=False)
DEBIAN = replace(BARE, apt=True)
STAMP = Stamp(python="3.11", folder="/p/.venv", project="a")


@pytest.mark.parametrize("version", [(3, 11, 2), (3, 12, 0), (3, 13, 9), (3, 14, 0)])
def test_that_supported_pythons_are_taken(version: tuple[int, ...]) -> None:
    assert bootstrap.complaint(version, lambda name: False) is None


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 10, 13), (3, 15, 0), (4, 0, 0)])
def test_that_other_pythons_get_one_sentence_with_what_to_do(version: tuple[int, ...]) -> None:
    sentence = bootstrap.complaint(version, lambda name: name == "python3.12")
    assert f"this is Python {version[0]}.{version[1]}" in sentence
    assert sentence.endswith("run the same command with python3.12.")
    assert "install one of them" in bootstrap.complaint(version, lambda name: False)


def test_that_an_old_python_can_read_the_bootstrap_far_enough_to_say_so() -> None:
    source = (ROOT / "packaging" / "bootstrap.py").read_text("utf-8")
    tree = ast.parse(source, feature_version=(3, 4))
    top = {alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names}
    assert top == {"os", "subprocess", "sys"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr | ast.AnnAssign)]


def test_that_only_a_python_that_starts_is_recommended() -> None:
    assert bootstrap.runs(sys.executable)
    assert not bootstrap.runs("python-that-is-nowhere")


@pytest.mark.parametrize(
    ("stamp", "begun", "usable", "step"),
    [
        (STAMP, False, True, Step.NOTHING),
        (replace(STAMP, extras=("test",)), False, True, Step.NOTHING),
        (replace(STAMP, project="b"), False, True, Step.INSTALL),
        (None, False, True, Step.INSTALL),
        (None, False, False, Step.MAKE),
        (STAMP, False, False, Step.MAKE),
        (STAMP, True, True, Step.MAKE),
        (replace(STAMP, python="3.12"), False, True, Step.MAKE),
        (replace(STAMP, folder="/moved/.venv"), False, True, Step.MAKE),
    ],
)
def test_that_an_environment_is_left_alone_mended_or_made_anew(
    stamp: Stamp | None, begun: bool, usable: bool, step: Step
) -> None:
    assert decide(stamp, STAMP, begun=begun, usable=usable) is step


def test_that_the_test_tools_are_added_where_they_are_not_there_yet() -> None:
    assert decide(STAMP, replace(STAMP, extras=("test",)), begun=False, usable=True) is Step.INSTALL


@pytest.mark.parametrize(
    ("machine", "expected"),
    [
        (replace(BARE, ensurepip=True, pip=True), (Way.VENV, Way.OUTER_PIP)),
        (replace(DEBIAN, pip=True), (Way.OUTER_PIP,)),
        (replace(DEBIAN, pip=True, root=True), (Way.OUTER_PIP, Way.APT)),
        (replace(DEBIAN, sudo=True), (Way.APT,)),
        (replace(BARE, root=True), ()),
        (replace(BARE, venv=False, pip=True), ()),
    ],
)
def test_that_ways_to_make_an_environment_follow_from_the_machine(machine: Machine, expected: tuple[Way, ...]) -> None:
    assert ways(machine) == expected


def test_that_a_machine_without_a_way_is_told_what_to_install() -> None:
    assert "sudo apt-get install python3.11-venv" in no_way(DEBIAN)
    assert "install a complete Python" in no_way(BARE)


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("ERROR: [Errno 28] No space left on device", "disk is full"),
        ("WARNING: Retrying after NewConnectionError('...')", "did not answer"),
        ("ERROR: No matching distribution found for left-pad", "what pip said stands above"),
    ],
)
def test_that_what_pip_says_comes_to_one_sentence(said: str, word: str) -> None:
    assert word in reason(said)


def test_that_only_linux_lacks_libraries_and_only_those_asked_for_are_named() -> None:
    def nothing(need: Need) -> bool:
        return False

    assert missing(Group, nothing, "darwin") == missing(Group, nothing, "win32") == ()
    assert {need.group for need in missing([Group.QT], nothing, "linux")} == {Group.QT}
    assert missing(Group, nothing, "linux") == NEEDS
    assert missing(Group, lambda need: need.package != "xauth", "linux") == (NEEDS[-1],)


def test_that_every_need_can_be_looked_for_and_absence_is_noticed() -> None:
    assert all(bool(need.library) + bool(need.programs) + bool(need.fonts) == 1 for need in NEEDS)
    assert not present(Need(package="x", group=Group.QT, library="libnowhere.so.9"))
    assert not present(Need(package="x", group=Group.TESTS, programs=("nowhere-to-be-found",)))
    assert not present(Need(package="x", group=Group.DESKTOP, fonts=("no-such-font-name",)))


@pytest.mark.skipif(sys.platform != "linux", reason="sonames are Linux's")
def test_that_a_library_and_a_program_that_are_there_are_found() -> None:
    assert present(Need(package="libc6", group=Group.QT, library="libc.so.6"))
    assert present(Need(package="dash", group=Group.TESTS, programs=("nowhere-to-be-found", "sh")))


def test_that_packages_are_installed_by_root_or_silent_sudo_and_never_otherwise() -> None:
    *_, together = install_commands(replace(DEBIAN, root=True), ["a", "b"])
    assert together[:2] == ["env", "DEBIAN_FRONTEND=noninteractive"]
    assert together[-2:] == ["a", "b"]
    assert all(command[:2] == ["sudo", "-n"] for command in install_commands(replace(DEBIAN, sudo=True), ["a"]))
    assert install_commands(DEBIAN, ["a"]) == install_commands(replace(BARE, root=True), ["a"]) == []


def test_that_who_may_not_install_is_told_what_to_run() -> None:
    needs = [need for need in NEEDS if need.package in {"xvfb", "gnome-keyring"}]
    assert advice(DEBIAN, needs).endswith("run: sudo apt-get install gnome-keyring xvfb")
    assert advice(BARE, needs).endswith("install what Debian calls gnome-keyring xvfb")


def _request(command: Command, *arguments: str, display: bool = True) -> Request:
    return Request(command=command, arguments=arguments, display=display)


def test_that_a_second_start_looks_for_nothing_once_all_that_is_essential_was_found() -> None:
    demo = _request(Command.DEMO)
    looked = replace(STAMP, missing={"qt": (), "display": (), "desktop": ("fonts-noto-cjk",)})
    assert is_settled(looked, demo)
    assert is_settled(STAMP, _request(Command.DEMO, display=False))
    assert not is_settled(STAMP, demo)
    assert not is_settled(None, demo)
    assert not is_settled(looked, _request(Command.TEST))
    assert not is_settled(replace(looked, missing={**looked.missing, "display": ("libxcb-cursor0",)}), demo)


def test_that_offscreen_tests_do_without_the_display_libraries() -> None:
    tests = _request(Command.TEST, display=False)
    assert tests.groups == tuple(Group)
    assert tests.essential == (Group.QT,)
    assert is_settled(replace(STAMP, missing=dict.fromkeys(map(str, Group), ()) | {"display": ("x",)}), tests)


@pytest.mark.parametrize(
    ("request_", "lacking", "expected"),
    [
        (_request(Command.DEMO), (), ["-P", "-m", "gpf_desktop", "demo"]),
        (_request(Command.DEMO, "a.gpf"), ("libegl1",), ["-P", "-m", "gpf_desktop", "demo", "a.gpf", "--no-window"]),
        (_request(Command.DEMO, display=False), (), ["-P", "-m", "gpf_desktop", "demo", "--no-window"]),
        (_request(Command.DEMO, "--no-window", display=False), (), ["-P", "-m", "gpf_desktop", "demo", "--no-window"]),
        (_request(Command.RUN, "fetch", "x"), (), ["-P", "-m", "gpf_desktop", "fetch", "x"]),
        (_request(Command.CONSTRAINTS), (), ["-m", "uv", *PIN]),
        (_request(Command.TEST, "-k", "x"), (), ["-m", "pytest", *IN_PARALLEL, "-k", "x"]),
        (replace(_request(Command.TEST), quick=True), (), ["-m", "pytest", *IN_PARALLEL, "-m", "not slow"]),
    ],
)
def test_that_each_command_ends_in_its_program(
    request_: Request, lacking: tuple[str, ...], expected: list[str]
) -> None:
    assert hand_over(request_, lacking, "PY") == ["PY", *expected]


@pytest.mark.parametrize(
    ("command", "passed", "quick", "arguments"),
    [
        (Command.TEST, ["--quick"], True, ()),
        (Command.TEST, ["--quick", "--", "-x"], True, ("-x",)),
        (Command.TEST, ["--", "-x"], False, ("-x",)),
        (Command.TEST, ["-x"], False, ("-x",)),
        (Command.CHECK, ["--", "ruff"], False, ("ruff",)),
        (Command.RUN, ["--", "check", "--quick"], False, ("check", "--quick")),
        (Command.RUN, ["--quick"], False, ("--quick",)),
    ],
)
def test_that_what_follows_a_command_is_passed_on(
    command: Command, passed: list[str], quick: bool, arguments: tuple[str, ...]
) -> None:
    request = asked(command, passed, display=False)
    assert (request.quick, request.arguments) == (quick, arguments)


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A socket's path may have about a hundred characters; pytest's own folders can be longer."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a display")
def test_that_a_display_counts_only_if_somebody_listens_there(short_folder: Path) -> None:
    environment = {"WAYLAND_DISPLAY": "wayland-9", "XDG_RUNTIME_DIR": str(short_folder)}
    assert not has_display(environment, "linux")
    with socket.socket(socket.AF_UNIX) as compositor:
        compositor.bind(str(short_folder / "wayland-9"))
        compositor.listen()
        assert has_display(environment, "linux")
        assert not has_display(environment | {"QT_QPA_PLATFORM": "offscreen"}, "linux")


@pytest.mark.parametrize("display", ["", "nonsense", ":9871", ":9871.0", "127.0.0.1:1"])
def test_that_no_display_is_seen_where_none_answers(display: str) -> None:
    assert not has_display({"DISPLAY": display}, "linux")
    assert has_display({"DISPLAY": display}, "darwin")


@pytest.mark.parametrize(("arguments", "code"), [([], 2), (["--help"], 0), (["dance"], 2)])
def test_that_an_unknown_command_is_answered_with_the_known_ones(arguments: list[str], code: int) -> None:
    command = [sys.executable, str(ROOT / "packaging" / "bootstrap.py"), *arguments]
    outcome = subprocess.run(command, capture_output=True, text=True, check=False)
    assert outcome.returncode == code
    assert "packaging/bootstrap.py demo" in outcome.stdout + outcome.stderr


def test_that_the_tested_versions_say_which_and_never_where_from() -> None:
    lines = (ROOT / "packaging" / "constraints.txt").read_text("utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert len(pins) > 40
    assert [line for line in pins if not re.match(r"[a-z0-9._-]+==[\w.]+( ; [^@]+)?$", line)] == []
    assert "://" not in "".join(lines)


def test_that_every_tested_version_is_to_be_had_for_the_lowest_python() -> None:
    lines = (ROOT / "packaging" / "constraints.txt").read_text("utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if re.match(r"[a-z0-9._-]+==[\w.]+$", line))
    installed = {canonicalize_name(one.metadata["Name"]): one for one in distributions()}
    tried = [one for name, version in pins.items() if (one := installed.get(name)) and one.version == version]
    assert len(tried) > 40
    lowest = ".".join(map(str, (*LOWEST, 0)))
    needs = {one.metadata["Name"]: one.metadata.get("Requires-Python") or "" for one in tried}
    assert {name: need for name, need in needs.items() if lowest not in SpecifierSet(need)} == {}


PIP = """Collecting numpy>=2.0
Collecting scipy>=1.13
  Downloading numpy-2.4.6-cp311-cp311-manylinux_2_27_x86_64.whl.metadata (6.6 kB)
Downloading numpy-2.4.6-cp311-cp311-manylinux_2_27_x86_64.whl (16.8 MB)
Using cached scipy-1.17.1-cp311-cp311-manylinux_2_27_x86_64.whl (35.3 MB)
Installing collected packages: numpy, scipy
Successfully installed numpy-2.4.6 scipy-1.17.1
"""


def test_that_a_set_up_counts_each_library_as_it_comes_with_its_size(capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress(lambda: 0, terminal=False)
    for line in PIP.splitlines():
        progress.take(line)
    progress.end()
    assert capsys.readouterr().err.splitlines() == [
        "  library 1: numpy 2.4.6, 16.8 MB",
        "  library 2: scipy 1.17.1, 35.3 MB",
    ]


@pytest.mark.slow
def test_that_putting_many_libraries_into_place_is_counted_until_it_is_done(capsys: pytest.CaptureFixture[str]) -> None:
    counted = threading.Event()
    places = iter([3, 3, 14])

    def site() -> int:
        place = next(places, 33)
        if place == 33:
            counted.set()
        return place

    progress = Progress(site, terminal=False)
    progress.take("Installing collected packages: " + ", ".join(f"p{number}" for number in range(30)))
    assert counted.wait(250)
    progress.end()
    told = capsys.readouterr().err.splitlines()
    assert told[:2] == ["  0 of 30 libraries in place", "  11 of 30 libraries in place"]
