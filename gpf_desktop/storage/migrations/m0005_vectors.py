"""Vectors of answers, each stored once; judges of a study are told by their role alone."""

SQL = """
CREATE TABLE vector (
    id INTEGER PRIMARY KEY,
    model_id INTEGER NOT NULL REFERENCES model,
    digest BLOB NOT NULL,
    made_at TEXT NOT NULL,
    data BLOB NOT NULL,
    UNIQUE (model_id, digest)
) STRICT;

CREATE TABLE cell_vector (
    cell_id INTEGER PRIMARY KEY REFERENCES cell,
    vector_id INTEGER NOT NULL REFERENCES vector
) STRICT;
CREATE INDEX cell_vector_by_vector ON cell_vector (vector_id);

UPDATE run SET controls = json_remove(controls, '$.judges') WHERE method = 'relative-bias';
"""
