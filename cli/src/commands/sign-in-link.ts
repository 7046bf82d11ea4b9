import type { NewLink } from '@vedette/server/identity/sign-in-links';
import { formatInstant } from '@vedette/server/platform/instant';
import type { Command } from '../command.ts';
import { operatorRequest, readJson } from '../operator-client.ts';

const create: Command = {
  words: ['sign-in-link'],
  positionals: [],
  options: {
    user: { type: 'string', value: 'E', description: 'e-mail address; default: the first administrator' },
  },
  summary: 'Creates a link that signs a user in to the console once, within an hour.',
  details: ['For the first sign-in, and for a user who has lost the password.'],
  async run({ options, context }) {
    const query = options.user === undefined ? '' : `?user=${encodeURIComponent(String(options.user))}`;
    const response = await operatorRequest(context, 'POST', `/sign-in-link${query}`);
    const { url, user, expiresAt } = (await readJson(response)) as NewLink;
    return { data: { url, user, expiresTime: formatInstant(expiresAt) }, text: url };
  },
};

export const signInLinkCommands = [create];
