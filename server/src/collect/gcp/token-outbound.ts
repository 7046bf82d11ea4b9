import type { Outbound, OutboundReply, OutboundRequest } from '../../outbound/outbound.ts';
import type { CollectDeps } from '../inventory/cloud.ts';

const maxBytes = 1024 * 1024;
const timeout = 10_000;

/** The collectors' client for requests for tokens, which count against the budget too. */
export class TokenOutbound implements Outbound {
  readonly #deps: CollectDeps;

  constructor(deps: CollectDeps) {
    this.#deps = deps;
  }

  async request({ method, url, headers, body, ...options }: OutboundRequest): Promise<OutboundReply> {
    const { outbound, budget } = this.#deps;
    await budget.take(URL.canParse(url) ? new URL(url).host : url, undefined, new AbortController().signal);
    const reply = await outbound.fetch({
      ...{ method, url, maxBytes, timeout: options.timeout ?? timeout },
      ...(headers && { headers }),
      ...(body !== undefined && { body }),
    });
    return { status: reply.status, headers: reply.headers, text: reply.body.toString() };
  }
}
