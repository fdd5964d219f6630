"""Facts about what was run and with what: the lines by which somebody else could run it again."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from gpf_desktop.domain.items import ARTICLE
from gpf_desktop.domain.models import IMPORTED, TargetModel
from gpf_desktop.domain.ports.method_abilities import SortsNews
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.report_blocks import ReportFact
from gpf_desktop.domain.runs import Run
from gpf_desktop.domain.served import versions
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.protocols import frozen_protocol
from gpf_desktop.engine.reporting.filtered_tables import in_window
from gpf_desktop.engine.reporting.results_filter import ResultsFilter, ScoreScope
from gpf_desktop.engine.reporting.scope_words import made_by
from gpf_desktop.storage import batches, models, protocols, runs, served
from gpf_desktop.storage.audits import AuditFacts
from gpf_desktop.storage.provenance import AuditProvenance, provenance
from gpf_desktop.storage.run_stamps import run_stamps
from gpf_desktop.storage.writer import Connection

_LISTED_MODELS = 40


def facts(
    context: EngineContext, audit: AuditFacts, scope: ScoreScope, wanted: ResultsFilter
) -> tuple[ReportFact, ...]:
    """Audit, runs, news, models, protocol and scoring, one line each."""

    def read(connection: Connection) -> tuple[ReportFact, ...]:
        chosen = [run for run in runs.every(connection) if in_window(run, wanted)]
        return (
            ReportFact(name=tr("Audit"), value=f"{audit.title} ({audit.uuid})"),
            *_methods(connection, wanted.method),
            *_provenance(provenance(connection)),
            *(_run(run) for run in chosen),
            *_news(connection, chosen),
            *_models(connection, chosen),
            *_served(connection, chosen),
            *_protocols(connection, chosen),
            *_scoring(scope),
        )

    return context.audit.read(read)


def _methods(connection: Connection, covered: str | None) -> tuple[ReportFact, ...]:
    """Lines about the method used, and about the audit's other methods, whose rounds are not in the report."""
    used = dict.fromkeys(run.method for run in run_stamps(connection))
    its = catalogue.method(covered or next(iter(used)))
    lines = [ReportFact(name=tr("Method"), value=f"{its.title}, {its.citation}")]
    if others := [catalogue.method(name).title for name in used if name != its.name]:
        value = tr(
            "the audit also holds rounds of {others}; Results, filtered to one of them, makes its report",
            others=", ".join(others),
        )
        lines.append(ReportFact(name=tr("Not in this report"), value=value))
    return tuple(lines)


def _provenance(told: AuditProvenance) -> tuple[ReportFact, ...]:
    lines = []
    if told.imported_from:
        value = tr(
            "{rows:,} answers from {file}, SHA-256 {hash}; this program did not ask for them, and messages are put"
            " together from what the table says",
            rows=told.imported_rows,
            file=told.imported_from,
            hash=told.imported_hash,
        )
        lines.append(ReportFact(name=tr("Imported"), value=value))
    if told.withheld:
        value = tr("answers of {names} are known by their hashes alone", names=", ".join(told.withheld))
        lines.append(ReportFact(name=tr("Withheld"), value=value))
    if told.without_news:
        lines.append(ReportFact(name=tr("Left out"), value=tr("texts of articles are known by their hashes alone")))
    return tuple(lines)


def _run(run: Run) -> ReportFact:
    value = tr(
        "{state}; {answered} of {planned} questions answered, {missing} missing; set up {created}; "
        "seed {seed}; plan {plan}",
        state=run.state,
        answered=run.answered,
        planned=run.planned,
        missing=run.missing,
        created=f"{run.created:%Y-%m-%d %H:%M} UTC",
        seed=run.seed,
        plan=run.plan_hash[:12],
    )
    return ReportFact(name=tr("Run “{name}”", name=run.name), value=value)


def _news(connection: Connection, chosen: list[Run]) -> tuple[ReportFact, ...]:
    sources: dict[str, int] = {}
    strata: dict[str, int] = {}
    by_people = 0
    for batch_id in dict.fromkeys(run.batch_id for run in chosen):
        for article in batches.articles(connection, batch_id):
            sources[article.source] = sources.get(article.source, 0) + 1
            strata[article.item.stratum] = strata.get(article.item.stratum, 0) + 1
            by_people += article.stratum_by_auditor
    if not sources:
        return ()
    if not all(ARTICLE in catalogue.method(run.method).item_kinds for run in chosen):
        return (ReportFact(name=tr("Items by kind"), value=_counted(strata)),) if any(strata) else ()
    return (
        ReportFact(name=tr("News sources"), value=_counted(sources)),
        ReportFact(name=tr("Articles by topic"), value=f"{_counted(strata)}{_sorted_by(chosen, strata, by_people)}"),
    )


def _sorted_by(chosen: list[Run], strata: Mapping[str, int], by_people: int) -> str:
    """Words about who sorted the articles, people or the method's own rule, and how often that rule was wrong."""
    sorters = [each for run in chosen if isinstance(each := catalogue.method(run.method), SortsNews)]
    if not sorters:
        return ""
    said = trn("a person sorted {n} of {all}", "people sorted {n} of {all}", by_people, all=sum(strata.values()))
    return f"; {said}. {sorters[0].sorted_by}" if by_people < sum(strata.values()) else f"; {said}"


def _models(connection: Connection, chosen: list[Run]) -> tuple[ReportFact, ...]:
    found: dict[tuple[int, str], tuple[TargetModel, Decoding]] = {}
    for run in chosen:
        protocol = frozen_protocol(run.method, protocols.get(connection, run.protocol_id).text)
        for model in models.of_run(connection, run.id):
            decoding = model.endpoint.decoding or protocol.decoding
            # By decoding too: a model that was asked in two ways has a line for each.
            found[model.id, repr((decoding, model.not_supported))] = (model, decoding)
    lines = [
        ReportFact(
            name=model.label + (f" ({tr('synthetic')})" if model.synthetic else ""), value=_decoding(model, decoding)
        )
        for model, decoding in list(found.values())[:_LISTED_MODELS]
    ]
    if len(found) > _LISTED_MODELS:
        more = trn("{n} further model", "{n} further models", len(found) - _LISTED_MODELS)
        lines.append(ReportFact(name=tr("Further models"), value=more))
    return tuple(lines)


def _served(connection: Connection, chosen: list[Run]) -> tuple[ReportFact, ...]:
    """Lines with the names asked for and served, by model, for servers that say who answers."""
    told = served.by_round(connection, (run.id for run in chosen))
    lines = []
    for model in list(dict.fromkeys(each.model for each in told))[:_LISTED_MODELS]:
        if words := versions([each for each in told if each.model == model]):
            lines.append(ReportFact(name=tr("Who answered for {model}", model=model), value=words))
    return tuple(lines)


def _decoding(model: TargetModel, decoding: Decoding) -> str:
    if model.endpoint.provider == IMPORTED:
        return tr("asked by another program, with settings that are not told")
    sent = {
        "temperature": decoding.temperature,
        "top_p": decoding.top_p,
        "max_tokens": decoding.max_tokens,
        "seed": tr("where the provider takes one") if decoding.seed else None,
    }
    words = [f"{name} {value}" for name, value in sent.items() if value is not None and name not in model.not_supported]
    if model.endpoint.base_url:
        words.append(tr("at {address}", address=shown_address(model.endpoint.base_url)))
    if model.not_supported:
        words.append(tr("left out or changed, as refused by this model: {names}", names=", ".join(model.not_supported)))
    return "; ".join(words)


def shown_address(url: str) -> str:
    """*url* without user, password and query, where keys have been seen."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    # `hostname` comes without the brackets in which an address of IPv6 stands.
    if ":" in host:
        host = f"[{host}]"
    port = "" if parts.port is None else f":{parts.port}"
    return f"{parts.scheme}://{host}{port}{parts.path}"


def _protocols(connection: Connection, chosen: list[Run]) -> tuple[ReportFact, ...]:
    lines = []
    for protocol_id in dict.fromkeys(run.protocol_id for run in chosen):
        row = protocols.get(connection, protocol_id)
        protocol, method = frozen_protocol(row.method, row.text), catalogue.method(row.method)
        value = tr(
            "{title}; {facts}; SHA-256 {hash}",
            title=protocol.title,
            facts=method.protocol_facts(protocol),
            hash=row.hash,
        )
        lines.append(ReportFact(name=tr("Protocol"), value=value))
    return tuple(lines)


def _scoring(scope: ScoreScope) -> tuple[ReportFact, ...]:
    if scope.setting_id is None:
        return ()
    value = tr(
        "{made}; sets with missing answers {partial}; settings SHA-256 {hash}",
        made=made_by(scope, lambda fit: tr("by words (tf-idf), weighed over {scope}; tone by VADER 3.3.2", scope=fit)),
        partial=_partial(scope),
        hash=scope.hash,
    )
    return (ReportFact(name=tr("Scoring"), value=value),)


def _partial(scope: ScoreScope) -> str:
    if not scope.partial_in_means:
        return tr("stay out of means")
    if not scope.strict_runs:
        return tr("enter means")
    return trn(
        "enter means, but for {n} run whose protocol leaves them out",
        "enter means, but for {n} runs whose protocols leave them out",
        len(scope.strict_runs),
    )


def _counted(counts: dict[str, int]) -> str:
    return "; ".join(f"{name}: {n}" for name, n in sorted(counts.items(), key=lambda item: (-item[1], item[0])))
