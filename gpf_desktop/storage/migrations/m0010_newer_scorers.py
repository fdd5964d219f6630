"""The order of score settings by itself, so that those of a newer version take the place of those before them."""

SQL = """
ALTER TABLE score_setting ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
UPDATE score_setting SET place = id;
"""
