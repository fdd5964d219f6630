"""A name that nobody would ask for is refused when a plug-in's file is imported."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.planted_models import OwnProvider
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.method_abilities import Comparer
from gpf_desktop.domain.ports.plug_in import abilities_of, declared_by
from gpf_desktop.domain.ports.scorer import HasVariants, Scorer, TellsHowFar
from gpf_desktop.domain.score_tables import SidePair
from tests.methods.toy import Toy


def test_that_a_misspelt_member_is_refused_with_the_one_that_is_meant() -> None:
    with pytest.raises(TypeError, match=r"Misspelt\.list_modles: .* Is list_models meant\?"):

        class Misspelt(OwnProvider):
            def list_modles(self) -> None: ...

    with pytest.raises(TypeError, match=r"Flags\.flags: .* Is flag meant\?"):

        class Flags(Toy):
            flags = ()


def test_that_an_ability_is_inherited_and_not_guessed_from_names() -> None:
    with pytest.raises(TypeError, match=r"Compares\.margins: .* Comparer does: inherit it\."):

        class Compares(Toy):
            def margins(self) -> Mapping[str, float]:
                return {}

    with pytest.raises(TypeError, match=r"Slow\.score_teling: .* Is score_telling meant\?"):

        class Slow(Scorer):
            def score_teling(self) -> None: ...

    class Does(Toy, Comparer):
        def margins(self) -> Mapping[str, float]:
            return {"s": 0.1}

        def comparison(
            self, pairs: Sequence[SidePair], margins: Mapping[str, float], options: Mapping[str, object]
        ) -> Finding:
            raise NotImplementedError

    assert issubclass(Does, Comparer)


def test_that_what_an_ability_asks_cannot_be_left_out(tmp_path: Path) -> None:
    class Half(Toy, Comparer):
        def margins(self) -> Mapping[str, float]:
            return {}

    with pytest.raises(TypeError, match=r"abstract.*comparison"):
        Half(tmp_path)


def test_that_an_ability_of_another_port_is_refused() -> None:
    with pytest.raises(TypeError, match="Odd is no Scorer, which TellsHowFar is an ability of"):

        class Odd(OwnProvider, TellsHowFar): ...


def test_that_a_mixin_that_is_no_port_is_held_to_the_same() -> None:
    class Helper:
        def analize(self) -> None: ...

    with pytest.raises(TypeError, match=r"analize.* Is analyse meant\?"):

        class Table(Helper, TableAnalysis): ...


def test_that_names_of_its_own_begin_with_an_underscore_or_are_declared_for_those_derived_from_it() -> None:
    class Hooked(TableAnalysis, declares=True):
        def column(self) -> str:
            return "one"

    class Table(Hooked):
        name, title = "table", "Table"

        def column(self) -> str:
            return self._word()

        def _word(self) -> str:
            return "two"

        def analyse(self, scores: Any, options: Any) -> Finding:
            return self.finding((), (), reading="")

    assert Table().column() == "two"
    with pytest.raises(TypeError, match=r"Below\.word"):

        class Below(Table):
            def word(self) -> str:
                return "three"


def test_that_a_port_knows_its_abilities_and_what_all_of_them_declare() -> None:
    assert {Comparer.__name__, "SortsNews"} <= {each.__name__ for each in abilities_of(Method)}
    assert HasVariants in abilities_of(Scorer)
    assert declared_by(TellsHowFar) == ("score_telling",)
    assert declared_by(Scorer)[:4] == ("name", "version", "title", "options")
