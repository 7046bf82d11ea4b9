import type { CommandContext } from '../context.ts';
import { UsageError } from '../usage-error.ts';

const tokenAlias = 'simulator';

/** Creates the token of the simulator if the account has none. */
export async function simulatorToken(
  context: CommandContext,
  accountName: string | undefined,
): Promise<string> {
  const { directory } = await context.open();
  const account = await directory.account(accountName ?? (await directory.organization()).name);
  const tokens = await context.agentTokens();
  const existing = (await tokens.list({ ownerId: account.id, isReadOnly: false })).find(
    (token) => token.tokenAlias === tokenAlias,
  );
  if (existing?.tokenEnabled === 0)
    throw new UsageError(
      `The agent access token '${tokenAlias}' of ${account.name} is disabled: enable it, or pass another with --token.`,
    );
  if (existing) return existing.accessToken;
  const actor = directory.actor('Agent Access Token Created', account);
  return (await tokens.create(actor, { alias: tokenAlias, enabled: 1 })).accessToken;
}
