import { Type } from 'typebox';
import { defineRoute } from '../../http/route.ts';
import { refuseField } from '../../platform/checks.ts';
import type { Clock } from '../../platform/clock.ts';
import { formatInstant } from '../../platform/instant.ts';
import { quoted } from '../../platform/quoted.ts';
import { cspNames } from '../../telemetry/inventory-record.ts';
import type { ResourceFact, ResourceFacts } from '../../telemetry/resource.ts';
import { ResourceForm, resourceLimits } from '../../telemetry/resource-form.ts';
import type { ResourceIntake } from '../../telemetry/resource-intake.ts';
import type { Provider } from '../../telemetry/served-datasource.ts';
import { type SnapshotEnd, type SnapshotId, scopeStatuses } from '../../telemetry/snapshot.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { family } from './family.ts';
import { SnapshotUploads } from './snapshot-uploads.ts';

const path = '/ingest/v1/resources/{csp}/{cloudAccount}/{kind}/{region}';
const lastInstant = 253_402_300_799_999;
const day = 24 * 60 * 60 * 1000;
const maxParts = 1_000_000;

/** The fact that a cloud account always is; in Azure and Google Cloud it may also be a tenant or an organization. */
const accountFacts: Readonly<Partial<Record<Provider, ResourceFact>>> = {
  aws: 'ACCOUNT_ID',
  k8s: 'CLUSTER_ID',
};
const providers = Object.keys(cspNames) as Provider[];

const instant = (description: string) => Type.Integer({ minimum: 0, maximum: lastInstant, description });
const name = (description: string) => Type.String({ minLength: 1, maxLength: 500, description });

const params = Type.Object({
  csp: Type.Enum(providers, { description: 'Cloud provider.' }),
  cloudAccount: name('AWS account, subscription, project, organization, compartment or cluster.'),
  kind: name('Name of the datasource of the kind: LW_CFG_AWS_EC2_INSTANCES.'),
  region: name('Region that was asked; aws-global or global for kinds without regions.'),
});
const started = instant('Start of the collection in epoch milliseconds. It identifies the snapshot.');

const sendPart = defineRoute({
  method: 'POST',
  path,
  family,
  summary: 'Ingest a snapshot of cloud resources, in parts',
  description:
    'A snapshot holds all resources of a kind in a region of a cloud account. It becomes visible as a whole when a request has a status; ' +
    'resources that it lacks are then stored as removed. A part that is sent again is stored once. ' +
    'A snapshot that is not newer than the last one of its scope changes nothing. Requires a token that was made for a collector.',
  access: 'agent',
  tokens: ['collector'],
  rate: 'exempt',
  params,
  query: Type.Object({
    started,
    part: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxParts,
        description: 'Number of the part in the body, from 1; without it the body is ignored.',
      }),
    ),
    status: Type.Optional(
      Type.Enum([...scopeStatuses], {
        description:
          'Ends the snapshot. denied, failed and not enabled without parts leave the stored resources as they are.',
      }),
    ),
    ended: Type.Optional(instant('End of the collection in epoch milliseconds; required with a status.')),
    parts: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxParts,
        description: 'Number of the parts, including this one; required with a status.',
      }),
    ),
    reason: Type.Optional(
      Type.String({
        maxLength: resourceLimits.reason,
        description: 'Why resources could not be read.',
      }),
    ),
    digest: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        maxLength: 64,
        description:
          'With the status collected and parts=1, instead of the part: SHA-256 of all resources. Ends the snapshot if the scope has them stored so; otherwise nothing is stored and `differs` says why.',
      }),
    ),
  }),
  body: 'records',
  describedBody: ResourceForm,
  replies: {
    200: Type.Object({
      data: Type.Object(
        {
          received: Type.Integer({ description: 'Resources of the body that are stored durably.' }),
          opened: Type.Integer({ description: 'New or changed resources; 0 before the end.' }),
          closed: Type.Integer({ description: 'Changed or removed resources; 0 before the end.' }),
          differs: Type.Optional(
            Type.Enum(['new', 'changed'], {
              description:
                'The stored resources are not those of the digest: send them. Of a new scope nothing is stored.',
            }),
          ),
          missing: Type.Optional(
            Type.Array(Type.String({ maxLength: resourceLimits.fact }), {
              description:
                'Keys of resources that were sent by digest and must be sent as a whole, in another part.',
            }),
          ),
        },
        { description: 'Result of the request.' },
      ),
    }),
  },
  refuses: ['CONFLICT'],
});

const listParts = defineRoute({
  method: 'GET',
  path,
  family,
  summary: 'List the received parts of a snapshot',
  description: 'For a collector that was interrupted: it sends the other parts, then the end.',
  access: 'agent',
  tokens: ['collector'],
  rate: 'exempt',
  params,
  query: Type.Object({ started }),
  replies: {
    200: Type.Object({
      data: Type.Object(
        {
          parts: Type.Array(Type.Integer({ description: 'Number of a part.' }), {
            description: 'Numbers of the parts that are stored, in order; empty after the end.',
          }),
        },
        { description: 'State of the snapshot.' },
      ),
    }),
  },
});

export interface ResourceRoutesDeps {
  readonly telemetry: Telemetry;
  readonly intake: ResourceIntake;
  readonly clock: Clock;
  /** Whether the datasource is a kind of resources. */
  readonly isKind: (name: string) => boolean;
}

type EndQuery = Partial<Omit<SnapshotEnd, 'part'>> & { readonly part?: number };

/** The end of a snapshot, if the request has a status. */
function endOf({ status, ended, parts, reason = '', digest, part }: EndQuery): SnapshotEnd | undefined {
  // With one part that is missing, so that a server which does not know digests refuses it.
  if (digest !== undefined && (status !== 'collected' || part !== undefined || parts !== 1))
    throw refuseField(
      'INVALID_INPUT',
      'digest',
      'is for a snapshot whose only part is not sent: send it with status=collected and parts=1, and without part.',
    );
  if (status === undefined) return undefined;
  if (ended === undefined) throw refuseField('INVALID_INPUT', 'ended', 'is required with status.');
  if (parts === undefined) throw refuseField('INVALID_INPUT', 'parts', 'is required with status.');
  return { ended, status, reason, ...(digest === undefined ? { parts } : { parts: 0, digest }) };
}

export const resourceRoutes = ({ telemetry, intake, clock, isKind }: ResourceRoutesDeps) => {
  const uploads = new SnapshotUploads(telemetry, intake);
  const identify = (
    {
      csp,
      cloudAccount,
      kind,
      region,
    }: { csp: Provider; cloudAccount: string; kind: string; region: string },
    start: number,
  ): SnapshotId => {
    if (!kind.startsWith(`LW_CFG_${csp.toUpperCase()}_`) || !isKind(kind))
      throw refuseField(
        'INVALID_INPUT',
        'kind',
        `${quoted(kind)} is not a datasource of ${csp} resources: GET /api/v2/Datasources lists them.`,
      );
    if (start > clock.now() + day)
      throw refuseField(
        'INVALID_INPUT',
        'started',
        `is more than a day ahead of the server's time, ${formatInstant(clock.now())}: set the clock of the collector.`,
      );
    return { kind, cloudAccount, region, started: start };
  };
  return [
    sendPart.handle(async ({ scope, params, query, body }) => {
      const id = identify(params, query.started);
      const { ownerId: account } = scope;
      const fact = accountFacts[params.csp];
      const common: ResourceFacts = fact ? { [fact]: params.cloudAccount } : {};
      const { part: number } = query;
      const request =
        number === undefined ? undefined : { account, form: body.form, body: body.text, number, common };
      const { missing, ...result } = await uploads.store({ account, id, request, end: endOf(query) });
      const data = { ...result, ...(missing.length > 0 && { missing: [...missing] }) };
      return { status: 200, body: { data } };
    }),
    listParts.handle(async ({ scope, params, query }) => {
      const parts = await telemetry.stagedParts(scope.ownerId, identify(params, query.started));
      return { status: 200, body: { data: { parts } } };
    }),
  ];
};
