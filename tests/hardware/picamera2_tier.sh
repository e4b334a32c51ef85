#!/bin/sh
# The Pi camera module on the real picamera2 and libcamera (virtual camera), under Python 3.13 in a Debian trixie chroot.
# Usage, as root: tests/hardware/picamera2_tier.sh FOLDER [setup|tests|hand|direct|compare|all] [PYTEST OPTIONS]
#   setup    makes FOLDER and nothing else
#   tests    tests/hardware and tests/config on the real library
#   hand     a scripted hand of 30 plays of the simulated table through the real camera: rulings as from memory
#   direct   of that: the pictures, and the rulings from memory
#   compare  of that: the last account of a camera with the one from memory
# FOLDER is made at the first call with the lab scripts beside this checkout (about 3 minutes and 1.7 GB) and kept.
set -eu
folder=${1:?usage: picamera2_tier.sh FOLDER [setup|tests|hand|direct|compare|all] [PYTEST OPTIONS]}
what=${2:-all}
shift
[ $# -eq 0 ] || shift
here=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
lab=$here/../shared/tools/pi
chroot=$folder/trixie
fail() {
    echo "picamera2_tier: $*" >&2
    exit 2
}
[ "$(id -u)" = 0 ] || fail "needs root for chroot"
[ -d "$lab" ] || fail "needs the lab scripts at $lab"

# A copy, because the lab scripts call each other and their folder may not allow programs.
mkdir -p "$folder/lab"
cp -r "$lab/." "$folder/lab"
chmod -R u+rwX "$folder/lab"
chmod u+x "$folder"/lab/*.sh
enter() { "$folder/lab/enter.sh" "$chroot" "$@"; }
if [ ! -e "$folder/ready" ]; then
    rm -rf --one-file-system "$chroot" # of a set-up that was cut off
    "$folder/lab/setup-camsim.sh" "$chroot"
    enter /opt/venv/bin/pip install --quiet "opencv-python-headless>=4.10,<5" hypothesis segno
    touch "$folder/ready"
fi
cat >"$chroot/opt/camsim/sitecustomize.py" <<'END_OF_FILE'
# Loads the lab's glue into every Python here, the camera process included.
import os
if os.environ.get("CAMSIM") == "1":
    import camsim  # noqa: F401
    import libcamera
    # libcamera 0.4.0's virtual camera leaves the status unset, and picamera2 then drops frames and hangs in stop().
    libcamera.FrameMetadata.status = property(lambda self: libcamera.FrameMetadata.Status.Success)
    import sensor_crop
    sensor_crop.install()
    if os.environ.get("SENSOR_CLOCK"):
        import sensor_clock
        sensor_clock.install()
END_OF_FILE
cp "$here/tests/hardware/sensor_clock.py" "$here/tests/hardware/sensor_crop.py" "$chroot/opt/camsim/"
[ "$what" != setup ] || exit 0
rm -rf "$chroot/opt/uno"
mkdir "$chroot/opt/uno"
for part in referee tests models calibration systemd web pyproject.toml; do cp -r "$here/$part" "$chroot/opt/uno/"; done
in_lab() {
    enter env CAMSIM=1 MALLOC_PERTURB_=255 LD_PRELOAD=/opt/camsim/dmabuf_shim.so PYTHONPATH=/opt/camsim:/opt/uno "$@"
}

hand=tests/hardware/hand_through_drivers.py
virtual=/usr/share/libcamera/pipeline/virtual/virtual.yaml # changed only in a command's own mount namespace
# $@: steps of the hand.
from_memory() {
    # shellcheck disable=SC2016
    enter env PYTHONPATH=/opt/uno EVERY="${EVERY:-1}" sh -ec 'cd /opt/uno; script=$1; shift
        for step; do /opt/venv/bin/python "$script" "$step" /opt/hand; done' sh $hand "$@"
}

through_libcamera() {
    cat >"$chroot/opt/hand/virtual.yaml" <<'END_OF_FILE'
%YAML 1.1
---
"Hand0":
  supported_formats:
  - {width: 1280, height: 720, frame_rates: [10, 15]}
  - {width: 640, height: 360, frame_rates: [10, 15]}
  frames: {path: "/opt/hand/frames/"}
  location: "CameraLocationExternal"
  model: "scripted hand"
...
END_OF_FILE
    # The hand is played in real time, so that it comes before whatever else this machine does for those two minutes
    # (autogroups make nice alone useless).
    # shellcheck disable=SC2016
    in_lab SENSOR_CLOCK=10:/opt/hand/origin timeout -s KILL 1200 setsid -w nice -n -10 sh -ec '
        echo -10 >/proc/self/autogroup 2>/dev/null || true
        mount --bind /opt/hand/virtual.yaml "$2"
        cd /opt/uno; /opt/venv/bin/python "$1" live /opt/hand pi' sh $hand $virtual
}

# A second virtual camera, pi:1, whose light goes off and on: 20 pictures, of which each is shown four times, at 15 a
# second.
make_light() {
    enter /opt/venv/bin/python -c '
import pathlib, cv2
folder = pathlib.Path("/opt/camsim/light")
folder.mkdir(exist_ok=True)
bright = cv2.imread("/opt/camsim/frames/0.jpg")
for number in range(40):
    cv2.imwrite(str(folder / f"{number}.jpg"), bright if number < 20 else bright // 3)'
    {
        sed '/^\.\.\.$/d' "$folder/lab/camsim/virtual.yaml"
        sed -n '/^"/,/^\.\.\.$/p' "$folder/lab/camsim/virtual.yaml" |
            sed -e 's/^"[^"]*"/"Light0"/' -e 's#/opt/camsim/frames/#/opt/camsim/light/#'
    } >"$chroot/opt/camsim/two.yaml"
}

if [ "$what" = tests ] || [ "$what" = all ]; then
    make_light
    # shellcheck disable=SC2016
    in_lab sh -ec 'mount --bind /opt/camsim/two.yaml "$1"; shift
        cd /opt/uno && exec timeout -s KILL 900 /opt/venv/bin/python -m pytest -q -p no:cacheprovider \
            tests/hardware tests/config "$@"' sh $virtual "$@"
fi
case $what in
direct) from_memory render direct ;;
compare) from_memory compare ;;
hand | all)
    if [ "$(awk '/MemAvailable/ {print int($2 / 1e6)}' /proc/meminfo)" -lt 9 ]; then
        echo "picamera2_tier: the hand is skipped: libcamera's virtual camera keeps every frame, which takes 9 GB of memory"
        exit 0
    fi
    from_memory render direct
    through_libcamera
    from_memory compare
    ;;
esac
