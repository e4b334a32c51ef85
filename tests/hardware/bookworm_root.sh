#!/bin/sh
# A Debian bookworm (12) for container_tier.sh, in FOLDER/bookworm; made once. Usage, as root: bookworm_root.sh FOLDER
# Raspberry Pi's own archive cannot be reached from everywhere. What install.sh takes from it is put into a small apt
# archive inside: python3-picamera2 is a stand-in (fake_picamera2.py with Debian's numpy 1), python3-lgpio the real library.
set -eu
folder=${1:?usage: bookworm_root.sh FOLDER}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$folder/bookworm archive=$folder/bookworm/opt/archive
[ ! -e "$folder/bookworm.ready" ] || exit 0
command -v debootstrap >/dev/null || apt-get install -y -qq --no-install-recommends debootstrap
rm -rf "$root"
debootstrap --variant=minbase --include=ca-certificates,systemd,systemd-sysv,dbus,curl,procps,python3,python3-venv \
    bookworm "$root"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
cp /etc/resolv.conf "$root/etc/resolv.conf"

# $1: package; $2: what it depends on; $3: folder of its Python files.
package() {
    stage=$(mktemp -d)
    mkdir -p "$stage/DEBIAN" "$stage/usr/lib/python3/dist-packages"
    cp -r "$3"/. "$stage/usr/lib/python3/dist-packages/"
    chmod -R a+rX "$stage"
    printf 'Package: %s\nVersion: 0.0.1\nArchitecture: amd64\nMaintainer: tests\nDepends: %s\nDescription: for a test\n' \
        "$1" "$2" >"$stage/DEBIAN/control"
    dpkg-deb --root-owner-group -b "$stage" "$archive/$1.deb" >/dev/null
    {
        cat "$stage/DEBIAN/control"
        printf 'Filename: ./%s.deb\nSize: %s\nSHA256: %s\n\n' "$1" "$(stat -c %s "$archive/$1.deb")" \
            "$(sha256sum "$archive/$1.deb" | cut -d' ' -f1)"
    } >>"$archive/Packages"
    rm -rf "$stage"
}

mkdir -p "$archive"
files=$(mktemp -d)
cp "$folder/trixie/opt/camsim/frames/0.jpg" "$files/picamera2.jpg"
cat "$here/fake_picamera2.py" - >"$files/picamera2.py" <<'END_OF_FILE'


# As apt's own picamera2 on bookworm, whose simplejpeg is built for numpy 1.
if int(np.__version__.split(".")[0]) > 1:
    raise ValueError("numpy.dtype size changed")


def _table(self, name):
    """A table, so that the eye is content."""
    import cv2

    time.sleep(0.02)  # not as fast as the processor can
    picture = cv2.resize(cv2.imread(__file__.replace(".py", ".jpg")), self._camera.config[name]["size"])
    return picture if name == "main" else cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420)


Request.make_array = _table
END_OF_FILE
package python3-picamera2 "python3, python3-numpy" "$files"
rm -rf "$files"
"$folder/lab/enter.sh" "$root" sh -ec '
    python3 -m venv /opt/fetch
    /opt/fetch/bin/pip download --quiet --no-deps --only-binary=:all: -d /opt/fetch/wheels lgpio
    python3 -m zipfile -e /opt/fetch/wheels/lgpio-*.whl /opt/fetch/lgpio'
package python3-lgpio "python3" "$root/opt/fetch/lgpio"
rm -rf "$root/opt/fetch"
echo "deb [trusted=yes] file:/opt/archive ./" >"$root/etc/apt/sources.list.d/pi.list"
touch "$folder/bookworm.ready"
