"""Keeps a test run away from the user's own settings, keys, screen and proxies."""

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path

ORIGINAL = dict(os.environ)
"""The environment as it was, for the few tests that install packages the way the user would."""

_PROXIES = ("http_proxy", "https_proxy", "all_proxy", "ftp_proxy", "no_proxy")


def use_throwaway_home() -> Path:
    """Point every place where a program keeps things at a folder that goes when the tests end.

    Qt draws offscreen unless QT_QPA_PLATFORM says otherwise. There is no session bus, so that no key store is
    found; a test that wants one starts its own. Child processes inherit all of it.
    """
    home = Path(tempfile.mkdtemp(prefix="gpf-tests-"))
    atexit.register(_remove, home, os.getpid())
    folders = {
        "HOME": ".",
        "XDG_CONFIG_HOME": "config",
        "XDG_DATA_HOME": "data",
        "XDG_STATE_HOME": "state",
        "XDG_CACHE_HOME": "cache",
        "XDG_RUNTIME_DIR": "runtime",
    }
    if sys.platform == "win32":
        folders |= {"USERPROFILE": ".", "APPDATA": "roaming", "LOCALAPPDATA": "local"}
    for variable, folder in folders.items():
        path = home / folder
        path.mkdir(mode=0o700, exist_ok=True)
        os.environ[variable] = str(path)
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={home / 'no-bus'}"
    os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"
    os.environ["LANGUAGE"] = "en"
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    for name in _PROXIES:
        os.environ.pop(name, None)
        os.environ.pop(name.upper(), None)
    return home


def _remove(home: Path, owner: int) -> None:
    # A forked child runs this handler too, and the folder is not its to remove.
    if os.getpid() == owner:
        shutil.rmtree(home, ignore_errors=True)
