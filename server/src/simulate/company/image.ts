import { createHash } from 'node:crypto';
import type { Cloud } from './cloud.ts';

export interface Image {
  readonly id: string;
  readonly repo: string;
  readonly tag: string;
  readonly size: number;
  readonly createdAt: number;
  /** Command line of its containers. */
  readonly command: string;
  readonly user: string;
  readonly uid: number;
  readonly port: number;
  readonly namespace: string;
}

/** By image name: command line, user, uid, port and namespace. */
const ownImages = {
  'shop/web:v1.7.5': ['/usr/local/bin/node /app/server.js', 'node', 1000, 3000, 'shop'],
  'shop/cart:v2.3.0': ['/app/cart --listen :8080', 'app', 10001, 8080, 'shop'],
  'shop/checkout:v4.0.2': ['/opt/java/openjdk/bin/java -jar /app/checkout.jar', 'app', 10001, 8080, 'shop'],
  'shop/search:v1.1.9': ['/usr/local/bin/python -m search.serve', 'app', 10001, 8000, 'shop'],
  'shop/payments:v3.2.1': ['/app/payments', 'app', 10001, 8080, 'payments'],
} as const;
const publicImages = {
  'coredns/coredns:1.11.1': ['/coredns -conf /etc/coredns/Corefile', 'root', 0, 53, 'kube-system'],
  'fluent/fluent-bit:3.0.4': ['/fluent-bit/bin/fluent-bit', 'root', 0, 2020, 'logging'],
  'library/redis:7.2.4': ['/usr/local/bin/redis-server *:6379', 'redis', 999, 6379, 'shop'],
} as const;

/** All come from the registry of the company's account, which mirrors public ones. */
export function createImages({ accountId, region }: Pick<Cloud, 'accountId' | 'region'>): Image[] {
  const registry = `${accountId}.dkr.ecr.${region}.amazonaws.com`;
  return [
    ...Object.entries(ownImages).map(([name, use]) => image(`${registry}/${name}`, use)),
    ...Object.entries(publicImages).map(([name, use]) => image(`${registry}/docker-hub/${name}`, use)),
  ];
}

export function image(
  name: string,
  [command, user, uid, port, namespace]: readonly [string, string, number, number, string],
): Image {
  const digest = createHash('sha256').update(name).digest();
  const [, repo = name, tag = 'latest'] = /^(.*):([^:/]+)$/.exec(name) ?? [];
  return {
    id: `sha256:${digest.toString('hex')}`,
    repo,
    tag,
    size: 20_000_000 + (digest.readUInt32LE(0) % 400_000_000),
    createdAt: Date.UTC(2025, 0, 1) + (digest.readUInt32LE(4) % 8_000_000) * 1_000,
    ...{ command, user, uid, port, namespace },
  };
}
