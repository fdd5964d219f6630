"""Models by names that are short and still tell which is which."""

import pytest

from gpf_desktop.domain.models import short_names


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (("openai/gpt-x", "openrouter/maker/gpt-y", "mine"), ("gpt-x", "gpt-y", "mine")),
        (("a/same", "b/same"), ("a/same", "b/same")),
        (("imported/m/0", "imported/m/1"), ("m/0", "m/1")),
        (("imported/a/same", "imported/b/same"), ("a/same", "b/same")),
        (("local/7",), ("local/7",)),
        (("odd/", "odd/other"), ("odd/", "other")),
    ],
)
def test_that_a_short_name_tells_which_model_it_is(names: tuple[str, ...], short: tuple[str, ...]) -> None:
    assert short_names(names) == dict(zip(names, short, strict=True))
