"""The first schema: one table per noun of the vocabulary, in the order of the data flow; one text, read as a whole."""

SQL = """
CREATE TABLE schema_history (
    version INTEGER PRIMARY KEY,
    applied_at TEXT NOT NULL,
    program TEXT NOT NULL
) STRICT;

CREATE TABLE audit (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    uuid TEXT NOT NULL,
    title TEXT NOT NULL,
    created_at TEXT NOT NULL,
    sample INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE setting (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE source (
    id INTEGER PRIMARY KEY,
    target TEXT NOT NULL UNIQUE,
    address TEXT NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    note TEXT NOT NULL DEFAULT '',
    active INTEGER NOT NULL DEFAULT 1,
    synthetic INTEGER NOT NULL DEFAULT 0,
    added_at TEXT NOT NULL,
    etag TEXT NOT NULL DEFAULT '',
    last_modified TEXT NOT NULL DEFAULT '',
    tried_at TEXT,
    succeeded_at TEXT,
    error TEXT NOT NULL DEFAULT '',
    gone INTEGER NOT NULL DEFAULT 0,
    kept INTEGER NOT NULL DEFAULT 0,
    dropped INTEGER NOT NULL DEFAULT 0,
    uncounted INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE dropped_item (
    id INTEGER PRIMARY KEY,
    source_id INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
    headline TEXT NOT NULL,
    url TEXT NOT NULL,
    reason TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;
CREATE INDEX dropped_item_by_source ON dropped_item (source_id);

CREATE TABLE batch (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;

CREATE TABLE item (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    source_id INTEGER REFERENCES source,
    key TEXT NOT NULL UNIQUE,
    revision TEXT NOT NULL DEFAULT '',
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    url TEXT NOT NULL DEFAULT '',
    published_at TEXT,
    published_stated INTEGER NOT NULL DEFAULT 0,
    retrieved_at TEXT NOT NULL,
    stratum TEXT NOT NULL DEFAULT '',
    stratum_by_auditor INTEGER NOT NULL DEFAULT 0,
    matched TEXT NOT NULL DEFAULT '[]',
    near_key TEXT NOT NULL DEFAULT '',
    notes TEXT NOT NULL DEFAULT '[]',
    data TEXT NOT NULL DEFAULT '{}',
    synthetic INTEGER NOT NULL DEFAULT 0,
    batch_id INTEGER REFERENCES batch
) STRICT;
CREATE INDEX item_newest ON item (published_at DESC, id DESC);
CREATE INDEX item_by_source ON item (source_id, published_at DESC);
CREATE INDEX item_by_near_key ON item (near_key) WHERE near_key <> '';

CREATE TABLE item_revision (
    id INTEGER PRIMARY KEY,
    item_id INTEGER NOT NULL REFERENCES item ON DELETE CASCADE,
    revision TEXT NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    retrieved_at TEXT NOT NULL
) STRICT;
CREATE INDEX item_revision_by_item ON item_revision (item_id);

CREATE TABLE batch_item (
    batch_id INTEGER NOT NULL REFERENCES batch,
    item_id INTEGER NOT NULL REFERENCES item,
    position INTEGER NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    stratum TEXT NOT NULL,
    data TEXT NOT NULL DEFAULT '{}',
    PRIMARY KEY (batch_id, item_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE protocol (
    id INTEGER PRIMARY KEY,
    method TEXT NOT NULL,
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    text TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;

CREATE TABLE model (
    id INTEGER PRIMARY KEY,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    base_url TEXT NOT NULL,
    label TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    synthetic INTEGER NOT NULL,
    not_supported TEXT NOT NULL DEFAULT '[]',
    removed INTEGER NOT NULL DEFAULT 0,
    added_at TEXT NOT NULL,
    tested_at TEXT,
    test_result TEXT NOT NULL DEFAULT '',
    UNIQUE (provider, model, base_url)
) STRICT;

CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    state TEXT NOT NULL,
    plan_hash TEXT NOT NULL,
    plan TEXT NOT NULL,
    batch_id INTEGER REFERENCES batch,
    protocol_id INTEGER NOT NULL REFERENCES protocol,
    method TEXT NOT NULL,
    method_version TEXT NOT NULL,
    controls TEXT NOT NULL,
    seed INTEGER NOT NULL,
    spend_cap REAL,
    created_at TEXT NOT NULL,
    started_at TEXT,
    finished_at TEXT
) STRICT;
CREATE INDEX run_by_plan ON run (plan_hash);

CREATE TABLE run_model (
    run_id INTEGER NOT NULL REFERENCES run,
    model_id INTEGER NOT NULL REFERENCES model,
    position INTEGER NOT NULL,
    role TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    not_supported TEXT NOT NULL DEFAULT '[]',
    PRIMARY KEY (run_id, model_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_note (
    id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES run,
    at TEXT NOT NULL,
    sentence TEXT NOT NULL
) STRICT;
CREATE INDEX run_note_by_run ON run_note (run_id, id);

CREATE TABLE coordinate_set (
    id INTEGER PRIMARY KEY,
    text TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE coordinate (
    set_id INTEGER NOT NULL REFERENCES coordinate_set,
    factor TEXT NOT NULL,
    level TEXT NOT NULL,
    PRIMARY KEY (set_id, factor)
) STRICT, WITHOUT ROWID;
CREATE INDEX coordinate_by_level ON coordinate (factor, level, set_id);

CREATE TABLE fit_group (
    id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES run,
    model_id INTEGER REFERENCES model,
    item_id INTEGER REFERENCES item,
    bundles INTEGER NOT NULL DEFAULT 0,
    unended INTEGER NOT NULL DEFAULT 0,
    stages INTEGER NOT NULL DEFAULT 0,
    stages_left INTEGER NOT NULL DEFAULT 0,
    answers INTEGER NOT NULL DEFAULT 0,
    changes INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX fit_group_by_run ON fit_group (run_id, model_id, item_id);

CREATE TABLE bundle (
    id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES run,
    grouping TEXT NOT NULL,
    model_id INTEGER REFERENCES model,
    item_id INTEGER REFERENCES item,
    coordinates_id INTEGER NOT NULL REFERENCES coordinate_set,
    arm TEXT NOT NULL,
    planned INTEGER NOT NULL,
    fit_group_id INTEGER NOT NULL REFERENCES fit_group,
    UNIQUE (run_id, grouping, model_id, item_id, coordinates_id, arm)
) STRICT;
CREATE INDEX bundle_by_question ON bundle (item_id, coordinates_id);
CREATE INDEX bundle_by_fit_group ON bundle (fit_group_id);

CREATE TABLE cell (
    id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES run,
    bundle_id INTEGER NOT NULL REFERENCES bundle,
    model_id INTEGER NOT NULL REFERENCES model,
    item_id INTEGER NOT NULL REFERENCES item,
    coordinates_id INTEGER NOT NULL REFERENCES coordinate_set,
    repeat INTEGER NOT NULL,
    stage INTEGER NOT NULL DEFAULT 0,
    parent_cell_id INTEGER REFERENCES cell,
    seed INTEGER NOT NULL,
    position INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'asked', 'submitted', 'answered', 'missing'))
) STRICT;
CREATE INDEX cell_by_bundle ON cell (bundle_id, repeat, id);
CREATE INDEX cell_to_ask ON cell (run_id, model_id, position) WHERE state = 'open';
CREATE INDEX cell_by_state ON cell (run_id, model_id, state);

CREATE TRIGGER cell_ended AFTER UPDATE OF state ON cell
WHEN (old.state IN ('answered', 'missing')) <> (new.state IN ('answered', 'missing'))
    OR (old.state = 'answered') <> (new.state = 'answered')
BEGIN
    UPDATE fit_group SET changes = changes + 1,
        unended = unended + (new.state NOT IN ('answered', 'missing')) - (old.state NOT IN ('answered', 'missing')),
        answers = answers + (new.state = 'answered') - (old.state = 'answered')
    WHERE id = (SELECT fit_group_id FROM bundle WHERE id = new.bundle_id); END;

CREATE TABLE call (
    cell_id INTEGER NOT NULL REFERENCES cell,
    attempt INTEGER NOT NULL,
    started_at TEXT NOT NULL,
    finished_at TEXT,
    outcome TEXT,
    status INTEGER,
    detail TEXT NOT NULL DEFAULT '',
    microdollars REAL NOT NULL DEFAULT 0,
    PRIMARY KEY (cell_id, attempt)
) STRICT, WITHOUT ROWID;

CREATE TABLE batch_job (
    id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES run,
    model_id INTEGER NOT NULL REFERENCES model,
    tag TEXT NOT NULL UNIQUE,
    vendor_id TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL,
    submitted_at TEXT NOT NULL,
    ended_at TEXT,
    requests INTEGER NOT NULL,
    done INTEGER NOT NULL DEFAULT 0,
    batch_discount REAL NOT NULL,
    detail TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX batch_job_by_run ON batch_job (run_id, model_id, id);

CREATE TABLE batch_job_cell (
    job_id INTEGER NOT NULL REFERENCES batch_job,
    cell_id INTEGER NOT NULL REFERENCES cell,
    attempt INTEGER NOT NULL,
    PRIMARY KEY (job_id, cell_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE response (
    cell_id INTEGER PRIMARY KEY REFERENCES cell,
    text TEXT NOT NULL,
    reasoning TEXT NOT NULL DEFAULT '',
    missing TEXT,
    detail TEXT NOT NULL DEFAULT '',
    status INTEGER,
    finish TEXT NOT NULL DEFAULT '',
    truncated INTEGER NOT NULL DEFAULT 0,
    prompt_tokens INTEGER,
    completion_tokens INTEGER,
    reasoning_tokens INTEGER,
    request_id TEXT NOT NULL DEFAULT '',
    sent TEXT NOT NULL DEFAULT '{}',
    seconds REAL,
    received_at TEXT NOT NULL
) STRICT;
CREATE INDEX response_refused ON response (cell_id) WHERE missing = 'refused';

CREATE TABLE flag (
    cell_id INTEGER NOT NULL REFERENCES cell,
    name TEXT NOT NULL,
    detail TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (cell_id, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX flag_by_name ON flag (name, cell_id);

CREATE TABLE score_setting (
    id INTEGER PRIMARY KEY,
    method TEXT NOT NULL,
    scorer TEXT NOT NULL,
    version TEXT NOT NULL,
    options TEXT NOT NULL,
    hash TEXT NOT NULL,
    measures TEXT NOT NULL DEFAULT '[]',
    everywhere INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL,
    UNIQUE (method, hash)
) STRICT;

CREATE TABLE score (
    setting_id INTEGER NOT NULL REFERENCES score_setting,
    unit_kind TEXT NOT NULL,
    unit_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    value REAL,
    category TEXT,
    unavailable TEXT,
    provisional INTEGER NOT NULL,
    PRIMARY KEY (setting_id, unit_kind, unit_id, name),
    CHECK ((value IS NOT NULL) + (category IS NOT NULL) + (unavailable IS NOT NULL) = 1)
) STRICT, WITHOUT ROWID;
CREATE INDEX score_highest ON score (setting_id, unit_kind, name, value DESC, unit_id) WHERE value IS NOT NULL;
CREATE INDEX score_category ON score (setting_id, unit_kind, name, category, unit_id) WHERE category IS NOT NULL;
CREATE INDEX score_unavailable ON score (setting_id, unit_kind, name, unit_id) WHERE unavailable IS NOT NULL;

CREATE TABLE score_basis (
    setting_id INTEGER NOT NULL REFERENCES score_setting,
    fit_group_id INTEGER NOT NULL REFERENCES fit_group,
    answers INTEGER NOT NULL,
    of_run INTEGER NOT NULL,
    provisional INTEGER NOT NULL,
    PRIMARY KEY (setting_id, fit_group_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE score_edition (
    setting_id INTEGER NOT NULL REFERENCES score_setting,
    run_id INTEGER NOT NULL REFERENCES run,
    edition INTEGER NOT NULL,
    PRIMARY KEY (setting_id, run_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_table (
    id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES run,
    content TEXT NOT NULL,
    stamp INTEGER NOT NULL,
    data BLOB NOT NULL,
    UNIQUE (run_id, content)
) STRICT;

CREATE TABLE reviewer (
    id INTEGER PRIMARY KEY,
    uuid TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    created_at TEXT NOT NULL
) STRICT;

CREATE TABLE review_draft (
    reviewer_id INTEGER NOT NULL REFERENCES reviewer,
    bundle_id INTEGER NOT NULL REFERENCES bundle,
    judgement TEXT NOT NULL,
    saved_at TEXT NOT NULL,
    PRIMARY KEY (reviewer_id, bundle_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE review_entry (
    id INTEGER PRIMARY KEY,
    bundle_id INTEGER NOT NULL REFERENCES bundle,
    reviewer_id INTEGER NOT NULL REFERENCES reviewer,
    subject TEXT NOT NULL,
    action TEXT NOT NULL,
    judgement TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    at TEXT NOT NULL,
    previous_hash TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    public_key TEXT NOT NULL DEFAULT '',
    signature TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX review_entry_by_bundle ON review_entry (bundle_id, reviewer_id, id);
CREATE INDEX review_entry_by_reviewer ON review_entry (reviewer_id, id);

CREATE TABLE review_now (
    reviewer_id INTEGER NOT NULL REFERENCES reviewer,
    bundle_id INTEGER NOT NULL REFERENCES bundle,
    entry_id INTEGER NOT NULL REFERENCES review_entry,
    done INTEGER NOT NULL DEFAULT 0,
    judgement TEXT,
    verdict TEXT,
    severity INTEGER,
    flagged INTEGER NOT NULL DEFAULT 0,
    revealed INTEGER NOT NULL DEFAULT 0,
    at TEXT NOT NULL,
    PRIMARY KEY (reviewer_id, bundle_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX review_now_by_bundle ON review_now (bundle_id) WHERE done;

CREATE TABLE review_final (
    bundle_id INTEGER PRIMARY KEY REFERENCES bundle,
    entry_id INTEGER NOT NULL REFERENCES review_entry,
    verdict TEXT NOT NULL,
    severity INTEGER,
    at TEXT NOT NULL
) STRICT;

CREATE TABLE review_step (
    id INTEGER PRIMARY KEY,
    reviewer_id INTEGER NOT NULL REFERENCES reviewer,
    bundle_id INTEGER NOT NULL REFERENCES bundle,
    kind TEXT NOT NULL,
    before TEXT NOT NULL,
    after TEXT NOT NULL,
    bundles INTEGER NOT NULL DEFAULT 1,
    undone INTEGER NOT NULL DEFAULT 0,
    at TEXT NOT NULL
) STRICT;
CREATE INDEX review_step_by_reviewer ON review_step (reviewer_id, id);

CREATE TABLE review_step_part (
    step_id INTEGER NOT NULL REFERENCES review_step ON DELETE CASCADE,
    bundle_id INTEGER NOT NULL REFERENCES bundle,
    before TEXT NOT NULL,
    after TEXT NOT NULL,
    PRIMARY KEY (step_id, bundle_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE saved_filter (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    content TEXT NOT NULL,
    saved_at TEXT NOT NULL
) STRICT;

CREATE TABLE review_sample (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    seed INTEGER,
    content TEXT NOT NULL,
    drawn_at TEXT NOT NULL
) STRICT;
"""
