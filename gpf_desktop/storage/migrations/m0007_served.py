"""The table of who answered, by the word of the server: the model's name, its fingerprint and the company behind a
gateway."""

SQL = """
CREATE TABLE served (
    id INTEGER PRIMARY KEY,
    model TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    host TEXT NOT NULL,
    UNIQUE (model, fingerprint, host)
) STRICT;
ALTER TABLE response ADD COLUMN served_id INTEGER REFERENCES served;
CREATE INDEX response_served ON response (served_id, cell_id, received_at) WHERE served_id IS NOT NULL;
"""
