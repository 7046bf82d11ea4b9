import type { Client } from '../client.ts';
import { HttpConnection } from '../http-connection.ts';

/** An agent that reports connections, one batch after the other. */
export class Agent {
  readonly #connection: HttpConnection;
  readonly #head: string;

  private constructor(connection: HttpConnection, head: string) {
    this.#connection = connection;
    this.#head = head;
  }

  static async signIn(client: Client, port: number, alias: string): Promise<Agent> {
    const { data } = (await client.create('/api/v2/AgentAccessTokens', {
      tokenAlias: alias,
      tokenEnabled: 1,
    })) as { data: { accessToken: string } };
    const head = [
      'POST /ingest/v1/Activities/Connections HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${data.accessToken}`,
      'Content-Type: application/x-ndjson',
      'Content-Length: ',
    ];
    return new Agent(await HttpConnection.open(port), head.join('\r\n'));
  }

  /** Resolves when the batch is durable. */
  async send(records: string): Promise<void> {
    await this.#connection.request(`${this.#head}${Buffer.byteLength(records)}\r\n\r\n${records}`);
  }

  close(): void {
    this.#connection.close();
  }
}
