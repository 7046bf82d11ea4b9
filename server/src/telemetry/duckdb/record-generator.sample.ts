import type { Member, MemberType, TelemetryDataset } from '../dataset.ts';
import { type MemberTree, treeOf } from '../member-tree.ts';
import { hour, iso, noon } from './store.sample.ts';

const day = 24 * hour;

/** Members declared as strings in which clients write timestamps. */
const timestampStrings = new Set(['mtime', 'CONTAINER_START_TIME', 'IMAGE_CREATED_TIME']);
const activityTypes = ['LOGIN', 'LOGOFF', 'LOGIN', 'SUDO', 'LOGOFF', 'LOGOFF', 'LOGIN'];

/** Generates records of a dataset with varying members, value types and timestamps. */
export class RecordGenerator {
  readonly #dataset: TelemetryDataset;
  readonly #random: () => number;

  constructor(dataset: TelemetryDataset, seed: number) {
    this.#dataset = dataset;
    let state = seed * 2_654_435_761 + dataset.path.length;
    this.#random = () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return state / 2 ** 31;
    };
  }

  record(mayBeMistyped: boolean): Record<string, unknown> {
    const start = noon - 3 * day + Math.floor(this.#random() * 8 * day);
    const entries = Object.entries(this.#dataset.members).map(([name, member]) => {
      if (name === 'startTime') return [name, iso(start)];
      if (name === 'endTime') return [name, iso(start + Math.floor(this.#random() * 3 * hour))];
      if (member.optional && this.#random() < 0.25) return [name, this.#pick([undefined, null])];
      return [name, this.#value(name, member, mayBeMistyped)];
    });
    return Object.fromEntries(entries);
  }

  #value(name: string, { type, inner }: Member, mayBeMistyped: boolean): unknown {
    if (name === 'activityType') return this.#pick(activityTypes);
    return inner ? this.#object(treeOf(inner), mayBeMistyped) : this.#typedValue(name, type);
  }

  #object(tree: MemberTree, mayBeMistyped: boolean): Record<string, unknown> {
    const entries = [...tree].map(([name, below]) => {
      if (this.#random() < 0.1) return [name, undefined];
      if (mayBeMistyped && this.#random() < 0.4) return [name, this.#mistypedValue()];
      return [
        name,
        below instanceof Map ? this.#object(below, mayBeMistyped) : this.#typedValue(name, below.type),
      ];
    });
    return { ...Object.fromEntries(entries), more: 1.5 };
  }

  #typedValue(name: string, type: MemberType): unknown {
    const some = Math.floor(this.#random() * 3);
    if (timestampStrings.has(name))
      return this.#pick([
        iso(noon + some),
        '1772366400123',
        '2026-03-01T12:00:00.123456789+05:30',
        'never',
        '',
      ]);
    switch (type) {
      case 'string':
        return this.#pick([`${name} ${some}`, `${name} é"\\ ${some}`, some === 0 ? '' : 'null']);
      case 'integer':
        return this.#pick([BigInt(some), 9_007_199_254_740_993n, -(2n ** 63n), 2n ** 63n - 1n]);
      case 'number':
        return this.#pick([some, 0.5]);
      case 'boolean':
        return some > 0;
      case 'time':
        return this.#pick([
          iso(noon - 3 * day + Math.floor(this.#random() * 8 * day)),
          iso(noon),
          '1969-12-31T23:00:00.001Z',
        ]);
      default:
        return this.#pick([{ mid: 2n ** 60n + 1n, list: [1n, 'a,b', null] }, [], {}, ['x', { y: null }]]);
    }
  }

  /** Members below an object may have any type. */
  #mistypedValue(): unknown {
    return this.#pick([
      5n,
      1.5,
      3,
      '17',
      'x',
      true,
      null,
      { a: [1n] },
      ['b'],
      2n ** 64n - 1n,
      '2026-03-01T12:00:00Z',
    ]);
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)] as Item;
  }
}
