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

/** Of the address of a webhook everything but the host is secret. */
function partsOfAddress(secret: string): string[] {
  if (!URL.canParse(secret)) return [];
  const { pathname, search, searchParams } = new URL(secret);
  return [pathname + search, pathname, ...pathname.split('/'), ...searchParams.values()];
}
