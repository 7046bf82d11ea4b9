import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection whose bytes are written and read, or not read, by hand. */
export class RawConnection {
  readonly socket: Socket;
  received = 0;
  /** Status lines that came. */
  readonly statuses: number[] = [];
  isClosed = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('error', () => {});
    socket.on('close', () => {
      this.isClosed = true;
    });
  }

  /** From one of the loopback addresses; undefined where the server does not take the connection. */
  static async open(port: number, address = '127.0.0.1'): Promise<RawConnection | undefined> {
    const socket = connect({ host: '127.0.0.1', port, localAddress: address });
    const connection = new RawConnection(socket);
    const outcome = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false);
    return outcome ? connection : undefined;
  }

  write(text: string | Buffer): void {
    if (!this.isClosed) this.socket.write(text);
  }

  /** Nothing is read from here on, so the answers stay with the server. */
  stopReading(): void {
    this.socket.pause();
  }

  /** Counts what comes; status lines may be cut in two, so these are counted only where they are whole. */
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
