import type { Reading } from '../inventory/reading.ts';
import { ChildReader } from './child-reader.ts';
import { DirectoryReader } from './directory-reader.ts';
import { globalRegion } from './row.ts';
import {
  type AzureRead,
  type AzureService,
  type AzureType,
  type GraphTable,
  kindOf,
  pathsOf,
  readAction,
} from './service.ts';
import type { AzureParent, AzureSession } from './session.ts';
import { tableReading } from './table-reading.ts';

/** Diagnostic settings exist below resources of many types: one kind of all of them. */
export const diagnosticSettings: AzureRead = {
  type: 'Microsoft.Insights/diagnosticSettings',
  path: 'providers/Microsoft.Insights/diagnosticSettings',
  apiVersion: '2021-05-01-preview',
  isList: true,
  keepsEmpty: true,
  none: ['ResourceTypeNotSupported', 'ResourceNotSupported'],
};
const insights: AzureService = { name: 'Monitor', namespace: 'Microsoft.Insights' };

export function declaredTypes(services: readonly AzureService[]): AzureType[] {
  return services.flatMap(({ types = [] }) => types);
}

/** The types, in lower case, below whose resources others are read. */
export function parentTypes(services: readonly AzureService[]): string[] {
  const types = declaredTypes(services).filter(({ children, diagnostics }) => children || diagnostics);
  return types.map(({ type }) => type.toLowerCase());
}

/** The readings of a subscription: a query for each table, and the reads below resources. */
export function subscriptionReadings(session: AzureSession, services: readonly AzureService[]): Reading[] {
  const types = declaredTypes(services);
  const tables = [...new Set(types.map(({ table = 'resources' }) => table))];
  return [
    ...tables.map((table) => tableReading(session, table, types.filter(isIn(table)))),
    ...services.flatMap((service) => [
      ...(service.subscription ?? []).map((read) => scopeReading(session, service, read)),
      ...(service.types ?? []).flatMap((type) =>
        (type.children ?? []).map((read) => childReading(session, service, type, read)),
      ),
    ]),
    diagnosticsReading(session, types),
  ];
}

/** The readings of a tenant: its directory, and what it has above its subscriptions. */
export function tenantReadings(session: AzureSession, services: readonly AzureService[]): Reading[] {
  return services.flatMap((service) => [
    ...(service.tenant ?? []).map((read) => scopeReading(session, service, read)),
    ...(service.directory ?? []).map(
      (read) =>
        ({
          ...{ id: `graph/${read.path.replace(/\?.*$/, '')}`, service: service.name, region: globalRegion },
          kinds: read.kinds,
          read: (output, signal) => new DirectoryReader(session, read, output).read(signal),
        }) satisfies Reading,
    ),
  ]);
}

function isIn(wanted: GraphTable) {
  return ({ table = 'resources' }: AzureType) => table === wanted;
}

/** A read below the subscription or the tenant itself. */
function scopeReading(session: AzureSession, service: AzureService, read: AzureRead): Reading {
  return {
    ...readingOf(service, read),
    read: (output, signal) =>
      new ChildReader(session, service, read, output).readBelow(scopeParent(session), signal),
  };
}

function childReading(
  session: AzureSession,
  service: AzureService,
  type: AzureType,
  read: AzureRead,
): Reading {
  return {
    ...readingOf(service, read),
    async read(output, signal) {
      const reader = new ChildReader(session, service, read, output);
      const problem = session.access?.problemOf(readAction(type));
      if (problem) return reader.end(problem);
      for (const parent of await session.parents(type.type, signal)) {
        if (reader.hasEnded) return;
        await reader.readBelow(parent, signal);
      }
    },
  };
}

function diagnosticsReading(session: AzureSession, types: readonly AzureType[]): Reading {
  return {
    ...readingOf(insights, diagnosticSettings),
    async read(output, signal) {
      const reader = new ChildReader(session, insights, diagnosticSettings, output);
      await reader.readBelow(scopeParent(session), signal);
      for (const type of types.filter(({ diagnostics }) => diagnostics)) {
        const problem = session.access?.problemOf(readAction(type));
        if (problem) reader.end(problem);
        for (const parent of reader.hasEnded ? [] : await session.parents(type.type, signal))
          for (const path of type.diagnostics ?? []) {
            if (reader.hasEnded) return;
            await reader.readBelow({ ...parent, id: path ? `${parent.id}/${path}` : parent.id }, signal);
          }
      }
    },
  };
}

/** Reads below thousands of resources share a part of the documented rate, and take hours. */
const slowTimeout = 6 * 3_600_000;

function readingOf({ name, namespace }: AzureService, read: AzureRead) {
  const id = `${namespace.toLowerCase()}/${read.type.slice(namespace.length + 1)} ${pathsOf(read)[0]}`;
  return {
    id,
    service: name,
    region: globalRegion,
    kinds: [kindOf(read)],
    timeout: slowTimeout,
  };
}

function scopeParent({ scope }: AzureSession): AzureParent {
  const { subscription } = scope;
  return { id: subscription ? `/subscriptions/${subscription.id}` : '', name: scope.cloudAccount };
}
