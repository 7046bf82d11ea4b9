import { Refusal } from '../platform/errors.ts';
import type { AgentTokenProps } from './record.ts';

const longest = 16_384;

/**
 * What a client sends is laid over what is there, because clients send only what they know of. Null takes a member
 * away. The time of creation is the server's, whatever a client makes of it.
 */
export function mergeProps(stored: AgentTokenProps, given: AgentTokenProps | null | undefined): string {
  const members = Object.entries({ ...stored, ...given }).filter(
    ([name, value]) => name !== 'createdTime' && value !== null,
  );
  const text = JSON.stringify(Object.fromEntries(members));
  if (text.length <= longest) return text;
  throw new Refusal(
    'INVALID_INPUT',
    `props must have at most ${longest} characters as JSON, not ${text.length}: shorten it.`,
  );
}
