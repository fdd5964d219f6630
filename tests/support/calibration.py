"""Calibration models kept in an audit, for tests that ask them."""

from collections.abc import Sequence

from gpf_desktop.domain.ids import ModelId
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.storage import models


def kept(open_audit: OpenAudit, names: Sequence[str]) -> tuple[ModelId, ...]:
    write = open_audit.context.audit.write
    endpoints = [Endpoint(provider="calibration", model=name) for name in names]
    return tuple(write(lambda c, each=each: models.keep(c, each, synthetic=True)).result() for each in endpoints)
