"""The guards catch what they are there for: each inner test misbehaves once, in a pytest run of its own."""

import os
from pathlib import Path

import keyring
import pytest

from tests.support.logs import ExpectedLog

pytest_plugins = ["pytester"]

INNER = """
import pytest
pytest_plugins = ["tests.support.logs", "tests.support.leaks"]
"""


def _outcome(pytester: pytest.Pytester, body: str) -> pytest.RunResult:
    pytester.makeconftest(INNER)
    pytester.makepyfile(body)
    return pytester.runpytest_inprocess("-p", "no:asyncio", "-p", "no:hypothesispytest")


@pytest.mark.parametrize("logger", ["gpf_desktop.engine", "asyncio", "py.warnings"])
def test_that_an_unexpected_warning_in_the_log_fails_the_test(
    pytester: pytest.Pytester, logger: str, expected_log: ExpectedLog
) -> None:
    expected_log("the disk is odd")
    result = _outcome(
        pytester, f"import logging\ndef test_it():\n    logging.getLogger({logger!r}).warning('the disk is odd')"
    )
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines([f"unexpected WARNING from {logger}: the disk is odd"])


def test_that_an_expected_warning_passes_and_a_missing_one_fails(
    pytester: pytest.Pytester, expected_log: ExpectedLog
) -> None:
    expected_log("disk 5 is odd")
    result = _outcome(
        pytester,
        """
        import logging
        def test_comes(expected_log):
            expected_log(r"disk \\d is odd")
            logging.getLogger("gpf_desktop.storage").error("disk %d is odd", 5)
        def test_does_not_come(expected_log):
            expected_log("never said")
        """,
    )
    result.assert_outcomes(passed=2, errors=1)
    result.stdout.fnmatch_lines(["expected in the log, and not there: never said"])


def test_that_a_thread_left_running_fails_the_test_and_one_that_is_ending_does_not(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.support.leaks.GRACE", 0.2)
    result = _outcome(
        pytester,
        """
        import threading
        stop = threading.Event()
        def test_leaks():
            threading.Thread(target=stop.wait, name="leaky", daemon=True).start()
        def test_ends():
            threading.Thread(target=stop.wait, args=(0.01,)).start()
        def test_cleans_up():
            stop.set()
        """,
    )
    result.assert_outcomes(passed=3, errors=1)
    result.stdout.fnmatch_lines(["a thread was left running: leaky"])


def test_that_a_child_process_left_running_fails_the_test(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.support.leaks.GRACE", 0.2)
    result = _outcome(
        pytester,
        """
        import multiprocessing, time
        def test_leaks():
            context = multiprocessing.get_context("spawn")
            context.Process(target=time.sleep, args=(60,), name="leaky", daemon=True).start()
        """,
    )
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["a child process was left running: leaky"])


@pytest.mark.slow
def test_that_a_window_or_a_timer_left_behind_fails_the_test(qapp: object, pytester: pytest.Pytester) -> None:
    result = _outcome(
        pytester,
        """
        from PySide6.QtCore import QTimer
        from PySide6.QtWidgets import QLabel, QMenu
        kept = []
        def test_window(qtbot):
            kept.append(QLabel("left"))
        def test_timer(qtbot):
            timer = QTimer()
            timer.setObjectName("ticker")
            timer.start(5000)
            kept.append(timer)
        def test_clean(qtbot):
            label = QLabel("given to qtbot")
            qtbot.addWidget(label)
            QMenu("collected")
            QTimer(label).start(5000)
            label.show()
        """,
    )
    result.assert_outcomes(passed=3, errors=2)
    result.stdout.fnmatch_lines(
        ["a window was left behind: QLabel ''", "a timer was left running: 'ticker', every 5000 ms"]
    )


def test_that_tests_never_see_the_users_own_home_keys_or_proxies() -> None:
    home = Path(os.environ["HOME"])
    assert home.name.startswith("gpf-tests-")
    assert all(Path(os.environ[f"XDG_{name}_HOME"]).parent == home for name in ("CONFIG", "DATA", "CACHE", "STATE"))
    assert not [name for name in os.environ if name.lower().endswith("_proxy")]
    with pytest.raises(keyring.errors.NoKeyringError):
        keyring.get_password("gpf-desktop-test", "anyone")
