"""Structures that are kept with an audit: where a file holds something else there, the file is what is wrong."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.engine.commands import watch_command
from gpf_desktop.engine.reporting import option_choices
from gpf_desktop.engine.review import review_service
from gpf_desktop.engine.schedules.repeating import stored_schedules
from gpf_desktop.storage import assignments, audits, examples, provenance, registrations, writings
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.writer import Connection

_READ: Final[Mapping[str, Callable[[Connection], Any]]] = {
    "review.plan": assignments.plan,
    "review.assignment": assignments.assignment,
    "review.beside": assignments.beside,
    "review.examples": examples.every,
    "plan.registered": registrations.every,
    provenance.PROVENANCE: provenance.provenance,
    "repeat": stored_schedules,
    option_choices._key("saged"): partial(option_choices.kept, method="saged"),
    writings._waiting("x"): partial(writings.waiting, asked=["x"]),
    "watch.told": lambda c: audits.kept(c, "watch.told", watch_command._told, None),
    "ways": lambda c: audits.kept(c, "ways", review_service._ways, None),
}


@pytest.mark.parametrize("name", list(_READ))
def test_that_an_odd_setting_is_told_as_damage_of_the_file(name: str, tmp_path: Path) -> None:
    audit = AuditFile.create(tmp_path / "a.gpf", title="Evening")
    audit.read(_READ[name])
    for odd in ("1", "{", "[1]", "[[1]]", "[[]]", '{"a": 1}', '{"blind": "no"}', "[" * 6000):
        audit.write(partial(audits.set_setting, name=name, value=odd)).result()
        try:
            audit.read(_READ[name])
        except StorageError as error:
            assert error.fault is StorageFault.DAMAGED, odd  # noqa: PT017 - some of them are well where they stand
        else:
            assert odd != "1"
    audit.close()
