"""Finds the plug-in files: adding one is adding a file that exposes its port's object.

    sources/*.py SOURCE · expanders/*.py EXPANDER · providers/*.py PROVIDER or BATCH_JOBS · scorers/*.py SCORER ·
    analyses/*.py ANALYSIS · exporters/*.py EXPORTER

Modules and packages whose name begins with an underscore are shared code; a module without the object is passed
over.
"""

import importlib
import pkgutil
from functools import cache
from types import ModuleType
from typing import Any, cast

from gpf_desktop import analyses as analyses_package
from gpf_desktop import expanders as expanders_package
from gpf_desktop import exporters as exporters_package
from gpf_desktop import providers as providers_package
from gpf_desktop import scorers as scorers_package
from gpf_desktop import sources as sources_package
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ports import Analysis, BatchJobs, Expander, Exporter, Provider, Scorer, Source
from gpf_desktop.domain.text import tr


@cache
def sources() -> dict[str, Source]:
    return cast("dict[str, Source]", _found(sources_package, "SOURCE"))


@cache
def expanders() -> dict[str, Expander]:
    return cast("dict[str, Expander]", _found(expanders_package, "EXPANDER"))


@cache
def providers() -> dict[str, Provider]:
    return cast("dict[str, Provider]", _found(providers_package, "PROVIDER"))


@cache
def batch_jobs() -> dict[str, BatchJobs]:
    """Provider → its batch jobs, for those providers that have them."""
    return cast("dict[str, BatchJobs]", _found(providers_package, "BATCH_JOBS"))


@cache
def scorers() -> dict[str, Scorer]:
    return cast("dict[str, Scorer]", _found(scorers_package, "SCORER"))


@cache
def analyses() -> dict[str, Analysis]:
    return cast("dict[str, Analysis]", _found(analyses_package, "ANALYSIS"))


@cache
def exporters() -> dict[str, Exporter]:
    return cast("dict[str, Exporter]", _found(exporters_package, "EXPORTER"))


def provider(name: str) -> Provider:
    """The provider called *name*. Raises `UserError` listing those there are."""
    found = providers().get(name)
    if found is None:
        raise UserError(
            tr("There is no provider called “{name}”.", name=name),
            tr("Use one of: {names}.", names=", ".join(sorted(providers()))),
        )
    return found


def _found(package: ModuleType, attribute: str) -> dict[str, Any]:
    plugins: dict[str, Any] = {}
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda info: info.name):
        if info.name.startswith("_"):
            continue
        plugin = getattr(importlib.import_module(f"{package.__name__}.{info.name}"), attribute, None)
        if plugin is None:
            continue
        if plugin.name in plugins:
            raise RuntimeError(f"two files of {package.__name__} call themselves {plugin.name!r}")
        plugins[plugin.name] = plugin
    return plugins
