#!/bin/sh
# Installs the referee as a service on Raspberry Pi OS or Debian, 64-bit, Python 3.11 or newer.
#   sudo systemd/install.sh                     install, or update to this checkout
#   sudo systemd/install.sh install FILE.whl    install, or update to, this wheel
#   sudo systemd/install.sh rollback            back to the release before
#   sudo systemd/install.sh remove              stop and remove the program; games stay in /var/lib/uno-referee
# Each release has an environment of its own under /opt/uno-referee/releases; `current` points at the one in use.
set -eu

root=/opt/uno-referee
unit=/etc/systemd/system/uno-referee.service
data=/var/lib/uno-referee
name=/etc/avahi/services/uno-referee.service # how other devices of the network find it
told=/run/uno-referee/port                   # where the running service leaves the port on which it answers
screen=/etc/issue.d/uno-referee.issue        # what the Pi's own screen shows above the login
program=/usr/local/sbin/uno-referee          # `sudo uno-referee doctor`: the installed program on the service's data
user=uno-referee
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
source=$(dirname -- "$here")
wheel=${2:-}
lock=/run/lock/uno-referee-install
back=$root/going-back # while a rollback is under way: the release that it leaves
good=came-up          # a file in a release that has been up on this machine
keep=2 # releases that stay: the one in use and the one to go back to
room=600 # MB: a release needs about 300, and pip as much again while it unpacks; less fills the disk halfway

say() { printf 'install: %s\n' "$*" >&2; }
fail() {
    say "$*"
    exit 2
}

check_machine() {
    [ "$(id -u)" = 0 ] || fail "must run as root: sudo $0"
    [ "$(getconf LONG_BIT)" = 64 ] || fail "needs a 64-bit system: OpenCV has no wheels for 32 bits"
    command -v apt-get >/dev/null || fail "needs apt: Raspberry Pi OS or Debian"
    command -v systemctl >/dev/null || fail "needs systemd"
    [ ! -x /usr/bin/python3 ] || check_python
}

# Two at once would take each other's releases for halves. What a killed installer has left running holds it, too.
take_lock() {
    mkdir -p "$(dirname "$lock")"
    exec 9>"$lock"
    flock -n 9 || fail "another installation runs, or what is left of one that was killed: wait a minute and try again"
}

check_python() {
    /usr/bin/python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        fail "needs Python 3.11 or newer, here is $(/usr/bin/python3 --version): Raspberry Pi OS bookworm or newer"
}

check_room() {
    place=$root
    while [ ! -d "$place" ]; do place=$(dirname "$place"); done
    free=$(df -Pm "$place" | awk 'END {print $4}')
    [ "$free" -ge "$room" ] || fail "too little room: $free MB are free at $place, a release needs $room; nothing was changed"
}

check_source() {
    case $wheel in
    '') [ -f "$source/pyproject.toml" ] || fail "$source is no checkout of the referee; name a wheel: $0 install FILE.whl" ;;
    *.whl) [ -f "$wheel" ] || fail "there is no $wheel" ;;
    *) fail "$wheel is no wheel: its name must end in .whl" ;;
    esac
}

install_packages() {
    export DEBIAN_FRONTEND=noninteractive
    dpkg --configure -a # of an installation that was cut off; else it does nothing
    apt-get update -qq || say "the package lists could not be renewed; going on with the ones that are there"
    wanted="python3 python3-venv avahi-daemon"
    for package in python3-picamera2 python3-lgpio; do
        if apt-cache show "$package" >/dev/null 2>&1; then
            wanted="$wanted $package"
        else
            say "there is no $package here (only Raspberry Pi OS has it): no Pi camera, or no pins, on this machine"
        fi
    done
    # What apt starts may live on: the lock is not for it. It waits for another apt.
    # shellcheck disable=SC2086
    apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 $wanted 9>&- ||
        fail "apt could not install what is needed and says why above (is the network up? is the disk full?);" \
            "the referee was not changed"
    check_python
}

make_user() {
    getent passwd "$user" >/dev/null || useradd --system --home-dir $data --shell /usr/sbin/nologin "$user"
    # The unit names these groups; a machine without a Pi's devices may lack them.
    for group in video render gpio; do
        getent group "$group" >/dev/null || groupadd --system "$group"
    done
}

# $1: a release. The others that have been up on this machine, oldest first: those to go back to.
others() {
    find "$root/releases" -mindepth 2 -maxdepth 2 -name $good -printf '%h\n' 2>/dev/null | { grep -v -x "$1" || true; } | sort
}

# $1: a release. First its mark: one that is half gone is none to go back to.
forget() {
    rm -f "$1/$good"
    rm -rf "$1"
    rmdir "$root/releases" "$root" 2>/dev/null || true # of a first installation that failed
}

# $1: the release in use. What an installation left that was killed, whole or not.
forget_halves() {
    find "$root/releases" -mindepth 1 -maxdepth 1 -type d 2>/dev/null | while read -r one; do
        [ "$one" = "$1" ] || [ -e "$one/$good" ] || forget "$one"
    done
}

make_release() {
    release=$root/releases/$(date +%Y%m%d-%H%M%S)
    say "making $release (some minutes on a Pi)"
    mkdir -p "$root/releases"
    # Whatever ends this installer, short of SIGKILL: no half of a release stays.
    trap '[ -e "$release/uno-referee.service" ] || forget "$release"' EXIT
    trap 'exit 2' HUP INT TERM
    # The system's own packages bring picamera2 and lgpio, which cannot be installed from PyPI on a Pi.
    /usr/bin/python3 -m venv --system-site-packages "$release" || fail "$release could not be made: is the disk full?"
    set -- -c "$source/constraints.txt"
    if /usr/bin/python3 -c 'import sys; sys.exit(sys.version_info >= (3, 12))'; then
        grep -v -E '^(numpy|opencv-python-headless)==' "$source/constraints.txt" >"$release/constraints.txt" ||
            fail "$release could not be made: is the disk full?"
        set -- -c "$release/constraints.txt" -c "$source/constraints-bookworm.txt"
    fi
    "$release/bin/python" -m pip install --quiet --disable-pip-version-check "$@" "${wheel:-$source}" ||
        fail "pip could not install what is needed and says why above (is the network up? is the disk full?);" \
            "the release in use was not touched"
    "$release/bin/referee" --version >/dev/null || fail "the new release does not start; the one in use was not touched"
    # The unit and this program as they belong to the release, so that going back brings theirs back, too.
    { cp "$here/install.sh" "$release/" && cp "$here/uno-referee.service" "$release/unit.new"; } ||
        fail "$release could not be made: is the disk full? The release in use was not touched"
    sync # a plug that is pulled from now on finds it whole
    mv "$release/unit.new" "$release/uno-referee.service"
}

# A rename is atomic: there is never a moment without a release.
point_at() {
    ln -sfn "$1" "$root/current.new"
    mv -T "$root/current.new" "$root/current"
}

# The unit calls it once the service is up: this release works here. The port is the service's own word, each time, because
# the configuration may have changed meanwhile.
announce() {
    : >"$here/$good"
    port=$(grep -m 1 -x -E '[0-9]{1,5}' "$told") || fail "$told: expected the port of the running service"
    [ -d "$(dirname "$name")" ] || return 0 # no avahi here
    cat >"$name.new" <<END
<?xml version="1.0" standalone="no"?>
<!DOCTYPE service-group SYSTEM "avahi-service.dtd">
<service-group>
  <name replace-wildcards="yes">UNO referee on %h</name>
  <service><type>_http._tcp</type><port>$port</port></service>
</service-group>
END
    if cmp -s "$name.new" "$name"; then rm "$name.new"; else mv "$name.new" "$name"; fi # a new file is announced anew
}

# The address with its QR code on the Pi's own screen.
show_on_screen() {
    mkdir -p "$(dirname "$screen")"
    ln -sfn /run/uno-referee/issue "$screen"
}

# As the service's user and with its groups, so that what it says is what the service meets.
make_program() {
    mkdir -p "$(dirname "$program")"
    cat >"$program.new" <<END
#!/bin/sh
[ "\$(id -u)" = 0 ] || { echo "uno-referee: run it with sudo" >&2; exit 2; }
cd $data && exec setpriv --reuid $user --regid $user --groups video,render,gpio env HOME=$data REFEREE_DATA=$data \\
    $root/current/bin/referee "\$@"
END
    chmod 755 "$program.new"
    mv "$program.new" "$program"
}

# $1: a release. Another status than 0 when it does not come up.
switch_to() {
    # `set -e` does not hold in what is called from a condition.
    { point_at "$1" && install -m 644 "$1/uno-referee.service" "$unit.new" && mv "$unit.new" "$unit" &&
        systemctl enable --quiet uno-referee; } || return 1
    if [ ! -d /run/systemd/system ]; then # an image that is being built
        say "systemd does not run here: the service starts with the next boot"
        return
    fi
    systemctl daemon-reload && systemctl restart uno-referee
}

last_words() {
    say "$1 did not come up; its last words:"
    journalctl -u uno-referee -n 20 --no-pager >&2 || true
}

case ${1:-install} in
install)
    check_machine
    check_source
    take_lock
    check_room
    install_packages
    rm -f "$back"
    before=$(readlink "$root/current" || true)
    forget_halves "$before"
    make_release
    make_user
    show_on_screen
    make_program
    if ! switch_to "$release"; then
        last_words "the new release"
        if [ -n "$before" ] && [ -d "$before" ]; then
            switch_to "$before" || true
            forget "$release"
            fail "went back to $before"
        fi
        fail "nothing to go back to; see: journalctl -u uno-referee"
    fi
    others "$release" | head -n "-$((keep - 1))" | while read -r old; do
        [ "$old" = "$before" ] || forget "$old"
    done
    say "done. The address, its QR code and, at the first start, the host's PIN: journalctl -u uno-referee -o cat -n 40"
    say "sudo uno-referee doctor looks at the machine; sudo uno-referee --help tells what else there is"
    say "in the network it is also http://$(hostname).local:$(cat "$told" 2>/dev/null || echo 8080) (not on every Android)"
    ;;
rollback)
    check_machine
    take_lock
    # One that was cut off goes on in its own direction: seen from `current` alone it would now lead forward.
    now=$(readlink "$back" || readlink "$root/current") || fail "nothing is installed"
    before=$(others "$now" | tail -n 1)
    [ -n "$before" ] || fail "there is no other release to go back to"
    ln -sfn "$now" "$back"
    if ! switch_to "$before"; then
        last_words "$before"
        switch_to "$now" || last_words "$now"
        rm -f "$back"
        fail "$now is in use again"
    fi
    rm -f "$back"
    say "back to $before"
    ;;
announce)
    announce
    ;;
remove)
    [ "$(id -u)" = 0 ] || fail "must run as root: sudo $0 remove"
    take_lock
    systemctl disable --now --quiet uno-referee 2>/dev/null || true
    rm -f "$unit" "$name" "$screen" "$program" "$unit.new" "$name.new" "$program.new"
    systemctl daemon-reload
    rm -rf "$root"
    say "removed. Games, photos and settings are still in $data; delete that folder to forget them"
    ;;
*)
    fail "unknown: $1; expected install, rollback or remove"
    ;;
esac
