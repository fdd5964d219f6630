"""Runs with one thread of linear algebra a process: others would spin beside the other worker of pytest-xdist."""

from gpf_desktop.linear_algebra import in_one_thread

# Before anything imports numpy; child processes inherit it.
in_one_thread()
