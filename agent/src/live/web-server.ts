import { hostname } from './shop-host.ts';
import type { HostSituation } from './situation.ts';

/** By the audit log: only root could install a program at the path of a web server. */
export const webServerSituations = {
  'host/process/shell-from-web-server': {
    on: 'files',
    create(host) {
      host.execute('/usr/sbin/nginx', { pid: 700, ppid: 1, parameters: ['nginx'] });
      host.execute('/usr/bin/dash', { pid: 701, ppid: 700, parameters: ['sh', '-c', 'id'] });
    },
    finding: `uid 33 ran \`sh -c id\` from /usr/bin/dash on ${hostname} (parent process /usr/sbin/nginx)`,
  },
} satisfies Readonly<Record<string, HostSituation>>;
