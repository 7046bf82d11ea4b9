import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface RawResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The parsed body, if it is JSON. */
  readonly body: ReturnType<typeof JSON.parse>;
}

/** Sends raw bytes that an HTTP library would refuse, and reads until the server closes the connection. */
export function rawExchange(port: number, message: string, isEncrypted = false): Promise<string> {
  return new Promise((resolve, reject) => {
    const at = { port, host: '127.0.0.1', rejectUnauthorized: false };
    const send = () => void socket.write(message);
    const socket = isEncrypted ? connectTls(at, send) : connect(at, send);
    let response = '';
    socket.setEncoding('latin1');
    socket.on('data', (part) => {
      response += part;
    });
    socket.on('close', () => resolve(response));
    socket.on('error', reject);
  });
}

/** Sends raw bytes and parses the response. */
export async function rawRequest(port: number, message: string, isEncrypted = false): Promise<RawResponse> {
  const response = await rawExchange(port, message, isEncrypted);
  const end = response.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = response.slice(0, end).split('\r\n');
  const body = response.slice(end + 4);
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    ),
    text: body,
    body: body.startsWith('{') ? JSON.parse(body) : undefined,
  };
}
