import { Type } from 'typebox';
import type { Scans } from '../../collect/schedule/scans.ts';
import { defineRoute } from '../../http/route.ts';
import { cspNames } from '../../telemetry/inventory-record.ts';
import { family } from './family.ts';

const path = '/api/v2/Inventory/scan';
const clouds = ['aws', 'gcp', 'azure'] as const;
const query = Type.Object({
  csp: Type.Enum(
    clouds.map((cloud) => cspNames[cloud]),
    { description: 'Cloud provider.' },
  ),
});
const replies = {
  200: Type.Object({
    data: Type.Object(
      {
        status: Type.Enum(['available', 'scanning', 'pending'], {
          description:
            'available: a scan can be requested; scanning: one was requested or runs; pending: the last one ended less than an hour ago.',
        }),
        details: Type.String({ maxLength: 200, description: 'The same in words.' }),
      },
      { description: 'State of the scan.' },
    ),
  }),
};

const requestScan = defineRoute({
  method: 'POST',
  path,
  family,
  summary: 'Collect the resources of a provider now',
  description:
    'Collects all enabled integrations of the provider. Does nothing while they are collected, and in the hour after that.',
  access: 'write',
  audit: 'Inventory Scan Requested',
  query,
  body: 'discarded',
  replies,
});

const getScan = defineRoute({
  method: 'GET',
  path,
  family,
  summary: 'Get the state of the collection of a provider',
  access: 'read',
  query,
  replies,
});

export const inventoryScanRoutes = ({ scans }: { scans: Scans }) => [
  requestScan.handle(async ({ actor, query }) => ({
    status: 200,
    body: { data: await scans.request(actor, cloudOf(query.csp)) },
  })),
  getScan.handle(async ({ scope, query }) => ({
    status: 200,
    body: { data: await scans.state(scope.ownerId, cloudOf(query.csp)) },
  })),
];

function cloudOf(csp: string) {
  return clouds.find((cloud) => cspNames[cloud] === csp) ?? 'aws';
}
