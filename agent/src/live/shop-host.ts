import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { appendFileSync, chmodSync } from 'node:fs';
import { utmpBytes } from '../logins/utmp.sample.ts';
import type { UtmpRecord } from '../logins/utmp.ts';
import { TestHost } from '../testing/test-host.ts';
import { DockerEngine } from './docker-engine.ts';

export const hostname = 'web-1.shop.example';

/** The files of an ordinary web server in a temporary directory, in which tests create what policies look for. */
export class ShopHost extends TestHost {
  readonly engine = new DockerEngine();
  #serial = 0;

  static async start(): Promise<ShopHost> {
    const host = new ShopHost();
    for (const [path, content] of Object.entries(ordinaryFiles)) host.write(path, content);
    host.mode('/usr/bin/sudo', 0o4755);
    const { privateKey } = generateKeyPairSync('ed25519');
    host.write('/home/ann/.ssh/id_ed25519', privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
    host.mode('/home/ann/.ssh/id_ed25519', 0o600);
    host.logIn({ user: 'ann', line: 'pts/0', address: '10.0.0.5', pid: 900 });
    host.engine.run('web');
    await host.engine.listen(host.place('/var/run/docker.sock'));
    return host;
  }

  mode(path: string, mode: number): void {
    chmodSync(this.place(path), mode);
  }

  append(path: string, content: string | Buffer): void {
    appendFileSync(this.place(path), content);
  }

  /** Adds the record of a login to wtmp, as the C library writes it. */
  logIn(record: Partial<UtmpRecord>): void {
    this.append('/var/log/wtmp', utmpBytes({ at: Date.now(), ...record }));
  }

  /** Adds the records of an execution to the audit log, as auditd writes them. */
  execute(exe: string, { pid, ppid, parameters }: AuditedExecution): void {
    const now = Date.now();
    const id = `msg=audit(${Math.floor(now / 1_000)}.${String(now % 1_000).padStart(3, '0')}:${++this.#serial}):`;
    const fields = parameters.map((value, index) => `a${index}="${value}"`).join(' ');
    const call = `arch=c000003e syscall=59 success=yes exit=0 items=2 ppid=${ppid} pid=${pid} auid=4294967295 uid=33 gid=33`;
    this.append(
      '/var/log/audit/audit.log',
      [
        `type=SYSCALL ${id} ${call} comm="x" exe="${exe}" key="exec"`,
        `type=EXECVE ${id} argc=${parameters.length} ${fields}`,
        `type=PROCTITLE ${id} proctitle="x"`,
        '',
      ].join('\n'),
    );
  }

  end(): void {
    this.engine.close();
    this.remove();
  }
}

export interface AuditedExecution {
  readonly pid: number;
  readonly ppid: number;
  readonly parameters: readonly string[];
}

const ordinaryFiles = {
  '/etc/hostname': `${hostname}\n`,
  '/etc/machine-id': `${randomBytes(16).toString('hex')}\n`,
  '/etc/passwd': 'root:x:0:0:root:/root:/bin/bash\nann:x:1000:1000::/home/ann:/bin/bash\n',
  '/etc/group': 'root:x:0:\nsudo:x:27:ann\nann:x:1000:\n',
  '/etc/sudoers': '%sudo ALL=(ALL:ALL) ALL\n',
  '/etc/crontab': '# m h dom mon dow user command\n',
  '/etc/ssh/sshd_config': 'PermitRootLogin no\n',
  '/usr/bin/sudo': 'sudo 1.9.15\n',
  '/var/log/audit/audit.log': '',
};
