import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { RecordedResponse } from './baselines/fastify.ts';

export interface BenchRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
}

/** A caller with a token of the real server. */
export class Client {
  readonly #host: string;
  readonly #token: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  private constructor(host: string, token: string) {
    this.#host = host;
    this.#token = token;
  }

  static async signIn(port: number, dataDirectory: string): Promise<Client> {
    const host = `127.0.0.1:${port}`;
    const { keyId, secret } = JSON.parse(readFileSync(join(dataDirectory, 'api-key.json'), 'utf8')) as {
      keyId: string;
      secret: string;
    };
    const reply = await fetch(`http://${host}/api/v2/access/tokens`, {
      method: 'POST',
      headers: { 'X-LW-UAKS': secret, 'Content-Type': 'application/json' },
      body: JSON.stringify({ keyId }),
    });
    if (reply.status !== 201) throw new Error(`No token: ${reply.status} ${await reply.text()}`);
    const { token } = (await reply.json()) as { token: string };
    return new Client(host, token);
  }

  async get(path: string): Promise<RecordedResponse> {
    const reply = await fetch(`http://${this.#host}${path}`, {
      headers: { Authorization: `Bearer ${this.#token}` },
    });
    const body = await reply.text();
    if (reply.status !== 200) throw new Error(`GET ${path}: ${reply.status} ${body}`);
    return { path, contentType: reply.headers.get('content-type') ?? '', body };
  }

  /** Returns the number of transferred body bytes; the response must have the requested encoding. */
  async download(path: string, encoding: 'gzip' | 'identity'): Promise<number> {
    const headers = { Authorization: `Bearer ${this.#token}`, 'Accept-Encoding': encoding };
    const sent = get(`http://${this.#host}${path}`, { agent: this.#agent, headers });
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    let bytes = 0;
    for await (const chunk of reply) bytes += (chunk as Buffer).length;
    const given = reply.headers['content-encoding'] ?? 'identity';
    if (reply.statusCode !== 200 || given !== encoding)
      throw new Error(`GET ${path}: ${reply.statusCode}, ${given} instead of ${encoding}`);
    return bytes;
  }

  async create(path: string, body: unknown): Promise<unknown> {
    return JSON.parse(await this.#send('POST', path, body));
  }

  async change(path: string, body: unknown): Promise<void> {
    await this.#send('PATCH', path, body);
  }

  /** The number of records that a search finds. */
  async search(path: string, body: unknown): Promise<number> {
    const content = await this.#send('POST', path, body);
    return content === '' ? 0 : (JSON.parse(content) as { data: unknown[] }).data.length;
  }

  /** The number of records on all pages of a search, up to 500,000. */
  async count(path: string, body: unknown): Promise<number> {
    const content = await this.#send('POST', path, body);
    return content === '' ? 0 : (JSON.parse(content) as { paging: { totalRows: number } }).paging.totalRows;
  }

  async #send(method: 'POST' | 'PATCH', path: string, body: unknown): Promise<string> {
    const reply = await fetch(`http://${this.#host}${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const content = await reply.text();
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${content}`);
    return content;
  }

  /** The HTTP message of a request. The Host is part of some responses, so the baseline is sent the same one. */
  requestFor({ method, path, body }: BenchRequest): string {
    const content = body === undefined ? '' : JSON.stringify(body);
    const head = [
      `${method} ${path} HTTP/1.1`,
      `Host: ${this.#host}`,
      `Authorization: Bearer ${this.#token}`,
      ...(content ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`] : []),
    ];
    return `${head.join('\r\n')}\r\n\r\n${content}`;
  }
}
