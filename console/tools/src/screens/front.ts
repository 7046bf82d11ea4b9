import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const password = 'correct horse battery';
export const linkCode = 'c0de'.repeat(8);

interface FrontOptions {
  readonly target: string;
  readonly token: string;
  readonly accounts: readonly { name: string; role: string; isReadOnly: boolean }[];
  /** Path below which the service is reached; removed, as a proxy would. */
  readonly prefix?: string;
}

/**
 * Stands before the real server: answers `/session`, and adds the token of an API key while somebody is signed in.
 */
export class Front {
  isSignedIn = false;
  /** Paths that fail as if the connection broke. */
  readonly broken = new Set<string>();
  readonly #options: FrontOptions;
  readonly #server: Server;

  private constructor(options: FrontOptions) {
    this.#options = options;
    this.#server = createServer((from, to) => this.#handle(from, to));
  }

  static async start(options: FrontOptions): Promise<Front> {
    const front = new Front(options);
    await new Promise<void>((resolve) => front.#server.listen(0, '127.0.0.1', resolve));
    return front;
  }

  get url(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}${this.#options.prefix ?? ''}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #handle(from: IncomingMessage, to: ServerResponse): void {
    const { prefix = '' } = this.#options;
    const path = (from.url ?? '/').slice(prefix.length) || '/';
    if (this.broken.has(path.split('?', 1)[0] as string)) {
      from.socket.destroy();
      return;
    }
    if (/^\/session(?:\/|$)/.test(path)) {
      void this.#session(from, to, path);
      return;
    }
    if (path.startsWith('/api/v2/') && !this.isSignedIn) {
      refuse(to, 401, 'UNAUTHENTICATED', 'The session has ended: sign in again.');
      return;
    }
    const url = new URL(this.#options.target + path);
    const headers = { ...from.headers, host: url.host, authorization: `Bearer ${this.#options.token}` };
    const onward = request(url, { method: from.method ?? 'GET', headers }, (reply) => {
      to.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(to);
    });
    onward.on('error', () => to.destroy());
    to.on('close', () => onward.destroy());
    from.pipe(onward);
  }

  async #session(from: IncomingMessage, to: ServerResponse, path: string): Promise<void> {
    let text = '';
    for await (const chunk of from) text += chunk;
    const body = text ? JSON.parse(text) : {};
    const operation = `${from.method} ${path}`;
    if (operation === 'POST /session/password' && body.password !== password)
      return refuse(to, 401, 'UNAUTHENTICATED', 'The e-mail address or the password is wrong.');
    if (operation === 'POST /session/link' && body.code !== linkCode)
      return refuse(to, 401, 'UNAUTHENTICATED', 'The link was used already, or is older than an hour.');
    if (operation.startsWith('POST ')) this.isSignedIn = true;
    if (operation === 'DELETE /session') this.isSignedIn = false;
    if (operation !== 'GET /session') return answer(to, 200, { data: {} });
    if (!this.isSignedIn) return refuse(to, 401, 'UNAUTHENTICATED', 'Nobody is signed in.');
    const user = { email: 'ada@amberwood.example', firstName: 'Ada', lastName: 'Amberwood' };
    answer(to, 200, {
      data: {
        ...{ user, accounts: this.#options.accounts, organizationRole: 'orgAdmin', hasPassword: true },
        ...{ expiresAt: '2026-03-08T12:00:00.000Z', lastSignIn: null },
      },
    });
  }
}

function answer(to: ServerResponse, status: number, body: unknown): void {
  to.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

function refuse(to: ServerResponse, status: number, code: string, message: string): void {
  answer(to, status, { message, code, requestId: '0c5fc1b6' });
}
