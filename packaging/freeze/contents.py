"""What goes into the frozen program and what stays out: lists that tests/packaging/test_freeze.py
holds against the package.

All of `gpf_desktop` goes in, with its resources; these are what an analysis of imports cannot find, and what it finds
for nothing.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path, PurePath
from typing import Final

PROJECT: Final = Path(__file__).resolve().parents[2]
NAME: Final = "gpf-desktop"
EXTRAS: Final = ("encoders",)
"""Who has no pip cannot add them later. Without Parquet: pyarrow takes 128 MB, and the same data leave as CSV and JSON
lines."""

DATA: Final = ("babel", "docx", "HanTa", "punkt", "pyqtgraph", "typst", "vaderSentiment")
"""Packages that read files of their own."""
SUBMODULES: Final = ("gpf_desktop", "punkt", "HanTa", "keyring.backends", "typst")
"""Packages whose modules are imported by names that are made at run time, or by entry points."""
HIDDEN: Final = (
    "sklearn.utils._cython_blas",
    "pyqtgraph.graphicsItems.PlotItem.plotConfigTemplate_generic",
    "xlsxwriter",
)
"""Single modules of that kind."""
DATA_LEFT_OUT: Final = ("**/tests/**", "**/examples/**", "**/__pycache__/**", "**/*.pyi", "**/include/**", "**/*.lib")
BESIDE_ITSELF: Final = ("docx/parts",)
"""Folders that a package walks through on its way to files beside them (`parts/../templates`), so they must be there
though their modules lie in the archive."""

LEFT_OUT: Final = (
    # Qt's parts that no page uses; some come as plug-ins of others.
    *(
        f"PySide6.{name}"
        for name in (
            *("QtQml", "QtQuick", "QtQuickWidgets", "QtQuickControls2", "QtQuickTest", "QtDesigner", "QtUiTools"),
            *("QtWebEngineCore", "QtWebEngineWidgets", "QtWebEngineQuick", "QtWebChannel", "QtWebSockets", "QtHelp"),
            *("Qt3DCore", "Qt3DRender", "Qt3DExtras", "Qt3DInput", "Qt3DLogic", "Qt3DAnimation"),
            *(
                "QtSql",
                "QtConcurrent",
                "QtXml",
                "QtPrintSupport",
                "QtMultimedia",
                "QtCharts",
                "QtPdf",
                "QtTest",
                "QtOpenGL",
            ),
        )
    ),
    # What makes, tests and installs software.
    *("pip", "setuptools", "wheel", "ensurepip", "pkg_resources", "_distutils_hack", "distutils", "lib2to3", "idlelib"),
    *("pytest", "_pytest", "hypothesis", "mypy", "ruff", "IPython", "jupyter", "notebook", "PyInstaller"),
    *("pydoc_data", "test", "turtledemo", "turtle", "tkinter", "_tkinter"),
    # Other people's own tests, tools and examples.
    *("pandas.tests", "scipy.conftest", "pyarrow", "distributed", "dask"),
    *("pyqtgraph.examples", "pyqtgraph.opengl", "pyqtgraph.jupyter", "pyqtgraph.flowchart", "pyqtgraph.canvas"),
    *("onnxruntime.quantization", "onnxruntime.tools", "onnxruntime.transformers", "onnxruntime.training"),
    *("babel.messages", "lxml.isoschematron"),
    # What libraries look for and do without.
    *("matplotlib", "PIL", "torch", "tensorflow", "jax", "cupy", "dask", "numba", "sympy", "spacy", "duckdb", "onnx"),
    *("fsspec.implementations", "PyQt5", "PyQt6", "PySide2", "OpenGL", "h5py", "cssselect", "openpyxl"),
    # Weights are fetched by the program's own way, which its other one is not (engine/scoring/model_download.py).
    "hf_xet",
    # Models of languages that no text is split in.
    *("punkt.data.english_web", "punkt.data.malayalam"),
    # Parts of libraries that neither the program nor the rest of them asks for.
    *("lxml.objectify", "sklearn.datasets", "sklearn.ensemble"),
    *("huggingface_hub.cli", "huggingface_hub.inference", "pydantic.v1"),
)
"""Modules, with what they hold."""

QT_PLUGINS: Final = {
    "generic": (),
    "iconengines": ("svgicon",),
    "imageformats": ("gif", "ico", "jpeg", "svg", "icns"),
    "networkinformation": (),
    "platforminputcontexts": ("composeplatforminputcontextplugin", "ibusplatforminputcontextplugin"),
    "platforms": ("xcb", "wayland", "wayland-egl", "wayland-generic", "offscreen", "windows", "cocoa"),
    "platformthemes": ("xdgdesktopportal",),
    "styles": ("modernwindowsstyle", "macstyle"),
    "tls": ("certonlybackend", "opensslbackend", "schannelbackend", "securetransportbackend"),
    "wayland-decoration-client": ("adwaita", "bradient"),
    "wayland-graphics-integration-client": ("qt-plugin-wayland-egl",),
    "wayland-shell-integration": ("xdg-shell",),
    "xcbglintegrations": ("xcb-egl-integration", "xcb-glx-integration"),
}
"""By folder those that stay, on all systems, without what each system adds to a name; a folder that is not named goes.

Without platformthemes/gtk3, which would bring GTK; the portal opens the desktop's own file dialogs."""

QT_LIBRARIES_LEFT_OUT: Final = (
    *("Qml", "Quick", "Designer", "3D", "WebEngine", "Labs", "Sql", "VirtualKeyboard", "Pdf", "Multimedia"),
    *("EglFS", "EglFs", "WaylandCompositor", "WaylandEglCompositor", "Help", "UiTools", "ShaderTools", "Test.so.0"),
)
"""How the names of Qt's libraries begin, after `Qt6`, that nothing left in needs."""

SYSTEM_LIBRARIES: Final = (
    *("libX", "libxcb", "libxkbcommon", "libICE", "libSM", "libEGL", "libGL", "libOpenGL", "libdrm", "libgbm"),
    *("libwayland", "libfontconfig", "libfreetype", "libharfbuzz", "libgraphite2", "libpng", "libbrotli", "libdbus"),
    *("libglib", "libgthread", "libgobject", "libgio", "libgmodule", "libpcre", "libmount", "libblkid", "libselinux"),
    *("libsystemd", "libcap", "libgcrypt", "libgpg-error", "libgssapi", "libkrb5", "libk5crypto", "libcom_err"),
    *("libkeyutils", "libresolv", "libzstd", "liblz4", "libgtk", "libgdk", "libpango", "libcairo", "libatk"),
    *("libcups", "libudev", "libinput", "libmtdev", "libts", "libevdev", "libwacom", "libgudev", "libepoxy"),
    *("libbsd", "libmd", "libexpat", "libatspi", "libdatrie", "libthai", "libfribidi", "libpixman", "libjpeg"),
    *("libtiff", "libwebp", "libjbig", "libdeflate", "libLerc", "libcloudproviders", "libtracker", "libstemmer"),
    *(
        "libavahi",
        "libgnutls",
        "libnettle",
        "libhogweed",
        "libgmp",
        "libp11-kit",
        "libtasn1",
        "libidn2",
        "libunistring",
    ),
)
"""How the names of the system's libraries begin that the system's own package brings: those that talk to its
display, its fonts and its services, and have to be of one kind with them."""

NOT_STRIPPED: Final = (
    *("typst/_typst*", "libpython3*", "python3*/lib-dynload/*", "cryptography/hazmat/bindings/*", "tokenizers/*"),
    *("yaml/_yaml*", "python_calamine/*", "PySide6/Qt/lib/libicu*"),
)
"""Libraries whose makers left their symbols in, which nothing here reads. Not those that `auditwheel` moved (numpy,
scipy): they do not load any more once they are stripped."""

TRANSLATIONS_OF_QT: Final = "qtbase"
"""Only this catalogue, of the languages that the program itself speaks."""


def languages() -> tuple[str, ...]:
    """Those that the program speaks beside English."""
    return tuple(sorted(each.name for each in (PROJECT / "resources" / "languages").iterdir() if each.is_dir()))


def doubles(libraries: Iterable[Path]) -> Iterator[tuple[Path, Path]]:
    """Of *libraries*, those of the name and content of another one before them, and that one."""
    known: dict[tuple[str, bytes], Path] = {}
    for library in sorted(libraries):
        first = known.setdefault((library.name, library.read_bytes()), library)
        if first is not library:
            yield library, first


def left_out_plugin(path: PurePath) -> bool:
    """Whether *path*, as it would lie in the bundle, is a plug-in of Qt that stays out."""
    if "plugins" not in path.parts:
        return False
    folder = path.parent.name
    name = path.name.split(".")[0].removeprefix("lib").removeprefix("q")
    # "qt-plugin-…" has lost the first letter of its own name, too.
    return not any(name in (kept, kept.removeprefix("q")) for kept in QT_PLUGINS.get(folder, ()))


def left_out_library(path: PurePath) -> bool:
    """Whether *path* is a part of Qt that stays out."""
    name = path.name
    bare = name.removeprefix("lib")
    return bare.startswith("Qt6") and bare.removeprefix("Qt6").startswith(QT_LIBRARIES_LEFT_OUT)


def of_the_system(source: PurePath) -> bool:
    """Whether *source*, where a library was found, is the system's and is left to it."""
    return source.as_posix().startswith(("/lib", "/usr/lib")) and source.name.startswith(SYSTEM_LIBRARIES)


def left_out_translation(path: PurePath, languages: tuple[str, ...]) -> bool:
    """Whether *path* is a catalogue of Qt's words that nobody sees, where the program speaks *languages*."""
    if "translations" not in path.parts or path.suffix != ".qm":
        return False
    catalogue, _, language = path.stem.partition("_")
    return catalogue != TRANSLATIONS_OF_QT or language not in languages


def left_out_locale(path: PurePath) -> bool:
    """Whether *path* is Babel's knowledge of a language whose dates are not read."""
    return path.match("babel/locale-data/*.dat") and path.stem not in _locales_read()


@cache
def _locales_read() -> frozenset[str]:
    """The languages whose dates are read, and what Babel lets them inherit from."""
    from babel.core import get_global

    from gpf_desktop.documents.named_dates import LANGUAGES

    found = {"root"}
    for name in (*LANGUAGES, "en"):
        while name not in found:
            found.add(name)
            name = get_global("parent_exceptions").get(name) or name.rpartition("_")[0] or "root"  # noqa: PLW2901
    return frozenset(found)


def belongs(path: PurePath, source: PurePath, languages: tuple[str, ...]) -> bool:
    """Whether what would lie at *path* in the bundle, found at *source*, goes in."""
    return not (
        left_out_plugin(path)
        or left_out_library(path)
        or left_out_translation(path, languages)
        or left_out_locale(path)
        or of_the_system(source)
        or path.parent.match("*.dist-info/sboms")
        or any(part in {"tests", "qml"} for part in path.parts if path.parts[0] != "gpf_desktop")
    )
