"""Sources added, fetched, taken away; articles sorted and chosen. Real HTTP on loopback, a real audit."""

import re
from collections.abc import Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from multiprocessing import active_children
from pathlib import Path

import pytest

from gpf_desktop.domain.articles import Article
from gpf_desktop.domain.errors import SourceError, StorageError, UnfitSourceError
from gpf_desktop.domain.events import (
    SourceFailed,
    SourceFetched,
    SourcesChanged,
    TaskCancelled,
    TaskFailed,
    TaskProgressed,
    TaskSucceeded,
)
from gpf_desktop.domain.ids import SourceId
from gpf_desktop.engine.collect.choosing import ArticleChoice
from gpf_desktop.engine.collect.source_health import Health, health_of
from gpf_desktop.engine.collect.source_service import SAMPLE, SourceService
from gpf_desktop.methods.gpf_livenews.strata import Stratum
from gpf_desktop.storage import batches
from tests.support.feeds import rss
from tests.support.http_server import LoopbackServer, Mode, Reply
from tests.support.open_context import OpenBench

pytestmark = pytest.mark.slow

NEUTRAL = (
    "Home team wins the cup final after extra time",
    "Storm closes coastal ferry for third day",
    "City orchestra opens season with new conductor",
)
RELEVANT = (
    "Immigration court backlog grows as asylum claims rise",
    "Workers vote on layoffs at car plant",
    "Refugees wait for housing benefits after deportation ruling",
)


@pytest.fixture
def open_bench(tmp_path: Path) -> Iterator[OpenBench]:
    with OpenBench(tmp_path) as opened:
        yield opened


@pytest.fixture
def service(open_bench: OpenBench) -> Iterator[SourceService]:
    made = SourceService(open_bench.context)
    yield made
    made.close()


def _add(service: SourceService, typed: str) -> list[SourceId]:
    found = service.detect(typed).result()
    return service.add(found.candidates, typed=typed).result()


def _listed(service: SourceService) -> list[Article]:
    return [line.article for line in service.lines(service.article_ids())]


def _feed(server: LoopbackServer, path: str, *headlines: str, **reply: object) -> str:
    server.route(path, Reply(body=rss(headlines or NEUTRAL, title=f"News of {path}"), **reply))  # type: ignore[arg-type]
    return server.url(path)


def test_that_a_pasted_address_is_detected_previewed_and_kept_with_its_items(
    service: SourceService, open_bench: OpenBench, http_server: LoopbackServer
) -> None:
    address = _feed(http_server, "/feed.xml", *NEUTRAL, *RELEVANT)
    found = service.detect(address).result()
    assert [item.headline for item in found.preview] == [*NEUTRAL, *RELEVANT][:5]
    assert service.sources() == []
    (source_id,) = service.add(found.candidates, typed=address).result()
    (row,) = service.sources()
    assert (row.id, row.target, row.title, row.kept) == (source_id, address, "News of /feed.xml", 6)
    assert health_of(row) is Health.WORKING
    assert [article.headline for article in _listed(service)] == [*NEUTRAL, *RELEVANT]
    assert open_bench.of(SourcesChanged) == [SourcesChanged(source_ids=(source_id,))]


def test_that_articles_are_sorted_by_the_rule_with_the_words_that_decided(
    service: SourceService, http_server: LoopbackServer
) -> None:
    _add(service, _feed(http_server, "/feed.xml", *NEUTRAL, *RELEVANT))
    by_stratum = {article.headline: article for article in _listed(service)}
    assert {by_stratum[headline].stratum for headline in NEUTRAL} == {Stratum.NEUTRAL}
    assert {by_stratum[headline].stratum for headline in RELEVANT} == {Stratum.RELEVANT}
    assert "layoffs" in by_stratum[RELEVANT[1]].matched
    counts = {count.stratum: (count.total, count.free) for count in service.counts()}
    assert counts == {Stratum.NEUTRAL: (3, 3), Stratum.RELEVANT: (3, 3)}


def test_that_the_next_fetch_is_conditional_and_304_keeps_what_is_held(
    service: SourceService, open_bench: OpenBench, http_server: LoopbackServer
) -> None:
    body = rss(NEUTRAL)

    def answer(request):  # type: ignore[no-untyped-def]
        if request.headers.get("if-none-match") == '"v1"':
            return Reply(status=304)
        return Reply(body=body, headers={"ETag": '"v1"'})

    http_server.route("/feed.xml", answer)
    _add(service, http_server.url("/feed.xml"))
    (first,) = service.fetch().result()
    (second,) = service.fetch().result()
    assert (first.unchanged, first.new, second.unchanged, second.kept) == (False, 0, True, 3)
    (row,) = service.sources()
    assert (row.etag, row.kept, health_of(row)) == ('"v1"', 3, Health.WORKING)
    assert [event.unchanged for event in open_bench.of(SourceFetched)] == [False, False, True]


def test_that_a_permanent_redirect_is_remembered_and_a_temporary_one_is_not(
    service: SourceService, http_server: LoopbackServer
) -> None:
    for path, status in (("/moved", 301), ("/away", 302)):
        http_server.route(path, Reply(status=status, headers={"Location": http_server.url(f"{path}/new")}))
        _feed(http_server, f"{path}/new", f"Headline number one at {path}", f"Another tale about {path} entirely")
    taken, _ = service.take([(http_server.url("/moved"), ""), (http_server.url("/away"), "")], 5)
    assert len(taken) == 4
    moved, away = service.sources()
    assert (moved.target, moved.address) == (http_server.url("/moved"), http_server.url("/moved/new"))
    assert away.address == http_server.url("/away")


def test_that_410_stops_a_source_until_it_is_asked_for_by_name(
    service: SourceService, open_bench: OpenBench, http_server: LoopbackServer
) -> None:
    http_server.route("/feed.xml", [Reply(body=rss(NEUTRAL)), Reply(status=410), Reply(body=rss(NEUTRAL))])
    (source_id,) = _add(service, http_server.url("/feed.xml"))
    (outcome,) = service.fetch().result()
    assert "410" in outcome.error
    assert health_of(service.sources()[0]) is Health.GONE
    assert service.fetch().result() == []
    assert len(http_server.requests) == 2
    (again,) = service.fetch([source_id]).result()
    assert (again.error, health_of(service.sources()[0])) == ("", Health.WORKING)


def test_that_one_bad_source_stops_no_other_and_its_error_is_in_words(
    service: SourceService, open_bench: OpenBench, http_server: LoopbackServer
) -> None:
    http_server.route("/broken", [Reply(body=rss(["Fine at first, says everyone"])), Reply(status=500)])
    http_server.route("/page", [Reply(body=rss(["A feed becomes a web page"])), Reply(body="<html>Sorry</html>")])
    ids = [_add(service, http_server.url(path))[0] for path in ("/broken", "/page")]
    ids += _add(service, _feed(http_server, "/good", *RELEVANT))
    open_bench.events.clear()
    service.fetch().result()
    health = {row.id: health_of(row) for row in service.sources()}
    assert [health[each] for each in ids] == [Health.FAILING, Health.FAILING, Health.WORKING]
    errors = {event.source_id: event.error for event in open_bench.of(SourceFailed)}
    assert "HTTP 500" in errors[ids[0]]
    assert "web page" in errors[ids[1]]
    assert [event.source_id for event in open_bench.of(SourceFetched)] == [ids[2]]
    (done,) = open_bench.of(TaskSucceeded)
    assert done.sentence == "0 new articles from 3 sources; 2 sources failed."
    assert [event.done for event in open_bench.of(TaskProgressed)] == [0, 1, 2, 3]


def test_that_a_slow_source_holds_up_no_other_and_cancelling_ends_it(
    service: SourceService, open_bench: OpenBench, http_server: LoopbackServer
) -> None:
    http_server.route("/slow", [Reply(body=rss(["The slow one, when it was quick"])), Reply(mode=Mode.HANG)])
    _add(service, http_server.url("/slow"))
    (quick,) = _add(service, _feed(http_server, "/quick", *RELEVANT))
    open_bench.events.clear()
    fetching = service.fetch()
    http_server.wait_for_requests(4)
    open_bench.wait_for(SourceFetched)
    fetching.cancel()
    with pytest.raises(CancelledError):
        fetching.result()
    open_bench.context.loop.submit(_turn()).result()
    assert [event.source_id for event in open_bench.of(SourceFetched)] == [quick]
    assert len(open_bench.of(TaskCancelled)) == 1
    assert open_bench.of(SourceFailed) == []


async def _turn() -> None:
    """Lets the loop finish what cancelling started."""
    import asyncio

    for _ in range(20):
        await asyncio.sleep(0)


def test_that_a_removed_source_takes_its_articles_off_the_list_and_brings_them_back(
    service: SourceService, http_server: LoopbackServer
) -> None:
    ids = _add(service, _feed(http_server, "/feed.xml"))
    service.remove(ids).result()
    assert (service.sources(), _listed(service)) == ([], [])
    service.restore(ids).result()
    assert [row.id for row in service.sources()] == ids
    assert len(_listed(service)) == 3


def test_that_pasted_text_is_kept_once_and_never_fetched(service: SourceService, open_bench: OpenBench) -> None:
    text = "Council approves new bus lanes\nThe plan cuts journey times.\n\nStorm closes ferry\nForecasters warn."
    first, second = _add(service, text), _add(service, text)
    assert first == second
    (row,) = service.sources()
    assert health_of(row) is Health.TEXT
    assert len(_listed(service)) == 2
    assert service.fetch().result() == []


def test_that_a_file_is_read_again_when_fetched(service: SourceService, tmp_path: Path) -> None:
    file = tmp_path / "export.csv"
    file.write_text("headline,description\nBridge repairs start on Monday,Traffic is led round.\n")
    (source_id,) = _add(service, str(file))
    assert service.sources()[0].target == str(file)
    with file.open("a") as more:
        more.write("Library opens on Sundays from spring,Four branches take part.\n")
    (outcome,) = service.fetch([source_id]).result()
    assert (outcome.new, outcome.kept) == (1, 2)
    file.unlink()
    (missing,) = service.fetch().result()
    assert str(file)[:20] in missing.error


def test_that_the_sample_news_are_synthetic_and_name_no_place_on_this_machine(service: SourceService) -> None:
    (source_id,) = service.add_sample().result()
    (row,) = service.sources()
    assert (row.id, row.target, row.synthetic) == (source_id, SAMPLE, True)
    listed = _listed(service)
    assert len(listed) >= 12
    assert all(article.synthetic for article in listed)


def test_that_what_is_no_source_says_so(service: SourceService, http_server: LoopbackServer) -> None:
    with pytest.raises(SourceError, match="HTTP 404"):
        service.detect(http_server.url("/nothing")).result()


def test_that_the_auditor_s_stratum_is_kept_and_can_be_taken_back(
    service: SourceService, http_server: LoopbackServer
) -> None:
    _add(service, _feed(http_server, "/feed.xml", *NEUTRAL))
    newest = _listed(service)[0]
    before = service.set_stratum([newest.id], Stratum.RELEVANT).result()
    changed = _listed(service)[0]
    assert (changed.stratum, changed.stratum_by_auditor) == (Stratum.RELEVANT, True)
    after = service.restore_strata(before).result()
    assert _listed(service)[0] == newest
    service.restore_strata(after).result()
    assert _listed(service)[0] == changed


def test_that_a_batch_is_chosen_by_stratum_newest_first_and_says_what_is_lacking(
    service: SourceService, http_server: LoopbackServer
) -> None:
    _add(service, _feed(http_server, "/feed.xml", *NEUTRAL, *RELEVANT))
    chosen = service.preview(ArticleChoice(by_stratum={Stratum.NEUTRAL: 2, Stratum.RELEVANT: 5}))
    assert [article.headline for article in chosen.articles] == [*NEUTRAL[:2], *RELEVANT]
    assert chosen.lacking == {Stratum.RELEVANT: 2}


def test_that_a_batch_takes_so_many_of_each_source_and_none_used_before(
    service: SourceService, open_bench: OpenBench, http_server: LoopbackServer
) -> None:
    for path, headlines in (("/a", NEUTRAL), ("/b", RELEVANT)):
        _add(service, _feed(http_server, path, *headlines))
    first = service.preview(ArticleChoice(per_source=1))
    assert {article.headline for article in first.articles} == {NEUTRAL[0], RELEVANT[0]}
    open_bench.context.audit.write(lambda c: batches.create(c, "batch", first.ids)).result()
    second = service.preview(ArticleChoice(per_source=2))
    assert {article.headline for article in second.articles} == {*NEUTRAL[1:], *RELEVANT[1:]}
    only = service.preview(ArticleChoice(per_source=9, source_ids=(service.sources()[0].id,)))
    assert {article.headline for article in only.articles} == set(NEUTRAL[1:])


def test_that_one_report_of_each_event_is_chosen_and_the_others_are_shown_beside_it(
    service: SourceService, http_server: LoopbackServer
) -> None:
    _add(service, _feed(http_server, "/a", NEUTRAL[0]))
    again = rss([NEUTRAL[0].upper()], host="other.example")
    http_server.route("/b", Reply(body=again))
    _add(service, http_server.url("/b"))
    chosen = service.preview(ArticleChoice(per_source=1))
    assert (len(chosen.articles), chosen.near_duplicates) == (1, 1)
    one, other = service.lines(service.article_ids())
    assert (one.near, other.near) == ((other.article,), (one.article,))


@pytest.mark.parametrize("later", ["/a", "/b"])
def test_that_of_two_reports_without_a_time_the_first_source_s_is_asked_whichever_answered_first(
    service: SourceService, open_bench: OpenBench, http_server: LoopbackServer, later: str
) -> None:
    gate = http_server.gate()
    for path, says in (("/a", NEUTRAL[0]), ("/b", NEUTRAL[0].upper())):
        feed = re.sub("<pubDate>.*?</pubDate>", "", rss([says, *NEUTRAL[1:]], host=f"{path[1:]}.example"))
        http_server.route(path, Reply(body=feed, gate=gate if path == later else None))
    with ThreadPoolExecutor(1) as beside:
        taking = beside.submit(service.take, [(http_server.url("/a"), "A"), (http_server.url("/b"), "B")], 1)
        open_bench.wait_for(SourceFetched)
        gate.open()
        taken, _ = taking.result()
    assert [line.article.headline for line in service.lines(taken)] == list(NEUTRAL[:2])


def test_that_a_headless_round_takes_new_articles_until_there_are_none(
    service: SourceService, open_bench: OpenBench, http_server: LoopbackServer
) -> None:
    target = (_feed(http_server, "/feed.xml", *NEUTRAL), "Wire")
    rounds = []
    for _ in range(3):
        taken, notes = service.take([target], 2)
        rounds.append((len(taken), notes))
        open_bench.context.audit.write(lambda c, ids=taken: batches.create(c, "batch", ids)).result()
    assert rounds == [(2, ()), (1, ()), (0, ())]
    assert service.sources()[0].title == "Wire"


def test_that_a_headless_round_goes_on_beside_a_failed_source_but_not_with_failures_alone(
    service: SourceService, http_server: LoopbackServer
) -> None:
    good, bad = (_feed(http_server, "/feed.xml", *NEUTRAL), ""), (http_server.url("/gone"), "")
    taken, (note,) = service.take([good, bad], 2)
    assert len(taken) == 2
    assert "HTTP 404" in note
    with pytest.raises(SourceError, match="HTTP 404"):
        service.take([bad], 2)


@pytest.mark.parametrize(
    "page", ["<html><title>Back soon</title><p>We work on the site.</p></html>", "Maintenance", "{}"]
)
def test_that_what_a_known_source_sends_once_passes_and_is_unfit_of_a_new_one(
    service: SourceService, open_bench: OpenBench, http_server: LoopbackServer, page: str
) -> None:
    address = _feed(http_server, "/known.xml")
    taken, _ = service.take([(address, "")], 3)
    open_bench.context.audit.write(lambda c: batches.create(c, "batch", taken)).result()
    http_server.route("/known.xml", Reply(body=page, headers={"Content-Type": "text/html"}))
    http_server.route("/new.xml", Reply(body=page, headers={"Content-Type": "text/html"}))
    with pytest.raises(SourceError, match="It gave articles before") as passing:
        service.take([(address, "")], 3)
    assert not isinstance(passing.value, UnfitSourceError)
    with pytest.raises(UnfitSourceError):
        service.take([(http_server.url("/new.xml"), "")], 3)


def test_that_a_file_that_was_read_before_and_is_no_news_now_is_unfit(
    service: SourceService, open_bench: OpenBench, tmp_path: Path
) -> None:
    file = tmp_path / "news.xml"
    file.write_text(rss(NEUTRAL), encoding="utf-8")
    taken, _ = service.take([(str(file), "")], 3)
    open_bench.context.audit.write(lambda c: batches.create(c, "batch", taken)).result()
    file.write_text("<html><p>no news</p></html>", encoding="utf-8")
    with pytest.raises(UnfitSourceError):
        service.take([(str(file), "")], 3)


def test_that_a_full_disk_ends_the_fetch_with_its_own_error(
    service: SourceService, open_bench: OpenBench, http_server: LoopbackServer
) -> None:
    many = [f"Headline number {n} about a different matter {n * 7}" for n in range(400)]
    http_server.route("/feed.xml", [Reply(body=rss(NEUTRAL)), Reply(body=rss(many))])
    _add(service, http_server.url("/feed.xml"))

    def limit(connection):  # type: ignore[no-untyped-def]
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 2}")

    open_bench.context.audit.write(limit).result()
    with pytest.raises(StorageError, match="full"):
        service.fetch().result()
    assert len(open_bench.of(TaskFailed)) == 1
    assert len(_listed(service)) == 3


def test_that_a_large_feed_is_read_in_another_process_which_ends_with_the_desk(
    service: SourceService, http_server: LoopbackServer
) -> None:
    many = [f"Headline number {n} about a different matter {n * 7}" for n in range(1500)]
    address = _feed(http_server, "/large.xml", *many)
    before = set(active_children())
    _add(service, address)
    workers = set(active_children()) - before
    assert len(workers) == 1
    assert len(_listed(service)) == 1500
    service.close()
    assert not any(worker.is_alive() for worker in workers)


def test_that_a_worker_that_died_costs_one_document_at_most(
    service: SourceService, http_server: LoopbackServer
) -> None:
    many = [f"Headline number {n} about a different matter {n * 7}" for n in range(1500)]
    address = _feed(http_server, "/large.xml", *many)
    before = set(active_children())
    _add(service, address)
    for worker in set(active_children()) - before:
        worker.kill()
        worker.join()
    outcomes = [service.fetch().result()[0] for _ in range(2)]
    assert outcomes[-1].error == ""
    assert outcomes[-1].kept == 1500


def test_that_closing_ends_a_fetch_under_way_and_what_came_before_stays(
    service: SourceService, open_bench: OpenBench, http_server: LoopbackServer
) -> None:
    http_server.route("/slow", [Reply(body=rss(["The slow one, when it was quick"])), Reply(mode=Mode.HANG)])
    _add(service, http_server.url("/slow"))
    fetching = service.fetch()
    http_server.wait_for_requests(2)
    service.close()
    assert fetching.cancelled()
    assert len(_listed(service)) == 1
    assert health_of(service.sources()[0]) is Health.WORKING
