"""Every plug-in there is: adding one is adding a file, or installing a package that declares it.

The ports below say where each kind is looked for, and docs/ports.md lists it. The window has kinds of its own: pages
(`ui.shell.pages`), editors of a study (`ui.studies.own_editors`) and forms of a protocol (`ui.protocol.own_form`).

Modules and packages whose name begins with an underscore are shared code; a module without the object is passed
over.
"""

from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import Final, cast

from gpf_desktop import exporters as exporters_package
from gpf_desktop import methods as methods_package
from gpf_desktop import providers as providers_package
from gpf_desktop import sources as sources_package
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ports.analysis import Analysis
from gpf_desktop.domain.ports.batch_jobs import BatchJobs
from gpf_desktop.domain.ports.benchmark_maker import BenchmarkMaker
from gpf_desktop.domain.ports.check import MethodCheck
from gpf_desktop.domain.ports.embedder import Embedder
from gpf_desktop.domain.ports.exporter import Exporter
from gpf_desktop.domain.ports.file_tables import FileTables
from gpf_desktop.domain.ports.importer import Importer
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.provider import Provider
from gpf_desktop.domain.ports.scorer import Scorer
from gpf_desktop.domain.ports.set_up import SetUp
from gpf_desktop.domain.ports.source import Source
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.plug_ins import HERE, Port, declared, unusable
from gpf_desktop.providers._imported import IMPORTED_MODELS

_SOURCES: Final = Port(Source, sources_package, "SOURCE", "gpf_desktop.sources")
_METHODS: Final = Port(Method, methods_package, "METHOD", "gpf_desktop.methods", ".method")
_FILE_TABLES: Final = Port(FileTables, methods_package, "FILE_TABLES", "gpf_desktop.file_tables", ".file_tables")
_CHECKS: Final = Port(MethodCheck, methods_package, "CHECK", "gpf_desktop.checks", ".check")
_BENCHMARK_MAKERS: Final = Port(
    BenchmarkMaker, methods_package, "BENCHMARK_MAKER", "gpf_desktop.benchmark_makers", ".benchmark_maker"
)
_IMPORTERS: Final = Port(Importer, methods_package, "IMPORTER", "gpf_desktop.importers", ".importing")
_SET_UPS: Final = Port(SetUp, methods_package, "SET_UP", "gpf_desktop.set_ups", ".set_up")
_PROVIDERS: Final = Port(Provider, providers_package, "PROVIDER", "gpf_desktop.providers")
_METHODS_MODELS: Final = Port(
    Provider, methods_package, "PROVIDER", "gpf_desktop.calibration_models", ".calibration_models"
)
_BATCH_JOBS: Final = Port(BatchJobs, providers_package, "BATCH_JOBS", "gpf_desktop.batch_jobs")
_EMBEDDERS: Final = Port(Embedder, providers_package, "EMBEDDER", "gpf_desktop.embedders")
_METHODS_EMBEDDERS: Final = Port(
    Embedder, methods_package, "EMBEDDER", "gpf_desktop.calibration_embedders", ".calibration_models"
)
_SCORERS: Final = Port(Scorer, methods_package, "SCORER", "gpf_desktop.scorers", ".scorers")
_ANALYSES: Final = Port(Analysis, methods_package, "ANALYSIS", "gpf_desktop.analyses", ".analyses")
_EXPORTERS: Final = Port(Exporter, exporters_package, "EXPORTER", "gpf_desktop.exporters")
_PORTS: Final = (
    *(_SOURCES, _METHODS, _FILE_TABLES, _CHECKS, _BENCHMARK_MAKERS, _IMPORTERS, _SET_UPS, _PROVIDERS),
    *(_METHODS_MODELS, _BATCH_JOBS, _EMBEDDERS, _METHODS_EMBEDDERS, _SCORERS, _ANALYSES, _EXPORTERS),
)
GROUPS: Final = frozenset(
    {port.group for port in _PORTS} | {f"gpf_desktop.{name}" for name in ("pages", "study_editors", "protocol_forms")}
)
"""Groups of entry points that are read; the last three by the window alone."""


def sources() -> dict[str, Source]:
    return cast("dict[str, Source]", HERE.of(_SOURCES))


def methods() -> dict[str, Method]:
    return cast("dict[str, Method]", HERE.of(_METHODS))


def method(name: str) -> Method:
    """The method called *name*. Raises `UserError` listing those there are."""
    found = methods().get(name)
    if found is None:
        raise UserError(
            tr("There is no method called “{name}”.", name=name),
            tr("Use one of: {names}.", names=", ".join(sorted(methods()))),
        )
    return found


_known: Final = method
"""`method`, for functions whose own argument is called so."""


def checks() -> dict[str, MethodCheck]:
    """Method → its check on calibration models of its own."""
    return cast("dict[str, MethodCheck]", HERE.of(_CHECKS))


def file_tables() -> dict[str, FileTables]:
    """Method → what makes tables of files of its answers."""
    return cast("dict[str, FileTables]", HERE.of(_FILE_TABLES))


def file_tables_of(method: str) -> FileTables:
    """The plug-in that makes tables of files for *method*. Raises `UserError` if there is no such method, or if it
    makes none."""
    found = cast("FileTables | None", HERE.one(_FILE_TABLES, method))
    if found is None:
        method_with("score", method)
        raise UserError(
            tr("The method {name} scores no tables of answers.", name=method),
            tr("Use one of: {names}.", names=", ".join(sorted(file_tables()))),
        )
    return found


def benchmark_maker(method: str) -> BenchmarkMaker:
    """The plug-in that makes prompts from sentences for *method*. Raises `UserError` if there is none."""
    found = cast("dict[str, BenchmarkMaker]", HERE.of(_BENCHMARK_MAKERS))
    if method not in found:
        raise UserError(
            tr("The method {name} makes no benchmarks.", name=method),
            tr("Use one of: {names}.", names=", ".join(sorted(found))),
        )
    return found[method]


def importers() -> dict[str, Importer]:
    """The plug-ins that read tables of answers into an audit, by the method that they are for."""
    return cast("dict[str, Importer]", HERE.of(_IMPORTERS))


def importer(method: str) -> Importer:
    """The plug-in that reads tables of answers into an audit for *method*. Raises `UserError` if there is none."""
    found = importers()
    if method not in found:
        raise UserError(
            tr("There is no method “{name}” that imports tables of answers.", name=method),
            tr("Use one of: {names}.", names=", ".join(sorted(found))),
        )
    return found[method]


class _AboutNews(SetUp):
    """The set-up of a method that does not say how it is begun."""

    name = needs = ""


def set_up(method: str) -> SetUp:
    """The set-up for rounds of *method*; a method that has none asks about news."""
    return cast("dict[str, SetUp]", HERE.of(_SET_UPS)).get(method) or _AboutNews()


def is_about_news(method: str) -> bool:
    """Whether items of *method* are articles from sources; those of others come with their protocol."""
    return set_up(method).from_sources


def takes_news(method: str) -> bool:
    """Whether *method* has a use for an audit's news: its rounds ask about it, or texts of its studies may be news."""
    return set_up(method).takes_news


def providers() -> dict[str, Provider]:
    """The calibration models of methods among them."""
    found = cast("dict[str, Provider]", HERE.of(_PROVIDERS))
    for name, models in HERE.of(_METHODS_MODELS).items():
        found.setdefault(name, models)
    return found


def batch_jobs() -> dict[str, BatchJobs]:
    """Provider → its batch jobs, for those providers that have them."""
    return cast("dict[str, BatchJobs]", HERE.of(_BATCH_JOBS))


def embedders() -> dict[str, Embedder]:
    """Provider → its embedder, for those providers that have one."""
    found = cast("dict[str, Embedder]", HERE.of(_EMBEDDERS))
    for name, each in HERE.of(_METHODS_EMBEDDERS).items():
        found.setdefault(name, each)
    return found


def scorers() -> dict[str, Scorer]:
    return cast("dict[str, Scorer]", HERE.of(_SCORERS))


def scorers_for(name: str) -> dict[str, Scorer]:
    """The scorers in the folder of the method called *name*, and those of installed packages. Raises `UserError`."""
    own = type(method(name)).__module__.rpartition(".")[0] + "."
    ours = methods_package.__name__ + "."
    places = {scorer: type(each).__module__ for scorer, each in scorers().items()}
    return {
        scorer: each
        for scorer, each in scorers().items()
        if places[scorer].startswith(own) or not places[scorer].startswith(ours)
    }


def closed_table(name: str) -> str:
    """The reason why the table called *name* is not shown unless somebody asks for it (`Analysis.closed`); empty: it is
    shown."""
    found = analysis(name)
    return "" if found is None else found.closed


def analyses() -> dict[str, Analysis]:
    """The analyses of every method; imports all of them. Use `analysis` if the name is known."""
    return cast("dict[str, Analysis]", HERE.of(_ANALYSES))


def analyses_of(method: str) -> dict[str, Analysis]:
    """The tables of *method* by name, in its order, without those that no package on this machine brings. Raises
    `UserError` for a method that is not there."""
    return {name: found for name in _known(method).analyses if (found := analysis(name)) is not None}


def analysis(name: str) -> Analysis | None:
    """The plug-in that makes the table called *name*, looked for in its own method first; None if there is none."""
    for each in methods().values():
        if name in each.analyses and (port := _own_analyses(type(each).__module__)) is not None:
            found = cast("dict[str, Analysis]", HERE.of(port)).get(name)
            if found is not None:
                return found
    return analyses().get(name)


@cache
def _own_analyses(module: str) -> Port | None:
    """The port of the analyses in the folder of the method that stands in *module*; None: the method is an installed
    package's, or has none."""
    place = module.rpartition(".")[0] + ".analyses"
    if not place.startswith(f"{methods_package.__name__}.") or find_spec(place) is None:
        return None
    return Port(Analysis, import_module(place), "ANALYSIS", group="")


def exporters() -> dict[str, Exporter]:
    return cast("dict[str, Exporter]", HERE.of(_EXPORTERS))


def broken() -> tuple[UserError, ...]:
    """Errors for what installed packages declare and cannot be used; imports every plug-in."""
    for port in _PORTS:
        HERE.of(port)
    return (*HERE.broken, *misspelt_groups())


def misspelt_groups() -> tuple[UserError, ...]:
    """Errors for what installed packages declare in groups that are called as if they were this program's, and that
    nothing reads; imports no plug-in."""
    found = sorted(entry_points().groups)
    return tuple(
        unusable(point, _read_by_nobody(group))
        for group in found
        if group.startswith("gpf_desktop.") and group not in GROUPS
        for point in declared(group)
    )


def _read_by_nobody(group: str) -> str:
    likely = get_close_matches(group, sorted(GROUPS), n=1)
    return tr("nothing reads the group {group}, only {names}", group=group, names=", ".join(likely or sorted(GROUPS)))


def method_with(command: str, name: str) -> Method:
    """The method called *name*. Raises `UserError` where it has no such headless *command*."""
    found = method(name)
    if command not in found.headless:
        having = ", ".join(each.name for each in methods().values() if command in each.headless)
        raise UserError(
            tr("The method {name} has no command “{command}”.", name=name, command=command),
            tr("Use one of: {names}.", names=having),
        )
    return found


def provider(name: str) -> Provider:
    """The provider called *name*. Raises `UserError` listing those there are."""
    found = IMPORTED_MODELS if name == IMPORTED_MODELS.name else providers().get(name)
    if found is None:
        raise UserError(
            tr("There is no provider called “{name}”.", name=name),
            tr("Use one of: {names}.", names=", ".join(sorted(providers()))),
        )
    return found
