"""What an auditor writes into a report: kept in the audit, with numbers and evidence taken from its tables."""
