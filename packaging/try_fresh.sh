#!/usr/bin/env bash
# Runs the README's two commands as a newcomer would, in bare roots of Debian in which nothing but Python is installed,
# and says how long each took and what it came to. Linux, root and debootstrap only; every root goes afterwards.
#
#     packaging/try_fresh.sh [--quick] [SUITE ...]        Debian 12 and 13 where no suite is named
#
# --quick runs only the tests that are not slow. What is tried is the last commit. Packages come from wherever this
# machine's own apt and pip get theirs. Exit code 1: a command failed; 2: this machine cannot make a root.
set -euo pipefail

usage() { sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; }

tests=(test)
suites=()
for argument in "$@"; do
    case $argument in
        -h | --help) usage; exit 0 ;;
        --quick) tests=(test --quick) ;;
        -*) usage >&2; exit 2 ;;
        *) suites+=("$argument") ;;
    esac
done
[ ${#suites[@]} -gt 0 ] || suites=(bookworm trixie)
project=$(git -C "$(dirname "${BASH_SOURCE[0]}")" rev-parse --show-toplevel)

if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap unshare >/dev/null; then
    echo "This needs root, and debootstrap and unshare (Debian: debootstrap, util-linux)." >&2
    exit 2
fi
if [ -z "${GPF_FRESH_MOUNTS:-}" ]; then
    # In mounts and processes of its own: whatever happens, nothing stays mounted and nothing goes on running.
    GPF_FRESH_MOUNTS=1 exec unshare --mount --pid --fork --kill-child -- "${BASH_SOURCE[0]}" "$@"
fi

mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
failed=0

# Whatever folders and files pip is told to use here, at the same places in the root $1.
carry_over() {
    local root=$1 path
    mkdir -p "$root/etc/apt/apt.conf.d"
    apt-config dump Acquire >"$root/etc/apt/apt.conf.d/90host"
    for path in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt /etc/pip.conf "$HOME/.config/pip/pip.conf"; do
        if [ -e "$path" ]; then install -D -m 644 "$path" "$root$path"; fi
    done
    if [ -d /etc/xdg/pip ]; then mkdir -p "$root/etc/xdg" && cp -r /etc/xdg/pip "$root/etc/xdg/"; fi
    # A local index names its files beside itself, so what holds it is shown too.
    for path in $(python3 -m pip config list 2>/dev/null | grep -oE "(file://)?/[^' ]+" | sort -u); do
        case $path in file://*) path=$(dirname "${path#file://}") ;; esac
        if [ -d "$path" ] && ! mountpoint --quiet "$root$path"; then
            mkdir -p "$root$path"
            mount --bind --options ro "$path" "$root$path"
        fi
    done
}

# Removes the root $1, and never anything that is only shown in it.
remove() {
    if mountpoint --quiet "$1"; then umount --lazy --recursive "$1"; fi
    if grep -qF " $1" /proc/self/mountinfo; then
        echo "$1 is left: something is still mounted in it." >&2
        return 1
    fi
    rm -rf --one-file-system "$1" "$1.log"
}

# timed WORDS COMMAND ...: runs it into the log $log and says what it came to.
timed() {
    local words=$1 start=$SECONDS code=0
    shift
    "$@" >>"$log" 2>&1 || code=$?
    printf '%-9s %-22s exit code %d after %d s\n' "$suite" "$words" "$code" $((SECONDS - start))
    # Nothing but a test run has counts to tell.
    { grep -aE '(passed|failed|error).* in [0-9.]+s' "$log" || true; } | tail -n 1 | sed 's/^[= ]*/    /; s/[= ]*$//'
    if [ "$code" -ne 0 ]; then
        failed=1
        tail -n 300 "$log"
    fi
    : >"$log"
}

for suite in "${suites[@]}"; do
    root=$(mktemp -d -p "${TMPDIR:-/var/tmp}" "gpf-$suite-XXXXXX")
    log=$root.log
    trap 'remove "$root"' EXIT
    chmod 755 "$root" # it becomes /, where users other than root go through
    mount --bind "$root" "$root"
    timed "a bare root" debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates "$suite" "$root" "$mirror"
    carry_over "$root"
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    git clone --quiet "$project" "$root/project"
    kept=$(env | grep -iE '^(PIP_|(https?|no|all)_proxy=)' || true)
    mapfile -t kept <<<"$kept"
    inside=(chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin "${kept[@]}")
    begin=("${inside[@]}" python3 /project/packaging/bootstrap.py)
    timed "$("${inside[@]}" python3 --version)" true
    timed "demo, first start" "${begin[@]}" demo
    timed "demo, second start" "${begin[@]}" demo
    timed "${tests[*]}" "${begin[@]}" "${tests[@]}"
    remove "$root"
    trap - EXIT
done
exit "$failed"
