import type { Member, MemberType, TelemetryDataset } from '../dataset.ts';
import { type MemberTree, treeOf } from '../member-tree.ts';
import { hour, iso, noon } from './store.sample.ts';

const day = 24 * hour;

/** What clients write where text is declared and a moment is meant. */
const timestampTexts = new Set(['mtime', 'CONTAINER_START_TIME', 'IMAGE_CREATED_TIME']);
const kinds = ['LOGIN', 'LOGOFF', 'LOGIN', 'SUDO', 'LOGOFF', 'LOGOFF', 'LOGIN'];

/** Records of a dataset that differ in what they have, of what kind it is and when they happened. */
export class Making {
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

  record(isOdd: boolean): Record<string, unknown> {
    const start = noon - 3 * day + Math.floor(this.#random() * 8 * day);
    const entries = Object.entries(this.#dataset.members).map(([name, member]) => {
      if (name === 'startTime') return [name, iso(start)];
      if (name === 'endTime') return [name, iso(start + Math.floor(this.#random() * 3 * hour))];
      if (member.optional && this.#random() < 0.25) return [name, this.#pick([undefined, null])];
      return [name, this.#value(name, member, isOdd)];
    });
    return Object.fromEntries(entries);
  }

  #value(name: string, { type, inner }: Member, isOdd: boolean): unknown {
    if (name === 'activityType') return this.#pick(kinds);
    return inner ? this.#object(treeOf(inner), isOdd) : this.#plain(name, type);
  }

  #object(tree: MemberTree, isOdd: boolean): Record<string, unknown> {
    const entries = [...tree].map(([name, below]) => {
      if (this.#random() < 0.1) return [name, undefined];
      if (isOdd && this.#random() < 0.4) return [name, this.#oddity()];
      return [name, below instanceof Map ? this.#object(below, isOdd) : this.#plain(name, below.type)];
    });
    return { ...Object.fromEntries(entries), more: 1.5 };
  }

  #plain(name: string, type: MemberType): unknown {
    const some = Math.floor(this.#random() * 3);
    if (timestampTexts.has(name))
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

  /** Below an object anything is taken in. */
  #oddity(): unknown {
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
