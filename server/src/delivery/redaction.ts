import type { Secrets } from '../integrations/secrets.ts';
import type { Outbound, OutboundReply } from '../outbound/outbound.ts';
import { Redaction, redactedReply } from '../outbound/redaction.ts';
import type { External } from './channel.ts';

/** What the other side said may repeat what it was sent; the secrets of the channel are taken out. */
export function redactionOf(secrets: Secrets): Redaction {
  return new Redaction(Object.values(secrets).flatMap(partsOf));
}

/** The same client, whose replies hold none of the secrets: what is made of a reply may break them up. */
export function redacting(outbound: Outbound, redaction: Redaction): Outbound {
  return {
    async request(request): Promise<OutboundReply> {
      return redactedReply(await outbound.request(request), redaction);
    },
  };
}

/** The same, of what was made of a reply that was too long to take them out before. */
export function redactedExternal({ id, link, remark }: External, redaction: Redaction): External {
  return {
    id: redaction.apply(id),
    link: redaction.apply(link),
    ...(remark !== undefined && { remark: redaction.apply(remark) }),
  };
}

/** Of the address of a webhook everything but the host is secret. */
function partsOf(secret: string): string[] {
  if (!/^https?:\/\//i.test(secret) || !URL.canParse(secret)) return [secret];
  const { username, password, pathname, search, hash } = new URL(secret);
  const values = search
    .slice(1)
    .split('&')
    .map((pair) => pair.slice(pair.indexOf('=') + 1));
  return [username, password, pathname + search + hash, pathname, ...pathname.split('/'), ...values];
}
