"""Run by build.py with the environment's own Python: what the folder holds besides what PyInstaller puts there.

python finish.py FOLDER
"""

import platform
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from freeze import contents, distributions, locale_data, manual_page, tagger_models


def main(folder: Path) -> None:
    inside = next(each for each in (folder / "_internal", folder) if (each / "gpf_desktop").is_dir())
    for each in contents.BESIDE_ITSELF:
        (inside / each).mkdir(parents=True, exist_ok=True)
    for model in inside.glob("HanTa/*.pgz"):
        tagger_models.write_again(model)
    locale_data.trim(inside / "babel/locale-data", contents.languages())
    licences = folder / "licences"
    shutil.rmtree(licences, ignore_errors=True)
    licences.mkdir()
    shutil.copy(Path(__file__).parents[2] / "LICENSE", licences / "LICENSE")
    distributions.write_licences(
        distributions.licences(distributions.shipped(contents.NAME, contents.EXTRAS)), licences
    )
    _of_what_builds(licences)
    _of_the_system(inside, licences)
    shutil.rmtree(folder / "help", ignore_errors=True)
    manual_page.write(folder / "help")


def _of_what_builds(licences: Path) -> None:
    """Python itself and PyInstaller's starter, which are in the folder too."""
    text = next(
        (
            place / name
            for place in (
                Path(sys.base_prefix),
                Path(sys.base_prefix) / "lib" / f"python{platform.python_version()[:4]}",
            )
            for name in ("LICENSE.txt", "LICENSE")
            if (place / name).is_file()
        ),
        None,
    )
    with (licences / "LIBRARIES").open("a", encoding="utf-8") as told:
        told.write(f"Python {platform.python_version()}: Python Software Foundation License\n")
        told.write(
            f"PyInstaller {distributions.version_of('pyinstaller')} (starter): GPL-2.0-or-later with exception\n"
        )
    if text is not None:
        (licences / "Python").mkdir(exist_ok=True)
        shutil.copy(text, licences / "Python" / "LICENSE")
    distributions.write_licences(
        [*distributions.licences(distributions.shipped("pyinstaller")[:1])], licences / "built-with"
    )


def _of_the_system(inside: Path, licences: Path) -> None:
    """Of the system's libraries that Python needs and that are in the folder, where the system is a Debian."""
    if shutil.which("dpkg-query") is None:
        return
    for library in inside.glob("lib*.so*"):
        said = subprocess.run(["dpkg-query", "-S", f"*/{library.name}"], capture_output=True, text=True, check=False)
        for package in {line.split(":")[0] for line in said.stdout.splitlines()}:
            text = Path("/usr/share/doc") / package / "copyright"
            if text.is_file():
                (licences / package).mkdir(exist_ok=True)
                shutil.copy(text, licences / package / "copyright")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
