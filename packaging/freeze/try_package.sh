#!/usr/bin/env bash
# Installs the Debian package in a bare root of Debian that has no Python, uses it, removes it, and says what each step
# came to and what is left behind. Linux, root and debootstrap only; the root goes afterwards.
#
#     packaging/freeze/try_package.sh PACKAGE.deb [SUITE]        Debian 12 where no suite is named
#
# GPF_ROOT=FOLDER: a root that is there already is taken, and stays. Exit code 1: a step failed; 2: no root can be made.
set -euo pipefail

package=$(realpath "${1:?PACKAGE.deb}")
suite=${2:-bookworm}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project=$(dirname "$(dirname "$here")")

if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap unshare Xvfb xprop import >/dev/null; then
    echo "This needs root, and debootstrap, unshare, Xvfb, xprop and import (Debian: debootstrap, xvfb, x11-utils, imagemagick)." >&2
    exit 2
fi
if [ -z "${GPF_TRY_MOUNTS:-}" ]; then
    # In mounts and processes of its own: whatever happens, nothing stays mounted and nothing goes on running.
    GPF_TRY_MOUNTS=1 exec unshare --mount --pid --fork --kill-child -- "${BASH_SOURCE[0]}" "$@"
fi
mount -t proc proc /proc

mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
root=${GPF_ROOT:-$(mktemp -d -p "${TMPDIR:-/var/tmp}" gpf-package-XXXXXX)}
# Others than root are to use what is inside.
chmod 755 "$root"
log=$(mktemp)
failed=0
clean() {
    umount --lazy --recursive "$root" 2>/dev/null || true
    rm -f "$log" "$log".*
    if [ -z "${GPF_ROOT:-}" ] && ! grep -qF " $root" /proc/self/mountinfo; then rm -rf --one-file-system "$root"; fi
}
trap clean EXIT

# step WORDS COMMAND ...: runs it and says what it came to.
step() {
    local words=$1 start=$SECONDS code=0
    shift
    "$@" >"$log" 2>&1 || code=$?
    printf '%-34s exit code %d after %d s\n' "$words" "$code" $((SECONDS - start))
    if [ "$code" -ne 0 ]; then
        failed=1
        tail -n 40 "$log" | sed 's/^/    /'
    fi
}

# One round of calibration models; fails where no worker process of the program was ever seen, or nothing was scored.
round() {
    local said=$log.round seen=no asking
    "${user[@]}" sh -c "cd /home/tester && gpf-desktop run /tmp/plan.toml --audit round.gpf" >"$said" 2>&1 &
    asking=$!
    while kill -0 "$asking" 2>/dev/null; do
        if pgrep -f 'gpf-desktop --multiprocessing-fork' >/dev/null; then seen=yes; fi
        sleep 0.1
    done
    cat "$said"
    wait "$asking" && [ "$seen" = yes ] && grep -q '42 sets of answers scored' "$said"
}

mount --bind "$root" "$root" 2>/dev/null || true
[ -x "$root/usr/bin/dpkg" ] || step "a bare root" debootstrap --variant=minbase "$suite" "$root" "$mirror"
mkdir -p "$root/etc/apt/apt.conf.d" "$root/tmp/.X11-unix"
apt-config dump Acquire >"$root/etc/apt/apt.conf.d/90host"
for path in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt; do
    if [ -e "$path" ]; then install -D -m 644 "$path" "$root$path"; fi
done
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
cp "$package" "$root/tmp/package.deb"
cat >"$root/tmp/text.txt" <<'END'
Wolves hunt in packs. Dr. Smith said that the wolves of the valley avoid people, e.g. near the road.

A pack of wolves was seen in March. Nobody was hurt, and the wolves left before noon.
END
cat >"$root/tmp/answers.csv" <<'END'
model,article,dimension,identity,family,response
m,a,age,a student,impact,The tram will open soon and you may like it.
m,a,age,a pensioner,impact,The new tram is a danger and it will cost you dearly.
m,a,age,a nurse,impact,The tram opens in spring. Shifts at night will be easier to reach.
END
cat >"$root/tmp/feed.xml" <<'END'
<rss version="2.0"><channel><title>Valley News</title><link>http://127.0.0.1/</link><description>News</description>
<item><title>Kestrel county raises the minimum wage for nurses</title><link>http://127.0.0.1/1</link>
<description>The council voted for a wage of 17 an hour from spring, after nurses had asked for it.</description></item>
</channel></rss>
END
cat >"$root/tmp/plan.toml" <<'END'
controls = "none"
[[sources]]
file = "feed.xml"
[[models]]
provider = "calibration"
model = "tailoring-0.3"
END
inside=(chroot "$root" /usr/bin/env -i HOME=/home/tester LANG=C.UTF-8 PATH=/usr/bin:/bin:/usr/sbin:/sbin)
# A user of their own: a program that writes into its own folder fails here.
user=(chroot --userspec=1000:1000 "$root" /usr/bin/env -i HOME=/home/tester LANG=C.UTF-8 PATH=/usr/bin:/bin)

step "no Python" "${inside[@]}" sh -c '! command -v python3'
step "package lists" "${inside[@]}" apt-get -qq update
step "install" "${inside[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends /tmp/package.deb
step "still no Python" "${inside[@]}" sh -c '! command -v python3'
"${inside[@]}" sh -c 'id tester >/dev/null 2>&1 || useradd --create-home --uid 1000 tester; mkdir -p /home/tester; chown -R 1000:1000 /home/tester'
step "every library is found" "${inside[@]}" sh -c '! find /usr/lib/gpf-desktop -name "*.so*" -exec env LD_LIBRARY_PATH=/usr/lib/gpf-desktop/_internal:/usr/lib/gpf-desktop/_internal/PySide6/Qt/lib ldd {} + 2>/dev/null | grep "not found"'
work="cd /home/tester &&"
step "--version" "${user[@]}" gpf-desktop --version
step "doctor" "${user[@]}" sh -c "$work gpf-desktop doctor"
step "methods" "${user[@]}" gpf-desktop methods
step "demo --no-window" "${user[@]}" sh -c "$work gpf-desktop demo sample.gpf --no-window | grep '/usr/lib/gpf-desktop/gpf-desktop'"
step "a round, scored by its workers" round
step "score" "${user[@]}" sh -c "$work gpf-desktop score /tmp/answers.csv -o scores.csv && test -s scores.csv"
for suffix in pdf docx xlsx html; do
    step "report as $suffix" "${user[@]}" sh -c "$work gpf-desktop report sample.gpf -o report.$suffix && test -s report.$suffix"
done
step "an import" "${user[@]}" sh -c "$work gpf-desktop import /tmp/answers.csv -o imported.gpf && gpf-desktop doctor imported.gpf"
step "preferences, in German" "${user[@]}" sh -c "$work gpf-desktop config look.language de && gpf-desktop config look.language | grep de && LANGUAGE=de gpf-desktop doctor | grep 'Alles ist in Ordnung'; gpf-desktop config --reset look.language"
step "further libraries are told" "${user[@]}" sh -c "$work gpf-desktop add | grep encoders"
step "report as docx, both kinds" "${user[@]}" sh -c "$work gpf-desktop report sample.gpf --kind both -o both.docx"
step "export" "${user[@]}" sh -c "$work gpf-desktop export sample.gpf -o data && find data -name '*.csv' | grep ."
step "sentences" "${user[@]}" sh -c "$work gpf-desktop sentences /tmp/text.txt --concept wolves -o sentences.csv && grep -i wol sentences.csv"
step "benchmark" "${user[@]}" sh -c "$work gpf-desktop benchmark sentences.csv -o benchmark.csv && grep -i wolves benchmark.csv"
step "check --quick" "${user[@]}" sh -c "$work gpf-desktop check --quick"
step "a missing file of its own is named" "${inside[@]}" sh -c "$work mv /usr/lib/gpf-desktop/_internal/docx/templates /tmp/t; gpf-desktop report sample.gpf -o no.docx 2>said; mv /tmp/t /usr/lib/gpf-desktop/_internal/docx/templates; grep -q templates said && ! grep -q 'no folder' said"

mkdir -p /tmp/.X11-unix
Xvfb :97 -screen 0 1440x900x24 -nolisten tcp >/dev/null 2>&1 &
mount --bind /tmp/.X11-unix "$root/tmp/.X11-unix"
sleep 2
"${user[@]}" env DISPLAY=:97 gpf-desktop demo /home/tester/window.gpf >"$log.window" 2>&1 &
window=$!
for _ in $(seq 60); do
    sleep 1
    DISPLAY=:97 xprop -root _NET_CLIENT_LIST_STACKING >/dev/null 2>&1 || true
    DISPLAY=:97 xwininfo -root -tree 2>/dev/null | grep -q 'GPF Desktop' && break
done
sleep "${GPF_WINDOW_SECONDS:-25}"
step "a window, of the class in its entry" sh -c "DISPLAY=:97 xwininfo -root -tree | grep '\"gpf-desktop\" \"GPF Desktop\"' && grep -q 'StartupWMClass=GPF Desktop' '$root/usr/share/applications/gpf-desktop.desktop'"
DISPLAY=:97 import -window root "${GPF_PICTURE:-$project/build/freeze/window.png}" || true
step "it is still running" kill -0 "$window"
# As Ctrl+C in its terminal: it saves and closes.
kill -INT "$window" 2>/dev/null || true
for _ in $(seq 30); do
    kill -0 "$window" 2>/dev/null || break
    sleep 1
done
step "it closed when told to" sh -c "! kill -0 $window 2>/dev/null"
kill -KILL "$window" 2>/dev/null || true
wait "$window" 2>/dev/null || true
if [ -s "$log.window" ]; then sed 's/^/    said: /' "$log.window"; fi
step "no worker is left" sh -c '! pgrep -f /usr/lib/gpf-desktop/[g]pf-desktop'

step "remove" "${inside[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq purge -y gpf-desktop
step "nothing of it is left" "${inside[@]}" sh -c '! find / -xdev -iname "*gpf*desktop*" -not -path "/home/*" -not -path "/proc/*" -not -path "/tmp/*" -not -path "/var/cache/*" -not -path "/var/log/*" | grep .'
"${inside[@]}" sh -c 'find /home -iname "*gpf*"' | sed 's/^/    the user keeps: /'
exit "$failed"
