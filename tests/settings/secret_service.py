"""Steps that run inside a throw-away D-Bus session with a real Secret Service, and print what they saw as JSON.

python -m tests.settings.secret_service    inside the session; `run_in_audit` starts it there
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.settings.keys import KeyRing

CANARY = "sk-canary-4711-quince-lantern"
ENDPOINT = Endpoint(provider="openai", model="some-model")
_SCRIPT = """
printf 'pass\\n' | gnome-keyring-daemon --unlock --components=secrets --daemonize >/dev/null 2>&1
exec "$1" -m tests.settings.secret_service
"""


def run_in_audit(folder: Path) -> dict[str, Any]:
    """What the steps saw, in a session whose data lives under *folder* and ends with it."""
    data, runtime = folder / "data", folder / "runtime"
    for path in (data, runtime):
        path.mkdir(mode=0o700)
    surroundings = {**os.environ, "XDG_DATA_HOME": str(data), "XDG_RUNTIME_DIR": str(runtime)}
    del surroundings["DBUS_SESSION_BUS_ADDRESS"]
    for display in ("DISPLAY", "WAYLAND_DISPLAY"):
        surroundings.pop(display, None)
    ended = subprocess.run(
        ["dbus-run-session", "--", "sh", "-c", _SCRIPT, "sh", sys.executable],
        env=surroundings,
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    seen: dict[str, Any] = json.loads(ended.stdout)
    return seen


def main() -> None:
    import secretstorage

    first = KeyRing()
    seen: dict[str, Any] = {"title": first.backend_title, "persistent": first.persistent}
    seen["before"] = first.find(ENDPOINT) is not None
    seen["kept"] = first.save(KeyRing.name_of(ENDPOINT), Secret(CANARY))
    later = KeyRing()
    found = later.find(ENDPOINT)
    seen["found"] = found is not None and found.reveal() == CANARY
    seen["where"] = later.where(ENDPOINT)
    related = Endpoint(provider="openai", model="some-model", base_url="http://127.0.0.1:1/v1")
    seen["elsewhere"] = later.find(related) is not None

    bus = secretstorage.dbus_init()
    collection = secretstorage.get_default_collection(bus)
    collection.lock()
    locked = KeyRing()
    seen["locked_find"] = locked.find(ENDPOINT) is not None
    seen["locked_trouble"] = locked.trouble
    seen["locked_kept"] = locked.save("another", Secret("sk-other"))
    bus.close()
    print(json.dumps(seen))


if __name__ == "__main__":
    main()
