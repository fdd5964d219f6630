"""`gpf-desktop watch`: tells, once, which conclusions of an audit are others than when it last told."""

import json
import os
import smtplib
import ssl
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from gpf_desktop.domain.errors import GpfError, UserError
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.core.proxies import is_loopback, proxy_of
from gpf_desktop.engine.core.trust import trusted
from gpf_desktop.engine.reporting.conclusions_file import conclusions_document
from gpf_desktop.storage import audits

_TOLD: Final = "watch.told"
_PATIENCE: Final = 30.0
"""Seconds for a server to answer."""
USER: Final = "GPF_SMTP_USER"
PASSWORD: Final = "GPF_SMTP_PASSWORD"  # noqa: S105 - the name of a variable

Tell = Callable[["ConclusionChange"], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """One conclusion that has changed."""

    method: str
    model: str
    about: str
    before: str
    """Its outcome when it was told last; empty: there was none."""
    now: str
    """Empty: nothing is concluded any more."""
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConclusionChange:
    """The message about changed conclusions of one audit."""

    audit: str
    changed: tuple[Changed, ...]
    chance: tuple[str, ...]
    """How often such news is chance, as the design says, a sentence for each method."""
    first: bool = False
    """Nothing was told before, so that nothing can have changed."""

    def lines(self) -> list[str]:
        said = []
        for each in self.changed:
            name = " · ".join(word for word in (each.model, each.about) if word)
            nothing = tr("nothing")
            said.append(
                tr(
                    "{name}: {now} (before: {before}). {sentence}",
                    name=name,
                    now=each.now or nothing,
                    before=each.before or nothing,
                    sentence=each.sentence,
                ).strip()
            )
        return [*said, *self.chance]

    def as_dict(self) -> dict[str, Any]:
        fields = ("method", "model", "about", "before", "now", "sentence")
        return {
            "audit": self.audit,
            # What chat services show of a message.
            "text": "\n".join([self.subject, *self.lines()]),
            "changed": [{name: getattr(each, name) for name in fields} for each in self.changed],
            "chance": list(self.chance),
            "first": self.first,
        }

    @property
    def subject(self) -> str:
        n = len(self.changed)
        return trn("{audit}: {n} conclusion changed", "{audit}: {n} conclusions changed", n, audit=self.audit)


def watch(path: Path, tell: Sequence[Tell], *, quiet: bool) -> ConclusionChange:
    """Compare what is concluded now with what was told last; *tell* it by each means where something changed, then
    remember it. What could not be told is told the next time. Raises `GpfError`."""
    with Headless(quiet=quiet) as headless:
        open_audit = headless.enter(path, must_exist=True)
        open_audit.auto_rescoring.settle().result()
        document = conclusions_document(open_audit.results)
        pages = [document, *document.get("others", ())]
        now = {_key(page, one): _of(page, one) for page in pages for one in page["conclusions"]}
        told = open_audit.context.audit.read(lambda connection: audits.kept(connection, _TOLD, _told, None))
        before = told or {}
        changed = tuple(
            _changed(key, before.get(key, ""), now.get(key))
            for key in {**before, **now}
            if told is not None and before.get(key, "") != (now[key].now if key in now else "")
        )
        chance = tuple(_chance(page) for page in pages if page["conclusions"])
        found = ConclusionChange(audit=path.stem, changed=changed, chance=chance, first=told is None)
        if changed:
            for means in tell:
                means(found)
        if (outcomes := {key: each.now for key, each in now.items()}) != told:
            kept = json.dumps(outcomes, ensure_ascii=False)
            # Behind the telling: what is told twice after a kill is better than what is never told.
            open_audit.context.audit.write(lambda connection: audits.set_setting(connection, _TOLD, kept)).result()
    return found


def _told(data: Any) -> dict[str, str] | None:
    for key in data:
        _method, _model, _about = json.loads(key)
    return {key: str(outcome) for key, outcome in data.items()}


def _key(page: Mapping[str, Any], one: Mapping[str, Any]) -> str:
    return json.dumps([page["method"], one["model"], one["about"]], ensure_ascii=False)


def _of(page: Mapping[str, Any], one: Mapping[str, Any]) -> Changed:
    return Changed(
        method=page["method"],
        model=one["model"],
        about=one["about"],
        before="",
        now=one["outcome"],
        sentence=one["sentence"],
    )


def _changed(key: str, before: str, now: Changed | None) -> Changed:
    method, model, about = json.loads(key)
    return Changed(
        method=method,
        model=model,
        about=about,
        before=before,
        now="" if now is None else now.now,
        sentence="" if now is None else now.sentence,
    )


def _chance(page: Mapping[str, Any]) -> str:
    """A sentence on how often a page says so by chance, as its design has it; for a look that nobody planned that is
    not known."""
    if not all(each["planned"] for each in page["conclusions"]):
        return tr(
            "How often {method} would say so by chance is not known: its looks were not planned beforehand.",
            method=page["method"],
        )
    return tr(
        "Where nothing differs, {method} says “differs” at any of its planned looks in at most {n:g} of 100 audits.",
        method=page["method"],
        n=100 * page["alpha"],
    )


def webhook(typed: str) -> Tell:
    """Posts JSON to the address that was *typed*, or that a variable of this name holds. Raises `UserError`."""
    address = typed if "://" in typed else os.environ.get(typed, "")
    try:
        scheme, host = urlsplit(address).scheme, urlsplit(address).hostname or ""
    except ValueError:
        scheme = host = ""
    if not host or not (scheme == "https" or (scheme == "http" and is_loopback(host))):
        raise UserError(
            tr("A webhook is an https address, or the name of a variable that holds one."),
            tr("Such as https://chat.example/hooks/…, or GPF_WEBHOOK."),
        )

    def tell(change: ConclusionChange) -> None:
        import httpx

        proxy = proxy_of(host, secure=scheme == "https")
        try:
            # Without what the environment names beside the proxy that was chosen.
            with httpx.Client(verify=trusted(), proxy=proxy or None, timeout=_PATIENCE, trust_env=False) as client:
                status = client.post(address, json=change.as_dict()).status_code
        except httpx.HTTPError as error:
            raise _not_told(host, type(error).__name__) from error
        if status >= 300:
            raise _not_told(host, tr("status {n}", n=status))

    return tell


def mail(to: str, server: str) -> Tell:
    """Sends plain text by the SMTP *server*, ``host`` or ``host:port``, encrypted but on this computer itself."""
    host, _, port = server.rpartition(":") if server.rpartition(":")[2].isdecimal() else (server, "", "587")
    if "@" not in to.strip("@") or any(sign in to for sign in "\r\n") or not host:
        raise UserError(tr("A mail needs --mail NAME@HOST and --smtp HOST:PORT."))

    def tell(change: ConclusionChange) -> None:
        message = EmailMessage()
        message["Subject"], message["To"] = change.subject, to
        message["From"] = os.environ.get(USER) or to
        message.set_content("\n\n".join(change.lines()))
        try:
            with smtplib.SMTP(host, int(port), timeout=_PATIENCE) as line:
                if not is_loopback(host):
                    line.starttls(context=ssl.create_default_context())
                if password := os.environ.get(PASSWORD):
                    line.login(os.environ.get(USER, to), password)
                line.send_message(message)
        except (OSError, smtplib.SMTPException) as error:
            raise _not_told(host, type(error).__name__) from error

    return tell


def _not_told(host: str, why: str) -> GpfError:
    # By host alone: the address of a webhook is a key.
    return GpfError(
        tr("{host} did not take the message ({why}).", host=host, why=why),
        tr("It is told again by the next watch. Check the address and the network."),
    )
