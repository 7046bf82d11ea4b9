import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface Sent {
  readonly body: string;
  visibleAt: number;
  receives: number;
}

interface Entry {
  readonly Id: string;
  readonly ReceiptHandle: string;
  readonly VisibilityTimeout: number;
}

const pollInterval = 20;

/** SQS, S3 and STS at one endpoint, with the visibility times and long polling of SQS. */
export class Cloud {
  readonly messages = new Map<string, Sent>();
  deleted = 0;
  objectReads = 0;
  /** The content of an object by its key. */
  objectOf: (key: string) => Buffer | undefined = () => undefined;
  /** Called when messages were deleted or an object was read. */
  onRequest: (kind: 'delete' | 'get') => void = () => {};
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const body = (await buffer(request).catch(() => Buffer.of())).toString();
      const target = String(request.headers['x-amz-target'] ?? '');
      if (request.method === 'GET') this.#get(decodeURIComponent(String(request.url)), response);
      else if (target.startsWith('AmazonSQS.')) await this.#queue(target, JSON.parse(body), response);
      else response.end(credentials);
    });
  }

  static async start(): Promise<Cloud> {
    const cloud = new Cloud();
    await new Promise<void>((resolve) => cloud.#server.listen(0, '127.0.0.1', resolve));
    return cloud;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  send(id: string, body: unknown): void {
    this.messages.set(id, { body: JSON.stringify(body), visibleAt: 0, receives: 0 });
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #get(path: string, response: ServerResponse): void {
    this.objectReads++;
    const content = this.objectOf(path.split('/').slice(2).join('/'));
    if (content) response.end(content);
    else response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
    this.onRequest('get');
  }

  async #queue(
    target: string,
    request: { Entries?: Entry[]; VisibilityTimeout?: number },
    response: ServerResponse,
  ) {
    if (target.endsWith('ReceiveMessage')) {
      response.end(
        JSON.stringify({ Messages: await this.#receive(request.VisibilityTimeout ?? 30, response) }),
      );
      return;
    }
    const entries = request.Entries ?? [];
    for (const { ReceiptHandle, VisibilityTimeout } of entries) {
      const [id = '', receives] = ReceiptHandle.split(' ');
      const message = this.messages.get(id);
      // As in SQS, the receipt of an earlier delivery deletes nothing.
      if (!message || String(message.receives) !== receives) continue;
      if (target.endsWith('DeleteMessageBatch')) {
        this.messages.delete(id);
        this.deleted++;
      } else message.visibleAt = Date.now() + VisibilityTimeout * 1_000;
    }
    response.end(JSON.stringify({ Successful: entries.map(({ Id }) => ({ Id })), Failed: [] }));
    if (target.endsWith('DeleteMessageBatch')) this.onRequest('delete');
  }

  async #receive(visibility: number, response: ServerResponse): Promise<object[]> {
    for (const until = Date.now() + 20_000; Date.now() < until && !response.destroyed; ) {
      const now = Date.now();
      const visible = [...this.messages].filter(([, { visibleAt }]) => visibleAt <= now).slice(0, 10);
      if (visible.length > 0)
        return visible.map(([id, message]) => {
          message.visibleAt = now + visibility * 1_000;
          message.receives++;
          return { MessageId: id, ReceiptHandle: `${id} ${message.receives}`, Body: message.body };
        });
      await new Promise((resume) => setTimeout(resume, pollInterval));
    }
    return [];
  }
}

const credentials = `<Credentials><AccessKeyId>ASIABENCH</AccessKeyId><SecretAccessKey>secret</SecretAccessKey>
  <SessionToken>t</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials>`;
