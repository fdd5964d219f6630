"""With which method the import of a table begins."""

import pytest

from gpf_desktop.engine.commands.import_command import ImportPreview
from gpf_desktop.methods.saged.answers import COLUMNS
from gpf_desktop.ui.exchange.import_dialog import _likeliest


@pytest.mark.parametrize(
    ("columns", "method"),
    [
        (COLUMNS.required, "saged"),
        (("model", "theme", "question", "response"), "relative-bias"),
        (("question", "theme", "description", "alpha_response", "bias score", "explanation"), "relative-bias"),
        (("id", "name", "model", "input", "output", "metadata"), "relative-bias"),
        (("doc.id", "doc.question", "model", "response", "repeat", "prompt"), "relative-bias"),
        (("wer", "was gefragt", "was gesagt"), "relative-bias"),
        (("model", "article", "dimension", "identity", "family", "response"), "gpf-livenews"),
    ],
)
def test_that_a_table_is_read_by_the_method_that_has_most_of_its_columns(columns: tuple[str, ...], method: str) -> None:
    assert _likeliest(ImportPreview(columns=columns, rows=(), heads=(columns,))) == method
