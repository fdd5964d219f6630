"""Opens a page in a browser engine, run as a program of its own: `browser.py PAGE.html PRINTED.pdf`.

Prints one JSON object: every address that was asked for, whatever the page said on its console or in dialogs, the
text that a reader sees, and how many scripts and handlers the document holds.
"""

import json
import sys
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtWebEngineCore import (
    QWebEnginePage,
    QWebEngineProfile,
    QWebEngineUrlRequestInfo,
    QWebEngineUrlRequestInterceptor,
)
from PySide6.QtWidgets import QApplication

_LOOK = """JSON.stringify({
    text: document.body.innerText,
    scripts: document.scripts.length + document.querySelectorAll("[onload],[onerror],[onclick]").length,
})"""


class _Requests(QWebEngineUrlRequestInterceptor):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def interceptRequest(self, info: QWebEngineUrlRequestInfo) -> None:
        self.seen.append(info.requestUrl().toString())


class _Page(QWebEnginePage):
    def __init__(self, profile: QWebEngineProfile) -> None:
        super().__init__(profile)
        self.said: list[str] = []

    def javaScriptConsoleMessage(self, _level: object, message: str, *_place: object) -> None:
        self.said.append(message)

    def javaScriptAlert(self, _origin: QUrl | str, message: str) -> None:
        self.said.append(message)


def main(source: Path, printed: Path) -> int:
    app = QApplication([])
    profile, requests = QWebEngineProfile(), _Requests()
    profile.setUrlRequestInterceptor(requests)
    page = _Page(profile)
    seen: dict[str, object] = {}

    def looked(result: str) -> None:
        seen.update(json.loads(result))
        page.printToPdf(str(printed))

    def loaded(well: bool) -> None:
        if well:
            page.runJavaScript(_LOOK, looked)
        else:
            app.exit(1)

    page.loadFinished.connect(loaded)
    page.pdfPrintingFinished.connect(lambda _path, well: app.exit(0 if well else 1))
    page.load(QUrl.fromLocalFile(str(source)))
    code = app.exec()
    if not code:
        print(json.dumps({"requests": requests.seen, "said": page.said, **seen}))
    return code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
