#!/bin/sh
# Makes the live system of servers, for BIOS and UEFI, from Debian's packages: VPS boot it for rescue, and dedicated servers for rescue, to be wiped and for
# another password. As root on Debian 12 or newer, with: apt install mmdebstrap squashfs-tools xorriso grub-common grub-pc-bin grub-efi-amd64-bin mtools
set -eu
here=$(dirname "$(readlink -f "$0")")
iso=${1:?Usage: build.sh FILE.iso}
suite=${SUITE:-bookworm}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
packages=linux-image-amd64,live-boot,systemd-sysv,systemd-resolved,dbus,udev,kmod,cloud-init,openssh-server,qemu-guest-agent,python3,iproute2,iputils-ping
packages=$packages,parted,gdisk,mdadm,lvm2,cryptsetup-bin,dosfstools,e2fsprogs,xfsprogs,btrfs-progs,ntfs-3g,nvme-cli,smartmontools,pciutils,less,nano,rsync,curl
packages=$packages,ca-certificates,openssl,firmware-realtek,firmware-bnx2,firmware-bnx2x

mmdebstrap --variant=minbase --components='main non-free-firmware' --include="$packages" --aptopt='APT::Install-Recommends "false"' \
  --customize-hook="copy-in $here/egress-task $here/egress-task.service $here/without-task.conf /tmp" \
  --customize-hook='chroot "$1" install -m 755 /tmp/egress-task /usr/local/sbin/egress-task' \
  --customize-hook='chroot "$1" install -m 644 /tmp/egress-task.service /etc/systemd/system/egress-task.service' \
  --customize-hook='for unit in init-local init config final; do install -D -m 644 "$1/tmp/without-task.conf" "$1/etc/systemd/system/cloud-$unit.service.d/without-task.conf"; done' \
  --customize-hook='chroot "$1" systemctl enable egress-task ssh systemd-networkd systemd-resolved qemu-guest-agent' \
  --customize-hook='printf "PermitRootLogin yes\nPasswordAuthentication yes\n" > "$1/etc/ssh/sshd_config.d/10-egress.conf"' \
  --customize-hook='printf "datasource_list: [NoCloud, None]\nssh_pwauth: true\ndisable_root: false\nsystem_info: {network: {renderers: [networkd]}}\n" > "$1/etc/cloud/cloud.cfg.d/90-egress.cfg"' \
  --customize-hook='echo rescue > "$1/etc/hostname"; echo "127.0.0.1 localhost rescue" > "$1/etc/hosts"' \
  --customize-hook='rm -rf "$1"/etc/ssh/ssh_host_* "$1"/tmp/* "$1"/var/lib/apt/lists/* "$1"/usr/share/doc/* "$1"/usr/share/locale/*; : > "$1/etc/machine-id"' \
  "$suite" "$root"

mkdir -p "$work/iso/live" "$work/iso/boot/grub"
cp "$root"/boot/vmlinuz-* "$work/iso/live/vmlinuz"
cp "$root"/boot/initrd.img-* "$work/iso/live/initrd.img"
rm -f "$root"/boot/*
mksquashfs "$root" "$work/iso/live/filesystem.squashfs" -comp zstd -noappend -quiet -no-progress
cat > "$work/iso/boot/grub/grub.cfg" <<'END'
serial --unit=0 --speed=115200
terminal_input console serial
terminal_output console serial
set timeout=0
menuentry "Egress" {
  linux /live/vmlinuz boot=live console=tty0 console=ttyS0,115200 modprobe.blacklist=floppy quiet
  initrd /live/initrd.img
}
END
grub-mkrescue -o "$iso" "$work/iso" -volid EGRESS_LIVE
sha256sum "$iso"
