"""``gpf-desktop export`` and ``gpf-desktop tables``: an audit's data as files."""

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.exchange.data_export import TABLES, DataWishes, Exported
from gpf_desktop.engine.open_audit import OpenAudit


def write_data(open_audit: OpenAudit, wishes: DataWishes) -> Exported:
    """Write what *wishes* names, once every score is current.

    Raises `UserError` for a wish that cannot be met, `StorageError` where nothing can be written.
    """
    open_audit.auto_rescoring.settle().result()
    data = open_audit.data
    done = data.start(wishes).result()
    if wishes.what == (TABLES,) and not done.rows:
        if open_audit.results.results(wishes.wanted, ()).window.scored_anywhere:
            raise UserError(
                tr("No table of {audit} has a row.", audit=open_audit.path.name),
                tr("gpf-desktop export writes its answers and scores."),
            )
        raise UserError(
            tr("{audit} holds no scores, so there are no tables.", audit=open_audit.path.name), tr("Run a round first.")
        )
    return done
