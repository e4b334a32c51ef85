#!/bin/sh
# The Pi camera module on the real picamera2 and libcamera (virtual camera), under Python 3.13 in a Debian trixie chroot.
# Usage, as root: tests/hardware/picamera2_tier.sh FOLDER [PYTEST OPTIONS]
# FOLDER is made at the first call with the lab scripts beside this checkout (about 3 minutes and 1.7 GB) and kept.
set -eu
folder=${1:?usage: picamera2_tier.sh FOLDER [PYTEST OPTIONS]}
shift
here=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
lab=$here/../shared/tools/pi
chroot=$folder/trixie
if [ "$(id -u)" != 0 ]; then echo "picamera2_tier: needs root for chroot" >&2; exit 2; fi
if [ ! -d "$lab" ]; then echo "picamera2_tier: needs the lab scripts at $lab" >&2; exit 2; fi

# A copy, because the lab scripts call each other and their folder may not allow programs.
mkdir -p "$folder/lab"
cp -r "$lab/." "$folder/lab"
chmod -R u+rwX "$folder/lab"
chmod u+x "$folder"/lab/*.sh
if [ ! -e "$folder/ready" ]; then
    "$folder/lab/setup-camsim.sh" "$chroot"
    "$folder/lab/enter.sh" "$chroot" /opt/venv/bin/pip install --quiet "opencv-python-headless>=4.10,<5" hypothesis segno
    cat >"$chroot/opt/camsim/sitecustomize.py" <<'END'
# Loads the lab's glue into every Python here, the camera process included.
import os
if os.environ.get("CAMSIM") == "1":
    import camsim  # noqa: F401
    import libcamera
    # libcamera 0.4.0's virtual camera leaves the status unset, and picamera2 then drops frames and hangs in stop().
    libcamera.FrameMetadata.status = property(lambda self: libcamera.FrameMetadata.Status.Success)
END
    touch "$folder/ready"
fi
rm -rf "$chroot/opt/uno"
mkdir "$chroot/opt/uno"
for part in referee tests models calibration systemd pyproject.toml; do cp -r "$here/$part" "$chroot/opt/uno/"; done

exec "$folder/lab/enter.sh" "$chroot" env CAMSIM=1 MALLOC_PERTURB_=255 LD_PRELOAD=/opt/camsim/dmabuf_shim.so \
    PYTHONPATH=/opt/camsim:/opt/uno sh -c 'cd /opt/uno && exec timeout -s KILL 600 /opt/venv/bin/python -m pytest -q -p no:cacheprovider \
    tests/hardware tests/config "$@"' sh "$@"
