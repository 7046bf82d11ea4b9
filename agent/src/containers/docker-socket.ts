import * as http from 'node:http';
import { absent, type Reading, read, unreadable } from '../reading.ts';
import { JsonValue } from './json-value.ts';
import { socketFailure } from './socket-failure.ts';

export interface SocketLimits {
  /** Of one answer. */
  readonly milliseconds: number;
  readonly bytes: number;
}

const defaults: SocketLimits = { milliseconds: 5_000, bytes: 8 * 1024 * 1024 };

/**
 * The API of the Docker Engine, which podman has too. Whoever may open the socket controls the host: only the three
 * requests below can be sent, and they change nothing.
 */
export class DockerSocket {
  readonly #place: string;
  readonly #signal: AbortSignal;
  readonly #limits: SocketLimits;
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 2 });

  constructor(place: string, signal: AbortSignal, limits = defaults) {
    this.#place = place;
    this.#signal = signal;
    this.#limits = limits;
  }

  containers(): Promise<Reading<JsonValue>> {
    return this.#get('/containers/json?all=1');
  }

  /** Absent if it has been removed. */
  async container(id: string): Promise<Reading<JsonValue>> {
    if (!/^[0-9a-f]{64}$/.test(id)) return unreadable('The id of a container has 64 hexadecimal digits.');
    return this.#get(`/containers/${id}/json`);
  }

  images(): Promise<Reading<JsonValue>> {
    return this.#get('/images/json');
  }

  close(): void {
    this.#agent.destroy();
  }

  async #get(path: string): Promise<Reading<JsonValue>> {
    const { milliseconds, bytes } = this.#limits;
    // An answer that arrives byte by byte is bounded too, other than by the time-out of a socket.
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(milliseconds)]);
    try {
      const { status, text } = await this.#answer(path, signal, bytes);
      if (status === 404) return absent;
      if (status !== 200) return unreadable(`It answered with status ${status} to GET ${path}.`);
      const json = JsonValue.parse(text);
      return json ? read(json) : unreadable(`Its answer to GET ${path} is not JSON.`);
    } catch (error) {
      return socketFailure(error, signal);
    }
  }

  #answer(path: string, signal: AbortSignal, maxBytes: number): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const request = http.request({
        ...{ method: 'GET', path, socketPath: this.#place, agent: this.#agent, signal },
        headers: { host: 'localhost', accept: 'application/json' },
      });
      request.once('error', reject);
      request.once('response', (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          chunks.push(chunk);
          if (size > maxBytes) response.destroy(new Error(`The answer has more than ${maxBytes} bytes.`));
        });
        response.once('error', reject);
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
        );
      });
      request.end();
    });
  }
}
