import type { EntityMap } from '../../alerts/listing.ts';
import { inline } from '../summary/phrase.ts';

type Members = Readonly<Record<string, unknown>>;

/** Access to the first entities of an alert, by kind. */
export class AlertEntities {
  readonly #map: EntityMap;

  constructor(map: EntityMap) {
    this.#map = map;
  }

  has(kind: string): boolean {
    return Object.hasOwn(this.#map, kind);
  }

  /** A member of the first entity of the kind; empty if there is none. */
  value(kind: string, member: string): string {
    return this.values(kind, member)[0] ?? '';
  }

  /** A member of the first two entities of the kind: a connection has two endpoints. */
  values(kind: string, member: string): string[] {
    const entities = this.has(kind) ? (this.#map[kind] ?? []) : [];
    return entities.slice(0, 2).map(({ KEY, PROPS }) => {
      const value = (KEY as Members)[member] ?? (PROPS as Members)[member];
      return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
    });
  }

  /** The host with its name, or its id if the name is unknown. */
  get host(): { readonly id: string; readonly name: string } {
    const id = this.value('Machine', 'mid');
    return {
      id: /^-?\d{1,19}$/.test(id) ? id : '',
      name: inline(this.value('Machine', 'hostname')) || 'the host',
    };
  }
}
