"""Tables that are made once, and anew where what they rest on has changed."""

from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from tests.support.filled_audit import fill


def test_that_a_table_is_made_once_until_scores_are_forgotten(tmp_path):
    engine = Engine(lambda _event: None)
    results = engine.create(tmp_path / "a.gpf", title="News").results
    fill(engine.open_audit.context.audit, items=1, repeats=1, families=("Impact",), models_asked=("neutral",))

    def rows(**wanted):
        return results.findings(ResultsFilter(**wanted), ["model_table"])["model_table"].rows

    made = rows()
    assert made, "there is something to tell"
    assert rows() is made, "typing a report, or turning from Results to it, makes no table anew"
    assert rows(skewed=True) is not made
    assert rows(models=frozenset({"calibration/leaky"})) == ()
    assert rows() is made
    results.forget()
    assert rows() is not made
    engine.close()
