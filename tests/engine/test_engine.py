from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.engine.engine import Engine


def test_that_an_audit_that_is_made_while_the_program_closes_is_not_left_open(tmp_path: Path) -> None:
    engine = Engine(lambda _: None)
    engine.close()
    with pytest.raises(UserError, match=r"a\.gpf is not opened: the program is being closed"):
        engine.create(tmp_path / "a.gpf", title="a")
    assert [path.name for path in tmp_path.glob("a.gpf*")] == ["a.gpf"]
