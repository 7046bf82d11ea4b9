import { packages } from '../../telemetry/datasets/Packages.ts';
import { Random } from '../random.ts';
import { snapshots } from '../stream.ts';

/** Packages of every host, besides those of its role. */
const common =
  'acl apparmor base-files bash bc bind9-host bzip2 ca-certificates chrony coreutils cpio cron curl dash dbus diffutils dmidecode dosfstools e2fsprogs ethtool file findutils gawk gettext-base git gnupg grep groff-base gzip hostname iproute2 iptables iputils-ping jq kmod krb5-locales less libacl1 libattr1 libaudit1 libblkid1 libbz2-1.0 libc6 libcap2 libcom-err2 libcrypt1 libcurl4 libdbus-1-3 libelf1 libexpat1 libffi8 libgcc-s1 libgcrypt20 libglib2.0-0 libgmp10 libgnutls30 libidn2-0 libjson-c5 libkmod2 libldap-2.5-0 liblz4-1 liblzma5 libmount1 libncurses6 libnettle8 libnghttp2-14 libnss-systemd libpam-modules libpcre2-8-0 libpng16-16 libpython3-stdlib libreadline8 libsasl2-2 libseccomp2 libselinux1 libsqlite3-0 libssh-4 libssl3 libstdc++6 libsystemd0 libtasn1-6 libtinfo6 libudev1 libuuid1 libxml2 libyaml-0-2 libzstd1 linux-base login logrotate lsof man-db mawk mount nano ncurses-base netbase openssh-client openssh-server openssl passwd pciutils perl-base procps psmisc python3 python3-yaml rsync rsyslog screen sed strace sudo systemd sysstat tar tcpdump tmux tzdata udev unzip util-linux vim wget xz-utils zlib1g'.split(
    ' ',
  );

const systems = {
  ubuntu: {
    ...{ versionFormat: 'dpkg', namespace: 'ubuntu:22.04', arch: 'amd64' },
    sourceFile: '/var/lib/dpkg/status',
  },
  amazon: {
    ...{ versionFormat: 'rpm', namespace: 'amzn:2023', arch: 'x86_64' },
    sourceFile: '/var/lib/rpm/rpmdb.sqlite',
  },
} as const;
const alpine = {
  ...{ versionFormat: 'apk', namespace: 'alpine:3.20', arch: 'x86_64' },
  sourceFile: '/lib/apk/db/installed',
} as const;

/** A version common to all hosts of one system, except for a few outdated ones. */
function versionOf(name: string, os: keyof typeof systems, isOld: boolean): string {
  const key = `${name} ${os} ${isOld}`;
  const version = versions.get(key) ?? newVersion(name, os, isOld);
  versions.set(key, version);
  return version;
}

/** By name, system and age: every host has the same packages. */
const versions = new Map<string, string>();

function newVersion(name: string, os: keyof typeof systems, isOld: boolean): string {
  const random = new Random('package', name, os);
  const [major, minor, patch] = [random.below(9), random.below(40), random.below(20)];
  const release = os === 'ubuntu' ? `-${random.below(5)}ubuntu1` : '-1.amzn2023';
  return `${major}.${isOld ? Math.max(0, minor - 1) : minor}.${patch}${release}`;
}

export const packageStream = snapshots(packages, function* ({ mid, role, index, containers }) {
  const system = systems[role.os];
  for (const packageName of [...common, ...role.packages]) {
    const isOld = (index + packageName.length) % 17 === 0;
    const active = role.packages.includes(packageName) ? '1' : '0';
    const version = versionOf(packageName, role.os, isOld);
    yield { mid, packageName, version, ...system, active, isInContainer: false };
  }
  for (const { id, name, image } of containers) {
    const containerKey = { container_id: id };
    const version = image.tag.replace(/^v/, '');
    yield { mid, packageName: name, version, ...alpine, active: '1', isInContainer: true, containerKey };
  }
});
