import type { CommandContext } from '../context.ts';
import { UsageError } from '../usage-error.ts';

const tokenAlias = 'simulator';

/** The token of the simulator in an account, made when there is none yet; in the first account when none is named. */
export async function simulatorToken(desk: CommandContext, accountName: string | undefined): Promise<string> {
  const { directory } = await desk.open();
  const account = await directory.account(accountName ?? (await directory.organization()).name);
  const tokens = await desk.agentTokens();
  const known = (await tokens.list({ ownerId: account.id, isReadOnly: false })).find(
    (token) => token.tokenAlias === tokenAlias,
  );
  if (known?.tokenEnabled === 0)
    throw new UsageError(
      `The agent access token '${tokenAlias}' of ${account.name} is disabled: enable it, or give another with --token.`,
    );
  if (known) return known.accessToken;
  const actor = directory.actor('Agent Access Token Created', account);
  return (await tokens.create(actor, { alias: tokenAlias, enabled: 1 })).accessToken;
}
