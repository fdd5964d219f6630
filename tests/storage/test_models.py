"""What models are called, so that no table takes two of them for one."""

import pytest

from gpf_desktop.domain.models import Endpoint, labels
from gpf_desktop.storage import models
from gpf_desktop.storage.audit_file import AuditFile

HERE, THERE = "http://127.0.0.1:8080/v1", "http://127.0.0.1:9090/v1"


@pytest.mark.parametrize(
    ("addresses", "called"),
    [
        ([HERE], ["p/llama"]),
        (["", HERE], ["p/llama", "p/llama (127.0.0.1:8080)"]),
        ([HERE, THERE], ["p/llama (127.0.0.1:8080)", "p/llama (127.0.0.1:9090)"]),
        (
            ["http://a.example/v1", "http://a.example/two/v1", "http://name:word@b.example/v1"],
            ["p/llama (a.example v1)", "p/llama (a.example two v1)", "p/llama (b.example)"],
        ),
    ],
)
def test_that_a_label_holds_as_much_of_the_address_as_tells_models_apart(
    addresses: list[str], called: list[str]
) -> None:
    assert list(labels("p/llama", addresses).items()) == list(zip(addresses, called, strict=True))


def test_that_two_models_of_one_name_are_called_by_their_hosts_everywhere(audit: AuditFile) -> None:
    def keep(address: str) -> str:
        endpoint = Endpoint(provider="openai-compatible", model="llama", base_url=address)
        return audit.write(lambda c: models.get(c, models.keep(c, endpoint, synthetic=False)).label).result()

    assert keep(HERE) == "openai-compatible/llama"
    assert keep(THERE) == "openai-compatible/llama (127.0.0.1:9090)"
    assert keep(HERE) == "openai-compatible/llama (127.0.0.1:8080)"
    every = audit.read(models.every)
    assert len({model.label for model in every}) == 2
    assert {model.endpoint.label for model in every} == {"openai-compatible/llama"}
