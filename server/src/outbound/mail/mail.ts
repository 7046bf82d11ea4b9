import { isIP } from 'node:net';
import type { NodemailerError } from 'nodemailer';
import type { Clock } from '../../platform/clock.ts';
import { OutboundError } from '../outbound.ts';
import { Redaction } from '../redaction.ts';

export interface Email {
  /** The same in every attempt: mail programs show a letter once that comes twice. */
  readonly id: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface MailDeps {
  /** `smtp://user:password@host:port`, or `smtps:` where TLS begins at once. */
  readonly server: URL;
  /** An address, with or without a name. */
  readonly from: string;
  readonly clock: Clock;
  /** A certificate authority that is trusted, besides those that Node knows: for tests only. */
  readonly authority?: string;
}

const [connectTimeout, socketTimeout] = [10_000, 30_000];

/** Emails by way of the operator's mail server. Nobody else names it, so it may be anywhere. */
export class Mail {
  readonly #deps: MailDeps;

  constructor(deps: MailDeps) {
    this.#deps = deps;
  }

  /** Returns those who will not get it, for others do. */
  async send(email: Email): Promise<readonly string[]> {
    const { createTransport } = await import('nodemailer');
    const { from, clock } = this.#deps;
    const transport = createTransport({
      ...this.#connection(),
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      const { rejected } = await transport.sendMail({
        from,
        // Not as text, in which a comma would make two of one.
        to: email.to.map((address) => ({ name: '', address })),
        subject: email.subject,
        text: email.text,
        html: email.html,
        messageId: `<${email.id}@${domainOf(from)}>`,
        date: new Date(clock.now()),
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      return rejected;
    } catch (error) {
      throw refusal(this.#deps.server, error);
    } finally {
      transport.close();
    }
  }

  #connection() {
    const { server, authority } = this.#deps;
    const host = server.hostname.replace(/^\[|\]$/g, '');
    const isSecure = server.protocol === 'smtps:';
    const user = decodeURIComponent(server.username);
    return {
      host,
      port: Number(server.port || (isSecure ? 465 : 587)),
      secure: isSecure,
      // A password never travels in the open; without one TLS is used where the server offers it.
      requireTLS: !isSecure && user !== '',
      ...(user !== '' && { auth: { user, pass: decodeURIComponent(server.password) } }),
      ...(isIP(host) === 0 && { servername: host }),
      tls: { ...(authority !== undefined && { ca: authority }) },
      connectionTimeout: connectTimeout,
      greetingTimeout: connectTimeout,
      dnsTimeout: connectTimeout,
      socketTimeout,
    };
  }
}

/** The domain of a sender's address. */
function domainOf(from: string): string {
  return /@([^\s<>@]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}

/** What the server answered; errors of the connection by their code only, for they may repeat what was sent. */
function refusal(server: URL, error: unknown): OutboundError {
  const { code, originalCode, response, permanent } = error as NodemailerError;
  const redaction = new Redaction([decodeURIComponent(server.password)]);
  const said = response
    ? `answered ${redaction.apply(response).replace(/\s+/g, ' ').slice(0, 300)}`
    : `could not be reached (${originalCode ?? code ?? 'unknown'})`;
  return new OutboundError(`The mail server ${server.hostname} ${said}.`, {
    // A wrong password is the operator's to mend: what waits goes out then.
    isFinal: permanent === true && (code === 'EENVELOPE' || code === 'EMESSAGE'),
    cause: error,
  });
}
