import { refuseField } from '../platform/checks.ts';
import { endOfString } from '../platform/json-string.ts';
import { printable } from '../platform/quoted.ts';
import { excess, type RecordLimits, recordLimits } from './record-bounds.ts';

const longestShown = 200;

/**
 * Refuses a record that names a member twice in one object: JSON.parse takes the last one and the engine the first, so
 * that something else would be searched than was checked. `record` is what JSON.parse made of the text.
 */
export function refuseRepeatedMember(
  text: string,
  record: unknown,
  index: number,
  limits: RecordLimits = recordLimits,
): void {
  const members = countMembers(record, limits.depth);
  if (Number.isNaN(members)) throw excess('depth', index, limits);
  // Nearly every record ends here; the exact look costs as much as parsing.
  if (mostMembers(text) === members) return;
  const path = findRepeatedMember(text);
  if (path === undefined) return;
  throw refuseField(
    'INVALID_INPUT',
    `records[${index}].${printable(path, longestShown)}`,
    'is given twice: give each member of an object once.',
  );
}

const quote = '"'.charCodeAt(0);
const space = ' '.charCodeAt(0);

/** At least as many members as the text has: a name ends with a quote and a colon, but texts may have that, too. */
function mostMembers(text: string): number {
  let count = 0;
  for (let place = text.indexOf(':'); place >= 0; place = text.indexOf(':', place + 1)) {
    const before = text.charCodeAt(place - 1);
    if (before === quote) count++;
    // Space may part a name from its colon: then this says nothing.
    else if (before <= space) return Number.NaN;
  }
  return count;
}

/** Members of all objects in a value; NaN where it has more than `levels` of nesting. */
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

/** What is open at a place of the text: an object with its names so far, or a list. */
interface Holder {
  readonly names: Set<string> | undefined;
  /** The present name, undefined while one is expected, or the place in the list. */
  step: string | number | undefined;
}

/** The path of the first member that its object has already; the text must be JSON. */
export function findRepeatedMember(text: string): string | undefined {
  const open: Holder[] = [];
  for (let place = 0; place < text.length; place++) {
    const holder = open.at(-1);
    const character = text[place];
    if (character === '{') open.push({ names: new Set(), step: undefined });
    else if (character === '[') open.push({ names: undefined, step: 0 });
    else if (character === '}' || character === ']') open.pop();
    else if (character === ',' && holder) {
      holder.step = typeof holder.step === 'number' ? holder.step + 1 : undefined;
    } else if (character === '"') {
      const end = endOfString(text, place);
      if (holder?.names && holder.step === undefined) {
        holder.step = JSON.parse(text.slice(place, end + 1)) as string;
        if (holder.names.has(holder.step)) return pathOf(open);
        holder.names.add(holder.step);
      }
      place = end;
    }
  }
  return undefined;
}

function pathOf(open: readonly Holder[]): string {
  const steps = open.map(({ step }) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  return steps.join('').slice(1);
}
