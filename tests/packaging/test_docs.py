"""The documents say what is there: sections that docstrings cite, where links lead, and code that runs."""

import ast
import re
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote

import pytest

from gpf_desktop.domain.options import NoOptions
from gpf_desktop.domain.responses import Reply
from gpf_desktop.domain.scores import Unavailable
from gpf_desktop.engine.core.catalogue import providers
from tests.methods.gpf_livenews.scorers.bundles import group_of, plain
from tests.providers.rigs import Rig, list_with
from tests.support.http_server import LoopbackServer
from tests.support.provider_servers import OpenAIDialect, serve_models

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
_CITED = re.compile(r"\(method,[^)]*\)")
_NAMED = re.compile(r'"([^"]+)"')
_LINK = re.compile(r"\]\(([^)\s]+)\)")


def headings(document: Path) -> list[str]:
    """Without code blocks, in which a # is a comment."""
    prose = re.sub(r"```.*?```", "", document.read_text("utf-8"), flags=re.DOTALL)
    return [found.strip() for found in re.findall(r"^#+ (.+)$", prose, flags=re.MULTILINE)]


def anchor(heading: str) -> str:
    """As the hosts of repositories make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def citations() -> Iterator[tuple[str, str]]:
    """(file, citation) of every docstring, those beneath fields too."""
    for file in sorted((ROOT / "gpf_desktop").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case ast.Expr(value=ast.Constant(value=str() as words)):
                    for found in _CITED.findall(words):
                        yield str(file.relative_to(ROOT)), " ".join(found.split())


@pytest.mark.slow
def test_that_every_section_of_the_method_that_a_docstring_cites_is_there() -> None:
    sections = {heading.lower() for heading in headings(ROOT / "docs" / "method.md")}
    cited = list(citations())
    assert len(cited) > 20
    unknown = [
        (file, citation)
        for file, citation in cited
        if not (names := _NAMED.findall(citation)) or any(name.lower() not in sections for name in names)
    ]
    assert unknown == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda each: str(each.relative_to(ROOT)))
def test_that_links_lead_somewhere(document: Path) -> None:
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", document.read_text("utf-8"), flags=re.DOTALL)
    dead = []
    for link in _LINK.findall(prose):
        path, _, part = unquote(link).partition("#")
        if "://" in path:
            continue
        target = document.parent / path if path else document
        if not target.exists() or (part and part not in {anchor(heading) for heading in headings(target)}):
            dead.append(link)
    assert dead == []


GUIDES = sorted(
    {*(ROOT / "docs").glob("adding-*.md"), *(ROOT / "docs" / name for name in ("where-do-i.md", "debugging.md"))}
)
_QUOTED = re.compile(r"`([^`\n]+)`")
_WITH_NAMES = re.compile(r"`([^`\n]+\.py)` \(((?:`[^`\n]+`(?:, )?)+)[^)]*\)")


def place_of(path: str) -> Path | None:
    """Where *path* is, from the root, within the package or within a method; None where it is nowhere."""
    package = ROOT / "gpf_desktop"
    tops = (ROOT, package, package / "methods" / "gpf_livenews")
    return next((found for top in tops if (found := top / path).exists()), None)


def paths_in(document: Path) -> list[str]:
    """What stands in *document* as a path; one with a place to be filled, as in ``ui/<id>/``, is none."""
    prose = re.sub(r"```.*?```", "", document.read_text("utf-8"), flags=re.DOTALL)
    return [words for words in _QUOTED.findall(prose) if re.fullmatch(r"(?![a-z-]+://)[\w.-]+(?:/[\w.-]*)+", words)]


@pytest.mark.parametrize("document", GUIDES, ids=lambda each: each.name)
def test_that_every_path_of_a_guide_is_there(document: Path) -> None:
    assert [path for path in paths_in(document) if place_of(path) is None] == []


def test_that_every_file_of_the_program_that_a_document_names_is_there() -> None:
    own = re.compile(r"(?:gpf_desktop|tests|packaging)/|[^*]*\.py$")
    named = {path: document.name for document in DOCUMENTS for path in paths_in(document) if own.match(path)}
    assert len(named) > 200
    assert {path: name for path, name in named.items() if place_of(path) is None} == {}


def test_that_where_do_i_names_a_file_for_each_change_and_what_it_is_called_there() -> None:
    page = ROOT / "docs" / "where-do-i.md"
    rows = re.findall(r"^\| (?!I want|---)([^|]+) \| ([^|]+) \|", page.read_text("utf-8"), flags=re.MULTILINE)
    assert len(rows) >= 30
    assert [change for change, first in rows if "`" not in first] == []
    named = _WITH_NAMES.findall(page.read_text("utf-8"))
    assert len(named) > 5
    unknown = [
        (path, name)
        for path, names in named
        for name in _QUOTED.findall(names)
        if (file := place_of(path)) is None or not re.search(rf"\b{re.escape(name)}\b", file.read_text("utf-8"))
    ]
    assert unknown == []


_CODE = re.compile(r"^ *```python(?: (?P<file>\S+))?\n(?P<code>.*?)^ *```$", flags=re.MULTILINE | re.DOTALL)


def code_in(document: str) -> list[tuple[str | None, str]]:
    """(file that it is quoted from, code) of each block."""
    words = (ROOT / "docs" / document).read_text("utf-8")
    return [(found["file"], found["code"]) for found in _CODE.finditer(words)]


def example(document: str, folder: Path) -> ModuleType:
    """The document's one block that is quoted from nowhere, imported as a plug-in's file would be."""
    (code,) = [code for file, code in code_in(document) if file is None]
    name = Path(document).stem.replace("-", "_")
    path = folder / f"{name}.py"
    path.write_text(code, encoding="utf-8")
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def plainly(code: str) -> str:
    """As a passage may stand at another depth than in its file."""
    return "\n".join(line.strip() for line in code.splitlines() if line.strip())


QUOTING = [
    *("adding-a-method.md", "adding-a-page.md", "adding-a-setting.md"),
    *("adding-an-action.md", "adding-an-importer.md"),
]


@pytest.mark.parametrize("document", QUOTING)
def test_that_quoted_code_is_the_code_that_is_run(document: str) -> None:
    quoted = [(file, code) for file, code in code_in(document) if file]
    assert quoted
    for file, code in quoted:
        source = plainly((ROOT / file).read_text("utf-8"))
        assert plainly(code) in source, f"{file} was changed: quote it anew in docs/{document}"


def test_that_the_scorer_of_the_guide_scores(tmp_path: Path) -> None:
    scored = example("adding-a-scorer.md", tmp_path).SCORER.score(
        [group_of([plain(["one two", "one two three four"]), plain(["alone"])])], NoOptions()
    )
    column, valid = scored.columns
    assert valid.values == [2.0, 1.0]
    assert column.values == [pytest.approx(1 / 3), Unavailable.TOO_FEW_ANSWERS]


def test_that_the_provider_of_the_guide_asks_lists_and_fails_as_the_port_says(
    tmp_path: Path, http_server: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider = example("adding-a-provider.md", tmp_path).PROVIDER
    monkeypatch.setitem(providers(), provider.name, provider)
    rig = Rig(provider.name, http_server, OpenAIDialect(limit="max_tokens", seed=False))
    outcome = rig.ask(rig.answered("The river rises."))
    assert isinstance(outcome, Reply), outcome
    assert outcome.text == "The river rises."
    assert "seed" not in outcome.sent
    assert rig.fails(401, "Incorrect API key provided").status == 401
    serve_models(rig.server, rig.dialect, ["b", "a"])
    assert list(list_with(rig)) == ["a", "b"]
