from pathlib import Path

from gpf_desktop.engine.commands.report_command import check_format, drafted_report
from gpf_desktop.engine.open_audit import OpenAudit


def write_report(open_audit: OpenAudit, target: Path) -> Path:
    """Write the report that the audit's draft describes to *target*, as `gpf-desktop report` does."""
    check_format(target)
    return open_audit.reports.export(drafted_report(open_audit, open_audit.drafts.current), target)
