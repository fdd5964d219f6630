"""Tokens of a question that the provider had in its cache: they cost less."""

SQL = """
ALTER TABLE response ADD COLUMN cached_tokens INTEGER;
DROP INDEX response_facts;
CREATE INDEX response_facts ON response
    (cell_id, missing, status, seconds, prompt_tokens, completion_tokens, cached_tokens);
"""
