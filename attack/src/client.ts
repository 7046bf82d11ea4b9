import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { gunzipSync } from 'node:zlib';

export interface RequestOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface ClientResponse {
  readonly status: number;
  readonly text: string;
  readonly body: ReturnType<typeof JSON.parse>;
}

/** A caller with a token. Every request has its own connection, so that none waits for another. */
export class Client {
  readonly port: number;
  readonly token: string | undefined;

  constructor(port: number, token?: string) {
    this.port = port;
    this.token = token;
  }

  /** A string or buffer body is sent unchanged. */
  async request(
    method: string,
    path: string,
    { body, headers, signal }: RequestOptions = {},
  ): Promise<ClientResponse> {
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
    const responded = once(sent, 'response') as Promise<[IncomingMessage]>;
    // A server that rejects a request may respond and close before it has read the whole body.
    sent.on('error', () => {});
    sent.end(content);
    const [reply] = await responded;
    const chunks: Buffer[] = [];
    for await (const chunk of reply) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const text = (reply.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
    const isJson = reply.headers['content-type']?.startsWith('application/json') && text !== '';
    return { status: reply.statusCode ?? 0, text, body: isJson ? JSON.parse(text) : undefined };
  }

  /** Returns the status, or 0 if the server closed the connection instead. */
  async status(method: string, path: string, options?: RequestOptions): Promise<number> {
    try {
      return (await this.request(method, path, options)).status;
    } catch (error) {
      if (options?.signal?.aborted) throw error;
      return 0;
    }
  }

  /** Returns the body of a successful response, throws otherwise. */
  async requireSuccess(
    method: string,
    path: string,
    options?: RequestOptions,
  ): Promise<ClientResponse['body']> {
    const { status, text, body } = await this.request(method, path, options);
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text.slice(0, 500)}`);
    return body;
  }

  static async signIn(port: number, { keyId, secret }: { keyId: string; secret: string }): Promise<Client> {
    const body = await new Client(port).requireSuccess('POST', '/api/v2/access/tokens', {
      headers: { 'X-LW-UAKS': secret },
      body: { keyId, expiryTime: 3_600 },
    });
    return new Client(port, body.token as string);
  }
}
