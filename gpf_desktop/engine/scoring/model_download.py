"""Fetches a language model from huggingface.co, once, and only when the auditor has seen how large it is and asked."""

import asyncio
import errno
import hashlib
import ssl
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.extras import ENCODERS, extras
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.followed_task import OneAtATime, Tell
from gpf_desktop.engine.core.proxies import proxy_of
from gpf_desktop.engine.core.trust import trusted, untrusted_in, what_to_trust
from gpf_desktop.numerics.weights import BESIDE, ONNX, OTHER_FORMATS, TOKENIZER, only_in
from gpf_desktop.storage.faults import of_os

DOWNLOAD_TASK: Final = "model download"
_HUB: Final = "https://huggingface.co"
_OF_THE_DISK: Final = (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM, errno.EROFS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """The files of a model that would be fetched."""

    model: str
    revision: str
    """The commit."""
    files: tuple[tuple[str, int], ...]
    """(name, bytes)."""
    digests: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 by name, of those files of which the hub says it: its large ones."""

    @property
    def bytes(self) -> int:
        return sum(size for _, size in self.files)


class ModelDownload:
    """Downloads models, one at a time. Public models only: no token of the auditor's is sent."""

    def __init__(self, context: EngineContext, hub: str = _HUB) -> None:
        self._context = context
        self._hub = hub
        self._task = OneAtATime(context, DOWNLOAD_TASK)
        self._stopped = False
        self._way: tuple[ssl.SSLContext, str] | None = None
        """Certificates and proxy that the library's client was made with."""

    def close(self) -> None:
        self.cancel()
        self._task.close()

    def cancel(self) -> None:
        """Stop; files that came whole stay in the cache, the next attempt fetches the others."""
        self._stopped = True
        self._task.cancel()

    def offer(self, model: str, revision: str = "") -> Offer:
        """The files of *model*, as far as scoring needs them. Asks the network and blocks. Raises `UserError`."""
        try:
            from huggingface_hub import HfApi
        except ImportError as error:
            raise extras()[ENCODERS].lacking() from error
        self._use_trusted()
        try:
            info = HfApi(endpoint=self._hub, token=False).model_info(
                model.strip(), revision=revision.strip() or None, files_metadata=True, timeout=20
            )
        # Beside its own errors the library passes on those of its HTTP client, which differ from version to version.
        except Exception as error:
            raise _unreachable(model, error) from error
        sizes = {each.rfilename: each.size or 0 for each in info.siblings or ()}
        weights = next((name for name in ONNX if name in sizes), None)
        if weights is None or TOKENIZER not in sizes:
            other = next((name for name in OTHER_FORMATS if name in sizes), None)
            if weights is None and other is not None:
                raise only_in(other, model)
            raise UserError(
                tr("“{name}” has no ONNX weights with a tokenizer.json.", name=model),
                tr("Choose a model that was exported to ONNX."),
            )
        chosen = (weights, TOKENIZER, *(name for name in BESIDE if name in sizes))
        large = {each.rfilename: each.lfs.sha256 for each in info.siblings or () if each.lfs is not None}
        return Offer(
            model=model.strip(),
            revision=str(info.sha),
            files=tuple((name, sizes[name]) for name in chosen),
            digests={name: large[name] for name in chosen if large.get(name)},
        )

    def start(self, offer: Offer) -> "Future[str]":
        """Fetch it; the future holds the commit. Told as the task `DOWNLOAD_TASK`, which counts bytes."""
        self._task.check_free(tr("A model is being downloaded already."), tr("Wait until it is there, or cancel it."))
        self._stopped = False

        async def fetch(tell: Tell) -> tuple[str, str]:
            tell(0, offer.bytes)
            await self._context.loop.loop.run_in_executor(self._context.threads, self._fetch, offer, tell)
            if self._stopped:  # before there was a future for `cancel` to cancel
                raise asyncio.CancelledError
            return offer.revision, tr("“{name}” is on this machine now.", name=offer.model)

        return self._task.start(fetch, trouble=tr("“{name}” could not be downloaded.", name=offer.model))

    def _fetch(self, offer: Offer, tell_bytes: Tell) -> None:
        from huggingface_hub import hf_hub_download
        from huggingface_hub.constants import HF_HUB_CACHE

        self._use_trusted()
        before = told = 0
        for name, size in offer.files:

            def tell(done: int, before: int = before, size: int = size) -> None:
                nonlocal told
                # Raised through the library's own loop: a thread cannot be cancelled from outside, and
                # it offers no other way to stop.
                if self._stopped:
                    raise _StoppedError
                # The library counts a file twice: as it comes, and as it is put together.
                told = max(told, before + min(done, size))
                tell_bytes(told, offer.bytes)

            try:
                tell(0)
                came = hf_hub_download(
                    offer.model,
                    name,
                    revision=offer.revision,
                    endpoint=self._hub,
                    token=False,
                    tqdm_class=_meter(tell),
                )
                tell(size)
                _check(Path(came), offer, name)
            except UserError:
                raise
            except _StoppedError:
                return
            except Exception as error:
                if isinstance(error, OSError) and error.errno in _OF_THE_DISK:
                    raise of_os(Path(HF_HUB_CACHE), error) from error
                raise _unreachable(offer.model, error) from error
            before += size

    def _use_trusted(self) -> None:
        """Have the library fetch with the certificates and by the proxy that every other call goes with.

        Raises `UserError` where those certificates cannot be used.
        """
        from huggingface_hub import constants, set_client_factory
        from huggingface_hub.utils._http import default_client_factory

        # Its other way is a program of its own, with certificates of its own, from servers of other names.
        constants.HF_HUB_DISABLE_XET = True
        hub = urlsplit(self._hub)
        try:
            way = trusted(), proxy_of(hub.hostname or "", secure=hub.scheme == "https")
        except OSError as error:
            raise UserError(
                tr("The certificates that this computer names cannot be used."),
                tr("Check the preferences, and the environment variables SSL_CERT_FILE and SSL_CERT_DIR."),
                details=repr(error),
            ) from error
        if self._way == way:
            return
        self._way = way

        def client() -> Any:
            # Theirs but for the way; what it hooks into requests refuses them where the user said to stay off line.
            with default_client_factory() as usual:
                kind, hooks = type(usual), usual.event_hooks
            trust, proxy = way
            return kind(
                verify=trust,
                proxy=proxy or None,
                trust_env=False,
                event_hooks=hooks,
                follow_redirects=True,
                timeout=None,
            )

        set_client_factory(client)


def _check(file: Path, offer: Offer, name: str) -> None:
    """Raises `UserError` where *file* is not the one that was offered; it is gone then, so that it is fetched anew."""
    wanted = offer.digests.get(name)
    if wanted is None:
        return
    with file.open("rb") as content:
        found = hashlib.file_digest(content, "sha256").hexdigest()
    if found == wanted:
        return
    kept = file.resolve()
    file.unlink(missing_ok=True)
    kept.unlink(missing_ok=True)
    raise UserError(
        tr("What came of “{name}” is not the file that huggingface.co lists.", name=offer.model),
        tr("It was taken away again. Try once more; if it comes to the same, something on the way changes it."),
        details=f"{name}: SHA-256 {found}, listed {wanted}",
    )


class _StoppedError(Exception):
    """The auditor stopped the download; carried out of the library's own loop."""


def _meter(tell: Callable[[int], None]) -> Any:
    """A progress bar of huggingface_hub that shows nothing and passes on how many bytes there are."""
    from tqdm import tqdm

    class Meter(tqdm):  # type: ignore[misc]
        monitor_interval = 0
        """No thread that redraws it."""

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            # huggingface_hub names its bars; tqdm itself takes no such argument. A bar that is disabled counts nothing,
            # so bytes are counted here, from where an earlier attempt stopped.
            kwargs.pop("name", None)
            super().__init__(*args, **{**kwargs, "disable": True})
            self.bytes = int(kwargs.get("initial") or 0)

        def update(self, n: float | None = 1) -> bool | None:
            self.bytes += int(n or 0)
            tell(self.bytes)
            return None

    return Meter


def _unreachable(model: str, error: Exception) -> UserError:
    kind = type(error).__name__
    if kind in ("RepositoryNotFoundError", "HFValidationError", "GatedRepoError", "RevisionNotFoundError"):
        return UserError(
            tr("huggingface.co has no public model “{name}” of that revision.", name=model),
            tr("Check its name, or download it yourself and name its folder."),
            details=str(error),
        )
    if (untrusted := untrusted_in(error)) is not None:
        return UserError(
            tr("The certificate of huggingface.co is not trusted, so “{name}” cannot be downloaded.", name=model),
            what_to_trust(untrusted),
            details=str(error),
        )
    return UserError(
        tr("huggingface.co cannot be reached, so “{name}” cannot be downloaded.", name=model),
        tr("Check the connection, or name a folder or an installed package that carries a model."),
        details=str(error),
    )
