import type { Company } from '../company/company.ts';
import type { CloudObject } from './cloud-object.ts';
import { plantedChanges } from './planted-changes.ts';

export type PlantedCloud = 'aws' | 'gcp' | 'azure' | 'k8s';
type OfCompany = (company: Company) => string;

/** A misconfiguration that compliance should find. */
export interface PlantedMisconfiguration {
  readonly id: string;
  readonly cloud: PlantedCloud;
  /** The datasource of the resource. */
  readonly kind: string;
  /** What identifies the resource: RESOURCE_ID, or `<namespace>/<name>` in a cluster. */
  readonly resource: OfCompany;
  readonly problem: string;
  /** The checks that it violates. */
  readonly checks: readonly string[];
  /** The resource that their evaluations accuse, if that has another name. */
  readonly accused?: OfCompany;
  /** Further checks that it violates, and the resource that they accuse. */
  readonly elsewhere?: { readonly checks: readonly string[]; readonly accused: OfCompany };
  /** The API that returns the changed object, if its id is not unique, and its id if it is not that of the resource. */
  readonly api?: string;
  readonly object?: OfCompany;
  /** Objects that exist only with the misconfiguration. */
  readonly added?: (company: Company) => readonly CloudObject[];
}

/** The objects of a cloud with its misconfigurations. */
export function withPlanted(
  cloud: PlantedCloud,
  company: Company,
  objects: readonly CloudObject[],
  misconfigurations: readonly PlantedMisconfiguration[],
): CloudObject[] {
  const planted = misconfigurations.filter((one) => one.cloud === cloud);
  const added = planted.flatMap((one) => one.added?.(company) ?? []);
  return [...objects, ...added].flatMap((object) => {
    let { value } = object;
    for (const { id, api = object.api, resource, object: name = resource } of planted)
      if (api === object.api && name(company) === object.id) value = changed(id, value);
    return value === undefined ? [] : [{ ...object, value }];
  });
}

function changed(id: string, value: unknown): unknown {
  const change = plantedChanges[id];
  return change ? change(value as never) : value;
}

/** The resources that evaluations of each check accuse, sorted. */
export function accusedBy(
  company: Company,
  misconfigurations: readonly PlantedMisconfiguration[],
): ReadonlyMap<string, readonly string[]> {
  const accused = new Map<string, Set<string>>();
  for (const { checks, resource, accused: name = resource, elsewhere } of misconfigurations)
    for (const [keys, of] of [
      [checks, name] as const,
      [elsewhere?.checks ?? [], elsewhere?.accused] as const,
    ])
      for (const check of keys)
        accused.set(check, (accused.get(check) ?? new Set()).add(of?.(company) ?? ''));
  return new Map([...accused].map(([check, names]) => [check, [...names].sort()]));
}
