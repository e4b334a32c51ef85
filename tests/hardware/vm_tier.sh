#!/bin/sh
# The installed service in a virtual machine with Debian's kernel: a real gpiochip (gpio-sim) read by lgpio, power cuts.
# Usage, as root, after picamera2_tier.sh FOLDER: tests/hardware/vm_tier.sh FOLDER [image|presses|cuts|usb|hand|all]
#   image    builds kernel modules, disk and initial RAM disk; kept in FOLDER/vm, made again when it is missing
#   presses  200 presses with recorded bounce on a line of the chip: all told once, all answered by the lamp; then the
#            button jams and its wire comes loose, which the page must name
#   cuts     the machine is switched off in mid-hand three times; after each boot the game stands where it stood
#   usb      a USB camera on the kernel's V4L2 test driver (vivid): frames, part of the view, busy, no rights, unplugged,
#            by the camera's code alone and on the page of `referee serve`
#   hand     the scripted hand of picamera2_tier.sh through a V4L2 camera (v4l2loopback): rulings as from memory;
#            every second picture, or all with EVERY=1
# Needs qemu-system-x86_64, mke2fs and, for the image, the network. No KVM: the machine's clock counts instructions
# (1000 million a second) and follows the host's while nothing is to be done, so that inside nothing is slow, however long
# it takes outside. For the presses it leaps to the next timer instead, so that nothing is late either; the other jobs wait
# for disks, which would look slow then. CLOCK=host: its clock is the host's, and everything inside is slow.
set -eu
folder=${1:?usage: vm_tier.sh FOLDER [image|presses|cuts|usb|hand|all]}
what=${2:-all}
here=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
chroot=$folder/trixie vm=$folder/vm
say() { printf 'vm_tier: %s\n' "$*"; }
fail() {
    say "$*" >&2
    exit 2
}
[ "$(id -u)" = 0 ] || fail "needs root"
[ -e "$folder/ready" ] || fail "run tests/hardware/picamera2_tier.sh $folder first"
command -v qemu-system-x86_64 >/dev/null || fail "needs qemu-system-x86_64: apt install qemu-system-x86"
command -v mke2fs >/dev/null || fail "needs mke2fs: apt install e2fsprogs"
enter() { "$folder/lab/enter.sh" "$chroot" "$@"; }

build_image() {
    say "building modules, disk and initial RAM disk"
    rm -rf "$vm"
    mkdir -p "$vm/kernel" "$vm/stage"
    # shellcheck disable=SC2016
    enter sh -ec '
        apt-get update -qq
        apt-get install -y -qq --no-install-recommends systemd systemd-sysv dbus udev kmod procps busybox-static gcc make xz-utils linux-headers-amd64
        image=$(apt-cache depends linux-image-amd64 | sed -n "s/.*Depends: \(linux-image-6[^ ]*\)/\1/p")
        mkdir -p /root/vm
        cd /root/vm
        [ -e "$image.deb" ] || { apt-get download "$image" linux-source-6.12; mv "${image}"_*.deb "$image.deb"; }
        echo "${image#linux-image-}" >version
        # Debian builds its kernels without gpio-sim: out of tree, from the same source.
        if [ ! -e gpio-sim/gpio-sim.ko ]; then
            mkdir -p gpio-sim
            cd gpio-sim
            dpkg-deb --fsys-tarfile ../linux-source-6.12_*.deb | tar -xO ./usr/src/linux-source-6.12.tar.xz |
                tar -xJ --strip-components=3 --wildcards "*/drivers/gpio/gpio-sim.c" "*/drivers/gpio/gpiolib*.h"
            dpkg-deb --fsys-tarfile ../linux-source-6.12_*.deb | tar -xO ./usr/src/linux-source-6.12.tar.xz |
                tar -xJ --strip-components=3 --wildcards "*/kernel/irq/irq_sim.c"
            mv gpio-sim.c main.c
            sed -i "s/handle_simple_irq(irq_to_desc(irqnum))/generic_handle_irq(irqnum)/" irq_sim.c # not exported
            printf "obj-m := gpio-sim.o\ngpio-sim-y := main.o irq_sim.o\n" >Makefile
            make -s -C "/usr/src/linux-headers-$(cat ../version)" M="$PWD" modules
            cd ..
        fi
        # The module only: its package would build it for every kernel here by itself.
        if [ ! -e loopback/v4l2loopback.ko ]; then
            apt-get download v4l2loopback-dkms
            dpkg-deb -x v4l2loopback-dkms_*.deb loopback-source
            cp -r loopback-source/usr/src/v4l2loopback-* loopback
            make -s -C "/usr/src/linux-headers-$(cat version)" M="$PWD/loopback" modules
        fi' >"$vm/build.log" 2>&1 || fail "see $vm/build.log"
    version=$(cat "$chroot/root/vm/version")
    dpkg-deb -x "$chroot/root/vm/linux-image-$version.deb" "$vm/kernel"
    rm -rf "$chroot/opt/src" "$chroot/opt/uno-referee" "$chroot/var/lib/uno-referee"
    mkdir "$chroot/opt/src" "$vm/code"
    cp -r "$here/referee" "$vm/code/"
    for part in referee models calibration web systemd pyproject.toml README.md LICENSE; do
        cp -r "$here/$part" "$chroot/opt/src/"
    done
    cp "$here"/constraints*.txt "$chroot/opt/src/"
    enter /opt/src/systemd/install.sh >>"$vm/build.log" 2>&1 || fail "see $vm/build.log"
    tar -C "$chroot" --one-file-system --exclude='./proc/*' --exclude='./sys/*' --exclude='./dev/*' --exclude=./root --exclude='./tmp/*' \
        --exclude=./opt/venv --exclude=./opt/camsim --exclude=./opt/hand --exclude=./opt/src --exclude=./opt/uno \
        --exclude=./usr/src --exclude=./usr/include --exclude='./usr/lib/gcc*' --exclude='./usr/libexec/gcc*' \
        --exclude='./usr/lib/linux-*' --exclude='./lib/modules' --exclude='./usr/lib/modules' --exclude=./usr/share/doc \
        --exclude=./usr/share/locale --exclude=./usr/share/perl --exclude='./usr/lib/x86_64-linux-gnu/*.a' \
        --exclude='./usr/lib/x86_64-linux-gnu/libLLVM*' --exclude=./var/cache --exclude=./var/lib/apt \
        --exclude='./etc/systemd/system/uno-referee.service.d' -cf - . | tar -C "$vm/stage" -xf -
    stage_guest
    rm -f "$vm/disk.img"
    truncate -s 1500M "$vm/disk.img"
    mke2fs -q -t ext4 -d "$vm/stage" "$vm/disk.img"
    rm -rf "$vm/stage"
    touch "$vm/ready"
    say "disk $(du -m "$vm/disk.img" | cut -f1) MB, kernel $version"
}

# What the machine needs beside the installed service: modules, the chip, rights as on a Pi, and the test itself.
stage_guest() {
    s=$vm/stage modules=$vm/stage/usr/lib/modules/$version
    mkdir -p "$s/root" "$s/var/cache" "$s/opt/lab" "$s/opt/hand" "$modules/extra" "$s/etc/systemd/system/uno-referee.service.d"
    from=$vm/kernel/usr/lib/modules/$version
    cp "$from"/modules.builtin* "$from/modules.order" "$modules/"
    for part in fs/configfs fs/ext4 fs/jbd2 fs/mbcache.ko.xz drivers/gpio drivers/block/virtio_blk.ko.xz lib crypto \
        arch/x86/crypto drivers/media/test-drivers/vivid drivers/media/common drivers/media/mc drivers/media/v4l2-core \
        drivers/media/cec drivers/media/rc sound/core drivers/char/hw_random; do
        [ -e "$from/kernel/$part" ] || continue
        mkdir -p "$modules/kernel/$(dirname "$part")"
        cp -r "$from/kernel/$part" "$modules/kernel/$part"
    done
    cp "$chroot/root/vm/gpio-sim/gpio-sim.ko" "$chroot/root/vm/loopback/v4l2loopback.ko" "$modules/extra/"
    strip --strip-debug "$modules"/extra/*.ko
    enter true
    mkdir -p "$chroot/mnt/stage"
    # shellcheck disable=SC2016
    unshare -m sh -ec 'mount --bind "$1" "$2/mnt/stage"; chroot "$2" /sbin/depmod -b /mnt/stage "$3"' sh "$s" "$chroot" "$version"
    # Debian has no python3-lgpio; on a Pi apt puts it here.
    cp "$chroot"/opt/venv/lib/python3.*/site-packages/lgpio.py "$chroot"/opt/venv/lib/python3.*/site-packages/_lgpio*.so \
        "$s/usr/lib/python3/dist-packages/"
    : >"$s/etc/fstab"
    echo uno-vm >"$s/etc/hostname"
    cat >"$s/opt/lab/header.sh" <<'END_OF_FILE'
#!/bin/sh
# A header like a Pi's: 54 lines, the button's pulled up; and the revision by which gpiozero knows the board.
set -e
modprobe gpio-sim
chip=/sys/kernel/config/gpio-sim/uno
mkdir -p $chip/bank0
echo 54 >$chip/bank0/num_lines
echo pinctrl-bcm2711 >$chip/bank0/label
echo 1 >$chip/live
echo pull-up | tee /sys/devices/platform/gpio-sim.*/gpiochip*/sim_gpio17/pull >/dev/null
{ cat /proc/cpuinfo; printf 'Hardware\t: BCM2835\nRevision\t: c03115\n'; } >/run/cpuinfo
mount --bind /run/cpuinfo /proc/cpuinfo
END_OF_FILE
    chmod +x "$s/opt/lab/header.sh"
    cat >"$s/etc/systemd/system/header.service" <<'END_OF_FILE'
[Unit]
After=systemd-udevd.service sys-kernel-config.mount
Before=uno-referee.service
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/opt/lab/header.sh
END_OF_FILE
    cat >"$s/etc/systemd/system/lab.service" <<'END_OF_FILE'
[Unit]
After=uno-referee.service
Requires=uno-referee.service
[Service]
ExecStart=/usr/bin/python3 /opt/lab/vm_guest.py
END_OF_FILE
    cat >"$s/etc/systemd/system/uno-referee.service.d/lab.conf" <<'END_OF_FILE'
[Unit]
Requires=header.service
After=header.service
[Service]
ExecStart=
ExecStart=/opt/uno-referee/current/bin/referee serve --no-camera
END_OF_FILE
    echo 'SUBSYSTEM=="gpio", KERNEL=="gpiochip*", GROUP="gpio", MODE="0660"' >"$s/etc/udev/rules.d/99-gpio.rules"
    units=$s/etc/systemd/system
    mkdir -p "$units/multi-user.target.wants"
    ln -sf /lib/systemd/system/multi-user.target "$units/default.target"
    for unit in header lab; do ln -sf "../$unit.service" "$units/multi-user.target.wants/$unit.service"; done
    for off in avahi-daemon.service avahi-daemon.socket apt-daily.timer apt-daily-upgrade.timer e2scrub_all.timer \
        e2scrub_reap.service fstrim.timer dpkg-db-backup.timer logrotate.timer man-db.timer systemd-networkd.service \
        systemd-networkd.socket serial-getty@ttyS0.service getty.target; do ln -sf /dev/null "$units/$off"; done
    mkdir -p "$s/var/lib/uno-referee"
    printf '[buttons]\nuno_pins = [17]\n[signals]\nlamp_pins = [22]\n' >"$s/var/lib/uno-referee/config.toml"
    owner=$(awk -F: '$1 == "uno-referee" {print $3 ":" $4}' "$s/etc/passwd")
    chown -R "$owner" "$s/var/lib/uno-referee"
}

make_initrd() {
    i=$vm/initrd
    rm -rf "$i"
    mkdir -p "$i/bin" "$i/modules" "$i/dev" "$i/proc" "$i/sys" "$i/root"
    cp "$chroot/usr/bin/busybox" "$i/bin/"
    mkdir "$i/lab"
    for name in vm_guest vm_usb vm_serve vm_feeder recorded_bounce; do cp "$here/tests/hardware/$name.py" "$i/lab/"; done
    ln -s busybox "$i/bin/sh"
    for name in virtio_blk crc16 crc32c_generic libcrc32c crc32c-intel mbcache jbd2 ext4; do
        file=$(find "$vm/kernel/usr/lib/modules" -name "$name.ko.xz" | head -n 1)
        [ -z "$file" ] && continue
        xz -dc "$file" >"$i/modules/$name.ko"
        echo "$name.ko" >>"$i/modules/list"
    done
    cat >"$i/init" <<'END_OF_FILE'
#!/bin/sh
b=/bin/busybox
$b mount -t proc proc /proc
$b mount -t sysfs sys /sys
$b mount -t devtmpfs dev /dev
while read -r module; do $b insmod "/modules/$module" 2>/dev/null; done </modules/list
n=0
while [ ! -b /dev/vda ] && [ $n -lt 100 ]; do $b sleep 0.1; n=$((n + 1)); done
$b mount -t ext4 -o rw /dev/vda /root || exec $b sh
$b cp /lab/* /root/opt/lab/
for place in dev proc sys; do $b mount --move /$place /root/$place; done
exec $b switch_root /root /lib/systemd/systemd
END_OF_FILE
    chmod +x "$i/init"
    (cd "$i" && find . | "$chroot/usr/bin/busybox" cpio -o -H newc 2>/dev/null | gzip -1) >"$vm/initrd.gz"
    rm -rf "$i"
}

# A processor without AVX, because qemu 7.2's emulation of that let the eye die of SIGSEGV.
# $1: the job; $2: the disk; the rest: options. Starts the machine; its words go to $vm/$1.said, its kernel's to
# $vm/$1.console.
start() {
    job=$1 disk=$2
    shift 2
    : >"$vm/$job.said"
    case ${CLOCK:-$job} in
    host) ;;
    presses) set -- -icount shift=0,sleep=off "$@" ;;
    *) set -- -icount shift=0 "$@" ;;
    esac
    nice -n 5 qemu-system-x86_64 -machine q35 -accel tcg -cpu Nehalem -m 1536 -nodefaults -display none -no-reboot \
        -kernel "$vm"/kernel/boot/vmlinuz-* -initrd "$vm/initrd.gz" \
        -append "console=ttyS0 root=/dev/vda rw quiet mitigations=off net.ifnames=0 lab=$job every=${EVERY:-2}" \
        -drive "file=$disk,format=raw,if=virtio,cache=writethrough" -device virtio-serial-pci \
        -chardev "file,id=said,path=$vm/$job.said" -device virtconsole,chardev=said \
        -serial "file:$vm/$job.console" -object rng-random,id=rng,filename=/dev/urandom -device virtio-rng-pci,rng=rng \
        "$@" &
    machine=$!
}
stop_machine() { kill -KILL "$machine" 2>/dev/null || true; }
machine=
trap 'stop_machine' EXIT

# $1: the job; $2: a regular expression that must come up; $3: seconds of patience.
wait_said() {
    for _ in $(seq "$3"); do
        if grep -q '"failed"' "$vm/$1.said"; then
            tail -n 2 "$vm/$1.said" >&2
            fail "$1 failed inside"
        fi
        grep -q -E "$2" "$vm/$1.said" && return
        kill -0 "$machine" 2>/dev/null || fail "$1: the machine ended; see $vm/$1.console"
        sleep 1
    done
    fail "$1: nothing matched $2 within $3 s; see $vm/$1.said and $vm/$1.console"
}

if [ ! -e "$vm/ready" ] || [ "$what" = image ]; then build_image; fi
version=$(cat "$chroot/root/vm/version")
make_initrd
if [ "$what" = presses ] || [ "$what" = all ]; then
    cp --sparse=always "$vm/disk.img" "$vm/work.img"
    start presses "$vm/work.img"
    wait_said presses '"done"' 3600
    grep -E '"(jammed|loose|well|done)"' "$vm/presses.said"
    stop_machine
fi
if [ "$what" = usb ] || [ "$what" = all ]; then
    cp --sparse=always "$vm/disk.img" "$vm/work.img"
    start usb "$vm/work.img"
    wait_said usb '"done"' 3600
    grep '"usb"' "$vm/usb.said"
    stop_machine
fi
if [ "$what" = hand ] || [ "$what" = all ]; then
    export EVERY="${EVERY:-2}" # of the pictures: the eye needs more instructions than this machine's clock gives it
    "$here/tests/hardware/picamera2_tier.sh" "$folder" direct
    rm -rf "$vm/stage"
    mkdir -p "$vm/stage/code/tests"
    cp -r "$chroot/opt/hand/frames" "$vm/stage/"
    for part in referee models calibration web pyproject.toml tests/hardware; do cp -r "$here/$part" "$vm/stage/code/$part"; done
    rm -f "$vm/hand.img"
    truncate -s 800M "$vm/hand.img"
    mke2fs -q -t ext4 -d "$vm/stage" "$vm/hand.img"
    rm -rf "$vm/stage"
    cp --sparse=always "$vm/disk.img" "$vm/work.img"
    start v4l2 "$vm/work.img" -drive "file=$vm/hand.img,format=raw,if=virtio"
    wait_said v4l2 '"done"' 10800
    stop_machine
    grep '"v4l2"' "$vm/v4l2.said"
    sed -n 's/^{"account": \(.*\)}\r*$/\1/p' "$vm/v4l2.said" >"$chroot/opt/hand/live.json"
    "$here/tests/hardware/picamera2_tier.sh" "$folder" compare
fi
if [ "$what" = cuts ] || [ "$what" = all ]; then
    for cut in 1 2 3; do
        cp --sparse=always "$vm/disk.img" "$vm/work.img"
        start hand "$vm/work.img"
        wait_said hand '"stands"' 3600
        # The plug is pulled at some moment of the play, not at a moment that the play chooses.
        sleep "$((5 + cut * 4))"
        stop_machine
        wait "$machine" 2>/dev/null || true
        start look "$vm/work.img"
        wait_said look '"done"' 3600
        stop_machine
        # By the code that is installed in the machine, which may be older than this checkout.
        PYTHONPATH=$vm/code "$here/.venv/bin/python" "$here/tests/hardware/vm_compare.py" "$vm/hand.said" "$vm/look.said"
    done
fi
