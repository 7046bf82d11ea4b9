import { hostname, type ShopHost } from './shop-host.ts';
import type { HostSituation } from './situation.ts';

/** As `usermod -aG root ann` does, which changes the file of groups. */
function addToRoot(host: ShopHost): void {
  host.write('/etc/group', 'root:x:0:ann\nsudo:x:27:ann\nann:x:1000:\n');
}

export const userSituations = {
  'host/user/member-of-root': {
    on: 'files',
    create: addToRoot,
    finding: `user ann (groups ann, root and sudo) on ${hostname}`,
  },
  'host/file/accounts-changed': {
    on: 'files',
    create: addToRoot,
    finding: `/etc/group modified on ${hostname}`,
  },
} satisfies Readonly<Record<string, HostSituation>>;
