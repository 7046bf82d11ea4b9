import { Refusal } from '../platform/errors.ts';
import type { AgentTokenProps } from './record.ts';

const maxLength = 16_384;

/**
 * Merges the given members into the stored ones, because clients send only members they know. Null removes a member.
 * The creation time cannot be changed.
 */
export function mergeProps(stored: AgentTokenProps, given: AgentTokenProps | null | undefined): string {
  const members = Object.entries({ ...stored, ...given }).filter(
    ([name, value]) => name !== 'createdTime' && value !== null,
  );
  const json = JSON.stringify(Object.fromEntries(members));
  if (json.length <= maxLength) return json;
  throw new Refusal(
    'INVALID_INPUT',
    `props must have at most ${maxLength} characters as JSON, not ${json.length}: shorten it.`,
  );
}
