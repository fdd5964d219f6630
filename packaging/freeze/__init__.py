"""Builds what people install: a folder that needs no Python, a Debian package of it, and the wheel.

build.py            the command
contents.py         what goes into the folder and what stays out; the lists, and nothing else
gpf-desktop.spec    PyInstaller's recipe, made of those lists
distributions.py    the libraries that ship, and their licences
manual_page.py      the manual page and the completions of shells, from the commands' own help
debian_package.py   the Debian package
linux/              what desktops read: the entry and its description
briefcase/          Windows and macOS: not run yet
release.yml         the steps of a release, for a server that builds: not run yet
try_package.sh      installs, uses and removes the package in a bare root of Debian
"""
