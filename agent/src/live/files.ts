import { hostname } from './shop-host.ts';
import type { HostSituation } from './situation.ts';

export const fileSituations = {
  'host/file/system-binary-changed': {
    on: 'files',
    create(host) {
      host.write('/usr/bin/sudo', 'backdoor\n');
      // The kernel removes the bit when others than root write the file.
      host.mode('/usr/bin/sudo', 0o4755);
    },
    finding: `/usr/bin/sudo modified on ${hostname}`,
  },
  'host/file/sudoers-changed': {
    on: 'files',
    create: (host) => void host.write('/etc/sudoers.d/90-ann', 'ann ALL=(ALL) NOPASSWD: ALL\n'),
    finding: `/etc/sudoers.d/90-ann created on ${hostname}`,
  },
  'host/file/preload-changed': {
    on: 'files',
    create: (host) => void host.write('/etc/ld.so.preload', '/usr/lib/libhide.so\n'),
    finding: `/etc/ld.so.preload created on ${hostname}`,
  },
  'host/file/startup-changed': {
    on: 'files',
    create: (host) => void host.write('/etc/init.d/update', '#!/bin/sh\n'),
    finding: `/etc/init.d/update created on ${hostname}`,
  },
} satisfies Readonly<Record<string, HostSituation>>;
