import { formatInstant } from '@vedette/server/platform/instant';
import type { Command } from '../command.ts';
import { day, table } from '../table.ts';

const create: Command = {
  words: ['account', 'create'],
  positionals: ['NAME'],
  options: {},
  summary: 'Adds an account to the organization.',
  async run({ positionals: [name = ''], desk }) {
    const { accounts } = await desk.open();
    const account = await accounts.create(name);
    return {
      data: { account: account.name, custGuid: account.id },
      text: `The account ${account.name} exists now.`,
    };
  },
};

const list: Command = {
  words: ['account', 'list'],
  positionals: [],
  options: {},
  summary: 'Lists the accounts.',
  async run({ desk }) {
    const { accounts } = await desk.open();
    const all = await accounts.list();
    return {
      data: all.map(({ name, createdAt }) => ({ account: name, createdTime: formatInstant(createdAt) })),
      text: table(
        all.map(({ name, createdAt }) => ({ account: name, created: day(createdAt) })),
        'There is no account.',
      ),
    };
  },
};

const remove: Command = {
  words: ['account', 'delete'],
  positionals: ['NAME'],
  options: {},
  summary: 'Deletes an account with the access of its users and its data.',
  async run({ positionals: [name = ''], desk }) {
    const { accounts } = await desk.open();
    await accounts.delete(name);
    return {
      data: { account: name, deleted: true },
      text: `The account ${name} is gone; its data is being removed.`,
    };
  },
};

export const accountCommands = [create, list, remove];
