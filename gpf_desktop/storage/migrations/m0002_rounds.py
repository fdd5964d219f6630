"""Columns for the starter of a round and rounds put away, the table of exchanges over the wire, and the indexes of a
round's table of calls."""

SQL = """
ALTER TABLE run ADD COLUMN started_by TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run_note ADD COLUMN kind TEXT NOT NULL DEFAULT '';

CREATE TABLE exchange (
    cell_id INTEGER NOT NULL REFERENCES cell,
    attempt INTEGER NOT NULL,
    request BLOB NOT NULL,
    reply BLOB NOT NULL,
    PRIMARY KEY (cell_id, attempt)
) STRICT, WITHOUT ROWID;

CREATE INDEX response_facts ON response (cell_id, missing, status, seconds, prompt_tokens, completion_tokens);
CREATE INDEX cell_in_order ON cell (run_id, position, id, model_id, bundle_id);
CREATE INDEX cell_by_parent ON cell (parent_cell_id) WHERE parent_cell_id IS NOT NULL;
CREATE INDEX batch_job_cell_by_cell ON batch_job_cell (cell_id);
CREATE INDEX review_draft_by_bundle ON review_draft (bundle_id);
CREATE INDEX review_now_of_bundle ON review_now (bundle_id);
CREATE INDEX review_step_by_bundle ON review_step (bundle_id);
CREATE INDEX review_step_part_by_bundle ON review_step_part (bundle_id);
"""
