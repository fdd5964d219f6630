"""Long JSON texts, read as Python reads them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpf_desktop.documents.long_json import loaded

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(VALUES, st.sampled_from((None, 2)), st.sampled_from(("", " ", "\n\t")))
def test_that_any_text_is_read_as_python_reads_it(value: object, indent: int | None, blank: str) -> None:
    text = blank + json.dumps(value, indent=indent) + blank
    assert loaded(text, lambda: None) == json.loads(text)


@pytest.mark.parametrize("text", ["", " ", "{", '{"a" 1}', "[1,]", '{"a": [1, x]}', '{"a": 1} {"b": 2}', "nul"])
def test_that_what_is_wrong_is_told_in_python_s_words(text: str) -> None:
    with pytest.raises(json.JSONDecodeError) as python:
        json.loads(text)
    with pytest.raises(json.JSONDecodeError) as ours:
        loaded(text, lambda: None)
    assert str(ours.value) == str(python.value)


def test_that_it_is_heard_of_while_entries_are_read() -> None:
    heard: list[int] = []
    text = json.dumps({"results": {"version": 3, "results": [{"at": number} for number in range(2000)]}})
    loaded(text, lambda: heard.append(1))
    assert len(heard) == 4
