import { hostname } from './shop-host.ts';
import type { HostSituation } from './situation.ts';

export const loginSituations = {
  'host/login/root-login': {
    on: 'files',
    create: (host) => host.logIn({ user: 'root', line: 'tty1', pid: 910 }),
    finding: `root logged in to ${hostname} on tty1`,
  },
  'host/login/ssh-from-public-address': {
    on: 'files',
    create: (host) => host.logIn({ user: 'ann', line: 'pts/1', address: '203.0.113.9', pid: 920 }),
    finding: `ann logged in to ${hostname} over SSH from 203.0.113.9`,
  },
} satisfies Readonly<Record<string, HostSituation>>;
