import { OutboundError } from '../outbound.ts';

/** An address of a credential file, which gets a token: only Google's own are accepted. */
export function googleAddress(url: string, member: string): string {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' };
  if (protocol === 'https:' && hostname.endsWith('.googleapis.com')) return url;
  throw new OutboundError(`${member} must be an https address at googleapis.com.`, { isFinal: true });
}
