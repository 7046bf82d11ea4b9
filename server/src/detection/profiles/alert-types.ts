import type { ControlStore } from '../../control/store.ts';
import { nearest } from '../../platform/nearest.ts';
import { quoted } from '../../platform/quoted.ts';
import type { Filter } from '../../search/filter.ts';
import { textOf } from '../../search/scalar.ts';
import type { ProfileCatalogue } from './catalogue.ts';
import type { AlertTemplate } from './template.ts';

/** Alert types without a template. */
export const untemplatedTypes = { compliance: 'NewViolations', violation: 'NewPolicyViolation' } as const;

/** Suffix of the source kind, which clients do not show. */
const sourceSuffix = /_AwsResource$/;

export function alertTypeOf({ name }: Pick<AlertTemplate, 'name'>): string {
  return name.replace(sourceSuffix, '');
}

/** Limit on the profiles read per account. */
const maxProfiles = 200;

/** The alert types of an account. The set is open, because accounts write their own templates. */
export class AlertTypes {
  readonly #store: Pick<ControlStore, 'read'>;
  readonly #predefined: ReadonlySet<string>;

  constructor(store: Pick<ControlStore, 'read'>, catalogue: ProfileCatalogue) {
    this.#store = store;
    const templates = catalogue.all().flatMap(({ alerts }) => alerts);
    this.#predefined = new Set([...Object.values(untemplatedTypes), ...templates.map(alertTypeOf)]);
  }

  /** Warns about filter values that match no template; values of existing alerts are known. */
  async warn(
    ownerId: string,
    filters: readonly Filter[],
    { rows }: { readonly rows: number },
  ): Promise<string[]> {
    const compared = filters.filter(
      ({ path, test, negated }) =>
        path.field === 'alertType' && (test === 'in' || (test === 'eq' && (negated || rows === 0))),
    );
    const given = compared.flatMap(({ at, values }) => values.map((value) => ({ at, name: textOf(value) })));
    if (given.every(({ name }) => this.#predefined.has(name))) return [];
    const known = new Set([...this.#predefined, ...(await this.#ownTypes(ownerId))]);
    return given
      .filter(({ name }) => !known.has(name))
      .slice(0, 20)
      .map(({ at, name }) => {
        const names = nearest(name.slice(0, 100), known);
        const hint = names.length > 0 ? `; did you mean ${names.join(', ')}?` : '.';
        return `${at}: no alert template has the alertType ${quoted(name)}, so it matches nothing${hint}`;
      });
  }

  async #ownTypes(ownerId: string): Promise<string[]> {
    const rows = await this.#store.read
      .selectFrom('alert_profiles')
      .select('alerts')
      .where('owner_id', '=', ownerId)
      .orderBy('id')
      .limit(maxProfiles)
      .execute();
    return rows.flatMap(({ alerts }) => (JSON.parse(alerts) as AlertTemplate[]).map(alertTypeOf));
  }
}
