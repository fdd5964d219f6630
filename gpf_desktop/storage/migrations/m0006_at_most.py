"""The column for the most that a call of which nobody saw the end may have cost."""

SQL = """
ALTER TABLE call ADD COLUMN at_most REAL NOT NULL DEFAULT 0;
"""
