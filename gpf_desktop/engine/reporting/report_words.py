"""Sentences of every report about its numbers, whatever they are (method, "What is measured, and what may be
claimed")."""

from gpf_desktop.domain.methods import Statement
from gpf_desktop.domain.text import tr
from gpf_desktop.storage.provenance import provenance
from gpf_desktop.storage.writer import Connection


def origin(connection: Connection) -> str:
    """The origin of the answers, in a few words; empty: this program asked for them."""
    told = provenance(connection)
    return tr("Answers imported from {file}", file=told.imported_from) if told.imported_from else ""


def limits(
    statement: Statement, *, news: bool, synthetic: bool, few_articles: bool, provisional: bool
) -> tuple[str, ...]:
    """The limits of these numbers, one sentence each; those of the method's scores among them.

    *news*: the items that were asked about are news articles.
    """
    said = [
        tr("The numbers hold for this window's news and prompts; other news may move them.")
        if news
        else tr("The numbers hold for this window's items and prompts; other items may move them."),
        *statement.limits,
        tr("Several comparisons are shown at once; some ranges miss zero by chance alone."),
    ]
    if few_articles:
        few = (
            tr("There are fewer than ten articles: ranges are wide, and means lean on single articles.")
            if news
            else tr("There are fewer than ten items: ranges are wide, and means lean on single ones.")
        )
        said.insert(1, few)
    if provisional:
        said.append(tr("Some sets count until all answers are in: their scores change until then."))
    if synthetic:
        said.append(
            tr("Synthetic: made-up answers of built-in test models; their rows say nothing about any real model.")
        )
    return tuple(said)
