import * as http2 from 'node:http2';
import { connect } from 'node:net';
import { absent, type Reading, read, unreadable } from '../reading.ts';
import type { SocketLimits } from './docker-socket.ts';
import { socketFailure } from './socket-failure.ts';

/** Whoever may open the socket controls the host: only these calls can be sent, and they change nothing. */
const paths = {
  ListContainers: '/runtime.v1.RuntimeService/ListContainers',
  ContainerStatus: '/runtime.v1.RuntimeService/ContainerStatus',
  ListPodSandbox: '/runtime.v1.RuntimeService/ListPodSandbox',
  PodSandboxStatus: '/runtime.v1.RuntimeService/PodSandboxStatus',
  ListImages: '/runtime.v1.ImageService/ListImages',
} as const;

export type CriCall = keyof typeof paths;

const status = { ok: 0, notFound: 5, permissionDenied: 7, unimplemented: 12 } as const;
const defaults: SocketLimits = { milliseconds: 5_000, bytes: 16 * 1024 * 1024 };
/** A byte for compression, and the length of the message. */
const prefixLength = 5;

/** Calls of the container runtime interface: gRPC over HTTP/2 and a Unix domain socket. */
export class CriConnection {
  readonly #session: http2.ClientHttp2Session;
  readonly #signal: AbortSignal;
  readonly #limits: SocketLimits;
  #failure: Error | undefined;

  constructor(place: string, signal: AbortSignal, limits = defaults) {
    this.#signal = signal;
    this.#limits = limits;
    this.#session = http2.connect('http://localhost', {
      createConnection: () => connect(place),
      settings: { enablePush: false },
    });
    this.#session.on('error', (error) => {
      this.#failure = error;
    });
  }

  /** The message of the answer; absent if the runtime does not have the call or what it asks for. */
  async call(call: CriCall, message: Buffer): Promise<Reading<Buffer>> {
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(this.#limits.milliseconds)]);
    try {
      const { code, body } = await this.#answer(paths[call], message, signal);
      if (code === status.notFound || code === status.unimplemented) return absent;
      if (code === status.permissionDenied) return unreadable(`The runtime denies the agent ${call}.`);
      if (code !== status.ok) return unreadable(`It answered with gRPC status ${code} to ${call}.`);
      return messageOf(body) ?? unreadable(`Its answer to ${call} is not one gRPC message.`);
    } catch (error) {
      return socketFailure(this.#failure ?? error, signal);
    }
  }

  close(): void {
    this.#session.destroy();
  }

  #answer(path: string, message: Buffer, signal: AbortSignal): Promise<{ code: number; body: Buffer }> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      const stream = this.#session.request(
        { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' },
        { signal },
      );
      const chunks: Buffer[] = [];
      let size = 0;
      // The status of gRPC is in the trailers, or in the headers if there is no message.
      let code = Number.NaN;
      const note = (headers: http2.IncomingHttpHeaders) => {
        if (typeof headers['grpc-status'] === 'string') code = Number(headers['grpc-status']);
      };
      stream.once('response', note);
      stream.once('trailers', note);
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > this.#limits.bytes)
          stream.destroy(new Error(`The answer has more than ${this.#limits.bytes} bytes.`));
      });
      stream.once('error', reject);
      stream.once('close', () => {
        if (Number.isInteger(code)) resolve({ code, body: Buffer.concat(chunks) });
        else reject(new Error('The connection was closed before the answer ended.'));
      });
      stream.end(framed(message));
    });
  }
}

export function framed(message: Buffer): Buffer {
  const prefix = Buffer.alloc(prefixLength);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** Compression was not offered, so that a message with it is invalid. */
function messageOf(body: Buffer): Reading<Buffer> | undefined {
  if (body.length < prefixLength || body[0] !== 0) return undefined;
  return body.readUInt32BE(1) === body.length - prefixLength ? read(body.subarray(prefixLength)) : undefined;
}
