import { Agent, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { operatorHeader, operatorSocket } from '../operator/socket.ts';

export interface OperatorResponse {
  readonly status: number;
  readonly bytes: Buffer;
  /** The parsed body, if it is JSON. */
  readonly body: ReturnType<typeof JSON.parse>;
}

/** Sends a request to a running server over the socket in its data directory, as the `vedette` command does. */
export async function requestOperator(
  dataDirectory: string,
  path: string,
  body: Uint8Array | Readable = Buffer.alloc(0),
): Promise<OperatorResponse> {
  const agent = new Agent({ keepAlive: true });
  try {
    const message = request({
      socketPath: operatorSocket(dataDirectory),
      path,
      method: 'POST',
      headers: { [operatorHeader]: 'operator@example.com' },
      agent,
    });
    const responded = new Promise<IncomingMessage>((resolve, reject) => {
      message.once('response', resolve).once('error', reject);
    });
    const sent = pipeline(Readable.from(body, { objectMode: false }), message);
    // Both must complete: a server that responds without reading the rest of the body would block the command.
    const [response] = await Promise.all([responded, sent]);
    const bytes = await buffer(response);
    const isJson = response.headers['content-type'] === 'application/json';
    return {
      status: response.statusCode ?? 0,
      bytes,
      body: isJson ? JSON.parse(bytes.toString('utf8')) : undefined,
    };
  } finally {
    agent.destroy();
  }
}
