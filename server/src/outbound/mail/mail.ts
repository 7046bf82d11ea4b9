import { createReadStream } from 'node:fs';
import { isIP } from 'node:net';
import type { NodemailerError } from 'nodemailer';
import type { Clock } from '../../platform/clock.ts';
import { OutboundError } from '../outbound.ts';
import { Redaction } from '../redaction.ts';

export interface Email {
  /** The same in every attempt, so that mail clients show duplicates once. */
  readonly id: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachment?: { readonly name: string; readonly type: string; readonly file: string };
}

export interface MailDeps {
  /** `smtp://user:password@host:port`, or `smtps:` for implicit TLS. */
  readonly server: URL;
  /** A sender address with an optional display name. */
  readonly from: string;
  readonly clock: Clock;
  /** For tests only: an additional trusted certificate authority. */
  readonly authority?: string;
}

const [connectTimeout, socketTimeout] = [10_000, 30_000];

/**
 * Sends e-mails through the operator's mail server. Only the operator sets its address, so private addresses are
 * allowed.
 */
export class Mail {
  readonly #deps: MailDeps;

  constructor(deps: MailDeps) {
    this.#deps = deps;
  }

  /** Returns the rejected recipients; throws if all are rejected. */
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
        // As objects, because a comma in a string would separate two addresses.
        to: email.to.map((address) => ({ name: '', address })),
        subject: email.subject,
        text: email.text,
        html: email.html,
        ...(email.attachment && { attachments: [attached(email.attachment)] }),
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
      // A password requires TLS; without one TLS is opportunistic.
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

function attached({ name, type, file }: NonNullable<Email['attachment']>) {
  return { filename: name, contentType: type, content: createReadStream(file) };
}

function domainOf(from: string): string {
  return /@([^\s<>@]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}

/** The reply of the server, or only the code of a connection error, whose message may repeat the request. */
function refusal(server: URL, error: unknown): OutboundError {
  const { code, originalCode, response, permanent } = error as NodemailerError;
  const redaction = new Redaction([decodeURIComponent(server.password)]);
  const problem = response
    ? `answered ${redaction.apply(response).replace(/\s+/g, ' ').slice(0, 300)}`
    : `could not be reached (${originalCode ?? code ?? 'unknown'})`;
  return new OutboundError(`The mail server ${server.hostname} ${problem}.`, {
    // A wrong password is not final: after the operator corrects it, waiting messages are sent.
    isFinal: permanent === true && (code === 'EENVELOPE' || code === 'EMESSAGE'),
    cause: error,
  });
}
