import { clientOf, keyOptions } from '../api/key-client.ts';
import type { Command } from '../command.ts';

const token: Command = {
  words: ['token'],
  positionals: [],
  options: keyOptions,
  summary: 'Prints an access token for the API key, for curl and scripts. It expires after an hour.',
  async run(invocation) {
    const client = clientOf(invocation);
    try {
      const { token, expiresAt } = await client.token();
      return { data: { token, expiresAt }, text: token };
    } finally {
      client.close();
    }
  },
};

export const tokenCommands = [token];
