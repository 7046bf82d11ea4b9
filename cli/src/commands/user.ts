import { isRole, roles } from '@vedette/server/identity/roles';
import type { Command } from '../command.ts';
import { table } from '../table.ts';
import { UsageError } from '../usage-error.ts';

const create: Command = {
  words: ['user', 'create'],
  positionals: [],
  options: {
    email: { type: 'string', value: 'E', required: true, description: 'e-mail address of the user' },
    role: { type: 'string', value: 'ROLE', required: true, description: roles.join(', ') },
    account: {
      type: 'string',
      value: 'NAME',
      description: 'account of an account role; default: the first account',
    },
  },
  summary: 'Adds a user, or grants an existing user another role.',
  async run({ options: { email, role, account }, context }) {
    const roleName = String(role);
    if (!isRole(roleName))
      throw new UsageError(`--role must be one of ${roles.join(', ')}, not '${roleName}'.`);
    const { users } = await context.open();
    const granted = await users.grant(String(email), roleName, account as string | undefined);
    const where = granted.account ? ` in ${granted.account}` : '';
    return { data: granted, text: `${granted.email} now has the role ${granted.role}${where}.` };
  },
};

const list: Command = {
  words: ['user', 'list'],
  positionals: [],
  options: {},
  summary: 'Lists the users with their roles.',
  async run({ context }) {
    const { users } = await context.open();
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
    return { data: all, text: table(rows, 'No users.') };
  },
};

const remove: Command = {
  words: ['user', 'delete'],
  positionals: [],
  options: {
    email: { type: 'string', value: 'E', required: true, description: 'e-mail address of the user' },
  },
  summary: 'Deletes a user, including API keys and tokens.',
  async run({ options: { email }, context }) {
    const { users } = await context.open();
    await users.delete(String(email));
    return {
      data: { email, deleted: true },
      text: `The user ${email} was deleted, including all API keys and tokens.`,
    };
  },
};

export const userCommands = [create, list, remove];
