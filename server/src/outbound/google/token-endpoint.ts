import { type Outbound, OutboundError, type OutboundReply } from '../outbound.ts';
import { Redaction, redactedReply } from '../redaction.ts';

export const tokenEndpoint = 'https://oauth2.googleapis.com/token';
/** Seconds, if a reply does not say. */
const lifetime = 3_600;

export interface ExpiringToken {
  readonly value: string;
  readonly expiresAt: number;
}

export function postForm(
  outbound: Outbound,
  url: string,
  form: Readonly<Record<string, string>>,
): Promise<OutboundReply> {
  return outbound.request({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams(form).toString(),
  });
}

/** The token in a reply, or an error that repeats none of the secrets that were sent. */
export function tokenIn(
  reply: OutboundReply,
  now: number,
  secrets: readonly string[],
  whom: string,
): ExpiringToken {
  const { access_token, expires_in } = membersOf(reply.text);
  if (reply.status !== 200 || typeof access_token !== 'string') throw refusal(reply, secrets, whom);
  return { value: access_token, expiresAt: now + Number(expires_in ?? lifetime) * 1_000 };
}

export function refusal(raw: OutboundReply, secrets: readonly string[], whom: string): OutboundError {
  const reply = redactedReply(raw, new Redaction(secrets));
  const { error, error_description } = membersOf(reply.text);
  const { message } = Object(error) as { message?: unknown };
  const reason = [error, message, error_description].filter((part) => typeof part === 'string').join(': ');
  return new OutboundError(`Google issued no token to ${whom} (${reply.status} ${reason.slice(0, 300)}).`, {
    isFinal: reply.status < 500 && reply.status !== 429,
  });
}

/** The members of a JSON object; none if it is something else. */
export function membersOf(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
