import { OutboundError, type OutboundReply, type OutboundRequest } from './outbound.ts';

/** Headers that a redirect may carry to another host: none that authenticates. */
const safeHeaders = new Set(['accept', 'content-type', 'user-agent', 'vedette-delivery-id']);

/** Parses the URL of a request. Messages name only its host, because the rest of a webhook URL is secret. */
export function targetOf(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url) throw new OutboundError('The address is not a valid URL.', { isFinal: true });
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new OutboundError(`${url.host || 'The address'} must use http or https.`, {
      isFinal: true,
    });
  if (url.username !== '' || url.password !== '')
    throw new OutboundError(`The address of ${url.host} must not contain a user name or password.`, {
      isFinal: true,
    });
  return url;
}

/**
 * The request that a redirect leads to, if the reply is one. The method is kept: a POST that became a GET would look
 * delivered and be lost. Only 303 confirms the delivery and refers to a result.
 */
export function nextHop(request: OutboundRequest, reply: OutboundReply): OutboundRequest | undefined {
  const { location } = reply.headers;
  if (![301, 302, 303, 307, 308].includes(reply.status) || location === undefined) return undefined;
  const from = targetOf(request.url);
  if (!URL.canParse(location, from.href))
    throw new OutboundError(`${from.host} redirects to an invalid URL.`);
  const to = targetOf(new URL(location, from).href);
  if (from.protocol === 'https:' && to.protocol === 'http:')
    throw new OutboundError(`${from.host} redirects to ${to.host} without TLS.`, { isFinal: true });
  const { body, headers = {}, ...rest } = request;
  const kept = Object.entries(headers).filter(([name]) => isKept(name.toLowerCase(), from, to));
  const isSeeOther = reply.status === 303;
  return {
    ...rest,
    url: to.href,
    headers: Object.fromEntries(kept),
    ...(isSeeOther ? { method: 'GET' } : body !== undefined && { body }),
  };
}

function isKept(name: string, from: URL, to: URL): boolean {
  const isUpgrade = from.hostname === to.hostname && from.port === '' && to.port === '';
  return from.origin === to.origin || isUpgrade || safeHeaders.has(name);
}
