"""`gpf-desktop plan … --register`: the page of what is planned beforehand, written before the first call."""

import json
from dataclasses import dataclass
from pathlib import Path

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.plans import Plan
from gpf_desktop.domain.registration import RegisteredPlan, as_text, day_words
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.collect.source_service import kept_target
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.reporting.registered import save_page
from gpf_desktop.engine.rounds.registering import Intended
from gpf_desktop.engine.rounds.round_power import RoundDesign
from gpf_desktop.engine.schedules.plan_rounds import resolved
from gpf_desktop.exporters._planned_page import check_suffix


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """A page that was written into an audit."""

    plan: RegisteredPlan
    audit: Path
    output: Path | None

    def sentences(self) -> list[str]:
        lines = [
            tr(
                "Planned beforehand, {day}. Check code {code}.",
                day=day_words(self.plan.moment),
                code=self.plan.code,
            )
        ]
        for section in self.plan.sections:
            lines += [section.title, *(f"  {line}" for line in section.lines)]
        lines.append(tr("Written into {path}.", path=str(self.audit)))
        if self.output is not None:
            lines.append(tr("The page is in {path}: deposit it, or its check code.", path=str(self.output)))
        return lines

    def as_dict(self) -> dict[str, object]:
        return {
            "audit": str(self.audit),
            "code": self.plan.code,
            "page": json.loads(as_text(self.plan)),
            "output": None if self.output is None else str(self.output),
        }


def check_wishes(*, register: bool, audit: Path | None, output: Path | None, readers: str) -> None:
    """Raises `UserError` for options that do not go together, before anything is reckoned."""
    if register and audit is None:
        raise UserError(
            tr("A plan is registered in an audit, and none is named."),
            tr("Add --audit AUDIT.gpf; it is made if need be."),
        )
    if not register and (output is not None or readers):
        raise UserError(tr("--output and --readers go with --register."), tr("Add --register, or leave them out."))
    if output is not None:
        check_suffix(output)


def register(
    plan: Plan, asked: RoundDesign, audit: Path, *, beside: Path, readers: str, output: Path | None
) -> Registered:
    """Register *plan*, which names files relative to the folder *beside*.

    Raises `UserError` where *audit* holds an answer already, `StorageError` for what the disk says.
    """
    with Headless(quiet=True) as headless:
        open_audit = headless.enter(audit)
        # As they are told once they were asked: an address without its scheme would count as another source.
        targets = tuple(kept_target(resolved(source.target, beside)) for source in plan.sources)
        page = open_audit.register(Intended(asked=asked, sources=targets, readers=readers))
        path = open_audit.path
    if output is not None:
        save_page(page, output)
    return Registered(plan=page, audit=path, output=output)
