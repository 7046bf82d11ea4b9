import type { EntityMap } from '../../alerts/listing.ts';
import { inline } from '../summary/phrase.ts';

type Members = Readonly<Record<string, unknown>>;

/** What an alert is about first, by kind: questions are about that. */
export class AlertEntities {
  readonly #map: EntityMap;

  constructor(map: EntityMap) {
    this.#map = map;
  }

  has(kind: string): boolean {
    return Object.hasOwn(this.#map, kind);
  }

  /** A member of the first entity of the kind; empty where there is none. */
  value(kind: string, member: string): string {
    const [first] = this.has(kind) ? (this.#map[kind] ?? []) : [];
    const { KEY = {}, PROPS = {} } = (first ?? {}) as { KEY?: Members; PROPS?: Members };
    const value = KEY[member] ?? PROPS[member];
    return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
  }

  /** The host as people know it. */
  get host(): { readonly id: string; readonly name: string } {
    const id = this.value('Machine', 'mid');
    return {
      id: /^-?\d{1,19}$/.test(id) ? id : '',
      name: inline(this.value('Machine', 'hostname')) || 'the host',
    };
  }
}
