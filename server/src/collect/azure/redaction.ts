import { deepestJson, exceededLimit } from '../../platform/json-structure.ts';
import { CollectError } from '../inventory/problem.ts';
import { redacted } from '../inventory/redacted.ts';

/** Members that hold a secret wherever they occur, as a second line behind the declared paths. */
const secretName =
  /^(.*password|clientsecret|secret(text|value)?|securevalue|.*connectionstring|primarykey|secondarykey|accountkey|accesskey|.*storageaccountkey|workspacekey|saskey|.*sastoken|sharedkey|privatekey|instrumentationkey|customdata|userdata|commandtoexecute|radiusserversecret|authorizationkey)$/i;

/** The configuration as it is stored: without the values of secrets. Member names are compared without case. */
export function storedConfig(config: object, paths: readonly string[], what: string): string {
  let stored: unknown = config;
  for (const path of paths) stored = without(stored, path.split('.'));
  const json = stringified(stored);
  if (json === undefined || exceededLimit(json, { depth: deepestJson, values: Number.POSITIVE_INFINITY }))
    throw new CollectError({
      status: 'failed',
      reason: `The configuration of ${what.slice(0, 200)} is nested more than ${deepestJson} levels deep.`,
    });
  return json;
}

function without(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value === null || value === undefined ? value : redacted;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.map((element) => without(element, name === '*' ? rest : [name, ...rest]));
  const matches = (member: string) => name === '*' || member.toLowerCase() === name.toLowerCase();
  const entries = Object.entries(value).map(([member, old]) => [
    member,
    matches(member) ? without(old, rest) : old,
  ]);
  return Object.fromEntries(entries);
}

/** Undefined if it is nested too deeply to be written. */
function stringified(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (name, member: unknown) =>
      typeof member === 'string' && member !== '' && secretName.test(name) ? redacted : member,
    );
  } catch {
    return undefined;
  }
}
