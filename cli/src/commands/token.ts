import { maxGraceDays } from '@vedette/server/platform/configuration';
import { clientOf, keyOptions } from '../api/key-client.ts';
import type { Command } from '../command.ts';
import { integerOption } from '../integer-option.ts';
import { UsageError } from '../usage-error.ts';

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

const rotate: Command = {
  words: ['token', 'rotate'],
  positionals: ['ALIAS'],
  options: {
    account: { type: 'string', value: 'NAME', description: 'account of the token; default: the first one' },
    'grace-days': {
      type: 'string',
      value: 'N',
      description: 'days for which the previous token is accepted; default: VEDETTE_TOKEN_GRACE_DAYS',
    },
  },
  summary: 'Replaces an agent access token and prints the new one.',
  details: [
    'Agents that report within the grace period get the new token from the server.',
    'Use --grace-days 0 for a token that is known to others: its agents must then be configured again.',
  ],
  async run({ positionals: [alias = ''], options, context }) {
    const graceDays =
      integerOption('grace-days', options['grace-days'], 0, maxGraceDays) ?? context.tokenGraceDays;
    const { directory } = await context.open();
    const account = await directory.account(String(options.account ?? (await directory.organization()).name));
    const tokens = await context.agentTokens();
    const all = await tokens.list({ ownerId: account.id, isReadOnly: false });
    const current = all.find(({ tokenAlias }) => tokenAlias === alias);
    if (!current)
      throw new UsageError(
        `The account ${account.name} has no agent access token '${alias}': use the alias of one of AgentAccessTokens.`,
      );
    const actor = directory.actor('Agent Access Token Rotated', account);
    const data = await tokens.rotate(actor, current.accessToken, graceDays);
    return {
      data,
      text: `Token  ${data.accessToken}\nThe previous token is accepted until ${data.previousTokenExpiry}.`,
    };
  },
};

/** Longest first: the first command whose words match is run. */
export const tokenCommands = [rotate, token];
