"""What the frozen program starts with."""

import sys
from types import ModuleType

STAND_INS = ("PySide6.QtOpenGL",)
"""Modules that are empty here: pyqtgraph imports this one for plots drawn by OpenGL, of which there are none."""


def main() -> int:
    """The exit code."""
    sys.modules |= {name: ModuleType(name) for name in STAND_INS}

    from gpf_desktop.__main__ import main

    return main()


if __name__ == "__main__":
    sys.exit(main())
