#!/bin/sh
# The hardened unit under real systemd in a container, with the real picamera2 in the camera process.
# Usage, as root, after picamera2_tier.sh FOLDER: tests/hardware/container_tier.sh FOLDER
# Needs systemd-nspawn (apt: systemd-container). Installs and updates with systemd/install.sh, boots, kills and stops both
# processes, goes back to the release before, and prints how long each took to be watching again.
set -eu
folder=${1:?usage: container_tier.sh FOLDER}
here=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
chroot=$folder/trixie
say() { printf 'container_tier: %s\n' "$*"; }
fail() {
    say "$*" >&2
    exit 2
}
[ "$(id -u)" = 0 ] || fail "needs root"
[ -e "$folder/ready" ] || fail "run tests/hardware/picamera2_tier.sh $folder first"
command -v systemd-nspawn >/dev/null || fail "needs systemd-nspawn: apt install systemd-container"

"$folder/lab/enter.sh" "$chroot" apt-get install -y -qq --no-install-recommends systemd systemd-sysv dbus curl procps >/dev/null
rm -rf "$chroot/opt/src" "$chroot/opt/uno-referee" "$chroot/var/lib/uno-referee"
mkdir "$chroot/opt/src"
for part in referee models calibration web systemd pyproject.toml README.md LICENSE constraints.txt constraints-bookworm.txt; do
    cp -r "$here/$part" "$chroot/opt/src/"
done
mkdir -p "$chroot/opt/lab"
cp "$here/tests/hardware/vm_guest.py" "$chroot/opt/lab/guest.py"
# First from the checkout, and then an update from a wheel alone.
# shellcheck disable=SC2016
"$folder/lab/enter.sh" "$chroot" sh -ec '
    /opt/src/systemd/install.sh
    rm -rf /opt/wheel
    /opt/venv/bin/pip wheel --quiet --no-deps --wheel-dir /opt/wheel /opt/src
    wheel=$(ls /opt/wheel/*.whl)
    python3 -m zipfile -e "$wheel" /opt/wheel/unpacked
    sh /opt/wheel/unpacked/referee/_data/systemd/install.sh install "$wheel"' >"$folder/install.log" 2>&1 || fail "see $folder/install.log"
say "installed from the checkout, updated from a wheel: $(find "$chroot/opt/uno-referee/releases" -mindepth 1 -maxdepth 1 | wc -l) releases"
# A table that was set up: watching begins at once.
mkdir -p "$chroot/var/lib/uno-referee"
cp "$here/calibration/default.json" "$chroot/var/lib/uno-referee/calibration.json"
"$folder/lab/enter.sh" "$chroot" chown -R uno-referee: /var/lib/uno-referee
units=$chroot/etc/systemd/system
mkdir -p "$units/uno-referee.service.d"
cat >"$units/uno-referee.service.d/lab.conf" <<'END'
[Service]
Environment=CAMSIM=1 MALLOC_PERTURB_=255 LD_PRELOAD=/opt/camsim/dmabuf_shim.so GPIOZERO_PIN_FACTORY=mock
Environment=PYTHONPATH=/opt/camsim:/opt/venv/lib/python3.13/site-packages
END
ln -sf /lib/systemd/system/multi-user.target "$units/default.target"
for other in avahi-daemon.service avahi-daemon.socket systemd-networkd.service; do ln -sf /dev/null "$units/$other"; done

clock() { cut -d' ' -f1 /proc/uptime; }
since_start() { echo "$(clock) $start" | awk '{printf "%.1f", $1 - $2}'; }
start=$(clock)
SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 systemd-nspawn -q --register=no --keep-unit --private-network --machine "unolab$$" \
    -D "$chroot" -b </dev/null >"$folder/container.log" 2>&1 &
container=$!
init=
# The init, too, because a container outlives a systemd-nspawn that was killed.
trap 'kill -TERM $container 2>/dev/null; wait $container 2>/dev/null || true; [ -z "$init" ] || kill -KILL "$init" 2>/dev/null' EXIT

for _ in $(seq 100); do
    init=$(cut -d' ' -f1 "/proc/$container/task/$container/children" 2>/dev/null || true)
    [ -n "$init" ] && [ -d "/proc/$init" ] && break
    sleep 0.1
done
if [ -z "$init" ] || [ ! -d "/proc/$init" ]; then
    say "this machine starts no container: $(tail -n 1 "$folder/container.log")" >&2
    exit 3
fi
inside() { nsenter -t "$init" -m -p -n -u -i "$@"; }
eye() { inside curl -s -m 2 http://127.0.0.1:8080/api/board | sed -n 's/.*"eye":{"state":"\([a-z]*\)".*/\1/p'; }
main_pid() { inside systemctl show -p MainPID --value uno-referee; }
child_pid() { inside pgrep -P "$(main_pid)" | head -n 1; }

# $1: what happened, at time $start; $2, $3: the pids that must be gone by then.
wait_watching() {
    for _ in $(seq 600); do
        if [ "$(eye)" = clear ] && [ "$(main_pid)" != "$2" ] && [ -n "$(child_pid)" ] && [ "$(child_pid)" != "$3" ]; then
            say "$1: watching after $(since_start) s"
            return
        fi
        sleep 0.2
    done
    inside journalctl --no-pager -u uno-referee -n 30
    fail "$1: not watching after two minutes"
}

# A few cards on the table, and then a pause, so that nothing but the restarts can change the position.
play() {
    inside python3 -c '
import sys
sys.path.insert(0, "/opt/lab")
from guest import Phone, start_game
phone = Phone()
start_game(phone)
for player, card in (("Ben", "R3"), ("Cleo", "G3"), ("Ana", "G+2")):
    phone.post("/api/act/missed", card=card, by=player)
phone.post("/api/act/pause")'
}
stands() { inside python3 -c 'import sys, json; sys.path.insert(0, "/opt/lab"); from guest import *; print(json.dumps(position(Phone()), sort_keys=True))'; }
intact() {
    [ "$(stands)" = "$before" ] || fail "$1: the position changed: $before, now $(stands)"
    say "$1: the position is the same"
}

wait_watching "boot" 0 0
say "on the Pi's own screen: $(inside head -n 2 /etc/issue.d/uno-referee.issue | tr '\n' ' ')"
play
before=$(stands)
for sign in KILL STOP; do
    child=$(child_pid)
    start=$(clock)
    inside kill "-$sign" "$child"
    wait_watching "SIG$sign of the camera process" 0 "$child"
    intact "SIG$sign of the camera process"
done
for sign in KILL STOP; do
    main=$(main_pid) child=$(child_pid)
    start=$(clock)
    inside kill "-$sign" "$main"
    wait_watching "SIG$sign of the service" "$main" "$child"
    intact "SIG$sign of the service"
done
main=$(main_pid) child=$(child_pid)
start=$(clock)
inside /opt/src/systemd/install.sh rollback
wait_watching "rollback to the release before" "$main" "$child"
intact "rollback"
start=$(clock)
inside systemctl stop uno-referee
say "stop: $(since_start) s, $(inside systemctl show -p Result --value uno-referee)"
say "left of it: $(inside pgrep -c -u uno-referee || true) processes"
inside /opt/src/systemd/install.sh remove
say "left after remove: $(inside sh -c 'ls -d /opt/uno-referee /etc/systemd/system/uno-referee.service /etc/avahi/services/uno* /etc/issue.d/uno* \
    /var/lib/uno-referee 2>/dev/null')"
