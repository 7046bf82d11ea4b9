import type { OutboundRequest } from '../outbound/outbound.ts';
import { DeliveryError, type Sending } from './channel.ts';
import { deliveryHeader } from './post-json.ts';
import { requireSuccess } from './reply.ts';

export interface JsonSiteOptions {
  /** Name of the receiver in error messages. */
  readonly to: string;
  /** Member of `data` with the address, optionally without a scheme. */
  readonly address: string;
  readonly user: string;
  /** Member of `data` with the password or token. */
  readonly password: string;
}

type Members = Readonly<Record<string, unknown>>;

/** A self-hosted or rented server with its own host name, a JSON API and basic authentication. */
export class JsonSite {
  readonly base: string;
  readonly #to: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #sending: Sending;

  constructor(sending: Sending, { to, address, user, password }: JsonSiteOptions) {
    const given = sending.data[password];
    if (typeof given !== 'string' || given === '')
      throw new DeliveryError(`data.${password} is empty: enter it again.`, { isFinal: true });
    this.base = baseOf(String(sending.data[address]), address);
    this.#to = to;
    this.#sending = sending;
    this.#headers = {
      authorization: `Basic ${Buffer.from(`${user}:${given}`).toString('base64')}`,
      accept: 'application/json',
      [deliveryHeader]: sending.message.deliveryId,
    };
  }

  async get(path: string, query: Readonly<Record<string, string>>): Promise<Members> {
    return this.#ask({ method: 'GET', url: `${this.base}${path}?${new URLSearchParams(query)}` });
  }

  async write(method: 'POST' | 'PUT', path: string, body: object): Promise<Members> {
    const headers = { 'content-type': 'application/json' };
    return this.#ask({ method, url: this.base + path, headers, body: JSON.stringify(body) });
  }

  async #ask(request: OutboundRequest): Promise<Members> {
    const { outbound, clock } = this.#sending;
    const headers = { ...this.#headers, ...request.headers };
    const reply = requireSuccess(this.#to, await outbound.request({ ...request, headers }), clock.now());
    try {
      return Object(JSON.parse(reply.text));
    } catch {
      // An HTML page, for example of a single sign-on or a hibernating instance.
      throw new DeliveryError(`${this.#to} answered ${reply.status} without valid JSON.`);
    }
  }
}

function baseOf(value: string, member: string): string {
  const address = /^https?:\/\//i.test(value.trim()) ? value.trim() : `https://${value.trim()}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || /[@?#]/.test(address))
    throw new DeliveryError(`data.${member} must be a host such as company.example.com: correct it.`, {
      isFinal: true,
    });
  return url.origin + url.pathname.replace(/\/+$/, '');
}
