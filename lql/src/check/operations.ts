import type { FunctionName } from '../catalogue/functions.ts';
import type { Checked } from './checked.ts';
import type { ValueType } from './conversion.ts';
import { partsOf } from './parts.ts';

/** What a conversion counts as: texts that may be numbers or moments are taken apart in the statement. */
const conversions: Partial<Record<ValueType, number>> = { Number: 1, Timestamp: 4 };

/** Calls that are longer in a statement than others, which count as one. */
const longCalls: Partial<Record<FunctionName, number>> = {
  ...{ to_timestamp: 4, add_months: 2, add_years: 2, abs: 2, char_index: 2, substring: 2 },
  ...{ ip_address: 8, ip_contains: 8, ip_family: 8, ip_high_netmask_bits: 8 },
};

/** A double holds all whole numbers of fewer digits, so that comparing them is short. */
const digitsOfLong = 16;

/** Counts what is written many times longer in a statement than in a query, each part once. */
export class Operations {
  readonly #counted = new WeakSet<Checked>();

  /** Of what was not counted before. */
  count(value: Checked): number {
    if (this.#counted.has(value)) return 0;
    this.#counted.add(value);
    return partsOf(value).reduce((sum, part) => sum + this.count(part), ownCount(value));
  }
}

function ownCount(value: Checked): number {
  switch (value.kind) {
    case 'path':
    case 'computed':
    case 'negated':
    case 'joinedText':
      return 1;
    case 'converted':
      return conversions[value.type] ?? 0;
    case 'among':
      return value.values.filter(isLongNumber).length;
    case 'called':
      return value.name === 'any_in_array'
        ? 1 + value.values.slice(1).reduce((sum, item) => sum + itemCount(item), 0)
        : (longCalls[value.name] ?? 1);
    default:
      return 0;
  }
}

/** Each item of a list is converted for each that it is compared with. */
function itemCount({ type }: Checked): number {
  return type === 'Null' ? 0 : 2 * (conversions[type] ?? 0);
}

function isLongNumber(value: Checked): boolean {
  return value.kind === 'constant' && value.type === 'Number' && String(value.value).length >= digitsOfLong;
}
