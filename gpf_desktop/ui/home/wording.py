"""How far the steps to an own audit are, in words; empty where none is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpf_desktop.domain.text import tr, trn
from gpf_desktop.ui.wording import count

if TYPE_CHECKING:
    from gpf_desktop.engine.audit_summary import AuditSummary


def fed(own: AuditSummary | None) -> bool:
    """Whether there is news to ask about."""
    return own is not None and own.counts.sources > 0 and own.counts.articles > 0


def tested(own: AuditSummary | None) -> bool:
    """Whether there is a model that answered once, or a built-in one."""
    return own is not None and own.counts.tested > 0


def sources_words(own: AuditSummary | None) -> str:
    if own is None:
        return ""
    now = own.counts
    if not now.sources:
        return tr("none yet")
    words = trn("{n} source", "{n} sources", now.sources)
    if now.failing:
        words += tr(", {n} failing", n=count(now.failing))
    unused = trn("{count} unused article", "{count} unused articles", now.unused, count=count(now.unused))
    return f"{words} · {unused}"


def models_words(own: AuditSummary | None) -> str:
    if own is None:
        return ""
    if not own.counts.models:
        return tr("none yet")
    words = trn("{n} model", "{n} models", own.counts.models)
    if own.counts.tested == own.counts.models:
        return words
    return tr("{models} · {n} tested", models=words, n=count(own.counts.tested))


def rounds_words(own: AuditSummary | None) -> str:
    if own is None:
        return ""
    if not own.counts.runs:
        return tr("none yet")
    words = trn("{n} round", "{n} rounds", own.counts.runs)
    return tr("{rounds} · {n} finished", rounds=words, n=count(own.counts.over))
