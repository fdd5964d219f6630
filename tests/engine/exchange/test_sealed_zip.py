"""The zip of an artifact."""

import zipfile
import zlib

from gpf_desktop.engine.exchange.artifact import sealed_zip
from gpf_desktop.engine.exchange.artifact.sealed_zip import SealedZipWriter


def test_that_files_are_compressed_at_the_level_that_is_meant(tmp_path):
    content = "".join(f"answer {n} of {n % 7}: {n * n}\n" for n in range(5000))
    writer = SealedZipWriter(tmp_path / "a.zip")
    writer.add("data/answers.jsonl", content)
    writer.close({})
    # As zip holds it: without the head and the check sum of zlib's own format.
    packer = zlib.compressobj(sealed_zip._LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(content.encode()) + packer.flush()
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert archive.getinfo("data/answers.jsonl").compress_size == len(packed)
