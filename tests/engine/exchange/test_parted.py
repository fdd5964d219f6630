"""Parquet by round and model: queried by DuckDB as docs/columns.md says, and made an audit of again."""

import re
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.engine.exchange.data_export import DataWishes
from gpf_desktop.engine.exchange.export_files import exported_folder
from gpf_desktop.engine.exchange.exported_folder import restore_export
from tests.engine.exchange.artifacts import made, reviewed
from tests.engine.exchange.test_exported_folder import held, imported, written

pytestmark = pytest.mark.slow
duckdb = pytest.importorskip("duckdb", reason="needs duckdb")
pytest.importorskip("pyarrow", reason="needs the extra parquet")

MANUAL = Path(__file__).parents[3] / "docs" / "columns.md"


def test_that_the_queries_of_the_manual_give_what_results_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    audit = made(tmp_path, reviewed)
    folder = written(audit, DataWishes(folder=tmp_path / "out", formats=("parquet",), parted=True))
    monkeypatch.chdir(folder)
    views, *queries = re.findall(r"```sql\n(.*?)```", MANUAL.read_text("utf-8"), re.DOTALL)
    tables = ("coverage", "model_table", "dimension_means")
    with duckdb.connect() as base:
        base.execute(views)
        for table, query in zip(tables, queries, strict=True):
            found = base.execute(query)
            columns = [each[0] for each in found.description]
            rows = found.fetchall()
            wanted = base.execute(f"SELECT {', '.join(columns)} FROM 'tables/{table}.parquet' ORDER BY ALL").fetchall()
            assert rows, table
            assert [row[:1] for row in rows] == [row[:1] for row in wanted]
            for row, other in zip(rows, wanted, strict=True):
                assert list(row[1:]) == [
                    each if isinstance(each, str) or each is None else pytest.approx(each, abs=1e-12)
                    for each in other[1:]
                ]


@pytest.mark.parametrize("method", ["gpf-livenews", "saged"])
def test_that_parts_become_the_audit_again(method: str, tmp_path: Path) -> None:
    audit = made(tmp_path, reviewed) if method == "gpf-livenews" else imported(tmp_path, method)
    folder = written(audit, DataWishes(folder=tmp_path / "out", formats=("parquet",), parted=True))
    part = next((folder / "answers").rglob("*.parquet"))
    assert exported_folder(part) == exported_folder(folder) == folder
    again = tmp_path / "again.gpf"
    assert restore_export(folder, again) > 0
    assert held(again, tmp_path / "again.zip") == held(audit, tmp_path / "audit.zip")
    part.write_bytes(b"PAR1 no more")
    with pytest.raises(UserError, match="answers"):
        restore_export(folder, tmp_path / "never.gpf")
    assert not (tmp_path / "never.gpf").exists()


def test_that_parts_of_a_former_export_go_with_it(tmp_path: Path) -> None:
    audit = imported(tmp_path, "saged")
    wishes = DataWishes(folder=tmp_path / "out", what=("answers",), formats=("parquet",), parted=True)
    folder = written(audit, wishes)
    stray = folder / "answers" / "run_id=99" / "model=gone" / "part-00000.parquet"
    stray.parent.mkdir(parents=True)
    stray.write_bytes(b"")
    (folder / "answers.parquet").write_bytes(b"")
    with pytest.raises(UserError, match="there already"):
        written(audit, wishes)
    assert stray.exists()
    written(audit, DataWishes(folder=folder, what=("answers",), formats=("parquet",), parted=True, replaces=True))
    assert not stray.exists()
    assert not (folder / "answers.parquet").exists()
    with pytest.raises(UserError, match="Only Parquet is parted"):
        written(audit, DataWishes(folder=tmp_path / "csv", formats=("csv",), parted=True))
