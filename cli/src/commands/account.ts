import { formatInstant } from '@vedette/server/platform/instant';
import type { Command } from '../command.ts';
import { day, table } from '../table.ts';

const create: Command = {
  words: ['account', 'create'],
  positionals: ['NAME'],
  options: {},
  summary: 'Adds an account to the organization.',
  async run({ positionals: [name = ''], context }) {
    const { accounts } = await context.open();
    const account = await accounts.create(name);
    return {
      data: { account: account.name, custGuid: account.id },
      text: `The account ${account.name} was created.`,
    };
  },
};

const list: Command = {
  words: ['account', 'list'],
  positionals: [],
  options: {},
  summary: 'Lists the accounts.',
  async run({ context }) {
    const { accounts } = await context.open();
    const all = await accounts.list();
    return {
      data: all.map(({ name, createdAt }) => ({ account: name, createdTime: formatInstant(createdAt) })),
      text: table(
        all.map(({ name, createdAt }) => ({ account: name, created: day(createdAt) })),
        'No accounts.',
      ),
    };
  },
};

const remove: Command = {
  words: ['account', 'delete'],
  positionals: ['NAME'],
  options: {},
  summary: 'Deletes an account, the access of its users and its data.',
  destroys: ({ positionals: [name] }) =>
    `This deletes the account ${name}, the access of its users and all its data.`,
  async run({ positionals: [name = ''], context }) {
    const { accounts } = await context.open();
    await accounts.delete(name);
    return {
      data: { account: name, deleted: true },
      text: `The account ${name} was deleted; its data is being removed.`,
    };
  },
};

export const accountCommands = [create, list, remove];
