#!/bin/sh
# systemd/install.sh where things go wrong: each time it must say why in one line, end with status 2, and leave nothing of
# a referee behind; and the next installation must not be bothered by what was there before.
# Usage, as root, after picamera2_tier.sh FOLDER: tests/hardware/install_tier.sh FOLDER [trixie|bookworm]
# Runs on an overlay over FOLDER/trixie, which stays as it is. Needs the network.
set -eu
folder=${1:?usage: install_tier.sh FOLDER [trixie|bookworm]}
suite=${2:-trixie}
here=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
say() { printf 'install_tier: %s: %s\n' "$suite" "$*"; }
fail() {
    say "$*" >&2
    exit 1
}
[ "$(id -u)" = 0 ] || fail "needs root"
[ -e "$folder/ready" ] || fail "run tests/hardware/picamera2_tier.sh $folder first"
if [ "${MOUNTS:-}" != own ]; then # mounts that end with this script
    exec unshare -m --propagation private env MOUNTS=own "$0" "$folder" "$suite"
fi
over=$folder/over root=$folder/over/root log=$folder/install_tier.log
mkdir -p "$over"
mount -t tmpfs -o size=3G tmpfs "$over"
mkdir "$over/up" "$over/work" "$root"
mount -t overlay -o "lowerdir=$folder/$suite,upperdir=$over/up,workdir=$over/work" overlay "$root"
enter() { "$folder/lab/enter.sh" "$root" "$@"; }
# By itself, too: what container_tier.sh has put there already is not put there again.
enter apt-get install -y -qq --no-install-recommends systemd systemd-sysv dbus >"$log" 2>&1 ||
    fail "systemd cannot be put there (is the network up?): $(tail -n 3 "$log")"
left="/opt/uno-referee /etc/systemd/system/uno-referee.service /etc/avahi/services/uno-referee.service
    /etc/issue.d/uno-referee.issue /usr/local/sbin/uno-referee"
for one in $left; do rm -rf "${root:?}$one"; done
rm -rf "$root/opt/src" "$root/var/lib/uno-referee"
! enter getent passwd uno-referee >/dev/null || enter userdel uno-referee
mkdir "$root/opt/src"
for part in referee models calibration web systemd pyproject.toml README.md LICENSE constraints.txt constraints-bookworm.txt; do
    cp -r "$here/$part" "$root/opt/src/"
done

# $1: what goes wrong; $2: what it must say; the rest: the command. Nothing of the referee may be there afterwards.
refused() {
    name=$1 words=$2 status=0
    shift 2
    enter "$@" >"$log" 2>&1 || status=$?
    [ "$status" = 2 ] || fail "$name: status $status instead of 2: $(tail -n 3 "$log")"
    tail -n 1 "$log" | grep -q "^install: .*$words" || fail "$name: it does not say '$words': $(tail -n 3 "$log")"
    nothing_left "$name"
    say "$name: $(tail -n 1 "$log")"
}
nothing_left() {
    for one in $left; do
        [ ! -d "$root$one" ] || [ -n "$(ls -A "$root$one")" ] || continue # a place to mount on
        [ ! -e "$root$one" ] || fail "$1: $one is left"
    done
    ! enter getent passwd uno-referee >/dev/null || fail "$1: the user is left"
}
installer=/opt/src/systemd/install.sh
# $1: a program; $2: its lines. The only one in a folder to stand before the real ones.
pretend() {
    rm -rf "$root/opt/pretend"
    mkdir "$root/opt/pretend"
    printf '#!/bin/sh\n%s\n' "$2" >"$root/opt/pretend/$1"
    chmod +x "$root/opt/pretend/$1"
}

refused "not root" "must run as root" setpriv --reuid 1000 --clear-groups $installer
pretend getconf 'echo 32'
refused "a 32-bit system" "needs a 64-bit system" env PATH=/opt/pretend:/usr/sbin:/usr/bin $installer
mkdir "$root/opt/few"
for program in id getconf dirname; do ln -s "/usr/bin/$program" "$root/opt/few/$program"; done
refused "no Debian" "needs apt" env PATH=/opt/few /bin/sh $installer
pretend python3 'case "$*" in *version_info*) exit 1 ;; *) echo Python 3.9.2 ;; esac'
# shellcheck disable=SC2016
refused "an old system" "Python 3.11 or newer, here is Python 3.9.2" unshare -m sh -c '
    mount --bind /opt/pretend/python3 "$(readlink -f /usr/bin/python3)"; exec "$0"' $installer
refused "no wheel" "there is no /opt/none.whl" $installer install /opt/none.whl
refused "no network" "is the network up" unshare -n $installer
# shellcheck disable=SC2016
refused "little room" "too little room: 99 MB are free" unshare -m sh -c '
    mkdir -p /opt/uno-referee; trap "umount /opt/uno-referee" EXIT
    mount -t tmpfs -o size=99M none /opt/uno-referee; "$0"' $installer
# There was room when it looked; then another program took it. Told so by df: pip is faster on some machines than a disk fills.
pretend df 'echo "none 640 0 640 0% /opt/uno-referee"'
# shellcheck disable=SC2016
refused "a disk that becomes full" "is the disk full" unshare -m sh -c '
    mkdir -p /opt/uno-referee; trap "umount /opt/uno-referee" EXIT
    mount -t tmpfs -o size=100M none /opt/uno-referee
    status=0; PATH=/opt/pretend:$PATH "$0" || status=$?
    [ -z "$(ls -A /opt/uno-referee)" ] || { echo "left: $(find /opt/uno-referee | head -n 3)"; exit 1; }
    exit $status' $installer

# $1: a signal for the installer once pip is at work.
interrupted() {
    # shellcheck disable=SC2016
    enter sh -c '"$1" & installer=$!
        for _ in $(seq 3000); do
            ! grep -qs "disable-pip-[v]ersion-check" /proc/[0-9]*/cmdline || break
            sleep 0.1
        done
        sleep 1; kill "-$0" $installer; wait $installer; status=$?
        ls -d /opt/uno-referee/releases/* 2>/dev/null; exit $status' "$1" $installer >"$log" 2>&1 || status=$?
}
status=0
interrupted TERM
[ "$status" = 2 ] || fail "SIGTERM: status $status: $(tail -n 3 "$log")"
nothing_left "SIGTERM"
say "SIGTERM in the middle: status $status, nothing left"
status=0
interrupted KILL
[ "$status" = 137 ] || fail "SIGKILL: status $status: $(tail -n 3 "$log")"
half=$(ls "$root/opt/uno-referee/releases")
[ -n "$half" ] || fail "SIGKILL: came too late, nothing is half made"
status=0
enter $installer >"$log" 2>&1 || status=$?
say "SIGKILL in the middle, and at once again: status $status: $(tail -n 1 "$log")"
# Of an apt that was cut off, too.
mkdir -p "$root/opt/half/DEBIAN"
printf 'Package: half\nVersion: 1\nArchitecture: all\nMaintainer: tests\nDescription: for a test\n' >"$root/opt/half/DEBIAN/control"
enter sh -ec 'dpkg-deb -b /opt/half /opt/half.deb; dpkg --unpack /opt/half.deb' >/dev/null
enter flock -w 300 /run/lock/uno-referee-install true || fail "the killed installation does not end"
enter $installer >"$log" 2>&1 || fail "SIGKILL, and run again: $(tail -n 3 "$log")"
made=$(ls "$root/opt/uno-referee/releases")
[ "$(echo "$made" | wc -l)" = 1 ] || fail "run again: releases $made"
[ "$made" != "$half" ] || fail "run again: the half is taken for whole"
enter /opt/uno-referee/current/bin/referee --version >/dev/null
# shellcheck disable=SC2016
[ "$(enter dpkg-query -W -f '${db:Status-Status}' half)" = installed ] || fail "run again: apt was not mended"
say "run again: one release, $(du -sm "$root/opt/uno-referee/releases/$made" | cut -f 1) MB; the half is gone"
status=0
enter $installer rollback >"$log" 2>&1 || status=$?
[ "$status" = 2 ] || fail "rollback with nothing to go back to: status $status"
say "rollback: $(tail -n 1 "$log")"
