import { accountHost } from '@vedette/server/identity/account-host';
import { formatInstant } from '@vedette/server/platform/instant';
import type { Command, Invocation } from '../command.ts';
import { integerOption } from '../integer-option.ts';
import { day, table } from '../table.ts';

const create: Command = {
  words: ['key', 'create'],
  positionals: [],
  options: {
    user: { type: 'string', value: 'E', required: true, description: 'e-mail address of the user' },
    account: { type: 'string', value: 'NAME', description: 'account of requests that name none' },
    'rate-limit': {
      type: 'string',
      value: 'N',
      description: 'requests per hour and functionality; default: the general limit',
    },
  },
  summary: 'Creates an API key and prints its secret once.',
  async run({ options, context }) {
    const rateLimit = integerOption('rate-limit', options['rate-limit'], 1, maxRateLimit);
    const { keys } = await context.open();
    const account = options.account as string | undefined;
    const key = await keys.create(String(options.user), {
      ...(account && { account }),
      ...(rateLimit && { rateLimit }),
    });
    const { keyId, secret } = key;
    const data = { keyId, secret, account: accountHost(key.account), subAccount: '' };
    return {
      data,
      text: `Key id  ${keyId}\nSecret  ${secret}\nThe secret is not stored and can not be shown again.`,
    };
  },
};

const list: Command = {
  words: ['key', 'list'],
  positionals: [],
  options: { user: { type: 'string', value: 'E', description: 'only the keys of this user' } },
  summary: 'Lists the API keys.',
  async run({ options, context }) {
    const { keys } = await context.open();
    const all = await keys.list(options.user as string | undefined);
    const rows = all.map((key) => ({
      'key id': key.keyId,
      user: key.user,
      state: key.enabled ? 'enabled' : 'disabled',
      'last used': day(key.lastUsedAt),
    }));
    const data = all.map(({ createdAt, lastUsedAt, ...key }) => ({
      ...key,
      createdTime: formatInstant(createdAt),
      lastUsedTime: lastUsedAt === null ? null : formatInstant(lastUsedAt),
    }));
    return { data, text: table(rows, 'No API keys.') };
  },
};

const changes = {
  disable: 'Disables an API key and revokes its tokens.',
  enable: 'Enables a disabled API key.',
  delete: 'Deletes an API key and revokes its tokens.',
} as const;

const change = (verb: keyof typeof changes): Command => ({
  words: ['key', verb],
  positionals: ['KEYID'],
  options: {},
  summary: changes[verb],
  async run({ positionals: [keyId = ''], context }: Invocation) {
    const { keys } = await context.open();
    await keys[verb](keyId);
    return { data: { keyId, [`${verb}d`]: true }, text: `The API key ${keyId} is ${verb}d.` };
  },
});

/** Same maximum as VEDETTE_RATE_LIMIT. */
const maxRateLimit = 1_000_000_000;

export const keyCommands = [create, list, change('disable'), change('enable'), change('delete')];
