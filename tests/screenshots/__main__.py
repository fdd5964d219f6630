"""``python -m tests.screenshots OUT``: every page, light and dark, in every state, as PNG files.

Files are called ``<state>-<page>[-<what>]-<theme>-<width>x<height>.png``: state *closed* (no audit), *new* (an audit
that holds nothing) or *sample* (a copy of the shipped sample audit, or of the one given with ``--audit``).
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from gpf_desktop.engine.commands.sample import unpack_sample
from gpf_desktop.ui.theme import Scheme
from tests.screenshots.scenes import PAGES, STATES, Scene
from tests.screenshots.stage import Stage
from tests.support.surroundings import use_throwaway_home


def main(argv: Sequence[str]) -> int:
    wanted = _parse(argv)
    wanted.out.mkdir(parents=True, exist_ok=True)
    use_throwaway_home()
    with tempfile.TemporaryDirectory(prefix="gpf-screenshots-") as place:
        folder = Path(place)
        if wanted.audit is None:
            unpack_sample(folder / "Sample audit.gpf")
        else:
            shutil.copyfile(wanted.audit, folder / "Sample audit.gpf")
        with Stage(folder, wanted.text, wanted.language) as stage:
            for name in wanted.states:
                STATES[name].enter(stage)
                chosen = [scene for scene in STATES[name].chosen(stage) if scene.page in wanted.only]
                for theme in wanted.theme:
                    stage.dress(Scheme(theme))
                    for scene in chosen:
                        _picture(stage, scene, theme, wanted)
    return 0


def _picture(stage: Stage, scene: Scene, theme: str, wanted: argparse.Namespace) -> None:
    scene.set(stage)
    for width, height in wanted.size:
        stage.resize(width, height, moving=scene.moving)
        path = wanted.out / f"{scene.name}-{theme.replace(' ', '-')}-{width}x{height}.png"
        stage.save(path)
        print(path, flush=True)
    scene.strike(stage)


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.screenshots", description=(__doc__ or "").splitlines()[0])
    themes = [scheme.value for scheme in Scheme]
    parser.add_argument("out", type=Path, help="folder for the pictures")
    parser.add_argument("--size", nargs="+", type=_size, default=[(1280, 720), (1920, 1080)], metavar="WxH")
    parser.add_argument("--theme", nargs="+", default=[Scheme.LIGHT.value, Scheme.DARK.value], choices=themes)
    parser.add_argument("--only", nargs="+", default=list(PAGES), choices=PAGES, metavar="PAGE")
    parser.add_argument("--states", nargs="+", default=list(STATES), choices=list(STATES))
    parser.add_argument("--text", type=int, default=100, help="text size in per cent")
    parser.add_argument("--language", default="", help="of the words; “pseudo”: one that shows what is not translated")
    parser.add_argument("--audit", type=Path, help="an audit to show in place of the sample")
    return parser.parse_args(argv)


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    return int(width), int(height)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
