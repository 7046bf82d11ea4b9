import { Type } from 'typebox';
import type { AgentTokens } from '../../agents/agent-tokens.ts';
import { AgentTokenRecord } from '../../agents/record.ts';
import { searchRecords } from '../../families/record-search.ts';
import { defineRoute } from '../../http/route.ts';
import type { Fields } from '../../search/dataset.ts';
import { SearchBody } from '../../search/request.ts';

const family = {
  name: 'AgentAccessTokens',
  description: 'Tokens with which host agents sign in.',
  record: AgentTokenRecord,
};
const path = '/api/v2/AgentAccessTokens';

const fields: Fields = {
  columns: {
    accessToken: { type: 'string', operators: ['eq', 'ne', 'in', 'not_in'] },
    createdTime: { type: 'time' },
    tokenAlias: { type: 'string' },
    tokenEnabled: { type: 'number' },
    version: { type: 'string' },
    props: { type: 'json' },
  },
};

const tokenAlias = Type.String({
  pattern: '\\S',
  minLength: 1,
  maxLength: 500,
  description: 'Name; must not be empty or consist of spaces only, and no other token of the account has it.',
});
/** The specification has a text here, the clients a number. */
const tokenEnabled = Type.Union(
  [Type.Integer({ minimum: 0, maximum: 1 }), Type.Enum(['0', '1'], { description: 'The same as text.' })],
  { description: '1: enabled, 0: disabled.' },
);
const text = (description: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()], { description }));
const props = Type.Optional(
  Type.Union(
    [
      Type.Object({
        description: text('What the token is for.'),
        os: text('Operating system of the hosts.'),
        subscription: text('Level of service.'),
      }),
      Type.Null(),
    ],
    { description: 'Properties; others than these are kept too, `createdTime` is ignored.' },
  ),
);
const params = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200, description: 'The token (accessToken).' }),
});
const one = Type.Object({ data: AgentTokenRecord });
const many = Type.Object({ data: Type.Array(AgentTokenRecord, { description: 'The tokens.' }) });

const create = defineRoute({
  method: 'POST',
  path,
  family,
  summary: 'Create an agent access token',
  access: 'write',
  audit: 'Agent Access Token Created',
  body: Type.Object({ tokenAlias, tokenEnabled, props }),
  replies: { 201: one },
  refuses: ['CONFLICT'],
});
const list = defineRoute({
  method: 'GET',
  path,
  family,
  summary: 'List the enabled agent access tokens',
  access: 'read',
  replies: { 200: many },
});
const search = defineRoute({
  method: 'POST',
  path: `${path}/search`,
  family,
  summary: 'Search the agent access tokens, disabled ones too',
  description: '`accessToken` takes eq, ne, in and not_in only. A time filter is ignored.',
  access: 'read',
  body: SearchBody,
  replies: { 200: many },
  refuses: ['INVALID_FIELD', 'INVALID_FILTER'],
});
const get = defineRoute({
  method: 'GET',
  path: `${path}/{id}`,
  family,
  summary: 'Show an agent access token, enabled or not',
  access: 'read',
  params,
  replies: { 200: one },
  refuses: ['NOT_FOUND'],
});
const change = defineRoute({
  method: 'PATCH',
  path: `${path}/{id}`,
  family,
  summary: 'Rename, enable, disable or describe an agent access token',
  description: 'Members that are left out stay, those of `props` too; null takes one of `props` away.',
  access: 'write',
  audit: 'Agent Access Token Updated',
  params,
  body: Type.Object({
    tokenAlias: Type.Optional(tokenAlias),
    tokenEnabled: Type.Optional(tokenEnabled),
    props,
  }),
  replies: { 200: one },
  refuses: ['NOT_FOUND', 'CONFLICT'],
});

export const agentAccessTokenRoutes = ({ agentTokens }: { agentTokens: AgentTokens }) => [
  create.handle(async ({ actor, body }) => {
    const { tokenAlias: alias, props } = body;
    const data = await agentTokens.create(actor, { alias, enabled: flagOf(body.tokenEnabled), props });
    return { status: 201, body: { data } };
  }),
  list.handle(async ({ scope }) => {
    const data = await agentTokens.list(scope.ownerId);
    return { status: 200, body: { data: data.filter((token) => token.tokenEnabled === 1) } };
  }),
  search.handle(async ({ scope, body }) => {
    const found = searchRecords(await agentTokens.list(scope.ownerId), body, fields);
    return { status: 200, body: { data: found as AgentTokenRecord[] } };
  }),
  get.handle(async ({ scope, params: { id } }) => ({
    status: 200,
    body: { data: await agentTokens.get(scope.ownerId, id) },
  })),
  change.handle(
    async ({ actor, params: { id }, body: { tokenAlias: alias, tokenEnabled: enabled, props } }) => {
      const data = await agentTokens.change(actor, id, {
        ...(alias !== undefined && { alias }),
        ...(enabled !== undefined && { enabled: flagOf(enabled) }),
        props,
      });
      return { status: 200, body: { data } };
    },
  ),
];

function flagOf(value: number | string): 0 | 1 {
  return Number(value) === 1 ? 1 : 0;
}
