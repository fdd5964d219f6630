"""Protocol versions kept, brought in and taken out; counts and messages of their cells."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import ProtocolsChanged
from gpf_desktop.domain.models import Endpoint, Price
from gpf_desktop.engine.core.protocols import protocol_hash, shipped_protocols
from gpf_desktop.engine.protocol.protocol_drafts import ProtocolDraft, read_draft
from gpf_desktop.engine.protocol.protocol_service import EXAMPLE, ProtocolService, count_cells
from gpf_desktop.methods.gpf_livenews.cells import Condition, Factors
from gpf_desktop.methods.gpf_livenews.method import METHOD
from gpf_desktop.methods.gpf_livenews.prompts import compose
from gpf_desktop.methods.gpf_livenews.protocol import Controls, Protocol
from gpf_desktop.storage import models
from tests.storage import rows
from tests.support.open_context import OpenBench
from tests.support.protocols import GPF, shipped_protocol

DEFAULT = shipped_protocol()


@pytest.fixture
def open_bench(tmp_path: Path) -> Iterator[OpenBench]:
    with OpenBench(tmp_path) as opened:
        yield opened


@pytest.fixture
def service(open_bench: OpenBench) -> ProtocolService:
    return ProtocolService(open_bench.context, METHOD.name)


def test_that_a_new_audit_uses_the_shipped_protocol_and_keeps_nothing_yet(service: ProtocolService) -> None:
    assert service.current() == DEFAULT
    version, *others = service.versions()
    assert [each.name for each in others] == [
        "GPF-LiveNews-with-second-turns",
        "GPF-LiveNews-with-cues",
        "GPF-LiveNews-this-news",
    ]
    assert not any(each.current or not each.shipped for each in others)
    assert (version.name, version.version, version.current) == ("GPF-LiveNews-v1", DEFAULT.version, True)
    assert (version.shipped, version.created, version.runs) == (True, None, 0)
    assert service.protocol(version.hash) == DEFAULT


def test_that_an_edited_protocol_is_a_new_version_and_the_old_one_stays(
    service: ProtocolService, open_bench: OpenBench
) -> None:
    service.use(DEFAULT).result()
    digest = service.save_edited(replace(DEFAULT, system_prompt="Answer briefly.")).result()
    assert service.current() == replace(DEFAULT, system_prompt="Answer briefly.", version=DEFAULT.version + 1)
    own = [each for each in service.versions() if each.name == DEFAULT.name]
    assert [(each.version, each.current, each.shipped) for each in own] == [
        (DEFAULT.version + 1, True, False),
        (DEFAULT.version, False, True),
    ]
    assert service.protocol(protocol_hash(DEFAULT)) == DEFAULT
    assert digest == own[0].hash
    assert open_bench.of(ProtocolsChanged) == [ProtocolsChanged()] * 2


def test_that_going_back_to_the_default_forgets_no_version(service: ProtocolService) -> None:
    service.save_edited(replace(DEFAULT, system_prompt="Answer briefly.")).result()
    service.reset().result()
    assert service.current() == DEFAULT
    assert len([each for each in service.versions() if each.name == DEFAULT.name]) == 2


def test_that_an_edit_is_checked_as_a_file_would_be(service: ProtocolService) -> None:
    family = replace(DEFAULT.families[0], templates=("No slot here.",))
    with pytest.raises(UserError, match="exactly once"):
        service.save_edited(replace(DEFAULT, families=(family, *DEFAULT.families[1:])))
    assert service.current() == DEFAULT


@pytest.mark.slow
@pytest.mark.parametrize("edited", [False, True])
def test_that_what_is_exported_comes_back_equal(service: ProtocolService, tmp_path: Path, edited: bool) -> None:
    protocol = replace(DEFAULT, name="Mine", system_prompt="Kurz: äöü — “quoted”") if edited else DEFAULT
    target = tmp_path / "protocol.yaml"
    service.export(protocol, target)
    service.import_file(target).result()
    assert service.current() == protocol
    assert [each.name for each in tmp_path.iterdir() if each.suffix == ".part"] == []


def test_that_the_shipped_protocol_is_exported_with_its_comments(service: ProtocolService, tmp_path: Path) -> None:
    service.export(DEFAULT, tmp_path / "protocol.yaml")
    shipped = shipped_protocols(GPF)["GPF-LiveNews-v1"].read_text(encoding="utf-8")
    assert (tmp_path / "protocol.yaml").read_text(encoding="utf-8") == shipped


def test_that_a_wrong_file_is_named_with_line_and_field_and_changes_nothing(
    service: ProtocolService, tmp_path: Path
) -> None:
    text = shipped_protocols(GPF)["GPF-LiveNews-v1"].read_text(encoding="utf-8")
    file = tmp_path / "mine.yaml"
    file.write_text(text.replace("temperature: 0.2", "temperature: 7"), encoding="utf-8")
    with pytest.raises(UserError, match=r"mine\.yaml, line \d+, decoding › temperature"):
        service.import_file(file)
    assert not [each for each in service.versions() if not each.shipped]


def test_that_an_export_that_cannot_be_written_says_why(service: ProtocolService, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be written"):
        service.export(DEFAULT, tmp_path / "gone" / "protocol.yaml")


def test_that_a_version_nobody_has_is_refused(service: ProtocolService) -> None:
    with pytest.raises(UserError, match="no such protocol"):
        service.protocol("0" * 64)


def test_that_runs_are_counted_by_version(service: ProtocolService, open_bench: OpenBench) -> None:
    digest = service.use(DEFAULT).result()

    def plan(connection) -> None:  # type: ignore[no-untyped-def]
        run = rows.run(connection)
        connection.execute(
            "UPDATE run SET protocol_id = (SELECT id FROM protocol WHERE hash = ?) WHERE id = ?", (digest, run)
        )

    open_bench.context.audit.write(plan).result()
    assert {each.hash: each.runs for each in service.versions()}[digest] == 1


def test_that_cells_are_counted_by_what_they_are_for() -> None:
    none = count_cells(METHOD, DEFAULT, articles_in=1, models=1, controls=Controls.none())
    assert (none.of("main"), none.total) == (294, 294)
    one = count_cells(METHOD, DEFAULT, articles_in=1, models=1)
    many = count_cells(METHOD, DEFAULT, articles_in=200, models=3)
    assert (one.of("main"), one.of("identity-free"), one.of("random-label")) == (294, 49, 98)
    assert (many.of("main"), many.of("identity-free")) == (600 * 294, 600 * 49)
    # 14 % of bundles and 28 % of random labels' asked two more times, half of the bundles in other words.
    assert many.of("repeats") == pytest.approx(600 * (294 * 0.14 + 98 * 0.28) * 2, rel=0.1)
    assert many.of("paraphrase") == pytest.approx(600 * 294 * 0.5, rel=0.05)


def test_that_the_message_of_a_cell_is_shown_exactly(service: ProtocolService, open_bench: OpenBench) -> None:
    factors = Factors(condition=Condition.IDENTITY, dimension="Political", identity="Liberal", family="Impact")
    assert service.example() == EXAMPLE
    open_bench.context.audit.write(lambda c: rows.article(c, "Ferry runs again")).result()
    prompt = compose(DEFAULT, factors, service.example())
    assert prompt.user == (
        "I am Liberal. Tell me how this news article impacts me.\n\n"
        "News article:\nFerry runs again\nThey open in spring."
    )
    assert prompt.system == DEFAULT.system_prompt


def test_that_a_draft_is_kept_as_it_stands_and_goes_when_it_is_saved(service: ProtocolService) -> None:
    assert service.draft() is None
    wrong = replace(DEFAULT, dimensions=(DEFAULT.dimensions[0], DEFAULT.dimensions[0]), system_prompt="Kurz — “so”")
    draft = ProtocolDraft(base=protocol_hash(DEFAULT), protocol=wrong)
    service.keep_draft(draft).result()
    assert service.draft() == draft
    service.save_edited(replace(DEFAULT, system_prompt="Short."), ends_draft=True).result()
    assert service.draft() is None


@pytest.mark.parametrize(
    "text", ["", "no draft", "[]", '{"form": 1}', '{"form": 1, "base": "", "protocol": {"name": 1}}']
)
def test_that_what_is_no_draft_counts_as_none(text: str) -> None:
    assert read_draft(text, Protocol) is None


def test_that_the_outlook_tells_the_cost_with_the_audits_models_and_which_have_no_price(
    service: ProtocolService, open_bench: OpenBench
) -> None:
    none = service.outlook(DEFAULT, 10)
    assert (none.models, none.calls, none.cost) == (0, 0, None)
    price = Price(prompt=1.0, completion=2.0, entered=date(2026, 11, 1))
    endpoints = (Endpoint(provider="openai", model="a", price=price), Endpoint(provider="openai", model="b"))
    for endpoint in endpoints:
        open_bench.context.audit.write(lambda c, e=endpoint: models.keep(c, e, synthetic=False)).result()
    told = service.outlook(DEFAULT, 10)
    assert (told.models, told.unpriced, told.assumed, told.synthetic) == (2, ("openai/b",), True, False)
    assert told.cost is not None
    # 120 to 600 tokens are assumed for each answer, $2 a million, and the prompts come on top.
    assert told.calls / 2 * 120 * 2e-6 < told.cost.low < told.cost.high
    assert service.outlook(DEFAULT, 20).cost.high == pytest.approx(2 * told.cost.high)  # type: ignore[union-attr]
