import { readFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import type { Answer } from './baselines/fastify.ts';

export interface Question {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
}

/** Somebody who holds a token of the real server. */
export class Client {
  readonly #host: string;
  readonly #token: string;
  readonly #agent = new Agent({ keepAlive: true });

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

  async get(path: string): Promise<Answer> {
    const reply = await fetch(`http://${this.#host}${path}`, {
      headers: { Authorization: `Bearer ${this.#token}` },
    });
    const body = await reply.text();
    if (reply.status !== 200) throw new Error(`GET ${path}: ${reply.status} ${body}`);
    return { path, contentType: reply.headers.get('content-type') ?? '', body };
  }

  async create(path: string, body: unknown): Promise<void> {
    const reply = await this.#send({ method: 'POST', path, body });
    if (reply.statusCode !== 201) throw new Error(`POST ${path}: ${reply.statusCode} ${await read(reply)}`);
    reply.resume();
  }

  /** The answer as it came, not looked into. */
  async bytes(question: Question): Promise<Buffer> {
    const reply = await this.#send(question);
    const body = await read(reply);
    if (reply.statusCode !== 200) throw new Error(`${question.path}: ${reply.statusCode} ${body}`);
    return body;
  }

  #send({ method, path, body }: Question): Promise<IncomingMessage> {
    const [hostname, port] = this.#host.split(':');
    const headers = {
      Authorization: `Bearer ${this.#token}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    };
    return new Promise((resolve, reject) => {
      const sent = request({ hostname, port, method, path, headers, agent: this.#agent }, resolve);
      sent.once('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** The bytes of a request. The Host is part of some answers, so the baseline is sent the same one. */
  requestFor(path: string): string {
    return `GET ${path} HTTP/1.1\r\nHost: ${this.#host}\r\nAuthorization: Bearer ${this.#token}\r\n\r\n`;
  }
}

async function read(reply: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of reply) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
