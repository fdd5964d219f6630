"""From the name of a model on huggingface.co to its files on this machine, in two deliberate steps."""

from functools import partial

from PySide6.QtCore import QLocale, QObject, Signal

from gpf_desktop.domain.events import TaskCancelled, TaskProgressed
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.scoring.model_download import DOWNLOAD_TASK, Offer
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel


class ModelDownloadViewModel(ViewModel):
    """Nothing is asked of the network before `look_up`, and nothing is fetched before `download`."""

    fetched = Signal(str)
    """The model is here; its commit."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.offer: Offer | None = None
        self.busy = False
        self.downloading = False
        self.done = 0
        self.said = ""
        self.problem = ""
        self.listen(self._progressed, TaskProgressed)
        # By the event: the bridge tells nobody of a future that was cancelled.
        self.listen(self._cancelled, TaskCancelled)

    @property
    def button(self) -> str:
        """The words on the button, for what the next press does."""
        if self.downloading:
            return tr("Stop the download")
        if self.offer is not None:
            return tr("Download {size}", size=_size(self.offer.bytes))
        return tr("Look up on huggingface.co")

    @property
    def share(self) -> float:
        return self.done / self.offer.bytes if self.offer is not None and self.offer.bytes else 0.0

    def press(self, model: str, revision: str) -> None:
        """Do what `button` says about *model*."""
        if self.downloading:
            self.context.engine.open_audit.model_download.cancel()
        elif self.offer is not None and self.offer.model == model.strip():
            self.download()
        elif not self.busy:
            self.look_up(model, revision)

    def look_up(self, model: str, revision: str) -> None:
        self.busy, self.offer, self.problem, self.said = True, None, "", tr("Asking huggingface.co …")
        self.touch_now()
        self.context.bridge.run(
            self.context.engine.open_audit.model_download.offer,
            model,
            revision,
            then=self._offered,
            failed=self._failed,
            latest="offer",
        )

    def download(self) -> None:
        assert self.offer is not None
        # Said anew: after a stop, or a fault, what was said then stands there no more.
        self.downloading, self.done, self.problem, self.said = True, 0, "", _offered(self.offer)
        self.touch_now()
        fetch = partial(self.context.engine.open_audit.model_download.start, self.offer)
        self.context.bridge.command(fetch, then=self._arrived, failed=self._failed)

    def stop(self) -> None:
        """The dialog is being closed."""
        if self.downloading:
            self.context.engine.open_audit.model_download.cancel()

    def forget(self) -> None:
        """Another model is named now."""
        # While files come the offer is kept, which `_arrived` names the model by; the form may name another one
        # meanwhile.
        if not self.downloading:
            self.offer, self.busy, self.said, self.problem = None, False, "", ""
            self.touch()

    def _offered(self, offer: Offer) -> None:
        self.busy, self.offer, self.said = False, offer, _offered(offer)
        self.touch_now()

    def _arrived(self, commit: str) -> None:
        assert self.offer is not None
        self.downloading = False
        self.said = tr("“{name}” is on this machine now.", name=self.offer.model)
        self.offer = None
        self.touch_now()
        self.fetched.emit(commit)

    def _failed(self, error: BaseException) -> None:
        self.busy = self.downloading = False
        self.said = ""
        self.problem = self.context.messages.words_of(error)
        self.touch_now()

    def _cancelled(self, event: TaskCancelled) -> None:
        if event.task == DOWNLOAD_TASK and self.downloading:
            self.downloading = False
            self.said = tr("Stopped; files that had come whole are kept, the others come anew.")
            self.touch_now()

    def _progressed(self, event: TaskProgressed) -> None:
        if event.task == DOWNLOAD_TASK:
            self.done = event.done
            self.touch()


def _offered(offer: Offer) -> str:
    return tr(
        "{files} files of {model}, commit {commit}, from huggingface.co; they stay on this machine.",
        files=len(offer.files),
        model=offer.model,
        commit=offer.revision[:12],
    )


def _size(number: int) -> str:
    """90.9 MB"""
    return QLocale().formattedDataSize(number, 1, QLocale.DataSizeFormat.DataSizeSIFormat)
