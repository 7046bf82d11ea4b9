import { image } from './docker-engine.ts';
import { hostname } from './shop-host.ts';
import type { HostSituation } from './situation.ts';

const finding = (name: string) => `container ${name} (image ${image}) on ${hostname}`;

export const containerSituations = {
  'host/container/privileged': {
    on: 'files',
    create: ({ engine }) => engine.run('debug', { HostConfig: { Privileged: true } }),
    finding: finding('debug'),
  },
  'host/container/host-processes': {
    on: 'files',
    create: ({ engine }) => engine.run('monitor', { HostConfig: { PidMode: 'host' } }),
    finding: finding('monitor'),
  },
  'host/container/host-network': {
    on: 'files',
    create: ({ engine }) => engine.run('proxy', { HostConfig: { NetworkMode: 'host' } }),
    finding: finding('proxy'),
  },
  'host/container/runtime-socket-mounted': {
    on: 'files',
    create({ engine }) {
      const socket = '/var/run/docker.sock';
      engine.run('builder', { Mounts: [{ Type: 'bind', Source: socket, Destination: socket }] });
    },
    finding: finding('builder'),
  },
} satisfies Readonly<Record<string, HostSituation>>;
