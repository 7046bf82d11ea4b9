import type { ShopHost } from './shop-host.ts';

/** What happens on the host beside the situations, and resembles them. */
export function actOrdinarily(host: ShopHost): void {
  host.engine.run('api', { Mounts: [{ Type: 'bind', Source: '/srv/api', Destination: '/data' }] });
  host.write('/etc/ssh/sshd_config', 'PermitRootLogin no\nX11Forwarding no\n');
  host.write('/usr/bin/top', 'without a setuid bit\n');
  host.logIn({ user: 'ann', line: 'pts/2', address: '10.0.0.6', pid: 930 });
  host.execute('/usr/sbin/cron', { pid: 800, ppid: 1, parameters: ['cron'] });
  host.execute('/usr/bin/dash', { pid: 801, ppid: 800, parameters: ['sh', '-c', 'id'] });
}
