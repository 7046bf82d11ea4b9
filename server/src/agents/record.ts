import { Type } from 'typebox';
import { sealingContext } from '../control/secret-key.ts';
import type { Tables } from '../control/tables.ts';
import { tokenPurposes } from '../identity/scope.ts';
import { secretMark } from '../integrations/members.ts';
import { coded, disabledOrEnabled } from '../platform/coded.ts';
import { formatInstant } from '../platform/instant.ts';
import type { Keyring } from '../platform/keyring.ts';

export type AgentTokenRow = Tables['agent_tokens'];
export type AgentTokenProps = Readonly<Record<string, unknown>>;

/** A string, because clients decode a string. */
const version = '0.1';

export const AgentTokenRecord = Type.Object(
  {
    accessToken: Type.String({
      maxLength: 100,
      description: 'The token in hexadecimal, also its id in paths; masked for read-only callers.',
      [secretMark]: 'shown',
    }),
    tokenAlias: Type.String({ maxLength: 500, description: 'Name of the token.' }),
    tokenEnabled: coded(disabledOrEnabled, 'Whether it is enabled:'),
    tokenPurpose: Type.Enum([...tokenPurposes], {
      description: 'What it was made for: agent (the agent of a host) or collector (of cloud resources).',
    }),
    version: Type.String({ maxLength: 10, description: 'Version of the token format.' }),
    createdTime: Type.String({ maxLength: 30, description: 'When it was created.' }),
    props: Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), {
      description: 'Properties, including createdTime.',
    }),
  },
  { description: 'A token with which host agents or collectors authenticate.' },
);
export type AgentTokenRecord = Type.Static<typeof AgentTokenRecord>;

export const RotatedToken = Type.Object(
  {
    ...AgentTokenRecord.properties,
    previousTokenExpiry: Type.String({
      maxLength: 30,
      description: 'Until when the previous token is accepted.',
    }),
  },
  { description: 'An agent access token with its new value.' },
);
export type RotatedToken = Type.Static<typeof RotatedToken>;

export function agentTokenRecord(row: AgentTokenRow, keyring: Keyring): AgentTokenRecord {
  const createdTime = formatInstant(row.created_at);
  return {
    accessToken: keyring.open(row.token, sealingContext('agent_tokens', 'token', row.id)),
    tokenAlias: row.alias,
    tokenEnabled: row.enabled,
    tokenPurpose: row.purpose,
    version,
    createdTime,
    props: { ...JSON.parse(row.props), createdTime },
  };
}
