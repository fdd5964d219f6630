"""Words of the page Sources on sources and articles."""

from PySide6.QtCore import QDate, QDateTime, QLocale, QTime

from gpf_desktop.domain.articles import Article
from gpf_desktop.domain.news_strata import NewsStratum
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.collect.source_health import Health
from gpf_desktop.engine.collect.source_service import ArticleLine
from gpf_desktop.storage.sources import SourceRow
from gpf_desktop.ui.widgets.badge import Tone
from gpf_desktop.ui.wording import ago, count, moment

HEALTH: dict[Health, tuple[str, Tone]] = {
    Health.NOT_TRIED: ("open-circle", Tone.NEUTRAL),
    Health.WORKING: ("check-circle", Tone.SUCCESS),
    Health.EMPTY: ("warning", Tone.WARNING),
    Health.FAILING: ("error", Tone.DANGER),
    Health.GONE: ("stop", Tone.DANGER),
    Health.TEXT: ("document", Tone.NEUTRAL),
}
"""Icon and tone of each state; the word says the same."""


def health_word(health: Health) -> str:
    return {
        Health.NOT_TRIED: tr("not fetched yet"),
        Health.WORKING: tr("working"),
        Health.EMPTY: tr("nothing usable"),
        Health.FAILING: tr("failing"),
        Health.GONE: tr("no longer published"),
        Health.TEXT: tr("pasted text"),
    }[health]


def last_success(row: SourceRow) -> str:
    return tr("never") if row.succeeded is None else ago(row.succeeded)


def dropped_words(row: SourceRow) -> str:
    """2, or 2 + 40 over the cap."""
    if row.uncounted:
        return tr("{n} + {over} over the cap", n=count(row.dropped), over=count(row.uncounted))
    return count(row.dropped)


def stratum_reason(article: Article) -> str:
    """Why it has this stratum: the auditor, or the words found."""
    if article.stratum_by_auditor:
        return tr("set by you")
    return ", ".join(article.matched) if article.matched else tr("no listed word")


def stratum_short(article: Article, stratum: NewsStratum | None) -> str:
    """relevant: voting, prisoners"""
    word = article.stratum if stratum is None else stratum.short
    if article.stratum_by_auditor or article.matched:
        return f"{word}: {stratum_reason(article)}"
    return word


def stratum_long(article: Article, stratum: NewsStratum | None) -> str:
    title = article.stratum if stratum is None else stratum.title
    return tr("{stratum}: {why}", stratum=title, why=stratum_reason(article))


def stratum_icon(stratum: NewsStratum | None) -> tuple[str, str]:
    """Icon and colour token."""
    return ("flag", "warning") if stratum is not None and stratum.marked else ("dot", "text_secondary")


def source_and_marks(line: ArticleLine) -> str:
    found = marks(line)
    return f"{line.article.source_title} · {found}" if found else line.article.source_title


def used_word(article: Article) -> str:
    return tr("not yet") if article.used_in_batch is None else tr("batch {n}", n=article.used_in_batch)


def marks(line: ArticleLine) -> str:
    """Short words on what is odd about an article: headline only, also elsewhere."""
    found = [tr("headline only")] if line.article.headline_only else []
    others = sorted({other.source_title for other in line.near} - {line.article.source_title})
    if others:
        found.append(
            tr("also in {source}", source=others[0]) if len(others) == 1 else tr("also in {n} sources", n=len(others))
        )
    elif line.near:
        found.append(trn("{n} similar", "{n} similar", len(line.near)))
    return " · ".join(found)


def published_short(article: Article) -> str:
    """19 Nov 2026 14:02."""
    when = article.published.astimezone()
    moment_there = QDateTime(QDate(when.year, when.month, when.day), QTime(when.hour, when.minute))
    return QLocale().toString(moment_there, "d MMM yyyy HH:mm")


def published(article: Article) -> str:
    shown = moment(article.published)
    return shown if article.published_stated else tr("{time} (retrieved)", time=shown)
