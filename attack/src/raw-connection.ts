import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A TCP connection with explicit control of writing and reading. */
export class RawConnection {
  readonly socket: Socket;
  received = 0;
  /** Received status codes. */
  readonly statuses: number[] = [];
  isClosed = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('error', () => {});
    socket.on('close', () => {
      this.isClosed = true;
    });
  }

  /** From one of the loopback addresses; undefined if the server does not accept the connection. */
  static async open(port: number, address = '127.0.0.1'): Promise<RawConnection | undefined> {
    const socket = connect({ host: '127.0.0.1', port, localAddress: address });
    const connection = new RawConnection(socket);
    const outcome = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false);
    return outcome ? connection : undefined;
  }

  write(data: string | Buffer): void {
    if (!this.isClosed) this.socket.write(data);
  }

  /** Stops reading, so that the server has to hold its responses. */
  stopReading(): void {
    this.socket.pause();
  }

  /** Counts bytes and statuses; a status line split across chunks is not counted. */
  read(): void {
    this.socket.on('data', (chunk: Buffer) => {
      this.received += chunk.length;
      for (const match of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g))
        this.statuses.push(Number(match[1]));
    });
  }

  async closed(): Promise<void> {
    if (!this.isClosed) await once(this.socket, 'close');
  }

  destroy(): void {
    this.socket.destroy();
  }
}
