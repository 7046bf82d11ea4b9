import { Type } from 'typebox';
import { sealingContext } from '../control/secret-key.ts';
import type { Tables } from '../control/tables.ts';
import { coded, disabledOrEnabled } from '../platform/coded.ts';
import type { Keyring } from '../platform/keyring.ts';
import { readRecord } from '../search/record.ts';
import { datasetOf } from '../search/record-fields.ts';
import type { IntegrationData, IntegrationType } from './declaration.ts';
import { secretMark } from './members.ts';
import { fillSecrets, type Secrets, showSecrets, showsSecret } from './secrets.ts';
import { IntegrationState } from './state.ts';

export type IntegrationRow = Tables['integrations'];

/** The types follow what clients decode: epoch milliseconds in `state`, a string for the time of the last change. */
const integrationMembers = {
  intgGuid: Type.String({ maxLength: 100, description: 'Identifier used in paths.' }),
  name: Type.String({ maxLength: 500, description: 'Name.' }),
  type: Type.String({ maxLength: 100, description: 'Type of integration.' }),
  enabled: coded(disabledOrEnabled, 'Whether it is enabled:'),
  isOrg: Type.Integer({ minimum: 0, maximum: 1, description: '1: belongs to the organization itself.' }),
  createdOrUpdatedTime: Type.String({
    format: 'date-time',
    maxLength: 30,
    description: 'When it was last changed.',
  }),
  createdOrUpdatedBy: Type.String({ maxLength: 320, description: 'User who changed it last.' }),
  state: Type.Optional(IntegrationState),
  props: Type.Optional(
    Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), { description: 'Further settings.' }),
  ),
  data: Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), {
    description:
      'Settings of the type. Secrets are empty, except those that clients compare; read-only callers see these masked.',
  }),
  serverToken: Type.Optional(
    Type.Object(
      {
        serverToken: Type.String({
          maxLength: 200,
          description: 'Token of the remote program; masked for read-only callers.',
          [secretMark]: 'shown',
        }),
        uri: Type.String({ maxLength: 2_048, description: 'URL of the documentation.' }),
      },
      { description: 'How the remote program authenticates.' },
    ),
  ),
};

export const IntegrationRecord = Type.Object(integrationMembers, { description: 'An integration.' });
export type IntegrationRecord = Type.Static<typeof IntegrationRecord>;

export function secretsOf(row: Pick<IntegrationRow, 'id' | 'secrets'>, keyring: Keyring): Secrets {
  if (row.secrets === null) return {};
  return JSON.parse(keyring.open(row.secrets, sealingContext('integrations', 'secrets', row.id))) as Secrets;
}

/** The settings including secrets, for authentication with the remote system; never shown. */
export function dataOf(
  row: Pick<IntegrationRow, 'id' | 'data' | 'secrets'>,
  keyring: Keyring,
): IntegrationData {
  return fillSecrets(JSON.parse(row.data) as IntegrationData, secretsOf(row, keyring));
}

const { serverToken, ...stored } = integrationMembers;

/** The record members that are stored in columns. */
export const integrationsDataset = datasetOf(Type.Object(stored), {
  name: 'Integrations',
  description: 'Alert channels, cloud accounts and container registries.',
  table: 'integrations',
  key: 'id',
  columns: { intgGuid: 'id', createdOrUpdatedTime: 'updated_at', createdOrUpdatedBy: 'updated_by' },
});

type Sealed = Pick<IntegrationRow, 'id' | 'secrets' | 'server_token'>;

export function integrationRecord(
  row: IntegrationRow,
  type: IntegrationType,
  keyring: Keyring,
  url: string,
): IntegrationRecord {
  const record = readRecord(row as unknown as Record<string, unknown>, integrationsDataset);
  return withSealed(record as IntegrationRecord, row, type, keyring, url);
}

/** Adds the decrypted secrets that responses show. */
export function withSealed(
  record: IntegrationRecord,
  row: Sealed,
  type: IntegrationType,
  keyring: Keyring,
  url: string,
): IntegrationRecord {
  const { id, secrets, server_token } = row;
  if (server_token === null && (secrets === null || !showsSecret(type.data))) return record;
  const open = (sealed: string) => keyring.open(sealed, sealingContext('integrations', 'server_token', id));
  return {
    ...record,
    data: showSecrets(type.data, record.data, secretsOf(row, keyring)),
    ...(server_token !== null && {
      serverToken: { serverToken: open(server_token), uri: `${url}/api/v2/docs` },
    }),
  };
}
