"""The program's drawing as the pictures that systems ask for: PNG in many sizes, and all of them in one ICO and ICNS.

python icons.py FOLDER          SIZE.png, gpf-desktop.ico, gpf-desktop.icns
"""

import os
import struct
import sys
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

DRAWING = Path(__file__).resolve().parents[2] / "resources" / "gpf-desktop.svg"
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
_ICO = (16, 24, 32, 48, 64, 256)
_ICNS = {b"icp4": 16, b"icp5": 32, b"ic07": 128, b"ic08": 256, b"ic09": 512}


def main(folder: Path) -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QGuiApplication([])
    folder.mkdir(parents=True, exist_ok=True)
    drawn = {size: png(size) for size in SIZES}
    for size, picture in drawn.items():
        (folder / f"{size}.png").write_bytes(picture)
    (folder / "gpf-desktop.ico").write_bytes(ico({size: drawn[size] for size in _ICO}))
    (folder / "gpf-desktop.icns").write_bytes(icns({kind: drawn[size] for kind, size in _ICNS.items()}))
    del application


def png(size: int) -> bytes:
    """The drawing, *size* pixels square."""
    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(DRAWING)).render(painter)
    painter.end()
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(data.data())


def ico(pictures: dict[int, bytes]) -> bytes:
    """An icon file of Windows: a head, an entry for each size, the PNG files."""
    at = 6 + 16 * len(pictures)
    head, body = struct.pack("<HHH", 0, 1, len(pictures)), b""
    for size, picture in pictures.items():
        # 256 is written as 0.
        head += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(picture), at + len(body))
        body += picture
    return head + body


def icns(pictures: dict[bytes, bytes]) -> bytes:
    """An icon file of macOS: each PNG file after its kind and length."""
    body = b"".join(kind + struct.pack(">I", 8 + len(picture)) + picture for kind, picture in pictures.items())
    return b"icns" + struct.pack(">I", 8 + len(body)) + body


if __name__ == "__main__":
    main(Path(sys.argv[1]))
