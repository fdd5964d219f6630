"""The recipe of the frozen program against the program itself; nothing is built here."""

import ast
import configparser
import gzip
import importlib.util
import pickle
import re
import shutil
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path, PurePath

import pytest
import yaml
from babel import localedata
from bootstrapping.system import NEEDS, Group
from freeze import contents, debian_package, distributions, icu_data, locale_data, manual_page, start, tagger_models
from packaging.utils import canonicalize_name

from gpf_desktop import __version__
from gpf_desktop.documents import named_dates
from gpf_desktop.methods.saged.sentences import _LANGUAGES
from gpf_desktop.ui.qt_classes import _MODULES as QT_MODULES

ROOT = Path(__file__).parents[2]
FREEZE = ROOT / "packaging" / "freeze"
INSTALLED_AT_WILL = {"spacy", "pyarrow", "distributed"}
"""Looked for, and done without where they are missing: nothing of them ships."""


def imported() -> Iterator[str]:
    """Every module that the program's files import, from whatever place in them."""
    for file in (ROOT / "gpf_desktop").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case ast.Import(names=names):
                    yield from (each.name for each in names)
                case ast.ImportFrom(module=str() as module, level=0, names=names):
                    yield module
                    if module == "PySide6":
                        yield from (f"PySide6.{each.name}" for each in names)
                case ast.Call(func=ast.Name(id="import_module"), args=[ast.Constant(value=str() as name)]):
                    yield name


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
SHIPPED = distributions.needed(
    [
        *PROJECT["dependencies"],
        *(line for extra in contents.EXTRAS for line in PROJECT["optional-dependencies"][extra]),
    ]
)
"""Not by the program's own metadata: those of a checkout are of the day on which it was set up."""


@cache
def foreign() -> tuple[str, ...]:
    """What the program imports of others, sorted. Reading all its files takes seconds: not while tests are gathered."""
    own = {*sys.stdlib_module_names, "gpf_desktop", *INSTALLED_AT_WILL}
    return tuple(sorted({name for name in imported() if name.split(".")[0] not in own}))


def is_left_out(module: str) -> bool:
    return any(module == each or module.startswith(f"{each}.") for each in contents.LEFT_OUT)


def test_that_nothing_that_the_program_imports_is_left_out() -> None:
    assert len(foreign()) > 40
    assert [name for name in foreign() if is_left_out(name)] == []
    assert [name for name in QT_MODULES if name != "QtTest" and is_left_out(f"PySide6.{name}")] == []


BLOCKING = """
import importlib, sys, warnings

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if any(name == each or name.startswith(each + ".") for each in LEFT_OUT):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

warnings.simplefilter("ignore")
sys.modules |= {name: type(sys)(name) for name in STAND_INS}
sys.meta_path.insert(0, Blocked())
for name in NAMES:
    importlib.import_module(name)
"""


@pytest.mark.slow
def test_that_what_the_program_imports_does_without_what_is_left_out() -> None:
    """Libraries import parts of themselves, which no look into the program's own files finds."""
    windows = {"winreg", "compression"}
    names = [name for name in foreign() if name.split(".")[0] not in windows]
    given = f"LEFT_OUT = {contents.LEFT_OUT!r}\nSTAND_INS = {start.STAND_INS!r}"
    code = f"{given}\nNAMES = {[*names, *contents.SUBMODULES[1:]]!r}\n{BLOCKING}"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr[-2000:]


def test_that_every_library_that_the_program_imports_ships_with_it() -> None:
    ships = {canonicalize_name(each.metadata["Name"]) for each in SHIPPED}
    provided = packages_distributions()
    missing = [
        name
        for name in {module.split(".")[0] for module in foreign()}
        # A part of the standard library on newer Pythons, by another name here.
        if name != "compression" and not {canonicalize_name(each) for each in provided.get(name, ())} & ships
    ]
    assert missing == []


@pytest.mark.parametrize("package", [*contents.DATA, *contents.SUBMODULES, *contents.HIDDEN])
def test_that_what_is_collected_is_there(package: str) -> None:
    assert importlib.util.find_spec(package) is not None


def test_that_libraries_that_read_files_of_their_own_are_collected_with_them() -> None:
    """A new library whose package holds data is decided on here: collected, or known to come without."""
    by_hooks = {
        # PyInstaller's own hooks bring these.
        *("PySide6", "shiboken6", "numpy", "pandas", "scipy", "sklearn", "lxml", "cryptography", "pyarrow", "certifi"),
        *("onnxruntime", "pydantic", "charset_normalizer", "tzdata", "keyring", "jinja2", "platformdirs", "dateutil"),
    }
    without = {
        # Types, headers and texts for developers, which nothing opens at run time.
        *(
            "huggingface_hub",
            "tokenizers",
            "hf_xet",
            "tqdm",
            "joblib",
            "google",
            "pypdf",
            "xlsxwriter",
            "python_calamine",
        ),
        *("tomlkit", "cffi", "narwhals", "fsspec", "idna", "yaml", "click", "filelock", "httpx", "h11", "httpcore"),
        *("pycparser", "urllib3"),
    }
    with_data = {
        file.parts[0]
        for each in SHIPPED
        for file in each.files or ()
        if len(file.parts) > 1
        and file.parts[0].isidentifier()
        and file.suffix
        not in {".py", ".pyc", ".pyi", ".so", ".typed", ".pyd", ".pxd", ".h", ".c", ".pyx", ".md", ".txt"}
        and file.name not in {"py.typed", "LICENSE"}
        and "tests" not in file.parts
    }
    assert with_data - by_hooks - without - set(contents.DATA) == set()


def test_that_resources_lie_where_the_frozen_program_looks() -> None:
    spec = (FREEZE / "gpf-desktop.spec").read_text("utf-8")
    assert '"gpf_desktop/resources"' in spec
    compile(spec, "gpf-desktop.spec", "exec")


def test_that_no_language_that_texts_are_split_in_is_left_out() -> None:
    assert [name for name in _LANGUAGES.values() if is_left_out(f"punkt.data.{name}")] == []
    assert is_left_out("punkt.data.english_web")


def test_that_a_library_that_lies_twice_is_told(tmp_path: Path) -> None:
    """By name and content: numpy and scipy bring the same library of Fortran each, and an OpenBLAS of their own."""
    for name, content in {"a/one": "1", "b/one": "1", "c/one": "2", "c/two": "1"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    assert list(contents.doubles(tmp_path.glob("*/*"))) == [(tmp_path / "b/one", tmp_path / "a/one")]


def test_that_dates_of_all_languages_are_read_of_what_is_left_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    languages = ("de", "fr", "uk", "sr_Latn", "ar_LB")
    whole = [named_dates._names_of(each) for each in languages]
    for file in Path(localedata._dirname).glob("*.dat"):
        if file.stem.split("_")[0] in {"root", *(each[:2] for each in languages)}:
            shutil.copy(file, tmp_path)
    french, german = tmp_path / "fr.dat", tmp_path / "de.dat"
    before = {file: file.stat().st_size for file in (french, german)}
    locale_data.trim(tmp_path, ("de",))
    assert french.stat().st_size < before[french] / 3
    assert german.stat().st_size == before[german]
    monkeypatch.setattr(localedata, "_dirname", str(tmp_path))
    monkeypatch.setattr(localedata, "_cache", {})
    assert [named_dates._names_of(each) for each in languages] == whole


@pytest.mark.parametrize(
    ("name", "stays"),
    [
        ("icudt73l/root.res", True),
        ("icudt73l/pool.res", True),
        ("icudt73l/zoneinfo64.res", True),
        ("icudt73l/nfkc.nrm", True),
        ("icudt73l/de_AT.res", True),
        ("icudt73l/en.res", True),
        ("icudt73l/fil.res", False),
        ("icudt73l/coll/ucadata.icu", True),
        ("icudt73l/coll/de__PHONEBOOK.res", True),
        ("icudt73l/coll/zh.res", False),
        ("icudt73l/zone/de.res", True),
        ("icudt73l/curr/de.res", False),
        ("icudt73l/ibm-930_P120-1999.cnv", False),
    ],
)
def test_that_unicode_data_stay_that_qt_asks_for(name: str, stays: bool) -> None:
    assert icu_data.kept(name, ("de",)) is stays


def test_that_chosen_unicode_data_are_read_as_they_were() -> None:
    head = b"\x20\x00\xda\x27" + b"\0" * 8 + b"CmnD" + b"\0" * 16
    chosen = {"icudt73l/root.res": b"root", "icudt73l/coll/de.res": b"d" * 33}
    data = icu_data.packed(head, chosen)
    assert icu_data.items(data)[0] == head
    read = icu_data.items(data)[1]
    # What fills the gap before the next one belongs to the item before it, as in ICU's own.
    assert {name: each.rstrip(b"\0") for name, each in read.items()} == chosen
    assert list(read) == sorted(chosen)


def test_that_a_tagger_s_model_is_the_same_with_its_equal_parts_once(tmp_path: Path) -> None:
    model = ({(first, second): {11: -1.5, 12: 2.5} for first in range(9) for second in range(9)}, {3, 4}, -2.5)
    file = tmp_path / "model.pgz"
    file.write_bytes(gzip.compress(pickle.dumps(model)))
    tagger_models.write_again(file)
    with gzip.open(file) as packed:
        read = pickle.load(packed)
    assert read == model
    assert len({id(each) for each in read[0].values()}) == 1


@pytest.mark.parametrize(
    ("name", "stays"),
    [
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platforms/libqoffscreen.so", True),
        ("PySide6/Qt/plugins/platforms/libqwayland.so", True),
        ("PySide6/Qt/plugins/platforms/libqeglfs.so", False),
        ("PySide6/Qt/plugins/wayland-graphics-integration-client/libqt-plugin-wayland-egl.so", True),
        ("PySide6/Qt/plugins/imageformats/libqsvg.so", True),
        ("PySide6/Qt/plugins/iconengines/libqsvgicon.so", True),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", False),
        ("PySide6/Qt/plugins/sqldrivers/libqsqlite.so", False),
        ("PySide6/Qt/plugins/designer/libqquickwidget.so", False),
        ("PySide6/plugins/platforms/qwindows.dll", True),
        ("PySide6/Qt/lib/libQt6Core.so.6", True),
        ("PySide6/Qt/lib/libQt6XcbQpa.so.6", True),
        ("PySide6/Qt/lib/libQt6WaylandClient.so.6", True),
        ("PySide6/Qt/lib/libQt6Quick.so.6", False),
        ("PySide6/Qt/lib/libQt63DCore.so.6", False),
        ("PySide6/Qt/lib/libQt6WebEngineCore.so.6", False),
        ("PySide6/Qt/translations/qtbase_de.qm", True),
        ("PySide6/Qt/translations/qtbase_fr.qm", False),
        ("PySide6/Qt/translations/designer_de.qm", False),
        ("PySide6/Qt/qml/QtQuick/qmldir", False),
        ("pandas/tests/io/data.csv", False),
        ("typst-0.15.2.dist-info/sboms/typst-py.cyclonedx.json", False),
        ("typst-0.15.2.dist-info/METADATA", True),
        ("babel/locale-data/de.dat", True),
        ("babel/locale-data/root.dat", True),
        ("babel/locale-data/de_LI.dat", False),
        ("babel/locale-data/yo.dat", False),
        ("gpf_desktop/resources/protocols/tests/any.yaml", True),
    ],
)
def test_that_parts_of_libraries_stay_or_go(name: str, stays: bool) -> None:
    assert contents.belongs(PurePath(name), PurePath("/venv") / name, ("de",)) is stays


@pytest.mark.parametrize(
    ("source", "stays"),
    [
        ("/usr/lib/x86_64-linux-gnu/libxcb-cursor.so.0", False),
        ("/lib/x86_64-linux-gnu/libglib-2.0.so.0", False),
        ("/usr/lib/x86_64-linux-gnu/libsqlite3.so.0", True),
        ("/lib/x86_64-linux-gnu/libssl.so.3", True),
        ("/venv/lib/numpy.libs/libgfortran.so.5", True),
    ],
)
def test_that_libraries_of_the_display_are_left_to_the_system(source: str, stays: bool) -> None:
    assert contents.belongs(PurePath(PurePath(source).name), PurePath(source), ()) is stays


def test_that_every_library_that_is_left_to_the_system_for_qt_is_asked_for() -> None:
    needed = [need for need in NEEDS if need.group in {Group.QT, Group.DISPLAY}]
    assert all(need.library.startswith(contents.SYSTEM_LIBRARIES) for need in needed)
    asked = ", ".join(debian_package.depends("2.36"))
    assert all(need.package in asked for need in needed)
    assert asked.startswith("libc6 (>= 2.36)")


def test_that_every_library_says_its_terms() -> None:
    shipped = distributions.licences(SHIPPED)
    assert {"numpy", "onnxruntime"} <= {each.name.lower() for each in shipped}
    assert [each.name for each in shipped if not each.terms] == []


def test_that_the_entry_of_desktops_is_of_this_program() -> None:
    read = configparser.ConfigParser(interpolation=None)
    read.optionxform = str  # type: ignore[assignment,method-assign]
    read.read(FREEZE / "linux" / "gpf-desktop.desktop", "utf-8")
    entry = read["Desktop Entry"]
    main = {"AudioVideo", "Development", "Education", "Game", "Graphics", "Network", "Office", "Science", "Utility"}
    assert len(main & set(entry["Categories"].split(";"))) == 1
    window = (ROOT / "gpf_desktop" / "app.py").read_text("utf-8")
    assert f'setApplicationName("{entry["StartupWMClass"]}")' in window
    assert 'setDesktopFileName("gpf-desktop")' in window
    assert entry["Exec"] == f"{contents.NAME} %f"
    types = ET.parse(ROOT / "resources" / "mime" / "packages" / "gpf-desktop.xml").getroot()
    assert [each.get("type") for each in types] == entry["MimeType"].strip(";").split(";")


def test_that_the_description_for_shops_names_the_entry_and_the_licence() -> None:
    (described,) = (FREEZE / "linux").glob("*.metainfo.xml")
    root = ET.parse(described).getroot()
    assert root.findtext("launchable") == "gpf-desktop.desktop"
    assert described.name == f"{root.findtext('id')}.metainfo.xml"
    assert root.findtext("project_license") == PROJECT["license"]


def test_that_the_flatpak_is_made_of_the_debian_package_by_its_names() -> None:
    (recipe,) = (FREEZE / "linux").glob("*.yml")
    told = yaml.safe_load(recipe.read_text("utf-8"))
    (described,) = (FREEZE / "linux").glob("*.metainfo.xml")
    assert told["app-id"] == recipe.stem == described.name.removesuffix(".metainfo.xml")
    assert (FREEZE / "linux" / told["rename-desktop-file"]).is_file()
    assert told["rename-icon"] == told["command"] == contents.NAME
    (module,) = told["modules"]
    (source,) = module["sources"]
    package = (recipe.parent / source["path"]).resolve()
    assert package == ROOT / f"build/freeze/{contents.NAME}_{debian_package._version()}_amd64.deb"


def test_that_the_manual_page_tells_every_command_and_option() -> None:
    page = manual_page.manual_page().replace("\\-", "-")
    for name, (_command, parser) in manual_page.commands().items():
        assert f".SS {name}\n" in page
        for action in parser._actions:
            assert all(option in page for option in action.option_strings if option not in {"-h", "--help"})
    assert f"GPF Desktop {__version__}" in page


def completed(*words: str) -> set[str]:
    """What bash offers after *words*, the last of which is being typed."""
    ask = (
        f"COMP_WORDS=({' '.join(words)} {'' if words[-1] else chr(39) * 2}); COMP_CWORD={len(words) - 1}; _gpf_desktop"
    )
    script = f'{manual_page.bash_completion()}\n{ask}\nprintf "%s\\n" "${{COMPREPLY[@]}}"'
    said = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    return set(said.stdout.split())


@pytest.mark.skipif(sys.platform == "win32", reason="bash")
def test_that_bash_completes_commands_and_their_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "report of may.gpf").touch()
    monkeypatch.chdir(tmp_path)
    assert {"report", "reply"} <= completed("gpf-desktop", "rep")
    assert "--output" in completed("gpf-desktop", "report", "--o")
    assert "--help" in completed("gpf-desktop", "report", "--h")
    assert completed("gpf-desktop", "score", "--me") == {"--method"}


def test_that_recipes_for_other_systems_are_of_this_version_and_say_that_they_were_not_run() -> None:
    text = (FREEZE / "briefcase" / "pyproject.toml").read_text("utf-8")
    assert tomllib.loads(text)["tool"]["briefcase"]["version"] == __version__
    assert "NOT RUN YET" in text
    assert "NOT RUN YET" in (FREEZE / "release.yml").read_text("utf-8")


def test_that_a_version_before_a_release_sorts_before_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "gpf_desktop").mkdir()
    monkeypatch.setattr(debian_package, "PROJECT", tmp_path)
    for version, written in {"1.2.0": "1.2.0", "1.2.0rc1": "1.2.0~rc1", "1.2.0.dev3": "1.2.0~.dev3"}.items():
        (tmp_path / "gpf_desktop" / "__init__.py").write_text(f'__version__ = "{version}"\n')
        assert debian_package._version() == written
        assert re.fullmatch(r"[0-9][A-Za-z0-9.+~-]*", written)
