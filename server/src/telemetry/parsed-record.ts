import { refuseField } from '../platform/checks.ts';
import { describeFault, jsonFault } from '../platform/json-fault.ts';

/** A JSON Unicode escape; rare, and quick to search for. */
const unicodeEscape = '\\u';
/** A surrogate escape: JSON allows lone surrogates, UTF-8 does not. */
const surrogateEscape = /\\u[dD][89a-fA-F]/;

/** Refuses what is not JSON, and characters that the store does not take. */
export function parseRecord(json: string, index: number): unknown {
  const hasEscape = json.includes(unicodeEscape);
  let value: unknown;
  try {
    value = JSON.parse(json, hasEscape && surrogateEscape.test(json) ? wellFormed : undefined);
  } catch {
    const fault = jsonFault(json);
    const reason = fault ? describeFault(fault) : 'a string contains half a surrogate pair';
    throw refuseField('MALFORMED_BODY', `records[${index}]`, `is not valid JSON: ${reason}.`);
  }
  if (hasEscape && json.includes('\\u0000'))
    throw refuseField(
      'INVALID_INPUT',
      `records[${index}]`,
      'must not contain the character \\u0000: remove it.',
    );
  return value;
}

function wellFormed(this: unknown, name: string, value: unknown): unknown {
  const isBroken = (candidate: unknown) =>
    typeof candidate === 'string' && Buffer.from(candidate).toString() !== candidate;
  if (isBroken(name) || isBroken(value)) throw new Error('not well-formed');
  return value;
}
