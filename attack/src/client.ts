import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { gunzipSync } from 'node:zlib';

export interface Ask {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: ReturnType<typeof JSON.parse>;
}

/** A caller with a token. Every request has a connection of its own, so that none waits behind another one. */
export class Client {
  readonly port: number;
  readonly token: string | undefined;

  constructor(port: number, token?: string) {
    this.port = port;
    this.token = token;
  }

  /** A body that is a string or a buffer is sent as it is. */
  async ask(method: string, path: string, { body, headers, signal }: Ask = {}): Promise<Answer> {
    const content =
      body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const sent = request({
      ...{ host: '127.0.0.1', port: this.port, method, path, agent: false },
      ...(signal && { signal }),
      headers: {
        ...(this.token && { Authorization: `Bearer ${this.token}` }),
        ...(content !== undefined && {
          'Content-Type': 'application/json',
          'Content-Length': String(Buffer.byteLength(content)),
        }),
        ...headers,
      },
    });
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
    // A server that refuses may answer and close before it has read the whole body.
    sent.on('error', () => {});
    sent.end(content);
    const [reply] = await answered;
    const chunks: Buffer[] = [];
    for await (const chunk of reply) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const text = (reply.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
    const isJson = reply.headers['content-type']?.startsWith('application/json') && text !== '';
    return { status: reply.statusCode ?? 0, text, body: isJson ? JSON.parse(text) : undefined };
  }

  /** The status, or 0 where the server closed the connection instead. */
  async status(method: string, path: string, options?: Ask): Promise<number> {
    try {
      return (await this.ask(method, path, options)).status;
    } catch (error) {
      if (options?.signal?.aborted) throw error;
      return 0;
    }
  }

  /** Asks for something that must succeed. */
  async must(method: string, path: string, options?: Ask): Promise<Answer['body']> {
    const { status, text, body } = await this.ask(method, path, options);
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text.slice(0, 500)}`);
    return body;
  }

  /** Signs in with a key. */
  static async signIn(port: number, { keyId, secret }: { keyId: string; secret: string }): Promise<Client> {
    const body = await new Client(port).must('POST', '/api/v2/access/tokens', {
      headers: { 'X-LW-UAKS': secret },
      body: { keyId, expiryTime: 3_600 },
    });
    return new Client(port, body.token as string);
  }
}
