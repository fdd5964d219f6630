"""Full-text search: an index of answers that is filled beside the rounds, and lists of what it does not know yet."""

# `response_replaced` looks before the insert: the row that INSERT OR REPLACE takes out fires no delete trigger,
# unless recursive triggers are on.
SQL = """
CREATE VIRTUAL TABLE answer_index USING fts5(
    text, content='response', content_rowid='cell_id', tokenize='unicode61 remove_diacritics 0'
);
CREATE TABLE search_due (cell_id INTEGER PRIMARY KEY) STRICT;
CREATE TABLE search_gone (cell_id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
INSERT INTO search_due SELECT cell_id FROM response WHERE missing IS NULL;

CREATE TRIGGER response_replaced BEFORE INSERT ON response
BEGIN
    INSERT INTO search_gone (cell_id, text) SELECT cell_id, text FROM response WHERE cell_id = new.cell_id
        AND missing IS NULL AND NOT EXISTS (SELECT 1 FROM search_due WHERE cell_id = new.cell_id); END;
CREATE TRIGGER response_kept AFTER INSERT ON response WHEN new.missing IS NULL
BEGIN
    INSERT OR IGNORE INTO search_due (cell_id) VALUES (new.cell_id); END;
CREATE TRIGGER response_changed AFTER UPDATE OF text, missing ON response
BEGIN
    INSERT INTO search_gone (cell_id, text) SELECT old.cell_id, old.text WHERE old.missing IS NULL
        AND NOT EXISTS (SELECT 1 FROM search_due WHERE cell_id = old.cell_id); -- what the index holds
    INSERT OR IGNORE INTO search_due (cell_id) SELECT new.cell_id WHERE new.missing IS NULL; END;
CREATE TRIGGER response_gone AFTER DELETE ON response WHEN old.missing IS NULL
BEGIN
    INSERT INTO search_gone (cell_id, text) SELECT old.cell_id, old.text
        WHERE NOT EXISTS (SELECT 1 FROM search_due WHERE cell_id = old.cell_id); -- what the index holds
    DELETE FROM search_due WHERE cell_id = old.cell_id; END;
"""
"""Triggers may not touch the index itself: files are opened with an untrusted schema."""
