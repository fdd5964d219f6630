"""Codes and memos as sealed entries beside those of readings, and the groups that reviewers say they belong to."""

SQL = """
CREATE TABLE study_entry (
    id INTEGER PRIMARY KEY,
    reviewer TEXT NOT NULL,
    subject TEXT NOT NULL,
    action TEXT NOT NULL,
    content TEXT NOT NULL,
    at TEXT NOT NULL,
    previous_hash TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    public_key TEXT NOT NULL DEFAULT '',
    signature TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX study_entry_by_reviewer ON study_entry (reviewer, id);

CREATE TABLE reviewer_group (
    reviewer TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (reviewer, name)
) STRICT, WITHOUT ROWID;
"""
