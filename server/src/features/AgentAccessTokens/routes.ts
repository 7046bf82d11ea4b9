import { Type } from 'typebox';
import type { AgentTokens } from '../../agents/agent-tokens.ts';
import { AgentTokenRecord, RotatedToken } from '../../agents/record.ts';
import type { Scanner } from '../../control/scan/scanner.ts';
import { recordRoutes } from '../../families/record-routes.ts';
import { defineRoute } from '../../http/route.ts';
import { tokenPurposes } from '../../identity/scope.ts';
import { coded, disabledOrEnabled } from '../../platform/coded.ts';
import { maxGraceDays } from '../../platform/configuration.ts';
import { omissible } from '../../platform/omissible.ts';

const tokenAlias = Type.String({
  pattern: '\\S',
  minLength: 1,
  maxLength: 500,
  description: 'Name, unique within the account; must not be empty or consist of spaces only.',
});
/** A string in the specification, but clients send a number. */
const tokenEnabled = Type.Union(
  [
    coded(disabledOrEnabled, 'Whether the token is enabled:'),
    Type.Enum(['0', '1'], { description: 'The same value as a string.' }),
  ],
  { description: 'Whether the token is enabled: 0 (disabled), 1 (enabled).' },
);
const string = (description: string) => omissible(Type.String({ maxLength: 10_000, description }));
const props = omissible(
  Type.Object(
    {
      description: string('Purpose of the token.'),
      os: string('Operating system of the hosts.'),
      subscription: string('Subscription level.'),
    },
    { description: 'Properties. Further properties are stored as well; `createdTime` is ignored.' },
  ),
);
const tokenPurpose = omissible(
  Type.Enum([...tokenPurposes], {
    description:
      'agent for the agent of a host (the default), or collector for a collector of cloud resources.',
  }),
);
const agentAccessTokens = {
  family: {
    name: 'AgentAccessTokens',
    description: 'Access tokens of host agents.',
    record: AgentTokenRecord,
  },
  singular: 'an agent access token',
  plural: 'agent access tokens',
  title: 'Agent Access Token',
  id: 'id',
  creation: Type.Object({ tokenAlias, tokenEnabled, tokenPurpose, props }),
  change: Type.Object({
    tokenAlias: omissible(tokenAlias),
    tokenEnabled: omissible(tokenEnabled),
    props,
  }),
  fields: {
    columns: {
      accessToken: { type: 'string', operators: ['eq', 'ne', 'in', 'not_in'] },
      createdTime: { type: 'time' },
      tokenAlias: { type: 'string' },
      tokenEnabled: { type: 'number' },
      tokenPurpose: { type: 'string' },
      version: { type: 'string' },
      props: { type: 'json' },
    },
  },
  summaries: {
    list: 'List the enabled agent access tokens',
    search: 'Search the agent access tokens, including disabled ones',
    get: 'Get an agent access token, enabled or disabled',
    change: 'Rename, enable, disable or describe an agent access token',
  },
  descriptions: {
    search: '`accessToken` supports only eq, ne, in and not_in. A time filter is ignored.',
    change: 'Omitted members keep their values, also within `props`; null removes a member of `props`.',
  },
} as const;

const rotation = Type.Union(
  [
    Type.Object({
      graceDays: omissible(
        Type.Integer({
          minimum: 0,
          maximum: maxGraceDays,
          description:
            'Days for which the previous token is accepted; 0 for a token that is known to others. Default: VEDETTE_TOKEN_GRACE_DAYS.',
        }),
      ),
    }),
    Type.Null(),
  ],
  { description: 'Options of the rotation.' },
);

const rotate = defineRoute({
  method: 'POST',
  path: '/api/v2/AgentAccessTokens/{id}/rotate',
  family: agentAccessTokens.family,
  summary: 'Replace an agent access token by a new one',
  description:
    'Agents need not be configured again: the response to an agent that reports with the previous token has the new one in the header Vedette-Token. Both are accepted until the grace period ends.',
  access: 'write',
  audit: 'Agent Access Token Rotated',
  params: Type.Object({
    id: Type.String({ minLength: 1, maxLength: 200, description: 'The current token.' }),
  }),
  body: rotation,
  replies: { 200: Type.Object({ data: RotatedToken }) },
  refuses: ['NOT_FOUND', 'CONFLICT'],
});

export interface AgentAccessTokenDeps {
  readonly agentTokens: AgentTokens;
  readonly scanner: Scanner;
  /** Default grace period of a rotation. */
  readonly graceDays: number;
}

export const agentAccessTokenRoutes = ({ agentTokens, scanner, graceDays }: AgentAccessTokenDeps) => [
  ...recordRoutes(agentAccessTokens, {
    create: ({ actor }, { tokenAlias: alias, tokenEnabled: enabled, tokenPurpose: purpose, props }) =>
      agentTokens.create(actor, { alias, enabled: flagOf(enabled), ...(purpose && { purpose }), props }),
    list: async ({ scope }) => (await agentTokens.list(scope)).filter((token) => token.tokenEnabled === 1),
    searchable: { scanner, records: ({ scope }) => agentTokens.list(scope) },
    get: ({ scope }, token) => agentTokens.get(scope, token),
    change: ({ actor }, token, { tokenAlias: alias, tokenEnabled: enabled, props }) =>
      agentTokens.change(actor, token, {
        ...(typeof alias === 'string' && { alias }),
        ...(enabled !== undefined && enabled !== null && { enabled: flagOf(enabled) }),
        props,
      }),
  }),
  rotate.handle(async ({ actor, params, body }) => ({
    status: 200,
    body: { data: await agentTokens.rotate(actor, params.id, body?.graceDays ?? graceDays) },
  })),
];

function flagOf(value: number | string): 0 | 1 {
  return Number(value) === 1 ? 1 : 0;
}
