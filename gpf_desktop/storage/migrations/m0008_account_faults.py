"""The column for the fault of the account or the model where a call failed, as it was told when its words came."""

SQL = """
ALTER TABLE response ADD COLUMN account TEXT;
"""
