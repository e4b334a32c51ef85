#!/bin/sh
# A hand of 30 plays of the simulated table refereed by the whole service through a real camera driver; the cards, the
# rulings and the scores must be those of the same pictures taken from memory.
# Usage, as root: tests/hardware/hand_tier.sh FOLDER [libcamera|v4l2|all]
#   libcamera  the Pi camera's road: picamera2 on libcamera's virtual camera, in real time (picamera2_tier.sh)
#   v4l2       a USB camera's road: the kernel's V4L2 with v4l2loopback, in a virtual machine (vm_tier.sh)
# Exit status 1: they differ; 3: this machine was too slow to tell.
set -eu
folder=${1:?usage: hand_tier.sh FOLDER [libcamera|v4l2|all]}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
case ${2:-all} in
libcamera) exec "$here/picamera2_tier.sh" "$folder" hand ;;
v4l2) exec "$here/vm_tier.sh" "$folder" hand ;;
all)
    "$here/picamera2_tier.sh" "$folder" hand
    exec "$here/vm_tier.sh" "$folder" hand
    ;;
*)
    echo "hand_tier: unknown: $2; expected libcamera, v4l2 or all" >&2
    exit 2
    ;;
esac
