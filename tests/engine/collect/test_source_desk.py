"""Sources added, fetched, taken away; articles sorted and chosen. Real HTTP on loopback, a real audit."""

from collections.abc import Iterator
from concurrent.futures import CancelledError
from multiprocessing import active_children
from pathlib import Path

import pytest

from gpf_desktop.domain.articles import Article, Stratum
from gpf_desktop.domain.errors import SourceError, StorageError
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
from gpf_desktop.engine.collect.choosing import Choice
from gpf_desktop.engine.collect.source_desk import SAMPLE, SourceDesk
from gpf_desktop.engine.collect.source_health import Health, health_of
from gpf_desktop.storage import batches
from tests.support.feeds import rss
from tests.support.http_server import LoopbackServer, Mode, Reply
from tests.support.open_bench import OpenBench

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
def desk(open_bench: OpenBench) -> Iterator[SourceDesk]:
    made = SourceDesk(open_bench.bench)
    yield made
    made.close()


def _add(desk: SourceDesk, typed: str) -> list[SourceId]:
    found = desk.detect(typed).result()
    return desk.add(found.candidates, typed=typed).result()


def _listed(desk: SourceDesk) -> list[Article]:
    return [line.article for line in desk.lines(desk.article_ids())]


def _feed(server: LoopbackServer, path: str, *headlines: str, **reply: object) -> str:
    server.route(path, Reply(body=rss(headlines or NEUTRAL, title=f"News of {path}"), **reply))  # type: ignore[arg-type]
    return server.url(path)


def test_that_a_pasted_address_is_detected_previewed_and_kept_with_its_items(
    desk: SourceDesk, open_bench: OpenBench, http_server: LoopbackServer
) -> None:
    address = _feed(http_server, "/feed.xml", *NEUTRAL, *RELEVANT)
    found = desk.detect(address).result()
    assert [item.headline for item in found.preview] == [*NEUTRAL, *RELEVANT][:5]
    assert desk.sources() == []
    (source_id,) = desk.add(found.candidates, typed=address).result()
    (row,) = desk.sources()
    assert (row.id, row.target, row.title, row.kept) == (source_id, address, "News of /feed.xml", 6)
    assert health_of(row) is Health.WORKING
    assert [article.headline for article in _listed(desk)] == [*NEUTRAL, *RELEVANT]
    assert open_bench.of(SourcesChanged) == [SourcesChanged(source_ids=(source_id,))]


def test_that_articles_are_sorted_by_the_rule_with_the_words_that_decided(
    desk: SourceDesk, http_server: LoopbackServer
) -> None:
    _add(desk, _feed(http_server, "/feed.xml", *NEUTRAL, *RELEVANT))
    by_stratum = {article.headline: article for article in _listed(desk)}
    assert {by_stratum[headline].stratum for headline in NEUTRAL} == {Stratum.NEUTRAL}
    assert {by_stratum[headline].stratum for headline in RELEVANT} == {Stratum.RELEVANT}
    assert "layoffs" in by_stratum[RELEVANT[1]].matched
    counts = {count.stratum: (count.total, count.free) for count in desk.counts()}
    assert counts == {Stratum.NEUTRAL: (3, 3), Stratum.RELEVANT: (3, 3)}


def test_that_the_next_fetch_is_conditional_and_304_keeps_what_is_held(
    desk: SourceDesk, open_bench: OpenBench, http_server: LoopbackServer
) -> None:
    body = rss(NEUTRAL)

    def answer(request):  # type: ignore[no-untyped-def]
        if request.headers.get("if-none-match") == '"v1"':
            return Reply(status=304)
        return Reply(body=body, headers={"ETag": '"v1"'})

    http_server.route("/feed.xml", answer)
    _add(desk, http_server.url("/feed.xml"))
    (first,) = desk.fetch().result()
    (second,) = desk.fetch().result()
    assert (first.unchanged, first.new, second.unchanged, second.kept) == (False, 0, True, 3)
    (row,) = desk.sources()
    assert (row.etag, row.kept, health_of(row)) == ('"v1"', 3, Health.WORKING)
    assert [event.unchanged for event in open_bench.of(SourceFetched)] == [False, False, True]


def test_that_a_permanent_redirect_is_remembered_and_a_temporary_one_is_not(
    desk: SourceDesk, http_server: LoopbackServer
) -> None:
    for path, status in (("/moved", 301), ("/away", 302)):
        http_server.route(path, Reply(status=status, headers={"Location": http_server.url(f"{path}/new")}))
        _feed(http_server, f"{path}/new", f"Headline number one at {path}", f"Another tale about {path} entirely")
    taken, _ = desk.take([(http_server.url("/moved"), ""), (http_server.url("/away"), "")], 5)
    assert len(taken) == 4
    moved, away = desk.sources()
    assert (moved.target, moved.address) == (http_server.url("/moved"), http_server.url("/moved/new"))
    assert away.address == http_server.url("/away")


def test_that_410_stops_a_source_until_it_is_asked_for_by_name(
    desk: SourceDesk, open_bench: OpenBench, http_server: LoopbackServer
) -> None:
    http_server.route("/feed.xml", [Reply(body=rss(NEUTRAL)), Reply(status=410), Reply(body=rss(NEUTRAL))])
    (source_id,) = _add(desk, http_server.url("/feed.xml"))
    (outcome,) = desk.fetch().result()
    assert "410" in outcome.error
    assert health_of(desk.sources()[0]) is Health.GONE
    assert desk.fetch().result() == []
    assert len(http_server.requests) == 2
    (again,) = desk.fetch([source_id]).result()
    assert (again.error, health_of(desk.sources()[0])) == ("", Health.WORKING)


def test_that_one_bad_source_stops_no_other_and_its_error_is_in_words(
    desk: SourceDesk, open_bench: OpenBench, http_server: LoopbackServer
) -> None:
    http_server.route("/broken", [Reply(body=rss(["Fine at first, says everyone"])), Reply(status=500)])
    http_server.route("/page", [Reply(body=rss(["A feed becomes a web page"])), Reply(body="<html>Sorry</html>")])
    ids = [_add(desk, http_server.url(path))[0] for path in ("/broken", "/page")]
    ids += _add(desk, _feed(http_server, "/good", *RELEVANT))
    open_bench.events.clear()
    desk.fetch().result()
    health = {row.id: health_of(row) for row in desk.sources()}
    assert [health[each] for each in ids] == [Health.FAILING, Health.FAILING, Health.WORKING]
    errors = {event.source_id: event.error for event in open_bench.of(SourceFailed)}
    assert "HTTP 500" in errors[ids[0]]
    assert "web page" in errors[ids[1]]
    assert [event.source_id for event in open_bench.of(SourceFetched)] == [ids[2]]
    (done,) = open_bench.of(TaskSucceeded)
    assert done.sentence == "0 new articles from 3 sources; 2 sources failed."
    assert [event.done for event in open_bench.of(TaskProgressed)] == [0, 1, 2, 3]


def test_that_a_slow_source_holds_up_no_other_and_cancelling_ends_it(
    desk: SourceDesk, open_bench: OpenBench, http_server: LoopbackServer
) -> None:
    http_server.route("/slow", [Reply(body=rss(["The slow one, when it was quick"])), Reply(mode=Mode.HANG)])
    _add(desk, http_server.url("/slow"))
    (quick,) = _add(desk, _feed(http_server, "/quick", *RELEVANT))
    open_bench.events.clear()
    fetching = desk.fetch()
    http_server.wait_for_requests(4)
    open_bench.wait_for(SourceFetched)
    fetching.cancel()
    with pytest.raises(CancelledError):
        fetching.result()
    open_bench.bench.loop.submit(_turn()).result()
    assert [event.source_id for event in open_bench.of(SourceFetched)] == [quick]
    assert len(open_bench.of(TaskCancelled)) == 1
    assert open_bench.of(SourceFailed) == []


async def _turn() -> None:
    """Lets the loop finish what cancelling started."""
    import asyncio

    for _ in range(20):
        await asyncio.sleep(0)


def test_that_a_removed_source_takes_its_articles_off_the_list_and_brings_them_back(
    desk: SourceDesk, http_server: LoopbackServer
) -> None:
    ids = _add(desk, _feed(http_server, "/feed.xml"))
    desk.remove(ids).result()
    assert (desk.sources(), _listed(desk)) == ([], [])
    desk.restore(ids).result()
    assert [row.id for row in desk.sources()] == ids
    assert len(_listed(desk)) == 3


def test_that_pasted_text_is_kept_once_and_never_fetched(desk: SourceDesk, open_bench: OpenBench) -> None:
    text = "Council approves new bus lanes\nThe plan cuts journey times.\n\nStorm closes ferry\nForecasters warn."
    first, second = _add(desk, text), _add(desk, text)
    assert first == second
    (row,) = desk.sources()
    assert health_of(row) is Health.TEXT
    assert len(_listed(desk)) == 2
    assert desk.fetch().result() == []


def test_that_a_file_is_read_again_when_fetched(desk: SourceDesk, tmp_path: Path) -> None:
    file = tmp_path / "export.csv"
    file.write_text("headline,description\nBridge repairs start on Monday,Traffic is led round.\n")
    (source_id,) = _add(desk, str(file))
    assert desk.sources()[0].target == str(file)
    with file.open("a") as more:
        more.write("Library opens on Sundays from spring,Four branches take part.\n")
    (outcome,) = desk.fetch([source_id]).result()
    assert (outcome.new, outcome.kept) == (1, 2)
    file.unlink()
    (missing,) = desk.fetch().result()
    assert str(file)[:20] in missing.error


def test_that_the_sample_news_are_synthetic_and_name_no_place_on_this_machine(desk: SourceDesk) -> None:
    (source_id,) = desk.add_sample().result()
    (row,) = desk.sources()
    assert (row.id, row.target, row.synthetic) == (source_id, SAMPLE, True)
    listed = _listed(desk)
    assert len(listed) >= 12
    assert all(article.synthetic for article in listed)


def test_that_what_is_no_source_says_so(desk: SourceDesk, http_server: LoopbackServer) -> None:
    with pytest.raises(SourceError, match="HTTP 404"):
        desk.detect(http_server.url("/nothing")).result()


def test_that_the_auditor_s_stratum_is_kept_and_can_be_taken_back(
    desk: SourceDesk, http_server: LoopbackServer
) -> None:
    _add(desk, _feed(http_server, "/feed.xml", *NEUTRAL))
    newest = _listed(desk)[0]
    before = desk.set_stratum([newest.id], Stratum.RELEVANT).result()
    changed = _listed(desk)[0]
    assert (changed.stratum, changed.stratum_by_auditor) == (Stratum.RELEVANT, True)
    after = desk.restore_strata(before).result()
    assert _listed(desk)[0] == newest
    desk.restore_strata(after).result()
    assert _listed(desk)[0] == changed


def test_that_a_batch_is_chosen_by_stratum_newest_first_and_says_what_is_lacking(
    desk: SourceDesk, http_server: LoopbackServer
) -> None:
    _add(desk, _feed(http_server, "/feed.xml", *NEUTRAL, *RELEVANT))
    chosen = desk.preview(Choice(by_stratum={Stratum.NEUTRAL: 2, Stratum.RELEVANT: 5}))
    assert [article.headline for article in chosen.articles] == [*NEUTRAL[:2], *RELEVANT]
    assert chosen.lacking == {Stratum.RELEVANT: 2}


def test_that_a_batch_takes_so_many_of_each_source_and_none_used_before(
    desk: SourceDesk, open_bench: OpenBench, http_server: LoopbackServer
) -> None:
    for path, headlines in (("/a", NEUTRAL), ("/b", RELEVANT)):
        _add(desk, _feed(http_server, path, *headlines))
    first = desk.preview(Choice(per_source=1))
    assert {article.headline for article in first.articles} == {NEUTRAL[0], RELEVANT[0]}
    open_bench.bench.audit.write(lambda c: batches.create(c, "batch", first.ids)).result()
    second = desk.preview(Choice(per_source=2))
    assert {article.headline for article in second.articles} == {*NEUTRAL[1:], *RELEVANT[1:]}
    only = desk.preview(Choice(per_source=9, source_ids=(desk.sources()[0].id,)))
    assert {article.headline for article in only.articles} == set(NEUTRAL[1:])


def test_that_one_report_of_each_event_is_chosen_and_the_others_are_shown_beside_it(
    desk: SourceDesk, http_server: LoopbackServer
) -> None:
    _add(desk, _feed(http_server, "/a", NEUTRAL[0]))
    again = rss([NEUTRAL[0].upper()], host="other.example")
    http_server.route("/b", Reply(body=again))
    _add(desk, http_server.url("/b"))
    chosen = desk.preview(Choice(per_source=1))
    assert (len(chosen.articles), chosen.near_duplicates) == (1, 1)
    one, other = desk.lines(desk.article_ids())
    assert (one.near, other.near) == ((other.article,), (one.article,))


def test_that_a_headless_round_takes_new_articles_until_there_are_none(
    desk: SourceDesk, open_bench: OpenBench, http_server: LoopbackServer
) -> None:
    target = (_feed(http_server, "/feed.xml", *NEUTRAL), "Wire")
    rounds = []
    for _ in range(3):
        taken, notes = desk.take([target], 2)
        rounds.append((len(taken), notes))
        open_bench.bench.audit.write(lambda c, ids=taken: batches.create(c, "batch", ids)).result()
    assert rounds == [(2, ()), (1, ()), (0, ())]
    assert desk.sources()[0].title == "Wire"


def test_that_a_headless_round_goes_on_beside_a_failed_source_but_not_with_failures_alone(
    desk: SourceDesk, http_server: LoopbackServer
) -> None:
    good, bad = (_feed(http_server, "/feed.xml", *NEUTRAL), ""), (http_server.url("/gone"), "")
    taken, (note,) = desk.take([good, bad], 2)
    assert len(taken) == 2
    assert "HTTP 404" in note
    with pytest.raises(SourceError, match="HTTP 404"):
        desk.take([bad], 2)


def test_that_a_full_disk_ends_the_fetch_with_its_own_error(
    desk: SourceDesk, open_bench: OpenBench, http_server: LoopbackServer
) -> None:
    many = [f"Headline number {n} about a different matter {n * 7}" for n in range(400)]
    http_server.route("/feed.xml", [Reply(body=rss(NEUTRAL)), Reply(body=rss(many))])
    _add(desk, http_server.url("/feed.xml"))

    def limit(connection):  # type: ignore[no-untyped-def]
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 2}")

    open_bench.bench.audit.write(limit).result()
    with pytest.raises(StorageError, match="full"):
        desk.fetch().result()
    assert len(open_bench.of(TaskFailed)) == 1
    assert len(_listed(desk)) == 3


def test_that_a_large_feed_is_read_in_another_process_which_ends_with_the_desk(
    desk: SourceDesk, http_server: LoopbackServer
) -> None:
    many = [f"Headline number {n} about a different matter {n * 7}" for n in range(1500)]
    address = _feed(http_server, "/large.xml", *many)
    before = set(active_children())
    _add(desk, address)
    workers = set(active_children()) - before
    assert len(workers) == 1
    assert len(_listed(desk)) == 1500
    desk.close()
    assert not any(worker.is_alive() for worker in workers)


def test_that_a_worker_that_died_costs_one_document_at_most(desk: SourceDesk, http_server: LoopbackServer) -> None:
    many = [f"Headline number {n} about a different matter {n * 7}" for n in range(1500)]
    address = _feed(http_server, "/large.xml", *many)
    before = set(active_children())
    _add(desk, address)
    for worker in set(active_children()) - before:
        worker.kill()
        worker.join()
    outcomes = [desk.fetch().result()[0] for _ in range(2)]
    assert outcomes[-1].error == ""
    assert outcomes[-1].kept == 1500


def test_that_closing_ends_a_fetch_under_way_and_what_came_before_stays(
    desk: SourceDesk, open_bench: OpenBench, http_server: LoopbackServer
) -> None:
    http_server.route("/slow", [Reply(body=rss(["The slow one, when it was quick"])), Reply(mode=Mode.HANG)])
    _add(desk, http_server.url("/slow"))
    fetching = desk.fetch()
    http_server.wait_for_requests(2)
    desk.close()
    assert fetching.cancelled()
    assert len(_listed(desk)) == 1
    assert health_of(desk.sources()[0]) is Health.WORKING
