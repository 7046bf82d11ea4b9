/** A long-running program of a host. */
export interface Program {
  readonly name: string;
  readonly path: string;
  readonly arguments?: string;
  readonly user: string;
  readonly uid: number;
  /** TCP port on which it listens. */
  readonly port?: number;
  /** Started by this program instead of by systemd. */
  readonly parent?: string;
}

export interface TrafficRule {
  readonly from: string;
  readonly role: RoleName;
  readonly to: string;
  /** Maximum number of peers of that role. */
  readonly peers: number;
}

export type RoleName = 'web' | 'db' | 'node' | 'bastion' | 'api' | 'cache' | 'worker' | 'monitor';

/** The role of a host. */
export interface Role {
  readonly name: RoleName;
  readonly instanceType: string;
  readonly memoryKilobytes: number;
  readonly isPublic: boolean;
  readonly os: 'ubuntu' | 'amazon';
  readonly programs: readonly Program[];
  readonly packages: readonly string[];
  readonly traffic: readonly TrafficRule[];
  /** DNS names that it connects to, besides those common to all hosts. */
  readonly services: readonly string[];
  readonly runs: 'pods' | 'containers' | 'neither';
}

const root = { user: 'root', uid: 0 } as const;

/** Programs of every host. */
export const systemPrograms: readonly Program[] = [
  { name: 'systemd', path: '/usr/lib/systemd/systemd', arguments: '--switched-root --system', ...root },
  { name: 'systemd-journald', path: '/usr/lib/systemd/systemd-journald', ...root },
  { name: 'systemd-udevd', path: '/usr/lib/systemd/systemd-udevd', ...root },
  { name: 'systemd-logind', path: '/usr/lib/systemd/systemd-logind', ...root },
  { name: 'systemd-resolved', path: '/usr/lib/systemd/systemd-resolved', user: 'systemd-resolve', uid: 102 },
  { name: 'dbus-daemon', path: '/usr/bin/dbus-daemon', arguments: '--system', user: 'messagebus', uid: 103 },
  { name: 'chronyd', path: '/usr/sbin/chronyd', arguments: '-F 1', user: '_chrony', uid: 104 },
  { name: 'cron', path: '/usr/sbin/cron', arguments: '-f -P', ...root },
  { name: 'rsyslogd', path: '/usr/sbin/rsyslogd', arguments: '-n -iNONE', user: 'syslog', uid: 105 },
  { name: 'sshd', path: '/usr/sbin/sshd', arguments: '-D', ...root, port: 22 },
  { name: 'agetty', path: '/usr/sbin/agetty', arguments: '--noclear tty1 linux', ...root },
  { name: 'datacollector', path: '/var/lib/agent/datacollector', ...root },
  {
    name: 'node_exporter',
    path: '/usr/local/bin/node_exporter',
    arguments: '--web.listen-address=:9100',
    user: 'exporter',
    uid: 990,
    port: 9100,
  },
];

const base = (name: RoleName, instanceType: string, gigabytes: number) => ({
  name,
  instanceType,
  memoryKilobytes: gigabytes * 1_048_576,
  isPublic: false,
  os: 'ubuntu' as const,
  runs: 'neither' as const,
  traffic: [],
  services: [],
});

export const roles: Readonly<Record<RoleName, Role>> = {
  web: {
    ...base('web', 't3.large', 8),
    isPublic: true,
    programs: [
      { name: 'nginx', path: '/usr/sbin/nginx', arguments: '-g daemon off;', ...root, port: 443 },
      {
        ...{ name: 'nginx worker', path: '/usr/sbin/nginx', arguments: '-g worker process' },
        ...{ user: 'www-data', uid: 33, parent: 'nginx' },
      },
    ],
    packages: ['nginx', 'certbot', 'libnginx-mod-http-geoip2', 'libpcre3'],
    traffic: [{ from: 'nginx worker', role: 'api', to: 'java', peers: 8 }],
    services: ['acme-v02.api.letsencrypt.org', 'fonts.cdn.example'],
  },
  db: {
    ...base('db', 'r6i.xlarge', 32),
    os: 'amazon',
    programs: [
      {
        ...{ name: 'postgres', path: '/usr/pgsql-16/bin/postgres', arguments: '-D /var/lib/pgsql/16/data' },
        ...{ user: 'postgres', uid: 26, port: 5432 },
      },
      ...['checkpointer', 'walwriter', 'autovacuum launcher'].map((task) => ({
        ...{ name: `postgres ${task}`, path: '/usr/pgsql-16/bin/postgres', arguments: `: ${task}` },
        ...{ user: 'postgres', uid: 26, parent: 'postgres' },
      })),
    ],
    packages: ['postgresql16-server', 'postgresql16-contrib', 'pgbackrest', 'libpq5'],
    traffic: [{ from: 'postgres', role: 'db', to: 'postgres', peers: 2 }],
    services: ['backups.s3.eu-central-1.amazonaws.com'],
  },
  node: {
    ...base('node', 'm6i.2xlarge', 32),
    os: 'amazon',
    runs: 'pods',
    programs: [
      { name: 'containerd', path: '/usr/bin/containerd', ...root },
      {
        ...{ name: 'kubelet', path: '/usr/bin/kubelet', arguments: '--config=/etc/kubernetes/kubelet.json' },
        ...{ ...root, port: 10250 },
      },
    ],
    packages: ['kubelet', 'containerd', 'runc', 'cni-plugins', 'conntrack-tools'],
    traffic: [
      { from: 'kubelet', role: 'node', to: 'kubelet', peers: 6 },
      { from: 'containerd', role: 'db', to: 'postgres', peers: 4 },
      { from: 'containerd', role: 'cache', to: 'redis-server', peers: 4 },
    ],
    services: ['api.ecr.eu-central-1.amazonaws.com', 'sqs.eu-central-1.amazonaws.com', 'registry.k8s.io'],
  },
  bastion: {
    ...base('bastion', 't3.small', 2),
    isPublic: true,
    programs: [
      {
        ...{ name: 'fail2ban-server', path: '/usr/bin/python3.10' },
        ...{ arguments: '/usr/bin/fail2ban-server -xf start', ...root },
      },
    ],
    packages: ['fail2ban', 'google-authenticator', 'mosh'],
    traffic: (['web', 'api', 'db', 'node', 'worker'] as const).map((role) => ({
      ...{ from: 'sshd', role, to: 'sshd', peers: 4 },
    })),
    services: [],
  },
  api: {
    ...base('api', 'c6i.xlarge', 8),
    programs: [
      {
        ...{ name: 'java', path: '/usr/lib/jvm/java-21-openjdk-amd64/bin/java' },
        ...{ arguments: '-Xmx4g -jar /opt/shop/api.jar', user: 'shop', uid: 998, port: 8443 },
      },
    ],
    packages: ['openjdk-21-jre-headless', 'ca-certificates-java', 'log4j2'],
    traffic: [
      { from: 'java', role: 'db', to: 'postgres', peers: 6 },
      { from: 'java', role: 'cache', to: 'redis-server', peers: 6 },
      { from: 'java', role: 'api', to: 'java', peers: 8 },
    ],
    services: ['api.payments.example', 'sqs.eu-central-1.amazonaws.com', 'mail.postbox.example'],
  },
  cache: {
    ...base('cache', 'r6i.large', 16),
    programs: [
      {
        ...{ name: 'redis-server', path: '/usr/bin/redis-server', arguments: '0.0.0.0:6379' },
        ...{ user: 'redis', uid: 110, port: 6379 },
      },
    ],
    packages: ['redis-server', 'redis-tools', 'liblua5.1-0'],
    traffic: [{ from: 'redis-server', role: 'cache', to: 'redis-server', peers: 5 }],
    services: [],
  },
  worker: {
    ...base('worker', 'c6i.large', 4),
    runs: 'containers',
    programs: [
      { name: 'dockerd', path: '/usr/bin/dockerd', arguments: '-H fd://', ...root },
      {
        ...{ name: 'celery', path: '/usr/bin/python3.10' },
        ...{ arguments: '-m celery -A shop.tasks worker', user: 'shop', uid: 998 },
      },
    ],
    packages: ['docker-ce', 'containerd.io', 'python3-celery', 'python3-requests', 'imagemagick'],
    traffic: [
      { from: 'celery', role: 'db', to: 'postgres', peers: 4 },
      { from: 'celery', role: 'cache', to: 'redis-server', peers: 4 },
    ],
    services: [
      'sqs.eu-central-1.amazonaws.com',
      'uploads.s3.eu-central-1.amazonaws.com',
      'api.parcels.example',
    ],
  },
  monitor: {
    ...base('monitor', 'm6i.large', 8),
    programs: [
      {
        ...{
          name: 'prometheus',
          path: '/usr/bin/prometheus',
          arguments: '--storage.tsdb.retention.time=30d',
        },
        ...{ user: 'prometheus', uid: 995, port: 9090 },
      },
      {
        ...{ name: 'grafana', path: '/usr/share/grafana/bin/grafana', arguments: 'server' },
        ...{ user: 'grafana', uid: 472, port: 3000 },
      },
    ],
    packages: ['prometheus', 'grafana', 'fontconfig'],
    traffic: (['web', 'db', 'node', 'bastion', 'api', 'cache', 'worker'] as const).map((role) => ({
      ...{ from: 'prometheus', role, to: 'node_exporter', peers: 500 },
    })),
    services: ['hooks.chat.example'],
  },
};

/** The first hosts form a complete shop; further ones have the roles that a shop needs many of. */
const firstRoles: readonly RoleName[] = ['web', 'db', 'node', 'bastion', 'api', 'cache', 'worker', 'monitor'];
const scaledRoles: readonly RoleName[] = [
  ...(['node', 'api', 'web', 'worker', 'node', 'db'] as const),
  ...(['api', 'node', 'cache', 'web', 'worker', 'api'] as const),
];

export function roleOf(index: number): Role {
  return roles[firstRoles[index] ?? (scaledRoles[index % scaledRoles.length] as RoleName)];
}
