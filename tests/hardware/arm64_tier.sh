#!/bin/sh
# The core of the test suite and the reader under aarch64 Python 3.13 (qemu-user), with the wheels that a Pi would install.
# Usage, as root: tests/hardware/arm64_tier.sh FOLDER [PYTEST PATHS]
# Needs debootstrap, qemu-user-static and Linux 6.7 or newer (a binfmt_misc of its own for each user namespace: the
# machine's own settings stay as they are). FOLDER is made at the first call and kept: about 1 GB, the network.
# Nothing runs under emulation while it is made: packages and wheels are only unpacked.
set -eu
folder=${1:?usage: arm64_tier.sh FOLDER [PYTEST PATHS]}
shift
here=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
root=$folder/arm64 python=$here/.venv/bin/python
lab=$here/../shared/tools/pi
skip() {
    echo "arm64_tier: skipped: $*"
    exit 0
}
[ "$(id -u)" = 0 ] || skip "needs root for chroot"
[ -d "$lab" ] || skip "needs the lab scripts at $lab"
command -v debootstrap >/dev/null || skip "needs debootstrap: apt install debootstrap"
[ -x /usr/bin/qemu-aarch64-static ] || skip "needs qemu-aarch64-static: apt install qemu-user-static"
grep -q binfmt_misc /proc/filesystems || skip "this kernel has no binfmt_misc"

mkdir -p "$folder/lab"
cp -r "$lab/." "$folder/lab"
chmod -R u+rwX "$folder/lab"
chmod u+x "$folder"/lab/*.sh "$folder"/lab/*.py
if [ ! -e "$folder/arm64-ready" ]; then
    rm -rf "$root" "$folder/arm64-debs"
    debootstrap --arch=arm64 --variant=minbase --foreign --include=ca-certificates,python3,python3-numpy trixie "$folder/arm64-debs" >"$folder/arm64.log"
    mkdir -p "$root"
    for deb in "$folder"/arm64-debs/var/cache/apt/archives/*.deb; do dpkg-deb -x "$deb" "$root"; done
    rm -rf "$folder/arm64-debs"
    # What pip would choose on a Pi: aarch64 wheels for CPython 3.13 under this project's constraints, and never a source.
    "$python" -m pip install --quiet --no-input --target "$root/opt/site" --platform manylinux_2_28_aarch64 \
        --platform manylinux_2_17_aarch64 --platform manylinux2014_aarch64 --platform any --python-version 3.13 \
        --implementation cp --abi cp313 --abi abi3 --abi none --only-binary=:all: -c "$here/constraints.txt" \
        numpy opencv-python-headless flask waitress segno click gpiozero pytest hypothesis 2>>"$folder/arm64.log"
    touch "$folder/arm64-ready"
fi
rm -rf "$root/opt/uno" "$root/opt/golden"
mkdir -p "$root/opt/uno" "$root/opt/golden"
for part in referee tests models calibration systemd web docs pyproject.toml README.md; do cp -r "$here/$part" "$root/opt/uno/"; done
find "$root/opt/uno" -name __pycache__ -prune -exec rm -r {} +
under_arm() {
    "$folder/lab/binfmt-enter.sh" "$root" env QEMU_CPU=cortex-a72 PYTHONPATH=/opt/site:/opt/uno OMP_NUM_THREADS=1 \
        PYTHONDONTWRITEBYTECODE=1 sh -ec 'cd /opt/uno; exec /usr/bin/python3 "$@"' sh "$@"
}
golden=tests/hardware/golden_frames.py
PYTHONPATH=$here "$python" "$here/$golden" make "$root/opt/golden"
PYTHONPATH=$here "$python" "$here/$golden" read "$root/opt/golden" "$root/opt/golden/x86.json"
under_arm $golden read /opt/golden /opt/golden/arm.json
"$python" "$here/$golden" compare "$root/opt/golden/x86.json" "$root/opt/golden/arm.json"
[ $# -gt 0 ] || set -- tests/test_cards.py tests/tracker tests/rules/test_tables.py tests/hardware/test_debounce.py \
    tests/hardware/test_exposure.py
under_arm -m pytest -q -p no:cacheprovider "$@"
