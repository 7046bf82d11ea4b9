import type { FunctionName } from '../catalogue/functions.ts';
import type { CheckedExpression } from './checked.ts';
import type { ValueType } from './conversion.ts';
import { operandsOf } from './operands.ts';

/** Cost of a conversion: parsing strings as numbers or timestamps compiles to long SQL. */
const conversionCosts: Partial<Record<ValueType, number>> = { Number: 1, Timestamp: 4 };

/** Cost of calls that compile to long SQL; others cost one. */
const callCosts: Partial<Record<FunctionName, number>> = {
  ...{ to_timestamp: 4, add_months: 2, add_years: 2, abs: 2, char_index: 2, substring: 2 },
  ...{ ip_address: 8, ip_contains: 8, ip_family: 8, ip_high_netmask_bits: 8 },
};

/** A double represents all integers of fewer digits exactly, so their comparison is short. */
const longNumberDigits = 16;

/** Counts operations that compile to long SQL, each expression once. */
export class OperationCounter {
  readonly #counted = new WeakSet<CheckedExpression>();

  /** Zero if counted before. */
  count(value: CheckedExpression): number {
    if (this.#counted.has(value)) return 0;
    this.#counted.add(value);
    return operandsOf(value).reduce((sum, operand) => sum + this.count(operand), ownCost(value));
  }
}

function ownCost(value: CheckedExpression): number {
  switch (value.kind) {
    case 'path':
    case 'arithmetic':
    case 'negative':
    case 'concatenation':
      return 1;
    case 'conversion':
      return conversionCosts[value.type] ?? 0;
    case 'inList':
      return value.values.filter(isLongNumber).length;
    case 'call':
      return value.name === 'any_in_array'
        ? 1 + value.values.slice(1).reduce((sum, item) => sum + itemCost(item), 0)
        : (callCosts[value.name] ?? 1);
    default:
      return 0;
  }
}

/** Each array item is converted for each comparison. */
function itemCost({ type }: CheckedExpression): number {
  return type === 'Null' ? 0 : 2 * (conversionCosts[type] ?? 0);
}

function isLongNumber(value: CheckedExpression): boolean {
  return (
    value.kind === 'constant' && value.type === 'Number' && String(value.value).length >= longNumberDigits
  );
}
