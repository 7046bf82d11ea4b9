import { Type } from 'typebox';
import { sealingContext } from '../control/secret-key.ts';
import type { Tables } from '../control/tables.ts';
import { formatInstant } from '../platform/instant.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { IntegrationType } from './declaration.ts';
import { type Secrets, showSecrets, showsSecret } from './secrets.ts';

export type IntegrationRow = Tables['integrations'];

export const IntegrationState = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether it worked the last time.' }),
    lastUpdatedTime: Type.Integer({ description: 'When that was found out, epoch milliseconds.' }),
    lastSuccessfulTime: Type.Integer({ description: 'When it worked last, epoch milliseconds; 0: never.' }),
    details: Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), { description: 'What was found.' }),
  },
  { description: 'Whether it works.' },
);
export type IntegrationState = Type.Static<typeof IntegrationState>;

/** Integers where clients decode integers, epoch milliseconds in `state`, text for the time of the last change. */
export const integrationMembers = {
  intgGuid: Type.String({ maxLength: 100, description: 'Identifier, as paths use it.' }),
  name: Type.String({ maxLength: 500, description: 'Name.' }),
  type: Type.String({ maxLength: 100, description: 'Type of integration.' }),
  enabled: Type.Integer({ minimum: 0, maximum: 1, description: '1: enabled, 0: disabled.' }),
  isOrg: Type.Integer({ minimum: 0, maximum: 1, description: '1: belongs to the organization itself.' }),
  createdOrUpdatedTime: Type.String({ maxLength: 30, description: 'When it was last changed.' }),
  createdOrUpdatedBy: Type.String({ maxLength: 320, description: 'Who changed it last.' }),
  state: Type.Optional(IntegrationState),
  props: Type.Optional(
    Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), { description: 'Further settings.' }),
  ),
  data: Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), {
    description: 'Settings of the type; secrets are empty, except those that clients compare.',
  }),
  serverToken: Type.Optional(
    Type.Object(
      {
        serverToken: Type.String({ maxLength: 200, description: 'Token of the program at the other end.' }),
        uri: Type.String({ maxLength: 2_048, description: 'Where to read about it.' }),
      },
      { description: 'How the program at the other end signs in.' },
    ),
  ),
};

export const IntegrationRecord = Type.Object(integrationMembers, { description: 'An integration.' });
export type IntegrationRecord = Type.Static<typeof IntegrationRecord>;

export function secretsOf(row: Pick<IntegrationRow, 'id' | 'secrets'>, keyring: Keyring): Secrets {
  if (row.secrets === null) return {};
  return JSON.parse(keyring.open(row.secrets, sealingContext('integrations', 'secrets', row.id))) as Secrets;
}

/** A row as the interface shows it, as JSON text: what is JSON in the row goes into it unread. */
export function integrationText(
  row: IntegrationRow,
  type: IntegrationType,
  keyring: Keyring,
  url: string,
): string {
  const { state, props, server_token } = row;
  const token = () => ({
    serverToken: keyring.open(server_token as string, sealingContext('integrations', 'server_token', row.id)),
    uri: `${url}/api/v2/docs`,
  });
  const head = JSON.stringify({
    intgGuid: row.id,
    name: row.name,
    type: row.type,
    enabled: row.enabled,
    isOrg: row.is_org,
    createdOrUpdatedTime: formatInstant(row.updated_at),
    createdOrUpdatedBy: row.updated_by,
  });
  const inner = [
    state === null ? '' : `,"state":${state}`,
    props === null ? '' : `,"props":${props}`,
    `,"data":${shownData(row, type, keyring)}`,
    server_token === null ? '' : `,"serverToken":${JSON.stringify(token())}`,
  ];
  return `${head.slice(0, -1)}${inner.join('')}}`;
}

export function integrationRecord(...shown: Parameters<typeof integrationText>): IntegrationRecord {
  return JSON.parse(integrationText(...shown)) as IntegrationRecord;
}

/** Secrets are opened only where one of them is shown. */
function shownData(row: IntegrationRow, type: IntegrationType, keyring: Keyring): string {
  if (row.secrets === null || !showsSecret(type.data)) return row.data;
  return JSON.stringify(showSecrets(type.data, JSON.parse(row.data), secretsOf(row, keyring)));
}
