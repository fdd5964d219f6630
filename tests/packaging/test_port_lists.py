"""The documents list every port and every ability, as the classes are today."""

import inspect

import make_port_lists as lists
import pytest

from gpf_desktop.domain.ports.plug_in import abilities_of, declared_by
from gpf_desktop.engine.core import catalogue, plug_ins

REMEDY = "run packaging/make_port_lists.py"


def test_that_the_reference_is_as_the_classes_are() -> None:
    assert (lists.DOCS / "ports.md").read_text(encoding="utf-8") == lists.reference(), REMEDY


@pytest.mark.parametrize("guide", lists.GUIDES)
def test_that_a_guide_lists_the_abilities_of_its_ports(guide: str) -> None:
    text = (lists.DOCS / guide).read_text(encoding="utf-8")
    assert lists.with_lists(text) == text, REMEDY
    for port in lists.GUIDES[guide]:
        assert f"<!-- abilities of {port.__name__}" in text
        for each in abilities_of(port):
            assert f"- `{each.__name__}`: " in text


def test_that_no_port_of_the_catalogue_and_no_ability_is_left_out() -> None:
    promised = {each.promises for each in vars(catalogue).values() if isinstance(each, plug_ins.Port)}
    assert promised <= {*lists.ports()}
    told = lists.reference()
    groups = {each.group for each in vars(catalogue).values() if isinstance(each, plug_ins.Port)}
    assert [group for group in groups if f"in the group `{group}`." not in told] == []
    for port in lists.ports():
        for kind in (port, *abilities_of(port)):
            assert f"# {kind.__name__}\n" in told
            for name in declared_by(kind):
                assert f"- `{name}" in told
    with_abilities = {port for port in lists.ports() if abilities_of(port)}
    assert with_abilities == {port for each in lists.GUIDES.values() for port in each}, "a guide lists them"


@pytest.mark.parametrize("port", lists.ports())
def test_that_every_member_is_documented(port: type) -> None:
    for kind in (port, *abilities_of(port)):
        for name in declared_by(kind):
            member = inspect.getattr_static(kind, name)
            assert inspect.getdoc(member), f"{kind.__name__}.{name}"
