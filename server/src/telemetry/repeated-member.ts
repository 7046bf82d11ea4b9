import { refuseField } from '../platform/checks.ts';
import { endOfString } from '../platform/json-string.ts';
import { printable } from '../platform/quoted.ts';
import { limitExceeded, type RecordLimits, recordLimits } from './record-bounds.ts';

const maxShownLength = 200;

/**
 * Refuses a record with a duplicate member in an object: JSON.parse keeps the last one and the engine the first, so
 * that another value would be searched than was validated. `record` is the parsed `json`.
 */
export function refuseRepeatedMember(
  json: string,
  record: unknown,
  index: number,
  limits: RecordLimits = recordLimits,
): void {
  const members = countMembers(record, limits.depth);
  if (Number.isNaN(members)) throw limitExceeded('depth', index, limits);
  // Sufficient for nearly every record; the exact check costs as much as parsing.
  if (maxMemberCount(json) === members) return;
  const path = findRepeatedMember(json);
  if (path === undefined) return;
  throw refuseField(
    'INVALID_INPUT',
    `records[${index}].${printable(path, maxShownLength)}`,
    'is given twice: give each member of an object once.',
  );
}

const quote = '"'.charCodeAt(0);
const space = ' '.charCodeAt(0);

/** An upper bound of the number of members: a name ends with a quote and a colon, which strings may also contain. */
function maxMemberCount(json: string): number {
  let count = 0;
  for (let index = json.indexOf(':'); index >= 0; index = json.indexOf(':', index + 1)) {
    const before = json.charCodeAt(index - 1);
    if (before === quote) count++;
    // White space between a name and its colon: no bound.
    else if (before <= space) return Number.NaN;
  }
  return count;
}

/** The number of members of all objects in a value; NaN if nested deeper than `levels`. */
function countMembers(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (levels === 0) return Number.NaN;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countMembers(item, levels - 1);
    return count;
  }
  for (const name in value) count += 1 + countMembers((value as Record<string, unknown>)[name], levels - 1);
  return count;
}

/** An object with its names so far, or an array, that is open at the current position. */
interface OpenValue {
  readonly names: Set<string> | undefined;
  /** The current name, undefined before one, or the index in the array. */
  step: string | number | undefined;
}

/** The path of the first duplicate member; `json` must be valid JSON. */
export function findRepeatedMember(json: string): string | undefined {
  const open: OpenValue[] = [];
  for (let index = 0; index < json.length; index++) {
    const parent = open.at(-1);
    const character = json[index];
    if (character === '{') open.push({ names: new Set(), step: undefined });
    else if (character === '[') open.push({ names: undefined, step: 0 });
    else if (character === '}' || character === ']') open.pop();
    else if (character === ',' && parent) {
      parent.step = typeof parent.step === 'number' ? parent.step + 1 : undefined;
    } else if (character === '"') {
      const end = endOfString(json, index);
      if (parent?.names && parent.step === undefined) {
        parent.step = JSON.parse(json.slice(index, end + 1)) as string;
        if (parent.names.has(parent.step)) return pathOf(open);
        parent.names.add(parent.step);
      }
      index = end;
    }
  }
  return undefined;
}

function pathOf(open: readonly OpenValue[]): string {
  const steps = open.map(({ step }) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  return steps.join('').slice(1);
}
