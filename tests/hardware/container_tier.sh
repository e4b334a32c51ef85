#!/bin/sh
# The hardened unit and its installer under real systemd in a container.
# Usage, as root, after picamera2_tier.sh FOLDER: tests/hardware/container_tier.sh FOLDER [trixie|bookworm]
#   trixie    Debian 13, with the real picamera2 in the camera process
#   bookworm  Debian 12, Python 3.11, numpy 1; apt's picamera2 is a stand-in there (bookworm_root.sh, made once)
# Needs systemd-nspawn (apt: systemd-container) and the network. Installs with systemd/install.sh and boots; kills and
# stops both processes; installs again, updates from a wheel, refuses a release that does not come up, goes back and
# removes. Prints how long each took to be watching again. Exit status 3: this machine starts no container, or is too busy.
set -eu
folder=${1:?usage: container_tier.sh FOLDER [trixie|bookworm]}
suite=${2:-trixie}
here=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
chroot=$folder/$suite
say() { printf 'container_tier: %s: %s\n' "$suite" "$*"; }
fail() {
    say "$*" >&2
    exit 2
}
[ "$(id -u)" = 0 ] || fail "needs root"
[ -e "$folder/ready" ] || fail "run tests/hardware/picamera2_tier.sh $folder first"
command -v systemd-nspawn >/dev/null || fail "needs systemd-nspawn: apt install systemd-container"
enter() { "$folder/lab/enter.sh" "$chroot" "$@"; }
case $suite in
trixie)
    enter apt-get install -y -qq --no-install-recommends systemd systemd-sysv dbus curl procps >/dev/null
    camera='CAMSIM=1 MALLOC_PERTURB_=255 LD_PRELOAD=/opt/camsim/dmabuf_shim.so GPIOZERO_PIN_FACTORY=mock
Environment=PYTHONPATH=/opt/camsim:/opt/venv/lib/python3.13/site-packages'
    ;;
bookworm)
    "$here/tests/hardware/bookworm_root.sh" "$folder" >"$folder/bookworm.log" 2>&1 || fail "see $folder/bookworm.log"
    enter sh -c '[ -e /opt/venv ] || python3 -m venv /opt/venv'
    camera='' # as it is installed; no pins, which is named
    ;;
*) fail "unknown: $suite; expected trixie or bookworm" ;;
esac

rm -rf "$chroot/opt/src" "$chroot/opt/broken" "$chroot/opt/uno-referee" "$chroot/var/lib/uno-referee"
mkdir "$chroot/opt/src"
for part in referee models calibration web systemd pyproject.toml README.md LICENSE constraints.txt constraints-bookworm.txt; do
    cp -r "$here/$part" "$chroot/opt/src/"
done
cp -r "$chroot/opt/src" "$chroot/opt/broken"
sed -i '/^def command/,/"""/ s/^\( *\)""".*/&\n\1raise SystemExit("broken on purpose")/' "$chroot/opt/broken/referee/commands/serve.py"
grep -q 'broken on purpose' "$chroot/opt/broken/referee/commands/serve.py" || fail "serve.py cannot be broken on purpose"
mkdir -p "$chroot/opt/lab"
cp "$here/tests/hardware/vm_guest.py" "$chroot/opt/lab/guest.py"
cp "$here/tests/hardware/recorded_bounce.py" "$chroot/opt/lab/"
enter /opt/src/systemd/install.sh >"$folder/install.log" 2>&1 || fail "see $folder/install.log"
say "installed from the checkout: $(enter /opt/uno-referee/current/bin/python -c 'import sys, cv2, numpy; print(
    "Python", sys.version.split()[0], "numpy", numpy.__version__, "OpenCV", cv2.__version__)')"
# A table that was set up: watching begins at once.
mkdir -p "$chroot/var/lib/uno-referee"
cp "$here/calibration/default.json" "$chroot/var/lib/uno-referee/calibration.json"
enter chown -R uno-referee: /var/lib/uno-referee
units=$chroot/etc/systemd/system
mkdir -p "$units/uno-referee.service.d"
printf '[Service]\nEnvironment=%s\n' "$camera" >"$units/uno-referee.service.d/lab.conf"
ln -sf /lib/systemd/system/multi-user.target "$units/default.target"
for other in avahi-daemon.service avahi-daemon.socket systemd-networkd.service apt-daily.timer apt-daily-upgrade.timer; do ln -sf /dev/null "$units/$other"; done

clock() { cut -d' ' -f1 /proc/uptime; }
since_start() { echo "$(clock) $start" | awk '{printf "%.1f", $1 - $2}'; }
start=$(clock)
SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 systemd-nspawn -q --register=no --keep-unit --private-network --machine "unolab$$" \
    -D "$chroot" -b </dev/null >"$folder/container.log" 2>&1 &
container=$!
init=
# The init, too, because a container outlives a systemd-nspawn that was killed; usually it is gone by then, which is no
# failure of the tier.
leave() {
    kill -TERM $container 2>/dev/null || true
    wait $container 2>/dev/null || true
    [ -z "$init" ] || kill -KILL "$init" 2>/dev/null || true
}
trap leave EXIT

# The container's init: the child that is process 1 of its own. Another one comes before it and ends.
for _ in $(seq 300); do
    for child in $(cat "/proc/$container/task/$container/children" 2>/dev/null || true); do
        [ "$(awk '/^NSpid/ {print $NF}' "/proc/$child/status" 2>/dev/null)" = 1 ] && init=$child
    done
    [ -z "$init" ] || break
    sleep 0.1
done
if [ -z "$init" ] || [ ! -d "/proc/$init" ]; then
    say "this machine starts no container: $(tail -n 1 "$folder/container.log")" >&2
    exit 3
fi
inside() { nsenter -t "$init" -m -p -n -u -i "$@"; }
# The same with this machine's network, which an installer needs. $1: 0, or 2 if it must fail; the rest: its words.
install_sh() {
    wanted=$1 status=0
    shift
    main=$(main_pid) child=$(child_pid)
    nsenter -t "$init" -m -p -u -i env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        "$@" >>"$folder/install.log" 2>&1 || status=$?
    [ "$status" = "$wanted" ] || fail "$* ended with $status: see $folder/install.log"
    start=$(clock)
}
installed() {
    inside sh -c 'find /etc/systemd/system/uno* /etc/avahi/services /etc/issue.d /usr/local/sbin -name "*uno*" | sort; getent passwd uno-referee
        find /opt/uno-referee -maxdepth 1 | sort; stat -c "%U %a" /var/lib/uno-referee'
}
releases() { inside find /opt/uno-referee/releases -mindepth 1 -maxdepth 1 | wc -l; }
eye() { inside curl -s -m 2 http://127.0.0.1:8080/api/board | sed -n 's/.*"eye":{"state":"\([a-z]*\)".*/\1/p'; }
main_pid() { inside systemctl show -p MainPID --value uno-referee; }
child_pid() { inside pgrep -P "$(main_pid)" | head -n 1; }

# $1: what happened, at time $start; $2, $3: the pids that must be gone by then.
wait_watching() {
    for _ in $(seq 600); do
        [ -d "/proc/$init" ] || fail "$1: the container ended; see $folder/container.log"
        # The processes first, each looked up once: an answer that comes after them is one of theirs.
        new_main=$(main_pid 2>/dev/null || true) new_child=$(child_pid 2>/dev/null || true)
        if [ "$new_main" != "$2" ] && [ -n "$new_child" ] && [ "$new_child" != "$3" ] && [ "$(eye)" = clear ]; then
            say "$1: watching after $(since_start) s"
            return
        fi
        sleep 0.2
    done
    inside journalctl --no-pager -u uno-referee -n 30 | grep -v '[█▀▄]'
    load=$(cut -d' ' -f1 /proc/loadavg)
    if awk "BEGIN {exit !($load > 4 * $(nproc))}"; then
        say "$1: not watching after two minutes, but the load is $load: this machine is too busy to tell"
        exit 3
    fi
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
say "the installed program as the service's user: $(inside uno-referee doctor --no-camera | tr -s ' ' | tr '\n' ';' || true)"
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

# A host changes the camera on a phone: the service starts again in the same process, with what was written.
child=$(child_pid)
start=$(clock)
inside python3 -c '
import contextlib, http.client, sys
sys.path.insert(0, "/opt/lab")
from guest import Phone
phone = Phone()
phone.become_host()
phone.post("/api/machine", fields={"camera.mains_hz": 60})
with contextlib.suppress(OSError, http.client.HTTPException):  # whatever was being answered is cut off
    phone.post("/api/machine/restart")'
wait_watching "the camera changed on a phone" 0 "$child"
intact "the camera changed on a phone"
say "the camera changed on a phone: $(inside sed -n '/^[a-z]/p' /var/lib/uno-referee/config.toml)"

# The name in the network leads to the port of the configuration, also when that was changed after the installation.
announced() { inside sed -n 's/.*<port>\([0-9]*\).*/\1/p' /etc/avahi/services/uno-referee.service; }
said=$(announced)
for port in 8099 8080; do
    main=$(main_pid) child=$(child_pid)
    inside sed -i "s/^#* *port = .*/port = $port/" /var/lib/uno-referee/config.toml
    inside systemctl restart uno-referee
    start=$(clock)
    said="$said $(announced)"
done
[ "$said" = "8080 8099 8080" ] || fail "the network was told the ports $said"
say "the network was told the ports $said"
wait_watching "the port changed in the file, and back" "$main" "$child"

# The times of these count from the end of the installer, which has restarted the service.
now=$(installed)
install_sh 0 /opt/src/systemd/install.sh
wait_watching "installed again while it runs" "$main" "$child"
intact "installed again"
[ "$now" = "$(installed)" ] || fail "the second installation left other things than the first: $now, now $(installed)"
say "installed again: the same files, user and rights; $(releases) releases"
# shellcheck disable=SC2016
install_sh 0 sh -ec '
    rm -rf /opt/wheel
    /opt/venv/bin/pip wheel --quiet --no-deps --wheel-dir /opt/wheel /opt/src
    wheel=$(ls /opt/wheel/*.whl)
    python3 -m zipfile -e "$wheel" /opt/wheel/unpacked
    sh /opt/wheel/unpacked/referee/_data/systemd/install.sh install "$wheel"'
wait_watching "updated from a wheel alone" "$main" "$child"
intact "updated from a wheel"
say "updated: $(releases) releases"
install_sh 2 /opt/broken/systemd/install.sh
wait_watching "a release that does not come up" "$main" "$child"
intact "a release that does not come up"
say "a release that does not come up: $(tail -n 1 "$folder/install.log")"
# A rollback that is cut off once it has pointed at the older release, and run again, leads there and not forward.
current() { inside readlink /opt/uno-referee/current; }
newer=$(current) older=$(inside sh -c 'ls -d /opt/uno-referee/releases/*' | grep -v -x "$newer")
# shellcheck disable=SC2016
inside sh -c 'mkdir -p /opt/pretend; printf "#!/bin/sh\nkill -KILL \$PPID\n" >/opt/pretend/systemctl; chmod +x /opt/pretend/systemctl'
install_sh 137 env PATH=/opt/pretend:/usr/sbin:/usr/bin:/sbin:/bin /opt/src/systemd/install.sh rollback
[ "$(current)" = "$older" ] || fail "the rollback was cut off too early"
install_sh 0 /opt/src/systemd/install.sh rollback
[ "$(current)" = "$older" ] || fail "a rollback that was cut off leads forward when it is run again"
wait_watching "rollback to the release before" "$main" "$child"
intact "rollback"
# shellcheck disable=SC2016
inside find "$newer" -name serve.py -path '*/commands/*' -exec sh -c 'echo "raise SystemExit(1)" >>"$1"' sh {} \;
install_sh 2 /opt/src/systemd/install.sh rollback
[ "$(current)" = "$older" ] || fail "a rollback to what does not come up: $(current) is in use instead of $older"
wait_watching "a rollback to a release that does not come up" "$main" "$child"
intact "a rollback to a release that does not come up"
say "a rollback to a release that does not come up: $(tail -n 1 "$folder/install.log")"
start=$(clock)
inside systemctl stop uno-referee
say "stop: $(since_start) s, $(inside systemctl show -p Result --value uno-referee)"
say "left of it: $(inside pgrep -c -u uno-referee || true) processes"
inside /opt/src/systemd/install.sh remove
say "left after remove: $(inside sh -c 'ls -d /opt/uno-referee /etc/systemd/system/uno-referee.service /etc/avahi/services/uno* /etc/issue.d/uno* /usr/local/sbin/uno* \
    /var/lib/uno-referee 2>/dev/null')"
