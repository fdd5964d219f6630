"""The draft of the audit's report, as its auditor left it."""

import sqlite3

from gpf_desktop.storage import audits

_DRAFT = "report.draft"
_LOGO = "report.logo"


def kept(connection: sqlite3.Connection) -> tuple[str, str]:
    """(draft, logo) as they were kept; empty where there are none."""
    return audits.setting(connection, _DRAFT), audits.setting(connection, _LOGO)


def keep(connection: sqlite3.Connection, draft: str, logo: str) -> None:
    """The logo, which is large, is written only where it changed."""
    audits.set_setting(connection, _DRAFT, draft)
    if audits.setting(connection, _LOGO) != logo:
        audits.set_setting(connection, _LOGO, logo)
