"""Calibration models kept in an audit, for tests that ask them."""

from collections.abc import Sequence

from gpf_desktop.domain.ids import ModelId
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.storage import models
from gpf_desktop.storage.writer import Connection


def kept(open_audit: OpenAudit, names: Sequence[str]) -> tuple[ModelId, ...]:
    def write(connection: Connection) -> tuple[ModelId, ...]:
        endpoints = [Endpoint(provider="calibration", model=name) for name in names]
        return tuple(models.keep(connection, each, synthetic=True) for each in endpoints)

    return open_audit.context.audit.write(write).result()
