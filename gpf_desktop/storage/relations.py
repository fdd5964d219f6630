"""An audit's contents as relations of plain rows: what leaves it as data.

Each relation is declared once, with the SQL behind every field. Texts stand as they are stored; no relation holds a key
or a path of this machine.
"""

import sqlite3

from gpf_desktop.domain.relations import FieldKind
from gpf_desktop.domain.scores import UnitKind
from gpf_desktop.domain.text import tr
from gpf_desktop.storage.archived_texts import REASONING, TEXT
from gpf_desktop.storage.coordinate_sets import SETS
from gpf_desktop.storage.stored_relation import StoredRelation

_TEXT, _INTEGER, _NUMBER, _FLAG, _STRUCTURE = (
    FieldKind.TEXT,
    FieldKind.INTEGER,
    FieldKind.NUMBER,
    FieldKind.FLAG,
    FieldKind.STRUCTURE,
)


def stored_relations() -> dict[str, StoredRelation]:
    """The relations of an audit by name, each before those that refer to it."""
    every = (_protocols(), _news(), _runs(), _models(), _bundles(), _answers(), _settings(), _scores(), _annotations())
    return {relation.name: relation for relation in (*every, _study_notes())}


def restoring_relations() -> dict[str, StoredRelation]:
    """The relations needed beside `stored_relations` to make an audit again, by name."""
    return {relation.name: relation for relation in (_fits(), _vectors(), _bases(), _groups())}


def round_of(connection: sqlite3.Connection, unit_kind: str, unit_id: int) -> tuple[int | None, str | None]:
    """(round, name of the model) of what a score is of; no model where it is of several."""
    if unit_kind == UnitKind.BUNDLE:
        of = "SELECT b.run_id, m.label FROM bundle b LEFT JOIN model m ON m.id = b.model_id WHERE b.id = ?"
    else:
        of = "SELECT c.run_id, m.label FROM cell c JOIN model m ON m.id = c.model_id WHERE c.id = ?"
        unit_id = unit_id >> 31 if unit_kind == UnitKind.PAIR else unit_id
    found: tuple[int, str | None] | None = connection.execute(of, (unit_id,)).fetchone()
    return found or (None, None)


def _groups() -> StoredRelation:
    return StoredRelation(
        name="reviewer_groups",
        words=tr("A group that a reviewer says they belong to"),
        columns=(
            ("reviewer_uuid", "g.reviewer", _TEXT, tr("Who, on every machine")),
            ("group_name", "g.name", _TEXT, tr("The group, as they named it")),
        ),
        source="FROM reviewer_group g ORDER BY g.reviewer, g.name",
        counted="reviewer_group",
        key=("reviewer_uuid", "group_name"),
    )


def _fits() -> StoredRelation:
    return StoredRelation(
        name="fits",
        words=tr("The answers that share one encoder's fit"),
        columns=(
            ("fit_group_id", "g.id", _INTEGER, tr("Its number in this audit")),
            ("run_id", "g.run_id", _INTEGER, tr("The round")),
            ("model_id", "g.model_id", _INTEGER, tr("The model; empty where it holds several")),
            ("item_id", "g.item_id", _INTEGER, tr("The item; empty where it holds several")),
            ("bundles", "g.bundles", _INTEGER, tr("Bundles cut from it")),
            ("unended", "g.unended", _INTEGER, tr("Questions without an end, and stages that are not planned yet")),
            ("stages", "g.stages", _INTEGER, tr("Stages behind the first")),
            ("stages_left", "g.stages_left", _INTEGER, tr("Those of them that are not planned yet")),
            ("answers", "g.answers", _INTEGER, tr("Answers in it")),
        ),
        source="FROM fit_group g ORDER BY g.id",
        counted="fit_group",
        key=("fit_group_id",),
    )


def _vectors() -> StoredRelation:
    return StoredRelation(
        name="vectors",
        words=tr("The vector that an encoder gave for an answer"),
        columns=(
            ("cell_id", "x.cell_id", _INTEGER, tr("The call that asked for it")),
            ("about_provider", "coalesce(m.provider, '')", _TEXT, tr("The API that gave the answer")),
            ("digest", "hex(v.digest)", _TEXT, tr("SHA-256 of what was sent and of the settings")),
            ("made_at", "v.made_at", _TEXT, tr("When it came (UTC)")),
            ("numbers", "hex(v.data)", _TEXT, tr("Its numbers as float32, little-endian, in hexadecimals")),
        ),
        source=(
            "FROM cell_vector x JOIN vector v ON v.id = x.vector_id JOIN cell c ON c.id = x.cell_id"
            " LEFT JOIN cell a ON a.id = c.parent_cell_id LEFT JOIN model m ON m.id = a.model_id ORDER BY x.cell_id"
        ),
        counted="cell_vector",
        key=("cell_id",),
    )


def _bases() -> StoredRelation:
    return StoredRelation(
        name="score_bases",
        words=tr("On how many answers the scores of a fit rest"),
        columns=(
            ("setting_id", "u.setting_id", _INTEGER, tr("The setting")),
            ("fit_group_id", "u.fit_group_id", _INTEGER, tr("The fit")),
            ("answers", "u.answers", _INTEGER, tr("Answers that the encoder was fitted on")),
            ("of_run", "u.of_run", _FLAG, tr("They are those of the whole round")),
            ("provisional", "u.provisional", _FLAG, tr("Not all were there")),
        ),
        source="FROM score_basis u ORDER BY u.setting_id, u.fit_group_id",
        counted="score_basis",
        key=("setting_id", "fit_group_id"),
    )


def _protocols() -> StoredRelation:
    return StoredRelation(
        name="protocols",
        words=tr("A protocol version, as runs froze it"),
        columns=(
            ("protocol_id", "p.id", _INTEGER, tr("Its number in this audit")),
            ("method", "p.method", _TEXT, tr("The method that it is of")),
            ("name", "p.name", _TEXT, tr("Its name")),
            ("version", "p.version", _INTEGER, tr("Its version")),
            ("hash", "p.hash", _TEXT, tr("SHA-256 of its values")),
            ("text", "p.text", _TEXT, tr("The whole protocol, as YAML")),
            ("created_at", "p.created_at", _TEXT, tr("When it was first kept (UTC)")),
        ),
        source="FROM protocol p WHERE p.id IN (SELECT protocol_id FROM run) ORDER BY p.id",
        counted="protocol",
        key=("protocol_id",),
    )


def _news() -> StoredRelation:
    # Any other address may be a path of this machine.
    address = "iif(s.address LIKE 'http%', s.address, '')"
    # What follows the last stroke: `rtrim` takes away every character that is no stroke.
    path = "replace(coalesce(s.target, ''), '\\', '/')"
    target = (
        f"iif(s.target LIKE '%://%', s.target, substr({path}, 1 + length(rtrim({path}, replace({path}, '/', '')))))"
    )
    return StoredRelation(
        name="news",
        words=tr("An item of a batch, with the words that the batch froze"),
        columns=(
            ("batch_id", "t.batch_id", _INTEGER, tr("The batch's number")),
            ("batch", "h.name", _TEXT, tr("The batch's name")),
            ("batch_created_at", "h.created_at", _TEXT, tr("When the batch was made (UTC)")),
            ("position", "t.position", _INTEGER, tr("Place within the batch")),
            ("item_id", "t.item_id", _INTEGER, tr("The item's number")),
            ("item_kind", "i.kind", _TEXT, tr("What kind of item: a news article, a question …")),
            ("item_key", "i.key", _TEXT, tr("Its name on every machine")),
            ("source_id", "i.source_id", _INTEGER, tr("The source's number")),
            ("source", "coalesce(s.title, '')", _TEXT, tr("The source's title")),
            ("source_kind", "coalesce(s.kind, '')", _TEXT, tr("How the source was read")),
            ("source_address", address, _TEXT, tr("Address of the source; empty where it was a file")),
            ("source_target", target, _TEXT, tr("What was named as the source: its address, or a file by its name")),
            ("headline", "t.title", _TEXT, tr("Headline, as it was put into questions")),
            ("text", "t.text", _TEXT, tr("Description or text, as it was put into questions")),
            ("url", "i.url", _TEXT, tr("Address of the item")),
            ("published_at", "i.published_at", _TEXT, tr("When it was published (UTC)")),
            ("published_stated", "i.published_stated", _FLAG, tr("The source stated that moment itself")),
            ("retrieved_at", "i.retrieved_at", _TEXT, tr("When it was fetched (UTC)")),
            ("stratum", "t.stratum", _TEXT, tr("Stratum of the item in this batch")),
            ("stratum_by_auditor", "i.stratum_by_auditor", _FLAG, tr("A person chose the stratum")),
            ("matched", "i.matched", _STRUCTURE, tr("Words that decided the stratum")),
            ("notes", "i.notes", _STRUCTURE, tr("What was noted when it was read")),
            ("data", "t.data", _STRUCTURE, tr("What the method needs beyond these")),
            ("synthetic", "i.synthetic", _FLAG, tr("Invented, not reported by anybody")),
        ),
        source=(
            "FROM batch_item t JOIN batch h ON h.id = t.batch_id JOIN item i ON i.id = t.item_id"
            " LEFT JOIN source s ON s.id = i.source_id ORDER BY t.batch_id, t.position, t.item_id"
        ),
        counted="batch_item",
        key=("batch_id", "item_id"),
    )


def _runs() -> StoredRelation:
    # The inner SELECT sorts, here and for flags: an aggregate takes rows as they come.
    notes = (
        "(SELECT json_group_array(json_object('at', n.at, 'sentence', n.sentence, 'kind', n.kind)) FROM"
        " (SELECT at, sentence, kind FROM run_note WHERE run_id = r.id ORDER BY id) n)"
    )
    # Of answers that were asked elsewhere no plan is here, and nobody knows.
    left_out = (
        "iif(json_valid(r.plan) AND r.plan <> '{}', coalesce(json_extract(r.plan, '$.scope.left_out'), '[]'), NULL)"
    )
    return StoredRelation(
        name="runs",
        words=tr("A round: one batch, some models, one protocol version"),
        columns=(
            ("run_id", "r.id", _INTEGER, tr("Its number in this audit")),
            ("name", "r.name", _TEXT, tr("Its name")),
            ("state", "r.state", _TEXT, tr("Where it stands")),
            ("plan_hash", "r.plan_hash", _TEXT, tr("SHA-256 of the plan that was frozen before the first call")),
            ("batch_id", "r.batch_id", _INTEGER, tr("The batch that was asked about")),
            ("protocol_id", "r.protocol_id", _INTEGER, tr("The protocol that it was asked with")),
            ("method", "r.method", _TEXT, tr("The method")),
            ("method_version", "r.method_version", _TEXT, tr("The method's version")),
            ("controls", "r.controls", _STRUCTURE, tr("Sizes of the controls")),
            ("left_out", left_out, _STRUCTURE, tr("What of the design was not asked")),
            ("seed", "r.seed", _INTEGER, tr("Seed of everything that was drawn")),
            ("created_at", "r.created_at", _TEXT, tr("When it was set up (UTC)")),
            ("started_at", "r.started_at", _TEXT, tr("When the first question was sent (UTC)")),
            ("finished_at", "r.finished_at", _TEXT, tr("When the last question had its end (UTC)")),
            ("notes", notes, _STRUCTURE, tr("What happened on the way")),
        ),
        source="FROM run r ORDER BY r.id",
        counted="run",
        key=("run_id",),
    )


def _models() -> StoredRelation:
    # Which variable holds a key is this machine's own affair. In a file that somebody damaged a structure may be no
    # JSON, at which SQLite's functions would end the whole read.
    endpoint = "iif(json_valid(e.endpoint), json_remove(e.endpoint, '$.key_env'), NULL)"
    return StoredRelation(
        name="models",
        words=tr("A model of a round, with the settings that it was asked with"),
        columns=(
            ("run_id", "e.run_id", _INTEGER, tr("The round")),
            ("model_id", "e.model_id", _INTEGER, tr("The model's number in this audit")),
            ("position", "e.position", _INTEGER, tr("Place in the round's list")),
            ("role", "e.role", _TEXT, tr("What the model was there for")),
            ("provider", "m.provider", _TEXT, tr("The API that was asked")),
            ("model", "m.model", _TEXT, tr("The model's name at its provider")),
            ("label", "m.label", _TEXT, tr("The model's name in tables")),
            ("base_url", "m.base_url", _TEXT, tr("The address that was asked")),
            ("endpoint", endpoint, _STRUCTURE, tr("Vendor, price, decoding and limits in this round; never a key")),
            ("not_supported", "e.not_supported", _STRUCTURE, tr("Parameters that the model refuses")),
            ("synthetic", "m.synthetic", _FLAG, tr("A calibration model: its answers are made up")),
        ),
        source="FROM run_model e JOIN model m ON m.id = e.model_id ORDER BY e.run_id, e.position, e.model_id",
        counted="run_model",
        key=("run_id", "model_id"),
    )


def _bundles() -> StoredRelation:
    return StoredRelation(
        name="bundles",
        words=tr("A bundle: the answers that are compared with each other"),
        columns=(
            ("bundle_id", "b.id", _INTEGER, tr("Its number in this audit")),
            ("run_id", "b.run_id", _INTEGER, tr("The round")),
            ("batch_id", "r.batch_id", _INTEGER, tr("The batch")),
            ("model_id", "b.model_id", _INTEGER, tr("The model; empty where models differ within the bundle")),
            ("model", "m.label", _TEXT, tr("The model's name")),
            ("item_id", "b.item_id", _INTEGER, tr("The item; empty where items differ within the bundle")),
            ("arm", "b.arm", _TEXT, tr("The arm of the design: main, or a control's name")),
            ("grouping", "b.grouping", _TEXT, tr("What differs within the bundle")),
            ("coordinates", "x.text", _STRUCTURE, tr("Levels on the factors that it holds fixed")),
            ("planned", "b.planned", _INTEGER, tr("Answers planned, repeats not counted")),
            ("fit_group_id", "b.fit_group_id", _INTEGER, tr("Bundles of one number share an encoder's fit")),
            ("synthetic", "m.synthetic", _FLAG, tr("Answers of a calibration model")),
        ),
        source=(
            "FROM bundle b JOIN run r ON r.id = b.run_id JOIN coordinate_set x ON x.id = b.coordinates_id"
            " LEFT JOIN model m ON m.id = b.model_id ORDER BY b.id"
        ),
        counted="bundle",
        key=("bundle_id",),
    )


def _answers() -> StoredRelation:
    flags = (
        "(SELECT json_group_array(json_object('flag', f.name, 'found', f.detail)) FROM"
        " (SELECT name, detail FROM flag WHERE cell_id = c.id ORDER BY name) f)"
    )
    return StoredRelation(
        name="answers",
        words=tr("One question to one model, with its answer or the reason why there is none"),
        columns=(
            ("cell_id", "c.id", _INTEGER, tr("Its number in this audit")),
            ("bundle_id", "c.bundle_id", _INTEGER, tr("The bundle")),
            ("run_id", "c.run_id", _INTEGER, tr("The round")),
            ("protocol_id", "r.protocol_id", _INTEGER, tr("The protocol")),
            ("batch_id", "r.batch_id", _INTEGER, tr("The batch")),
            ("model_id", "c.model_id", _INTEGER, tr("The model's number")),
            ("model", "m.label", _TEXT, tr("The model's name")),
            ("provider", "m.provider", _TEXT, tr("The API that was asked")),
            ("item_id", "c.item_id", _INTEGER, tr("The item")),
            ("fixed", "x.text", _STRUCTURE, tr("Levels on the factors that the bundle holds fixed")),
            ("varying", "y.text", _STRUCTURE, tr("Levels on the factors that differ within the bundle")),
            ("repeat", "c.repeat", _INTEGER, tr("Which generation of the same message, from 0")),
            ("stage", "c.stage", _INTEGER, tr("Stage of the method, from 0")),
            ("parent_cell_id", "c.parent_cell_id", _INTEGER, tr("The answer of an earlier stage that it rests on")),
            ("seed", "c.seed", _INTEGER, tr("Seed sent with the question, where the model takes one")),
            ("position", "c.position", _INTEGER, tr("Place in the order of asking")),
            ("state", "c.state", _TEXT, tr("Where it stands: answered, missing or still to be asked")),
            ("answer", TEXT, _TEXT, tr("The answer, word for word")),
            ("reasoning", REASONING, _TEXT, tr("The model's reasoning where the API gave it; never scored")),
            ("missing", "p.missing", _TEXT, tr("Why there is no valid answer; empty where there is one")),
            ("detail", "p.detail", _TEXT, tr("The provider's own words about that")),
            ("status", "p.status", _INTEGER, tr("HTTP status")),
            ("finish", "p.finish", _TEXT, tr("The provider's word for why it stopped")),
            ("truncated", "p.truncated", _FLAG, tr("Cut off at the longest length")),
            ("prompt_tokens", "p.prompt_tokens", _INTEGER, tr("Tokens of the question, as the provider counted")),
            ("completion_tokens", "p.completion_tokens", _INTEGER, tr("Tokens of the answer, reasoning included")),
            ("reasoning_tokens", "p.reasoning_tokens", _INTEGER, tr("Tokens of the reasoning")),
            (
                "cached_tokens",
                "p.cached_tokens",
                _INTEGER,
                tr("Tokens of the question that the provider had in its cache"),
            ),
            ("request_id", "p.request_id", _TEXT, tr("The provider's number of the call")),
            ("served_model", "v.model", _TEXT, tr("The model that answered, as the server named it")),
            ("served_fingerprint", "v.fingerprint", _TEXT, tr("The fingerprint of its set-up that the server gave")),
            ("served_host", "v.host", _TEXT, tr("The company that ran it, as a gateway named it")),
            (
                "sent",
                "p.sent",
                _STRUCTURE,
                tr("Parameters really sent, without message and key, and log-probabilities that came"),
            ),
            ("seconds", "p.seconds", _NUMBER, tr("Time to the answer")),
            ("received_at", "p.received_at", _TEXT, tr("When it came (UTC)")),
            ("flags", flags, _STRUCTURE, tr("What was noticed about it, and where")),
        ),
        source=(
            f"FROM cell c JOIN bundle b ON b.id = c.bundle_id JOIN run r ON r.id = c.run_id{SETS}"
            " JOIN model m ON m.id = c.model_id LEFT JOIN response p ON p.cell_id = c.id"
            " LEFT JOIN served v ON v.id = p.served_id ORDER BY c.id"
        ),
        counted="cell",
        key=("cell_id",),
    )


def _settings() -> StoredRelation:
    return StoredRelation(
        name="settings",
        words=tr("A scorer with one choice of options; a method's first is its primary one"),
        columns=(
            ("setting_id", "g.id", _INTEGER, tr("Its number in this audit")),
            ("method", "g.method", _TEXT, tr("The method whose rounds it scores")),
            ("scorer", "g.scorer", _TEXT, tr("The scorer")),
            ("version", "g.version", _TEXT, tr("The scorer's version")),
            ("options", "g.options", _STRUCTURE, tr("Its options")),
            ("hash", "g.hash", _TEXT, tr("SHA-256 of scorer, version and options")),
            ("measures", "g.measures", _STRUCTURE, tr("The scores that it gives, as its scorer declared them")),
            ("everywhere", "g.everywhere", _FLAG, tr("Chosen for every round of the method")),
        ),
        source="FROM score_setting g ORDER BY g.place",
        counted="score_setting",
        key=("setting_id",),
    )


def _scores() -> StoredRelation:
    return StoredRelation(
        name="scores",
        words=tr("One score of one unit under one setting"),
        columns=(
            ("setting_id", "s.setting_id", _INTEGER, tr("The setting")),
            ("unit_kind", "s.unit_kind", _TEXT, tr("What it is a score of: a bundle, an answer …")),
            (
                "unit_id",
                "s.unit_id",
                _INTEGER,
                tr("The number of the bundle or of the answer's cell; of a pair, first cell × 2³¹ + second cell"),
            ),
            ("name", "s.name", _TEXT, tr("Which score")),
            ("value", "s.value", _NUMBER, tr("Its value")),
            ("category", "s.category", _TEXT, tr("Its value where it is a word")),
            ("unavailable", "s.unavailable", _TEXT, tr("Why there is no value")),
            ("provisional", "s.provisional", _FLAG, tr("Not all answers of its fit were there")),
        ),
        source="FROM score s ORDER BY s.setting_id, s.unit_kind, s.unit_id, s.name",
        counted="score",
        key=("setting_id", "unit_kind", "unit_id", "name"),
    )


def _annotations() -> StoredRelation:
    return StoredRelation(
        name="annotations",
        words=tr("One sealed entry of a reviewer's history"),
        columns=(
            ("entry_id", "e.id", _INTEGER, tr("Its number in this audit")),
            ("bundle_id", "e.bundle_id", _INTEGER, tr("The bundle that it is about")),
            ("reviewer_uuid", "w.uuid", _TEXT, tr("Who, on every machine")),
            ("reviewer", "w.name", _TEXT, tr("Who, by name")),
            ("action", "e.action", _TEXT, tr("What was done")),
            # Cast: in JSON from elsewhere a number may stand where a word belongs, and columns keep their kind.
            ("verdict", f"CAST({_said('verdict')} AS TEXT)", _TEXT, tr("What the reviewer read in the answers")),
            ("severity", f"CAST({_said('severity')} AS INTEGER)", _INTEGER, tr("1 to 4, where it has one")),
            (
                "judgement",
                "e.judgement",
                _STRUCTURE,
                tr("The whole form; letters: the levels that A, B, … of its texts stand for, where it was read blind"),
            ),
            ("reason", "e.reason", _TEXT, tr("Why it was done")),
            ("at", "e.at", _TEXT, tr("When (UTC)")),
            ("subject", "e.subject", _STRUCTURE, tr("The bundle in words that hold on every machine")),
            ("previous_hash", "e.previous_hash", _TEXT, tr("Seal of the entry before")),
            ("hash", "e.hash", _TEXT, tr("Seal of this entry")),
            ("public_key", "e.public_key", _TEXT, tr("The reviewer's public key")),
            ("signature", "e.signature", _TEXT, tr("Signature of the seal")),
        ),
        source="FROM review_entry e JOIN reviewer w ON w.id = e.reviewer_id ORDER BY e.id",
        counted="review_entry",
        key=("entry_id",),
    )


def _study_notes() -> StoredRelation:
    return StoredRelation(
        name="study_notes",
        words=tr("One sealed entry about a code of the code book, or a memo"),
        columns=(
            ("entry_id", "e.id", _INTEGER, tr("Its number in this audit")),
            ("reviewer_uuid", "e.reviewer", _TEXT, tr("Who, on every machine")),
            ("reviewer", "coalesce(w.name, '')", _TEXT, tr("Who, by name; empty where this file does not say")),
            ("action", "e.action", _TEXT, tr("What it is: a code, a memo, or a join of two histories")),
            ("subject", "e.subject", _TEXT, tr("The code's id; of a memo the item's key, empty for the study")),
            ("content", "e.content", _STRUCTURE, tr("The whole code or memo, as it is from then on")),
            ("at", "e.at", _TEXT, tr("When (UTC)")),
            ("previous_hash", "e.previous_hash", _TEXT, tr("Seal of the entry before")),
            ("hash", "e.hash", _TEXT, tr("Seal of this entry")),
            ("public_key", "e.public_key", _TEXT, tr("The reviewer's public key")),
            ("signature", "e.signature", _TEXT, tr("Signature of the seal")),
        ),
        source="FROM study_entry e LEFT JOIN reviewer w ON w.uuid = e.reviewer ORDER BY e.id",
        counted="study_entry",
        key=("entry_id",),
    )


def _said(field: str) -> str:
    """SQL: a field of a judgement, empty where somebody wrote no JSON there."""
    return f"iif(json_valid(e.judgement), json_extract(e.judgement, '$.{field}'), NULL)"
