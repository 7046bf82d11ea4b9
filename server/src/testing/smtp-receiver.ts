import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import { authorityFile, selfSignedTls } from '../platform/tls.ts';

export interface ReceivedEmail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as received, without SMTP dot stuffing. */
  readonly content: string;
  /** User that signed in. */
  readonly user: string | undefined;
  readonly isSecure: boolean;
}

export interface SmtpBehaviour {
  /** Required credentials as `user:password`. */
  readonly account?: string;
  readonly offersTls?: boolean;
  /** Replies by command prefix, which replace the default ones. */
  readonly replies?: Readonly<Record<string, string>>;
}

/** A mail server on loopback: RFC 5321 with STARTTLS (RFC 3207) and AUTH PLAIN (RFC 4954). */
export class SmtpReceiver {
  readonly emails: ReceivedEmail[] = [];
  readonly authority: string;
  behaviour: SmtpBehaviour = {};
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(tls: { cert: string; key: string }, authority: string) {
    this.authority = authority;
    const secureContext = createSecureContext(tls);
    const upgrade = (socket: Socket) => new TLSSocket(socket, { isServer: true, secureContext });
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      new Session(socket, this.behaviour, upgrade, (email) => this.emails.push(email)).greet();
    });
  }

  static async start(): Promise<SmtpReceiver> {
    const directory = mkdtempSync(join(tmpdir(), 'vedette-smtp-'));
    const tls = await selfSignedTls(directory, [], Date.now());
    const receiver = new SmtpReceiver(tls, readFileSync(authorityFile(directory), 'utf8'));
    rmSync(directory, { recursive: true, force: true });
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

class Session {
  #socket: Socket;
  #unread = '';
  #content: string[] | undefined;
  #user: string | undefined;
  #from = '';
  #to: string[] = [];
  #isSecure = false;
  readonly #behaviour: SmtpBehaviour;
  readonly #upgrade: (socket: Socket) => TLSSocket;
  readonly #deliver: (email: ReceivedEmail) => void;

  constructor(
    socket: Socket,
    behaviour: SmtpBehaviour,
    upgrade: (socket: Socket) => TLSSocket,
    deliver: (email: ReceivedEmail) => void,
  ) {
    this.#socket = socket;
    this.#behaviour = behaviour;
    this.#upgrade = upgrade;
    this.#deliver = deliver;
  }

  greet(): void {
    this.#listen();
    this.#say('220 receiver.example.com ESMTP');
  }

  #listen(): void {
    this.#socket.on('error', () => {}).on('data', (part) => this.#read(part.toString('latin1')));
  }

  #say(...lines: readonly string[]): void {
    const last = lines.length - 1;
    const reply = lines.map((line, at) => (at < last ? `${line.slice(0, 3)}-${line.slice(4)}` : line));
    this.#socket.write(`${reply.join('\r\n')}\r\n`);
  }

  #read(chunk: string): void {
    this.#unread += chunk;
    for (let end = this.#unread.indexOf('\r\n'); end >= 0; end = this.#unread.indexOf('\r\n')) {
      const line = this.#unread.slice(0, end);
      this.#unread = this.#unread.slice(end + 2);
      if (this.#content) this.#takeLine(line, this.#content);
      else this.#execute(line);
    }
  }

  #takeLine(line: string, content: string[]): void {
    if (line !== '.') {
      content.push(line.replace(/^\./, ''));
      return;
    }
    const [from, to, user, isSecure] = [this.#from, this.#to, this.#user, this.#isSecure];
    this.#content = undefined;
    const refusal = this.#refusalOf('end of data');
    this.#say(refusal ?? '250 2.0.0 taken');
    if (refusal !== undefined) return;
    this.#deliver({
      ...{ from, to, user, isSecure },
      content: Buffer.from(content.join('\r\n'), 'latin1').toString('utf8'),
    });
  }

  #refusalOf(command: string): string | undefined {
    const { replies = {} } = this.#behaviour;
    return Object.entries(replies).find(([begin]) => command.startsWith(begin))?.[1];
  }

  #execute(line: string): void {
    const refusal = this.#refusalOf(line);
    this.#say(...(refusal === undefined ? this.#replyTo(line) : [refusal]));
    if (refusal !== undefined) return;
    if (line === 'STARTTLS' && this.#mayUpgrade) this.#secure();
    if (line === 'QUIT') this.#socket.end();
  }

  get #mayUpgrade(): boolean {
    return this.#behaviour.offersTls === true && !this.#isSecure;
  }

  #replyTo(line: string): readonly string[] {
    const needsLogin = this.#behaviour.account !== undefined && this.#user === undefined;
    const [, from] = /^MAIL FROM:<([^>]*)>/.exec(line) ?? [];
    const [, to] = /^RCPT TO:<([^>]+)>/.exec(line) ?? [];
    if (line.startsWith('EHLO ')) return this.#extensions();
    if (line === 'STARTTLS' && this.#mayUpgrade) return ['220 go on'];
    if (line.startsWith('AUTH PLAIN ')) return [this.#signIn(line.slice(11))];
    if (line === 'QUIT') return ['221 bye'];
    if (needsLogin) return ['530 5.7.0 sign in first'];
    if (line === 'DATA') this.#content = [];
    else if (from !== undefined) [this.#from, this.#to] = [from, []];
    else if (to !== undefined) this.#to.push(to);
    else return ['500 5.5.1 what?'];
    return [line === 'DATA' ? '354 go on' : '250 2.0.0 fine'];
  }

  #extensions(): readonly string[] {
    const { account } = this.#behaviour;
    const offered = this.#mayUpgrade ? ['STARTTLS'] : account === undefined ? [] : ['AUTH PLAIN'];
    return ['receiver.example.com', ...offered, 'SIZE 1000000'].map((name) => `250 ${name}`);
  }

  #secure(): void {
    this.#socket.removeAllListeners('data');
    this.#socket = this.#upgrade(this.#socket);
    this.#isSecure = true;
    this.#listen();
  }

  #signIn(response: string): string {
    const [, user, password] = Buffer.from(response, 'base64').toString().split('\0');
    if (`${user}:${password}` !== this.#behaviour.account) return '535 5.7.8 wrong password';
    this.#user = user;
    return '235 2.7.0 welcome';
  }
}
