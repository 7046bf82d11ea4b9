import { once } from 'node:events';
import { createServer } from 'node:http';

export interface ContainerOptions {
  readonly HostConfig?: Readonly<Record<string, unknown>>;
  readonly Mounts?: readonly Readonly<Record<string, string>>[];
}

const imageId = `sha256:${'a'.repeat(64)}`;
export const image = 'registry.shop.example/shop/web:v1.7.5';

/** Answers on a socket like the Docker Engine: hosts that run tests have none. */
export class DockerEngine {
  readonly #containers = new Map<string, { readonly listed: object; readonly details: object }>();
  readonly #server = createServer(({ url = '' }, response) => {
    const id = /^\/containers\/(\w{64})\/json$/.exec(url)?.[1];
    const answer = id === undefined ? this.#list(url) : this.#containers.get(id)?.details;
    response.writeHead(answer ? 200 : 404).end(JSON.stringify(answer ?? { message: 'page not found' }));
  });

  async listen(socket: string): Promise<void> {
    await once(this.#server.listen(socket), 'listening');
  }

  run(name: string, { HostConfig = {}, Mounts = [] }: ContainerOptions = {}): void {
    const id = Buffer.from(name).toString('hex').padEnd(64, '0');
    const config = { NetworkMode: 'bridge', PidMode: '', Privileged: false, ...HostConfig };
    this.#containers.set(id, {
      listed: {
        ...{ Id: id, Names: [`/${name}`], Image: image, ImageID: imageId, State: 'running', Labels: {} },
        ...{ Ports: [], Mounts, NetworkSettings: { Networks: {} } },
        HostConfig: { NetworkMode: config.NetworkMode },
      },
      details: {
        ...{ Id: id, HostConfig: config, Config: { Image: image, Env: ['PATH=/bin'] } },
        State: { StartedAt: new Date().toISOString(), FinishedAt: '0001-01-01T00:00:00Z' },
      },
    });
  }

  close(): void {
    this.#server.close().closeAllConnections();
  }

  #list(url: string): readonly object[] | undefined {
    if (url.startsWith('/containers/json')) return [...this.#containers.values()].map(({ listed }) => listed);
    return url === '/images/json' ? [{ Id: imageId, RepoTags: [image], Size: 1_000 }] : undefined;
  }
}
