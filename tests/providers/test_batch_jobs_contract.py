"""What the batch jobs of every provider promise, asked of each against a server that plays its batch API over time."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import pytest

from gpf_desktop.domain.batch_jobs import JobOrder, JobReport, JobStage, LostJob, NotSubmitted
from gpf_desktop.domain.cells import Prompt
from gpf_desktop.domain.errors import ProviderError
from gpf_desktop.domain.models import Secret
from gpf_desktop.domain.ports.batch_jobs import BatchJobs
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Miss, Missing, Outcome, Reply
from gpf_desktop.domain.retries import NoRetry, Transient
from gpf_desktop.domain.wire import Send
from gpf_desktop.engine.core.catalogue import batch_jobs, providers
from gpf_desktop.engine.models.sending import Sender
from tests.support import http_server as http
from tests.support.batch_servers import BatchServer
from tests.support.provider_servers import KEY, MODEL
from tests.support.vendor_jobs import Course

T = TypeVar("T")
KEY_OF = Secret(KEY)


class Counter:
    """A provider's batch jobs in front of a strict server of its API."""

    def __init__(self, name: str) -> None:
        self.server = BatchServer(name)
        self.jobs: BatchJobs = batch_jobs()[name]
        self.endpoint = self.server.endpoint
        self.questions = {f"gpf7-{n}": self.question(f"Why is river {n} so high? Größe ✓") for n in range(6)}

    def question(self, words: str) -> Question:
        decoding = Decoding(temperature=0.2, max_tokens=77)
        prompt = Prompt(system="Be brief.", user=words)
        return Question(prompt=prompt, endpoint=self.endpoint, decoding=decoding, seed=17)

    def with_line(self, work: Callable[[Send], Awaitable[T]]) -> T:
        async def once() -> T:
            sender = Sender()
            try:
                return await work(sender.sending(100.0))
            finally:
                await sender.aclose()

        return asyncio.run(once())

    def submit(self, tag: str = "gpf7") -> JobReport | NotSubmitted:
        order = JobOrder(tag=tag, endpoint=self.endpoint, questions=list(self.questions.items()))
        return self.with_line(lambda send: self.jobs.submit(order, KEY_OF, send))

    def submitted(self) -> JobReport:
        report = self.submit()
        assert isinstance(report, JobReport), report
        return report

    def poll(self, report: JobReport) -> JobReport:
        found = self.with_line(lambda send: self.jobs.poll(report.vendor_id, self.endpoint, KEY_OF, send))
        assert isinstance(found, JobReport), found
        return found

    def find(self, tag: str = "gpf7", **further: object) -> JobReport | Miss | None:
        lost = LostJob(tag=tag, requests=6, since=datetime.now(UTC) - timedelta(minutes=1), **further)  # type: ignore[arg-type]
        return self.with_line(lambda send: self.jobs.find(lost, self.endpoint, KEY_OF, send))

    def collect(self, report: JobReport) -> dict[str, Outcome]:
        async def gather(send: Send) -> dict[str, Outcome]:
            answers = self.jobs.collect(report, self.endpoint, self.questions.get, KEY_OF, send)
            return {custom_id: outcome async for custom_id, outcome in answers}

        return self.with_line(gather)

    def ended(self) -> JobReport:
        """A job at its end."""
        report = self.submitted()
        self.server.advance(700.0)
        return self.poll(report)


@pytest.fixture(params=sorted(batch_jobs()))
def counter(request: pytest.FixtureRequest) -> Iterator[Counter]:
    made = Counter(request.param)
    with made.server:
        yield made


def test_that_batch_jobs_belong_to_a_provider_and_cost_less(counter: Counter) -> None:
    assert counter.jobs.name in providers()
    assert 0 < counter.jobs.discount < 1
    assert counter.jobs.most_requests >= 50_000
    assert counter.jobs.most_bytes >= 10_000_000


def test_that_the_three_providers_with_half_price_jobs_have_them() -> None:
    assert set(batch_jobs()) == {"anthropic", "gemini", "openai"}


def test_that_a_job_is_submitted_to_the_letter(counter: Counter) -> None:
    report = counter.submitted()
    assert counter.server.problems == []
    assert report.vendor_id
    assert (report.requests, report.done) == (6, 0)
    assert report.stage in {JobStage.QUEUED, JobStage.WORKING}
    assert [custom_id for custom_id, _ in counter.server.jobs[0].requests] == list(counter.questions)


def test_that_a_job_s_questions_are_those_that_would_be_asked_at_once(counter: Counter) -> None:
    counter.submitted()
    server = counter.server
    server.http.route(server.dialect.call_path, http.Reply.of_json(server.dialect.answer("Yes.")))
    provider, question = providers()[counter.jobs.name], counter.questions["gpf7-3"]
    counter.with_line(lambda send: provider.ask(question, KEY_OF, send))
    assert dict(server.jobs[0].requests)["gpf7-3"] == server.http.requests[-1].json()


def test_that_a_job_is_followed_to_its_end(counter: Counter) -> None:
    report = counter.submitted()
    counter.server.advance(360.0)
    half = counter.poll(report)
    assert (half.stage, half.requests, half.done) == (JobStage.WORKING, 6, 3)
    counter.server.advance(360.0)
    whole = counter.poll(report)
    assert (whole.stage, whole.requests, whole.done) == (JobStage.ENDED, 6, 6)


def test_that_every_answer_is_read_as_the_provider_reads_its_own(counter: Counter) -> None:
    answers = counter.collect(counter.ended())
    assert set(answers) == set(counter.questions)
    for number, (_, outcome) in enumerate(sorted(answers.items())):
        assert isinstance(outcome, Reply), outcome
        assert outcome.text == f"Answer {number} is about rivers and towns."
        assert (outcome.usage.prompt, outcome.usage.completion) == (11, 22)
        assert outcome.served.model == MODEL
        assert outcome.sent["temperature"] == 0.2


def test_that_answers_to_questions_nobody_asked_are_passed_over(counter: Counter) -> None:
    report = counter.ended()
    del counter.questions["gpf7-0"]
    assert len(counter.collect(report)) == 5


def test_that_a_failed_question_has_its_reason_and_the_others_their_answers(counter: Counter) -> None:
    counter.server.fails["river 2"] = (400, "The picture in it cannot be decoded.", "invalid_request_error")
    answers = counter.collect(counter.ended())
    failed = answers.pop("gpf7-2")
    assert isinstance(failed, Miss)
    assert failed.reason is Missing.HTTP_ERROR
    assert "cannot be decoded" in failed.detail
    assert isinstance(failed.retry, NoRetry)
    assert all(isinstance(outcome, Reply) for outcome in answers.values())


def test_that_a_refused_parameter_is_named(counter: Counter) -> None:
    words = "Unsupported parameter: 'temperature' is not supported with this model."
    counter.server.fails["river 2"] = (400, words, "invalid_request_error")
    failed = counter.collect(counter.ended())["gpf7-2"]
    assert isinstance(failed, Miss)
    assert failed.refused_parameter == "temperature"


def test_that_questions_an_expired_job_did_not_come_to_may_be_asked_again(counter: Counter) -> None:
    counter.server.course = Course(ends="expired", answered=0.5)
    report = counter.ended()
    assert report.stage is JobStage.ENDED
    answers = counter.collect(report)
    assert sum(isinstance(outcome, Reply) for outcome in answers.values()) == 3
    misses = [outcome for outcome in answers.values() if isinstance(outcome, Miss)]
    assert all(isinstance(miss.retry, Transient) for miss in misses)
    assert len(misses) in {0, 3}


def test_that_a_cancelled_job_keeps_what_was_answered(counter: Counter) -> None:
    report = counter.submitted()
    counter.server.advance(360.0)
    refused = counter.with_line(lambda send: counter.jobs.cancel(report.vendor_id, counter.endpoint, KEY_OF, send))
    assert refused is None
    ended = counter.poll(report)
    assert ended.stage is JobStage.ENDED
    answers = counter.collect(ended)
    assert sum(isinstance(outcome, Reply) for outcome in answers.values()) == 3
    rest = [outcome for outcome in answers.values() if isinstance(outcome, Miss)]
    assert {miss.reason for miss in rest} <= {Missing.NOT_RUN}


@pytest.mark.parametrize("name", ["gemini", "openai"])
def test_that_a_job_refused_as_a_whole_says_why(name: str) -> None:
    counter = Counter(name)
    with counter.server as server:
        server.course = Course(ends="failed")
        report = counter.ended()
    assert report.stage is JobStage.FAILED
    assert "The file is bad" in report.detail


def test_that_a_lost_job_is_found_among_all_there_are(counter: Counter) -> None:
    report = counter.submitted()
    counter.questions = {f"other-{n}": counter.question(str(n)) for n in range(4)}
    for number in range(5):
        counter.submit(tag=f"other{number}")
    found = counter.find()
    assert isinstance(found, JobReport)
    assert found.vendor_id == report.vendor_id


def test_that_a_job_that_was_never_made_is_not_found(counter: Counter) -> None:
    assert counter.find() is None
    counter.questions = {f"other-{n}": counter.question(str(n)) for n in range(4)}
    counter.submit(tag="other")
    assert counter.find() is None


def test_that_a_job_that_is_accounted_for_is_not_taken_for_a_lost_one(counter: Counter) -> None:
    report = counter.submitted()
    assert counter.find(tag="gpf8", known=(report.vendor_id,)) is None


def test_that_a_refusal_is_certain_and_in_the_server_s_words(counter: Counter) -> None:
    counter.endpoint = replace(counter.endpoint, model="some-model")
    counter.questions = {"bad id!": counter.question("Why?")}
    refused = counter.submit()
    assert isinstance(refused, NotSubmitted)
    assert refused.certain
    assert "bad id" in refused.miss.detail


def test_that_a_lost_reply_leaves_it_open_whether_the_job_was_taken(counter: Counter) -> None:
    counter.server.on_submit = http.Reply(mode=http.Mode.RESET)
    lost = counter.submit()
    assert isinstance(lost, NotSubmitted)
    assert not lost.certain
    assert isinstance(counter.find(), JobReport)


def test_that_the_key_is_in_no_address_and_in_no_body(counter: Counter) -> None:
    counter.collect(counter.ended())
    for request in counter.server.http.requests:
        assert KEY not in request.path + str(request.query)
        assert KEY.encode() not in request.body


def test_that_answers_that_cannot_be_had_raise_with_the_server_s_words(counter: Counter) -> None:
    report = counter.ended()
    counter.server.key = "another"
    with pytest.raises(ProviderError, match="not"):
        counter.collect(report)
