import type { OutboundReply, OutboundRequest } from '../outbound/outbound.ts';
import type { Sending } from './channel.ts';
import { requireSuccess } from './reply.ts';

/** Carries the delivery id, so that receivers can deduplicate without parsing the body. */
export const deliveryHeader = 'vedette-delivery-id';

export interface JsonPost extends Pick<OutboundRequest, 'url' | 'acceptsAnyCertificate'> {
  /** Name of the receiver in error messages. */
  readonly to: string;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Posts JSON; resolves when the receiver has accepted it. */
export async function postJson(
  { outbound, clock, message }: Pick<Sending, 'outbound' | 'clock' | 'message'>,
  { to, body, headers, ...request }: JsonPost,
): Promise<OutboundReply> {
  const reply = await outbound.request({
    ...request,
    method: 'POST',
    headers: { 'content-type': 'application/json', [deliveryHeader]: message.deliveryId, ...headers },
    body: JSON.stringify(body),
  });
  return requireSuccess(to, reply, clock.now());
}
