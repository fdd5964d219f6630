"""Data, artifacts and imported answers in the window: what the File menu does beyond audits."""
