"""What a row of a round says of its method, believed only as far as it can be read."""

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import stored_controls
from gpf_desktop.storage.stored import BadRowError


@pytest.mark.parametrize("text", ["", "[3]", "7", "null", '{"repeats": [1]}', '{"repeat_share": "all"}', "{"])
def test_that_sizes_that_no_method_wrote_are_a_bad_row(text: str) -> None:
    with pytest.raises(BadRowError):
        stored_controls("gpf-livenews", text)


def test_that_a_method_that_is_not_there_is_told_by_name() -> None:
    with pytest.raises(UserError, match="no method called “nobodys”"):
        stored_controls("nobodys", "{}")
    with pytest.raises(UserError, match="no method called “nobodys”"):
        catalogue.analyses_of("nobodys")
    for name, method in catalogue.methods().items():
        assert stored_controls(name, "{}") == method.controls({})
