import type { FunctionName } from '../catalogue/functions.ts';
import type { Checked } from './checked.ts';
import type { ValueType } from './conversion.ts';
import { partsOf } from './parts.ts';

/** Cost of a conversion: parsing strings as numbers or timestamps compiles to long SQL. */
const conversions: Partial<Record<ValueType, number>> = { Number: 1, Timestamp: 4 };

/** Cost of calls that compile to long SQL; others cost one. */
const callCosts: Partial<Record<FunctionName, number>> = {
  ...{ to_timestamp: 4, add_months: 2, add_years: 2, abs: 2, char_index: 2, substring: 2 },
  ...{ ip_address: 8, ip_contains: 8, ip_family: 8, ip_high_netmask_bits: 8 },
};

/** A double represents all integers of fewer digits exactly, so their comparison is short. */
const longNumberDigits = 16;

/** Counts operations that compile to long SQL, each expression once. */
export class Operations {
  readonly #counted = new WeakSet<Checked>();

  /** Zero if counted before. */
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
    case 'concatenated':
      return 1;
    case 'converted':
      return conversions[value.type] ?? 0;
    case 'among':
      return value.values.filter(isLongNumber).length;
    case 'called':
      return value.name === 'any_in_array'
        ? 1 + value.values.slice(1).reduce((sum, item) => sum + itemCount(item), 0)
        : (callCosts[value.name] ?? 1);
    default:
      return 0;
  }
}

/** Each array item is converted for each comparison. */
function itemCount({ type }: Checked): number {
  return type === 'Null' ? 0 : 2 * (conversions[type] ?? 0);
}

function isLongNumber(value: Checked): boolean {
  return (
    value.kind === 'constant' && value.type === 'Number' && String(value.value).length >= longNumberDigits
  );
}
