"""All SQL: the audit file, its migrations, and one file per subject."""
