import type { Directory } from '../identity/directory.ts';
import type { TokenPurpose } from '../identity/scope.ts';
import { Refusal } from '../platform/errors.ts';
import type { AgentTokens } from './agent-tokens.ts';

export interface OwnToken {
  readonly alias: string;
  readonly purpose: TokenPurpose;
  /** The first account by default. */
  readonly account?: string | undefined;
}

/** The token of a program of ours: the account's one of this name and purpose, which is created if there is none. */
export async function ownToken(
  tokens: AgentTokens,
  directory: Directory,
  { alias, purpose, account: name }: OwnToken,
): Promise<string> {
  const account = await directory.account(name ?? (await directory.organization()).name);
  const existing = (await tokens.list({ ownerId: account.id, isReadOnly: false })).find(
    (token) => token.tokenAlias === alias,
  );
  const described = `The agent access token '${alias}' of ${account.name}`;
  if (existing && existing.tokenPurpose !== purpose)
    throw new Refusal(
      'CONFLICT',
      `${described} was made for another purpose (${existing.tokenPurpose}): rename it, or use another one.`,
    );
  if (existing?.tokenEnabled === 0)
    throw new Refusal('CONFLICT', `${described} is disabled: enable it, or use another one.`);
  if (existing) return existing.accessToken;
  const actor = directory.actor('Agent Access Token Created', account);
  return (await tokens.create(actor, { alias, enabled: 1, purpose })).accessToken;
}
