"""What a start need not read before its window stands: most of the program, and every heavy library."""

import os
import subprocess
import sys

_START = "import sys, gpf_desktop.app, gpf_desktop.engine.engine, gpf_desktop.ui.home.home_page; print(*sys.modules)"
_LATER = {
    "gpf_desktop.documents.answer_files",
    "gpf_desktop.engine.commands",
    "gpf_desktop.engine.exchange.artifact",
    "gpf_desktop.engine.open_audit",
    "gpf_desktop.ui.exchange.import_dialog",
    "httpx",
    "numpy",
    "pandas",
    "pyqtgraph",
    "scipy",
    "sklearn",
}


def test_that_a_start_imports_neither_what_an_audit_is_made_of_nor_a_heavy_library() -> None:
    done = subprocess.run([sys.executable, "-c", _START], check=True, capture_output=True, text=True)
    assert set(done.stdout.split()) & _LATER == set()


def test_that_scoring_a_file_imports_neither_other_methods_tables_nor_what_opens_artifacts() -> None:
    methods = ("contextual-stereoset", "gpf-livenews", "relative-bias", "saged")
    tables = {f"gpf_desktop.methods.{name.replace('-', '_')}.file_tables" for name in methods}
    found = "import sys, gpf_desktop.cli.score, gpf_desktop.engine.commands.score_command as own"
    command = f"{found}\nassert own.catalogue.file_tables_of('saged').name == 'saged'\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", command], check=True, capture_output=True, text=True)
    read = set(done.stdout.split())
    assert read & tables == {"gpf_desktop.methods.saged.file_tables"}
    assert (
        read & {"gpf_desktop.engine.exchange.exported_folder", "gpf_desktop.engine.exchange.artifact.opening"} == set()
    )


def test_that_a_command_does_linear_algebra_in_one_thread_whatever_the_system_says() -> None:
    """Tables would else end in other digits where a machine has more cores."""
    begun = "import os, sys; from gpf_desktop.__main__ import main; assert 'numpy' not in sys.modules"
    command = f"{begun}\ntry:\n    main(['--version'])\nfinally:\n    print(os.environ['OPENBLAS_NUM_THREADS'])"
    many = {**os.environ, "OPENBLAS_NUM_THREADS": "8"}
    done = subprocess.run([sys.executable, "-c", command], check=False, capture_output=True, text=True, env=many)
    assert done.stdout.endswith("\n1\n"), done.stderr
