import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy on loopback that simulates network failures and restarts of the target. */
export class TcpProxy {
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  #server: Server;
  #port = 0;

  private constructor(target: URL) {
    this.#target = target;
    this.#server = this.#newServer();
  }

  static async to(target: string): Promise<TcpProxy> {
    const line = new TcpProxy(new URL(target));
    await line.join();
    return line;
  }

  /** URL of the target through the proxy. */
  get url(): string {
    const url = new URL(this.#target);
    url.hostname = '127.0.0.1';
    url.port = `${this.#port}`;
    return url.href;
  }

  async join(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Refuses new connections and closes the existing ones. */
  async cut(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    this.#server = this.#newServer();
  }

  /** Keeps connections open but forwards nothing. */
  hush(): void {
    for (const socket of this.#sockets) socket.pause().unpipe();
  }

  #newServer(): Server {
    return createServer((near) => {
      const far = connect(Number(this.#target.port), this.#target.hostname);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
        one
          .on('error', () => other.destroy())
          .on('close', () => {
            this.#sockets.delete(one);
            other.destroy();
          });
        one.pipe(other);
      }
    });
  }
}
