import { accountHost } from '@vedette/server/identity/account-host';
import { formatInstant } from '@vedette/server/platform/instant';
import type { Command, Given } from '../command.ts';
import { day, table } from '../table.ts';
import { wholeNumber } from '../whole-number.ts';

const create: Command = {
  words: ['key', 'create'],
  positionals: [],
  options: {
    user: { type: 'string', value: 'E', required: true, meaning: 'e-mail address of the user' },
    account: { type: 'string', value: 'NAME', meaning: 'account that is used when a request names none' },
    'rate-limit': {
      type: 'string',
      value: 'N',
      meaning: 'requests per hour and functionality, instead of the general limit',
    },
  },
  summary: 'Makes an API key and shows its secret once.',
  async run({ options, desk }) {
    const rateLimit = wholeNumber('rate-limit', options['rate-limit'], 1, highestLimit);
    const { keys } = await desk.open();
    const account = options.account as string | undefined;
    const key = await keys.create(String(options.user), {
      ...(account && { account }),
      ...(rateLimit && { rateLimit }),
    });
    const { keyId, secret } = key;
    const data = { keyId, secret, account: accountHost(key.account), subAccount: '' };
    return {
      data,
      text: `Key id  ${keyId}\nSecret  ${secret}\nThe secret is not kept and can not be shown again.`,
    };
  },
};

const list: Command = {
  words: ['key', 'list'],
  positionals: [],
  options: { user: { type: 'string', value: 'E', meaning: 'only the keys of this user' } },
  summary: 'Lists the API keys.',
  async run({ options, desk }) {
    const { keys } = await desk.open();
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
    return { data, text: table(rows, 'There is no API key.') };
  },
};

const changes = {
  disable: 'Disables an API key and kills its tokens.',
  enable: 'Enables an API key again.',
  delete: 'Deletes an API key and kills its tokens.',
} as const;

const change = (verb: keyof typeof changes): Command => ({
  words: ['key', verb],
  positionals: ['KEYID'],
  options: {},
  summary: changes[verb],
  async run({ positionals: [keyId = ''], desk }: Given) {
    const { keys } = await desk.open();
    await keys[verb](keyId);
    return { data: { keyId, [`${verb}d`]: true }, text: `The API key ${keyId} is ${verb}d.` };
  },
});

/** As for VEDETTE_RATE_LIMIT. */
const highestLimit = 1_000_000_000;

export const keyCommands = [create, list, change('disable'), change('enable'), change('delete')];
