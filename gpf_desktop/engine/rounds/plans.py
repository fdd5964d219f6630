"""Plan files: one round as TOML, written by the window's "Save plan" and run by schedulers.

A plan never holds a key: it may name an environment variable, and the key store serves where there is one.
"""

import difflib
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import tomlkit
from pydantic import BaseModel, ValidationError

from gpf_desktop.documents import encodings
from gpf_desktop.domain.articles import Document
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.items import ARTICLE
from gpf_desktop.domain.models import Endpoint, Limits, Price, Role
from gpf_desktop.domain.plans import Plan, PlanSource
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.protocol import LATER, Decoding
from gpf_desktop.domain.protocol_problems import WrongFieldError
from gpf_desktop.domain.scopes import ARM, Scope
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.capped_files import LARGEST, read_bytes, toml_data
from gpf_desktop.engine.core.protocols import load_protocol, name_in_files
from gpf_desktop.engine.models.addresses import check_address
from gpf_desktop.engine.rounds.plan_fields import DecodingFields, ModelFields, PlanFields, PriceFields, SourceFields

_CURLY = re.compile("[“”„‟‘’]")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_KEY = re.compile(
    r"(?:sk|pk|gsk|hf|xai|pplx|r8|ant)_|AIza|ya29|(?=[^\W_]*[a-z])(?=[^\W_]*[A-Z])(?=[^\W_]*[0-9])[^\W_]{20,}$"
)
"""What keys that could be names of variables begin with, or a long run of small and large letters and digits."""


def load_plan(path: Path) -> Plan:
    """The plan in the TOML file at *path*. Raises `UserError` naming the file, the field and what to do."""
    text = encodings.text(Document(body=read_bytes(path), address=str(path)))
    return read_plan(text, where=path.name, beside=path.parent)


def read_plan(text: str, *, where: str, beside: Path | None = None) -> Plan:
    """The plan in *text*; its protocol may be a file *beside* it. Raises `UserError`."""
    curly = _CURLY.search(text[:LARGEST])
    remedy = tr("It has curly quotes (“ ”): TOML takes straight ones only.") if curly else tr("Mend that place.")
    data = toml_data(text, where, remedy)
    # Before validation, which would only call such a field unknown or its value wrong.
    _refuse_keys(data, where)
    try:
        wire = PlanFields.model_validate(data)
    except ValidationError as error:
        raise _wrong(where, error) from None
    return _to_domain(wire, where, beside)


def _refuse_keys(data: Mapping[str, Any], where: str) -> None:
    models = data.get("models")
    for number, model in enumerate(models if isinstance(models, list) else [], start=1):
        if isinstance(model, dict) and {"key", "api_key"} & model.keys():
            raise UserError(
                tr("{where}, models › {n}: a plan must not hold a key.", where=where, n=number),
                tr("Put it in an environment variable and name that in key_env, or keep it in the key store."),
            )
        variable = model.get("key_env") if isinstance(model, dict) else None
        if isinstance(variable, str) and variable and looks_like_a_key(variable):
            raise UserError(
                tr(
                    "{where}, models › {n}: key_env takes the name of a variable; what stands there looks like a key.",
                    where=where,
                    n=number,
                ),
                tr("Put the key in an environment variable, and write that variable's name."),
            )


def looks_like_a_key(variable: str) -> bool:
    """Whether what should be a variable's name is none, or is what providers begin their keys with."""
    return not _VARIABLE.fullmatch(variable) or bool(_KEY.match(variable))


def _nearest(location: Sequence[object]) -> str:
    """A remedy for a field that does not exist: the field of that table whose name is most like it."""
    tables: dict[object, type[BaseModel]] = {
        "sources": SourceFields,
        "models": ModelFields,
        "decoding": DecodingFields,
        "price": PriceFields,
    }
    around = next((tables[part] for part in reversed(location[:-1]) if part in tables), PlanFields)
    return _nearest_of(str(location[-1]), [name for name in around.model_fields if name != "key"])


def _nearest_of(name: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return tr("Did you mean {name}?", name=near[0])
    return tr("Remove it; the fields there are: {names}.", names=", ".join(known))


def _wrong(where: str, error: ValidationError) -> UserError:
    problems = error.errors(include_url=False)
    # A table of controls is no word either: what is wrong within it says more.
    in_tables = (each for each in problems if each["type"] != "literal_error" or not isinstance(each["input"], dict))
    first = next(in_tables, problems[0])
    # Pydantic names the branches of a union as well, which stand in no file.
    path = [part for part in first["loc"] if not (isinstance(part, str) and part.startswith(("_", "literal[")))]
    field = " › ".join(str(part + 1) if isinstance(part, int) else part for part in path)
    match first["type"]:
        case "missing":
            problem, remedy = tr("this field is missing"), tr("Add it.")
        case "extra_forbidden":
            problem, remedy = tr("there is no field of this name"), _nearest(first["loc"])
        case "too_short":
            problem, remedy = tr("at least one is needed"), tr("Add one.")
        case _:
            problem, remedy = first["msg"][0].lower() + first["msg"][1:], tr("Mend it.")
    return UserError(tr("{where}, {field}: {problem}.", where=where, field=field, problem=problem), remedy)


def _to_domain(wire: PlanFields, where: str, beside: Path | None) -> Plan:
    for number, source in enumerate(wire.sources, start=1):
        if bool(source.url) == bool(source.file):
            raise UserError(
                tr("{where}, sources › {n}: a source has either a url or a file.", where=where, n=number),
                tr("Give one of them."),
            )
    try:
        method = catalogue.method(wire.method)
    except UserError as error:
        raise UserError(f"{where}, method: {error.what}", error.remedy) from None
    if wire.batch == "new" and not wire.sources and ARTICLE in method.item_kinds:
        raise UserError(
            tr("{where}, sources: a new batch needs at least one source.", where=where),
            tr('Add [[sources]] with a url, or set batch = "last".'),
        )
    match wire.controls:
        case "none":
            controls = method.no_controls()
        case "default":
            controls = None
        case _:
            controls = _controls(method, {**_asked_beside(method, wire, beside), **wire.controls}, where)
    return Plan(
        name=wire.name,
        articles_per_source=wire.articles_per_source,
        article_words=" ".join(wire.article_words.split()),
        method=method.name,
        protocol=wire.protocol or method.default_protocol,
        controls=controls,
        last_batch=wire.batch == "last",
        seed=wire.seed,
        spend_cap=wire.spend_cap,
        scope=_scope(method, wire.leave_out, where),
        sources=tuple(PlanSource(target=source.url or source.file, title=source.title) for source in wire.sources),
        models=_endpoints(wire, where),
        roles=_roles(method, wire.models, where),
    )


def _endpoints(wire: PlanFields, where: str) -> tuple[Endpoint, ...]:
    found: dict[tuple[str, str, str], Endpoint] = {}
    for number, model in enumerate(wire.models, start=1):
        endpoint = _endpoint(model, where, number)
        if found.setdefault((endpoint.provider, endpoint.model, endpoint.base_url), endpoint) is not endpoint:
            raise UserError(
                tr("{where}, models › {n}: {model} is named twice.", where=where, n=number, model=endpoint.label),
                tr("In a round a model has one part: take one of the two out."),
            )
    return tuple(found.values())


def _scope(method: Method, table: Mapping[str, Sequence[str]], where: str) -> Scope:
    known = [*(factor.name for factor in method.factors), ARM]
    for name in table:
        if name not in known:
            raise UserError(
                tr("{where}, leave_out › {name}: the method has no such factor.", where=where, name=name),
                _nearest_of(name, known),
            )
    return Scope.from_table(table)


def _roles(method: Method, models: Sequence[ModelFields], where: str) -> tuple[Role, ...]:
    """Empty where all are targets. Raises `UserError` for a role that the method has not."""
    for number, model in enumerate(models, start=1):
        if model.role not in method.roles:
            raise UserError(
                tr(
                    "{where}, models › {n}: {method} has no {role}.",
                    where=where,
                    n=number,
                    method=method.title,
                    role=model.role,
                ),
                tr("Use one of: {names}.", names=", ".join(method.roles)),
            )
    roles = tuple(model.role for model in models)
    return roles if any(role is not Role.TARGET for role in roles) else ()


def _asked_beside(method: Method, wire: PlanFields, beside: Path | None) -> dict[str, bool]:
    """The switches that the plan's protocol itself turns on, such as second turns, by name: they hold whatever sizes a
    table gives."""
    try:
        protocol = load_protocol(wire.protocol or method.default_protocol, beside=beside, method=method.name)
    except UserError:
        # Said where the protocol is read to be asked.
        return {}
    own = method.controls_of(protocol)
    later = (each.name for each in fields(own) if each.metadata == LATER)
    return {name: True for name in later if getattr(own, name) is True}


def _controls(method: Method, table: Mapping[str, Any], where: str) -> Any:
    try:
        return method.controls(table)
    except WrongFieldError as error:
        problem, known = error.problem, [field.name for field in fields(method.no_controls())]
        name = str(problem.path[-1])
        raise UserError(
            tr("{where}, {field}: {problem}.", where=where, field=f"controls › {problem.field}", problem=problem.words),
            tr("Mend it.") if name in known else _nearest_of(name, known),
        ) from None


def _endpoint(wire: ModelFields, where: str, number: int) -> Endpoint:
    try:
        provider = catalogue.provider(wire.provider)
    except UserError as error:
        raise UserError(f"{where}, models › {number}: {error.what}", error.remedy) from None
    known = provider.known_models()
    if known and wire.model not in known:
        raise UserError(
            tr(
                "{where}, models › {n}: {provider} has no model called “{model}”.",
                where=where,
                n=number,
                provider=wire.provider,
                model=wire.model,
            ),
            tr("Use one of: {names}.", names=", ".join(known)),
        )
    if not (wire.base_url or provider.default_base_url or provider.synthetic):
        raise UserError(
            tr("{where}, models › {n}: base_url is missing.", where=where, n=number),
            tr("Give the address of the server, such as http://127.0.0.1:8080/v1."),
        )
    if wire.base_url:
        try:
            check_address(wire.base_url)
        except UserError as error:
            raise UserError(f"{where}, models › {number} › base_url: {error.what}", error.remedy) from None
    if wire.batch_jobs and wire.provider not in catalogue.batch_jobs():
        raise UserError(
            tr("{where}, models › {n}: {provider} has no batch jobs.", where=where, n=number, provider=wire.provider),
            tr("Leave out batch_jobs, or use one of: {names}.", names=", ".join(sorted(catalogue.batch_jobs()))),
        )
    price = wire.price
    return Endpoint(
        provider=wire.provider,
        model=wire.model,
        base_url=wire.base_url,
        key_env=wire.key_env,
        key_account=wire.account,
        vendor=wire.vendor,
        decoding=None if wire.decoding is None else Decoding(**wire.decoding.model_dump()),
        price=None if price is None else Price(**price.model_dump(), entered=datetime.now(UTC).date()),
        limits=Limits(
            in_flight=wire.in_flight,
            requests_per_minute=wire.requests_per_minute,
            tokens_per_minute=wire.tokens_per_minute,
            timeout=wire.timeout,
            attempts=wire.attempts,
            patience=wire.patience,
        ),
        batch_jobs=wire.batch_jobs,
        options=dict(wire.options),
    )


def write_plan(plan: Plan) -> str:
    """*plan* as TOML that `read_plan` reads back; fields at their defaults are left out."""
    document = tomlkit.document()
    document.add(tomlkit.comment("A round of GPF Desktop: gpf-desktop run PLAN.toml --audit AUDIT.gpf"))
    if plan.name:
        document["name"] = plan.name
    document["articles_per_source"] = plan.articles_per_source
    if plan.article_words:
        document["article_words"] = plan.article_words
    if name_in_files(plan.method):
        document["method"] = plan.method
    document["protocol"] = plan.protocol
    no_controls = catalogue.method(plan.method).no_controls()
    if plan.controls is None:
        document["controls"] = "default"
    elif plan.controls == no_controls:
        document["controls"] = "none"
    if plan.last_batch:
        document["batch"] = "last"
    document["seed"] = plan.seed
    if plan.spend_cap is not None:
        document["spend_cap"] = plan.spend_cap
    # Tables come last: in TOML a plain field that stands behind a table belongs to it.
    if plan.controls is not None and plan.controls != no_controls:
        document["controls"] = asdict(plan.controls)
    if plan.scope:
        document["leave_out"] = plan.scope.table()
    document["sources"] = [_source_table(source) for source in plan.sources]
    document["models"] = [_model_table(endpoint, plan.role(place)) for place, endpoint in enumerate(plan.models)]
    return tomlkit.dumps(document)


def _source_table(source: PlanSource) -> dict[str, str]:
    table = {"url" if "://" in source.target else "file": source.target}
    if source.title:
        table["title"] = source.title
    return table


def _model_table(endpoint: Endpoint, role: Role) -> dict[str, Any]:
    table: dict[str, Any] = {"provider": endpoint.provider, "model": endpoint.model}
    if role is not Role.TARGET:
        table["role"] = str(role)
    for name in ("base_url", "key_env", "vendor"):
        if getattr(endpoint, name):
            table[name] = getattr(endpoint, name)
    limits, defaults = asdict(endpoint.limits), asdict(Limits())
    table.update({name: value for name, value in limits.items() if value != defaults[name]})
    if endpoint.key_account:
        table["account"] = endpoint.key_account
    if endpoint.batch_jobs:
        table["batch_jobs"] = True
    if endpoint.price is not None:
        prices = {name: getattr(endpoint.price, name) for name in PriceFields.model_fields}
        table["price"] = {name: dollars for name, dollars in prices.items() if dollars is not None}
    if endpoint.decoding is not None:
        table["decoding"] = {name: value for name, value in asdict(endpoint.decoding).items() if value is not None}
    if endpoint.options:
        table["options"] = dict(endpoint.options)
    return table


def plan_hash(plan: Plan) -> str:
    """A round is told by its plan: SHA-256 over its values.

    Left out are the day and the source of a price, what the cache and batch jobs cost, and how long an account may
    answer nothing: they ask nothing else.
    """
    return hash_of_stored(asdict(plan))


def hash_of_stored(data: dict[str, Any]) -> str:
    """`plan_hash` of what `plan_json` wrote, in whatever version. Raises what is raised of other shapes."""
    if not name_in_files(data.get("method", "")):
        # Plans had no method before there was a second one: theirs are the same rounds still.
        data.pop("method", None)
    # What came later is left out where it is empty, so that plans without it keep their hash, and their rounds.
    if not data.get("scope", {}).get("left_out"):
        data.pop("scope", None)
    for name in ("roles", "article_words"):
        if not data.get(name):
            data.pop(name, None)
    for model in data["models"]:
        model["limits"].pop("patience", None)
        if not model.get("key_account"):
            model.pop("key_account", None)
        if model["price"] is not None:
            model["price"] = {name: model["price"][name] for name in ("prompt", "completion")}
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def plan_json(plan: Plan) -> str:
    return json.dumps(asdict(plan), default=str, ensure_ascii=False)
