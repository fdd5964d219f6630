import gc
from contextlib import ExitStack

from gpf_desktop.engine.core.gc_pause import gc_paused


def test_that_a_pause_goes_on_where_another_that_began_in_it_ends_later() -> None:
    first, second = ExitStack(), ExitStack()
    first.enter_context(gc_paused())
    second.enter_context(gc_paused())
    first.close()
    assert not gc.isenabled()
    second.close()
    assert gc.isenabled()


def test_that_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with gc_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
