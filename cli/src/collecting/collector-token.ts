import type { CommandContext } from '../context.ts';
import { UsageError } from '../usage-error.ts';

/** Finds the account's token of this name and purpose, or creates it. */
export async function collectorToken(
  context: CommandContext,
  accountName: string | undefined,
  alias = 'collector',
): Promise<string> {
  const { directory } = await context.open();
  const account = await directory.account(accountName ?? (await directory.organization()).name);
  const tokens = await context.agentTokens();
  const existing = (await tokens.list({ ownerId: account.id, isReadOnly: false })).find(
    (token) => token.tokenAlias === alias,
  );
  if (existing && existing.tokenPurpose !== 'collector')
    throw new UsageError(
      `The agent access token '${alias}' of ${account.name} was not made for a collector: rename it, or pass another with --token.`,
    );
  if (existing?.tokenEnabled === 0)
    throw new UsageError(
      `The agent access token '${alias}' of ${account.name} is disabled: enable it, or pass another with --token.`,
    );
  if (existing) return existing.accessToken;
  const actor = directory.actor('Agent Access Token Created', account);
  return (await tokens.create(actor, { alias, enabled: 1, purpose: 'collector' })).accessToken;
}
