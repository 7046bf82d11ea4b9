import { memberAt, withMember } from '../inventory/member.ts';
import { CollectError } from '../inventory/problem.ts';
import { redacted } from '../inventory/redacted.ts';
import type { AwsRead } from './service.ts';

/** Deeper configurations are not those of a provider, and cost what reads them. */
const maxDepth = 64;

/** The configuration of an item as it is stored: JSON, without secrets. */
export function storedConfig(
  { config = '', json = [], redact = [], urls = [] }: AwsRead,
  item: unknown,
): string {
  let stored: unknown = memberAt(item, config) ?? {};
  checkDepth(stored);
  for (const path of json) stored = withMember(stored, path, parsedDocument);
  for (const path of redact) stored = withMember(stored, path, withoutSecret);
  for (const path of urls) stored = withMember(stored, path, withoutUser);
  // An array of names has no configurations.
  return storedJson(typeof stored === 'object' ? stored : { Name: stored });
}

/** Whether there is a secret may be of interest, so that what is absent stays absent. */
function withoutSecret(value: unknown): unknown {
  return value === undefined || value === null || value === '' ? value : redacted;
}

/** `https://user:password@host/` has `[redacted]@`. */
export function withoutUser(value: unknown): unknown {
  return typeof value === 'string'
    ? value.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#]*@/i, `$1${redacted}@`)
    : value;
}

/** A policy document is JSON in a string, which IAM also encodes as a URL. */
export function parsedDocument(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  for (const decode of [(text: string) => text, decodeURIComponent]) {
    try {
      return JSON.parse(decode(value));
    } catch {}
  }
  return value;
}

/** Bytes are stored as Base64, as the command line of AWS prints them. */
export function storedJson(value: unknown): string {
  checkDepth(value);
  return JSON.stringify(value, (_, member: unknown) =>
    member instanceof Uint8Array ? Buffer.from(member).toString('base64') : member,
  );
}

function checkDepth(value: unknown): void {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth)
      throw new CollectError({
        status: 'failed',
        reason: `The configuration of a resource is nested more than ${maxDepth} levels deep.`,
      });
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null && !ArrayBuffer.isView(one)
        ? Object.values(one).filter((member) => typeof member === 'object' && member !== null)
        : [],
    );
  }
}
