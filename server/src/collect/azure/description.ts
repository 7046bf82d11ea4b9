import type { KindDescription } from '../inventory/cloud.ts';
import { diagnosticSettings } from './plan.ts';
import { type AzureRead, type AzureService, kindOf, pathsOf, readAction } from './service.ts';

/** All kinds that are collected of Azure, from their declarations. */
export async function describeAzure(): Promise<KindDescription[]> {
  const { azureServices } = await import('./catalogue.ts');
  return [...azureServices.flatMap(kindsIn), described('Monitor', diagnosticSettings)];
}

function kindsIn(service: AzureService): KindDescription[] {
  const { name, types = [], subscription = [], tenant = [], directory = [] } = service;
  return [
    ...types.map((type) => ({
      ...{ kind: kindOf(type), service: name, call: `Resource Graph ${type.table ?? 'resources'}` },
      ...{ resourceType: type.type.toLowerCase(), isGlobal: true },
      permissions: [readAction(type)],
      redactions: type.redact ?? [],
    })),
    ...types.flatMap((type) => (type.children ?? []).map((read) => described(name, read, readAction(type)))),
    ...[...subscription, ...tenant].map((read) => described(name, read)),
    ...directory.flatMap((read) =>
      read.kinds.map((kind) => ({
        ...{ kind, service: name, call: `GET /v1.0/${read.path.replace(/\?.*$/, '')}`, isGlobal: true },
        resourceType: `microsoft.graph/${read.type.toLowerCase()}`,
        permissions: read.permissions,
        redactions: read.redact ?? [],
      })),
    ),
  ];
}

function described(service: string, read: AzureRead, ...parentActions: readonly string[]): KindDescription {
  return {
    ...{
      kind: kindOf(read),
      service,
      call: pathsOf(read)
        .map((path) => `GET {id}/${path}`)
        .join(', '),
    },
    ...{ resourceType: read.type.toLowerCase(), isGlobal: true },
    permissions: [...parentActions, readAction(read)],
    redactions: read.redact ?? [],
  };
}
