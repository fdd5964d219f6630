"""What of the account or the model was at fault where a call failed, as it was told when its words came."""

SQL = """
ALTER TABLE response ADD COLUMN account TEXT;
"""
