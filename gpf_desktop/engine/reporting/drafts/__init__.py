"""The auditor's own texts in a report: kept in the audit, with numbers and evidence taken from its tables."""
