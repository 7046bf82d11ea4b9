import { readdirSync } from 'node:fs';
import type { KindDescription } from '../inventory/cloud.ts';
import { kebabCase } from './aws-resource.ts';
import { allPermissionsOf, permissionsOf } from './permissions.ts';
import { regionsOf } from './plan.ts';
import { type AwsRead, type AwsService, isCustom } from './service.ts';

const folder = new URL('./services/', import.meta.url);

/** Each file, or the `service` file of each subfolder, declares a service, so that a new one needs no registration. */
export async function loadAwsServices(): Promise<AwsService[]> {
  const files = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return [`${entry.name}/service.js`];
    return /^[^.]+\.js$/.test(entry.name) ? [entry.name] : [];
  });
  const modules = await Promise.all(files.sort().map((file) => import(new URL(file, folder).href)));
  return modules.map((module) => module.default as AwsService);
}

/** The kinds that are collected, from the declarations. */
export async function describeAws(): Promise<KindDescription[]> {
  const services = await loadAwsServices();
  const kinds = services.flatMap((service) => [...descriptionsOf(service)]);
  // A kind may be read in two ways: in each region, and once.
  return [...new Map(kinds.map((description) => [description.kind, description])).values()].sort((a, b) =>
    a.kind < b.kind ? -1 : 1,
  );
}

export function* descriptionsOf(service: AwsService): Generator<KindDescription> {
  for (const read of service.reads) {
    const isGlobal = regionsOf(service, read) === 'once';
    if (!isCustom(read)) {
      yield* descriptionsBelow(service, read, { isGlobal, resourceType: '', permissions: [] });
      continue;
    }
    const permissions = allPermissionsOf(service, read);
    for (const [kind, { call, type }] of Object.entries(read.kinds))
      yield {
        ...{ kind, service: service.name, call: kebabCase(call), resourceType: type },
        ...{ isGlobal, permissions, redactions: read.redact ?? [] },
      };
  }
}

type Inherited = Pick<KindDescription, 'isGlobal' | 'resourceType' | 'permissions'>;

function* descriptionsBelow(
  service: AwsService,
  read: AwsRead,
  above: Inherited,
): Generator<KindDescription> {
  const { kind, type, call, fills = call, redact = [], urls = [], each = [] } = read;
  const inherited = {
    ...above,
    isGlobal: above.isGlobal && read.itemRegion === undefined,
    resourceType: type ?? above.resourceType,
    permissions: [...new Set([...above.permissions, ...permissionsOf(service, read)])],
  };
  if (kind)
    yield {
      ...{ kind, service: service.name, call: kebabCase(fills), ...inherited },
      redactions: [...redact, ...urls],
    };
  for (const below of each) yield* descriptionsBelow(service, below, inherited);
}
