import type { Secrets } from '../integrations/secrets.ts';

/** Shorter texts are words that anybody may say. */
const shortestSecret = 6;

/** What the other side said may repeat what it was sent; secrets are taken out. */
export function withoutSecrets(text: string, secrets: Secrets): string {
  const parts = Object.values(secrets).flatMap((secret) => [secret, ...partsOfAddress(secret)]);
  return parts
    .filter((part) => part.length >= shortestSecret)
    .sort((one, other) => other.length - one.length)
    .reduce((shown, part) => shown.replaceAll(part, '***'), text);
}

/** Of the address of a webhook everything but the host is secret, as it is written there and as it reads. */
function partsOfAddress(secret: string): string[] {
  if (!URL.canParse(secret)) return [];
  const { pathname, search } = new URL(secret);
  const values = search
    .slice(1)
    .split('&')
    .map((pair) => pair.slice(pair.indexOf('=') + 1));
  const parts = [pathname + search, pathname, ...pathname.split('/'), ...values];
  return parts.flatMap((part) => [part, ...decodings(part)]);
}

function decodings(part: string): string[] {
  try {
    return [decodeURIComponent(part), decodeURIComponent(part.replaceAll('+', ' '))];
  } catch {
    return [];
  }
}
