"""What was pressed on one form and comes in late is not done to the next."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace

import pytest

from gpf_desktop.domain.model_tests import ModelTest
from gpf_desktop.engine.models.model_service import ModelService
from gpf_desktop.ui.models.models_page import ModelsPage
from gpf_desktop.ui.models.models_view_model import ModelsView
from tests.support.openai_server import OpenAIServer
from tests.ui.models.form import KEY, start


def test_that_nothing_pressed_on_a_form_that_was_left_is_done_to_the_next(
    page: ModelsPage, settle: Callable[[], None], locked: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def next_form() -> None:
        editing.start(editing.provider)
        editing.change(base_url=locked.base_url, model="half a na")

    editing = page.editing
    start(page, locked.base_url, "small")
    editing.save()
    next_form()
    settle()
    assert page.model.place is ModelsView.EDITOR, "it was being typed in"
    assert [row.model.endpoint.model for row in page.model.rows] == ["small"]

    editing.save(KEY)
    editing.cancel()
    editing.edit(page.model.rows[0])
    editing.change(vendor="Somebody")
    settle()
    (kept,) = page.model.rows
    assert (kept.model.endpoint.model, kept.model.endpoint.vendor) == ("small", ""), "nobody saved that"
    assert page.model.place is ModelsView.EDITOR

    held = Future[ModelTest]()
    monkeypatch.setattr(ModelService, "test", lambda *_, **__: held)
    next_form()
    editing.run_test()
    next_form()
    held.set_result(replace(ModelTest(), wait=30))
    settle()
    assert (editing.wait, editing.test_words) == (0, "Test")
