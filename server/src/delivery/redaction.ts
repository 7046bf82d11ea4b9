import type { Secrets } from '../integrations/secrets.ts';
import type { Outbound, OutboundReply } from '../outbound/outbound.ts';
import { Redaction, redactedReply } from '../outbound/redaction.ts';
import type { External } from './channel.ts';

/** Redacts the secrets of a channel in replies, which may echo the request. */
export function redactionOf(secrets: Secrets): Redaction {
  return new Redaction(Object.values(secrets).flatMap(secretsIn));
}

/** An outbound client that redacts secrets in replies before they are parsed, because parsing may split them. */
export function redacting(outbound: Outbound, redaction: Redaction): Outbound {
  return {
    async request(request): Promise<OutboundReply> {
      return redactedReply(await outbound.request(request), redaction);
    },
  };
}

/** Redacts an external record built from a reply that was too long to redact before. */
export function redactedExternal({ id, link, remark }: External, redaction: Redaction): External {
  return {
    id: redaction.apply(id),
    link: redaction.apply(link),
    ...(remark !== undefined && { remark: redaction.apply(remark) }),
  };
}

/** Everything but the host of a webhook URL is secret. */
function secretsIn(secret: string): string[] {
  if (!/^https?:\/\//i.test(secret) || !URL.canParse(secret)) return [secret];
  const { username, password, pathname, search, hash } = new URL(secret);
  const values = search
    .slice(1)
    .split('&')
    .map((pair) => pair.slice(pair.indexOf('=') + 1));
  return [username, password, pathname + search + hash, pathname, ...pathname.split('/'), ...values];
}
