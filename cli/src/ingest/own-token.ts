import type { TokenPurpose } from '@vedette/server/identity/scope';
import type { CommandContext } from '../context.ts';
import { UsageError } from '../usage-error.ts';

export interface OwnToken {
  readonly alias: string;
  readonly purpose: TokenPurpose;
  /** The first account by default. */
  readonly account: string | undefined;
}

/** The token of a command: the account's one of this name and purpose, which is created if there is none. */
export async function ownToken(
  context: CommandContext,
  { alias, purpose, account: name }: OwnToken,
): Promise<string> {
  const { directory } = await context.open();
  const account = await directory.account(name ?? (await directory.organization()).name);
  const tokens = await context.agentTokens();
  const existing = (await tokens.list({ ownerId: account.id, isReadOnly: false })).find(
    (token) => token.tokenAlias === alias,
  );
  const described = `The agent access token '${alias}' of ${account.name}`;
  if (existing && existing.tokenPurpose !== purpose)
    throw new UsageError(
      `${described} was made for another purpose (${existing.tokenPurpose}): rename it, or pass another with --token.`,
    );
  if (existing?.tokenEnabled === 0)
    throw new UsageError(`${described} is disabled: enable it, or pass another with --token.`);
  if (existing) return existing.accessToken;
  const actor = directory.actor('Agent Access Token Created', account);
  return (await tokens.create(actor, { alias, enabled: 1, purpose })).accessToken;
}
