import { isRole, roles } from '@vedette/server/identity/roles';
import type { Command } from '../command.ts';
import { table } from '../table.ts';
import { UsageError } from '../usage-error.ts';

const create: Command = {
  words: ['user', 'create'],
  positionals: [],
  options: {
    email: { type: 'string', value: 'E', required: true, meaning: 'e-mail address of the user' },
    role: { type: 'string', value: 'ROLE', required: true, meaning: roles.join(', ') },
    account: {
      type: 'string',
      value: 'NAME',
      meaning: 'account of an account role; the first account when left out',
    },
  },
  summary: 'Adds a user, or gives an existing one a further role.',
  async run({ options: { email, role, account }, desk }) {
    const wanted = String(role);
    if (!isRole(wanted)) throw new UsageError(`--role must be one of ${roles.join(', ')}, not '${wanted}'.`);
    const { users } = await desk.open();
    const granted = await users.grant(String(email), wanted, account as string | undefined);
    const where = granted.account ? ` in ${granted.account}` : '';
    return { data: granted, text: `${granted.email} is ${granted.role}${where} now.` };
  },
};

const list: Command = {
  words: ['user', 'list'],
  positionals: [],
  options: {},
  summary: 'Lists the users with their roles.',
  async run({ desk }) {
    const { users } = await desk.open();
    const all = await users.list();
    const rows = all.map(({ email, enabled, organizationRole, accounts }) => ({
      email,
      roles: [
        enabled ? '' : 'disabled',
        organizationRole,
        ...accounts.map(({ name, role }) => `${role} in ${name}`),
      ]
        .filter(Boolean)
        .join(', '),
    }));
    return { data: all, text: table(rows, 'There is no user.') };
  },
};

const remove: Command = {
  words: ['user', 'delete'],
  positionals: [],
  options: { email: { type: 'string', value: 'E', required: true, meaning: 'e-mail address of the user' } },
  summary: 'Deletes a user with the API keys and tokens.',
  async run({ options: { email }, desk }) {
    const { users } = await desk.open();
    await users.delete(String(email));
    return { data: { email, deleted: true }, text: `${email} is gone, with all keys and tokens.` };
  },
};

export const userCommands = [create, list, remove];
